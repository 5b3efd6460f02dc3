"""Writes: only where the profile's guard allows them without asking, and only on records that the run creates itself.

Everything created is marked: names begin with ``Quality run``, addresses end in ``quality-run.example``, ids of
pipelines and customers contain ``quality_run``. Nothing that existed before is changed, and what was created is
reported (`left`).
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from explorer.catalog.request import Request
from explorer.profiles.profile import Environment, Guard, Profile
from explorer.quality.checks.connection import CONNECTIONS, KEY, MADE, connection, never, of_nobody
from explorer.quality.checks.contacts import CONTACTS, contacts, harmless
from explorer.quality.checks.core_writes import (
    CUSTOMERS,
    PIPELINES,
    customer,
    harmless_customer,
    harmless_pipeline,
    pipeline,
)
from explorer.quality.checks.credentials import NO_KEY, OF_KEYS, Attempts
from explorer.quality.checks.invalid import INVALID, judged, on_own
from explorer.quality.checks.left_behind import LEFT
from explorer.quality.checks.write_calls import NEEDS, record_of
from explorer.quality.engine.check import Check, Result, Verdict
from explorer.quality.engine.finding_collector import skipped
from explorer.quality.engine.probe import Found, Tried, said, tried, why_failed
from explorer.quality.engine.run_options import RunOptions
from explorer.quality.engine.service import Send, Service
from explorer.quality.values.flat import leaves

__all__ = ["ABOUT", "CHECKS", "NEEDS", "look", "may_write", "why_not"]

ABOUT: dict[str, tuple[Check, ...]] = {
    "crm/contact": CONTACTS,
    "core/pipeline": PIPELINES,
    "core/customer": CUSTOMERS,
    KEY: CONNECTIONS,
}
"""The checks by the key of what they write."""
_TELLING: dict[str, Callable[[str], Any]] = {
    "crm/contact": lambda value: {"record": {"last_name": value}},
    "core/pipeline": lambda value: {"metadata": {"refused": value}},
}
"""What an update changes by which it is seen whether it was made; a customer cannot be looked at without a write."""
_ORDER = (Verdict.FAILS, Verdict.SUSPECT, Verdict.HOLDS, Verdict.OBSERVED, Verdict.SKIPPED)
CHECKS = tuple(dict.fromkeys(check for checks in ABOUT.values() for check in checks))


def may_write(profile: Profile) -> bool:
    """Whether the guard allows writes without asking, outside of production."""
    return profile.guard is Guard.OPEN and profile.environment is not Environment.PRODUCTION


def why_not(profile: Profile, asked: RunOptions) -> str:
    """Why nothing is written, in words; empty where writing is allowed."""
    if not asked.writes:
        return "writes are not enabled"
    return "" if may_write(profile) else "this profile does not allow writes without asking"


async def look(service: Service, send: Send, asked: RunOptions, *, attempts: Attempts) -> Found:
    """Creates contacts, a pipeline and a customer, if that was asked for and is allowed.

    ``attempts`` then repeats calls on them with wrong credentials; these calls change nothing.
    """
    found = Found()
    covered = [key for key in ABOUT if asked.covers(key)]
    if why := why_not(service.profile, asked):
        found.results = [
            never() if check is MADE else skipped(check, key, why)
            for key in covered
            for check in checks_on(key)
        ]
        found.results += attempts.skip(covered, why)
        return found
    own = _Own(service, send, secrets.token_hex(4))
    async with attempts:
        for key in covered:
            if asked.wants_group("writes"):
                found.results += await own.written(key)
            if attempts.wanted:
                found.results += await _as_nobody(key, own, send, attempts)
            if asked.wants(INVALID) and key in _TELLING:
                found.results.append(await _as_invalid(key, own, send, attempts))
    return found


def checks_on(key: str) -> tuple[Check, ...]:
    """The checks on what is written under a key. Nothing remains of a connection."""
    also = (INVALID,) if key in _TELLING else ()
    return ABOUT[key] if key == KEY else (*ABOUT[key], *also, LEFT)


async def _as_nobody(key: str, own: _Own, send: Send, attempts: Attempts) -> list[Result]:
    """Repeats calls that change nothing with wrong credentials, after the right ones: where those fail, a refusal
    decides nothing.

    A create is tried once, without a key: if it is accepted it creates one more of the run's own records.
    """
    requests = await own.harmless(key)
    if isinstance(requests, str):
        return attempts.skip([key], requests)
    made: list[list[Result]] = []
    for request in requests:
        if request.operation is not None and request.operation.key == "crm/contact/create":
            made.append(await attempts.on(key, request, Tried(), (NO_KEY,)))
            continue
        usual = await tried(send, request)
        if usual.answer is None and key != KEY:
            made.append(attempts.skip([key], f"it fails with the right key: {why_failed(usual)}"))
            continue
        made.append(await attempts.on(key, request, usual))
    found = _gravest(made)
    if key in _TELLING and all(one.verdict is Verdict.HOLDS for one in found if one.check in OF_KEYS):
        found = _gravest([found, await _carried_out(key, requests[0], send, attempts)])
    return found


async def _as_invalid(key: str, own: _Own, send: Send, attempts: Attempts) -> Result:
    """Updates of the run's own record that the contract does not allow."""
    requests = await own.harmless(key)
    if isinstance(requests, str):
        return skipped(INVALID, key, requests)
    return await judged(key, on_own(key, requests[0]), requests[0], send, attempts)


