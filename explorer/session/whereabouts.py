"""Where the files of an open session's profile are, for what reads them by itself, in a thread of its own."""

from __future__ import annotations

from explorer.paths import Folders
from explorer.session.session import Session


def folders_of(session: Session) -> Folders:
    """The per-user folders that the session was opened with."""
    return session._folders
