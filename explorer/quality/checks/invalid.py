"""Requests that the contract does not allow: a service has to refuse them as the caller's mistake, with a 4xx.

One that fails over them (5xx) sends whoever made the mistake to look in the wrong place, and often says more of itself
than it should. One that answers them with data was asked for nothing in particular, and gives everything.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pydantic import BaseModel

from explorer.api.errors import DataWithheld, ExplorerError, ServiceFailed
from explorer.api.page import Page
from explorer.api.paging import page_alone
from explorer.catalog.fields import fields_of
from explorer.catalog.registry import Registry
from explorer.catalog.request import Request, build, lacking, list_request
from explorer.catalog.spec import Batch, Listing, Operation
from explorer.quality.checks.batch import records_of
from explorer.quality.checks.credentials import Attempts
from explorer.quality.checks.report_parts import WHOLE, is_empty, is_report
from explorer.quality.engine.check import Check, Result, Verdict
from explorer.quality.engine.finding_collector import FindingCollector, together
from explorer.quality.engine.probe import Found, Tried, is_lacking, json_of, tried
from explorer.quality.engine.run_options import RunOptions
from explorer.quality.engine.service import Send, Service
from explorer.quality.values import arithmetic
from explorer.words import count

INVALID = Check(
    "transport.invalid-requests",
    "transport",
    "Invalid requests are refused as the caller's mistake",
    "call",
)
_WORD = "quality-run"
"""No number, no cursor that was ever given out, and in no enumeration."""
_ACCOUNTS, _RECEIPT = "crm/account", "accounting/payment-receipt"
_REPORTS = ("accounting/customer-balance", "accounting/customer-income")
_SEVERAL = 2
"""From this many accounts on they are everybody's; one that comes too often is told by the batch read itself."""
_NOT_JSON = b'{"quality-run'

Given = Callable[[Tried], str]
"""What an answer gives that nobody may have asked for so, in words; empty where it gives nothing of that kind."""


def _nothing(_: Tried) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Invalid:
    """One request with one mistake in it."""

    what: str
    """The mistake, as ``a cursor that nobody gave out``."""
    field: str
    request: Request
    given: Given = _nothing


def keys(registry: Registry) -> list[str]:
    """The resources that are asked so, of those that the interface has."""
    own = {resource.key for resource in registry.resources()} & {_ACCOUNTS, *_REPORTS, _RECEIPT}
    return [*(listing.key for listing in registry.listings()), *sorted(own)]


async def look(service: Service, send: Send, asked: RunOptions, *, attempts: Attempts) -> Found:
    """Sends invalid reads of lists, accounts, reports and receipts. They change nothing, even where they are taken."""
    made: list[Result] = []
    async with attempts:
        for key, usual, requests in _reads(service.registry, asked):
            made.append(await judged(key, requests, usual, send, attempts))
    return Found(together(INVALID, made))


async def judged(
    key: str, requests: list[Invalid], usual: Request | None, send: Send, attempts: Attempts
) -> Result:
    """The result on the invalid requests of one resource.

    ``usual`` is a valid request beside them: where that fails too, a failure says nothing of what was invalid. Without
    it a failure is not judged.
    """
    tally, why = FindingCollector(INVALID), ""
    for one in requests:
        call = await attempts.invalid(one.request)
        if is_lacking(call.error):
            why = call.sentence
            break
        if call.answer is not None:
            tally.look()
            if shape := await _without_shape(one, call, usual, send):
                what = f"{one.what} is answered with status {call.status} and no {shape}: an error passes for an answer"
                tally.add("status", one.field, _capital(what), call.example(), verdict=Verdict.SUSPECT)
            elif given := one.given(call) or await _restarted(one, call, send):
                what = f"{one.what} is answered with {given}"
                tally.add("answered", one.field, _capital(what), call.example(), verdict=Verdict.SUSPECT)
            else:
                what = f"{one.what} is accepted"
                tally.add("accepted", one.field, _capital(what), call.example(), verdict=Verdict.OBSERVED)
        elif _is_own_failure(call.error) and usual is not None and (await tried(send, usual)).answer:
            tally.look()
            what = f"{one.what} is answered with {call.status}, as if the service had failed"
            tally.add("failed", one.field, _capital(what), call.example(), verdict=Verdict.SUSPECT)
        elif call.status is not None and 400 <= call.status < 500:
            tally.look()
    return tally.result(
        key, holds=f"{count(tally.measured, 'request')} refused", empty=why or "none was answered"
    )


def on_own(key: str, update: Request) -> list[Invalid]:
    """Invalid forms of an update of the run's own record, which change nothing else even where they are taken."""
    made = [Invalid("a body that is not JSON", "", replace(update, body=_NOT_JSON), _taken)]
    if key == "crm/contact":
        for what, field, body in (
            ("a record that is a text", "record", {"record": _WORD}),
            ("an update without its record", "record", {}),
            ("an object in place of a name", "first_name", {"record": {"first_name": {"inner": _WORD}}}),
        ):
            request = replace(update, body=json.dumps(body).encode())
            made.append(Invalid(what, field, request, _taken if field != "first_name" else _as_text))
    return made


def of_link(create: Operation, body: dict[str, Any]) -> list[Invalid]:
    """Requests of a magic link with a value that is in none of its enumerations."""
    return [
        Invalid(
            f"a {one.name} that the contract does not have",
            one.name,
            build(create, body={**body, one.name: _WORD}),
            _taken,
        )
        for one in fields_of(create.body or BaseModel)
        if one.choices
    ]


