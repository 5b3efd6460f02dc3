"""What goes wrong in reports, receipts and the batch read."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from tests.exam.calls3.data import ACCOUNT, BALANCE, INCOME, RECEIPT, Row
from tests.exam.sixth.books import FIRST, LAST
from tests.exam.sixth.forms import BOOKS, CRM
from tests.exam.sixth.kinds import Kind, Table
from tests.exam.sixth.service import BATCH, Bend, Call, Service

B, N, R, A = Table(BOOKS, BALANCE), Table(BOOKS, INCOME), Table(BOOKS, RECEIPT), Table(CRM, ACCOUNT)


def _report(change: Any) -> Bend:
    """A report is changed."""

    def bend(call: Call, body: Row) -> Row:
        made = deepcopy(body)
        change(made)
        return made

    return bend


def _entries(change: Any) -> Bend:
    """Each entry of a report is changed."""
    return _report(lambda body: [change(one) for one in body["entries"]])


def _positive_total(body: Row) -> None:
    body["totalBalance"] = round(sum(one["balance"] for one in body["entries"] if one["balance"] > 0), 2)


def _no_last_entry(body: Row) -> None:
    """The last entry with a sum is not given."""
    with_sum = [one for one in body["entries"] if one["balance"]]
    if with_sum:
        body["entries"].remove(with_sum[-1])


def _entry_twice(body: Row) -> None:
    body["entries"] += [dict(one) for one in body["entries"][:1]]


def _names_shifted(body: Row) -> None:
    names = [one["customerName"] for one in body["entries"]]
    for one, name in zip(body["entries"], [*names[1:], *names[:1]], strict=True):
        one["customerName"] = name


def _swapped_day(body: Row) -> None:
    year, month, day = body["reportDate"].split("-")
    body["reportDate"] = f"{year}-{day}-{month}"


def _separator(one: Row) -> None:
    """1,234.56 was read up to its comma."""
    if one["totalIncome"] >= 1000:
        one["totalIncome"] = float(int(one["totalIncome"] // 1000))


def _added(one: Row) -> None:
    one["netIncome"] = round(one["totalIncome"] + one["totalExpenses"], 2)


def _cents(body: Row) -> None:
    for name in ("totalIncome", "totalExpenses", "netIncome"):
        body[name] = round(body[name] * 100)


def _ends_swapped(body: Row) -> None:
    body["startPeriod"], body["endPeriod"] = body["endPeriod"], body["startPeriod"]


def _any_customer(service: Service, key: str) -> None:
    """Whoever is asked for, the head's report is given."""

    def bend(call: Call, sent: Any) -> Any:
        if call.query.get("customer"):
            call.query["customer"] = service.books.head
        return sent

    service.on("take", key, bend)


def _no_dates(call: Call, sent: Any) -> Any:
    for name in ("start_date", "end_date"):
        call.query.pop(name, None)
    return sent


def _figures_of_the_year(service: Service) -> None:
    """The period is as it was asked for, the sums are those of the whole year."""

    def bend(call: Call, body: Row) -> Row:
        query = {**call.query, "start_date": FIRST, "end_date": LAST}
        return {
            **service.books.income(query),
            "startPeriod": body["startPeriod"],
            "endPeriod": body["endPeriod"],
        }

    service.on("body", INCOME, bend)


def _another_payment(service: Service) -> None:
    numbers = list(service.books.payments)

    def bend(call: Call, body: Row) -> Row:
        at = numbers.index(body["id"])
        return service.books.payments[numbers[(at + 1) % len(numbers)]]

    service.on("body", RECEIPT, bend)


def _some_unasked(service: Service) -> None:
    """Three accounts come whether they were asked for or not."""

    def bend(call: Call, body: list[Row]) -> list[Row]:
        first = service.lists[ACCOUNT][:3]
        here = {one["id"] for one in body}
        return [*body, *(one for one in first if one["id"] not in here)]

    service.on("body", BATCH, bend)


def _by_position(call: Call, body: list[Row]) -> list[Row]:
    """Ids as they were asked for, records in the third party's own order, which is another."""
    ids = [one["id"] for one in body]
    return [{**one, "id": number} for one, number in zip(reversed(body), ids, strict=True)]


