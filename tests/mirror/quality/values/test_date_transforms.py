"""Dates as their clock shows them, beside the zone that they say."""

from datetime import datetime, timedelta

import pytest

from explorer.quality.values.date_transforms import date_readings


@pytest.mark.parametrize(
    ("value", "hour", "ahead"),
    [
        ("2024-05-06T07:08:09.123Z", 7, 0),
        ("2024-05-06 07:08:09 UTC", 7, 0),
        ("2024-05-06T09:08:09+02:00", 9, 2),
        ("2024-05-06T09:08:09+0200", 9, 2),
        ("Mon, 06 May 2024 07:08:09 GMT", 7, 0),
        ("2024-05-06T07:08", 7, None),
        (1714979289, 7, 0),
        ("1714979289123", 7, 0),
    ],
)
def test_a_date_keeps_its_clock_and_its_zone(value: object, hour: int, ahead: int | None) -> None:
    (when,) = date_readings(value)
    assert (when.wall.day, when.wall.hour, when.wall.minute) == (6, hour, 8)
    assert when.ahead == (None if ahead is None else timedelta(hours=ahead))


def test_a_slashed_date_may_have_two_readings() -> None:
    assert [one.wall for one in date_readings("03/04/2024")] == [
        datetime(2024, 4, 3),  # noqa: DTZ001 - it says no zone
        datetime(2024, 3, 4),  # noqa: DTZ001 - it says no zone
    ]
    assert len(date_readings("13/04/2024")) == 1


@pytest.mark.parametrize(
    "value", ["2024-13-01", "2024-02-30T00:00:00Z", "12345678", 12345, True, "", "x" * 50]
)
def test_what_is_no_date_has_none(value: object) -> None:
    assert not date_readings(value)


@pytest.mark.parametrize(
    "value", [-62135596800001.0, 9.9e16, "0001-01-01T00:00:00+02:00", "9999-12-31T23:30:00-02:00"]
)
def test_what_lies_beyond_the_calendar_is_no_date(value: float | str) -> None:
    assert date_readings(value) == ()
