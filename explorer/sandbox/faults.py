"""What goes wrong on the way to `conn_sandbox_flaky` and its variants.

A fault takes the place of the request or spoils its answer; but for `lost-answer` nothing is written by a request
that fails. In the mix a request that is tried again gets through after two failures at the latest.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

KINDS: dict[str, str] = {
    "429": "429 in form B with Retry-After in seconds",
    "429-date": "429 in form B with Retry-After as a date",
    "429-bare": "429 in form B without Retry-After",
    "500": "500 without a body (form D)",
    "500-json": "500 in form B, from the third party",
    "502-html": "502 with a page of HTML, from a gateway",
    "503-json": "503 in form A with Retry-After in seconds",
    "504-html": "504 with a page of HTML, from a gateway",
    "reset": "the connection is reset before an answer",
    "reset-middle": "the connection is reset in the middle of the answer",
    "truncated": "the answer stops short of its Content-Length",
    "drip": "spaces drip for ever in place of the answer",
    "lost-answer": "the request is carried out, and the connection is reset in place of the answer",
}
"""Kind of fault to what it does; each has a connection `conn_sandbox_flaky.<kind>`."""

MIXED = (
    "429",
    "429-date",
    "500",
    "500-json",
    "502-html",
    "503-json",
    "504-html",
    "reset",
    "reset-middle",
    "truncated",
    "slow",
)
"""The kinds that `conn_sandbox_flaky` draws from; `slow` is the right answer in twenty slow pieces."""

MOST_IN_A_ROW = 2
TRIES_KEPT = 10_000


def gateway_page(status: int, words: str) -> str:
    """What a gateway in front of the service answers."""
    return (
        f"<html>\r\n<head><title>{status} {words}</title></head>\r\n<body>\r\n<center><h1>{status} {words}</h1>"
        "</center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n"
    )


def retry_date(seconds: int) -> str:
    """A Retry-After as a date so many seconds from now."""
    return format_datetime(datetime.now(UTC) + timedelta(seconds=seconds), usegmt=True)
