"""What one service was observed to do where the contract is silent, from the calls and checks of a run.

It is evidence about one connection at one time and no rule: each answer says how often it was seen and in which
request first. What was not met in the run is "not seen".
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from explorer.api.exchange import Exchange, media_type_of
from explorer.api.page_parser import Sliced, Unsliceable, slice_list
from explorer.catalog.spec import Listing, Record, columns_of, raw_field
from explorer.quality.bundle.evidence import Evidence
from explorer.quality.engine.check import Run, Verdict
from explorer.quality.reports.observed_topics import OF_CHECKS, TOPICS, Topic

MOST = 8
"""How many different answers to a topic are kept for one list; more are only counted."""
_RECORDS = 25
"""How many records of each page are looked at."""
_LIMITS = re.compile(r"(x-)?rate-?limit.*|retry-after|x-quota.*")
_VERSIONS = re.compile(r"deprecation|sunset|link|(x-)?api-version|x-version|warning")
_OPEN_VALUES = {"address_type": "values.address-type", "phone_number_type": "values.phone-number-type"}
_INNER = {
    "offices": "inner.offices",
    "recruiters": "inner.recruiters",
    "hiring_managers": "inner.hiring-managers",
}
_STATES = {
    "file-storage/file": ("type", "values.file-type"),
    "sales-engagement/sequence_state": ("state", "values.state"),
}
_DATES = (
    (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "ISO 8601 in seconds, with Z"),
    (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.,]\d+Z", "ISO 8601 with fractions of a second, with Z"),
    (r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d([.,]\d+)?)?[+-]\d\d:?\d\d", "ISO 8601 with an offset"),
    (r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d([.,]\d+)?)?", "ISO 8601 without a zone"),
    (r"\d{4}-\d\d-\d\d", "ISO 8601, date only"),
    (r"\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d([.,]\d+)?)?.*", "day and time with a space between"),
    (r"-?\d{13}", "milliseconds since 1970 as digits"),
    (r"-?\d{9,10}", "seconds since 1970 as digits"),
    (r"[A-Z][a-z]{2}, \d\d? [A-Z][a-z]{2} \d{4} .*", "as in e-mail headers"),
    (r"\d\d?[/.]\d\d?[/.]\d{2,4}.*", "day and month with dots or slashes"),
    (r"", "empty"),
)


@dataclass(slots=True)
class Seen:
    """One observed answer to a topic."""

    text: str
    count: int
    first: int | None
    """The number of the request in the log; None when it is no single one."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A topic with its answers, the most frequent first; empty when none was observed."""

    topic: Topic
    seen: tuple[Seen, ...]


@dataclass(frozen=True, slots=True)
class Observed:
    """What was observed of one connection."""

    profile: str
    connection: str
    answers: tuple[Answered, ...]
    one_of: bool = False
    """Whether it is of one finding alone, with its own calls only: what these do not show was not looked at."""

    @property
    def shown(self) -> tuple[Answered, ...]:
        """The answers without those of topics that were not looked at."""
        return tuple(one for one in self.answers if one.seen) if self.one_of else self.answers

    def answer(self, topic: str) -> Answered:
        """The answer to a topic by id. Raises KeyError."""
        found = next((one for one in self.answers if one.topic.id == topic), None)
        if found is None:
            raise KeyError(topic)
        return found


def observed(run: Run, evidence: Evidence) -> Observed:
    """What a run observed, by topic."""
    made = _Gathering()
    made.checks(run)
    for call in evidence.calls:
        made.call(call, evidence)
    made.longest()
    return Observed(run.profile, run.connection, made.answers(), bool(run.of))


