"""Contacts, pipelines, customers, links and the webhook: what a write does, and what is said of it."""

from __future__ import annotations

from copy import deepcopy
from datetime import datetime, timedelta
from typing import Any

from tests.exam.calls3.data import CONTACT, CUSTOMER, LINK, PIPELINE, WEBHOOK, Row
from tests.exam.seventh.forms import BOOKS, CRM, FILES, JOBS, SALES
from tests.exam.seventh.shapes_crm import account_id, contact
from tests.exam.sixth.kinds import Table
from tests.exam.sixth.service import CHANGE, CREATE, MAKE, PUT, UPDATE, UPSERT, Call, Service, wrong

CONTACTS = Table(CRM, CONTACT, writes=True)
PIPES = Table(JOBS, PIPELINE, writes=True)
CUSTOMERS = Table(SALES, CUSTOMER, writes=True)
LINKS = Table(FILES, LINK, writes=True)
HOOKS = Table(BOOKS, WEBHOOK, writes=True)


def _organisation(call: Call, body: Row) -> Row:
    return {"record": {**body["record"], "id": str(account_id(5))}}


def _second_phone(service: Service) -> None:
    """Entries of the list are added where no id of an entry is sent."""
    had: dict[str, list[Row]] = {}

    def before(call: Call, sent: Any) -> Any:
        had[call.id] = list(service.contacts.get(call.id, {}).get("phoneNumbers", []))
        return sent

    def after(call: Call, body: Row) -> Row:
        held = service.contacts[call.id]
        if call.sent["record"].get("phone") and had[call.id]:
            held["phoneNumbers"] = [*had[call.id], *held["phoneNumbers"]]
        return {"record": contact(held)}

    service.on("take", UPDATE, before)
    service.on("body", UPDATE, after)


def _not_kept(service: Service) -> None:
    """What an upsert changes is answered and not stored."""
    had: dict[str, Row] = {}

    def before(call: Call, sent: Any) -> Any:
        had.clear()
        had.update(deepcopy(service.contacts))
        return sent

    def after(call: Call, body: Row) -> Row:
        number = body["record"]["id"]
        if number in had:
            service.contacts[number] = had[number]
        return body

    service.on("take", UPSERT, before)
    service.on("body", UPSERT, after)


def _not_passed(call: Call, sent: Any) -> Any:
    record = {name: value for name, value in sent["record"].items() if name != "passthrough_fields"}
    return {**sent, "record": record}


def _ends_of_name(call: Call, body: Row) -> Row:
    """Both names are joined, and split at blanks."""
    record = body["record"]
    parts = f"{record['first_name'] or ''} {record['last_name'] or ''}".split()
    if len(parts) < 2:
        return body
    return {"record": {**record, "first_name": parts[0], "last_name": parts[-1]}}


def _forgotten(call: Call, sent: Row) -> Row:
    return {"metadata": None, **sent}


def _texts(value: Any) -> Any:
    """All values as texts, as a column of a table holds them."""
    if isinstance(value, dict):
        return {name: _texts(one) for name, one in value.items()}
    return str(value) if isinstance(value, bool | int | float) else value


def _in_texts(call: Call, sent: Row) -> Row:
    return {**sent, "metadata": _texts(sent["metadata"])} if "metadata" in sent else sent


def _behind(call: Call, body: Row) -> Row:
    """The clock of one machine is two hours slow."""
    at = datetime.fromisoformat(body["updatedAt"]) - timedelta(hours=2)
    return {**body, "updatedAt": at.strftime("%Y-%m-%dT%H:%M:%SZ")}


def _former(service: Service) -> None:
    """A customer is answered as it was before the call."""
    had: dict[str, Row] = {}

    def after(call: Call, body: Row) -> Row:
        former = had.get(call.id)
        had[call.id] = dict(body)
        return former or {name: value for name, value in body.items() if name != "metadata"}

    service.on("body", PUT, after)


