"""Every endpoint through the client against the sandbox over real HTTP, good and bad input; and every way in which
its messy connection breaks a list, through the walk: no row lost, no crash, seen by the walk or left visible.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from explorer.api import errors as e
from explorer.api.answer import Answer
from explorer.api.client import Client
from explorer.api.exchanges import Exchanges, as_har
from explorer.api.pages import Page, PageWalk
from explorer.api.retry import RetryPolicy
from explorer.catalog.request import build
from explorer.profiles.profile import Auth, Credential, Profile
from explorer.sandbox.defects import DEFECTS
from explorer.sandbox.process import SandboxProcess, sandbox_command
from tests.builtin import registry
from tests.flow.quality_runs import LONG, SMALL, quick_sandbox

QUICK = RetryPolicy(base=0.001, cap=0.01)
ROWS = {"ats/job": 1204, "file-storage/file": 2316, "file-storage/drive": 40}
ROWS |= {"sales-engagement/mailbox": 60, "sales-engagement/sequence_state": 905}
LISTS = [one.key for one in registry.listings()]
KEYS = {key.rpartition("/")[2]: key for key in ROWS}


@pytest.fixture(scope="module")
def sandbox() -> Iterator[SandboxProcess]:
    process = SandboxProcess.start(sandbox_command(slow_seconds=0.05, retry_after=0, drip_seconds=0.002))
    yield process
    process.stop()


@pytest.fixture(scope="module")
def small() -> Iterator[SandboxProcess]:
    with quick_sandbox(SMALL) as process:
        yield process


@pytest.fixture
def own() -> Iterator[SandboxProcess]:
    """One for a test alone: which requests fail follows from how many there were; here the first two do."""
    process = SandboxProcess.start(sandbox_command(seed=21, retry_after=0, drip_seconds=0.002))
    yield process
    process.stop()


@asynccontextmanager
async def client(sandbox: SandboxProcess, connection: str = "clean", **more: Any) -> AsyncIterator[Client]:
    auth = more.pop("auth", Auth.APIKEY)
    secret = more.pop("secret", sandbox.token if auth is Auth.BEARER else sandbox.apikey)
    name = f"conn_sandbox_{connection}" if connection else ""
    profile = Profile.sandbox(sandbox.base_url, connection=name, connections=(name,), auth=auth)
    made = Client(profile, Credential(auth, secret), Exchanges(), retry=QUICK, **more)
    try:
        yield made
    finally:
        await made.aclose()


def call(sandbox: SandboxProcess, key: str, connection: str = "clean", **values: Any) -> Answer:
    own = {name: values.pop(name) for name in ("auth", "secret") if name in values}

    async def main() -> Answer:
        async with client(sandbox, connection, **own) as c:
            return await c.send(build(registry.operation(key), **values))

    return asyncio.run(main())


async def walked(c: Client, key: str, past: int = 0, **query: Any) -> tuple[list[Page], PageWalk]:
    """All pages of a list; goes past what stops it up to ``past`` times."""
    walk = PageWalk(c.send, registry.listing(key), query)
    pages = []
    while walk.state == "ready":
        pages.append(await walk.advance())
        assert len(pages) < 200
        if walk.state != "ready" and past and walk.go_past():
            past -= 1
    return pages, walk


# ---------------------------------------------------------------- the endpoints

UPSERT = {
    "upsert_on": {"key": "email", "values": ["new@example.org"]},
    "record": {"email": "new@example.org"},
}
GOOD: list[tuple[str, dict[str, Any], str]] = [
    ("crm/contact/create", {"body": {"record": {"email": "a@example.org"}}}, "record"),
    ("crm/contact/upsert", {"body": UPSERT}, "record"),
    ("crm/account/batch_read", {"body": {"ids": ["001SB0000000001AAA"], "properties": ["Name"]}}, "[]"),
    *((key, {}, "items") for key in LISTS),
    ("accounting/customer-balance", {"query": {"customer": "all"}}, "entries"),
    ("accounting/customer-income", {"query": {"customer": "1,2", "start_date": "2025-01-01"}}, "entries"),
    ("accounting/payment-receipt", {"query": {"customer_transaction_id": "1001"}}, "{}"),
    ("core/pipeline/create", {"body": {"id": "pipe_one", "metadata": {"a": 1}}}, "id"),
    ("core/pipeline/update", {"path": {"id": "pipe_one"}, "body": {"metadata": {"b": 2}}}, "id"),
    ("core/connection/check", {"path": {"id": "conn_sandbox_clean"}, "body": {"skipCache": True}}, "id"),
    ("core/customer/put", {"path": {"id": "c 1/ü?"}, "body": {"metadata": {"a": 1}}}, "orgId"),
    ("connect/magic-link", {"body": {"customerId": "c1"}}, "url"),
    ("webhook", {"path": {"connector_name": "hubspot"}, "body": b'{"x": 1}'}, "status"),
    ("webhook", {"path": {"connector_name": "greenhouse"}, "body": b"{}"}, "status"),
]


@pytest.mark.parametrize(("key", "values", "holds"), GOOD)
def test_good_input(sandbox: SandboxProcess, key: str, values: dict[str, Any], holds: str) -> None:
    answer = call(sandbox, key, **values)
    assert answer.status == 200
    value = answer.json()
    assert isinstance(value, list) if holds == "[]" else holds == "{}" or holds in value


def test_the_contact_that_was_created_can_be_updated(sandbox: SandboxProcess) -> None:
    made = call(sandbox, "crm/contact/create", body={"record": {"last_name": "Ångström"}}).json()["record"]
    changed = call(sandbox, "crm/contact/update", path={"id": made["id"]}, body={"record": {"phone": "1"}})
    assert changed.json()["record"]["last_name"] == "Ångström"
    assert changed.connection == "conn_sandbox_clean"


def test_a_receipt_may_be_a_pdf(sandbox: SandboxProcess) -> None:
    answer = call(sandbox, "accounting/payment-receipt", query={"customer_transaction_id": "1002"})
    assert answer.content_type == "application/pdf"
    assert answer.body.startswith(b"%PDF")
    with pytest.raises(e.NotJson):
        answer.json()


def test_every_operation_is_called() -> None:
    assert {key for key, _, _ in GOOD} | {"crm/contact/update"} == {o.key for o in registry.operations()}
    assert {key for key, *_ in BAD} >= {o.key for o in registry.operations()}


BAD: list[tuple[str, dict[str, Any], str, type[e.ExplorerError], str]] = [
    ("crm/contact/create", {"body": {"record": {"email": 5}}}, "clean", e.InvalidInput, "record.email"),
    ("crm/contact/create", {"body": {}}, "clean", e.InvalidInput, "record"),
    ("crm/contact/create", {"body": b"{"}, "clean", e.InvalidInput, "JSON"),
    (
        "crm/contact/update",
        {"path": {"id": "none"}, "body": {"record": {}}},
        "clean",
        e.ThirdPartyFailed,
        "404",
    ),
    ("crm/contact/upsert", {"body": {"record": {}}}, "clean", e.InvalidInput, "upsert_on"),
    (
        "crm/contact/upsert",
        {"body": {"upsert_on": {"key": "email", "values": ["twice@example.com"]}, "record": {}}},
        "clean",
        e.AnswerError,
        "",
    ),
    ("crm/account/batch_read", {"body": {"ids": []}}, "clean", e.InvalidInput, "properties"),
    *((key, {}, "", e.ServiceRefused, "") for key in LISTS),
    *((key, {}, "nowhere", e.NotFound, "conn_sandbox_nowhere") for key in LISTS),
    *((key, {}, "quickbooks", e.InvalidInput, "does not fit this kind of call") for key in LISTS),
    *((key, {}, "revoked", e.ThirdPartyFailed, "424") for key in LISTS),
    ("file-storage/drive", {}, "box", e.NotSupported, "does not support"),
    ("sales-engagement/mailbox", {}, "apollo", e.NotSupported, "does not support"),
    ("ats/job", {"query": {"page_size": 0}}, "clean", e.AnswerError, "422"),
    ("ats/job", {"query": {"sync_mode": "never"}}, "clean", e.InvalidInput, "sync_mode"),
    ("accounting/customer-balance", {}, "clean", e.InvalidInput, "customer: Required"),
    ("accounting/customer-income", {}, "clean", e.InvalidInput, "customer: Required"),
    ("accounting/payment-receipt", {}, "clean", e.InvalidInput, "customer_transaction_id"),
    ("core/pipeline/create", {"body": {"id": "x"}}, "clean", e.InvalidInput, "pipe_"),
    ("core/pipeline/update", {"path": {"id": "pipe_no"}, "body": {}}, "clean", e.NotFound, "pipe_no"),
    ("core/connection/check", {"path": {"id": "conn_no"}, "body": {}}, "clean", e.NotFound, ""),
    ("core/customer/put", {"path": {"id": "c"}, "body": b"nonsense"}, "clean", e.InvalidInput, "JSON"),
    ("connect/magic-link", {"body": {"customerId": ""}}, "clean", e.InvalidInput, "customerId"),
    ("connect/magic-link", {"body": {"customerId": "c", "theme": "red"}}, "clean", e.InvalidInput, "theme"),
    (
        "webhook",
        {"path": {"connector_name": "no-such"}, "body": b"{}"},
        "clean",
        e.InvalidInput,
        "connector_name",
    ),
    ("webhook", {"path": {"connector_name": "slack"}, "body": b"{}"}, "clean", e.NotSupported, ""),
]


@pytest.mark.parametrize(("key", "values", "connection", "kind", "piece"), BAD)
def test_bad_input(
    sandbox: SandboxProcess,
    key: str,
    values: dict[str, Any],
    connection: str,
    kind: type[e.ExplorerError],
    piece: str,
) -> None:
    with pytest.raises(kind) as info:
        call(sandbox, key, connection, **values)
    assert piece in info.value.sentence
    assert sandbox.apikey not in repr(info.value.__dict__)


@pytest.mark.parametrize("auth", [Auth.APIKEY, Auth.BEARER])
@pytest.mark.parametrize("key", ["ats/job", "core/customer/put", "webhook"])
def test_a_wrong_key_or_token_is_refused_by_the_service(
    sandbox: SandboxProcess, key: str, auth: Auth
) -> None:
    hook: dict[str, Any] = {"path": {"connector_name": "hubspot"}, "body": b"{}"}
    values: dict[str, Any] = {"ats/job": {}, "webhook": hook}.get(key, {"path": {"id": "c"}, "body": {}})
    with pytest.raises(e.ServiceRefused) as info:
        call(sandbox, key, auth=auth, secret="wrong-secret-0815", **values)
    assert isinstance(info.value, e.KeyRefused | e.InvalidInput)
    assert "0815" not in repr(info.value.__dict__)


def test_a_bearer_token_is_taken_on_v0(sandbox: SandboxProcess) -> None:
    assert call(sandbox, "ats/job", auth=Auth.BEARER).status == 200


def test_an_unknown_organization_is_told_from_a_gateway(sandbox: SandboxProcess) -> None:
    with pytest.raises(e.AnswerError) as info:
        call(sandbox, "ats/job", secret="sbx_org_elsewhere_00000000000000000000000000000000")
    assert not isinstance(info.value, e.GatewayFailed | e.ThirdPartyFailed)


# ---------------------------------------------------------------- lists


def check_bytes(pages: list[Page]) -> None:
    """Every row of every body is there, once, in order, as received: between two rows stands only a comma."""
    for page in pages:
        # The count as a lenient reader has it, without the walk's own slicing.
        assert len(page.records) == len(json.loads(page.body.decode("utf-8-sig"))["items"])
        end = 0
        for record in page.records:
            start = page.body.index(record, end)
            assert not end or page.body[end:start].strip() == b","
            end = start + len(record)


@pytest.mark.parametrize("key", ROWS)
@pytest.mark.parametrize("connection", ["clean", "flaky"])
def test_every_record_once(sandbox: SandboxProcess, own: SandboxProcess, key: str, connection: str) -> None:
    async def main() -> None:
        async with client(sandbox if connection == "clean" else own, connection) as c:
            pages, walk = await walked(c, key)
            assert (walk.state, walk.why) == ("complete", None)
            check_bytes(pages)
            ids = [json.loads(r)["id"] for p in pages for r in p.records]
            assert len(ids) == len(set(ids))
            assert connection == "flaky" or len(ids) == ROWS[key]
            assert c._credential is not None
            assert c._credential.reveal().encode() not in as_har(c.exchanges.all())
            assert connection == "clean" or any(x.attempt > 1 for x in c.exchanges.all())

    asyncio.run(main())


# What the walk itself sees of a defect, and what can still be had. All others leave every row visible and no stop.
STOPS: dict[str, type[e.WalkStopped]] = {
    "drive-first-page-for-ever": e.CursorRepeated,
    "sequence-cursor-loop": e.CursorRepeated,
    "file-next-without-cursor": e.EndNotShown,
}
FAILS: dict[str, type[e.BadAnswer]] = {"job-broken-json": e.NotJson, "drive-items-null": e.BadEnvelope}
NOTED = {
    "job-false-with-cursor",
    "job-byte-order-mark",
    "job-has-next-absent",
    "job-item-null",
    "job-item-text",
    "job-nan",
    "job-lone-surrogate",
    "file-next-without-cursor",
    "mailbox-other-envelope",
    "mailbox-cursor-number",
}
LISTED = [d for d in DEFECTS if d.resource in KEYS]
LOST = {"job-border-lost": 11, "file-folder-left-out": 24}
"""Rows that a defect keeps from the list."""


@pytest.mark.parametrize("defect", LISTED, ids=[d.id for d in LISTED])
def test_each_defect_alone(sandbox: SandboxProcess, small: SandboxProcess, defect: Any) -> None:
    key = KEYS[defect.resource]
    service, count = (sandbox, ROWS[key]) if defect.id in LONG else (small, round(ROWS[key] * SMALL))
    # A defect of rows shows on pages of any size; the fewer there are the sooner it is walked.
    sized = key == "file-storage/file" or (
        key == "ats/job" and (defect.slot is not None or "-has-" in defect.id)
    )
    query = {"page_size": 1000 if defect.slot is not None else 400} if sized else {}

    async def main() -> None:
        async with client(service, f"messy.{defect.id}") as c:
            if defect.id in FAILS:
                with pytest.raises(FAILS[defect.id]) as info:
                    await walked(c, key, **query)
                assert f"Page {c.exchanges.all()[-1].page}" in info.value.sentence
                assert c.exchanges.all()[-1].response_body
                return
            pages, walk = await walked(c, key, past=1 if defect.id == "job-false-with-cursor" else 0, **query)
            check_bytes(pages)
            notes = [note for page in pages for note in page.notes]
            assert bool(notes) == (defect.id in NOTED), notes[:3]
            if defect.id in STOPS:
                assert isinstance(walk.why, STOPS[defect.id])
                if not isinstance(walk.why, e.EndNotShown):
                    return
            else:
                assert (walk.state, walk.why) == ("complete", None)
            assert sum(len(page.records) for page in pages) >= count - LOST.get(defect.id, 0)

    asyncio.run(main())


@pytest.mark.parametrize("key", ROWS)
def test_all_defects_together(sandbox: SandboxProcess, key: str) -> None:
    async def main() -> None:
        async with client(sandbox, "messy") as c:
            pages, walk = await walked(c, key, past=1 if key == "ats/job" else 0)
            check_bytes(pages)
            assert walk.state == "stopped" if key.endswith(("drive", "sequence_state")) else "complete"
            rows = sum(len(page.records) for page in pages)
            assert rows >= ROWS[key] or walk.why is not None

    asyncio.run(main())


@pytest.mark.parametrize(
    "kind", ["429", "429-date", "502-html", "503-json", "504-html", "reset", "reset-middle", "truncated"]
)
def test_each_fault_is_passed_by_retries_that_are_seen(sandbox: SandboxProcess, kind: str) -> None:
    async def main() -> None:
        async with client(sandbox, f"flaky.{kind}") as c:
            await c.send(build(registry.operation("ats/job"), query={"page_size": 1}))
            assert [x.attempt for x in c.exchanges.all()] == [1, 2, 3]

    asyncio.run(main())


def test_a_write_whose_answer_is_lost_is_unknown_and_was_done_once(sandbox: SandboxProcess) -> None:
    async def main() -> None:
        async with client(sandbox, "flaky.lost-answer") as c:
            body = {"record": {"email": "lost@example.org"}}
            with pytest.raises(e.OutcomeUnknown):
                await c.send(build(registry.operation("crm/contact/create"), body=body))
            assert len(c.exchanges.all()) == 1

    asyncio.run(main())


def test_an_answer_that_drips_for_ever_ends_with_the_deadline(sandbox: SandboxProcess) -> None:
    async def main() -> None:
        async with client(sandbox, "slow.drip") as c:
            with pytest.raises(e.DeadlinePassed):
                await c.send(build(registry.operation("ats/job")), deadline=0.5)

    asyncio.run(main())
