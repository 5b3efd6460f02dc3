"""How much disk space the pulls of a store take, and freeing it. For any store's file, open or not.

Each call opens a connection of its own: call it in a worker thread. Reading does not wait for a writer. A window that
shows a pull which is removed here gets PullMoved when it next reads rows of it.
"""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from explorer.store.columns import INFO, info_of
from explorer.store.page_integrity import UNREADABLE
from explorer.store.schema import APPLICATION_ID, MIGRATIONS, READABLE, connect, fault_of
from explorer.store.store import Store
from explorer.store.values import PullInfo, StoreFault

_STEP = 4096
"""SQLite pages that one step frees: 16 MB, some tens of milliseconds."""
_PATIENCE_MS = 1000
"""How long freeing space waits for other connections. What it cannot free now is freed another time."""


@dataclass(frozen=True, slots=True)
class Kept:
    """One stored pull and its size on the disk."""

    info: PullInfo
    bytes: int
    """Of its pages as stored, with their indexed columns; without SQLite's own overhead."""
    snapshots: tuple[str, ...] = ()
    """The names of the snapshots of it, which keep it in the file."""
    in_list: bool = True
    """False: it is there for its snapshots alone."""


def kept(path: Path) -> tuple[Kept, ...]:
    """Every pull of the store at ``path`` that has a page, the one that was least recently added to first, also those
    that are there for a snapshot alone.

    Empty when there is no file. Raises StoreFault when it is damaged or of another version; the file is not changed.
    """
    if not path.exists():
        return ()
    with _connected(path) as connection:
        [application] = connection.execute("PRAGMA application_id").fetchone()
        [version] = connection.execute("PRAGMA user_version").fetchone()
        if application != APPLICATION_ID or version != len(MIGRATIONS):
            raise StoreFault("It was written by another version of this program, or is damaged.")
        sizes = dict(
            connection.execute(
                "SELECT p.pull, sum(length(p.data) + length(p.digest) + 200 + ifnull(length(n.data), 0))"
                " FROM page p LEFT JOIN narrow n ON n.page = p.id GROUP BY p.pull"
            )
        )
        names: dict[int, tuple[str, ...]] = {}
        for pull, name in connection.execute("SELECT pull, name FROM snapshot ORDER BY kept_at, id"):
            names[pull] = (*names.get(pull, ()), name)
        found = connection.execute(
            f"SELECT {INFO}, gone FROM pull WHERE {READABLE} AND pages > 0 ORDER BY updated_at, id"  # noqa: S608
        )
        made = []
        for *row, gone in found.fetchall():
            with contextlib.suppress(*UNREADABLE, OSError):  # it is left out when the store is next opened
                info = info_of(row)
                made.append(Kept(info, sizes.get(info.id, 0), names.get(info.id, ()), not gone))
        return tuple(made)


def size_on_disk(path: Path) -> int:
    """The size of the file and its WAL, in bytes."""
    files = (path, path.with_name(path.name + "-wal"))
    return sum(file.stat().st_size for file in files if file.exists())


def forget(path: Path, pulls: Collection[int] | None = None) -> None:
    """Deletes these pulls (their ids; None: all) and frees their disk space; snapshots stay. Raises StoreFault."""
    if not path.exists():
        return
    store = Store(path)
    try:
        for info in store.pulls():
            if pulls is None or info.id in pulls:
                store.forget(info.id)
        if pulls is None:
            store.forget_unreadable()
        while store.reap():
            pass
    finally:
        store.close()
    with contextlib.suppress(StoreFault):
        shrink(path)


def shrink(path: Path) -> None:
    """Reduces the file to what it holds. Raises StoreFault, as when others keep it busy; the file is sound then too.

    A file without incremental auto-vacuum is rewritten (VACUUM), if the disk has room for a copy.
    """
    with _connected(path) as connection:
        connection.execute(f"PRAGMA busy_timeout = {_PATIENCE_MS}")
        [gives_back] = connection.execute("PRAGMA auto_vacuum").fetchone()
        [free] = connection.execute("PRAGMA freelist_count").fetchone()
        if not gives_back and free and shutil.disk_usage(path.parent).free > 2 * path.stat().st_size:
            connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
            connection.execute("VACUUM")
        while gives_back and free > 0:
            # A step of this pragma frees one page, and only a script is stepped to its end.
            connection.executescript(f"PRAGMA incremental_vacuum({_STEP})")
            before, [free] = free, connection.execute("PRAGMA freelist_count").fetchone()
            if free >= before:
                break
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


@contextlib.contextmanager
def _connected(path: Path) -> Iterator[sqlite3.Connection]:
    try:
        connection = connect(path)
    except sqlite3.Error as error:
        raise fault_of(error, path) from None
    try:
        yield connection
    except (sqlite3.Error, OSError) as error:
        raise fault_of(error, path) from None
    finally:
        connection.close()
