"""How much room the pulls of a store take on the disk, and giving it back. For any store's file, open or not.

Each call has a connection of its own and belongs in a worker thread. Reading waits for no writer. A pull that is
forgotten here while a window shows it is found missing there when it is next asked for rows (`PullMoved`).
"""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from explorer.store.columns import INFO, info_of
from explorer.store.schema import APPLICATION_ID, MIGRATIONS, connect, fault_of
from explorer.store.store import Store
from explorer.store.values import PullInfo, StoreFault
from explorer.store.whole import UNREADABLE

_STEP = 4096
"""Pages of the file that one step frees: 16 MB, some tens of milliseconds."""
_PATIENCE_MS = 1000
"""How long giving room back waits for others; what it does not get is given back another time."""


@dataclass(frozen=True, slots=True)
class Kept:
    """One pull that is kept, and what it takes on the disk."""

    info: PullInfo
    bytes: int
    """Of its pages as they are stored, with their columns; without the file's own share."""


def kept(path: Path) -> tuple[Kept, ...]:
    """Every pull of the store at ``path`` that holds a page, the one longest not added to first.

    None when there is no file. Raises StoreFault when it is damaged or of another version: it is then not touched.
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
        found = connection.execute(
            f"SELECT {INFO} FROM pull WHERE NOT gone AND pages > 0 ORDER BY updated_at, id"  # noqa: S608
        )
        infos = []
        for row in found.fetchall():
            with contextlib.suppress(*UNREADABLE, OSError):  # it is left out when the store is next opened
                infos.append(info_of(row))
        return tuple(Kept(info, sizes.get(info.id, 0)) for info in infos)


def size_on_disk(path: Path) -> int:
    """Bytes of the file, with what waits in its WAL."""
    files = (path, path.with_name(path.name + "-wal"))
    return sum(file.stat().st_size for file in files if file.exists())


def forget(path: Path, pulls: Collection[int] | None = None) -> None:
    """Removes these pulls, or all, and gives their room back to the system. Raises StoreFault."""
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
    """Makes the file as small as what it holds. Raises StoreFault, as when others keep it busy: it is whole then too.

    A file that cannot give pages back one by one is written anew, if the disk has room for that.
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
