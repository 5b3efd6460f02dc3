"""The replay as an ASGI application: each request gets its recorded answer, or is told that there is none."""

from __future__ import annotations

import hmac
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from urllib.parse import parse_qsl

from explorer.api.exchange import NOT_RECORDED, REPLAY
from explorer.catalog.interface import Interface
from explorer.loopback import refusal
from explorer.replay.recordings import Asked, Credential, Recording, Reply

STATUS = 501
"""Its status where nothing was recorded: the one that says nothing about a connector."""
_LARGEST_BODY = 8_000_000
_NOT_PASSED_ON = frozenset(
    ("connection", "content-encoding", "content-length", "date", "keep-alive", "transfer-encoding", REPLAY)
)
"""Headers of the recorded connection, and not of the answer."""

Scope = Mapping[str, Any]
Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]


class Replay:
    """Serves one recording to those who have ``key``: other programs of this machine can reach loopback too."""

    def __init__(self, recording: Recording, interface: Interface, key: str) -> None:
        self._recording, self._interface, self._key = recording, interface, key

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        if scope["type"] != "http":
            return
        why = refusal(scope, scope["headers"])
        body = await _body(receive)
        if why:
            reply = _own(403, why)
        elif body is None:
            reply = _own(413, "The body is too large.")
        else:
            reply = self._reply(scope, body)
        headers = [
            (name.encode("latin-1"), value.encode("latin-1", "replace"))
            for name, value in reply.headers
            if name.lower() not in _NOT_PASSED_ON or name == REPLAY
        ]
        headers.append((b"content-length", str(len(reply.body)).encode()))
        await send({"type": "http.response.start", "status": reply.status, "headers": headers})
        await send({"type": "http.response.body", "body": reply.body})

    def _reply(self, scope: Scope, body: bytes) -> Reply:
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        asked = Asked(
            method=scope["method"],
            path=scope["raw_path"].decode("ascii"),
            query=tuple(parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)),
            connection=headers.get(self._interface.connection_header, ""),
            credential=self._credential(headers),
            body=body,
        )
        found = self._recording.reply(asked)
        if found is None:
            return _own(STATUS, f"{asked.words} was not recorded with these parameters and this connection.")
        return Reply(found.status, (*_without_mark(found), (REPLAY, "recorded")), found.body)

    def _credential(self, headers: Mapping[str, str]) -> Credential:
        sent = headers.get(self._interface.key_header)
        if sent is None and (token := headers.get("authorization")) is not None:
            sent = token.removeprefix("Bearer ")
        if sent is None:
            return "none"
        return "right" if hmac.compare_digest(sent.encode(), self._key.encode()) else "wrong"


def _without_mark(reply: Reply) -> tuple[tuple[str, str], ...]:
    return tuple((name, value) for name, value in reply.headers if name.lower() != REPLAY)


def _own(status: int, words: str) -> Reply:
    """An answer of the replay's own."""
    body = json.dumps({"message": words, "code": "NOT_RECORDED" if status == STATUS else "REFUSED"})
    return Reply(status, (("content-type", "application/json"), (REPLAY, NOT_RECORDED)), body.encode())


async def _body(receive: Receive) -> bytes | None:
    """The body of a request; None when it is too large."""
    parts = bytearray()
    while True:
        message = await receive()
        parts += message.get("body", b"")
        if len(parts) > _LARGEST_BODY:
            return None
        if not message.get("more_body", False):
            return bytes(parts)
