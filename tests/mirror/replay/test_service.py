"""What the replay says of itself over HTTP: its mark, and the headers that belong to another connection."""

from __future__ import annotations

import asyncio
from collections.abc import MutableMapping
from typing import Any

import httpx
import pytest

from explorer.catalog.interfaces import BUILTIN
from explorer.faults.kinds import KINDS
from explorer.replay.recordings import Asked, Reply
from explorer.replay.service import Replay

KEY = "replay-key"


class Twice:
    """A recording of one answer, whose body was packed when it came."""

    words, connections = "1 call", ()

    def reply(self, asked: Asked, again: bool = False) -> Reply | None:
        headers = (
            ("Content-Encoding", "gzip"),
            ("Content-Length", "999"),
            ("x-replay", "not recorded"),
            ("x-a", "1"),
        )
        return Reply(200, headers, b"{}") if asked.path == "/here" else None


async def got(path: str, **headers: str) -> httpx.Response:
    transport = httpx.ASGITransport(Replay(Twice(), BUILTIN, KEY))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8080") as client:
        return await client.get(path, headers=headers)


def test_an_answer_has_its_own_length_and_is_marked_once() -> None:
    answer = asyncio.run(got("/here"))
    assert (answer.status_code, answer.content) == (200, b"{}")
    assert answer.headers.get_list("x-replay") == ["recorded"]
    assert answer.headers["content-length"] == "2"
    assert "content-encoding" not in answer.headers
    assert answer.headers["x-a"] == "1"


def test_what_is_not_there_is_said_to_be_not_recorded() -> None:
    answer = asyncio.run(got("/there"))
    assert answer.status_code == 501
    assert answer.headers["x-replay"] == "not recorded"
    assert answer.json() == {
        "message": "GET /there was not recorded with these parameters and this connection.",
        "code": "NOT_RECORDED",
    }


class Counted:
    """A recording of three different answers to the same request."""

    words, connections = "3 calls", ()

    def __init__(self) -> None:
        self._given = 0

    def reply(self, asked: Asked, again: bool = False) -> Reply:
        self._given += not again
        return Reply(200, (), b'{"answer": %d}' % (self._given + again))


@pytest.mark.parametrize("kind", sorted(KINDS.keys() - {"reset", "reset-middle", "drip", "lost-answer"}))
def test_behind_a_fault_come_the_recorded_answers_in_their_order(kind: str) -> None:
    app = Replay(Counted(), BUILTIN, KEY, kind)
    met = [asyncio.run(sent(app, KEY)) for _ in range(5)]
    for _, headers, body in met[:2]:
        assert headers["x-replay"] == ("recorded" if kind == "truncated" else "fault")
        assert body != b'{"answer": 1}'
    assert [body for _, _, body in met[2:]] == [b'{"answer": %d}' % number for number in (1, 2, 3)]
    assert {headers["x-replay"] for _, headers, _ in met[2:]} == {"recorded"}


def test_a_wrong_key_meets_what_was_recorded_and_no_fault() -> None:
    app = Replay(Counted(), BUILTIN, KEY, "500")
    assert asyncio.run(sent(app, "another"))[0] == 200
    assert asyncio.run(sent(app, KEY))[0] == 500


async def sent(app: Replay, key: str) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and as much of the body as arrives, without a client that objects to a short one."""
    scope: dict[str, Any] = {
        "type": "http",
        "method": "GET",
        "raw_path": b"/here",
        "query_string": b"",
        "headers": [(b"host", b"127.0.0.1:8080"), (b"x-apikey", key.encode())],
        "server": ("127.0.0.1", 8080),
    }
    messages: list[MutableMapping[str, Any]] = []

    async def send(message: MutableMapping[str, Any]) -> None:
        messages.append(message)

    async def receive() -> MutableMapping[str, Any]:
        return {"type": "http.request", "body": b""}

    await app(scope, receive, send)
    head, *rest = messages
    headers = {name.decode(): value.decode() for name, value in head["headers"]}
    return head["status"], headers, b"".join(message["body"] for message in rest)
