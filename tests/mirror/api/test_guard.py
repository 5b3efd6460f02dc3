"""Read only, ask first, open: what writes is read from the wire form, and a permit fits one thing."""

from __future__ import annotations

import dataclasses
import json
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

import explorer.api.guard
from explorer.api.errors import Refused
from explorer.api.guard import LONGEST, Permit, check
from explorer.catalog import interfaces
from explorer.catalog.request import Request
from explorer.catalog.spec import ABSENT, Envelope, Input
from explorer.profiles.profile import Environment, Guard
from tests.builtin import registry
from tests.mirror.api.made import production, profile, read, write
from tests.mirror.catalog.builtin.contract import ENDPOINTS
from tests.unified_interfaces import BEARER, INTERFACES, interface, listing

URL = "https://api.example"
CHECK = "/v0/core/connection/conn_x/_check"
BATCH = "/v0/unified/crm/account/_batch_read"
READS = {row.number for row in ENDPOINTS if row.writes == "never"}
WRITES = {row.number for row in ENDPOINTS if row.writes == "always"}


def effect(request: Request) -> str:
    return explorer.api.guard.effect(profile(URL), request)


def test_every_endpoint_by_its_wire_form() -> None:
    seen = set()
    for operation in registry.operations():
        path = operation.path.replace("{id}", "x").replace("{connector_name}", "hubspot")
        # What the caller claims counts for nothing: a listing's name on a write's address.
        request = Request(operation.method, path, operation=registry.operation("ats/job"))
        expected = "read" if operation.number in READS else "write"
        assert effect(request) == expected, operation.key
        seen.add(operation.number)
    assert seen == READS | WRITES


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "post", "PROPFIND", "QUERY"])
@pytest.mark.parametrize(
    "path", ["/v0/unknown", "/", "/v0/unified/ats/job", "/v0/unified/crm/account/_batch_read/x"]
)
def test_unknown_addresses_and_methods_write(method: str, path: str) -> None:
    assert effect(Request(method, path)) == "write"


@pytest.mark.parametrize("method", ["GET", "HEAD", "get"])
def test_get_and_head_read(method: str) -> None:
    assert effect(Request(method, "/anything")) == "read"


@pytest.mark.parametrize(
    "path",
    [
        "/v0/core/connection/a%2Fb/_check",
        "/v0/core/connection/../_check",
        "/v0/core/connection/%2e%2e/_check",
        "/v0/core/connection/a;x/_check",
        "/v0/core/connection/a%3Fb/_check",
        "/v0//unified/crm/account/_batch_read",
    ],
)
def test_an_address_whose_meaning_is_unsure_writes(path: str) -> None:
    assert effect(Request("POST", path)) == "write"


@pytest.mark.parametrize(
    "body",
    [
        None,
        {},
        {"skipCache": True},
        {"import": False},
        dict.fromkeys(
            ("skipCache", "import", "updateWebhook", "sandboxSimulateUpdate", "sandboxSimulateDisconnect"),
            False,
        ),
        {"unknown": None},
        {"import": True},
    ],
)
def test_the_connection_check_writes_whatever_its_flags_say(body: Any) -> None:
    raw = None if body is None else json.dumps(body).encode()
    assert effect(Request("POST", CHECK, body=raw)) == "write"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (None, "read"),
        ({}, "read"),
        ({"ids": ["1"], "properties": []}, "read"),
        (b'{"ids": [], "ids": ["1"]}', "read"),
        ({"ids": [], "unknown": None}, "write"),
        ({"ids": [], "_method": "DELETE"}, "write"),
        ({"IDS": []}, "write"),
        ({"ids": [{"_method": "DELETE"}]}, "write"),
        (b'{"unknown": 1, "ids": []}', "write"),
        (b'{"\\u0075nknown": 1}', "write"),
        (b'{"x": 1}, {"ids": []}', "write"),
        ([], "write"),
        ("ids", "write"),
        (b"", "write"),
        (b"ids=1&_method=DELETE", "write"),
        (b"\xff", "write"),
        ('{"ids": []}'.encode("utf-16"), "write"),
        (b'{"ids": ' + b"[" * 100_000, "write"),
    ],
)
def test_a_read_with_a_body_that_is_not_known_counts_as_a_write(body: Any, expected: str) -> None:
    raw = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
    assert effect(Request("POST", BATCH, body=raw)) == expected


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("application/json", "read"),
        ("Application/JSON; charset=UTF-8", "read"),
        ("application/json; charset=utf-7", "write"),
        ("application/x-www-form-urlencoded", "write"),
        ("text/plain", "write"),
        ("", "write"),
    ],
)
def test_a_read_whose_body_is_of_another_type_counts_as_a_write(kind: str, expected: str) -> None:
    assert effect(Request("POST", BATCH, body=b'{"ids": []}', content_type=kind)) == expected


