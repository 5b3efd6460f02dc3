"""The journal of a profile: calls that were sent, pipelines, customers and connections that were seen, links made.

It is stored in ``data/<profile id>.journal.sqlite3``, separate from the pulls, so that clearing those does not lose it.
Everything is redacted before it is stored, and each kind has a limit, beyond which its oldest entries are deleted.
"""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from explorer.api.redact import Redactor
from explorer.listeners import Listeners
from explorer.session.profile_database import FileKind, open_database
from explorer.store.columns import moment, now, to_bytes, to_text
from explorer.store.page_integrity import UNREADABLE
from explorer.store.schema import faults, transaction

APPLICATION_ID = 0x5545584A
"""SQLite's ``application_id`` of a journal (the letters UEXJ)."""
VERSION = 1
BUSY_MS = 2_000
"""How long a write waits for the lock of another window, whose transactions take milliseconds. It blocks the loop."""

_TABLES = (
    """CREATE TABLE entry (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        kind TEXT NOT NULL, key BLOB NOT NULL, at INTEGER NOT NULL,
        source BLOB NOT NULL, connection BLOB NOT NULL, data TEXT NOT NULL
    ) STRICT""",
    "CREATE INDEX entry_of_key ON entry (kind, key, id)",
    "CREATE INDEX entry_of_kind ON entry (kind, id)",
    """CREATE TABLE size (
        kind TEXT PRIMARY KEY, entries INTEGER NOT NULL, bytes INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID""",
    """CREATE TRIGGER entry_in AFTER INSERT ON entry BEGIN
        INSERT INTO size VALUES (new.kind, 1, length(new.data))
        ON CONFLICT (kind) DO UPDATE SET entries = entries + 1, bytes = bytes + length(new.data);
    END""",
    """CREATE TRIGGER entry_out AFTER DELETE ON entry BEGIN
        UPDATE size SET entries = entries - 1, bytes = bytes - length(old.data) WHERE kind = old.kind;
    END""",
    """CREATE TRIGGER entry_new AFTER UPDATE OF data ON entry BEGIN
        UPDATE size SET bytes = bytes + length(new.data) - length(old.data) WHERE kind = new.kind;
    END""",
)
_COLUMNS = "id, kind, key, at, source, connection, data"
# The file is bounded, so that checking all of it takes a few milliseconds.
_KIND = FileKind("journal", APPLICATION_ID, VERSION, _TABLES, BUSY_MS, checked=True)


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry: something that was done or seen."""

    id: int
    """Ascending with time, never reused."""
    kind: str
    key: str
    """What the entry is about: the key of an operation, the id of a pipeline or customer, the name of a connector."""
    at: datetime
    """When it was added, in UTC."""
    source: str
    """Where it comes from, such as ``answer``, ``by hand`` or ``import``; may be empty."""
    connection: str
    """The id of the connection in use; may be empty."""
    data: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Bound:
    """The limits of a kind. The newest entry is always kept."""

    entries: int
    per_key: int
    """Entries with the same key, so that one that is seen often does not displace the others."""
    characters: int = 8 * 2**20
    """Characters of the data of all entries."""


BOUNDS: Mapping[str, Bound] = {
    "history": Bound(1000, 200),
    "pipeline": Bound(4000, 5),
    "customer": Bound(4000, 5),
    "connection": Bound(4000, 5),
    "check": Bound(1000, 100),
    "link": Bound(500, 500),
    "webhook": Bound(200, 50),
}
OTHER = Bound(500, 500)
"""The limits of any other kind."""
_HIDDEN: Mapping[str, frozenset[str]] = {
    # The link itself is a credential, under whatever name the service returns it.
    "link": frozenset({"url", "link", "href", "token"}),
}
_NOTHING: frozenset[str] = frozenset()


class Journal:
    """The journal of one profile. Its transactions are small: call it on the event loop's thread.

    Every method that reads or writes raises StoreFault when the file cannot be used.
    """

    def __init__(self, path: Path, redactor: Redactor, *, bounds: Mapping[str, Bound] = BOUNDS) -> None:
        """Opens or creates the file. One that is damaged or newer is renamed, with a sentence in ``notices``."""
        self.path = path
        self.notices: list[str] = []
        self._redactor, self._bounds = redactor, bounds
        self._lock = threading.Lock()
        self._listeners = Listeners[[str]]()
        self.subscribe = self._listeners.subscribe
        """Takes what is called with the kind after each change by this object; returns what ends that."""
        self._database = open_database(path, _KIND, self.notices)

    def close(self) -> None:
        """Closes the file and drops all listeners. May be called twice."""
        self._listeners.clear()
        with self._lock:
            self._database.close()

    # ------------------------------------------------------------------ writing

    def add(
        self, kind: str, key: str, data: Mapping[str, Any], *, source: str = "", connection: str = ""
    ) -> Entry:
        """Adds an entry, redacted, and returns it as stored. Raises TypeError for ``data`` that is not JSON values."""
        key, source, connection = map(self._redactor.text, (key, source, connection))
        text, at = self._text(kind, data), now()
        with self._writing():
            sql = "INSERT INTO entry (kind, key, at, source, connection, data) VALUES (?, ?, ?, ?, ?, ?)"
            values = (kind, to_bytes(key), at, to_bytes(source), to_bytes(connection), text)
            made = self._database.execute(sql, values).lastrowid
            assert made is not None  # noqa: S101 - sqlite3 gives it after every insert
            self._keep_within(kind, to_bytes(key), made)
        self._listeners.tell(kind)
        return Entry(made, kind, key, moment(at), source, connection, json.loads(text))

    def update(self, id: int, data: Mapping[str, Any]) -> Entry | None:  # noqa: A002 - the entry's own word
        """Replaces the data of an entry, not its time or order. Returns None when there is no such entry."""
        with self._writing():
            found = self._database.execute("SELECT kind FROM entry WHERE id = ?", (id,)).fetchone()
            if found is None:
                return None
            values = (self._text(found[0], data), id)
            self._database.execute("UPDATE entry SET data = ? WHERE id = ?", values)
        self._listeners.tell(found[0])
        kept = self._entries("WHERE id = ?", (id,))
        return kept[0] if kept else None

    def remove(self, id: int) -> None:  # noqa: A002
        """Deletes one entry; does nothing when it is gone."""
        with self._writing():
            found = self._database.execute("DELETE FROM entry WHERE id = ? RETURNING kind", (id,)).fetchall()
        for (kind,) in found:
            self._listeners.tell(kind)

    def clear(self, kind: str) -> None:
        """Deletes every entry of a kind."""
        with self._writing():
            self._database.execute("DELETE FROM entry WHERE kind = ?", (kind,))
        self._listeners.tell(kind)

    # ------------------------------------------------------------------ reading

    def latest(self, kind: str, limit: int = 200) -> list[Entry]:
        """The newest entries of a kind, newest first."""
        return self._entries("WHERE kind = ? ORDER BY id DESC LIMIT ?", (kind, limit))

    def of(self, kind: str, key: str, limit: int = 50) -> list[Entry]:
        """The newest entries of a kind with that key, newest first."""
        values = (kind, to_bytes(self._redactor.text(key)), limit)
        return self._entries("WHERE kind = ? AND key = ? ORDER BY id DESC LIMIT ?", values)

    def each(self, kind: str, limit: int = 1000) -> list[Entry]:
        """The newest entry of each key of a kind, newest first, as a page lists known pipelines or customers."""
        only = "WHERE id IN (SELECT max(id) FROM entry WHERE kind = ? GROUP BY key) ORDER BY id DESC LIMIT ?"
        return self._entries(only, (kind, limit))

    # ------------------------------------------------------------------ inside

    def _text(self, kind: str, data: Mapping[str, Any]) -> str:
        return json.dumps(self._redactor.json(dict(data), _HIDDEN.get(kind, _NOTHING)))

    def _keep_within(self, kind: str, key: bytes, newest: int) -> None:
        """Deletes what exceeds the limits: first of the key just added, then the oldest of the kind."""
        bound = self._bounds.get(kind, OTHER)
        run = self._database.execute
        sql = (
            "DELETE FROM entry WHERE id IN (SELECT id FROM entry WHERE kind = ? AND key = ? ORDER BY id DESC"
        )
        run(f"{sql} LIMIT -1 OFFSET ?)", (kind, key, max(bound.per_key, 1)))
        while True:
            [entries, size] = run("SELECT entries, bytes FROM size WHERE kind = ?", (kind,)).fetchone()
            if entries <= bound.entries and size <= bound.characters:
                return
            sql = "DELETE FROM entry WHERE id = (SELECT min(id) FROM entry WHERE kind = ? AND id < ?)"
            if not run(sql, (kind, newest)).rowcount:
                return

    def _entries(self, only: str, values: tuple[Any, ...]) -> list[Entry]:
        with faults(self.path), self._lock:
            found = self._database.execute(f"SELECT {_COLUMNS} FROM entry {only}", values).fetchall()  # noqa: S608
        made = []
        for number, kind, key, at, source, connection, data in found:
            try:
                texts = to_text(source), to_text(connection)
                made.append(Entry(number, kind, to_text(key), moment(at), *texts, _object(data)))
            except (*UNREADABLE, AttributeError, OSError):
                self._left_out()
        return made

    def _left_out(self) -> None:
        notice = f"An entry of the journal {self.path.name} is damaged and is left out."
        if notice not in self.notices:
            self.notices.append(notice)

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        with faults(self.path), self._lock, transaction(self._database):
            yield


def _object(text: str) -> dict[str, Any]:
    found = json.loads(text)
    if not isinstance(found, dict):
        raise TypeError("no object")
    return found
