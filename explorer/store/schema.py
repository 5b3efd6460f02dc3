"""The store's file: its tables by version, opening and migrating it, and setting it aside when it cannot be used.

WAL mode with ``synchronous=NORMAL``: a killed program loses nothing that was committed. After a power failure the last
pages may be missing, but a page's rows and cursor are in one transaction, so the pull goes on after the last page that
is there. FULL would cost an fsync for each page, of pages that can be fetched again.
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

from explorer.files import rename
from explorer.profiles.fault import ProfileFault
from explorer.profiles.files import locked, set_aside
from explorer.store.columns import INFO, info_of
from explorer.store.page_integrity import UNREADABLE
from explorer.store.values import StoreFault

APPLICATION_ID = 0x55455850
"""SQLite's ``application_id`` of a store (the letters UEXP)."""
BUSY_MS = 10_000
"""How long a write waits for the lock of another window, whose transactions take milliseconds."""

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
        # Indexed columns. Pages that were stored before get theirs when a query first needs them.
        "CREATE TABLE shape (id INTEGER PRIMARY KEY, fields TEXT NOT NULL UNIQUE) STRICT",
        """CREATE TABLE narrow (
            page INTEGER PRIMARY KEY REFERENCES page (id) ON DELETE CASCADE,
            shape INTEGER NOT NULL REFERENCES shape (id),
            data BLOB NOT NULL
        ) STRICT""",
    ),
    (
        # A table of its own: SQLite reaches a column that follows a page's data only by reading all of the data.
        """CREATE TABLE fit (
            page INTEGER PRIMARY KEY REFERENCES page (id) ON DELETE CASCADE,
            unfit INTEGER NOT NULL
        ) STRICT""",
        "ALTER TABLE pull ADD COLUMN unfit INTEGER",
        "UPDATE pull SET unfit = 0 WHERE pages = 0",
    ),
    (
        # Earlier versions marked a pull complete though its last page promised more, or had an unusable cursor.
        """UPDATE pull SET state = 'stopped', why = CAST('The service ended the list at page ' || pages ||
            ', and it is not shown to be complete.' AS BLOB)
            WHERE state = 'complete' AND next_cursor IS NULL AND EXISTS (
                SELECT 1 FROM page WHERE page.pull = pull.id AND page.number = pull.pages
                AND (flag = 1 OR flag IS NULL AND instr(CAST(notes AS TEXT), 'it is taken as the end'))
            )""",
    ),
    (
        "ALTER TABLE pull ADD COLUMN with_key INTEGER NOT NULL DEFAULT 0",
        # Earlier versions masked the key inside a stored cursor: the service does not know such a cursor.
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
    (
        # Snapshots, see pins.py: how far each pull was when it was pinned.
        """CREATE TABLE snapshot (
            id INTEGER PRIMARY KEY AUTOINCREMENT, pull INTEGER NOT NULL REFERENCES pull (id),
            name TEXT NOT NULL, folded TEXT NOT NULL, kept_at INTEGER NOT NULL,
            state TEXT NOT NULL CHECK (state IN ('ready', 'complete', 'stopped')), why BLOB NOT NULL,
            pages INTEGER NOT NULL, rows INTEGER NOT NULL, bytes INTEGER NOT NULL, updated_at INTEGER NOT NULL,
            size INTEGER NOT NULL, digest BLOB NOT NULL
        ) STRICT""",
        "CREATE UNIQUE INDEX snapshot_of_name ON snapshot (folded)",
        "CREATE INDEX snapshot_of_pull ON snapshot (pull)",
        # What two pulls of one list differ in, so that it is worked out once.
        """CREATE TABLE difference (
            pull INTEGER NOT NULL REFERENCES pull (id) ON DELETE CASCADE,
            before INTEGER NOT NULL REFERENCES pull (id) ON DELETE CASCADE,
            pages INTEGER NOT NULL, before_pages INTEGER NOT NULL,
            added INTEGER NOT NULL, gone INTEGER NOT NULL, changed INTEGER NOT NULL,
            PRIMARY KEY (pull, before)
        ) STRICT""",
    ),
    (
        # Earlier versions counted nulls that running services are known to send as breaks: nobody knows which was what.
        "DELETE FROM fit WHERE unfit > 0",
        "UPDATE pull SET unfit = NULL WHERE unfit > 0",
        "ALTER TABLE fit ADD COLUMN observed INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE pull ADD COLUMN observed INTEGER",
        "UPDATE pull SET observed = 0 WHERE unfit = 0",
    ),
)
"""The statements that migrate the file, by version: version n is the result of the first n entries."""
_MIGRATED = "CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY, at INTEGER NOT NULL) STRICT"
UNREADABLE_PULL = 2
"""In ``pull.gone``: hidden because it cannot be read. 1 means removed: `Store.reap` frees its space."""
FOR_SNAPSHOT = 3
"""In ``pull.gone``: removed from its list, and kept because a snapshot is of it."""
READABLE = f"gone IN (0, {FOR_SNAPSHOT})"
"""The pulls whose pages can be read: those of the lists (``NOT gone``), and those that are kept for a snapshot."""


