"""QuickBooks: balance and income of a customer and of the customers below it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from random import Random

from tests.exam.third import vocabulary as words
from tests.exam.third.engine import BALANCE, INCOME, Query, Row, World

FIRST_DAY, LAST_DAY = date(2024, 1, 1), date(2024, 12, 31)
CUSTOMERS = ("1", "58", "77")
BELOW = {"1": 48, "58": 17, "77": 62}


class Books:
    """What is booked: whole cents per customer and month of 2024."""

    def __init__(self, seed: int) -> None:
        rng = Random(f"{seed}:quickbooks")
        self.names: dict[str, str] = {}
        self.below: dict[str, list[str]] = {}
        number = 100
        for parent, count in BELOW.items():
            top = words.company(rng)
            self.names[parent] = top
            self.below[parent] = [parent]
            for _ in range(count):
                number += rng.randint(1, 4)
                self.names[str(number)] = f"{top}:{words.company(rng)}"
                self.below[parent].append(str(number))
        self.booked = {
            who: [
                (rng.randint(0, 900_000), rng.randint(0, 500_000)) if rng.random() < 0.7 else (0, 0)
                for _ in range(12)
            ]
            for who in self.names
        }
        self.open = {who: rng.choice((0, 1, 1, 1, -1)) * rng.randint(1, 2_000_000) for who in self.names}

    def asked(self, query: Query) -> list[str]:
        """The customers that are asked for and those below them, in the order asked for."""
        wanted = [
            one for top in query["customer"].split(",") for one in self.below.get(top.strip(), [top.strip()])
        ]
        found = [one for one in dict.fromkeys(wanted) if one in self.names]
        order = query.get("sort_order", "")
        if order.startswith(("asc", "desc")):
            found.sort(key=lambda one: self.names[one], reverse=order.startswith("desc"))
        return found

    def balance(self, query: Query) -> Row:
        entries = [
            {"customerId": one, "customerName": self.names[one], "balance": self.open[one] / 100}
            for one in self.asked(query)
        ]
        return {
            "reportName": "CustomerBalance",
            "reportDate": query.get("end_date") or LAST_DAY.isoformat(),
            "currency": "USD",
            "entries": entries,
            "totalBalance": sum(self.open[one] for one in self.asked(query)) / 100,
        }

    def income(self, query: Query) -> Row:
        start = _day(query.get("start_date"), FIRST_DAY)
        end = _day(query.get("end_date"), LAST_DAY)
        months = [at for at in range(12) if start <= date(2024, at + 1, 15) <= end]
        entries, sums = [], [0, 0]
        for one in self.asked(query):
            income, expenses = (sum(self.booked[one][at][side] for at in months) for side in (0, 1))
            sums = [sums[0] + income, sums[1] + expenses]
            entries.append({"customerId": one, "customerName": self.names[one]} | _net(income, expenses))
        return {
            "reportName": "CustomerIncome",
            "startPeriod": start.isoformat(),
            "endPeriod": end.isoformat(),
            "currency": "USD",
            "entries": entries,
        } | _net(*sums)


def _net(income: int, expenses: int) -> Row:
    net = (income - expenses) / 100
    return {"totalIncome": income / 100, "totalExpenses": expenses / 100, "netIncome": net}


def _day(text: str | None, otherwise: date) -> date:
    try:
        return date.fromisoformat(text) if text else otherwise
    except ValueError:
        return otherwise


def quickbooks(seed: int) -> World:
    """The two reports of QuickBooks."""
    books = Books(seed)
    reports: dict[str, Callable[[Query], Row]] = {BALANCE: books.balance, INCOME: books.income}
    return World("quickbooks", reports=reports)
