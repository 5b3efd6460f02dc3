"""The test of a profile: which of address, key, connection and third-party credentials was shown to stand."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from explorer.api.guard import effect
from explorer.catalog.request import Request
from explorer.paths import Folders
from explorer.profiles.profile import Auth, Credential, Profile
from explorer.session import Session
from explorer.session import test_profile as probe
from explorer.session.connection_test import MADE_UP, REQUESTS, probes
from tests.builtin import registry
from tests.other_interface import OTHER as PEOPLE
from tests.other_interface import known
from tests.recording import Got, Recording, Reply

CANARY = "canary-3c9a51"
A = b'{"message":"%s","code":"%s","data":{"code":"%s","httpStatus":%d,"path":"ats.listJobs"}}'
BUILTIN = Profile(name="Built in", base_url="https://api.example")
STEPS = ["address", "key", "connection", "third party"]


def run(test: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(asyncio.wait_for(test(), 60))


@pytest.fixture
def server() -> Iterator[Recording]:
    with Recording() as recording:
        yield recording


def result_of(server: Recording, **fields: Any) -> Any:
    """The result of the test of a profile at ``server``."""
    profile = Profile(name="Test", base_url=server.url, **{"connection": "conn_1", **fields})
    return asyncio.run(asyncio.wait_for(probe(profile, Credential(Auth.APIKEY, CANARY)), 60))


def verdicts(result: Any) -> list[str]:
    assert [step.name for step in result.steps] == STEPS
    return [step.verdict for step in result.steps]


def said(result: Any, step: str) -> str:
    return next(f"{s.sentence} {s.advice}" for s in result.steps if s.name == step)


def service(status: int, message: str, code: str) -> Reply:
    return Reply(status, A % (message.encode(), code.encode(), code.encode(), status))


def third(status: int, message: str) -> Reply:
    body = b'{"class":"E","message":"%s","code":"INTERNAL_SERVER_ERROR","data":{}}' % message.encode()
    return Reply(status, body)


def html(status: int) -> Reply:
    return Reply(status, b"<html><title>Welcome</title></html>", (("content-type", "text/html"),))


def early(status: int, detail: str) -> Reply:
    return Reply(status, b'{"error_type":"Error","error_detail":"%s\\n at x"}' % detail.encode())


ROWS = Reply(body=b'{"items":[{"id":"1"}],"has_next_page":false}')
EMPTY = Reply(body=b'{"items":[],"has_next_page":false}')
LACKS = service(501, "no", "NOT_IMPLEMENTED")
OTHER = service(400, "Adapter hubspot not found", "BAD_REQUEST")
FORM = "TRPCError: Authorization Bearer Token is malformed"
MOVED = Reply(301, b"", (("location", "https://elsewhere.example/"),))
MISSING = Reply(404, b"not here", (("content-type", "text/plain"),))
CASES: Sequence[tuple[str, Reply, str, str, str, str]] = (
    ("rows", ROWS, "holds", "holds", "holds", "holds"),
    ("no rows", EMPTY, "holds", "holds", "holds", "caution"),
    ("key refused", service(401, "UNAUTHORIZED", "UNAUTHORIZED"), "holds", "fails", "unknown", "unknown"),
    ("key of a wrong form", early(500, FORM), "holds", "fails", "unknown", "unknown"),
    ("key refused by who knows", Reply(401, b"no", ()), "caution", "fails", "unknown", "unknown"),
    ("unknown connection", service(404, "conn not found: conn_1", "NOT_FOUND"), "holds", "holds", "fails", "unknown"),
    ("another vertical", OTHER, "holds", "holds", "holds", "unknown"),
    ("lacks it", LACKS, "holds", "holds", "holds", "unknown"),
    ("501 of who knows", Reply(501, b'{"error":"no"}'), "fails", "unknown", "unknown", "unknown"),
    ("424", third(424, "Provider Config Error x"), "holds", "holds", "holds", "fails"),
    ("400", third(400, "Provider Config Error x"), "holds", "holds", "holds", "fails"),
    ("third party 401", third(401, "[401 Unauthorized] GET https://x"), "holds", "holds", "holds", "fails"),
    ("third party 403", third(403, "[403 Forbidden] GET https://x"), "holds", "holds", "holds", "fails"),
    ("third party 429", third(429, "[429 Too Many Requests] GET https://x"), "holds", "holds", "holds", "caution"),
    ("third party 500", third(500, "[500 Oops] GET https://x"), "holds", "holds", "holds", "caution"),
    ("output", service(500, "Output validation failed", "INTERNAL_SERVER_ERROR"), "holds", "holds", "holds", "caution"),
    ("own failure", service(500, "Oops", "INTERNAL_SERVER_ERROR"), "holds", "caution", "caution", "unknown"),
    ("crashed", Reply(500, b"", ()), "caution", "fails", "unknown", "unknown"),
    ("early", early(400, "bad key"), "holds", "fails", "unknown", "unknown"),
    ("several match", early(400, "Several connections match"), "holds", "unknown", "fails", "unknown"),
    ("early failure", early(500, "TypeError: x"), "holds", "caution", "unknown", "unknown"),
    ("html", html(200), "fails", "unknown", "unknown", "unknown"),
    ("html 404", html(404), "fails", "unknown", "unknown", "unknown"),
    ("gateway", html(502), "fails", "unknown", "unknown", "unknown"),
    ("404 everywhere", MISSING, "fails", "unknown", "unknown", "unknown"),
    ("route unknown", service(404, "Not found", "NOT_FOUND"), "fails", "unknown", "unknown", "unknown"),
    ("redirect", MOVED, "fails", "unknown", "unknown", "unknown"),
    ("other json", Reply(body=b'{"hello":1}'), "caution", "caution", "caution", "caution"),
    ("no http", Reply(raw=b"220 mail.example ESMTP\r\n"), "fails", "unknown", "unknown", "unknown"),
    ("reset", Reply(reset=True), "fails", "unknown", "unknown", "unknown"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("answer", "expected"), [(c[1], list(c[2:])) for c in CASES], ids=[c[0] for c in CASES]
)
def test_which_of_the_four_stands(server: Recording, answer: Reply, expected: list[str]) -> None:
    server.answer(answer)
    result = result_of(server)
    assert verdicts(result) == expected, result
    assert all(step.sentence for step in result.steps)
    assert CANARY not in repr(result)
    assert result.ok is ("fails" not in expected)
    assert 1 <= len(server.got) <= REQUESTS
    assert all(sent_as_a_read(got) for got in server.got)


def sent_as_a_read(got: Got) -> bool:
    """Whether the guard lets the request pass as one that changes nothing."""
    path, _, _ = got.target.partition("?")
    return effect(BUILTIN, Request(got.method, path, body=got.body or None)) == "read"


def test_every_read_of_the_catalog_is_a_candidate_once_and_no_write() -> None:
    reads = {
        operation.key
        for operation in registry.operations()
        if operation.writes == "never" and not operation.bearer
    }
    found = [one.request.operation.key for one in probes(BUILTIN) if one.request.operation]
    assert sorted(found) == sorted(reads)
    assert len(found) <= REQUESTS
    assert all(effect(BUILTIN, one.request) == "read" for one in probes(BUILTIN))


def test_the_reads_are_those_of_the_profiles_interface(server: Recording) -> None:
    server.replies = [Reply(body=b'{"people":[{"id":"1"}],"after":null}')]
    with known() as there:
        [one] = probes(BUILTIN.changed(interface=PEOPLE.key))
        assert one.operation is there.listing("hr/person")
        result = result_of(server, interface=PEOPLE.key)
    assert verdicts(result) == ["holds", "holds", "holds", "holds"], result
    assert [(got.method, got.target, got.header("x-people")) for got in server.got] == [
        ("GET", "/people", CANARY)
    ]


@pytest.mark.parametrize(
    "key", [one.request.operation.key for one in probes(BUILTIN) if one.request.operation]
)
def test_the_one_thing_that_a_connector_implements_is_found(server: Recording, key: str) -> None:
    """Every other read is answered with 501, and those of other verticals with "Adapter … not found"."""
    wanted = registry.operation(key)
    vertical = wanted.path.split("/")[3]
    made_up: list[str] = []

    def answering(got: Got) -> Reply:
        path, _, query = got.target.partition("?")
        if path != wanted.path:
            return LACKS if path.split("/")[3] == vertical else OTHER
        made_up.append(query + got.body.decode())
        if got.method == "POST":
            return Reply(body=b"[]")
        if query:
            return Reply(body=b'{"reportName":"Balance","entries":[],"startPeriod":"2026-01-01"}')
        return ROWS

    server.answering = answering
    result = result_of(server)
    assert verdicts(result)[:3] == ["holds", "holds", "holds"]
    assert len(made_up) == 1
    assert (MADE_UP in made_up[0]) is bool(made_up[0])
    # A report without a declared shape, and a batch without rows, are answers and no data of a third party.
    bare = wanted.answer is None and not hasattr(wanted, "envelope")
    assert verdicts(result)[3] == ("caution" if bare or wanted.method == "POST" else "holds"), result
    assert wanted.title in said(result, "third party")


def test_what_came_of_one_list_outweighs_what_another_one_said(server: Recording) -> None:
    def answering(got: Got) -> Reply:
        return ROWS if got.target.endswith("/drive") else third(403, "[403 Forbidden] GET https://x")

    server.answering = answering
    assert verdicts(result_of(server)) == ["holds"] * 4


def test_another_vertical_is_asked_once(server: Recording) -> None:
    server.answer(OTHER)
    assert verdicts(result_of(server)) == ["holds", "holds", "holds", "unknown"]
    asked = [got.target.split("?")[0].split("/")[3] for got in server.got]
    assert len(asked) == len(set(asked)) >= 5


def test_nothing_found_is_said_and_is_no_verdict_on_the_third_party(server: Recording) -> None:
    server.answer(LACKS)
    result = result_of(server)
    words = said(result, "third party")
    assert "No read that its connector supports was found" in words
    assert "answers" not in said(result, "connection")
    assert result.sentence == words.split(".")[0] + "."


def test_no_connection_and_no_key_are_told_apart(server: Recording) -> None:
    server.answer(service(400, "Missing x-connection-id header", "BAD_REQUEST"))
    result = result_of(server, connection="")
    assert verdicts(result) == ["holds", "holds", "fails", "unknown"]
    assert result.sentence == "No connection is set."
    server.answer(service(401, "UNAUTHORIZED", "UNAUTHORIZED"))
    profile = Profile(name="x", base_url=server.url)
    without = asyncio.run(probe(profile, None))
    assert without.wrong is not None
    assert (without.wrong.name, without.wrong.sentence) == ("key", "No key is given.")
    assert "accept" not in repr(without)


@pytest.mark.parametrize(
    ("address", "words"),
    [("http://127.0.0.1:9", "refused"), ("http://no-such-host.invalid", "was not found")],
)
def test_an_address_that_leads_nowhere(tmp_path: Path, address: str, words: str) -> None:
    async def test() -> None:
        profile = Profile(name="x", base_url=address, connection="conn_1", proxy="none", http_allowed=address)
        session = await Session.open(profile, Credential(Auth.APIKEY, CANARY), Folders.of_user(tmp_path))
        result = await session.test()
        await session.close()
        assert result.wrong is not None
        assert result.wrong.name == "address"
        assert words in result.sentence

    run(test)


def test_a_silent_service_ends_the_test_within_its_time_and_stop_ends_it_at_once(server: Recording) -> None:
    async def test() -> None:
        server.answer(Reply(silent=True))
        profile = Profile(name="x", base_url=server.url, connection="conn_1")
        result = await probe(profile, Credential(Auth.APIKEY, CANARY), seconds=0.1)
        assert result.wrong is not None
        assert (result.wrong.name, result.ok) == ("address", False)
        task = asyncio.create_task(probe(profile, Credential(Auth.APIKEY, CANARY)))
        for _ in range(2):
            assert await asyncio.to_thread(server.arrived.acquire, timeout=20)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    run(test)


def test_a_third_party_that_keeps_silent_is_no_verdict_on_the_address(server: Recording) -> None:
    server.answer(LACKS, Reply(silent=True))
    profile = Profile(name="x", base_url=server.url, connection="conn_1")
    result = asyncio.run(probe(profile, Credential(Auth.APIKEY, CANARY), seconds=1))
    assert verdicts(result) == ["holds", "holds", "holds", "unknown"]
    assert "within 1 s" in said(result, "third party")
