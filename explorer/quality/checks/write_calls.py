"""What all writes of a run share: their checks, and how a write is sent and compared with the contract.

A call that failed is a finding of its own with the third party's words, and nothing else is concluded from it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from explorer.catalog.request import build
from explorer.catalog.spec import ABSENT, Operation, Record
from explorer.jsontext.read import equal
from explorer.quality.checks.records import faults_of
from explorer.quality.compare.changes import differences
from explorer.quality.engine.check import Check, Example, Result, Verdict
from explorer.quality.engine.finding_collector import FindingCollector, shown, skipped
from explorer.quality.engine.probe import (
    Tried,
    is_lacking,
    json_of,
    now_at,
    tried,
    verdict_of,
    why_failed,
)
from explorer.quality.engine.service import Send
from explorer.quality.values.flat import leaves
from explorer.quality.values.moments import seconds_of
from explorer.quality.values.returned import Returned, returned

NEEDS = "a profile that may write"
ANSWERED = Check("writes.answers", "writes", "Every write succeeds", "call", NEEDS)
FIELDS = Check(
    "writes.fields", "writes", "The response to a write has the contract's fields and types", "call", NEEDS
)
IDS = Check("writes.id", "writes", "The record that is returned is the one that was named", "call", NEEDS)
RETURNED = Check("writes.returned", "writes", "What was sent is returned", "value", NEEDS)
KEPT = Check("writes.kept", "writes", "What was sent is there when it is looked at again", "value", NEEDS)
LEAVES = Check(
    "writes.patch-leaves", "writes", "An update leaves the other fields as they were", "call", NEEDS
)
SHARED = (ANSWERED, FIELDS, IDS, RETURNED, KEPT)

_MADE = ("createdAt",)
_DATES = ("updated_at", *_MADE, "updatedAt")
_SYNC = ("lastSyncStartedAt", "lastSyncCompletedAt")
_DAY, _SLOW = 86_400.0, 300.0
"""A day, and by how much the clocks of two machines of one service may differ, in seconds."""
_LIKE_A_DATE = re.compile(r"\d{4}|\d\d\D\d\d")
"""Third parties write dates in many formats; only a text without any date, as ``Invalid Date``, is recognised."""
_NOTES = 6
_NO_WAY = frozenset(("came back as something else", "came back with other digits"))
"""Rules for a value that changed in no way that is known."""


class Writing:
    """The writes of one resource, and the findings on them."""

    def __init__(self, key: str, send: Send, raw: str = "") -> None:
        """``raw`` is the field of its records that holds the third party's raw record."""
        self.key, self._send, self._raw = key, send, raw
        bad = {FIELDS: Verdict.FAILS, IDS: Verdict.FAILS, RETURNED: Verdict.FAILS}
        self._tally = {
            check: FindingCollector(check, bad.get(check, Verdict.SUSPECT)) for check in (*SHARED, LEAVES)
        }
        self._notes: dict[Check, list[str]] = {check: [] for check in self._tally}
        self._lacking = self._silent = ""
        self._why_not_looked = ""
        self.flagged: set[str] = set()
        """Fields that were reported already: each is reported once."""

    async def make(
        self, operation: Operation, body: Any, *, path: Mapping[str, str] | None = None, named: str = ""
    ) -> Tried:
        """Sends a write that has to succeed, and judges its answer, which is about the id in the path or ``named``.

        Raises nothing but CancelledError.
        """
        call = await tried(self._send, build(operation, path=path, body=body))
        self.judge(operation, call, named or (path or {}).get("id", ""))
        return call

    async def try_out(
        self, operation: Operation, body: Any, *, path: Mapping[str, str] | None = None
    ) -> Tried:
        """Sends a write that may be refused; the caller judges it."""
        return await tried(self._send, build(operation, path=path, body=body))

    def judge(self, operation: Operation, call: Tried, ident: str = "") -> None:
        """Judges whether a write succeeded and its answer fits the contract; ``ident`` is the id it named."""
        if call.answer is None:
            verdict = verdict_of(call.error)
            if is_lacking(call.error):
                self._lacking = call.sentence
            elif verdict is None:
                self._silent = call.sentence
            else:
                what = f"{operation.title} failed: {why_failed(call)}"
                rule = f"{operation.title} {call.status or ''}".strip()
                self._tally[ANSWERED].look()
                self._tally[ANSWERED].add(rule, "", what, call.example(), verdict=verdict)
            return
        self._tally[ANSWERED].look()
        self._fields(operation, call)
        record = record_of(call)
        came = record.get("id")
        if ident and isinstance(came, str) and came:
            self._tally[IDS].look()
            if came != ident and not _is_short_form(came, ident):
                what = f"{operation.title} named {ident} and returned another record, {came[:100]}"
                self._tally[IDS].add("another", "id", what, call.example(came[:100]))

    def _fields(self, operation: Operation, call: Tried) -> None:
        tally, model = self._tally[FIELDS], operation.answer
        if call.answer is None or model is None or not issubclass(model, Record):
            return
        tally.look()
        value = json_of(call)
        if not isinstance(value, Mapping):
            what = "is not a JSON object" if value is not None else "is not JSON"
            tally.add("no object", "", f"The response to {operation.title.lower()} {what}", call.example())
            return
        for fault in faults_of(model, call.answer.body, value):
            self.flagged.add(fault.field.rpartition(".")[2])
            # The wrapper of a record is not part of a field's name.
            field, sentence = (text.removeprefix("record.") for text in (fault.field, fault.sentence))
            tally.add(fault.rule, field, sentence, call.example(shown(fault.value)))
        if "record" in model.model_fields and not isinstance(value.get("record"), Mapping):
            return  # a missing wrapper is reported by a check of its own
        record = record_of(call)
        if "id" not in self.flagged and not record.get("id") and record:
            self.flagged.add("id")
            what = "The record that is returned has no id"
            tally.add("no id", "id", what, call.example(), verdict=Verdict.SUSPECT)
        for name in _DATES:
            date = record.get(name)
            if isinstance(date, str) and date.strip() and not _LIKE_A_DATE.search(date):
                what = f"{name} is no date"
                tally.add("no date", name, what, call.example(shown(date)), verdict=Verdict.SUSPECT)

    def compare(
        self,
        check: Check,
        sent: Mapping[str, Any],
        came: Mapping[str, Any],
        call: Tried,
        how: str = "",
        before: Mapping[str, Any] | None = None,
    ) -> list[str]:
        """Compares values that were sent with those received, for ``check``; ``how`` says how the record was read.

        ``before`` are the values from before the write: one that is still there was not changed at all.

        Fields that were reported already are not judged, nor are those that the answer omits altogether; the names of
        the latter are returned, because only reading the record in another way tells whether they were stored.
        """
        names = [name for name in sent if name not in self.flagged]
        unsaid = _unsaid(names, sent, came)
        for name in names:
            if name in unsaid:
                continue
            value, old = came.get(name, ABSENT), (before or {}).get(name)
            if old is not None and not equal(old, sent[name]) and equal(old, value):
                self._tally[check].look()
                what = f"{name} stays as it was, though another value was sent{how}"
                self.tell(check, "not changed", name, what, call.example(shown(value)))
            else:
                self.judge_value(check, name, sent[name], value, call, how)
        return unsaid

    def judge_value(self, check: Check, name: str, sent: Any, came: Any, call: Tried, how: str = "") -> None:
        """Judges one field; an object by the values inside it."""
        self._tally[check].look()
        for path, one, other in _pairs(name, sent, came):
            found = returned(path, one, other)
            if found.how == "same":
                continue
            if not found.is_lost:
                self.note(check, f"{path} {found.words}")
                continue
            self.flagged.add(name)
            what = f"{path} {found.words}{how}"
            self._tally[check].add(found.words, path, what, call.example(shown(_shown(found, other))))

    def tell(
        self,
        check: Check,
        rule: str,
        field: str,
        what: str,
        example: Example,
        verdict: Verdict | None = None,
    ) -> None:
        """Adds a finding on one field; ``verdict`` is another than the usual one of the check."""
        self.flagged.add(field.rpartition(".")[2])
        self._tally[check].look()
        self._tally[check].add(rule, field, what, example, verdict=verdict)

    async def update_nobody(self, update: Operation, body: Any, ident: str) -> None:
        """Sends an update of a record that does not exist, by an id no third party assigns: it can change nothing."""
        call = await self.try_out(update, body, path={"id": ident})
        if call.answer is not None:
            came = str(record_of(call).get("id") or "")[:100]
            what = f"{update.title} of an id that nobody has succeeds" + (f", with {came}" if came else "")
            self._tally[IDS].look()
            self._tally[IDS].add("of nobody", "id", what, call.example(came), verdict=Verdict.SUSPECT)

    def leave_alike(
        self,
        before: Mapping[str, Any],
        after: Mapping[str, Any],
        names: Iterable[str],
        call: Tried,
        of: Iterable[str] | str,
    ) -> None:
        """Judges fields that a write of ``of`` does not name, where they were seen before and after it."""
        words = of if isinstance(of, str) else " and ".join(of)
        shown_ = [name for name in names if before.get(name) not in (None, "") and name in after]
        if all(after[name] in (None, "") for name in shown_):
            return  # such an answer shows only the fields that were sent
        for name in shown_:
            if name not in self.flagged:
                self.leave(name, before[name], after[name], call, words)

    def dates(self, *calls: Tried) -> None:
        """The dates of a record that was made just now and changed since: they go on, and the first is of today."""
        came = [record_of(call) for call in calls if call.answer is not None]
        if (
            came
            and self.flagged.isdisjoint(_DATES)
            and not any(one.get(name) for one in came for name in _DATES)
        ):
            what = f"No answer has a date of change, {_DATES[0]}"
            self._tally[FIELDS].add("no date", _DATES[0], what, calls[-1].example(), verdict=Verdict.SUSPECT)
        for name in _DATES:
            if name in self.flagged:
                continue
            moments = [_moment(record_of(call).get(name)) or 0.0 for call in calls if call.answer is not None]
            made, last = (moments[0], moments[-1]) if moments else (0.0, 0.0)
            why = ""
            if name in _MADE:
                old = made and abs(made - now_at(calls[0]).timestamp()) > _DAY
                why = "is another day's, where the record was made just now" if old else ""
            elif moments and all(moments) and last < made - _SLOW:
                why = "is older after an update"
            elif (
                len(moments) > 1
                and len(set(moments)) == 1
                and 0 < last < now_at(calls[-1]).timestamp() - _DAY
            ):
                why = "stays as it was after updates"
            if why:
                value = shown(record_of(calls[-1]).get(name))
                rule, what = why.partition(",")[0], f"{name} {why}"
                # The contract names these dates, and does not say what they mean.
                self.tell(FIELDS, rule, name, what, calls[-1].example(value), Verdict.SUSPECT)
        begun, done = (record_of(calls[-1]).get(name) for name in _SYNC)
        if (first := _moment(begun)) and (then := _moment(done)) and then < first - 1:
            what = f"{_SYNC[1]} is before {_SYNC[0]}, where a sync cannot end before it begins"
            self.tell(FIELDS, "before", _SYNC[1], what, calls[-1].example(shown(done)))
        elif isinstance(begun, str) and begun and record_of(calls[-1]).get("disabled") is True:
            what = f"{_SYNC[0]} is set, though the pipeline was just made and is disabled from its beginning"
            self.tell(FIELDS, "synced", _SYNC[0], what, calls[-1].example(shown(begun)))

    def raw_of(self, record: Mapping[str, Any], sent: Mapping[str, Any], call: Tried) -> None:
        """Compares values that were sent with the raw record, because an answer may merely repeat its request."""
        raw = next((value for name, value in record.items() if name == self._raw), None)
        held = {str(value) for value in leaves(raw).values() if isinstance(value, str | int)}
        there = [name for name, value in sent.items() if value in held]
        for name, value in sent.items():
            if name in there or name in self.flagged or not there or not isinstance(value, str):
                continue
            found = [(one, returned(name, value, one)) for one in held if one]
            if any(not how.is_lost for _, how in found):
                continue
            lossy = next(((one, how) for one, how in found if how.words not in _NO_WAY), None)
            if lossy is not None:
                what = f"{name} {lossy[1].words} in {self._raw}, and is whole in the response"
                self.tell(KEPT, "raw data has less", name, what, call.example(shown(lossy[0])))

    def own_raw(self, shown: Mapping[str, Any], sent: Mapping[str, Any], call: Tried) -> None:
        """Whether the raw data in an answer is that of its record: ``shown`` has what was sent, at the same paths."""
        mine, its = (leaves(one.get(self._raw)) for one in (record_of(call), shown))
        there = {path: name for path, value in its.items() for name in sent if value and value == sent[name]}
        told = {path: mine[path] for path in there if mine.get(path) not in (None, "")}
        lost = {
            path: value for path, value in told.items() if returned(there[path], its[path], value).is_lost
        }
        if not told or len(lost) < len(told) or self._raw in self.flagged:
            return
        path = next(iter(lost))
        what = (
            f"{self._raw} of a record that was made just now is another one's: {there[path]} is another there"
        )
        self.tell(RETURNED, "raw data of another", self._raw, what, call.example(), Verdict.SUSPECT)

    def leave(self, name: str, before: Any, after: Any, call: Tried, of: str) -> None:
        """Judges a field that an update of another one does not name."""
        self._tally[LEAVES].look()
        found = returned(name, before, after)
        if name.endswith("At") and _moment(before) == _moment(after) is not None:
            return
        if found.is_lost:
            self.flagged.add(name)
            how = {"not there": "is gone"}.get(found.how, "changed")
            what = f"{name} {how} with an update of {of}, which does not name it"
            self._tally[LEAVES].add(how, name, what, call.example(shown(after)), verdict=Verdict.FAILS)

    def note(self, check: Check, words: str) -> None:
        """Adds a remark on something the contract leaves open, shown where the check holds."""
        if words not in self._notes[check]:
            self._notes[check].append(words)

    def not_looked(self, why: str) -> None:
        """Notes why nothing could be read again."""
        self._why_not_looked = self._why_not_looked or why

    def results(self, *checks: Check) -> list[Result]:
        """One result for each of the shared checks, and for those of ``checks`` that this object collects."""
        return [self._result(check) for check in (*SHARED, *checks)]

    def failed(self, why: str, checks: Iterable[Check]) -> list[Result]:
        """The results when nothing could be created: the failure itself, and that the others depend on it."""
        first = self._tally[ANSWERED].result(self.key, empty=self._lacking or self._silent or why)
        return [first, *(skipped(check, self.key, why) for check in checks if check is not ANSWERED)]

    def _result(self, check: Check) -> Result:
        tally, notes = self._tally[check], self._notes[check]
        if notes and not tally:
            more = f"; {len(notes) - _NOTES} more" if len(notes) > _NOTES else ""
            seen = "; ".join(notes[:_NOTES]) + more
            return Result(check, self.key, Verdict.OBSERVED, seen, tally.measured)
        empty = self._silent or "no answer had a record to look at"
        if check is KEPT and self._why_not_looked:
            empty = self._why_not_looked
        holds = {
            RETURNED: f"{tally.measured} values as they were sent",
            KEPT: f"{tally.measured} values as they were sent, looked at again",
        }
        return tally.result(self.key, holds=holds.get(check, ""), empty=empty)


