"""Sorted runs of keys, split into buckets and held compactly until a bucket is read.

A million keys as Python texts take 120 MB. Here they are bytes, and what exceeds `MEMORY_BYTES` is spilled to an
unnamed temporary file next to the store, which the system deletes when it is closed, however the program ends.
"""

from __future__ import annotations

import contextlib
import marshal
import tempfile
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from io import FileIO
from pathlib import Path
from typing import cast

from explorer.store.schema import fault_of

MEMORY_BYTES = 4 * 2**20
"""Bytes that are held in memory before they are written to the temporary file."""
_PLAIN = 2
"""The version of `marshal` that does not look for repeated objects, which would cost more than it saves."""


class Spill:
    """An append-only buffer that spills to a temporary file. Raises StoreFault when the disk is full or fails."""

    def __init__(self, path: Path) -> None:
        """``path``: the store's file. The temporary file is created in its folder when it is first needed."""
        self._path = path
        self._file: FileIO | None = None
        self._written = 0
        self._tail = bytearray()

    def add(self, data: bytes) -> int:
        """Appends ``data`` and returns its offset."""
        at = self._written + len(self._tail)
        self._tail += data
        if len(self._tail) > MEMORY_BYTES:
            self._write()
        return at

    def read(self, at: int, size: int) -> bytes:
        """The ``size`` bytes at offset ``at``."""
        if at >= self._written:
            at -= self._written
            return bytes(self._tail[at : at + size])
        assert self._file is not None  # noqa: S101 - something was written to it
        try:
            self._file.seek(at)
            data = self._file.read(size)
        except OSError as error:
            raise fault_of(error, self._path) from None
        if len(data) < size:
            raise fault_of(OSError("input/output error"), self._path)
        return data

    def close(self) -> None:
        """Closes the file and frees the memory."""
        if self._file is not None:
            self._file.close()
        self._tail = bytearray()

    def _write(self) -> None:
        try:
            if self._file is None:
                self._file = tempfile.TemporaryFile(prefix=".sort-", dir=self._path.parent, buffering=0)  # noqa: SIM115
            left = memoryview(self._tail)
            while left:
                left = left[self._file.write(left) :]
        except OSError as error:
            raise fault_of(error, self._path) from None
        self._written += len(self._tail)
        self._tail = bytearray()


class Runs:
    """Rows and their keys, split by ``pivots``: bucket 2n holds the keys below pivot n, 2n + 1 those equal to it."""

    def __init__(self, pivots: Sequence[str], path: Path, *, descending: bool = False) -> None:
        """``descending``: the greatest key comes first. ``path``: the store's file."""
        self._pivots, self._descending = pivots, descending
        self._cells = [array("Q") for _ in range(2 * len(pivots) + 1)]
        """For each bucket: offset, size and number of rows of each of its pieces, in one flat array."""
        self._spill = Spill(path)

    def close(self) -> None:
        """Frees memory and disk."""
        self._spill.close()

    def add(self, keys: list[str], rows: array[int]) -> None:
        """Adds a run, given in the order of rows. Rows with equal keys stay in that order."""
        order = sorted(range(len(keys)), key=keys.__getitem__, reverse=self._descending)
        keys, rows = [keys[n] for n in order], array("I", [rows[n] for n in order])
        for bucket, start, stop in self._cuts(keys):
            data = rows[start:stop].tobytes()
            if not bucket % 2:
                data += marshal.dumps(keys[start:stop], _PLAIN)
            self._cells[bucket].extend((self._spill.add(data), len(data), stop - start))

    def _cuts(self, keys: list[str]) -> Iterator[tuple[int, int, int]]:
        """Bucket, start and stop of each non-empty piece of a sorted run."""
        size, at = len(keys), 0
        if self._descending:
            keys = keys[::-1]  # bisect needs ascending order
        for number, pivot in enumerate(self._pivots):
            below = bisect_left(keys, pivot, at)
            through = bisect_right(keys, pivot, below)
            for bucket, start, stop in ((2 * number, at, below), (2 * number + 1, below, through)):
                if start < stop:
                    yield (bucket, size - stop, size - start) if self._descending else (bucket, start, stop)
            at = through
            if at == size:
                return
        yield (2 * len(self._pivots), 0, size - at) if self._descending else (2 * len(self._pivots), at, size)

    def buckets(self) -> Iterator[tuple[list[str] | None, array[int]]]:
        """Each bucket in the order of the sort: its keys and rows, run after run; None for keys that are all equal."""
        numbers = range(len(self._cells))
        for number in reversed(numbers) if self._descending else numbers:
            cells, keys, rows = self._cells[number], list[str](), array("I")
            self._cells[number] = array("Q")
            for n in range(0, len(cells), 3):
                at, size, count = cells[n : n + 3]
                data = self._spill.read(at, size)
                rows.frombytes(data[: 4 * count])
                if not number % 2:
                    keys += cast("list[str]", marshal.loads(data[4 * count :]))  # noqa: S302 - written above
            if rows:
                yield (None if number % 2 else keys), rows


@contextlib.contextmanager
def runs(pivots: Sequence[str], path: Path, *, descending: bool) -> Iterator[Runs]:
    """`Runs` that are closed at the end of the block."""
    made = Runs(pivots, path, descending=descending)
    try:
        yield made
    finally:
        made.close()
