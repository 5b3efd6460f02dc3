"""A session: one open profile with its client, store and request log, for the window and the command line alike.

Values of the store that the window needs, such as `PageInfo`, are re-exported here, because the window does not import
the store. Each name is imported when it is first used, so that importing one value does not import the client.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from explorer.session.connection_test import TestResult as TestResult
    from explorer.session.connection_test import TestStep as TestStep
    from explorer.session.pull import Pull as Pull
    from explorer.session.pull import PullPhase as PullPhase
    from explorer.session.query_result import QueryResult as QueryResult
    from explorer.session.query_result import Superseded as Superseded
    from explorer.session.session import Session as Session
    from explorer.session.session import test_profile as test_profile
    from explorer.store.find import QueryFault as QueryFault
    from explorer.store.inside import paths_in as paths_in
    from explorer.store.inside import steps_of as steps_of
    from explorer.store.query import Filter as Filter
    from explorer.store.query import Query as Query
    from explorer.store.summary import Bin as Bin
    from explorer.store.summary import Summary as Summary
    from explorer.store.summary import Valued as Valued
    from explorer.store.values import KEPT_PULLS as KEPT_PULLS
    from explorer.store.values import PageDamaged as PageDamaged
    from explorer.store.values import PageInfo as PageInfo
    from explorer.store.values import PullInfo as PullInfo
    from explorer.store.values import PullKey as PullKey
    from explorer.store.values import PullMoved as PullMoved
    from explorer.store.values import Snapshot as Snapshot
    from explorer.store.values import Standing as Standing
    from explorer.store.values import StoreFault as StoreFault

_NAMES = {
    "session.connection_test": ("TestResult", "TestStep"),
    "session.pull": ("Pull", "PullPhase"),
    "session.query_result": ("QueryResult", "Superseded"),
    "session.session": ("Session", "test_profile"),
    "store.find": ("QueryFault",),
    "store.inside": ("paths_in", "steps_of"),
    "store.query": ("Filter", "Query"),
    "store.summary": ("Bin", "Summary", "Valued"),
    "store.values": (
        "KEPT_PULLS",
        "PageDamaged",
        "PageInfo",
        "PullInfo",
        "PullKey",
        "PullMoved",
        "Snapshot",
        "Standing",
        "StoreFault",
    ),
}
_HOMES = {name: home for home, names in _NAMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(f"explorer.{_HOMES[name]}"), name)
    return found
