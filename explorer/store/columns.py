"""How values stand in the store's tables: the lists of columns, and each value there and back."""

from __future__ import annotations

import json
from array import array
from bisect import bisect_right
from datetime import UTC, datetime
from typing import Any, get_args

from explorer.store.values import PageInfo, PullInfo, PullKey, PullMoved, PullState
from explorer.store.whole import UNREADABLE, damaged

INFO = (
    "id, connection, origin, resource, params, state, why, pages, rows, bytes, next_cursor, started_at, updated_at,"
    " unfit, with_key, settled"
)
PAGE = "number, cursor, next_cursor, flag, first_row, rows, bytes, elapsed_ms, received_at, notes, exchange, unfit"


MOST_ROWS = 2**40
"""More than a store can hold: a number that is greater was not kept by it."""


class Places:
    """For one pull: at which row each page with rows begins. Pages only ever come at the end."""

    __slots__ = ("firsts", "lost", "numbers", "read_to", "rows", "total")

    def __init__(self) -> None:
        self.firsts, self.numbers, self.rows = array("Q"), array("Q"), array("Q")
        self.total = 0
        self.read_to = 0
        self.lost = 0
        """The first page that is missing or out of its place; 0 when none is."""

    def add(self, number: int, first: int, rows: int) -> None:
        """The next page, with or without rows. One that cannot stand there is passed over."""
        if number != self.read_to + 1 or first != self.total:
            self.lost = self.lost or self.read_to + 1
        if number > self.read_to and self.total <= first <= MOST_ROWS and 0 <= rows <= MOST_ROWS:
            self.read_to, self.total = number, first + rows
            if rows:
                self.firsts.append(first)
                self.numbers.append(number)
                self.rows.append(rows)

    def at(self, row: int) -> tuple[int, int]:
        """The number of the page that holds ``row``, and its first row. Raises PageDamaged."""
        place = bisect_right(self.firsts, row) - 1
        if place < 0 or row >= self.firsts[place] + self.rows[place]:
            after = self.numbers[place] if place >= 0 else 0
            raise damaged(after + 1, self.firsts[place] + self.rows[place] if place >= 0 else 0)
        return self.numbers[place], self.firsts[place]


KEYED = "connection = ? AND origin = ? AND resource = ? AND params = ?"
COLUMNS = (
    "pull, number, first_row, rows, bytes, flag, elapsed_ms, received_at, exchange, digest, notes, cursor, next_cursor,"
    " data"
)


def moved(what: str) -> PullMoved:
    """The fault of a pull that another window has ``what`` (continued, removed, …)."""
    return PullMoved(
        f"This pull was {what} in another window.",
        "Reload to see its rows; nothing was saved twice or lost.",
    )


def key_values(key: PullKey) -> tuple[str, str, str, str]:
    """The values of `KEYED`."""
    return key.connection, key.origin, key.resource, key.params


def blob(cursor: str | None) -> bytes | None:
    """A cursor as bytes: it may hold lone surrogates and NUL, which SQLite's texts do not carry."""
    return None if cursor is None else to_bytes(cursor)


def to_bytes(text: str) -> bytes:
    """Any text, lone surrogates included, as bytes that `to_text` brings back."""
    return text.encode("utf-8", "surrogatepass")


def to_text(data: bytes) -> str:
    """The text of `to_bytes`."""
    return data.decode("utf-8", "surrogatepass")


def now() -> int:
    """This moment as `stamp` writes it."""
    return stamp(datetime.now(UTC))


def stamp(when: datetime) -> int:
    """Microseconds since 1970."""
    return round(when.timestamp() * 1_000_000)


def moment(micros: int) -> datetime:
    """The moment of a `stamp`, in UTC."""
    return datetime.fromtimestamp(micros / 1_000_000, UTC)


def info_of(row: Any) -> PullInfo:
    """A row of the columns `INFO`. Raises one of `whole.UNREADABLE` when it holds what was never written."""
    texts, counts = row[1:6], row[7:10]
    if not all(isinstance(text, str) for text in texts) or row[5] not in get_args(PullState):
        raise ValueError("a pull that was changed")
    if not all(isinstance(count, int) and 0 <= count <= MOST_ROWS for count in counts):
        raise ValueError("a pull that was changed")
    cursor = None if row[10] is None else to_text(row[10])
    key = PullKey(*row[1:5])
    pages, rows, size = row[7:10]
    times = moment(row[11]), moment(row[12])
    return PullInfo(
        row[0],
        key,
        row[5],
        to_text(row[6]),
        pages,
        rows,
        size,
        cursor,
        *times,
        row[13],
        row[14],
        bool(row[15]),
    )


def row_of(info: PullInfo) -> tuple[Any, ...]:
    """What `info_of` was given."""
    times = stamp(info.started_at), stamp(info.updated_at)
    kept = info.pages, info.rows, info.bytes, blob(info.next_cursor)
    return (
        info.id,
        *key_values(info.key),
        info.state,
        to_bytes(info.why),
        *kept,
        *times,
        info.unfit,
        info.with_key,
        info.settled,
    )


def page_of(row: Any) -> PageInfo:
    """A row of the columns `PAGE`. Raises PageDamaged."""
    try:
        return _page_of(row)
    except (*UNREADABLE, OSError):  # a moment beyond what the system knows
        raise damaged(row[0] if isinstance(row[0], int) else 0) from None


def _page_of(row: Any) -> PageInfo:
    number, cursor, following, flag, first_row, rows, size, elapsed, received, notes, exchange, unfit = row
    return PageInfo(
        number=number,
        cursor=None if cursor is None else to_text(cursor),
        next_cursor=None if following is None else to_text(following),
        flag=None if flag is None else bool(flag),
        first_row=first_row,
        rows=rows,
        bytes=size,
        elapsed_ms=elapsed,
        received_at=moment(received),
        notes=tuple(json.loads(notes)),
        exchange=exchange,
        unfit=unfit,
    )
