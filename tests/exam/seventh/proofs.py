"""How each defect of a call is proven by answers, raw data and the contract alone: true with it, false without."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, ClassVar
from urllib.parse import parse_qs, urlsplit

from tests.exam.calls3.data import BALANCE, DRIVE, FILE, INCOME, JOB, LISTS, MAILBOX, RECEIPT, STATE, Row
from tests.exam.frame import CONNECTION, KEY
from tests.exam.seventh.forms import BOOKS, CONNECTORS, SALES, TRUE
from tests.exam.seventh.service import drive_of
from tests.exam.seventh.shapes_crm import IDS, PROPERTIES
from tests.exam.sixth.service import BATCH
from tests.exam.sixth.verify import Answer, Person
from tests.exam.world import same

UNIFIED = "/v0/unified"
CONTACTS = f"{UNIFIED}/crm/contact"
ANN = {
    "first_name": "Ann",
    "last_name": "van der Lee",
    "email": "ann@example.com",
    "phone": "+1 415 555 0100",
}
NAME = ("name",)
HEAD = "7284113"
WRONG = {"x-apikey": "wrong-key-0000"}


class Reader(Person):
    """Somebody who asks a service of this exam."""

    ids: ClassVar[Sequence[str]] = IDS
    properties: ClassVar[Sequence[str]] = PROPERTIES
    true: ClassVar[Mapping[str, Callable[[Row], Row]]] = TRUE
    head: ClassVar[str] = HEAD

    def everything(self, service: Any) -> None:
        """Asks for whatever the service has."""
        keys = service.form.keys
        for key in keys:
            if key in LISTS:
                self._list(key)
        if BATCH in keys:
            for ids in (self.ids, self.ids[::-1], self.ids[40:45], self.ids[7:8]):
                self.accounts(ids)
            self.accounts(self.ids[:20], NAME)
            self._contacts()
        if BALANCE in keys:
            self._reports(service.books)
            self.report(BALANCE, sort_order="descend")
        for key in (JOB, FILE, DRIVE, MAILBOX, STATE, BALANCE):
            if key in keys:
                self.ask(
                    "GET", f"{UNIFIED}/{key}", headers={"x-connection-id": "conn_other"}, customer=self.head
                )
        self._core(service.form.name)
        self.link(view="add-deeplink", validityInSeconds=60)
        self.link(customerId="cus_other")
        self.hook(service.form.name, "no-such-token")

    def _list(self, key: str) -> None:
        if key != FILE:
            super()._list(key)
            return
        path = f"{UNIFIED}/{key}"
        self.ask("GET", path, headers=WRONG)
        for query in ({}, {"page_size": 17}, {"sync_mode": "incremental"}):
            self.rows(key, **query)
        for drive in self.rows(DRIVE)[:3]:
            self.rows(key, drive_id=drive["id"])

    def report(self, key: str, customer: str = "", **query: Any) -> Row:
        got: Row = self.ask("GET", f"{UNIFIED}/{key}", customer=customer or self.head, **query).body
        return got

    def contact(self, method: str, end: str, record: Row, **more: Any) -> Row:
        got = self.ask(method, f"{CONTACTS}{end}", {"record": record, **more}).body
        return got.get("record", {}) if isinstance(got, dict) else {}

    def upsert(self, record: Row) -> Row:
        on = {"key": "email", "values": [ANN["email"]]}
        return self.contact("POST", "/_upsert", record, upsert_on=on)

    def pipeline(self, **sent: Any) -> Row:
        ends = {"sourceId": CONNECTION, "destinationId": "conn_other"}
        body = {"id": "pipe_p1", **ends, "metadata": {"count": 3, "on": True}, "disabled": True}
        got: Row = self.ask("POST", "/v0/core/pipeline", body).body
        return self.ask("PATCH", "/v0/core/pipeline/pipe_p1", sent).body if sent else got

    def customer(self, name: str, metadata: Any) -> Row:
        got: Row = self.ask("PUT", f"/v0/core/customer/{name}", {"metadata": metadata}).body
        return got

    def link(self, **sent: Any) -> Answer:
        return self.ask("POST", "/v0/connect/magic-link", {"customerId": "cus_p1", **sent})

    def claims(self, **sent: Any) -> Row:
        token = parse_qs(urlsplit(self.link(**sent).body["url"]).query)["token"][0].split(".")[1]
        read: Row = json.loads(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)))
        return read

    def hook(self, name: str, token: str) -> Answer:
        return self.ask("POST", f"/v1/webhook/{name}", {"event": 1}, {"authorization": f"Bearer {token}"})

    def walk(self, key: str, most: int = 40) -> list[Row]:
        """The pages as they come, whatever they are."""
        pages: list[Row] = []
        cursor = None
        while len(pages) < most:
            page = self.ask("GET", f"{UNIFIED}/{key}", cursor=cursor).body
            pages.append(page)
            cursor = page.get("next_cursor") or page.get("next_page_cursor")
            if not cursor:
                break
        return pages


Proof = Callable[[Any], bool | set[str]]
"""Whether a reader sees the defect, or which records have it."""


def _twice(key: str) -> Proof:
    def proof(p: Reader) -> bool:
        ids = [row["id"] for row in p.rows(key)]
        return len(set(ids)) < len(ids)

    return proof


def _otherwise(key: str, **query: Any) -> Proof:
    """One record, asked for in two ways, is two."""

    def proof(p: Reader) -> bool:
        plain = {row["id"]: same(row) for row in p.rows(key)}
        return any(plain.get(row["id"]) != same(row) for row in p.rows(key, **query))

    return proof


def _drive(p: Reader) -> bool:
    rows = p.rows(FILE)
    return bool(_otherwise(FILE, drive_id=drive_of(rows[0]))(p))


def _first_again(p: Reader) -> bool:
    pages = [page for _, page in zip(range(2), p.pages(DRIVE, page_size=5), strict=False)]
    return bool(pages[0]["items"] == pages[1]["items"])


def _partial(p: Reader) -> bool:
    full = p.accounts(IDS[:40])
    return any(
        name in part and same(part[name]) != same(whole[name])
        for part, whole in zip(p.accounts(IDS[:40], NAME), full, strict=True)
        for name in ("number_of_employees", "lifecycle_stage")
    )


def _not_kept(p: Reader) -> bool:
    p.upsert(ANN)
    held = p.upsert({**ANN, "last_name": "Lee-Ortiz"})
    return bool(p.contact("PATCH", f"/{held['id']}", {"first_name": "Anne"})["last_name"] != "Lee-Ortiz")


def _updated(p: Reader, **changes: Any) -> Row:
    made = p.contact("POST", "", ANN)
    return p.contact("PATCH", f"/{made['raw_data']['id']}", changes)


def _passed(p: Reader) -> bool:
    return bool(_updated(p, passthrough_fields={"jobTitle": "CFO"})["raw_data"]["jobTitle"] != "CFO")


def _names(p: Reader) -> bool:
    made = p.contact("POST", "", ANN)
    return [made["first_name"], made["last_name"]] != [ANN["first_name"], ANN["last_name"]]


def _texts(p: Reader) -> bool:
    return same(p.pipeline()["metadata"]) != same({"count": 3, "on": True})


def _late(p: Reader) -> bool:
    changed = p.pipeline(disabled=False)
    return bool(changed["updatedAt"] < changed["createdAt"])


def _organizations(p: Reader) -> bool:
    return bool(p.customer("cus_a", 1)["orgId"] != p.customer("cus_b", 1)["orgId"])


def _former(p: Reader) -> bool:
    return [p.customer("cus_a", n).get("metadata") for n in (1, 2)] != [1, 2]


def _hour(p: Reader) -> bool:
    return bool(p.claims()["exp"] - datetime.now(UTC).timestamp() < 2_000_000)


def _others(p: Reader) -> bool:
    return [p.claims(customerId=one)["customerId"] for one in ("cus_a", "cus_b")] != ["cus_a", "cus_b"]


def _lost_day(p: Reader) -> bool:
    ends = (("2024-01-01", "2024-06-30"), ("2024-07-01", "2024-12-31"))
    parts = [p.report(INCOME, start_date=a, end_date=b)["totalIncome"] for a, b in ends]
    parts += [p.report(INCOME, start_date=a, end_date=b)["totalExpenses"] for a, b in ends]
    whole = p.report(INCOME)
    return bool(abs(sum(parts) - whole["totalIncome"] - whole["totalExpenses"]) > 0.005)


def _names_of(p: Reader, key: str) -> Row:
    return {one["customerId"]: one["customerName"] for one in p.report(key)["entries"]}


def _alone(p: Reader) -> bool:
    lines = [one for one in p.report(INCOME)["entries"] if one["totalIncome"]]
    return any(p.report(INCOME, one["customerId"])["totalIncome"] != one["totalIncome"] for one in lines[1:])


def _any_customer(p: Reader) -> bool:
    branches = [one["customerId"] for one in p.report(BALANCE)["entries"]][1:4]
    return len({same(p.report(BALANCE, one)["entries"]) for one in branches}) == 1


def _sorted(p: Reader) -> bool:
    sums = [
        {one["customerId"]: one["netIncome"] for one in p.report(INCOME, **query)["entries"]}
        for query in ({}, {"sort_order": "ascend"})
    ]
    return sums[0] != sums[1]


def _receipts(p: Reader) -> bool:
    numbers = ("88120451", "88120464")
    urls = [
        p.ask("GET", f"{UNIFIED}/{RECEIPT}", customer_transaction_id=one).body[
            "bank_transaction_explanation"
        ]["url"]
        for one in numbers
    ]
    return any(not url.endswith(one) for url, one in zip(urls, numbers, strict=True))


def _losses(p: Reader) -> bool:
    lines = p.report(INCOME)["entries"]
    return any(abs(one["totalIncome"] - one["totalExpenses"] - one["netIncome"]) > 0.005 for one in lines)


def unbalanced(p: Reader) -> bool:
    body = p.report(BALANCE)
    return bool(abs(sum(one["balance"] for one in body["entries"]) - body["totalBalance"]) > 0.005)


def _open_cursor(p: Reader) -> bool:
    cursor = p.walk(JOB, 1)[0]["next_cursor"]
    return p.ask("GET", f"{UNIFIED}/{JOB}", headers=WRONG, cursor=cursor).status == 200


def _in_cursor(p: Reader) -> bool:
    def read(text: str) -> bytes:
        try:
            return base64.b64decode(text)
        except ValueError:
            return b""

    return any(KEY.encode() in read(page["next_cursor"] or "") for page in p.walk(FILE))


def _not_found(p: Reader) -> bool:
    return KEY.encode() in p.ask("GET", f"{UNIFIED}/{JOB}", headers={"x-connection-id": "conn_other"}).data


def _not_utf8(p: Reader) -> bool:
    try:
        p.ask("GET", f"{UNIFIED}/{STATE}").data.decode()
    except UnicodeDecodeError:
        return True
    return False


def _no_error(p: Reader) -> bool:
    got = p.ask("GET", f"{UNIFIED}/{JOB}", cursor="no-such-cursor")
    return got.status == 200 and "items" not in got.body


PROOFS: dict[str, Proof] = {
    "last short page is never given": lambda p: (
        len(p.rows(JOB, page_size=10)) != len(p.rows(JOB, page_size=70))
    ),
    "items of the last page by number": lambda p: any(
        not isinstance(one["items"], list) for one in p.walk(JOB)
    ),
    "large pages are empty": lambda p: not p.rows(JOB, page_size=200),
    "incremental jobs without departments": _otherwise(JOB, sync_mode="incremental"),
    "list ends when the third party is out of breath": lambda p: len(p.rows(FILE)) != len(p.rows(FILE)),
    "path within the drive": _drive,
    "cursor is not heeded beside a size": _first_again,
    "full read is refused": lambda p: p.ask("GET", f"{UNIFIED}/{DRIVE}", sync_mode="full").status == 400,
    "incremental drives by other ids": _otherwise(DRIVE, sync_mode="incremental"),
    "another order from the second page on": _twice(STATE),
    "bare object for one id": lambda p: not p.accounts(IDS[3:4]),
    "values for what was not asked": _partial,
    "ids by place": lambda p: any(one["id"] != str(one["raw_data"]["id"]) for one in p.accounts(IDS[::-1])),
    "only a hundred of the ids": lambda p: len(p.accounts(IDS)) < len(p.accounts(IDS[:99])) * 3,
    "second read is older": lambda p: p.accounts(IDS[:3]) != p.accounts(IDS[:3]),
    "merged party under two numbers": lambda p: any(
        one["id"] != str(one["raw_data"]["id"]) for one in p.accounts(IDS)
    ),
    "id of the organisation": lambda p: (
        (made := p.contact("POST", "", ANN))["id"] != str(made["raw_data"]["id"])
    ),
    "second phone in place of the first": lambda p: _updated(p, phone="+49 30 1")["phone"] != "+49 30 1",
    "upsert that is not kept": _not_kept,
    "passthrough on making alone": _passed,
    "middle of a name": _names,
    "a change loses the destination": lambda p: not p.pipeline(disabled=False)["destinationId"],
    "metadata is gone after another change": lambda p: not p.pipeline(disabled=False)["metadata"],
    "metadata in texts": _texts,
    "changed before it was made": _late,
    "customer is its own organization": _organizations,
    "customer as it was before": _former,
    "link of an hour": _hour,
    "link for another customer": _others,
    "deep links are refused": lambda p: p.link(view="add-deeplink").status == 400,
    "webhook is received": lambda p: p.hook(CONNECTORS[BOOKS], KEY).body["status"] not in ("ok", "error"),
    "raw data of the last row of a page": lambda p: any(
        row["contact_id"] != str(row["raw_data"]["id"]) for row in p.rows(STATE)
    ),
    "id of the prospect for the state": _twice(STATE),
    "job under its requisition too": lambda p: any(row["id"] != row["raw_data"]["id"] for row in p.rows(JOB)),
    "losses are nothing": _losses,
    "period begins a day early": lambda p: (
        p.report(INCOME, start_date="2024-03-01")["startPeriod"] != "2024-03-01"
    ),
    "last day of the period is left out": _lost_day,
    "any period is its whole year": _lost_day,
    "two names for a customer": lambda p: _names_of(p, INCOME) != _names_of(p, BALANCE),
    "two currencies of one customer's books": lambda p: (
        p.report(INCOME)["currency"] != p.report(BALANCE)["currency"]
    ),
    "one customer alone in pence": _alone,
    "always the first customer": _any_customer,
    "sorted names and unsorted sums": _sorted,
    "no sums where nothing was sold": lambda p: (
        "netIncome" not in p.report(INCOME, start_date="2020-01-01", end_date="2020-02-01")
    ),
    "receipt of another payment": _receipts,
    "no key beside a cursor": _open_cursor,
    "key in the cursor": _in_cursor,
    "key in the body of an error": _not_found,
    "token of the third party in a header": lambda p: (
        "x-upstream-authorization" in p.ask("GET", f"{UNIFIED}/{DRIVE}").headers
    ),
    "token in the address of a file": lambda p: any("access_token=" in same(row) for row in p.rows(FILE)),
    "answers in Latin-1": _not_utf8,
    "error with status 200": _no_error,
    "any token opens the webhook": lambda p: p.hook(CONNECTORS[SALES], "no-such-token").status == 200,
}
