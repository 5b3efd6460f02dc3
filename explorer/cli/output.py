"""Where rows go: to standard output, or to a file that can be written on after a kill.

A file's content is a function of the kept rows. So writing on needs no notes of its own: what the file should
hold is made again from the store and compared with what it does hold. Where it holds the beginning of that (a torn last
line counts), it is written on in its place. A file that holds something else is replaced by a whole one at the end: the
new one is written beside it, and a pull that fails leaves it as it was. Nothing is lost and nothing stands twice.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from explorer.export import Writer, chunk
from explorer.export.beside import Beside

_AT_ONCE = 500
"""Rows made into text at one time."""
_PIECE = 1 << 20


class Output:
    """The rows of one pull, in order, in one format."""

    def __init__(self, writer: Writer, path: Path | None) -> None:
        """``path`` None is standard output. Nothing is opened or changed before the first row is written."""
        self._writer = writer
        self._tail = writer.tail()
        self._path = path
        self._file: BinaryIO | None = None
        self._beside: Beside | None = None
        self.rows = 0
        """Rows written so far, or found to be in the file."""
        self.mended = False
        """True when the file held something else than the rows that are kept."""
        self.left = False
        """True when a file that was there was left as it was, as the rows did not come whole."""

    @property
    def marked(self) -> int:
        """Rows that could not be written as they came."""
        return self._writer.marked

    def catch_up(self, window: Callable[[int, int], list[bytes]], total: int) -> None:
        """Brings the output to the first ``total`` kept rows; of a file what is right already stays.

        When ``window`` raises, the file is left as it was and nothing more can be written.
        """
        if self._path is None or not _is_regular(self._path) or not self._path.exists():
            for start in range(0, total, _AT_ONCE):
                self.write(window(start, min(start + _AT_ONCE, total)))
            self._open().flush()
            return
        self._file = self._path.open("r+b")
        try:
            same = self._compared(self._writer.head())
            for start in range(0, total, _AT_ONCE):
                block = chunk(self._writer, window(start, min(start + _AT_ONCE, total)))
                same = self._compared(block) if same else self._put(block)
            if same:
                self._end_at(self._file.tell())
            self._file.flush()
        except BaseException:
            self._drop()
            raise
        self.rows = total

    def _compared(self, block: bytes) -> bool:
        """True when ``block`` comes next in the file; else it is written there, and nothing behind it counts."""
        assert self._file is not None  # noqa: S101 - `catch_up` opened it
        start = self._file.tell()
        held = self._file.read(len(block))
        if held == block:
            return True
        if block.startswith((held, held.removesuffix(self._tail))):
            self._file.seek(start)
            self._file.truncate()
        else:
            self._replace_from(start)
        return self._put(block)

    def _end_at(self, end: int) -> None:
        """All rows are in the file: what stands behind them goes."""
        assert self._file is not None  # noqa: S101 - `catch_up` opened it
        if self._file.read(len(self._tail) + 1) not in (b"", self._tail):
            self._replace_from(end)
        self._file.seek(end)
        self._file.truncate()
        self._file.flush()

    def _replace_from(self, size: int) -> None:
        """From now on a new file is written beside this one, with the first ``size`` bytes of it."""
        assert self._file is not None  # noqa: S101 - `catch_up` opened it
        self.mended, old = True, self._file
        with old:
            old.seek(0)
            self._file = self._new_beside()
            while size and (piece := old.read(min(size, _PIECE))):
                self._file.write(piece)
                size -= len(piece)

    def _put(self, block: bytes) -> bool:
        assert self._file is not None  # noqa: S101 - `catch_up` opened it
        self._file.write(block)
        return False

    def write(self, records: list[bytes]) -> None:
        """Further rows. They are out of this process when it returns."""
        file = self._open()
        file.write(chunk(self._writer, records))
        file.flush()
        self.rows += len(records)

    def close(self, *, whole: bool) -> None:
        """Ends the output; ``whole`` makes sure that even an empty list leaves its file or its header.

        What stands after the last row is written in either case: a JSON array that was stopped can be read. A file
        that was there before is replaced only when ``whole``.
        """
        if whole:
            self._open()
        if self._file is None:
            return
        if self._beside is not None and not whole:
            self._drop()
            return
        self._file.write(self._tail)
        self._file.flush()
        if self._path is not None:
            if self._beside is not None or _is_regular(self._path):
                os.fsync(self._file.fileno())
            self._file.close()
            if self._beside is not None:
                target = Path(os.path.realpath(self._path))
                made = self._beside.folder / target.name
                made.chmod(target.stat().st_mode & 0o777 if target.exists() else 0o600)
                made.replace(target)
                self._beside.close()
        self._file = self._beside = None

    def _drop(self) -> None:
        """Leaves the file that was there as it was."""
        if self._file is not None:
            self._file.close()
        if self._beside is not None:
            self._beside.close()
        self._file = self._beside = None
        self.left = True

    def _open(self) -> BinaryIO:
        if self._file is None:
            if self._path is None:
                self._file = sys.stdout.buffer
            elif _is_regular(self._path) and self._path.exists() and self._path.stat().st_size:
                self._file = self._new_beside()
            else:
                self._file = self._path.open("wb")
            self._file.write(self._writer.head())
        return self._file

    def _new_beside(self) -> BinaryIO:
        assert self._path is not None  # noqa: S101 - there is a file to be beside
        target = Path(os.path.realpath(self._path))
        self._beside = Beside(target)
        return os.fdopen(self._beside.file(target.name), "wb")


def _is_regular(path: Path) -> bool:
    """False for a pipe, a device or the like, which can be neither compared nor cut."""
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except FileNotFoundError:
        return True
