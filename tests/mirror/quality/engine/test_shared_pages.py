"""Pages that are asked for besides the plain walk: each once, within what a list may cost."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from explorer.api.answer import Answer
from explorer.api.errors import NotFound, Unreachable
from explorer.catalog.request import Request
from explorer.quality.engine.shared_pages import NoMoreCalls, Reasked, SideWalk
from explorer.quality.engine.walk import Budget, Spent
from explorer.quality.engine.walk_ids import SeenIds
from tests.builtin import registry
from tests.mirror.quality.checks.rows import row

JOBS = registry.listing("ats/job")


class Pages:
    """A list by cursor: ids, next cursor, flag; or an error."""

    def __init__(self, pages: dict[str, Any]) -> None:
        self.pages, self.calls = pages, list[dict[str, str]]()

    async def send(self, request: Request) -> Answer:
        query = dict(request.query)
        self.calls.append(query)
        found = self.pages[query.get("cursor", "")]
        if isinstance(found, Exception):
            raise found
        ids, after, more = found
        body = {"items": [{"id": one} for one in ids], "next_cursor": after, "has_next_page": more}
        return Answer(200, (), json.dumps(body).encode(), 1.0, len(self.calls))


def walked(pages: dict[str, Any], most: int = 9, **fields: Any) -> tuple[SideWalk, Pages, Reasked]:
    service = Pages(pages)
    reasked = Reasked(service.send, JOBS, SeenIds())
    for name, value in fields.items():
        setattr(reasked, name, value)
    return asyncio.run(reasked.walk({"page_size": 2}, most=most)), service, reasked


TWO = {"": (["a", "b"], "x", True), "x": (["c"], None, False)}


def test_a_page_is_asked_for_once_for_each_turn() -> None:
    service = Pages(TWO)
    reasked = Reasked(service.send, JOBS, SeenIds())

    async def some() -> None:
        for turn in ("", "", "later", "later"):
            assert (await reasked.walk({}, most=5, turn=turn)).keys == ["a", "b", "c"]

    asyncio.run(some())
    assert (len(service.calls), reasked.calls) == (4, 4)


def test_a_walk_ends_stops_or_fails() -> None:
    made, _, _ = walked(TWO)
    assert (made.ended, made.keys, made.stopped) == (True, ["a", "b", "c"], "")
    made, _, _ = walked(TWO, most=1)
    assert (made.ended, made.stopped) == (False, "1 pages are enough")
    made, _, _ = walked({"": (["a"], "x", True), "x": (["b"], "x", True)})
    assert (made.ended, made.stopped) == (False, "it goes round")
    made, _, _ = walked({"": (["a"], "x", True), "x": NotFound("Gone.", status=404)})
    assert made.error is not None
    assert not made.ended


@pytest.mark.parametrize("behind", [([], None, False), (["a"], "y", False), NotFound("Gone.", status=404)])
def test_a_cursor_behind_a_last_page_that_leads_nowhere_is_no_page(behind: Any) -> None:
    made, _, _ = walked({"": (["a"], "x", False), "x": behind})
    assert (made.ended, made.keys, made.error) == (True, ["a"], None)


def test_a_cursor_behind_a_last_page_that_leads_on_is_followed() -> None:
    made, _, _ = walked({"": (["a"], "x", False), "x": (["b"], None, False)})
    assert (made.ended, made.keys) == (True, ["a", "b"])


def test_the_last_page_of_those_that_are_enough_ends_a_walk_only_where_nothing_follows() -> None:
    pages: dict[str, Any] = {"": (["a"], "x", False), "x": (["b"], None, False)}
    made, service, _ = walked(pages, most=1)
    assert (made.ended, made.keys, made.stopped) == (False, ["a"], "1 pages are enough")
    made, service, _ = walked({**pages, "x": ([], None, False)}, most=1)
    assert (made.ended, made.keys, len(service.calls)) == (True, ["a"], 2)


def test_a_list_costs_what_it_may() -> None:
    made, service, reasked = walked(TWO, allowed=1)
    assert (len(service.calls), made.stopped, reasked.left) == (1, "the list has used its calls", 0)

    async def one_more() -> None:
        with pytest.raises(NoMoreCalls):
            await reasked.page({}, "x")

    asyncio.run(one_more())


def test_the_budget_of_the_run_holds() -> None:
    with pytest.raises(Spent, match="2 records"):
        walked(TWO, budget=Budget(records=2))


def test_a_page_that_never_came_is_asked_for_again() -> None:
    service = Pages({"": Unreachable("Nothing answers.")})
    reasked = Reasked(service.send, JOBS, SeenIds())
    for _ in range(2):
        assert asyncio.run(reasked.page({})).error is not None
    assert (len(service.calls), reasked.calls) == (2, 0)


def test_what_differs_from_the_plain_walk_is_looked_at_closer() -> None:
    ids = SeenIds()
    ids.add(row(json.dumps({"id": "a"}).encode()))
    ids.add(row(json.dumps({"id": "b", "name": "B"}).encode()))
    reasked = Reasked(Pages(TWO).send, JOBS, ids)
    same, other = asyncio.run(reasked.page({})).rows
    assert same.still is None
    assert other.still is not None
