"""Complete rows for a table (`records.Rows`) that come from no pull: nothing more can be fetched for them."""

from __future__ import annotations

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
        self._records: list[bytes] = []
        self._pages: list[tuple[int, PageInfo]] = []
        """The number of each page's first row."""
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
        return len(self._records)

    def window(self, start: int, stop: int) -> list[bytes]:
        """Rows ``start`` to before ``stop``; fewer at the end."""
        return self._records[max(start, 0) : stop]

    def page_at(self, row: int) -> PageInfo:
        """The page that brought ``row``. Raises IndexError where there is none."""
        if not 0 <= row < len(self._records):
            raise IndexError(row)
        found = [page for first, page in self._pages if first <= row]
        if not found:
            raise IndexError(row)
        return found[-1]

    def add(self, records: Sequence[bytes], page: PageInfo | None = None) -> None:
        """Append rows."""
        if page is not None:
            self._pages.append((len(self._records), page))
        self._records.extend(records)
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
