"""Reports and receipts taken apart: digits as received, whatever the answer looks like."""

import itertools
import json
import re
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from explorer.catalog.spec import Column, Report
from explorer.jsontext.members import finished
from explorer.ui.pages.reports.entries import (
    EntriesModel,
    ReportBody,
    chart_rows,
    columns_for,
    grouped,
    report_of,
    tables_of,
)
from tests.builtin import registry
from tests.mirror.jsontext.test_pieces import SHAPES
from tests.thorough import THOROUGH

INCOME = registry.resource("accounting/customer-income")
BALANCE = registry.resource("accounting/customer-balance")

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)
NUMBERS = st.from_regex(r"-?(0|[1-9][0-9]{0,40})(\.[0-9]{1,30})?([eE][+-]?[0-9]{1,4})?", fullmatch=True)


def income(body: bytes) -> ReportBody | None:
    operation = INCOME.operations[0]
    assert isinstance(operation, Report)
    return finished(report_of(body, INCOME, operation))


@given(NUMBERS)
def test_grouping_keeps_every_digit(token: str) -> None:
    shown = grouped(token)
    assert shown.replace(",", "") == token
    whole = shown.partition(".")[0].lstrip("-")
    if "e" not in token.lower():
        assert re.fullmatch(r"\d{1,3}(,\d{3})*", whole)


@pytest.mark.parametrize(
    ("token", "shown"),
    [
        ("0", "0"),
        ("-5380.00", "-5,380.00"),
        ("999", "999"),
        ("1000", "1,000"),
        ("182400.10", "182,400.10"),
        ("1234.5678901", "1,234.5678901"),
        ("1e3", "1e3"),
        ("12345678901234567890.123456789012345678", "12,345,678,901,234,567,890.123456789012345678"),
    ],
)
def test_a_number_is_grouped_in_front_of_its_point_only(token: str, shown: str) -> None:
    assert grouped(token) == shown


@given(JSON)
def test_no_answer_breaks_the_reading(value: object) -> None:
    for body in (json.dumps(value).encode(), json.dumps({"entries": value, "totalIncome": value}).encode()):
        found = income(body)
        for row in chart_rows(found, ("customerName",), ("totalIncome",)) if found else ():
            assert len(row.tokens) == len(row.said) == 1
        for table in finished(tables_of(body)):
            assert all(isinstance(json.loads(row), dict) for row in table.rows)


@given(st.binary(max_size=80))
def test_no_bytes_break_the_reading(body: bytes) -> None:
    assert income(body) is None or body.lstrip()[:1] == b"{"
    finished(tables_of(body))
    columns_for((body,))


def test_figures_stand_in_the_contracts_order_then_what_else_is_a_number() -> None:
    found = income(
        b'{"tax":1.50,"netIncome":3,"totalIncome":-1234.5,"entries":[],"currency":"USD","ok":true}'
    )
    assert found is not None
    assert [(f.name, f.cell.text, f.token) for f in found.figures] == [
        ("totalIncome", "-1,234.5", "-1234.5"),
        ("totalExpenses", "absent", ""),
        ("netIncome", "3", "3"),
        ("tax", "1.50", "1.50"),
    ]
    assert found.currency == "USD"
    assert found.rows is not None
    assert list(found.rows) == []


@pytest.mark.parametrize(
    ("entries", "words"), [("null", "null"), ('"none"', "none"), ('{"a":1}', "{ 1 key }"), ("7", "7")]
)
def test_entries_that_are_no_array_are_said(entries: str, words: str) -> None:
    found = income(f'{{"totalIncome":1,"entries":{entries}}}'.encode())
    assert found is not None
    assert found.rows is None
    assert found.entries_words == words


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"null", b"[{}]", b"{}", b'{"error":"no"}', b"\xff\xfe", b"%PDF-1.4"]
)
def test_what_holds_nothing_of_a_report_is_none(body: bytes) -> None:
    assert income(body) is None


def test_columns_are_the_declared_ones_and_what_else_the_rows_hold() -> None:
    rows = (b'{"customerId":"1","balance":1.10,"region":"EU"}', b'{"aged":12,"region":null}', b'"junk"')
    made = columns_for(rows, BALANCE.columns)
    assert [(c.field, c.kind) for c in made] == [
        ("customerId", "id"),
        ("customerName", "text"),
        ("balance", "number"),
        ("region", "text"),
        ("aged", "number"),
    ]


def test_arrays_of_objects_are_found_wherever_they_are() -> None:
    body = (
        b'{"Payment":{"Line":[{"Amount":1.0,"Linked":[{"Id":"7"}]}],"Notes":["a"]},"mixed":[{},1],"none":[]}'
    )
    assert [(t.path, len(t.rows)) for t in finished(tables_of(body))] == [
        ("Payment.Line", 1),
        ("Payment.Line[0].Linked", 1),
    ]
    assert [t.path for t in finished(tables_of(b'[{"a":1},{"a":2}]'))] == [""]


def test_the_model_shows_grouped_digits_and_gives_them_as_received(qtbot: QtBot) -> None:
    model = EntriesModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    rows = (b'{"n":1234567.10}', b'{"n":-0.125}', b'{"n":"1.234,56"}', b"{}")
    model.show(rows, (Column("n", "number"),))
    shown = [model.data(model.index(row, 1)) for row in range(4)]
    assert shown == ["1,234,567.10", "-0.125", "1.234,56", "absent"]
    received = model.data(model.index(0, 1), int(Qt.ItemDataRole.UserRole))
    assert Decimal(received) == Decimal("1234567.10")
    assert received == "1234567.10"
    assert model.raw(0) == rows[0]
    assert model.places(1) == 3
    model.mark({(2, "n"): "entries[2].n is not a number"})
    assert "is not a number" in model.data(model.index(2, 1), int(Qt.ItemDataRole.ToolTipRole))
    assert model.data(model.index(2, 1), int(Qt.ItemDataRole.AccessibleTextRole)).endswith("is not a number")
    model.show((b'{"m":1}',), (Column("m", "number"), Column("k")))
    assert (model.rowCount(), model.columnCount()) == (1, 3)
    assert not model.marked(0, 1)


def entries(inner: bytes) -> bytes:
    return (
        b'{"totalBalance":1,"currency":"EUR","x":' + inner + b',"entries":[{"balance":1,"y":' + inner + b"}]}"
    )


@pytest.mark.parametrize("name", SHAPES)
def test_a_report_and_its_tables_are_read_in_steps_that_do_not_grow_with_its_depth(name: str) -> None:
    if name == "never closed":
        return
    body = entries(SHAPES[name](1 if THOROUGH else 4))
    resource = registry.resource("accounting/customer-balance")
    operation = resource.operations[0]
    assert isinstance(operation, Report)
    found = finished(report_of(body, resource, operation))
    assert found is not None
    assert found.rows is not None
    assert len(found.rows) == 1
    most = 64 + 40 * len(body) // 10_000
    assert sum(1 for _ in itertools.islice(tables_of(body), most)) < most
