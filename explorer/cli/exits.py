"""How a run ends: one sentence for each way to fail, and its exit code."""

from __future__ import annotations

import traceback
from collections.abc import Iterable
from enum import IntEnum
from pathlib import Path

from explorer.api.errors import ExplorerError
from explorer.api.redact import Redactor
from explorer.catalog.request import RequestFault
from explorer.profiles.fault import ProfileFault


class Exit(IntEnum):
    """The exit codes, as docs/command-line.md gives them."""

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
    """What was asked for makes no sense as it stands. One plain sentence."""


class CannotStart(Exception):
    """Something outside of the call is missing or in the way. One plain sentence."""


_secrets: set[str] = set()


def note_secrets(values: Iterable[str]) -> None:
    """From now on these are taken out of every sentence that ends a run, whoever made it."""
    _secrets.update(value for value in values if value)


def known_secrets() -> frozenset[str]:
    """The secrets of this run, for what looks for them itself."""
    return frozenset(_secrets)


def without_secrets(text: str) -> str:
    """``text`` without the secrets of this run."""
    return Redactor(_secrets).text(text)


def ending(error: BaseException) -> tuple[str, Exit]:
    """The sentence (with advice, if there is any) and the exit code for what ended a run."""
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
    return _own_fault(error), Exit.CANNOT_START


def _own_fault(error: BaseException) -> str:
    """A bug of ours: its kind and place, and no text of it, which might quote what must not be shown."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [f for f in frames if "explorer" in Path(f.filename).parts]
    place = f" in {Path(ours[-1].filename).name}, line {ours[-1].lineno}" if ours else ""
    return f"This is an error in the program itself: {type(error).__name__}{place}. Please report it."
