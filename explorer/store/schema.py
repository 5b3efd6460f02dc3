"""The store's file: its tables by version, how it is opened, brought forward, and set aside when it cannot
be used.

WAL with ``synchronous=NORMAL``: a killed program loses nothing that was committed; after a power cut the
last pages may be missing, but rows and cursor leave together, as they are written in one transaction, and
the pull goes on from there. FULL would cost an fsync a page for pages that can be asked for again.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from explorer.profiles.fault import ProfileFault
from explorer.profiles.files import locked, set_aside
from explorer.store.columns import INFO, info_of
from explorer.store.values import StoreFault
from explorer.store.whole import UNREADABLE

APPLICATION_ID = 0x55455850
"""Marks the file as ours (the letters UEXP)."""
BUSY_MS = 10_000
"""How long a write waits for another window, whose transactions take milliseconds."""

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE pull (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            connection TEXT NOT NULL, origin TEXT NOT NULL, resource TEXT NOT NULL, params TEXT NOT NULL,
            state TEXT NOT NULL CHECK (state IN ('ready', 'complete', 'stopped')),
            why BLOB NOT NULL,
            pages INTEGER NOT NULL DEFAULT 0, rows INTEGER NOT NULL DEFAULT 0, bytes INTEGER NOT NULL
            DEFAULT 0, next_cursor BLOB,
            started_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
            gone INTEGER NOT NULL DEFAULT 0
        ) STRICT""",
        "CREATE INDEX pull_of_key ON pull (connection, origin, resource, params, gone, id)",
        """CREATE TABLE page (
            id INTEGER PRIMARY KEY,
            pull INTEGER NOT NULL REFERENCES pull (id),
            number INTEGER NOT NULL, first_row INTEGER NOT NULL, rows INTEGER NOT NULL, bytes INTEGER NOT
            NULL, flag INTEGER, elapsed_ms REAL NOT NULL, received_at INTEGER NOT NULL, exchange INTEGER
            NOT NULL, digest BLOB NOT NULL, notes BLOB NOT NULL, cursor BLOB, next_cursor BLOB,
            data BLOB NOT NULL
        ) STRICT""",
        "CREATE UNIQUE INDEX page_of_pull ON page (pull, number, first_row, rows)",
    ),
    (
        # Pages that were kept before have no narrow columns: they get them when they are first asked for.
        "CREATE TABLE shape (id INTEGER PRIMARY KEY, fields TEXT NOT NULL UNIQUE) STRICT",
        """CREATE TABLE narrow (
            page INTEGER PRIMARY KEY REFERENCES page (id) ON DELETE CASCADE,
            shape INTEGER NOT NULL REFERENCES shape (id),
            data BLOB NOT NULL
        ) STRICT""",
    ),
    (
        # A table of its own: a column added behind a page's data is reached only through all of that data.
        """CREATE TABLE fit (
            page INTEGER PRIMARY KEY REFERENCES page (id) ON DELETE CASCADE,
            unfit INTEGER NOT NULL
        ) STRICT""",
        "ALTER TABLE pull ADD COLUMN unfit INTEGER",
        "UPDATE pull SET unfit = 0 WHERE pages = 0",
    ),
    (
        # Earlier versions called a pull complete whose last page said that more follows, or had a cursor that is none.
        """UPDATE pull SET state = 'stopped', why = CAST('The service ended the list at page ' || pages ||
            ', and it is not shown to be complete.' AS BLOB)
            WHERE state = 'complete' AND next_cursor IS NULL AND EXISTS (
                SELECT 1 FROM page WHERE page.pull = pull.id AND page.number = pull.pages
                AND (flag = 1 OR flag IS NULL AND instr(CAST(notes AS TEXT), 'it is taken as the end'))
            )""",
    ),
    (
        "ALTER TABLE pull ADD COLUMN with_key INTEGER NOT NULL DEFAULT 0",
        # Earlier versions kept a cursor that held the key with a mask in its place: the service never gave it.
        """UPDATE page SET next_cursor = NULL WHERE instr(next_cursor, CAST('••••••' AS BLOB))
            AND number = (SELECT pages FROM pull WHERE pull.id = page.pull)""",
        """UPDATE pull SET next_cursor = NULL, state = 'stopped', why = CAST('An earlier version masked the key in the
            cursor of the next page, so this pull cannot go on. Pull the list again from its start.' AS BLOB)
            WHERE instr(next_cursor, CAST('••••••' AS BLOB))""",
    ),
    (
        "ALTER TABLE pull ADD COLUMN settled INTEGER NOT NULL DEFAULT 0",
        "UPDATE pull SET settled = 1 WHERE state = 'complete'",
    ),
)
"""What brings the file from each version to the next. Version n is what the first n of them made."""
_MIGRATED = "CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY, at INTEGER NOT NULL) STRICT"
UNREADABLE_PULL = 2
"""In ``pull.gone``: out of sight because it cannot be read. 1 is forgotten, and given back by `Store.reap`."""


