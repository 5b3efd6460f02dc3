"""Reports reckoned against a reference in fractions, and every way in which a number can be none."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from explorer.catalog.builtin.accounting import BalanceEntry, BalanceReport, IncomeEntry, IncomeReport
from explorer.quality.values.arithmetic import (
    BALANCE,
    INCOME,
    SHAPES,
    Arithmetic,
    Flaw,
    Net,
    Shape,
    Sum,
    check,
    shown,
)
from tests.builtin import registry

LOOK = {
    "Northwind Traders": ("182400.00", "96120.00"),
    "Acme Holdings": ("141250.00", "120900.00"),
    "Globex": ("98700.00", "40210.00"),
    "Initech": ("76020.00", "81400.00"),
    "Umbrella Retail": ("54300.00", "22800.00"),
    "Soylent Foods": ("31990.00", "12040.00"),
}
AMOUNTS = st.decimals(min_value=-(10**12), max_value=10**12, allow_nan=False, places=4).map(
    lambda number: f"{number:f}"
)


def income(entries: list[tuple[str, str, str]], totals: tuple[str, str, str], extra: str = "") -> str:
    rows = ",".join(
        f'{{"customerId":"{n}","totalIncome":{gained},"totalExpenses":{spent},"netIncome":{net}}}'
        for n, (gained, spent, net) in enumerate(entries)
    )
    head = '{"reportName":"r","startPeriod":"a","endPeriod":"b","currency":"USD"'
    gained, spent, net = totals
    return (
        f'{head}{extra},"entries":[{rows}],"totalIncome":{gained},"totalExpenses":{spent},"netIncome":{net}}}'
    )


def balance(entries: Any, total: Any, **more: Any) -> Arithmetic:
    report = {"currency": "EUR", "entries": entries, "totalBalance": total, **more}
    return check(json.dumps({name: value for name, value in report.items() if value is not ...}), BALANCE)


def test_the_shapes_are_those_of_the_catalog() -> None:
    fields: dict[Shape, tuple[type[BaseModel], type[BaseModel]]] = {
        BALANCE: (BalanceEntry, BalanceReport),
        INCOME: (IncomeEntry, IncomeReport),
    }
    for key, shape in SHAPES.items():
        registry.operation(key)
        entry, report = fields[shape]
        assert {name for name, _ in shape.sums} <= set(entry.model_fields)
        assert {name for _, name in shape.sums} <= set(report.model_fields)
        assert set(shape.net or ()) <= set(entry.model_fields) & set(report.model_fields)
        assert shape.entries in report.model_fields


def test_the_report_of_the_picture_adds_up() -> None:
    rows = [(a, b, f"{float(a) - float(b):.2f}") for a, b in LOOK.values()]
    found = check(income(rows, ("584660.00", "373470.00", "211190.00")), INCOME)
    assert found.adds_up is True
    assert found.sentence == (
        "Entries sum to the totals; netIncome equals totalIncome less totalExpenses in all 6 entries"
    )
    assert (found.currency, found.flaws, found.notes, found.findings) == ("USD", (), (), ())
    assert [shown(total.stated) for total in found.sums if total.stated is not None] == [
        "584,660.00",
        "373,470.00",
        "211,190.00",
    ]


@given(st.lists(st.tuples(AMOUNTS, AMOUNTS, AMOUNTS), max_size=6), st.tuples(AMOUNTS, AMOUNTS, AMOUNTS))
def test_against_a_reference_in_fractions(
    entries: list[tuple[str, str, str]], totals: tuple[str, str, str]
) -> None:
    found = check(income(entries, totals), INCOME)
    for place, total in enumerate(found.sums):
        whole = sum((Fraction(entry[place]) for entry in entries), Fraction(0))
        assert total.reckoned is not None
        assert Fraction(total.reckoned) == whole
        assert total.holds is (Fraction(totals[place]) == whole)
    for (gained, spent, net), one in zip([*entries, totals], found.nets, strict=True):
        assert one.holds is (Fraction(gained) - Fraction(spent) == Fraction(net))
    said = [*(total.holds for total in found.sums), *(net.holds for net in found.nets)]
    assert found.adds_up is all(said)
    assert len(found.findings) == said.count(False)


@given(st.lists(st.tuples(AMOUNTS, AMOUNTS), max_size=6), st.booleans())
def test_a_true_report_holds_and_one_ten_thousandth_breaks_it(
    pairs: list[tuple[str, str]], broken: bool
) -> None:
    whole = (
        [int(Fraction(gained) * 10_000) for gained, _ in pairs],
        [int(Fraction(b) * 10_000) for _, b in pairs],
    )

    def text(number: int) -> str:
        sign, number = "-" if number < 0 else "", abs(number)
        return f"{sign}{number // 10_000}.{number % 10_000:04}"

    rows = [(text(a), text(b), text(a - b)) for a, b in zip(*whole, strict=True)]
    gained, spent = sum(whole[0]), sum(whole[1])
    totals = (text(gained), text(spent), text(gained - spent + broken))
    found = check(income(rows, totals), INCOME)
    assert found.adds_up is not broken
    assert [each.field for each in found.sums if not each.holds] == (["netIncome"] if broken else [])


def test_decimals_and_no_floats() -> None:
    assert balance([{"balance": 0.1}, {"balance": 0.2}], 0.3).adds_up is True
    big = '{"currency":"EUR","entries":[{"balance":9007199254740993},{"balance":0.01}],"totalBalance":%s}'
    assert check(big % "9007199254740993.01", BALANCE).adds_up is True
    assert check(big % "9007199254740992.01", BALANCE).adds_up is False
    assert check(big % "9.00719925474099301e15", BALANCE).adds_up is True
    wide = '{"entries":[{"balance":1e90},{"balance":1e-90}],"totalBalance":1e90}'
    assert check(wide, BALANCE).sums[0].holds is False


@pytest.mark.parametrize(
    ("entries", "total", "currency"),
    [
        ("0.1 0.2", "0.30000000000000004", "EUR"),
        ("0.30000000000000004", "0.3", "EUR"),
        ("0.30000000000000004 71234567.89", "71234568.19", "EUR"),
        ("60000.11 1898.08", "61898.190000000104", "EUR"),  # summed from many amounts before
        ("71234567.89 0.01", "71234567.90000001", "EUR"),
        ("1.005 1.005", "2.01", "EUR"),
        ("3.33333 3.33333 3.33333", "10", "EUR"),
        ("10.4 10.4", "21", "JPY"),
        ("1.2345 1.2345", "2.469", "KWD"),
        ("3.33 3.33 3.33", "9.9999", "EUR"),
        ("10.333333333333334 10.333333333333334", "20.67", "EUR"),
        ("-0.1 -0.2", "-0.30000000000000004", "EUR"),
    ],
)
def test_amounts_agree_within_the_precision_with_which_they_were_sent(
    entries: str, total: str, currency: str
) -> None:
    rows = ",".join(f'{{"balance":{one}}}' for one in entries.split())
    found = check(f'{{"currency":"{currency}","entries":[{rows}],"totalBalance":{total}}}', BALANCE)
    assert found.adds_up is True


@pytest.mark.parametrize(
    ("entries", "total", "currency", "slight"),
    [
        ("0.1 0.2", "0.31", "EUR", True),
        ("0.1 0.2", "0.29999", "EUR", True),
        ("10.25 10.25 10.3", "31", "EUR", False),
        ("1.005 1.005", "2.02", "EUR", True),
        ("10.4 10.4", "22", "JPY", False),
        ("10.4 10.4", "20.8", "JPY", None),
        ("3.33 3.33 3.33", "10.0199", "EUR", False),
        ("0.1", "0.30000000000000004", "EUR", False),
        ("100 200", "3", "EUR", False),
    ],
)
def test_what_is_beyond_that_precision_does_not_add_up(
    entries: str, total: str, currency: str, slight: bool | None
) -> None:
    rows = ",".join(f'{{"balance":{one}}}' for one in entries.split())
    found = check(f'{{"currency":"{currency}","entries":[{rows}],"totalBalance":{total}}}', BALANCE)
    assert found.adds_up is (slight is None)
    assert slight is None or found.sums[0].is_slight is slight


def test_what_does_not_add_up_is_said_with_figures() -> None:
    found = check(income([("10.00", "4.00", "6.01"), ("5", "1", "4")], ("1015", "5.0", "1010")), INCOME)
    assert found.adds_up is False
    assert found.findings == (
        "totalIncome is 1,015, the entries sum to 15.00: 1,000.00 too much",
        "netIncome is 1,010, the entries sum to 10.01: 999.99 too much",
        "netIncome is 6.01 in entry 1 (0), totalIncome less totalExpenses is 6.00: 0.01 too much",
    )
    assert found.sentence.startswith("totalIncome is 1,015")
    assert found.sentence.endswith("; 2 more")
    assert [one.row for one in found.nets if one.holds is False] == [0]


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (..., "missing"),
        (None, "null"),
        ("1.234,56", "not a number"),
        ("12.5", "not a number"),
        (True, "not a number"),
        ([1], "not a number"),
        ({}, "not a number"),
        (float("nan"), "not a number"),
        (float("inf"), "not a number"),
    ],
)
def test_a_number_that_is_none_is_named_and_nothing_is_guessed(value: Any, kind: str) -> None:
    entry = {"customerId": "1", **({} if value is ... else {"balance": value})}
    found = balance([{"balance": 5}, entry], 5)
    assert [(flaw.path, flaw.kind) for flaw in found.flaws] == [("entries[1].balance", kind)]
    assert found.sums == (Sum("totalBalance", found.sums[0].stated, found.sums[0].reckoned, None, "balance"),)
    assert found.sums[0].reckoned == 5
    assert found.adds_up is None
    assert found.sentence == f"Cannot be checked completely: {found.flaws[0].sentence}"
    total = balance([{"balance": 5}], value)
    assert [(flaw.path, flaw.kind) for flaw in total.flaws] == [("totalBalance", kind)]
    assert total.adds_up is None


@pytest.mark.parametrize("text", ["1e999999", "1e-999999", "0e999999", "1" * 500, "1e99999999999999999999"])
def test_a_number_without_measure_costs_nothing(text: str) -> None:
    found = check(f'{{"entries":[{{"balance":{text}}}],"totalBalance":0}}', BALANCE)
    assert [flaw.path for flaw in found.flaws] == ["entries[0].balance"]
    assert found.adds_up is None


def test_a_flaw_of_one_field_leaves_the_others_checked() -> None:
    found = check(income([("3", "1", "2"), ("3", "null", "2")], ("6", "1", "5")), INCOME)
    assert [total.holds for total in found.sums] == [True, None, False]
    assert [net.holds for net in found.nets] == [True, None, True]
    assert found.flaws == (Flaw("entries[1].totalExpenses", "null"),)
    assert found.adds_up is False


@pytest.mark.parametrize(
    ("entries", "flaws"),
    [
        (..., ["entries is missing"]),
        (None, ["entries is null"]),
        ({}, ["entries is not an array"]),
        ([None, 5], ["entries[0] is null", "entries[1] is not an object"]),
    ],
)
def test_entries_that_are_none(entries: Any, flaws: list[str]) -> None:
    found = balance(entries, 0)
    assert [flaw.sentence for flaw in found.flaws] == flaws
    assert found.adds_up is None


def test_no_entries_sum_to_nothing() -> None:
    assert balance([], 0).sentence == "Entries sum to totalBalance: there are no entries"
    assert balance([], 1).adds_up is False
    assert balance([{"balance": 1}], 1).sentence == "Entries sum to totalBalance, over the one entry"
    empty = check(income([], ("0", "0", "0")), INCOME)
    zero, formula = Decimal(0), "totalIncome less totalExpenses"
    assert empty.nets == (Net(None, "", "netIncome", zero, zero, True, formula),)
    assert empty.adds_up is True


@pytest.mark.parametrize(
    ("currency", "how"), [(..., "is absent"), (None, "is null"), (" ", "is empty"), (5, "is no text")]
)
def test_a_currency_that_is_not_there_is_said(currency: Any, how: str) -> None:
    found = balance([], 0, currency=currency)
    assert found.currency is None
    assert found.notes == (f"currency {how}: the amounts do not name their currency",)
    assert found.adds_up is True


@pytest.mark.parametrize("body", [b"", b"%PDF-1.4 \xff", b"[]", b"null", b'"x"', b"[" * 50_000, b"3"])
def test_what_is_no_report_is_a_note(body: bytes) -> None:
    found = check(body, INCOME)
    assert found.adds_up is None
    assert len(found.notes) == 1
    why = ("The response is not JSON", "The response is not a JSON object, so it holds no report")
    assert found.sentence.startswith(tuple(f"Cannot be checked completely: {each}" for each in why))


def test_a_name_that_stands_twice_is_said() -> None:
    found = check('{"currency":"EUR","entries":[],"totalBalance":5,"totalBalance":0}', BALANCE)
    assert found.notes == ("The name totalBalance appears twice in one object; the last one counts",)
    assert found.adds_up is True
