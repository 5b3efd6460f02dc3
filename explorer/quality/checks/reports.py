"""Reports: totals within the precision of the amounts, the customer, the fields, the period and the currency."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from explorer.api.answer import Answer
from explorer.catalog.request import Request, build
from explorer.catalog.spec import Operation, Record
from explorer.quality.checks import receipts
from explorer.quality.checks.records import faults_of, undeclared
from explorer.quality.checks.report_parts import (
    OTHERS,
    OUTSIDE,
    WHOLE,
    YEARS,
    Period,
    again,
    could_be_two,
    earlier,
    ignored_once,
    is_empty,
    nobody,
    outside,
    parts,
    query_of,
)
from explorer.quality.checks.report_ways import WAYS, ways
from explorer.quality.checks.transport import Transport
from explorer.quality.engine.check import Check, Example, Latency, Result, Verdict
from explorer.quality.engine.finding_collector import FindingCollector, shown, skipped
from explorer.quality.engine.probe import (
    Found,
    Tried,
    is_lacking,
    json_of,
    said,
    tried,
    verdict_of,
    why_failed,
)
from explorer.quality.engine.row import read_row
from explorer.quality.engine.run_options import RunOptions
from explorer.quality.engine.service import Send, Service
from explorer.quality.values import arithmetic
from explorer.quality.values.iso_codes import is_currency
from explorer.quality.values.moments import is_iso, seconds_of

CUSTOMER = "a customer"
ANSWERED = receipts.ANSWERED
FIELDS = Check(
    "reports.fields", "reports", "The report has the contract's fields and types", "report", CUSTOMER
)
SUMS = Check("reports.sums", "reports", "The entries sum to the totals", "report", CUSTOMER)
NET = Check("reports.net", "reports", "Net is income less expenses", "report", CUSTOMER)
CURRENCY = Check("reports.currency", "reports", "The amounts name their currency", "report", CUSTOMER)
PERIOD = Check(
    "reports.period", "reports", "The period is in order and inside the requested one", "report", CUSTOMER
)
ONCE = Check("reports.customer-once", "reports", "Each customer has one entry", "report", CUSTOMER)
OWN = Check("reports.customer", "reports", "The entries are of the requested customer", "report", CUSTOMER)
ALIKE = Check(
    "reports.alike",
    "reports",
    "Both reports name customers and currency alike",
    "report",
    CUSTOMER,
    alone=False,
)
CHECKS = (ANSWERED, FIELDS, SUMS, NET, CURRENCY, PERIOD, ONCE, OWN)

KEYS = ("accounting/customer-balance", "accounting/customer-income")
_ID = "entries[].customerId"
_SOME_NAMES = 2
"""From this many customers with other ids in each report on, their names are no coincidence."""
_MOST_EXACT_DIGITS = 15
"""A double holds every whole number of so many digits."""
_MOST_DIGITS = 40
"""What is longer is no id."""
_APART = frozenset({"reports.fields", "reports.sums", "reports.net", "reports.period"})
"""Checks that a report has to pass before it is compared with others."""
EVERYBODY = frozenset({"all", "any", "*"})
"""Values that no customer has as id or name: with them all customers were requested."""
_IN_WORDS = re.compile(r"(?i)(?=.*\b\d{4}\b).*\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b")


async def look(service: Service, send: Send, asked: RunOptions) -> Found:
    """Requests both reports of one customer, and the receipts."""
    found, reports = Found(), dict[str, Mapping[str, Any]]()
    calls = dict[str, Tried]()
    for key in KEYS:
        if not asked.covers(key):
            continue
        if not asked.customer:
            found.results += [skipped(check, key, "it needs a customer id") for check in CHECKS]
            continue
        operation, answers = service.registry.operation(key), list[Answer]()
        noted = _noting(send, answers)
        call, period = await _asked(operation, noted, asked.customer)
        if call.answer is None:
            found.results += _unanswered(key, call)
            continue
        found.latencies.append(Latency(key, None, call.answer.elapsed_ms))
        wire = Transport()
        wire.answer(call.answer)
        row = read_row(call.answer.body, 1, None, call.exchange)
        wire.row(row)
        found.results += wire.of_calls(key)
        if row.unreadable:
            why = "the response is not JSON"
            found.results += [skipped(check, key, why) for check in CHECKS]
            continue
        found.results += judged(operation, call, call.answer, period)
        report = _read(call.answer)
        if report is None:
            found.results.append(skipped(OWN, key, "the response is not a report"))
            continue
        reports[key], calls[key] = report, call
        own = _own(key, call, report, asked.customer)
        sound = not any(one.is_bad and one.check.id in _APART for one in found.results if one.resource == key)
        if key == KEYS[1]:
            made = await parts(operation, noted, asked.customer, call.answer, period, sound=sound)
        else:
            made = await earlier(operation, noted, asked.customer, call.answer, sound=sound)
        found.results.append(made)
        if sound:
            unknown = await nobody(operation, noted)
            if own.is_bad and unknown.verdict is Verdict.HOLDS:
                own = await _with_those_below(operation, noted, own, call, report, asked.customer, period)
            found.results += [own, unknown]
            query = query_of(asked.customer, period)
            found.results.append(await again(operation, send, query, call.answer))
            is_deaf = own.is_bad or unknown.is_bad
            found.results.append(
                skipped(WAYS, key, "the report does not follow what it is asked for")
                if is_deaf
                else await ways(operation, noted, asked.customer, report, period)
            )
        else:
            found.results.append(own)
        fields = _fields(operation, call, call.answer, report, answers)
        found.results = [fields if _is_of(one, fields) else one for one in found.results]
    found.results += [_alike(key, reports, calls) for key in KEYS if asked.covers(key)]
    found.results = ignored_once(found.results)
    if asked.covers(receipts.KEY):
        found.results += await receipts.look(service, send, asked)
    return found


async def _asked(operation: Operation, send: Send, customer: str) -> tuple[Tried, Period]:
    """Requests a report of one year, and of many where that has no amount, with the period that was requested."""
    first = await tried(send, build(operation, query=query_of(customer)))
    if first.answer is not None and is_empty(first.answer.body, arithmetic.SHAPES[operation.key]):
        call = await tried(send, build(operation, query=query_of(customer, YEARS)))
        if call.answer is not None and not is_empty(call.answer.body, arithmetic.SHAPES[operation.key]):
            return call, YEARS
    return first, WHOLE


def judged(operation: Operation, call: Tried, answer: Answer, period: Period = WHOLE) -> list[Result]:
    """All results on one report by itself."""
    key, shape = operation.key, arithmetic.SHAPES[operation.key]
    done = arithmetic.check(answer.body, shape)
    report = _read(answer)
    made = [said(ANSWERED, key, Verdict.HOLDS, f"status {answer.status}", call)]
    if report is None:
        made.append(said(FIELDS, key, Verdict.FAILS, "The response is not a JSON object", call))
        return made + [skipped(check, key, "the response is not a report") for check in CHECKS[2:7]]
    made.append(_fields(operation, call, answer, report))
    made.append(_sums(key, call, done))
    made.append(_nets(key, call, done))
    made.append(_currency(operation, call, done, report))
    made.append(_period(key, call, report, period))
    made.append(_once(key, call, report))
    return made


def _noting(send: Send, answers: list[Answer]) -> Send:
    """``send``, with each good answer added to ``answers``."""

    async def noting(request: Request) -> Answer:
        answers.append(await send(request))
        return answers[-1]

    return noting


def _is_of(one: Result, other: Result) -> bool:
    return (one.check, one.resource) == (other.check, other.resource)


def _fields(
    operation: Operation,
    call: Tried,
    answer: Answer,
    report: Mapping[str, Any],
    others: Sequence[Answer] = (),
) -> Result:
    """``others`` are the same report for other periods and customers: what breaks the contract in them alone."""
    tally = FindingCollector(FIELDS)
    tally.look()
    model = operation.answer
    if model is not None and issubclass(model, Record):
        for fault in faults_of(model, answer.body, report):
            if fault.field != "currency":  # has a check of its own
                tally.add(fault.rule, fault.field, fault.sentence, call.example(shown(fault.value)))
        for path, value in undeclared(model, report):
            what = f"{path} is not a field of the contract"
            tally.add("undeclared", path, what, call.example(shown(value)), verdict=Verdict.SUSPECT)
        for other in others:
            read = _read(other)
            tally.look(int(other is not answer))
            for fault in faults_of(model, other.body, read) if read is not None else ():
                if fault.field != "currency" and not tally.count(fault.rule, fault.field):
                    what = f"Asked for another period or customer: {fault.sentence}"
                    place = Example(None, None, other.exchange, "", shown(fault.value))
                    tally.add(fault.rule, fault.field, what, place)
    return tally.result(operation.key)


def _currency(
    operation: Operation, call: Tried, done: arithmetic.Arithmetic, report: Mapping[str, Any]
) -> Result:
    """One valid currency code: amounts in two currencies, or in one that does not exist, cannot be added up."""
    key, code = operation.key, done.currency
    if not code:
        note = next((note for note in done.notes if note.startswith("currency")), "currency is absent")
        required = operation.answer is not None and operation.answer.model_fields["currency"].is_required()
        silent = not required and report.get("currency", "") == ""
        verdict = Verdict.SUSPECT if silent else Verdict.FAILS
        return said(CURRENCY, key, verdict, note, call, field="currency")
    if not is_currency(code):
        if is_currency(code.strip().upper()):
            return said(
                CURRENCY, key, Verdict.OBSERVED, f"{code.strip()[:10]}: not as ISO 4217 writes it", call
            )
        what = f"currency is {shown(code)}, which is no code of ISO 4217"
        return said(CURRENCY, key, Verdict.SUSPECT, what, call, field="currency")
    return said(CURRENCY, key, Verdict.HOLDS, code, call)


def _sums(key: str, call: Tried, done: arithmetic.Arithmetic) -> Result:
    broken_nets = {net.field for net in done.nets if net.row is not None and net.holds is False}
    tally = FindingCollector(SUMS)
    for one in done.sums:
        if one.of in broken_nets:
            continue  # its entries are wrong themselves, and reported
        if one.holds is not None:
            tally.measured = 1
        if one.holds is False:
            # Rounding each entry may cause this much: a service that adds up first and then rounds is right.
            verdict = Verdict.SUSPECT if one.is_slight else Verdict.FAILS
            tally.add("sum", one.field, one.sentence, call.example(str(one.stated)), verdict=verdict)
    why = done.flaws[0].sentence if done.flaws else "there is nothing to sum"
    return tally.result(
        key, holds=done.sentence if done.adds_up else "", empty=f"cannot be calculated: {why}"
    )


def _nets(key: str, call: Tried, done: arithmetic.Arithmetic) -> Result:
    if done.shape.net is None:
        return skipped(NET, key, "this report has no net")
    broken_totals = {one.field for one in done.sums if one.holds is False}
    tally = FindingCollector(NET)
    for one in done.nets:
        if one.row is None and broken_totals & set(done.shape.net):
            continue  # the total itself is wrong, and reported
        if one.holds is not None:
            tally.measured = 1
        if one.holds is False:
            value = f"{one.stated} and {one.reckoned}"
            tally.add("net", one.field, one.sentence, Example(None, _row(one.row), call.exchange, "", value))
    return tally.result(key, empty="there is nothing to calculate")


def _row(row: int | None) -> int | None:
    return None if row is None else row + 1


def _period(key: str, call: Tried, report: Mapping[str, Any], asked: Period) -> Result:
    names = ("startPeriod", "endPeriod") if "income" in key else ("reportDate",)
    moments, odd = [], []
    for name in names:
        value = report.get(name)
        moment = seconds_of(value) if isinstance(value, str) else None
        if not isinstance(value, str) or (moment is None and not _IN_WORDS.match(value)):
            what = f"{name} is no date: {shown(value)}"
            return said(PERIOD, key, Verdict.SUSPECT, what, call, field=name)
        if could_be_two(value):
            what = f"{name} may be day and month or month and day: {shown(value)}"
            return said(PERIOD, key, Verdict.SUSPECT, what, call, field=name)
        odd += [name] if not is_iso(value) else []
        moments.append(moment)
    words = " to ".join(str(report[name]) for name in names)
    known = [moment for moment in moments if moment is not None]
    if len(known) == len(moments) and key == KEYS[1]:
        if known[0] > known[-1]:
            what = f"endPeriod is before startPeriod: {words}"
            return said(PERIOD, key, Verdict.FAILS, what, call, field=names[0])
        if out := outside(report, asked):
            tally = FindingCollector(PERIOD, Verdict.SUSPECT)
            tally.look()
            what = f"The period is outside the requested one, {' to '.join(asked)}: {words}"
            tally.add(OUTSIDE, out[0], what, call.example(words))
            return tally.result(key)
    elif known and known[0] > datetime.now(UTC).timestamp() + 2 * 86_400 and words[:10] > asked[1]:
        what = f"The report is of a day to come: {words}"
        return said(PERIOD, key, Verdict.SUSPECT, what, call, field=names[0])
    if odd:
        return said(PERIOD, key, Verdict.OBSERVED, f"{' and '.join(odd)} in a form of its own: {words}", call)
    return said(PERIOD, key, Verdict.HOLDS, words, call)


def _once(key: str, call: Tried, report: Mapping[str, Any]) -> Result:
    entries = report.get("entries")
    tally = FindingCollector(ONCE, Verdict.SUSPECT)
    named = [e.get("customerId") for e in entries if isinstance(e, dict)] if isinstance(entries, list) else []
    counts = Counter(ident for ident in named if isinstance(ident, str))
    tally.measured = int(bool(counts))
    for ident, count in counts.items():
        if count > 1:
            what = "Several entries have one customerId"
            tally.add("twice", _ID, what, call.example(ident))
    return tally.result(key, empty="there are no entries")


def _own(key: str, call: Tried, report: Mapping[str, Any], customer: str) -> Result:
    """The contract takes a customer without saying in which form, so an entry may name it by id or by name."""
    wanted = _folded(customer)
    if wanted in EVERYBODY:
        return skipped(OWN, key, "this is a report on every customer")
    entries = report.get("entries")
    named = [_named(one) for one in entries if isinstance(one, Mapping)] if isinstance(entries, list) else []
    named = [pair for pair in named if any(pair)]
    if not named:
        return skipped(OWN, key, "there are no entries")
    own = [pair for pair in named if wanted in pair]
    others = [pair for pair in named if wanted not in pair and not _is_below(pair, own)]
    if not others:
        return said(OWN, key, Verdict.HOLDS, f"all {len(named)} entries", call)
    tally = FindingCollector(OWN, Verdict.SUSPECT)
    tally.look(len(named))
    what = f"{len(others)} of {len(named)} entries are of another customer than the requested one"
    tally.add(OTHERS, _ID, what, call.example(shown(others[0][0] or others[0][1])))
    return tally.result(key)


async def _with_those_below(
    operation: Operation,
    send: Send,
    told: Result,
    call: Tried,
    report: Mapping[str, Any],
    customer: str,
    period: Period,
) -> Result:
    """``told`` of a report with entries of other customers, unless these are of those below the requested one.

    They are where the report of one of them is of that one alone, as that of nobody is of none.
    """
    named = [_named(one) for one in report.get("entries") or () if isinstance(one, Mapping)]
    idents = [ident for ident, _ in named if ident]
    others = [one for one in report["entries"] if _folded(customer) not in _named(one)]
    if len({_named(one) for one in others}) < 2 or len(others) == len(named) or len(idents) < len(named):
        return told
    asked = await tried(send, build(operation, query=query_of(others[0]["customerId"], period)))
    its = json_of(asked)
    entries = its.get("entries") if isinstance(its, Mapping) else None
    if not isinstance(entries, list) or {_named(one) for one in entries} != {_named(others[0])}:
        return told
    what = (
        f"{len(others)} of {len(named)} entries are of other customers, as of those below the requested one"
    )
    return said(OWN, operation.key, Verdict.OBSERVED, what, call, asked)


def _is_below(pair: tuple[str, str], own: Sequence[tuple[str, str]]) -> bool:
    """Whether id or name is that of the customer with something behind it, set apart: ``7-2``, ``Ada:Berlin``."""
    both = [(name, its) for one in own for name, its in zip(pair, one, strict=True) if its]
    behind = [name.removeprefix(its) for name, its in both if name.startswith(its)]
    return any(rest and not rest[0].isalnum() and not rest[0].isspace() for rest in behind)


def _named(entry: Mapping[str, Any]) -> tuple[str, str]:
    return _folded(entry.get("customerId")), _folded(entry.get("customerName"))


def _folded(value: Any) -> str:
    known = isinstance(value, str | int | float) and not isinstance(value, bool)
    return " ".join(str(value).split()).casefold() if known else ""


def _alike(key: str, reports: Mapping[str, Mapping[str, Any]], calls: Mapping[str, Tried]) -> Result:
    """Both reports are from the same books: a customer has one name in them, and they have one currency.

    Which of them is wrong cannot be told, so that each has the finding.
    """
    if len(reports) < 2:
        return skipped(ALIKE, key, "it needs both reports")
    tally, call = FindingCollector(ALIKE, Verdict.SUSPECT), calls[key]
    tally.look(2)
    one, other = (reports[each] for each in KEYS)
    if _folded(one.get("currency")) != _folded(other.get("currency")) and one.get("currency"):
        what = f"currency is {shown(one.get('currency'))} in the balance, {shown(other.get('currency'))} in the income"
        if other.get("currency"):
            tally.add("currency", "currency", what, call.example(shown(reports[key].get("currency"))))
    names, others = (_names_by_id(report) for report in (one, other))
    for ident in names.keys() & others.keys():
        if names[ident] != others[ident]:
            what = "customerName of an entry is another in the income report than in the balance"
            tally.add("name", "entries[].customerName", what, call.example(shown(ident)))
    apart = _of_two_ids(names, others)
    worn = [pair for pair in apart if _is_worn(*pair)]
    none_alike = len(apart) >= _SOME_NAMES and names.keys().isdisjoint(others)
    what = "customerId of an entry lost its last digits or leading zeros in one of the two reports"
    what = (
        what if worn else "No customerId of one report is in the other, and the customerName of several are"
    )
    for pair in worn or (apart if none_alike else ()):
        tally.add("id", _ID, what, call.example(" and ".join(map(shown, pair))))
    return tally.result(key)


def _of_two_ids(names: Mapping[str, str], others: Mapping[str, str]) -> list[tuple[str, str]]:
    """The two ids of each customer whose name both reports have once, and whose ids the other report lacks."""
    once, again = ({name: ident for ident, name in of.items()} for of in (names, others))
    several = {name for of in (names, others) for name, times in Counter(of.values()).items() if times > 1}
    pairs = [(once[name], again[name]) for name in once if name in again and name not in several]
    return [(one, other) for one, other in pairs if one not in others and other not in names]


def _is_worn(one: str, other: str) -> bool:
    """Whether two ids are one of which a number made something else: last digits in a double, leading zeros."""
    if not (one.isdecimal() and other.isdecimal()):
        return False
    long = _MOST_EXACT_DIGITS < max(len(one), len(other)) < _MOST_DIGITS
    return one.lstrip("0") == other.lstrip("0") or (long and float(one) == float(other))


def _names_by_id(report: Mapping[str, Any]) -> dict[str, str]:
    entries = report.get("entries")
    rows = [one for one in entries if isinstance(one, Mapping)] if isinstance(entries, list) else []
    return {ident: name for ident, name in map(_named, rows) if ident and name}


def _unanswered(key: str, call: Tried) -> list[Result]:
    rest = [check for check in CHECKS[1:] if check is not ANSWERED]
    verdict = verdict_of(call.error)
    if is_lacking(call.error):
        return [skipped(ANSWERED, key, call.sentence)]
    why = why_failed(call)
    first = said(ANSWERED, key, verdict, why, call) if verdict else skipped(ANSWERED, key, why)
    return [first, *(skipped(check, key, "no report was returned") for check in rest)]


def _read(answer: Answer) -> Mapping[str, Any] | None:
    try:
        value = json.loads(answer.body, parse_float=_float)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _float(text: str) -> float:
    return float(Decimal(text))
