"""A pipeline and a customer that a run creates: values come back as sent, and an update changes only what it names.

The pipeline leads from the connection to itself and is disabled, but for two calls (`switch`). To look at it again, a
run sends an update that sets ``disabled`` to what it is; a customer is sent again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from explorer.catalog.registry import Registry
from explorer.catalog.request import Request, build
from explorer.catalog.spec import ABSENT, Operation
from explorer.jsontext.read import equal
from explorer.quality.checks import pipeline_switch
from explorer.quality.checks.left_behind import LEFT
from explorer.quality.checks.write_calls import (
    IDS,
    KEPT,
    LEAVES,
    NEEDS,
    RETURNED,
    SHARED,
    Writing,
    record_of,
    wrong,
)
from explorer.quality.compare.changes import differences
from explorer.quality.engine.check import Check, Result, Verdict
from explorer.quality.engine.finding_collector import named, shown, skipped
from explorer.quality.engine.probe import Tried, json_of, said, tried, why_failed
from explorer.quality.engine.service import Send
from explorer.quality.values.merge import preview

MERGE = Check(
    "writes.shallow-merge", "writes", "A pipeline's metadata is merged at the top level only", "call", NEEDS
)
STREAMS = Check("writes.streams", "writes", "What an update of a pipeline's streams does", "call", NEEDS)
PREFIX = Check("writes.prefix", "writes", "An id with a wrong prefix is refused", "call", NEEDS)
REPLACES = Check("writes.put-replaces", "writes", "A customer sent again is replaced", "call", NEEDS)
PIPELINES = (*SHARED, LEAVES, MERGE, STREAMS, PREFIX)
CUSTOMERS = (*SHARED, REPLACES)

PIPELINE, CUSTOMER = "core/pipeline", "core/customer"
_AGAIN = " when it is looked at again"
HARD: dict[str, Any] = {
    "zeros": "007",
    "plus": "+49 30",
    "word": "true",
    "no": False,
    "zero": 0,
    "blank": "",
    "camelCase": {"innerName": 1},
    "snake_case": {"inner_name": 1},
    "UPPER-kebab": {"Inner-Name": 1},
    "exponent": "1e5",
    "digits": "00123456789012345678",
    "text": 'Zoé "Q" O\'Run & <1> &amp; 李 ولد Ж 😀 %41 \\n',
    "long": "Ünïcode wörds 李雷 & more " * 20,
    "nothing": None,
    "empty": {},
    "none": [],
    "numbers": [0, -1, 0.1, 1e21],
    "a.key with/signs": {"inner": {"deep": [{"x": "y"}]}},
}
"""The metadata that is sent: the contract allows any JSON object of the caller's own (2.3)."""
_IN_CASE = "_Id"
"""The end of ids, which are others in another case (contract 2.3, 2.12)."""
_ESCAPED = "+ü@quality-run.example"
"""The end of a customer's id that an address has to escape."""
_BARE: tuple[Any, ...] = (["one", {"two": 2}], 0)
"""Metadata that are no object: the contract allows any value (2.12)."""
_ENDS = ("sourceId", "destinationId")
_STREAM = {"contact": {"disabled": True, "fields": ["id", "email"]}}
_OTHER_STREAM = {"account": {"disabled": True}}
_LEFT_ALONE = ("disabled", "streams", "metadata", "sourceId", "destinationId", "createdAt")


