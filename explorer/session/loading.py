"""Load all, seen from the window: starts the load process (load_process.py), takes its progress, and stops it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from explorer.api.errors import ExplorerError
from explorer.api.exchange import Exchange
from explorer.api.exchanges import Exchanges
from explorer.api.redact import Redactor
from explorer.catalog.interfaces import Remake
from explorer.paths import Folders
from explorer.profiles.profile import Auth, Profile
from explorer.session.worker_process import WorkerProcess

STOP_SECONDS = 0.18
"""How long Stop waits for the process to store what has arrived and to end; then it is killed."""
_REMEMBERED = 500
"""Requests whose numbers in this log are remembered. A later change of an older one is not shown."""


@dataclasses.dataclass(frozen=True, slots=True)
class LoadOrder:
    """What to load. It contains the key, and is sent through the process's standard input and nowhere else."""

    profile: Profile
    auth: Auth
    secret: str = dataclasses.field(repr=False)
    """The key or token; empty when the profile has none."""
    folders: Folders
    listing: str
    query: Mapping[str, Any]
    extra: Sequence[tuple[str, str]]
    past: bool
    """The user continues although the walk was stopped or ended (`Pull.go_past`)."""
    pull: int = 0
    """The id of the stored pull to continue; 0 when nothing is stored yet."""
    parts: Mapping[tuple[str, str], str] = dataclasses.field(default_factory=dict, repr=False)
    """The secret parts of connections, as `Credential.parts`."""
    remake: Remake | None = None
    """Makes the profile's interface in the process, where it is not the built-in one."""


@dataclasses.dataclass(frozen=True, slots=True)
class LoadNews:
    """Progress: sent a few times a second while something changes, and once at the end."""

    pull: int
    """The id of the pull in the store; 0 while there is none."""
    exchanges: Sequence[Exchange]
    """Requests that are new or changed, redacted, without the bodies of pages (these are in the store)."""
    over: bool = False
    error: ExplorerError | None = None
    """Why it failed or stopped; set only with ``over``."""


class LoadingEnded(ExplorerError):
    """The load process ended before its work did: killed, out of memory, crashed. The pages that it stored are kept."""


class Loading:
    """One load process for one list. Made by `Session`; use it on the session's event loop."""

    def __init__(self, order: LoadOrder, exchanges: Exchanges, redactor: Redactor) -> None:
        self._order, self._exchanges, self._redactor = order, exchanges, redactor
        self._process = WorkerProcess("load", self._news)
        self._numbers: dict[int, int] = {}
        self._heard: Callable[[int], None] = lambda _: None
        self._last: LoadNews | None = None

    @property
    def pid(self) -> int:
        """The process id; 0 before it runs."""
        return self._process.pid

    async def run(self, heard: Callable[[int], None]) -> ExplorerError | None:
        """Loads the list. ``heard`` is called with the id of the stored pull whenever there is progress.

        Returns the error with which the pull failed or stopped, else None. Raises LoadingEnded. After a cancellation
        call `stop`.
        """
        self._heard = heard
        try:
            await self._process.start(self._order)
        except OSError as error:
            said = error.strerror or type(error).__name__
            raise LoadingEnded(
                f"The loading process could not be started: {said}.", "Close other programs, then Continue."
            ) from None
        # Wait until the process is gone: before that no other one may continue the same pull.
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
        """Ends the process within `STOP_SECONDS`; what has arrived is stored as far as time allows."""
        await self._process.close(STOP_SECONDS)

    def cancel(self) -> None:
        """Kills the process."""
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
