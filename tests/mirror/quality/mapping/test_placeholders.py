"""Values that stand for none, told from words that somebody chose."""

from __future__ import annotations

from typing import Any

import pytest

from explorer.quality.mapping.placeholders import is_placeholder, is_stand_in, is_within_a_call


@pytest.mark.parametrize("value", ["N/A", " null ", "[object Object]", "1970-01-01T00:00:00Z", 0, -1])
def test_a_placeholder_is_known(value: Any) -> None:
    assert is_placeholder(value)


@pytest.mark.parametrize("value", ["Nadia", "1970-01-02T00:00:00Z", 7, True, None, ""])
def test_what_means_something_is_none(value: Any) -> None:
    assert not is_placeholder(value)


def test_one_made_up_value_for_many_is_no_word() -> None:
    assert is_stand_in([5, 5])
    assert not is_stand_in(["open", "open"])
    assert not is_stand_in([True, True])


def test_dates_of_a_few_minutes_are_those_of_calls() -> None:
    calls = [f"2024-05-01T10:0{at}:00Z" for at in range(4)]
    assert is_within_a_call(calls)
    assert is_stand_in(calls)
    assert not is_within_a_call([*calls, "2024-05-02T10:00:00Z"])
