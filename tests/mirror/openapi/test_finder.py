"""Interfaces of the user's folder are found by name, as they are now, and nothing else is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from explorer.catalog import interfaces
from explorer.openapi.finder import find_in, kept_in
from explorer.openapi.kept import KeptInterfaces

DOCUMENT = (Path(__file__).parent / "documents" / "header_connection.json").read_bytes()


@pytest.fixture(autouse=True)
def finders() -> Iterator[None]:
    before = list(interfaces.FINDERS)
    yield
    interfaces.FINDERS[:] = before
    interfaces.forget("gantry")


def test_an_interface_is_found_where_its_folder_is(tmp_path: Path) -> None:
    find_in(tmp_path)
    assert kept_in(tmp_path) == []
    with pytest.raises(KeyError):
        interfaces.registry_of("gantry")
    KeptInterfaces(tmp_path).add("gantry", DOCUMENT, None, "a file")
    assert kept_in(tmp_path) == [("gantry", "Gantry")]
    assert interfaces.registry_of("gantry").interface.key == "gantry"
    assert interfaces.registry_of().interface.key != "gantry"


def test_the_folder_that_was_named_last_counts(tmp_path: Path) -> None:
    KeptInterfaces(tmp_path / "one").add("gantry", DOCUMENT, None, "a file")
    find_in(tmp_path / "one")
    find_in(tmp_path / "other")
    with pytest.raises(KeyError):
        interfaces.registry_of("gantry")
