"""Accounting: customer balance (contract 2.9, endpoint 10), customer income (2.10, 11), payment receipts
(2.11, 12).
"""

from typing import Annotated

from explorer.catalog.spec import ABSENT, Input, Observed, Record, Report, Resource, Vertical, columns_of


class BalanceEntry(Record):
    """One customer's line in the balance report."""

    customerId: str = ABSENT
    customerName: str = ABSENT
    balance: float | int = ABSENT


class BalanceReport(Record):
    """Answer of endpoint 10 (contract 2.9)."""

    reportName: str = ABSENT
    reportDate: str = ABSENT
    currency: str = ABSENT
    entries: list[BalanceEntry] = ABSENT
    totalBalance: float | int = ABSENT


class IncomeEntry(Record):
    """One customer's line in the income report."""

    customerId: str = ABSENT
    customerName: str = ABSENT
    totalIncome: float | int = ABSENT
    totalExpenses: float | int = ABSENT
    netIncome: float | int = ABSENT


class IncomeReport(Record):
    """Answer of endpoint 11 (contract 2.10): every top-level field is required."""

    reportName: str
    startPeriod: str
    endPeriod: str
    currency: str
    entries: list[IncomeEntry]
    totalIncome: float | int
    totalExpenses: float | int
    netIncome: float | int


_ONLY_OBSERVED = Observed(only_observed=True)


class BalanceQuery(Input):
    """Query of endpoint 10: not in the contract, all of it observed."""

    customer: Annotated[str, Observed(required=True, only_observed=True)] = ABSENT
    start_date: Annotated[str, _ONLY_OBSERVED] = ABSENT
    end_date: Annotated[str, _ONLY_OBSERVED] = ABSENT
    sort_order: Annotated[str, _ONLY_OBSERVED] = ABSENT
    department: Annotated[str, _ONLY_OBSERVED] = ABSENT
    date_macro: Annotated[str, _ONLY_OBSERVED] = ABSENT
    summarize_by: Annotated[str, _ONLY_OBSERVED] = ABSENT


class IncomeQuery(Input):
    """Query of endpoint 11."""

    customer: str
    start_date: str = ABSENT
    end_date: str = ABSENT
    sort_order: str = ABSENT
    department: str = ABSENT
    date_macro: str = ABSENT
    summarize_by: str = ABSENT


class ReceiptQuery(Input):
    """Query of endpoint 12: not in the contract, observed."""

    customer_transaction_id: Annotated[str, Observed(required=True, only_observed=True)] = ABSENT


CUSTOMER_BALANCE = Resource(
    key="accounting/customer-balance",
    title="Customer balance",
    record=BalanceEntry,
    label=("customerName",),
    columns=columns_of(BalanceEntry, customerName=240, balance=130),
    operations=(
        Report(
            key="accounting/customer-balance",
            number=10,
            title="Customer balance report",
            method="GET",
            path="/v0/unified/accounting/customer-balance",
            query=BalanceQuery,
            answer=BalanceReport,
            entries="entries",
        ),
    ),
)

CUSTOMER_INCOME = Resource(
    key="accounting/customer-income",
    title="Customer income",
    record=IncomeEntry,
    label=("customerName",),
    columns=columns_of(IncomeEntry, customerName=240, totalIncome=130, totalExpenses=130, netIncome=130),
    operations=(
        Report(
            key="accounting/customer-income",
            number=11,
            title="Customer income report",
            method="GET",
            path="/v0/unified/accounting/customer-income",
            query=IncomeQuery,
            answer=IncomeReport,
            entries="entries",
        ),
    ),
)

PAYMENT_RECEIPTS = Resource(
    key="accounting/payment-receipt",
    title="Payment receipts",
    icon="receipt",
    operations=(
        Report(
            key="accounting/payment-receipt",
            number=12,
            title="Payment receipt",
            method="GET",
            path="/v0/unified/accounting/payment-receipt",
            query=ReceiptQuery,
            note="The response may be JSON or a PDF file: this was observed, the contract does not say.",
        ),
    ),
)

ACCOUNTING = Vertical(
    key="accounting", title="Accounting", resources=(CUSTOMER_BALANCE, CUSTOMER_INCOME, PAYMENT_RECEIPTS)
)
