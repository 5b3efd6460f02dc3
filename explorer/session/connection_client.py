"""One connection of an open session's profile, asked aside: a client of its own, in the session's log.

A quality run in the window looks at one connection or several while the pages go on with theirs. What it needs is what
the command line gives it (profile, credential, log, a way to send), so that both make the same run.
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
    """Made by `aside`, ended by `aclose`. The profile's guard counts here as everywhere: its client keeps it."""

    def __init__(self, profile: Profile, credential: Credential | None, exchanges: Exchanges) -> None:
        """For `aside`."""
        self.profile = profile
        self.credential = credential
        """The profile's own, for the checks that try it on connections that must refuse it."""
        self.exchanges = exchanges
        self._client = Client(profile, credential, exchanges)
        self.registry = self._client.registry
        """Of the profile's interface."""

    async def send(
        self, request: Request, *, permit: Permit | None = None, credential: Credential | None = None
    ) -> Answer:
        """Sends one request. Raises the tree of `explorer.api.errors`."""
        return await self._client.send(request, permit=permit, credential=credential)

    async def aclose(self) -> None:
        """Ends its client; what is under way fails."""
        await self._client.aclose()


def aside(session: Session, connection: str) -> ConnectionClient:
    """``connection`` of the session's profile, with the session's credential and log."""
    profile = session.profile
    if connection != profile.connection:
        profile = profile.with_connection(connection)
    return ConnectionClient(profile, credential_of(session), session.exchanges)


def credential_of(session: Session) -> Credential | None:
    """What the session sends with; None when it has none."""
    return session._credential


def secrets_of(session: Session) -> tuple[str, ...]:
    """The values that the session knows to be secret, for what looks for them itself."""
    credential = credential_of(session)
    return (credential.reveal(),) if credential is not None and credential.reveal() else ()


def redactor_of(session: Session) -> Redactor:
    """Takes the session's secret, and what looks like one, out of what is to be kept or given away."""
    credential = credential_of(session)
    return Redactor([credential.reveal() if credential else ""])
