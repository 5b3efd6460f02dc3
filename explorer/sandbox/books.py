"""The accounting reports and payment receipts (endpoints 10 to 12); amounts are kept in cents: sums are exact."""

from __future__ import annotations

from calendar import monthrange
from datetime import date
from typing import Any

from starlette.responses import Response

from explorer.sandbox.calls import Call
from explorer.sandbox.conversions import MISSING
from explorer.sandbox.draw import Draw, words
from explorer.sandbox.failures import as_json
from explorer.sandbox.inputs import Input
from explorer.sandbox.thirdparty.shape import Json

CUSTOMERS = 40
PAYMENTS = range(1001, 1241)
TODAY = date(2025, 11, 15)
"""The day that the sandbox's books take for today; a fixed one, so that reports do not change overnight."""


def customer_name(number: int) -> str:
    """Name of the customer with a number from 1 to `CUSTOMERS`."""
    companies = words()["companies"]
    return str(companies[(number - 1) % len(companies)]) + ("" if number <= len(companies) else " (2)")


def chosen_customers(customer: str, department: str | None) -> list[int]:
    """The customers that a comma-separated list of numbers names, or all of them for `all`; others are left out."""
    every = range(1, CUSTOMERS + 1)
    names = {part.strip() for part in customer.split(",")}
    found = [number for number in every if customer.strip() == "all" or str(number) in names]
    return [number for number in found if not department or str(number % 3 + 1) == department]


def balance_cents(seed: int, number: int, day: date) -> int:
    """What a customer owes on a day; seldom negative, seldom nothing."""
    draw = Draw(seed, "balance", number, day.year, day.month)
    return 0 if draw.chance(0.1) else draw.below(2_000_000) - 200_000


def income_cents(seed: int, number: int, start: date, end: date) -> tuple[int, int]:
    """Income and expenses of a customer in a period, both days included; whole months add up to a year."""
    income = expenses = 0
    year, month = start.year, start.month
    while (year, month) <= (end.year, end.month):
        days = monthrange(year, month)[1]
        first = start.day if (year, month) == (start.year, start.month) else 1
        last = end.day if (year, month) == (end.year, end.month) else days
        draw = Draw(seed, "income", number, year, month)
        share = last - first + 1
        income += draw.below(900_000) * share // days
        expenses += draw.below(500_000) * share // days
        year, month = (year, month + 1) if month < 12 else (year + 1, 1)
    return income, expenses


def period(start: date | None, end: date | None, macro: str | None) -> tuple[date, date]:
    """The period that the dates or a named period mean; without any of them this year to date."""
    year_start = date(TODAY.year, 1, 1)
    if start or end:
        last = end or TODAY
        return start or date(last.year, 1, 1), last
    if macro == "Last Month":
        return date(2025, 10, 1), date(2025, 10, 31)
    if macro == "This Month":
        return date(2025, 11, 1), TODAY
    if macro in ("Last Year", "Last Fiscal Year"):
        return date(TODAY.year - 1, 1, 1), date(TODAY.year - 1, 12, 31)
    return year_start, TODAY


def payment(seed: int, number: int) -> Json:
    """A payment in the form that the accounting system gives it."""
    draw = Draw(seed, "payment", number)
    customer = draw.below(CUSTOMERS) + 1
    amount = (draw.below(500_000) + 100) / 100
    line = {"Amount": amount, "LinkedTxn": [{"TxnId": str(draw.below(900) + 100), "TxnType": "Invoice"}]}
    return {
        "Payment": {
            "Id": str(number),
            "CustomerRef": {"value": str(customer), "name": customer_name(customer)},
            "DepositToAccountRef": {"value": "4"},
            "TotalAmt": amount,
            "UnappliedAmt": 0,
            "ProcessPayment": False,
            "TxnDate": f"2025-{draw.below(11) + 1:02d}-{draw.below(28) + 1:02d}",
            "CurrencyRef": {"value": "EUR", "name": "Euro"},
            "Line": [line],
            "PrivateNote": draw.pick([None, "", "Danke!", "تم الدفع", "已付款"]),
            "MetaData": {
                "CreateTime": "2025-02-03T04:05:06-08:00",
                "LastUpdatedTime": "2025-02-03T04:05:06-08:00",
            },
        },
        "time": "2025-11-15T09:30:00.000-08:00",
    }


def receipt_pdf(seed: int, number: int) -> bytes:
    """A receipt as a PDF of one page, with a true cross-reference table."""
    made = payment(seed, number)["Payment"]
    lines = [f"Receipt {number}", f"Date {made['TxnDate']}", f"Amount EUR {made['TotalAmt']:.2f}"]
    shown = " ".join(f"({line}) Tj 0 -24 Td" for line in lines)
    content = f"BT /F1 18 Tf 72 720 Td {shown} ET".encode("ascii")
    font = b"/Resources << /Font << /F1 5 0 R >> >>"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R %s >>" % font,
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    body = b"%PDF-1.4\n"
    offsets = []
    for index, written in enumerate(objects, start=1):
        offsets.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (index, written)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    end = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, len(body))
    return body + b"xref\n0 %d\n0000000000 65535 f \n%s%s" % (len(objects) + 1, table, end)


