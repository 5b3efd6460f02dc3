"""Cells: exact, distinct, bounded, and never an exception, whatever the bytes."""

import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.catalog.spec import Column
from explorer.jsontext.members import value_text
from explorer.ui.kit.visible import shown_text
from explorer.ui.records.cells import (
    TEXT_BOUND,
    UNREAD_CELL,
    Cell,
    Reading,
    cell_of,
    field_bytes,
    row_of,
    tooltip_text,
)
from tests.builtin import registry
from tests.mirror.jsontext.test_pieces import many_keys

UTC_READING = Reading(UTC)
COLUMNS = (Column("id", "id"), Column("name", "text"), Column("size", "number"), Column("at", "date"))


def cell(value: bytes, kind: Any = "any", summary: str = "") -> Cell:
    return cell_of(value, kind, UTC_READING, summary)


@pytest.mark.parametrize(
    "token",
    ["1234567890.12", "1e400", "-0", "9007199254740993", "123456789012345678901234567890", "0.1000", "1E-7"],
)
def test_a_number_is_shown_by_its_own_digits(token: str) -> None:
    shown = cell(token.encode())
    assert (shown.text, shown.kind) == (token, "number")
    assert row_of(b'{"size":' + token.encode() + b"}", COLUMNS, UTC_READING).cells[2].text == token


def test_a_media_type_is_shown_in_words_and_as_received_on_hover() -> None:
    columns = (Column("mime_type", "text", in_words=True), Column("name", "text"))
    pdf = b'"application/pdf"'
    shown, name = row_of(b'{"mime_type":' + pdf + b',"name":' + pdf + b"}", columns, UTC_READING).cells
    assert (shown.text, shown.received, shown.spoken) == ("PDF document", "application/pdf", "PDF document")
    assert shown.marked("odd").text == '"application/pdf"'
    assert name.text == "application/pdf", "another field is a text like any other"
    own = row_of(b'{"mime_type":"application/x-own"}', columns, UTC_READING).cells[0]
    assert own.text == "application/x-own"


def test_what_says_nothing_says_it_in_different_ways() -> None:
    values = [b"null", b'""', b"false", b"0", b"[]", b"{}", b'" "', b'"null"', b'"false"', b'"0"']
    shown = [cell(v) for v in values] + [row_of(b"{}", COLUMNS, UTC_READING).cells[0]]
    looks = {(c.text, c.kind) for c in shown}
    assert len(looks) == len(shown)
    assert len({c.spoken for c in shown[:6]} | {shown[-1].spoken}) == 7


@given(st.integers(), st.floats(allow_nan=False, allow_infinity=False))
def test_any_number_survives(whole: int, part: float) -> None:
    for value in (whole, part):
        token = json.dumps(value)
        assert cell(token.encode()).received == token


@given(st.binary(max_size=200))
def test_no_bytes_raise_or_grow(raw: bytes) -> None:
    row = row_of(raw, COLUMNS, UTC_READING)
    assert len(row.cells) == len(COLUMNS)
    for shown in row.cells:
        shown.text.encode()
        assert shown.spoken or raw.strip() == b""
        assert len(shown.text) <= TEXT_BOUND * 10


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(["id", "name", "size", "at", "more"]), JSON), st.booleans())
def test_spacing_makes_no_difference(record: dict[str, Any], loose: bool) -> None:
    tight = json.dumps(record, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "surrogatepass")
    other = json.dumps(record, indent=2 if loose else None).encode()
    one, two = row_of(tight, COLUMNS, UTC_READING), row_of(other, COLUMNS, UTC_READING)
    assert [(c.text, c.kind, c.more) for c in one.cells] == [(c.text, c.kind, c.more) for c in two.cells]
    assert not one.fault
    assert not two.fault


