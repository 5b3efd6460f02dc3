"""Proves the exam itself over plain HTTP: each defect shows, and where it is said to; sound services are sound."""

from __future__ import annotations

import json
import re
from base64 import urlsafe_b64decode
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.client import HTTPConnection
from typing import Any, ClassVar, Protocol
from urllib.parse import urlencode, urlsplit

from tests.exam.calls3.data import ACCOUNT, BALANCE, DRIVE, FILE, INCOME, JOB, MAILBOX, RECEIPT, STATE, Row
from tests.exam.frame import CONNECTION, KEY
from tests.exam.sixth import shapes_crm, shapes_files, shapes_jobs, shapes_sales
from tests.exam.sixth.books import Ledger
from tests.exam.sixth.forms import BOOKS
from tests.exam.sixth.kinds import Kind
from tests.exam.sixth.parties import plain
from tests.exam.sixth.serve import serving
from tests.exam.sixth.service import LISTS, Service
from tests.exam.world import same

TRUE: dict[str, Callable[[Row], Row]] = {
    ACCOUNT: shapes_crm.account,
    JOB: shapes_jobs.job,
    FILE: shapes_files.file,
    DRIVE: shapes_files.drive,
    MAILBOX: shapes_sales.mailbox,
    STATE: shapes_sales.state,
}
MOST_PAGES = 120
CONTACT = {
    "first_name": "Zoë",
    "last_name": "Őrsi Müller",
    "email": "zoe.o+tag@example.com",
    "phone": "+49 89 1234",
}
OTHER = {"first_name": "Ann", "last_name": "Lee", "email": "ann@example.com", "phone": "+1 415 555 0100"}
PARTS = {"name": "x", "nested": {"one": 1, "two": True}}


@dataclass(slots=True)
class Answer:
    """What came of one request."""

    status: int
    headers: dict[str, str]
    data: bytes

    @property
    def body(self) -> Any:
        try:
            return json.loads(self.data)
        except ValueError:
            return None


