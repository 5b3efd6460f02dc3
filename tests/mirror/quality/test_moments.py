"""Dates in the forms in which they come."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.quality.moments import is_iso, seconds_of

NOON = datetime(2024, 5, 6, 7, 8, 9, 123000, tzinfo=UTC).timestamp()


@pytest.mark.parametrize(
    "value",
    [
        "2024-05-06T07:08:09.123Z",
        "2024-05-06T09:08:09.123+02:00",
        "2024-05-06T07:08:09.123000+0000",
        "2024-05-06T07:08:09,123+00",
        "2024-05-06 07:08:09.123",
        "2024-05-06 07:08:09.123 UTC",
        "1714979289123",
        1714979289123,
        1714979289.123,
        1714979289123000,
    ],
)
def test_one_moment_in_its_forms(value: object) -> None:
    assert seconds_of(value) == pytest.approx(NOON, abs=1e-4)


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("2024-05-06", True),
        ("2024-05-06T07:08Z", True),
        ("2024-05-06T07:08:09", True),
        ("2024-02-30T07:08:09Z", False),
        ("0000-00-00 00:00:00", False),
        ("2024-05-06 07:08:09", False),
        ("31/12/2024 23:59", False),
        ("1714979289123", False),
        ("yesterday", False),
        ("", False),
    ],
)
def test_what_is_iso_8601(text: str, iso: bool) -> None:
    assert is_iso(text) is iso


@pytest.mark.parametrize(
    "value", [None, True, 0, 42, "42", "", "yesterday", "0000-00-00 00:00:00", [], "1" * 50]
)
def test_what_is_no_moment(value: object) -> None:
    assert seconds_of(value) is None


def test_a_day_may_come_first() -> None:
    assert seconds_of("31/12/2024 23:59") == datetime(2024, 12, 31, 23, 59, tzinfo=UTC).timestamp()


@given(st.integers(min_value=0, max_value=7 * 10**15))
def test_iso_is_read_as_python_reads_it(microseconds: int) -> None:
    moment = datetime(1971, 1, 1, tzinfo=UTC) + timedelta(microseconds=microseconds)
    text = moment.isoformat()
    assert is_iso(text)
    assert seconds_of(text) == pytest.approx(moment.timestamp(), abs=1e-5)
