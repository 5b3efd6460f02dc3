"""Sorting, filtering and finding over a real file agree with plain Python over the same values."""

from __future__ import annotations

import itertools
import json
import random
import tempfile
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict

from explorer.store import sorting
from explorer.store.answer import Plan, narrows
from explorer.store.find import QueryFault
from explorer.store.indexed_columns import IndexedColumns
from explorer.store.packing import Packed
from explorer.store.query import Filter, Op, Query
from explorer.store.reader import Leaf, Unwanted
from explorer.store.schema_validator import SchemaValidator
from explorer.store.store import Store
from explorer.store.values import Field
from tests.mirror.store.made import KEY, page
from tests.mirror.store.reference import GONE, Digits, cells, holds, ordered, passes, searched, texts, written
from tests.thorough import examples

SHAPE = IndexedColumns(
    [Field("a", "name", "text"), Field("b", "name", "array"), Field("c", "name", "number")]
)
SUMMARIES = {field.name: field.summary for field in SHAPE.fields}
Row = tuple[Any, Any, Any]


def kept(store: Store, rows: Sequence[Row], size: int, *, shape: IndexedColumns | None = SHAPE) -> int:
    """A pull that holds those rows, ``size`` a page."""
    pull = store.start(KEY).id
    for n, start in enumerate(range(0, len(rows), size), start=1):
        records = [
            written(record(row), escapes=bool(at % 2)).encode("utf-8", "surrogatepass")
            for at, row in enumerate(rows[start : start + size])
        ]
        store.keep(pull, page(n, records), "ready", "", shape=shape)
    return pull


def record(row: Row) -> dict[str, Any]:
    return dict(zip("abc", row, strict=True))


def answer(store: Store, pull: int, question: Query, within: Sequence[int] | None = None) -> list[int]:
    reader = store.reader(pull, SHAPE, lambda: True)
    try:
        return list(itertools.chain(*Plan(question, SUMMARIES).rows(reader, within)))
    finally:
        reader.close()


ops: list[Op] = ["contains", "equals", "<", ">", "between", "is null", "is absent", "is empty"]
wanted = st.one_of(
    texts,
    st.integers(-3, 3),
    st.integers(2**63, 2**70),
    st.decimals(allow_nan=False, allow_infinity=False, places=2),
)
valued = st.one_of(
    st.builds(Filter, st.sampled_from("abc"), st.sampled_from(ops), wanted),
    st.builds(Filter, st.sampled_from("abc"), st.just("between"), texts, texts),
    st.builds(Filter, st.sampled_from("abc"), st.just("equals"), st.booleans() | st.none()),
)
questions = st.builds(
    Query,
    find=st.sampled_from(["", "", "a", "é", "ss", "1", "\n"]),
    case=st.booleans(),
    filters=st.lists(valued, max_size=2).map(tuple),
    sort=st.lists(st.tuples(st.sampled_from("abc"), st.booleans()), max_size=3).map(tuple),
)


@settings(max_examples=examples(250), deadline=None)
@given(
    st.lists(st.tuples(cells, cells, cells), max_size=25),
    questions,
    st.integers(1, 9),
    st.booleans(),
    st.sampled_from([1, 3, 8192]),
)
def test_answers_agree_with_plain_python(
    rows: list[Row], question: Query, size: int, at_once: bool, bucket: int
) -> None:
    try:
        Plan(question, SUMMARIES)
    except QueryFault:
        assert any(f.op == "between" for f in question.filters)
        return
    expected = [
        n
        for n, row in enumerate(rows)
        if all(passes(row["abc".index(f.column)], f) for f in question.filters)
        and holds(searched(record(row)), question.find, case=question.case)
    ]
    for column, descending in reversed(question.sort):
        values = [row["abc".index(column)] for row in rows]
        expected = ordered(values, descending=descending, rows=expected)
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        # Small ones are cut at pivots and merged from several runs, as a million rows are.
        patch.setattr(sorting, "BUCKET", bucket)
        patch.setattr(sorting, "RUN", bucket)
        store = Store(Path(folder) / "x.sqlite3")
        pull = kept(store, rows, size, shape=SHAPE if at_once else None)
        assert answer(store, pull, question) == expected
        store.close()


