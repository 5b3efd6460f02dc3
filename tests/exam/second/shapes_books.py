"""The reports of an accounting system: what one customer owes, and what came of it."""

from __future__ import annotations

from copy import deepcopy
from random import Random

from tests.exam import words
from tests.exam.mapping import Json
from tests.exam.world import Listing, Row, World

CUSTOMER = "1001"


def _report(key: str, body: Json) -> Listing:
    return Listing(key, "report", [Row({}, body, deepcopy(body))])


def totals(body: Json) -> None:
    """Fills in the sums of the entries."""
    pairs = {"balance": "totalBalance", "totalIncome": "totalIncome", "totalExpenses": "totalExpenses"}
    for part, whole in (pairs | {"netIncome": "netIncome"}).items():
        if part in body["entries"][0]:
            body[whole] = round(sum(one[part] for one in body["entries"]), 2)


def _balance(entry: Json, balance: float) -> Json:
    head = {"reportName": "CustomerBalance", "reportDate": "2024-06-30", "currency": "EUR"}
    body: Json = {**head, "entries": [entry | {"balance": balance}]}
    totals(body)
    return body


def _income(entry: Json, income: int, expenses: int) -> Json:
    sums = {"totalIncome": income / 100, "totalExpenses": expenses / 100}
    entries = [entry | sums | {"netIncome": (income - expenses) / 100}]
    head = {"reportName": "CustomerIncome", "startPeriod": "2024-01-01", "endPeriod": "2024-06-30"}
    body: Json = {**head, "currency": "EUR", "entries": entries}
    totals(body)
    return body


def books(rng: Random) -> World:
    entry = {
        "customerId": CUSTOMER,
        "customerName": f"{rng.choice(words.COMPANIES)} {rng.choice(words.FORMS)}",
    }
    sums = [rng.randrange(100_000, 900_000) * 10 + 7 for _ in range(3)]
    reports = [
        _report("accounting/customer-balance", _balance(entry, sums[0] / 100)),
        _report("accounting/customer-income", _income(entry, sums[1], sums[2])),
    ]
    return World("books", reports)
