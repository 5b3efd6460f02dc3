"""Lengths of time: there and back again, as people write them, and what is none."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.api.durations import DurationFault, duration_text, end_of, read_duration

NOW = datetime(2026, 11, 20, 12, 4, tzinfo=UTC)


@given(st.integers(-(10**15), 10**15))
def test_seconds_there_and_back(seconds: int) -> None:
    assert read_duration(duration_text(seconds)) == seconds
    assert read_duration(f"{seconds:,}") == seconds
    assert isinstance(read_duration(str(seconds)), int)


@given(st.decimals(min_value=-(10**6), max_value=10**6, places=3, allow_nan=False))
def test_parts_of_a_second_there_and_back(seconds: Decimal) -> None:
    assert read_duration(duration_text(float(seconds))) == float(seconds)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("30 days", 2_592_000),
        ("1 h 30 min", 5400),
        ("2592000", 2_592_000),
        ("2,592,000 s", 2_592_000),
        ("90m", 5400),
        ("1h30m", 5400),
        ("1.5 h", 5400),
        (".5 min", 30),
        ("1 week, 2 days and 3 hours", 788_400),
        ("1 hr. 5 mins.", 3900),
        (" 1 DAY ", 86_400),
        ("0", 0),
        ("-1 h 30 min", -5400),
        ("−5", -5),
        ("+5", 5),
        ("0.5", 0.5),
        ("1 s 2 d", 172_801),
    ],
)
def test_as_people_write_them(text: str, seconds: float) -> None:
    assert read_duration(text) == seconds


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "No duration is given"),
        ("soon", "soon is not a duration"),
        ("1 fortnight", "fortnight is not a unit"),
        ("1 month", "A month has no fixed length: write 30 days"),
        ("2 y", "A year has no fixed length: write 365 days"),
        ("1 h 30", "A number has no unit"),
        ("5 6 h", "A number has no unit"),
        ("1 h 2 hours", "The unit hours is given twice"),
        ("1,5 h", "A number has no unit|,5 is not a duration"),
        ("1 h -5 min", "Put the sign before the whole"),
        ("1:30", ":30 is not a duration|A number has no unit"),
        ("-", "is not a duration"),
        ("1e5", "e is not a unit"),
        ("9" * 40, "too long"),
        ("x" * 200, "x…|… is not a duration"),
        ("nan", "nan is not a duration"),
        ("1 h and", "and is not a duration"),
    ],
)
def test_what_is_none_is_said(text: str, words: str) -> None:
    with pytest.raises(DurationFault, match=words) as fault:
        read_duration(text)
    assert "\n" not in str(fault.value)
    assert len(str(fault.value)) < 120


@given(st.text(max_size=20))
def test_any_text_is_a_length_or_a_fault(text: str) -> None:
    try:
        seconds = read_duration(text)
    except DurationFault:
        return
    assert isinstance(seconds, int | float)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (2_592_000, "30 days"),
        (2_591_940, "29 days 23 h 59 min"),
        (5400, "1 h 30 min"),
        (86_401, "1 day 1 s"),
        (0, "0 s"),
        (0.25, "0.25 s"),
        (-60, "-1 min"),
        (10**30, f"{10**30 // 86400} days 1 h 46 min 40 s"),
    ],
)
def test_in_words(seconds: float, text: str) -> None:
    assert duration_text(seconds) == text


def test_the_end() -> None:
    assert end_of(2_592_000, NOW) == NOW + timedelta(days=30)
    assert end_of(-1, NOW) == NOW - timedelta(seconds=1)
    for beyond in (1e18, 10**30, float("inf"), float("nan")):
        assert end_of(beyond, NOW) is None
    with pytest.raises(ValueError, match="not a duration"):
        duration_text(float("inf"))
