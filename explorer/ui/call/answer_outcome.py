"""The outcome of one call, as `AnswerView` shows it: badge, figures, body, and what to hide of it."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import Literal
from urllib.parse import urlsplit

from explorer import words
from explorer.api.answer import Answer
from explorer.api.errors import AnswerError, ExplorerError, OutcomeUnknown, Refused, SignInPage, Stopped
from explorer.api.exchange import Exchange, media_type_of
from explorer.api.redact import MASK, Redactor
from explorer.catalog.spec import Operation
from explorer.jsontext.read import read_or_none

Badge = Literal["holds", "caution", "fails", "info", "plain"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """One answer or failure. ``body`` is as received; ``masked`` is shown until the user wants to see secrets."""

    operation: Operation
    badge: Badge
    status: str
    """``200 OK``, ``Refused``, ``Outcome unknown``, ``Sign-in page``."""
    figures: str
    """``212 ms · 1.4 kB``."""
    body: bytes
    masked: bytes
    content_type: str
    answered: bool
    """The service answered, with a body or without."""
    cut: bool = False
    """The log kept only the beginning of the body."""
    link: str = ""
    """The link in the answer, where the operation answers with one: who has it needs no key."""

    @property
    def hides(self) -> bool:
        """Whether something in the body is masked at first."""
        return self.body != self.masked

    @property
    def is_bytes(self) -> bool:
        """Whether the body is not text but, say, a PDF, an image or an archive."""
        if self.body[:5] == b"%PDF-" or b"\0" in self.body[:4096]:
            return True
        kind = self.content_type
        return kind.startswith(("image/", "audio/", "video/", "font/")) or kind in _BINARY


_BINARY = frozenset({"application/pdf", "application/zip", "application/gzip", "application/octet-stream"})


def of_answer(operation: Operation, answer: Answer) -> Outcome:
    """The outcome of a call that was answered with 2xx."""
    link = is_link(operation)
    masked = (
        answer.body
        if not answer.body
        else Redactor(()).data(answer.body, frozenset({"url"}) if link else frozenset())
    )
    figures = f"{words.duration(answer.elapsed_ms)} · {words.size(len(answer.body))}"
    if answer.connection:
        figures += f" · {answer.connection}"
    return Outcome(
        operation,
        "holds",
        named(answer.status),
        figures,
        answer.body,
        masked,
        answer.content_type,
        answered=True,
        link=_link_in(answer.body) if link else "",
    )


def of_failure(operation: Operation, error: ExplorerError, exchange: Exchange | None) -> Outcome:
    """The outcome of a call that failed, with the body that the log has of it, if there was one."""
    body = exchange.response_body if exchange is not None else b""
    answered = exchange is not None and exchange.status is not None
    figures = []
    if exchange is not None and exchange.elapsed_ms is not None:
        figures.append(words.duration(exchange.elapsed_ms))
    if exchange is not None and answered:
        figures.append(words.size(exchange.size))
    status = getattr(error, "status", exchange.status if exchange else None)
    return Outcome(
        operation,
        "caution" if isinstance(error, Refused | OutcomeUnknown | Stopped) else "fails",
        named(status) if isinstance(status, int) and not isinstance(error, SignInPage) else _word(error),
        " · ".join(figures),
        body,
        body,  # what is in the log is masked already
        media_type_of(exchange.response_headers) if exchange is not None else "",
        answered=answered,
        cut=exchange.body_truncated if exchange is not None else False,
    )


def named(status: int) -> str:
    """``404 Not Found``; only the number for a status without a standard name."""
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)


def is_link(operation: Operation) -> bool:
    """Whether the answer is a link that is a credential by itself (contract 2.13)."""
    model = operation.answer
    return model is not None and operation.number == 17 and "url" in model.model_fields


def _link_in(body: bytes) -> str:
    value = read_or_none(body)
    url = value.get("url") if isinstance(value, dict) else None
    return url if isinstance(url, str) else ""


def masked_link(url: str) -> str:
    """A link of which only host and port are visible, and the parts of the path that cannot be a token."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        return MASK
    if not host:
        return MASK
    # A part of the path that is as long as a key may be one, whatever the service calls it.
    bare = all(len(step) <= _LONGEST_STEP for step in parts.path.split("/"))
    shown = f"[{host}]" if ":" in host else host
    origin = f"{parts.scheme}://{shown}{f':{port}' if port is not None else ''}"
    return f"{origin}{parts.path}?{MASK}" if bare else f"{origin}/{MASK}"


_LONGEST_STEP = 24
_WORDS = (
    (Refused, "Refused"),
    (OutcomeUnknown, "Outcome unknown"),
    (SignInPage, "Sign-in page"),
    (Stopped, "Stopped"),
    (AnswerError, "Failed"),
)
"""The word for a failure, by its class; the first that fits counts."""


def _word(error: ExplorerError) -> str:
    return next((word for kind, word in _WORDS if isinstance(error, kind)), "No answer")
