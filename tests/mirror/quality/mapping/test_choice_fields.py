"""Fields of a few known words, and true and false, beside raw values that say the word themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.mirror.quality.checks.test_lineage import bad

Row = dict[str, Any]
MIMES = ("application/pdf", "text/csv", "image/png")


def file(at: int) -> Row:
    is_folder = at % 6 == 0
    mime = "application/vnd.third.folder" if is_folder else MIMES[at % 3]
    raw: Row = {
        "uid": f"k{at * 7919}", "caption": f"Caption {at}", "object": "drive#file", "mimeType": mime,
        "secrecy": "public" if at % 3 else "secret", "downloadLink": None if at % 5 == 0 else f"https://x.example/{at}",
        "parent": {"type": "folder"}, "availability": "confidential" if at % 4 else "open",
    }  # fmt: skip
    if is_folder:
        raw["folder"] = {"childCount": at}
    can = raw["downloadLink"] is not None
    return {
        "id": raw["uid"], "name": raw["caption"], "type": "folder" if is_folder else "file", "mime_type": mime,
        "downloadable": can, "permissions": {"download": can}, "raw_data": raw,
    }  # fmt: skip


def found(change: Callable[[Row, int], Row]) -> list[tuple[str, str, str]]:
    return bad([one | change(one, at) for at, one in enumerate(map(file, range(150)))])


def test_clean_ones_are_no_finding() -> None:
    assert found(lambda row, at: {}) == []


WRONG: list[tuple[str, Callable[[Row, int], Row]]] = [
    ("all files", lambda row, at: {"type": "file"}),
    ("all folders", lambda row, at: {"type": "folder"}),
    ("exchanged", lambda row, at: {"type": "file" if row["type"] == "folder" else "folder"}),
    ("one of them", lambda row, at: {"type": "file"} if at == 60 else {}),
]


@pytest.mark.parametrize(("name", "change"), WRONG, ids=[one[0] for one in WRONG])
def test_a_word_that_raw_data_says_itself(name: str, change: Callable[[Row, int], Row]) -> None:
    assert ("mapping.made-alike", "another word", "type") in found(change)


@pytest.mark.parametrize("field", ["downloadable", "permissions"])
def test_true_where_there_is_nothing_and_false_where_there_is(field: str) -> None:
    def turned(row: Row, at: int) -> Row:
        return (
            {field: not row[field]}
            if field == "downloadable"
            else {field: {"download": not row[field]["download"]}}
        )

    assert [(rule, name.partition(".")[0]) for _, rule, name in found(turned)] == [("inverted", field)]


def test_what_is_there_when_something_else_is_not_may_be_so() -> None:
    def locked(row: Row, at: int) -> Row:
        raw = {n: v for n, v in row["raw_data"].items() if n != "downloadLink"}
        link = row["raw_data"]["downloadLink"]
        return {"raw_data": raw | {"downloadBlockedBy": None if link else "owner"}}

    assert found(locked) == []


def test_one_truth_value_throughout_though_the_path_of_its_name_has_two_words() -> None:
    rows = [
        {"id": one["id"], "confidential": True, "raw_data": one["raw_data"] | {"confidentiality": word}}
        for at, one in enumerate(map(file, range(150)))
        for word in ["confidential" if at % 4 else "non-confidential"]
    ]
    assert bad(rows, "ats/job") == [("mapping.nothing-lost", "constant", "confidential")]
    for at, row in enumerate(rows):
        row["confidential"] = at % 4 > 0
    assert bad(rows, "ats/job") == []


def test_a_number_in_place_of_a_word() -> None:
    states = ("active", "paused", "finished", "bounced", "failed")
    rows: list[Row] = []
    for at in range(150):
        raw = {"uid": f"s{at}", "state": states[at * 7 % 5]}
        rows.append({"id": raw["uid"], "state": str(len(raw["state"]) % 3), "raw_data": raw})
    assert bad(rows, "sales-engagement/sequence_state") == [
        ("mapping.nothing-lost", "is a number where the source has a word", "state")
    ]


def test_a_word_said_where_those_of_that_word_say_it() -> None:
    def facet(row: Row, at: int) -> Row:
        kind, raw = row["type"], {**row["raw_data"], "mimeType": "text/csv"}
        raw.pop("folder", None)
        # A link is a file to the third party, and the connector has a word of its own for it.
        raw |= {"folder": {"children": at}} if kind == "folder" else {"file": {"bytes": at}}
        return {
            "type": "url" if at % 25 == 7 and kind == "file" else kind,
            "mime_type": "text/csv",
            "raw_data": raw,
        }

    assert found(facet) == []
    wrong = found(
        lambda row, at: facet(row, at) | ({"type": "file"} if at % 18 == 0 else {})
    )  # a third of them
    assert wrong == [("mapping.made-alike", "another word", "type")]


def test_a_path_that_tells_both_words_is_right_about_the_one_that_some_lack() -> None:
    def kind(row: Row, at: int) -> Row:
        raw = {**row["raw_data"], "mimeType": None, "object": row["type"], "several": at % 4 == 1}
        return {"mime_type": None, "raw_data": raw}

    assert found(kind) == []
    some = found(lambda row, at: kind(row, at) | ({"type": "folder"} if at % 4 == 1 else {}))
    assert some == [("mapping.made-alike", "another word", "type")]
