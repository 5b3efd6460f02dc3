"""Reports and receipts over HTTP: whose they are, what they add up to, and what their bytes are."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from explorer.quality.engine.check import Run, Verdict
from tests.flow.calls_service import (
    NOBODY,
    Asked,
    Calls,
    Serving,
    bad,
    balance,
    empty,
    failed,
    income,
    the,
    third_party,
    words,
)
from tests.flow.calls_service import serving as service_of_calls
from tests.recording import Reply

BALANCE, INCOME = "accounting/customer-balance", "accounting/customer-income"
RECEIPT = "accounting/payment-receipt"
PDF = b"%PDF-1.4\n1 0 obj\n<< >>\nendobj\nxref\n0 1\ntrailer\n<< >>\nstartxref\n31\n%%EOF\n"


@pytest.fixture(scope="module")
def service() -> Iterator[Serving]:
    with service_of_calls() as made:
        yield made


def entry(ident: str = "7", name: str = "Ada Ltd", **figures: Any) -> dict[str, Any]:
    return {"customerId": ident, "customerName": name, **figures}


def reports(service: Serving, customer: str = "7", **calls: Callable[[Asked, Any], Any]) -> Run:
    return service.run(Calls(change=calls), BALANCE, INCOME, customer=customer, only=("reports",))


def to(**fields: Any) -> Callable[[Asked, Any], Any]:
    """Reports with other values; of the halves of the year the first has them too, the second is empty."""

    def change(asked: Asked, report: Any) -> Any:
        if asked.query["customer"] == NOBODY or report["entries"] == []:
            return report
        half = asked.query["end_date"] != "2025-12-31"
        rest = {n: v for n, v in fields.items() if not (half and n.endswith("Period"))}
        return {n: v for n, v in {**report, **rest}.items() if v is not ...}

    return change


def test_a_sound_service_holds(service: Serving) -> None:
    run = reports(service)
    assert bad(run) == set()
    assert {r.check.id for r in run.results if r.verdict is Verdict.SKIPPED} == {"reports.net"}


LEGAL: dict[str, dict[str, Callable[[Asked, Any], Any]]] = {
    "dust in the sums": {
        "balance": to(entries=[entry(balance=0.1 + 0.2)], totalBalance=0.3),
        "income": to(
            entries=[entry(totalIncome=0.1 + 0.2, totalExpenses=0.1, netIncome=0.1 + 0.2 - 0.1)],
            totalIncome=0.1 + 0.2,
            totalExpenses=0.1,
            netIncome=0.2,
        ),
    },
    "dust in large sums": {
        "balance": to(entries=[entry(balance=71234567.89)], totalBalance=71234567.89000001)
    },
    "totals in cents of entries with more digits": {
        "balance": to(entries=[entry(balance=10.33333)], totalBalance=10.33)
    },
    "a currency without cents": {
        "balance": to(currency="JPY", entries=[entry(balance=10.4)], totalBalance=10),
        "income": to(currency="JPY"),
    },
    "no entries": {
        "balance": to(entries=[], totalBalance=0),
        "income": to(entries=[], totalIncome=0, totalExpenses=0, netIncome=0),
    },
    "a date of the day it was made": {"balance": to(reportDate="2026-11-20")},
    "dates in the third party's form": {
        "balance": to(reportDate="12/31/2025"),
        "income": to(startPeriod="2025-01-01 00:00:00", endPeriod="1767139199000"),
    },
    "a name in other case": {
        "income": to(
            entries=[entry(name="ADA LTD ", totalIncome=30.5, totalExpenses=10.25, netIncome=20.25)]
        )
    },
    "the customer named by name": {
        "balance": to(entries=[entry("999", "7", balance=10.25)]),
        "income": to(entries=[entry("999", "7", totalIncome=30.5, totalExpenses=10.25, netIncome=20.25)]),
    },
}  # fmt: skip


@pytest.mark.parametrize("name", LEGAL)
def test_what_the_contract_leaves_open_is_no_finding(service: Serving, name: str) -> None:
    run = reports(service, "7", **LEGAL[name])
    assert bad(run) == set(), [r.seen for r in run.bad]


FIGURES = {"totalIncome": 30.5, "totalExpenses": 10.25, "netIncome": 20.25}
WRONG: dict[str, tuple[dict[str, Callable[[Asked, Any], Any]], str]] = {
    "another customer": ({"balance": to(entries=[entry("8", "Bob", balance=10.25)])}, "reports.customer"),
    "all customers": (
        {"balance": to(entries=[entry(balance=10.25), entry("8", "Bob", balance=1)], totalBalance=11.25)},
        "reports.customer",
    ),
    "no known currency": (
        {"balance": to(currency="EURO"), "income": to(currency="EURO")},
        "reports.currency",
    ),
    "a sign for a currency": ({"balance": to(currency="€"), "income": to(currency="€")}, "reports.currency"),
    "two currencies in one": (
        {"balance": to(currency="EUR,USD"), "income": to(currency="EUR,USD")},
        "reports.currency",
    ),
    "currencies that differ": ({"balance": to(currency="USD")}, "reports.alike"),
    "names that differ": ({"balance": to(entries=[entry(name="Grace", balance=10.25)])}, "reports.alike"),
    "a cent too much": ({"balance": to(totalBalance=10.26)}, "reports.sums"),
    "cents as units": ({"balance": to(totalBalance=1025)}, "reports.sums"),
    "entries that are left out": ({"balance": to(totalBalance=510.25)}, "reports.sums"),
    "net with another sign": (
        {"income": to(entries=[entry("7", "Ada Ltd", **{**FIGURES, "netIncome": -20.25})], netIncome=-20.25)},
        "reports.net",
    ),
    "net that adds the expenses": (
        {"income": to(entries=[entry("7", "Ada Ltd", **{**FIGURES, "netIncome": 40.75})], netIncome=40.75)},
        "reports.net",
    ),
    "the period of another year": (
        {"income": to(startPeriod="2024-01-01", endPeriod="2024-12-31")},
        "reports.period",
    ),
    "a day that there is not": ({"income": to(endPeriod="2025-02-30")}, "reports.period"),
    "a date that is none": ({"balance": to(reportDate="Invalid Date")}, "reports.period"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_found_by_the_check_meant_for_it(service: Serving, name: str) -> None:
    calls, check = WRONG[name]
    run = reports(service, "7", **calls)
    assert {one for one, _ in bad(run)} == {check}, [r.seen for r in run.bad]


def test_all_customers_are_no_customer(service: Serving) -> None:
    one = {"customerId": "3"}

    def of_all(asked: Asked, report: Any) -> Any:
        return {**report, "entries": [{**entry, **one} for entry in report["entries"]]}

    run = reports(service, customer="all", income=of_all, balance=of_all)
    assert bad(run) == set()


def test_a_report_that_is_refused_is_told_from_one_that_fails(service: Serving) -> None:
    for reply, verdict in (
        (third_party(400, "no such customer"), Verdict.SUSPECT),
        (failed(500, "Output validation failed"), Verdict.FAILS),
    ):
        calls = Calls(before={"balance": lambda _, reply=reply: reply})  # type: ignore[misc]
        run = service.run(calls, BALANCE, customer="7", only=("reports",))
        assert the(run, "reports.answers").verdict is verdict
    calls = Calls(before={"balance": lambda _: third_party(400, "no such customer")})
    run = service.run(calls, BALANCE, customer="7", only=("reports",))
    assert "no such customer" in words(run, "reports.answers")


def receipts(service: Serving, *replies: Reply) -> Run:
    at = iter(replies)
    names = tuple(str(number) for number in range(len(replies)))
    known = [*names, ""]

    def answer(asked: Asked) -> Reply:
        return next(at) if asked.query["customer_transaction_id"] in known else third_party(404, "no payment")

    calls = Calls(before={"receipt": answer})
    return service.run(calls, RECEIPT, transactions=names, only=("reports",))


def said(body: bytes, kind: str = "application/pdf", status: int = 200) -> Reply:
    return Reply(status, body, (("content-type", kind),) if kind else ())


@pytest.mark.parametrize(
    "reply",
    [
        said(PDF),
        said(PDF + b"\r\n\r\n"),
        said(b"\n" + PDF),
        said(b"%PDF-1.4\n%%EOF\n"),
        said(PDF, "application/octet-stream"),
        said(json.dumps({"Payment": 1}).encode(), "application/json"),
        said(b'"JVBERi0xLjQ="', "application/json; charset=utf-8"),
        said(b"<html><body>Receipt</body></html>", "text/html"),
        said(b"\x89PNG\r\n\x1a\n....IEND\xaeB`\x82", "image/png"),
        said(b"Receipt 7: 10.25 EUR", "text/plain"),
    ],
)
def test_a_sound_receipt(service: Serving, reply: Reply) -> None:
    run = receipts(service, reply)
    assert bad(run) == set(), [r.seen for r in run.bad]


@pytest.mark.parametrize(
    ("reply", "what"),
    [
        (said(PDF[: len(PDF) // 2]), "cut"),
        (said(PDF.replace(b"startxref\n31", b"startxref\n99999")), "cut"),
        (said(b"<!doctype html><title>Sign in</title>"), "HTML"),
        (said(b'{"error":"not found"}'), "application/json"),
        (said(PDF, "application/json"), "application/pdf"),
        (said(b'{"Payment": ', "application/json"), "cut"),
        (said(b""), "empty"),
        (said(b"Not Found"), "text"),
        (said(b"\x89PNG\r\n\x1a\n....IEND\xaeB`\x82"), "image/png"),
    ],
)
def test_a_receipt_that_is_not_what_it_says(service: Serving, reply: Reply, what: str) -> None:
    run = receipts(service, reply)
    assert {check for check, _ in bad(run)} == {"reports.receipt-type"}, [r.seen for r in run.bad]
    assert what in words(run, "reports.receipt-type")


def test_a_receipt_that_fails_beside_a_good_one(service: Serving) -> None:
    run = receipts(service, said(PDF), third_party(404, "no such payment"))
    assert bad(run) == {("reports.answers", "")}
    assert "no such payment" in words(run, "reports.answers")


def test_one_receipt_for_two_payments(service: Serving) -> None:
    run = receipts(service, said(PDF), said(PDF))
    assert {check for check, _ in bad(run)} == {"reports.receipt-once"}


# ---------------------------------------------------------------- asked for otherwise


def whole_year(asked: Asked, report: Any) -> Any:
    """The period is not looked at."""
    return income(asked.query["customer"])


def echoed(asked: Asked, report: Any) -> Any:
    """The period is repeated, and the figures are those of the year."""
    period = {"startPeriod": asked.query["start_date"], "endPeriod": asked.query["end_date"]}
    return income(asked.query["customer"], **period)


def last_day_lost(asked: Asked, report: Any) -> Any:
    """What was booked on the last day of a period does not count: 5.00 on the last of June."""
    if asked.query["end_date"] != "2025-06-30":
        return report
    figures: dict[str, Any] = {"totalIncome": 25.5, "totalExpenses": 10.25, "netIncome": 15.25}
    return {**report, "entries": [entry(**figures)], **figures}


def a_day_early(asked: Asked, report: Any) -> Any:
    """The report names the day before the one that was asked for."""
    named = report["startPeriod"].startswith("2025-01-01") and "start_date" in asked.query
    return {**report, "startPeriod": "2024-12-31"} if named else report


def sold_on(asked: Asked, day: str, *, last: bool = True) -> Any:
    """All was sold on one day; ``last``: the last day of a period counts."""
    start, end = asked.query.get("start_date", "2025-05-01"), asked.query.get("end_date", "2025-05-31")
    made = income(asked.query["customer"], startPeriod=start, endPeriod=end)
    named = "date_macro" in asked.query
    period = {"startPeriod": "2025-05-01", "endPeriod": "2025-05-31"}
    return (
        {**made, **period} if named else made if start <= day < end or (last and day == end) else empty(made)
    )


def last_never_counts(asked: Asked, report: Any) -> Any:
    return sold_on(asked, "2025-05-14", last=False)


def whole_months(asked: Asked, report: Any) -> Any:
    """The days of a period are not heeded: any part of a month has what was sold in all of it."""
    start, end = asked.query.get("start_date", "2025-05-01"), asked.query.get("end_date", "2025-05-31")
    made = income(asked.query["customer"], startPeriod=start, endPeriod=end)
    return made if start[:7] <= "2025-05" <= end[:7] else empty(made)


def other_by_name(asked: Asked, report: Any) -> Any:
    """A period by its name is of another department."""
    if "date_macro" not in asked.query:
        return report
    days = {"Today": ("2025-02-03", "2025-02-03")}.get(
        asked.query["date_macro"], ("2025-02-01", "2025-02-28")
    )
    sums: dict[str, Any] = {"totalIncome": 3.0, "totalExpenses": 1.0, "netIncome": 2.0}
    period = {"startPeriod": "2025-01-01", "endPeriod": "2025-01-31"}
    if asked.query["date_macro"] == "Last Fiscal Year":
        period = dict(zip(period, days, strict=True))
    return {**report, **period, "entries": [entry(**sums)], **sums}


PARTS: dict[str, tuple[Callable[[Asked, Any], Any], str]] = {
    "the period is not looked at": (whole_year, "endPeriod"),
    "the period is only repeated": (echoed, "totalIncome"),
    "the last day is lost": (last_day_lost, "totalIncome"),
    "the last day never counts": (last_never_counts, "totalIncome"),
    "parts of a month are the whole month": (whole_months, "totalIncome"),
    "a period by its name has other totals": (other_by_name, "totalIncome"),
}


@pytest.mark.parametrize("name", PARTS)
def test_the_halves_of_a_period_are_the_whole(service: Serving, name: str) -> None:
    change, field = PARTS[name]
    run = reports(service, income=lambda a, r: r if a.query["customer"] == NOBODY else change(a, r))
    assert ("reports.parts", field) in bad(run)
    assert {check for check, _ in bad(run)} == {"reports.parts"}
    assert {r.verdict for r in run.bad} == {Verdict.SUSPECT}


def test_a_period_that_begins_a_day_before_the_one_asked_for(service: Serving) -> None:
    assert bad(reports(service, income=a_day_early)) == {
        ("reports.period", "startPeriod"),
    }
    in_zone = to(startPeriod="2024-12-31T23:00:00Z")
    assert bad(reports(service, income=in_zone)) == set()


def test_what_was_sold_on_one_day_is_found_on_it(service: Serving) -> None:
    def sound(asked: Asked, report: Any) -> Any:
        return report if asked.query["customer"] == NOBODY else sold_on(asked, "2025-05-14")

    [found] = [
        r
        for r in reports(service, income=sound).results
        if r.check.id == "reports.parts" and r.resource == INCOME
    ]
    assert not [one for one in found.findings if one.field != "date_macro"]


def test_a_period_that_is_only_repeated_is_one_finding(service: Serving) -> None:
    run = reports(service, income=lambda a, r: r if a.query["customer"] == NOBODY else echoed(a, r))
    [found] = [one for result in run.bad for one in result.findings]
    assert "has no effect" in found.sentence


def test_books_that_change_between_two_reports_are_no_finding(service: Serving) -> None:
    figures = iter(range(1, 100))

    def growing(asked: Asked, report: Any) -> Any:
        more = float(next(figures))
        sums: dict[str, Any] = {"totalIncome": more, "totalExpenses": 0.0, "netIncome": more}
        return {**report, "entries": [entry(**sums)], **sums} if report["entries"] else report

    run = reports(service, income=growing)
    assert bad(run) == set()
    assert "changed while they were read" in words(run, "reports.parts", INCOME)


def test_a_customer_that_nobody_has_gets_no_entries(service: Serving) -> None:
    def anybody(asked: Asked, report: Any) -> Any:
        return balance("7")

    run = reports(service, balance=anybody)
    assert bad(run) == {("reports.nobody", "entries[].customerId")}
    refused = {
        "balance": lambda a: third_party(400, "no such customer") if a.query["customer"] == NOBODY else None
    }
    assert bad(service.run(Calls(before=refused), BALANCE, customer="7", only=("reports",))) == set()


def deaf(asked: Asked, report: Any) -> Any:
    """Whoever is asked for, and for whatever time."""
    return income("7", startPeriod="2024-01-01", endPeriod="2024-06-30")


def test_a_year_without_bookings_is_not_what_a_report_is_judged_by(service: Serving) -> None:
    """All was booked in the spring of 2019 or before; then a loss of one customer is no loss in its entry."""

    def long_ago(asked: Asked, report: Any) -> Any:
        if asked.query["customer"] == NOBODY or asked.query.get("start_date", "2020") > "2019":
            return {**report, "entries": [], "totalIncome": 0, "totalExpenses": 0, "netIncome": 0}
        loss = entry("7:2", "Ada Ltd:Two", totalIncome=1.0, totalExpenses=3.0, netIncome=0)
        rows = [entry(totalIncome=5.0, totalExpenses=1.0, netIncome=4.0), loss]
        return {**report, "entries": rows, "totalIncome": 6.0, "totalExpenses": 4.0, "netIncome": 2.0}

    assert ("reports.net", "netIncome") in bad(reports(service, income=long_ago))


def earlier(**fields: Any) -> Callable[[Asked, Any], Any]:
    """Balances that are others at the end of 2020."""

    def change(asked: Asked, report: Any) -> Any:
        if asked.query["customer"] == NOBODY or asked.query["end_date"] != "2020-12-31":
            return report
        sound = {"reportDate": "2020-12-31", "entries": [entry(balance=3.0)], "totalBalance": 3.0}
        return {**report, **sound, **fields}

    return change


@pytest.mark.parametrize(
    ("fields", "field"),
    [({}, ""), ({"totalBalance": 10.25}, "totalBalance"), ({"reportDate": "2025-12-31"}, "reportDate")],
)
def test_a_balance_of_an_earlier_day_holds_together_too(
    service: Serving, fields: dict[str, Any], field: str
) -> None:
    run = reports(service, balance=earlier(**fields))
    assert bad(run) == ({("reports.parts", field)} if field else set())


def test_a_date_of_which_the_day_may_be_the_month_is_seen_in_a_half(service: Serving) -> None:
    def slashed(asked: Asked, report: Any) -> Any:
        year, month, day = report["startPeriod"].split("-")
        return {**report, "startPeriod": f"{day}/{month}/{year}"}

    assert bad(reports(service, income=slashed)) == {("reports.parts", "startPeriod")}


def of_branches(**amounts: float) -> Callable[[Asked, Any], Any]:
    """Reports of 7 and two branches; of a branch alone its own, with ``amounts`` other than that for some."""

    def change(asked: Asked, report: Any) -> Any:
        ident = asked.query["customer"]
        if ident == NOBODY or not report["entries"]:
            return report
        own = {"B1": 30.0, "B2": 12.5, "7": 1.0}
        rows = [
            entry(one, f"Ada Ltd{one.strip('7')}", balance=own[one])
            for one in (own if ident == "7" else (ident,))
        ]
        for row in rows if ident != "7" else ():
            row["balance"] = amounts.get(row["customerId"], row["balance"])
        if order := asked.query.get("sort_order"):
            rows.sort(key=lambda row: float(row["balance"]), reverse=order == "descend")
        return {**report, "entries": rows, "totalBalance": sum(row["balance"] for row in rows)}

    return change


def test_a_customer_alone_has_the_amounts_that_it_has_among_others(service: Serving) -> None:
    assert bad(reports(service, balance=of_branches())) == set()
    run = reports(service, balance=of_branches(B1=3000.0))
    assert bad(run) == {("reports.ways", "entries[].balance")}


def test_an_order_moves_names_and_amounts_together(service: Serving) -> None:
    def names_alone(asked: Asked, report: Any) -> Any:
        made = of_branches()(asked, report)
        if asked.query.get("sort_order") != "ascend" or asked.query["customer"] == NOBODY:
            return made
        rows = made["entries"]
        return {
            **made,
            "entries": [
                {**row, "balance": other["balance"]} for row, other in zip(rows, rows[::-1], strict=True)
            ],
        }

    assert bad(reports(service, balance=names_alone)) == {("reports.ways", "entries[].balance")}

    def fewer(asked: Asked, report: Any) -> Any:
        made = of_branches()(asked, report)
        rows = made["entries"][:1] if "sort_order" in asked.query else made["entries"]
        return {**made, "entries": rows}

    assert ("reports.ways", "entries[].customerId") in bad(reports(service, balance=fewer))


def test_entries_of_those_below_a_customer_are_its_own(service: Serving) -> None:
    def below(asked: Asked, report: Any) -> Any:
        rows = [entry(f"7{more}", "Ada Ltd", balance=1.0) for more in ("", "-1", "--C2")]
        return {**report, "entries": rows, "totalBalance": 3.0} if report["entries"] else report

    assert bad(reports(service, balance=below)) == set()


def with_branches(asked: Asked, report: Any) -> Any:
    """The report of customer 7 is of four others as well, who each have one of their own."""
    if asked.query["customer"] == NOBODY:
        return report
    whom = ("7", "B1", "B2", "B3", "B4") if asked.query["customer"] == "7" else (asked.query["customer"],)
    if "totalBalance" in report:
        rows = [entry(one, f"Branch {one}", balance=1.0) for one in whom]
        return {**report, "entries": rows, "totalBalance": float(len(whom))}
    amount = 2.0 if report["entries"] else 0.0
    sums = {"totalIncome": amount, "totalExpenses": 0.0, "netIncome": amount}
    rows = [entry(one, f"Branch {one}", **sums) for one in whom]
    return {**report, "entries": rows, **{name: value * len(whom) for name, value in sums.items()}}


def test_entries_of_other_customers_are_those_of_its_branches_where_each_has_its_own(
    service: Serving,
) -> None:
    run = reports(service, balance=with_branches, income=with_branches)
    assert bad(run) == set()
    assert "those below" in words(run, "reports.customer", BALANCE)


def test_what_ignores_the_customer_is_no_report_with_branches(service: Serving) -> None:
    def of_all(asked: Asked, report: Any) -> Any:
        return with_branches(
            Asked(asked.operation, "", {**asked.query, "customer": "7"}, None, asked.got), report
        )

    run = reports(service, balance=of_all, income=with_branches)
    assert {result.resource for result in run.bad} == {BALANCE}


def test_a_report_with_branches_is_asked_for_its_halves_too(service: Serving) -> None:
    def of_the_year(asked: Asked, report: Any) -> Any:
        return {**with_branches(asked, income("7")), **{n: report[n] for n in ("startPeriod", "endPeriod")}}

    run = reports(
        service,
        income=lambda a, r: r if a.query["customer"] == NOBODY else of_the_year(a, r),
        balance=with_branches,
    )
    assert {(result.check.id, result.resource) for result in run.bad} == {("reports.parts", INCOME)}


def test_what_differs_between_two_reports_is_said_of_both(service: Serving) -> None:
    run = reports(service, balance=to(entries=[entry(name="Grace", balance=10.25)]))
    said = {(result.check.id, result.resource, result.findings[0].field) for result in run.bad}
    assert said == {("reports.alike", key, "entries[].customerName") for key in (BALANCE, INCOME)}


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"income": to(startPeriod="2025-12-31", endPeriod="2025-01-01")}, "startPeriod"),
        ({"balance": to(reportDate="2025-31-12")}, "reportDate"),
        ({"balance": to(currency="EURO"), "income": to(currency="EURO")}, "currency"),
        (
            {"balance": to(entries=[entry(balance=5.0), entry(balance=5.25)])},
            "entries[].customerId",
        ),
    ],
)
def test_a_finding_names_its_field(service: Serving, change: Any, field: str) -> None:
    run = reports(service, **change)
    assert {finding.field for result in run.bad for finding in result.findings} == {field}


def whole_year_of_all(asked: Asked, report: Any) -> Any:
    """The same with dates that fit, so that only asking again shows it."""
    return income("7")


@pytest.mark.parametrize("of_income", [deaf, whole_year_of_all])
def test_reports_that_ignore_what_they_are_asked_for_are_one_finding(
    service: Serving, of_income: Callable[[Asked, Any], Any]
) -> None:
    run = reports(service, income=of_income, balance=lambda asked, report: balance("7"))
    [result] = run.bad
    [found] = result.findings
    assert result.verdict is Verdict.SUSPECT
    for word in ("customer that nobody has", BALANCE, "period", INCOME):
        assert word in found.sentence
    left = {(r.check.id, r.resource): r for r in run.results if "what it is asked for" in r.seen}
    assert left
    assert {r.verdict for r in left.values()} == {Verdict.SKIPPED}


def test_a_report_that_ignores_its_period_is_one_finding(service: Serving) -> None:
    run = reports(service, income=lambda a, r: r if a.query["customer"] == NOBODY else whole_year(a, r))
    [found] = [one for result in run.bad for one in result.findings]
    assert (found.rule, found.field) == ("no effect", "endPeriod")


def test_what_is_wrong_with_a_report_stays_beside_what_it_ignores(service: Serving) -> None:
    wrong = {"entries": [entry(balance=10.25)], "totalBalance": 99}
    run = reports(service, balance=to(**wrong), income=whole_year_of_all)
    assert {check for check, _ in bad(run)} == {"reports.sums", "reports.parts"}


def test_an_error_with_a_status_of_success_is_no_report(service: Serving) -> None:
    def change(asked: Asked, report: Any) -> Any:
        return {"error": "no such customer"} if asked.query["customer"] == NOBODY else report

    assert bad(reports(service, balance=change)) == {("reports.nobody", "")}


def test_a_customer_that_nobody_has_gets_no_amounts(service: Serving) -> None:
    def change(asked: Asked, report: Any) -> Any:
        return {**report, "totalBalance": 5120.5} if asked.query["customer"] == NOBODY else report

    run = reports(service, balance=change)
    assert bad(run) == {("reports.nobody", "totalBalance")}


def test_what_is_asked_on_the_way_keeps_the_contract_too(service: Serving) -> None:
    def change(asked: Asked, report: Any) -> Any:
        return report if report["entries"] else {**report, "totalIncome": None, "netIncome": None}

    run = reports(service, income=change)
    assert {field for check, field in bad(run) if check == "reports.fields"} == {"totalIncome", "netIncome"}
    assert "Asked for another period or customer" in words(run, "reports.fields", INCOME)


@pytest.mark.parametrize(
    ("times", "verdict"), [(99, Verdict.SUSPECT), (1, Verdict.OBSERVED), (0, Verdict.HOLDS)]
)
def test_the_same_report_again(service: Serving, times: int, verdict: Verdict) -> None:
    """The books of a past year may change once while they are read, and not each time."""
    asked = [0]

    def change(call: Asked, report: Any) -> Any:
        if call.query["customer"] == NOBODY or call.query["end_date"] != "2025-12-31":
            return report
        asked[0] += 1
        off = 7.5 * (min(asked[0] - 1, times) % 3)
        entries = [{**one, "balance": 10.25 + off} for one in report["entries"]]
        return {**report, "entries": entries, "totalBalance": 10.25 + off}

    found = the(reports(service, balance=change), "reports.again", BALANCE)
    assert found.verdict is verdict


@pytest.mark.parametrize(
    ("body", "found"), [({"error": "payment not found"}, True), ({"receipts": []}, False)]
)
def test_a_payment_that_nobody_made_is_refused(service: Serving, body: Any, found: bool) -> None:
    calls = Calls(change={"receipt": lambda asked, made: body if NOBODY in asked.query.values() else made})
    run = service.run(calls, RECEIPT, transactions=("1001",), only=("reports",))
    assert (the(run, "reports.receipt-once").verdict is Verdict.SUSPECT) == found


def test_a_payment_that_nobody_made_has_no_receipt(service: Serving) -> None:
    calls = Calls(before={"receipt": lambda _: said(PDF)})
    run = service.run(calls, RECEIPT, transactions=("1",), only=("reports",))
    assert {check for check, _ in bad(run)} == {"reports.receipt-once"}
    assert "nobody made" in words(run, "reports.receipt-once")


def test_a_receipt_that_names_another_payment(service: Serving) -> None:
    others = {"pay_11": "pay_22", "pay_22": "pay_11"}
    change = {
        "receipt": lambda asked, _: {"Payment": {"Id": others.get(asked.query["customer_transaction_id"])}}
    }
    run = service.run(Calls(change=change), RECEIPT, transactions=tuple(others), only=("reports",))
    assert {check for check, _ in bad(run)} == {"reports.receipt-once"}
    assert "another payment" in words(run, "reports.receipt-once")


def test_periods_by_name_that_have_no_effect(service: Serving) -> None:
    def deaf(asked: Asked, report: Any) -> Any:
        by_name = "date_macro" in asked.query
        return {**report, "startPeriod": "2025-01-01", "endPeriod": "2025-12-31"} if by_name else report

    run = reports(service, income=deaf)
    assert bad(run) == {("reports.parts", "date_macro")}

    def knows_some(asked: Asked, report: Any) -> Any:
        day = {"Today": "2025-06-04", "Last Year": "2024-01-01"}.get(asked.query.get("date_macro", ""))
        return deaf(asked, report) | ({"startPeriod": day, "endPeriod": day} if day else {})

    assert bad(reports(service, income=knows_some)) == set()
    refusing = Calls(
        before={"income": lambda a: third_party(400, "no such macro") if "date_macro" in a.query else None}
    )
    assert bad(service.run(refusing, BALANCE, INCOME, customer="7", only=("reports",))) == set()


def test_ids_of_customers_that_go_through_a_number_are_seen_by_their_names(service: Serving) -> None:
    def worn(_: Asked, report: Any) -> Any:
        named = [{**one, "customerId": "123456789012345680"} for one in report["entries"]]
        return {**report, "entries": named}

    run = reports(service, "123456789012345678", income=worn)
    found = [one for one in run.bad if one.check.id == "reports.alike"]
    assert {one.resource for one in found} == {BALANCE, INCOME}
    assert {finding.field for one in found for finding in one.findings} == {"entries[].customerId"}


def test_two_customers_of_one_name_are_no_finding(service: Serving) -> None:
    def another(_: Asked, report: Any) -> Any:
        return {**report, "entries": [{**one, "customerId": "71"} for one in report["entries"]]}

    run = reports(service, "all", income=another)
    assert not [one for one in run.bad if one.check.id == "reports.alike"]


NARROWED = {
    "department": lambda query: "department" in query,
    "summarize_by": lambda query: "summarize_by" in query,
    "start_date alone": lambda query: "start_date" in query and "end_date" not in query,
    "end_date alone": lambda query: "end_date" in query and "start_date" not in query,
}


@pytest.mark.parametrize("name", NARROWED)
def test_a_narrowed_report_has_to_add_up(service: Serving, name: str) -> None:
    def lines_alone(asked: Asked, report: Any) -> Any:
        return {**income("7"), "entries": []} if NARROWED[name](asked.query) else report

    run = reports(service, income=lines_alone)
    assert {check for check, _ in bad(run)} == {"reports.ways"}
    assert f"with {name} does not add up" in words(run, "reports.ways", INCOME)


def test_dust_in_a_narrowed_report_of_noughts_is_no_finding(service: Serving) -> None:
    def dusty(asked: Asked, report: Any) -> Any:
        return {**empty(income("7")), "netIncome": 0.0000000007} if "department" in asked.query else report

    assert bad(reports(service, income=dusty)) == set()


@pytest.mark.parametrize("name", NARROWED)
def test_whatever_a_narrowed_report_has_is_no_finding(service: Serving, name: str) -> None:
    def other(asked: Asked, report: Any) -> Any:
        if not NARROWED[name](asked.query):
            return report
        return failed(400, "Unknown value") if name == "department" else empty(income("7"))

    assert bad(reports(service, income=other)) == set()
