"""The accounting reports and payment receipts (endpoints 10 to 12)."""

from __future__ import annotations

from datetime import date
from typing import Any

from starlette.responses import Response

from explorer.sandbox.calls import Call
from explorer.sandbox.conversions import MISSING
from explorer.sandbox.failures import as_json
from explorer.sandbox.inputs import Input
from explorer.sandbox.thirdparty.accounting import (
    PAYMENTS,
    TODAY,
    balance_cents,
    chosen_customers,
    customer_name,
    income_cents,
    payment,
    period,
    receipt_pdf,
)

Json = dict[str, Any]

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
