"""Pages asked for again, and a second walk that may lose nothing."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from explorer.api.answer import Answer
from explorer.api.errors import NotFound
from explorer.catalog.request import Request
from explorer.quality.checks import second_read
from explorer.quality.checks.paging import Paging, ReadPage
from explorer.quality.engine.check import Result, Verdict
from explorer.quality.engine.finding_collector import skipped
from explorer.quality.engine.row import NUMBER
from explorer.quality.engine.shared_pages import Reasked, briefly
from explorer.quality.engine.walk import Budget, Spent
from explorer.quality.engine.walk_ids import SeenIds
from tests.mirror.quality.checks.rows import by_id, row, seen_page, walked

JOBS = "ats/job"


class Service:
    """A list of three pages; each walk may have cursors and rows of its own."""

    def __init__(self, *walks: list[list[str]], tokens: bool = False) -> None:
        self._walks, self._tokens, self._begun = walks, tokens, 0
        self.calls = 0
        self.refuses = 0

    def _body(self, walk: int, page: int) -> bytes:
        pages = self._walks[min(walk, len(self._walks)) - 1]
        after = f"{walk if self._tokens else 1}.{page + 1}" if page < len(pages) else None
        items = [{"id": ident, "name": ident} for ident in pages[page - 1]]
        return json.dumps({"items": items, "next_cursor": after, "has_next_page": after is not None}).encode()

    async def send(self, request: Request) -> Answer:
        self.calls += 1
        cursor = dict(request.query).get("cursor", "")
        if cursor:
            walk, page = map(int, cursor.split("."))
            walk = walk if self._tokens else self._begun
        else:
            self._begun += 1
            walk, page = self._begun, 1
        if page == self.refuses and self._begun > 1:
            raise NotFound("The cursor is gone.", status=404, exchange=self.calls)
        return Answer(200, (("content-type", "application/json"),), self._body(walk, page), 1.0, self.calls)


def compared(
    service: Service,
    *,
    pages: int = 3,
    budget: Budget | None = None,
    by_name: bool = False,
    allowed: int | None = 60,
) -> dict[str, Result]:
    """The first walk read page by page, then what is said of a second one."""

    async def both() -> list[Result]:
        watcher, ids, number = Paging(seen := SeenIds()), seen, 0
        from explorer.catalog.request import build
        from tests.builtin import registry

        cursor: str | None = None
        for page in range(1, 4):
            query = {"cursor": cursor} if cursor else {}
            answer = await service.send(build(registry.listing(JOBS), query=query))
            one = seen_page(JOBS, answer.body, page)
            body: dict[str, Any] = json.loads(answer.body)
            after = body["next_cursor"]
            rows = len(body["items"])
            watcher.read.append(ReadPage(page, cursor, one.page.digest, page, after, rows=rows))  # type: ignore[union-attr]
            for record in body["items"]:
                number += 1
                watcher.row(row(record, number, page))
            cursor = after
        done = walked(JOBS, pages=pages, rows=number)
        reasked = Reasked(service.send, registry.listing(JOBS), ids)
        reasked.budget, reasked.allowed = budget or Budget(), allowed
        second = second_read.Second(reasked, ids, watcher.read)
        try:
            await second.look(done, by_name=by_name)
        except Spent as spent:
            return [skipped(second_read.LOST, JOBS, str(spent))]
        return [*second.results(JOBS), await second.lost(JOBS), second.what_changed(JOBS)]

    return by_id(asyncio.run(both()))


PAGES = [["a", "b"], ["c", "d"], ["e"]]


def test_a_second_walk_by_the_same_cursors_reads_every_page_again_once() -> None:
    service = Service(PAGES)
    results = compared(service)
    assert service.calls == 6 + 2, "and the third page behind the first one"
    assert [(r.verdict, r.measured) for r in results.values()] == [
        (Verdict.HOLDS, 1),
        (Verdict.HOLDS, 2),
        (Verdict.HOLDS, 5),
        (Verdict.HOLDS, 5),
    ]


def test_a_page_that_differs_is_said_once_and_not_as_a_loss() -> None:
    for other, bad in (
        ([["b", "a"], ["c", "d"], ["e"]], "paging.first-again"),
        ([["a", "b"], ["c"], ["e"]], "paging.again"),
    ):
        results = compared(Service(PAGES, other))
        assert [r.check.id for r in results.values() if r.is_bad] == [bad]
        assert results["sync.nothing-lost"].verdict is Verdict.SKIPPED


def test_what_a_second_walk_loses_is_named_with_its_place() -> None:
    results = compared(Service(PAGES, [["a", "b"], ["c"], []], tokens=True))
    assert [r.check.id for r in results.values() if r.is_bad] == ["sync.nothing-lost"]
    [finding] = results["sync.nothing-lost"].findings
    assert finding.count == 2
    assert [(e.id, e.page, e.row, e.exchange) for e in finding.examples] == [("d", 2, 4, 2), ("e", 3, 5, 3)]


def test_an_old_cursor_that_is_refused_is_observed() -> None:
    service = Service(PAGES)
    service.refuses = 2
    results = compared(service)
    assert not [r.check.id for r in results.values() if r.is_bad]
    assert results["paging.again"].verdict is Verdict.OBSERVED
    assert "no longer taken: The cursor is gone." in results["paging.again"].seen


def test_a_long_list_is_walked_twice_only_when_asked() -> None:
    service = Service(PAGES)
    results = compared(service, allowed=5)
    assert service.calls == 6  # its three pages were asked for by their old cursors
    assert "with --only sync.nothing-lost, or with --prove" in results["sync.nothing-lost"].seen
    by_name = compared(Service(PAGES), allowed=5, by_name=True)
    assert by_name["sync.nothing-lost"].verdict is Verdict.HOLDS
    assert compared(Service(PAGES), allowed=None)["sync.nothing-lost"].verdict is Verdict.HOLDS


def test_a_row_that_was_put_in_or_taken_out_is_a_change() -> None:
    put_in = compared(Service(PAGES, [["x", "a"], ["b", "c"], ["d", "e"]]))
    taken_out = compared(Service(PAGES, [["a", "b"], ["d", "e"], []]))
    for results, said in ((put_in, "1 record came"), (taken_out, "1 record went")):
        assert not [r.check.id for r in results.values() if r.is_bad]
        assert said in results["completeness.changed"].seen


def test_a_budget_ends_the_second_walk() -> None:
    results = compared(Service(PAGES, tokens=True), budget=Budget(records=3))
    assert "the budget of 3 records is used up" in results["sync.nothing-lost"].seen


class WorksOnce(Service):
    """Each further use of a cursor gives the page behind it, or the first page."""

    def __init__(self, *walks: list[list[str]], to_first: bool = False) -> None:
        super().__init__(*walks)
        self._used, self._to_first = dict[str, int](), to_first

    async def send(self, request: Request) -> Answer:
        cursor = dict(request.query).get("cursor", "")
        used = self._used[cursor] = self._used.get(cursor, -1) + 1
        answer = await super().send(request)
        if not cursor or not used:
            return answer
        page = 1 if self._to_first else min(int(cursor.partition(".")[2]) + used, len(self._walks[0]))
        return Answer(200, answer.headers, self._body(1, page), 1.0, answer.exchange)


@pytest.mark.parametrize("to_first", [False, True])
def test_a_cursor_that_works_once_is_no_change_of_the_list(to_first: bool) -> None:
    pages = [[f"{page}{at}" for at in range(4)] for page in range(6)]
    results = compared(WorksOnce(pages, to_first=to_first))
    assert results["paging.again"].findings[0].rule == "works once"
    assert [r.check.id for r in results.values() if r.is_bad] == ["paging.again"]


def test_a_page_of_records_that_were_all_deleted_is_a_change() -> None:
    pages = [[f"{page}{at}" for at in range(4)] for page in range(4)]
    results = compared(Service(pages, [pages[0], pages[2], pages[3]]))
    assert not [r.check.id for r in results.values() if r.is_bad]


def test_few_pages_are_from_everywhere() -> None:
    read = [ReadPage(number, None, b"", 0) for number in range(1, 2000)]
    assert [page.number for page in second_read.few(read)] == [1, 2, 3, 4, 8, 16, 32, 64, 128, 256, 512, 1024]


def test_a_record_is_read_briefly_as_it_is_read_whole() -> None:
    assert briefly(b'{"id":"a","updated_at":"1970-01-01T00:01:00Z"}') == ("a", 60.0)
    assert briefly(b'{"id":7,"x":NaN}') == (f"{NUMBER}7", 0.0)
    assert briefly(b"null") == ("", 0.0)
