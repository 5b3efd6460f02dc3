"""The interfaces that a profile may name."""

import pytest

from explorer.catalog.builtin.interface import BUILTIN
from explorer.catalog.interfaces import REGISTRIES, registry_of


def test_none_named_is_the_built_in_one() -> None:
    assert registry_of() is registry_of("") is registry_of(BUILTIN.key)
    assert registry_of().interface is BUILTIN


def test_each_stands_under_its_own_key() -> None:
    assert {key: registry.interface.key for key, registry in REGISTRIES.items()} == {k: k for k in REGISTRIES}


def test_one_that_is_not_there() -> None:
    with pytest.raises(KeyError):
        registry_of("nowhere")
