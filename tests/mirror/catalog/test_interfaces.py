"""The interfaces that a profile may name."""

import dataclasses
import pickle
from functools import partial

import pytest

from explorer.catalog import interfaces
from explorer.catalog.interfaces import BUILTIN, FINDERS, REGISTRIES, registry_of
from tests.unified_interfaces import INTERFACES, named


def test_none_named_is_the_built_in_one() -> None:
    assert registry_of() is registry_of("") is registry_of(BUILTIN.key)
    assert registry_of().interface is BUILTIN


def test_each_stands_under_its_own_key() -> None:
    assert {key: registry.interface.key for key, registry in REGISTRIES.items()} == {k: k for k in REGISTRIES}


def test_one_that_is_not_there() -> None:
    with pytest.raises(KeyError):
        registry_of("nowhere")


def test_one_is_registered_replaced_and_forgotten() -> None:
    one = INTERFACES["merge"]
    made = interfaces.register(one)
    try:
        assert registry_of("merge") is made
        assert made.interface is one
        again = dataclasses.replace(one, title="Another")
        assert interfaces.register(again, partial(named, "merge")) is registry_of("merge") is not made
        assert registry_of("merge").interface.title == "Another"
    finally:
        interfaces.forget("merge")
    interfaces.forget("merge")
    with pytest.raises(KeyError):
        registry_of("merge")


def test_the_built_in_one_cannot_be_replaced_or_forgotten() -> None:
    with pytest.raises(ValueError, match="built-in"):
        interfaces.register(dataclasses.replace(BUILTIN, title="Mine"))
    interfaces.forget(BUILTIN.key)
    assert registry_of().interface is BUILTIN


def test_one_is_found_when_it_is_first_named_and_made_again_elsewhere() -> None:
    asked: list[str] = []

    def find(key: str) -> None:
        asked.append(key)
        if key in INTERFACES:
            interfaces.register(INTERFACES[key], partial(named, key))

    FINDERS.append(find)
    try:
        assert registry_of("kombo") is registry_of("kombo")
        assert asked == ["kombo"]
        with pytest.raises(KeyError):
            registry_of("nowhere")
        remake = pickle.loads(pickle.dumps(interfaces.remake_of("kombo")))
        interfaces.forget("kombo")
        assert interfaces.remake_of("kombo") is None
        interfaces.register_remade(remake)
        assert registry_of("kombo").interface == INTERFACES["kombo"]
        assert asked == ["kombo", "nowhere"]
        interfaces.register_remade(None)
    finally:
        FINDERS.remove(find)
        interfaces.forget("kombo")
