"""Credentials over HTTP: every route refuses who has none, a wrong one of the right form, or another's connection."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from explorer.profiles.profile import Guard
from explorer.quality.checks.credentials import like
from explorer.quality.engine.check import Run, Verdict
from tests.flow.calls_service import (
    CONNECTION,
    KEY,
    Asked,
    Calls,
    Serving,
    bad,
    balance,
    failed,
    the,
)
from tests.flow.calls_service import serving as service_of_calls
from tests.recording import reply

READS = ("ats/job", "crm/account", "accounting/customer-balance", "accounting/payment-receipt")
WRITES = ("crm/contact", "core/pipeline", "core/customer", "connect/magic-link", "webhook")
TOLD: dict[str, Any] = {"ids": ("a1",), "customer": "7", "transactions": ("1",), "connector": "hubspot"}
OF_KEYS = ("credentials.no-key", "credentials.wrong-key")
OF_CONNECTIONS = ("credentials.no-connection", "credentials.unknown-connection")


@pytest.fixture(scope="module")
def service() -> Iterator[Serving]:
    with service_of_calls() as made:
        yield made


def run(service: Serving, calls: Calls, *resources: str, **asked: Any) -> Run:
    return service.run(calls, *resources, **{**TOLD, "only": ("credentials",), **asked})


def test_a_sound_service_refuses_on_every_route(service: Serving) -> None:
    calls = Calls()
    made = run(service, calls, *READS, *WRITES)
    assert bad(made) == set()
    for check in OF_KEYS:
        for key in (*READS, *WRITES):
            assert the(made, check, key).verdict is Verdict.HOLDS, (check, key)
    for check in OF_CONNECTIONS:
        for key in (*READS, "crm/contact"):
            assert the(made, check, key).verdict is Verdict.HOLDS, (check, key)


@pytest.mark.parametrize("resource", [*READS, *WRITES])
def test_a_route_that_looks_at_no_key(service: Serving, resource: str) -> None:
    made = run(service, Calls(lets_in=lambda asked: not asked.has_key), resource)
    assert {check for check, _ in bad(made)} == set(OF_KEYS)
    assert {one.verdict for one in made.bad} == {Verdict.FAILS}


@pytest.mark.parametrize("resource", [*READS, "crm/contact"])
def test_a_route_that_looks_at_no_connection(service: Serving, resource: str) -> None:
    made = run(service, Calls(lets_in=lambda asked: asked.has_key), resource)
    assert {check for check, _ in bad(made)} == set(OF_CONNECTIONS)


def test_core_and_connect_need_no_connection(service: Serving) -> None:
    made = run(service, Calls(lets_in=lambda asked: asked.has_key), *WRITES[1:])
    assert bad(made) == set()
    for check in OF_CONNECTIONS:
        for key in WRITES[1:4]:
            assert the(made, check, key).verdict is Verdict.OBSERVED


def test_the_wrong_key_has_the_form_of_the_right_one(service: Serving) -> None:
    calls = Calls()
    only = ("credentials.wrong-key", "credentials.unknown-connection")
    run(service, calls, "ats/job", writes=False, only=only)
    keys = {asked.got.header("x-apikey") for asked in calls.asked} - {None, KEY}
    assert len(keys) == 1
    wrong = keys.pop() or ""
    assert wrong.startswith("key_org1_")
    assert len(wrong) == len(KEY)
    assert wrong[9:] != KEY[9:]
    connections = {asked.got.header("x-connection-id") for asked in calls.asked} - {None, CONNECTION}
    assert all(str(one).startswith("conn_") for one in connections)


@pytest.mark.parametrize(
    "secret",
    [
        "key_org1_9f8a7b6c5d4e3f2a",
        "key_plain_secret",
        "3f2a1b0c-9f8a-4b6c-8d4e-3f2a1b0c9f8a",
        "AbC123xyz",
        "k",
    ],
)
def test_a_key_that_is_like_another_is_another(secret: str) -> None:
    for _ in range(50):
        made = like(secret)
        assert made != secret
        assert len(made) == len(secret)
        assert [c.isalnum() for c in made] == [c.isalnum() for c in secret]


@pytest.mark.parametrize(
    ("secret", "kept"),
    [
        ("key_org1_9f8a7b6c5d4e3f2a", "key_org1_"),
        ("acme-live-5b1f9c77e0", "acme-live-"),
        ("acme.live:5b1f9c77e0-ab1", "acme.live:"),
        ("key_plain_secret", "key_"),
    ],
)
def test_a_key_that_is_like_another_keeps_what_says_whose_it_is(secret: str, kept: str) -> None:
    made = like(secret)
    assert made.startswith(kept)
    assert made != secret


def test_a_token_that_is_like_another_has_another_signature() -> None:
    token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJjIn0.c2lnbmF0dXJlc2lnbmF0dXJl"
    made = like(token)
    assert made.rpartition(".")[0] == token.rpartition(".")[0]
    assert made != token


def test_nothing_is_written_that_was_not_there(service: Serving) -> None:
    """Let through, the calls change nothing: they name what the run made, with the values that it has.

    One alone makes something: a create without a key, a contact like the run's own, which is named at the end.
    """
    calls = Calls(lets_in=lambda _: True)
    before = run(service, calls, *WRITES)
    assert before.bad
    for asked in calls.asked:
        if asked.has_key or asked.operation not in ("pipeline.update", "customer.put", "contact.update"):
            continue
        same = [
            other.body
            for other in calls.asked
            if other.has_key and other.ident == asked.ident and other.operation == asked.operation
        ]
        assert asked.body in same
    links = [a.body["validityInSeconds"] for a in calls.asked if a.operation == "link" and not a.has_key]
    assert links
    assert all(validity < 0 for validity in links)
    assert sum(one.operation == "contact.create" and not one.has_key for one in calls.asked) == 1
    assert len(calls.contacts) <= 4
    left = the(before, "writes.left-behind", "crm/contact")
    assert {finding.field for finding in left.findings} == set(calls.contacts)
    assert (len(calls.pipelines), len(calls.customers)) == (1, 1)


@pytest.mark.parametrize("how", [{"writes": False}, {"guard": Guard.READ_ONLY}])
def test_without_leave_to_write_only_reads_are_tried(service: Serving, how: dict[str, Any]) -> None:
    calls = Calls()
    made = run(service, calls, *READS, *WRITES, **how)
    assert {asked.operation for asked in calls.asked} == {"jobs", "accounts", "balance", "receipt"}
    for key in WRITES:
        assert the(made, "credentials.no-key", key).verdict is Verdict.SKIPPED


def test_a_webhook_that_answers_error_has_refused(service: Serving) -> None:
    def refuse(asked: Asked) -> Any:
        return None if asked.has_key else reply({"status": "error", "info": "no key"})

    calls = Calls(before={"webhook": refuse}, lets_in=lambda asked: asked.operation == "webhook")
    made = run(service, calls, "webhook")
    assert bad(made) == set()
    assert the(made, "credentials.no-key").verdict is Verdict.OBSERVED


def test_a_connector_without_webhooks_does_not_tell(service: Serving) -> None:
    calls = Calls(
        before={"webhook": lambda _: failed(501, "takes none", "NOT_IMPLEMENTED")}, lets_in=lambda _: True
    )
    made = run(service, calls, "webhook")
    assert bad(made) == set()
    assert the(made, "credentials.no-key").verdict is Verdict.OBSERVED


def test_a_refusal_that_does_not_say_whose_fault_it_is(service: Serving) -> None:
    calls = Calls(
        before={"jobs": lambda asked: None if asked.has_key else failed(500, "crash")},
        lets_in=lambda _: True,
    )
    made = run(service, calls, "ats/job", writes=False)
    assert {(one.check.id, one.verdict) for one in made.bad if "key" in one.check.id} == {
        ("credentials.no-key", Verdict.SUSPECT),
        ("credentials.wrong-key", Verdict.SUSPECT),
    }


def test_a_route_that_fails_for_everybody_says_nothing_of_credentials(service: Serving) -> None:
    calls = Calls(before={"jobs": lambda _: failed(500, "crash")}, lets_in=lambda _: True)
    made = run(service, calls, "ats/job", writes=False)
    assert bad(made) == set()
    assert the(made, "credentials.no-key").verdict is Verdict.OBSERVED


def test_the_command_makes_it_again(service: Serving) -> None:
    made = run(service, Calls(lets_in=lambda asked: not asked.has_key), *WRITES)
    for result in made.bad:
        command = made.command(result)
        assert "--writes" in command
        assert result.resource in command
        assert ("--connector" in command) == (result.resource == "webhook")
    text = json.dumps([made.command(result) for result in made.bad])
    assert KEY not in text


NEAR = "credentials.near-key"
TOKENS = "credentials.wrong-token"
NEXT = "credentials.next-page"


def key_of(asked: Asked) -> str | None:
    return asked.got.header("x-apikey")


@pytest.mark.parametrize(
    ("lets_in", "rule"),
    [
        (lambda asked: key_of(asked) == "", "an empty key"),
        (lambda asked: (key_of(asked) or "")[:12] == KEY[:12], "the beginning of the key"),
        (lambda asked: (key_of(asked) or "").lower() == KEY.lower(), "the key in another case"),
        (
            lambda asked: len(key_of(asked) or "") > 8 and KEY.startswith(key_of(asked) or "-"),
            "the key without its end",
        ),
        (lambda asked: (key_of(asked) or "").startswith(KEY), "the key with more behind it"),
    ],
)
def test_a_key_that_is_nearly_the_right_one(service: Serving, lets_in: Any, rule: str) -> None:
    calls = Calls(lets_in=lambda asked: lets_in(asked) and asked.got.header("x-connection-id") == CONNECTION)
    made = run(service, calls, "ats/job", writes=False)
    found = the(made, NEAR)
    assert rule in {one.rule for one in found.findings}
    assert found.verdict in (Verdict.FAILS, Verdict.SUSPECT)


def test_a_wrong_bearer_token_that_counts(service: Serving) -> None:
    made = run(
        service, Calls(lets_in=lambda asked: bool(asked.got.header("authorization"))), "ats/job", writes=False
    )
    assert the(made, TOKENS).verdict is Verdict.FAILS


def test_the_next_page_needs_the_key_as_well(service: Serving) -> None:
    pages = {
        "": {"items": [{"id": "1"}], "has_next_page": True, "next_cursor": "c2"},
        "c2": {"items": [{"id": "2"}], "has_next_page": False, "next_cursor": None},
    }
    change = {"jobs": lambda asked, _: pages[asked.query.get("cursor", "")]}
    sound = run(service, Calls(change=change), "ats/job", writes=False)
    assert the(sound, NEXT).verdict is Verdict.HOLDS
    made = run(
        service, Calls(change=change, lets_in=lambda asked: "cursor" in asked.query), "ats/job", writes=False
    )
    assert {check for check, _ in bad(made)} == {NEXT}
    assert the(made, NEXT).verdict is Verdict.FAILS


def test_near_keys_are_tried_where_only_they_are_asked_for(service: Serving) -> None:
    made = run(
        service, Calls(lets_in=lambda asked: key_of(asked) == ""), "ats/job", writes=False, only=(NEAR,)
    )
    assert {one.check.id for one in made.bad} == {NEAR}


@pytest.mark.parametrize(
    ("lets_in", "rule"),
    [
        (lambda token: len(token) > 8 and KEY.startswith(token), "the key without its end"),
        (lambda token: token == KEY[:-1], "the key without its end"),
        (lambda token: token.startswith(KEY), "the key with more behind it"),
    ],
)
def test_a_bearer_that_is_nearly_the_key_is_tried_on_the_webhook(
    service: Serving, lets_in: Callable[[str], bool], rule: str
) -> None:
    def near(asked: Asked) -> bool:
        token = (asked.got.header("authorization") or "").removeprefix("Bearer ")
        return asked.got.target.startswith("/v1/webhook/") and lets_in(token)

    made = run(service, Calls(lets_in=near), "webhook", writes=True)
    assert {one.rule for one in the(made, NEAR, "webhook").findings} == {rule}
    sound = run(service, Calls(), "webhook", writes=True)
    assert the(sound, NEAR, "webhook").verdict is Verdict.HOLDS


def test_near_keys_are_tried_once_for_each_family_of_routes(service: Serving) -> None:
    calls = Calls()
    made = run(service, calls, *READS, writes=False)
    assert the(made, NEAR, "ats/job").verdict is Verdict.HOLDS
    assert the(made, TOKENS, "ats/job").verdict is Verdict.HOLDS
    assert len([asked for asked in calls.asked if key_of(asked) == ""]) <= 2
    assert len(calls.asked) <= 4 * len(READS) + 2 * 5 + 3


def test_where_any_key_is_let_in_it_is_said_once(service: Serving) -> None:
    made = run(service, Calls(lets_in=lambda _: True), "ats/job", writes=False)
    assert {check for check, _ in bad(made)} == {*OF_KEYS, *OF_CONNECTIONS}


ROWS = {"items": [{"id": "1", "name": "Cook"}], "has_next_page": False, "next_cursor": None}
GIVEN: dict[str, tuple[str, Any]] = {
    "ats/job": ("jobs", {"message": "UNAUTHORIZED", **ROWS}),
    "crm/account": ("accounts", [{"id": "a1", "updated_at": "2025-01-01T00:00:00Z"}]),
    "accounting/customer-balance": ("balance", {"message": "UNAUTHORIZED", **balance("7")}),
    "core/customer": ("customer.put", {"code": "UNAUTHORIZED", "id": "c", "orgId": "org_1"}),
    "connect/magic-link": ("link", {"code": "UNAUTHORIZED", "url": "https://connect.example/?token=x"}),
}


@pytest.mark.parametrize("resource", GIVEN)
def test_a_refusal_that_has_the_data_beside_it(service: Serving, resource: str) -> None:
    operation, body = GIVEN[resource]
    calls = Calls(
        before={operation: lambda asked: None if asked.has_key else reply(body, 401)}, lets_in=lambda _: True
    )
    made = run(service, calls, resource, only=OF_KEYS)
    assert {check for check, _ in bad(made)} == set(OF_KEYS)
    assert "refused with 401, and the body has" in the(made, "credentials.no-key", resource).seen


@pytest.mark.parametrize(
    ("resource", "operation"), [("crm/contact", "contact"), ("core/pipeline", "pipeline")]
)
def test_an_update_that_is_refused_and_made_all_the_same(
    service: Serving, resource: str, operation: str
) -> None:
    """The status is set, and the update goes on."""
    calls = Calls(lets_in=lambda asked: not asked.has_key)

    def refuse(asked: Asked, _: Any) -> Any:
        return None if asked.has_key else failed(401, "UNAUTHORIZED", "UNAUTHORIZED")

    calls.change = {
        name: lambda asked, answer: answer if asked.has_key else refuse(asked, answer)
        for name in (f"{operation}.update", f"{operation}.create", f"{operation}.upsert")
    }
    made = run(service, calls, resource, only=OF_KEYS)
    assert {check for check, _ in bad(made)} == set(OF_KEYS)
    assert "the update was made all the same" in the(made, "credentials.wrong-key", resource).seen
