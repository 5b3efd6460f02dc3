"""Parquet against the records it was made of: nothing lost, nothing made up, whole or not there."""

from __future__ import annotations

import json
import stat
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow.parquet as parquet
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from explorer.catalog.spec import Kind
from explorer.export.parquet import ArrowRows, ParquetOut
from explorer.export.text import parquet_installed
from tests.mirror.export.test_text import BYTES, DEEP

FIELDS: tuple[tuple[str, Kind], ...] = (
    ("id", "id"), ("name", "text"), ("size", "number"), ("open", "boolean"), ("parts", "array"), ("raw_data", "any"),
)  # fmt: skip
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8)
)
VALUES = st.recursive(
    SCALARS, lambda v: st.lists(v, max_size=3) | st.dictionaries(st.text(max_size=4), v), max_leaves=5
)
RECORDS = st.dictionaries(st.sampled_from([name for name, _ in FIELDS] + ["extra", ""]), VALUES)


def written(path: Path, records: list[bytes], rows_a_file: int = 500_000, at_once: int = 7) -> None:
    out = ParquetOut(path, FIELDS, rows_a_file)
    for start in range(0, len(records), at_once):
        out.write(records[start : start + at_once])
    out.finish()
    assert out.rows == len(records)


def exact(text: str | bytes) -> Any:
    """The value of JSON with every digit of its numbers."""
    return json.loads(text, parse_int=Decimal, parse_float=Decimal)


def again(row: dict[str, Any]) -> dict[str, Any]:
    """The record that a row was made of."""
    found: dict[str, Any] = dict.fromkeys(row["null_fields"])
    for name, kind in FIELDS:
        value = row[name]
        if value is None:
            continue
        if kind in ("array", "any"):
            value = exact(value)
        found[name] = Decimal(repr(value)) if isinstance(value, float) else value
    found.update(exact(row["other_fields"]) if row["other_fields"] is not None else {})
    return found


@given(
    records=st.lists(RECORDS, max_size=20), rows_a_file=st.integers(3, 30), indent=st.sampled_from([None, 1])
)
def test_every_record_can_be_made_again(
    tmp_path_factory: pytest.TempPathFactory,
    records: list[dict[str, Any]],
    rows_a_file: int,
    indent: int | None,
) -> None:
    path = tmp_path_factory.mktemp("out") / "rows.parquet"
    raw = [json.dumps(each, indent=indent).encode() for each in records]
    written(path, raw, rows_a_file)
    assert path.is_dir() == (len(records) > rows_a_file)
    rows = parquet.read_table(path).to_pylist()
    assert [again(row) for row in rows] == [exact(each) for each in raw]
    assert [p.name for p in path.parent.iterdir()] == ["rows.parquet"]


def test_what_does_not_fit_its_column_is_kept_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    written(
        path,
        [
            b'{"id":7,"size":"12","open":0,"name":"\\ud800"}',
            b'{"size":9007199254740993,"open":true,"id":"a"}',
            b'{"size":1e400}',
            b"[1]",
            b'{"name":"","raw_data":null}',
        ],
    )
    rows = parquet.read_table(path).to_pylist()
    assert [row["other_fields"] for row in rows] == [
        '{"id":7,"name":"\\ud800","size":"12","open":0}',
        '{"size":9007199254740993}',
        '{"size":1e400}',
        "[1]",
        None,
    ]
    assert (rows[1]["open"], rows[1]["id"], rows[1]["size"]) == (True, "a", None)
    assert (rows[4]["name"], rows[4]["raw_data"], rows[4]["null_fields"]) == ("", None, ["raw_data"])
    types = {field.name: str(field.type) for field in parquet.read_schema(path)}
    assert (types["size"], types["open"], types["parts"]) == ("double", "bool", "string")


def test_no_rows_make_a_file_with_its_columns(tmp_path: Path) -> None:
    written(tmp_path / "x.parquet", [])
    assert parquet.read_table(tmp_path / "x.parquet").num_rows == 0


