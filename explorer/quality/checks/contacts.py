"""Contacts that a run creates: values come back as sent and stay, and an update changes only the fields it names.

The interface has no call that reads a contact. To look at one again, a run sends an upsert that names only its e-mail
address: the answer shows what the third party holds then.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from explorer.catalog.registry import Registry
from explorer.catalog.request import Request, build
from explorer.catalog.spec import ABSENT, raw_field
from explorer.quality.checks import passthrough
from explorer.quality.checks.write_calls import (
    FIELDS,
    IDS,
    KEPT,
    LEAVES,
    NEEDS,
    RETURNED,
    SHARED,
    Writing,
    record_of,
)
from explorer.quality.engine.check import Check, Result, Verdict
from explorer.quality.engine.finding_collector import shown, skipped
from explorer.quality.engine.probe import Tried, json_of, said, tried, verdict_of, why_failed
from explorer.quality.engine.service import Send
from explorer.quality.values.returned import returned

WRAPPED = Check("writes.wrapper", "writes", "A contact is returned under record", "call", NEEDS)
TWICE = Check("writes.upsert-twice", "writes", "An upsert made twice gives one id", "call", NEEDS)
MANY = Check("writes.two-matches", "writes", "What an upsert does when two contacts match", "call", NEEDS)
NULL = Check("writes.null", "writes", "What null does to a field in an update", "call", NEEDS)
CONTACTS = (*SHARED, WRAPPED, TWICE, LEAVES, MANY, NULL)

KEY = "crm/contact"
HARD = 'Zoé "Q" O\'Run & <1> 李 ولد Ж 😀'
"""Several scripts, quotes, angle brackets, an ampersand: 32 characters, as some CRMs have no room for more than 40."""
SHORT = "Größe > 007 & “%41” \\n"
FIRST_NAME = "Quality + run"
"""Of two contacts, with a sign that an address has for a space."""
LONG = f"{SHORT} " + "Ünïcode wörds 李雷 & more " * 8 + "end"
PHONE = "0049 30 5550199"
_AGAIN = " when the contact is looked at again"
_NOTHING = frozenset(("null", "none", "nil", "undefined", "nan"))
"""What a null turns into where a program writes it as text."""


async def contacts(registry: Registry, send: Send, mark: str) -> tuple[list[Result], str]:
    """Creates at most four contacts with addresses beginning with ``mark``; returns the results and the first id."""
    made = _Contacts(registry, send, mark)
    return await made.results(), made.ident


async def harmless(registry: Registry, send: Send, mark: str, ident: str) -> list[Request] | str:
    """Calls that change nothing on a contact of the run's own: an update, an upsert, and its create repeated.

    Without an ``ident`` a contact is created first. Returns the reason as a text where there can be none.
    """
    create = registry.operation(f"{KEY}/create")
    record = {"first_name": "Quality run", "email": address(mark)}
    if not ident:
        made = await tried(send, build(create, body={"record": record}))
        ident = _id_of(made)
        if not ident:
            return f"no contact could be made: {why_failed(made)}"
    body = {"record": {"email": address(mark)}}
    on = {"upsert_on": {"key": "email", "values": [address(mark)]}, **body}
    return [
        build(registry.operation(f"{KEY}/update"), path={"id": ident}, body=body),
        build(registry.operation(f"{KEY}/upsert"), body=on),
        build(create, body={"record": record}),
    ]


def address(mark: str) -> str:
    """The e-mail address of the contacts that ``mark`` names."""
    return f"{mark}@quality-run.example"


class _Contacts:
    """The calls on contacts, one after another, and what they showed."""

    def __init__(self, registry: Registry, send: Send, mark: str) -> None:
        names = ("create", "update", "upsert")
        self._create, self._update, self._upsert = (registry.operation(f"{KEY}/{name}") for name in names)
        raw = raw_field(registry.resource(KEY).record)
        self._writing, self._mark, self._raw = Writing(KEY, send, raw), mark, raw
        self._email = address(mark)
        self._record = {
            "first_name": "Quality run",
            "last_name": f"Contact {mark}",
            "email": self._email,
            "phone": "+49 30 5550100",
        }
        self._namesake = {
            "first_name": FIRST_NAME,
            "last_name": self._record["last_name"],
            "email": f"{mark}-namesake@quality-run.example",
            "phone": "+49 30 5550166",
        }
        """Has the last name of the first contact, and the first name of the one that an upsert makes."""
        self.ident = self._namesake_ident = ""
        self._finds_it = False
        self._now: Mapping[str, Any] = {}
        """The contact as last received, with what was written to it since; fields that never arrived are absent."""

    async def results(self) -> list[Result]:
        """Makes all calls and returns the results."""
        writing = self._writing
        made = await writing.make(self._create, {"record": self._record})
        if made.answer is None:
            return writing.failed(f"no contact could be made: {why_failed(made)}", CONTACTS)
        wrapped = _wrapped(made)
        namesake = await self._make_namesake(made)
        # The first upsert names only the address, and so shows what the create stored.
        changed = {**self._record, "last_name": f"Contact {self._mark} 2"}
        alone = {"email": self._email}
        again = [await writing.make(self._upsert, self._on(one)) for one in (alone, changed)]
        twice = _one_id(made, *again)
        self.ident = next(filter(None, map(_id_of, (made, *again))), "")
        lone = not _id_of(made) and _id_of(again[-1]) == self.ident
        self._finds_it = twice.verdict is Verdict.HOLDS or lone
        await self._kept_of_create(made, again, changed, judged=not wrapped.is_bad)
        if self._namesake_ident and not wrapped.is_bad:
            writing.compare(RETURNED, self._namesake, record_of(namesake), namesake)
        not_left = await self._updates(again[-1], made)
        await self._another()
        await self._empty()
        await self._passed()
        null = await self._null()
        sure = twice.verdict is Verdict.HOLDS
        many = await self._two_matches(sure=sure)
        await self._moved()
        body = {"record": {"first_name": "Quality run"}}
        await writing.update_nobody(self._update, body, f"quality-run-nobody-{self._mark}")
        leaves = writing.results(LEAVES) if not_left is None else [*writing.results(), not_left]
        if wrapped.is_bad and not any(r.check is RETURNED and r.is_bad for r in leaves):
            why = "the response is not wrapped in record"
            leaves = [skipped(RETURNED, KEY, why) if r.check is RETURNED else r for r in leaves]
        return [*leaves, wrapped, twice, null, many]

    async def _make_namesake(self, made: Tried) -> Tried:
        """Creates a contact that shares its last name with the first and nothing else: it must be another one."""
        writing = self._writing
        call = await writing.try_out(self._create, {"record": self._namesake})
        if call.answer is None:
            writing.note(RETURNED, f"a second contact with the same last name is refused: {why_failed(call)}")
            return call
        ident = _id_of(call)
        if ident and ident == _id_of(made):
            what = "A contact that shares only its last name with another is not created: the other one is returned"
            writing.tell(IDS, "of a last name", "id", what, call.example(ident[:100]), Verdict.SUSPECT)
            # Whatever was written to the first contact is put back, so that its other checks stand.
            await writing.try_out(self._update, {"record": self._record}, path={"id": ident})
        else:
            self._namesake_ident = ident
        return call

    def _on(self, record: Mapping[str, Any]) -> dict[str, Any]:
        return {"upsert_on": {"key": "email", "values": [record["email"]]}, "record": record}

    async def _look(self, of: str = "") -> Mapping[str, Any]:
        """The contact as the third party has it now; empty where that cannot be found out.

        Where it was found by its address before and is not found now, it has lost that address: ``of`` names what was
        written in between.
        """
        call = await self._writing.make(self._upsert, self._on({"email": self._email}))
        if call.answer is None:
            self._writing.not_looked(f"the contact could not be looked at again: {call.sentence}")
        elif _id_of(call) == self.ident:
            return record_of(call)
        elif of and _id_of(call) and "email" not in self._writing.flagged:
            self._writing.leave("email", self._email, ABSENT, call, of)
        return {}

    async def _kept_of_create(
        self, made: Tried, again: list[Tried], changed: Mapping[str, Any], *, judged: bool
    ) -> None:
        """Judges the answers of the create and the upserts, the second of which changes a name; reads it again."""
        writing, sent, first, last = self._writing, self._record, *again
        unsaid = writing.compare(RETURNED, sent, record_of(made), made) if judged else []
        if not self._finds_it:
            if last.answer is not None and judged:
                writing.compare(RETURNED, changed, record_of(last), last)
            writing.not_looked("an upsert does not find the contact that was made")
            return
        self._unsaid(unsaid, sent, record_of(first), made)
        if judged:
            writing.compare(RETURNED, changed, record_of(last), last, before=sent)
        self._now = now = await self._look()
        if now:
            writing.own_raw(now, _alike(sent, changed), made)
            writing.compare(KEPT, changed, now, made, _AGAIN, before=sent)
            absent = [name for name in sent if name not in now and name not in writing.flagged]
            for name in absent if len(absent) < len(sent) else ():
                writing.judge_value(KEPT, name, changed[name], ABSENT, made, _AGAIN)

    def _unsaid(self, names: list[str], sent: Mapping[str, Any], now: Mapping[str, Any], call: Tried) -> None:
        """Judges the fields that an answer omits by the contact as received right after it."""
        writing = self._writing
        shows = any(now.get(name) not in (None, "") for name in sent)
        for name in names if shows else ():
            if now.get(name) in (None, ""):
                writing.judge_value(RETURNED, name, sent[name], ABSENT, call)
            else:
                writing.note(RETURNED, f"{name} is not in the response and is kept")

    async def _updates(self, last: Tried, made: Tried) -> Result | None:
        """Sends an update of one field, then one with difficult values. Returns a result only where there was none."""
        writing = self._writing
        if not self.ident:
            return skipped(LEAVES, KEY, "the contact that was made has no id")
        path = {"id": self.ident}
        self._now = self._now or record_of(last) or record_of(made)
        patched = await writing.make(self._update, {"record": {"first_name": "Quality run 2"}}, path=path)
        if patched.answer is None:
            return skipped(LEAVES, KEY, f"the update failed: {why_failed(patched)}")
        await self._left(patched, {"first_name": "Quality run 2"})
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
            writing.dates(made, patched, call)
            await self._hard(hard, call)
        return None

    async def _left(self, call: Tried, sent: Mapping[str, Any]) -> None:
        """Whether a write left the fields alone that it does not name. Those that its answer omits are read again."""
        writing, after, before = self._writing, record_of(call), self._now
        names = [name for name in self._record if name not in (*sent, *writing.flagged)]
        had = {name: before[name] for name in names if before.get(name) not in (None, "")}
        nothing = bool(had) and all(after.get(name) in (None, "") for name in had)
        told = {} if nothing else {name: after[name] for name in had if name in after}
        for name, value in told.items():
            writing.leave(name, had[name], value, call, " and ".join(sent))
        rest = [name for name in had if name not in told]
        now = await self._look(" and ".join(sent)) if rest and self._finds_it else {}
        for name in rest if any(now.get(name) not in (None, "") for name in before) else ():
            writing.leave(name, had[name], now.get(name, ABSENT), call, " and ".join(sent))
        if rest and not any(name in writing.flagged for name in rest):
            writing.note(LEAVES, f"the response to an update leaves out {', '.join(rest)}")

    async def _hard(self, sent: Mapping[str, Any], call: Tried) -> None:
        writing = self._writing
        unsaid = writing.compare(RETURNED, sent, record_of(call), call, before=self._now)
        writing.leave_alike(
            self._now, record_of(call), [n for n in self._record if n not in sent], call, sent
        )
        now = await self._look() if self._finds_it else {}
        for name in unsaid:
            if now.get(name) not in (None, ""):
                writing.note(RETURNED, f"{name} is not in the response to the update and is kept")
        if any(now.get(name) not in (None, "") for name in sent):
            writing.compare(KEPT, sent, now, call, _AGAIN)
        self._now = now or record_of(call)
        writing.raw_of(self._now, {**sent, "email": self._email}, call)

    async def _another(self) -> None:
        """Upserts an address that no contact has: that must create a second contact with its own id."""
        writing = self._writing
        other = {
            "first_name": FIRST_NAME,
            "last_name": f"Other {self._mark}",
            "email": f"{self._mark}+other@quality-run.example",
            "phone": "+49 30 5550177",
        }
        call = await writing.try_out(self._upsert, self._on(other))
        if call.answer is None:
            writing.note(RETURNED, f"an upsert on an address that nobody has is refused: {why_failed(call)}")
            return
        writing.judge(self._upsert, call)
        ident = _id_of(call)
        if ident and ident == self.ident:
            what = (
                f"An upsert on another address returned the id of the contact that was there, {ident[:100]}"
            )
            writing.tell(IDS, "not of its own", "id", what, call.example(ident[:100]))
            self._now = {}  # the contact is another one's by now
            return
        if ident and ident == self._namesake_ident:
            what = "An upsert on another address returned a contact that shares only its first name"
            writing.tell(IDS, "of a first name", "id", what, call.example(ident[:100]), Verdict.SUSPECT)
            return
        unsaid = writing.compare(RETURNED, other, record_of(call), call)
        if unsaid and self._finds_it:
            alone = await writing.try_out(self._upsert, self._on({"email": other["email"]}))
            if _id_of(alone) == ident:
                self._unsaid(unsaid, other, record_of(alone), call)
        now = await self._look() if self._finds_it else {}
        names = [name for name in self._record if self._now.get(name) not in (None, "")]
        writing.leave_alike(self._now, now, names, call, "another contact")

    async def _empty(self) -> None:
        """Sends an update that names no field: it has to change none. No field is required (contract 2.1)."""
        writing = self._writing
        if not self.ident or not self._now:
            return
        call = await writing.try_out(self._update, {"record": {}}, path={"id": self.ident})
        if call.answer is None:
            writing.note(LEAVES, f"an update of no field is refused: {why_failed(call)}")
            return
        now = await self._look() if self._finds_it else record_of(call)
        names = [name for name in self._record if name not in writing.flagged]
        writing.leave_alike(self._now, now, names, call, "no field")

    async def _passed(self) -> None:
        """Passes another last name through under the third party's own name for it, and puts it back."""
        writing, path = self._writing, {"id": self.ident}
        raw, held = self._now.get(self._raw), self._now.get(passthrough.FIELD)
        name = passthrough.own_name(raw, held) if isinstance(held, str) and held else ""
        if not self.ident or not name or not self._finds_it or passthrough.FIELD in writing.flagged:
            return
        sent = f"Passed {self._mark}"
        body = {"record": {"passthrough_fields": {name: sent}}}
        call = await writing.try_out(self._update, body, path=path)
        if call.answer is None:
            writing.note(RETURNED, f"{name} in passthrough_fields is refused: {why_failed(call)}")
            return
        now = await self._look()
        if not now or now.get(self._raw) in (None, {}):
            return
        if not passthrough.has_reached(now.get(self._raw), name, sent, now):
            what = f"passthrough_fields have no effect: {name}, the third party's own name in raw data, stays as it was"
            writing.tell(KEPT, "passed nothing", "passthrough_fields", what, call.example(name))
        back = await writing.try_out(self._update, {"record": {passthrough.FIELD: held}}, path=path)
        self._now = {**now, passthrough.FIELD: held} if back.answer is not None else now

    async def _null(self) -> Result:
        """Sends null, which the contract's input does not have: clearing is recorded, any other effect is judged."""
        if not self.ident:
            return skipped(NULL, KEY, "the contact that was made has no id")
        path, body = {"id": self.ident}, {"record": {"phone": None}}
        call = await self._writing.try_out(self._update, body, path=path)
        if call.answer is None:
            seen = f"refused with {call.status}" if call.status else call.sentence
            return said(NULL, KEY, Verdict.OBSERVED, seen, call)
        record, before = record_of(call), self._now.get("phone")
        names = [name for name in self._record if name != "phone" and name in record]
        self._writing.leave_alike(self._now, record, names, call, ("phone",))
        phone = record.get("phone")
        self._now = {**self._now, "phone": phone}
        if phone in (None, ""):
            return said(NULL, KEY, Verdict.OBSERVED, "it clears the field", call)
        if isinstance(phone, str) and phone.casefold() in _NOTHING:
            self._writing.judge_value(RETURNED, "phone", None, phone, call)
        if before is not None and returned("phone", before, phone).is_lost:
            return said(NULL, KEY, Verdict.OBSERVED, f"the field is then {shown(phone)}", call)
        return said(NULL, KEY, Verdict.OBSERVED, "the field stays as it was", call)

    async def _two_matches(self, *, sure: bool) -> Result:
        """Upserts an address that two contacts share; ``sure``: the third party accepted both, each with its own id."""
        second = await self._writing.try_out(self._create, {"record": self._record})
        other = _id_of(second)
        if second.answer is None or not other or other == self.ident or not self.ident:
            why = f"a second contact with the same address was refused with {second.status}: {why_failed(second)}"
            why = why if second.answer is None else "no second contact with the same address came to be"
            return skipped(MANY, KEY, why)
        self._writing.own_raw(self._now, {"email": self._email}, second)
        both = await self._writing.try_out(self._upsert, self._on(self._record))
        if both.answer is None:
            seen = f"refused with {both.status}" if both.status else both.sentence
            return said(MANY, KEY, Verdict.OBSERVED, seen, both)
        third = _id_of(both)
        if sure and third and third not in (self.ident, other):
            what = "An upsert on an address that two contacts have makes a third contact"
            return said(MANY, KEY, Verdict.SUSPECT, what, both)
        return said(MANY, KEY, Verdict.OBSERVED, "answered with one of them", both)

    async def _moved(self) -> None:
        """Changes the address itself and changes it back, so that the contact can still be found."""
        writing, path = self._writing, {"id": self.ident}
        if not self.ident or "email" in writing.flagged:
            return
        new = f"{self._mark}-new@quality-run.example"
        call = await writing.try_out(self._update, {"record": {"email": new}}, path=path)
        if call.answer is None:
            writing.note(RETURNED, f"another address in an update is refused: {why_failed(call)}")
            return
        if record_of(call).get("email") not in (None, ""):
            writing.compare(RETURNED, {"email": new}, record_of(call), call, before=self._record)
        await self._back(new, came=str(record_of(call).get("email")).casefold() == new.casefold())

    async def _back(self, new: str, *, came: bool) -> None:
        """Changes the address back, by an upsert on the new one where that ``came``: what matches is ``upsert_on``."""
        writing, path = self._writing, {"id": self.ident}
        on = {"upsert_on": {"key": "email", "values": [new]}, "record": {"email": self._email}}
        call = await writing.try_out(self._upsert, on) if self._finds_it and came else Tried()
        ident = _id_of(call)
        if ident == self.ident:
            return
        await writing.try_out(self._update, {"record": {"email": self._email}}, path=path)
        if ident and "id" not in writing.flagged:
            what = "An upsert takes the contact of the record's address, and not the one that upsert_on names"
            writing.tell(IDS, "matched otherwise", "id", what, call.example(ident[:100]))


def _alike(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that have the same value in both."""
    return {name: value for name, value in one.items() if other.get(name) == value}


def _wrapped(made: Tried) -> Result:
    body = json_of(made)
    if not isinstance(body, Mapping):
        return skipped(WRAPPED, KEY, "the response is no JSON object")
    if isinstance(body.get("record"), Mapping):
        return said(WRAPPED, KEY, Verdict.HOLDS, "", made)
    return said(WRAPPED, KEY, Verdict.FAILS, "The response is the record itself, not wrapped in record", made)


def _one_id(made: Tried, *again: Tried) -> Result:
    """One address must have one id. A third party with a delayed search index may miss what was created just now."""
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
