"""Reports and receipts of FreeAgent, wrongly summed, dated or chosen."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from tests.exam.calls3.data import BALANCE, INCOME, RECEIPT, Row
from tests.exam.seventh.forms import BOOKS
from tests.exam.sixth.kinds import Table, either
from tests.exam.sixth.service import Call, Service

BALANCES, INCOMES, RECEIPTS = Table(BOOKS, BALANCE), Table(BOOKS, INCOME), Table(BOOKS, RECEIPT)
SUMS = ("totalIncome", "totalExpenses", "netIncome")


def _no_loss(call: Call, body: Row) -> Row:
    for one in body["entries"]:
        one["netIncome"] = max(0, one["netIncome"])
    return body


def _day_before(call: Call, body: Row) -> Row:
    """Midnight in London is the evening before in UTC."""
    start = date.fromisoformat(body["startPeriod"]) - timedelta(days=1)
    return {**body, "startPeriod": start.isoformat()}


def _without_last_day(service: Service) -> None:
    ends: list[str] = []

    def before(call: Call, sent: Any) -> Any:
        end = call.query.get("end_date", "")
        ends.append(end)
        if end:
            call.query["end_date"] = (date.fromisoformat(end) - timedelta(days=1)).isoformat()
        return sent

    service.on("take", INCOME, before)
    service.on("body", INCOME, lambda call, body: {**body, "endPeriod": ends[-1] or body["endPeriod"]})


def _town_alone(call: Call, body: Row) -> Row:
    for one in body["entries"]:
        one["customerName"] = one["customerName"].rpartition(", ")[2]
    return body


def _in_pence(call: Call, body: Row) -> Row:
    """One customer alone is answered by another endpoint of the third party, in pence."""
    if len(body["entries"]) != 1:
        return body
    one = {**body["entries"][0], **{name: round(body["entries"][0][name] * 100) for name in SUMS}}
    return {**body, "entries": [one], **{name: one[name] for name in SUMS}}


def _not_chosen(service: Service) -> None:
    """The report is always of the first customer that was asked for."""
    first: list[str] = []

    def before(call: Call, sent: Any) -> Any:
        if call.query.get("customer"):
            first.append(call.query["customer"])
            call.query["customer"] = first[0]
        return sent

    service.on("take", BALANCE, before)


def _names_sorted(call: Call, body: Row) -> Row:
    """Asked to be sorted, customers are put in order and their sums are not."""
    if not call.query.get("sort_order"):
        return body
    entries = body["entries"]
    names = sorted((one["customerName"], one["customerId"]) for one in entries)
    new = [
        {**one, "customerName": name, "customerId": number}
        for one, (name, number) in zip(entries, names, strict=True)
    ]
    return {**body, "entries": new}


def _nothing_left(call: Call, body: Row) -> Row:
    if any(body[name] for name in SUMS):
        return body
    return {name: value for name, value in body.items() if name not in SUMS}


def _first_payment(service: Service) -> None:
    """A receipt is kept by the first digits of its number."""
    kept: dict[str, Any] = {}
    service.on(
        "body", RECEIPT, lambda call, body: kept.setdefault(call.query["customer_transaction_id"][:6], body)
    )


def _year_alone(call: Call, sent: Any) -> Any:
    """Months and days of a period are not heeded; the report says what was asked for."""
    for name, day in (("start_date", "01-01"), ("end_date", "12-31")):
        if call.query.get(name):
            call.query[f"asked_{name}"] = call.query[name]
            call.query[name] = f"{call.query[name][:4]}-{day}"
    return sent


def _as_asked(call: Call, body: Row) -> Row:
    start = call.query.get("asked_start_date", body["startPeriod"])
    return {**body, "startPeriod": start, "endPeriod": call.query.get("asked_end_date", body["endPeriod"])}


def _whole_years(service: Service) -> None:
    service.on("take", INCOME, _year_alone)
    service.on("body", INCOME, _as_asked)


KINDS = [
    INCOMES.call(
        "losses are nothing",
        "`netIncome` of an entry with more expenses than income is 0, not their difference.",
        "entries netIncome",
        "body",
        INCOME,
        _no_loss,
    ),
    INCOMES.call(
        "period begins a day early",
        "`startPeriod` is the day before the `start_date` that was asked for.",
        "startPeriod",
        "body",
        INCOME,
        _day_before,
    ),
    INCOMES.program(
        "last day of the period is left out",
        "With `end_date` what was sold on that day is missing: two parts of a year do not make up the year.",
        "",
        _without_last_day,
    ),
    INCOMES.program(
        "any period is its whole year",
        "Both halves of a year give the sums of the whole year, and say that they are of the half.",
        "",
        _whole_years,
    ),
    either(
        INCOMES.call(
            "two names for a customer",
            "`customerName` in the income report is the town alone; in the balance report the same id has another.",
            "entries customerName",
            "body",
            INCOME,
            _town_alone,
        ),
        f"{BALANCE} entries customerName",
    ),
    either(
        INCOMES.call(
            "two currencies of one customer's books",
            "`currency` of the income report is EUR, that of the balance report of the same customer GBP.",
            "currency",
            "body",
            INCOME,
            lambda call, body: {**body, "currency": "EUR"},
        ),
        f"{BALANCE} currency",
    ),
    INCOMES.call(
        "one customer alone in pence",
        "Asked for alone, a branch has a hundred times the sums that it has in the report of its head.",
        "",
        "body",
        INCOME,
        _in_pence,
    ),
    BALANCES.program(
        "always the first customer",
        "Whoever is asked for, the report is of the customer that the first call asked for.",
        "",
        _not_chosen,
    ),
    INCOMES.call(
        "sorted names and unsorted sums",
        "With `sort_order` the same `customerId` has another `netIncome` than without.",
        "",
        "body",
        INCOME,
        _names_sorted,
    ),
    INCOMES.call(
        "no sums where nothing was sold",
        "A report of a period without sales lacks the three sums, which the contract requires.",
        "totalIncome totalExpenses netIncome",
        "body",
        INCOME,
        _nothing_left,
    ),
    RECEIPTS.program(
        "receipt of another payment",
        "Two payments whose ids begin alike have one receipt: its raw `url` ends in the first one's id.",
        "",
        _first_payment,
    ),
]
