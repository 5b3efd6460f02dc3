"""The same report requested in other ways: for other periods, and for a customer that does not exist.

A report may be consistent in itself and be about something else than was requested. The totals of a period must be the
sums of its halves; a half that begins or ends outside its period was not narrowed; a balance of an earlier day adds up
as well; and a customer that does not exist has no amounts. A year in which nothing was booked shows none of this, so
that ten years are requested instead.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from itertools import pairwise
from typing import Any

from explorer.api.answer import Answer
from explorer.catalog.request import build
from explorer.catalog.spec import Operation
from explorer.quality.engine.check import Check, Example, Result, Verdict
from explorer.quality.engine.finding_collector import FindingCollector, shown, skipped
from explorer.quality.engine.probe import Tried, json_of, said, tried, value_of
from explorer.quality.engine.service import Send
from explorer.quality.values import arithmetic
from explorer.quality.values.moments import seconds_of
from explorer.words import count

PARTS = Check("reports.parts", "reports", "The parts of a period sum to the whole", "report", "a customer")
NOBODY = Check(
    "reports.nobody", "reports", "A customer that nobody has gets no entries", "report", "a customer"
)
AGAIN = Check("reports.again", "reports", "A report is the same when requested again", "report", "a customer")
Period = tuple[str, str]
WHOLE: Period = ("2025-01-01", "2025-12-31")
"""The period that is requested."""
YEARS: Period = ("2016-01-01", "2025-12-31")
"""The period that is requested where nothing was booked in that one."""
_HALVES = {
    WHOLE: (("2025-01-01", "2025-06-30"), ("2025-07-01", "2025-12-31")),
    YEARS: (("2016-01-01", "2021-03-31"), ("2021-04-01", "2025-12-31")),
}
_EARLIER = ("2016-01-01", "2020-12-31")
"""A period that ends well before the others: balances are others then."""
_SLASHED = re.compile(r"(\d{1,2})[/.](\d{1,2})[/.]\d{4}")
_PLAIN_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_MACROS = (("Last Month", "Last Fiscal Year"), ("Today", "Last Year"))
"""Pairs of periods by the names that accounting systems have for them, of which neither is the other. A system may not
know those of one pair, and take them for none."""
_TIMES = 3
"""How often a report is requested again at most."""
NOBODY_ID = "quality-run-nobody"
"""What no customer and no department is called."""
OTHERS, OUTSIDE, _NO_EFFECT = "others", "outside", "no effect"
_IGNORED = frozenset({OTHERS, OUTSIDE, _NO_EFFECT})
"""The rules of findings which say that a report ignores what was requested."""
_DAY = 86_400.0
_CENT = Decimal("0.01")
_SUMMED = ("totalIncome", "totalExpenses")
_MEMBERS = frozenset((*_SUMMED, "netIncome", "totalBalance", "entries", "reportName"))


def outside(report: Mapping[str, Any], period: Period) -> tuple[str, ...]:
    """The fields of an income report whose date is outside a period.

    Time zones may explain a day of a moment, and an end may be the first day that is left out; a day that is named
    without a time is that day.
    """
    start, end = seconds_of(period[0]) or 0.0, (seconds_of(period[1]) or 0.0) + _DAY
    first, last = (seconds_of(report.get(name)) for name in ("startPeriod", "endPeriod"))
    slack = 0.0 if _PLAIN_DAY.fullmatch(str(report.get("startPeriod"))) else _DAY
    early = first is not None and first < start - slack
    late = last is not None and last > end + _DAY
    return tuple(name for name, is_out in (("startPeriod", early), ("endPeriod", late)) if is_out)


def query_of(customer: str, period: Period = WHOLE) -> dict[str, str]:
    """The query parameters of a report."""
    return {"customer": customer, "start_date": period[0], "end_date": period[1]}


def is_empty(body: bytes, shape: arithmetic.Shape) -> bool:
    """Whether a report has no amount but nought."""
    return not any(one.stated or one.reckoned for one in arithmetic.check(body, shape).sums)


def is_report(value: Any) -> bool:
    """Whether a value has anything that a report of the contract has, and an error body has not."""
    return isinstance(value, Mapping) and not value.keys().isdisjoint(_MEMBERS)


def could_be_two(value: Any) -> bool:
    """Whether a date with slashes is another day when the month is read first."""
    match = _SLASHED.match(value) if isinstance(value, str) else None
    return match is not None and match[1] != match[2] and int(match[1]) <= 12 and int(match[2]) <= 12


async def earlier(operation: Operation, send: Send, customer: str, answer: Answer, *, sound: bool) -> Result:
    """Requests a balance of an earlier day: its entries and total have to follow that day, and its date too.

    ``sound``: the report by itself is consistent.
    """
    key, shape = operation.key, arithmetic.SHAPES[operation.key]
    if not sound:
        return skipped(PARTS, key, "the report itself does not hold together")
    call = await tried(send, build(operation, query=query_of(customer, _EARLIER)))
    now, then = value_of(answer.body), json_of(call)
    if call.answer is None or not isinstance(now, Mapping) or not isinstance(then, Mapping):
        return skipped(PARTS, key, f"the balance of an earlier day failed: {call.sentence}")
    tally = FindingCollector(PARTS, Verdict.SUSPECT)
    tally.look()
    for one in arithmetic.check(call.answer.body, shape).sums:
        if one.holds is False and not one.is_slight:
            what = f"The balance of {_EARLIER[1]} does not add up: {one.sentence}"
            tally.add("sum", one.field, what, call.example(str(one.stated)))
    day = now.get("reportDate")
    if day and day == then.get("reportDate") and now.get("entries") != then.get("entries"):
        what = f"reportDate is {shown(day)} for balances of different days, {WHOLE[1]} and {_EARLIER[1]}"
        tally.add("one day", "reportDate", what, call.example(shown(day)))
    return tally.result(key, holds=f"the balance of {_EARLIER[1]} adds up as well")


async def parts(
    operation: Operation, send: Send, customer: str, answer: Answer, period: Period, *, sound: bool
) -> Result:
    """Compares an income report with those of the two halves of its period. ``sound``: the report by itself is
    consistent.

    A difference counts only where the whole report is still the same when it is requested again.
    """
    key, shape = operation.key, arithmetic.SHAPES[operation.key]
    if not sound:
        return skipped(PARTS, key, "the report itself does not hold together")
    halves_of = _HALVES[period]
    calls = [await tried(send, build(operation, query=query_of(customer, one))) for one in halves_of]
    if failed := next((call for call in calls if call.answer is None), None):
        return skipped(PARTS, key, f"a half of the period failed: {failed.sentence}")
    tally = FindingCollector(PARTS, Verdict.SUSPECT)
    tally.look(len(calls))
    reports = [report if isinstance(report := json_of(call), Mapping) else {} for call in calls]
    out = [outside(report, half) for report, half in zip(reports, halves_of, strict=True)]
    still = all(out) and len({(one.get("startPeriod"), one.get("endPeriod")) for one in reports}) == 1
    if still:
        what = "The period has no effect: both halves of it are answered with the same one"
        tally.add(_NO_EFFECT, out[0][0], what, calls[0].example(shown(reports[0][out[0][0]])))
    for call, report, half, names in zip(calls, reports, halves_of, out, strict=True):
        for name in () if still else names:
            what = f"{name} is outside the requested period, {' to '.join(half)}"
            tally.add(OUTSIDE, name, what, call.example(shown(report[name])))
        for name in ("startPeriod", "endPeriod"):
            if could_be_two(report.get(name)):
                what = f"{name} may be day and month or month and day"
                tally.add("two readings", name, what, call.example(shown(report[name])))
    if tally:
        return tally.result(key)
    whole = _totals(answer.body, shape)
    halves = [_totals(call.answer.body, shape) for call in calls if call.answer is not None]
    off = _off(whole, halves)
    if off:
        again = await tried(send, build(operation, query=query_of(customer, period)))
        if again.answer is None or _totals(again.answer.body, shape) != whole:
            return said(PARTS, key, Verdict.OBSERVED, "the books changed while they were read", *calls, again)
    if off and all(half[name] == whole[name] for half in halves for name in off):
        totals = " and ".join(f"{name} {arithmetic.shown(whole[name])}" for name in off)
        what = f"The period has no effect: each half of it has the totals of all of it, {totals}"
        tally.add(_NO_EFFECT, off[0], what, calls[0].example(totals))
        return tally.result(key)
    if not off and any(whole.values()):
        for told in (
            await lost_day(operation, send, customer, period, whole),
            await _macros(operation, send, customer),
        ):
            if told is not None:
                tally.add(*told)
    for name in off:
        sums = " and ".join(arithmetic.shown(half[name]) for half in halves)
        what = f"{name} of {' to '.join(period)} is {arithmetic.shown(whole[name])}, and {sums} of its halves"
        tally.add("not the sum", name, what, calls[0].example(sums))
    return tally.result(key, holds="the halves of the period sum to the whole")


async def lost_day(
    operation: Operation, send: Send, customer: str, period: Period, whole: Mapping[str, Decimal]
) -> tuple[str, str, str, Example] | None:
    """What is said of a period of days of which the first or last does not count, or one more.

    The half of a period with more is halved on, to a single day; of each only the first half is requested, as the
    second has the rest. A day that is left out at the border of one of them is missing in the end. Then the last part
    that was not requested is: it has more than the rest where a period is taken for a longer one.
    """
    name = max(whole, key=lambda one: abs(whole[one]))
    first, last = (date.fromisoformat(day) for day in period)
    left, steps, of = whole[name], 0, ""
    beside: tuple[Period, Decimal] | None = None
    """The part that was not requested last, and what is left for it."""
    while True:
        middle = first + (last - first) // 2
        call = await tried(send, build(operation, query=query_of(customer, (str(first), str(middle)))))
        totals = _totals(call.answer.body, arithmetic.SHAPES[operation.key]) if call.answer else {}
        if name not in totals:
            return None
        came, steps = totals[name], steps + 1
        if first == last:
            break
        if abs(came) >= abs(left - came):
            beside = (str(middle + timedelta(days=1)), str(last)), left - came
            last, left = middle, came
        else:
            first, left = middle + timedelta(days=1), left - came
    if abs(came - left) <= max(steps * _CENT, abs(left) / 10):
        if beside is None:
            return None
        days, left = beside
        call = await tried(send, build(operation, query=query_of(customer, days)))
        totals = _totals(call.answer.body, arithmetic.SHAPES[operation.key]) if call.answer else {}
        other, came, of = came, totals.get(name, left), " to ".join(days)
        if abs(came - left) <= max(steps * _CENT, abs(other) / 10):
            return None
    again = await tried(send, build(operation, query=query_of(customer, period)))
    if again.answer is None or _totals(again.answer.body, arithmetic.SHAPES[operation.key]) != whole:
        return None
    alone, within = arithmetic.shown(came), arithmetic.shown(left)
    what = f"{name} of {of or first} alone is {alone}, and longer periods leave {within} for it"
    return "not the sum", name, what, call.example(arithmetic.shown(came))


async def _macros(operation: Operation, send: Send, customer: str) -> tuple[str, str, str, Example] | None:
    """What is said of periods that are asked for by name, where two that cannot be the same are answered alike."""
    told = None
    for names in _MACROS:
        calls = [
            await tried(send, build(operation, query={"customer": customer, "date_macro": one}))
            for one in names
        ]
        reports = [report for call in calls if isinstance(report := json_of(call), Mapping)]
        periods = [(one.get("startPeriod"), one.get("endPeriod")) for one in reports]
        if len(periods) < len(names) or not all(periods[0]) or periods[0] != periods[1]:
            return await _by_dates(operation, send, calls[-1], names[-1], customer)
        what = f"date_macro has no effect: {' and '.join(names)} are answered with one period"
        told = told or (_NO_EFFECT, "date_macro", what, calls[0].example(" to ".join(map(str, periods[0]))))
    return told


async def _by_dates(
    operation: Operation, send: Send, named: Tried, name: str, customer: str
) -> tuple[str, str, str, Example] | None:
    """What is said of a period that is asked for by its name, where the same days have other totals."""
    report, shape = json_of(named), arithmetic.SHAPES[operation.key]
    if named.answer is None or not isinstance(report, Mapping):
        return None
    days = str(report.get("startPeriod")), str(report.get("endPeriod"))
    if not all(map(_PLAIN_DAY.fullmatch, days)):
        return None
    call = await tried(send, build(operation, query=query_of(customer, days)))
    totals = _totals(named.answer.body, shape)
    others = _totals(call.answer.body, shape) if call.answer is not None else {}
    off = _off(totals, [others])
    if not off:
        return None
    once_more = await tried(send, build(operation, query={"customer": customer, "date_macro": name}))
    if once_more.answer is None or _totals(once_more.answer.body, shape) != totals:
        return None
    figures = f"{arithmetic.shown(totals[off[0]])} and {arithmetic.shown(others[off[0]])}"
    what = f"{off[0]} of {name} is another than that of its days, {' to '.join(days)}: {figures}"
    return "other totals", off[0], what, call.example(figures)


async def again(operation: Operation, send: Send, query: Mapping[str, str], answer: Answer) -> Result:
    """Whether a report of past days is the same when it is requested again.

    Books that change meanwhile are the same from then on, or their amounts grow.
    """
    key, shape = operation.key, arithmetic.SHAPES[operation.key]
    calls, seen = list[Tried](), [_stated(answer.body, shape)]
    for _ in range(_TIMES):
        calls.append(await tried(send, build(operation, query=query)))
        told = calls[-1].answer
        if told is None:
            return skipped(AGAIN, key, f"it failed when it was requested again: {calls[-1].sentence}")
        seen.append(_stated(told.body, shape))
        if seen[-1] == seen[-2]:
            verdict = Verdict.HOLDS if len(calls) == 1 else Verdict.OBSERVED
            words = "the same amounts" if len(calls) == 1 else "the books changed while they were read"
            return said(AGAIN, key, verdict, words, *calls)
    falling = [
        name
        for name in dict(seen[0])
        if any(
            dict(later).get(name, Decimal(0)) < dict(one).get(name, Decimal(0))
            for one, later in pairwise(seen)
        )
    ]
    if not falling:
        return said(AGAIN, key, Verdict.OBSERVED, "the books grew while they were read", *calls)
    tally = FindingCollector(AGAIN, Verdict.SUSPECT)
    tally.look(len(calls))
    what = f"The same report of past days has another {falling[0]} each time that it is requested"
    values = " and ".join(arithmetic.shown(dict(one).get(falling[0], Decimal(0))) for one in seen[:3])
    tally.add("others each time", falling[0], what, calls[-1].example(values))
    return tally.result(key)


def _stated(body: bytes, shape: arithmetic.Shape) -> list[tuple[str, Decimal]]:
    """The totals of a report by their names; what the entries sum to where one is missing."""
    return [
        (one.field, one.stated or one.reckoned or Decimal(0)) for one in arithmetic.check(body, shape).sums
    ]


def _totals(body: bytes, shape: arithmetic.Shape) -> dict[str, Decimal]:
    done = arithmetic.check(body, shape)
    return {one.field: one.stated for one in done.sums if one.field in _SUMMED and one.stated is not None}


def _off(whole: Mapping[str, Decimal], halves: Sequence[Mapping[str, Decimal]]) -> list[str]:
    """Totals that are not the sum of the halves, allowing a cent for rounding each of the three."""
    known = [name for name in whole if all(name in half for half in halves)]
    return [name for name in known if abs(sum((half[name] for half in halves), -whole[name])) > 3 * _CENT]


def ignored_once(results: list[Result]) -> list[Result]:
    """Results in which reports that ignore what was requested are one finding.

    A service that passes on neither the customer nor the period does so in both reports, and that has one cause.
    """
    deaf = [
        one for one in results if one.is_bad and one.findings and {f.rule for f in one.findings} <= _IGNORED
    ]
    if len(deaf) < 2:
        return results
    first, *rest = deaf
    told = "; ".join(f"{one.findings[0].sentence} ({one.resource})" for one in deaf)
    what = f"Reports do not follow what they are asked for: {told}"
    finding = replace(first.findings[0], sentence=what)
    made: dict[int, Result] = {id(first): replace(first, seen=what, findings=(finding,))}
    why = f"the report does not follow what it is asked for: see {first.check.id} of {first.resource}"
    made |= {id(one): skipped(one.check, one.resource, why) for one in rest}
    return [made.get(id(one), one) for one in results]


async def nobody(operation: Operation, send: Send) -> Result:
    """How a customer that does not exist is answered."""
    key = operation.key
    call: Tried = await tried(send, build(operation, query=query_of(NOBODY_ID)))
    if call.answer is None:
        seen = f"refused with {call.status}" if call.status else call.sentence
        return said(NOBODY, key, Verdict.HOLDS, seen, call) if call.status else skipped(NOBODY, key, seen)
    found = json_of(call)
    if isinstance(found, Mapping) and found and not is_report(found):
        what = f"A customer that nobody has is answered with status {call.status} and no report"
        return said(NOBODY, key, Verdict.SUSPECT, what, call)
    entries = found.get("entries") if isinstance(found, Mapping) else None
    named = [one for one in entries if isinstance(one, Mapping)] if isinstance(entries, list) else []
    others = [one for one in named if one.get("customerId") not in (None, "", NOBODY_ID)]
    shape = arithmetic.SHAPES[key]
    if not others and is_empty(call.answer.body, shape):
        return said(NOBODY, key, Verdict.HOLDS, "no entries", call)
    tally = FindingCollector(NOBODY, Verdict.SUSPECT)
    tally.look()
    if not others:
        field = next(name for name, total in _stated(call.answer.body, shape) if total)
        what = "A customer that nobody has is answered with amounts"
        tally.add(OTHERS, field, what, call.example())
        return tally.result(key)
    what = f"A customer that nobody has is answered with {count(len(others), 'entry', 'entries')} of others"
    tally.add(OTHERS, "entries[].customerId", what, call.example(shown(others[0]["customerId"])))
    return tally.result(key)
