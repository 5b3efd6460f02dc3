"""Sorting a million rows, and streaming their records in that order: bounded memory, the first rows early.

`ordered` is a sample sort. A sample of the column's keys gives the pivots. The column is read once; each `RUN` rows are
sorted as a run, split at the pivots, and the pieces kept as bytes (`Runs`). Then each bucket, the keys between two
pivots, is sorted by itself from its pieces of all runs. A value frequent enough to be a pivot has a bucket of its own,
which needs no sorting. Measured for a million rows of ten columns: 1.0 to 1.6 s and 12 MB. No step blocks other threads
long.

A million keys as Python texts take 120 MB. Here they are bytes, and what exceeds `MEMORY_BYTES` is spilled to an
unnamed temporary file next to the store (`Spill`), which the system deletes when it is closed, however the program
ends.

`Spread` streams the records of a sorted or filtered view. Neighbours in it are in pages far apart: unpacking a page for
each of them would take minutes, and holding all records gigabytes. So the pages are read once, from first to last; each
record is put into the portion of the view that it belongs to; and the portions wait, compressed, in such a file.
"""

from __future__ import annotations

import marshal
import tempfile
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from contextlib import closing
from io import FileIO
from itertools import compress
from pathlib import Path
from typing import cast

import zstandard

from explorer.store.reader import Leaf, Reader
from explorer.store.schema import fault_of

BUCKET = 8192
"""Rows of a bucket, about; sorting one takes a few milliseconds."""
RUN = 8192
"""Rows of a run; sorting one takes two milliseconds."""
SAMPLED_PAGES = 100
MEMORY_BYTES = 4 * 2**20
"""Bytes that are held in memory before they are written to the temporary file."""
_PLAIN = 2
"""The version of `marshal` that does not look for repeated objects, which would cost more than it saves."""
PORTION_BYTES = 2 * 2**20
"""Bytes of records in one portion, about."""
HELD_BYTES = 8 * 2**20
"""Bytes of records that are in memory while pages are read."""
_STEP = 10_000
_NOWHERE = 2**32 - 1


def ordered(
    reader: Reader, columns: Sequence[tuple[tuple[str, str], bool]], mask: bytearray | None, count: int
) -> Iterator[array[int]]:
    """Row numbers sorted by ``columns`` (most significant first, each with True for descending), in portions.

    ``mask`` holds 1 for each row that takes part, ``count`` of them; None: all rows. The sort is stable: rows that are
    equal in every column stay in the order of the pull. Raises what `Reader` raises.
    """
    before: array[int] | None = None
    for column, descending in reversed(columns[1:]):
        sorted_before = array("I")
        for rows in _by_one(reader, column, descending, mask, count, before):
            sorted_before.extend(rows)
        before = sorted_before
    column, descending = columns[0]
    yield from _by_one(reader, column, descending, mask, count, before)


def _by_one(
    reader: Reader,
    column: tuple[str, str],
    descending: bool,
    mask: bytearray | None,
    count: int,
    before: array[int] | None,
) -> Iterator[array[int]]:
    """Sorted by one column. Equal rows follow the order of ``before``, or without it the order of the pull."""
    pivots = _pivots(reader, column, mask, count) if count > 2 * BUCKET else []
    rank = _ranks(reader, before) if before is not None else None
    with closing(Runs(pivots, reader.path, descending=descending)) as made:
        keys, rows = list[str](), array("I")
        for leaf in reader.leaves():
            more, which = _keyed(reader, leaf, column, mask)
            keys += more
            rows.extend(which)
            if len(keys) >= RUN:
                made.add(keys, rows)
                keys, rows = [], array("I")
        made.add(keys, rows)
        for keyed, which in made.buckets():
            reader.check()
            if keyed is None:
                yield which if before is None or rank is None else _reordered(reader, which, before, rank)
            else:
                yield _sorted(keyed, which, rank, descending)


def _sorted(keys: list[str], rows: array[int], rank: array[int] | None, descending: bool) -> array[int]:
    order: Sequence[int] = range(len(keys))
    if rank is not None:
        order = sorted(order, key=[rank[row] for row in rows].__getitem__)
    order = sorted(order, key=keys.__getitem__, reverse=descending)
    return array("I", [rows[n] for n in order])


