"""Runs give back what they were given, bucket by bucket, whether they lie in memory or in the file.

Records spread into an order of their own: all of them, in it, and never many at once.
"""

from __future__ import annotations

import itertools
import random
import tempfile
import tracemalloc
from array import array
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.store import sorting
from explorer.store.answer import Plan
from explorer.store.indexed_columns import IndexedColumns
from explorer.store.query import Query
from explorer.store.reader import Reader, Unwanted
from explorer.store.sorting import Runs, Spill, Spread
from explorer.store.store import Store
from explorer.store.values import Field, StoreFault
from tests.mirror.store.made import KEY, page
from tests.thorough import examples

keys = st.text(st.sampled_from([*"abc\n\x00é", "\ud800", "😀"]), max_size=3)


@settings(max_examples=examples(200), deadline=None)
@given(
    st.lists(st.lists(keys, max_size=8), max_size=5),
    st.lists(keys, max_size=3, unique=True).map(sorted),
    st.booleans(),
    st.sampled_from([0, 30, 10**6]),
)
def test_buckets_hold_every_row_between_their_pivots(
    given_runs: list[list[str]], pivots: list[str], descending: bool, memory: int
) -> None:
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as folder:
        patch.setattr(sorting, "MEMORY_BYTES", memory)
        made = Runs(pivots, Path(folder) / "x.sqlite3", descending=descending)
        whole = list(itertools.chain(*given_runs))
        first = 0
        for run in given_runs:
            made.add(run, array("I", range(first, first + len(run))))
            first += len(run)
        found: list[int] = []
        for bucket, rows in made.buckets():
            known = [whole[row] for row in rows]
            if bucket is None:
                assert len(set(known)) == 1
                assert known[0] in pivots
                found += rows
            else:
                assert known == bucket
                order = sorted(range(len(rows)), key=bucket.__getitem__, reverse=descending)
                found += [rows[n] for n in order]
        assert found == sorted(range(len(whole)), key=whole.__getitem__, reverse=descending)
        made.close()
        assert list(Path(folder).iterdir()) == [], "the file has no name"


def test_what_was_spilled_is_read_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sorting, "MEMORY_BYTES", 100)
    spill = Spill(tmp_path / "x.sqlite3")
    pieces = [bytes([n]) * (n + 1) for n in range(60)]
    places = [spill.add(piece) for piece in pieces]
    for place, piece in reversed(list(zip(places, pieces, strict=True))):
        assert spill.read(place, len(piece)) == piece
    spill.close()


def test_a_disk_that_cannot_hold_it_is_a_fault_of_the_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sorting, "MEMORY_BYTES", 100)
    spill = Spill(tmp_path / "gone" / "x.sqlite3")
    with pytest.raises(StoreFault):
        spill.add(b"x" * 200)


SHAPE = IndexedColumns([Field("a", "", "text")])
SIZE = 50


def filled(store: Store, rows: int, width: int) -> list[bytes]:
    """A pull of records of about ``width`` bytes; the records."""
    chance, pull, made = random.Random(3), store.start(KEY).id, []
    for number, start in enumerate(range(0, rows, SIZE), start=1):
        texts = [f"{chance.randrange(10**9):09d}" * (width // 9) for _ in range(min(SIZE, rows - start))]
        records = [f'{{"a":"{text}"}}'.encode() for text in texts]
        store.keep(pull, page(number, records), "ready", "", shape=SHAPE)
        made += records
    return made


def reading(store: Store) -> Reader:
    return store.reader(store.pulls()[0].id, SHAPE, lambda: True)


def test_portions_give_the_records_in_the_order_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, size in (
        ("PORTION_BYTES", 900),
        ("HELD_BYTES", 4000),
        ("MEMORY_BYTES", 500),
    ):
        monkeypatch.setattr(sorting, name, size)
    store = Store(tmp_path / "x.sqlite3")
    records = filled(store, 1130, 27)
    rows = list(range(1130))
    random.Random(1).shuffle(rows)
    for wanted in (rows, rows[:401], [7], []):
        reader = reading(store)
        made = Spread(reader, wanted)
        found = [made.portion(number) for number in range(made.portions)]
        assert list(itertools.chain(*found)) == [records[row] for row in wanted]
        assert max(map(len, found), default=0) < 40
        made.close()
        reader.close()
    store.close()


def test_one_that_is_called_off_leaves_nothing(tmp_path: Path) -> None:
    store = Store(tmp_path / "x.sqlite3")
    filled(store, 500, 27)
    asked = iter([True] * 4 + [False] * 100)
    reader = store.reader(store.pulls()[0].id, SHAPE, lambda: next(asked))
    with pytest.raises(Unwanted):
        Spread(reader, range(500))
    reader.close()
    store.close()


@pytest.fixture(scope="module")
def wide(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """A pull of 12 MB whose keys take nearly as much."""
    store = Store(tmp_path_factory.mktemp("wide") / "x.sqlite3")
    filled(store, 50_000, 243)
    return store


def most(work: object) -> int:
    """Bytes that Python held at most while ``work`` ran."""
    tracemalloc.start()
    try:
        work()  # type: ignore[operator]
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_sorting_holds_a_fraction_of_the_keys(wide: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sorting, "MEMORY_BYTES", 2**18)
    reader = reading(wide)

    def work() -> None:
        rows = sum(map(len, Plan(Query(sort=(("a", False),)), {"a": ""}).rows(reader)))
        assert rows == 50_000

    # All keys at once, as texts in a list with their rows, take 19 MB.
    assert most(work) < 9_000_000
    reader.close()


def test_streaming_an_order_holds_a_fraction_of_the_records(
    wide: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, size in (
        ("PORTION_BYTES", 2**17),
        ("HELD_BYTES", 2**20),
        ("MEMORY_BYTES", 2**18),
    ):
        monkeypatch.setattr(sorting, name, size)
    reader = reading(wide)

    def work() -> None:
        made = Spread(reader, range(49_999, -1, -1))
        assert sum(len(made.portion(number)) for number in range(made.portions)) == 50_000
        made.close()

    # All records at once take 15 MB.
    assert most(work) < 6_000_000
    reader.close()
    wide.close()
