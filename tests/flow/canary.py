"""What the canary tests share: secrets unique to a run, every way of writing them, and a service that repeats them.

A secret counts as found when any stretch of it that a run could not hold by chance is found, however it is packed: in
plain bytes, percent codes, JSON or HTML escapes (which leave its letters and digits as they are), UTF-16, hex, or
base64 at any offset; in a database also inside its compressed blocks.

Rows are data and stay as they were received, and a cursor is what the service is asked with next: both may hold the
caller's own key, in the store of the pulls and in an export of rows, and nowhere else. These places alone are passed
by, and what they hold is counted, so that a test can say that the exception was met.
"""

from __future__ import annotations

import base64
import contextlib
import itertools
import json
import re
import sqlite3
import stat
import sys
import uuid
from collections import Counter
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import zstandard

from tests.recording import Got, Recording, Reply, reply

ROWS_AND_CURSORS = {
    "page": {"data", "cursor", "next_cursor"},
    "pull": {"next_cursor"},
    "narrow": {"data"},
}
"""Columns of a store of pulls that hold what a service gave: pages as received, cursors, and columns of the rows."""
STORE_ID = 0x55455850
"""Marks a database as a store of pulls."""
_ZSTD = re.escape(b"\x28\xb5\x2f\xfd")
SHORTEST = 16
"""Letters and digits in a row that count as a piece of the secret."""


def made(kind: str) -> str:
    """A secret that a header takes, with signs in it that HTML and addresses write in another way."""
    return f"ue-{kind}/+&={uuid.uuid4().hex}"


def jwt() -> str:
    """A token as a magic link carries one: readable by whoever holds it."""
    parts = ({"alg": "HS256"}, {"exp": 1_900_000_000, "customerId": uuid.uuid4().hex})
    head, claims = (base64.urlsafe_b64encode(json.dumps(p).encode()).decode().rstrip("=") for p in parts)
    return f"{head}.{claims}.{uuid.uuid4().hex}"


@dataclass
class Canaries:
    """The secrets of a run by name, and the search for them."""

    secrets: dict[str, str] = field(default_factory=dict)
    looked_at: int = 0
    """Bytes searched so far: a search of nothing proves nothing."""
    excepted: Counter[str] = field(default_factory=Counter)
    """How often the exception for rows and cursors was met, by its place."""
    _forms: dict[bytes, str] = field(default_factory=dict)

    def add(self, name: str, secret: str) -> None:
        self.secrets[name] = secret
        pieces = re.findall(rf"[A-Za-z0-9_-]{{{SHORTEST},}}", secret)
        assert pieces, f"{name} has no piece that could be searched for"
        for piece in pieces:
            if piece.startswith("eyJhbGci"):
                continue  # the head of every JWT: it says nothing
            for form in _packed(piece):
                self._forms[form] = name

    def within(self, data: bytes | str) -> set[str]:
        """Names of the secrets that ``data`` holds in any form."""
        raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
        self.looked_at += len(raw)
        return {name for form, name in self._forms.items() if form in raw}

    def in_files(self, *roots: Path, exports: Container[str] = ()) -> dict[str, set[str]]:
        """The same by file, for every file below ``roots`` (names of files too), databases opened and unpacked.

        ``exports``: names of files that rows were exported to.
        """
        found: dict[str, set[str]] = {}
        for path in itertools.chain.from_iterable(root.rglob("*") for root in roots):
            names = self.within(str(path))
            if path.is_file():
                names |= self._in_file(path, exports)
            if names:
                found[str(path)] = names
        return found

    def _in_file(self, path: Path, exports: Container[str]) -> set[str]:
        if path.name in exports:
            self.excepted["export"] += bool(self.within(path.read_bytes()))
            return set()
        base = path.with_name(path.name.removesuffix("-wal").removesuffix("-shm"))
        if is_store(base):
            # Its raw bytes hold the rows too: it is searched value by value.
            assert stat.S_IMODE(path.stat().st_mode) == 0o600 or sys.platform == "win32", path
            return self._in_store(path) if path == base else set()
        data = path.read_bytes()
        names = self.within(data)
        if data.startswith(b"SQLite format 3\0"):
            names = names.union(*(self.within(value) for _, value in values_of(path)))
        return names

    def _in_store(self, path: Path) -> set[str]:
        found: set[str] = set()
        for (table, column), value in values_of(path):
            names = self.within(value)
            if column in ROWS_AND_CURSORS.get(table, ()):
                self.excepted[f"{table}.{column}"] += bool(names)
            else:
                found |= names
        return found


