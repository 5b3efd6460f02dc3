"""Kept pulls and snapshots of records made by hand, for the tests of ledger and comparison."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from explorer.quality.compare.rows import PullRows
from explorer.store.store import Store
from explorer.store.values import PullInfo, PullKey, PullState
from tests.mirror.store.made import page


def key(connection: str = "conn_1", resource: str = "ats/job", params: str = "{}") -> PullKey:
    return PullKey(connection, "https://api.example.com", resource, params)


def keep(store: Store, records: Sequence[Any], *, of: PullKey | None = None, page_rows: int = 3) -> PullInfo:
    """A complete pull of those records (values, or bytes as received), an empty page among them and one at its end."""
    raw = [one if isinstance(one, bytes) else json.dumps(one).encode() for one in records]
    chunks = [raw[start : start + page_rows] for start in range(0, len(raw), page_rows)]
    chunks = [*chunks[:1], [], *chunks[1:], []]
    wanted = of or key()
    info: PullInfo | None = None
    for number, chunk in enumerate(chunks, start=1):
        last = number == len(chunks)
        made = page(number, chunk)
        made = dataclasses.replace(made, next_cursor=None if last else made.next_cursor)
        state: PullState = "complete" if last else "ready"
        before = store.newest(wanted)
        if info is None:
            info = store.begin(wanted, made, state, "", after=before.id if before and before.pages else None)
        else:
            info = store.keep(info.id, made, state, "")
    assert info is not None
    return info


def rows_of(folder: Path, records: Sequence[Any], name: str = "", **more: Any) -> PullRows:
    """The rows of a pull in a store of its own in ``folder``, which is closed with them."""
    store = Store(folder / f"{name or 'one'}.sqlite3")
    made = PullRows(store, keep(store, records, **more), name)
    made._owned = True
    return made
