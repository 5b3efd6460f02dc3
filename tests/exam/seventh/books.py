"""The books as FreeAgent has them: contacts and their branches by number, addresses for references, pounds."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.exam import words
from tests.exam.sixth.books import Ledger

Row = dict[str, Any]
API = "https://api.freeagent.example/v2"


class Books(Ledger):
    """What was sold, spent and paid."""

    def __init__(self, seed: int) -> None:
        rng = Random(f"{seed}:freeagent")
        self.head = "7284113"
        self.names = {self.head: "Harrow & Daughters Ltd"}
        for number in range(19):
            city = rng.choice(words.CITIES)[0]
            self.names[str(7_284_120 + number * 9)] = f"Harrow & Daughters, {city} ({number + 1})"
        self.entries = [self._entry(rng, one) for one in self.names for _ in range(10)]
        for number, day in enumerate(("2024-06-30", "2024-07-01", "2024-01-01", "2024-12-31")):
            self.entries[number * 3] |= {"day": day, "customer": self.head}
        self.payments = {str(88_120_451 + n * 13): self._receipt(rng, 88_120_451 + n * 13) for n in range(9)}

    def _receipt(self, rng: Random, number: int) -> Row:
        customer = rng.choice(list(self.names))
        cents = rng.randrange(1000, 500_000)
        return {
            "bank_transaction_explanation": {
                "url": f"{API}/bank_transaction_explanations/{number}",
                "bank_account": f"{API}/bank_accounts/7101",
                "type": "Invoice Receipt",
                "dated_on": f"2024-{rng.randrange(1, 13):02}-{rng.randrange(1, 29):02}",
                "gross_value": f"{cents / 100:.2f}",
                "description": f"{self.names[customer]} {words.token(rng, 6)}",
                "paid_invoice": f"{API}/invoices/{rng.randrange(10**6, 10**7)}",
                "contact": f"{API}/contacts/{customer}",
                "currency": "GBP",
                "attachment": None,
                "updated_at": words.iso(words.moment(rng, 2025, 2025)),
            }
        }

    def balance(self, query: dict[str, str]) -> Row:
        return {**super().balance(query), "currency": "GBP"}

    def income(self, query: dict[str, str]) -> Row:
        return {**super().income(query), "currency": "GBP"}
