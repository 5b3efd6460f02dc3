"""Load all from the window's side: the order, the news, and the end of the process that does it."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Callable

from explorer.api.errors import ExplorerError
from explorer.api.exchanges import Exchanges
from explorer.api.redact import Redactor
from explorer.session.load_messages import News, Order, encode, news_of
from explorer.session.worker_process import Ended, WorkerProcess

STOP_SECONDS = 0.18
"""A Stop waits so long for the process to end by itself, with all that had come kept; then it is killed."""
_REMEMBERED = 500
"""Requests whose numbers here are known: of one that changes later than that, nothing new is shown."""


class LoadingEnded(ExplorerError):
    """The process that loads went away in the middle: killed, out of memory, crashed. What it had kept is there."""


class Loading:
    """One process that loads one list. Made by `Session`; belongs to its loop."""

    def __init__(self, order: Order, exchanges: Exchanges, redactor: Redactor) -> None:
        self._order, self._exchanges, self._redactor = order, exchanges, redactor
        self._apart = WorkerProcess("load", self._frame)
        self._numbers: dict[int, int] = {}
        self._heard: Callable[[int], None] = lambda _: None
        self._last: News | None = None
        self._changed = asyncio.Event()

    @property
    def pid(self) -> int:
        """The number of its process; 0 before it runs."""
        return self._apart.pid

    async def run(self, heard: Callable[[int], None]) -> ExplorerError | None:
        """Loads; ``heard`` is given the number of the pull in the store whenever it has come further.

        Returns why it failed or stopped, None when neither. Raises LoadingEnded. Cancelled: call `stop`.
        """
        self._heard = heard
        try:
            await self._apart.start()
            self._apart.send(encode(self._order))
        except OSError as error:
            why = error.strerror or type(error).__name__
            raise LoadingEnded(
                f"The loading process could not be started: {why}.", "Close other programs, then Continue."
            ) from None
        except Ended:
            pass
        # It is over only when its process is gone: until then another one must not go on with the same pull.
        await self._apart.ended()
        if self._last is not None:
            return self._error(self._last)
        raise LoadingEnded(
            "The loading process ended too early.",
            "Every page that it saved is there, and none twice: Continue goes on after the last.",
            detail=self._redactor.text(self._apart.diagnosis),
        )

    async def stop(self) -> None:
        """Ends it within `STOP_SECONDS`, with all that had come kept as far as time allows."""
        await self._apart.close(STOP_SECONDS)

    def cancel(self) -> None:
        """Ends it at once."""
        self._apart.kill()

    async def ended(self) -> None:
        """Waits until the process is gone."""
        await self._apart.ended()

    def _frame(self, data: bytes) -> None:
        news = news_of(data)
        for exchange in news.exchanges:
            known = self._numbers.get(exchange.id)
            if known is not None:
                self._exchanges.replace(dataclasses.replace(exchange, id=known))
                continue
            self._numbers[exchange.id] = self._exchanges.add(exchange).id
            if len(self._numbers) > _REMEMBERED:
                del self._numbers[next(iter(self._numbers))]
        if news.over:
            self._last = news
        if news.pull:
            self._heard(news.pull)

    def _error(self, news: News) -> ExplorerError | None:
        if news.error is None:
            return None
        error = news.error.error()
        error.exchange = self._numbers.get(error.exchange or 0)
        return error
