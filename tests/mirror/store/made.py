"""Pages for the tests of the store, made by hand."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from explorer.api.pages import Page
from explorer.store.values import PullKey

KEY = PullKey("conn_1", "https://api.example.com", "ats/job", "{}")


def page(
    number: int,
    records: Sequence[bytes],
    *,
    cursor: str | None = None,
    following: str | None = None,
    body: bytes | None = None,
    notes: tuple[str, ...] = (),
) -> Page:
    """A page of those records; from the second on, asked with the cursor ``c<number - 1>`` unless one is given."""
    asked = cursor if cursor is not None or number == 1 else f"c{number - 1}"
    return Page(
        number=number,
        cursor=asked,
        next_cursor=following if following is not None else f"c{number}",
        flag=True,
        records=tuple(records),
        body=b'{"items":[' + b",".join(records) + b"]}" if body is None else body,
        notes=notes,
        received_at=datetime(2026, 1, 2, 3, 4, 5, 678901, UTC),
        elapsed_ms=12.5,
        exchange=number,
    )
