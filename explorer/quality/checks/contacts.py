"""Contacts that a run makes: what is sent comes back, stays, and an update changes only what it names.

The interface reads no contact. It is looked at again by an upsert that names its address alone, which answers what the
third party has then.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from explorer.catalog.registry import Registry
from explorer.catalog.request import Request, build
from explorer.catalog.spec import ABSENT
from explorer.quality.checks.writing import (
    FIELDS,
    KEPT,
    LEAVES,
    NEEDS,
    RETURNED,
    SHARED,
    Writing,
    record_of,
)
from explorer.quality.engine.check import Check, Result, Verdict
from explorer.quality.engine.finding_collector import skipped
from explorer.quality.engine.probe import Tried, json_of, said, tried, verdict_of, why_failed
from explorer.quality.engine.service import Send

WRAPPED = Check("writes.wrapper", "writes", "A contact is returned under record", "call", NEEDS)
TWICE = Check("writes.upsert-twice", "writes", "An upsert made twice gives one id", "call", NEEDS)
MANY = Check("writes.two-matches", "writes", "What an upsert does when two contacts match", "call", NEEDS)
NULL = Check("writes.null", "writes", "What null does to a field in an update", "call", NEEDS)
CONTACTS = (*SHARED, WRAPPED, TWICE, LEAVES, MANY, NULL)

KEY = "crm/contact"
HARD = 'Zoé "Q" O\'Run & <1> 李 ولد Ж 😀'
"""Several scripts, quotes, angle brackets, an ampersand: 32 characters, as some CRM has room for no more than 40."""
SHORT = "Größe > 007 & “%41” \\n"
LONG = f"{SHORT} " + "Ünïcode wörds 李雷 & more " * 8 + "end"
PHONE = "0049 30 5550199"
_AGAIN = " when the contact is looked at again"


async def contacts(registry: Registry, send: Send, mark: str) -> tuple[list[Result], str]:
    """Makes contacts whose addresses begin with ``mark``, two at most: what came of them, and the first one's id."""
    made = _Contacts(registry, send, mark)
    return await made.results(), made.ident


async def harmless(registry: Registry, send: Send, mark: str, ident: str) -> Request | str:
    """An update that changes nothing of a contact; without an ``ident`` one is made. A text says why there is none."""
    record = {"first_name": "Quality run", "email": address(mark)}
    if not ident:
        made = await tried(send, build(registry.operation(f"{KEY}/create"), body={"record": record}))
        ident = _id_of(made)
        if not ident:
            return f"no contact could be made: {why_failed(made)}"
    body = {"record": {"email": address(mark)}}
    return build(registry.operation(f"{KEY}/update"), path={"id": ident}, body=body)


def address(mark: str) -> str:
    """The e-mail address of the contacts that ``mark`` names."""
    return f"{mark}@quality-run.example"


