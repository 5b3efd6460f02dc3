"""Serves one of the services over HTTP on loopback."""

from __future__ import annotations

from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from tests.exam.frame import Serve, served
from tests.exam.sixth.service import Call, Service


def _handler(service: Service) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def _any(self) -> None:
            parts = urlsplit(self.path)
            text = self.rfile.read(int(self.headers.get("content-length") or 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            query = dict(parse_qsl(parts.query, keep_blank_values=True))
            reply = service.reply(Call(self.command, parts.path, query, headers, text))
            content = reply.data()
            self.send_response(reply.status)
            if reply.type:
                self.send_header("Content-Type", reply.type)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(content)

        do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = do_HEAD = do_OPTIONS = _any

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name it has in the library
            pass

    return Handler


def serving(make: Callable[[], Service]) -> Serve:
    """Starts a fresh service on entering and ends it on leaving."""
    return lambda: served(_handler(make()))