def _cut(call: Call, body: list[Row]) -> list[Row]:
    return body[:20]


def _one_lost(call: Call, body: list[Row]) -> list[Row]:
    return body[:-1] if len(body) > 1 else body


def _twice(call: Call, body: list[Row]) -> list[Row]:
    return [*body, *body[:1]] if len(body) > 1 else body


KINDS: list[Kind] = [
    B.call(
        "debts alone in the total",
        "totalBalance leaves out negative balances of its entries",
        "totalBalance",
        "body",
        BALANCE,
        _report(_positive_total),
    ),
    B.call(
        "a balance left out",
        "an entry is missing that is part of totalBalance",
        "totalBalance entries",
        "body",
        BALANCE,
        _report(_no_last_entry),
    ),
    B.call(
        "a customer twice",
        "a customer has two entries, and the total counts one",
        "entries totalBalance",
        "body",
        BALANCE,
        _report(_entry_twice),
    ),
    B.call(
        "names one line off",
        "customerName is that of the next entry, as the income report of the same customer shows",
        "customerName entries",
        "body",
        BALANCE,
        _report(_names_shifted),
    ),
    B.call(
        "a date that is none",
        "reportDate has day and month swapped: there is no month 31",
        "reportDate",
        "body",
        BALANCE,
        _report(_swapped_day),
    ),
    B.program(
        "anybody's balance",
        "the parameter customer is ignored: who does not exist has the head's entries",
        "",
        lambda service: _any_customer(service, BALANCE),
    ),
    B.call(
        "half of a customer",
        "customerId of entries is null, where the contract has a text",
        "customerId entries",
        "body",
        BALANCE,
        _entries(lambda one: one.update(customerId=None)),
    ),
    N.call(
        "costs added",
        "netIncome of entries is income and costs together",
        "netIncome entries",
        "body",
        INCOME,
        _entries(_added),
    ),
    N.call(
        "totals in cents",
        "totals are in cents, entries are not",
        "totalIncome totalExpenses netIncome",
        "body",
        INCOME,
        _report(_cents),
    ),
    N.call(
        "thousands lost",
        "incomes from a thousand on are read up to the separator: no sum holds",
        "totalIncome netIncome entries",
        "body",
        INCOME,
        _entries(_separator),
    ),
    N.call(
        "a period backwards",
        "startPeriod lies after endPeriod",
        "startPeriod endPeriod",
        "body",
        INCOME,
        _report(_ends_swapped),
    ),
    N.call(
        "dates not heeded",
        "start_date and end_date are ignored, as the period shows",
        "startPeriod endPeriod",
        "take",
        INCOME,
        _no_dates,
    ),
    N.program(
        "another period than is said",
        "the period is that which was asked for, the sums are of the whole year: two halves are twice the whole",
        "",
        _figures_of_the_year,
    ),
    N.call(
        "no currency",
        "currency is missing, which the contract requires",
        "currency",
        "body",
        INCOME,
        lambda call, body: {name: value for name, value in body.items() if name != "currency"},
    ),
    R.program(
        "another receipt", "the receipt of another payment is given, as its id says", "", _another_payment
    ),
    A.call(
        "the batch in an object",
        "accounts are wrapped, where the contract has a bare array",
        "",
        "body",
        BATCH,
        lambda call, body: {"items": body},
    ),
    A.call(
        "twenty at most",
        "accounts after the twentieth of a batch are left out in silence",
        "",
        "body",
        BATCH,
        _cut,
    ),
    A.call(
        "the last of a batch",
        "the last account of a batch is missing, and is there when asked for alone",
        "",
        "body",
        BATCH,
        _one_lost,
    ),
    A.call(
        "an account twice", "the first account of a batch comes again at its end", "", "body", BATCH, _twice
    ),
    A.program(
        "accounts nobody asked for",
        "three accounts come with every batch, asked for or not",
        "",
        _some_unasked,
    ),
    A.call(
        "ids by position",
        "records are given the ids of others: the two orders differ",
        "",
        "body",
        BATCH,
        _by_position,
    ),
]
