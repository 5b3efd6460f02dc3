"""Reports: which totals must be there, and that numbers stay as they are."""

import json

import pytest
from pydantic import ValidationError

from explorer.catalog.builtin.accounting import BalanceQuery, BalanceReport, IncomeQuery, IncomeReport

INCOME = {
    "reportName": "Income",
    "startPeriod": "2026-01-01",
    "endPeriod": "2026-12-31",
    "currency": "EUR",
    "entries": [{"customerId": "1", "netIncome": 0.1}],
    "totalIncome": 3,
    "totalExpenses": 2.9,
    "netIncome": 0.1,
}


@pytest.mark.parametrize("missing", INCOME)
def test_every_field_of_the_income_report_is_required(missing: str) -> None:
    IncomeReport.model_validate_json(json.dumps(INCOME))
    with pytest.raises(ValidationError) as caught:
        IncomeReport.model_validate_json(json.dumps({k: v for k, v in INCOME.items() if k != missing}))
    assert [e["loc"] for e in caught.value.errors()] == [(missing,)]


def test_nothing_of_the_balance_report_is_required() -> None:
    assert BalanceReport.model_validate_json("{}").model_fields_set == set()


def test_customer_is_required_by_contract_in_one_report_only() -> None:
    BalanceQuery()
    with pytest.raises(ValidationError):
        IncomeQuery.model_validate({})
