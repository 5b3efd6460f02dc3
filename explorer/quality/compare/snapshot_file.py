"""The file of one snapshot: pages as compressed blocks and one line about them, never changed but for its name.

A SQLite file of its own (so that the pages can be read one at a time from any place), written under a temporary name
and renamed when all of it is on the disk: a kill leaves nothing that looks like a snapshot.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sqlite3
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self
from urllib.parse import quote

from explorer.digest import digest_of
from explorer.quality.compare.rows import About, CalledOff, Leaf, PullRows, Starts, Wanted, always
from explorer.store import StoreFault
from explorer.store.packing import Packed, Packer

SUFFIX = ".snapshot"
APPLICATION_ID = 0x55455853
"""Marks the file as ours (the letters UEXS)."""
VERSION = 2
"""Version 1 kept no digests of pages."""
_HELD_BYTES = 16 * 2**20
"""Of unpacked pages that stay at hand."""
_BUSY_SECONDS = 10.0
_TABLES = (
    "CREATE TABLE snapshot (name TEXT NOT NULL, about TEXT NOT NULL, digest BLOB NOT NULL) STRICT",
    """CREATE TABLE page (
        number INTEGER PRIMARY KEY, first_row INTEGER NOT NULL, rows INTEGER NOT NULL, bytes INTEGER NOT NULL,
        received_at INTEGER NOT NULL, digest BLOB NOT NULL, data BLOB NOT NULL
    ) STRICT""",
)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A kept state of a list, under a name."""

    name: str
    about: About
    kept_at: datetime
    size: int
    """Bytes on the disk."""
    path: Path
    digest: str
    """Over all records in order, in hexadecimal: the same for the same records."""


def write(path: Path, name: str, rows: PullRows, wanted: Wanted, on_rows: Any = None) -> None:
    """Writes a whole snapshot to ``path``, which is not there yet, and onto the disk. Raises StoreFault, CalledOff."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    os.close(descriptor)
    with faults(path), contextlib.closing(sqlite3.connect(path, isolation_level=None)) as file:
        # Until it is renamed the file is worth nothing, so nothing in it needs a journal.
        file.execute("PRAGMA journal_mode = OFF")
        file.execute("PRAGMA synchronous = OFF")
        file.execute("PRAGMA cache_size = -8000")
        file.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        file.execute(f"PRAGMA user_version = {VERSION}")
        file.execute("BEGIN")
        for statement in _TABLES:
            file.execute(statement)
        digest, seen = hashlib.blake2b(digest_size=16), 0
        for values, records in _pages(rows):
            if not wanted():
                raise CalledOff
            file.execute("INSERT INTO page VALUES (?, ?, ?, ?, ?, ?, ?)", values)
            for record in records:
                digest.update(len(record).to_bytes(8, "big") + record)
            seen += len(records)
            if on_rows is not None:
                on_rows(seen)
        about = {**asdict(rows.about), "kept_at": datetime.now(UTC)}
        text = json.dumps(about, default=datetime.isoformat)
        file.execute("INSERT INTO snapshot VALUES (?, ?, ?)", (name, text, digest.digest()))
        file.execute("COMMIT")
    with faults(path), path.open("rb") as written:
        os.fsync(written.fileno())


def _pages(rows: PullRows) -> Iterator[tuple[tuple[Any, ...], list[bytes]]]:
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
    # Lets the reader look whether all rows came by.
    if next(leaves, None) is not None:
        raise StoreFault("The pull was removed or restarted in the meantime.", "Try again.")


def describe(path: Path) -> Snapshot:
    """What a snapshot's file says about itself. Raises StoreFault when it is none, or of a newer version."""
    with faults(path), contextlib.closing(_opened(path)) as file:
        found = file.execute("SELECT name, about, digest FROM snapshot").fetchone()
    if found is None:
        raise _damaged(path)
    name, text, digest = found
    try:
        about, kept_at = _about(json.loads(text))
        return Snapshot(name, about, kept_at, path.stat().st_size, path, digest.hex())
    except (ValueError, TypeError, KeyError, AttributeError):
        raise _damaged(path) from None


