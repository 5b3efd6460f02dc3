"""Dates in the forms in which they come."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.quality.values.moments import is_iso, seconds_of

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
        "2024-05-06 07:08:09.123+00",
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
        ("1902-03-04T05:06:07-14:00", True),
        ("0001-01-01T00:00:00+14:00", True),
        ("2016-12-31T23:59:60Z", True),
        ("2017-01-01T05:29:60+05:30", True),
        ("2016-12-31T23:58:60Z", False),
        ("2016-12-31T23:59:61Z", False),
        ("2024-01-01T24:00:00Z", True),
        ("2024-01-01T24:00:01Z", False),
        ("2024-01-01T25:00:00Z", False),
        ("2024-01-01T00:60:00Z", False),
        ("2024-01-01T00:00:00+24:00", False),
        ("20240506T070809Z", True),
        ("20240506T0708+0200", True),
        ("20240230T070809Z", False),
        ("20240506", False),
        ("20241306", False),
        ("2024-127T07:08:09Z", True),
        ("2024-366", True),
        ("2023-366", False),
        ("2024-000", False),
        ("2024-W19-1T07:08:09Z", True),
        ("2024-W19", True),
        ("2024-W53-1", False),
        ("2024-05", True),
        ("2024-13", False),
        ("2024-05-06t07:08:09z", False),
        ("２０２４-05-06", False),
        (" 2024-05-06", False),
    ],
)
def test_what_is_iso_8601(text: str, iso: bool) -> None:
    assert is_iso(text) is iso


@pytest.mark.parametrize(
    "value", [None, True, 0, 42, "42", "", "yesterday", "0000-00-00 00:00:00", [], "1" * 50]
)
def test_what_is_no_moment(value: object) -> None:
    assert seconds_of(value) is None


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"),
        ("2024-01-01T24:00:00Z", "2024-01-02T00:00:00Z"),
        ("20240506T090809+0200", "2024-05-06T07:08:09Z"),
        ("2024-W19-1", "2024-05-06"),
        ("2024-127", "2024-05-06"),
        ("1969-12-31T23:00:00-01:00", "1970-01-01T00:00:00Z"),
    ],
)
def test_one_moment_in_several_forms_of_iso_8601(text: str, other: str) -> None:
    assert seconds_of(text) == seconds_of(other) is not None


@pytest.mark.parametrize("value", [10**400, -(10**400), float("inf"), float("-inf"), float("nan"), 10**4000])
def test_numbers_beyond_all_measure_are_no_moment(value: object) -> None:
    assert seconds_of(value) is None


def test_a_day_may_come_first() -> None:
    assert seconds_of("31/12/2024 23:59") == datetime(2024, 12, 31, 23, 59, tzinfo=UTC).timestamp()


@given(st.integers(min_value=0, max_value=7 * 10**15), st.integers(-14 * 60, 14 * 60))
def test_iso_is_read_as_python_reads_it(microseconds: int, minutes: int) -> None:
    moment = datetime(1871, 1, 1, tzinfo=UTC) + timedelta(microseconds=microseconds)
    text = moment.astimezone(timezone(timedelta(minutes=minutes))).isoformat()
    assert is_iso(text)
    assert seconds_of(text) == pytest.approx(moment.timestamp(), abs=1e-5)
