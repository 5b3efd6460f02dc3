"""Writes of contacts, pipelines and customers that do other than they were asked to."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from tests.exam.calls3.data import CONTACT, CUSTOMER, PIPELINE, Row
from tests.exam.eighth.forms import BOOKS, CRM, FILES, JOBS, SALES
from tests.exam.eighth.kinds import Reader, Sheet
from tests.exam.frame import CONNECTION
from tests.exam.seventh.proofs import ANN
from tests.exam.sixth.kinds import Kind, Table
from tests.exam.sixth.service import CHANGE, CREATE, MAKE, PUT, UPDATE, UPSERT, Call, Service

KINDS: list[Kind] = []
CONTACTS = Sheet(Table(CRM, CONTACT, writes=True), KINDS)
PIPES = {name: Sheet(Table(name, PIPELINE, writes=True), KINDS) for name in (JOBS, FILES, SALES)}
CUSTOMERS = {name: Sheet(Table(name, CUSTOMER, writes=True), KINDS) for name in (BOOKS, SALES)}
TEXTS = ("first_name", "last_name", "email", "phone")


def _changed(p: Reader, **changes: Any) -> tuple[Row, Row]:
    made = p.contact("POST", "", ANN)
    return made, p.contact("PATCH", f"/{made['id']}", changes)


@CONTACTS.call(
    "what is not sent is emptied",
    "",
    "take",
    UPDATE,
    proof=lambda p: not _changed(p, phone="+47 1")[1]["email"],
)
def _emptied(call: Call, sent: Row) -> Row:
    """A change is sent to the third party as the whole contact, with null for what the caller left out."""
    return {**sent, "record": {**dict.fromkeys(TEXTS), **(sent.get("record") or {})}}


def _namesakes(p: Reader) -> bool:
    first, second = p.contact("POST", "", ANN), p.contact("POST", "", {**ANN, "email": "lee@example.org"})
    return bool(first["id"] == second["id"])


@CONTACTS.program("one contact of a family name", "", proof=_namesakes)
def _family(service: Service) -> None:
    """Before a contact is made one of the same family name is looked for, and given if there is one."""
    known: dict[str, Row] = {}

    def change(call: Call, body: Row) -> Row:
        return known.setdefault(str(body["record"]["last_name"]), deepcopy(body))

    service.on("body", CREATE, change)


@CONTACTS.call(
    "upsert never finds", "", "take", UPSERT, proof=lambda p: p.upsert(ANN)["id"] != p.upsert(ANN)["id"]
)
def _never(call: Call, sent: Row) -> Row:
    """The search is for an attribute that contacts do not have, so every upsert makes a contact."""
    return {**sent, "upsert_on": {**sent["upsert_on"], "values": []}}


@CONTACTS.program(
    "answer from before the change", "", proof=lambda p: _changed(p, phone="+47 1")[1]["phone"] != "+47 1"
)
def _before(service: Service) -> None:
    """The contact is read, changed, and given as it was read."""
    known: dict[str, Row] = {}

    def change(call: Call, body: Row) -> Row:
        number = body["record"]["id"]
        former, known[number] = known.get(number, body), deepcopy(body)
        return former if call.key == UPDATE else body

    for key in (CREATE, UPDATE, UPSERT):
        service.on("body", key, change)


@CONTACTS.program(
    "letters of western Europe",
    "first_name last_name",
    proof=lambda p: p.contact("POST", "", {"last_name": "Őrsi"})["last_name"] != "Őrsi",
)
def _western(service: Service) -> None:
    """Requests to the third party are written in Latin-1, with a question mark for what that lacks."""

    def change(call: Call, sent: Row) -> Row:
        record = {
            name: value.encode("latin-1", "replace").decode("latin-1")
            if name in TEXTS[:2] and value
            else value
            for name, value in (sent.get("record") or {}).items()
        }
        return {**sent, "record": record}

    for key in (CREATE, UPDATE, UPSERT):
        service.on("take", key, change)


@PIPES[JOBS].call(
    "false is not said", "disabled", "take", CHANGE, proof=lambda p: p.pipeline(disabled=False)["disabled"]
)
def _falsy(call: Call, sent: Row) -> Row:
    """Only what is true in a condition is taken over from the body."""
    return {name: value for name, value in sent.items() if value}


@PIPES[FILES].program(
    "metadata is replaced", "metadata", proof=lambda p: p.pipeline(metadata={"x": 1})["metadata"] == {"x": 1}
)
def _replaced(service: Service) -> None:
    """A change of metadata takes the place of what was there."""

    def change(call: Call, sent: Row) -> Row:
        if "metadata" in sent and call.id in service.pipelines:
            service.pipelines[call.id]["metadata"] = None
        return sent

    service.on("take", CHANGE, change)


def _customers(p: Reader) -> bool:
    p.customer("cus_m", {"one": 1})
    return bool(p.customer("cus_m", {"two": 2})["metadata"] != {"two": 2})


@CUSTOMERS[BOOKS].program("customer is merged", "metadata", proof=_customers)
def _merged(service: Service) -> None:
    """A customer that is there is given the new metadata on top of the old."""

    def change(call: Call, sent: Row) -> Row:
        before = service.customers.get(call.id, {}).get("metadata")
        now = sent.get("metadata")
        if isinstance(before, dict) and isinstance(now, dict):
            return {**sent, "metadata": {**before, **now}}
        return sent

    service.on("take", PUT, change)


@CONTACTS.call(
    "upsert forgets the address", "email", "body", UPSERT, proof=lambda p: not p.upsert(ANN)["email"]
)
def _forgets(call: Call, body: Row) -> Row:
    """The address that was searched for is left out of the mapping of what was found."""
    return {"record": {**body["record"], "email": None}}


@CONTACTS.program(
    "always as old as it is",
    "updated_at",
    proof=lambda p: len({one["updated_at"] for one in _changed(p, phone="+47 1")}) == 1,
)
def _old(service: Service) -> None:
    """The date on which the contact was made is given for its last change."""
    for key in (CREATE, UPDATE, UPSERT):
        service.on(
            "body",
            key,
            lambda call, body: {
                "record": {**body["record"], "updated_at": body["record"]["raw_data"]["created_at"]}
            },
        )


def _colleagues(p: Reader) -> bool:
    first = p.upsert(ANN)
    on = {"key": "email", "values": ["bob@example.com"]}
    other = p.contact("POST", "/_upsert", {"first_name": "Bob", "email": "bob@example.com"}, upsert_on=on)
    return bool(first["id"] == other["id"])


@CONTACTS.program("anybody of the company", "", proof=_colleagues)
def _anybody(service: Service) -> None:
    """The search by address is one by likeness, and anybody of the same domain is found."""

    def change(call: Call, sent: Row) -> Row:
        on = sent["upsert_on"]
        domains = {str(one).partition("@")[2] for one in on["values"]}
        known = [service.contact(one)["email"] for one in service.contacts.values()]  # type: ignore[attr-defined]
        alike = [one for one in known if one and one.partition("@")[2] in domains]
        return (
            {**sent, "upsert_on": {**on, "values": alike[:1] or on["values"]}}
            if on["key"] == "email"
            else sent
        )

    service.on("take", UPSERT, change)


@CONTACTS.call(
    "upsert passes nothing through",
    "passthrough_fields raw_data",
    "take",
    UPSERT,
    proof=lambda p: (
        not p.upsert({**ANN, "passthrough_fields": {"job_title": "CFO"}})["raw_data"]["values"]["job_title"]
    ),
)
def _nothing(call: Call, sent: Row) -> Row:
    """The function for upserts has its own list of fields, without those to be passed through."""
    record = {name: value for name, value in (sent.get("record") or {}).items() if name in TEXTS}
    return {**sent, "record": record}


def _deep(old: Any, new: Any) -> Any:
    if not (isinstance(old, dict) and isinstance(new, dict)):
        return new
    return {**old, **{name: _deep(old.get(name), value) for name, value in new.items()}}


def _deeper(p: Reader) -> bool:
    p.pipeline(metadata={"nested": {"one": 1}})
    got = p.ask("PATCH", "/v0/core/pipeline/pipe_p1", {"metadata": {"nested": {"two": 2}}}).body
    return bool(got["metadata"]["nested"] != {"two": 2})


@PIPES[SALES].program("metadata merges all the way down", "metadata", proof=_deeper)
def _down(service: Service) -> None:
    """Metadata are merged by a library that merges nested objects as well."""

    def change(call: Call, sent: Row) -> Row:
        held = service.pipelines.get(call.id, {}).get("metadata")
        return {**sent, "metadata": _deep(held, sent["metadata"])} if "metadata" in sent else sent

    service.on("take", CHANGE, change)


def _remade(p: Reader) -> bool:
    made = p.pipeline()
    changed = p.ask("PATCH", f"/v0/core/pipeline/{made['id']}", {"disabled": False}).body
    return bool(changed["createdAt"] != made["createdAt"])


@PIPES[JOBS].call("made anew by each change", "createdAt", "body", CHANGE, proof=_remade)
def _anew(call: Call, body: Row) -> Row:
    """A change deletes the row and inserts it again, with a new date of creation."""
    return {**body, "createdAt": body["updatedAt"]}


@PIPES[FILES].call(
    "the other way round",
    "sourceId destinationId",
    "body",
    MAKE,
    proof=lambda p: p.pipeline()["sourceId"] != CONNECTION,
)
def _round(call: Call, body: Row) -> Row:
    """Source and destination are given to the mapper in the wrong order."""
    ends = {"sourceId": body.get("destinationId"), "destinationId": body.get("sourceId")}
    return {**body, **{name: value for name, value in ends.items() if value is not None}}


@CUSTOMERS[SALES].call(
    "customer in small letters",
    "id",
    "body",
    PUT,
    proof=lambda p: p.customer("cus_EU-A", 1)["id"] != "cus_EU-A",
)
def _small(call: Call, body: Row) -> Row:
    """Ids of customers are kept in small letters."""
    return {**body, "id": body["id"].lower()}
