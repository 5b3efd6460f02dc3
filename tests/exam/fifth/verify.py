"""Proves the exam itself: each kind changes what is answered, and the sound services keep to the contract.

The service is asked directly, as a careful person would ask it; the program takes no part in it.
"""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, quote, urlsplit

from tests.exam.calls3.answers import Call
from tests.exam.calls3.data import (
    ACCOUNT,
    BALANCE,
    CONTACT,
    DRIVE,
    FILE,
    INCOME,
    JOB,
    LISTS,
    MAILBOX,
    SIZED,
    STATE,
    Row,
)
from tests.exam.calls3.money import FIGURES
from tests.exam.fifth import shapes_crm
from tests.exam.fifth.clean import Sound
from tests.exam.fifth.kinds import Kind
from tests.exam.fifth.service import BOOKS, Service, plain, transactions
from tests.exam.fifth.shapes_books import Ledger
from tests.exam.frame import CONNECTION, KEY
from tests.exam.world import same

MOST_PAGES = 80
TEXTS: dict[str, tuple[str, ...]] = {
    JOB: ("id", "created_at", "modified_at", "name"),
    FILE: ("id", "name", "description", "type", "path", "mime_type", "updated_at", "created_at"),
    DRIVE: ("id", "name", "description", "updated_at", "created_at"),
    MAILBOX: ("id", "email", "created_at", "updated_at", "last_modified_at", "user_id"),
    STATE: (
        *("id", "state", "created_at", "updated_at", "last_modified_at"),
        *("sequence_id", "contact_id", "mailbox_id", "user_id"),
    ),
    ACCOUNT: (
        *("id", "updated_at", "name", "website", "industry", "owner_id", "created_at", "description"),
        *("last_activity_at", "lifecycle_stage", "last_modified_at"),
    ),
}
FLAGS: dict[str, tuple[str, ...]] = {
    JOB: ("confidential",),
    FILE: ("downloadable", "exportable"),
    DRIVE: (),
    MAILBOX: ("is_deleted",),
    STATE: ("is_deleted",),
    ACCOUNT: ("is_deleted",),
}
NUMBERS = {FILE: ("size",), ACCOUNT: ("number_of_employees",)}
PARTS: dict[str, dict[str, type]] = {
    JOB: {
        "departments": list,
        "offices": list,
        "hiring_managers": list,
        "recruiters": list,
        "raw_data": dict,
    },
    FILE: {"permissions": dict, "export_formats": list, "raw_data": dict},
    ACCOUNT: {"addresses": list, "phone_numbers": list, "raw_data": dict},
}
RAW: dict[str, type] = {"raw_data": dict}
STAGES = frozenset(shapes_crm.STAGES.values())


