"""Rows to JSON Lines and CSV: nothing is lost, rounded or run."""

import csv
import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.export.text import MARK, OTHER_FIELDS, Csv, JsonLines, chunk, guarded, one_line, writer

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=10,
)
RECORD = st.dictionaries(st.sampled_from(["id", "name", "size", "extra", "Ünïcode"]) | TEXT, JSON, max_size=6)


def table(data: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode(), newline="")))


@given(JSON, st.sampled_from([None, 2, "\t"]))
def test_one_line_keeps_the_value(value: Any, indent: int | str | None) -> None:
    raw = json.dumps(value, indent=indent, ensure_ascii=False).encode()
    line = one_line(raw)
    assert b"\n" not in line
    assert b"\r" not in line
    assert json.dumps(json.loads(line)) == json.dumps(value)
    if b"\n" not in raw:
        assert line is raw


def test_one_line_touches_nothing_but_space_outside_strings() -> None:
    raw = b'{ "a" : 1.00 ,\r\n "b\\"\\\\" : " x \\u00e9 \\" y ",\n\t"c":[ 1E5 , 12345678901234567890 ] }'
    assert one_line(raw) == b'{"a":1.00,"b\\"\\\\":" x \\u00e9 \\" y ","c":[1E5,12345678901234567890]}'


def test_records_without_line_breaks_stay_byte_for_byte() -> None:
    rows = [b'{ "a" :  1.0 , "b":"\\u0041" }', b"[1, 2]", b'"x"']
    assert chunk(JsonLines(), rows) == b"\n".join(rows) + b"\n"
    assert JsonLines().head() == b""


@given(st.lists(RECORD, max_size=4))
def test_csv_reads_back_with_every_text_and_number(records: list[dict[str, Any]]) -> None:
    fields = ("id", "name", "size")
    form = Csv(fields)
    raw = [json.dumps(r, ensure_ascii=False).encode() for r in records]
    head, *rows = table(form.head() + chunk(form, raw))
    assert head == [*fields, OTHER_FIELDS]
    assert len(rows) == len(records)
    for row, record in zip(rows, records, strict=True):
        for field, cell in zip(fields, row, strict=False):
            value = record.get(field)
            expected = "" if value is None else value if isinstance(value, str) else json.dumps(value)
            if isinstance(value, dict | list):
                assert json.dumps(json.loads(cell)) == json.dumps(value)
            else:
                assert cell == guarded(expected)
        rest = {k: v for k, v in record.items() if k not in fields}
        assert (json.dumps(json.loads(row[-1])) if row[-1] else "{}") == json.dumps(rest)


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("=1+1", "'=1+1"),
        ("+cmd", "'+cmd"),
        ("-a", "'-a"),
        ("@x", "'@x"),
        ("\tx", "'\tx"),
        ("\rx", "'\rx"),
        ("-", "'-"),
        ("+49 30 1234", "'+49 30 1234"),
        ("-1\n", "'-1\n"),
        ("-1.5", "-1.5"),
        ("+49301234", "+49301234"),
        ("-1e-5", "-1e-5"),
        ("a=1", "a=1"),
        ("", ""),
    ],
)
def test_formulas_are_guarded_and_plain_numbers_are_not(text: str, cell: str) -> None:
    assert guarded(text) == cell
    assert table(Csv(["a"]).row(json.dumps({"a": text}).encode()))[0][0] == cell


def test_a_name_that_is_a_formula_cannot_start_a_cell() -> None:
    assert table(Csv(["a"]).row(b'{"=1":2}'))[0][1] == '{"=1":2}'


def test_numbers_stand_as_received() -> None:
    form = Csv(["a", "b", "c"])
    assert form.row(b'{"a":1.00,"b":12345678901234567890,"c":1E+2}') == b"1.00,12345678901234567890,1E+2,\n"


def test_empty_text_is_quoted_and_null_and_absent_are_not() -> None:
    assert Csv(["a", "b", "c"]).row(b'{"a":"","b":null}') == b'"",,,\n'


@pytest.mark.parametrize("record", [b"[1,\n2]", b'"x"', b"5", b"null"])
def test_a_row_that_is_no_object_is_kept_whole(record: bytes) -> None:
    (row,) = table(Csv(["a"]).row(record))
    assert row[0] == ""
    assert json.loads(row[1]) == json.loads(record)


def test_half_a_character_is_no_reason_to_fail() -> None:
    record = b'{"a":"x\\ud800", "b" : [1.00,{"c": "}"}], "\\ud800":1,"e":"","f":12345678901234567890}'
    assert Csv(["a", "b", "e", "f"]).row(record) == (
        b'x\\ud800,"[1.00,{""c"": ""}""}]","",12345678901234567890,"{""\\ud800"":1}"\n'
    )


