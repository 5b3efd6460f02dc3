"""A second client beside an open session's, for one connection of its profile; its calls go into the session's log.

A quality run in the window checks one or several connections while the pages go on using theirs. It gets here what the
command line gives it (profile, credential, log, `send`), so that both make the same run.
"""

from __future__ import annotations

from explorer.api.answer import Answer
from explorer.api.client import Client
from explorer.api.exchanges import Exchanges
from explorer.api.guard import Permit
from explorer.api.redact import Redactor
from explorer.catalog.request import Request
from explorer.profiles.profile import Credential, Profile
from explorer.session.session import Session


class ConnectionClient:
    """Made by `aside`, closed by `aclose`. The profile's guard applies: the client checks it for every call."""

    def __init__(self, profile: Profile, credential: Credential | None, exchanges: Exchanges) -> None:
        """Use `aside`."""
        self.profile = profile
        self.credential = credential
        """The profile's credential, for the checks that try it on connections that must refuse it."""
        self.exchanges = exchanges
        self._client = Client(profile, credential, exchanges)
        self.registry = self._client.registry
        """The registry of the profile's interface."""

    async def send(
        self, request: Request, *, permit: Permit | None = None, credential: Credential | None = None
    ) -> Answer:
        """Sends one request. Raises the tree of `explorer.api.errors`."""
        return await self._client.send(request, permit=permit, credential=credential)

    async def aclose(self) -> None:
        """Closes its client; calls that are under way fail."""
        await self._client.aclose()


def aside(session: Session, connection: str) -> ConnectionClient:
    """A client for ``connection`` of the session's profile, with the session's credential and log."""
    profile = session.profile
    if connection != profile.connection:
        profile = profile.with_connection(connection)
    return ConnectionClient(profile, credential_of(session), session.exchanges)


def credential_of(session: Session) -> Credential | None:
    """The session's key or token; None when it has none."""
    return session._credential


def secrets_of(session: Session) -> tuple[str, ...]:
    """The secret values of the session, for code that searches for them itself (a bundle's masking)."""
    return session._client.secrets


def redactor_of(session: Session) -> Redactor:
    """A redactor that removes the session's secret, and what looks like one, from what is stored or handed on."""
    return Redactor(secrets_of(session), session.registry.interface.secret_names)
