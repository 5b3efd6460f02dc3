"""The job of the load process: Load all of a window, in a session of its own, without Qt.

Client, walk and store are those of every pull, and so are guard, origin pin, limits, retries, redaction, and pages that
are stored with their cursor in one transaction. The first message says what to load; a further message, or the end of
its input, stops it. It reports progress at most `PER_SECOND` times a second.
"""

from __future__ import annotations

import asyncio
import contextlib

import explorer.api.bare_httpx  # noqa: F401 - before anything imports httpx with its command line
from explorer.api.errors import ExplorerError
from explorer.api.exchanges import Exchange, Exchanges
from explorer.catalog.interfaces import register_remade
from explorer.profiles.profile import Credential
from explorer.session.loading import LoadNews, LoadOrder
from explorer.session.pull import Pull
from explorer.session.session import Session
from explorer.store.values import StoreFault
from explorer.worker_main import Orders, Tell

PER_SECOND = 10
MOST_TOLD = 400
"""The most requests that one progress message has; of more, the newest."""
LOG_BYTES = 4 * 2**20


def load(order: LoadOrder, orders: Orders, tell: Tell) -> None:
    """Loads what ``order`` says, and sends `LoadNews` about its progress."""
    with contextlib.suppress(asyncio.CancelledError, BrokenPipeError):
        asyncio.run(_Load(order, tell).run(orders))


class _Load:
    """One load under way."""

    def __init__(self, order: LoadOrder, tell: Tell) -> None:
        self._order, self._tell = order, tell
        self._changed: dict[int, Exchange] = {}
        self._moved = False

    async def run(self, orders: Orders) -> None:
        loop, work = asyncio.get_running_loop(), asyncio.current_task()

        def stop() -> None:
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(lambda: work and work.cancel())

        orders.at_end(stop)
        order = self._order
        exchanges = Exchanges(budget=LOG_BYTES, most=2000)
        exchanges.subscribe(self._exchange)
        register_remade(order.remake)
        credential = Credential(order.auth, order.secret, order.parts) if order.secret else None
        session = await Session.open(order.profile, credential, order.folders, exchanges=exchanges)
        try:
            asked = session.registry.listing(order.listing), order.query, order.extra
            try:
                pull = session.pull(*asked, which=order.pull or "front")
            except StoreFault as fault:
                self._send_progress(order.pull, fault, over=True)
                return
            if order.past:
                pull.go_past()
            await self._load(pull)
        finally:
            await session.close()

    async def _load(self, pull: Pull) -> None:
        try:
            async with asyncio.TaskGroup() as group:
                telling = group.create_task(self._tell_on(pull))
                await pull.load_all(self._page)
                telling.cancel()
        finally:
            self._send_progress(pull.stored_id, pull.error, over=True)

    def _page(self) -> None:
        self._moved = True

    def _exchange(self, exchange: Exchange) -> None:
        self._changed[exchange.id] = exchange

    async def _tell_on(self, pull: Pull) -> None:
        while True:
            if self._moved or self._changed:
                self._send_progress(pull.stored_id)
            await asyncio.sleep(1 / PER_SECOND)

    def _send_progress(self, pull: int, error: ExplorerError | None = None, *, over: bool = False) -> None:
        self._moved, changed, self._changed = False, self._changed, {}
        self._tell(LoadNews(pull, list(changed.values())[-MOST_TOLD:], over, error))
