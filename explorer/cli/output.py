"""The output of ``pull``: standard output, or a file that can be continued after a kill.

The content of a file depends on the stored rows only. To continue, the content so far is made again from the store and
compared with the file. When the file has the beginning of it (also with a cut-off last line), writing continues there.
When it has something else, a new file is written next to it and replaces it at the end; a pull that fails leaves the
old file as it was. So no row is lost and none is written twice.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import BinaryIO

from explorer.catalog.spec import Kind
from explorer.cli.exits import UsageFault
from explorer.export.beside import Beside
from explorer.export.parquet import ParquetOut
from explorer.export.text import Writer, chunk, parquet_installed
from explorer.files import rename

_AT_ONCE = 500
"""Rows that are converted at once."""
_PIECE = 1 << 20


class Output:
    """Writes the rows of one pull in order, as text."""

    def __init__(self, writer: Writer, path: Path | None) -> None:
        """``path``: None for standard output. Nothing is opened or changed before the first row is written."""
        self._writer = writer
        self._tail = writer.tail()
        self._path = path
        self._file: BinaryIO | None = None
        self._beside: Beside | None = None
        self.rows = 0
        """The number of rows written so far, or found in the file."""
        self.mended = False
        """Whether the file had other content than the stored rows."""
        self.left = False
        """Whether an existing file was left unchanged because the pull did not complete."""

    @property
    def marked(self) -> int:
        """How many rows could not be written as received."""
        return self._writer.marked

    def catch_up(self, window: Callable[[int, int], list[bytes]], total: int) -> None:
        """Brings the output to the first ``total`` stored rows, which ``window`` reads.

        Correct content of a file stays.

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
        """Whether the file continues with ``block``. If not, ``block`` is written there and the rest is dropped."""
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
        """All rows are in the file: truncates what follows them."""
        assert self._file is not None  # noqa: S101 - `catch_up` opened it
        if self._file.read(len(self._tail) + 1) not in (b"", self._tail):
            self._replace_from(end)
        self._file.seek(end)
        self._file.truncate()
        self._file.flush()

    def _replace_from(self, size: int) -> None:
        """Continues in a new file next to this one, which begins with the first ``size`` bytes of it."""
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
        """Writes further rows and flushes them."""
        file = self._open()
        file.write(chunk(self._writer, records))
        file.flush()
        self.rows += len(records)

    def close(self, *, whole: bool) -> None:
        """Ends the output. ``whole``: the pull completed, so that even an empty list gives a file with its header.

        The end of the format is written in either case, so that a JSON array that was stopped can be read. An existing
        file with other content is replaced only when ``whole``.
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
                rename(made, target)
                self._beside.close()
        self._file = self._beside = None

    def _drop(self) -> None:
        """Leaves the existing file unchanged."""
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


class ParquetOutput:
    """As `Output`, for Parquet, which cannot be continued: the complete file is put into place at the end.

    A pull that does not complete leaves an existing file unchanged.
    """

    mended = left = False

    def __init__(self, fields: Sequence[tuple[str, Kind]], path: Path | None) -> None:
        """Raises UsageFault when pyarrow is not installed or no file is named."""
        if not parquet_installed():
            raise UsageFault("Parquet needs pyarrow: install unified-explorer[parquet].")
        if path is None:
            raise UsageFault("Parquet is written to a file: name it with --out FILE.")
        self._fields, self._path = fields, path
        self._out: ParquetOut | None = None
        self.rows = 0
        """The number of rows so far."""

    @property
    def marked(self) -> int:
        """How many rows could not be written as received."""
        return self._out.marked if self._out is not None else 0

    def catch_up(self, window: Callable[[int, int], list[bytes]], total: int) -> None:
        """Writes the first ``total`` stored rows, which ``window`` reads."""
        for start in range(0, total, _AT_ONCE):
            self.write(window(start, min(start + _AT_ONCE, total)))

    def write(self, records: list[bytes]) -> None:
        """Writes further rows."""
        self._opened().write(records)
        self.rows += len(records)

    def close(self, *, whole: bool) -> None:
        """Puts the file into place when ``whole``, else discards it."""
        if whole:
            self._opened().finish()
        elif self._out is not None:
            self._out.drop()

    def _opened(self) -> ParquetOut:
        if self._out is None:
            try:
                self._out = ParquetOut(self._path, self._fields)
            except FileExistsError as fault:
                raise UsageFault(f"{self._path.name}: {fault.strerror}.") from None
        return self._out


def _is_regular(path: Path) -> bool:
    """Whether it is a regular file, or none yet. A pipe or device can be neither compared nor truncated."""
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except FileNotFoundError:
        return True
