"""What the replay says of itself over HTTP: its mark, and the headers that belong to another connection."""

from __future__ import annotations

import asyncio

import httpx

from explorer.catalog.builtin.interface import BUILTIN
from explorer.replay.recordings import Asked, Reply
from explorer.replay.service import Replay

KEY = "replay-key"


class Twice:
    """A recording of one answer, whose body was packed when it came."""

    words, connections = "1 call", ()

    def reply(self, asked: Asked) -> Reply | None:
        headers = (
            ("Content-Encoding", "gzip"),
            ("Content-Length", "999"),
            ("x-replay", "not recorded"),
            ("x-a", "1"),
        )
        return Reply(200, headers, b"{}") if asked.path == "/here" else None


async def got(path: str, **headers: str) -> httpx.Response:
    transport = httpx.ASGITransport(Replay(Twice(), BUILTIN, KEY))  # type: ignore[arg-type]
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
