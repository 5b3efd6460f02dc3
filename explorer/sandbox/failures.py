"""Refusals in the forms that a running service was seen to give (observed): A, A with issues, B, C and D.

A is the service itself, B the third party behind it, C a refusal before routing with a stack trace in it, and
D a crash without a body.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from starlette.responses import Response

from explorer.faults.answers import service_error, third_party_error

Json = dict[str, Any]


class Refusal(Exception):
    """Ends a request with a failure. `body` None means none at all, and no content type."""

    def __init__(self, status: int, body: Json | None) -> None:
        super().__init__(status)
        self.status = status
        self.body = body

    def response(self) -> Response:
        if self.body is None:
            return Response(status_code=self.status)
        return as_json(self.body, self.status)


def as_json(value: Any, status: int = 200) -> Response:
    """An answer of JSON in UTF-8; what a caller sent may hold integers of any size and half surrogate pairs."""
    try:
        body = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:
        body = json.dumps(value, separators=(",", ":")).encode()
    return Response(body, status, media_type="application/json")


def refused(
    status: int, code: str, message: str, path: str = "", issues: Sequence[Json] | None = None
) -> Refusal:
    """Form A: the service itself refuses. `path` is the name of the procedure, such as `ats.listJobs`."""
    body = service_error(status, code, message, path)
    if issues is not None:
        body["issues"] = list(issues)
    return Refusal(status, body)


def not_found(message: str, path: str = "") -> Refusal:
    """Form A with 404."""
    return refused(404, "NOT_FOUND", message, path)


def invalid(path: str, issues: Sequence[Json]) -> Refusal:
    """Form A with issues: the input breaks the contract."""
    return refused(400, "BAD_REQUEST", "Input validation failed", path, issues)


def third_party(status: int, method: str, url: str, body: Any) -> Refusal:
    """Form B: the third party failed, and its status is passed on."""
    passed = body if isinstance(body, str) else json.dumps(body, ensure_ascii=False)
    return Refusal(status, third_party_error(status, method, url, passed))


def credentials_revoked(connector: str) -> Refusal:
    """Form B with 424: the third party no longer takes the connection's credentials."""
    message = f"Provider Config Error: the credentials for {connector} were revoked"
    return Refusal(
        424, {"class": "ProviderConfigError", "message": message, "code": "INTERNAL_SERVER_ERROR", "data": {}}
    )


def before_routing(status: int, kind: str, detail: str) -> Refusal:
    """Form C: refused before routing, with a stack trace of many lines as detail."""
    frames = [
        "    at contextFromRequest (/app/server/context.js:41:11)",
        "    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)",
        "    at async createContext (/app/server/handler.js:88:20)",
        "    at async /app/server/handler.js:131:17",
    ]
    return Refusal(status, {"error_type": kind, "error_detail": "\n".join([f"{kind}: {detail}", *frames])})


def crashed() -> Refusal:
    """Form D: no body and no content type."""
    return Refusal(500, None)