class _Gathering:
    def __init__(self) -> None:
        self._seen: dict[str, dict[str, Seen]] = {topic.id: {} for topic in TOPICS}
        self._lengths: dict[str, tuple[int, int]] = {}
        self._orders: dict[str, int] = {}
        self._pages: set[tuple[str, bytes]] = set()

    def answers(self) -> tuple[Answered, ...]:
        made = []
        for topic in TOPICS:
            seen = sorted(self._seen[topic.id].values(), key=lambda one: -one.count)
            made.append(Answered(topic, tuple(seen)))
        return tuple(made)

    def add(self, topic: str, text: str, call: int | None, count: int = 1) -> None:
        seen = self._seen[topic]
        if text not in seen:
            place, colon, _ = text.partition(": ")
            if sum(one.startswith(place + colon) for one in seen) >= MOST:
                text = f"{place}{colon}others" if colon else "others"
        if text in seen:
            seen[text].count += count
        else:
            seen[text] = Seen(text, count, call)

    # ------------------------------------------------------------ checks

    def checks(self, run: Run) -> None:
        for result in run.results:
            topic = OF_CHECKS.get(result.check.id)
            if topic is None or result.verdict is Verdict.SKIPPED:
                continue
            where = f"{result.resource}: " if result.resource else ""
            words = result.seen or result.check.sentence
            call = next(iter(result.exchanges), None)
            if call is None:
                call = next((e.exchange for f in result.findings for e in f.examples if e.exchange), None)
            self.add(topic, f"{where}{words}", call, max(1, result.measured))

    # ------------------------------------------------------------ calls

    def call(self, call: Exchange, evidence: Evidence) -> None:
        if call.status is None:
            return
        self._headers(call, evidence.registry.interface.connection_header)
        if 200 <= call.status < 300:
            self.add("success.status", f"{call.status} to {call.method}", call.id)
            self.add("success.type", media_type_of(call.response_headers) or "none", call.id)
            self._input(call)
            self._good(call, evidence)
        elif 300 <= call.status < 400:
            self.add("success.redirects", f"{call.status}, a redirect that is not followed", call.id)
        else:
            self._failure(call, evidence.excerpt(call.id))

    def _headers(self, call: Exchange, connection: str) -> None:
        for name, value in call.response_headers:
            low = name.lower()
            if _LIMITS.fullmatch(low):
                # The figures of a limit go down with every call: one of each form is enough.
                form = f"{low}: {re.sub('[0-9]+', 'N', value)}"
                known = next((one for one in self._seen["limits.headers"] if one.startswith(form)), "")
                self.add("limits.headers", known or f"{form} (the first was {value})", call.id)
            elif _VERSIONS.fullmatch(low):
                self.add("versions.headers", f"{low}: {value}", call.id)
            elif low == "content-encoding":
                self.add("success.encoding", value, call.id)
            elif low == connection and value:
                self.add("success.connection", f"{low} in the answer's headers", call.id)

    def _failure(self, call: Exchange, body: bytes) -> None:
        self.add("error.status", f"{call.status} {call.reason}".strip(), call.id)
        if call.status == 429:
            told = any(name.lower() == "retry-after" for name, _ in call.response_headers)
            self.add("limits.status", f"429 {'with' if told else 'without'} Retry-After", call.id)
        value = _json(body)
        if isinstance(value, dict):
            names = ", ".join(sorted(value))
            self.add("error.shape", f"{call.status}: an object with {names or 'nothing'}", call.id)
            if isinstance(value.get("code"), str):
                self.add("error.code", f"{call.status}: {value['code'][:60]}", call.id)
        else:
            kind = (
                "no body"
                if not body.strip()
                else media_type_of(call.response_headers) or "text without a content type"
            )
            self.add("error.shape", f"{call.status}: {kind}", call.id)

    def _input(self, call: Exchange) -> None:
        """The input of an accepted call, where the contract does not say what it needs."""
        query = sorted({name for name, _ in parse_qsl(urlsplit(call.url).query)})
        for operation, topic in (
            ("accounting/customer-balance", "report.parameters"),
            ("accounting/payment-receipt", "receipt.parameters"),
        ):
            if call.operation == operation:
                self.add(topic, ", ".join(query) or "none", call.id)
        for operation, topic in (
            ("crm/contact/create", "contact.required"),
            ("core/pipeline/create", "pipeline.required"),
        ):
            if call.operation == operation:
                value = _json(call.request_body or b"")
                inner = value.get("record", value) if isinstance(value, dict) else None
                if isinstance(inner, dict):
                    self.add(topic, ", ".join(sorted(inner)) or "none", call.id)

    def _good(self, call: Exchange, evidence: Evidence) -> None:
        operation = evidence.registry.operation(call.operation) if call.operation else None
        if operation is None:
            return
        body = evidence.body(call.id)
        if isinstance(operation, Listing):
            self._page(call, operation, body)
        elif call.operation == "crm/account/batch_read":
            for value in _objects(evidence.rows(call.id)):
                self._values(value, call.id, raw_field(getattr(operation, "record", None)))
                self._record(call, "crm/account", value, getattr(operation, "record", None))
        elif call.operation == "accounting/payment-receipt":
            value = _json(body)
            what = (
                ", ".join(sorted(value))
                if isinstance(value, dict)
                else media_type_of(call.response_headers) or "text"
            )
            self.add("receipt.fields", what, call.id)
        elif call.operation == "core/connection/check":
            value = _json(body)
            what = (
                f"an object with {', '.join(sorted(value))}"
                if isinstance(value, dict)
                else type(value).__name__
            )
            self.add("connection.check", what, call.id)
        elif call.operation == "crm/contact/upsert":
            value = _json(body)
            shape = ", ".join(sorted(value)) if isinstance(value, dict) else "no object"
            self.add(
                "upsert.one" if self._made(call) else "upsert.none", f"{call.status}, with {shape}", call.id
            )

    def _made(self, call: Exchange) -> bool:
        """Whether the address of an upsert was in an earlier create, as it is of the run's own contacts."""
        sent = _json(call.request_body or b"")
        on = sent.get("upsert_on", {}) if isinstance(sent, dict) else {}
        return isinstance(on, dict) and any("quality-run.example" in str(v) for v in on.get("values", ()))

    def _page(self, call: Exchange, listing: Listing, body: bytes) -> None:
        try:
            sliced = slice_list(body, listing.envelope)
        except Unsliceable:
            return
        key, count = listing.key, len(sliced.records or ())
        asked = dict(parse_qsl(urlsplit(call.url).query)).get(listing.size_param, "")
        self.add("limits.page-size", f"{key}: requested {asked or 'none'}, received {count}", call.id)
        cursor = _json(sliced.cursor) if sliced.cursor is not None else None
        if isinstance(cursor, str) and cursor:
            self.add("paging.cursor", f"{key}: {cursor_form(cursor)}", call.id)
            low, high = self._lengths.get(key, (len(cursor), len(cursor)))
            self._lengths[key] = (min(low, len(cursor)), max(high, len(cursor)))
        else:
            self.add("paging.end", f"{key}: {_end(sliced, listing)}", call.id)
        if (key, body) in self._pages:
            return  # a page that was requested again has no further records
        self._pages.add((key, body))
        for value in _objects((sliced.records or ())[:_RECORDS]):
            self._record(call, key, value, listing.record)

    def _record(self, call: Exchange, key: str, value: dict[str, Any], record: type[Record] | None) -> None:
        self.add("records.key-order", f"{key}: {', '.join(value)}", call.id)
        for column in columns_of(record) if record else ():
            if column.kind == "date" and isinstance(value.get(column.field), str | int | float):
                self.add("records.dates", f"{key} {column.field}: {date_form(value[column.field])}", call.id)
        for name, one in value.items():
            if isinstance(one, str) and len(one) > self._orders.get(f"{key} {name}", 0):
                self._orders[f"{key} {name}"] = len(one)
        if key in _STATES:
            name, topic = _STATES[key]
            self.add(topic, json.dumps(value.get(name), ensure_ascii=False)[:40], call.id)
        if key == "ats/job":
            for name, topic in _INNER.items():
                self._inner(topic, value.get(name), call.id)

    def _inner(self, topic: str, value: Any, call: int) -> None:
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, dict):
                self.add(topic, ", ".join(sorted(one)), call)
            elif one is not None:
                self.add(topic, type(one).__name__, call)

    def _values(self, value: Any, call: int, raw: str) -> None:
        """Values of enumerations that the contract does not list, wherever they are in the answer."""
        if isinstance(value, dict):
            for name, one in value.items():
                if name in _OPEN_VALUES:
                    self.add(_OPEN_VALUES[name], json.dumps(one, ensure_ascii=False)[:40], call)
                elif name != raw:
                    self._values(one, call, raw)
        elif isinstance(value, list):
            for one in value:
                self._values(one, call, raw)

    def longest(self) -> None:
        """What only the whole run shows: the longest values."""
        for key, (low, high) in self._lengths.items():
            words = f"{low}" if low == high else f"{low} to {high}"
            self.add("paging.cursor", f"{key}: {words} characters long", None)
        most = sorted(self._orders.items(), key=lambda one: -one[1])[:MOST]
        for name, length in most:
            self.add("limits.length", f"{name}: {length} signs", None)


