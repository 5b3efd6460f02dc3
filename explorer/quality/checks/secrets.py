"""Secrets in what a service answers: in records, in the answers of other calls, and in their headers.

Whoever receives an answer receives the secrets in it: rows are exported, raw data is passed on, errors are shown. An
example gives the place and the kind of a secret and no part of it. In records the profile's own key is searched for by
`own_key`, and in calls here.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import unquote

from explorer.api.answer import Answer
from explorer.api.exchange import Exchange
from explorer.api.redact import Redactor
from explorer.api.sensitive import MASK, is_sensitive
from explorer.catalog.registry import Registry
from explorer.catalog.request import Request
from explorer.catalog.spec import Batch, Listing
from explorer.profiles.profile import Profile
from explorer.quality.checks import error_bodies
from explorer.quality.checks.error_bodies import example_of, hidden_in
from explorer.quality.checks.transport import without_rows
from explorer.quality.engine.check import Check, Example, Harm, Result, Verdict
from explorer.quality.engine.finding_collector import FindingCollector, together
from explorer.quality.engine.probe import is_json, value_of
from explorer.quality.engine.record_check import SeenPage, Walked
from explorer.quality.engine.row import Row
from explorer.quality.engine.rows import Rows
from explorer.quality.values.text_patterns import kind_named, may_hold, secret_named, secrets_in
from explorer.words import a

RECORDS = Check(
    "records.secrets", "records", "No record or cursor contains a token, password or signed link", "record"
)
CALLS = Check(
    "transport.secrets",
    "transport",
    "No response to a call contains a token, password or signed link",
    "call",
)
OTHERS = Check(
    "transport.connection",
    "transport",
    "Responses that name a connection name the requested one",
    "call",
    harm=Harm.SECURITY,
)
OF_RUN = (CALLS, *error_bodies.CHECKS, OTHERS)

_LINK = "connect/magic-link"
"""Its answer is a credential by design."""
_STEP = 60
_TEXT_ONLY = (b"%PDF", b"\x89PNG", b"\xff\xd8", b"PK\x03\x04", b"\x1f\x8b")
_QUIET_HEADERS = frozenset({"set-cookie", "www-authenticate", "proxy-authenticate", "location", "link"})
"""Their values are meant for the caller."""
_PACKED = re.compile(r"[\w+/-]{16,}={0,2}")


class RecordSecrets:
    """Watches the records of one list or batch."""

    checks = (RECORDS,)

    def __init__(self, own: Redactor | None = None) -> None:
        """``own`` knows the profile's own key, which another check searches for."""
        self._own, self._tally = own, FindingCollector(RECORDS, Verdict.SUSPECT)
        self._maybe = True

    def page(self, seen: SeenPage) -> None:
        """Decides for a whole page whether its rows must be read: most pages contain nothing like a secret."""
        self._maybe = seen.answer is None or may_hold(seen.answer.body)
        sliced = seen.sliced
        if sliced is not None and sliced.cursor and seen.answer is not None:
            for field, kind, length in in_cursor(value_of(sliced.cursor)):
                where = f"next_cursor{'.' if field else ''}{field}"
                place = Example(seen.number, None, seen.answer.exchange, "", example_of(kind, length))
                self._tally.add(kind, where, f"{where} holds {a(kind)}", place)
        if self._maybe and seen.page is not None and seen.answer is not None:
            around = value_of(without_rows(seen.page.body, seen.page.records))
            members = around if isinstance(around, dict) else {}
            for field, kind, length in found_in(
                {n: v for n, v in members.items() if "cursor" not in n}, self._own
            ):
                place = Example(seen.number, None, seen.answer.exchange, "", example_of(kind, length))
                self._tally.look()
                self._tally.add(kind, field, f"{field}, beside the records, holds {a(kind)}", place)

    def row(self, row: Row) -> None:
        self._tally.look()
        if self._maybe and may_hold(row.raw):
            for field, kind, length in found_in(row.value, self._own):
                what = f"{field or 'The record'} holds {a(kind)}"
                self._tally.add(kind, field, what, row.example(text=example_of(kind, length)))

    def passes(self, rows: Rows) -> bool:
        """Handles several records at once, on a page without anything that resembles a secret."""
        if not self._maybe:
            self._tally.look(len(rows))
        return not self._maybe

    def end(self, walked: Walked) -> list[Result]:
        return self.results(walked.key)

    def results(self, key: str) -> list[Result]:
        """The results for what was seen so far."""
        return [self._tally.result(key, empty="no record came")]


