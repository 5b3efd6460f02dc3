"""Recordings: which answer was recorded for a request. Nothing is made up: what was not recorded has no answer."""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol
from urllib.parse import parse_qsl, urlsplit

from explorer.api.exchange import Exchange
from explorer.api.sensitive import MASK
from explorer.catalog.registry import Registry
from explorer.catalog.spec import Listing
from explorer.jsontext.read import read_loosely
from explorer.store.store import Store
from explorer.store.values import PullInfo
from explorer.words import count

Pairs = tuple[tuple[str, str], ...]
Credential = Literal["none", "wrong", "right"]
_REFUSED = (401, 403)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A request as it arrived."""

    method: str
    path: str
    """As sent, percent-encoded, without the query."""
    query: Pairs
    """Decoded, in order."""
    connection: str
    """The value of the interface's connection header; empty without it."""
    credential: Credential
    body: bytes = b""

    @property
    def words(self) -> str:
        """``GET /v0/unified/ats/job``."""
        return f"{self.method} {self.path}"


@dataclass(frozen=True, slots=True)
class Reply:
    """A recorded answer."""

    status: int
    headers: Pairs
    body: bytes
    masked: bool = False
    """Whether the recording has secrets masked in the body."""


class Recording(Protocol):
    """Something that was recorded."""

    @property
    def words(self) -> str:
        """What it holds, such as ``41 calls``."""

    @property
    def connections(self) -> Sequence[str]:
        """The ids of its connections, the one that counts first."""

    def reply(self, asked: Asked, again: bool = False) -> Reply | None:
        """The recorded answer; None when there is none. Raises StoreFault when it cannot be read.

        ``again``: the next such request gets the same answer, because this one does not arrive.
        """


class RecordedCalls:
    """The calls of a run or of a HAR file.

    A request gets the answers to the same request in their order, and the last of them from then on: so a call that
    failed and was tried again does so here. The same means: method, path, parameters in any order, connection, body as
    JSON, and whether a credential was sent that the service took. Recordings are masked, so a wrong key is told by its
    answer: 401 or 403.
    """

    def __init__(
        self, exchanges: Iterable[Exchange], registry: Registry, connections: Sequence[str] = ()
    ) -> None:
        """``registry``: of the interface that was asked, which says where the base address ends in a recorded URL.
        ``connections``: those that the recording is about, where that is known.
        """
        self._connection_header = registry.interface.connection_header
        self._credential_headers = (registry.interface.key_header, "authorization")
        whole = [one for one in exchanges if one.state == "answered" and one.status]
        self._without_body = sum(1 for one in whole if one.body_truncated)
        kept = [one for one in whole if not one.body_truncated and not one.request_truncated]
        base = _base_of(kept, registry)
        self._replies: dict[tuple[object, ...], list[Reply]] = defaultdict(list)
        for one in kept:
            asked = self._asked(one, base)
            masked = MASK.encode() in one.response_body
            reply = Reply(one.status or 0, one.response_headers, one.response_body, masked)
            self._replies[_key(asked)].append(reply)
        self._calls = len(kept)
        self._next: Counter[tuple[object, ...]] = Counter()
        named = Counter(connection for one in kept if (connection := self._connection_of(one)))
        self._connections = tuple(connections) or tuple(connection for connection, _ in named.most_common())

    @property
    def words(self) -> str:
        """``41 calls``, with those that cannot be answered as their body was not kept."""
        left = f"; {self._without_body} more without their whole body" if self._without_body else ""
        return count(self._calls, "call") + left

    @property
    def connections(self) -> Sequence[str]:
        """The ids of the connections that it is about, else of all that were asked, the most frequent first."""
        return self._connections

    def reply(self, asked: Asked, again: bool = False) -> Reply | None:
        """The next recorded answer to this request; None when it was not recorded."""
        key = _key(asked)
        found = self._replies.get(key)
        if not found:
            return None
        place = min(self._next[key], len(found) - 1)
        self._next[key] += not again
        return found[place]

    def _asked(self, one: Exchange, base: str) -> Asked:
        parts = urlsplit(one.url)
        sent = any(name.lower() in self._credential_headers for name, _ in one.request_headers)
        return Asked(
            method=one.method.upper(),
            path=parts.path.removeprefix(base),
            query=tuple(parse_qsl(parts.query, keep_blank_values=True)),
            connection=self._connection_of(one),
            credential="none" if not sent else "wrong" if one.status in _REFUSED else "right",
            body=one.request_body or b"",
        )

    def _connection_of(self, one: Exchange) -> str:
        named = (value for name, value in one.request_headers if name.lower() == self._connection_header)
        return next(named, "")