def connect(path: Path) -> sqlite3.Connection:
    """A new connection to the file, with the program's settings. Raises sqlite3.Error, UnicodeDecodeError.

    It may be used from several threads, by one at a time.
    """
    connection = sqlite3.connect(path, timeout=BUSY_MS / 1000, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA journal_size_limit = 67108864")
    except (sqlite3.Error, UnicodeDecodeError):  # SQLite's words about a damaged file may not be UTF-8
        connection.close()
        raise
    return connection


def open_file(path: Path, notices: list[str]) -> sqlite3.Connection:
    """The writer's connection to the store at ``path``, which is created or migrated where needed.

    A file that is damaged, not a store, or of a newer version is renamed (never deleted), with a sentence in
    ``notices``. Raises StoreFault when the folder or file cannot be used at all.
    """
    try:
        # Two windows that open the same file at once must not both create, migrate or rename it.
        with locked(path):
            why = _why_not(path) or ("damaged" if _marker(path).exists() else "")
            if why:
                _set_aside(path, why, notices)
            try:
                return _ready(path, notices)
            except (sqlite3.Error, UnicodeDecodeError) as error:
                if not (is_damage(error, path) or _is_for_later_sqlite(error, path)):
                    raise
            _set_aside(path, "damaged", notices)
            return _ready(path, notices)
    except ProfileFault as fault:
        raise StoreFault(fault.sentence, "Retry.") from None
    except (OSError, sqlite3.Error) as error:
        raise fault_of(error, path) from None


def _ready(path: Path, notices: list[str]) -> sqlite3.Connection:
    """A connection to the file, created or migrated."""
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
    except (sqlite3.Error, UnicodeDecodeError) as error:
        if is_damage(error, path):
            return "damaged"
        raise


_CORRUPT = frozenset((sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT))


def is_damage(error: Exception, path: Path) -> bool:
    """Whether SQLite reports that the file itself is corrupt.

    Everything else leaves the file where it is: a lock, a full disk, a missing permission, and above all a statement
    that SQLite refuses (an unknown column, a broken constraint), since that may be a mistake of this program.
    """
    if isinstance(error, UnicodeDecodeError):
        return True  # the name of a table that is not UTF-8
    code, text = getattr(error, "sqlite_errorcode", None), str(error).lower()
    if code is None:  # Python's sqlite3 module itself: a text value that is not UTF-8
        return isinstance(error, sqlite3.OperationalError) and "could not decode" in text
    if code & 0xFF == sqlite3.SQLITE_CONSTRAINT:
        # An index that lost entries refuses sound rows; so does a sound index where the statement is wrong.
        return _is_corrupt(path)
    # A format number that is too large has no code of its own.
    return code & 0xFF in _CORRUPT or text == "unsupported file format"


def _is_for_later_sqlite(error: Exception, path: Path) -> bool:
    """Whether a file that was just opened is read-only because its header names a later version of SQLite.

    SQLite has no code for that: it is what is left when the system would let this user write. The header is not read
    here, as closing the file would release the locks that other connections of this process hold on it.
    """
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return code == sqlite3.SQLITE_READONLY and os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)


def _is_corrupt(path: Path) -> bool:
    """Whether SQLite's integrity check finds a fault. It reads the whole file: some seconds for a gigabyte."""
    if not path.exists():
        return False  # connecting would create it
    try:
        with contextlib.closing(connect(path)) as connection:
            return bool(connection.execute("PRAGMA integrity_check(1)").fetchone() != ("ok",))
    except sqlite3.Error as error:
        return getattr(error, "sqlite_errorcode", 0) & 0xFF in _CORRUPT