def test_a_query_that_is_not_known_counts_as_a_write_where_the_method_is_no_read() -> None:
    assert effect(Request("POST", BATCH, (("ids", "1"),))) == "write"
    assert effect(Request("GET", "/v0/unified/ats/job", (("unknown", "1"),))) == "read"


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("body", [b"", b"{}", b'{"_method": "DELETE"}'])
def test_a_get_with_a_body_counts_as_a_write(method: str, body: bytes) -> None:
    assert effect(Request(method, "/v0/unified/ats/job", body=body)) == "write"


@pytest.mark.parametrize(
    "name",
    [
        *("_method", "_METHOD", "_Method", "%5Fmethod", "%255Fmethod", "_%6Dethod", "_method[]", ".method"),
        *(
            "X-HTTP-Method-Override",
            "x-http-method-override",
            "X_HTTP_METHOD_OVERRIDE",
            "xHttpMethodOverride",
        ),
        *(
            "X-Method-Override",
            "X-HTTP-Method",
            "x-http-method%2Doverride",
            "\uff3fmethod",
            "$method",
            "httpMethod",
        ),
        *("a&_method", "a%26_method", "a;_method", "method_override"),
    ],
)
def test_a_name_that_overrides_the_method_makes_any_call_a_write(name: str) -> None:
    listing = "/v0/unified/ats/job"
    assert effect(Request("GET", listing, (("page_size", "1"), (name, "DELETE")))) == "write"
    assert effect(Request("GET", f"{listing};{quote(name)}=DELETE")) == "write"
    assert effect(Request("GET", f"{listing}%3F{quote(name)}=DELETE")) == "write"
    assert effect(Request("POST", BATCH, (), json.dumps({"ids": [], name: "DELETE"}).encode())) == "write"


@pytest.mark.parametrize(
    "query",
    [("cursor", "https://api.example/jobs?_method=GET&x=1"), ("methods", "1"), ("payment_method", "card")],
)
def test_values_and_other_names_override_nothing(query: tuple[str, str]) -> None:
    assert effect(Request("GET", "/v0/unified/ats/job", (query,))) == "read"


def test_a_refusal_says_why_a_call_that_looks_like_a_read_counts_as_a_write() -> None:
    one = profile(URL, guard=Guard.READ_ONLY)
    advice = {
        "it has a body": Request("GET", "/v0/unified/ats/job", body=b"{}"),
        "_method can change its method": Request("GET", "/v0/unified/ats/job", (("_method", "PUT"),)),
        "its body has fields that a read does not accept (propertys)": Request(
            "POST", BATCH, body=b'{"ids": [], "propertys": []}'
        ),
    }
    for why, request in advice.items():
        assert why in refused(one, request).advice
    assert refused(one, write()).advice == "To write, change “Writes” in the profile."


@pytest.mark.parametrize("guard", [Guard.READ_ONLY, Guard.ASK])
@pytest.mark.parametrize("environment", list(Environment))
def test_a_page_of_a_list_is_never_confirmed_and_says_what_to_do(
    guard: Guard, environment: Environment
) -> None:
    """A list asks by itself, page after page: there is nobody to confirm one."""
    one = profile(URL, guard=guard, environment=environment)
    query = (("_method", "PUT"),)
    said = refused(one, Request("GET", "/v0/unified/ats/job", query, page=1))
    assert not said.can_confirm
    assert said.sentence == "A list is only read: nothing was sent."
    assert said.advice == (
        "This call counts as a write, because _method can change its method. "
        "Remove what makes it one from the list's parameters; a write is sent as a single call."
    )


def refused(*arguments: Any, **more: Any) -> Refused:
    with pytest.raises(Refused) as info:
        check(*arguments, **more)
    return info.value


@pytest.mark.parametrize(
    ("url", "asks"),
    [
        ("http://api.example", True),
        ("http://10.0.0.1:8080/path", True),
        ("http://service.localhost", True),
        ("https://api.example", False),
        ("http://127.0.0.1:80", False),
        ("http://127.9.8.7", False),
        ("http://localhost:1", False),
        ("http://[::1]:1", False),
    ],
)
def test_plain_http_to_another_machine_wants_a_word_for_that_address(url: str, asks: bool) -> None:
    asking = profile(url)
    assert (asking.in_clear, asking.asks_for_http) == (asks, asks)
    for request in (read(), write()):
        if asks:
            with pytest.raises(Refused, match="unencrypted"):
                check(asking, request, Permit.for_request(asking, request))
        check(asking.allowing_http(), request)
    edited = asking.allowing_http().changed(base_url=f"{asking.base_url}/further")
    assert edited.asks_for_http is asks, "another address asks again"


def test_reads_always_pass() -> None:
    for guard in Guard:
        check(profile(URL, guard=guard), read())
        check(production(URL, guard), read())


