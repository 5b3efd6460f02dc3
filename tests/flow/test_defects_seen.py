"""Each defect of the messy connection, one at a time, through the session: no row lost, no crash, and seen somewhere.

What was sent is known from a walk of its own, with another HTTP client and another reader of JSON. "Seen" is found
out and not declared: the walk's stop, its error or a page's note; else what differs from the clean connection in
what a user can look at (rows, pages, log, answer). ``pytest -s`` prints defect by defect where.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from explorer.api.errors import ExplorerError
from explorer.catalog.request import build
from explorer.paths import Folders
from explorer.profiles.profile import Auth, Credential, Profile
from explorer.sandbox.defects import DEFECTS, Defect
from explorer.sandbox.process import SandboxProcess, sandbox_command
from explorer.session import Pull, Session
from tests.builtin import registry
from tests.flow.quality_runs import LONG, SMALL, quick_sandbox

LISTS = {r.key.rpartition("/")[2]: r.key for r in registry.listings()}
LISTED = [d for d in DEFECTS if d.resource in LISTS]
CALLED = [d for d in DEFECTS if d.resource not in LISTS]
CALLS: dict[str, tuple[str, dict[str, Any]]] = {
    "account": (
        "crm/account/batch_read",
        {"body": {"ids": [f"001SB{n:010}AAA" for n in range(1, 11)], "properties": ["Name"]}},
    ),
    "contact": (
        "crm/contact/create",
        {"body": {"record": {"email": "ada+1@example.com", "phone": "+44 1", "first_name": "Ada"}}},
    ),
    "customer_balance": ("accounting/customer-balance", {"query": {"customer": "all"}}),
    "customer_income": ("accounting/customer-income", {"query": {"customer": "1,2,3"}}),
    "payment_receipt": ("accounting/payment-receipt", {"query": {"customer_transaction_id": "1002"}}),
}
BY_PAGE = ("job-false-with-cursor", "job-broken-json")
"""These two show on a page by its number, among pages of the usual size."""
NARROWED = {
    "file-drive-forgotten": "by the records of other drives in the list of one, from its second page on"
}
"""What the whole list does not show, and where it is seen (tests/flow/test_quality_narrowed.py)."""
SEEN: dict[str, str] = {}
"""Filled as the tests run: defect by defect, where it was seen."""


@pytest.fixture(scope="module")
def sandbox() -> Iterator[SandboxProcess]:
    process = SandboxProcess.start(sandbox_command(retry_after=0))
    yield process
    process.stop()


@pytest.fixture(scope="module")
def small() -> Iterator[SandboxProcess]:
    with quick_sandbox(SMALL) as process:
        yield process


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("defects")


@dataclass(frozen=True)
class Ground:
    """A service that has the defect at some row or page, and the home of what is pulled from it."""

    service: SandboxProcess
    home: Path


@pytest.fixture
def ground(sandbox: SandboxProcess, small: SandboxProcess, home: Path, defect: Defect) -> Ground:
    return Ground(sandbox, home / "long") if defect.id in LONG else Ground(small, home / "small")


def query_of(defect: Defect) -> dict[str, Any]:
    """Few pages where the contract has a page size and the defect is none of pages; the mode in which it shows."""
    if "incremental" in defect.id:
        return {"sync_mode": "incremental"}
    if defect.resource not in ("job", "file") or defect.id in BY_PAGE:
        return {}
    return {"page_size": 1000 if defect.slot is not None else 400}


# ---------------------------------------------------------------- what was sent, by other means


def _beyond(text: str, at: int) -> int:
    """Where the next item begins, or the end of the array."""
    found = re.compile(r"[\s,]*").match(text, at)
    return found.end() if found else at


def items_of(body: bytes) -> list[bytes] | None:
    """The text of each item of a page, by Python's own lenient reader; None when the page has none or is cut off."""
    text = body.decode("utf-8-sig", "surrogateescape")
    start = re.search(r'"items"\s*:\s*\[', text)
    if start is None:
        return None
    decoder, at, found = json.JSONDecoder(strict=False), _beyond(text, start.end()), []
    while text[at] != "]":
        try:
            end = decoder.raw_decode(text, at)[1]
        except ValueError:
            return None
        found.append(text[at:end].encode("utf-8", "surrogateescape"))
        at = _beyond(text, end)
    return found


