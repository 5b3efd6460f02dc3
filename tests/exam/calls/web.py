"""HTTP on loopback for the services of this exam: requests, answers, and the shapes of a refusal."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any, Protocol
from urllib.parse import parse_qsl, unquote, urlsplit

from tests.exam.frame import served

JSON = "application/json"


@dataclass(frozen=True, slots=True)
class Request:
    """One call as it came."""

    method: str
    parts: tuple[str, ...]
    """The segments of the path, decoded."""
    query: Mapping[str, str]
    headers: Mapping[str, str]
    """Names in lower case."""
    content: bytes

    def body(self) -> dict[str, Any]:
        """The JSON object of the body; an empty body is an empty object."""
        if not self.content:
            return {}
        try:
            value = json.loads(self.content.decode("utf-8"))
        except ValueError:
            raise refused(400, "PARSE_ERROR", "The body is not JSON") from None
        if not isinstance(value, dict):
            raise refused(
                400,
                "BAD_REQUEST",
                "Input validation failed",
                issues=[issue("invalid_type", "Expected object")],
            )
        return value


@dataclass(slots=True)
class Answer:
    """What goes back: JSON in `body`, or bytes of any kind in `content`."""

    body: Any = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    content: bytes | None = None
    kind: str = JSON

    def sent(self) -> bytes:
        if self.content is not None:
            return self.content
        return json.dumps(self.body, ensure_ascii=False).encode("utf-8")


class Refused(Exception):
    """A call that is not carried out."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(f"{answer.status}")
        self.answer = answer


def issue(code: str, message: str, *path: str) -> dict[str, Any]:
    """One line of a list of issues."""
    return {"code": code, "message": message, "path": list(path)}


def refused(
    status: int, code: str, message: str, *, path: str = "", issues: list[dict[str, Any]] | None = None
) -> Refused:
    """The service itself refuses: shape A."""
    data = {"code": code, "httpStatus": status, **({"path": path} if path else {})}
    body = {"message": message, "code": code, "data": data, **({"issues": issues} if issues else {})}
    return Refused(Answer(body, status))


def third_party(status: int, words: str, **headers: str) -> Refused:
    """The third party refused: shape B."""
    body = {"class": "HTTPError", "message": words, "code": "INTERNAL_SERVER_ERROR", "data": {}}
    return Refused(Answer(body, status, {name.replace("_", "-"): value for name, value in headers.items()}))


class Answering(Protocol):
    """Whatever can be served."""

    def answer(self, request: Request) -> Answer: ...


@contextmanager
def serving(make: Callable[[], Answering]) -> Iterator[str]:
    """Serves a fresh service and gives its base address."""
    service = make()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True
        wbufsize = -1

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - its name in the library
            pass

        def handle_any(self) -> None:
            content = self.rfile.read(int(self.headers.get("content-length") or 0))
            url = urlsplit(self.path)
            request = Request(
                self.command,
                tuple(unquote(part) for part in url.path.strip("/").split("/")),
                dict(parse_qsl(url.query, keep_blank_values=True)),
                {name.lower(): value for name, value in self.headers.items()},
                content,
            )
            answer = service.answer(request)
            sent = answer.sent()
            self.send_response(answer.status)
            self.send_header("Content-Type", answer.kind)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(sent)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(sent)

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = do_OPTIONS = handle_any

    with served(Handler) as address:
        yield address
