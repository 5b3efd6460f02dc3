"""The replay as an ASGI application: each request gets its recorded answer, or is told that there is none."""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any
from urllib.parse import parse_qsl

from starlette.responses import JSONResponse, Response

from explorer.api.exchange import MASKED, NOT_RECORDED, REPLAY
from explorer.catalog.interface import Interface
from explorer.faults.answers import spoiled
from explorer.faults.kinds import SEED, Faults
from explorer.loopback import refusal, request_body
from explorer.replay.recordings import Asked, Credential, Recording

STATUS = 501
"""Its status where nothing was recorded: the one that says nothing about a connector."""
_NOT_PASSED_ON = frozenset(
    ("connection", "content-encoding", "content-length", "date", "keep-alive", "transfer-encoding", REPLAY)
)
"""Headers of the recorded connection, and not of the answer."""

_FAULT = "fault"
"""The mark of an answer that a fault made."""
_DELIVERED_LATER = ("truncated", "reset-middle")
"""Kinds after which the next try gets the very answer that was cut off, as if it had arrived."""
_THIRD_PARTY = "https://api.third-party.example/v1/list"

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


class Replay:
    """Serves one recording to those who have ``key``: other programs of this machine can reach loopback too."""

    def __init__(
        self, recording: Recording, interface: Interface, key: str, fault: str = "", seed: int = SEED
    ) -> None:
        """``fault``: the kind that is laid over requests with the right key (`Faults.kind`); empty for none."""
        self._recording, self._interface, self._key = recording, interface, key
        self._fault, self._faults, self._number = fault, Faults(seed), 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        if scope["type"] != "http":
            return
        why = refusal(scope, scope["headers"])
        body = await request_body(receive)
        if why:
            response = _own(403, "REFUSED", why)
        elif body is None:
            response = _own(413, "REFUSED", "The body is too large.")
        else:
            response = self._response(self._asked(scope, body))
        await response(scope, receive, send)

    def _response(self, asked: Asked) -> Response:
        """The recorded answer, or what the fault makes of the request."""
        if not self._fault or asked.credential != "right":
            return self._recorded(asked)
        self._number += 1
        target = f"{asked.connection} {asked.words} {asked.query}"
        kind = self._faults.kind(self._fault, target, self._number)
        if kind is None:
            return self._recorded(asked)
        again = kind in _DELIVERED_LATER
        response = spoiled(
            kind, self._faults, asked.method, asked.path, _THIRD_PARTY, lambda: self._recorded(asked, again)
        )
        response.headers.setdefault(REPLAY, _FAULT)
        return response

    def _recorded(self, asked: Asked, again: bool = False) -> Response:
        """The recorded answer, or that there is none. ``again``: as in `Recording.reply`."""
        found = self._recording.reply(asked, again)
        if found is None:
            words = f"{asked.words} was not recorded with these parameters and this connection."
            return _own(STATUS, "NOT_RECORDED", words)
        response = Response(found.body, found.status)
        response.raw_headers += [
            (name.encode("latin-1"), value.encode("latin-1", "replace"))
            for name, value in found.headers
            if name.lower() not in _NOT_PASSED_ON
        ]
        response.headers[REPLAY] = MASKED if found.masked else "recorded"
        return response

    def _asked(self, scope: Scope, body: bytes) -> Asked:
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        return Asked(
            method=scope["method"],
            path=scope["raw_path"].decode("ascii"),
            query=tuple(parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)),
            connection=headers.get(self._interface.connection_header, ""),
            credential=self._credential(headers),
            body=body,
        )

    def _credential(self, headers: Mapping[str, str]) -> Credential:
        sent = headers.get(self._interface.key_header)
        if sent is None and (token := headers.get("authorization")) is not None:
            sent = token.removeprefix("Bearer ")
        if sent is None:
            return "none"
        return "right" if hmac.compare_digest(sent.encode(), self._key.encode()) else "wrong"


def _own(status: int, code: str, words: str) -> Response:
    """An answer of the replay's own."""
    return JSONResponse({"message": words, "code": code}, status, {REPLAY: NOT_RECORDED})
