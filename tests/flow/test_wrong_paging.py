"""Services that page wrongly: nothing is cut, repeated or changed in silence, and no list is called complete for it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest

from explorer.api.errors import (
    BadEnvelope,
    CursorRepeated,
    EndNotShown,
    ExplorerError,
    LeadsElsewhere,
    NotFound,
    PageRepeated,
    TooManyEmpty,
)
from explorer.api.pages import CHANGED
from explorer.catalog import interfaces
from explorer.catalog.interface import Authorization
from explorer.catalog.spec import Envelope, Listing
from explorer.paths import Folders
from explorer.profiles.profile import Auth, Credential, Profile
from explorer.session import Pull, Session
from tests.unified_interfaces import interface, listing
from tests.unified_services import KEY, Call, Refused, Service, row

CURSOR = listing("/cursor", Envelope("rows", items="rows", cursor="next"))
URL = listing("/url", Envelope("rows", items="rows", cursor="next"), paging="url")
OFFSET = listing(
    "/offset",
    Envelope("rows", items="rows", flag="more", total="total"),
    paging="offset",
    cursor_param="offset",
    size_param="limit",
)
PAGE = listing(
    "/page",
    Envelope("rows", items="rows", total="total", pages="pages"),
    paging="page",
    cursor_param="page",
)
NONE = listing(
    "/none", Envelope("rows", items="rows", flag="more", total="total", pages="pages"), paging="none"
)
WRONG = interface("wrong", CURSOR, URL, OFFSET, PAGE, NONE, authorization=Authorization("bearer"))


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    interfaces.register(WRONG)
    yield
    interfaces.forget(WRONG.key)


class Wrong(Service):
    """Answers with what a function makes of the call."""

    def __init__(self, answering: Callable[[Wrong, Call], Any], rows: int = 30) -> None:
        super().__init__(rows)
        self._answering = answering

    def answer(self, call: Call) -> bytes:
        call.demand(authorization=f"Bearer {KEY}")
        made = self._answering(self, call)
        return made if isinstance(made, bytes) else json.dumps(made).encode()


class Pulled:
    """How a pull ended."""

    def __init__(self, pull: Pull) -> None:
        self.state, self.error = str(pull.state), pull.error
        self.rows = pull.window(0, pull.rows)
        self.pages = pull.pages
        self.notes = " ".join(note for page in pull.page_list() for note in page.notes)

    def raised(self, kind: type[ExplorerError]) -> ExplorerError:
        assert type(self.error) is kind, (self.state, self.error)
        return self.error


def pulled(
    service: Service,
    one: Listing,
    home: Path,
    query: dict[str, Any] | None = None,
    *,
    page_by_page: bool = False,
) -> Pulled:
    """A pull to its end, in a new session for each page where that is asked for."""

    async def whole() -> Pulled:
        for _ in range(40):
            profile = Profile(id="0ff", name="Wrong", base_url=service.url, interface=WRONG.key, proxy="none")
            session = await Session.open(profile, Credential(Auth.APIKEY, KEY), Folders.of_user(home))
            pull = session.pull(one, query or {})
            await (pull.more() if page_by_page else pull.load_all())
            ended, made = pull.state != "ready", Pulled(pull)
            await session.close()
            if ended:
                return made
        raise AssertionError("the list does not end")

    return run(whole())


def run(work: Coroutine[Any, Any, Pulled]) -> Pulled:
    return asyncio.run(asyncio.wait_for(work, 60))


def rows(call: Call, service: Service, at: int, **more: Any) -> bytes:
    """A page of ten rows from ``at`` on, byte for byte, with further members."""
    rest = json.dumps(more)[1:-1]
    return b'{"rows": %b%b}' % (service.cut(at)[0], f", {rest}".encode() if rest else b"")


def test_the_same_page_again_under_new_cursors(tmp_path: Path) -> None:
    with Wrong(lambda s, c: rows(c, s, 0, next=f"c{len(s.calls)}")) as service:
        found = pulled(service, CURSOR, tmp_path)
    assert "page 1" in found.raised(PageRepeated).sentence
    assert found.pages == 2


def test_cursors_in_a_circle(tmp_path: Path) -> None:
    leads = {"": ("a", 0), "a": ("b", 10), "b": ("a", 20)}

    def answer(service: Wrong, call: Call) -> bytes:
        following, at = leads[call.query.get("cursor", "")]
        return rows(call, service, at, next=following)

    with Wrong(answer) as service:
        found = pulled(service, CURSOR, tmp_path)
        assert found.raised(CursorRepeated).exit_code == 5
        assert found.rows == service.rows
        assert len(service.calls) == 3


@pytest.mark.parametrize(
    "form", ["{}/steal?page=2", "//{host}/steal", "{}@127.0.0.1/x", "https://{host}/url?a=1"]
)
def test_an_address_on_another_host_gets_nothing_and_never_the_key(form: str, tmp_path: Path) -> None:
    with Wrong(lambda s, c: b"{}") as other:
        there = form.format(other.url, host=other.url.removeprefix("http://"))
        with Wrong(lambda s, c: rows(c, s, 0, next=there)) as service:
            found = pulled(service, URL, tmp_path)
            error = found.raised(LeadsElsewhere)
            assert f"not on {service.url}" in error.sentence
            assert (found.state, error.exit_code) == ("failed", 5)
            assert found.rows == service.rows[:10]
            assert len(service.calls) == 1
        assert other.calls == []


def test_an_offset_that_is_ignored(tmp_path: Path) -> None:
    def answer(service: Wrong, call: Call) -> Any:
        return {"rows": [{"id": n, "seen": len(service.calls)} for n in range(10)], "total": 30}

    with Wrong(answer) as service:
        found = pulled(service, OFFSET, tmp_path)
    assert "the very rows of the page before" in found.raised(PageRepeated).sentence
    assert found.pages == 2


@pytest.mark.parametrize("size", [5, 25])
def test_a_size_that_is_ignored_loses_no_row(size: int, tmp_path: Path) -> None:
    with Wrong(lambda s, c: rows(c, s, c.whole("offset", 0))) as service:
        found = pulled(service, OFFSET, tmp_path, {"limit": size})
        assert (found.rows, found.state) == (service.rows, "complete")
        assert [c.query.get("offset") for c in service.calls] == [None, "10", "20", "30"]
    assert ("limit asked for 5 rows, and 10 came" in found.notes) == (size == 5)


@pytest.mark.parametrize("one", [OFFSET, PAGE, NONE])
def test_a_total_that_is_too_large_is_no_complete_list(one: Listing, tmp_path: Path) -> None:
    def answer(service: Wrong, call: Call) -> bytes:
        at = call.whole("offset", 0) + (call.whole("page", 1) - 1) * 10
        return rows(call, service, at, total=31)

    with Wrong(answer, rows=10 if one is NONE else 30) as service:
        found = pulled(service, one, tmp_path)
        error = found.raised(EndNotShown) if one is not PAGE else found.raised(TooManyEmpty)
        assert found.rows == service.rows
    assert error.exit_code == (7 if one is not PAGE else 5)
    assert one is PAGE or "total says 31 rows" in error.sentence


@pytest.mark.parametrize("one", [OFFSET, PAGE, NONE])
def test_a_total_that_is_too_small_ends_nothing_and_is_said(one: Listing, tmp_path: Path) -> None:
    def answer(service: Wrong, call: Call) -> bytes:
        at = call.whole("offset", 0) + (call.whole("page", 1) - 1) * 10
        return rows(call, service, at, total=7)

    with Wrong(answer, rows=10 if one is NONE else 30) as service:
        found = pulled(service, one, tmp_path)
        assert (found.rows, found.state) == (service.rows, "complete")
    assert found.notes.count("total says 7 rows, and 10 came.") == 1


@pytest.mark.parametrize("gone", [False, True])
def test_page_numbers_beyond_the_last(gone: bool, tmp_path: Path) -> None:
    def answer(service: Wrong, call: Call) -> bytes:
        page = call.whole("page", 1)
        if page > 3 and gone:
            raise Refused(404, {"message": "no such page", "code": "NOT_FOUND"})
        return rows(call, service, (min(page, 3) - 1) * 10)

    with Wrong(answer) as service:
        found = pulled(service, PAGE, tmp_path)
        found.raised(NotFound if gone else PageRepeated)
        assert found.rows[:30] == service.rows
        assert found.state == ("failed" if gone else "stopped")


@pytest.mark.parametrize("page_by_page", [False, True])
def test_fewer_pages_than_rows_is_no_complete_list(page_by_page: bool, tmp_path: Path) -> None:
    with Wrong(lambda s, c: rows(c, s, (c.whole("page", 1) - 1) * 10, pages=2, total=30)) as service:
        found = pulled(service, PAGE, tmp_path, page_by_page=page_by_page)
    assert "total says 30 rows, and 20 came" in found.raised(EndNotShown).sentence


def test_an_empty_page_in_the_middle(tmp_path: Path) -> None:
    def answer(service: Wrong, call: Call) -> bytes:
        at, page = call.whole("offset", 0), call.whole("page", 1)
        empty = at == 10 or page == 2
        here = len(service.rows) if empty else at + (page - 1) * 10
        return rows(call, service, here, total=30, **({"pages": 3} if call.path == "/page" else {}))

    with Wrong(answer) as service:
        found = pulled(service, OFFSET, tmp_path / "offset")
        assert "total says 30 rows, and 10 came" in found.raised(EndNotShown).sentence
        found = pulled(service, PAGE, tmp_path / "page")
        assert "total says 30 rows, and 20 came" in found.raised(EndNotShown).sentence
        assert found.rows == [*service.rows[:10], *service.rows[20:]]
    with Wrong(lambda s, c: rows(c, s, 99, more=True)) as service:
        found = pulled(service, OFFSET, tmp_path / "flag")
        assert "more says that more follows, but the page is empty" in found.raised(EndNotShown).sentence


@pytest.mark.parametrize("one", [CURSOR, URL])
def test_a_next_on_the_last_page(one: Listing, tmp_path: Path) -> None:
    """It leads to itself: the loop is seen, and every row is there."""

    def answer(service: Wrong, call: Call) -> bytes:
        at = int((call.query.get("cursor") or "0").removeprefix("c"))
        following = f"c{min(at + 10, 20)}"
        return rows(call, service, at, next=following if one is CURSOR else f"?cursor={following}")

    with Wrong(answer) as service:
        found = pulled(service, one, tmp_path)
        found.raised(CursorRepeated)
        assert found.rows == service.rows


@pytest.mark.parametrize(
    ("one", "following", "reason"),
    [
        (CURSOR, {"after": 2}, "next is neither text nor null"),
        (CURSOR, True, "next is neither text nor null"),
        (URL, {"href": "/url"}, "next is neither text nor null"),
        (URL, 2, "next is no address"),
        (URL, "dG9rZW4=", "next is no address"),
    ],
)
def test_a_next_of_another_kind(one: Listing, following: Any, reason: str, tmp_path: Path) -> None:
    with Wrong(lambda s, c: rows(c, s, 0, next=following)) as service:
        found = pulled(service, one, tmp_path)
        assert reason in found.raised(EndNotShown).sentence
        assert found.rows == service.rows[:10]


def test_a_number_for_a_cursor_is_sent_back_in_its_digits(tmp_path: Path) -> None:
    def answer(service: Wrong, call: Call) -> bytes:
        at = call.whole("cursor", 0)
        return rows(call, service, at, next=at + 10 if at < 20 else None)

    with Wrong(answer) as service:
        found = pulled(service, CURSOR, tmp_path)
        assert (found.rows, found.state) == (service.rows, "complete")
    assert "next is a number" in found.notes


@pytest.mark.parametrize("one", [CURSOR, URL, OFFSET, PAGE, NONE])
@pytest.mark.parametrize("body", [b'{"data": []}', b'{"rows": {"0": 1}}', b'{"rows": null}', b"{}"])
def test_rows_that_are_missing_or_no_array(one: Listing, body: bytes, tmp_path: Path) -> None:
    with Wrong(lambda s, c: body) as service:
        found = pulled(service, one, tmp_path)
    assert "rows is missing or not an array" in found.raised(BadEnvelope).sentence
    assert (found.state, found.rows) == ("failed", [])


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ({"more": True}, "more says that more follows, and not how to ask for it"),
        ({"pages": 2}, "pages says 2 pages, and not how to ask for the next one"),
        ({"total": 30}, "total says 30 rows, and 10 came"),
    ],
)
def test_one_page_that_says_more_follows(said: dict[str, Any], sentence: str, tmp_path: Path) -> None:
    with Wrong(lambda s, c: rows(c, s, 0, **{"more": False, **said})) as service:
        found = pulled(service, NONE, tmp_path)
    assert sentence in found.raised(EndNotShown).sentence


@pytest.mark.parametrize("page_by_page", [False, True])
@pytest.mark.parametrize("one", [OFFSET, PAGE])
def test_a_list_that_grows_at_its_head_while_it_is_read(
    one: Listing, page_by_page: bool, tmp_path: Path
) -> None:
    def answer(service: Wrong, call: Call) -> bytes:
        if len(service.calls) == 2:
            service.rows.insert(0, row(1000))
        return rows(call, service, call.whole("offset", 0) + (call.whole("page", 1) - 1) * 10)

    with Wrong(answer) as service:
        found = pulled(service, one, tmp_path, page_by_page=page_by_page)
    assert f"1 row came with the page before already: {CHANGED}" in found.notes
    assert CHANGED in found.raised(EndNotShown).sentence


@pytest.mark.parametrize("page_by_page", [False, True])
def test_a_list_that_shrinks_while_it_is_read(page_by_page: bool, tmp_path: Path) -> None:
    def answer(service: Wrong, call: Call) -> bytes:
        if len(service.calls) == 2:
            del service.rows[3]
        return rows(call, service, call.whole("offset", 0), total=len(service.rows))

    with Wrong(answer) as service:
        found = pulled(service, OFFSET, tmp_path, page_by_page=page_by_page)
        assert len(found.rows) == 29
    assert f"total says 29 rows, and said 30 on the page before: {CHANGED}" in found.notes
    assert CHANGED in found.raised(EndNotShown).sentence
