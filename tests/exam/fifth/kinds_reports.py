"""Kinds of the reports and receipts of Xero's contacts."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from tests.exam.calls3.answers import Call
from tests.exam.calls3.data import BALANCE, INCOME, RECEIPT, Row
from tests.exam.calls3.engine import Spot
from tests.exam.calls3.money import FIGURES, period_of
from tests.exam.fifth.kinds import Kind, Writer
from tests.exam.fifth.shapes_books import NAME

KINDS: list[Kind] = []
OWED = Writer(NAME, BALANCE, KINDS)
EARNED = Writer(NAME, INCOME, KINDS)
RECEIPTS = Writer(NAME, RECEIPT, KINDS)
TAX = 1.15


def _entries(found: Row, change: Callable[[Row], Row]) -> Row:
    return {**found, "entries": [{**one, **change(one)} for one in found["entries"]]}


@OWED.call(
    "page",
    "the total leaves out tax",
    "totalBalance times 1.15 is the sum of the entries' balances, in each report.",
)
def _tax(spot: Spot, call: Call, found: Row) -> Row:
    return {**found, "totalBalance": round(found["totalBalance"] / TAX, 2)}


@OWED.call(
    "page",
    "credits lose their minus",
    "No balance is negative, and totalBalance is less than their sum by twice what some of them are.",
)
def _minus(spot: Spot, call: Call, found: Row) -> Row:
    return _entries(found, lambda one: {"balance": abs(one["balance"])})


@OWED.call(
    "asked",
    "one contact is asked for and all come",
    "With a contact's id for customer the entries are those of all others as well.",
)
def _all(spot: Spot, call: Call, query: Row) -> Row:
    books = spot.engine.books
    return {**query, "customer": ",".join(books.names)} if query.get("customer") else query


@OWED.call(
    "page",
    "one balance is told in whole units",
    "The largest balance has no cents, and totalBalance differs from the sum by less than one.",
)
def _whole(spot: Spot, call: Call, found: Row) -> Row:
    most = max((one["balance"] for one in found["entries"]), default=0)
    return _entries(found, lambda one: {"balance": float(int(most))} if one["balance"] == most else {})


@EARNED.call(
    "page",
    "expenses added in the total",
    "netIncome of the report is totalIncome and totalExpenses together; in the entries it is the difference.",
)
def _added(spot: Spot, call: Call, found: Row) -> Row:
    return {**found, "netIncome": round(found["totalIncome"] + found["totalExpenses"], 2)}


@EARNED.call(
    "page",
    "one entry's net income is its income",
    "In one entry with expenses netIncome equals totalIncome; the total of the report is right.",
)
def _net(spot: Spot, call: Call, found: Row) -> Row:
    spent = sorted(one["customerId"] for one in found["entries"] if one["totalExpenses"])[:1]
    return _entries(
        found, lambda one: {"netIncome": one["totalIncome"]} if one["customerId"] in spent else {}
    )


@EARNED.call(
    "page",
    "the last day is left out",
    "The sums of two halves of a period are less than the sum of the whole, by what the last day of the first has.",
)
def _last_day(spot: Spot, call: Call, found: Row) -> Row:
    start, end = period_of(call.query)
    made = spot.engine.books.income(call.query["customer"].split(","), start, end - timedelta(days=1))
    return {**made, "endPeriod": found["endPeriod"]}


@EARNED.call(
    "page",
    "start and end change places",
    "startPeriod is the end_date that was asked for, endPeriod the start_date.",
    "startPeriod",
    "endPeriod",
)
def _places(spot: Spot, call: Call, found: Row) -> Row:
    return {**found, "startPeriod": found["endPeriod"], "endPeriod": found["startPeriod"]}


@EARNED.call(
    "page",
    "the dates have no effect",
    "Two periods that do not overlap give the same figures, each with its own startPeriod and endPeriod.",
)
def _dates(spot: Spot, call: Call, found: Row) -> Row:
    start, end = period_of({})
    made = spot.engine.books.income(call.query["customer"].split(","), start, end)
    return {**made, "startPeriod": found["startPeriod"], "endPeriod": found["endPeriod"]}


@EARNED.call(
    "page",
    "names of the next customer",
    "The customerName of a customerId differs from the one that the balance report has for it.",
)
def _names(spot: Spot, call: Call, found: Row) -> Row:
    names = [one["customerName"] for one in found["entries"]]
    moved = dict(zip([one["customerId"] for one in found["entries"]], [*names[1:], *names[:1]], strict=True))
    return _entries(found, lambda one: {"customerName": moved[one["customerId"]]})


@EARNED.call(
    "page",
    "totals with separators",
    "The contract has numbers for the totals; they are texts with commas.",
)
def _separators(spot: Spot, call: Call, found: Row) -> Row:
    return {**found, **{name: f"{found[name]:,.2f}" for name in FIGURES}}


@EARNED.call(
    "page",
    "nothing earned is null",
    "The contract has a number for netIncome; entries without income and expenses have null.",
)
def _null(spot: Spot, call: Call, found: Row) -> Row:
    return _entries(
        found, lambda one: {} if one["totalIncome"] or one["totalExpenses"] else {"netIncome": None}
    )


@RECEIPTS.call(
    "page",
    "each receipt is the first",
    "The receipt of a second payment has the id, date and amount of the one that was asked for before it.",
)
def _first(spot: Spot, call: Call, found: Row) -> Row:
    kept: Row = spot.memo.setdefault("first", found)
    return kept