def test_large_sorts_in_many_passes_agree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sorting, "BUCKET", 20)
    monkeypatch.setattr(sorting, "RUN", 90)
    monkeypatch.setattr(sorting, "MEMORY_BYTES", 1000)
    chance = random.Random(5)
    few = [GONE, None, True, "x", "X", Digits("1.0"), 1]
    rows = [
        (chance.choice(few), chance.choice([[], ["é"], "t"]), chance.randrange(50) if n % 3 else f"t{n % 40}")
        for n in range(2000)
    ]
    store = Store(tmp_path / "x.sqlite3")
    pull = kept(store, rows, 37)
    for sort in itertools.chain(
        itertools.product("abc", (False, True)),
    ):
        assert answer(store, pull, Query(sort=(sort,))) == ordered(
            [row["abc".index(sort[0])] for row in rows], descending=sort[1]
        )
    for filters in ((), (Filter("c", ">", 10),)):
        expected = [n for n, row in enumerate(rows) if all(passes(row[2], f) for f in filters)]
        expected = ordered([row[2] for row in rows], descending=True, rows=expected)
        expected = ordered([row[0] for row in rows], rows=expected)
        question = Query(filters=filters, sort=(("a", False), ("c", True)))
        assert answer(store, pull, question) == expected
    store.close()


def test_typing_on_looks_only_at_what_was_found(tmp_path: Path) -> None:
    store = Store(tmp_path / "x.sqlite3")
    pull = kept(store, [(f"job {n}", [], n) for n in range(300)], 10)
    first, later = Query(find="job 1"), Query(find="job 11")
    assert narrows(later, first)
    assert not narrows(first, later)
    found = answer(store, pull, first)
    assert answer(store, pull, later, found) == answer(store, pull, later)
    assert answer(store, pull, later, [11, 12]) == [11]
    store.close()


class Strict(BaseModel):
    """A record whose ``a`` is a text."""

    model_config = ConfigDict(strict=True, extra="allow")
    a: str


def test_the_records_that_do_not_fit_are_picked_beside_whatever_else_is_asked(tmp_path: Path) -> None:
    store = Store(tmp_path / "x.sqlite3")
    pull = store.start(KEY).id
    made = [
        [b'{"a":"x","c":%d}' % n if n % 3 or at < 2 else b'{"a":%d}' % n for n in range(4)] for at in range(4)
    ]
    for at, records in enumerate(made, start=1):
        store.keep(pull, page(at, records), "ready", "", shape=SHAPE, model=Strict)
    fit_of = SchemaValidator(Strict, SHAPE.fields).fit_of
    opened: list[int] = []

    def ask(question: Query) -> list[int]:
        reader = store.reader(pull, SHAPE, lambda: True)
        unpack = reader.packed

        def packed(leaf: Leaf) -> Packed:
            opened.append(leaf.number)
            return unpack(leaf)

        reader.packed = packed  # type: ignore[method-assign]  # to see which pages are opened
        try:
            return list(itertools.chain(*Plan(question, SUMMARIES, fit_of).rows(reader)))
        finally:
            reader.close()

    assert ask(Query(unfit=True)) == [8, 11, 12, 15]
    assert opened == [3, 4], "pages whose records all fit are not opened"
    assert store.pull(pull).unfit == 4
    assert ask(Query(unfit=True, sort=(("a", True),))) == [11, 15, 8, 12]
    assert ask(Query(unfit=True, filters=(Filter("a", "equals", 3),))) == [11, 15]
    assert ask(Query(unfit=True, filters=(Filter("a", "equals", "x"),))) == []
    assert ask(Query(unfit=True, find='"a":3')) == [11, 15]
    store.close()


def test_misfits_are_not_searched_among_the_rows_of_an_answer_that_left_out_some() -> None:
    fitting, unfit = Query(find="x"), Query(find="xy", unfit=True)
    assert narrows(unfit, fitting)
    assert not narrows(Query(find="xy"), Query(find="x", unfit=True))
    assert narrows(Query(find="xy", unfit=True), Query(unfit=True))
    assert not narrows(Query(observed=True), Query(unfit=True))
    assert not narrows(Query(unfit=True), Query(observed=True))
    assert not narrows(Query(find="xy"), Query(observed=True))


def test_a_question_that_is_called_off_ends_at_once(tmp_path: Path) -> None:
    store = Store(tmp_path / "x.sqlite3")
    pull = kept(store, [("x", [], n) for n in range(50)], 1)
    asked = iter([True] * 10 + [False] * 100)
    reader = store.reader(pull, SHAPE, lambda: next(asked))
    found: list[int] = []
    portions = Plan(Query(find="x"), SUMMARIES).rows(reader)
    with pytest.raises(Unwanted):
        found.extend(itertools.chain.from_iterable(portions))
    assert found == list(range(10))
    reader.close()
    store.close()


def test_a_damaged_block_is_made_anew(tmp_path: Path) -> None:
    import sqlite3

    store = Store(tmp_path / "x.sqlite3")
    pull = kept(store, [(f"{n % 7}", [], n) for n in range(40)], 10)
    before = answer(store, pull, Query(sort=(("a", True),)))
    with sqlite3.connect(tmp_path / "x.sqlite3") as other:
        other.execute("UPDATE narrow SET data = zeroblob(60) WHERE page % 2")
    other.close()
    assert answer(store, pull, Query(sort=(("a", True),))) == before
    with sqlite3.connect(tmp_path / "x.sqlite3") as other:
        assert other.execute("SELECT count(*) FROM narrow WHERE data = zeroblob(60)").fetchone() == (0,)
    other.close()
    store.close()