@dataclass(slots=True)
class Person:
    """Somebody who asks a service, and keeps what was answered."""

    address: str
    seen: list[tuple[str, ...]] = field(default_factory=list)
    """Path, request and answer, without what the clock does to it."""
    line: HTTPConnection | None = None
    ids: ClassVar[Sequence[str]] = shapes_crm.IDS
    properties: ClassVar[Sequence[str]] = shapes_crm.PROPERTIES
    true: ClassVar[Mapping[str, Callable[[Row], Row]]] = TRUE

    def ask(
        self, method: str, path: str, body: Any = None, headers: Row | None = None, **query: Any
    ) -> Answer:
        if self.line is None:
            self.line = HTTPConnection(urlsplit(self.address).netloc, timeout=20)
        sent = {"x-apikey": KEY, "x-connection-id": CONNECTION, **(headers or {})}
        text = None if body is None else json.dumps(body).encode()
        given = {name: value for name, value in query.items() if value is not None}
        self.line.request(
            method,
            f"{path}?{urlencode(given)}" if given else path,
            text,
            {name: value for name, value in sent.items() if value is not None},
        )
        came = self.line.getresponse()
        dropped = ("date", "server", "content-length")
        kept = {name.lower(): value for name, value in came.getheaders() if name.lower() not in dropped}
        answer = Answer(came.status, kept, came.read())
        request = f"{method} {text!r} {headers} {given}"
        self.seen.append((path, request, f"{answer.status} {sorted(kept.items())} {timeless(answer.data)}"))
        return answer

    def pages(self, key: str, **query: Any) -> Iterator[Any]:
        """The pages of a list, as far as they can be read."""
        cursor = None
        for _ in range(MOST_PAGES):
            page = self.ask("GET", f"/v0/unified/{key}", cursor=cursor, **query).body
            if not isinstance(page, dict) or not isinstance(page.get("items"), list):
                return
            yield page
            cursor = page.get("next_cursor") or page.get("next_page_cursor")
            if not cursor:
                return

    def rows(self, key: str, **query: Any) -> list[Row]:
        return [row for page in self.pages(key, **query) for row in page["items"]]

    def pulled(self, key: str) -> list[Row]:
        """All records of a list, or all accounts."""
        return self.accounts(self.ids) if key == ACCOUNT else self.rows(key)

    def untrue(self, key: str) -> Iterator[tuple[Row, Row]]:
        """Records that are not what their raw data make, with what they would be."""
        for row in self.pulled(key):
            true = self.true[key](row["raw_data"])
            if same(row) != same(true):
                yield row, true

    def accounts(self, ids: Sequence[str], properties: Sequence[str] = ()) -> list[Row]:
        body = {"ids": list(ids), "properties": list(properties or self.properties)}
        got = self.ask("POST", "/v0/unified/crm/account/_batch_read", body).body
        return got if isinstance(got, list) else []

    def everything(self, service: Service) -> None:
        """Asks for whatever the service has."""
        for key in service.form.keys:
            if key in LISTS:
                self._list(key)
        if ACCOUNT in service.lists:
            self.accounts(shapes_crm.IDS)
            self.accounts(shapes_crm.IDS[40:45])
            self._contacts()
        if service.form.name == BOOKS:
            self._reports(service.books)
        self._core(service.form.name)

    def _list(self, key: str) -> None:
        path = f"/v0/unified/{key}"
        wrong = {"x-apikey": "wrong-key-0000"}
        for headers in (wrong, {"x-connection-id": None}, {"x-connection-id": "conn_other"}):
            self.ask("GET", path, headers=headers)
        first: Row = next(self.pages(key), {})
        if cursor := first.get("next_cursor") or first.get("next_page_cursor"):
            self.ask("GET", path, cursor=cursor)
        self.rows(key)
        if key in (JOB, FILE, DRIVE):
            self.rows(key, page_size=17)
            self.rows(key, sync_mode="incremental")
        if key == FILE:
            for drive in self.rows(DRIVE)[:3]:
                self.rows(FILE, drive_id=(drive["raw_data"] or {"folder_id": drive["id"]})["folder_id"])

    def _contacts(self) -> None:
        path = "/v0/unified/crm/contact"
        ids = []
        for record in (OTHER, CONTACT):
            made = self.ask("POST", path, {"record": record}).body
            ids.append(str(made.get("record", made).get("id")))
        on = {"key": "email", "values": [CONTACT["email"]]}
        changed = {**CONTACT, "last_name": "Öz", "phone": "+49 89 5678"}
        self.ask("POST", f"{path}/_upsert", {"upsert_on": on, "record": changed})
        self.ask("PATCH", f"{path}/{ids[1]}", {"record": {"phone": "+49 30 1"}})
        for one in (*ids, "no-such-id"):
            self.ask("PATCH", f"{path}/{one}", {"record": {}})

    def _reports(self, books: Ledger) -> None:
        for key in (BALANCE, INCOME):
            for customer in (books.head, list(books.names)[3], "nobody"):
                self.ask("GET", f"/v0/unified/{key}", customer=customer)
            for start, end in (("2024-01-01", "2024-06-30"), ("2024-07-01", "2024-12-31")):
                self.ask("GET", f"/v0/unified/{key}", customer=books.head, start_date=start, end_date=end)
        for number in (*list(books.payments)[:2], "none"):
            self.ask("GET", f"/v0/unified/{RECEIPT}", customer_transaction_id=number)

    def _core(self, name: str) -> None:
        ends = {"sourceId": CONNECTION, "destinationId": "conn_other"}
        first = {
            "id": "pipe_x1",
            "metadata": PARTS | {"count": 3},
            "streams": {"job": {"fields": ["id"]}},
            **ends,
        }
        self.ask("POST", "/v0/core/pipeline", {**first, "disabled": True})
        changes: list[Row] = [
            {"metadata": {"nested": {"three": 3}}},
            {"metadata": {}},
            {"disabled": True},
            {},
        ]
        for change in changes:
            self.ask("PATCH", "/v0/core/pipeline/pipe_x1", change)
        for metadata in (PARTS, {"other": 2}):
            self.ask("PUT", "/v0/core/customer/cus_x1", {"metadata": metadata})
        self.ask("POST", f"/v0/core/connection/{CONNECTION}/_check", {"import": False})
        for more in ({}, {"validityInSeconds": 7200}):
            self.ask("POST", "/v0/connect/magic-link", {"customerId": "cus_x1", **more})
        for token in (KEY, "wrong-token"):
            self.ask("POST", f"/v1/webhook/{name}", {"event": 1}, {"authorization": f"Bearer {token}"})
        self.ask("GET", "/v0/no-such-path")


