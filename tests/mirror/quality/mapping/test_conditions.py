"""What odd records have in common in raw data, and what is no more than chance."""

from __future__ import annotations

from typing import Any

from explorer.quality.mapping.conditions import (
    are_of_a_kind,
    are_told_apart,
    have_something,
    share_a_value,
)

USUAL: list[dict[str, Any]] = [{"/no": at, "/kind": "ab"[at % 2], "/gone": None} for at in range(100)]
ODD: list[dict[str, Any]] = [
    {"/no": 200 + at, "/kind": "c", "/gone": f"2024-05-{at + 1:02}"} for at in range(4)
]


def test_odd_records_share_a_value_that_others_hardly_have() -> None:
    assert share_a_value(ODD, USUAL)
    assert not share_a_value(ODD[:2], USUAL)
    assert not share_a_value([{**one, "/kind": "a"} for one in ODD], USUAL)


def test_odd_records_have_something_though_each_its_own() -> None:
    plain = [{**one, "/kind": "a"} for one in ODD]
    assert have_something(plain, [*USUAL, *plain])
    assert not have_something([{**one, "/gone": None} for one in plain], USUAL)


def test_few_values_tell_records_apart_and_many_do_not() -> None:
    assert are_told_apart(ODD, USUAL)
    assert not are_told_apart([{**one, "/kind": "a", "/gone": None} for one in ODD], USUAL)


def test_things_of_another_kind_are_told_by_a_path_that_says_so() -> None:
    assert are_of_a_kind(ODD, USUAL)
    assert not are_of_a_kind([{**one, "/kind": "a"} for one in ODD], USUAL)
    assert not are_of_a_kind([{"/status": "gone"}] * 4, [{"/status": "here"}] * 9)


def test_folders_are_told_by_their_flag_and_by_that_of_the_record_itself() -> None:
    def apart(path: str) -> bool:
        return are_of_a_kind([{path: True}] * 4, [{path: False}] * 9)

    assert apart("/is_folder")
    assert apart("/attributes/isFolder")
    assert not apart("/is_shared")
    assert not apart("/parent/is_folder")
