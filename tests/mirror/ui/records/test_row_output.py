"""Rows out of a table: forms for the clipboard, and a file that is whole or not there."""

import asyncio
import csv
import io
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.catalog.builtin.ats import JOBS
from explorer.export.text import FileForm
from explorer.jsontext.members import walked
from explorer.jsontext.pieces import AT_ONCE
from explorer.ui.kit.visible import COPY_BOUND
from explorer.ui.records import row_output
from explorer.ui.records.row_output import TooLarge, cell_text, copied, exported
from tests.mirror.export.test_text import BYTES
from tests.watching import allocating, watched

ROWS = [b'{"id":"1","name":"a\\tb","n":1e400}', b'{"id":2,"name":null}', b'{"name":"\\ud800"}', b"[1]"]


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("ids", "1\n2\n\n\n"),
        ("tsv", "id\tname\n1\ta b\n2\t\n\t‹U+D800›\n\t\n"),
        ("csv", "id,name\n1,a\tb\n2,\n,‹U+D800›\n,\n"),
        ("markdown", "| id | name |\n| --- | --- |\n| 1 | a b |\n| 2 |  |\n|  | ‹U+D800› |\n|  |  |\n"),
        ("jsonl", "".join(r.decode() + "\n" for r in ROWS)),
        ("json", "[\n" + ",\n".join(r.decode() for r in ROWS) + "\n]"),
    ],
)
def test_forms_for_the_clipboard(form: row_output.CopyForm, text: str) -> None:
    assert asyncio.run(copied(form, [ROWS[:2], ROWS[2:]], ["id", "name"])).decode() == text


def test_a_cell_of_a_table_is_neither_a_formula_nor_a_mark() -> None:
    odd = [b'{"id":"=1+1","name":"a|b *c* _d_ <i> [e](f) \\\\ `g`,\\n\\"h\\""}']
    told = {
        form: asyncio.run(copied(form, [odd], ["id", "name"])).decode().split("\n", 1)[1]
        for form in ("tsv", "csv")
    }
    assert told["tsv"] == '\'=1+1\ta|b *c* _d_ <i> [e](f) \\ `g`, "h"\n'
    assert told["csv"] == '\'=1+1,"a|b *c* _d_ <i> [e](f) \\ `g`,\n""h"""\n'
    marked = asyncio.run(copied("markdown", [odd], ["id", "name"])).decode().splitlines()[2]
    assert marked == r"| =1+1 | a\|b \*c\* \_d\_ \<i\> \[e\](f) \\ \`g\`, " + '"h" |'


@given(
    st.lists(BYTES, min_size=1, max_size=4),
    st.sampled_from(["json", "jsonl", "tsv", "csv", "markdown", "ids"]),
)
def test_any_bytes_can_be_copied(rows: list[bytes], form: row_output.CopyForm) -> None:
    text = asyncio.run(copied(form, [rows], ["id", "name"])).decode()
    text.encode()
    if form in ("jsonl", "tsv", "markdown", "ids"):
        head = {"tsv": 1, "markdown": 2}.get(form, 0)
        assert text.count("\n") == len(rows) + head
    if form == "csv":
        assert len(list(csv.reader(io.StringIO(text, newline="")))) == len(rows) + 1


def test_one_row_as_json_is_that_row() -> None:
    assert asyncio.run(copied("json", [[ROWS[0]]], [])) == ROWS[0]


def test_too_much_for_the_clipboard_stops_early(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_output, "CLIPBOARD_BOUND", 100)
    taken: list[int] = []

    def pieces() -> Iterator[list[bytes]]:
        for number in range(1000):
            taken.append(number)
            yield ROWS[:2]

    with pytest.raises(TooLarge):
        asyncio.run(copied("jsonl", pieces(), []))
    assert len(taken) < 5


@pytest.mark.parametrize("form", ["jsonl", "json", "csv", "parquet"])
def test_a_stopped_export_leaves_nothing_behind(tmp_path: Path, form: FileForm) -> None:
    target = tmp_path / "rows.jsonl"
    target.write_bytes(b"before")

    async def scene() -> None:
        reached = asyncio.Event()

        def endless() -> Iterator[list[bytes]]:
            while True:
                yield ROWS[:1]

        async with asyncio.TaskGroup() as group:
            task = group.create_task(exported(target, form, endless(), JOBS.columns, lambda _: reached.set()))
            await reached.wait()
            task.cancel()

    asyncio.run(scene())
    assert target.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [target]