CURRENCY = "EUR"


def _asked(call: Call) -> dict[str, Any]:
    """The seven parameters that both reports take; `customer` is required (contract 4, observed for balances)."""
    read = Input(dict(call.query), call.procedure)
    asked = {"customer": read.text("customer", required=True)}
    for name in ("start_date", "end_date", "sort_order", "department", "date_macro", "summarize_by"):
        value = read.text(name)
        asked[name] = None if value is MISSING else value
    read.done()
    call.able()
    return asked


def _day(call: Call, text: str | None) -> date | None:
    if not text:
        return None
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        fault = {
            "Fault": {
                "Error": [{"Message": f"Invalid date: {text}", "code": "2030"}],
                "type": "ValidationFault",
            }
        }
        raise call.third_party("accounting", 400, fault) from None


def _ordered(entries: list[Json], by: str, order: str | None) -> list[Json]:
    return sorted(entries, key=lambda entry: entry[by], reverse=order == "descend") if order else entries


def customer_balance(call: Call) -> Response:
    """Endpoint 10."""
    asked = _asked(call)
    start, end = _day(call, asked["start_date"]), _day(call, asked["end_date"])
    day = period(start, end, asked["date_macro"])[1]
    seed, defects = call.sandbox.config.seed, call.reached.defects
    cents = {n: balance_cents(seed, n, day) for n in chosen_customers(asked["customer"], asked["department"])}
    entries: list[Json] = [
        {"customerId": str(n), "customerName": customer_name(n), "balance": value / 100}
        for n, value in cents.items()
    ]
    entries = _ordered(entries, "balance", asked["sort_order"])
    total = sum(cents.values()) / 100
    if "balance-customer-twice" in defects and entries:
        entries.append(dict(entries[0]))
        total = round(total + entries[0]["balance"], 2)
    if "balance-number-text" in defects and entries:
        entries[-1]["balance"] = "1.234,56"
    if "balance-total-broken" in defects:
        total = round(total + 100.01, 2)
    return as_json(
        {
            "reportName": "CustomerBalance",
            "reportDate": day.isoformat(),
            "currency": CURRENCY,
            "entries": entries,
            "totalBalance": total,
        }
    )


def customer_income(call: Call) -> Response:
    """Endpoint 11; every field at the top is required (contract 2.10)."""
    asked = _asked(call)
    start, end = period(_day(call, asked["start_date"]), _day(call, asked["end_date"]), asked["date_macro"])
    seed, defects = call.sandbox.config.seed, call.reached.defects
    entries: list[Json] = []
    income = expenses = 0
    for number in chosen_customers(asked["customer"], asked["department"]):
        gained, spent = income_cents(seed, number, start, end)
        income, expenses = income + gained, expenses + spent
        figures = {
            "totalIncome": gained / 100,
            "totalExpenses": spent / 100,
            "netIncome": (gained - spent) / 100,
        }
        entries.append({"customerId": str(number), "customerName": customer_name(number), **figures})
    entries = _ordered(entries, "totalIncome", asked["sort_order"])
    report: Json = {
        "reportName": "CustomerIncome",
        "startPeriod": start.isoformat(),
        "endPeriod": end.isoformat(),
        "currency": CURRENCY,
        "entries": entries,
        "totalIncome": income / 100,
        "totalExpenses": expenses / 100,
        "netIncome": (income - expenses) / 100,
    }
    if "income-net-broken" in defects and entries:
        entries[0]["netIncome"] = round(entries[0]["netIncome"] + 0.01, 2)
    if "income-total-broken" in defects:
        report["totalIncome"] = round(report["totalIncome"] + 1000, 2)
    if "income-period-reversed" in defects:
        report["startPeriod"], report["endPeriod"] = TODAY.isoformat(), "2020-01-01"
    if "income-currency-missing" in defects:
        del report["currency"]
    return as_json(report)


def payment_receipt(call: Call) -> Response:
    """Endpoint 12: JSON for odd transactions, the bytes of a PDF for even ones (both observed)."""
    read = Input(dict(call.query), call.procedure)
    ident = read.text("customer_transaction_id", required=True)
    read.done()
    call.able()
    number = int(ident) if ident.isascii() and ident.isdigit() else 0
    if number not in PAYMENTS:
        fault = {
            "Fault": {"Error": [{"Message": "Object Not Found", "code": "610"}], "type": "ValidationFault"}
        }
        raise call.third_party("accounting", 404, fault)
    seed = call.sandbox.config.seed
    if number % 2:
        return as_json(payment(seed, number))
    kind = "application/json" if "receipt-wrong-type" in call.reached.defects else "application/pdf"
    return Response(receipt_pdf(seed, number), headers={"content-type": kind})