def sent_by(service: SandboxProcess, defect: Defect) -> list[bytes]:
    """Every item up to where the list ends, repeats a cursor or cannot be read, flags left out of account."""
    headers = {"x-apikey": service.apikey, "x-connection-id": f"conn_sandbox_messy.{defect.id}"}
    listing = registry.listing(LISTS[defect.resource])
    rows: list[bytes] = []
    seen: set[str] = set()
    cursor = ""
    with httpx.Client(base_url=service.base_url, headers=headers, trust_env=False) as client:
        while True:
            params = {**query_of(defect), **({"cursor": cursor} if cursor else {})}
            body = client.get(listing.path, params=params).content
            items = items_of(body)
            if items is None:
                return rows
            rows += items
            found = json.loads(body.decode("utf-8-sig"))
            cursor = str(found.get("next_cursor") or found.get("next_page_cursor") or "")
            if not cursor or cursor in seen:
                return rows
            seen.add(cursor)


# ---------------------------------------------------------------- what the session has of it


def run_on(service: SandboxProcess, home: Path, connection: str, work: Any) -> Any:
    async def main() -> Any:
        profile = Profile.sandbox(service.base_url).with_connection(connection)
        credential = Credential(Auth.APIKEY, service.apikey)
        session = await Session.open(profile, credential, Folders.of_user(home))
        try:
            return await work(session)
        finally:
            await session.close()

    return asyncio.run(main())


async def walk(session: Session, defect: Defect) -> dict[str, Any]:
    """A whole pull; what ended it by the flag's word is gone past, as a user may."""
    pull: Pull = session.pull(registry.listing(LISTS[defect.resource]), query_of(defect))
    await pull.load_all()
    ended = pull.state
    if pull.state == "complete" and pull.next_cursor is not None:
        pull.go_past()
        await pull.load_all()
    pages = pull.page_list()
    log = session.exchanges.all()
    return {
        "ended": ended,
        "state": pull.state,
        "error": type(pull.error).__name__ if pull.error else "",
        "notes": [note for page in pages for note in page.notes],
        "rows": pull.window(0, pull.rows),
        "pages": [page.rows for page in pages],
        "headers": [dict(x.response_headers).get("content-type") for x in log],
        "wrappings": [re.sub(rb"\[.*\]", b"[]", x.response_body, flags=re.DOTALL) for x in log],
        "log": b"".join(x.response_body for x in log),
    }


@pytest.fixture(scope="module")
def known() -> dict[str, Any]:
    """What `clean` has walked, by service, list and query."""
    return {}


@pytest.fixture
def clean(ground: Ground, known: dict[str, Any], defect: Defect) -> dict[str, Any]:
    """The same of the clean connection."""
    name = f"{ground.home} {defect.resource} {query_of(defect)}"
    if name not in known:
        known[name] = run_on(ground.service, ground.home, "conn_sandbox_clean", lambda s: walk(s, defect))
    found: dict[str, Any] = known[name]
    return found


def where_seen(found: dict[str, Any], usual: dict[str, Any]) -> str:
    """Where a user meets the defect; empty when nowhere."""
    if found["error"]:
        return f"{'stop' if found['state'] == 'stopped' else 'error'}: {found['error']}"
    if found["notes"]:
        return f"note: {found['notes'][0]}"
    rows = [n for n, pair in enumerate(zip(found["rows"], usual["rows"], strict=False)) if pair[0] != pair[1]]
    if found["pages"] != usual["pages"]:
        return f"visible: pages of {found['pages'][:4]} rows in place of {usual['pages'][:4]}"
    if rows:
        return f"visible: {len(rows)} rows, the first is row {rows[0] + 1}"
    for part in ("headers", "wrappings"):
        if found[part] != usual[part]:
            return f"visible: the log's {part}"
    return ""


