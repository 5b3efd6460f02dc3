"""Forms of values, and raw records laid out flat."""

from typing import Any

import pytest

from explorer.quality.mapping.normal_forms import agreement, forms, is_telling, likeness


@pytest.mark.parametrize(
    ("one", "other", "how"),
    [
        ("Ann", "Ann", "equal"),
        ("Ann  Lee ", "ann lee", "case and space"),
        (4000000001, "4000000001", "number"),
        ("12.50", 12.5, "number"),
        ("2024-05-06T07:08:09.123Z", 1714979289123, "date"),
        ("2024-05-06T07:08:09.000Z", "2024-05-06T09:08:09+02:00", "date"),
        ("2024-05-06T07:08:09.123Z", "2024-05-06T07:08:09Z", "date"),
        ("2024-05-06T07:08:09.123Z", "2024-05-06T07:08:09.1234567Z", "date"),
        ("2024-05-06T07:08:09.045Z", "2024-05-06T07:08:09.45Z", ""),
        (True, "yes", "words"),
        (True, True, "equal"),
        (1, True, ""),
        ("Ann", "Anna", ""),
        (None, None, ""),
        ("", "", ""),
        ([1], [1], ""),
    ],
)
def test_how_two_values_agree(one: Any, other: Any, how: str) -> None:
    assert agreement(forms(one), forms(other)) == how
    assert agreement(forms(other), forms(one)) == how


def test_names_that_sound_alike() -> None:
    assert likeness("created_at", "/attributes/createdAt") == 1.0
    assert likeness("created_at", "/opened_at") < likeness("created_at", "/created_at")
    assert likeness("user_id", "/user/id") > likeness("user_id", "/id")
    assert likeness("name", "") == 0.0


def test_what_is_met_by_chance_tells_nothing() -> None:
    assert not any(map(is_telling, (True, None, 0, 999, "abc", "")))
    assert all(map(is_telling, (1000, "Anna")))
