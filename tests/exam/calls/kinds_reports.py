"""Reports and receipts that contradict themselves, each other, or what was asked."""

from __future__ import annotations

import json
from typing import Any

from tests.exam.calls.kinds import ANY, kind
from tests.exam.calls.service import Service
from tests.exam.calls.web import Answer, Request
from tests.exam.calls.world import Payer, Row
from tests.exam.frame import Expected

GROUP = "reports"
BALANCE = Expected("accounting/customer-balance")
INCOME = Expected("accounting/customer-income")
RECEIPT = Expected("accounting/payment-receipt")


def balance_field(*fields: str) -> Expected:
    return Expected("accounting/customer-balance", fields)


def income_field(*fields: str) -> Expected:
    return Expected("accounting/customer-income", fields)


class Altered(Service):
    """The two reports are altered when they are done."""

    def in_balance(self, report: Row) -> None:
        pass

    def in_income(self, report: Row, query: dict[str, str]) -> None:
        pass

    def balance(self, request: Request, path_id: str) -> Any:
        report = super().balance(request, path_id)
        self.in_balance(report)
        return report

    def income(self, request: Request, path_id: str) -> Any:
        report = super().income(request, path_id)
        self.in_income(report, dict(request.query))
        return report


@kind(GROUP, "reports: entries of all customers whoever is asked for", BALANCE, INCOME)
class AllCustomers(Service):
    def asked(self, query: dict[str, str]) -> list[Payer]:
        super().asked(query)
        return self.world.payers


@kind(GROUP, "balance: the entry is another customer's", balance_field("entries", "customerId"), BALANCE)
class NextCustomer(Service):
    def balance(self, request: Request, path_id: str) -> Any:
        report = super().balance(request, path_id)
        other = self.world.payers[3]
        for one in report["entries"]:
            one.update(customerId=other.id, customerName=other.name)
        return report


@kind(GROUP, "income: an entry of the next customer comes with it", INCOME)
class OneMore(Service):
    """The report of 58 also has 581: ids are compared by their beginning."""

    def prepare(self) -> None:
        first = self.world.payers[0]
        self.world.payers.append(Payer(f"{first.id}1", "Globex Ltd", self.world.payers[5].bookings))

    def income(self, request: Request, path_id: str) -> Any:
        self.loose = True
        try:
            return super().income(request, path_id)
        finally:
            self.loose = False

    def asked(self, query: dict[str, str]) -> list[Payer]:
        exact = super().asked(query)
        if not exact or not self.loose:
            return exact
        return [one for one in self.world.payers if one.id.startswith(query["customer"])]

    loose = False


@kind(GROUP, "balance: the total is that of all customers", balance_field("totalBalance", "entries"))
class TotalOfAll(Service):
    def balance(self, request: Request, path_id: str) -> Any:
        report = super().balance(request, path_id)
        report["totalBalance"] = 48211.37 + report["totalBalance"]
        return report


@kind(GROUP, "balance: the total is off by a cent", balance_field("totalBalance", "entries"))
class BalanceOffByCent(Altered):
    def in_balance(self, report: Row) -> None:
        report["totalBalance"] = round(report["totalBalance"] + 0.01, 2)


@kind(GROUP, "income: the total income is off by a cent", income_field("totalIncome", "netIncome", "entries"))
class IncomeOffByCent(Altered):
    def in_income(self, report: Row, query: dict[str, str]) -> None:
        report["totalIncome"] = round(report["totalIncome"] - 0.01, 2)
        report["netIncome"] = round(report["netIncome"] - 0.01, 2)


@kind(GROUP, "income: net income is off by a cent from income less expenses", income_field("netIncome"))
class NetOffByCent(Altered):
    def in_income(self, report: Row, query: dict[str, str]) -> None:
        for one in (report, *report["entries"]):
            one["netIncome"] = round(one["netIncome"] + 0.01, 2)


@kind(GROUP, "income: net income is expenses less income", income_field("netIncome"))
class NetReversed(Altered):
    def in_income(self, report: Row, query: dict[str, str]) -> None:
        for one in (report, *report["entries"]):
            one["netIncome"] = -one["netIncome"]


@kind(
    GROUP, "income: the totals have income and expenses swapped", income_field("totalIncome", "totalExpenses")
)
class TotalsSwapped(Altered):
    def in_income(self, report: Row, query: dict[str, str]) -> None:
        report["totalIncome"], report["totalExpenses"] = report["totalExpenses"], report["totalIncome"]


@kind(
    GROUP,
    "income: expenses are negative and subtracted all the same",
    income_field("totalExpenses", "netIncome"),
)
class NegativeExpenses(Altered):
    """Income 10, expenses -3, net 13 in the entry and 7 in the total."""

    def in_income(self, report: Row, query: dict[str, str]) -> None:
        for one in report["entries"]:
            one["totalExpenses"] = -one["totalExpenses"]
            one["netIncome"] = round(one["totalIncome"] - one["totalExpenses"], 2)


@kind(GROUP, "reports: a currency that does not exist", balance_field("currency"), income_field("currency"))
class UnknownCurrency(Service):
    currency = "XEU$"


