"""The batch read of accounts (contract 4, endpoint 4): compares what was requested with what was returned."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import AsyncIterator, Collection, Iterator, Mapping, Sequence
from typing import Any

from explorer.api.answer import Answer
from explorer.api.page_parser import Unsliceable, slice_list
from explorer.catalog.request import Request, build
from explorer.catalog.spec import Batch, Record, raw_field
from explorer.quality.checks.lineage import Lineage
from explorer.quality.checks.plausible import Plausible
from explorer.quality.checks.records import Records
from explorer.quality.checks.secrets import RecordSecrets
from explorer.quality.checks.transport import Transport
from explorer.quality.engine.check import Check, Example, Latency, Result, Verdict
from explorer.quality.engine.finding_collector import FindingCollector, named, shown, skipped
from explorer.quality.engine.probe import Found, Tried, is_lacking, said, tried, verdict_of, why_failed
from explorer.quality.engine.row import Row, read_row
from explorer.quality.engine.run_options import RunOptions
from explorer.quality.engine.service import Send, Service
from explorer.quality.mapping.origin import is_empty
from explorer.quality.values.flat import leaves
from explorer.quality.values.ids import chunks
from explorer.words import count

NEEDS = "ids of accounts"
ANSWERED = Check("batch.answers", "batch read", "The batch read succeeds", "call", NEEDS)
ARRAY = Check("batch.array", "batch read", "The response is a bare array", "call", NEEDS)
ASKED = Check("batch.asked", "batch read", "Only requested accounts are returned", "id", NEEDS)
MISSING = Check("batch.missing", "batch read", "Every requested account is returned", "id", NEEDS)
ONCE = Check("batch.once", "batch read", "Each account is returned once", "id", NEEDS)
PROPERTIES = Check(
    "batch.properties",
    "batch read",
    "What is returned beyond the requested properties",
    "call",
    f"{NEEDS}, and properties",
)
UNKNOWN = Check("batch.unknown-id", "batch read", "What happens with an unknown id", "call", NEEDS)
DOUBLE = Check("batch.double-id", "batch read", "What happens with an id requested twice", "call", NEEDS)
ORDER = Check(
    "batch.order",
    "batch read",
    "Accounts are the same when all are requested at once, in another order",
    "id",
    "ids of several accounts",
)
CHECKS = (ANSWERED, ARRAY, ASKED, MISSING, ONCE, PROPERTIES, UNKNOWN, DOUBLE, ORDER)

KEY = "crm/account"
SIZE = 100
NOBODY = "no-such-account"
_AT_ONCE = 300
"""At most this many accounts are requested in one call, to see whether all of them come."""
_NO_ARRAY = "answered with a status of success, and with no array"
_FEW = 10
"""Accounts that are requested once more without properties."""
_CHANGES = ("updated_at", "last_modified_at")
"""The dates of an account that say when it was changed."""
_SOME = 3
"""From this many accounts on, it is no coincidence that none has any of the requested properties."""


async def look(service: Service, send: Send, asked: RunOptions) -> Found:
    """Reads the accounts of ``asked.ids`` with and without properties."""
    found = Found()
    registry = service.registry
    model = registry.resource(KEY).record
    operation = registry.operation("crm/account/batch_read")
    if not asked.covers(KEY) or model is None or not isinstance(operation, Batch):
        return found
    if not asked.ids:
        why = "the API cannot list accounts: enter their ids"
        found.results = [skipped(check, KEY, why) for check in CHECKS]
        return found
    left = len(asked.ids) if asked.records is None else asked.records
    found.cut = left < len(asked.ids)
    if not left:
        found.results = [skipped(check, KEY, "the budget of records is used up") for check in CHECKS]
        return found
    reading = _Reading(send, asked, operation, model)
    watchers = (Records(model), Plausible(model), Lineage(registry.resource(KEY)), RecordSecrets())
    async for row in _rows(reading, asked.ids[:left]):
        for watcher in (reading.wire, *watchers):
            watcher.row(row)
        found.records += 1
    found.results = reading.results()
    if reading.failed:
        found.results += reading.wire.of_calls(KEY)
    else:
        found.results += [*await reading.properties(), await reading.unknown(), await reading.double()]
        found.results.append(await reading.order())
        found.results += reading.wire.of_calls(KEY)
        found.results += [result for watcher in watchers for result in watcher.results(KEY)]
        found.results = watchers[2].with_sources(found.results)
        found.mappings = [watchers[2].mapping()]
    found.latencies = reading.latencies
    return found


async def _rows(reading: _Reading, ids: Sequence[str]) -> AsyncIterator[Row]:
    number = 0
    for chunk in chunks(list(dict.fromkeys(ids)), SIZE):
        for row in await reading.chunk(chunk, number):
            number += 1
            yield row


class _Reading:
    """The calls of one batch read, and the data they are compared with."""

    def __init__(self, send: Send, asked: RunOptions, operation: Batch, model: type[Record]) -> None:
        self._send, self._asked, self._operation = send, asked, operation
        self._raw = raw_field(model)
        self.wire = Transport(raw=self._raw)
        self._tally = {check: FindingCollector(check) for check in (ARRAY, ASKED, MISSING, ONCE)}
        self.latencies: list[Latency] = []
        self._kept: dict[str, Mapping[str, Any]] = {}
        """The first accounts that came, by their ids."""
        self._told: set[str] = set()
        """Fields that are other at each reading, which is said once."""
        self._readings: list[tuple[Tried, Sequence[bytes]]] = []
        """Further calls that read the first account as well, with their rows."""
        self._came: set[str] = set()
        self._read = 0
        self.failed = ""
        self._refused: Tried | None = None

    def request(self, ids: Sequence[str], properties: Sequence[str]) -> Request:
        """The request for some accounts and properties."""
        return build(self._operation, body={"ids": list(ids), "properties": list(properties)})

    async def chunk(self, ids: Sequence[str], before: int) -> list[Row]:
        """Reads the records of some ids; ``before`` is the number of rows that earlier calls returned."""
        call = await tried(self._send, self.request(ids, self._asked.properties))
        if call.answer is None:
            self.failed, self._refused = why_failed(call), call
            return []
        self.latencies.append(Latency(KEY, None, call.answer.elapsed_ms))
        self._tally[ARRAY].look()
        self.wire.answer(call.answer)
        rows = records_of(call.answer, self._operation)
        if rows is None and read_row(call.answer.body, 1, None, call.exchange).unreadable:
            self.wire.row(read_row(call.answer.body, 1, None, call.exchange))
            self.failed = "the response is not JSON"
            return []
        if rows is None:
            self._tally[ARRAY].add("no array", "", "The response is not a bare array", call.example())
            return []
        made = [read_row(raw, before + at, None, call.exchange) for at, raw in enumerate(rows, 1)]
        self._compare(ids, made)
        return made

    def results(self) -> list[Result]:
        """The results for the calls made so far."""
        if self.failed:
            rest = [skipped(check, KEY, f"the batch read failed: {self.failed}") for check in CHECKS[1:]]
            return [self._answered(), *rest]
        made = [tally.result(KEY, empty="no account came") for tally in self._tally.values()]
        return [self._answered(), *made]

    def _answered(self) -> Result:
        call = self._refused
        if call is None:
            return Result(ANSWERED, KEY, Verdict.HOLDS, "", max(len(self.latencies), 1))
        verdict = None if is_lacking(call.error) else verdict_of(call.error)
        return (
            said(ANSWERED, KEY, verdict, self.failed, call)
            if verdict is not None
            else skipped(ANSWERED, KEY, self.failed)
        )

    async def properties(self) -> list[Result]:
        """Requests the same account without properties: the answer must not contain those that can be requested."""
        names = self._asked.properties
        if not names:
            return [skipped(PROPERTIES, KEY, "it needs the names of account properties")]
        bare = await tried(self._send, self.request(self._asked.ids[:_FEW], ()))
        rows = records_of(bare.answer, self._operation) if bare.answer else None
        if not rows:
            return [skipped(PROPERTIES, KEY, "a request without properties was not answered")]
        wanted = {name.casefold() for name in names}
        if self._read >= _SOME and not wanted & self._came:
            what = f"None of the requested properties comes in {self._raw}: {named(names)}"
            return [said(PROPERTIES, KEY, Verdict.SUSPECT, what, bare)]
        if dropped := await self._dropped([name for name in names if name.casefold() not in self._came]):
            return [dropped]
        made = [read_row(raw, at, None, bare.exchange) for at, raw in enumerate(rows, 1)]
        if moved := await self._moved(made, bare):
            return [moved]
        for row in made:
            before = self._kept.get(row.id, {})
            filled = {name: value for name, value in (row.record or {}).items() if not is_empty(value)}
            if fields := _other_fields(before, filled):
                are = "is" if len(fields) == 1 else "are"
                what = f"{named(fields)} of one account {are} other where no property is requested: "
                what += f"{shown(filled[fields[0]])}, else {shown(before[fields[0]])}"
                return [said(PROPERTIES, KEY, Verdict.SUSPECT, what, bare, field=fields[0])]
        held = _names(json.loads(rows[0]).get(self._raw))
        came = [name for name in names if name in held]
        if came:
            what = f"{', '.join(came[:5])} returned without being requested"
            return [
                said(PROPERTIES, KEY, Verdict.OBSERVED, what, bare)
            ]  # the contract promises no less and no more
        return [said(PROPERTIES, KEY, Verdict.HOLDS, "none returned when none was requested", bare)]

    async def _moved(self, rows: Sequence[Row], bare: Tried) -> Result | None:
        """Reports dates of change that follow what is requested, and not what was changed.

        Accounts that are changed meanwhile have another date when they are requested as before, too.
        """
        moved = _moved_dates(self._kept, rows)
        if not moved:
            return None
        call = await tried(self._send, self.request(list(moved), self._asked.properties))
        raws = records_of(call.answer, self._operation) if call.answer is not None else None
        same = [read_row(raw, at, None, call.exchange) for at, raw in enumerate(raws or (), 1)]
        still = moved.keys() & {row.id for row in same} - _moved_dates(self._kept, same).keys()
        if not still:
            return None
        tally = FindingCollector(PROPERTIES, Verdict.SUSPECT)
        tally.look(len(rows))
        for row in rows:
            for name in moved[row.id] if row.id in still else ():
                what = f"{name} is another where no property is requested, and the same again where they are"
                tally.add("follows the request", name, what, row.example((row.record or {})[name]))
        return tally.result(KEY)

    async def _dropped(self, names: Sequence[str]) -> Result | None:
        """Reports properties that are returned when requested alone, and for no account when requested with others."""
        if not names or self._read < _SOME:
            return None
        alone = await tried(self._send, self.request(self._asked.ids[:SIZE], names))
        rows = records_of(alone.answer, self._operation) if alone.answer is not None else None
        raws = [row.record.get(self._raw) for raw in rows or () if (row := read_row(raw, 1, None, 0)).record]
        there = {name.casefold() for raw in raws for name in _names(raw)}
        if not (lost := [name for name in names if name.casefold() in there]):
            return None
        what = f"{named(lost)} came only when requested without the other properties"
        return said(PROPERTIES, KEY, Verdict.SUSPECT, what, alone)

    async def unknown(self) -> Result:
        """Requests an id that does not exist beside one that does."""
        call = await tried(self._send, self.request((self._asked.ids[0], NOBODY), self._asked.properties))
        rows = records_of(call.answer, self._operation) if call.answer is not None else None
        self._readings.append((call, rows or ()))
        if rows is None and call.answer is not None and self._read:
            what = f"An unknown id beside a known one is {_NO_ARRAY}"
            return said(UNKNOWN, KEY, Verdict.SUSPECT, what, call)
        if any(read_row(raw, 1, None, call.exchange).id == NOBODY for raw in rows or ()):
            what = "An id that nobody has is answered with a record"
            return said(UNKNOWN, KEY, Verdict.SUSPECT, what, call)
        return said(UNKNOWN, KEY, Verdict.OBSERVED, _outcome(call, self._operation), call)

    async def double(self) -> Result:
        """Requests one id twice in one call."""
        first = self._asked.ids[0]
        call = await tried(self._send, self.request((first, first), self._asked.properties))
        rows = records_of(call.answer, self._operation) if call.answer is not None else None
        if rows is None:
            if call.answer is not None and self._read:
                what = f"An id that is requested twice is {_NO_ARRAY}"
                return said(DOUBLE, KEY, Verdict.SUSPECT, what, call)
            seen = f"refused with {call.status}" if call.status and call.answer is None else call.sentence
            return said(DOUBLE, KEY, Verdict.OBSERVED, seen or "answered with no array", call)
        before = self._kept.get(first, {})
        for reading, raws in (*self._readings, (call, rows)):
            read = [row.record for raw in raws if (row := read_row(raw, 1, None, call.exchange)).id == first]
            for other in read:
                if other is not None and (fields := _other_fields(before, other)):
                    self._told |= {*fields}
                    are = "is" if len(fields) == 1 else "are"
                    what = f"{named(fields)} of one account {are} other at another reading"
                    return said(
                        DOUBLE, KEY, Verdict.SUSPECT, f"{what}, with the same date of change", reading
                    )
        return said(DOUBLE, KEY, Verdict.OBSERVED, f"{count(len(rows), 'record')} for it", call)

    async def order(self) -> Result:
        """Requests all accounts that came in one call, the last first: each has to say what it said before."""
        ids = [one for one in dict.fromkeys(self._asked.ids) if one in self._kept][::-1]
        if len(ids) < 2:
            return skipped(ORDER, KEY, "fewer than two accounts came")
        call = await tried(self._send, self.request(ids, self._asked.properties))
        if call.answer is None and len(ids) > SIZE:
            ids = ids[:SIZE]
            call = await tried(self._send, self.request(ids, self._asked.properties))
        if call.answer is None:
            seen = f"refused with {call.status}" if call.status else call.sentence
            return said(ORDER, KEY, Verdict.OBSERVED, seen, call)
        rows = records_of(call.answer, self._operation)
        if rows is None:
            return said(ORDER, KEY, Verdict.SUSPECT, f"{len(ids)} ids are {_NO_ARRAY}", call)
        tally = FindingCollector(ORDER, Verdict.SUSPECT)
        tally.look(len(ids))
        made = [read_row(raw, at, None, call.exchange) for at, raw in enumerate(rows, 1)]
        # An account that never comes in one call of several is another check's, whichever it is this time.
        for ident in () if self._tally[MISSING] else sorted(set(ids) - {row.id for row in made}):
            what = f"Accounts are left out when {len(ids)} are requested at once"
            tally.add("left out", "id", what, Example(None, None, call.exchange, ident[:100]))
        whose = {self._content(record): ident for ident, record in self._kept.items()}
        for row in made:
            before = self._kept.get(row.id)
            if row.record is None or before is None:
                continue
            content = self._content(row.record)
            if content != self._content(before) and content in whose:
                what = (
                    "Accounts come with the content of another when their ids are requested in another order"
                )
                tally.add("another's", "id", what, row.example(row.id))
                continue
            for name in _other_fields(before, row.record):
                if name not in self._told:
                    what = f"{name} is another when all accounts are requested at once, with the same date of change"
                    tally.add("other content", name, what, row.example(row.id))
        return tally.result(KEY)

    def _content(self, record: Mapping[str, Any]) -> str:
        """What a record is known by beside its id: its raw data, or all of it where there are none."""
        rest = {name: value for name, value in record.items() if name != "id"}
        return json.dumps(record.get(self._raw) or rest, sort_keys=True)

    def _compare(self, ids: Sequence[str], rows: list[Row]) -> None:
        counts = Counter(row.id for row in rows)
        for check in (ASKED, ONCE):
            self._tally[check].look(len(rows))
        self._tally[MISSING].look(len(ids))
        once, wanted = set[str](), set(ids)
        for row in rows:
            self._note(row, wanted)
            if row.id and row.id not in ids:
                self._tally[ASKED].add(
                    "extra", "id", "Accounts were returned that were not requested", row.example(row.id)
                )
            if counts[row.id] > 1 and row.id in once:
                self._tally[ONCE].add("twice", "id", "An account is repeated", row.example(row.id))
            once.add(row.id)
        for ident in ids:
            if ident not in counts:
                what = "Requested accounts were not returned"
                first = rows[0].example(ident) if rows else Tried().example(ident)
                self._tally[MISSING].add("missing", "id", what, first, verdict=Verdict.SUSPECT)

    def _note(self, row: Row, wanted: Collection[str]) -> None:
        """Remembers the row for comparison with further calls; its raw data must be of the requested record."""
        raw = row.record.get(self._raw) if row.record is not None else None
        self._read += 1
        self._came |= {name.casefold() for name in _names(raw)}
        if row.record is not None and row.id in wanted and len(self._kept) < _AT_ONCE:
            self._kept.setdefault(row.id, row.record)
        held = {str(one) for one in leaves(raw).values()} if isinstance(raw, dict) else set()
        others = (held & set(wanted)) - {row.id}
        if row.id and row.id not in held and len(others) == 1:
            what = f"Accounts came under the id of another: {self._raw} has that of another requested account"
            self._tally[ASKED].add("another's", "id", what, row.example(row.id), verdict=Verdict.SUSPECT)


def _other_fields(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    """The scalar fields in which two readings of a record differ; none where its date of change differs as well."""
    dates = [name for name in one if name.endswith("_at") and name in other]
    if any(one[name] != other[name] for name in dates):
        return []
    both = [name for name in one if name in other and not isinstance(one[name], dict | list)]
    return [name for name in both if one[name] != other[name]]


def _moved_dates(kept: Mapping[str, Mapping[str, Any]], rows: Sequence[Row]) -> dict[str, list[str]]:
    """The dates of change by the ids of the accounts in which they are no longer what they were."""
    moved: dict[str, list[str]] = {}
    for row in rows:
        before, now = kept.get(row.id, {}), row.record or {}
        both = [name for name in _CHANGES if not is_empty(before.get(name)) and not is_empty(now.get(name))]
        if names := [name for name in both if before[name] != now[name]]:
            moved[row.id] = names
    return moved


def records_of(answer: Answer, operation: Batch) -> tuple[bytes, ...] | None:
    """The rows of a bare JSON array; None when the answer is not one."""
    if answer.body.lstrip(b" \t\r\n\xef\xbb\xbf")[:1] != b"[":
        return None
    try:
        return slice_list(answer.body, operation.envelope).records
    except Unsliceable:
        return None


def _outcome(call: Tried, operation: Batch) -> str:
    if call.answer is None:
        return f"refused with {call.status}" if call.status else call.sentence
    rows = records_of(call.answer, operation) or ()
    return (
        f"left out: {count(len(rows), 'record')} for 2 ids"
        if len(rows) < 2
        else "something was returned for it"
    )


def _names(value: Any) -> set[str]:
    return set(_keys(value))


def _keys(value: Any) -> Iterator[str]:
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            yield from one
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one
