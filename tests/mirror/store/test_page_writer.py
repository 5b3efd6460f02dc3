"""What is said to the process that keeps pages, and how it answers, over real pipes of this process."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from explorer.api.pages import Page
from explorer.store import PullKey, PullMoved, Store
from explorer.store.frames import read_frame, write_frame
from explorer.store.packing import Packer
from explorer.store.page_writer import Batch, Opening, PageMessage, done_of, encode, keep
from explorer.store.store import PageWrite

KEY = PullKey("c", "o", "ats/job", "{}")
cursors = st.none() | st.text(st.characters(), max_size=8)
records = st.lists(st.binary(min_size=1, max_size=30), max_size=6)


def page(number: int, rows: tuple[bytes, ...], cursor: str | None, following: str | None) -> Page:
    body = b'{"items":[' + b", ".join(rows) + b"]}"
    return Page(number, cursor, following, True, rows, body, ("Odd.",), datetime.now(UTC), 1.5, number)


@given(records, cursors, cursors)
def test_a_page_comes_over_whole(rows: list[bytes], cursor: str | None, following: str | None) -> None:
    sent = PageWrite(page(3, tuple(rows), cursor, following), "stopped", "It \ud800 stopped.")
    got = PageMessage.of(sent).kept()
    assert got._replace(block=b"") == sent
    assert got.page.digest == sent.page.digest
    assert got.block == Packer.lay_out(sent.page.body, sent.page.records)


def test_it_keeps_answers_and_ends_with_its_input(tmp_path: Path) -> None:
    path = tmp_path / "x.sqlite3"
    store = Store(path)
    pull = store.start(KEY).id
    pages = [
        page(n, (b'{"id":%d}' % n,), f"\ud800{n}" if n > 1 else None, f"\ud800{n + 1}") for n in (1, 2, 3, 4)
    ]
    orders, told = io.BytesIO(), io.BytesIO()
    batches = ([pages[0], pages[1]], [pages[3]], [pages[2]])
    write_frame(orders, encode(Opening(str(path), [("id", "", "id")], "ats/job")))
    for batch in batches:
        laid = [PageMessage.of(PageWrite(each, "ready", "")) for each in batch]
        write_frame(orders, encode(Batch(pull, laid)))
    orders.write(b"\x09\0\0\0cut")
    orders.seek(0)
    assert keep(orders, told) == 0
    told.seek(0)
    frames = list(iter(lambda: read_frame(told), None))
    answers, last = [done_of(frame).fault() for frame in frames], frames[-1]
    assert [answers[0], answers[1], answers[3]] == [None, None, None]
    assert isinstance(answers[2], PullMoved)
    assert done_of(last).info() == store.pull(pull)
    assert store.rows(pull, 0, 9) == [b'{"id":%d}' % n for n in (1, 2, 3)]
    assert store.pull(pull).unfit == 3
    store.close()
