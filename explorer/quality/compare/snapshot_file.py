"""A snapshot as a file, for passing it on; earlier versions of the program stored snapshots in this form.

A SQLite file with the pages as compressed blocks, as in the store, and one line about them. It is written under a
temporary name and renamed when it is complete on disk: a killed process leaves nothing that looks like a snapshot.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, get_args
from urllib.parse import quote

from explorer.digest import digest_of
from explorer.files import rename
from explorer.quality.compare.rows import CalledOff, PullRows, Wanted, always
from explorer.store.packing import Packer
from explorer.store.pins import GivenPage
from explorer.store.values import PullInfo, PullKey, PullState, Snapshot, StoreFault

SUFFIX = ".snapshot"
APPLICATION_ID = 0x55455853
"""Marks the file as ours (the letters UEXS)."""
VERSION = 2
"""Version 1 had no digests of pages."""
_BUSY_SECONDS = 10.0
_TABLES = (
    "CREATE TABLE snapshot (name TEXT NOT NULL, about TEXT NOT NULL, digest BLOB NOT NULL) STRICT",
    """CREATE TABLE page (
        number INTEGER PRIMARY KEY, first_row INTEGER NOT NULL, rows INTEGER NOT NULL, bytes INTEGER NOT NULL,
        received_at INTEGER NOT NULL, digest BLOB NOT NULL, data BLOB NOT NULL
    ) STRICT""",
)


def write(
    path: Path,
    snapshot: Snapshot,
    rows: PullRows,
    wanted: Wanted = always,
    on_rows: Callable[[int], None] | None = None,
) -> None:
    """Writes a whole snapshot with ``rows`` to ``path``. ``on_rows`` receives how many are written.

    Raises StoreFault, CalledOff; an existing file then stays unchanged.
    """
    beside = path.with_name(f".{path.name[:100]}.{secrets.token_hex(4)}.tmp")
    try:
        with faults(path):
            os.close(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
            with contextlib.closing(sqlite3.connect(beside, isolation_level=None)) as file:
                _fill(file, snapshot, rows, wanted, on_rows)
            with beside.open("rb+") as written:
                os.fsync(written.fileno())
            rename(beside, path)
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
        raise


def _fill(
    file: sqlite3.Connection,
    snapshot: Snapshot,
    rows: PullRows,
    wanted: Wanted,
    on_rows: Callable[[int], None] | None,
) -> None:
    # Until it is renamed the file is worthless, so it needs no journal.
    file.execute("PRAGMA journal_mode = OFF")
    file.execute("PRAGMA synchronous = OFF")
    file.execute("PRAGMA cache_size = -8000")
    file.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    file.execute(f"PRAGMA user_version = {VERSION}")
    file.execute("BEGIN")
    for statement in _TABLES:
        file.execute(statement)
    digest, seen = hashlib.blake2b(digest_size=16), 0
    for values, records in _pages_of(rows):
        if not wanted():
            raise CalledOff
        file.execute("INSERT INTO page VALUES (?, ?, ?, ?, ?, ?, ?)", values)
        for record in records:
            digest.update(len(record).to_bytes(8, "big") + record)
        seen += len(records)
        if on_rows is not None:
            on_rows(seen)
    about = {**asdict(rows.about), "kept_at": snapshot.kept_at}
    text = json.dumps(about, default=datetime.isoformat)
    file.execute("INSERT INTO snapshot VALUES (?, ?, ?)", (snapshot.name, text, digest.digest()))
    file.execute("COMMIT")


def _pages_of(rows: PullRows) -> Iterator[tuple[tuple[Any, ...], list[bytes]]]:
    """A row of the table ``page`` for each page, empty ones included, with its records."""
    packer, leaves = Packer(), rows.leaves()
    for page in rows.page_infos():
        if page.rows:
            leaf = next(leaves, None)
            if leaf is None or leaf.number != page.number:
                raise StoreFault("The pull was removed or restarted in the meantime.", "Try again.")
            body, records = leaf.packed.body, leaf.records()
        else:
            body, records = rows.body(page.number), []
        received = int(page.received_at.timestamp() * 1000)
        data = packer.pack(body, records)
        place = page.number, page.first_row, len(records), len(body)
        yield (*place, received, digest_of(records), data), records
    # Makes the reader check that all rows were read.
    if next(leaves, None) is not None:
        raise StoreFault("The pull was removed or restarted in the meantime.", "Try again.")


@contextlib.contextmanager
def reading(path: Path) -> Iterator[tuple[str, datetime, PullInfo, Iterator[GivenPage]]]:
    """The name of the snapshot in a file, when it was made, its pull, and its pages, each checked as it is read.

    Raises StoreFault, also while the pages are read, when it is damaged, not a snapshot, or of a newer version.
    """
    with faults(path):
        file = _opened(path)
    with contextlib.closing(file):
        with faults(path):
            found = file.execute("SELECT name, about FROM snapshot").fetchone()
            try:
                about = json.loads(found[1])
                info, kept_at = _info_of(about), datetime.fromisoformat(about["kept_at"])
            except (ValueError, TypeError, KeyError, AttributeError):
                raise _damaged(path) from None
        yield str(found[0]), kept_at, info, _pages_in(file, path, info)


def _info_of(about: dict[str, Any]) -> PullInfo:
    key = PullKey(*(str(about[name]) for name in ("connection", "origin", "resource", "params")))
    started, updated = (datetime.fromisoformat(about[name]) for name in ("started_at", "updated_at"))
    pages, rows, size = (int(about[name]) for name in ("pages", "rows", "bytes"))
    if about["state"] not in get_args(PullState):
        raise ValueError(about["state"])
    return PullInfo(0, key, about["state"], "", pages, rows, size, None, started, updated)


def _pages_in(file: sqlite3.Connection, path: Path, info: PullInfo) -> Iterator[GivenPage]:
    # Faults are converted here, page by page, so that the caller does not take them for faults of its store.
    with faults(path):
        [digests] = file.execute(_DIGESTS).fetchone()
        numbers = [number for (number,) in file.execute("SELECT number FROM page ORDER BY number")]
    packer, end = Packer(), 0
    columns = f"first_row, rows, bytes, received_at, {'digest' if digests else 'NULL'}, data"
    for number in numbers:
        with faults(path):
            sql = f"SELECT {columns} FROM page WHERE number = ?"  # noqa: S608
            try:
                [(first, rows, size, received, digest, data)] = file.execute(sql, (number,)).fetchall()
                packed = packer.unpack(data, rows, size, digest)
                received_at = datetime.fromtimestamp(received / 1000, UTC)
            except (ValueError, TypeError, OverflowError):
                raise _damaged(path) from None
            if first != end:
                raise _damaged(path)
        end += rows
        yield GivenPage(first, rows, size, received_at, digest or packed.digest, data)
    if (len(numbers), end) != (info.pages, info.rows):
        raise _damaged(path)


_DIGESTS = "SELECT count(*) FROM pragma_table_info('page') WHERE name = 'digest'"


@contextlib.contextmanager
def faults(path: Path) -> Iterator[None]:
    """Turns errors of the system and of SQLite into StoreFault."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        text = str(error).lower()
        if "full" in text or "i/o" in text:
            raise _no_room(path) from None
        if "locked" in text or "busy" in text:
            raise StoreFault(f"Another program keeps the snapshot {path.name} locked.", "Retry.") from None
        raise _damaged(path) from None
    except FileNotFoundError:
        raise StoreFault(f"The snapshot {path.name} is gone: another window deleted it.") from None
    except OSError as error:
        if error.errno in _NO_ROOM:
            raise _no_room(path) from None
        words = error.strerror or type(error).__name__
        raise StoreFault(f"The snapshot {path} cannot be used: {words.lower()}.") from None


_NO_ROOM = (28, 122)
"""ENOSPC and EDQUOT."""


def _no_room(path: Path) -> StoreFault:
    return StoreFault(
        f"The disk that holds {path.parent} is full or cannot be written.", "Free some space, then try again."
    )


def _damaged(path: Path) -> StoreFault:
    return StoreFault(f"The file {path.name} in {path.parent} is damaged, or not a snapshot of this program.")


def _opened(path: Path) -> sqlite3.Connection:
    if not path.exists():
        raise FileNotFoundError(path)
    address = f"file:{quote(str(path))}?mode=ro"
    file = sqlite3.connect(
        address, uri=True, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
    )
    try:
        [application] = file.execute("PRAGMA application_id").fetchone()
        [version] = file.execute("PRAGMA user_version").fetchone()
        if application != APPLICATION_ID:
            raise _damaged(path)
        if version > VERSION:
            raise StoreFault(f"The snapshot {path.name} was written by a newer version of this program.")
    except BaseException:
        file.close()
        raise
    return file
