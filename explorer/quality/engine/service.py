"""What a run needs of a service: the profile, the catalog, the log, and a way to send. A session is one."""

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
        """The resources of the interface."""

    @property
    def exchanges(self) -> Exchanges:
        """The log, which records every call of a run."""

    async def send(
        self, request: Request, *, permit: Permit | None = None, credential: Credential | None = None
    ) -> Answer:
        """Sends one request. Raises the errors of `explorer.api.errors`."""


Send = Callable[[Request], Awaitable[Answer]]
