"""All interfaces, by the key that profiles use: the built-in one, put together here, and those that are registered."""

from __future__ import annotations

from collections.abc import Callable

from explorer.catalog.builtin.accounting import ACCOUNTING
from explorer.catalog.builtin.ats import ATS
from explorer.catalog.builtin.connect import CONNECT, WEBHOOK
from explorer.catalog.builtin.core import CORE
from explorer.catalog.builtin.crm import CRM
from explorer.catalog.builtin.file_storage import FILE_STORAGE
from explorer.catalog.builtin.sales_engagement import SALES_ENGAGEMENT
from explorer.catalog.interface import Authorization, ConnectionPart, Interface
from explorer.catalog.registry import Registry

BUILTIN = Interface(
    key="builtin",
    title="Unified API",
    verticals=(CRM, ATS, FILE_STORAGE, SALES_ENGAGEMENT, ACCOUNTING, CORE, CONNECT, WEBHOOK),
    authorization=Authorization("header", "x-apikey"),
    connection=(ConnectionPart("x-connection-id"),),
)


Remake = Callable[[], Interface]
"""Makes an interface again in a helper process. It is pickled: a function of a module, or a partial of one."""

REGISTRIES = {BUILTIN.key: Registry(BUILTIN)}
"""The registry of each interface, by the interface's key."""
FINDERS: list[Callable[[str], object]] = []
"""Called with a key that is not known yet: what can make that interface registers it."""
_REMAKES: dict[str, Remake] = {}


def register(interface: Interface, remake: Remake | None = None) -> Registry:
    """From now on a profile may name ``interface``; one of the same key is replaced.

    ``remake`` is for helper processes (`remake_of`). Without it they work without the models of its records. Raises
    ValueError for the key of the built-in one.
    """
    if interface.key == BUILTIN.key:
        raise ValueError(f"{BUILTIN.key} is the built-in interface")
    made = REGISTRIES[interface.key] = Registry(interface)
    _REMAKES.pop(interface.key, None)
    if remake is not None:
        _REMAKES[interface.key] = remake
    return made


def forget(key: str) -> None:
    """No profile can name the interface with that key any more; nothing happens when there is none."""
    if key != BUILTIN.key:
        REGISTRIES.pop(key, None)
        _REMAKES.pop(key, None)


def remake_of(key: str) -> Remake | None:
    """What makes the interface with that key in a helper process; None for the built-in one, or where nothing can."""
    return _REMAKES.get(key)


def register_remade(remake: Remake | None) -> None:
    """In a helper process: registers what ``remake`` makes, if anything."""
    if remake is not None:
        register(remake(), remake)


def registry_of(key: str = "") -> Registry:
    """The registry of the interface with that key; an empty key means the built-in one. Raises KeyError."""
    name = key or BUILTIN.key
    for finder in () if name in REGISTRIES else tuple(FINDERS):
        finder(name)
    return REGISTRIES[name]
