"""Records that raw data says are gone: told as if they were there, or listed where no field could say it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.mirror.quality.checks.test_lineage import bad, files

STATES = "sales-engagement/sequence_state"
SAID: list[tuple[str, Any]] = [
    ("deletedAt", "2024-05-01T10:00:00Z"),
    ("deleted", True),
    ("trashbin-deletion-time", 1_714_557_600),
    ("removed", {"state": "soft"}),
    ("merged_into", 4_711),
]
LEFT: list[tuple[str, Any]] = [
    ("deletedAt", None),
    ("deleted", False),
    ("removed", {}),
    ("can_be_deleted", True),
    ("deleted_count", 1),
    ("person_deleted", True),
    ("merged_from", [4_711]),
]


def states(name: str, value: Any, *, told: bool) -> list[dict[str, Any]]:
    made = []
    for at in range(200):
        gone = at % 16 == 3
        raw = {"uid": f"k{at * 7919:07}", "code": at % 5, "more": {name: value if gone else None}}
        made.append({"id": raw["uid"], "is_deleted": gone and (told or at % 3 == 0), "raw_data": raw})
    return made


@pytest.mark.parametrize(("name", "value"), SAID)
def test_a_record_that_is_gone_is_no_live_one(name: str, value: Any) -> None:
    assert bad(states(name, value, told=True), STATES) == []
    assert ("mapping.made-alike", "gone", "is_deleted") in bad(states(name, value, told=False), STATES)


def test_what_is_gone_of_something_else_says_nothing_of_the_record() -> None:
    assert bad(states("person_deleted", True, told=False), STATES) == []


@pytest.mark.parametrize(("name", "value"), SAID + LEFT)
def test_a_list_without_a_field_for_it_has_no_deleted_records(name: str, value: Any) -> None:
    rows = files(200)
    for at, row in enumerate(rows):
        row["raw_data"][name] = value if at % 14 == 7 else None
        row["raw_data"].pop("isDeleted")
    assert bad(rows) == ([("mapping.made-alike", "gone", "id")] if (name, value) in SAID else [])


def test_a_live_record_is_not_told_as_deleted() -> None:
    def rows(*, paused: bool, archived: bool = False) -> list[dict[str, Any]]:
        made = []
        for at in range(200):
            gone, idle = at % 16 == 3, at % 11 == 5
            raw = {"uid": f"k{at * 7919:07}", "isActive": not (gone or idle)}
            raw |= {"deletedAt": "2024-05-01T10:00:00Z" if gone else None} | (
                {"archived": idle} if archived else {}
            )
            made.append({"id": raw["uid"], "is_deleted": gone or (idle and paused), "raw_data": raw})
        return made

    assert bad(rows(paused=False), STATES) == []
    assert bad(rows(paused=True), STATES) == [("mapping.made-alike", "not gone", "is_deleted")]
    assert bad(rows(paused=True, archived=True), STATES) == []


def stated(word: str, *, told: bool, name: str = "Record_Status__s", state: str = "") -> list[dict[str, Any]]:
    made = []
    for at in range(200):
        gone = at % 16 == 3
        raw = {"uid": f"k{at * 7919:07}", "code": at % 5, name: word if gone else "Available"}
        row = {"id": raw["uid"], "is_deleted": gone and told, "raw_data": raw}
        made.append(row | ({"state": raw[name]} if state else {}))
    return made


@pytest.mark.parametrize("word", ["Trash", "DELETED", "removed"])
def test_a_state_that_says_gone_is_that_of_no_live_record(word: str) -> None:
    found = ("mapping.made-alike", "gone", "is_deleted")
    assert found not in bad(stated(word, told=True), STATES)
    assert found in bad(stated(word, told=False), STATES)


def test_a_state_that_is_told_or_says_something_else_is_not_the_record_s_end() -> None:
    assert bad(stated("removed", told=False, state="state"), STATES) == []
    assert bad(stated("Removal planned", told=False), STATES) == []
    assert bad(stated("Trash", told=False, name="step_status"), STATES) == []