@dataclass(slots=True)
class Person:
    """Asks a service, and writes down what it answers."""

    service: Service

    def ask(
        self, method: str, path: str, body: Any = None, query: Row | None = None, **headers: str | None
    ) -> tuple[int, Any]:
        sent: dict[str, str | None] = {"x-apikey": KEY, "x-connection-id": CONNECTION}
        sent.update({name.replace("_", "-"): of for name, of in headers.items()})
        kept = {name: of for name, of in sent.items() if of is not None}
        asked = {name: str(of) for name, of in (query or {}).items()}
        content = b"" if body is None else json.dumps(body).encode()
        reply = self.service.answer(Call(method, path, asked, kept, content))
        return reply.status, json.loads(reply.data()) if reply.kind == "application/json" else reply.data()

    def pages(self, key: str, **query: Any) -> Iterator[tuple[int, Any]]:
        """One page after another, until there is none or too many."""
        name = "next_cursor" if key in SIZED else "next_page_cursor"
        cursor: Any = None
        for _ in range(MOST_PAGES):
            given = {**query, **({} if cursor is None else {"cursor": cursor})}
            status, page = self.ask("GET", f"/v0/unified/{key}", query=given)
            yield status, page
            cursor = page.get(name) if status == 200 else None
            if not cursor:
                return

    def rows(self, key: str, **query: Any) -> list[Row]:
        return [one for status, page in self.pages(key, **query) if status == 200 for one in page["items"]]

    def batch(self, ids: Sequence[str]) -> Any:
        body = {"ids": list(ids), "properties": list(shapes_crm.PROPERTIES)}
        return self.ask("POST", "/v0/unified/crm/account/_batch_read", body)[1]

    # ------------------------------------------------------------ all that is worth asking

    def everything(self) -> Iterator[Any]:
        """The answers to all that a careful person asks, without what differs by the clock."""
        keys = self.service.base.keys
        for key in LISTS:
            if key in keys:
                yield from self._listed(key)
        if ACCOUNT in keys:
            yield from self._batches()
        if CONTACT in keys:
            yield from self._contacts()
        if BALANCE in keys:
            yield from self._reports()
        yield from self._core()

    def _listed(self, key: str) -> Iterator[Any]:
        queries: list[Row] = [{}, {"sync_mode": "incremental"}]
        if key in SIZED:
            queries += [{"page_size": 7}, {"page_size": 20}, {"page_size": 200}]
        if key == FILE:
            drives = {one["raw_data"]["Path"].split("/")[1] for one in self.service.lists[FILE]}
            queries += [{"drive_id": one} for one in sorted(drives)]
        for query in queries:
            yield from self.pages(key, **query)
        yield self.ask("GET", f"/v0/unified/{key}", x_connection_id="conn_of_nobody")
        yield self.ask("GET", f"/v0/unified/{key}", x_apikey="a-wrong-key")
        yield self.ask("GET", f"/v0/unified/{key}", query={"cursor": "not a cursor"})

    def _batches(self) -> Iterator[Any]:
        ids = [one["id"] for one in self.service.lists[ACCOUNT]]
        for chosen in (ids, ids[:1], ids[1:2], ids[:150]):
            yield self.batch(chosen)
        yield self.ask("POST", "/v0/unified/crm/account/_batch_read", {})

    def _contacts(self) -> Iterator[Any]:
        path = "/v0/unified/crm/contact"
        one = {"first_name": "Zoë", "last_name": "Łukasz", "email": "zoe@example.com", "phone": "+49 30 1"}
        two = {"first_name": "Max", "email": "max@example.com"}
        status, made = self.ask("POST", path, {"record": one})
        yield status, _timeless(made)
        of = made["record"]["id"]
        for change in ({"first_name": "Chloë"}, {"phone": "+49 30 2"}):
            yield _timeless(self.ask("PATCH", f"{path}/{of}", {"record": change}))
        on = {"key": "email", "values": ["zoe@example.com"]}
        yield _timeless(self.ask("POST", f"{path}/_upsert", {"upsert_on": on, "record": one}))
        yield _timeless(self.ask("POST", f"{path}/_upsert", {"upsert_on": on, "record": two}))

    def _reports(self) -> Iterator[Any]:
        books = self.service.books
        assert isinstance(books, Ledger)
        for customer in (books.head, *books.members[1:3]):
            for dates in (
                {},
                {"start_date": "2025-01-01", "end_date": "2025-06-30"},
                {"end_date": "2025-01-31"},
            ):
                for key in (BALANCE, INCOME):
                    yield self.ask("GET", f"/v0/unified/{key}", query={"customer": customer, **dates})
        for number in transactions(self.service.seed)[:2]:
            query = {"customer_transaction_id": number}
            yield self.ask("GET", "/v0/unified/accounting/payment-receipt", query=query)

    def _core(self) -> Iterator[Any]:
        metadata = {"a": {"x": 1, "y": 2}, "b": "kept"}
        made = {"id": "pipe_1", "disabled": True, "metadata": metadata, "sourceId": CONNECTION}
        first = self.ask("POST", "/v0/core/pipeline", {**made, "destinationId": CONNECTION})[1]
        yield _timeless(first)
        for change in (
            {"metadata": {"a": {"x": 3}}},
            {"metadata": {"c": 1}},
            {"disabled": False},
            {"disabled": True},
        ):
            after = self.ask("PATCH", "/v0/core/pipeline/pipe_1", change)[1]
            yield _timeless(after), after["createdAt"] == first["createdAt"]
        of = quote("cust é/1", safe="")
        yield [
            self.ask("PUT", f"/v0/core/customer/{of}", {"metadata": one}) for one in ({"a": 1}, {"b": 2}, {})
        ]
        yield self.ask("POST", f"/v0/core/connection/{CONNECTION}/_check", {"import": False})
        where = "https://app.example/back?a=1&b=2"
        for sent in ({}, {"redirectUrl": where, "displayName": "Zoë & Co", "validityInSeconds": 7200}):
            answered = self.ask("POST", "/v0/connect/magic-link", {"customerId": "c 1", **sent})[1]
            yield _link(answered["url"])
        for bearer in (f"Bearer {KEY}", "Bearer wrong", None):
            yield self.ask("POST", "/v1/webhook/workable", {}, authorization=bearer)


def _timeless(answer: Any) -> Any:
    if isinstance(answer, dict):
        return {
            name: _timeless(of)
            for name, of in answer.items()
            if name not in ("updated_at", "updatedAt", "createdAt")
        }
    return [_timeless(one) for one in answer] if isinstance(answer, list | tuple) else answer


def _link(url: str) -> Any:
    query = dict(parse_qsl(urlsplit(url).query))
    part = query.pop("token").split(".")[1]
    claims = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    return query, round((claims["exp"] - time.time()) / 60)


# ---------------------------------------------------------------- the kinds


