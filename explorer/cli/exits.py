"""The end of a run: the sentence and exit code of each failure."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum

from explorer.api.errors import ExplorerError, place_of
from explorer.catalog.fault import RequestFault
from explorer.profiles.fault import ProfileFault


class Exit(IntEnum):
    """The exit codes; docs/command-line.md describes them."""

    DONE = 0
    FINDINGS = 1
    USAGE = 2
    CANNOT_START = 3
    SERVICE_REFUSED = 4
    SERVICE_FAILED = 5
    NETWORK = 6
    NOT_SHOWN_COMPLETE = 7
    STOPPED = 130


class UsageFault(Exception):
    """The arguments cannot be used. The message is one plain sentence."""


class CannotStart(Exception):
    """Something that the command needs is missing or cannot be used. The message is one plain sentence."""


_secrets: set[str] = set()


def note_secrets(values: Iterable[str]) -> None:
    """Registers secrets that `without_secrets` masks from now on, as in every sentence that ends a run."""
    _secrets.update(value for value in values if value)


def known_secrets() -> frozenset[str]:
    """The registered secrets, for code that searches for them itself (a bundle's masking)."""
    return frozenset(_secrets)


def without_secrets(text: str) -> str:
    """``text`` with the registered secrets masked."""
    # Here, as its patterns are a twentieth of the start of a command that masks nothing.
    from explorer.api.redact import Redactor

    return Redactor(_secrets).text(text)


def ending(error: BaseException) -> tuple[str, Exit]:
    """The sentence (with its advice) and the exit code for the exception that ended a run."""
    if isinstance(error, ExplorerError):
        return without_secrets(f"{error.sentence} {error.advice}".strip()), Exit(error.exit_code)
    if isinstance(error, KeyboardInterrupt):
        return "Stopped.", Exit.STOPPED
    if isinstance(error, ProfileFault):
        code = Exit.CANNOT_START if error.field == "file" else Exit.USAGE
        return without_secrets(error.sentence), code
    if isinstance(error, UsageFault | RequestFault):
        return without_secrets(str(error)), Exit.USAGE
    if isinstance(error, CannotStart):
        return without_secrets(str(error)), Exit.CANNOT_START
    if isinstance(error, OSError):
        what = f"{error.filename}: " if error.filename else ""
        return without_secrets(f"{what}{error.strerror or type(error).__name__}."), Exit.CANNOT_START
    said = f"This is an error in the program itself: {place_of(error)}. Please report it."
    return said, Exit.CANNOT_START
