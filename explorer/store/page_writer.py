"""Keeping pages in a process of its own, so that the one that asks for them need not wait.

It is given pages, in order, some at once when it lags; each comes with its cursor and all of one message enter in one
transaction, by the same rules as everywhere (`Store.extend`). It loads neither the client nor the session.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from explorer.api.errors import ExplorerError
from explorer.store.indexed_columns import IndexedColumns
from explorer.store.schema_validator import model_of
from explorer.store.store import PageWrite, Store
from explorer.store.values import Field, StoreFault
from explorer.worker_main import Tell


class Opening(NamedTuple):
    """The first message: which store, which list, and which columns are taken out."""

    path: Path
    fields: tuple[Field, ...]
    listing: str = ""
    """The key of the list, which tells the records' model; empty: they have none."""
    interface: str = ""
    """The key of the interface that the list is of, as a profile names it."""


def keep(opening: Opening, orders: Iterable[tuple[int, Sequence[PageWrite]]], tell: Tell) -> None:
    """Keeps what comes, as the number of a pull and pages of it that follow each other.

    Tells None once it is ready, then to each message the PullInfo with these pages, or why nothing of it was kept.
    """
    try:
        store = Store(opening.path)
    except StoreFault as fault:
        tell(fault)
        return
    shape, model = IndexedColumns(opening.fields), model_of(opening.listing, opening.interface)
    try:
        tell(None)
        for pull_id, pages in orders:
            try:
                tell(store.extend(pull_id, pages, shape=shape, model=model))
            except ExplorerError as error:
                tell(error)
    except OSError:
        return  # nobody listens any more
    finally:
        store.close()
