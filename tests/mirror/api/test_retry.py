"""When a read goes again: by status, by kind of failure, by Retry-After."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.api import errors as e
from explorer.api.retry import RetryPolicy, retry_after

POLICY = RetryPolicy()
NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("error", "reached", "expected"),
    [
        (e.ServiceRefused("", status=429), False, True),
        (e.ThirdPartyFailed("", status=429), False, True),
        (e.ThirdPartyFailed("", status=503), False, True),
        (e.ThirdPartyFailed("", status=401), False, False),
        (e.ThirdPartyFailed("", status=500), False, True),
        (e.ServiceFailed("", status=500), True, True),
        (e.ServiceFailed("", status=500, detail="Output validation failed"), True, False),
        (e.GatewayFailed("", status=502), False, True),
        (e.GatewayFailed("", status=504), False, True),
        (e.GatewayFailed("", status=404), False, False),
        (e.ServiceFailed("", status=503), False, True),
        (e.ServiceFailed("", status=500), False, False),
        (e.NotSupported("", status=503), False, False),
        (e.ConnectionLost(""), False, True),
        (e.Unreachable(""), False, False),
        (e.Unreachable(""), True, True),
        (e.TlsFailed(""), True, False),
        (e.DeadlinePassed(""), True, False),
        (e.CannotSend(""), True, False),
        (e.OutcomeUnknown(""), True, False),
        (e.TooLarge(""), True, False),
    ],
)
def test_what_may_go_again(error: e.ExplorerError, reached: bool, expected: bool) -> None:
    assert POLICY.may_retry(error, 1, reached=reached) is expected
    assert not POLICY.may_retry(error, POLICY.attempts, reached=reached)


@given(st.integers(1, 40), st.integers())
def test_waits_grow_to_the_cap_and_are_never_below_zero(attempt: int, seed: int) -> None:
    wait = POLICY.wait(attempt, None, random.Random(seed))
    assert wait is not None
    assert 0 <= wait <= min(POLICY.cap, POLICY.base * 2 ** (attempt - 1))


def test_waits_differ() -> None:
    assert len({POLICY.wait(5, None, random.Random(n)) for n in range(20)}) > 10


def test_what_was_asked_for_is_waited_unless_it_is_too_long() -> None:
    assert POLICY.wait(1, 7.0) == 7.0
    assert POLICY.wait(1, POLICY.retry_after_cap) == POLICY.retry_after_cap
    assert POLICY.wait(1, POLICY.retry_after_cap + 1) is None


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2", 2.0),
        (" 0 ", 0.0),
        ("9" * 5000, 604_800.0),
        (format_datetime(NOW + timedelta(seconds=30), usegmt=True), 30.0),
        (format_datetime(NOW - timedelta(seconds=30), usegmt=True), 0.0),
        ("Thu, 01 Jan 2026 00:00:05", 5.0),
        ("-1", None),
        ("1.5", None),
        ("soon", None),
        ("", None),
        ("²", None),
    ],
)
def test_retry_after_in_both_forms(value: str, expected: float | None) -> None:
    assert retry_after([("x", "1"), ("RETRY-after", value)], NOW) == expected


def test_no_header_asks_for_nothing() -> None:
    assert retry_after([]) is None


@given(st.text())
def test_any_text_is_read_or_ignored(value: str) -> None:
    seconds = retry_after([("retry-after", value)], NOW)
    assert seconds is None or seconds >= 0
