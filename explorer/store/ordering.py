"""Sorting a million rows in bounded memory, with the first rows early and never a long hold of the interpreter.

A sample of the keys gives pivots. The column is read in as many passes as its rows need, each pass taking one stretch
of the order; its rows fall into buckets of some thousand between two pivots, and each bucket is sorted by itself. A
value so frequent that it is a pivot has a bucket of its own, which needs no sorting at all.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from itertools import compress, pairwise
from operator import itemgetter
from typing import Any

from explorer.store.reader import Leaf, Reader

BUCKET = 4096
"""Rows that are sorted in one go: some milliseconds."""
PASS_ROWS = 250_000
"""Rows whose keys are in memory at once: about 30 MB."""
SAMPLED_PAGES = 100

Pair = tuple[str, int]
Bucket = list[Pair] | array  # type: ignore[type-arg]
"""Rows with their keys, or rows alone where all keys are one."""


def ordered(
    reader: Reader, columns: Sequence[tuple[tuple[str, str], bool]], mask: bytearray | None, count: int
) -> Iterator[array[int]]:
    """The rows (of ``mask``, ``count`` in number) sorted by each of ``columns``, the first one first; True: descending.

    Rows that are equal in all of them stay in their order.
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
    """Sorted by one column; rows that are equal in the order of ``before``, else in their own."""
    pivots = _pivots(reader, column, mask, count) if count > 2 * BUCKET else []
    rank = _ranks(before, reader.info.rows) if before is not None else None
    steps = -(-count // PASS_ROWS) or 1
    bounds = [len(pivots) * n // steps for n in range(steps + 1)]
    stretches = [pair for pair in pairwise(bounds) if pair[0] < pair[1]] or [(0, 0)]
    for start, stop in reversed(stretches) if descending else stretches:
        last = stop == len(pivots)
        buckets = _fill(reader, column, mask, pivots, start, stop, last)
        for number in reversed(range(len(buckets))) if descending else range(len(buckets)):
            bucket = buckets[number]
            if not bucket:
                continue
            buckets[number] = []
            reader.check()
            if before is not None and rank is not None:
                bucket = _reordered(bucket, before, rank)
            if isinstance(bucket, list):
                bucket.sort(key=itemgetter(0), reverse=descending)
                bucket = array("I", [row for _, row in bucket])
            yield bucket


def _reordered(bucket: Bucket, before: array[int], rank: array[int]) -> Bucket:
    """The bucket in the order of ``before``, whose ranks are ``rank``."""
    if isinstance(bucket, list):
        return sorted(bucket, key=lambda pair: rank[pair[1]])
    if len(bucket) <= 2 * BUCKET:
        return array("I", sorted(bucket, key=rank.__getitem__))
    # Too many to sort in one go: walk through the order that there is.
    chosen = bytearray(len(rank))
    for row in bucket:
        chosen[row] = 1
    return array("I", [row for row in before if chosen[row]])


def _fill(
    reader: Reader,
    column: tuple[str, str],
    mask: bytearray | None,
    pivots: list[str],
    start: int,
    stop: int,
    last: bool,
) -> list[Bucket]:
    """The buckets of one stretch: 2 n below pivot ``start + n``, 2 n + 1 equal to it; the last takes the rest."""
    buckets: list[Bucket] = [array("I") if n % 2 else [] for n in range(2 * (stop - start) + 1)]
    appends: list[Callable[[Any], None]] = [bucket.append for bucket in buckets]
    low, high = pivots[start - 1] if start else None, pivots[stop - 1] if stop and not last else None
    for leaf in reader.leaves():
        for pair in _pairs(reader, leaf, column, mask):
            key = pair[0]
            if (low is not None and key <= low) or (high is not None and key > high):
                continue
            at = bisect_left(pivots, key, start, stop)
            if at < stop and pivots[at] == key:
                appends[2 * (at - start) + 1](pair[1])
            else:
                appends[2 * (at - start)](pair)
    return buckets


def _pairs(reader: Reader, leaf: Leaf, column: tuple[str, str], mask: bytearray | None) -> Iterator[Pair]:
    """Key and row of each row of a page that counts; absent is the empty key."""
    rows = range(leaf.first, leaf.first + leaf.rows)
    if mask is None:
        return zip((key or "" for key in reader.keys(leaf, column)), rows, strict=True)
    chosen = mask[leaf.first : leaf.first + leaf.rows]
    if 1 not in chosen:
        return iter(())
    keys = (key or "" for key in reader.keys(leaf, column))
    return compress(zip(keys, rows, strict=True), chosen)


def _pivots(reader: Reader, column: tuple[str, str], mask: bytearray | None, count: int) -> list[str]:
    starts = reader.starts()
    if mask is not None:
        starts = [start for start in starts if 1 in mask[start[1] : start[1] + start[2]]]
    step = max(len(starts) // SAMPLED_PAGES, 1)
    sample: list[str] = []
    for number, _, _ in starts[::step]:
        reader.check()
        sample += [key for key, _ in _pairs(reader, reader.leaf(number), column, mask)]
    sample.sort()
    wanted = max(count // BUCKET, 1)
    gap = max(len(sample) // wanted, 1)
    return list(dict.fromkeys(sample[gap::gap]))


def _ranks(order: array[int], rows: int) -> array[int]:
    """For each row its place in ``order``."""
    ranks = array("I", bytes(4 * rows))
    for place, row in enumerate(order):
        ranks[row] = place
    return ranks
