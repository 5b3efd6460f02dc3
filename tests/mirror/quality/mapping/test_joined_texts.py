"""Texts joined from a raw value and another one that is decoded: what is left of them in some records is named."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import quote

import pytest

from explorer.quality.mapping.joined_texts import joined_of
from tests.mirror.quality.checks.test_lineage import bad, looked

Row = dict[str, Any]
NAMES = ("Müller", "plan+b", "Łódź", "50% off", "naïve", "report")


def placed(at: int) -> Row:
    """A file in a folder, whose address is escaped."""
    folder = f"Projekte Ü{at % 13}/Jahr {at % 7}"
    raw = {"uid": f"k{at * 7919:07}", "caption": f"{NAMES[at % 6]} {at}.pdf", "parent": {}}
    raw["parent"] = {"address": quote(f"/drives/b{at % 3}/root:/{folder}", safe="/:")}
    return {"id": raw["uid"], "name": raw["caption"], "path": f"/{folder}/{raw['caption']}", "raw_data": raw}


def test_the_pieces_are_learned() -> None:
    origin = joined_of([placed(at) for at in range(60)], "path", "raw_data")
    assert origin is not None
    assert origin.support == 1
    assert origin.paths == ("/parent/address", "/caption")
    assert origin.make(placed(99)["raw_data"]) == placed(99)["path"]


SPOILT: list[tuple[Any, str]] = [
    (lambda path: path.encode("ascii", "ignore").decode(), "letters lost"),
    (lambda path: path.replace("+", " "), "has lost its plus signs"),
    (lambda path: f"/{path}", "prefix added"),
    (quote, "escaped for URLs"),
]
WHOLLY = ("escaped for URLs",)
"""What is done to all of them."""


@pytest.mark.parametrize(("change", "rule"), SPOILT)
def test_what_some_of_them_lost_is_named(change: Any, rule: str) -> None:
    rows = [placed(at) for at in range(120)]
    for row in rows:
        row["path"] = change(row["path"]) if rule in WHOLLY or "Ü1" in row["path"] else row["path"]
    found = bad(rows)
    assert [(one, field) for _, one, field in found] == [(rule, "path")]


def test_a_piece_more_is_no_loss() -> None:
    rows = [placed(at) for at in range(120)]
    assert bad(rows) == []
    for at, row in enumerate(rows):
        row["raw_data"]["middle"] = f"Part{at % 5}" if at % 4 == 0 else None
        if at % 4 == 0:
            row["path"] = row["path"].replace("/Jahr", f"/Part{at % 5}/Jahr")
    assert bad(rows) == []


def nested(at: int) -> Row:
    """A file somewhere in a tree, whose folders are in a list that begins with the root."""
    way = ["All", *(f"Bereich {at % 5}", f"Jahr {at % 4}", f"Q{at % 3}")[: (1, 1, 1, 1, 2, 3, 3)[at % 7]]]
    raw = {"uid": f"k{at * 7919:07}", "caption": f"{NAMES[at % 6]} {at}.pdf"}
    raw |= {"way": {"entries": [{"key": f"f{one}", "label": one} for one in way]}}  # type: ignore[dict-item]
    return {
        "id": raw["uid"],
        "name": raw["caption"],
        "path": "/".join(("", *way[1:], raw["caption"])),
        "raw_data": raw,
    }


def test_all_items_of_an_array_are_a_piece() -> None:
    origin = joined_of([nested(at) for at in range(90)], "path", "raw_data")
    assert origin is not None
    assert (origin.paths, origin.support) == (("/way/entries/*/label", "/caption"), 1)
    assert bad([nested(at) for at in range(240)]) == []


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        (lambda path: path.replace("Bereich 3/", "Bereich 3 (old)/"), "another name"),
        (lambda path: re.sub(r"^(/[^/]+)/[^/]+(/[^/]+/[^/]+)$", r"\1\2", path), "piece"),
    ],
)
def test_a_path_of_other_folders_is_named_with_its_records(change: Any, rule: str) -> None:
    rows, guilty = [nested(at) for at in range(240)], set()
    for row in rows:
        told = change(row["path"])
        guilty |= {row["id"]} if told != row["path"] else set()
        row["path"] = told
    found = [one for result in looked(rows).values() if result.is_bad for one in result.findings]
    assert [(one.rule, one.field, set(one.ids)) for one in found] == [(rule, "path", guilty)]
