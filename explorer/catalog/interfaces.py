"""The interfaces that there are, by the key with which a profile names them. Today it is the built-in one alone."""

from __future__ import annotations

from explorer.catalog.builtin.interface import BUILTIN
from explorer.catalog.registry import Registry

REGISTRIES = {BUILTIN.key: Registry(BUILTIN)}
"""A registry for each interface, by its key."""


def registry_of(key: str = "") -> Registry:
    """The registry of the interface of that key; of the built-in one where none is named. Raises KeyError."""
    return REGISTRIES[key or BUILTIN.key]
