"""The books as Sage has them: a customer with its branches, sales, costs and receipts."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.exam import words

Row = dict[str, Any]
FIRST, LAST = "2024-01-01", "2024-12-31"
DEPARTMENTS = ("North", "South", "Retail")


class Ledger:
    """What was sold, spent and paid, in cents; reports are of a customer and of those below it."""

    def __init__(self, seed: int) -> None:
        rng = Random(f"{seed}:ledger")
        self.head = words.token(rng, 32, "0123456789abcdef")
        self.names = {self.head: "Fjord & Sons A/S"}
        for number in range(24):
            given, family = words.person(rng)
            branch = words.token(rng, 32, "0123456789abcdef")
            self.names[branch] = f"Fjord & Sons, {given} {family} ({number + 1})"
        self.entries = [self._entry(rng, one) for one in self.names for _ in range(9)]
        self.payments = {one["id"]: one for one in (self._payment(rng, n) for n in range(8))}

    def _entry(self, rng: Random, customer: str) -> Row:
        income = rng.random() < 0.7
        amount = rng.choice((rng.randrange(100, 90_000), rng.randrange(100_000, 9_000_000)))
        day = f"2024-{rng.randrange(1, 13):02}-{rng.randrange(1, 29):02}"
        open_part = amount if rng.random() < 0.3 else 0
        return {
            "customer": customer,
            "day": day,
            "income": amount if income else 0,
            "expense": 0 if income else amount // 2,
            "open": (open_part if rng.random() < 0.9 else -open_part // 3) if income else 0,
            "department": rng.choice(DEPARTMENTS),
        }

    def _payment(self, rng: Random, number: int) -> Row:
        customer = rng.choice(list(self.names))
        cents = rng.randrange(1000, 500_000)
        return {
            "id": words.token(rng, 32, "0123456789abcdef"),
            "displayed_as": f"Customer receipt {number + 1}",
            "transaction_type": {"id": "CUSTOMER_RECEIPT", "displayed_as": "Customer receipt"},
            "contact": {"id": customer, "displayed_as": self.names[customer]},
            "date": f"2024-{rng.randrange(1, 13):02}-{rng.randrange(1, 29):02}",
            "total_amount": f"{cents / 100:.2f}",
            "net_amount": f"{cents / 100:.2f}",
            "currency": {"id": "DKK", "displayed_as": "Danish Krone (DKK)"},
            "reference": f"FS-0{number:03}",
        }

    def _chosen(self, query: dict[str, str], *, from_start: bool) -> tuple[str, str, dict[str, list[Row]]]:
        start, end = query.get("start_date") or FIRST, query.get("end_date") or LAST
        customer = query["customer"]
        known = list(self.names) if customer == self.head else [customer] if customer in self.names else []
        if query.get("sort_order") == "descend":
            known.reverse()
        groups: dict[str, list[Row]] = {one: [] for one in known}
        for entry in self.entries:
            within = (start <= entry["day"] or not from_start) and entry["day"] <= end
            department = query.get("department") or entry["department"]
            if entry["customer"] in groups and within and entry["department"] == department:
                groups[entry["customer"]].append(entry)
        return start, end, groups

    def balance(self, query: dict[str, str]) -> Row:
        """The customer balance report."""
        _, end, groups = self._chosen(query, from_start=False)
        sums = {one: sum(entry["open"] for entry in of) for one, of in groups.items()}
        entries = [
            {"customerId": one, "customerName": self.names[one], "balance": cents / 100}
            for one, cents in sums.items()
        ]
        return {
            "reportName": "CustomerBalance",
            "reportDate": end,
            "currency": "DKK",
            "entries": entries,
            "totalBalance": sum(sums.values()) / 100,
        }

    def income(self, query: dict[str, str]) -> Row:
        """The customer income report."""
        start, end, groups = self._chosen(query, from_start=True)
        entries, income, expense = [], 0, 0
        for one, of in groups.items():
            came, went = (sum(entry[name] for entry in of) for name in ("income", "expense"))
            income, expense = income + came, expense + went
            entry = {"customerId": one, "customerName": self.names[one]}
            entries.append({**entry, **_sums(came, went)})
        return {
            "reportName": "CustomerIncome",
            "startPeriod": start,
            "endPeriod": end,
            "currency": "DKK",
            "entries": entries,
            **_sums(income, expense),
        }


def _sums(income: int, expense: int) -> Row:
    return {
        "totalIncome": income / 100,
        "totalExpenses": expense / 100,
        "netIncome": (income - expense) / 100,
    }