def test_a_key_that_stands_twice_shows_the_last_and_is_marked() -> None:
    row = row_of(b'{"id":"a","name":"x","id":"b"}', COLUMNS, UTC_READING)
    assert (row.cells[0].text, row.cells[0].repeated) == ("b", True)
    assert not row.cells[1].repeated
    assert "id" in row.fault
    assert "more than once" in tooltip_text(row.cells[0])


@pytest.mark.parametrize("raw", [b'{"id":NaN}', b'{"id":-Infinity}', b'{"id":nope}', b'{"id":01}'])
def test_what_is_no_json_value_is_shown_and_marked(raw: bytes) -> None:
    shown = row_of(raw, COLUMNS, UTC_READING).cells[0]
    assert shown.kind == "invalid"
    assert shown.text == raw[6:-1].decode()


@pytest.mark.parametrize("raw", [b"[1,2]", b'"text"', b"null", b"", b"17"])
def test_a_row_that_is_no_object_is_a_row(raw: bytes) -> None:
    row = row_of(raw, COLUMNS, UTC_READING)
    assert row.cells[0].kind == "invalid"
    assert row.fault


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("a\\nb", "␊"),
        ("a\\u0000b", "␀"),
        ("a\\u202eb", "U+202E"),
        ("\\ud800", "U+D800"),
        ("a\\u200fb", "U+200F"),
    ],
)
def test_what_cannot_be_seen_is_drawn(text: str, sign: str) -> None:
    shown = cell(f'"{text}"'.encode())
    assert sign in shown.text
    assert shown.text.isprintable()


def test_bytes_that_are_no_utf8_are_drawn_and_lose_no_row() -> None:
    shown = row_of(b'{"id":"x\xffy"}', COLUMNS, UTC_READING).cells[0]
    assert shown.text.startswith("x")
    assert shown.text.endswith("y")
    shown_text(b'"x\xffy"').encode()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("2026-11-20T09:00:13.001Z", "2026-11-20 09:00"),
        ("2026-11-20T09:00:00+02:00", "2026-11-20 07:00"),
        ("2026-11-20T09:00:00", "2026-11-20 09:00"),
        ("2026-11-20T09:00:00.123456789Z", "2026-11-20 09:00"),
        ("2026-11-20", "2026-11-20"),
    ],
)
def test_dates_are_read_in_the_chosen_zone(text: str, shown: str) -> None:
    made = cell(json.dumps(text).encode(), "date")
    assert (made.text, made.kind, made.received) == (shown, "date", text)
    other = cell_of(json.dumps(text).encode(), "date", Reading(timezone(timedelta(hours=3))))
    assert (other.text == shown) == (made.at is None), "only what has a zone moves with it"
    assert cell_of(json.dumps(text).encode(), "date", Reading(None)).text == text


@pytest.mark.parametrize(
    "text",
    [
        *("yesterday", "2026-13-01", "0000-00-00T00:00:00Z", "20261120", "12", "２０２６-11-20"),
        *("2026-11-20 09:00:00", "2026-11-20 09:00:00+02", "1795165200000", "x" * 5_000),
    ],
)
def test_what_is_no_date_of_iso_8601_stays_as_received_and_is_marked(text: str) -> None:
    made = cell(json.dumps(text, ensure_ascii=False).encode(), "date")
    shown = text if len(text) <= 400 else f"{text[:400]}…"
    assert (made.text, made.kind, made.misfit) == (f'"{shown}"', "text", "not ISO 8601")
    assert made.spoken.endswith(", does not fit: not ISO 8601")
    assert cell(json.dumps(text).encode(), "text").misfit == ""


@pytest.mark.parametrize("text", ["2026-W05", "2026-11", "2026-W05-1", "2026-11-20T24:00:00Z"])
def test_a_date_that_has_no_moment_stays_as_received(text: str) -> None:
    made = cell(json.dumps(text).encode(), "date")
    assert (made.text, made.kind, made.misfit) == (text, "date", "")


