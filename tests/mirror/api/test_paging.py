"""Laws of paging: whatever a service makes of sizes and counts, each row comes once, in order, wherever it stopped."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.api.answer import Answer
from explorer.api.errors import CannotSend, EndNotShown, LeadsElsewhere
from explorer.api.http_request import http_request_of
from explorer.api.page import page_of
from explorer.api.pages import PageWalk
from explorer.api.paging import Asked, paging_of, whole
from explorer.catalog.request import Request, list_request
from explorer.catalog.spec import Envelope, Input, Listing
from explorer.profiles.profile import Auth, Credential
from tests.mirror.api.made import key, profile, run
from tests.unified_interfaces import INTERFACES, Row, known

OFFSET = Listing(
    key="offset",
    number=1,
    title="List",
    method="GET",
    path="/offset",
    record=Row,
    envelope=Envelope("rows", items="data.rows", flag="data.more", total="data.total", pages="data.pages"),
    paging="offset",
    cursor_param="offset",
    size_param="limit",
)
PAGE = dataclasses.replace(OFFSET, key="page", path="/page", paging="page", cursor_param="page")
URL = dataclasses.replace(
    OFFSET, key="url", path="/url", paging="url", envelope=Envelope("rows", items="rows", cursor="next")
)


def answer(body: bytes) -> Answer:
    return Answer(200, (), body, 1.0, 1)


class Counted:
    """A service that cuts its rows by offset or page number, at most ``cap`` on a page."""

    def __init__(
        self, rows: int, cap: int, says: Callable[[int, int], dict[str, Any]], first: int = 1
    ) -> None:
        self.rows = [b'{"id": %d, "x": 1.0}' % number for number in range(rows)]
        self.cap, self.says, self.first = cap, says, first
        self.asked: list[Request] = []

    async def send(self, request: Request) -> Answer:
        self.asked.append(request)
        query = dict(request.query)
        size = min(int(query.get("limit", self.cap)), self.cap)
        at = int(query.get("offset", 0)) + (int(query.get("page", self.first)) - self.first) * size
        rows = self.rows[at : at + size]
        more = json.dumps(self.says(at + len(rows), size))[1:-1].encode()
        return answer(b'{"data": {"rows": [%b]%b}}' % (b", ".join(rows), b", " + more if more else b""))


def silent(_done: int, _size: int) -> dict[str, Any]:
    """A service that says nothing about its end."""
    return {}


async def pages_of(
    make: Callable[..., PageWalk], stops: int, most: int = 300
) -> tuple[list[bytes], PageWalk]:
    """All rows of a list, by a walk that is made anew after each ``stops`` pages from what a store keeps of it."""
    rows, bodies, seen, digests = list[bytes](), list[bytes](), list[str](), list[bytes]()
    walk = make()
    while walk.state == "ready":
        assert len(bodies) < most, "the list does not end"
        page = await walk.advance()
        rows += page.records
        bodies.append(page.body)
        seen += [page.cursor] if page.cursor is not None else []
        digests.append(page.digest)
        if stops and len(bodies) % stops == 0 and walk.state == "ready":
            so_far = {"number": len(bodies), "cursor": walk.cursor, "seen": seen, "digests": digests}
            walk = make(**so_far, rows=len(rows), last=bodies[-1])
    return rows, walk


sizes = st.none() | st.integers(1, 12)


@given(st.integers(0, 40), st.integers(1, 10), sizes, st.integers(0, 3), st.booleans(), st.booleans())
def test_an_offset_list_whatever_becomes_of_the_size(
    rows: int, cap: int, size: int | None, stops: int, flag: bool, total: bool
) -> None:
    def says(done: int, _size: int) -> dict[str, Any]:
        return ({"more": done < rows} if flag else {}) | ({"total": rows} if total else {})

    service, query = Counted(rows, cap, says), {} if size is None else {"limit": size}
    found, walk = run(pages_of(lambda **so_far: PageWalk(service.send, OFFSET, query, **so_far), stops))
    assert found == service.rows
    assert (walk.state, walk.why) == ("complete", None)


@given(
    st.integers(0, 40), st.integers(1, 10), st.integers(0, 3), st.integers(0, 1), st.booleans(), st.booleans()
)
def test_a_list_of_numbered_pages(
    rows: int, cap: int, stops: int, first: int, count: bool, total: bool
) -> None:
    def says(_done: int, size: int) -> dict[str, Any]:
        return ({"pages": -(-rows // size)} if count else {}) | ({"total": str(rows)} if total else {})

    service, one = Counted(rows, cap, says, first), dataclasses.replace(PAGE, first_page=first)
    found, walk = run(pages_of(lambda **so_far: PageWalk(service.send, one, {}, **so_far), stops))
    assert found == service.rows
    assert (walk.state, walk.why) == ("complete", None)
    assert len(service.asked) == max(1, -(-rows // cap)) + (not count and rows > 0)


@given(st.integers(1, 40), st.integers(1, 10), st.integers(1, 5), st.sampled_from([OFFSET, PAGE]))
def test_a_total_above_what_came_never_makes_a_complete_list(
    rows: int, cap: int, missing: int, one: Listing
) -> None:
    service = Counted(rows, cap, lambda _done, size: {"total": rows + missing, "pages": -(-rows // size)})
    found, walk = run(pages_of(lambda **so_far: PageWalk(service.send, one, {}, **so_far), 0))
    assert found == service.rows
    assert isinstance(walk.why, EndNotShown)


@given(st.integers(1, 30), st.integers(1, 6), st.integers(0, 30), st.sampled_from([None, 4]))
def test_a_list_begins_where_the_user_says(rows: int, cap: int, start: int, size: int | None) -> None:
    service = Counted(rows, cap, silent)
    query = {"offset": start} | ({} if size is None else {"limit": size})
    found, walk = run(pages_of(lambda **so_far: PageWalk(service.send, OFFSET, query, **so_far), 1))
    assert found == service.rows[start:]
    assert walk.state == "complete"


def test_a_short_page_ends_a_list_only_where_the_size_is_kept() -> None:
    kept, capped = Counted(25, 10, silent), Counted(25, 7, silent)
    for service in (kept, capped):
        run(
            pages_of(
                lambda service=service, **so_far: PageWalk(service.send, OFFSET, {"limit": 10}, **so_far), 1
            )
        )
    assert [dict(r.query).get("offset") for r in kept.asked] == [None, "10", "20"]
    assert [dict(r.query).get("offset") for r in capped.asked] == [None, "7", "14", "21", "25"]


@given(
    st.sampled_from([OFFSET, PAGE, URL]),
    st.sampled_from([None, "0", "10", "x", "?p=2", "https://api.example/url?p=3"]),
    st.integers(0, 3),
    st.sampled_from([None, 0, 2, 30]),
    st.sampled_from([None, True, False]),
)
def test_a_strategy_keeps_nothing(
    one: Listing, cursor: str | None, rows: int, total: int | None, flag: bool | None
) -> None:
    inside = {"rows": list(range(rows)), "total": total, "more": flag, "pages": total}
    body = {"rows": list(range(rows)), "next": "?p=4"} if one is URL else {"data": inside}
    page = page_of(answer(json.dumps(body).encode()), one.envelope, 2, cursor)
    paging, asked = paging_of(one), Asked(start=0, size=2, rows=5)
    led = paging.led(page, asked)
    assert led == paging.led(page, asked) == paging_of(one).led(page, asked)
    assert (led.records, led.body, led.digest) == (page.records, page.body, page.digest)


in_query = st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E, exclude_characters="#"), max_size=20)


@given(in_query, st.sampled_from(["{}?{}", "/deep/url?{1}", "?{1}", "https://API.example:443/url?{1}"]))
def test_an_address_is_followed_byte_for_byte(query: str, form: str) -> None:
    address = form.format("https://api.example/v1/url", query)
    sent = http_request_of(profile("https://api.example/v1"), key(), list_request(URL, {}, cursor=address))
    assert sent.origin == "https://api.example"
    path = {"{}?{}": "/v1/url", "/deep/url?{1}": "/deep/url", "?{1}": "/v1/url"}.get(form, "/url")
    assert sent.target == (f"{path}?{query}" if query else path)


@pytest.mark.parametrize(
    "address",
    [
        "https://evil.example/url",
        "http://api.example/url",
        "https://api.example:8443/url",
        "//evil.example/url",
        "https://api.example@evil.example/",
        "https://user:pass@api.example/url",
        "https://api.example.evil.example/",
        "HTTPS://EVIL.example/",
    ],
)
def test_an_address_of_another_origin_is_never_sent(address: str) -> None:
    with pytest.raises(LeadsElsewhere) as info:
        http_request_of(profile("https://api.example"), key(), list_request(URL, {}, cursor=address))
    assert "not on https://api.example: nothing was sent" in info.value.sentence
    assert "pass" not in info.value.sentence


def test_an_address_with_a_control_character_leads_nowhere_else() -> None:
    cursor = "/\t/evil.example"
    sent = http_request_of(profile("https://api.example"), key(), list_request(URL, {}, cursor=cursor))
    assert (sent.origin, sent.target) == ("https://api.example", "/%09/evil.example")


def test_an_address_that_cannot_be_read_is_not_sent() -> None:
    with pytest.raises(CannotSend, match="cannot be read"):
        http_request_of(profile("https://a.example"), key(), list_request(URL, {}, cursor="https://[::1/url"))


def test_an_address_that_overrides_the_method_is_a_write() -> None:
    from explorer.api.guard import effect

    own = profile("https://api.example")
    assert effect(own, list_request(URL, {}, cursor="/url?page=2")) == "read"
    assert effect(own, list_request(URL, {}, cursor="/url?page=2;_method=DELETE")) == "write"
    assert effect(own, list_request(URL, {}, cursor="/url?a=1&X-HTTP-Method-Override=PUT")) == "write"


def test_a_key_in_the_query_is_not_sent_twice() -> None:
    with known():
        listing = INTERFACES["in-query"].verticals[0].resources[0].listing
        assert listing is not None
        one = dataclasses.replace(listing, paging="url")
        own, parts = profile("https://api.example", interface="in-query"), {("conn_one", "account"): "acme"}
        credential = Credential(Auth.APIKEY, "mine", parts)
        first = http_request_of(own, credential, list_request(one, {}))
        assert first.target == "/contacts?api_key=mine&account=acme"
        again = list_request(one, {}, cursor="/contacts?page=2&api_key=mine")
        assert http_request_of(own, credential, again).target == "/contacts?page=2&api_key=mine&account=acme"


def test_a_page_number_that_has_to_be_there_is_sent_from_the_first_page_on() -> None:
    class Needed(Input):
        page: int

    service = Counted(25, 10, silent, first=0)
    one = dataclasses.replace(PAGE, query=Needed, first_page=0)
    found, _ = run(pages_of(lambda **so_far: PageWalk(service.send, one, {}, **so_far), 0))
    assert found == service.rows
    assert [dict(r.query)["page"] for r in service.asked] == ["0", "1", "2", "3"]


@pytest.mark.parametrize(
    ("value", "number"), [("7", 7), (7, 7), (None, 3), ("x", 3), ("-1", 3), ("9" * 30, 3), ("²", 3)]
)
def test_only_a_whole_number_counts(value: object, number: int) -> None:
    assert whole(value, 3) == number