def timeless(data: bytes) -> str:
    """The text of an answer, with tokens of links read and their end as the time that is left."""

    def read(found: re.Match[str]) -> str:
        part = found.group(2)
        claims = json.loads(urlsafe_b64decode(part + "=" * (-len(part) % 4)))
        left = claims.pop("exp") - datetime.now(UTC).timestamp()
        return f"{found.group(1)} {claims} ends in {round(left / 60)} minutes"

    return re.sub(r"(token=[\w-]+)\.([\w-]+)\.[\w-]+", read, data.decode("utf-8", "backslashreplace"))


def kind_faults(kind: Kind, seed: int, known: dict[str, list[tuple[str, ...]]]) -> Iterator[str]:
    """What is not as it is said of one kind."""
    sound = plain(kind.service, seed)
    if kind.service not in known:
        with serving(lambda: plain(kind.service, seed))() as address:
            person = Person(address)
            person.everything(sound)
            known[kind.service] = person.seen
    again = kind.spoilt(seed)[1]
    service, expected = kind.spoilt(seed)
    if again != expected:
        yield "two services of one seed differ"
    with serving(lambda: service)() as address:
        person = Person(address)
        person.everything(service)
        rows = person.pulled(kind.resource) if expected.ids else []
        if expected.ids:
            yield from _row_faults(kind, rows, sound.lists[kind.resource], expected.ids, person)
    new = set(person.seen) - set(known[kind.service])
    if not new:
        yield "no answer is other than that of the sound service"
    astray = {path for path, *_ in new if kind.resource not in path}
    if astray:
        yield f"answers of {sorted(astray)} differ as well"


def _row_faults(
    kind: Kind, rows: list[Row], sound: list[Row], ids: frozenset[str], person: Person
) -> Iterator[str]:
    if len(rows) == len(sound):
        pairs = [(a, b) for a, b in zip(rows, sound, strict=True) if same(a) != same(b)]
        guilty = {str(row["id"]) for pair in pairs for row in pair}
        fields = {name for a, b in pairs for name in b if same(a.get(name)) != same(b[name])}
        if pairs and fields != set(kind.fields) and not {"raw_data", "exportable"} & set(kind.fields):
            yield f"fields {sorted(fields)} differ, expected {kind.fields}"
        if not pairs:
            drives = [row["id"] for row in person.rows(DRIVE)]
            leaked = [row for one in drives for row in person.rows(FILE, drive_id=one) if _root(row) != one]
            guilty = {row["id"] for row in leaked}
    else:
        names = [row["id"] for row in rows]
        guilty = {one for one in names if names.count(one) > 1}
    if guilty != ids:
        yield f"{len(guilty)} rows differ, {len(ids)} are said to: {sorted(guilty ^ ids)[:4]}"


def _root(row: Row) -> str:
    return str(row["raw_data"]["top_folder_id"])


class Sound(Protocol):
    """A service that is called sound."""

    @property
    def name(self) -> str: ...
    @property
    def make(self) -> Callable[[int], Service]: ...


