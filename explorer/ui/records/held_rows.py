"""Rows that are all there, in the form in which a table takes them: nothing more can be asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from explorer.listeners import Listeners
from explorer.ui.records.records import Rows

if TYPE_CHECKING:
    from explorer.session import PageInfo


class HeldRows:
    """Records in memory, each as received, with the page (the answer) that each came with. A `Rows` of the tables.

    ``state`` is ``complete`` unless whoever fills it says otherwise with `become`.
    """

    def __init__(self, records: Sequence[bytes] = (), page: PageInfo | None = None) -> None:
        self._records: list[bytes] = []
        self._pages: list[tuple[int, PageInfo]] = []
        """Of each page the row it begins with."""
        self._listeners = Listeners[[]]()
        self._state = "complete"
        self.add(records, page)

    @property
    def state(self) -> str:
        """``complete``, or what `become` was told."""
        return self._state

    @property
    def rows(self) -> int:
        """How many there are."""
        return len(self._records)

    def window(self, start: int, stop: int) -> list[bytes]:
        """Rows ``start`` to before ``stop``; fewer at the end."""
        return self._records[max(start, 0) : stop]

    def page_at(self, row: int) -> PageInfo:
        """The page that ``row`` came with. Raises IndexError where there is none."""
        if not 0 <= row < len(self._records):
            raise IndexError(row)
        found = [page for first, page in self._pages if first <= row]
        if not found:
            raise IndexError(row)
        return found[-1]

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Calls ``callback`` after each change. Returns how to end it."""
        return self._listeners.subscribe(callback)

    def add(self, records: Sequence[bytes], page: PageInfo | None = None) -> None:
        """Put further rows behind those that are there."""
        if page is not None:
            self._pages.append((len(self._records), page))
        self._records.extend(records)
        self._notify()

    def become(self, state: str) -> None:
        """Say how they stand: ``ready``, ``loading``, ``complete``, ``stopped`` or ``failed``."""
        if state != self._state:
            self._state = state
            self._notify()

    def _notify(self) -> None:
        self._listeners.tell()


class ChosenRows:
    """Some rows of another source, by number, in the order given. They are read from it when they are looked at."""

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
        """The page that ``row`` came with. Raises IndexError."""
        return self._source.page_at(self._numbers[row])

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """They never change, so nothing is ever told."""
        return lambda: None
