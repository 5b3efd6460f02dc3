"""A session: one open profile with its client, store and request log, for the window and the command line alike.

Values of the store that the window needs, such as `PageInfo`, are re-exported here, because the window does not import
the store. Each name is imported when it is first used, so that importing one value does not import the client.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from explorer.session.connection_test import TestResult, TestStep
    from explorer.session.pull import Pull, PullPhase
    from explorer.session.query_result import QueryResult, Superseded
    from explorer.session.session import Session, test_profile
    from explorer.store.find import QueryFault
    from explorer.store.inside import paths_in, steps_of
    from explorer.store.query import Filter, Query
    from explorer.store.summary import Bin, Summary, Valued
    from explorer.store.values import (
        KEPT_PULLS,
        PageDamaged,
        PageInfo,
        PullInfo,
        PullKey,
        PullMoved,
        Snapshot,
        Standing,
        StoreFault,
    )

__all__ = [
    "KEPT_PULLS",
    "Bin",
    "Filter",
    "PageDamaged",
    "PageInfo",
    "Pull",
    "PullInfo",
    "PullKey",
    "PullMoved",
    "PullPhase",
    "Query",
    "QueryFault",
    "QueryResult",
    "Session",
    "Snapshot",
    "Standing",
    "StoreFault",
    "Summary",
    "Superseded",
    "TestResult",
    "TestStep",
    "Valued",
    "paths_in",
    "steps_of",
    "test_profile",
]

_HOMES = {
    "KEPT_PULLS": "store.values",
    "Bin": "store.summary",
    "Filter": "store.query",
    "PageDamaged": "store.values",
    "PageInfo": "store.values",
    "Pull": "session.pull",
    "PullInfo": "store.values",
    "PullKey": "store.values",
    "PullMoved": "store.values",
    "PullPhase": "session.pull",
    "Query": "store.query",
    "QueryFault": "store.find",
    "Session": "session.session",
    "Snapshot": "store.values",
    "Standing": "store.values",
    "StoreFault": "store.values",
    "Summary": "store.summary",
    "Superseded": "session.query_result",
    "TestResult": "session.connection_test",
    "TestStep": "session.connection_test",
    "Valued": "store.summary",
    "QueryResult": "session.query_result",
    "paths_in": "store.inside",
    "steps_of": "store.inside",
    "test_profile": "session.session",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(f"explorer.{_HOMES[name]}"), name)
    return found
