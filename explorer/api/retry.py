"""Which failed requests are retried, and when: reads only, with exponential backoff and jitter, or by Retry-After."""

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
from explorer.api.exchange import header_of

STATUSES = frozenset({429, 502, 503, 504})


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often a read is retried, and after what wait. A write never is."""

    attempts: int = 4
    """The most attempts, the first one included."""
    base: float = 0.5
    """Seconds: the longest first wait, doubled with each further one."""
    cap: float = 30.0
    """Seconds: the longest wait without Retry-After."""
    retry_after_cap: float = 120.0
    """Seconds: when Retry-After asks for more, the failure is shown at once."""

    def may_retry(self, error: ExplorerError, attempt: int, *, reached: bool) -> bool:
        """Whether a read that failed with ``error`` on this ``attempt`` (from 1) is retried.

        Retried are 429, 502, 503 and 504, any 5xx of the third party, and a broken connection. Once a call has
        succeeded (``reached``) also a refused connection and a 500 without a body: before that they mean a wrong
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
        """Seconds before the next attempt: ``retry_after``, else a random time up to the bound ("full jitter").

        None when ``retry_after`` exceeds `retry_after_cap`. ``chance``: the source of randomness, for tests.
        """
        if retry_after is not None:
            return None if retry_after > self.retry_after_cap else retry_after
        bound = min(self.cap, self.base * 2 ** (attempt - 1))
        return (chance or random).uniform(0, bound)


def retry_after(headers: Iterable[tuple[str, str]], now: datetime | None = None) -> float | None:
    """The seconds that a ``Retry-After`` header asks for, as a number or an HTTP date; None without a valid one."""
    value = header_of(headers, "retry-after").strip()
    if value.isascii() and value.isdigit():
        # The number may have any length; more than a week is taken as a week.
        return float(min(int(value[:12]), 604_800))
    try:
        when = parsedate_to_datetime(value)
    except (ValueError, TypeError, OverflowError):
        return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    return max(0.0, (when - (now or datetime.now(UTC))).total_seconds())
