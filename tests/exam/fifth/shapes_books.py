"""Xero's contacts and what they were billed: a head office with branches, invoices, credit notes and bills."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random
from typing import Any

from tests.exam import words
from tests.exam.calls3.money import FIGURES, Books, today

NAME = "xero"
CONTACTS = 48
DAYS = 900


@dataclass(frozen=True, slots=True)
class Posting:
    """An invoice (income), a credit note (negative income) or a bill (expense), in cents."""

    day: date
    income: int
    expense: int
    paid: date | None


class Ledger(Books):
    """All contacts of one organisation. A customer is a contact; a head office stands for its branches as well."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        rng = Random(f"{seed}:{NAME}")
        self.currency = "NZD"
        ids = [words.guid(rng) for _ in range(CONTACTS)]
        self.names = {
            of: " ".join((rng.choice(words.COMPANIES), rng.choice(words.FORMS) or "Co", str(number + 1)))
            for number, of in enumerate(ids)
        }
        self.members = ids[:36]
        self.head = ids[0]
        self.postings = {of: self._postings(rng) for of in ids}

    @staticmethod
    def _postings(rng: Random) -> list[Posting]:
        made = []
        for _ in range(rng.choice((0, 20, 45, 60, 90))):
            day = today() - timedelta(days=rng.randrange(DAYS))
            amount = int(10 ** rng.uniform(3.5, 6.4))
            if rng.random() < 0.08:
                amount = -amount
            expense = rng.randrange(500, 90_000) if rng.random() < 0.4 else 0
            paid = day + timedelta(days=rng.randrange(5, 70)) if rng.random() < 0.85 else None
            made.append(Posting(day, amount, expense, paid))
        return made

    def contacts(self, customers: Sequence[str]) -> list[str]:
        """The contacts that are meant: a head office and its branches, or the one."""
        found = [
            one
            for of in customers
            for one in (self.members if of == self.head else [of] if of in self.names else [])
        ]
        return list(dict.fromkeys(found))

    def sums(self, customer: str, start: date, end: date) -> tuple[int, int]:
        """Income and expenses in cents, of both days and what lies between."""
        meant = [one for one in self.postings[customer] if start <= one.day <= end]
        return sum(one.income for one in meant), sum(one.expense for one in meant)

    def open_at(self, customer: str, end: date) -> int:
        """What is not paid at the end of that day, in cents."""
        meant = (one for one in self.postings[customer] if one.day <= end)
        return sum(one.income for one in meant if one.paid is None or one.paid > end)

    def income(self, customers: Sequence[str], start: date, end: date) -> dict[str, Any]:
        entries: list[dict[str, Any]] = []
        for of in self.contacts(customers):
            earned, spent = self.sums(of, start, end)
            amounts = dict(zip(FIGURES, (earned, spent, earned - spent), strict=True))
            entries.append({"customerId": of, "customerName": self.names[of], **amounts})
        totals: dict[str, Any] = {name: sum(one[name] for one in entries) for name in FIGURES}
        for one in (*entries, totals):
            one |= {name: one[name] / 100 for name in FIGURES}
        named = {"reportName": "Income by Contact", "startPeriod": str(start), "endPeriod": str(end)}
        return {**named, "currency": self.currency, "entries": entries, **totals}

    def balance(self, customers: Sequence[str], start: date, end: date) -> dict[str, Any]:
        cents = {of: self.open_at(of, end) for of in self.contacts(customers)}
        entries = [
            {"customerId": of, "customerName": self.names[of], "balance": amount / 100}
            for of, amount in cents.items()
        ]
        named = {"reportName": "Aged Receivables", "reportDate": str(end), "currency": self.currency}
        return {**named, "entries": entries, "totalBalance": sum(cents.values()) / 100}