def _hour(call: Call, sent: Row) -> Row:
    return sent if "validityInSeconds" in sent else {**sent, "validityInSeconds": 3600}


def _other_customer(service: Service) -> None:
    """The customer of the first link is kept by the machine."""
    first: list[Any] = []

    def before(call: Call, sent: Row) -> Row:
        first.append(sent.get("customerId"))
        return {**sent, "customerId": first[0]}

    service.on("take", LINK, before)


def _short(call: Call, sent: Row) -> Row:
    if sent.get("view") in ("manage-deeplink", "add-deeplink"):
        raise wrong("view", "Invalid enum value. Expected 'manage' | 'add'")
    return sent


def _acknowledged(call: Call, body: Row) -> Row:
    return {**body, "status": "received"}


KINDS = [
    CONTACTS.call(
        "id of the organisation",
        "A contact that was made has the `id` of an account: raw `id` is another, and an update of it is not found.",
        "",
        "body",
        CREATE,
        _organisation,
    ),
    CONTACTS.program(
        "second phone in place of the first",
        "An update adds the phone to raw `phoneNumbers`, and `phone` stays the old one, not what was sent.",
        "phone",
        _second_phone,
    ),
    CONTACTS.program(
        "upsert that is not kept",
        "An upsert of a contact that exists answers what was sent, and the next update, of another field, answers the "
        "former names and phone again.",
        "",
        _not_kept,
    ),
    CONTACTS.call(
        "passthrough on making alone",
        "`passthrough_fields` of an update are not in the raw data of the answer; those of a create are.",
        "",
        "take",
        UPDATE,
        _not_passed,
    ),
    CONTACTS.call(
        "middle of a name",
        "`first_name` and `last_name` of what was made are the first and the last word: `Őrsi Müller` is `Müller`, "
        "raw `lastName` is what was sent.",
        "first_name last_name",
        "body",
        CREATE,
        _ends_of_name,
    ),
    PIPES.call(
        "a change loses the destination",
        "The answer to a change has an empty `destinationId`: that of the create has it, and it starts with `conn_`.",
        "destinationId",
        "body",
        CHANGE,
        lambda call, body: {**body, "destinationId": ""},
    ),
    PIPES.call(
        "metadata is gone after another change",
        "A change without `metadata` sets it to null; the contract merges what is sent into it.",
        "metadata",
        "take",
        CHANGE,
        _forgotten,
    ),
    PIPES.call(
        "metadata in texts",
        "Numbers and booleans in `metadata` come back as texts: `3` for 3, `True` for true.",
        "metadata",
        "take",
        MAKE,
        _in_texts,
    ),
    PIPES.call(
        "changed before it was made",
        "After a change `updatedAt` is two hours before `createdAt` and before the former `updatedAt`.",
        "updatedAt",
        "body",
        CHANGE,
        _behind,
    ),
    CUSTOMERS.call(
        "customer is its own organization",
        "`orgId` is the customer's own id, so two customers of one key have two organizations.",
        "orgId",
        "body",
        PUT,
        lambda call, body: {**body, "orgId": body["id"]},
    ),
    CUSTOMERS.program(
        "customer as it was before",
        "A call answers the `metadata` of the call before it, not what was sent.",
        "metadata",
        _former,
    ),
    LINKS.call(
        "link of an hour",
        "Without `validityInSeconds` the token of `url` ends after 3600 seconds: the contract has 2592000.",
        "",
        "take",
        LINK,
        _hour,
    ),
    LINKS.program(
        "link for another customer",
        "The token of every link names the customer of the first link that was made, not the `customerId` sent.",
        "",
        _other_customer,
    ),
    LINKS.call(
        "deep links are refused",
        "The `view` values with `-deeplink`, which the contract has, are refused with 400.",
        "",
        "take",
        LINK,
        _short,
    ),
    HOOKS.call(
        "webhook is received",
        "`status` of the acknowledgment is `received`: the contract has `ok` and `error`.",
        "status",
        "body",
        WEBHOOK,
        _acknowledged,
    ),
]