def test_parts_are_of_the_bound_but_for_the_last_and_in_order(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    written(path, [json.dumps({"id": str(n)}).encode() for n in range(25)], 10, at_once=25)
    parts = sorted(path.iterdir())
    assert [p.name for p in parts] == ["part-00000.parquet", "part-00001.parquet", "part-00002.parquet"]
    assert [parquet.read_table(p).num_rows for p in parts] == [10, 10, 5]
    assert parquet.read_table(path)["id"].to_pylist() == [str(n) for n in range(25)]


@pytest.mark.parametrize(("first", "then"), [(5, 25), (25, 5), (25, 25), (5, 5)])
def test_an_earlier_export_gives_way(tmp_path: Path, first: int, then: int) -> None:
    path = tmp_path / "x.parquet"
    for count in (first, then):
        written(path, [b'{"id":"1"}'] * count, 10)
        assert parquet.read_table(path).num_rows == count
    assert [p.name for p in tmp_path.iterdir()] == ["x.parquet"]


def test_a_folder_of_other_things_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("x")
    with pytest.raises(FileExistsError, match="holds other files"):
        ParquetOut(tmp_path / "mine", FIELDS)
    assert [p.name for p in tmp_path.iterdir()] == ["mine"]


def test_dropped_leaves_nothing_and_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    written(path, [b'{"id":"1"}'])
    before = path.read_bytes()
    out = ParquetOut(path, FIELDS, 2)
    out.write([b'{"id":"2"}'] * 5)
    out.drop()
    assert [p.name for p in tmp_path.iterdir()] == ["x.parquet"]
    assert path.read_bytes() == before
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert parquet_installed()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(BYTES | st.just(b'{"size": 1_0, "open": tru}') | st.just(b'{"size": -}'), max_size=4))
def test_any_bytes_make_a_row_each(tmp_path: Path, records: list[bytes]) -> None:
    path = tmp_path / "x.parquet"
    out = ParquetOut(path, FIELDS)
    out.write(records)
    out.finish()
    rows = parquet.read_table(path).to_pylist()
    assert len(rows) == len(records)
    assert out.marked == sum("(marked)" in (row["other_fields"] or "") for row in rows)


def test_an_odd_record_is_marked_and_its_stray_bytes_are_in_no_column(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    out = ParquetOut(path, FIELDS)
    out.write([b'{"id":"a\xff","name":"b"}', DEEP, b'{"id":"1"}'])
    out.finish()
    odd, deep, sound = parquet.read_table(path).to_pylist()
    assert (odd["id"], odd["name"]) == (None, "b")
    assert json.loads(odd["other_fields"])["id"] == "a\\xff"
    assert (deep["id"], deep["raw_data"].encode()) == ("1", DEEP[24:-1].strip())
    assert "nested deeper" in deep["other_fields"]
    assert (sound["other_fields"], out.marked) == (None, 2)


def typed(*records: bytes, fields: tuple[tuple[str, Kind], ...]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = ArrowRows(fields).batch(records).to_pylist()
    return rows


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-11-20T10:00:00Z", datetime(2026, 11, 20, 10, tzinfo=UTC)),
        ("2026-11-20T10:00:00.123456+05:30", datetime(2026, 11, 20, 4, 30, 0, 123456, UTC)),
        ("2026-11-20 10:00:00-0800", datetime(2026, 11, 20, 18, tzinfo=UTC)),
        ("2026-11-20T10:00:00", None),
        ("2026-11-20", None),
        ("2026-11-20T10:00:00.1234567Z", None),
        ("2026-13-20T10:00:00Z", None),
        ("0001-01-01T00:00:00+01:00", None),
        ("20 Nov 2026", None),
        ("", None),
    ],
)
def test_a_date_is_a_moment_beside_its_text_or_none(text: str, moment: datetime | None) -> None:
    (row,) = typed(json.dumps({"at": text}).encode(), fields=(("at", "date"),))
    assert (row["at"], row["at_time"]) == (text, moment)


@given(st.lists(VALUES, max_size=4), st.datetimes(timezones=st.timezones(), allow_imaginary=False))
def test_typed_columns_say_what_their_text_says(items: list[Any], moment: datetime) -> None:
    record = json.dumps({"at": moment.isoformat(), "parts": items}, ensure_ascii=False).encode()
    (row,) = typed(record, fields=(("at", "date"), ("parts", "array")))
    assert row["at"] == moment.isoformat()
    assert row["at_time"] is None or row["at_time"] == moment
    assert exact(row["parts"]) == exact(json.dumps(items))
    told = [item if isinstance(item, str) else exact(json.dumps(item)) for item in items]
    read = [
        text if isinstance(item, str) else exact(text)
        for item, text in zip(items, row["parts_items"], strict=True)
    ]
    assert read == told


def test_null_absent_and_other_kinds_have_no_typed_value() -> None:
    fields: tuple[tuple[str, Kind], ...] = (("at", "date"), ("parts", "array"))
    rows = typed(
        b'{"at": null, "parts": null}', b"{}", b'{"at": 3, "parts": {"a": 1}}', b"nothing", fields=fields
    )
    assert [(row["at_time"], row["parts_items"]) for row in rows] == [(None, None)] * 4
    assert [row["null_fields"] for row in rows] == [["at", "parts"], [], [], []]


def test_a_field_of_the_record_keeps_its_name() -> None:
    fields: tuple[tuple[str, Kind], ...] = (("at", "date"), ("at_time", "text"))
    (row,) = typed(b'{"at": "2026-11-20T10:00:00Z", "at_time": "noon"}', fields=fields)
    assert row == {"at": "2026-11-20T10:00:00Z", "at_time": "noon", "other_fields": None, "null_fields": []}
