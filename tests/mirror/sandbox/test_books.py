"""Reports that add up, and receipts as JSON and as PDF."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

import httpx
import pytest

BALANCE = "/v0/unified/accounting/customer-balance"
INCOME = "/v0/unified/accounting/customer-income"
RECEIPT = "/v0/unified/accounting/payment-receipt"


def exact(report: Any, name: str) -> Decimal:
    return sum((Decimal(str(entry[name])) for entry in report["entries"]), Decimal(0))


def test_the_balances_add_up(clean: httpx.Client) -> None:
    report = clean.get(BALANCE, params={"customer": "all"}).json()
    assert set(report) == {"reportName", "reportDate", "currency", "entries", "totalBalance"}
    assert len(report["entries"]) == 40
    assert exact(report, "balance") == Decimal(str(report["totalBalance"]))
    assert len({entry["customerName"] for entry in report["entries"]}) == 40


def test_the_incomes_add_up_and_a_year_is_its_months(clean: httpx.Client) -> None:
    def asked(**params: str) -> Any:
        return clean.get(INCOME, params={"customer": "1,3, 5", **params}).json()

    report = asked(start_date="2024-01-01", end_date="2024-12-31")
    for name in ("totalIncome", "totalExpenses", "netIncome"):
        assert exact(report, name) == Decimal(str(report[name]))
    for entry in report["entries"]:
        net = Decimal(str(entry["totalIncome"])) - Decimal(str(entry["totalExpenses"]))
        assert net == Decimal(str(entry["netIncome"]))
    halves = [
        asked(start_date="2024-01-01", end_date="2024-06-30"),
        asked(start_date="2024-07-01", end_date="2024-12-31"),
    ]
    assert sum(Decimal(str(half["totalIncome"])) for half in halves) == Decimal(str(report["totalIncome"]))
    assert (asked(date_macro="Last Year")["startPeriod"], asked()["startPeriod"]) == (
        "2024-01-01",
        "2025-01-01",
    )
    incomes = [entry["totalIncome"] for entry in asked(sort_order="descend")["entries"]]
    assert incomes == sorted(incomes, reverse=True)


@pytest.mark.parametrize("path", [BALANCE, INCOME])
def test_report_input_is_checked(clean: httpx.Client, path: str) -> None:
    missing = clean.get(path)
    assert missing.status_code == 400
    assert missing.json()["issues"][0]["path"] == ["customer"]
    wrong = clean.get(path, params={"customer": "1", "start_date": "never"})
    assert wrong.status_code == 400
    assert wrong.json()["code"] == "INTERNAL_SERVER_ERROR"
    assert clean.get(path, params={"customer": "nobody"}).json()["entries"] == []


def test_receipts(clean: httpx.Client) -> None:
    assert clean.get(RECEIPT, params={"customer_transaction_id": "1003"}).json()["Payment"]["Id"] == "1003"
    answer = clean.get(RECEIPT, params={"customer_transaction_id": "1002"})
    assert answer.headers["content-type"] == "application/pdf"
    pdf = answer.content
    assert pdf.startswith(b"%PDF-1.4")
    start = int(re.findall(rb"startxref\n(\d+)\n%%EOF", pdf)[0])
    assert pdf[start : start + 4] == b"xref"
    for number, offset in enumerate(re.findall(rb"(\d{10}) 00000 n", pdf), start=1):
        assert pdf[int(offset) :].startswith(b"%d 0 obj" % number)
    assert clean.get(RECEIPT, params={"customer_transaction_id": "9"}).status_code == 404
    assert clean.get(RECEIPT).json()["issues"][0]["path"] == ["customer_transaction_id"]
