"""Whether a kept page is whole: the one way in which every reader of a store opens a page.

A page is as it was received when its block unpacks (zstd's own checksum), its records and body fill the block to its
last byte, its records have the digest that was kept with them, it stands where the pages before it end, and it was
asked for with the cursor that the page before it gave. Looked at once each time a page is unpacked. Measured for pages
of 100 records of 1.4 kB: 0.25 ms a page beside 0.2 ms for unpacking it, so 2.5 s for a walk over a million rows.
"""

from __future__ import annotations

import hashlib
from typing import Any

from explorer.store.packing import Packed, Packer
from explorer.store.values import PageDamaged

SEAL = 8
"""Bytes at the end of a block of narrow columns that say which page and which columns they are of."""

ONE_PAGE = (
    "SELECT p.data, p.rows, p.bytes, p.digest, p.first_row, p.number = 1 OR p.cursor IS"
    " (SELECT q.next_cursor FROM page q WHERE q.pull = p.pull AND q.number = p.number - 1)"
    " FROM page p WHERE p.pull = ? AND p.number = ? LIMIT 2"
)
"""What `opened` is given. Two rows for one number are one too many."""
UNREADABLE = (ValueError, TypeError, OverflowError)
"""What a changed value raises where it is read."""


def damaged(number: int, first: int | None = None) -> PageDamaged:
    """The fault of a page that cannot be given as it was received; ``first`` is the row that it begins with."""
    where = "" if first is None else f", which begins with row {first + 1:,},"
    return PageDamaged(
        (
            f"Page {number:,}{where} is damaged in the store: it is missing, or the disk returned other "
            "bytes than were saved."
        ),
        "It can be fetched again by its cursor: use *Fetch page again* in the window, or `pull --resume`.",
        page=number,
    )


def opened(packer: Packer, found: list[Any], number: int, first: int) -> Packed:
    """The page that ``found`` (of `ONE_PAGE`) holds, which has to begin with row ``first``. Raises PageDamaged."""
    try:
        [(data, rows, size, digest, begins, linked)] = found
        if begins != first or not linked or not rows:
            raise ValueError
        return packer.unpack(data, rows, size, digest)
    except UNREADABLE:
        raise damaged(number, first) from None


def seal_of(columns: str, digest: bytes) -> bytes:
    """The end of a block of narrow columns: of the columns that ``columns`` names, and of the page with that digest."""
    return hashlib.blake2b(columns.encode() + digest, digest_size=SEAL).digest()
