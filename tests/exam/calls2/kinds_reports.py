"""Reports about another customer, period or sum than was asked, and receipts that are none."""

from __future__ import annotations

import json
from datetime import date, timedelta
from typing import Any

from tests.exam.calls.service import Service
from tests.exam.calls.web import Answer, Request
from tests.exam.calls.world import Payer, Row
from tests.exam.calls2.kinds import ANY, BALANCE, INCOME, RECEIPTS, kind


@kind("reports", "both: the customer is ignored, all are told of", BALANCE, INCOME)
class Everyone(Service):
    def asked(self, query: dict[str, str]) -> list[Payer]:
        super().asked(query)
        return self.world.payers


@kind("reports", "balance: the entries of one customer, the total of all", BALANCE)
class TotalOfAll(Service):
    def balance(self, request: Request, _: str) -> Any:
        made: Row = super().balance(request, _)
        due = [
            self.total(one, "invoice", "", "9") - self.total(one, "payment", "", "9")
            for one in self.world.payers
        ]
        return {**made, "totalBalance": self.money(sum(due))}


@kind("reports", "income: expenses are added instead of taken off", INCOME)
class WrongSign(Service):
    def sums(self, earned: int, spent: int) -> Row:
        return {**super().sums(earned, spent), "netIncome": self.money(earned + spent)}


@kind("reports", "income: the entry's net is its income", INCOME)
class EntryNet(Service):
    def income(self, request: Request, _: str) -> Any:
        made: Row = super().income(request, _)
        made["entries"] = [{**one, "netIncome": one["totalIncome"]} for one in made["entries"]]
        return made


@kind("reports", "income: the dates are ignored and the whole year is told", INCOME)
class WholeYear(Service):
    def period(self, query: dict[str, str]) -> tuple[str, str]:
        kept = ("customer", "date_macro")
        return super().period({key: value for key, value in query.items() if key in kept})


@kind("reports", "income: says the period that was asked, and sums the whole year", INCOME)
class SaysThePeriod(Service):
    def total(self, payer: Payer, kind: str, start: str, end: str) -> int:
        return super().total(payer, kind, "2025-01-01" if start else "", "2025-12-31")


@kind("reports", "income: the last day of a period is not counted", INCOME)
class LastDay(Service):
    """Invoices are written on the last day of the month, so that every month's sum shows it."""

    def prepare(self) -> None:
        for payer in self.world.payers:
            for one in payer.bookings:
                month = date.fromisoformat(one.day).replace(day=28) + timedelta(days=4)
                one.day = (month.replace(day=1) - timedelta(days=1)).isoformat()

    def total(self, payer: Payer, kind: str, start: str, end: str) -> int:
        before = (date.fromisoformat(end) - timedelta(days=1)).isoformat()
        return super().total(payer, kind, start, before)


@kind("reports", "income and balance of one customer are in two currencies, the sums in one", BALANCE, INCOME)
class TwoCurrencies(Service):
    def balance(self, request: Request, _: str) -> Any:
        return {**super().balance(request, _), "currency": "USD"}


@kind("reports", "balance: the entry is that of the customer after it", BALANCE)
class NextCustomer(Service):
    def balance(self, request: Request, _: str) -> Any:
        payers = self.world.payers
        ids = [one.id for one in payers]
        if request.query.get("customer") not in ids:
            return super().balance(request, _)
        after = payers[(ids.index(request.query["customer"]) + 1) % len(ids)]
        query = {**request.query, "customer": after.id}
        return super().balance(
            Request(request.method, request.parts, query, request.headers, request.content), _
        )


@kind("reports", "income: sums are texts with a comma in them", INCOME)
class TextMoney(Service):
    def sums(self, earned: int, spent: int) -> Row:
        return {key: f"{value:,.2f}" for key, value in super().sums(earned, spent).items()}


@kind("reports", "income: currency is left out", INCOME)
class NoCurrency(Service):
    def income(self, request: Request, _: str) -> Any:
        return {key: value for key, value in super().income(request, _).items() if key != "currency"}


@kind("reports", "income: start and end of the period are swapped in the answer", INCOME)
class SwappedPeriod(Service):
    def income(self, request: Request, _: str) -> Any:
        made: Row = super().income(request, _)
        return {**made, "startPeriod": made["endPeriod"], "endPeriod": made["startPeriod"]}


