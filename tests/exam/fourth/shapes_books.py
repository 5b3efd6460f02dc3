"""Sage Intacct's customers and ledger, and the two reports made of it for a customer and those below it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import partial
from random import Random

from tests.exam.third import vocabulary as words
from tests.exam.third.engine import BALANCE, INCOME, Query, Refusal, Row, World
from tests.exam.third.shapes_books import CUSTOMERS

NAME = "intacct"
ROOT = CUSTOMERS[0]
"""The customer that the options ask for."""
FIRST_DAY, LAST_DAY = date(2022, 1, 1), date(2023, 12, 31)
DEPARTMENTS = ("100-Sales", "200-Service", "300-Projects")
CURRENCY = "EUR"


@dataclass(frozen=True, slots=True)
class Posting:
    """One line of the ledger."""

    customer: str
    day: date
    department: str
    income: int
    """In cents, as the next two."""
    expense: int
    due: int
    """What is still to be paid; negative for a credit note."""


@dataclass(frozen=True, slots=True)
class Ledger:
    """Everybody below the customer, with the postings."""

    names: dict[str, str]
    postings: list[Posting]

    def below(self, query: Query) -> list[str]:
        asked = query["customer"]
        found = [one for one in self.names if one == asked or one.startswith(f"{asked}--")]
        return found[::-1] if query.get("sort_order", "").lower().startswith("desc") else found

    def of(self, customer: str, query: Query, first: date, last: date) -> list[Posting]:
        return [
            one
            for one in self.postings
            if one.customer == customer
            and first <= one.day <= last
            and query.get("department", one.department) == one.department
        ]


def ledger(seed: int) -> Ledger:
    """Drawn with the seed: sixteen customers, one without a posting, some with more credit than debt."""
    rng = Random(f"{seed}:{NAME}")
    names = {ROOT: "Nordlys Holding & Co."}
    names |= {f"{ROOT}--C{101 + at * 7}": f"{words.company(rng)} {at + 1}" for at in range(15)}
    postings: list[Posting] = []
    days = (LAST_DAY - FIRST_DAY).days
    for at, customer in enumerate(names):
        for _ in range(0 if at == 9 else rng.randint(10, 24)):
            income, share = rng.randint(900, 900_000), rng.choice((0, 0, 1, 1))
            expense = rng.randint(100, 400_000) if rng.random() < 0.5 else 0
            due = income * share
            if rng.random() < 0.12 or at in {4, 12}:
                income, due = 0, -rng.randint(500, 300_000)
            day = FIRST_DAY + timedelta(days=rng.randrange(days + 1))
            if rng.random() < 0.3:
                day = (day.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)
            postings.append(Posting(customer, day, rng.choice(DEPARTMENTS), income, expense, due))
    return Ledger(names, postings)


def _day(told: str | None) -> date | None:
    try:
        return date.fromisoformat(told[:10]) if told else None
    except ValueError:
        raise Refusal(400, "BAD_REQUEST", "Input validation failed") from None


def period(query: Query) -> tuple[date, date]:
    """The days that are asked for: all of them, unless dates or a macro name others."""
    start, end = _day(query.get("start_date")), _day(query.get("end_date"))
    if start and end and start > end:
        raise Refusal(400, "BAD_REQUEST", "start_date is after end_date")
    if start or end:
        first = start or min(FIRST_DAY, (end or FIRST_DAY).replace(month=1, day=1))
        return first, end or max(LAST_DAY, first)
    today = datetime.now(UTC).date()
    macro = query.get("date_macro", "").lower().replace("_", " ")
    opening = {"this year": today.replace(month=1, day=1), "this month": today.replace(day=1), "today": today}
    for word, begun in opening.items():
        if macro.startswith(word):
            return begun, today
    if macro.startswith("last year"):
        return date(today.year - 1, 1, 1), date(today.year - 1, 12, 31)
    return FIRST_DAY, LAST_DAY


def euros(cents: int) -> float:
    """Cents as an amount."""
    return cents / 100


def balance_report(books: Ledger, query: Query) -> Row:
    """What is owed at the end of the last day."""
    _, last = period(query)
    owed = {one: sum(post.due for post in books.of(one, query, date.min, last)) for one in books.below(query)}
    return {
        "reportName": "Customer Balance Summary",
        "reportDate": last.isoformat(),
        "currency": CURRENCY,
        "entries": [
            {"customerId": one, "customerName": books.names[one], "balance": euros(cents)}
            for one, cents in owed.items()
        ],
        "totalBalance": euros(sum(owed.values())),
    }


def income_report(books: Ledger, query: Query) -> Row:
    """What came in and went out, the first and the last day included."""
    first, last = period(query)
    entries: list[Row] = []
    sums = [0, 0]
    for one in books.below(query):
        found = books.of(one, query, first, last)
        income, expense = sum(post.income for post in found), sum(post.expense for post in found)
        sums = [sums[0] + income, sums[1] + expense]
        entries.append({"customerId": one, "customerName": books.names[one], **_figures(income, expense)})
    return {
        "reportName": "Customer Income Summary",
        "startPeriod": first.isoformat(),
        "endPeriod": last.isoformat(),
        "currency": CURRENCY,
        "entries": entries,
        **_figures(*sums),
    }


def _figures(income: int, expense: int) -> Row:
    return {
        "totalIncome": euros(income),
        "totalExpenses": euros(expense),
        "netIncome": euros(income - expense),
    }


REPORTS: dict[str, Callable[[Ledger, Query], Row]] = {BALANCE: balance_report, INCOME: income_report}
TRUTH = {
    "entries": "the customer that is asked for and those below it, in the order of their ids",
    "balance": "what is due of all postings up to the end date, cents / 100",
    "totalIncome": "the incomes of the period, cents / 100",
    "totalExpenses": "the expenses of the period, cents / 100",
    "netIncome": "totalIncome - totalExpenses",
}


def world_of(books: Ledger) -> World:
    """The reports of a ledger."""
    return World(NAME, reports={key: partial(maker, books) for key, maker in REPORTS.items()})


def intacct(seed: int) -> World:
    """Reports of Sage Intacct."""
    return world_of(ledger(seed))