class CallSecrets:
    """Watches the answers and error bodies of one run, by the resource that was called."""

    def __init__(
        self, profile: Profile, registry: Registry, covers: Callable[[str], bool] = lambda _: True
    ) -> None:
        """``covers`` says whether a resource is part of the run: the window may ask for others beside it."""
        self._covers = covers
        self._resources = {
            operation.key: one.key for one in registry.resources() for operation in one.operations
        }
        self._calls: dict[str, FindingCollector] = {}
        self._errors = error_bodies.ErrorBodies(profile)
        self._named: dict[str, FindingCollector] = {}
        self._header = registry.interface.connection_header.lower()
        self._seen: set[int] = set()
        self._masked: set[str] = set()

    def answer(self, request: Request, answer: Answer) -> None:
        """A successful answer. Records are watched by `RecordSecrets` instead."""
        operation = request.operation
        if operation is None or isinstance(operation, Batch | Listing) or operation.key == _LINK:
            return
        tally = self._of(self._calls, CALLS, operation.key)
        tally.look()
        example = Example(None, None, answer.exchange, "", "")
        if answer.masked:
            what = "The response repeats the profile's own key or token"
            tally.add("own key", "", what, example, verdict=Verdict.FAILS)
        if may_hold(answer.body) and not answer.body.startswith(_TEXT_ONLY):
            value = value_of(answer.body) if is_json(answer.body) else answer.body.decode("utf-8", "replace")
            for field, kind, length in found_in(value):
                what = f"{field or 'The response'} holds {a(kind)}"
                place = Example(None, None, answer.exchange, "", example_of(kind, length))
                tally.add(kind, field, what, place)

    def exchange(self, exchange: Exchange) -> None:
        """An attempt that was answered, as the log has it: secrets are masked, and their places are still visible."""
        if exchange.status is None or exchange.id in self._seen or exchange.state == "waiting":
            return
        if not self._covers(self._resources.get(exchange.operation, "")):
            return
        self._seen.add(exchange.id)
        if exchange.is_masked and exchange.operation != _LINK:
            self._masked.add(self._resources.get(exchange.operation, ""))
        for name, kind, verdict in _in_headers(exchange):
            place = Example(None, None, exchange.id, "", f"{name}: {MASK}")
            what = f"The response header {name} holds {a(kind)}"
            tally = self._of(self._calls, CALLS, exchange.operation)
            tally.add("header", name, what, place, verdict=verdict)
        self._connection(exchange)
        if exchange.status >= 400:
            self._errors.look(self._resources.get(exchange.operation, ""), exchange)

    def _connection(self, exchange: Exchange) -> None:
        """Whether the connection that a response says was used is the one that it was sent for."""
        for name, value in exchange.response_headers:
            if name.lower() == self._header and value and exchange.connection:
                tally = self._of(self._named, OTHERS, exchange.operation)
                tally.look()
                if value.strip() != exchange.connection:
                    what = (
                        f"The response header {self._header} names another connection than the requested one"
                    )
                    tally.add("another", self._header, what, Example(None, None, exchange.id, "", value[:80]))

    def masked_in(self, resource: str) -> bool:
        """Whether a replayed recording has something masked in answers of a resource, with an empty key of any: what it
        was cannot be told from the recording.
        """
        return resource in self._masked if resource else bool(self._masked)

    def results(self) -> list[Result]:
        """One result for each resource and check that had something to look at."""
        made = together(CALLS, [tally.result(key) for key, tally in self._calls.items()])
        made += together(OTHERS, [tally.result(key) for key, tally in self._named.items()])
        return [*made, *self._errors.results()]

    def _of(self, among: dict[str, FindingCollector], check: Check, operation: str) -> FindingCollector:
        key = self._resources.get(operation, "")
        if key not in among:
            among[key] = FindingCollector(check, Verdict.SUSPECT)
        return among[key]


def found_in(value: Any, own: Redactor | None = None) -> Iterator[tuple[str, str, int]]:
    """Each secret within a JSON value: its field (as ``settings.keys[].token``), its kind and its length."""
    waiting: list[tuple[str, str, str, Any]] = [("", "", "", value)]
    while waiting:
        path, of, name, one = waiting.pop()
        if isinstance(one, dict):
            inside = [(f"{path}.{key[:_STEP]}" if path else key[:_STEP], name, key, one[key]) for key in one]
            waiting += reversed(inside)
        elif isinstance(one, list):
            waiting += [(f"{path}[]", of, name, each) for each in reversed(one)]
        elif isinstance(one, str) and len(one) >= 8:
            if own is not None and own.holds(one.encode("utf-8", "surrogatepass")):
                continue
            if kind := secret_named(name, one, of):
                yield path, kind, len(one)
            else:
                yield from ((path, each.kind, each.length) for each in secrets_in(one))


def in_cursor(value: Any) -> Iterator[tuple[str, str, int]]:
    """Each secret within a cursor, as `found_in`, also where the cursor is JSON in base 64."""
    if isinstance(value, str):
        plain = unquote(value)
        packed = plain if _PACKED.fullmatch(plain) else ""
        try:
            data = base64.b64decode(packed + "=" * (-len(packed) % 4), altchars=b"-_") if packed else b""
            inside = value_of(data.strip()) if data.lstrip()[:1] in (b"{", b"[") else None
        except ValueError:
            inside = None
        yield from found_in(plain if inside is None else inside)
    else:
        yield from found_in(value)


def _in_headers(exchange: Exchange) -> Iterator[tuple[str, str, Verdict]]:
    """The headers of an answer that hold a secret, masked by now: name, kind, verdict."""
    for name, value in exchange.response_headers:
        low = name.lower()
        if low in _QUIET_HEADERS:
            continue
        if is_sensitive(low):
            kind = "authorization" if low.endswith("authorization") else kind_named(low)
            if kind and MASK in value:
                yield low, kind, Verdict.SUSPECT
        elif value == MASK:
            yield low, "key that was sent", Verdict.FAILS
        elif kind := _kind_in(value):
            yield low, kind, Verdict.SUSPECT


def _kind_in(value: str) -> str:
    """The kind of secret in a header's text, masked by now or not; empty when there is none."""
    hidden = next((kind for kind, _ in hidden_in(value)), "") if MASK in value else ""
    return hidden or next((one.kind for one in secrets_in(value)), "")