@kind("reports", "both: an unknown customer gets the report of all", BALANCE, INCOME, ANY)
class UnknownGetsAll(Service):
    def asked(self, query: dict[str, str]) -> list[Payer]:
        return super().asked(query) or self.world.payers


@kind("reports", "balance: the customer has two entries, and the total counts both", BALANCE)
class TwoEntries(Service):
    def asked(self, query: dict[str, str]) -> list[Payer]:
        return [one for one in super().asked(query) for _ in range(2)]


@kind("reports", "income: date_macro is ignored", INCOME, BALANCE)
class MacroIgnored(Service):
    def period(self, query: dict[str, str]) -> tuple[str, str]:
        return super().period({key: value for key, value in query.items() if key != "date_macro"})


@kind("reports", "income: the customer has another name than in the balance", INCOME, BALANCE)
class OtherName(Service):
    def income(self, request: Request, _: str) -> Any:
        made: Row = super().income(request, _)
        name = self.world.payers[-1].name
        return {**made, "entries": [{**one, "customerName": name} for one in made["entries"]]}


@kind("reports", "income: the total is rounded to whole units, the entries are not", INCOME)
class RoundedTotal(Service):
    def income(self, request: Request, _: str) -> Any:
        made: Row = super().income(request, _)
        return {
            **made,
            **{name: float(round(made[name], -2)) for name in ("totalIncome", "totalExpenses", "netIncome")},
        }


@kind("reports", "balance: reportDate is the day of the call, whatever end was asked", BALANCE)
class ReportedToday(Service):
    def balance(self, request: Request, _: str) -> Any:
        today = self.period({"date_macro": "today"})[1]
        return {**super().balance(request, _), "reportDate": today}


@kind("reports", "income: no entries although the totals are not zero", INCOME)
class NoEntries(Service):
    def income(self, request: Request, _: str) -> Any:
        return {**super().income(request, _), "entries": []}


@kind("reports", "balance: entries is an object by customer", BALANCE)
class EntriesByCustomer(Service):
    def balance(self, request: Request, _: str) -> Any:
        made: Row = super().balance(request, _)
        return {**made, "entries": {one["customerId"]: one for one in made["entries"]}}


@kind("receipts", "whatever is asked, the first transaction's receipt comes", RECEIPTS)
class FirstReceipt(Service):
    def receipt_of(self, transaction: str) -> Answer:
        return Answer(self.receipt_json(self.world.transactions[0]))


@kind("receipts", "a PDF that is called JSON", RECEIPTS)
class PdfAsJson(Service):
    def receipt_of(self, transaction: str) -> Answer:
        return Answer(content=self.receipt_pdf(transaction), kind="application/json")


@kind("receipts", "a PDF that ends in its middle", RECEIPTS)
class HalfPdf(Service):
    def receipt_pdf(self, transaction: str) -> bytes:
        whole = super().receipt_pdf(transaction)
        return whole[: len(whole) // 2]


@kind("receipts", "the sign-in page of the third party with 200", RECEIPTS)
class SignInPage(Service):
    def receipt_of(self, transaction: str) -> Answer:
        page = (
            "<!doctype html><html><head><title>Sign in - Accounting</title></head><body>Sign in</body></html>"
        )
        return Answer(content=page.encode(), kind="text/html; charset=utf-8")


@kind("receipts", "a PDF that is a JSON text of a byte array", RECEIPTS)
class BytesAsText(Service):
    """A buffer that was put into JSON as it is."""

    def receipt_of(self, transaction: str) -> Answer:
        data = list(self.receipt_pdf(transaction))
        return Answer(content=json.dumps({"type": "Buffer", "data": data}).encode(), kind="application/pdf")


@kind("receipts", "a fault of the third party with 200", RECEIPTS)
class FaultReceipt(Service):
    def receipt_of(self, transaction: str) -> Answer:
        fault = {
            "Message": "Object Not Found",
            "Detail": "Something you are trying to use is inactive",
            "code": "610",
        }
        return Answer({"Fault": {"Error": [fault], "type": "ValidationFault"}})
