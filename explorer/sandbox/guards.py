"""What stands before every endpoint: guards against hostile web pages, a bound on bodies, and the log of requests."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any
from urllib.parse import parse_qsl

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from explorer import loopback
from explorer.sandbox.calls import Sandbox
from explorer.sandbox.failures import Refusal, refused

STATE_PATH = "/_sandbox/state"
LARGEST_BODY = 8_000_000
_SHOWN_BODY = 16_000
_LEFT_OUT = "(left out)"


class Guard:
    """Refuses what a web page could send and reads the body, before the application sees a request."""

    def __init__(self, app: ASGIApp, sandbox: Sandbox) -> None:
        self._app = app
        self._sandbox = sandbox

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        headers: list[tuple[bytes, bytes]] = scope["headers"]
        entry: dict[str, Any] = {"status": None}
        try:
            body = await _body(receive)
            self._note(entry, scope, headers, body)
            if why := loopback.refusal(scope, headers):
                raise refused(403, "FORBIDDEN", why)
        except Refusal as refusal:
            entry["status"] = refusal.status
            await refusal.response()(scope, receive, send)
            return
        replayed = False
        # The path as it was sent: a slash that is part of an id arrives as %2F and must not split the path.
        scope = {**scope, "path": scope["raw_path"].decode("ascii")}

        async def again() -> Message:
            nonlocal replayed
            if replayed:
                return await receive()
            replayed = True
            return {"type": "http.request", "body": body, "more_body": False}

        async def watched(message: Message) -> None:
            if message["type"] == "http.response.start":
                entry["status"] = message["status"]
            await send(message)

        await self._app(scope, again, watched)

    def _note(
        self, entry: dict[str, Any], scope: Scope, headers: Iterable[tuple[bytes, bytes]], body: bytes
    ) -> None:
        """Logs a request without the values of its headers, and with credentials left out wherever else they stand."""
        memory = self._sandbox.memory
        if scope["path"] == STATE_PATH:
            return
        memory.request_count += 1
        pairs = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        entry |= {
            "number": memory.request_count,
            "method": scope["method"],
            "path": self._clean(scope["raw_path"].decode("ascii")),
            "query": [[self._clean(name), self._clean(value)] for name, value in pairs],
            "headers": sorted({name.decode("latin-1") for name, _ in headers}),
            "connection": next(
                (
                    self._clean(value.decode("latin-1"))
                    for name, value in headers
                    if name == b"x-connection-id"
                ),
                None,
            ),
            "body": self._clean(body[:_SHOWN_BODY].decode("utf-8", "replace")),
        }
        memory.requests.append(entry)

    def _clean(self, text: str) -> str:
        for secret in (self._sandbox.config.apikey, self._sandbox.config.token):
            if secret:
                text = text.replace(secret, _LEFT_OUT).replace(json.dumps(secret)[1:-1], _LEFT_OUT)
        return text


async def _body(receive: Receive) -> bytes:
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise refused(400, "BAD_REQUEST", "The request ended early")
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > LARGEST_BODY:
            raise refused(413, "PAYLOAD_TOO_LARGE", "The body is too large")
        if not message.get("more_body", False):
            return b"".join(parts)
