"""Figures of customers: every day has its own, so that each period has another sum."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Any

CUSTOMERS = 40
FIRST_DAY = date(2023, 1, 1)


def today() -> date:
    return datetime.now(UTC).date()


def period_of(query: dict[str, str]) -> tuple[date, date]:
    """The days that a report is about, both included. Raises ValueError."""
    now = today()
    first_of_month = now.replace(day=1)
    last_of_month_before = first_of_month - timedelta(days=1)
    macros = {
        "today": (now, now),
        "this month": (first_of_month, now),
        "last month": (last_of_month_before.replace(day=1), last_of_month_before),
        "this year": (now.replace(month=1, day=1), now),
    }
    if macro := query.get("date_macro"):
        if macro.lower() not in macros:
            raise ValueError(f"unknown date_macro {macro}")
        return macros[macro.lower()]
    start, end = query.get("start_date"), query.get("end_date")
    last = date.fromisoformat(end) if end else now
    first = date.fromisoformat(start) if start else last.replace(month=1, day=1)
    if min(first, last).year < 1900:
        raise ValueError("a year before 1900")
    return first, last


class Books:
    """All customers of one connection. Sums are in cents until they are answered."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        rng = Random(f"books {seed}")
        self.currency = rng.choice(("USD", "EUR", "GBP"))
        self.names = {str(number): f"Customer {rng.randrange(1000, 9999)} Ltd" for number in range(1, 41)}

    def day(self, customer: str, day: date) -> tuple[int, int]:
        """Income and expenses."""
        rng = Random(f"{self.seed} {customer} {day}")
        return rng.randrange(5_000, 90_000), rng.randrange(1_000, 40_000)

    def sums(self, customer: str, start: date, end: date) -> tuple[int, int]:
        if customer not in self.names:
            return 0, 0
        first, last = max(start, FIRST_DAY), min(end, today())
        days = [self.day(customer, first + timedelta(days=at)) for at in range((last - first).days + 1)]
        return sum(one for one, _ in days), sum(one for _, one in days)

    def income(self, customers: Sequence[str], start: date, end: date) -> dict[str, Any]:
        entries: list[dict[str, Any]] = []
        for of in customers:
            if of in self.names:
                earned, spent = self.sums(of, start, end)
                figures = (earned, spent, earned - spent)
                amounts = dict(zip(FIGURES, figures, strict=True))
                entries.append({"customerId": of, "customerName": self.names[of], **amounts})
        totals: dict[str, Any] = {name: sum(one[name] for one in entries) for name in FIGURES}
        for one in (*entries, totals):
            one |= {name: one[name] / 100 for name in FIGURES}
        named = {"reportName": "CustomerIncome", "startPeriod": str(start), "endPeriod": str(end)}
        return {**named, "currency": self.currency, "entries": entries, **totals}

    def balance(self, customers: Sequence[str], _: date, end: date) -> dict[str, Any]:
        open_cents = {
            of: self.sums(of, end - timedelta(days=20), end)[0] for of in customers if of in self.names
        }
        entries = [
            {"customerId": of, "customerName": self.names[of], "balance": cents / 100}
            for of, cents in open_cents.items()
        ]
        named = {"reportName": "CustomerBalance", "reportDate": str(end), "currency": self.currency}
        return {**named, "entries": entries, "totalBalance": sum(open_cents.values()) / 100}


FIGURES = ("totalIncome", "totalExpenses", "netIncome")