def _packed(piece: str) -> Iterator[bytes]:
    raw = piece.encode()
    yield raw
    yield piece.encode("utf-16-le")
    yield piece.encode("utf-16-be")
    for text in (raw.hex(), raw.hex().upper()):
        yield text.encode()
    for before in range(3):
        text = base64.b64encode(b"\0" * before + raw).decode()
        core = text[(0, 2, 3)[before] : (before + len(raw)) * 8 // 6]
        yield core.encode()
        yield core.replace("+", "-").replace("/", "_").encode()


def is_store(path: Path) -> bool:
    """Whether it is a store of pulls."""
    if not path.is_file() or not path.read_bytes().startswith(b"SQLite format 3\0"):
        return False
    # Asked of SQLite: while the program runs, the mark may stand in the WAL alone.
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        return bool(database.execute("PRAGMA application_id").fetchone() == (STORE_ID,))


def calls_logged(home: Path) -> int:
    """How many calls stand in request logs below ``home``: a search of empty ones proves nothing."""
    found = 0
    for path in home.rglob("*.requests.sqlite3"):
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
            found += database.execute("SELECT count(*) FROM call JOIN body USING (number)").fetchone()[0]
    return found


def values_of(path: Path) -> Iterator[tuple[tuple[str, str], bytes]]:
    """Every text and blob of a database with its table and column, and what a blob holds when it is compressed."""
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        database.text_factory = bytes
        tables = [
            r[0].decode() for r in database.execute("SELECT name FROM sqlite_master WHERE type='table'")
        ]
        for table in tables:
            rows = database.execute(f'SELECT * FROM "{table}"')
            places = [(table, head[0]) for head in rows.description]
            for row in rows:
                for place, value in zip(places, row, strict=True):
                    if not isinstance(value, bytes):
                        continue
                    yield place, value
                    # Columns of rows are several such blocks in one.
                    for at in [m.start() for m in re.finditer(_ZSTD, value)]:
                        with contextlib.suppress(zstandard.ZstdError):
                            yield place, zstandard.ZstdDecompressor().decompressobj().decompress(value[at:])


# ---------------------------------------------------------------- a service that repeats what it was given


@dataclass
class Parrot:
    """A service that repeats the key it was given wherever an answer has room: in rows, cursors, headers, failures."""

    canaries: Canaries
    token: str = field(default_factory=jwt)
    """Of the magic link."""
    access: str = field(default_factory=lambda: made("access"))
    """Of the connection, given away by its check."""
    granted: str = field(default_factory=lambda: made("granted"))
    """What a token call brings."""
    failed: bool = False

    def __post_init__(self) -> None:
        self.canaries.add("what a token call brings", self.granted)
        self.canaries.add("the link's token", self.token)
        self.canaries.add("the connection's token", self.access)

    def running(self) -> Recording:
        return Recording(answering=self.answer)

    def answer(self, got: Got) -> Reply:
        key = got.header("x-apikey") or (got.header("authorization") or "").removeprefix("Bearer ")
        path, _, query = got.target.partition("?")
        chosen = getattr(self, "_" + re.sub(r"\W", "_", _last(path)), None)
        answer: Reply = chosen(key, query) if chosen else self._missing(key, path)
        told = (("x-echo", key), ("set-cookie", f"session={key}"), ("x-request-headers", _packing(key)))
        return Reply(**{**answer.__dict__, "headers": (*answer.headers, *told)})

    # -- lists, each ending in a way of its own

    def _job(self, key: str, query: str) -> Reply:
        """Two pages with a failure between them, then a circle."""
        if "cursor=" not in query:
            return _page(key, f"one:{key}")
        if not self.failed:
            self.failed = True
            return reply({"message": f"cannot read {key}", "code": "INTERNAL_SERVER_ERROR", "data": {}}, 500)
        return _page(key, f"one:{key}")

    def _file(self, key: str, query: str) -> Reply:
        return reply({"see": key}, 302, location=f"https://elsewhere.example/{key}?apikey={key}")

    def _drive(self, key: str, query: str) -> Reply:
        return reply({"message": f"UNAUTHORIZED: {key}", "code": "UNAUTHORIZED", "data": {"path": key}}, 401)

    def _mailbox(self, key: str, query: str) -> Reply:
        return Reply(body=f"<html>no JSON, {key}</html>".encode())

    def _sequence_state(self, key: str, query: str) -> Reply:
        trace = f"TypeError: bad key {key}\n    at check ({key})\n    at main"
        return reply({"error_type": "MalformedKeyError", "error_detail": trace}, 400)

    # -- single calls

    def _token(self, key: str, query: str) -> Reply:
        return reply({"access_token": self.granted, "expires_in": 3600, "said": f"{key} gets {self.granted}"})

    def _contact(self, key: str, query: str) -> Reply:
        issue = {"code": "custom", "message": f"{key} is no email", "path": ["record", "email"]}
        return reply({"message": key, "code": "BAD_REQUEST", "data": {}, "issues": [issue]}, 400)

    def _account(self, key: str, query: str) -> Reply:
        return reply([{"id": "1", "name": key, "raw_data": {"sent": {"x-apikey": key}}}])

    def _customer_balance(self, key: str, query: str) -> Reply:
        return Reply(502, f"<html>Bad Gateway {key}</html>".encode(), (("retry-after", "0"),))

    def _customer_income(self, key: str, query: str) -> Reply:
        return reply(
            {"reportName": f"Report for {key}", "entries": [], "currency": "EUR", "echo": _packing(key)}
        )

    def _payment_receipt(self, key: str, query: str) -> Reply:
        return Reply(raw=f"NONSENSE {key}\r\n\r\n".encode())

    def _pipeline(self, key: str, query: str) -> Reply:
        return reply({"id": "pipe_1", "createdAt": "", "updatedAt": "", "metadata": {"said": key}})

    def _connection(self, key: str, query: str) -> Reply:
        credentials = {"access_token": self.access, "refresh_token": self.access}
        return reply(
            {"id": "conn_1", "settings": {"oauth": {"credentials": credentials}, "apiKey": self.access}}
        )

    def _customer(self, key: str, query: str) -> Reply:
        return Reply(body=b'{"id": ', length=2_000, cut=7, reset=True)

    def _magic_link(self, key: str, query: str) -> Reply:
        return reply({"url": f"https://connect.example/magic-link?view=manage&token={self.token}"})

    def _webhook(self, key: str, query: str) -> Reply:
        return reply({"status": "error", "info": {"got": key}})

    def _missing(self, key: str, path: str) -> Reply:
        data = {"code": "NOT_FOUND", "httpStatus": 404, "path": path}
        return reply({"message": f"nothing at {path} for {key}", "code": "NOT_FOUND", "data": data}, 404)


def _last(path: str) -> str:
    """The word of a path that names what is asked, without ids and verbs."""
    words = (
        "webhook",
        "contact",
        "account",
        "pipeline",
        "connection",
        "customer-balance",
        "customer-income",
        "customer",
    )
    steps = path.split("/")
    return next((word for word in words if word in steps), steps[-1])


def _packing(key: str) -> str:
    return base64.b64encode(f'{{"x-apikey": {json.dumps(key)}}}'.encode()).decode()


def _page(key: str, cursor: str) -> Reply:
    rows = [
        {
            "id": f"job-{i}",
            "name": f"Job {i} of {key}",
            "raw_data": {"headers": {"x-apikey": key}, "packed": _packing(key)},
        }
        for i in range(60)
    ]
    return reply({"items": rows, "has_next_page": True, "next_cursor": cursor})


# ---------------------------------------------------------------- what other processes can see


def processes(canaries: Canaries, own: Iterable[int] = ()) -> dict[str, set[str]]:
    """Which command lines and environments of the system hold a secret; of ``own`` the command line alone counts."""
    known = {str(pid) for pid in own}
    found: dict[str, set[str]] = {}
    for place in Path("/proc").glob("[0-9]*"):
        for name in ("cmdline",) if place.name in known else ("cmdline", "environ"):
            with contextlib.suppress(OSError):
                if names := canaries.within((place / name).read_bytes()):
                    found[f"{place.name}/{name}"] = names
    return found