def test_read_only_refuses_whatever_permit() -> None:
    for one in (profile(URL, guard=Guard.READ_ONLY), production(URL, Guard.READ_ONLY)):
        for permit in (None, Permit.for_request(one, write()), Permit.for_profile(one)):
            assert not refused(one, write(), permit).can_confirm


def test_open_passes() -> None:
    check(profile(URL, guard=Guard.OPEN), write())


@given(st.sampled_from(["method", "path", "query", "body", "type", "connection", "address", "profile"]))
def test_ask_needs_a_permit_for_exactly_this(changed: str) -> None:
    one = profile(URL, guard=Guard.ASK, id="one")
    request = Request("POST", "/v0/core/customer/1", (("a", "b"),), b"{}")
    permit = Permit.for_request(one, request)
    check(one, request, permit)
    check(one, request, permit)
    other = {
        "method": Request("PUT", request.path, request.query, request.body),
        "path": Request("POST", request.path + "1", request.query, request.body),
        "query": Request("POST", request.path, (("a", "c"),), request.body),
        "body": Request("POST", request.path, request.query, b"{ }"),
        "type": Request("POST", request.path, request.query, request.body, "text/plain"),
    }.get(changed, request)
    another = {
        "connection": one.with_connection("conn_other"),
        "address": profile("https://other.example", guard=Guard.ASK, id="one"),
        "profile": profile(URL, guard=Guard.ASK, id="two"),
    }.get(changed, one)
    assert refused(another, other, permit).can_confirm
    assert refused(one, request).can_confirm
    assert refused(one, request, Permit.for_profile(one)).can_confirm


def test_a_body_that_runs_into_the_query_does_not_fit() -> None:
    one = profile(URL, guard=Guard.ASK)
    permit = Permit.for_request(one, Request("POST", "/a", (("b", "c"),), b"d"))
    refused(one, Request("POST", "/a", (("b", "cd"),), b""), permit)
    refused(one, Request("POST", "/a", (("b", "c"),), None), permit)


@pytest.mark.parametrize("guard", [Guard.ASK, Guard.OPEN])
def test_production_needs_its_name_typed_for_ten_minutes(guard: Guard) -> None:
    one = production(URL, guard)
    now = datetime.now(UTC)
    permit = Permit.for_profile(one)
    assert refused(one, write()).can_confirm
    assert refused(one, write(), Permit.for_request(one, write())).can_confirm
    check(one, write(), permit)
    check(one, write(b"{}", "/v0/other"), permit, now=now + timedelta(minutes=9, seconds=59))
    over = refused(one, write(), permit, now=now + LONGEST + timedelta(seconds=1))
    assert over.can_confirm
    assert "over" in over.sentence
    refused(production("https://other.example", guard), write(), permit)


def test_no_permit_lasts_longer_than_ten_minutes() -> None:
    one = production(URL)
    now = datetime.now(UTC)
    permit = Permit.for_profile(one, now + timedelta(days=1))
    assert 590 < permit.remaining() <= 600
    assert permit.remaining(now + timedelta(minutes=11)) == 0
    # A clock set back by an hour ends it too.
    assert permit.remaining(now - timedelta(hours=1)) == 0
    assert Permit.for_request(one, write()).remaining() == 0
    assert Permit.for_profile(one, now + timedelta(minutes=1)).remaining(now) == 60


def test_a_get_that_is_declared_to_write_writes() -> None:
    one = INTERFACES["merge"].verticals[0].resources[0].listing
    assert one is not None
    own = profile("https://a.example", interface="says", guard=Guard.READ_ONLY)
    for declared, effect in ((one, "read"), (dataclasses.replace(one, writes="always"), "write")):
        interfaces.register(interface("says", declared, authorization=BEARER))
        try:
            assert explorer.api.guard.effect(own, read("/employees")) == effect
            assert explorer.api.guard.effect(own, read("/other")) == "read"
        finally:
            interfaces.forget("says")


def test_the_fields_inside_a_declared_body_are_declared_too() -> None:
    class Inner(Input):
        kind: str = ABSENT

    class Body(Input):
        filter: Inner = ABSENT

    envelope = Envelope("rows", items="rows", cursor="next")
    paged = {"method": "POST", "cursor_in": "body", "cursor_param": "page.after", "size_param": "page.size"}
    own = profile("https://a.example", interface="says")
    interfaces.register(
        interface("says", listing("/search", envelope, body=Body, **paged), authorization=BEARER)
    )
    try:
        for body, effect in (
            (b'{"filter": {"kind": "x"}, "page": {"after": "c", "size": 5}}', "read"),
            (b'{"filter": {"kind": "x", "delete": true}}', "write"),
            (b'{"after": {"delete": 1}}', "write"),
            (b"{}", "read"),
            (b"[]", "write"),
        ):
            assert explorer.api.guard.effect(own, write(body, "/search")) == effect
        assert explorer.api.guard.effect(own, write(b"{}", "/elsewhere")) == "write"
    finally:
        interfaces.forget("says")
