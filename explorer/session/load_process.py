"""The process that loads for a window: a session of its own, with the same client, walk and store, and no Qt.

Everything that holds for a pull holds here: guard, origin pin, bounds, retries, redaction, pages kept with their cursor
in one transaction. It is told what to load by one frame, is stopped by a second one or by the end of its input, and
tells how far it came at most `PER_SECOND` times a second.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
from pathlib import Path
from typing import IO

from explorer.api.errors import ExplorerError
from explorer.api.exchanges import Exchange, Exchanges
from explorer.paths import Folders
from explorer.profiles.profile import Auth, Credential, Profile
from explorer.session.load_messages import Fault, News, Order, encode, order_of
from explorer.session.pull import Pull
from explorer.session.session import Session
from explorer.store import StoreFault
from explorer.store.frames import read_frame, write_frame

PER_SECOND = 10
MOST_TOLD = 400
"""Requests that one message tells of; of more, the newest."""
LOG_BYTES = 4 * 2**20


def load(orders: IO[bytes], told: IO[bytes]) -> int:
    """Does what the first frame of ``orders`` says, and says on ``told`` how it goes. Returns the exit code."""
    first = read_frame(orders)
    if first is None:
        return 0
    with contextlib.suppress(asyncio.CancelledError, BrokenPipeError):
        asyncio.run(_Load(order_of(first), told).run(orders))
    with contextlib.suppress(OSError):
        told.flush()
    # A thread still waits for orders; nothing is open any more.
    os._exit(0)


class _Load:
    """One order being done."""

    def __init__(self, order: Order, told: IO[bytes]) -> None:
        self._order, self._told = order, told
        self._changed: dict[int, Exchange] = {}
        self._moved = False

    async def run(self, orders: IO[bytes]) -> None:
        loop, work = asyncio.get_running_loop(), asyncio.current_task()

        def listen() -> None:
            read_frame(orders)
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(lambda: work and work.cancel())

        threading.Thread(target=listen, name="orders", daemon=True).start()
        order = self._order
        exchanges = Exchanges(budget=LOG_BYTES, most=2000)
        exchanges.subscribe(self._exchange)
        profile = Profile.model_validate(order.profile)
        credential = Credential(Auth(order.auth), order.secret) if order.secret else None
        folders = Folders(*map(Path, order.folders))
        session = await Session.open(profile, credential, folders, exchanges=exchanges, alone=True)
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
        fault = Fault.of(error) if error is not None else None
        news = News(pull, list(changed.values())[-MOST_TOLD:], over, fault)
        write_frame(self._told, encode(news))
