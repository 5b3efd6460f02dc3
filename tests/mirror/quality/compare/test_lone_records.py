"""What records that are gone or were added share: a value, their place, another id; else nothing is said."""

from __future__ import annotations

from typing import Any

from tests.mirror.quality.compare.test_compare import compared


def jobs(count: int = 60) -> list[dict[str, Any]]:
    states = ("open", "closed", "archived")
    return [
        {"id": f"j{at:03}", "name": f"Job {at * 7919 % 1009}", "state": states[at * at % 7 % 3], "live": True}
        for at in range(count)
    ]


def said(one: list[dict[str, Any]], other: list[dict[str, Any]]) -> list[str]:
    with compared(one, other) as made:
        return [sentence.words for sentence in made.explained.sentences]


def test_a_value_that_hardly_another_has() -> None:
    left = [one for one in jobs() if one["state"] != "archived"]
    gone = len(jobs()) - len(left)
    assert said(jobs(), left) == [f'All {gone} gone records have state "archived", and no other record does']
    assert said(left, jobs()) == [f'All {gone} added records have state "archived", and no other record does']


def test_a_page_that_is_missing() -> None:
    assert said(jobs(), jobs()[:20] + jobs()[30:]) == [
        "All 10 gone records stood one behind another: rows 21 to 30 of 60"
    ]
    assert said(jobs(), jobs()[:50]) == ["All 10 gone records stood one behind another: the last 10 of 60"]


def test_what_is_there_under_another_id() -> None:
    other = [{**one, "id": f"ats_{one['id']}"} for one in jobs()]
    assert 'All 60 gone records exist under another id: id has now "ats_" put before it' in said(
        jobs(), other
    )


def test_nothing_is_said_where_nothing_is_shared() -> None:
    left = [one for at, one in enumerate(jobs()) if at not in (4, 17, 33, 50)]
    assert said(jobs(), left) == []
    assert said(jobs(), jobs()) == []
