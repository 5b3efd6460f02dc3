"""Amounts and times as they are said."""

from datetime import UTC, datetime, timedelta

import pytest

from explorer import words


@pytest.mark.parametrize(
    ("octets", "said"),
    [
        (0, "0 bytes"),
        (1, "1 byte"),
        (200, "0.2 kB"),
        (148_000, "148 kB"),
        (40_000_000, "40.0 MB"),
        (3e9, "3.0 GB"),
    ],
)
def test_sizes(octets: int, said: str) -> None:
    assert words.size(int(octets)) == said


@pytest.mark.parametrize(
    ("ms", "said"), [(0.4, "0 ms"), (128, "128 ms"), (2400, "2.4 s"), (200_000, "3 min 20 s")]
)
def test_durations(ms: float, said: str) -> None:
    assert words.duration(ms) == said


@pytest.mark.parametrize(
    ("away", "said"),
    [
        (timedelta(hours=-3), "3 hours ago"),
        (timedelta(days=2), "in 2 days"),
        (timedelta(), "now"),
        (timedelta(days=-800), "2 years ago"),
        (timedelta(seconds=-61), "1 minute ago"),
    ],
)
def test_relative(away: timedelta, said: str) -> None:
    now = datetime(2026, 11, 20, tzinfo=UTC)
    assert words.relative(now + away, now) == said


def test_counts() -> None:
    assert words.count(1200) == "1,200"
    assert words.count(1, "row") == "1 row"
    assert words.count(2, "entry", "entries") == "2 entries"


def test_media_types_are_said_in_words_where_they_are_known() -> None:
    said = {"application/pdf": "PDF document", "image/png": "PNG image", "text/csv": "CSV table"}
    assert {one: words.media_type(one) for one in said} == said
    for one in ("application/x-own", "image/", "image/svg+xml", "image/PNG", "", "pdf", "image/<b>"):
        assert words.media_type(one) == one
    known = [words.media_type(one) for one in words._MEDIA]
    assert len(set(known)) == len(known), "two types that read the same could not be told apart"