def kind_faults(kind: Kind, seed: int, known: dict[str, list[str]]) -> Iterator[str]:
    """What is wrong with a kind of defect itself."""
    if kind.service not in known:
        known[kind.service] = [same(one) for one in Person(plain(kind.service, seed)).everything()]
    service, expected = kind.spoilt(seed)
    if [same(one) for one in Person(service).everything()] == known[kind.service]:
        yield "nothing differs in any answer"
    if not kind.proof.endswith("."):
        yield "no sentence says how it is proved"
    if kind.part != "data":
        return
    if not expected.ids:
        yield "no record is guilty"
    before = {one["id"]: one for one in _wire(plain(kind.service, seed), kind.resource)}
    seen: set[str] = set()
    for one in _wire(service, kind.resource):
        old = before.get(one["id"])
        if old is None:
            differing = {"id"}
        else:
            differing = {name for name in {*old, *one} if same(old.get(name)) != same(one.get(name))}
        twice = one["id"] in seen
        seen.add(one["id"])
        if (differing or twice) and one["id"] not in expected.ids:
            yield f"{one['id']} differs and is not called guilty"
        if kind.fields and differing - set(kind.fields):
            yield f"{one['id']} differs in {sorted(differing)}"


def _wire(service: Service, key: str) -> list[Row]:
    person = Person(service)
    if key == ACCOUNT:
        rows: list[Row] = person.batch([one["id"] for one in service.lists[ACCOUNT]])
        return rows
    return person.rows(key)


# ---------------------------------------------------------------- the sound services


def sound_faults(one: Sound, seed: int) -> Iterator[str]:
    """What a sound service does against the contract."""
    service = one.make(seed)
    person = Person(service)
    for key in (*LISTS, ACCOUNT):
        if key in service.base.keys:
            rows = _wire(service, key)
            yield from (f"{key}: {fault}" for row in rows for fault in record_faults(key, row))
            ids = [row["id"] for row in rows]
            if len(ids) != len(set(ids)) or (len(ids) < 200 and key not in (DRIVE,)):
                yield f"{key}: {len(ids)} records, {len(set(ids))} of them different"
    for key in LISTS:
        if key in service.base.keys:
            yield from _paging_faults(person, key)
    if one.service == BOOKS:
        yield from _report_faults(person)


def _paging_faults(person: Person, key: str) -> Iterator[str]:
    every = {row["id"] for row in person.rows(key)}
    sizes: Iterable[int] = (20, 200) if key in SIZED else ()
    for size in sizes:
        ids = [row["id"] for row in person.rows(key, page_size=size)]
        if not every <= set(ids) or len(ids) != len(set(ids)):
            yield f"{key}: another list with pages of {size}"
    for status, page in person.pages(key):
        name = "next_cursor" if key in SIZED else "next_page_cursor"
        if status != 200 or not isinstance(page.get("items"), list):
            yield f"{key}: no page"
        elif key in SIZED and page.get("has_next_page") is not bool(page.get(name)):
            yield f"{key}: has_next_page contradicts the cursor"


def record_faults(key: str, row: Row) -> Iterator[str]:
    """Where a record does not fit the contract."""
    for name in TEXTS[key]:
        if not isinstance(row.get(name), str | None):
            yield f"{name} is no text"
    for name in FLAGS[key]:
        if not isinstance(row.get(name), bool):
            yield f"{name} is no boolean"
    for name in NUMBERS.get(key, ()):
        if not isinstance(row.get(name), int | float | None):
            yield f"{name} is no number"
    for name, kind in PARTS.get(key, RAW).items():
        if not isinstance(row.get(name), kind | None):
            yield f"{name} is no {kind.__name__}"
    if not row.get("id"):
        yield "no id"
    if key == ACCOUNT and row.get("lifecycle_stage") not in (None, *STAGES):
        yield "lifecycle_stage is not of the contract"
    if key == FILE and row["type"] not in ("file", "folder", "url"):
        yield "type is none that was seen"


def _report_faults(person: Person) -> Iterator[str]:
    books = person.service.books
    assert isinstance(books, Ledger)
    for customer in (books.head, books.members[1]):
        owed = person.ask("GET", f"/v0/unified/{BALANCE}", query={"customer": customer})[1]
        if abs(owed["totalBalance"] - sum(one["balance"] for one in owed["entries"])) > 0.005:
            yield "totalBalance is not the sum"
        earned = person.ask("GET", f"/v0/unified/{INCOME}", query={"customer": customer})[1]
        for name in FIGURES:
            if abs(earned[name] - sum(one[name] for one in earned["entries"])) > 0.005:
                yield f"{name} is not the sum"
        for one in (earned, *earned["entries"]):
            if abs(one["totalIncome"] - one["totalExpenses"] - one["netIncome"]) > 0.005:
                yield "netIncome is not the difference"


def verified(kinds: Sequence[Kind], sound: Sequence[Sound], seed: int) -> int:
    """Prints each fault, and gives their number."""
    count = 0
    known: dict[str, list[str]] = {}
    names = [one.name for one in kinds]
    if len(set(names)) != len(names):
        print("two kinds have one name")
        count += 1
    for kind in kinds:
        for fault in list(kind_faults(kind, seed, known))[:3]:
            print(f"{kind.name}: {fault}")
            count += 1
    for service in sound:
        for fault in list(sound_faults(service, seed))[:3]:
            print(f"{service.name}: {fault}")
            count += 1
    print(f"{len(kinds)} kinds and {len(sound)} sound services looked at, {count} faults")
    return count
