"""Rows of a pull that were found, filtered or sorted, in the form in which a table takes them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from explorer.ui.records.records import Rows

if TYPE_CHECKING:
    from explorer.session import PageInfo

_SMALL = 1000
"""Rows up to which a choice is read by itself; beyond, the whole view is streamed once and picked from."""


class Found(Protocol):
    """What is needed of a view (session.View)."""

    @property
    def state(self) -> str: ...
    @property
    def rows(self) -> int: ...
    def row(self, place: int) -> int: ...
    def window(self, start: int, stop: int) -> list[bytes]: ...
    def stream(self) -> AsyncIterator[list[bytes]]: ...
    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]: ...


class PickedRows:
    """The rows of ``view``, which is a view of ``pull``. A `PickedFrom` of the tables."""

    def __init__(self, pull: Rows, view: Found) -> None:
        self._pull, self._view = pull, view

    @property
    def state(self) -> str:
        """``loading`` while rows are still being found."""
        return "loading" if self._view.state == "building" else "complete"

    @property
    def rows(self) -> int:
        """How many were found so far."""
        return self._view.rows

    def number(self, place: int) -> int:
        """The row of the pull that stands at ``place``. Raises IndexError."""
        return self._view.row(place)

    def window(self, start: int, stop: int) -> list[bytes]:
        """Places ``start`` to before ``stop``. Raises StoreFault when the store cannot give them (any more)."""
        start, stop = max(start, 0), min(stop, self.rows)
        return self._view.window(start, stop) if start < stop else []

    def page_at(self, row: int) -> PageInfo:
        """The page that the record at place ``row`` came with. Raises IndexError, StoreFault."""
        return self._pull.page_at(self.number(row))

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Calls ``callback`` when rows were found. Returns how to end it."""
        return self._view.subscribe(callback)

    async def stream(self, ranges: Sequence[tuple[int, int]]) -> AsyncIterator[list[bytes]]:
        """The records of these [start, stop) ranges of places, in order. Raises StoreFault, Superseded."""
        if sum(stop - start for start, stop in ranges) <= _SMALL:
            for start, stop in ranges:
                yield self._view.window(start, stop)
            return
        left, first = list(ranges), 0
        async for piece in self._view.stream():
            end = first + len(piece)
            while left and left[0][0] < end:
                start, stop = left[0]
                yield piece[max(start - first, 0) : min(stop, end) - first]
                if stop > end:
                    break
                left.pop(0)
            first = end
            if not left:
                return
