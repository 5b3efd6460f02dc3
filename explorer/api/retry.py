"""What may be sent again, and when: reads only, with growing random waits, and what Retry-After asks for."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from explorer.api.errors import (
    AnswerError,
    ConnectionLost,
    ExplorerError,
    NotSupported,
    ServiceFailed,
    ThirdPartyFailed,
    Unreachable,
)

STATUSES = frozenset({429, 502, 503, 504})


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often and after what wait a read is sent again. A write never is."""

    attempts: int = 4
    """In all, the first one included."""
    base: float = 0.5
    """Seconds: the bound of the first wait, doubled with each further one."""
    cap: float = 30.0
    """Seconds: no wait of our own choice is longer."""
    retry_after_cap: float = 120.0
    """Seconds: a longer Retry-After is not waited for; the failure is shown at once."""

    def may_retry(self, error: ExplorerError, attempt: int, *, reached: bool) -> bool:
        """Whether a read that failed so on this ``attempt`` (from 1) may go again.

        429, 502, 503 and 504 may, and any 5xx of the third party; so may a connection that broke. Once a call has
        succeeded (``reached``) so may a refused connection and a 500 without a body: at first they mean a wrong
        address, or a key or connection id that the service cannot read (observed).
        """
        if attempt >= self.attempts:
            return False
        if isinstance(error, AnswerError):
            if isinstance(error, NotSupported):
                return False
            crashed = isinstance(error, ServiceFailed) and error.status == 500 and not error.detail
            third = isinstance(error, ThirdPartyFailed) and error.status >= 500
            return error.status in STATUSES or third or (crashed and reached)
        return isinstance(error, ConnectionLost) or (isinstance(error, Unreachable) and reached)

    def wait(
        self, attempt: int, retry_after: float | None, chance: random.Random | None = None
    ) -> float | None:
        """Seconds before the next attempt: what was asked for, else anything up to the bound ("full jitter").

        None when the service asks for more than `retry_after_cap`.
        """
        if retry_after is not None:
            return None if retry_after > self.retry_after_cap else retry_after
        bound = min(self.cap, self.base * 2 ** (attempt - 1))
        return (chance or random).uniform(0, bound)


@dataclass(frozen=True, slots=True)
class Wait:
    """A wait between two attempts, for whoever counts it down."""

    exchange: int
    """The attempt that failed."""
    seconds: float
    until: datetime
    """UTC."""
    attempt: int
    """The one that failed, counted from 1."""
    attempts: int
    reason: str
    """Why the attempt failed, in a sentence."""


def retry_after(headers: Iterable[tuple[str, str]], now: datetime | None = None) -> float | None:
    """Seconds that a ``Retry-After`` header asks for, given as seconds or as an HTTP date; None without one."""
    value = next((v.strip() for n, v in headers if n.lower() == "retry-after"), "")
    if value.isascii() and value.isdigit():
        # A number of any length: beyond a week it means never.
        return float(min(int(value[:12]), 604_800))
    try:
        when = parsedate_to_datetime(value)
    except (ValueError, TypeError, OverflowError):
        return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    return max(0.0, (when - (now or datetime.now(UTC))).total_seconds())