@pytest.mark.parametrize("defect", LISTED, ids=[d.id for d in LISTED])
def test_no_row_is_lost_and_the_defect_is_seen(ground: Ground, clean: dict[str, Any], defect: Defect) -> None:
    sent = sent_by(ground.service, defect)
    mine = ground.service, ground.home, f"conn_sandbox_messy.{defect.id}"
    found = run_on(*mine, lambda s: walk(s, defect))
    assert found["state"] in ("complete", "stopped", "failed")
    assert found["rows"] == sent, "every row once for each time it was sent, in order, byte for byte"
    assert sent or found["error"]
    where = where_seen(found, clean) or NARROWED.get(defect.id, "")
    assert where, f"{defect.id} is seen nowhere: {defect.says}"
    SEEN[defect.id] = where
    again = run_on(*mine, kept)
    assert again == sent, "the same after a restart"


async def kept(session: Session) -> list[bytes]:
    """The rows that the store has for the list that was walked last, without a request."""
    [resource] = session.kept() or [""]
    if not resource:
        return []
    pull = session.at_hand(registry.listing(resource))
    assert pull is not None
    assert len(session.exchanges.all()) == 0
    return pull.window(0, pull.rows)


@pytest.mark.parametrize("defect", CALLED, ids=[d.id for d in CALLED])
def test_a_single_answer_comes_as_it_was_sent_and_shows_its_defect(
    sandbox: SandboxProcess, home: Path, defect: Defect
) -> None:
    key, values = CALLS[defect.resource]
    request = build(registry.operation(key), **values)

    async def answered(session: Session) -> tuple[bytes, str]:
        try:
            answer = await session.send(request)
        except ExplorerError as error:
            return b"", type(error).__name__
        return answer.body, answer.content_type

    connection = f"conn_sandbox_messy.{defect.id}"
    body, kind = run_on(sandbox, home, connection, answered)
    usual, usual_kind = run_on(sandbox, home, "conn_sandbox_clean", answered)
    headers = {"x-apikey": sandbox.apikey, "x-connection-id": connection}
    with httpx.Client(base_url=sandbox.base_url, headers=headers, trust_env=False) as http:
        plain = http.request(request.method, request.path, params=list(request.query), content=request.body)
    if defect.resource != "contact":  # each call makes another contact
        assert body == plain.content
    assert body, kind
    if kind != usual_kind:
        SEEN[defect.id] = f"visible: the answer is called {kind}"
    elif defect.resource == "contact":
        assert shape(body) != shape(usual) or email(body) != email(usual)
        SEEN[defect.id] = f"visible: the answer has {shape(body)}, for {email(body)}"
    else:
        assert body != usual
        SEEN[defect.id] = f"visible: the answer's body, {len(body)} bytes"


def email(body: bytes) -> str:
    """The address of the contact in an answer."""
    return str(json.loads(body).get("record", {}).get("email"))


def shape(body: bytes) -> list[str]:
    """The names in an answer, those of its record included."""
    value = json.loads(body)
    return sorted(value) + sorted(f"record.{name}" for name in value.get("record", {}))


def test_the_table_is_whole() -> None:
    """Prints what this process saw: no defect has been left out, and at least 25 break the contract.

    The tests of this file may be spread over processes, so that each fails by itself where it saw nothing.
    """
    print()
    for defect in DEFECTS:
        print(f"{defect.id:32} {SEEN.get(defect.id, '')}")
    assert {d.id for d in (*LISTED, *CALLED)} == {d.id for d in DEFECTS}
    assert all(SEEN.values())
    assert len(DEFECTS) >= 25