class _Contacts:
    """The calls, one after another."""

    def __init__(self, registry: Registry, send: Send, mark: str) -> None:
        names = ("create", "update", "upsert")
        self._create, self._update, self._upsert = (registry.operation(f"{KEY}/{name}") for name in names)
        self._writing = Writing(KEY, send)
        self._email = address(mark)
        self._record = {
            "first_name": "Quality run",
            "last_name": f"Contact {mark}",
            "email": self._email,
            "phone": "+49 30 5550100",
        }
        self.ident = ""

    async def results(self) -> list[Result]:
        """All that is found."""
        writing = self._writing
        made = await writing.make(self._create, {"record": self._record})
        if made.answer is None:
            return writing.failed(f"no contact could be made: {why_failed(made)}", CONTACTS)
        wrapped = _wrapped(made)
        on = self._on(self._record)
        again = [await writing.make(self._upsert, on) for _ in range(2)]
        twice = _one_id(made, *again)
        self.ident = next(filter(None, map(_id_of, (made, *again))), "")
        finds_it = twice.verdict is Verdict.HOLDS or (not _id_of(made) and _id_of(again[-1]) == self.ident)
        before = await self._kept_of_create(made, again[-1], judged=not wrapped.is_bad, finds_it=finds_it)
        leaves = await self._updates(before or record_of(again[-1]) or record_of(made), finds_it=finds_it)
        last = [await self._null(), await self._two_matches(sure=twice.verdict is Verdict.HOLDS)]
        if wrapped.is_bad and not any(r.check is RETURNED and r.is_bad for r in leaves):
            why = "the response is not wrapped in record"
            leaves = [skipped(RETURNED, KEY, why) if r.check is RETURNED else r for r in leaves]
        return [*leaves, wrapped, twice, *last]

    def _on(self, record: Mapping[str, Any]) -> dict[str, Any]:
        return {"upsert_on": {"key": "email", "values": [self._email]}, "record": record}

    async def _look(self) -> Mapping[str, Any]:
        """The contact as the third party has it now; empty where that cannot be seen."""
        call = await self._writing.make(self._upsert, self._on({"email": self._email}))
        if call.answer is None:
            self._writing.not_looked(f"the contact could not be looked at again: {call.sentence}")
        elif _id_of(call) == self.ident:
            return record_of(call)
        return {}

    async def _kept_of_create(
        self, made: Tried, last: Tried, *, judged: bool, finds_it: bool
    ) -> Mapping[str, Any]:
        """Judges the answers of the create and the upsert, and looks at the contact. Returns it as it is then."""
        writing, sent = self._writing, self._record
        unsaid = writing.compare(RETURNED, sent, record_of(made), made) if judged else []
        if last.answer is not None and judged:
            writing.compare(RETURNED, sent, record_of(last), last)
        if not finds_it:
            writing.not_looked("an upsert does not find the contact that was made")
            return {}
        now = await self._look()
        seen = {**record_of(last), **now}
        for name in unsaid:
            if name in writing.flagged:
                continue
            if seen.get(name) in (None, ""):
                writing.judge_value(RETURNED, name, sent[name], ABSENT, made)
            else:
                writing.note(RETURNED, f"{name} is not in the response to the create and is kept")
        if now:
            writing.compare(KEPT, sent, now, made, _AGAIN)
            absent = [name for name in sent if name not in now and name not in writing.flagged]
            for name in absent if len(absent) < len(sent) else ():
                writing.judge_value(KEPT, name, sent[name], ABSENT, made, _AGAIN)
        return now

    async def _updates(self, before: Mapping[str, Any], *, finds_it: bool) -> list[Result]:
        """An update of one field, then one with hard values."""
        writing = self._writing
        if not self.ident:
            why = "the contact that was made has no id"
            return [*writing.results(), skipped(LEAVES, KEY, why)]
        path = {"id": self.ident}
        patched = await writing.make(self._update, {"record": {"first_name": "Quality run 2"}}, path=path)
        if patched.answer is None:
            done = writing.results()
            return [*done, skipped(LEAVES, KEY, f"the update failed: {why_failed(patched)}")]
        await self._left(before, patched, finds_it=finds_it)
        hard = {"first_name": HARD, "last_name": LONG, "phone": PHONE}
        call = await writing.try_out(self._update, {"record": hard}, path=path)
        if call.answer is None and verdict_of(call.error) is Verdict.SUSPECT:
            first, hard = call, {**hard, "last_name": SHORT}
            call = await writing.try_out(self._update, {"record": hard}, path=path)
            if call.answer is not None:
                words = f"a last_name of {len(LONG)} characters is refused: {why_failed(first)}"
                writing.note(RETURNED, words)
        writing.judge(self._update, call, self.ident)
        if call.answer is not None:
            await self._hard(hard, call, finds_it=finds_it)
        return writing.results(LEAVES)

    async def _left(self, before: Mapping[str, Any], patched: Tried, *, finds_it: bool) -> None:
        """Whether an update of first_name left the rest. What its answer leaves out is looked at in another way."""
        writing, after = self._writing, record_of(patched)
        had = {n: before[n] for n in ("last_name", "email", "phone") if before.get(n) not in (None, "")}
        had = {name: value for name, value in had.items() if name not in writing.flagged}
        nothing = bool(had) and all(after.get(name) in (None, "") for name in had)
        shown = {} if nothing else {name: after[name] for name in had if name in after}
        for name, value in shown.items():
            writing.leave(name, had[name], value, patched, "first_name")
        rest = [name for name in had if name not in shown]
        now = await self._look() if rest and finds_it else {}
        for name in rest if any(now.get(name) not in (None, "") for name in before) else ():
            writing.leave(name, had[name], now.get(name, ABSENT), patched, "first_name")
        if rest and not any(name in writing.flagged for name in rest):
            writing.note(LEAVES, f"the response to an update leaves out {', '.join(rest)}")

    async def _hard(self, sent: Mapping[str, Any], call: Tried, *, finds_it: bool) -> None:
        writing = self._writing
        unsaid = writing.compare(RETURNED, sent, record_of(call), call)
        now = await self._look() if finds_it else {}
        for name in unsaid:
            if now.get(name) not in (None, ""):
                writing.note(RETURNED, f"{name} is not in the response to the update and is kept")
        if any(now.get(name) not in (None, "") for name in sent):
            writing.compare(KEPT, sent, now, call, _AGAIN)

    async def _null(self) -> Result:
        """Null is not in the contract's input: whether it clears a field is recorded."""
        if not self.ident:
            return skipped(NULL, KEY, "the contact that was made has no id")
        path, body = {"id": self.ident}, {"record": {"phone": None}}
        call = await self._writing.try_out(self._update, body, path=path)
        if call.answer is None:
            seen = f"refused with {call.status}" if call.status else call.sentence
            return said(NULL, KEY, Verdict.OBSERVED, seen, call)
        kept = record_of(call).get("phone") not in (None, "")
        return said(
            NULL, KEY, Verdict.OBSERVED, "the field stays as it was" if kept else "it clears the field", call
        )

    async def _two_matches(self, *, sure: bool) -> Result:
        """Two contacts with one address, certainly two: the third party took both and gave each an id of its own."""
        second = await self._writing.try_out(self._create, {"record": self._record})
        other = _id_of(second)
        if second.answer is None or not other or other == self.ident or not self.ident:
            why = f"a second contact with the same address was refused with {second.status}: {why_failed(second)}"
            why = why if second.answer is None else "no second contact with the same address came to be"
            return skipped(MANY, KEY, why)
        both = await self._writing.try_out(self._upsert, self._on(self._record))
        if both.answer is None:
            seen = f"refused with {both.status}" if both.status else both.sentence
            return said(MANY, KEY, Verdict.OBSERVED, seen, both)
        third = _id_of(both)
        if sure and third and third not in (self.ident, other):
            what = "An upsert on an address that two contacts have makes a third contact"
            return said(MANY, KEY, Verdict.SUSPECT, what, both)
        return said(MANY, KEY, Verdict.OBSERVED, "answered with one of them", both)


