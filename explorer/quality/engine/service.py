"""What a run needs of a service: who is asked, and how to ask. A session is one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol

from explorer.api.answer import Answer
from explorer.api.exchanges import Exchanges
from explorer.api.guard import Permit
from explorer.catalog.registry import Registry
from explorer.catalog.request import Request
from explorer.profiles.profile import Credential, Profile


class Service(Protocol):
    """One open profile on one connection."""

    @property
    def profile(self) -> Profile:
        """The profile whose guard and connection are used."""

    @property
    def registry(self) -> Registry:
        """What can be asked of it."""

    @property
    def exchanges(self) -> Exchanges:
        """The log, in which every call of a run stands."""

    async def send(
        self, request: Request, *, permit: Permit | None = None, credential: Credential | None = None
    ) -> Answer:
        """Sends one request. Raises the tree of `explorer.api.errors`."""


Send = Callable[[Request], Awaitable[Answer]]
