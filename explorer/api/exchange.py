"""One attempt at a call, as an entry of the log. It is redacted before it is made, so all of it may be shown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

State = Literal["waiting", "answered", "failed", "refused", "stopped"]
Verdict = Literal["ok", "caution", "fails", "none"]
Pairs = tuple[tuple[str, str], ...]

REPLAY = "x-replay"
"""The header by which a replay tells recorded answers from `NOT_RECORDED`."""
NOT_RECORDED = "not recorded"
MASKED = "recorded, masked"
"""What that header says of a recorded answer in which something was masked."""


def header_of(headers: Iterable[tuple[str, str]], name: str) -> str:
    """The value of the first header of that name, in any case; empty where there is none."""
    return next((value for each, value in headers if each.lower() == name.lower()), "")


def media_type_of(headers: Iterable[tuple[str, str]]) -> str:
    """The media type in lower case, without parameters; empty where there is none."""
    return header_of(headers, "content-type").partition(";")[0].strip().lower()


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One attempt: a request and its outcome, without secrets. A retry is an exchange of its own."""

    id: int = 0
    """Its number in the log, from 1; 0 before it is added."""
    started_at: datetime
    """In UTC."""
    method: str
    url: str
    path: str
    """Path and query as sent, with secrets masked."""
    request_headers: Pairs = ()
    request_body: bytes | None = None
    request_truncated: bool = False
    """Whether the log has only the beginning of the request's body, or has dropped it."""
    state: State = "waiting"
    status: int | None = None
    reason: str = ""
    """The reason phrase of the status line, as received."""
    response_headers: Pairs = ()
    response_body: bytes = b""
    """The beginning of the body, redacted."""
    body_truncated: bool = False
    """Whether the log has only the beginning of the answer's body, or has dropped it."""
    size: int = 0
    """Bytes of the whole body after decompression."""
    elapsed_ms: float | None = None
    attempt: int = 1
    """Counted from 1."""
    operation: str = ""
    """The catalog's key of the operation; empty for an address outside the catalog."""
    page: int | None = None
    """For a list: the number of the page, from 1."""
    summary: str = ""
    """``100 items``, ``retry in 2 s, attempt 1 of 4``, ``refused: this profile is read only``."""
    connection: str = ""
    """The connection that it was sent for."""
    verdict: Verdict = "none"
    on_purpose: bool = False
    """Whether it was sent to be refused, such as with a wrong key: whatever came says nothing of the connection."""

    @property
    def weight(self) -> int:
        """Roughly the bytes that it takes in memory."""
        pairs = (*self.request_headers, *self.response_headers)
        texts = len(self.url) + len(self.path) + sum(len(a) + len(b) for a, b in pairs)
        return 800 + texts + len(self.request_body or b"") + len(self.response_body)

    @property
    def is_not_recorded(self) -> bool:
        """Whether a replay said that it has no answer to this."""
        return (REPLAY, NOT_RECORDED) in self.response_headers

    @property
    def is_masked(self) -> bool:
        """Whether a replay said that its recording has something masked in this answer."""
        return (REPLAY, MASKED) in self.response_headers

    @property
    def status_words(self) -> str:
        """The status, or a word for why there is none."""
        if self.state == "answered" and self.status is not None:
            return str(self.status)
        if self.state == "waiting":
            return "…" if self.status is None else str(self.status)
        return self.state

    @property
    def searched(self) -> str:
        """The text, in lower case, in which a search in the log looks for words."""
        return " ".join((self.path, self.method, self.status_words, self.summary, self.connection)).lower()

    def bare(self) -> Exchange:
        """The same without its bodies, marked as truncated; itself when it has none."""
        if not self.request_body and not self.response_body:
            return self
        return replace(
            self,
            request_body=None if self.request_body is None else b"",
            request_truncated=self.request_truncated or bool(self.request_body),
            response_body=b"",
            body_truncated=self.body_truncated or bool(self.response_body),
        )