def _reads(registry: Registry, asked: RunOptions) -> Iterator[tuple[str, Request | None, list[Invalid]]]:
    """The resources that are read, each with a valid request where one is known, and the invalid ones."""
    for listing in registry.listings():
        full = registry.listing(listing.key)
        if asked.covers(listing.key) and not lacking(full, {}) and full.method == "GET":
            yield listing.key, list_request(full, {}), list(_of_list(full))
    known = {resource.key for resource in registry.resources() if asked.covers(resource.key)}
    if _ACCOUNTS in known:
        yield _ACCOUNTS, _accounts(registry, asked.ids[:1]) if asked.ids else None, list(_of_batch(registry))
    for key in _REPORTS:
        if key in known:
            period = {"start_date": WHOLE[0], "end_date": WHOLE[1]}
            whose = {"customer": asked.customer}
            usual = build(registry.operation(key), query=whose | period) if asked.customer else None
            wrong = [
                Invalid(
                    "a report for no customer",
                    "customer",
                    build(registry.operation(key), query=period),
                    _amounts,
                )
            ]
            if usual is not None:
                query = {**whose, "start_date": _WORD, "end_date": WHOLE[1]}
                day = "a day that is no date"
                wrong.append(Invalid(day, "start_date", build(registry.operation(key), query=query)))
            yield key, usual, wrong
    if _RECEIPT in known:
        number = [("customer_transaction_id", one) for one in asked.transactions[:1]]
        operation = registry.operation(_RECEIPT)
        usual = build(operation, extra=number) if number else None
        yield (
            _RECEIPT,
            usual,
            [Invalid("a receipt of no payment", "customer_transaction_id", build(operation), _taken)],
        )


def _of_list(listing: Listing) -> Iterator[Invalid]:
    if listing.paging == "cursor":
        request = list_request(listing, {}, cursor=_WORD)
        yield Invalid("a cursor that nobody gave out", listing.cursor_param, request)
    for one in fields_of(listing.query):
        if one.name == listing.size_param:
            what = f"a {one.name} that is no number"
        elif one.choices:
            what = f"a {one.name} that the contract does not have"
        else:
            continue
        yield Invalid(what, one.name, list_request(listing, {one.name: _WORD}))


def _accounts(registry: Registry, ids: tuple[str, ...]) -> Request:
    body = {"ids": list(ids), "properties": []}
    return build(registry.operation(f"{_ACCOUNTS}/batch_read"), body=body)


def _of_batch(registry: Registry) -> Iterator[Invalid]:
    operation = registry.operation(f"{_ACCOUNTS}/batch_read")
    if not isinstance(operation, Batch):
        return

    def accounts(call: Tried) -> str:
        rows = records_of(call.answer, operation) if call.answer is not None else None
        return count(len(rows), "account") if rows and len(rows) >= _SEVERAL else ""

    yield Invalid("a batch read of no ids", "ids", _accounts(registry, ()), accounts)
    yield Invalid("a batch read without ids", "ids", build(operation, body={"properties": []}), accounts)


def _amounts(call: Tried) -> str:
    body = call.answer.body if call.answer is not None else b""
    empty = all(is_empty(body, shape) for shape in arithmetic.SHAPES.values())
    return "" if empty else "figures of others"


def _taken(call: Tried) -> str:
    """Any answer at all: there is nothing that it may be about."""
    return (
        str(call.status) if call.answer is not None and call.answer.body.strip() not in (b"", b"null") else ""
    )


def _as_text(call: Tried) -> str:
    """Where an object has become a text, or is given back in place of one."""
    body = call.answer.body if call.answer is not None else b""
    answer = json_of(call)
    record = answer.get("record") if isinstance(answer, Mapping) else None
    if isinstance(record, Mapping) and isinstance(record.get("first_name"), Mapping):
        return "an object in place of a name"
    return "the name as a text" if b"[object Object]" in body or _WORD.encode() in body else ""


async def _restarted(one: Invalid, call: Tried, send: Send) -> str:
    """Whether a cursor that nobody gave out has led to the first page, in words.

    It tells nothing where there is one page alone, or where the list looks at no cursor, as paging says then.
    """
    listing = one.request.operation
    if not isinstance(listing, Listing) or one.field != listing.cursor_param:
        return ""
    came = _page(call, listing)
    first = _page(await tried(send, list_request(listing, {})), listing)
    if came is None or first is None or first.next_cursor is None or not came.records:
        return ""
    second = _page(await tried(send, list_request(listing, {}, cursor=first.next_cursor)), listing)
    same = came.digest == first.digest and second is not None and second.digest != first.digest
    return "the first page, as if the list had been begun anew" if same else ""


async def _without_shape(one: Invalid, call: Tried, usual: Request | None, send: Send) -> str:
    """What an answer is not, though it has a status of success and a valid request is answered with one."""
    operation = one.request.operation
    if usual is None or operation is None or _shape(call, operation) != "":
        return ""
    return _shape(await tried(send, usual), operation)


def _shape(call: Tried, operation: Operation) -> str:
    """What an answer is, by what the contract has for its operation; empty where it is something else."""
    if call.answer is None:
        return ""
    if isinstance(operation, Listing):
        return "page" if _page(call, operation) is not None else ""
    if isinstance(operation, Batch):
        return "array" if records_of(call.answer, operation) is not None else ""
    if operation.key in _REPORTS:
        return "report" if is_report(json_of(call)) else ""
    return "answer"


def _page(call: Tried, listing: Listing) -> Page | None:
    try:
        return page_alone(call.answer, listing, 1, None) if call.answer is not None else None
    except ExplorerError:
        return None


def _is_own_failure(error: ExplorerError | None) -> bool:
    """Whether the service itself failed; a third party that fails over what was passed on to it is none of it."""
    return isinstance(error, ServiceFailed) and not isinstance(error, DataWithheld)


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"
