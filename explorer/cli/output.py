"""Where rows go: to standard output, or to a file that can be written on after a kill.

A file's content is a function of the kept rows. So writing on needs no notes of its own: what the file should
hold is made again from the store and compared with what it does hold; from the first difference on (a torn last
line, a row that never arrived, another content) it is written anew. Nothing is lost and nothing stands twice.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from explorer.export import Writer, chunk

_AT_ONCE = 500
"""Rows made into text at one time."""


class Output:
    """The rows of one pull, in order, in one format."""

    def __init__(self, writer: Writer, path: Path | None) -> None:
        """``path`` None is standard output. Nothing is opened or changed before the first row is written."""
        self._writer = writer
        self._tail = writer.tail()
        self._path = path
        self._file: BinaryIO | None = None
        self.rows = 0
        """Rows written so far, or found to be in the file."""
        self.mended = False
        """True when the file held something else than the rows that are kept, and was written anew from there."""

    @property
    def marked(self) -> int:
        """Rows that could not be written as they came."""
        return self._writer.marked

    def catch_up(self, window: Callable[[int, int], list[bytes]], total: int) -> None:
        """Brings the output to the first ``total`` kept rows; of a file what is right already stays."""
        if self._path is None or not _is_regular(self._path):
            self._open()
            for start in range(0, total, _AT_ONCE):
                self.write(window(start, min(start + _AT_ONCE, total)))
            return
        self._file = file = self._path.open("r+b" if self._path.exists() else "w+b")
        same = self._compared(file, self._writer.head())
        for start in range(0, total, _AT_ONCE):
            block = chunk(self._writer, window(start, min(start + _AT_ONCE, total)))
            same = self._compared(file, block) if same else _put(file, block)
        if same:
            end = file.tell()
            self.mended |= file.read(len(self._tail) + 1) not in (b"", self._tail)
            file.seek(end)
        file.truncate()
        file.flush()
        self.rows = total

    def _compared(self, file: BinaryIO, block: bytes) -> bool:
        """True when ``block`` comes next in the file; else the file holds it afterwards, and nothing behind counts."""
        start = file.tell()
        held = file.read(len(block))
        if held == block:
            return True
        if not block.startswith((held, held.removesuffix(self._tail))):
            self.mended = True
        file.seek(start)
        file.truncate()
        return _put(file, block)

    def write(self, records: list[bytes]) -> None:
        """Further rows. They are out of this process when it returns."""
        file = self._open()
        file.write(chunk(self._writer, records))
        file.flush()
        self.rows += len(records)

    def close(self, *, whole: bool) -> None:
        """Ends the output; ``whole`` makes sure that even an empty list leaves its file or its header.

        What stands after the last row is written in either case: a JSON array that was stopped can be read.
        """
        if whole:
            self._open()
        if self._file is not None:
            self._file.write(self._tail)
            self._file.flush()
            if self._path is not None:
                if _is_regular(self._path):
                    os.fsync(self._file.fileno())
                self._file.close()

    def _open(self) -> BinaryIO:
        if self._file is None:
            self._file = sys.stdout.buffer if self._path is None else self._path.open("wb")
            self._file.write(self._writer.head())
        return self._file


def _put(file: BinaryIO, block: bytes) -> bool:
    file.write(block)
    return False


def _is_regular(path: Path) -> bool:
    """False for a pipe, a device or the like, which can be neither compared nor cut."""
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except FileNotFoundError:
        return True
