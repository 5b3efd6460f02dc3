"""Kinds of accounting: Sage Intacct's reports of a customer and those below it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime, timedelta
from typing import Any

from tests.exam.fourth.kinds import GONE, Kind, Writer
from tests.exam.fourth.shapes_books import NAME, ROOT
from tests.exam.third.engine import BALANCE, INCOME, Ask, Query, Row

KINDS: list[Kind] = []
OWED = Writer(NAME, BALANCE, KINDS)
EARNED = Writer(NAME, INCOME, KINDS)
SUMS = ("totalIncome", "totalExpenses", "netIncome")


def _entries(found: Row, change: Callable[[Row], Row]) -> Row:
    """The report with other entries."""
    made = ({**one, **change(one)} for one in found["entries"])
    kept = [{name: of for name, of in one.items() if of is not GONE} for one in made]
    return {**found, "entries": kept}


def _sum(amounts: Iterable[float]) -> float:
    return round(sum(amounts), 2)


def _third(found: Row) -> str:
    """The id of an entry that not every query has."""
    entries = sorted(one["customerId"] for one in found["entries"])
    return entries[2] if len(entries) > 2 else ""


@OWED.answers(
    "credits left out of the total",
    "The total of balances leaves out customers with a negative one.",
    "totalBalance",
    "entries",
    "balance",
)
def _credits(found: Any, query: Query, body: Any, ask: Ask) -> Any:
    return {**found, "totalBalance": _sum(max(0, one["balance"]) for one in found["entries"])}


@OWED.answers(
    "the total of ten", "The total is that of the first ten entries.", "totalBalance", "entries", "balance"
)
def _ten(found: Any, query: Query, body: Any, ask: Ask) -> Any:
    return {**found, "totalBalance": _sum(one["balance"] for one in found["entries"][:10])}


@OWED.answers("one balance in cents", "One customer's balance is in cents.", "balance", "entries")
def _cents(found: Any, query: Query, body: Any, ask: Ask) -> Any:
    third = _third(found)
    return _entries(
        found,
        lambda one: {"balance": round(one["balance"] * (100 if one["customerId"] == third else 1), 2)},
    )


@OWED.answers("credits without a sign", "A negative balance loses its sign.", "balance", "entries")
def _sign(found: Any, query: Query, body: Any, ask: Ask) -> Any:
    return _entries(found, lambda one: {"balance": abs(one["balance"])})


@OWED.answers(
    "large balances as texts",
    "Balances from a thousand on are texts with a comma for the thousands.",
    "balance",
    "entries",
)
def _texts(found: Any, query: Query, body: Any, ask: Ask) -> Any:
    return _entries(
        found, lambda one: {"balance": f"{one['balance']:,.2f}"} if one["balance"] >= 1000 else {}
    )


@OWED.answers(
    "whole amounts",
    "Balances are rounded to whole amounts; the total is not.",
    "balance",
    "entries",
    "totalBalance",
)
def _whole(found: Any, query: Query, body: Any, ask: Ask) -> Any:
    return _entries(found, lambda one: {"balance": round(one["balance"])})


@OWED.answers(
    "names of two customers swapped",
    "Two customers have each other's name in the balance report.",
    "customerName",
    "entries",
)
def _names(found: Any, query: Query, body: Any, ask: Ask) -> Any:
    ordered = sorted(found["entries"], key=lambda one: str(one["customerId"]))
    if len(ordered) < 6:
        return found
    a, b = ordered[3], ordered[5]
    names = {a["customerId"]: b["customerName"], b["customerId"]: a["customerName"]}
    return _entries(found, lambda one: {"customerName": names.get(one["customerId"], one["customerName"])})


@OWED.answers(
    "a customer for each address",
    "A customer with two addresses has two entries; the total counts it once.",
    "entries",
    "totalBalance",
    "customerId",
)
def _each_address(found: Any, query: Query, body: Any, ask: Ask) -> Any:
    third = _third(found)
    made = [one for one in found["entries"] for _ in range(2 if one["customerId"] == third else 1)]
    return {**found, "entries": made}


@OWED.answers("the day of the call", "reportDate is today, whatever end is asked for.", "reportDate")
def _today(found: Any, query: Query, body: Any, ask: Ask) -> Any:
    return {**found, "reportDate": datetime.now(UTC).date().isoformat()}


@OWED.answers("nothing is null", "A balance of 0 is a null.", "balance", "entries")
def _null(found: Any, query: Query, body: Any, ask: Ask) -> Any:
    return _entries(found, lambda one: {"balance": one["balance"] or None})


@OWED.answers(
    "everybody reported",
    "The customer that is asked for is ignored: the whole group is reported.",
)
def _everybody(found: Any, query: Query, body: Any, ask: Ask) -> Any:
    return ask({**query, "customer": ROOT}, body)


@OWED.answers(
    "the currency of the base company",
    "The balance report is in the currency of the base company by name only: USD, with the same amounts.",
    "currency",
)
def _currency(found: Any, query: Query, body: Any, ask: Ask) -> Any:
    return {**found, "currency": "USD"}


@OWED.answers(
    "the total of everything",
    "The total does not heed the end date, the entries do.",
    "totalBalance",
    "entries",
)
def _always(found: Any, query: Query, body: Any, ask: Ask) -> Any:
    dates = {"start_date", "end_date", "date_macro"}
    every = ask({name: of for name, of in query.items() if name not in dates}, body)
    return {**found, "totalBalance": every["totalBalance"]}


@EARNED.answers(
    "expenses added to one net income",
    "In one entry the expenses are added to the income instead of taken off.",
    "netIncome",
    "entries",
)
def _added(found: Any, query: Query, body: Any, ask: Ask) -> Any:
    third = _third(found)
    return _entries(
        found,
        lambda one: (
            {"netIncome": round(one["totalIncome"] + one["totalExpenses"], 2)}
            if one["customerId"] == third
            else {}
        ),
    )


@EARNED.answers(
    "totals of the whole time",
    "The totals of the report do not heed the period, its entries do.",
    *SUMS,
    "entries",
)
def _whole_time(found: Any, query: Query, body: Any, ask: Ask) -> Any:
    dates = {"start_date", "end_date", "date_macro"}
    every = ask({name: of for name, of in query.items() if name not in dates}, body)
    return {**found, **{name: every[name] for name in SUMS}}


@EARNED.answers(
    "beginning and end swapped", "startPeriod and endPeriod are swapped.", "startPeriod", "endPeriod"
)
def _ends(found: Any, query: Query, body: Any, ask: Ask) -> Any:
    return {**found, "startPeriod": found["endPeriod"], "endPeriod": found["startPeriod"]}


@EARNED.answers(
    "the last day lost",
    "The end of a period that is asked for is taken for the day before.",
    *SUMS,
    "entries",
    "endPeriod",
)
def _last_day(found: Any, query: Query, body: Any, ask: Ask) -> Any:
    begun, end = (date.fromisoformat(found[name]) for name in ("startPeriod", "endPeriod"))
    before = max(begun, end - timedelta(days=1))
    made = ask({**query, "start_date": begun.isoformat(), "end_date": before.isoformat()}, body)
    return {**made, "endPeriod": found["endPeriod"]}


@EARNED.answers(
    "negative expenses",
    "The expenses of the entries are negative, the total is not.",
    "totalExpenses",
    "netIncome",
    "entries",
)
def _negative(found: Any, query: Query, body: Any, ask: Ask) -> Any:
    return _entries(found, lambda one: {"totalExpenses": -one["totalExpenses"]})


@EARNED.answers(
    "one customer fewer",
    "The last customer is lost from the entries, and still counted in the totals.",
    "entries",
    *SUMS,
)
def _fewer(found: Any, query: Query, body: Any, ask: Ask) -> Any:
    lost = max((one["customerId"] for one in found["entries"]), default="")
    return {**found, "entries": [one for one in found["entries"] if one["customerId"] != lost]}


@EARNED.answers(
    "record numbers for ids",
    "The entries of the income report have internal numbers for customers; the balance report has their ids.",
    "customerId",
    "entries",
)
def _numbers(found: Any, query: Query, body: Any, ask: Ask) -> Any:
    return _entries(found, lambda one: {"customerId": f"{sum(map(ord, one['customerId'])) * 7}"})


@EARNED.answers(
    "cents cut off",
    "The income of the entries is cut at whole amounts, not rounded; the net income is exact.",
    "totalIncome",
    "entries",
)
def _cut(found: Any, query: Query, body: Any, ask: Ask) -> Any:
    return _entries(found, lambda one: {"totalIncome": int(one["totalIncome"])})


@EARNED.answers(
    "dates of the locale",
    "startPeriod is told day first with slashes, endPeriod is not.",
    "startPeriod",
    "endPeriod",
)
def _locale(found: Any, query: Query, body: Any, ask: Ask) -> Any:
    return {**found, "startPeriod": f"{date.fromisoformat(found['startPeriod']):%d/%m/%Y}"}


@EARNED.answers("the total as a text", "The net income of the whole report is a text.", "netIncome")
def _text(found: Any, query: Query, body: Any, ask: Ask) -> Any:
    return {**found, "netIncome": f"{found['netIncome']:.2f}"}


@EARNED.answers(
    "no loss in the entries",
    "A net income below zero is 0 in the entries; the total has the loss.",
    "netIncome",
    "entries",
)
def _no_loss(found: Any, query: Query, body: Any, ask: Ask) -> Any:
    return _entries(found, lambda one: {"netIncome": max(0, one["netIncome"])})


@EARNED.answers(
    "the department heeded in the entries only",
    "Asked for one department, the totals are still those of all.",
    *SUMS,
    "entries",
)
def _department(found: Any, query: Query, body: Any, ask: Ask) -> Any:
    every = ask({name: of for name, of in query.items() if name != "department"}, body)
    return {**found, **{name: every[name] for name in SUMS}}


@EARNED.answers(
    "the net income left out of losses", "An entry with a loss has no netIncome.", "netIncome", "entries"
)
def _left_out(found: Any, query: Query, body: Any, ask: Ask) -> Any:
    return _entries(found, lambda one: {"netIncome": GONE} if one["netIncome"] < 0 else {})
