"""Atomic file replacement, and locks on files."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from pathlib import Path

_LONGEST = 100
"""Characters of the name that go into the temporary file's name, which may not be longer than a name can be."""


def write_whole(path: Path, data: bytes, *, private: bool = True) -> None:
    """Replaces ``path`` by ``data`` atomically: writes a temporary file next to it, flushes it, and renames it.

    ``private``: mode 0600; otherwise the mode of the file that is replaced, or the default of new files. A symbolic
    link stays and its target is replaced; a pipe or device is written to directly. Raises OSError with ``path`` as its
    file name; then the old file is as it was, and there is no temporary one.
    """
    try:
        target = Path(os.path.realpath(path))
        if target.exists() and not target.is_file():
            target.write_bytes(data)
        else:
            _replaced(target, data, private)
    except OSError as error:
        raise OSError(error.errno, error.strerror or type(error).__name__, str(path)) from None


def _replaced(target: Path, data: bytes, private: bool) -> None:
    beside = target.with_name(f".{target.name[:_LONGEST]}.{os.urandom(6).hex()}.tmp")
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600 if private else 0o666)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if not private and target.exists():
            beside.chmod(target.stat().st_mode & 0o777)
        rename(beside, target)
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
        raise
    if (
        sys.platform != "win32"
    ):  # a rename is on the disk only when its folder is; one may write in a folder unread
        with contextlib.suppress(PermissionError):
            folder = os.open(target.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)


RENAME_TRIES = 50 if sys.platform == "win32" else 1
"""How often a rename is tried: Windows refuses it while a reader has the target open, which is mostly for a moment."""


def rename(source: Path, target: Path) -> None:
    """Renames ``source`` to ``target``, which it replaces, in one step; on Windows for a second if need be.

    Raises OSError; then both are as they were.
    """
    for left in range(RENAME_TRIES - 1, -1, -1):
        try:
            source.replace(target)
            return
        except PermissionError:
            if not left:
                raise
        threading.Event().wait(0.02)


if sys.platform == "win32":  # pragma: no cover - the other half runs elsewhere
    import msvcrt

    def try_lock(descriptor: int) -> bool:
        """Locks an open file, which the system releases with the descriptor. False when another has it."""
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True


else:
    import fcntl

    def try_lock(descriptor: int) -> bool:
        """Locks an open file, which the system releases with the descriptor. False when another has it.

        Raises OSError on a disk that knows no locks.
        """
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
