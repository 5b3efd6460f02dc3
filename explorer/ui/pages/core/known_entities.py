"""The pipelines, customers and connections that are known in this profile, as the interface cannot list them.

They are in the journal (kinds ``pipeline``, ``customer`` and ``connection``), each with its last known record,
redacted, and its source: an answer, typed by hand, or an import. The connections of the profile are known, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from PySide6.QtCore import QObject, Signal

from explorer import words
from explorer.jsontext.read import object_of
from explorer.session import Session
from explorer.session.journal import Entry
from explorer.ui.kit.notices import FirstFault, Notices

Kind = Literal["pipeline", "customer", "connection"]
Source = Literal["answer", "by hand", "import"]

_MOST, _OF_HISTORY = 1000, 100
_LARGEST = 1_000_000  # bytes of an answer: a larger one is no record of these
_FROM = {"answer": "in an answer", "by hand": "added by hand", "import": "imported"}


@dataclass(frozen=True, slots=True)
class Entity:
    """One known entity, as it was last seen."""

    kind: Kind
    key: str
    data: Mapping[str, Any]
    """The last known record, secrets masked; empty when only the id is known."""
    at: datetime | None
    """UTC; None for a connection that is known from the profile alone."""
    source: str
    """``answer``, ``by hand``, ``import`` or ``profile``."""
    connection: str = ""
    """The connection that was in use."""

    @property
    def known(self) -> bool:
        """Whether more than its id is known."""
        return bool(set(self.data) - {"id"})

    @property
    def when(self) -> str:
        """How long ago it was seen, in words; ``not yet`` for a connection that only the profile names."""
        return words.relative(self.at) if self.at is not None else "not yet"

    @property
    def seen(self) -> str:
        """``seen at 12:04, in an answer``: a time, so that it stays true while it is shown."""
        if self.at is None:
            return "a connection of this profile"
        local, now = self.at.astimezone(), datetime.now(UTC).astimezone()
        when = f"{local:at %H:%M}" if local.date() == now.date() else f"{local:on %Y-%m-%d at %H:%M}"
        return f"seen {when}, {_FROM.get(self.source, self.source)}"


class KnownEntities(QObject):
    """The known entities in the journal of ``session``. A journal that fails is reported once."""

    changed = Signal(str)
    """Carries the kind of which something was added or forgotten."""

    def __init__(self, session: Session, notices: Notices, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._told_once = FirstFault(notices)
        self._quiet = False
        with self._told_once():
            end = session.journal.subscribe(self._heard)
            # When `destroyed` is emitted, self is half destroyed: call only the function.
            self.destroyed.connect(lambda _=None: end())

    def things(self, kind: Kind) -> list[Entity]:
        """The known entities of a kind, newest first; behind them connections known only from the profile."""
        made = [_thing(entry) for entry in self._read(lambda: self._session.journal.each(kind, _MOST))]
        if kind == "connection":
            profile = self._session.profile
            mentioned = {thing.key for thing in made}
            ids = dict.fromkeys(i for i in (profile.connection, *profile.connections) if i)
            made += [Entity(kind, key, {}, None, "profile") for key in ids if key not in mentioned]
        return made

    def find(self, kind: Kind, key: str) -> Entity | None:
        """The entity of that id, or None."""
        if not key:
            return None
        found = self._read(lambda: self._session.journal.of(kind, key, 1))
        if found:
            return _thing(found[0])
        profile = self._session.profile
        if kind == "connection" and key in (profile.connection, *profile.connections):
            return Entity(kind, key, {}, None, "profile")
        return None

    def history(self, kind: str, key: str) -> list[Entry]:
        """The journal's entries of any kind under one key, newest first; an empty key means all of that kind."""
        journal = self._session.journal
        return self._read(
            lambda: journal.of(kind, key, _OF_HISTORY) if key else journal.latest(kind, _OF_HISTORY)
        )

    def remember(self, kind: Kind, key: str, data: Mapping[str, Any], source: Source) -> bool:
        """Save ``data`` as what is known of ``key``. Empty ``data`` never replaces what was known before.

        False when there was nothing new to save, or the journal failed.
        """
        if not key or (not set(data) - {"id"} and self._read(lambda: self._session.journal.of(kind, key, 1))):
            return False
        return self.note(kind, key, data, source)

    def remember_all(
        self, kind: Kind, things: Iterable[tuple[str, Mapping[str, Any]]], source: Source
    ) -> int:
        """Save several. Returns how many of them were new or had something new."""
        self._quiet = True
        try:
            return sum(self.remember(kind, key, data, source) for key, data in things)
        finally:
            self._quiet = False
            self.changed.emit(kind)

    def note(self, kind: str, key: str, data: Mapping[str, Any], source: str = "") -> bool:
        """Add an entry of any kind; False when the journal failed."""
        with self._told_once():
            self._session.journal.add(kind, key, data, source=source, connection=self._session.connection)
            return True
        return False

    def forget(self, kind: Kind, key: str) -> None:
        """Delete all that is saved of ``key``; nothing is sent."""
        journal = self._session.journal
        for entry in self._read(lambda: journal.of(kind, key, _MOST)):
            self.drop(entry)

    def drop(self, entry: Entry) -> None:
        """Delete one entry of any kind."""
        with self._told_once():
            self._session.journal.remove(entry.id)

    def _read(self, ask: Callable[[], list[Entry]]) -> list[Entry]:
        with self._told_once():
            return ask()
        return []

    def _heard(self, kind: str) -> None:
        if not self._quiet:
            self.changed.emit(kind)


def record_in(body: bytes) -> dict[str, Any] | None:
    """The object in an answer's body; None when it is none, or too large to be saved."""
    return object_of(body, _LARGEST)


def _thing(entry: Entry) -> Entity:
    kind: Any = entry.kind
    return Entity(kind, entry.key, entry.data, entry.at, entry.source, entry.connection)
