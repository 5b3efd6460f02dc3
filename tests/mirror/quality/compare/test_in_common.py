"""What records that are gone or were added share: a value, their place, another id; else nothing is said."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest

from explorer.quality.compare.explain import explained
from explorer.quality.compare.explained import Explained
from explorer.quality.compare.in_common import Times
from tests.mirror.quality.compare.test_compare import compared
from tests.mirror.quality.compare.test_explain import people
from tests.mirror.quality.triples import Triple, records_of


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


EARLY, LATE = datetime(2026, 11, 20, 9, 12, tzinfo=UTC), datetime(2026, 11, 22, 9, 12, tzinfo=UTC)
TIMES = Times((EARLY, EARLY + timedelta(minutes=2)), (LATE, LATE + timedelta(minutes=2)))
Make = Callable[[int, int], Any]


def stamp(pull: int, at: int) -> str:
    return f"{(EARLY, LATE)[pull] + timedelta(milliseconds=137 * at):%Y-%m-%dT%H:%M:%S}Z"


def one_stamp(pull: int, at: int) -> str:
    return f"{(EARLY, LATE)[pull]:%Y-%m-%dT%H:%M:%SZ}"


def signed(pull: int, at: int) -> str:
    return f"https://files.example.com/{at}?sig={hashlib.sha256(f'{pull}{at}'.encode()).hexdigest()}&e={pull}"


def tag(pull: int, at: int) -> str:
    return f'W/"{hashlib.md5(f"{pull}{at}".encode(), usedforsecurity=False).hexdigest()}"'


def views(pull: int, at: int) -> int:
    return 100 + at * 3 + pull * (1 + at % 7)


def states(
    makes: dict[str, Make], change: Callable[[dict[str, Any]], object] | None = None, part: float = 0.1
) -> Any:
    random = Random(5)
    before = people(random, 200)
    now = copy.deepcopy(before)
    for pull, records in enumerate((before, now)):
        for at, record in enumerate(records):
            record.update({name: make(pull, at) for name, make in makes.items()})
    for record in now:
        if change is not None and random.random() < part:
            change(record)
    return [Triple(a["id"], a, b) for a, b in zip(before, now, strict=True)]


def made_of(triples: list[Triple], **more: Any) -> Explained:
    return explained(lambda: records_of(triples), len(triples), times=TIMES, **more)


@pytest.mark.parametrize("make", [stamp, one_stamp, signed, tag, views])
def test_a_field_that_changes_at_every_pull_is_left_out(make: Make) -> None:
    made = made_of(states({"seen": make}))
    assert list(made.left_out) == ["seen"]
    assert made.changed == 0
    assert not made.sentences
    assert made.left_out_words.startswith("Left out, as it changes at every pull: seen (")


def test_the_others_still_count() -> None:
    def change(record: dict[str, Any]) -> None:
        record["phone"] = record["phone"][1:]

    made = made_of(states({"fetched_at": stamp, "url": signed, "etag": tag}, change))
    assert set(made.left_out) == {"fetched_at", "url", "etag"}
    assert [one.name for one in made.sentences] == ["plus sign lost"]
    assert made.changed == made.claimed == made.sentences[0].count


@pytest.mark.parametrize(
    "change",
    [
        lambda r: r.update(phone=r["phone"][1:]),
        lambda r: r.update(created_at=r["created_at"][:23] + "+04:00"),
        lambda r: r.update(created_at=r["created_at"][:23]),
        lambda r: r.update(name=f"{r['size']} words that nobody wrote"),
        lambda r: r.update(size=r["size"] * 1024),
        lambda r: r.update(size=r["size"] + 1),
        lambda r: r.update(email=hashlib.sha256(r["email"].encode()).hexdigest()),
        lambda r: r.update(note="x"),
        lambda r: r.update(website=r["website"].replace("http:", "https:")),
    ],
)
def test_what_changed_everywhere_for_a_reason_counts(change: Callable[[dict[str, Any]], object]) -> None:
    made = made_of(states({}, change, 1.1))
    assert not made.left_out
    assert made.changed == 200


def test_values_of_other_records_are_no_tokens() -> None:
    triples = states({"key": lambda _, at: tag(0, at)})
    keys = [one.before["key"] for one in triples]
    for one, key in zip(triples, [*keys[1:], keys[0]], strict=True):
        one.now["key"] = key
    made = made_of(triples)
    assert not made.left_out
    assert made.claimed == made.changed == 200


def test_where_everything_changed_nothing_is_left_out() -> None:
    triples = states({"etag": tag}, lambda r: r.update(name=f"other {r['size']}"), 1.1)
    assert not made_of(triples).left_out