def connect(path: Path) -> sqlite3.Connection:
    """A connection of its own to the file, ready to use. Raises sqlite3.Error.

    It may be used from several threads, one at a time.
    """
    connection = sqlite3.connect(path, timeout=BUSY_MS / 1000, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA journal_size_limit = 67108864")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def open_file(path: Path, notices: list[str]) -> sqlite3.Connection:
    """The writer's connection to a file of the present version, made or brought forward where needed.

    A file that is damaged, no store, or of a newer version is set aside with a sentence in ``notices``.
    Raises StoreFault when the folder or file cannot be used at all.
    """
    try:
        # Two windows that open the same file at once must not both make it, bring it forward or set it aside.
        with locked(path):
            why = _why_not(path) or ("damaged" if _marker(path).exists() else "")
            if why:
                _set_aside(path, why, notices)
            try:
                return _ready(path, notices)
            except (sqlite3.Error, *UNREADABLE) as error:
                if not is_damage(error, path):
                    raise
            _set_aside(path, "damaged", notices)
            return _ready(path, notices)
    except ProfileFault as fault:
        raise StoreFault(fault.sentence, "Retry.") from None
    except (OSError, sqlite3.Error) as error:
        raise fault_of(error, path) from None


def _ready(path: Path, notices: list[str]) -> sqlite3.Connection:
    """A connection to the file, made or brought forward."""
    if not path.exists():
        path.touch(mode=0o600)
    connection = connect(path)
    try:
        _bring_forward(connection, path)
        _leave_out_unreadable(connection, path, notices)
    except BaseException:
        connection.close()
        raise
    return connection


def _why_not(path: Path) -> str:
    """Why the file cannot be used (``damaged`` or ``newer``), or an empty text when it can."""
    if not path.exists():
        return ""
    try:
        with contextlib.closing(connect(path)) as connection:
            application, version, tables = _identity(connection)
            if application == 0 and version == 0 and tables == 0:
                return ""
            if application != APPLICATION_ID:
                return "damaged"
            if version > len(MIGRATIONS):
                return "newer"
            return "" if version > 0 and structure(connection) == _made(version) else "damaged"
    except (sqlite3.Error, *UNREADABLE) as error:
        if is_damage(error, path) or getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_ERROR:
            return "damaged"
        raise


def is_damage(error: Exception, path: Path) -> bool:
    """Whether an error of SQLite means that the file itself is at fault, and no lock, disk, permission or statement."""
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:
        return True  # a value that is none, or a text that is no text
    if code & 0xFF == sqlite3.SQLITE_READONLY:
        # A number in the head of the file can say that only later versions of SQLite may write to it.
        return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)
    return code & 0xFF in (
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_NOTADB,
        sqlite3.SQLITE_FORMAT,
        sqlite3.SQLITE_MISMATCH,
        sqlite3.SQLITE_CONSTRAINT,
    )


def structure(connection: sqlite3.Connection) -> dict[str, Any]:
    """The tables with their columns and the indexes: what statements rely on, however it was written down."""
    found: dict[str, Any] = {}
    sql = "SELECT type, name, tbl_name FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'"
    for kind, name, table in connection.execute(sql).fetchall():
        quoted = name.replace('"', '""')
        if kind == "table":
            columns = connection.execute(f'PRAGMA table_xinfo("{quoted}")').fetchall()
            found[name] = [column[1:4] + column[5:] for column in columns]
        elif kind == "index":
            columns = connection.execute(f'PRAGMA index_info("{quoted}")').fetchall()
            found[name] = (table, [column[2] for column in columns])
        else:
            found[name] = (kind, table)
    return found


@cache
def _made(version: int) -> dict[str, Any]:
    """The structure that a file of that version has."""
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        for statement in (_MIGRATED, *(one for step in MIGRATIONS[:version] for one in step)):
            connection.execute(statement)
        return structure(connection)