def structure(connection: sqlite3.Connection) -> dict[str, Any]:
    """Tables with their columns, and indexes: what the statements rely on, independent of how the SQL was written."""
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
    """The structure of a sound file of that version."""
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        for statement in (_MIGRATED, *(one for step in MIGRATIONS[:version] for one in step)):
            connection.execute(statement)
        return structure(connection)


def _leave_out_unreadable(connection: sqlite3.Connection, path: Path, notices: list[str]) -> None:
    """Hides pulls whose own row cannot be read, and says how many. They stay in the file."""
    left_out = 0
    for (number,) in connection.execute(f"SELECT id FROM pull WHERE {READABLE}").fetchall():  # noqa: S608
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
    """Creates or migrates the tables. A file that has content is copied first (``NAME.version-N.sqlite3``)."""
    _, version, tables = _identity(connection)
    if not tables:
        # Both take effect only while the file is empty. Another window may do the same at this moment.
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
            # The version in the header may be a lower one than the file was brought to, by damage.
            connection.execute("INSERT OR REPLACE INTO migrations VALUES (?, ?)", (number, now))
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")


def _copy(connection: sqlite3.Connection, path: Path) -> None:
    """Copies the database to ``path`` by way of a temporary name, so that ``path`` is never half a copy."""
    half = path.with_name(f".{path.name}.half")
    half.unlink(missing_ok=True)
    half.touch(mode=0o600)
    connection.execute("VACUUM INTO ?", (str(half),))
    with half.open("r+b") as file:
        os.fsync(file.fileno())
    rename(half, path)


@contextlib.contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Runs the block in one transaction: all of it or nothing.

    The write lock is taken at the start, so that what the block reads cannot change before it writes.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


@contextlib.contextmanager
def faults(path: Path) -> Iterator[None]:
    """Turns the errors of SQLite and the system inside it into a `StoreFault` on the file at ``path``."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise fault_of(error, path) from None


def fault_of(error: Exception, path: Path) -> StoreFault:
    """The StoreFault for an error of SQLite or the system. Damage marks the file, see `file_damaged`."""
    text = str(error).lower()
    if isinstance(error, sqlite3.Error) and is_damage(error, path):
        return file_damaged(path)
    if "full" in text or "no space" in text or "too large" in text:
        return StoreFault(
            f"The disk that holds {path} is full.",
            "Free some space, then retry: what was saved before is safe.",
        )
    if "i/o" in text or "input/output" in text:
        # SQLite says so when the system cut a write short: a quota, a limit, a failing disk.
        return StoreFault(
            f"The disk that holds {path} could not be read or written.",
            "Check its free space and your quota, then retry: what was saved before is safe.",
        )
    if "locked" in text or "busy" in text:
        return StoreFault(f"Another program has kept the store {path} locked for too long.", "Retry.")
    return StoreFault(f"The store {path} cannot be used: {text}.")


def file_damaged(path: Path) -> StoreFault:
    """The fault of a file that was found damaged while open. It is marked, and set aside when it is next opened."""
    with contextlib.suppress(OSError):
        _marker(path).touch()
    return StoreFault(
        f"The store {path} is damaged.",
        "It is set aside the next time this profile is opened; nothing is deleted.",
    )


def _marker(path: Path) -> Path:
    """The empty file that marks ``path`` as damaged until it is next opened: an open file cannot be renamed."""
    return path.with_name(path.name + ".damaged")


def _set_aside(path: Path, why: str, notices: list[str]) -> None:
    if path.exists():
        set_database_aside(path, "store", why, notices)
    _marker(path).unlink(missing_ok=True)


def set_database_aside(path: Path, title: str, why: str, notices: list[str]) -> None:
    """Renames a file to a dated name, with its WAL, which may hold pages that the file itself lacks.

    ``title``: what the file is. ``why``: ``damaged`` or ``newer``. A sentence for the user goes to ``notices``. Raises
    OSError.
    """
    aside = set_aside(path, why)
    words = {"damaged": "is damaged", "newer": "was written by a newer version of this program"}[why]
    notices.append(
        f"The {title} {path.name} {words}. It was kept unchanged as {aside.name} in {path.parent}."
    )
    for tail in ("-wal", "-shm"):
        beside = path.with_name(path.name + tail)
        if beside.exists():
            rename(beside, aside.with_name(aside.name + tail))
