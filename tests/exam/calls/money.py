"""The two reports and the receipts of a correct service."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

from tests.exam.calls.records import bad
from tests.exam.calls.web import Answer, Request, third_party
from tests.exam.calls.world import Payer, Row, World


class Money:
    """The accounting calls. What a defect changes has a method of its own."""

    world: World
    currency = "EUR"

    def period(self, query: dict[str, str]) -> tuple[str, str]:
        """The first and the last day of what is asked; a whole year when nothing is."""
        today = datetime.now(UTC).date()
        month = today.replace(day=1)
        before = (month - timedelta(days=1)).replace(day=1)
        macros = {
            "today": (today, today),
            "this month": (month, today),
            "this fiscal year": (date(today.year, 1, 1), today),
            "last month": (before, month - timedelta(days=1)),
            "last fiscal year": (date(today.year - 1, 1, 1), date(today.year - 1, 12, 31)),
        }
        macro = (query.get("date_macro") or "").casefold()
        if macro and macro not in macros:
            raise third_party(
                400, "[400 Bad Request] GET https://quickbooks.example/v3/reports\nInvalid date_macro"
            )
        first, last = macros.get(macro, (date(2025, 1, 1), date(2025, 12, 31)))
        start, end = query.get("start_date") or first.isoformat(), query.get("end_date") or last.isoformat()
        for name, value in (("start_date", start), ("end_date", end)):
            try:
                date.fromisoformat(value)
            except ValueError:
                raise bad("Not a date", name) from None
        return start, end

    def asked(self, query: dict[str, str]) -> list[Payer]:
        """Whom a report is about."""
        if not query.get("customer"):
            raise bad("Required", "customer", code="invalid_type")
        return [one for one in self.world.payers if one.id == query["customer"]]

    def total(self, payer: Payer, kind: str, start: str, end: str) -> int:
        """Cents of a kind between two days, both included."""
        return sum(one.cents for one in payer.bookings if one.kind == kind and start <= one.day <= end)

    def money(self, cents: int) -> Any:
        return cents / 100

    def balance(self, request: Request, _: str) -> Any:
        query = dict(request.query)
        payers, end = self.asked(query), self.period(query)[1]
        due = {
            one.id: self.total(one, "invoice", "", end) - self.total(one, "payment", "", end)
            for one in payers
        }
        return {
            "reportName": "CustomerBalance",
            "reportDate": end,
            "currency": self.currency,
            "entries": [
                {"customerId": one.id, "customerName": one.name, "balance": self.money(due[one.id])}
                for one in payers
            ],
            "totalBalance": self.money(sum(due.values())),
        }

    def income(self, request: Request, _: str) -> Any:
        query = dict(request.query)
        payers, (start, end) = self.asked(query), self.period(query)
        entries, incomes, expenses = [], 0, 0
        for one in payers:
            earned, spent = self.total(one, "invoice", start, end), self.total(one, "expense", start, end)
            entries.append({"customerId": one.id, "customerName": one.name, **self.sums(earned, spent)})
            incomes, expenses = incomes + earned, expenses + spent
        return {
            "reportName": "CustomerIncome",
            "startPeriod": start,
            "endPeriod": end,
            "currency": self.currency,
            "entries": entries,
            **self.sums(incomes, expenses),
        }

    def sums(self, earned: int, spent: int) -> Row:
        return {
            "totalIncome": self.money(earned),
            "totalExpenses": self.money(spent),
            "netIncome": self.money(earned - spent),
        }

    def receipt(self, request: Request, _: str) -> Any:
        transaction = request.query.get("customer_transaction_id")
        if not transaction:
            raise bad("Required", "customer_transaction_id", code="invalid_type")
        if transaction not in self.world.transactions:
            raise third_party(
                404, "[404 Not Found] GET https://quickbooks.example/v3/payment\nObject Not Found"
            )
        return self.receipt_of(transaction)

    def receipt_of(self, transaction: str) -> Answer:
        """The first transaction's receipt is JSON, the other's a PDF."""
        if transaction == self.world.transactions[0]:
            return Answer(self.receipt_json(transaction))
        return Answer(content=self.receipt_pdf(transaction), kind="application/pdf")

    def receipt_json(self, transaction: str) -> Row:
        payer = self.world.payers[0]
        payment = {
            "Id": transaction,
            "CustomerRef": {"value": payer.id, "name": payer.name},
            "TotalAmt": 100 + int(transaction) * 1.25,
            "TxnDate": "2025-03-14",
            "CurrencyRef": {"value": self.currency},
        }
        return {"Payment": payment, "time": "2025-03-14T10:00:00.000-07:00"}

    def receipt_pdf(self, transaction: str) -> bytes:
        """A whole PDF of one page."""
        text = f"BT /F1 14 Tf 60 760 Td (Receipt {transaction}) Tj ET".encode("ascii")
        objects = [
            b"<</Type/Catalog/Pages 2 0 R>>",
            b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
            b"<</Length %d>>stream\n%s\nendstream" % (len(text), text),
            b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        ]
        out, places = b"%PDF-1.4\n", []
        for number, one in enumerate(objects, 1):
            places.append(len(out))
            out += b"%d 0 obj\n%s\nendobj\n" % (number, one)
        table = b"".join(b"%010d 00000 n \n" % place for place in places)
        start = len(out)
        out += b"xref\n0 6\n0000000000 65535 f \n" + table
        return out + b"trailer\n<</Size 6/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % start
