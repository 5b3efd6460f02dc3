"""Reports: they add up, to the last digit; their fields, period and currency; what a receipt is."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from explorer.api.answer import Answer
from explorer.catalog.request import build
from explorer.catalog.spec import Operation, Record
from explorer.quality.checks.records import faults_of, undeclared
from explorer.quality.checks.transport import Transport, is_json_type
from explorer.quality.engine.check import Check, Example, Latency, Result, Verdict
from explorer.quality.engine.finding_collector import FindingCollector, shown, skipped
from explorer.quality.engine.probe import Found, Tried, is_lacking, said, tried
from explorer.quality.engine.row import read_row
from explorer.quality.engine.run_options import RunOptions
from explorer.quality.engine.service import Send, Service
from explorer.quality.values import arithmetic
from explorer.quality.values.moments import is_iso, seconds_of

CUSTOMER, RECEIPT = "a customer", "a transaction"
ANSWERED = Check("reports.answers", "reports", "The report request succeeds", "report", CUSTOMER)
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
KIND = Check("reports.receipt-type", "reports", "A receipt is what its content type says", "call", RECEIPT)
CHECKS = (ANSWERED, FIELDS, SUMS, NET, CURRENCY, PERIOD, ONCE)

START, END = "2025-01-01", "2025-12-31"
"""The period that is asked for."""


async def look(service: Service, send: Send, asked: RunOptions) -> Found:
    """Asks for both reports of one customer, and for the receipts."""
    found = Found()
    for key in ("accounting/customer-balance", "accounting/customer-income"):
        if not asked.covers(key):
            continue
        if not asked.customer:
            found.results += [skipped(check, key, "it needs a customer id") for check in CHECKS]
            continue
        operation = service.registry.operation(key)
        query = {"customer": asked.customer, "start_date": START, "end_date": END}
        call = await tried(send, build(operation, query=query))
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
        found.results += judged(operation, call, call.answer)
    if asked.covers("accounting/payment-receipt"):
        found.results.append(await _receipts(service, send, asked))
    return found


def judged(operation: Operation, call: Tried, answer: Answer) -> list[Result]:
    """All that is said of one report."""
    key, shape = operation.key, arithmetic.SHAPES[operation.key]
    done = arithmetic.check(answer.body, shape)
    report = _read(answer)
    made = [said(ANSWERED, key, Verdict.HOLDS, f"status {answer.status}", call)]
    if report is None:
        made.append(said(FIELDS, key, Verdict.FAILS, "The response is not a JSON object", call))
        return made + [skipped(check, key, "the response is not a report") for check in CHECKS[2:]]
    made.append(_fields(operation, call, answer, report))
    made.append(_sums(key, call, done))
    made.append(_nets(key, call, done))
    if done.currency:
        made.append(said(CURRENCY, key, Verdict.HOLDS, done.currency, call))
    else:
        note = next((note for note in done.notes if note.startswith("currency")), "currency is absent")
        made.append(said(CURRENCY, key, Verdict.FAILS, note, call))
    made.append(_period(key, call, report))
    made.append(_once(key, call, report))
    return made


def _fields(operation: Operation, call: Tried, answer: Answer, report: Mapping[str, Any]) -> Result:
    tally = FindingCollector(FIELDS)
    tally.look()
    model = operation.answer
    if model is not None and issubclass(model, Record):
        for fault in faults_of(model, answer.body, report):
            if fault.field != "currency":  # a check of its own looks at it
                tally.add(fault.rule, fault.field, fault.sentence, call.example(shown(fault.value)))
        for path, value in undeclared(model, report):
            what = f"{path} is not a field of the contract"
            tally.add("undeclared", path, what, call.example(shown(value)), verdict=Verdict.SUSPECT)
    return tally.result(operation.key)


def _sums(key: str, call: Tried, done: arithmetic.Arithmetic) -> Result:
    broken_nets = {net.field for net in done.nets if net.row is not None and net.holds is False}
    tally = FindingCollector(SUMS)
    for one in done.sums:
        if one.of in broken_nets:
            continue  # its entries are wrong by themselves: that is said once
        if one.holds is not None:
            tally.measured = 1
        if one.holds is False:
            tally.add("sum", one.field, one.sentence, call.example(str(one.stated)))
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
            continue  # a total is wrong by itself: that is said once
        if one.holds is not None:
            tally.measured = 1
        if one.holds is False:
            value = f"{one.stated} and {one.reckoned}"
            tally.add("net", one.field, one.sentence, Example(None, _row(one.row), call.exchange, "", value))
    return tally.result(key, empty="there is nothing to calculate")


def _row(row: int | None) -> int | None:
    return None if row is None else row + 1


def _period(key: str, call: Tried, report: Mapping[str, Any]) -> Result:
    names = ("startPeriod", "endPeriod") if "income" in key else ("reportDate",)
    moments = []
    for name in names:
        value = report.get(name)
        if not isinstance(value, str) or seconds_of(value) is None:
            return said(PERIOD, key, Verdict.SUSPECT, f"{name} is no date: {shown(value)}", call)
        if not is_iso(value):
            return said(PERIOD, key, Verdict.SUSPECT, f"{name} is not ISO 8601: {shown(value)}", call)
        moments.append(seconds_of(value) or 0.0)
    shown_period = " to ".join(str(report[name]) for name in names)
    if moments[0] > moments[-1]:
        return said(PERIOD, key, Verdict.FAILS, f"The period ends before it begins: {shown_period}", call)
    start, end = seconds_of(START) or 0.0, (seconds_of(END) or 0.0) + 86_400
    if moments[0] < start - 86_400 or moments[-1] > end:
        what = f"The period is outside the requested one, {START} to {END}: {shown_period}"
        return said(PERIOD, key, Verdict.SUSPECT, what, call)
    return said(PERIOD, key, Verdict.HOLDS, shown_period, call)


def _once(key: str, call: Tried, report: Mapping[str, Any]) -> Result:
    entries = report.get("entries")
    tally = FindingCollector(ONCE, Verdict.SUSPECT)
    named = [e.get("customerId") for e in entries if isinstance(e, dict)] if isinstance(entries, list) else []
    counts = Counter(ident for ident in named if isinstance(ident, str))
    tally.measured = int(bool(counts))
    for ident, count in counts.items():
        if count > 1:
            tally.add("twice", "customerId", "A customer has more than one entry", call.example(ident))
    return tally.result(key, empty="there are no entries")


async def _receipts(service: Service, send: Send, asked: RunOptions) -> Result:
    key = "accounting/payment-receipt"
    if not asked.transactions:
        return skipped(KIND, key, "it needs a transaction id")
    tally, failed = FindingCollector(KIND), ""
    for transaction in asked.transactions:
        request = build(service.registry.operation(key), extra=[("customer_transaction_id", transaction)])
        call = await tried(send, request)
        if call.answer is None:
            failed = call.sentence
            continue
        tally.look()
        stated, real = call.answer.content_type, sniffed(call.answer.body)
        if real and real != stated and not (real == "application/json" and is_json_type(stated)):
            what = f"A receipt has content type {stated or 'none'} but is {real}"
            tally.add(real, "", what, call.example(stated))
    return tally.result(key, empty=f"no receipt was returned: {failed}")


def sniffed(body: bytes) -> str:
    """The media type that the first bytes tell, or an empty text."""
    if body.startswith(b"%PDF-"):
        return "application/pdf"
    try:
        json.loads(body)
    except (ValueError, RecursionError):
        return ""
    return "application/json"


def _unanswered(key: str, call: Tried) -> list[Result]:
    first = said(ANSWERED, key, Verdict.FAILS, call.sentence, call)
    if is_lacking(call.error):
        return [skipped(ANSWERED, key, call.sentence)]
    return [first, *(skipped(check, key, "no report was returned") for check in CHECKS[1:])]


def _read(answer: Answer) -> Mapping[str, Any] | None:
    try:
        value = json.loads(answer.body, parse_float=_float)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _float(text: str) -> float:
    return float(Decimal(text))
