"""The store: every page that arrived, with its cursor, in one SQLite file for each profile, and queries over its rows.

The names below are imported when they are first used, so that importing one of them (`Filter`, `PullInfo`) does not
import SQLite, msgspec and zstandard with it: the window's start depends on that.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from explorer.store.find import QueryFault
    from explorer.store.indexed_columns import IndexedColumns
    from explorer.store.query import Filter, Query
    from explorer.store.store import Store
    from explorer.store.summary import Summary
    from explorer.store.values import (
        PageDamaged,
        PageInfo,
        PullInfo,
        PullKey,
        PullMoved,
        PullState,
        Snapshot,
        Standing,
        StoreFault,
        standings,
    )

__all__ = [
    "Field",
    "Filter",
    "IndexedColumns",
    "PageDamaged",
    "PageInfo",
    "PullInfo",
    "PullKey",
    "PullMoved",
    "PullState",
    "Query",
    "QueryFault",
    "Snapshot",
    "Standing",
    "Store",
    "StoreFault",
    "Summary",
    "standings",
]

_HOMES = {
    "Field": "values",
    "Filter": "query",
    "PageDamaged": "values",
    "PageInfo": "values",
    "PullInfo": "values",
    "PullKey": "values",
    "PullMoved": "values",
    "PullState": "values",
    "Query": "query",
    "QueryFault": "find",
    "IndexedColumns": "indexed_columns",
    "Snapshot": "values",
    "Standing": "values",
    "Store": "store",
    "StoreFault": "values",
    "Summary": "summary",
    "standings": "values",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    return found
