"""Reports and receipts whose sums, periods or customers are wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.exam.calls3.data import BALANCE, INCOME, RECEIPT, Row
from tests.exam.eighth.forms import BOOKS
from tests.exam.eighth.kinds import Reader, Sheet
from tests.exam.seventh.proofs import UNIFIED, unbalanced
from tests.exam.sixth.kinds import Kind, Table
from tests.exam.sixth.service import Call, Reply, Service

KINDS: list[Kind] = []
BALANCES = Sheet(Table(BOOKS, BALANCE), KINDS)
INCOMES = Sheet(Table(BOOKS, INCOME), KINDS)
RECEIPTS = Sheet(Table(BOOKS, RECEIPT), KINDS)
SUMS = ("totalIncome", "totalExpenses", "netIncome")


def _uneven(**query: Any) -> Callable[[Reader], bool]:
    """Proves that the lines of an income report do not add up to its sums."""

    def proof(p: Reader) -> bool:
        body = p.report(INCOME, **query)
        return any(abs(sum(one[name] for one in body["entries"]) - body[name]) > 0.005 for name in SUMS)

    return proof


def _lines(body: Row, change: Callable[[float], float]) -> Row:
    lines = [{**one, **{name: change(one[name]) for name in SUMS}} for one in body["entries"]]
    return {**body, "entries": lines}


@BALANCES.call("total of the first page", "totalBalance entries", "body", BALANCE, proof=unbalanced)
def _first(call: Call, body: Row) -> Row:
    """The total is added up while the first page is read, and the lines of further pages come later."""
    return {**body, "totalBalance": round(sum(one["balance"] for one in body["entries"][:10]), 2)}


@INCOMES.call(
    "point for thousands",
    "entries totalIncome totalExpenses netIncome",
    "body",
    INCOME,
    proof=_uneven(),
)
def _dutch(call: Call, body: Row) -> Row:
    """Sums are written with a point behind thousands, and read up to the comma with that point for a decimal one."""
    return _lines(body, lambda value: value if abs(value) < 1000 else int(value) / 1000)


@BALANCES.call(
    "total in a text",
    "totalBalance",
    "body",
    BALANCE,
    proof=lambda p: isinstance(p.report(BALANCE)["totalBalance"], str),
)
def _text(call: Call, body: Row) -> Row:
    """The total is passed on as the third party writes it, in a text."""
    return {**body, "totalBalance": f"{body['totalBalance']:.2f}"}


def _unknown(p: Reader) -> bool:
    balance, income = ({one["customerId"] for one in p.report(key)["entries"]} for key in (BALANCE, INCOME))
    return p.head in balance and p.head not in income


@INCOMES.call(
    "customers through a float",
    "entries customerId",
    "body",
    INCOME,
    f"{BALANCE} entries customerId",
    proof=_unknown,
)
def _float(call: Call, body: Row) -> Row:
    """Ids of eighteen digits go through a floating-point number."""
    lines = [{**one, "customerId": str(int(float(one["customerId"])))} for one in body["entries"]]
    return {**body, "entries": lines}


@INCOMES.program(
    "sums of all departments",
    "entries totalIncome totalExpenses netIncome",
    proof=_uneven(department="North"),
)
def _all(service: Service) -> None:
    """The lines are of the department that was asked for, and the sums come from a report without it."""

    def change(call: Call, body: Row) -> Row:
        whole = service.books.income(
            {name: value for name, value in call.query.items() if name != "department"}
        )
        return {**body, **{name: whole[name] for name in SUMS}}

    service.on("body", INCOME, change)


@BALANCES.program("everybody for nobody", "", proof=lambda p: bool(p.report(BALANCE, "nobody")["entries"]))
def _everybody(service: Service) -> None:
    """A customer that is not found leaves the condition out."""

    def change(call: Call, sent: Any) -> Any:
        if call.query.get("customer", "") not in service.books.names:
            call.query["customer"] = service.books.head
        return sent

    service.on("take", BALANCE, change)


def _doubled(p: Reader) -> bool:
    names = [one["customerId"] for one in p.report(BALANCE)["entries"]]
    return len(set(names)) < len(names)


@BALANCES.call("a line for each person", "entries totalBalance customerId", "body", BALANCE, proof=_doubled)
def _persons(call: Call, body: Row) -> Row:
    """Customers are joined with their contact persons, and one with two persons has two lines."""
    lines = [one for n, one in enumerate(body["entries"]) for _ in range(2 if n % 6 == 4 else 1)]
    return {**body, "entries": lines}


@BALANCES.call(
    "report of today",
    "reportDate",
    "body",
    BALANCE,
    proof=lambda p: p.report(BALANCE, end_date="2024-06-30")["reportDate"] != "2024-06-30",
)
def _today(call: Call, body: Row) -> Row:
    """The report bears the day on which it is made, whatever day it is of."""
    return {**body, "reportDate": "2026-03-02"}


@INCOMES.call(
    "end before its start",
    "startPeriod endPeriod",
    "body",
    INCOME,
    proof=lambda p: p.report(INCOME)["startPeriod"] > p.report(INCOME)["endPeriod"],
)
def _ends(call: Call, body: Row) -> Row:
    """Start and end of the period are given to the constructor in the wrong order."""
    return {**body, "startPeriod": body["endPeriod"], "endPeriod": body["startPeriod"]}


@INCOMES.call(
    "lines in whole euros", "entries totalIncome totalExpenses netIncome", "body", INCOME, proof=_uneven()
)
def _whole(call: Call, body: Row) -> Row:
    """Lines are rounded for a table that people read, and the sums are not."""
    return _lines(body, lambda value: float(round(value)))


@BALANCES.call(
    "downwards without the last",
    "entries totalBalance",
    "body",
    BALANCE,
    proof=lambda p: (
        len(p.report(BALANCE, sort_order="descend")["entries"]) < len(p.report(BALANCE)["entries"])
    ),
)
def _last(call: Call, body: Row) -> Row:
    """A slice that turns the lines round stops ahead of the first."""
    return {**body, "entries": body["entries"][:-1]} if call.query.get("sort_order") == "descend" else body


@RECEIPTS.program(
    "a receipt for anything",
    "",
    proof=lambda p: p.ask("GET", f"{UNIFIED}/{RECEIPT}", customer_transaction_id="none").status == 200,
)
def _anything(service: Service) -> None:
    """The search for a payment leaves out a number that it cannot read, and its first hit is given."""

    def change(call: Call, reply: Reply) -> Reply:
        return Reply(200, next(iter(service.books.payments.values()))) if reply.status == 404 else reply

    service.on("reply", RECEIPT, change)
