"""A page is given as it was received, or it is a fault."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.digest import digest_of
from explorer.store.answer import Plan
from explorer.store.indexed_columns import IndexedColumns
from explorer.store.packing import Packer
from explorer.store.query import Query
from explorer.store.store import Store
from explorer.store.values import Field, PageDamaged
from tests.mirror.store.made import KEY, page


@given(st.lists(st.binary(max_size=20), max_size=8), st.integers(-2, 12), st.integers(-3, 3))
def test_a_block_is_opened_with_its_own_numbers_alone(records: list[bytes], rows: int, more: int) -> None:
    packer, body = Packer(), b"[" + b",".join(records) + b"]"
    data, digest = packer.pack(body, records), digest_of(records)
    if (rows, more) == (len(records), 0):
        assert packer.unpack(data, rows, len(body), digest).records(0, rows) == records
    elif rows != len(records):
        with pytest.raises(ValueError, match="damaged"):
            packer.unpack(data, rows, len(body), digest)


@pytest.mark.parametrize(
    "spoil",
    [
        "UPDATE page SET digest = x'00' WHERE number = 2",
        "UPDATE page SET data = (SELECT data FROM page WHERE number = 1) WHERE number = 2",
        "UPDATE page SET cursor = CAST('c7' AS BLOB) WHERE number = 2",
        "UPDATE page SET first_row = 3 WHERE number = 2",
        "DELETE FROM page WHERE number = 2",
    ],
)
def test_every_reader_says_which_page_is_damaged(tmp_path: Path, spoil: str) -> None:
    store = Store(tmp_path / "x.sqlite3")
    pull = store.start(KEY).id
    for n in (1, 2, 3):
        store.keep(pull, page(n, [b'{"a":"%d"}' % n, b'{"a":"x"}']), "ready", "")
    with sqlite3.connect(store.path) as file:
        file.execute(spoil)
    file.close()
    for read in (
        lambda: store.rows(pull, 0, 6),
        lambda: store.rows_at(pull, [2]),
        lambda: store.rows_apart(pull, [2]),
    ):
        with pytest.raises(PageDamaged) as caught:
            read()
        assert caught.value.page == 2
        assert "Page 2" in caught.value.sentence
    assert store.rows(pull, 0, 2) == [b'{"a":"1"}', b'{"a":"x"}'], "the others are as they were"
    reader = store.reader(pull, IndexedColumns([Field("a")]), lambda: True)
    with pytest.raises(PageDamaged):
        list(Plan(Query(find="x"), {}).rows(reader))
    reader.close()
    store.close()


def test_columns_of_another_page_are_taken_out_anew(tmp_path: Path) -> None:
    store, shape = Store(tmp_path / "x.sqlite3"), IndexedColumns([Field("a")])
    pull = store.start(KEY).id
    for n in (1, 2):
        store.keep(pull, page(n, [b'{"a":"%d"}' % n]), "ready", "", shape=shape)
    with sqlite3.connect(store.path) as file:
        file.execute("UPDATE narrow SET data = (SELECT data FROM narrow WHERE page = 1)")
    file.close()
    reader = store.reader(pull, shape, lambda: True)
    assert [row for rows in Plan(Query(sort=(("a", True),)), {}).rows(reader) for row in rows] == [1, 0]
    reader.close()
    store.close()