async def pipeline(connection: str, registry: Registry, send: Send, mark: str, always: Send) -> list[Result]:
    """Creates a pipeline from the connection to itself: one without ends is stored where nobody sees it (observed).

    ``always`` sends beyond the budget of the run, to turn off what was turned on.
    """
    if not connection:
        why = "a pipeline needs a connection at both ends, and none is set"
        return [skipped(check, PIPELINE, why) for check in (*PIPELINES, LEFT)]
    create, update = (registry.operation(f"{PIPELINE}/{name}") for name in ("create", "update"))
    writing, ident = Writing(PIPELINE, send), f"pipe_quality_run_{mark}{_IN_CASE}"
    ends = {"sourceId": connection, "destinationId": connection, "disabled": True}
    metadata: dict[str, Any] = {
        "kept": 1,
        "nested": {"one": 1, "two": 2},
        "cleared": "soon",
        "off": False,
        "zero": 0,
        "hard": HARD,
    }
    patch: dict[str, Any] = {"nested": {"two": 3}, "new": True, "cleared": None}
    sent = {"metadata": metadata, "streams": _STREAM, **ends}
    made = await writing.make(create, {"id": ident, **sent}, named=ident)
    if made.answer is None:
        # The difficult values were judged by then; the rest can be looked at on a plain pipeline.
        metadata = {name: value for name, value in metadata.items() if name != "hard"}
        sent = {"metadata": metadata, **ends}
        made = await writing.try_out(create, {"id": ident, **sent})
    if made.answer is None:
        results = writing.failed(f"no pipeline could be made: {why_failed(made)}", PIPELINES[:-1])
    else:
        unsaid = writing.compare(RETURNED, sent, record_of(made), made)
        path = {"id": ident}
        merging = await writing.make(update, {"metadata": patch}, path=path)
        merged = _merged(metadata, patch, made, merging)
        _left(writing, made, merging, "metadata")
        streaming = await writing.make(update, {"streams": _OTHER_STREAM}, path=path)
        _left(writing, merging if merging.answer else made, streaming, "streams")
        now = await writing.make(update, {"disabled": True}, path=path)
        expected = {**sent, "metadata": preview(metadata, patch).result, "streams": _OTHER_STREAM}
        _looked(writing, now, expected, unsaid, sure=merged.verdict is Verdict.HOLDS)
        _of_create(writing, sent, merging, now)
        writing.dates(made, merging, streaming, now)
        await writing.update_nobody(update, {"disabled": True}, f"{ident}_nobody")
        if "disabled" not in writing.flagged:
            await pipeline_switch.turn(writing, update, path, now, send, always)
        if writing.flagged.isdisjoint(_ENDS):
            await _ends_exchanged(writing, create, {"id": ident, **ends}, mark)
        results = [*writing.results(LEAVES), merged, _streams(streaming)]
    lacking = await writing.try_out(create, {"id": f"quality_run_{mark}", **ends})
    refused = _refused(lacking)
    if made.answer is not None and refused.verdict is Verdict.HOLDS:
        refused = await _ends_refused(writing, create, {"id": ident, **ends}) or refused
    return [*results, refused]


async def _ends_exchanged(writing: Writing, create: Operation, own: Mapping[str, Any], mark: str) -> None:
    """Sends the run's own pipeline with two ends that differ: with one connection at both nobody sees them exchanged.

    The other end is no connection, which a service may refuse; where it is taken, the pipeline is put right.
    """
    sent = {**own, _ENDS[1]: f"conn_quality_run_{mark}"}
    call = await writing.try_out(create, sent)
    if call.answer is None:
        return
    came = record_of(call)
    if [came.get(name) for name in _ENDS] == [sent[name] for name in reversed(_ENDS)]:
        what = f"{' and '.join(_ENDS)} came back in each other's place"
        writing.tell(RETURNED, "exchanged", _ENDS[0], what, call.example())
    await writing.try_out(create, own)


async def _ends_refused(writing: Writing, create: Operation, own: Mapping[str, Any]) -> Result | None:
    """Sends the run's own pipeline again with an end that is no connection's id; one that is taken is put right."""
    for name in _ENDS:
        call = await writing.try_out(create, {**own, name: f"quality_run_{own['id']}"})
        if call.answer is not None:
            await writing.try_out(create, own)
            return wrong(PREFIX, PIPELINE, name, f"A {name} without conn_ was accepted", call)
    return None


