"""What is said to the process that keeps pages, and how it answers, as messages."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from explorer.api.pages import Page
from explorer.store.page_writer import Opening, keep
from explorer.store.store import PageWrite, Store
from explorer.store.values import Field, PullKey, PullMoved, StoreFault
from explorer.worker_main import Orders, read_message, write_message

KEY = PullKey("c", "o", "ats/job", "{}")
cursors = st.none() | st.text(st.characters(), max_size=8)
records = st.lists(st.binary(min_size=1, max_size=30), max_size=6)


def page(number: int, rows: tuple[bytes, ...], cursor: str | None, following: str | None) -> Page:
    body = b'{"items":[' + b", ".join(rows) + b"]}"
    return Page(number, cursor, following, True, rows, body, ("Odd.",), datetime.now(UTC), 1.5, number)


@given(records, cursors, cursors)
def test_a_page_comes_over_whole(rows: list[bytes], cursor: str | None, following: str | None) -> None:
    sent = PageWrite(page(3, tuple(rows), cursor, following), "stopped", "It \ud800 stopped.")
    pipe = io.BytesIO()
    write_message(pipe, (7, [sent]))
    pipe.seek(0)
    number, [got] = read_message(pipe)
    assert (number, got) == (7, sent)
    assert got.page.digest == sent.page.digest


def test_it_keeps_answers_and_ends_with_its_input(tmp_path: Path) -> None:
    path = tmp_path / "x.sqlite3"
    store = Store(path)
    pull = store.start(KEY).id
    pages = [
        page(n, (b'{"id":%d}' % n,), f"\ud800{n}" if n > 1 else None, f"\ud800{n + 1}") for n in (1, 2, 3, 4)
    ]
    pipe, told = io.BytesIO(), list[Any]()
    for batch in ([pages[0], pages[1]], [pages[3]], [pages[2]]):
        write_message(pipe, (pull, [PageWrite(each, "ready", "") for each in batch]))
    pipe.write(b"\x09\0\0\0cut")
    pipe.seek(0)
    keep(Opening(path, (Field("id", "", "id"),), "ats/job"), Orders(pipe), told.append)
    ready, first, refused, last = told
    assert (ready, first.pages) == (None, 2)
    assert isinstance(refused, PullMoved)
    assert last == store.pull(pull)
    assert store.rows(pull, 0, 9) == [b'{"id":%d}' % n for n in (1, 2, 3)]
    assert store.pull(pull).unfit == 3
    store.close()


def test_a_store_that_cannot_be_opened_is_told_of(tmp_path: Path) -> None:
    told = list[Any]()
    keep(Opening(tmp_path, ()), Orders(io.BytesIO()), told.append)
    assert isinstance(told[0], StoreFault)
