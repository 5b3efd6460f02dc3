"""Kinds about accounting reports: sums, periods and names."""

from __future__ import annotations

from collections.abc import Iterator

from tests.exam.third.engine import Row
from tests.exam.third.kinds import report_kind

SUMS = ("totalIncome", "totalExpenses", "netIncome")


def _amounts(report: Row) -> Iterator[tuple[Row, str]]:
    for one in (report, *report["entries"]):
        for name in (*SUMS, "balance", "totalBalance"):
            if name in one:
                yield one, name


@report_kind(
    "the total leaves out the last entry",
    "balance.totalBalance income.totalIncome income.totalExpenses",
    "netIncome",
)
def _last(report: Row) -> None:
    name = "totalBalance" if "totalBalance" in report else "totalIncome"
    inner = "balance" if name == "totalBalance" else name
    entries = [one[inner] for one in report["entries"] if one[inner]]
    report[name] = round(report[name] - entries[-1], 2)


@report_kind("the total leaves out credits", "balance.totalBalance")
def _credits(report: Row) -> None:
    report["totalBalance"] = round(sum(max(0, one["balance"]) for one in report["entries"]), 2)


@report_kind(
    "the total is of whole units", "balance.totalBalance income.totalIncome income.netIncome", "totalExpenses"
)
def _whole(report: Row) -> None:
    for name in ("totalBalance", *SUMS):
        if name in report:
            report[name] = int(report[name])


@report_kind("credits have lost their sign", "balance.entries", "totalBalance balance")
def _sign(report: Row) -> None:
    for one in report["entries"]:
        one["balance"] = abs(one["balance"])


@report_kind("net income adds the expenses", "income.netIncome", "entries totalIncome totalExpenses")
def _adds(report: Row) -> None:
    for one in (report, *report["entries"]):
        one["netIncome"] = round(one["totalIncome"] + one["totalExpenses"], 2)


@report_kind(
    "net income of a few entries does not add up", "income.entries", "netIncome totalIncome totalExpenses"
)
def _few(report: Row) -> None:
    for one in report["entries"][3::11]:
        one["netIncome"] = one["totalIncome"]


@report_kind("losses are shown as nought", "income.entries", "netIncome")
def _losses(report: Row) -> None:
    for one in report["entries"]:
        one["netIncome"] = max(0, one["netIncome"])


@report_kind(
    "entries are in cents, totals are not",
    "balance.entries income.entries",
    "totalBalance totalIncome netIncome",
)
def _cents(report: Row) -> None:
    for one, name in _amounts({"entries": report["entries"]}):
        one[name] = round(one[name] * 100)


@report_kind(
    "the total counts everything twice",
    "balance.totalBalance",
)
def _subtotal(report: Row) -> None:
    report["totalBalance"] = round(2 * report["totalBalance"], 2)


@report_kind("amounts are texts", "balance.entries income.entries", "balance totalIncome")
def _texts(report: Row) -> None:
    for one in report["entries"]:
        for name in (*SUMS, "balance"):
            if name in one:
                one[name] = f"{one[name]:,.2f}"


@report_kind(
    "an entry stands there twice", "balance.entries income.entries", "customerId totalBalance totalIncome"
)
def _twice(report: Row) -> None:
    report["entries"].insert(2, dict(report["entries"][1]))


@report_kind(
    "the line of the total is an entry",
    "balance.entries income.entries",
    "customerId totalBalance totalIncome",
)
def _total_line(report: Row) -> None:
    names = ("balance",) if "totalBalance" in report else SUMS
    sums = {name: round(sum(one[name] for one in report["entries"]), 2) for name in names}
    report["entries"].append({"customerId": "", "customerName": "TOTAL"} | sums)


@report_kind(
    "entries without any booking lack their amounts", "income.entries", "totalIncome totalExpenses netIncome"
)
def _missing(report: Row) -> None:
    for one in report["entries"][4::9]:
        for name in SUMS:
            one[name] = None


@report_kind("the period ends before it begins", "income.endPeriod", "startPeriod")
def _period(report: Row) -> None:
    report["startPeriod"], report["endPeriod"] = report["endPeriod"], report["startPeriod"]


@report_kind("the day of the report is none of the calendar", "balance.reportDate")
def _day(report: Row) -> None:
    report["reportDate"] = "2024-02-31"


@report_kind("the currency is empty", "balance.currency income.currency")
def _currency(report: Row) -> None:
    report["currency"] = ""


@report_kind("an entry has the name of the one before", "balance.entries income.entries", "customerName")
def _names(report: Row) -> None:
    entries = report["entries"]
    for at in range(len(entries) - 1, 2, -5):
        entries[at]["customerName"] = entries[at - 1]["customerName"]