def _merged(old: Mapping[str, Any], patch: Mapping[str, Any], made: Tried, call: Tried) -> Result:
    if call.answer is None:
        return skipped(MERGE, PIPELINE, f"the update failed: {why_failed(call)}")
    got = record_of(call).get("metadata")
    if _same(got, preview(old, patch).result):
        return said(MERGE, PIPELINE, Verdict.HOLDS, "a nested object was replaced whole", made, call)
    stored = record_of(made).get("metadata")
    if isinstance(stored, Mapping) and _same(got, preview(stored, patch).result):
        seen = "a nested object was replaced whole, in what was stored"
        return said(MERGE, PIPELINE, Verdict.HOLDS, seen, made, call)
    expected = _bare(preview(old, patch).result)
    wrong_ = [one.field for one in differences(expected, _bare(got))] if isinstance(got, Mapping) else []
    where = f", other than merged at the top level in {named(wrong_)}" if wrong_ else ""
    what = f"metadata is {json.dumps(_bare(got))[:200]} after an update{where}"
    return wrong(MERGE, PIPELINE, "metadata", what, call)


def _same(one: Any, other: Any) -> bool:
    """Whether two metadata are the same, null and absent counting as equal."""
    return equal(_bare(one), _bare(other))


def _bare(metadata: Any) -> Any:
    """Metadata without nulls and without the part that tests values: whether those come back is a check of its own."""
    if not isinstance(metadata, Mapping):
        return metadata
    return {name: value for name, value in metadata.items() if name != "hard" and value is not None}


def _left(writing: Writing, before: Tried, after: Tried, of: str) -> None:
    """Whether an update of ``of`` left everything else alone. What either answer omits is not judged."""
    had, has = record_of(before), record_of(after)
    for name in _LEFT_ALONE:
        if name not in (of, *writing.flagged) and had.get(name) is not None and name in has:
            value, now = had[name], has[name]
            same = equal(value, now)
            writing.leave(name, value if not same else None, now if not same else None, after, of)


def _looked(
    writing: Writing, now: Tried, expected: Mapping[str, Any], unsaid: list[str], *, sure: bool
) -> None:
    record = record_of(now)
    if now.answer is None:
        writing.not_looked(f"the pipeline could not be looked at again: {now.sentence}")
        return
    for name, value in expected.items():
        if name in writing.flagged or (name == "metadata" and not sure) or name not in record:
            continue
        writing.judge_value(KEPT, name, value, record.get(name, ABSENT), now, _AGAIN)
    for name in unsaid:
        kept = "is kept" if record.get(name) is not None else "is not shown later either"
        writing.note(RETURNED, f"{name} is not in the response to the create and {kept}")


def _of_create(writing: Writing, sent: Mapping[str, Any], before: Tried, now: Tried) -> None:
    """Streams that a create names are there before the first update of them, where answers show what is there.

    They do where the last one has some, though its update does not name them.
    """
    had, has = record_of(before), record_of(now)
    if "streams" in writing.flagged or not sent.get("streams") or had.get("disabled") is None:
        return
    if had.get("streams") in (None, {}) and has.get("streams"):
        what = "streams of a new pipeline are not kept: they are not there before an update that names some"
        writing.tell(KEPT, "not kept", "streams", what, before.example())


def _streams(call: Tried) -> Result:
    """Recorded only: the contract says that metadata is merged on update, and nothing about streams."""
    if call.answer is None:
        return skipped(STREAMS, PIPELINE, f"the update failed: {why_failed(call)}")
    got = record_of(call).get("streams")
    names = sorted(map(str, got)) if isinstance(got, Mapping) else []
    both = {"account", "contact"} <= set(names)
    seen = (
        "merged with those that were there" if both else f"afterwards there are: {', '.join(names) or 'none'}"
    )
    return said(STREAMS, PIPELINE, Verdict.OBSERVED, seen, call)


def _refused(call: Tried) -> Result:
    if call.answer is not None:
        return wrong(PREFIX, PIPELINE, "id", "An id without pipe_ was accepted", call)
    if call.status is None:
        return skipped(PREFIX, PIPELINE, call.sentence)
    verdict = Verdict.HOLDS if 400 <= call.status < 500 else Verdict.SUSPECT
    return said(PREFIX, PIPELINE, verdict, f"refused with {call.status}", call)