class RecordedPull:
    """The pages of a stored pull or snapshot, each for its cursor and the pull's own parameters.

    A page is unpacked when it is asked for. Pages that were added after ``info`` was read are not answered.
    """

    def __init__(self, store: Store, info: PullInfo, listing: Listing) -> None:
        """``store`` is read by the thread that made it. Raises StoreFault."""
        self._store, self._info, self._listing = store, info, listing
        asked = json.loads(info.key.params)
        self._asked = sorted((str(name), str(value)) for name, value in (*asked["query"], *asked["extra"]))
        self._numbers: dict[bytes, int] = {}
        for page, cursor in store.cursors(info.id, info.pages):
            self._numbers.setdefault(_mark(cursor), page)

    @property
    def words(self) -> str:
        """``4,812 rows of ats/job on 49 pages``."""
        rows, pages = count(self._info.rows, "row"), count(self._info.pages, "page")
        return f"{rows} of {self._listing.key} on {pages}"

    @property
    def connections(self) -> Sequence[str]:
        """The id of its connection, if it has one."""
        return (self._info.key.connection,) if self._info.key.connection else ()

    def reply(self, asked: Asked, again: bool = False) -> Reply | None:
        """The page of that cursor; None for other parameters, another connection, list or method."""
        name = self._listing.cursor_param
        cursors = [value for key, value in asked.query if key == name]
        others = sorted((key, value) for key, value in asked.query if key != name)
        place = (asked.method, asked.path, asked.connection, asked.credential)
        if place != (self._listing.method, self._listing.path, self._info.key.connection, "right"):
            return None
        number = self._numbers.get(_mark(cursors[0] if cursors else None))
        if others != self._asked or len(cursors) > 1 or number is None:
            return None
        body = self._store.body(self._info.id, number)
        return Reply(200, (("content-type", "application/json"),), body)


def _mark(cursor: str | None) -> bytes:
    """Stands for a cursor in memory: a list may have thousands of them, of thousands of characters each."""
    text = b"" if cursor is None else b"=" + cursor.encode("utf-8", "surrogatepass")
    return hashlib.blake2b(text, digest_size=16).digest()


def _base_of(exchanges: Sequence[Exchange], registry: Registry) -> str:
    """What precedes the interface's own paths in the recorded URLs: the path of the base address, mostly empty."""
    found: Counter[str] = Counter()
    for one in exchanges:
        segments = urlsplit(one.url).path.split("/")
        for place in range(1, len(segments)):
            if registry.match(one.method, "/" + "/".join(segments[place:])) is not None:
                found["/".join(segments[:place])] += 1
                break
    return max(found, key=lambda base: found[base], default="")


def _key(asked: Asked) -> tuple[object, ...]:
    """What makes two requests the same."""
    query = tuple(sorted(asked.query))
    return asked.method, asked.path, query, asked.connection, asked.credential, _content(asked.body)


def _content(body: bytes) -> str:
    """A body without white space and order of names that JSON does not care about; other bodies as they are."""
    try:
        return json.dumps(read_loosely(body.decode()), sort_keys=True) if body else ""
    except (ValueError, RecursionError):
        return body.decode("latin-1")