def _reordered(reader: Reader, rows: array[int], before: array[int], rank: array[int]) -> array[int]:
    """Rows with the same key, put into the order of ``before``; ``rank`` is the position of each row in it."""
    if len(rows) <= 2 * BUCKET:
        return array("I", sorted(rows, key=rank.__getitem__))
    # Too many to sort at once: pick them out of the existing order.
    chosen, made = bytearray(len(rank)), array("I")
    for row in rows:
        chosen[row] = 1
    for start in range(0, len(before), BUCKET):
        reader.check()
        made.extend([row for row in before[start : start + BUCKET] if chosen[row]])
    return made


def _keyed(
    reader: Reader, leaf: Leaf, column: tuple[str, str], mask: bytearray | None
) -> tuple[list[str], Sequence[int]]:
    """Keys and numbers of the rows of a page that take part. An absent field has the empty key, which sorts first."""
    rows = range(leaf.first, leaf.first + leaf.rows)
    if mask is None:
        return [key or "" for key in reader.keys(leaf, column)], rows
    chosen = mask[leaf.first : leaf.first + leaf.rows]
    if 1 not in chosen:
        return [], ()
    keys = [key or "" for key in compress(reader.keys(leaf, column), chosen)]
    return keys, tuple(compress(rows, chosen))


def _pivots(reader: Reader, column: tuple[str, str], mask: bytearray | None, count: int) -> list[str]:
    starts = reader.starts()
    if mask is not None:
        starts = [start for start in starts if 1 in mask[start[1] : start[1] + start[2]]]
    step = max(len(starts) // SAMPLED_PAGES, 1)
    sample: list[str] = []
    for number, _, _ in starts[::step]:
        reader.check()
        sample += _keyed(reader, reader.leaf(number), column, mask)[0]
    sample.sort()
    wanted = max(count // BUCKET, 1)
    gap = max(len(sample) // wanted, 1)
    return list(dict.fromkeys(sample[gap::gap]))


def _ranks(reader: Reader, order: array[int]) -> array[int]:
    """For each row its position in ``order``."""
    ranks = array("I", bytes(4 * reader.info.rows))
    for start in range(0, len(order), BUCKET):
        reader.check()
        for place, row in enumerate(order[start : start + BUCKET], start):
            ranks[row] = place
    return ranks


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


class Spread:
    """The records of ``rows``, in that order, by portions. Used by one thread at a time; call `close` at the end."""

    def __init__(self, reader: Reader, rows: Sequence[int]) -> None:
        """Reads all pages. Raises PullMoved, StoreFault, Unwanted."""
        average = max(reader.info.bytes // max(reader.info.rows, 1), 1)
        self._size = max(PORTION_BYTES // average, 1)
        self.portions = -(-len(rows) // self._size)
        """How many portions there are."""
        self._rows = len(rows)
        self._spill = Spill(reader.path)
        self._cells = [array("Q") for _ in range(self.portions)]
        self._held: list[list[tuple[int, bytes]]] = [[] for _ in range(self.portions)]
        self._compressor = zstandard.ZstdCompressor(level=1)
        self._decompressor = zstandard.ZstdDecompressor()
        try:
            self._fill(reader, rows)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Frees memory and disk."""
        self._spill.close()

    def portion(self, number: int) -> list[bytes]:
        """The records of portion ``number`` (from 0), in the order of the view. Raises StoreFault."""
        first = number * self._size
        made = [b""] * min(self._size, self._rows - first)
        cells = self._cells[number]
        for n in range(0, len(cells), 2):
            data = self._decompressor.decompress(self._spill.read(cells[n], cells[n + 1]))
            for place, record in marshal.loads(data):  # noqa: S302 - written by `_let_go`
                made[place - first] = record
        return made

    def _fill(self, reader: Reader, rows: Sequence[int]) -> None:
        places = array("I", [_NOWHERE]) * reader.info.rows
        for start in range(0, len(rows), _STEP):
            reader.check()
            for place, row in enumerate(rows[start : start + _STEP], start):
                places[row] = place
        held, size = 0, self._size
        for leaf in reader.leaves(narrow=False):
            among = places[leaf.first : leaf.first + leaf.rows]
            if among.count(_NOWHERE) == leaf.rows:
                continue
            records = reader.packed(leaf).records(0, leaf.rows)
            for place, record in zip(among, records, strict=True):
                if place != _NOWHERE:
                    self._held[place // size].append((place, record))
                    held += len(record)
            if held > HELD_BYTES:
                self._let_go(reader)
                held = 0
        self._let_go(reader)

    def _let_go(self, reader: Reader) -> None:
        for number, records in enumerate(self._held):
            if records:
                data = self._compressor.compress(marshal.dumps(records, _PLAIN))
                self._cells[number].extend((self._spill.add(data), len(data)))
                self._held[number] = []
                if not number % 16:
                    reader.check()