def test_a_nested_value_is_one_cell_on_one_line() -> None:
    assert Csv(["a"]).row(b'{"a":{"b":\n[1, "x, y"]}}') == b'"{""b"":[1,""x, y""]}",\n'


def test_writer_by_name() -> None:
    assert isinstance(writer("jsonl", ["a"]), JsonLines)
    assert writer("csv", ["a", "b"]).head() == b"a,b,other_fields\n"


def test_json_is_one_array_of_the_same_lines() -> None:
    rows = [b'{"id": "1",\n "n": 1.00}', b"[]"]
    made = writer("json", [])
    data = made.head() + chunk(made, rows) + made.tail()
    assert data == b'[\n{"id":"1","n":1.00},\n[]\n]\n'
    empty = writer("json", [])
    assert json.loads(empty.head() + empty.tail()) == []


DEEP = b'{"id": "1", "raw_data": ' + b"[" * 5000 + b"]" * 5000 + b"}"
BYTES = (
    st.binary(max_size=60)
    | st.lists(
        st.sampled_from(
            [
                b"{",
                b"}",
                b"[",
                b"]",
                b'"',
                b'"id"',
                b":",
                b",",
                b"\n",
                b"\r\n",
                b"\\",
                b"\xff",
                b"1",
                b" ",
                b"-",
            ]
        ),
        max_size=30,
    ).map(b"".join)
    | st.builds(lambda raw: b'{"id": "' + raw + b'", "x": 1}', st.binary(max_size=20))
    | RECORD.map(lambda record: json.dumps(record, indent=1).encode())
    | st.just(DEEP)
)


@given(st.lists(BYTES, max_size=4))
def test_csv_writes_any_bytes_as_one_row_each(records: list[bytes]) -> None:
    form = Csv(["id", "name"])
    rows = table(form.head() + chunk(form, records))
    assert [len(row) for row in rows] == [3] * (len(records) + 1)
    marks = [row[-1] for row in rows[1:] if MARK in row[-1]]
    assert form.marked == len(marks)
    assert all(mark.startswith(f'{{"{MARK}":') for mark in marks)


@pytest.mark.parametrize(
    ("record", "row"),
    [
        (b'{"id":"a\xffb"}', ["a\\xffb", f'{{"{MARK}":"bytes that are not UTF-8 are shown as \\\\xNN"}}']),
        (
            b'{"id":"1","x":"\xc3"}',
            ["1", f'{{"{MARK}":"bytes that are not UTF-8 are shown as \\\\xNN","x":"\\\\xc3"}}'],
        ),
        (b'{"id" "1"}', ["", f'{{"{MARK}":"not readable JSON","record":"{{\\"id\\" \\"1\\"}}"}}']),
        (
            b'["\xff"]',
            [
                "",
                (
                    f'{{"{MARK}":"bytes that are not UTF-8 are shown as '
                    f'\\\\xNN","record":"[\\"\\\\\\\\xff\\"]"}}'
                ),
            ],
        ),
        (b'{"id":"a\nb"}', ["a\nb", ""]),
        (b'{"id":"\\x"}', ['"\\x"', f'{{"{MARK}":"not readable JSON"}}']),
    ],
)
def test_an_odd_record_is_marked(record: bytes, row: list[str]) -> None:
    form = Csv(["id"])
    assert table(form.row(record)) == [row]
    assert form.marked == (MARK in row[1])


def test_a_record_nested_by_thousands_is_written_whole_and_marked() -> None:
    form = Csv(["id", "raw_data"])
    (line,) = form.row(DEEP).splitlines()
    assert line.startswith(b"1," + b"[" * 5000 + b"]" * 5000)
    assert b"nested deeper" in line
    assert form.marked == 1


@given(BYTES)
def test_a_record_is_one_line_whatever_is_in_it(record: bytes) -> None:
    line = one_line(record)
    assert b"\n" not in line
    assert b"\r" not in line
    if b"\n" not in record and b"\r" not in record:
        assert line == record
    try:
        value = json.loads(record, strict=False)
    except (ValueError, RecursionError):
        return
    assert json.dumps(json.loads(line, strict=False)) == json.dumps(value)


@pytest.mark.parametrize(
    ("record", "line"),
    [
        (b'{"a": "x\r\ny", "b":\n1}', b'{"a":"x\\r\\ny","b":1}'),
        (b'{"a":"x\\\\\ny"}', b'{"a":"x\\\\\\ny"}'),
        (b'{"a":"x\\\ny"}', b'{"a":"x\\ny"}'),
        (b'{"a": 1\n2}', b'{"a":1 2}'),
        (b'{"a":"open\n', b'{"a":"open\\n'),
    ],
)
def test_a_raw_line_break_in_a_text_becomes_its_escape(record: bytes, line: bytes) -> None:
    assert one_line(record) == line