@kind(
    GROUP,
    "reports: the currency is an object, not a string",
    balance_field("currency"),
    income_field("currency"),
)
class CurrencyAsObject(Altered):
    def in_balance(self, report: Row) -> None:
        report["currency"] = {"value": "EUR", "name": "Euro"}

    def in_income(self, report: Row, query: dict[str, str]) -> None:
        report["currency"] = {"value": "EUR", "name": "Euro"}


@kind(GROUP, "reports: one is in euros, the other in dollars", ANY)
class TwoCurrencies(Altered):
    def in_income(self, report: Row, query: dict[str, str]) -> None:
        report["currency"] = "USD"


@kind(GROUP, "reports: one id, two names", ANY)
class TwoNames(Altered):
    def in_income(self, report: Row, query: dict[str, str]) -> None:
        for one in report["entries"]:
            one["customerName"] = "Globex Ltd"


@kind(
    GROUP,
    "income: the period goes beyond the one asked for",
    income_field("startPeriod", "endPeriod"),
    INCOME,
)
class PeriodTooLong(Service):
    def income(self, request: Request, path_id: str) -> Any:
        rest = {
            name: value for name, value in request.query.items() if name not in ("start_date", "end_date")
        }
        whole = Request(request.method, request.parts, rest, request.headers, request.content)
        return super().income(whole, path_id)


@kind(GROUP, "income: end_date is ignored", income_field("endPeriod"), INCOME)
class EndIgnored(Service):
    def period(self, query: dict[str, str]) -> tuple[str, str]:
        start, end = super().period(query)
        return start, "2026-12-31" if query.get("end_date") and "start_date" in query else end


@kind(GROUP, "income: the period is told backwards", income_field("startPeriod", "endPeriod"), INCOME)
class PeriodBackwards(Altered):
    def in_income(self, report: Row, query: dict[str, str]) -> None:
        report["startPeriod"], report["endPeriod"] = report["endPeriod"], report["startPeriod"]


@kind(
    GROUP,
    "reports: amounts are strings",
    balance_field("balance", "entries", "totalBalance"),
    income_field("totalIncome"),
)
class AmountsAsText(Service):
    def money(self, cents: int) -> Any:
        return f"{cents / 100:,.2f}"


@kind(GROUP, "balance: the total is NaN, which is no JSON", BALANCE)
class NotANumber(Altered):
    def in_balance(self, report: Row) -> None:
        report["totalBalance"] = float("nan")


@kind(GROUP, "income: netIncome is missing", income_field("netIncome"))
class NetMissing(Altered):
    def in_income(self, report: Row, query: dict[str, str]) -> None:
        del report["netIncome"]


@kind(GROUP, "income: entries come as an object by customer", income_field("entries"))
class EntriesAsObject(Altered):
    def in_income(self, report: Row, query: dict[str, str]) -> None:
        report["entries"] = {one.pop("customerId"): one for one in report["entries"]}


@kind(GROUP, "balance: the income report comes instead", BALANCE)
class WrongReport(Service):
    def balance(self, request: Request, path_id: str) -> Any:
        return self.income(request, path_id)


@kind(GROUP, "receipt: a PDF is called JSON", RECEIPT)
class PdfAsJson(Service):
    def receipt_of(self, transaction: str) -> Answer:
        return Answer(content=self.receipt_pdf(transaction), kind="application/json")


@kind(GROUP, "receipt: JSON is called a PDF", RECEIPT)
class JsonAsPdf(Service):
    def receipt_of(self, transaction: str) -> Answer:
        return Answer(content=json.dumps(self.receipt_json(transaction)).encode(), kind="application/pdf")


@kind(GROUP, "receipt: the PDF is cut off", RECEIPT)
class PdfCut(Service):
    def receipt_pdf(self, transaction: str) -> bytes:
        return super().receipt_pdf(transaction)[:400]


@kind(GROUP, "receipt: the PDF was decoded as text and is broken", RECEIPT)
class PdfAsText(Service):
    """What any client library does that takes an answer for a string."""

    def receipt_pdf(self, transaction: str) -> bytes:
        whole = super().receipt_pdf(transaction)
        return json.dumps(whole.decode("latin-1")).encode()


@kind(GROUP, "receipt: the JSON is cut off", RECEIPT)
class JsonCut(Service):
    def receipt_of(self, transaction: str) -> Answer:
        whole = json.dumps(self.receipt_json(transaction)).encode()
        return Answer(content=whole[: len(whole) * 2 // 3])


@kind(GROUP, "receipt: every transaction gets the same one", RECEIPT)
class SameReceipt(Service):
    def receipt_of(self, transaction: str) -> Answer:
        return Answer(self.receipt_json("181"))


@kind(GROUP, "receipt: a transaction that does not exist gets one too", RECEIPT)
class ReceiptForNobody(Service):
    def receipt(self, request: Request, path_id: str) -> Any:
        return (
            self.receipt_of("181")
            if request.query.get("customer_transaction_id")
            else super().receipt(request, path_id)
        )


@kind(GROUP, "receipt: an empty answer that calls itself a PDF", RECEIPT)
class EmptyPdf(Service):
    def receipt_pdf(self, transaction: str) -> bytes:
        return b""
