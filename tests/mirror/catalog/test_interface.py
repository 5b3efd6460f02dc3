"""An interface is one value, and a wrong one is never made."""

import dataclasses

import pytest

from tests.other_interface import OTHER, PEOPLE


def test_it_does_not_change() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        OTHER.key = "another"  # type: ignore[misc]


def test_two_parts_of_one_key_are_refused() -> None:
    [group] = OTHER.verticals
    with pytest.raises(ValueError, match="people: two groups have the same key: hr"):
        dataclasses.replace(OTHER, verticals=(group, dataclasses.replace(group, resources=())))
    again = dataclasses.replace(group, resources=(PEOPLE, dataclasses.replace(PEOPLE, operations=())))
    with pytest.raises(ValueError, match="people: two resources have the same key: hr/person"):
        dataclasses.replace(OTHER, verticals=(again,))
    twice = dataclasses.replace(PEOPLE, operations=(PEOPLE.operations[0], PEOPLE.operations[0]))
    with pytest.raises(ValueError, match="people: two operations have the same key: hr/person"):
        dataclasses.replace(OTHER, verticals=(dataclasses.replace(group, resources=(twice,)),))
