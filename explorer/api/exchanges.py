"""The request log: every attempt in order, within a budget of bytes; as cURL and as HAR (sharing.py)."""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeVar

from explorer.api.exchange import Exchange, Pairs, State, Verdict
from explorer.api.sharing import as_curl, as_har
from explorer.listeners import Listeners

__all__ = ["Exchange", "Exchanges", "Pairs", "State", "Verdict", "as_curl", "as_har"]

T = TypeVar("T")

MIB = 1024 * 1024
BODY_LIMIT = 256 * 1024
"""Bytes of one body that the log keeps."""

_ALIKE = 64
"""Headers, and sets of them, that are compared with those of the next call."""

_log = logging.getLogger("explorer")


class Exchanges:
    """A log with a budget: the oldest bodies go first, then the oldest entries. Lives on the loop's thread."""

    def __init__(self, *, budget: int = 32 * MIB, most: int = 20_000) -> None:
        """``budget`` in bytes for all that is kept, ``most`` in entries."""
        self._entries: dict[int, Exchange] = {}
        self._listeners = Listeners[[Exchange]]()
        self._all: tuple[Exchange, ...] | None = None
        # Nearly all headers are those of the call before: 2 kB of the 2.8 kB that a call without its body takes.
        self._pair = lru_cache(_ALIKE)(_same)
        self._pairs = lru_cache(_ALIKE)(_same)
        self._text = lru_cache(_ALIKE)(_same)
        self._last = 0
        self._weight = 0
        self._bare_up_to = 0
        self._budget = budget
        self._most = most
        self.dropped = 0
        """How many entries are gone for want of room."""

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def weight(self) -> int:
        """Bytes held at present, roughly; never above the budget but for a single entry."""
        return self._weight

    def add(self, exchange: Exchange) -> Exchange:
        """Keep ``exchange`` under the next number and tell the listeners. Returns it with its number."""
        self._last += 1
        numbered = self._shared(exchange, self._last)
        self._entries[numbered.id] = numbered
        self._weight += numbered.weight
        self._make_room()
        self._notify(numbered)
        return numbered

    def replace(self, exchange: Exchange) -> None:
        """Put ``exchange`` in the place of the one with its number; one that is gone stays gone."""
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
        """The entry of that number, or None when it is gone."""
        return self._entries.get(number)

    def subscribe(self, callback: Callable[[Exchange], None]) -> Callable[[], None]:
        """Call ``callback`` for each new or replaced entry, on the loop's thread. Returns how to end it."""
        return self._listeners.subscribe(callback)

    def clear(self) -> None:
        """Forget every entry; the numbers go on."""
        self._entries.clear()
        self._pair.cache_clear()
        self._pairs.cache_clear()
        self._text.cache_clear()
        self._all = None
        self._weight = 0

    def _shared(self, exchange: Exchange, number: int) -> Exchange:
        """The same under that number, with headers and words that are held already where they are equal."""
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
        for callback in self._listeners:
            try:
                callback(exchange)
            except Exception:  # noqa: BLE001 - whatever a listener raises
                # A view that fails must not turn a good answer into a failed call.
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
        """Take the bodies off one entry. The newest keeps its own: it is what is being looked at."""
        if number == self._last:
            return
        old = self._entries[number]
        self._bare_up_to = number
        bare = old.bare()
        self._entries[number] = bare
        self._weight += bare.weight - old.weight


def _same(held: T) -> T:
    """What is equal to it, and was given first: with `lru_cache`."""
    return held
