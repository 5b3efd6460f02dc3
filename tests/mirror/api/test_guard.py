"""Read only, ask first, open: what writes is read from the wire form, and a permit fits one thing."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.api.errors import Refused
from explorer.api.guard import LONGEST, Permit, check, effect
from explorer.catalog import registry
from explorer.catalog.request import Request
from explorer.profiles.profile import Guard
from tests.mirror.api.made import production, profile, read, write

URL = "https://api.example"
CHECK = "/v0/core/connection/conn_x/_check"
READS = {4, 5, 6, 7, 8, 9, 10, 11, 12}
WRITES = {1, 2, 3, 13, 14, 16, 17, 18}


def test_every_endpoint_by_its_wire_form() -> None:
    seen = set()
    for operation in registry.operations():
        path = operation.path.replace("{id}", "x").replace("{connector_name}", "hubspot")
        # What the caller claims counts for nothing: a listing's name on a write's address.
        request = Request(operation.method, path, operation=registry.operation("ats/job"))
        if operation.number == 15:
            continue
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
    ("body", "expected"),
    [
        (None, "read"),
        ({}, "read"),
        ({"skipCache": True}, "read"),
        ({"import": False, "updateWebhook": None}, "read"),
        ({"import": True}, "write"),
        ({"updateWebhook": True}, "write"),
        ({"sandboxSimulateUpdate": True}, "write"),
        ({"sandboxSimulateDisconnect": True}, "write"),
        ({"import": "false"}, "write"),
        ({"import": 0}, "write"),
        ({"import": ""}, "write"),
        ([], "write"),
        (b'{"import": true, "import": false}', "write"),
        (b'{"\\u0069mport": true}', "write"),
        (b"import=true", "write"),
        (b"\xff", "write"),
        ('{"import": true}'.encode("utf-16"), "write"),
        (b'{"x": ' + b"[" * 100_000, "write"),
    ],
)
def test_the_connection_check_goes_by_its_flags(body: Any, expected: str) -> None:
    raw = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
    assert effect(Request("POST", CHECK, body=raw)) == expected


def test_flags_outside_the_body_count_too() -> None:
    assert effect(Request("POST", CHECK, (("import", "true"),))) == "write"
    assert effect(Request("POST", CHECK, body=b"{}", content_type="text/plain")) == "write"


def refused(*arguments: Any, **more: Any) -> Refused:
    with pytest.raises(Refused) as info:
        check(*arguments, **more)
    return info.value


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
