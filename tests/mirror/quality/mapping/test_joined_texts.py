"""Texts joined from a raw value and another one that is decoded: what is left of them in some records is named."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest

from explorer.quality.mapping.joined_texts import joined_of
from tests.mirror.quality.checks.test_lineage import bad

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
