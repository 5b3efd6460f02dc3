"""Progress of a pull: a bar on a terminal, and a line for each retry."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from explorer.cli.words import on_terminal, plain, say
from explorer.words import count

if TYPE_CHECKING:
    from explorer.api.exchanges import Exchange, Exchanges
    from explorer.session import Pull


class Progress:
    """Shows progress on standard error within its context. There is no total, because a list does not tell it."""

    def __init__(self, exchanges: Exchanges, walk: Pull) -> None:
        self._exchanges = exchanges
        self._walk = walk
        self._bar: Any = None
        self._task: Any = None
        self._ends: list[Any] = []
        self._said: set[tuple[int, str]] = set()

    def __enter__(self) -> Self:
        if on_terminal():
            self._bar, self._task = _bar(self._walk.listing.title)
            self._bar.start()
        self._ends = [self._exchanges.subscribe(self._exchange), self._walk.subscribe(self._moved)]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for end in self._ends:
            end()
        if self._bar is not None:
            self._bar.stop()

    def _moved(self) -> None:
        if self._bar is not None:
            words = f"{count(self._walk.rows, 'row')} · {count(self._walk.pages, 'page')}"
            self._bar.update(self._task, completed=self._walk.rows, rows=words)

    def _exchange(self, exchange: Exchange) -> None:
        """Prints one line for each attempt that failed and is retried."""
        key = (exchange.id, exchange.summary)
        if not exchange.summary.startswith("retry") or key in self._said:
            return
        self._said.add(key)
        what = str(exchange.status) if exchange.status else exchange.reason or "no answer"
        line = f"Page {exchange.page}: {what}, {exchange.summary}"
        if self._bar is not None:
            self._bar.console.print(plain(line), markup=False, highlight=False)
        else:
            say(line)


def _bar(title: str) -> tuple[Any, Any]:
    # Here, as rich is needed on a terminal only.
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as RichProgress

    bar = RichProgress(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=24),
        TextColumn("{task.fields[rows]}", markup=False),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    return bar, bar.add_task(title, total=None, rows="")
