"""Dates and numbers as people write them are found again by what writes them."""

from __future__ import annotations

from typing import Any

import pytest

from explorer.quality.compare.formats import formats

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
