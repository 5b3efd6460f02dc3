"""What error bodies say: nothing of the service's inside, and the same as the status of their answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from explorer.api.exchange import Exchange
from explorer.api.sensitive import MASK, folded, is_sensitive
from explorer.profiles.profile import Profile
from explorer.quality.engine.check import Check, Example, Result, Verdict
from explorer.quality.engine.finding_collector import FindingCollector, together
from explorer.quality.engine.probe import value_of
from explorer.quality.values.text_patterns import kind_named, secrets_in
from explorer.words import a

DETAILS = Check(
    "transport.error-details",
    "transport",
    "No error body names a stack trace, file path, internal host, query or key",
    "call",
)
STATUS = Check(
    "transport.error-status",
    "transport",
    "An error body names the status of its answer",
    "call",
)
CHECKS = (DETAILS, STATUS)

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
_PLAIN_QUERIES = re.compile(
    r"(?i)\bselect\s.{1,400}\sfrom\s.{1,200}\swhere\s|\binsert\s+into\s+\w|\bdelete\s+from\s+\w"
    r"|\bupdate\s+\w+\s+set\s"
)
"""Any query; told only where no third party was asked, whose own language it might be."""
_STATUSES = frozenset({"httpstatus", "status", "statuscode", "code"})
"""Names under which an error body repeats the status, folded."""
_PARTS = ("data", "error")
"""Parts of an error body that repeat it."""
_OF_OTHERS = frozenset((424, 502, 503, 504))
"""Statuses by which the service speaks of another one, whose own status the body may name."""


class ErrorBodies:
    """Watches the error bodies of one run, by the resource that was called."""

    def __init__(self, profile: Profile) -> None:
        self._host = urlsplit(profile.origin).netloc
        self._is_here = _HERE.match(self._host) is not None
        self._own = {profile.connection, *profile.connections}
        self._tallies: dict[Check, dict[str, FindingCollector]] = {check: {} for check in CHECKS}
        self._known: dict[str, int] = {}

    def look(self, key: str, exchange: Exchange) -> None:
        """Judges the answer to a call of a resource that was refused or failed."""
        tally = self._of(DETAILS, key)
        tally.look()
        value = value_of(exchange.response_body)
        self._status(key, exchange, value)
        known = isinstance(value, dict) and "error_type" in value and "error_detail" in value
        texts = (
            list(_texts(value)) if value is not None else [exchange.response_body.decode("utf-8", "replace")]
        )
        for kind, found in (*self._told(texts, value, exchange), *self._others(texts, exchange)):
            if known and kind in ("stack trace", "file path"):
                self._known[key] = self._known.get(key, 0) + 1
                continue
            place = Example(None, None, exchange.id, "", found[:80])
            tally.add(kind, "", f"An error body gives away {a(kind)}: {found[:80]}", place)

    def results(self) -> list[Result]:
        """One result for each resource with a finding; error bodies without a fault are reported in one line.

        That a list was refused says nothing about the list.
        """
        made: list[Result] = []
        for check, tallies in self._tallies.items():
            sound, bad = 0, list[Result]()
            for key, tally in tallies.items():
                count = self._known.get(key, 0) if check is DETAILS else 0
                if count and not tally:
                    seen = "stack traces in error_detail, as a running service is known to send them"
                    made.append(Result(check, key, Verdict.OBSERVED, seen, tally.measured))
                elif tally:
                    bad.append(tally.result(key))
                else:
                    sound += tally.measured
            made += together(check, bad)
            made += [Result(check, "", Verdict.HOLDS, "", sound)] if sound else []
        return made

    def _of(self, check: Check, key: str) -> FindingCollector:
        return self._tallies[check].setdefault(key, FindingCollector(check, Verdict.SUSPECT))

    def _status(self, key: str, exchange: Exchange, value: Any) -> None:
        """Whether a status that the body repeats is that of the answer: clients look at either."""
        if not isinstance(value, Mapping) or exchange.status in _OF_OTHERS or "class" in value:
            return
        parts = [value, *(part for name in _PARTS if isinstance(part := value.get(name), Mapping))]
        told = [
            (name, one)
            for part in parts
            for name, one in part.items()
            if folded(name) in _STATUSES and re.fullmatch(r"[1-5]\d\d", str(one))
        ]
        tally = self._of(STATUS, key)
        tally.look(int(bool(told)))
        for name, one in told:
            if int(one) != exchange.status:
                what = f"An error body names another status under {name} than its answer has"
                place = Example(None, None, exchange.id, "", f"{one}, answered with {exchange.status}")
                tally.add("another", name, what, place)

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

    def _asks_nobody(self, exchange: Exchange) -> bool:
        """Whether no third party can have been asked: the key was refused, or the connection is nobody's."""
        return exchange.on_purpose and (exchange.status == 401 or exchange.connection not in self._own)

    def _told(self, texts: Iterable[str], value: Any, exchange: Exchange) -> Iterator[tuple[str, str]]:
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
        plain = _PLAIN_QUERIES.search(whole) if self._asks_nobody(exchange) else None
        if match := _QUERIES.search(whole) or plain:
            yield "query of its database", " ".join(match[0].split())
        if MASK in whole:
            yield from hidden_in(value if value is not None else whole)
        if one := next(secrets_in(whole), None):  # the log masks these, and telling names
            yield one.kind, example_of(one.kind, one.length)


def hidden_in(value: Any) -> Iterator[tuple[str, str]]:
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


def example_of(kind: str, length: int) -> str:
    """A secret as an example shows it: no part of it, but its kind and length."""
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