def wrong(check: Check, key: str, field: str, what: str, call: Tried) -> Result:
    """The result of a check that one field of one answer breaks."""
    tally = FindingCollector(check)
    tally.look()
    tally.add("wrong", field, what, call.example())
    return tally.result(key)


def record_of(call: Tried) -> Mapping[str, Any]:
    """The record in an answer, wrapped or not; empty where there is none."""
    body = json_of(call)
    if not isinstance(body, Mapping):
        return {}
    inner = body.get("record")
    return inner if isinstance(inner, Mapping) else body


def _is_short_form(one: str, other: str) -> bool:
    """Whether an id is another's short form, without the three letters that encode its case (15 of 18 characters)."""
    short, long = sorted((one, other), key=len)
    return (len(short), len(long)) == (15, 18) and long.startswith(short)


def _unsaid(names: list[str], sent: Mapping[str, Any], came: Mapping[str, Any]) -> list[str]:
    """The fields that an answer omits: those that are absent, and all where none of them has a value."""
    given = [name for name in names if sent[name] not in (None, "")]
    if given and all(came.get(name) in (None, "") for name in given):
        return given
    return [name for name in given if name not in came]


def _pairs(name: str, sent: Any, came: Any) -> list[tuple[str, Any, Any]]:
    """Each value of a field with its path, guided by what was sent; anything else that was received is ignored."""
    if not isinstance(sent, Mapping) or not isinstance(came, Mapping):
        return [(name, sent, came)]
    changes = differences(sent, came)
    return [(f"{name}.{one.field}", one.sent, one.returned) for one in changes if one.what != "added"]


def _shown(found: Returned, came: Any) -> Any:
    return None if found.how == "not there" or came is ABSENT else came


def _moment(value: Any) -> float | None:
    return seconds_of(value) if isinstance(value, str) else None