def test_the_tooltip_of_a_date_says_how_long_ago() -> None:
    made = cell(b'"2026-11-20T09:00:00Z"', "date")
    said = tooltip_text(made, datetime(2026, 11, 20, 12, 30, tzinfo=UTC))
    assert said == "2026-11-20T09:00:00Z\n3 hours ago"


@pytest.mark.parametrize(
    ("text", "lacks"),
    [
        ("2019-05-24T23:21:00", True),
        ("2019-05-24T23:21:00.250", True),
        ("20190524T2321", True),
        ("2019-05-24T24:00:00", True),
        ("2019-05-24T23:21:00Z", False),
        ("2019-05-24T23:21:00+02:00", False),
        ("2019-05-24T23:21:00-05", False),
        ("2019-05-24T24:00:00Z", False),
        ("2019-05-24", False),
        ("2026-W05-1", False),
    ],
)
def test_a_time_without_a_zone_is_told_from_one_with(text: str, lacks: bool) -> None:
    """Both are shown as 2019-05-24 23:21."""
    made = cell(json.dumps(text).encode(), "date")
    assert made.lacks_zone == lacks
    assert ("\nno zone" in tooltip_text(made)) == lacks
    assert made.spoken.endswith(", no zone") == lacks
    assert not cell(json.dumps(text).encode(), "text").lacks_zone, "only what is read as a date"


@pytest.mark.parametrize(
    ("value", "summary", "text", "more"),
    [
        (b'[{"name":"Design"},{"name":"Ops"}]', "name", "Design", "+1"),
        (b'[{"name":"Design"}]', "name", "Design", ""),
        (b'[{"a":1},{"a":2},{"a":3}]', "name", "3 items", ""),
        (b'["pdf","docx"]', "", "pdf", "+1"),
        (b"[1]", "", "1 item", ""),
        (b'{"a":1,"b":2}', "", "{ 2 keys }", ""),
        (b'{"a":NaN}', "", "{ 1 key }", ""),
        (b'{"name":"Ann"}', "name", "Ann", ""),
    ],
)
def test_nested_values_are_summed_up(value: bytes, summary: str, text: str, more: str) -> None:
    made = cell(value, "any", summary)
    assert (made.text, made.more) == (text, more)


def test_forty_megabytes_become_a_short_cell() -> None:
    long = b"x" * 40_000_000
    row = row_of(
        b'{"id":"1","name":"' + long + b'","size":[' + b"1," * 1_000_000 + b"1]}", COLUMNS, UTC_READING
    )
    assert len(row.cells[1].text) == TEXT_BOUND + 1
    assert row.cells[1].more == "40.0 MB"
    assert row.cells[2].text == "items, 2.0 MB"
    assert len(tooltip_text(row.cells[1])) < 3000


def test_an_elided_text_is_not_cut_inside_an_escape() -> None:
    for shift in range(14):
        raw = b'"' + b"a" * (1990 + shift) + b"\\ud83d\\ude00" * 50 + b'"'
        made = cell(raw)
        assert "\\" not in made.received
        assert made.elided


def test_copied_values_are_as_received() -> None:
    raw = b'{"id":"a\\tb","size":1e400,"name":null}'
    assert value_text(field_bytes(raw, "id") or b"") == "a\tb"
    assert value_text(field_bytes(raw, "size") or b"") == "1e400"
    assert field_bytes(raw, "nothing") is None
    assert field_bytes(b'{"id":NaN,"id":2}', "id") == b"2"


def test_a_table_reads_the_beginning_of_a_large_record_and_calls_nothing_absent_that_it_did_not_read() -> (
    None
):
    job = registry.resource("ats/job")
    raw = b'{"id":"1",' + many_keys(200_000)[1:-1] + b',"name":"last"}'
    cells = dict(zip((c.field for c in job.columns), row_of(raw, job.columns, Reading()).cells, strict=True))
    assert cells["id"].text == "1"
    assert cells["name"] is UNREAD_CELL
    small = row_of(b'{"id":"1"}', job.columns, Reading()).cells
    assert UNREAD_CELL not in small