@pytest.mark.parametrize(
    "given_filter", [Filter("a", "<"), Filter("a", "between", 1), Filter("a", "between", 1, "x")]
)
def test_a_filter_that_says_nothing_is_refused(given_filter: Filter) -> None:
    with pytest.raises(QueryFault):
        Plan(Query(filters=(given_filter,)), SUMMARIES)


def test_texts_longer_than_their_keys_are_looked_up_whole(tmp_path: Path) -> None:
    store = Store(tmp_path / "x.sqlite3")
    long = "é" * 300
    pull = kept(store, [(long + "Tail", [{"name": long + "End"}], 1), (long, ["short"], 2)], 1)
    assert answer(store, pull, Query(filters=(Filter("a", "contains", "tAIL"),))) == [0]
    assert answer(store, pull, Query(filters=(Filter("b", "contains", "end"),))) == [0]
    assert answer(store, pull, Query(filters=(Filter("a", "equals", long),))) == [1]
    assert answer(store, pull, Query(filters=(Filter("a", "equals", long + "x"),))) == []
    assert answer(store, pull, Query(filters=(Filter("b", "equals", long + "End"),))) == [0]
    store.close()


INSIDE: list[dict[str, Any]] = [
    {"id": 1, "raw": {"status": "closed", "owner": {"name": "Ada"}, "tags": ["a", "B"], "n": 5}},
    {"id": 2, "raw": {"status": "Closed", "owner": None, "tags": [], "n": 5.0}},
    {"id": 3, "raw": {"status": None, "owner": {"name": "x" * 300 + "end"}, "n": 12}},
    {"id": 4, "raw": {"status": "open", "other": "closed", "list": [{"k": 1}, {"k": True}]}},
    {"id": 5, "raw": None},
    {"id": 6},
    {"id": 7, "raw": {"status": 'clo"sed', "a.b": "closed", "n": "5"}},
]


@pytest.mark.parametrize(
    ("given", "ids"),
    [
        (Filter("raw", "equals", "closed", path="status"), [1]),
        (Filter("raw", "contains", "CLOSED", path="status"), [1, 2]),
        (Filter("raw", "equals", 'clo"sed', path="status"), [7]),
        (Filter("raw", "equals", "closed", path="/a.b"), [7]),
        (Filter("raw", "equals", Decimal(5), path="n"), [1, 2]),
        (Filter("raw", ">", Decimal(5), path="n"), [3]),
        (Filter("raw", "between", Decimal(5), Decimal(12), path="n"), [1, 2, 3]),
        (Filter("raw", "equals", True, path="list.k"), [4]),
        (Filter("raw", "equals", "B", path="tags[]"), [1]),
        (Filter("raw", "is empty", path="tags"), [2]),
        (Filter("raw", "is null", path="status"), [3]),
        (Filter("raw", "is absent", path="status"), [5, 6]),
        (Filter("raw", "is absent", path="owner.name"), [2, 4, 5, 6, 7]),
        (Filter("raw", "contains", "end", path="owner.name"), [3]),
        (Filter("raw", "equals", "x" * 300 + "end", path="owner.name"), [3]),
        (Filter("raw", "equals", "x" * 300, path="owner.name"), []),
    ],
)
@pytest.mark.parametrize("escapes", [False, True])
def test_a_filter_by_a_path_looks_at_what_stands_there(
    tmp_path: Path, given: Filter, ids: list[int], escapes: bool
) -> None:
    store = Store(tmp_path / "x.sqlite3")
    pull = store.start(KEY).id
    for n, start in enumerate(range(0, len(INSIDE), 3), start=1):
        records = [json.dumps(row, ensure_ascii=escapes).encode() for row in INSIDE[start : start + 3]]
        if escapes:
            records = [record.replace(b"closed", b"cl\\u006fsed") for record in records]
        store.keep(pull, page(n, records), "ready", "", shape=SHAPE)
    found = [INSIDE[row]["id"] for row in answer(store, pull, Query(filters=(given,)))]
    assert found == ids
    assert answer(store, pull, Query(filters=(given,)), within=[0]) == [0][: ids.count(1)]
    assert answer(store, pull, Query(find="nowhere", filters=(given,))) == []
    store.close()


def test_a_filter_by_no_path_is_said_and_paths_tell_filters_apart() -> None:
    with pytest.raises(QueryFault, match="no path"):
        Plan(Query(filters=(Filter("raw", "equals", "x", path="a..b"),)), {})
    one, other = Filter("raw", "equals", "x", path="a"), Filter("raw", "equals", "x", path="b")
    assert one != other
    assert Query(filters=(one, other)).columns == ()