async def _carried_out(key: str, update: Request, send: Send, attempts: Attempts) -> list[Result]:
    """Whether updates that are refused for their key are made all the same, as ``update`` shows, which changes nothing.

    Only the run's own record is named, and only after the like of it was refused.
    """
    made: list[Result] = []
    for check in OF_KEYS:
        value = f"{check.id} {secrets.token_hex(4)}"
        body = json.dumps(_TELLING[key](value)).encode()
        call = await attempts.with_credentials_of(check, replace(update, body=body))
        if call.answer is None and call.status is not None:
            now = await tried(send, update)
            if value in leaves(record_of(now)).values():
                what = f"refused with {call.status}, and the update was made all the same"
                made.append(said(check, key, Verdict.FAILS, what, call, now))
    return made


def _gravest(made: list[list[Result]]) -> list[Result]:
    """One result for each check: the gravest of several routes."""
    found: dict[Check, Result] = {}
    for one in (result for results in made for result in results):
        known = found.get(one.check)
        if known is None or _ORDER.index(one.verdict) < _ORDER.index(known.verdict):
            found[one.check] = one
    return list(found.values())


class _Own:
    """The records that a run creates, all marked with the same text."""

    def __init__(self, service: Service, send: Send, mark: str) -> None:
        self._registry, self._connection = service.registry, service.profile.connection
        self._send, self._mark, self._always = send, mark, service.send
        self._contact, self._there = "", set[str]()

    async def written(self, key: str) -> list[Result]:
        """Makes all writes of a resource that are judged."""
        self._there.add(key)
        if key == "crm/contact":
            results, self._contact = await contacts(self._registry, self._send, self._mark)
            return results
        if key == "core/pipeline":
            return await pipeline(self._connection, self._registry, self._send, self._mark, self._always)
        if key == KEY:
            return await connection(self._registry, self._send, self._mark)
        return await customer(self._registry, self._send, self._mark)

    async def harmless(self, key: str) -> list[Request] | str:
        """Calls that change nothing of it, even if accepted; a text that says why there are none otherwise."""
        if key == "crm/contact":
            return await harmless(self._registry, self._send, self._mark, self._contact)
        if key == "core/pipeline":
            there = key in self._there
            return await harmless_pipeline(
                self._connection, self._registry, self._send, self._mark, there=there
            )
        if key == KEY:
            return [of_nobody(self._registry, self._mark)]
        return harmless_customer(self._registry, self._mark)
