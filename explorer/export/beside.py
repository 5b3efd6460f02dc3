"""The temporary folder of an export: hidden, next to its target, on the same disk, so that it can be renamed into
place.

A killed process leaves its folder behind, with perhaps gigabytes in it. The next export to the same place removes it:
in each folder is a file that its writer holds locked, and the system releases the lock when the writer ends. A folder
without that file, or whose lock is held, is left alone, and so is one with an earlier export next to it
(`ParquetOut.finish` was interrupted).
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from pathlib import Path

from explorer.files import try_lock

PREFIX = ".export-"
BEFORE = "-before"
"""The suffix of an earlier export that is renamed while the new one takes its place."""
_HELD = "held"


class Beside:
    """A temporary folder for an export to ``target``, readable by this user only. Always call `close`."""

    def __init__(self, target: Path) -> None:
        """Also removes folders that ended processes left there. Raises OSError when it cannot be created."""
        sweep(target.parent)
        self._outer = Path(tempfile.mkdtemp(prefix=PREFIX, dir=target.parent))
        self._held = os.open(self._outer / _HELD, os.O_RDWR | os.O_CREAT, 0o600)
        with contextlib.suppress(
            OSError
        ):  # a disk that knows no locks: nobody will take it for a leftover either
            try_lock(self._held)
        self.folder = self._outer / "rows"
        """The folder to write into, empty at first. It may be renamed as a whole."""
        self.folder.mkdir(mode=0o700)
        self.before = self._outer.with_name(self._outer.name + BEFORE)
        """Where an existing target can be moved in the meantime."""

    def file(self, name: str) -> int:
        """Creates a file in the folder, with mode 0600 whatever the umask is; returns its descriptor for writing."""
        # Without O_BINARY, Windows writes CR LF for a line feed.
        flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0)
        return os.open(self.folder / name, flags, 0o600)

    def close(self) -> None:
        """Removes the folder with all that is still in it. May be called more than once."""
        if self._held >= 0:
            os.close(self._held)
            self._held = -1
            shutil.rmtree(self._outer, ignore_errors=True)


def sweep(place: Path) -> None:
    """Removes the temporary folders in ``place`` whose writers have ended, as far as that is possible."""
    with contextlib.suppress(OSError):
        for left in place.glob(PREFIX + "*"):
            if not left.with_name(left.name + BEFORE).exists():
                _remove_ended(left)


def _remove_ended(left: Path) -> None:
    try:
        held = os.open(left / _HELD, os.O_RDWR)
    except OSError:
        return
    try:
        if not try_lock(held):
            return
    except OSError:
        return
    finally:
        os.close(held)
    shutil.rmtree(left, ignore_errors=True)
