"""The answer that a fault makes of a request, in the forms that a running service was seen to give (observed)."""

from __future__ import annotations

import http
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

from starlette.responses import JSONResponse, Response

from explorer.faults.kinds import Faults
from explorer.faults.wire import Cut, Drip, Dropped


def service_error(status: int, code: str, message: str, path: str) -> dict[str, Any]:
    """Form A: the service itself refuses. ``path`` is the name of the procedure, such as `ats.listJobs`."""
    return {"message": message, "code": code, "data": {"code": code, "httpStatus": status, "path": path}}


def third_party_error(status: int, method: str, url: str, body: str) -> dict[str, Any]:
    """Form B: the third party failed, and its status is passed on. Its body follows after a line break."""
    message = f"[{status} {http.HTTPStatus(status).phrase}] {method} {url}\n{body}"
    return {"class": "HTTPError", "message": message, "code": "INTERNAL_SERVER_ERROR", "data": {}}


def spoiled(
    kind: str, faults: Faults, method: str, procedure: str, url: str, answer: Callable[[], Response]
) -> Response:
    """What a request meets in place of ``answer``, which is called only where the request is carried out.

    Args:
        kind: what `Faults.kind` chose.
        faults: with the settings of answers that come late.
        method: of the request.
        procedure: its name on the service's side.
        url: the third party's, which is at fault.
        answer: carries the request out.
    """
    if kind in ("429", "429-date", "429-bare"):
        values = {"429": str(faults.retry_after), "429-date": _retry_date(faults.retry_after)}
        headers = {"retry-after": values[kind]} if kind in values else {}
        error = third_party_error(429, method, url, '{"error":"rate limit exceeded"}')
        return JSONResponse(error, 429, headers)
    if kind == "500":
        return Response(status_code=500)
    if kind == "500-json":
        error = third_party_error(500, method, url, '{"error":"internal error","ref":"ab12"}')
        return JSONResponse(error, 500)
    if kind in ("502-html", "504-html"):
        status, words = (502, "Bad Gateway") if kind == "502-html" else (504, "Gateway Time-out")
        return Response(_gateway_page(status, words), status, media_type="text/html")
    if kind == "503-json":
        error = service_error(503, "SERVICE_UNAVAILABLE", "Temporarily out of service", procedure)
        return JSONResponse(error, 503, {"retry-after": str(faults.retry_after)})
    return _broken(kind, faults, method, answer)


def _broken(kind: str, faults: Faults, method: str, answer: Callable[[], Response]) -> Response:
    """Faults below HTTP. Only a read is carried out for the sake of an answer that never arrives whole."""
    if kind == "lost-answer":
        answer()
        return Dropped()
    if kind == "reset":
        return Dropped()
    if kind == "drip":
        return Drip(None, faults.drip_seconds)
    reads = method == "GET"
    if kind == "slow":
        return Drip(answer(), faults.drip_seconds) if reads else answer()
    whole = answer() if reads else JSONResponse({"record": {"id": "never-written"}})
    return Cut(whole, with_reset=kind == "reset-middle")


def _gateway_page(status: int, words: str) -> str:
    """What a gateway in front of the service answers."""
    return (
        f"<html>\r\n<head><title>{status} {words}</title></head>\r\n<body>\r\n<center><h1>{status} {words}</h1>"
        "</center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n"
    )


def _retry_date(seconds: int) -> str:
    """A Retry-After as a date so many seconds from now."""
    return format_datetime(datetime.now(UTC) + timedelta(seconds=seconds), usegmt=True)
