"""The walk over pages: every record once, byte for byte; loops stop at the first repeat; a page can be asked again."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.api.answer import Answer
from explorer.api.errors import (
    BadEnvelope,
    ConnectionLost,
    CursorRepeated,
    EndNotShown,
    NotJson,
    PageRepeated,
    TooManyEmpty,
)
from explorer.api.pages import Page, PageWalk, may_be_cut
from explorer.catalog.request import Request
from tests.builtin import registry
from tests.mirror.api.made import caught, client, run
from tests.recording import Got, Recording, Reply

JOBS = registry.listing("ats/job")
BOXES = next(r.listing for r in registry.listings() if r.listing and r.listing.envelope.name == "B")


def answer(body: bytes) -> Answer:
    return Answer(200, (("content-type", "application/json"),), body, 1.0, 9)


def body(rows: list[bytes], cursor: Any = None, flag: Any = ..., listing: Any = JOBS) -> bytes:
    envelope = listing.envelope
    more: dict[str, Any] = {} if cursor is ... else {envelope.cursor: cursor}
    if envelope.flag and flag is not None:
        more[envelope.flag] = cursor not in (None, "", ...) if flag is ... else flag
    rest = b"".join(f", {json.dumps(k)}: {json.dumps(v)}".encode() for k, v in more.items())
    return b'{"items": [' + b", ".join(rows) + b"]" + rest + b"}"


class Service:
    """Pages by cursor; the key None is the first. Keeps what it was asked."""

    def __init__(self, by_cursor: Mapping[str | None, bytes]) -> None:
        self.by_cursor = by_cursor
        self.asked: list[Request] = []

    async def send(self, request: Request) -> Answer:
        self.asked.append(request)
        return answer(self.by_cursor[dict(request.query).get("cursor")])


async def all_pages(walk: PageWalk, most: int = 200) -> list[Page]:
    found = []
    while walk.state == "ready":
        found.append(await walk.advance())
        assert len(found) < most, "the walk does not end"
    return found


def chain(pages: list[list[bytes]], cursors: list[str], end: Any = None, listing: Any = JOBS) -> Service:
    """A service whose pages follow one another by ``cursors`` (one fewer than pages)."""
    leads: list[Any] = [*cursors, end]
    asks: list[str | None] = [None, *cursors]
    return Service({a: body(rows, n, listing=listing) for a, rows, n in zip(asks, pages, leads, strict=True)})


def distinct(sizes: list[int]) -> list[list[bytes]]:
    number = iter(range(10_000))
    return [[f'{{"id" : "{next(number)}", "x": 1.50}}'.encode() for _ in range(size)] for size in sizes]


def of(walk: PageWalk) -> tuple[str, object]:
    return walk.state, walk.why


sizes = st.lists(st.integers(0, 3), min_size=1, max_size=8)
odd_text = st.text(min_size=1, max_size=12) | st.sampled_from(
    ["a b", "+%2F", "null", "0", " ", "é" * 3000, "\x00"]
)


@st.composite
def lists(draw: Any) -> tuple[list[list[bytes]], list[str]]:
    pages = distinct(draw(sizes))
    cursors = draw(st.lists(odd_text, min_size=len(pages) - 1, max_size=len(pages) - 1, unique=True))
    return pages, cursors


@given(lists(), st.sampled_from([None, "", ...]), st.booleans())
def test_every_record_once_byte_for_byte(
    made: tuple[list[list[bytes]], list[str]], end: Any, type_a: bool
) -> None:
    pages, cursors = made
    listing = JOBS if type_a else BOXES
    service = chain(pages, cursors, end, listing)
    walk = PageWalk(service.send, listing, {})
    found = run(all_pages(walk))
    assert [row for page in found for row in page.records] == [row for rows in pages for row in rows]
    assert walk.state == "complete"
    assert [page.number for page in found] == list(range(1, len(pages) + 1))
    assert [page.cursor for page in found] == [None, *cursors]
    assert all(page.notes == () for page in found) or end is ...


@given(lists(), st.integers(0, 7))
def test_resumed_anywhere_the_rest_is_the_same(made: tuple[list[list[bytes]], list[str]], cut: int) -> None:
    pages, cursors = made
    cut = min(cut, len(pages) - 1)
    service = chain(pages, cursors)
    whole = run(all_pages(PageWalk(service.send, JOBS, {})))
    kept = whole[:cut]
    walk = PageWalk(
        service.send,
        JOBS,
        {},
        number=len(kept),
        cursor=kept[-1].next_cursor if kept else None,
        seen=[p.cursor for p in kept if p.cursor],
        digests=[p.digest for p in kept],
    )
    rest = run(all_pages(walk))
    assert [p.records for p in rest] == [p.records for p in whole[cut:]]
    assert [p.number for p in rest] == [p.number for p in whole[cut:]]


@given(st.integers(1, 6), st.integers(0, 4), st.integers(0, 9))
def test_loops_of_any_period_stop_at_the_first_repeat(period: int, lead: int, resumed: int) -> None:
    total = period + lead
    cursors = [f"c{i}" for i in range(total)]
    rows = distinct([2] * (total + 1))
    leads = [*cursors, cursors[lead]]
    service = Service({a: body(r, n) for a, r, n in zip([None, *cursors], rows, leads, strict=True)})
    walk = PageWalk(service.send, JOBS, {})
    found = run(all_pages(walk))
    assert isinstance(walk.why, CursorRepeated)
    assert len(found) == total + 1
    assert [r for p in found for r in p.records] == [r for page in rows for r in page]
    cut = min(resumed, len(found) - 1)
    kept = found[:cut]
    again = PageWalk(
        service.send,
        JOBS,
        {},
        number=cut,
        cursor=kept[-1].next_cursor if kept else None,
        seen=[p.cursor for p in kept if p.cursor],
        digests=[p.digest for p in kept],
    )
    assert len(run(all_pages(again))) == len(found) - cut
    assert isinstance(again.why, CursorRepeated)


def test_a_list_that_ignores_its_cursor_stops() -> None:
    class Same(Service):
        async def send(self, request: Request) -> Answer:
            self.asked.append(request)
            return answer(body([b'{"id":1}'], "more"))

    service = Same({})
    walk = PageWalk(service.send, JOBS, {})
    found = run(all_pages(walk))
    assert isinstance(walk.why, CursorRepeated)
    assert "Page 2" in walk.why.sentence
    assert len(found) == 2


def test_the_same_page_under_ever_new_cursors_stops_and_can_be_passed() -> None:
    class Fresh(Service):
        async def send(self, request: Request) -> Answer:
            self.asked.append(request)
            last = len(self.asked) == 4
            return answer(body([b'{"id":1}'], None if last else f"c{len(self.asked)}"))

    service = Fresh({})
    walk = PageWalk(service.send, JOBS, {})
    assert len(run(all_pages(walk))) == 2
    assert isinstance(walk.why, PageRepeated)
    assert "page 1" in walk.why.sentence
    assert walk.go_past()
    assert of(walk) == ("ready", None)
    assert len(run(all_pages(walk))) == 1
    assert walk.go_past()
    run(all_pages(walk))
    assert walk.state == "complete"
    assert not walk.go_past()


def test_a_resumed_walk_knows_the_pages_before() -> None:
    service = Service({None: body([b"1"], "a"), "a": body([b"1"], "b")})
    first = run(all_pages(PageWalk(Service({None: body([b"1"], None)}).send, JOBS, {})))
    walk = PageWalk(service.send, JOBS, {}, number=1, cursor="a", digests=[first[0].digest])
    run(all_pages(walk))
    assert isinstance(walk.why, PageRepeated)


def test_empty_pages_are_passed_up_to_a_bound() -> None:
    class Empty(Service):
        async def send(self, request: Request) -> Answer:
            self.asked.append(request)
            return answer(body([], f"c{len(self.asked)}"))

    service = Empty({})
    walk = PageWalk(service.send, JOBS, {}, empty_bound=5)
    assert len(run(all_pages(walk))) == 5
    assert isinstance(walk.why, TooManyEmpty)
    assert walk.go_past()
    assert len(run(all_pages(walk))) == 5


@pytest.mark.parametrize(
    ("cursor", "flag", "reason"),
    [
        (None, True, "there is no cursor"),
        ("", True, "there is no cursor"),
        (..., True, "there is no cursor"),
        (None, "true", "has_next_page is not a boolean"),
        (None, 1, "has_next_page is not a boolean"),
        (True, True, "next_cursor is neither text nor null"),
        ({"a": 1}, True, "next_cursor is neither text nor null"),
        ([], True, "next_cursor is neither text nor null"),
        ({"a": 1}, None, "next_cursor is neither text nor null"),
        ("\ud800", True, "next_cursor holds half a character"),
    ],
)
def test_an_end_that_the_page_does_not_show_is_no_complete_list(cursor: Any, flag: Any, reason: str) -> None:
    walk = PageWalk(Service({None: body([b"1"], cursor, flag)}).send, JOBS, {})
    (page,) = run(all_pages(walk))
    assert walk.state == "stopped"
    assert isinstance(walk.why, EndNotShown)
    assert reason in walk.why.sentence
    assert reason in page.open_end
    assert page.records == (b"1",)
    assert walk.why.exit_code == 7
    assert not walk.go_past()


@pytest.mark.parametrize("cursor", [True, {"a": 1}, []])
def test_a_list_without_a_flag_does_not_end_with_a_cursor_that_is_none(cursor: Any) -> None:
    walk = PageWalk(Service({None: body([b"1"], cursor, listing=BOXES)}).send, BOXES, {})
    run(all_pages(walk))
    assert isinstance(walk.why, EndNotShown)


def test_a_cursor_that_is_a_text_nobody_can_read_ends_no_complete_list() -> None:
    bad = b'{"items": [1], "has_next_page": true, "next_cursor": "\\x"}'
    walk = PageWalk(Service({None: bad}).send, JOBS, {})
    try:
        run(all_pages(walk))
    except NotJson:
        return
    assert isinstance(walk.why, EndNotShown)


@pytest.mark.parametrize("cursor", [None, "", ..., True, {"a": 1}, "a", "\ud800"])
def test_a_flag_that_says_no_more_shows_the_end(cursor: Any) -> None:
    walk = PageWalk(Service({None: body([b"1"], cursor, False)}).send, JOBS, {})
    (page,) = run(all_pages(walk))
    assert (walk.state, walk.why, page.open_end) == ("complete", None, "")


@pytest.mark.parametrize(("pages", "rows"), [(1, 10), (1, 50), (1, 1000)])
def test_one_page_of_a_usual_size_may_be_cut(pages: int, rows: int) -> None:
    assert may_be_cut(pages, rows)


@pytest.mark.parametrize(("pages", "rows"), [(1, 0), (1, 9), (1, 101), (2, 100), (0, 0), (1, 2000)])
def test_any_other_end_is_no_sign_of_a_cut(pages: int, rows: int) -> None:
    assert not may_be_cut(pages, rows)


def test_flag_false_with_a_cursor_ends_says_so_and_can_be_passed_for_good() -> None:
    service = Service(
        {None: body([b"1"], "a", False), "a": body([b"2"], "b", False), "b": body([b"3"], None, False)}
    )
    walk = PageWalk(service.send, JOBS, {})
    (page,) = run(all_pages(walk))
    assert walk.state == "complete"
    assert "flag is used" in page.notes[0]
    assert walk.cursor == "a"
    assert walk.go_past()
    assert [p.records for p in run(all_pages(walk))] == [(b"2",), (b"3",)]


@pytest.mark.parametrize(
    ("cursor", "flag", "leads", "note"),
    [
        (5, True, "5", "number"),
        (True, True, None, "neither"),
        ({"a": 1}, True, None, "neither"),
        ([], False, None, "neither"),
        ("x", "true", "x", "no boolean"),
        ("x", None, "x", "missing"),
        ("x", 1, "x", "no boolean"),
        ("\ud800", True, None, "half a character"),
    ],
)
def test_odd_wrappings_are_said(cursor: Any, flag: Any, leads: str | None, note: str) -> None:
    walk = PageWalk(Service({None: body([b"{}"], cursor, flag)}).send, JOBS, {})
    page = run(walk.advance())
    assert page.next_cursor == leads
    assert note in " ".join(page.notes)


def test_rows_that_are_no_objects_are_rows() -> None:
    walk = PageWalk(Service({None: b'[1, null, {"id": NaN}]'}).send, JOBS, {})
    (page,) = run(all_pages(walk))
    assert page.records == (b"1", b"null", b'{"id": NaN}')
    assert any("2 of 3 rows are not objects" in note for note in page.notes)
    assert any("bare array" in note for note in page.notes)


@pytest.mark.parametrize(
    ("bad", "kind"),
    [(b"<html>", NotJson), (b"", NotJson), (b'{"items":', NotJson), (b'{"data":[]}', BadEnvelope)],
)
def test_a_page_that_cannot_be_read_can_be_asked_again(bad: bytes, kind: type[NotJson | BadEnvelope]) -> None:
    service = Service({None: bad})
    walk = PageWalk(service.send, JOBS, {})
    error = run(caught(walk.advance(), kind))
    assert "Page 1" in error.sentence
    assert error.exchange == 9
    service.by_cursor = {None: body([b"1"])}
    assert run(walk.advance()).number == 1
    assert walk.state == "complete"


def test_a_call_that_fails_leaves_the_walk_ready_at_the_same_page() -> None:
    class Once(Service):
        async def send(self, request: Request) -> Answer:
            if len(self.asked) == 1:
                self.asked.append(request)
                raise ConnectionLost("lost")
            return await super().send(request)

    service = Once({None: body([b"1"], "a"), "a": body([b"2"])})

    async def main() -> None:
        walk = PageWalk(service.send, JOBS, {})
        await walk.advance()
        await caught(walk.advance(), ConnectionLost)
        assert (walk.state, walk.number, walk.cursor) == ("ready", 1, "a")
        assert (await walk.advance()).records == (b"2",)

    run(main())


def test_a_cancelled_page_can_be_asked_again_and_two_at_once_are_refused() -> None:
    async def main() -> None:
        started = asyncio.Event()

        async def never(_: Request) -> Answer:
            started.set()
            await asyncio.Event().wait()
            raise AssertionError

        walk = PageWalk(never, JOBS, {})
        task = asyncio.get_running_loop().create_task(walk.advance())
        await started.wait()
        assert walk.state == "loading"
        await caught(walk.advance(), RuntimeError)
        task.cancel()
        await asyncio.wait({task})
        assert of(walk) == ("ready", None)

    run(main())


def test_only_what_was_set_is_sent_and_extras_come_last() -> None:
    service = Service({None: body([b"1"], "a"), "a": body([b"2"])})
    walk = PageWalk(service.send, JOBS, {"page_size": 2}, [("x", "1"), ("x", "2")])
    run(all_pages(walk))
    assert [r.query for r in service.asked] == [
        (("page_size", "2"), ("x", "1"), ("x", "2")),
        (("page_size", "2"), ("cursor", "a"), ("x", "1"), ("x", "2")),
    ]
    assert [r.page for r in service.asked] == [1, 2]


@pytest.mark.parametrize(("query", "extra"), [({"cursor": "a"}, ()), ({}, (("cursor", "a"),))])
def test_a_cursor_of_the_users_own_is_where_it_starts(
    query: dict[str, str], extra: tuple[tuple[str, str], ...]
) -> None:
    service = Service({"a": body([b"1"], "b"), "b": body([b"2"])})
    assert len(run(all_pages(PageWalk(service.send, JOBS, query, extra)))) == 2


def test_the_walk_over_real_http_with_odd_cursors() -> None:
    from urllib.parse import parse_qs, urlsplit

    cursors = ["a b&c=d", "é/?#%00+", "eyJhIjoxfQ==", "x" * 5000, " "]
    rows = distinct([2, 0, 3, 1, 1, 1])
    service = chain(rows, cursors)

    def serve(got: Got) -> Reply:
        query = parse_qs(urlsplit(got.target).query, keep_blank_values=True)
        return Reply(body=service.by_cursor[query["cursor"][0] if "cursor" in query else None])

    with Recording(answering=serve) as server:

        async def main() -> None:
            async with client(server.url) as c:
                found = await all_pages(PageWalk(c.send, JOBS, {"page_size": 3}))
                assert [r for p in found for r in p.records] == [r for page in rows for r in page]
                assert [e.summary for e in c.exchanges.all()][:3] == ["2 items", "0 items", "3 items"]
                assert [e.page for e in c.exchanges.all()] == [1, 2, 3, 4, 5, 6]

        run(main())


def test_a_page_in_the_other_envelope_loses_no_row() -> None:
    assert BOXES is not None
    service = Service({None: body([b"1"], "a"), "a": body([b"2"], None)})
    found = run(all_pages(PageWalk(service.send, BOXES, {})))
    assert [row for page in found for row in page.records] == [b"1", b"2"]
    assert all("another envelope" in page.notes[0] for page in found)


def test_only_empties_in_a_row_count() -> None:
    rows = distinct([1, 0, 0, 1, 0, 0, 1, 1, 1, 0, 0, 1])
    service = chain(rows, [f"c{i}" for i in range(11)])
    walk = PageWalk(service.send, JOBS, {}, empty_bound=3)
    assert len(run(all_pages(walk))) == 12
    assert walk.state == "complete"
