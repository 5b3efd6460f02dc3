"""A walk tells its watchers every page and every record once, within its budget."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any

from explorer.api.answer import Answer
from explorer.api.errors import EndNotShown, NotSupported
from explorer.catalog.request import Request
from explorer.quality.engine.check import Check, Result
from explorer.quality.engine.record_check import SeenPage, Walked
from explorer.quality.engine.row import TOGETHER, Row
from explorer.quality.engine.walk import Budget, Walker
from tests.builtin import registry

JOBS = registry.resource("ats/job")


class Notes:
    """Writes down what it is told."""

    checks: tuple[Check, ...] = ()

    def __init__(self) -> None:
        self.pages: list[SeenPage] = []
        self.rows: list[Row] = []

    def page(self, seen: SeenPage) -> None:
        self.pages.append(seen)

    def row(self, row: Row) -> None:
        self.rows.append(row)

    def end(self, walked: Walked) -> list[Result]:
        return []


class Pages:
    """A list in memory: cursor → envelope; what is no mapping is the body itself."""

    def __init__(self, pages: Mapping[str, Any]) -> None:
        self.pages, self.calls = pages, 0

    async def send(self, request: Request) -> Answer:
        self.calls += 1
        found = self.pages[dict(request.query).get("cursor", "")]
        if isinstance(found, Exception):
            raise found
        body = found if isinstance(found, bytes) else json.dumps(found).encode()
        return Answer(200, (("content-type", "application/json"),), body, 1.0, self.calls)


def page(ids: list[str], cursor: Any, flag: bool | None = None) -> dict[str, Any]:
    more = cursor is not None if flag is None else flag
    return {"items": [{"id": ident} for ident in ids], "next_cursor": cursor, "has_next_page": more}


def walked(found: Mapping[str, Any], **budget: Any) -> tuple[Walked, Notes, Walker, Pages]:
    notes, service = Notes(), Pages(found)
    walker = Walker(service.send, JOBS, [notes], Budget(**budget))
    return asyncio.run(walker.run()), notes, walker, service


def test_rows_are_counted_over_the_pages() -> None:
    end, notes, walker, _ = walked({"": page(["a", "b"], "x"), "x": page([], "y"), "y": page(["c"], None)})
    assert (end.complete, end.pages, end.rows, end.cut_short) == (True, 3, 3, "")
    assert [(row.number, row.page, row.id) for row in notes.rows] == [(1, 1, "a"), (2, 1, "b"), (3, 3, "c")]
    assert [one.page for one in walker.latencies] == [1, 2, 3]


def test_what_a_false_flag_hides_is_read() -> None:
    end, notes, _, _ = walked({"": page(["a"], "x", flag=False), "x": page(["b"], None)})
    assert (end.complete, [row.id for row in notes.rows]) == (True, ["a", "b"])


def test_an_end_that_is_not_shown_is_no_whole_list() -> None:
    for last in (page(["a"], None, flag=True), page(["a"], {"b": 1}), page(["a"], "\ud800")):
        end, notes, _, _ = walked({"": last})
        assert (end.complete, end.whole, len(notes.rows)) == (True, False, 1)
        assert isinstance(end.why, EndNotShown)


def test_a_cursor_that_leads_nowhere_after_the_end_is_no_page() -> None:
    for beyond in (page([], "x", flag=False), page(["a"], "x", flag=False), NotSupported("no", status=400)):
        end, notes, _, _ = walked({"": page(["a"], "x", flag=False), "x": beyond})
        assert (end.complete, end.pages, end.why) == (True, 1, None)
        assert len(notes.rows) == 1


def test_a_page_that_comes_again_is_not_read_again() -> None:
    end, notes, _, _ = walked({"": page(["a"], "x"), "x": page(["a"], "y"), "y": page(["b"], None)})
    assert end.why is not None
    assert [seen.repeats for seen in notes.pages] == [False, True]
    assert len(notes.rows) == 1


def test_a_page_that_cannot_be_read_ends_it() -> None:
    end, notes, _, _ = walked({"": page(["a"], "x"), "x": b'{"items":[{"id":'})
    assert not end.complete
    assert end.cut_short.startswith("the pull ended early: Page 2")
    assert notes.pages[-1].answer is not None
    assert (notes.pages[-1].page, notes.pages[-1].number) == (None, 2)


def test_a_connection_without_the_list() -> None:
    error = NotSupported("This connector has no jobs.", status=501)
    _, notes, walker, _ = walked({"": error})
    assert walker.lacks == "This connector has no jobs."
    assert notes.pages == []


def test_the_budget_ends_it() -> None:
    endless = {"": page(["0"], "1"), **{str(n): page([str(n)], str(n + 1)) for n in range(1, 50)}}
    for budget in ({"calls": 3}, {"pages": 3}, {"records": 3}):
        end, notes, _, service = walked(endless, **budget)
        assert (end.complete, len(notes.rows), service.calls) == (False, 3, 3)
        assert "budget" in end.cut_short
    assert walked(endless, seconds=0.0)[3].calls == 0


class Late(Notes):
    """Lets the seconds be over once it has seen so many rows."""

    def __init__(self, after: int, budget: Budget) -> None:
        super().__init__()
        self._after, self._budget = after, budget

    def row(self, row: Row) -> None:
        super().row(row)
        if len(self.rows) == self._after:
            self._budget.seconds = 0.0


def test_the_seconds_hold_in_the_middle_of_a_page_and_of_what_is_looked_at_together() -> None:
    many = 2 * TOGETHER + 50
    service = Pages({"": page([str(n) for n in range(many)], "x"), "x": page(["last"], None)})
    budget = Budget(seconds=3600.0)
    first, second = Late(7, budget), Notes()
    walker = Walker(service.send, JOBS, [first, second], budget)
    end = asyncio.run(walker.run())
    seen = (len(first.rows), len(second.rows))
    assert seen == (TOGETHER, 0), "the records under way wait for the second watcher"
    assert "seconds is used up" in end.cut_short
    assert budget.used_records == TOGETHER
    walker.use(Budget())
    end = asyncio.run(walker.run())
    assert end.complete
    for notes in (first, second):
        assert [row.number for row in notes.rows] == list(range(1, many + 2)), "each row once, in order"
        assert [seen.number for seen in notes.pages] == [1, 2]
