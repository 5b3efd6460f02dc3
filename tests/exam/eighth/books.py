"""The books as Moneybird has them: ids of eighteen digits, sums of payments as text, euros."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.exam import words
from tests.exam.sixth.books import Ledger

Row = dict[str, Any]
HEAD = "433546265874434371"


class Books(Ledger):
    """What was sold, spent and paid."""

    def __init__(self, seed: int) -> None:
        rng = Random(f"{seed}:moneybird")
        self.head = HEAD
        self.names = {HEAD: "Tulp & Zonen B.V."}
        for number in range(22):
            city = rng.choice(words.CITIES)[0]
            self.names[str(int(HEAD) + 1_203 + number * 97)] = f"Tulp & Zonen, {city} ({number + 1})"
        self.entries = [self._entry(rng, one) for one in self.names for _ in range(11)]
        for number, day in enumerate(("2024-06-30", "2024-07-01", "2024-01-01", "2024-12-31")):
            self.entries[number * 2] |= {"day": day, "customer": HEAD}
        self.payments = {one["id"]: one for one in (self._paid(rng, n) for n in range(9))}

    def _paid(self, rng: Random, number: int) -> Row:
        customer = rng.choice(list(self.names))
        cents = rng.randrange(1000, 500_000)
        made = words.iso(words.moment(rng, 2025, 2025))
        return {
            "id": str(440_117_003_512_300_901 + number * 4_409),
            "administration_id": 123_008,
            "invoice_type": "SalesInvoice",
            "invoice_id": str(440_117_003_512_000_113 + number * 77),
            "contact": {"id": customer, "company_name": self.names[customer], "country": "NL"},
            "price": f"{cents / 100:.2f}",
            "price_base": f"{cents / 100:.2f}",
            "currency": "EUR",
            "payment_date": f"2024-{rng.randrange(1, 13):02}-{rng.randrange(1, 29):02}",
            "financial_mutation_id": None,
            "created_at": made,
            "updated_at": made,
        }

    def balance(self, query: dict[str, str]) -> Row:
        return {**super().balance(query), "currency": "EUR"}

    def income(self, query: dict[str, str]) -> Row:
        return {**super().income(query), "currency": "EUR"}
