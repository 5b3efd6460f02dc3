"""The request log: order, numbers, listeners, and the budget that takes the oldest bodies first."""

from __future__ import annotations

import dataclasses
from datetime import UTC, datetime
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from explorer.api.exchanges import Exchange, Exchanges

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def made(**values: Any) -> Exchange:
    base: dict[str, Any] = {"started_at": NOW, "method": "GET", "url": "https://h/x", "path": "/x"}
    return Exchange(**{**base, **values})


def test_numbers_count_from_one_and_replaced_entries_keep_their_place() -> None:
    log = Exchanges()
    one, two = log.add(made()), log.add(made())
    assert (one.id, two.id) == (1, 2)
    log.replace(dataclasses.replace(one, summary="done"))
    assert [(e.id, e.summary) for e in log.all()] == [(1, "done"), (2, "")]
    assert log.get(1) is log.all()[0]
    assert log.get(3) is None


def test_listeners_hear_each_change_until_they_end() -> None:
    log = Exchanges()
    heard: list[tuple[int, str]] = []
    end = log.subscribe(lambda e: heard.append((e.id, e.state)))
    one = log.add(made())
    log.replace(dataclasses.replace(one, state="answered"))
    end()
    end()
    log.add(made())
    assert heard == [(1, "waiting"), (1, "answered")]


def test_clear_forgets_and_numbers_go_on() -> None:
    log = Exchanges()
    one = log.add(made(response_body=b"x" * 100))
    log.clear()
    assert (list(log.all()), log.weight) == ([], 0)
    log.replace(one)
    assert list(log.all()) == []
    assert log.add(made()).id == 2


def test_the_oldest_bodies_go_first_and_the_entries_stay() -> None:
    log = Exchanges(budget=10_000)
    for _ in range(5):
        log.add(made(response_body=b"x" * 3000, request_body=b"y"))
    bodies = [len(e.response_body) for e in log.all()]
    assert bodies == [0, 0, 0, 0, 3000] or bodies == [0, 0, 0, 3000, 3000]
    assert log.dropped == 0
    bare = log.all()[0]
    assert bare.body_truncated
    assert bare.request_truncated
    assert bare.request_body == b""


def test_then_entries_go_and_are_counted() -> None:
    log = Exchanges(budget=10_000)
    for _ in range(50):
        log.add(made())
    assert log.weight <= 10_000
    assert log.dropped == 50 - len(log.all())
    assert log.all()[-1].id == 50
    assert len(Exchanges(most=3).all()) == 0
    few = Exchanges(most=3)
    for _ in range(5):
        few.add(made())
    assert [e.id for e in few.all()] == [3, 4, 5]


@given(st.lists(st.tuples(st.integers(0, 4000), st.booleans()), max_size=60))
def test_the_budget_holds_whatever_comes(steps: list[tuple[int, bool]]) -> None:
    log = Exchanges(budget=12_000)
    for size, again in steps:
        entry = log.add(made())
        if again:
            log.replace(dataclasses.replace(entry, response_body=b"x" * size))
            earlier = log.all()[0]
            log.replace(dataclasses.replace(earlier, response_body=b"z" * size))
        assert log.weight == sum(e.weight for e in log.all())
        assert log.weight <= 12_000
        assert [e.id for e in log.all()] == sorted(e.id for e in log.all())
        assert log.all()[-1].id == entry.id


def test_headers_that_are_sent_with_each_call_are_held_once() -> None:
    """Ten thousand calls with the same six headers each: the log's weight does not count that copy by copy."""
    log = Exchanges()

    def pairs(number: int) -> tuple[tuple[str, str], ...]:
        def one(text: str) -> str:
            return "".join(list(text))  # as from a new answer: equal, and another object

        return (
            (one("content-type"), one("application/json")),
            (one("content-length"), f"{number}"),
        )

    for number in range(100):
        added = log.add(made(request_headers=pairs(7)))
        log.replace(dataclasses.replace(added, state="answered", response_headers=pairs(number)))
    assert [e.request_headers for e in log.all()] == [pairs(7)] * 100
    assert [e.response_headers for e in log.all()] == [pairs(number) for number in range(100)]
    held = {id(pair) for e in log.all() for pair in (*e.request_headers, *e.response_headers)}
    assert len(held) == 101  # of each of the 100 lengths one, and the one that they all have
    assert len({id(e.request_headers) for e in log.all()}) == 1


def test_words_that_nearly_all_calls_have_are_held_once() -> None:
    log = Exchanges()

    def given() -> dict[str, Any]:
        texts = {
            "method": "GET",
            "operation": "ats/job",
            "connection": "conn_1",
            "reason": "OK",
            "summary": "9 items",
        }
        return {name: "".join(list(text)) for name, text in texts.items()}

    for _ in range(20):
        log.replace(dataclasses.replace(log.add(made(**given())), **given()))
    for name, text in given().items():
        assert {getattr(e, name) for e in log.all()} == {text}
        assert len({id(getattr(e, name)) for e in log.all()}) == 1


def test_a_call_without_bodies_is_its_own_bare_form() -> None:
    call = made(request_body=b"", response_body=b"")
    assert call.bare() is call
    assert made(request_body=b"1").bare() == made(request_body=b"", request_truncated=True)
    assert made(response_body=b"1").bare() == made(body_truncated=True)
