"""All interfaces, by the key that profiles use. At present there is only the built-in one."""

from __future__ import annotations

from explorer.catalog.builtin.interface import BUILTIN
from explorer.catalog.registry import Registry

REGISTRIES = {BUILTIN.key: Registry(BUILTIN)}
"""The registry of each interface, by the interface's key."""


def registry_of(key: str = "") -> Registry:
    """The registry of the interface with that key; an empty key means the built-in one. Raises KeyError."""
    return REGISTRIES[key or BUILTIN.key]
