"""Repair of a pull: finds its damaged pages, and decides whether pages fetched again may replace them.

A page that was fetched again replaces a damaged one only when it holds the same rows, by the digest that was kept.
Where the digest was lost as well, the fetched pages must have as many rows as the gap and end with the cursor of the
page that follows. `Store.recount` then derives page positions and the pull's totals from the pages.
"""

from __future__ import annotations

import contextlib
import dataclasses
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from explorer.api.pages import Page
from explorer.digest import digest_of
from explorer.store.columns import MOST_ROWS, PAGE, blob, page_of, to_text
from explorer.store.packing import Packer
from explorer.store.page_integrity import UNREADABLE
from explorer.store.schema import connect, fault_of
from explorer.store.values import PageDamaged, PullInfo

_HEADS = (
    "SELECT id, number, first_row, rows, digest, cursor, next_cursor FROM page WHERE pull = ? ORDER BY number"
)


_SAID = f"SELECT {PAGE} FROM page LEFT JOIN fit ON fit.page = page.id WHERE id = ?"  # noqa: S608


_DIGEST = 16
"""Bytes of a digest."""


class _Head(NamedTuple):
    """A page's own columns as they are in the file. A damaged file may hold other types than these."""

    id: int
    number: int
    first: int
    rows: int
    digest: bytes
    cursor: bytes | None
    following: bytes | None


@dataclass(frozen=True, slots=True)
class Gap:
    """Consecutive pages to fetch again, each with the next cursor of the page before it."""

    first: int
    last: int
    cursor: str | None
    """The cursor of the first of them; None for the first page of a list."""
    by_cursor: Mapping[str | None, frozenset[bytes]]
    """By the cursor that a page was requested with: the digests known for it, wherever that page is in the file now."""
    by_number: Mapping[int, frozenset[bytes]]
    """By page number: the digests found under that number, which may be those of another page."""
    ends: str | None
    """What the last of them must lead to: the cursor of the page after it, or at the end the pull's next cursor."""
    is_end: bool
    """Whether the last of them is the last page of the pull."""
    rows: int | None
    """How many rows they have together; None when that was lost."""

    def placed(self, pages: Sequence[Page]) -> list[Page] | None:
        """``pages``, fetched again, as they are to be stored; None when they are not the pages that were kept."""
        sure = True
        for page in pages:
            known = self.by_cursor.get(page.cursor, frozenset())
            if known and page.digest not in known:
                return None
            sure = bool(known) or page.digest in self.by_number.get(page.number, frozenset())
        last = pages[-1]
        all_sure = all(
            page.digest
            in self.by_cursor.get(page.cursor, frozenset()) | self.by_number.get(page.number, frozenset())
            for page in pages
        )
        fits = last.next_cursor == self.ends and self.rows in (None, sum(len(page.records) for page in pages))
        if not (all_sure or fits):
            return None
        # A service may give a new cursor each time: the following page keeps the one that it was requested with.
        ends = last.next_cursor if self.is_end or not sure else self.ends
        return [*pages[:-1], dataclasses.replace(last, next_cursor=ends)]


@dataclass(frozen=True, slots=True)
class Survey:
    """The damaged pages of a pull."""

    last: int
    """The last page that is sound or can be fetched again, by number; pages after it are dropped and pulled again."""
    gaps: tuple[Gap, ...]


def survey(path: Path, info: PullInfo) -> Survey:
    """Checks every page of a pull. Reads all of them: call it in a thread. Raises StoreFault."""
    try:
        with contextlib.closing(connect(path)) as file:
            return _survey(file, info)
    except sqlite3.Error as error:
        raise fault_of(error, path) from None


def _survey(file: sqlite3.Connection, info: PullInfo) -> Survey:
    heads: dict[Any, list[_Head]] = {}
    for row in file.execute(_HEADS, (info.id,)):
        heads.setdefault(row[1], []).append(_Head(*row))
    known = [n for n in heads if isinstance(n, int) and 1 <= n <= info.pages]
    last = info.pages if info.pages in heads else max(known, default=0)
    packer, digests = Packer(), dict[int, bytes | None]()
    for head in (head for place in heads.values() for head in place):
        digests[head.id] = _digest_of(file, packer, head)
    ends = blob(info.next_cursor) if last == info.pages else None
    bad = set[int]()
    for number in range(1, last + 1):
        here, before = heads.get(number, []), heads.get(number - 1, [])
        if len(here) != 1 or digests[here[0].id] is None or digests[here[0].id] != here[0].digest:
            bad.add(number)
        elif number > 1 and len(before) == 1 and before[0].following != here[0].cursor:
            bad |= {number - 1, number}  # one of the two cursors is wrong; fetching both pages shows which
        elif number == last == info.pages and here[0].following != ends:
            bad.add(number)
    gaps, number = [], 1
    while number <= last:
        first = number
        while number in bad:
            number += 1
        if number > first:
            gaps.append(_gap(first, number - 1, heads, digests, info if number > last else None))
        number += 1
    return Survey(last, tuple(gaps))


def _gap(
    first: int,
    last: int,
    heads: Mapping[Any, list[_Head]],
    digests: Mapping[int, bytes | None],
    info: PullInfo | None,
) -> Gap:
    """The gap from page ``first`` to ``last``. ``info`` is given only when ``last`` is the last page of the pull."""
    # By damage a page may have the number 0: the list begins with page 1 all the same.
    before = heads.get(first - 1, []) if first > 1 else []
    after = heads.get(last + 1, []) if info is None else []
    by_cursor, by_number = dict[str | None, set[bytes]](), dict[int, set[bytes]]()
    for head in (head for place in heads.values() for head in place):
        found = {one for one in (head.digest, digests[head.id]) if type(one) is bytes and len(one) == _DIGEST}
        if found and first <= head.number <= last:
            by_number.setdefault(head.number, set()).update(found)
        # Of a page that cannot be read the cursor may be wrong too: it is used only where the gap is this one page.
        if found and (digests[head.id] is not None or first == last):
            with contextlib.suppress(*UNREADABLE, AttributeError):
                by_cursor.setdefault(_text(head.cursor), set()).update(found)
    start = before[0].first + before[0].rows if before else 0
    end = after[0].first if after else info.rows if info is not None else None
    rows = end - start if type(start) is type(end) is int else None
    cursor = before[0].following if before else next((head.cursor for head in heads.get(1, [])), None)
    return Gap(
        first,
        last,
        _text(cursor),
        {key: frozenset(value) for key, value in by_cursor.items()},
        {key: frozenset(value) for key, value in by_number.items()},
        _text(after[0].cursor) if after else info.next_cursor if info is not None else None,
        info is not None,
        rows if rows is not None and 0 <= rows <= MOST_ROWS else None,
    )


def _text(cursor: Any) -> str | None:
    """A stored cursor as text; None where there is none or it cannot be read."""
    try:
        return None if cursor is None else to_text(cursor)
    except (*UNREADABLE, AttributeError):
        return None


def _digest_of(file: sqlite3.Connection, packer: Packer, head: _Head) -> bytes | None:
    """The digest computed from the page's rows in the file; None when they cannot be read."""
    try:
        [row] = file.execute(_SAID, (head.id,))
        page_of(row)
        [(data, rows, size)] = file.execute("SELECT data, rows, bytes FROM page WHERE id = ?", (head.id,))
        return digest_of(packer.unpack(data, rows, size, None).records(0, rows))
    except (*UNREADABLE, PageDamaged):
        return None
