"""An interface is one value, and a wrong one is never made."""

import dataclasses
from typing import Any

import pytest

from explorer.catalog.interface import Authorization, ConnectionPart
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


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"headers": (("Host", "x"),)}, "Host"),
        ({"headers": (("host", "x"),)}, "host"),
        ({"headers": (("content-type", "x"),)}, "content-type"),
        ({"headers": (("x-people", "x"),)}, "x-people"),
        ({"connection": (ConnectionPart("x y"),)}, "x y"),
        ({"authorization": Authorization("header", "")}, ""),
    ],
)
def test_a_header_that_cannot_be_sent_is_refused(fields: dict[str, Any], wrong: str) -> None:
    with pytest.raises(ValueError, match=f"no header of its own can be called {wrong}"):
        dataclasses.replace(OTHER, **fields)


def test_what_carries_a_secret_is_known_by_name() -> None:
    parts = (
        ConnectionPart("x-token", secret=True),
        ConnectionPart("x-id"),
        ConnectionPart("Acc", "query", secret=True),
    )
    made = dataclasses.replace(OTHER, authorization=Authorization("query", "Key"), connection=parts)
    assert made.secret_names == {"key", "x-token", "acc"}
    assert (made.key_header, made.connection_header) == ("", "x-id")
    assert (OTHER.key_header, OTHER.connection_header) == ("x-people", "x-tenant")
    assert (
        dataclasses.replace(OTHER, connection=(), authorization=Authorization("none")).secret_names == set()
    )
