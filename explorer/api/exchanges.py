"""The request log: every attempt, in order, within a limit of bytes. For cURL and HAR see curl_and_har.py.

With an archive it lasts: what memory drops is read from there, and numbers go on where an earlier log ended.
"""

from __future__ import annotations

import dataclasses
import logging
from array import array
from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple, Protocol, TypeVar

from explorer.api.curl_and_har import as_curl, as_har
from explorer.api.exchange import Exchange, Pairs, State, Verdict
from explorer.listeners import Listeners

__all__ = ["Archive", "Exchange", "Exchanges", "Pairs", "PastCalls", "State", "Verdict", "as_curl", "as_har"]

T = TypeVar("T")

MIB = 1024 * 1024
BODY_LIMIT = 256 * 1024
"""The most bytes of one body that the log keeps."""

_ALIKE = 64
"""How many headers, and sets of headers, are remembered to be shared with later entries."""

_log = logging.getLogger("explorer")


def unreadable(number: int, at: datetime, why: str) -> Exchange:
    """An entry in place of a call of that time that cannot be read. ``why`` is a sentence."""
    return Exchange(id=number, started_at=at, method="", url="", path="", state="failed", summary=why)


class PastCalls(NamedTuple):
    """Calls of an archive, the oldest first."""

    numbers: array[int]
    ats: array[int]
    """When each was sent: microseconds since 1970."""


class Archive(Protocol):
    """Where a log lasts. The session has one (request_archive.py)."""

    fault: str
    """Why the last calls could not be written, in a sentence; empty when they were."""

    def number(self) -> int:
        """A number that no other call has."""

    def keep(self, exchange: Exchange) -> None:
        """Has a new or changed call written soon, off the loop."""

    def read(self, number: int) -> Exchange | None:
        """A call with its bodies; None when it is not there. May be called in any thread."""

    def heads(self, numbers: Sequence[int]) -> list[Exchange]:
        """Those of these calls that are there, without their bodies."""

    async def find(self, words: Sequence[str] = (), without: Collection[int] = ()) -> PastCalls:
        """The calls in which all these words (in lower case) stand, but for those of the numbers in ``without``."""


class Exchanges:
    """A log within a limit: beyond it the oldest bodies are dropped, then the oldest entries. For the loop's thread."""

    def __init__(self, *, budget: int = 32 * MIB, most: int = 20_000, archive: Archive | None = None) -> None:
        """``budget``: the most bytes of all entries. ``most``: the most entries."""
        self.archive = archive
        self._entries: dict[int, Exchange] = {}
        self._listeners = Listeners[[Exchange]]()
        self._all: tuple[Exchange, ...] | None = None
        # Nearly all headers equal those of the call before: shared, they save 2 kB of the 2.8 kB of a bodyless entry.
        self._pair = lru_cache(_ALIKE)(_same)
        self._pairs = lru_cache(_ALIKE)(_same)
        self._text = lru_cache(_ALIKE)(_same)
        self._last = 0
        self._weight = 0
        self._bare_up_to = 0
        self._budget = budget
        self._most = most
        self.dropped = 0
        """How many entries were dropped because of the limits."""

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def weight(self) -> int:
        """Roughly the bytes of all entries; above ``budget`` only when there is a single entry."""
        return self._weight

    def add(self, exchange: Exchange) -> Exchange:
        """Adds ``exchange`` under the next number and notifies the listeners. Returns it with its number."""
        self._last = self._last + 1 if self.archive is None else self.archive.number()
        numbered = self._shared(exchange, self._last)
        self._entries[numbered.id] = numbered
        self._weight += numbered.weight
        self._make_room()
        self._notify(numbered)
        return numbered

    def replace(self, exchange: Exchange) -> None:
        """Replaces the entry of the same number; does nothing when that was dropped."""
        old = self._entries.get(exchange.id)
        if old is None:
            return
        exchange = self._shared(exchange, exchange.id)
        self._entries[exchange.id] = exchange
        self._weight += exchange.weight - old.weight
        self._bare_up_to = min(self._bare_up_to, exchange.id - 1)
        self._make_room()
        self._notify(self._entries.get(exchange.id, exchange))

    def all(self) -> Sequence[Exchange]:
        """Every entry, oldest first."""
        if self._all is None:
            self._all = tuple(self._entries.values())
        return self._all

    def get(self, number: int) -> Exchange | None:
        """The entry of that number, from the archive where memory has not all of it; None when there is none."""
        found = self._entries.get(number)
        if self.archive is None or (found is not None and number > self._bare_up_to):
            return found
        return self.archive.read(number) or found

    def subscribe(self, callback: Callable[[Exchange], None]) -> Callable[[], None]:
        """Calls ``callback`` for each new or replaced entry, on the loop's thread. Returns a function that ends it."""
        return self._listeners.subscribe(callback)

    def clear(self) -> None:
        """Drops every entry. Numbers are not reused."""
        self._entries.clear()
        self._pair.cache_clear()
        self._pairs.cache_clear()
        self._text.cache_clear()
        self._all = None
        self._weight = 0

    def _shared(self, exchange: Exchange, number: int) -> Exchange:
        """``exchange`` under that number, sharing equal headers and texts with earlier entries."""
        return dataclasses.replace(
            exchange,
            id=number,
            method=self._text(exchange.method),
            operation=self._text(exchange.operation),
            connection=self._text(exchange.connection),
            reason=self._text(exchange.reason),
            summary=self._text(exchange.summary),
            request_headers=self._pairs(tuple(map(self._pair, exchange.request_headers))),
            response_headers=self._pairs(tuple(map(self._pair, exchange.response_headers))),
        )

    def _notify(self, exchange: Exchange) -> None:
        self._all = None
        if self.archive is not None:
            self.archive.keep(exchange)
        for callback in self._listeners:
            try:
                callback(exchange)
            except Exception:  # noqa: BLE001 - whatever a listener raises
                # A listener that fails must not turn a good answer into a failed call.
                _log.exception("a listener of the request log failed")

    def _make_room(self) -> None:
        if self._weight > self._budget:
            for number in tuple(self._entries):
                if number > self._bare_up_to:
                    self._strip(number)
                if self._weight <= self._budget:
                    break
        while len(self._entries) > 1 and (self._weight > self._budget or len(self._entries) > self._most):
            oldest = next(iter(self._entries))
            self._weight -= self._entries.pop(oldest).weight
            self.dropped += 1

    def _strip(self, number: int) -> None:
        """Drops the bodies of one entry; not of the newest, which the user is looking at."""
        if number == self._last:
            return
        old = self._entries[number]
        self._bare_up_to = number
        bare = old.bare()
        self._entries[number] = bare
        self._weight += bare.weight - old.weight


def _same(held: T) -> T:
    """The argument. Behind an `lru_cache` it returns the first object that was equal to it."""
    return held
