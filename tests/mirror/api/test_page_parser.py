"""Cutting pages into records: every row, byte for byte, whatever JSON rules are broken inside."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.api.page_parser import Unsliceable, ids_of, joined, raw_of_rows, slice_list
from explorer.catalog.builtin.envelopes import TYPE_A, TYPE_B
from explorer.catalog.spec import Envelope
from explorer.jsontext.pointer import dotted

ODD = [
    b'{"a": NaN}',
    b'{"a": -Infinity, "b": 1e999}',
    b'{"a": "\\ud800"}',
    b'{"a": "\\ud83d\\ude00 \\udc00"}',
    b'{"a": 1, "a": 2}',
    b'{"a": "line\nbreak \x01"}',
    b'{"a": "\xff\xfe"}',
    b'{"a": 0123, "b": +1, "c": .5}',
    b'{"a": "\\x41 \\q"}',
    b"null",
    b"17",
    b'"text with ] } , : and \\" inside"',
    b"[1, [2, {}]]",
    b"true",
    b"NaN",
    b"{ }",
    b"[" * 2000 + b"]" * 2000,
    b'{"n": 123456789012345678901234567890.00100}',
]


@pytest.mark.parametrize("record", ODD)
def test_each_odd_record_comes_out_as_it_went_in(record: bytes) -> None:
    body = (
        b'{ "items" : [ {"id": 1} , ' + record + b' ,{"id":2}\n], "next_cursor": "c", "has_next_page": true }'
    )
    sliced = slice_list(body, TYPE_A)
    assert sliced.records == (b'{"id": 1}', record, b'{"id":2}')
    assert (sliced.cursor, sliced.flag) == (b'"c"', b"true")


def test_all_odd_records_together() -> None:
    body = b'{"next_page_cursor":null,"items":[' + b", ".join(ODD) + b"]}"
    assert slice_list(body, TYPE_B).records == tuple(ODD)


_scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
_records = st.recursive(
    _scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=15,
)


@given(st.lists(_records, max_size=6), st.booleans(), st.sampled_from([None, 1, "\t"]), st.booleans())
def test_any_records_come_out_byte_for_byte(values: list[Any], ascii_: bool, indent: Any, bom: bool) -> None:
    rows = [
        json.dumps(v, ensure_ascii=ascii_, indent=indent).encode("utf-8", "surrogatepass") for v in values
    ]
    body = b'{"items":[' + b" ,\n".join(rows) + b'],"next_cursor":"x"}'
    sliced = slice_list((b"\xef\xbb\xbf" if bom else b"") + body, TYPE_A)
    assert sliced.records == tuple(rows)
    assert sliced.cursor == b'"x"'
    assert bom == any("byte order mark" in note for note in sliced.notes)


def test_double_keys_lose_no_row_and_are_said() -> None:
    body = b'{"items":[{"id":1}],"next_cursor":"a","items":[{"id":2}],"next_cursor":"b"}'
    sliced = slice_list(body, TYPE_A)
    assert sliced.records == (b'{"id":1}', b'{"id":2}')
    assert sliced.cursor == b'"b"'
    assert len(sliced.notes) == 2


def test_double_keys_with_equal_rows_lose_none_either() -> None:
    assert slice_list(b'{"items":[1],"items":[1]}', TYPE_A).records == (b"1", b"1")
    assert slice_list(b'{"items":[1],"\\u0069tems":[2]}', TYPE_A).records == (b"1", b"2")


def test_a_key_in_escapes_is_the_same_key() -> None:
    assert slice_list(b'{"\\u0069tems":[1]}', TYPE_A).records == (b"1",)


def test_names_of_the_envelope_inside_records_do_no_harm() -> None:
    body = b'{"items":[{"items":[1],"next_cursor":"no","items":[]}],"next_cursor":"yes"}'
    sliced = slice_list(body, TYPE_A)
    assert sliced.records == (b'{"items":[1],"next_cursor":"no","items":[]}',)
    assert sliced.cursor == b'"yes"'
    assert sliced.notes == ()


def test_a_bare_array_keeps_its_rows() -> None:
    sliced = slice_list(b' [{"id":1}, {"id":NaN}]', TYPE_A)
    assert sliced.records == (b'{"id":1}', b'{"id":NaN}')
    assert sliced.bare


@pytest.mark.parametrize(
    "body", [b"{}", b'{"items":null}', b'{"items":{"a":1}}', b'{"items":"x","data":[1]}']
)
def test_missing_rows_are_none(body: bytes) -> None:
    assert slice_list(body, TYPE_A).records is None


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b'"x"',
        b"<html>",
        b'{"items":[1,2',
        b'{"items":[1 2]}',
        b'{"items":[}]',
        b'{"items":[1]} x',
        b"{'a':1}",
        b'{"items":[1]',
        b'{"items":["x]}',
        b"[1,2",
        b'{"items":[@]}',
        b"[1]]",
        b"{1:[2]}",
        b'{"items" [1]}',
        b"\xff\xfe{\x00}\x00",
    ],
)
def test_what_is_no_json_is_said(body: bytes) -> None:
    with pytest.raises(Unsliceable):
        slice_list(body, TYPE_A)


@given(st.binary(max_size=200))
def test_any_bytes_are_sliced_or_refused(body: bytes) -> None:
    for wrapped in (body, b'{"items":[' + body + b"]}"):
        try:
            slice_list(wrapped, TYPE_A)
        except Unsliceable:
            continue


_names = st.text(min_size=1, max_size=6)


@given(st.lists(st.sampled_from(ODD), max_size=4), st.lists(_names, min_size=1, max_size=3), st.data())
def test_rows_at_any_path_come_out_as_they_went_in(rows: list[bytes], path: list[str], data: Any) -> None:
    cursor = data.draw(st.lists(_names, min_size=1, max_size=3).filter(lambda c: c[: len(path)] != path))
    if path[: len(cursor)] == cursor:
        cursor = [*path[:-1], path[-1] + "x"]
    envelope = Envelope("any", items=dotted(tuple(path)), cursor=dotted(tuple(cursor)))

    def wrapped(steps: list[tuple[list[str], bytes]]) -> bytes:
        firsts = dict.fromkeys(one[0] for one, _ in steps)
        parts = []
        for first in firsts:
            inner = [(one[1:], value) for one, value in steps if one[0] == first]
            value = inner[0][1] if not inner[0][0] else wrapped(inner)
            parts.append(json.dumps(first).encode() + b" : " + value)
        return b"{" + b", ".join(parts) + b"}"

    body = wrapped([(path, b"[ " + b" ,".join(rows) + b"]"), (cursor, b'"c\\/1"')])
    sliced = slice_list(body, envelope)
    assert sliced.records == tuple(rows)
    assert sliced.cursor == b'"c\\/1"'
    assert not sliced.bare


TWO_STEPS = Envelope(
    "two",
    items="data.results",
    cursor="data.next",
    flag="data.more",
    total="total",
    pages="pages",
    raw="_raw",
)


def test_every_part_of_an_envelope_two_steps_down() -> None:
    data = b'{"next": "x\\/y", "results": [ {"a":1.0} ], "more": true}'
    body = b'{"_raw": [1.0], "data": %b, "total": "7", "pages": 2}' % data
    sliced = slice_list(body, TWO_STEPS)
    assert sliced.records == (b'{"a":1.0}',)
    assert (sliced.cursor, sliced.flag, sliced.total, sliced.pages) == (b'"x\\/y"', b"true", b'"7"', b"2")
    assert (sliced.raw, sliced.notes) == (b"[1.0]", ())


@pytest.mark.parametrize(
    ("raw", "rows"),
    [
        (b'[{"a":1.0}, {"b":2}]', (b'{"a":1.0}', b'{"b":2}')),
        (b'{"x":[], "in":{"deep":{"er":[{"a":1.0} ,{"b":2}]}}}', (b'{"a":1.0}', b'{"b":2}')),
        (b'{"x":[{"a":NaN},{"b":2}]}', (b'{"a":NaN}', b'{"b":2}')),
        (b'{"x":[{"a":1},{"b":2}], "y":{"z":[{"c":3},{"d":4}]}}', (b'{"a":1}', b'{"b":2}')),
        (b'{"x":[{"a":1},{"b":2}], "y":[{"c":3},{"d":4}]}', ()),
        (b'{"x":[{"a":1}]}', ()),
        (b"[1, 2]", ()),
        (b'{"1":{"2":{"3":{"4":[{},{}]}}}}', ()),
        (b"null", ()),
    ],
)
def test_raw_data_of_each_row_out_of_the_envelope(raw: bytes, rows: tuple[bytes, ...]) -> None:
    sliced = slice_list(b'{"_raw": %b, "data": {"results": [{"id":1},{"id":2}]}}' % raw, TWO_STEPS)
    assert raw_of_rows(sliced) == rows
    assert raw_of_rows(slice_list(b'{"_raw": [], "data": {"results": []}}', TWO_STEPS)) == ()


def test_a_record_with_its_raw_data_as_a_last_field() -> None:
    assert joined(b'{"id":1.0 }', 'meta."x"', b'{"a":1.0}') == b'{"id":1.0 ,"meta.\\"x\\"":{"a":1.0}}'
    assert joined(b"{ }", "raw", b"[]") == b'{ "raw":[]}'
    assert joined(b"[1]", "raw", b"{}") == b"[1]"


@pytest.mark.parametrize(
    ("body", "rows", "note"),
    [
        (b'{"data": {"results": [1], "results": [2]}}', (b"1", b"2"), "data.results stands 2 times"),
        (
            b'{"data": {"results": [1]}, "data": {"results": [2]}}',
            (b"1", b"2"),
            "data.results stands 2 times",
        ),
        (
            b'{"data": {"results": [1]}, "d\\u0061ta": {"results": [2]}}',
            (b"1", b"2"),
            "data.results stands 2 times",
        ),
        (b'{"data": {"results": [NaN]}}', (b"NaN",), "not strict JSON"),
        (b"[1, 2]", (b"1", b"2"), "bare array"),
        (b'{"data": [{"results": [1]}]}', None, ""),
        (b'{"data": null}', None, ""),
        (b'{"results": [1]}', None, ""),
    ],
)
def test_rows_two_steps_down_in_odd_bodies(body: bytes, rows: tuple[bytes, ...] | None, note: str) -> None:
    sliced = slice_list(body, TWO_STEPS)
    assert sliced.records == rows
    assert note in " ".join(sliced.notes)


def test_a_bare_array_where_one_is_declared_is_nothing_odd() -> None:
    bare = Envelope("bare", items="$")
    sliced = slice_list(b' [ {"a":1.0} ,2]', bare)
    assert (sliced.records, sliced.bare, sliced.notes) == ((b'{"a":1.0}', b"2"), False, ())
    assert slice_list(b'{"items": []}', bare).records is None


def test_what_tells_records_apart() -> None:
    rows = [b'{"id": 1, "n": "a"}', b'{"n": "b"}', b'{"id" : "1"}', b"7", b'{"id": 2, "x": NaN}', b'{"id":2}']
    assert ids_of(rows, ("id",)) == {(b"1",), (b'"1"',), (b"2",)}
    assert ids_of(rows, ("id", "n")) == {(b"1", b'"a"')}
    assert ids_of([], ("id",)) == frozenset()
