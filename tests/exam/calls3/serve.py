"""The service on loopback."""

from __future__ import annotations

import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from tests.exam.calls3.answers import Call
from tests.exam.calls3.engine import Engine
from tests.exam.frame import Serve, served


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    engine: Engine
    lock: threading.Lock

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  as the standard library calls it
        pass

    def _any(self) -> None:
        sent = self.rfile.read(int(self.headers.get("content-length") or 0))
        parts = urlsplit(self.path)
        headers = {name.lower(): value for name, value in self.headers.items()}
        query = dict(parse_qsl(parts.query, keep_blank_values=True))
        with self.lock:
            reply = self.engine.answer(Call(self.command, parts.path, query, headers, sent))
        if self.engine.base.seconds:
            threading.Event().wait(self.engine.base.seconds)
        data = reply.data()
        self.send_response(reply.status)
        if reply.kind:
            self.send_header("content-type", reply.kind)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(data) if reply.length is None else reply.length))
        if reply.length is not None:
            self.send_header("connection", "close")
            self.close_connection = True
        self.end_headers()
        self.wfile.write(data)

    do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = _any


def serving(make: Callable[[], Engine]) -> Serve:
    """A way to start it anew."""
    return lambda: served(type("Handler", (_Handler,), {"engine": make(), "lock": threading.Lock()}))