def _end(sliced: Sliced, listing: Listing) -> str:
    cursor = "absent" if sliced.cursor is None else sliced.cursor.decode("utf-8", "replace")[:20]
    if listing.envelope.flag is None:
        return f"{listing.envelope.cursor} is {cursor}"
    flag = "absent" if sliced.flag is None else sliced.flag.decode("utf-8", "replace")[:20]
    return f"{listing.envelope.flag} is {flag}, {listing.envelope.cursor} is {cursor}"


def _json(body: bytes) -> Any:
    try:
        return json.loads(body.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None


def _objects(rows: Iterable[bytes]) -> Iterable[dict[str, Any]]:
    return (value for value in map(_json, rows) if isinstance(value, dict))


def date_form(value: str | int | float) -> str:
    """The form of a date, in words."""
    if not isinstance(value, str):
        return "a JSON number"
    return next((words for form, words in _DATES if re.fullmatch(form, value.strip())), "another text")


def cursor_form(cursor: str) -> str:
    """The form of a cursor, in words; it stays opaque."""
    if re.fullmatch(r"\d+", cursor):
        return "digits"
    if re.fullmatch(r"[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}", cursor, re.IGNORECASE):
        return "a UUID"
    if re.match(r"https?://|/", cursor):
        return "an address or path"
    if cursor.lstrip()[:1] in ("{", "["):
        return "JSON"
    if re.fullmatch(r"(?:[0-9a-fA-F]{2}){8,}", cursor):
        return "hex digits"
    if re.fullmatch(r"[A-Za-z0-9+/_-]{8,}={0,2}", cursor):
        inside = _inside(cursor)
        if inside:
            return f"base64 that contains {'JSON' if inside.lstrip()[:1] in ('{', '[') else 'text'}"
        return "letters and digits"
    return "other text"


def _inside(text: str) -> str:
    plain = text.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        data = base64.b64decode(plain + "=" * (-len(plain) % 4))
    except (binascii.Error, ValueError):
        return ""
    good = sum(32 <= byte < 127 for byte in data)
    return data.decode("ascii", "replace") if data and good == len(data) else ""


def as_plain(found: Observed) -> Mapping[str, Any]:
    """What was seen of one connection as plain values for JSON."""
    return {
        "profile": found.profile,
        "connection": found.connection,
        "topics": [
            {
                "topic": one.topic.id,
                "title": one.topic.title,
                "left_open_in": one.topic.place,
                "seen": [
                    {"what": seen.text, "times": seen.count, "first_request": seen.first} for seen in one.seen
                ],
            }
            for one in found.shown
        ],
    }