def _wrapped(made: Tried) -> Result:
    body = json_of(made)
    if not isinstance(body, Mapping):
        return skipped(WRAPPED, KEY, "the response is no JSON object")
    if isinstance(body.get("record"), Mapping):
        return said(WRAPPED, KEY, Verdict.HOLDS, "", made)
    return said(WRAPPED, KEY, Verdict.FAILS, "The response is the record itself, not wrapped in record", made)


def _one_id(made: Tried, *again: Tried) -> Result:
    """One id for one address. A third party whose search lags behind may not find what was made a moment ago."""
    failed = next((call for call in again if call.answer is None), None)
    if failed is not None:
        return skipped(TWICE, KEY, f"an upsert failed: {why_failed(failed)}")
    ids = [_id_of(call) for call in (made, *again)]
    if not all(ids):
        return skipped(TWICE, KEY, f"a response has no id ({FIELDS.id} says so)")
    if len(set(ids)) == 1:
        return said(TWICE, KEY, Verdict.HOLDS, "one id for a create and two upserts", *again)
    sure = ids[1] != ids[2]
    verdict = Verdict.FAILS if sure else Verdict.SUSPECT
    return said(TWICE, KEY, verdict, f"{len(set(ids))} ids for one e-mail address", *again)


def _id_of(call: Tried) -> str:
    ident = record_of(call).get("id")
    return ident if isinstance(ident, str) else ""
