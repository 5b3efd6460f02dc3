"""A profile's own SQLite file beside its store: opened or created; one that is damaged or newer is set aside.

The journal and the request log are such files. They are separate from the store, so that clearing pulls loses neither.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from explorer.profiles.fault import ProfileFault
from explorer.profiles.files import locked
from explorer.store.schema import connect, fault_of, is_damage, set_database_aside, structure, transaction
from explorer.store.values import StoreFault


@dataclass(frozen=True, slots=True)
class FileKind:
    """What a file is for, and how it is told from another."""

    title: str
    """What a sentence calls it: ``journal``."""
    application_id: int
    """SQLite's ``application_id``."""
    version: int
    tables: tuple[str, ...]
    """The statements that make an empty file of that version."""
    busy_ms: int
    """How long a write waits for the lock of another window, whose transactions take milliseconds."""
    checked: bool
    """Whether all of it is checked when it is opened: a few milliseconds for a megabyte."""


def open_database(path: Path, kind: FileKind, notices: list[str]) -> sqlite3.Connection:
    """A connection that may write. A file that is damaged or newer is renamed, with a sentence in ``notices``.

    Raises StoreFault when the folder or file cannot be used at all.
    """
    try:
        # Two windows that open the same file at once must not both create or rename it.
        with locked(path):
            marker = path.with_name(f"{path.name}.damaged")
            why = _why_not(path, kind) or ("damaged" if marker.exists() and path.exists() else "")
            if why:
                set_database_aside(path, kind.title, why, notices)
            marker.unlink(missing_ok=True)
            path.touch(mode=0o600)
            database = connect(path)
            try:
                database.execute(f"PRAGMA busy_timeout = {kind.busy_ms}")
                _make(database, kind)
            except BaseException:
                database.close()
                raise
            return database
    except ProfileFault as fault:
        raise StoreFault(fault.sentence, "Retry.") from None
    except (OSError, sqlite3.Error) as error:
        raise fault_of(error, path) from None


def _make(database: sqlite3.Connection, kind: FileKind) -> None:
    if not _number(database, "application_id"):
        database.execute("PRAGMA auto_vacuum = INCREMENTAL")
        database.execute("PRAGMA journal_mode = WAL")
        with transaction(database):
            for statement in kind.tables:
                database.execute(statement)
            database.execute(f"PRAGMA user_version = {kind.version}")
            database.execute(f"PRAGMA application_id = {kind.application_id}")


def _why_not(path: Path, kind: FileKind) -> str:
    """``damaged`` or ``newer`` when the file cannot be used; empty when it can, or can be created."""
    if not path.exists():
        return ""
    try:
        with contextlib.closing(connect(path)) as database:
            [tables] = database.execute("SELECT count(*) FROM sqlite_master").fetchone()
            mark = _number(database, "application_id")
            if not tables and not mark:
                return ""
            if mark != kind.application_id:
                return "damaged"
            if _number(database, "user_version") > kind.version:
                return "newer"
            if structure(database) != _structure(kind.tables):
                return "damaged"
            [said] = database.execute("PRAGMA quick_check(1)").fetchone() if kind.checked else ("ok",)
            return "" if said == "ok" else "damaged"
    except (sqlite3.Error, UnicodeDecodeError) as error:
        if is_damage(error, path):
            return "damaged"
        raise


@cache
def _structure(tables: Sequence[str]) -> dict[str, Any]:
    """The structure of a sound file, see `schema.structure`."""
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as database:
        for statement in tables:
            database.execute(statement)
        return structure(database)


def _number(database: sqlite3.Connection, pragma: str) -> int:
    [number] = database.execute(f"PRAGMA {pragma}").fetchone()
    return int(number)
