"""Secrets in what a service answers: in records, in the answers of other calls, and in error bodies.

Whoever receives an answer receives the secrets in it: rows are exported, raw data is passed on, errors are shown. An
example gives the place and the kind of a secret and no part of it. In records the profile's own key is searched for by
`own_key`, and in calls here.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any
from urllib.parse import unquote, urlsplit

from explorer.api.answer import Answer
from explorer.api.exchange import Exchange
from explorer.api.redact import Redactor
from explorer.api.sensitive import MASK, folded, is_sensitive
from explorer.catalog.registry import Registry
from explorer.catalog.request import Request
from explorer.catalog.spec import Batch, Listing
from explorer.profiles.profile import Profile
from explorer.quality.engine.check import Check, Example, Harm, Result, Verdict
from explorer.quality.engine.finding_collector import FindingCollector, together
from explorer.quality.engine.probe import is_json, value_of
from explorer.quality.engine.record_check import SeenPage, Walked
from explorer.quality.engine.row import Row
from explorer.quality.engine.rows import Rows
from explorer.quality.values.secret_shapes import kind_named, may_hold, secret_named, secrets_in
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
DETAILS = Check(
    "transport.error-details",
    "transport",
    "No error body names a stack trace, file path, internal host, query or key",
    "call",
)
OTHERS = Check(
    "transport.connection",
    "transport",
    "Responses that name a connection name the requested one",
    "call",
    harm=Harm.SECURITY,
)
OF_RUN = (CALLS, DETAILS, OTHERS)

_LINK = "connect/magic-link"
"""Its answer is a credential by design."""
_STEP = 60
_TEXT_ONLY = (b"%PDF", b"\x89PNG", b"\xff\xd8", b"PK\x03\x04", b"\x1f\x8b")
_TRACES = re.compile(
    r"(?m)^\s*at .{1,300}[(\s].{1,300}:\d+:\d+\)?\s*$|^\s*at [\w.$<>]+\((?:\w+\.(?:java|kt|scala):\d+|Native Method)\)"
    r"|Traceback \(most recent call last\)|File \"[^\"\n]+\", line \d+|goroutine \d+ \[|\.rb:\d+:in |\bin \S+:line \d+"
    r"|^#\d+ /\S+\(\d+\)"
)
_PATHS = re.compile(
    r"(?<![\w.:/?=&-])/(?:home|Users|root|usr)/[\w.@+-]+(?:/[\w.@+-]+)+|(?<![\w.:/?=&-])/etc/\w"
    r"|(?<![\w.:/?=&-])/(?:var|opt|srv|tmp|app|mnt|workspace|build)/(?:[\w.@+-]+/)*[\w@+-]+\.[a-z]{1,5}\b"
    r"|\b[A-Za-z]:\\(?:[\w .-]+\\)+[\w.-]+|\bnode_modules/|\bsite-packages/"
)
_HOSTS = re.compile(
    r"(?<![\w.-])(?:10\.\d{1,3}\.\d{1,3}\.\d{1,3}|192\.168\.\d{1,3}\.\d{1,3}|172\.(?:1[6-9]|2\d|3[01])\.\d{1,3}\.\d{1,3}"
    r"|127\.0\.0\.1|169\.254\.169\.254|localhost(?=:\d))(?![\w.-])(?::\d{1,5})?"
    r"|\b[\w-]+(?:\.[\w-]+)*\.(?:internal|cluster\.local|svc|intranet|localdomain)\b(?![\w-])|\bip-10-\d+-\d+-\d+\b"
)
_HERE = re.compile(r"localhost\b|127\.")
"""A service on this machine may name it."""
_QUERIES = re.compile(
    r"(?i)\bselect\s[^;]{0,400}[\"`]\s*from\s+[\"`]\w|\binsert\s+into\s+[\"`]\w|\bdelete\s+from\s+[\"`]\w"
    r"|\bupdate\s+[\"`][\w\"`.]+\s+set\s|\bselect\s[^;]{1,400}\sfrom\s[^;]{1,400}=\s*(?:\$\d|\?)"
    r"|\bSQLSTATE\[?\s*\w|\bviolates \w+(?: \w+)? constraint \"|\brelation \"[\w.]+\" does not exist|\bORA-\d{5}\b"
)
"""Queries of the service's own database, recognised by its quotes, its placeholders or the database's own words. A
query in the third party's own language may well be quoted.
"""
_BEFORE = re.compile(
    r"([\w.-]{2,60})[\"']?\s*[:=]\s*[\"']?(?:(?:Bearer|Basic|Token|ApiKey) )?$", re.IGNORECASE
)
"""The name before a place that the log has masked."""
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
                place = Example(seen.number, None, seen.answer.exchange, "", _example(kind, length))
                self._tally.add(kind, where, f"{where} holds {a(kind)}", place)

    def row(self, row: Row) -> None:
        self._tally.look()
        if self._maybe and may_hold(row.raw):
            for field, kind, length in found_in(row.value, self._own):
                what = f"{field or 'The record'} holds {a(kind)}"
                self._tally.add(kind, field, what, row.example(text=_example(kind, length)))

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
        self._host = urlsplit(profile.origin).netloc
        self._is_here = _HERE.match(self._host) is not None
        self._resources = {
            operation.key: one.key for one in registry.resources() for operation in one.operations
        }
        self._calls: dict[str, FindingCollector] = {}
        self._errors: dict[str, FindingCollector] = {}
        self._named: dict[str, FindingCollector] = {}
        self._header = registry.interface.connection_header.lower()
        self._own = {profile.connection, *profile.connections}
        self._known: dict[str, int] = {}
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
                place = Example(None, None, answer.exchange, "", _example(kind, length))
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
            self._error(exchange)

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

    def _error(self, exchange: Exchange) -> None:
        tally = self._of(self._errors, DETAILS, exchange.operation)
        tally.look()
        value = value_of(exchange.response_body)
        known = isinstance(value, dict) and "error_type" in value and "error_detail" in value
        texts = (
            list(_texts(value)) if value is not None else [exchange.response_body.decode("utf-8", "replace")]
        )
        for kind, found in (*self._told(texts, value), *self._others(texts, exchange)):
            if known and kind in ("stack trace", "file path"):
                key = self._resources.get(exchange.operation, "")
                self._known[key] = self._known.get(key, 0) + 1
                continue
            place = Example(None, None, exchange.id, "", found[:80])
            tally.add(kind, "", f"An error body gives away {a(kind)}: {found[:80]}", place)

    def masked_in(self, resource: str) -> bool:
        """Whether a replayed recording has something masked in answers of a resource, with an empty key of any: what it
        was cannot be told from the recording.
        """
        return resource in self._masked if resource else bool(self._masked)

    def results(self) -> list[Result]:
        """One result for each resource and check that had something to look at.

        Error bodies without a fault are reported in one line: that a list was refused says nothing about the list.
        """
        made = together(CALLS, [tally.result(key) for key, tally in self._calls.items()])
        made += together(OTHERS, [tally.result(key) for key, tally in self._named.items()])
        sound, bad = 0, list[Result]()
        for key, tally in self._errors.items():
            count = self._known.get(key, 0)
            if count and not tally:
                seen = "stack traces in error_detail, as a running service is known to send them"
                made.append(Result(DETAILS, key, Verdict.OBSERVED, seen, tally.measured))
            elif tally:
                bad.append(tally.result(key))
            else:
                sound += tally.measured
        made += together(DETAILS, bad)
        return [*made, Result(DETAILS, "", Verdict.HOLDS, "", sound)] if sound else made

    def _of(self, among: dict[str, FindingCollector], check: Check, operation: str) -> FindingCollector:
        key = self._resources.get(operation, "")
        if key not in among:
            among[key] = FindingCollector(check, Verdict.SUSPECT)
        return among[key]

    def _others(self, texts: Iterable[str], exchange: Exchange) -> Iterator[tuple[str, str]]:
        """An id of a connection that is neither the profile's own nor in the request, by the form of the own one."""
        start = exchange.connection.partition("_")[0]
        if start == exchange.connection:
            return
        sent = (
            f"{exchange.url} {exchange.connection} {(exchange.request_body or b'').decode(errors='replace')}"
        )
        for found in re.findall(rf"\b{re.escape(start)}_[\w-]{{4,}}", "\n".join(texts)):
            if found not in self._own and found not in sent:
                yield "id of another connection", found
                return

    def _told(self, texts: Iterable[str], value: Any) -> Iterator[tuple[str, str]]:
        """What error texts give away: each kind once, with the place."""
        whole = "\n".join(texts)
        for kind, form in (("stack trace", _TRACES), ("file path", _PATHS)):
            if match := form.search(whole):
                yield kind, " ".join(match[0].split())
                break  # the file paths belong to the stack trace
        for match in _HOSTS.finditer(whole):
            here = self._is_here and _HERE.match(match[0]) is not None
            if not here and match[0] not in self._host and self._host not in match[0]:
                yield "internal host", match[0]
                break
        if match := _QUERIES.search(whole):
            yield "query of its database", " ".join(match[0].split())
        if MASK in whole:
            yield from _hidden_in(value if value is not None else whole)
        if one := next(secrets_in(whole), None):  # the log masks these, and telling names
            yield one.kind, _example(one.kind, one.length)


