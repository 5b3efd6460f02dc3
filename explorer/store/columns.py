"""The columns of the store's tables, and how each value is converted to and from what SQLite stores."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any, get_args

from explorer.store.page_integrity import UNREADABLE, damaged
from explorer.store.values import PageInfo, PullInfo, PullKey, PullMoved, PullState

INFO = (
    "id, connection, origin, resource, params, state, why, pages, rows, bytes, next_cursor, started_at, updated_at,"
    " unfit, with_key, settled, observed"
)
PAGE = (
    "number, cursor, next_cursor, flag, first_row, rows, bytes, elapsed_ms, received_at, notes, exchange, unfit,"
    " observed"
)


MOST_ROWS = 2**40
"""More rows than a store can hold. A greater number in a file was never written by the program: it is damage."""


KEYED = "connection = ? AND origin = ? AND resource = ? AND params = ?"
COLUMNS = (
    "pull, number, first_row, rows, bytes, flag, elapsed_ms, received_at, exchange, digest, notes, cursor, next_cursor,"
    " data"
)


def moved(what: str) -> PullMoved:
    """The fault of a pull that another window has changed; ``what`` says how: continued, removed or restarted."""
    return PullMoved(
        f"This pull was {what} in another window.",
        "Reload to see its rows; nothing was saved twice or lost.",
    )


def key_values(key: PullKey) -> tuple[str, str, str, str]:
    """The values of `KEYED`."""
    return key.connection, key.origin, key.resource, key.params


def blob(cursor: str | None) -> bytes | None:
    """A cursor as bytes; None stays None. A SQLite text cannot hold a lone surrogate or a NUL, and a cursor may."""
    return None if cursor is None else to_bytes(cursor)


def to_bytes(text: str) -> bytes:
    """Any text, lone surrogates included, as bytes that `to_text` brings back."""
    return text.encode("utf-8", "surrogatepass")


def to_text(data: bytes) -> str:
    """The text of `to_bytes`."""
    return data.decode("utf-8", "surrogatepass")


def now() -> int:
    """The time now, as `stamp` gives it."""
    return stamp(datetime.now(UTC))


def stamp(when: datetime) -> int:
    """Microseconds since 1970."""
    return round(when.timestamp() * 1_000_000)


def moment(micros: int) -> datetime:
    """The moment of a `stamp`, in UTC."""
    return datetime.fromtimestamp(micros / 1_000_000, UTC)


def info_of(row: Any) -> PullInfo:
    """The PullInfo of a row with the columns `INFO`.

    Raises one of `page_integrity.UNREADABLE` when a value cannot have been written by the program.
    """
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
        row[16],
    )


def page_of(row: Any) -> PageInfo:
    """The PageInfo of a row with the columns `PAGE`. Raises PageDamaged when a value cannot be read."""
    try:
        return _page_of(row)
    except (*UNREADABLE, OSError):  # OSError: a time beyond what the system can represent
        raise damaged(row[0] if isinstance(row[0], int) else 0) from None


def _page_of(row: Any) -> PageInfo:
    number, cursor, following, flag, first_row, rows, size, elapsed, received, notes, exchange, *fit = row
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
        unfit=fit[0],
        observed=fit[1],
    )
