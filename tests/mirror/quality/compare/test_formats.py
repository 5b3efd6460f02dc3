"""Dates and numbers as people write them are found again by what writes them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.quality.compare.formats import PARTS, date_in, formats, forms_of, is_timeless
from explorer.quality.values.date_transforms import date_readings

DATE = "2024-05-06T23:08:09.500+02:00"


@pytest.mark.parametrize(
    ("before", "now", "words"),
    [
        (DATE, "05/06/2024", "06/28/2024 and loses its time of day"),
        (DATE, "Mon, 06 May 2024 23:08:09 +0200", "Fri, 28 Jun 2024 14:08:09 +0000"),
        (DATE, "Mon, 06 May 2024 21:08:09 GMT", "in UTC"),
        (DATE, "2024-05-06T23:08:00.000+02:00", "cut to the minute"),
        (DATE, "2024-05-06T00:00:00.000+02:00", "time of day"),
        (DATE, 1715029689, "whole seconds"),
        (DATE, 1715029689500, "whole milliseconds"),
        (1234.5, "1234,50", 'like "1234,55"'),
        (1234.5, "€ 1.234,50", 'like "€ 1.234,55"'),
        (1234.5, "1,234.5 EUR", 'EUR"'),
        ("+4912345678", "5678", "last 4 characters"),
    ],
)
def test_a_form_is_found(before: Any, now: Any, words: str) -> None:
    found = [one.words for one in formats(before, now) if one(before) == now]
    assert any(words in one for one in found), found


@pytest.mark.parametrize(
    ("before", "now"), [(DATE, "05/07/2024"), (DATE, 1715029690), (1234.5, "1234,51"), ({}, [])]
)
def test_no_form_is_found_where_there_is_none(before: Any, now: Any) -> None:
    assert not [one for one in formats(before, now) if one(before) == now]


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("06/05/24", ("day", "/", "month", "/", "year of two digits")),
        ("5/6/2024", ("month without zero", "/", "day without zero", "/", "year")),
        ("20240506", ("whole day",)),
        ("Monday 6 May", None),
        ("06/05/2024 11:08 PM", None),
        ("2024-05-06 22:08", None),
    ],
)
def test_a_form(text: str, form: tuple[str, ...] | None) -> None:
    [here] = date_readings(DATE)
    found = forms_of(here, text, utc=False)
    assert (form in found) if form else (not found or all(not is_timeless(one) for one in found))


FORMS = [
    ("month", "/", "day", "/", "year", " ", "hour of 12", ":", "minute", ":", "second", " ", "AM or PM"),
    ("short weekday", ", ", "day", " ", "short name of the month", " ", "year", " ", "hour", ":", "minute"),
    ("day without zero", ". ", "name of the month", " ", "year"),
    ("year of two digits", "-", "month", "-", "day", "T", "hour", ":", "minute", ":", "second", "offset with colon"),
    ("day and time", "Z"),
]  # fmt: skip


@given(st.datetimes(datetime(1970, 1, 1), datetime(2100, 1, 1)), st.sampled_from(FORMS))  # noqa: DTZ001
def test_what_wrote_a_date_is_among_its_forms(moment: datetime, form: tuple[str, ...]) -> None:
    [here] = date_readings(moment.replace(tzinfo=UTC).isoformat())
    text = date_in(form, here.wall, timedelta())
    found = forms_of(here, text, utc=False)
    assert found
    assert all(date_in(one, here.wall, timedelta()) == text for one in found)
    assert all(part in PARTS or part in text for one in found for part in one)