def sound_faults(one: Sound, seed: int, reader: Callable[[str], Person] = Person) -> Iterator[str]:
    """What is not sound of a service that is called so."""
    service = one.make(seed)
    with serving(lambda: one.make(seed))() as address:
        person = reader(address)
        for key in service.lists:
            rows = person.pulled(key)
            ids = [row["id"] for row in rows]
            if sorted(ids) != sorted(row["id"] for row in service.lists[key]) or len(set(ids)) != len(ids):
                yield f"{key}: not every record comes once"
            if key in (JOB, FILE, DRIVE) and [row["id"] for row in person.rows(key, page_size=23)] != ids:
                yield f"{key}: another page_size gives other records"
            yield from (f"{key} {row['id']}: {fault}" for row in rows for fault in record_faults(key, row))
            if one.name.endswith("as it is"):
                yield from (f"{key} {row['id']}: untrue" for row, _ in person.untrue(key))
        person.everything(service)
        if BALANCE in service.form.keys:
            yield from _report_faults(person, service.books)
        if any(KEY in answer for *_, answer in person.seen):
            yield "the key stands in an answer"


TEXTS = {
    ACCOUNT: "id updated_at name website industry owner_id created_at description last_activity_at lifecycle_stage",
    JOB: "id created_at modified_at name",
    FILE: "id name description type path mime_type updated_at created_at",
    DRIVE: "id name description updated_at created_at",
    MAILBOX: "id email created_at updated_at last_modified_at user_id",
    STATE: "id state created_at updated_at last_modified_at sequence_id contact_id mailbox_id user_id",
}
OTHERS: dict[str, type | tuple[type, ...]] = {
    "is_deleted": bool,
    "confidential": bool,
    "downloadable": bool,
    "exportable": bool,
    "number_of_employees": (int, float),
    "size": (int, float),
    "permissions": dict,
    "export_formats": list,
    "addresses": list,
    "phone_numbers": list,
    "departments": list,
    "offices": list,
    "recruiters": list,
}


def record_faults(key: str, row: Row) -> Iterator[str]:
    """Where a record breaks the contract; null is borne where it was seen."""
    if not row.get("id") or (key == ACCOUNT and not row.get("updated_at")):
        yield "id or updated_at is missing"
    for name in TEXTS[key].split():
        if not isinstance(row.get(name), str | None):
            yield f"{name} is no text"
    for name, kind in OTHERS.items():
        if row.get(name) is not None and not isinstance(row[name], kind):
            yield f"{name} has the wrong type"
    stage = row.get("lifecycle_stage")
    if stage is not None and stage not in shapes_crm.STAGES.values():
        yield f"{stage} is no stage"


def _report_faults(person: Person, books: Ledger) -> Iterator[str]:
    for customer in (books.head, list(books.names)[5]):
        balance = person.ask("GET", f"/v0/unified/{BALANCE}", customer=customer).body
        if abs(sum(one["balance"] for one in balance["entries"]) - balance["totalBalance"]) > 0.005:
            yield "balances do not add up"
        income = person.ask("GET", f"/v0/unified/{INCOME}", customer=customer).body
        lines = [*income["entries"], income]
        if any(abs(one["totalIncome"] - one["totalExpenses"] - one["netIncome"]) > 0.005 for one in lines):
            yield "a net income is another one"
        for name in ("totalIncome", "totalExpenses", "netIncome"):
            if abs(sum(one[name] for one in income["entries"]) - income[name]) > 0.005:
                yield f"{name} does not add up"


def verified(kinds: Sequence[Kind], sound: Sequence[Sound], seed: int) -> int:
    """Prints what is wrong with the exam; how much."""
    known: dict[str, list[tuple[str, ...]]] = {}
    return tried(kinds, sound, lambda one: kind_faults(one, seed, known), lambda one: sound_faults(one, seed))


def tried(
    kinds: Sequence[Kind],
    sound: Sequence[Sound],
    kind_faults: Callable[[Kind], Iterator[str]],
    sound_faults: Callable[[Sound], Iterator[str]],
) -> int:
    """Prints the faults of kinds and of sound services; how many there are."""
    faults = 0
    looks = [
        *((one.name, kind_faults(one)) for one in kinds),
        *((one.name, sound_faults(one)) for one in sound),
    ]
    for name, found in looks:
        for fault in found:
            faults += 1
            print(f"{name}: {fault}", flush=True)
    if len({name for name, _ in looks}) != len(looks):
        faults += 1
        print("names are not unique")
    print(f"{len(kinds)} kinds and {len(sound)} sound services: {faults} faults")
    return faults
