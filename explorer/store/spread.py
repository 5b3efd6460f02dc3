"""Streams the records of a sorted or filtered view of up to a million rows, in the order of the view.

Neighbours in such a view are in pages far apart: unpacking a page for each of them would take minutes, and holding all
records gigabytes. So the pages are read once, from first to last; each record is put into the portion of the view that
it belongs to; and the portions wait, compressed, in an unnamed temporary file next to the store (`runs.Spill`).
"""

from __future__ import annotations

import marshal
from array import array
from collections.abc import Sequence

import zstandard

from explorer.store.reader import Reader
from explorer.store.runs import Spill

PORTION_BYTES = 2 * 2**20
"""Bytes of records in one portion, about."""
HELD_BYTES = 8 * 2**20
"""Bytes of records that are in memory while pages are read."""
_STEP = 10_000
_NOWHERE = 2**32 - 1


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
                data = self._compressor.compress(marshal.dumps(records, 2))
                self._cells[number].extend((self._spill.add(data), len(data)))
                self._held[number] = []
                if not number % 16:
                    reader.check()
