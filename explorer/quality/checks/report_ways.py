"""A report in another order, and one of its customers by itself: neither changes whose amount is which.

A report that is narrowed or summarized in another way has to add up like any other. Whatever else it has is not judged:
the contract names the parameters and not what they do.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

from explorer.catalog.fields import fields_of
from explorer.catalog.request import build
from explorer.catalog.spec import Operation
from explorer.quality.checks.report_parts import NOBODY_ID, Period, is_report, query_of
from explorer.quality.engine.check import Check, Result, Verdict
from explorer.quality.engine.finding_collector import FindingCollector, shown, skipped
from explorer.quality.engine.probe import json_of, tried
from explorer.quality.engine.service import Send
from explorer.quality.values import arithmetic

WAYS = Check(
    "reports.ways",
    "reports",
    "An entry is the same in another order, and for its customer alone; a narrowed report adds up",
    "report",
    "a customer",
)
_ORDER = "sort_order"
_ORDERS = ("descend", "ascend")
_DEPARTMENT = "department"
_SUMMARIZE = "summarize_by"
_DATES = ("start_date", "end_date")
_CENT = Decimal("0.01")

Entries = Mapping[str, Mapping[str, Any]]


async def ways(
    operation: Operation, send: Send, customer: str, report: Mapping[str, Any], period: Period
) -> Result:
    """Compares the entries of a report with those of the same report in both orders, and of one customer alone.

    A difference counts only where the report itself is still the same.
    """
    key, query = operation.key, query_of(customer, period)
    before = _entries(report)
    if not before:
        return skipped(WAYS, key, "there are no entries, or several of one customer")
    tally = FindingCollector(WAYS, Verdict.SUSPECT)
    await _alone(operation, send, customer, before, period, tally)
    takes = {one.name for one in fields_of(operation.query)}
    if _ORDER in takes:
        for order in _ORDERS:
            await _ordered(operation, send, {**query, _ORDER: order}, before, tally)
    narrowed = FindingCollector(WAYS, Verdict.SUSPECT)
    for names, asked in _narrowed(query, takes, has_period="startPeriod" in report):
        await _adds_up(operation, send, names, asked, narrowed)
    if narrowed and not tally:
        return narrowed.result(key)
    if tally and _entries(json_of(await tried(send, build(operation, query=query)))) != before:
        return skipped(WAYS, key, "the books changed while they were read")
    return tally.result(key, empty="no other way was answered")


async def _alone(
    operation: Operation,
    send: Send,
    customer: str,
    before: Entries,
    period: Period,
    tally: FindingCollector,
) -> None:
    """Requests the one of the other customers that has the largest amount. It may have others below it in turn."""
    others = [one for one in before if one != customer and before[one].get("customerName") != customer]
    if not others:
        return
    ident = max(others, key=lambda one: max(map(abs, _figures(before[one]).values()), default=Decimal(0)))
    call = await tried(send, build(operation, query=query_of(ident, period)))
    came = _entries(json_of(call))
    if came.keys() != {ident}:
        return
    tally.look()
    for name in _other(before[ident], came[ident]):
        one, other = (shown(entry.get(name)) for entry in (came[ident], before[ident]))
        what = f"{name} of a customer asked for alone is {one}, and {other} in the report with others"
        tally.add("alone", f"entries[].{name}", what, call.example(ident))


async def _ordered(
    operation: Operation, send: Send, query: Mapping[str, str], before: Entries, tally: FindingCollector
) -> None:
    """Requests the report in an order. The contract names none, so that a word that is not known is no fault."""
    call = await tried(send, build(operation, query=query))
    came = _entries(json_of(call))
    if not came:
        return
    tally.look(len(came))
    if came.keys() != before.keys():
        what = f"With {_ORDER} the report has entries of other customers than without it"
        ident = min(came.keys() ^ before.keys())
        tally.add("other customers", "entries[].customerId", what, call.example(ident))
    for ident in came.keys() & before.keys():
        for name in _other(before[ident], came[ident]):
            what = f"With {_ORDER} an entry has another {name} than without it"
            tally.add("other content", f"entries[].{name}", what, call.example(ident))


def _narrowed(
    query: Mapping[str, str], takes: Collection[str], *, has_period: bool
) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Each further way to request the report, with the name of the parameter that makes it another."""
    if _DEPARTMENT in takes:
        yield _DEPARTMENT, {**query, _DEPARTMENT: NOBODY_ID}
    if _SUMMARIZE in takes:
        yield _SUMMARIZE, {**query, _SUMMARIZE: "Month"}
    for name in _DATES if has_period else ():
        yield (
            f"{name} alone",
            {kept: value for kept, value in query.items() if kept == name or kept not in _DATES},
        )


async def _adds_up(
    operation: Operation, send: Send, name: str, query: Mapping[str, str], tally: FindingCollector
) -> None:
    """Requests a narrowed report and adds it up. One that is refused says nothing: no value is in the contract."""
    call = await tried(send, build(operation, query=query))
    if call.answer is None or not is_report(json_of(call)):
        return
    tally.look()
    done = arithmetic.check(call.answer.body, arithmetic.SHAPES[operation.key])
    for one in done.sums:
        if one.holds is not False or one.stated is None or one.reckoned is None:
            continue
        if (
            not one.is_slight and abs(one.stated - one.reckoned) > _CENT
        ):  # a report of noughts may have dust alone
            what = f"A report with {name} does not add up, as the same one without it does: {one.sentence}"
            tally.add(f"sum with {name}", one.field, what, call.example(str(one.stated)))


def _entries(report: Any) -> dict[str, Mapping[str, Any]]:
    """The entries of a report by their customers; none where one has several, of which another check tells."""
    rows = report.get("entries") if isinstance(report, Mapping) else None
    made: dict[str, Mapping[str, Any]] = {}
    for row in rows if isinstance(rows, list) else []:
        ident = row.get("customerId") if isinstance(row, Mapping) else None
        if isinstance(ident, str) and ident:
            if ident in made:
                return {}
            made[ident] = row
    return made


def _figures(entry: Mapping[str, Any]) -> dict[str, Decimal]:
    found: dict[str, Decimal] = {}
    for name, value in entry.items():
        if isinstance(value, int | float) and not isinstance(value, bool):
            try:
                found[name] = Decimal(str(value)).quantize(_CENT)
            except InvalidOperation:
                continue
    return found


def _other(before: Mapping[str, Any], now: Mapping[str, Any]) -> Sequence[str]:
    """The name and the amounts that differ, of those that both have; by a cent they may, for rounding."""
    one, other = _figures(before), _figures(now)
    names = [name for name in one if name in other and abs(one[name] - other[name]) > _CENT]
    words = (before.get("customerName"), now.get("customerName"))
    return ["customerName", *names] if all(words) and words[0] != words[1] else names
