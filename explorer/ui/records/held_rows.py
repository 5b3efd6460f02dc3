"""Complete rows for a table (`records.Rows`) that come from no pull: nothing more can be fetched for them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from explorer.listeners import Listeners
from explorer.ui.records.records import Rows

if TYPE_CHECKING:
    from explorer.session import PageInfo


class HeldRows:
    """Records in memory, each as received, with the page (the answer) that brought them.

    ``state`` is ``complete`` until `become` sets another one.
    """

    def __init__(self, records: Sequence[bytes] = (), page: PageInfo | None = None) -> None:
        self._pieces: list[tuple[int, Sequence[bytes], PageInfo | None]] = []
        """All that was added: the number of its first row, the records as given, their page."""
        self._rows = 0
        self._listeners = Listeners[[]]()
        self.subscribe = self._listeners.subscribe
        """Takes what is called after each change; returns what ends that."""
        self._state = "complete"
        self.add(records, page)

    @property
    def state(self) -> str:
        """``complete``, or what `become` set."""
        return self._state

    @property
    def rows(self) -> int:
        """How many there are."""
        return self._rows

    def window(self, start: int, stop: int) -> list[bytes]:
        """Rows ``start`` to before ``stop``; fewer at the end."""
        start, found = max(start, 0), list[bytes]()
        for first, records, _ in self._pieces[self._piece_of(start) : self._piece_of(stop - 1) + 1]:
            found += records[max(start - first, 0) : stop - first]
        return found

    def page_at(self, row: int) -> PageInfo:
        """The page that brought ``row``. Raises IndexError where there is none."""
        page = self._pieces[self._piece_of(row)][2] if 0 <= row < self._rows else None
        if page is None:
            raise IndexError(row)
        return page

    def _piece_of(self, row: int) -> int:
        return bisect_right(self._pieces, row, key=lambda piece: piece[0]) - 1

    def add(self, records: Sequence[bytes], page: PageInfo | None = None) -> None:
        """Append rows. They are not copied: a sequence may read each of its items when it is asked for."""
        self._pieces.append((self._rows, records, page))
        self._rows += len(records)
        self._listeners.tell()

    def become(self, state: str) -> None:
        """Set the state: ``ready``, ``loading``, ``complete``, ``stopped`` or ``failed``."""
        if state != self._state:
            self._state = state
            self._listeners.tell()


class NumberedRows:
    """Some rows of another source, by number, in the order given. They are read from it when they are painted."""

    state = "complete"

    def __init__(self, source: Rows, numbers: Sequence[int]) -> None:
        self._source, self._numbers = source, numbers

    @property
    def rows(self) -> int:
        """How many there are."""
        return len(self._numbers)

    def window(self, start: int, stop: int) -> list[bytes]:
        """Rows ``start`` to before ``stop``; fewer at the end."""
        return [self._source.window(n, n + 1)[0] for n in self._numbers[max(start, 0) : stop]]

    def page_at(self, row: int) -> PageInfo:
        """The page that brought ``row``. Raises IndexError where there is none."""
        return self._source.page_at(self._numbers[row])

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """These rows never change, so ``callback`` is never called."""
        return lambda: None