def rename(path: Path, name: str) -> None:
    """Gives a snapshot another name: all that ever changes in its file. Raises StoreFault."""
    with faults(path), contextlib.closing(_opened(path, "rw")) as file:
        file.execute("UPDATE snapshot SET name = ?", (name,))


class SnapshotRows:
    """The rows of a snapshot."""

    def __init__(self, snapshot: Snapshot, wanted: Wanted = always) -> None:
        """Raises StoreFault when the file is gone or damaged."""
        self.snapshot, self.name, self.about = snapshot, snapshot.name, snapshot.about
        self._wanted, self._packer = wanted, Packer()
        self._held: OrderedDict[int, Leaf] = OrderedDict()
        self._held_bytes = 0
        with faults(snapshot.path):
            self._file = _opened(snapshot.path)
            try:
                starts = self._file.execute(_STARTS).fetchall()
                if not _follow(starts, self.about.rows):
                    raise _damaged(snapshot.path)
                self._starts = Starts(starts)
                [self._digests] = self._file.execute(_DIGESTS).fetchone()
            except BaseException:
                self._file.close()
                raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the file."""
        self._file.close()

    def leaves(self) -> Iterator[Leaf]:
        """Every page with rows, in order. Raises StoreFault, CalledOff."""
        for number in self._starts.numbers:
            yield self._read(number)

    def leaf_at(self, row: int) -> Leaf:
        """The page that holds ``row``; those read last are at hand."""
        number = self._starts.number_of(row)
        leaf = self._held.get(number)
        if leaf is None:
            leaf = self._held[number] = self._read(number)
            self._held_bytes += leaf.packed.size
            while self._held_bytes > _HELD_BYTES and len(self._held) > 1:
                self._held_bytes -= self._held.popitem(last=False)[1].packed.size
        else:
            self._held.move_to_end(number)
        return leaf

    def bodies(self) -> Iterator[bytes]:
        """Each page's whole body as received, empty pages included."""
        for (number,) in self._file.execute("SELECT number FROM page ORDER BY number").fetchall():
            yield self._read(number).packed.body

    def _read(self, number: int) -> Leaf:
        if not self._wanted():
            raise CalledOff
        with faults(self.snapshot.path):
            digest = "digest" if self._digests else "NULL"
            sql = f"SELECT first_row, rows, bytes, data, {digest} FROM page WHERE number = ?"  # noqa: S608
            try:
                [(first, rows, size, data, digest)] = self._file.execute(sql, (number,)).fetchall()
                packed: Packed = self._packer.unpack(data, rows, size, digest)
            except (ValueError, TypeError, OverflowError):
                raise _damaged(self.snapshot.path) from None
        return Leaf(number, first, packed)


def _follow(starts: list[tuple[int, int, int]], total: int) -> bool:
    """Whether each page begins where the one before it ends, up to ``total`` rows."""
    end = 0
    for _, first, rows in starts:
        if first != end or type(rows) is not int:
            return False
        end += rows
    return end == total


_DIGESTS = "SELECT count(*) FROM pragma_table_info('page') WHERE name = 'digest'"
_STARTS = "SELECT number, first_row, rows FROM page WHERE rows > 0 ORDER BY number"


@contextlib.contextmanager
def faults(path: Path) -> Iterator[None]:
    """Errors of the system and of SQLite as StoreFault."""
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


def _opened(path: Path, mode: str = "ro") -> sqlite3.Connection:
    if not path.exists():
        raise FileNotFoundError(path)
    address = f"file:{quote(str(path))}?mode={mode}"
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


def _about(kept: dict[str, Any]) -> tuple[About, datetime]:
    for name in ("started_at", "updated_at", "kept_at"):
        kept[name] = datetime.fromisoformat(kept[name])
    known = {field.name for field in fields(About)}
    return About(**{name: value for name, value in kept.items() if name in known}), kept["kept_at"]
