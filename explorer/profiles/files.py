"""Small private files: atomic replacement, a lock between program instances, and setting a file aside."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from explorer.files import rename, try_lock, write_whole
from explorer.paths import private_folder
from explorer.profiles.fault import ProfileFault

LOCK_SECONDS = 10.0
"""How long a writer waits for another instance, which normally holds the lock for milliseconds."""


def write_atomically(path: Path, data: bytes) -> None:
    """Replaces ``path`` atomically, with mode 0600; its folder is created with mode 0700 if needed.

    See `explorer.files.write_whole`. Raises OSError; the old file is then as it was.
    """
    private_folder(Path(os.path.realpath(path)).parent)
    write_whole(path, data)


def sweep(path: Path) -> None:
    """Removes temporary files that a killed writer of ``path`` left.

    Call it only under the lock of ``path``: a writer that is still running has such a file too.
    """
    target = Path(os.path.realpath(path))
    for stale in target.parent.glob(f".{target.name}.*.tmp"):
        with contextlib.suppress(OSError):
            stale.unlink()


def set_aside(path: Path, why: str) -> Path:
    """Renames ``path`` to ``stem.why-date-time.suffix`` in its folder, never over another file, and returns that.

    Raises OSError.
    """
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    for number in range(1, 1000):
        tail = "" if number == 1 else f"-{number}"
        aside = path.with_name(f"{path.stem}.{why}-{stamp}{tail}{path.suffix}")
        if not aside.exists():
            rename(path, aside)
            return aside
    raise FileExistsError(f"too many old copies next to {path.name}")


@contextlib.contextmanager
def locked(path: Path, seconds: float = LOCK_SECONDS) -> Iterator[None]:
    """Holds a lock on the file ``path``.lock against every other instance and thread.

    The system releases it when the process ends. Raises ProfileFault when it is not free within ``seconds``, OSError
    when the folder cannot be written.
    """
    private_folder(path.parent)
    descriptor = os.open(path.with_name(path.name + ".lock"), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        until, pause = time.monotonic() + seconds, threading.Event()
        while not try_lock(descriptor):
            if time.monotonic() > until:
                raise ProfileFault(f"Another window has been writing {path.name} for too long.", "file")
            pause.wait(0.01)
        yield
    finally:
        os.close(descriptor)


def words_of(error: OSError) -> str:
    """The system's message for ``error``, such as ``no space left on device``."""
    return (error.strerror or type(error).__name__).lower()
