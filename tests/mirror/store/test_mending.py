"""What a damaged page has to be to be put in its place again."""

from __future__ import annotations

import dataclasses
import sqlite3
from pathlib import Path

import pytest

from explorer.store.mending import survey
from explorer.store.store import Store
from tests.mirror.store.made import KEY, page


def test_a_page_is_taken_only_with_the_rows_that_were_kept(tmp_path: Path) -> None:
    store = Store(tmp_path / "x.sqlite3")
    pull = store.start(KEY).id
    pages = [page(n, [b'{"a":"%d"}' % n]) for n in (1, 2, 3)]
    for one in pages:
        store.keep(pull, one, "ready", "")
    assert survey(store.path, store.pull(pull)).gaps == ()
    with sqlite3.connect(store.path) as file:
        file.execute("UPDATE page SET data = x'' WHERE number = 2")
    file.close()
    [gap] = survey(store.path, store.pull(pull)).gaps
    assert (gap.first, gap.last, gap.cursor, gap.ends) == (2, 2, "c1", "c2")
    assert gap.placed([page(2, [b'{"a":"other"}'])]) is None
    rotated = dataclasses.replace(pages[1], next_cursor="another each time")
    assert gap.placed([rotated]) == [pages[1]], "the page behind it keeps the cursor that it was asked with"
    store.mend(pull, pages[1])
    store.recount(pull, 3)
    assert store.rows(pull, 0, 3) == [b'{"a":"1"}', b'{"a":"2"}', b'{"a":"3"}']
    store.close()


def test_a_lost_page_is_taken_when_it_fills_the_gap(tmp_path: Path) -> None:
    store = Store(tmp_path / "x.sqlite3")
    pull = store.start(KEY).id
    for n in (1, 2, 3):
        store.keep(pull, page(n, [b'{"a":"%d"}' % n]), "ready", "")
    with sqlite3.connect(store.path) as file:
        file.execute("DELETE FROM page WHERE number = 2")
    file.close()
    [gap] = survey(store.path, store.pull(pull)).gaps
    assert gap.placed([page(2, [b"1"])]) is not None
    assert gap.placed([page(2, [b"1", b"2"])]) is None
    assert gap.placed([page(2, [b"1"], following="elsewhere")]) is None
    store.close()


@pytest.mark.parametrize(
    ("flag", "notes", "state"),
    [
        (False, (), "complete"),
        (None, (), "complete"),
        (True, ("more follows",), "stopped"),
        (None, ("odd",), "stopped"),
    ],
)
def test_what_is_counted_anew_is_complete_only_where_its_end_was_shown(
    tmp_path: Path, flag: bool | None, notes: tuple[str, ...], state: str
) -> None:
    store = Store(tmp_path / "x.sqlite3")
    pull = store.start(KEY).id
    last = dataclasses.replace(page(1, [b"{}"]), next_cursor=None, flag=flag, notes=notes)
    store.keep(pull, last, "ready", "")
    with sqlite3.connect(store.path) as file:
        file.execute("UPDATE pull SET pages = 7")
    file.close()
    assert store.recount(pull, 1).state == state
    store.close()
