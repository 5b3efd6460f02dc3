"""Where an export is written before it is whole: a hidden folder beside its target, on the same disk.

A process that is killed leaves its folder behind, with what may be gigabytes. The next export into that place removes
it: each folder holds a file that its writer keeps locked, and the system frees that lock when the writer ends, however
it ends. A folder without such a file, one whose lock cannot be had, and one that an earlier export stands beside
(`ParquetOut.finish` was cut off in the middle) are left alone.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import tempfile
from pathlib import Path

PREFIX = ".export-"
BEFORE = "-before"
"""Behind the folder's name: an earlier export that stands aside while another takes its place."""
_HELD = "held"


class Beside:
    """A folder for what is on its way to ``target``, this user's alone. `close` it in any case."""

    def __init__(self, target: Path) -> None:
        """Removes what ended processes left there, too. Raises OSError when the place cannot be written."""
        sweep(target.parent)
        self._outer = Path(tempfile.mkdtemp(prefix=PREFIX, dir=target.parent))
        self._held = os.open(self._outer / _HELD, os.O_RDWR | os.O_CREAT, 0o600)
        with contextlib.suppress(
            OSError
        ):  # a disk that knows no locks: nobody will take it for a leftover either
            _lock(self._held)
        self.folder = self._outer / "rows"
        """Empty at first; may be moved away whole."""
        self.folder.mkdir(mode=0o700)
        self.before = self._outer.with_name(self._outer.name + BEFORE)
        """Where something that stands at the target may be put meanwhile."""

    def file(self, name: str) -> int:
        """A new file in the folder, for this user alone whatever the umask says: its descriptor, to write."""
        # Without O_BINARY, Windows would write two bytes for a line feed.
        flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0)
        return os.open(self.folder / name, flags, 0o600)

    def close(self) -> None:
        """Removes the folder with all that is still in it. More than once is once."""
        if self._held >= 0:
            os.close(self._held)
            self._held = -1
            shutil.rmtree(self._outer, ignore_errors=True)


def sweep(place: Path) -> None:
    """Removes the folders in ``place`` whose writers have ended. What cannot be read or removed is left."""
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
        _lock(held)
    except OSError:
        return
    finally:
        os.close(held)
    shutil.rmtree(left, ignore_errors=True)


if sys.platform == "win32":  # pragma: no cover - the other half runs elsewhere
    import msvcrt

    def _lock(descriptor: int) -> None:
        """Raises OSError when another has it."""
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(descriptor: int) -> None:
        """Raises OSError when another has it."""
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
