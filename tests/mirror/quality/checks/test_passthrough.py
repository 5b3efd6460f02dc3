"""The third party's own name of a contact's last name, as raw data shows it."""

from __future__ import annotations

from typing import Any

import pytest

from explorer.quality.checks.passthrough import has_reached, own_name


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ({"Id": "1", "LastName": "Miller"}, "LastName"),
        ({"id": "1", "properties": {"lastname": "Miller"}}, "lastname"),
        ({"name": {"last": "Miller"}}, ""),
        ({"LastName": "Miller", "Alias": "Miller"}, ""),
        ({"LastName": "Muller"}, ""),
        ({}, ""),
        (None, ""),
    ],
)
def test_the_own_name(raw: Any, name: str) -> None:
    """None where it lies within another object, or where two have it: it is not known then what is written to."""
    assert own_name(raw, "Miller") == name


def test_it_has_reached_the_third_party_by_either_sign() -> None:
    assert has_reached({"properties": {"lastname": "New"}}, "lastname", "New", {"last_name": "Old"})
    assert has_reached({"LastName": "Old"}, "LastName", "New", {"last_name": "New"})
    assert not has_reached({"LastName": "Old", "Other": "New"}, "LastName", "New", {"last_name": "Old"})
