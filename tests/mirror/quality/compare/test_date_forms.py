"""How a date is written is found out from the date and its text."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.quality.compare.date_forms import PARTS, date_in, forms_of, is_timeless
from explorer.quality.values.date_transforms import whens

DATE = "2024-05-06T23:08:09.500+02:00"


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
    [here] = whens(DATE)
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
    [here] = whens(moment.replace(tzinfo=UTC).isoformat())
    text = date_in(form, here.wall, timedelta())
    found = forms_of(here, text, utc=False)
    assert found
    assert all(date_in(one, here.wall, timedelta()) == text for one in found)
    assert all(part in PARTS or part in text for one in found for part in one)