def _leave_out_unreadable(connection: sqlite3.Connection, path: Path, notices: list[str]) -> None:
    """Takes pulls out of sight that say of themselves what was never written. They stay in the file."""
    left_out = 0
    for (number,) in connection.execute("SELECT id FROM pull WHERE NOT gone").fetchall():
        try:
            sql = f"SELECT {INFO} FROM pull NOT INDEXED WHERE id = ?"  # noqa: S608
            info_of(connection.execute(sql, (number,)).fetchone())
        except (sqlite3.OperationalError, *UNREADABLE, OSError) as error:
            if isinstance(error, sqlite3.OperationalError) and hasattr(error, "sqlite_errorcode"):
                raise
            connection.execute("UPDATE pull SET gone = ? WHERE id = ?", (UNREADABLE_PULL, number))
            left_out += 1
    if left_out:
        pulls = "A pull" if left_out == 1 else f"{left_out} pulls"
        notices.append(
            f"{pulls} in the store {path.name} cannot be read and will be left out. Pull the list again."
        )


def _identity(connection: sqlite3.Connection) -> tuple[int, int, int]:
    [application] = connection.execute("PRAGMA application_id").fetchone()
    [version] = connection.execute("PRAGMA user_version").fetchone()
    [tables] = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return application, version, tables


def _bring_forward(connection: sqlite3.Connection, path: Path) -> None:
    """Makes or migrates the tables. A file with content is copied aside first."""
    _, version, tables = _identity(connection)
    if not tables:
        # Both take effect only while the file is empty; another window may be doing the same just now.
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        connection.execute("PRAGMA journal_mode = WAL")
    elif version < len(MIGRATIONS):
        backup = path.with_name(f"{path.stem}.version-{version}{path.suffix}")
        if not backup.exists():
            _copy(connection, backup)
    with transaction(connection):
        _, version, _ = _identity(connection)
        connection.execute(_MIGRATED)
        for number, statements in enumerate(MIGRATIONS[version:], start=version + 1):
            for statement in statements:
                connection.execute(statement)
            now = int(datetime.now(UTC).timestamp() * 1000)
            connection.execute("INSERT INTO migrations VALUES (?, ?)", (number, now))
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")


def _copy(connection: sqlite3.Connection, path: Path) -> None:
    """Copies the file to ``path``, which is there when all of the copy is: a kill leaves half of it elsewhere."""
    half = path.with_name(f".{path.name}.half")
    half.unlink(missing_ok=True)
    half.touch(mode=0o600)
    connection.execute("VACUUM INTO ?", (str(half),))
    with half.open("r+b") as file:
        os.fsync(file.fileno())
    half.replace(path)


@contextlib.contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All of the block or nothing; the write lock is taken at its start, so that what is read in it
    stays true.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def fault_of(error: Exception, path: Path) -> StoreFault:
    """The sentence for an error of the system or of SQLite."""
    text = str(error).lower()
    damaged = isinstance(error, sqlite3.DatabaseError) and any(sign in text for sign in _SIGNS_OF_DAMAGE)
    # No statement of the program breaks a constraint of a sound file.
    if damaged or isinstance(error, sqlite3.IntegrityError):
        with contextlib.suppress(OSError):
            _marker(path).touch()
        return StoreFault(
            f"The store {path} is damaged.",
            "It is set aside the next time this profile is opened; nothing is deleted.",
        )
    if "full" in text or "no space" in text or "too large" in text:
        return StoreFault(
            f"The disk that holds {path} is full.",
            "Free some space, then retry: what was saved before is safe.",
        )
    if "i/o" in text or "input/output" in text:
        # SQLite's word for a write that the system cut short: a quota, a limit, a disk that fails.
        return StoreFault(
            f"The disk that holds {path} could not be read or written.",
            "Check its free space and your quota, then retry: what was saved before is safe.",
        )
    if "locked" in text or "busy" in text:
        return StoreFault(f"Another program has kept the store {path} locked for too long.", "Retry.")
    return StoreFault(f"The store {path} cannot be used: {text}.")


_SIGNS_OF_DAMAGE = (
    "malformed",
    "not a database",
    "could not decode",
    "no such column",
    "no such table",
    "no such index",
)


def _marker(path: Path) -> Path:
    """Says that the file was found damaged while it was open: then it can not be renamed, at the next
    start it can.
    """
    return path.with_name(path.name + ".damaged")


def _set_aside(path: Path, why: str, notices: list[str]) -> None:
    """Renames the file and its WAL, which may hold pages that the file lacks, under a dated name."""
    if path.exists():
        aside = set_aside(path, why)
        words = {"damaged": "is damaged", "newer": "was written by a newer version of this program"}[why]
        notices.append(
            f"The store {path.name} {words}. It was kept unchanged as {aside.name} in {path.parent}."
        )
        for tail in ("-wal", "-shm"):
            beside = path.with_name(path.name + tail)
            if beside.exists():
                beside.rename(aside.with_name(aside.name + tail))
    _marker(path).unlink(missing_ok=True)
