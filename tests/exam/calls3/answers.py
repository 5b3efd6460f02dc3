"""Requests and answers, and the shape of a refusal."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from tests.exam.calls3.data import Row


@dataclass(slots=True)
class Reply:
    """An answer, up to the bytes."""

    body: Any = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    kind: str = "application/json"
    raw: bytes | None = None
    """Sent as it is, instead of the body."""
    length: int | None = None
    """Stated instead of the true one."""

    def data(self) -> bytes:
        return json.dumps(self.body, ensure_ascii=False).encode() if self.raw is None else self.raw


@dataclass(slots=True)
class Call:
    """A request."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: bytes = b""
    key: str = ""
    act: str = ""
    of: str = ""
    """The id in the path."""
    sent: Any = None

    @property
    def unified(self) -> bool:
        return self.path.startswith("/v0/unified/")


@dataclass(slots=True)
class Cut:
    """One page as it is cut out of the rows of a list."""

    rows: list[Row]
    start: int
    size: int
    items: list[Row]
    onward: int | None
    """Number of the row that the next page begins with."""


class RefusedError(Exception):
    """The call ends with this answer."""

    def __init__(self, status: int, message: str, issues: list[Row] | None = None) -> None:
        super().__init__(message)
        self.status, self.message, self.issues = status, message, issues


def error(status: int, message: str, path: str = "", issues: list[Row] | None = None) -> Reply:
    """Shape A."""
    names = {401: "UNAUTHORIZED", 501: "NOT_IMPLEMENTED", 500: "INTERNAL_SERVER_ERROR"}
    code = names.get(status) or HTTPStatus(status).name
    body: Row = {"message": message, "code": code, "data": {"code": code, "httpStatus": status, "path": path}}
    return Reply(body | ({"issues": issues} if issues else {}), status)


def wrong(*path: str, message: str = "Invalid input") -> RefusedError:
    """A refusal for what stands at that place of the input."""
    issue = {"code": "invalid_type", "message": message, "path": list(path)}
    return RefusedError(400, "Input validation failed", [issue])