def test_an_export_counts_and_ends_in_its_place(tmp_path: Path) -> None:
    seen: list[int] = []
    target = tmp_path / "rows.jsonl"
    written = asyncio.run(exported(target, "jsonl", iter([ROWS[:2], ROWS[3:]]), JOBS.columns, seen.append))
    assert (written, seen) == ((3, 0), [2, 3])
    assert target.read_bytes() == b"\n".join([*ROWS[:2], ROWS[3], b""])


def test_parquet_holds_each_row_in_order(tmp_path: Path) -> None:
    seen: list[int] = []
    target = tmp_path / "rows.parquet"
    written = asyncio.run(exported(target, "parquet", iter([ROWS[:2], ROWS[3:]]), JOBS.columns, seen.append))
    assert (written, seen) == ((3, 0), [2, 3])
    table = parquet.read_table(target)
    assert table["id"].to_pylist() == ["1", None, None], "a number is no id's text"
    assert table["other_fields"].to_pylist() == ['{"n":1e400}', '{"id":2}', "[1]"]


class Kept:
    """A pull as far as `while_unchanged` looks at it."""

    stored_id = 1


@pytest.mark.parametrize("what", ["nothing", "begun anew", "cleared", "shorter"])
def test_rows_that_are_others_in_the_middle_are_none(what: str) -> None:
    pull, came = Kept(), []

    def pieces() -> Iterator[list[bytes]]:
        yield ROWS[:2]
        if what == "begun anew":
            pull.stored_id = 2
        if what != "shorter":
            yield [b"", b""] if what == "cleared" else ROWS[2:]

    async def take() -> None:
        async for piece in row_output.while_unchanged(pieces(), 4, pull):
            came.extend(piece)

    if what == "nothing":
        asyncio.run(take())
        assert came == ROWS
    else:
        with pytest.raises(row_output.RowsChanged):
            asyncio.run(take())
        assert came == ROWS[:2]


def test_a_cell_of_a_large_record_is_the_same_found_a_member_at_a_time() -> None:
    many = b",".join(b'"name %d": %d' % (number, number) for number in range(5000))
    record = b'{"id": "first", ' + many + b', "text": "a\\u00e9", "id": "last", "none": null}'
    assert len(record) > AT_ONCE
    with watched(walked) as seen:
        assert cell_text(record, "id") == "last"
    assert seen, "it is not given to msgspec whole, which would hold the window"
    assert cell_text(record, "text") == "aé"
    assert cell_text(record, "none") == "null"
    assert cell_text(record, "absent") == ""
    assert cell_text(b"[" + many + b"]", "id") == ""
    assert cell_text(b'{"id": "' + b"x" * COPY_BOUND + b'"}', "id") is None


@pytest.mark.parametrize("form", ["json", "tsv", "ids"])
def test_lines_for_the_clipboard_are_made_in_a_thread_where_records_are_large(
    form: row_output.CopyForm,
) -> None:
    small, large = [b'{"id": "1"}'] * 5, [b'{"id": "2", "text": "' + b"x" * 400_000 + b'"}']
    with watched(row_output._whole if form in ("json", "jsonl") else row_output._line) as seen:
        text = asyncio.run(copied(form, [small, large], ("id",))).decode()
    assert [in_window for _, in_window in seen] == [True] * 5 + [False]
    assert text.count("2") == 1


def test_a_record_beyond_the_bound_is_refused_before_any_text_is_made_of_it() -> None:
    raw = b'{"id":"1","name":"' + b"y" * (row_output.CLIPBOARD_BOUND + 1) + b'"}'
    forms: tuple[row_output.CopyForm, ...] = ("json", "jsonl", "tsv", "csv", "markdown")
    with allocating() as allocated, allocated.step("all"):
        for form in forms:
            with pytest.raises(TooLarge):
                asyncio.run(copied(form, [[raw]], ["id", "name"]))
        assert asyncio.run(copied("ids", [[raw]], [])) == b"1\n"
        assert asyncio.run(copied("tsv", [[raw]], ["id"])) == b"id\n1\n"
    assert allocated.most < 1_000_000
