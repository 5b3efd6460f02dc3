"""What has been seen: every page that arrived, with its cursor, in one file a profile; and the questions to it.

Its names are found when they are first asked for: a start looks into a store (glance.py) before all of it is imported.
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
