"""Writes, only where the profile's guard lets them through unasked, and only on records that the run makes itself.

What is made is marked: names begin with ``Quality run``, addresses end in ``quality-run.example``, ids of pipelines and
customers hold ``quality_run``. Nothing that was there before is touched, and what was made is named (`left`).
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from functools import partial
from typing import Any

from explorer.catalog.registry import Registry
from explorer.catalog.request import build
from explorer.jsontext.read import equal
from explorer.profiles.profile import Environment, Guard, Profile
from explorer.quality.checks.left import LEFT
from explorer.quality.compare.changes import compare
from explorer.quality.engine.check import Check, Result, Verdict
from explorer.quality.engine.finding_collector import skipped
from explorer.quality.engine.probe import Found, Tried, said, tried
from explorer.quality.engine.run_options import RunOptions
from explorer.quality.engine.service import Send, Service
from explorer.quality.values.merge import preview

NEEDS = "a profile that may write"
WRAPPED = Check("writes.wrapper", "writes", "A contact is returned under record", "call", NEEDS)
RETURNED = Check("writes.returned", "writes", "What was sent is returned", "value", NEEDS)
TWICE = Check("writes.upsert-twice", "writes", "An upsert made twice gives one id", "call", NEEDS)
LEAVES = Check(
    "writes.patch-leaves", "writes", "An update leaves the other fields as they were", "call", NEEDS
)
MANY = Check("writes.two-matches", "writes", "What an upsert does when two contacts match", "call", NEEDS)
MERGE = Check(
    "writes.shallow-merge", "writes", "A pipeline's metadata is merged at the top level only", "call", NEEDS
)
PREFIX = Check("writes.prefix", "writes", "An id with a wrong prefix is refused", "call", NEEDS)
REPLACES = Check("writes.put-replaces", "writes", "A customer sent again is replaced", "call", NEEDS)
CONTACTS = (WRAPPED, RETURNED, TWICE, LEAVES, MANY)


def may_write(profile: Profile) -> bool:
    """Whether the guard lets writes through without asking, outside of production."""
    return profile.guard is Guard.OPEN and profile.environment is not Environment.PRODUCTION


async def look(service: Service, send: Send, asked: RunOptions) -> Found:
    """Makes contacts, a pipeline and a customer, if that was asked for and is allowed."""
    found = Found()
    why = "" if asked.writes else "writes are not enabled"
    why = why or ("" if may_write(service.profile) else "this profile does not allow writes without asking")
    mark = secrets.token_hex(4)
    for key, checks, tried_out in (
        ("crm/contact", CONTACTS, _contacts),
        ("core/pipeline", (MERGE, PREFIX), partial(_pipeline, service.profile.connection)),
        ("core/customer", (REPLACES,), _customer),
    ):
        if not asked.covers(key):
            continue
        if why:
            found.results += [skipped(check, key, why) for check in (*checks, LEFT)]
        else:
            found.results += await tried_out(service.registry, send, mark)
    return found


async def _contacts(registry: Registry, send: Send, mark: str) -> list[Result]:
    key = "crm/contact"
    create, update, upsert = (registry.operation(f"{key}/{name}") for name in ("create", "update", "upsert"))
    record = {
        "first_name": "Quality run",
        "last_name": f"Contact {mark}",
        "email": f"{mark}@quality-run.example",
        "phone": "+49 30 5550100",
    }
    made = await tried(send, build(create, body={"record": record}))
    if made.answer is None:
        return [skipped(check, key, f"no contact could be made: {made.sentence}") for check in CONTACTS]
    results = [_wrapped(key, made)]
    changes = compare(create, {}, {"record": record}, made.answer.body)
    lost = [change for change in changes if change.what in ("dropped", "changed")]
    if results[0].is_bad:
        results.append(skipped(RETURNED, key, "the response is not wrapped in record"))
    elif lost:
        seen = "; ".join(f"{change.field} was sent and {_how(change.what)}" for change in lost)
        results.append(said(RETURNED, key, Verdict.FAILS, seen, made, measured=len(record)))
    else:
        seen = f"{len(record)} fields as they were sent"
        results.append(said(RETURNED, key, Verdict.HOLDS, seen, made, measured=len(record)))
    on = {"key": "email", "values": [record["email"]]}
    again = [await tried(send, build(upsert, body={"upsert_on": on, "record": record})) for _ in range(2)]
    results.append(_one_id(key, made, *again))
    ident = _record(made).get("id")
    if not isinstance(ident, str):
        results.append(skipped(LEAVES, key, "the contact that was made has no id"))
    else:
        before = _record(again[-1]) or _record(made)
        body = {"record": {"first_name": "Quality run 2"}}
        patched = await tried(send, build(update, path={"id": ident}, body=body))
        results.append(_left(key, before, patched))
    await tried(send, build(create, body={"record": record}))
    both = await tried(send, build(upsert, body={"upsert_on": on, "record": record}))
    seen = f"refused with {both.status}" if both.answer is None else "answered with one of them"
    return [*results, said(MANY, key, Verdict.OBSERVED, seen, both)]


def _wrapped(key: str, made: Tried) -> Result:
    body = _json(made)
    if isinstance(body, Mapping) and isinstance(body.get("record"), Mapping):
        return said(WRAPPED, key, Verdict.HOLDS, "", made)
    return said(WRAPPED, key, Verdict.FAILS, "The response is the record itself, not wrapped in record", made)


def _one_id(key: str, made: Tried, *again: Tried) -> Result:
    failed = next((call.sentence for call in again if call.answer is None), "")
    if failed:
        return said(TWICE, key, Verdict.FAILS, f"The upsert failed: {failed}", *again)
    ids = {_record(call).get("id") for call in (made, *again)}
    if len(ids) == 1:
        return said(TWICE, key, Verdict.HOLDS, "one id for a create and two upserts", *again)
    return said(TWICE, key, Verdict.FAILS, f"{len(ids)} ids for one e-mail address", *again)


def _left(key: str, before: Mapping[str, Any], patched: Tried) -> Result:
    if patched.answer is None:
        return said(LEAVES, key, Verdict.FAILS, f"The update failed: {patched.sentence}", patched)
    after = _record(patched)
    names = ("last_name", "email", "phone")
    lost = [name for name in names if not equal(before.get(name), after.get(name))]
    if lost:
        what = f"{', '.join(lost)} changed with an update of first_name"
        return said(LEAVES, key, Verdict.FAILS, what, patched)
    return said(LEAVES, key, Verdict.HOLDS, "three fields as before", patched)


async def _pipeline(connection: str, registry: Registry, send: Send, mark: str) -> list[Result]:
    """A pipeline from the connection to itself: one without ends is stored where nobody sees it (observed)."""
    key = "core/pipeline"
    if not connection:
        why = "a pipeline needs a connection at both ends, and none is set"
        return [skipped(check, key, why) for check in (MERGE, PREFIX, LEFT)]
    ends = {"sourceId": connection, "destinationId": connection, "disabled": True}
    create, update = (registry.operation(f"{key}/{name}") for name in ("create", "update"))
    ident = f"pipe_quality_run_{mark}"
    old: dict[str, Any] = {"kept": 1, "nested": {"one": 1, "two": 2}}
    patch: dict[str, Any] = {"nested": {"two": 3}, "new": True}
    made = await tried(send, build(create, body={"id": ident, "metadata": old, **ends}))
    if made.answer is None:
        merged = skipped(MERGE, key, f"no pipeline could be made: {made.sentence}")
    else:
        call = await tried(send, build(update, path={"id": ident}, body={"metadata": patch}))
        got = _json(call)
        got = got.get("metadata") if isinstance(got, Mapping) else None
        if call.answer is None:
            merged = said(MERGE, key, Verdict.FAILS, f"The update failed: {call.sentence}", made, call)
        elif equal(got, preview(old, patch).result):
            merged = said(MERGE, key, Verdict.HOLDS, "a nested object was replaced whole", made, call)
        else:
            what = f"The merge gives {json.dumps(got)[:200]}"
            merged = said(MERGE, key, Verdict.FAILS, what, made, call)
    wrong = await tried(send, build(create, body={"id": f"quality_run_{mark}", **ends}))
    if wrong.answer is not None:
        return [merged, said(PREFIX, key, Verdict.FAILS, "An id without pipe_ was accepted", wrong)]
    if wrong.status is None:
        return [merged, skipped(PREFIX, key, wrong.sentence)]
    verdict = Verdict.HOLDS if 400 <= wrong.status < 500 else Verdict.SUSPECT
    return [merged, said(PREFIX, key, verdict, f"refused with {wrong.status}", wrong)]


async def _customer(registry: Registry, send: Send, mark: str) -> list[Result]:
    key = "core/customer"
    put = registry.operation("core/customer/put")
    path = {"id": f"quality_run_{mark}"}
    first = await tried(send, build(put, path=path, body={"metadata": {"one": 1, "two": 2}}))
    second = await tried(send, build(put, path=path, body={"metadata": {"two": 3}}))
    for call in (first, second):
        if call.answer is None:
            return [skipped(REPLACES, key, f"no customer could be created: {call.sentence}")]
    got = _json(second)
    metadata = got.get("metadata") if isinstance(got, Mapping) else None
    if equal(metadata, {"two": 3}):
        return [said(REPLACES, key, Verdict.HOLDS, "metadata was replaced whole", first, second)]
    what = f"metadata is {json.dumps(metadata)[:200]} after it was sent again"
    return [said(REPLACES, key, Verdict.FAILS, what, first, second)]


def _json(call: Tried) -> Any:
    try:
        return json.loads(call.answer.body) if call.answer else None
    except (ValueError, RecursionError):
        return None


def _record(call: Tried) -> Mapping[str, Any]:
    """The record of an answer, wrapped or not."""
    body = _json(call)
    if not isinstance(body, Mapping):
        return {}
    inner = body.get("record")
    return inner if isinstance(inner, Mapping) else body


def _how(what: str) -> str:
    return "came back as something else" if what == "changed" else "did not come back"
