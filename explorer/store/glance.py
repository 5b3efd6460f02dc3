"""A glance at a store before anything else of the program is imported: the first rows of one pull, by their bytes.

A start shows them while the rest is still on its way. What a store proper would repair, set aside or wait for is no
matter of a glance: then there is nothing to see, and the store says why when it is opened.
"""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

from explorer.store.packing import Packer

_NEWEST = (
    "SELECT n.id, n.rows FROM pull p JOIN pull n ON n.connection = p.connection AND n.origin = p.origin"
    " AND n.resource = p.resource AND n.params = p.params"
    " WHERE p.id = ? AND p.connection = ? AND p.resource = ? AND NOT n.gone"
    " ORDER BY n.pages > 0 DESC, n.settled DESC, n.id DESC LIMIT 1"
)
"""The pull that a table would open: what was pulled anew since and is complete stands in the place of what was seen."""
_PAGES = (
    "SELECT data, rows, bytes, digest, first_row FROM page WHERE pull = ? AND rows > 0"
    " AND first_row < ? AND first_row + rows > ? ORDER BY number"
)


class Glance:
    """The pulls of one connection, read once. Nothing is written, and no lock is waited for."""

    def __init__(self, store: Path, connection: str) -> None:
        self._store, self._connection = store, connection

    def rows(self, pull: int, resource: str) -> int:
        """How many rows the newest pull of the same question as ``pull`` has; 0 when there is none any more."""
        return self._newest(pull, resource)[1]

    def records(self, pull: int, resource: str, start: int, stop: int) -> list[bytes]:
        """Its records ``start`` to before ``stop``, as received; fewer at the end, none when they cannot be read."""
        newest, total = self._newest(pull, resource)
        stop = min(stop, total)
        made: list[bytes] = []
        try:
            with contextlib.closing(self._open()) as connection:
                for data, rows, size, digest, first in connection.execute(_PAGES, (newest, stop, start)):
                    if first + rows <= start + len(made) or first > start + len(made):
                        return []
                    page = Packer().unpack(data, rows, size, digest)
                    made += page.records(start + len(made) - first, min(stop - first, rows))
        except (sqlite3.Error, ValueError, TypeError, OverflowError):
            return []
        return made

    def _newest(self, pull: int, resource: str) -> tuple[int, int]:
        try:
            with contextlib.closing(self._open()) as connection:
                found = connection.execute(_NEWEST, (pull, self._connection, resource)).fetchone()
        except sqlite3.Error:
            return 0, 0
        return (found[0], found[1]) if found is not None else (0, 0)

    def _open(self) -> sqlite3.Connection:
        # Not read only: a WAL without its index cannot be read so.
        made = sqlite3.connect(f"{self._store.absolute().as_uri()}?mode=rw", uri=True, timeout=0)
        made.execute("PRAGMA query_only = ON")
        return made
