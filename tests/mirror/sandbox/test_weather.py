"""The flaky and the slow connections, over real sockets."""

from __future__ import annotations

import contextlib
import json
import re
from collections import Counter
from collections.abc import Callable
from email.utils import parsedate_to_datetime

import httpx
import pytest

from explorer.faults.kinds import KINDS
from explorer.sandbox.process import SandboxProcess, sandbox_command

Connect = Callable[[str], httpx.Client]

JOB = "/v0/unified/ats/job"
CONTACT = "/v0/unified/crm/contact"


def outcome(client: httpx.Client, path: str = JOB, **params: str) -> str:
    """What becomes of a request, in a word."""
    try:
        answer = client.get(path, params=params or None)
    except httpx.ReadError:
        return "reset"
    except httpx.RemoteProtocolError as error:
        return "truncated" if re.search(r"received [1-9]\d+ bytes", str(error)) else "closed"
    kind = answer.headers.get("content-type", "").partition(";")[0]
    return f"{answer.status_code} {kind}".strip()


EXPECTED = {
    "429": "429 application/json",
    "429-date": "429 application/json",
    "429-bare": "429 application/json",
    "500": "500",
    "500-json": "500 application/json",
    "502-html": "502 text/html",
    "503-json": "503 application/json",
    "504-html": "504 text/html",
    "reset": "reset",
    "reset-middle": "reset",
    "truncated": "truncated",
    "lost-answer": "reset",
}


def test_each_kind_is_tested() -> None:
    assert EXPECTED.keys() | {"drip"} == KINDS.keys()


@pytest.mark.parametrize("kind", sorted(EXPECTED))
def test_a_kind_of_fault_meets_the_first_two_tries_of_each_cursor(connect: Connect, kind: str) -> None:
    client = connect(f"flaky.{kind}")
    assert [outcome(client) for _ in range(4)] == [EXPECTED[kind]] * 2 + ["200 application/json"] * 2
    cursor = client.get(JOB).json()["next_cursor"]
    found = [outcome(client, cursor=cursor) for _ in range(3)]
    assert found == [EXPECTED[kind]] * 2 + ["200 application/json"]


def test_retry_after_in_its_forms(connect: Connect) -> None:
    drives = "/v0/unified/file-storage/drive"
    assert connect("flaky.429").get(drives).headers["retry-after"] == "0"
    assert parsedate_to_datetime(connect("flaky.429-date").get(drives).headers["retry-after"]).tzinfo
    assert "retry-after" not in connect("flaky.429-bare").get(drives).headers


def test_a_drip_goes_on_until_the_client_leaves(connect: Connect) -> None:
    for name, path in (("flaky.drip", JOB), ("slow.drip", JOB), ("slow.drip", CONTACT)):
        method = "POST" if path == CONTACT else "GET"
        with connect(name).stream(method, path) as answer:
            received = 0
            for piece in answer.iter_raw():
                received += len(piece)
                if received >= 25:
                    break
        assert received >= 25
        assert "content-length" not in answer.headers


def test_a_client_that_tries_reads_again_gets_every_record_once(connect: Connect) -> None:
    client = connect("flaky")
    outcomes: Counter[str] = Counter()
    # Which faults a walk meets follows from how many requests the sandbox has had: three walks meet several kinds.
    for _ in range(3):
        seen = _walked(client, outcomes)
        assert len(seen) == len(set(seen)) == 1204
    assert len(outcomes) > 4
    assert outcomes["200"] >= 3 * 31


def _walked(client: httpx.Client, outcomes: Counter[str]) -> list[str]:
    """The ids of a whole walk, each page tried three times."""
    seen: list[str] = []
    cursor = ""
    while True:
        for _ in range(3):
            try:
                answer = client.get(JOB, params={"page_size": "40", "cursor": cursor})
                page = json.loads(answer.content) if answer.status_code == 200 else None
            except (httpx.TransportError, ValueError) as error:
                outcomes[type(error).__name__] += 1
                continue
            outcomes[str(answer.status_code)] += 1
            if page is not None:
                break
        else:
            pytest.fail(f"three tries in a row failed: {outcomes}")
        seen += [row["id"] for row in page["items"]]
        cursor = page["next_cursor"]
        if not cursor:
            return seen


def test_a_write_that_fails_writes_nothing_but_a_lost_answer_does(connect: Connect) -> None:
    for kind in ("502-html", "reset", "reset-middle", "truncated", "lost-answer"):
        client = connect(f"flaky.{kind}")
        with contextlib.suppress(httpx.TransportError):
            client.post(CONTACT, json={"record": {"first_name": f"Only {kind}"}})
        state = client.get("/_sandbox/state").json()["contacts"].get(f"conn_sandbox_flaky.{kind}", {})
        assert (f"Only {kind}" in str(state)) == (kind == "lost-answer"), kind


def test_every_vertical_works_on_the_suites(connect: Connect) -> None:
    paths = (
        JOB,
        "/v0/unified/file-storage/file",
        "/v0/unified/file-storage/drive",
        "/v0/unified/sales-engagement/mailbox",
        "/v0/unified/sales-engagement/sequence_state",
        "/v0/unified/accounting/customer-balance?customer=1",
        "/v0/unified/accounting/payment-receipt?customer_transaction_id=1001",
    )
    for name in ("clean", "slow", "messy", "large"):
        assert [outcome(connect(name), path) for path in paths] == ["200 application/json"] * len(paths), name
    for path in paths:
        assert "200 application/json" in {outcome(connect("flaky"), path) for _ in range(3)}


def test_the_slow_connection_takes_its_time() -> None:
    slow = SandboxProcess.start(sandbox_command(slow_seconds=30))
    try:
        headers = {"x-apikey": slow.apikey, "x-connection-id": "conn_sandbox_slow"}
        with pytest.raises(httpx.ReadTimeout):
            httpx.get(
                slow.base_url + JOB, headers=headers, trust_env=False, timeout=httpx.Timeout(20, read=0.3)
            )
    finally:
        slow.stop()