async def harmless_pipeline(
    connection: str, registry: Registry, send: Send, mark: str, *, there: bool
) -> list[Request] | str:
    """An update and a create that change nothing on the run's own pipeline, or a text that says why there is none."""
    if not connection:
        return "a pipeline needs a connection at both ends, and none is set"
    ident = f"pipe_quality_run_{mark}{_IN_CASE}"
    body = {"id": ident, "sourceId": connection, "destinationId": connection, "disabled": True}
    create = build(registry.operation(f"{PIPELINE}/create"), body=body)
    if not there:
        made = await tried(send, create)
        if made.answer is None:
            return f"no pipeline could be made: {why_failed(made)}"
    update = build(registry.operation(f"{PIPELINE}/update"), path={"id": ident}, body={"disabled": True})
    return [update, create]


def harmless_customer(registry: Registry, mark: str) -> list[Request]:
    """A call that replaces the run's own customer by the same values."""
    put = registry.operation(f"{CUSTOMER}/put")
    return [build(put, path={"id": f"quality_run_{mark}{_IN_CASE}"}, body={"metadata": {"two": 3}})]


async def customer(registry: Registry, send: Send, mark: str) -> list[Result]:
    """Sends a customer six times: created, replaced, with difficult values, the same once more, and with bare values;
    and a second one, whose id has signs that an address escapes, as many take e-mail addresses for ids.
    """
    put, writing = registry.operation("core/customer/put"), Writing(CUSTOMER, send)
    path = {"id": f"quality_run_{mark}{_IN_CASE}"}
    first = await writing.make(put, {"metadata": {"one": 1, "two": 2}}, path=path)
    if first.answer is None:
        return writing.failed(f"no customer could be created: {why_failed(first)}", CUSTOMERS)
    second = await writing.make(put, {"metadata": {"two": 3}}, path=path)
    hard = await writing.make(put, {"metadata": HARD}, path=path)
    if hard.answer is not None:
        writing.compare(RETURNED, {"metadata": HARD}, record_of(hard), hard)
        again = await writing.make(put, {"metadata": HARD}, path=path)
        if again.answer is None:
            writing.not_looked(f"the customer could not be sent again: {again.sentence}")
        else:
            same = {"orgId": record_of(first).get("orgId"), "metadata": HARD}
            writing.compare(KEPT, same, record_of(again), again, _AGAIN)
    for bare in _BARE if "metadata" not in writing.flagged else ():
        call = await writing.make(put, {"metadata": bare}, path=path)
        if call.answer is not None:
            writing.judge_value(RETURNED, "metadata", bare, record_of(call).get("metadata", ABSENT), call)
    if "id" not in writing.flagged:
        await _escaped(writing, put, f"quality_run_{mark}{_ESCAPED}", record_of(first).get("orgId"))
    return [*writing.results(), _replaced(first, second)]


async def _escaped(writing: Writing, put: Operation, ident: str, organization: Any) -> None:
    """``organization`` is that of the first customer: a key is of one alone."""
    call = await writing.try_out(put, {"metadata": {}}, path={"id": ident})
    came = record_of(call).get("id")
    if call.answer is None:
        writing.note(IDS, f"an id with signs that an address escapes is refused: {why_failed(call)}")
    elif isinstance(came, str) and came and came != ident:
        what = f"A customer's id with signs that an address escapes, {ident}, came back as {came[:100]}"
        writing.tell(IDS, "escaped", "id", what, call.example(came[:100]), Verdict.SUSPECT)
    its = record_of(call).get("orgId")
    if organization and its and its != organization:
        what = f"Two customers of one key have two organizations: orgId is {shown(organization)} and {shown(its)}"
        writing.tell(IDS, "two organizations", "orgId", what, call.example(shown(its)), Verdict.SUSPECT)


def _replaced(first: Tried, second: Tried) -> Result:
    if second.answer is None:
        return skipped(REPLACES, CUSTOMER, f"the customer could not be sent again: {why_failed(second)}")
    got = json_of(second)
    metadata = got.get("metadata") if isinstance(got, Mapping) else None
    if equal(metadata, {"two": 3}):
        return said(REPLACES, CUSTOMER, Verdict.HOLDS, "metadata was replaced whole", first, second)
    what = f"metadata is {json.dumps(metadata)[:200]} after it was sent again"
    return wrong(REPLACES, CUSTOMER, "metadata", what, second)
