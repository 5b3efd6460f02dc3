"""The job of the page writer process: it packs and writes the pages of a long pull, so that fetching need not wait.

It receives pages in order, several in one message when it falls behind. All pages of one message are written with their
cursors in one transaction, by `Store.extend`. It imports neither the client nor the session.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from explorer.api.errors import ExplorerError
from explorer.catalog.interfaces import Remake, register_remade
from explorer.store.indexed_columns import IndexedColumns
from explorer.store.schema_validator import model_of
from explorer.store.store import PageWrite, Store
from explorer.store.values import Field, StoreFault
from explorer.worker_main import Tell


class Opening(NamedTuple):
    """The first message: the store's file, the list, and the fields to index."""

    path: Path
    fields: tuple[Field, ...]
    listing: str = ""
    """The key of the list, by which the model of its records is found; empty: they have none."""
    interface: str = ""
    """The key of the list's interface, as in `Profile.interface`."""
    remake: Remake | None = None
    """Makes that interface in the process. Where nothing can, the records are not held against a model."""


def keep(opening: Opening, orders: Iterable[tuple[int, Sequence[PageWrite]]], tell: Tell) -> None:
    """Writes what ``orders`` brings: the id of a pull and consecutive pages of it.

    Answers None once it is ready (or the StoreFault that prevents it); then to each message the PullInfo that includes
    these pages, or the error because of which none of them was written.
    """
    try:
        store = Store(opening.path)
    except StoreFault as fault:
        tell(fault)
        return
    register_remade(opening.remake)
    try:
        model = model_of(opening.listing, opening.interface)
    except KeyError:
        model = None
    shape = IndexedColumns(opening.fields)
    try:
        tell(None)
        for pull_id, pages in orders:
            try:
                tell(store.extend(pull_id, pages, shape=shape, model=model))
            except ExplorerError as error:
                tell(error)
    except OSError:
        return  # the other end of the pipe is gone
    finally:
        store.close()