def found_in(value: Any, own: Redactor | None = None) -> Iterator[tuple[str, str, int]]:
    """Each secret within a JSON value: its field (as ``settings.keys[].token``), its kind and its length."""
    waiting: list[tuple[str, str, Any]] = [("", "", value)]
    while waiting:
        path, name, one = waiting.pop()
        if isinstance(one, dict):
            inside = [(f"{path}.{key[:_STEP]}" if path else key[:_STEP], key, one[key]) for key in one]
            waiting += reversed(inside)
        elif isinstance(one, list):
            waiting += [(f"{path}[]", name, each) for each in reversed(one)]
        elif isinstance(one, str) and len(one) >= 8:
            if own is not None and own.holds(one.encode("utf-8", "surrogatepass")):
                continue
            if kind := secret_named(name, one):
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
    hidden = next((kind for kind, _ in _hidden_in(value)), "") if MASK in value else ""
    return hidden or next((one.kind for one in secrets_in(value)), "")


def _hidden_in(value: Any) -> Iterator[tuple[str, str]]:
    """The first place in a body that the log has masked: its kind, and the text around it.

    A name that only may be that of a secret (``session``, ``signature``) is not reported.
    """
    waiting: list[tuple[str, Any]] = [("", value)]
    while waiting:
        name, one = waiting.pop()
        if isinstance(one, dict):
            waiting += reversed(list(one.items()))
        elif isinstance(one, list):
            waiting += [(name, each) for each in reversed(one)]
        elif isinstance(one, str) and MASK in one:
            at = one.index(MASK)
            before = _BEFORE.search(one[:at][-120:])
            near = before[1] if before else name if at == 0 or one[:at].endswith(" ") else ""
            kind = _kind_hidden(near, one[:at])
            if kind:
                words = f"{name}: {one}" if at == 0 and name else one
                start = max(words.index(MASK) - 40, 0)
                yield kind, words[start : start + 80]
                return


def _kind_hidden(name: str, before: str) -> str:
    plain = folded(name)
    if plain.endswith("apikey"):
        # In an address it is as likely the third party's own, for which the service called it.
        return "token in an address" if before.endswith("=") else "key that was sent"
    if (
        plain.endswith("authorization")
        or kind_named(name)
        or re.search(r"(?i)\b(?:bearer|basic)\s$|://$", before)
    ):
        return "token or password"
    # Anything else was masked because its value is known, unless its name is one that is always masked.
    in_address = before.endswith("=") and plain in ("key", "sig", "sid", "pass", "auth")
    return "" if is_sensitive(name) or in_address else "key that was sent"


def _example(kind: str, length: int) -> str:
    return f"{MASK} ({kind}, {length} characters)"


def _texts(value: Any) -> Iterator[str]:
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, dict):
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one
