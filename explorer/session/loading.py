"""Load all from the window's side: the order, the news, and the end of the process that does it (load_process.py)."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from explorer.api.errors import ExplorerError
from explorer.api.exchange import Exchange
from explorer.api.exchanges import Exchanges
from explorer.api.redact import Redactor
from explorer.paths import Folders
from explorer.profiles.profile import Auth, Profile
from explorer.session.worker_process import WorkerProcess

STOP_SECONDS = 0.18
"""A Stop waits so long for the process to end by itself, with all that had come kept; then it is killed."""
_REMEMBERED = 500
"""Requests whose numbers here are known: of one that changes later than that, nothing new is shown."""


@dataclasses.dataclass(frozen=True, slots=True)
class LoadOrder:
    """What is to be loaded. Holds the key: it goes through the pipe and nowhere else."""

    profile: Profile
    auth: Auth
    secret: str = dataclasses.field(repr=False)
    """Empty when the profile has none."""
    folders: Folders
    listing: str
    query: Mapping[str, Any]
    extra: Sequence[tuple[str, str]]
    past: bool
    """The user goes on in spite of what stopped or ended the walk."""
    pull: int = 0
    """The number of the pull in the store that is gone on with; 0: nothing is kept yet."""


@dataclasses.dataclass(frozen=True, slots=True)
class LoadNews:
    """How far it came: told some times a second while something changes, and once at the end."""

    pull: int
    """The number of the pull in the store; 0 while there is none."""
    exchanges: Sequence[Exchange]
    """The requests that are new or have changed, redacted, without the bodies of pages that are in the store."""
    over: bool = False
    error: ExplorerError | None = None
    """With ``over``: why it failed or stopped."""


class LoadingEnded(ExplorerError):
    """The process that loads went away in the middle: killed, out of memory, crashed. What it had kept is there."""


class Loading:
    """One process that loads one list. Made by `Session`; belongs to its loop."""

    def __init__(self, order: LoadOrder, exchanges: Exchanges, redactor: Redactor) -> None:
        self._order, self._exchanges, self._redactor = order, exchanges, redactor
        self._process = WorkerProcess("load", self._news)
        self._numbers: dict[int, int] = {}
        self._heard: Callable[[int], None] = lambda _: None
        self._last: LoadNews | None = None

    @property
    def pid(self) -> int:
        """The number of its process; 0 before it runs."""
        return self._process.pid

    async def run(self, heard: Callable[[int], None]) -> ExplorerError | None:
        """Loads; ``heard`` is given the number of the pull in the store whenever it has come further.

        Returns why it failed or stopped, None when neither. Raises LoadingEnded. Cancelled: call `stop`.
        """
        self._heard = heard
        try:
            await self._process.start(self._order)
        except OSError as error:
            said = error.strerror or type(error).__name__
            raise LoadingEnded(
                f"The loading process could not be started: {said}.", "Close other programs, then Continue."
            ) from None
        # It is over only when its process is gone: until then another one must not go on with the same pull.
        await self._process.ended()
        if self._last is None:
            raise LoadingEnded(
                "The loading process ended too early.",
                "Every page that it saved is there, and none twice: Continue goes on after the last.",
                detail=self._redactor.text(self._process.diagnosis),
            )
        if (why := self._last.error) is not None:
            why.exchange = self._numbers.get(why.exchange or 0)
        return why

    async def stop(self) -> None:
        """Ends it within `STOP_SECONDS`, with all that had come kept as far as time allows."""
        await self._process.close(STOP_SECONDS)

    def cancel(self) -> None:
        """Ends it at once."""
        self._process.kill()

    async def ended(self) -> None:
        """Waits until the process is gone."""
        await self._process.ended()

    def _news(self, news: LoadNews) -> None:
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
