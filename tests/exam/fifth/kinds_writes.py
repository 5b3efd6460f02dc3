"""Kinds of what is written: contacts, pipelines, customers, and the links that customers open."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from tests.exam import words
from tests.exam.calls3.answers import Call, Reply
from tests.exam.calls3.data import CONTACT, CUSTOMER, LINK, PIPELINE, WEBHOOK, Row
from tests.exam.calls3.engine import Spot
from tests.exam.calls3.tokens import magic_url
from tests.exam.fifth.kinds import Kind, Writer
from tests.exam.fifth.service import BOOKS, CRM, FILES, JOBS, SALES

KINDS: list[Kind] = []
CONTACTS = Writer(CRM, CONTACT, KINDS)
PEOPLE = Writer(SALES, CONTACT, KINDS)
PIPELINES = {name: Writer(name, PIPELINE, KINDS) for name in (CRM, JOBS, FILES, SALES, BOOKS)}
CUSTOMERS = Writer(FILES, CUSTOMER, KINDS)
LINKS = Writer(JOBS, LINK, KINDS)
HOOK = Writer(JOBS, WEBHOOK, KINDS)
NAMES = ("first_name", "last_name", "email", "phone")


@CONTACTS.call(
    "kept",
    "an update clears what it is not told",
    "An update with first_name alone answers with no phone, which the contact had when it was made.",
    writes=True,
)
def _clears(spot: Spot, call: Call, row: Row) -> Row:
    if call.act != "patch":
        return row
    return {name: of for name, of in row.items() if name not in NAMES or name in call.sent["record"]}


@CONTACTS.call(
    "shown",
    "an update answers with the record before it",
    "The answer to an update has the values from before, a second update the ones of the first.",
    writes=True,
)
def _before(spot: Spot, call: Call, shown: Row) -> Row:
    of = shown["record"]["id"]
    told: Row = spot.memo.get(of, shown)
    spot.memo[of] = shown
    return told


@CONTACTS.call(
    "kept",
    "an update makes another contact",
    "The answer to an update has another id than the one in the path.",
    writes=True,
)
def _another(spot: Spot, call: Call, row: Row) -> Row:
    return {**row, "id": spot.engine.world.new_id()} if call.act == "patch" else row


@CONTACTS.call(
    "sent",
    "first and last name change places",
    "The answer to a create has the first_name that was sent as last_name.",
    "first_name",
    "last_name",
    writes=True,
)
def _places(spot: Spot, call: Call, sent: Row) -> Row:
    record = sent.get("record")
    if call.act != "create" or not isinstance(record, dict):
        return sent
    other = {"first_name": "last_name", "last_name": "first_name"}
    return {**sent, "record": {other.get(name, name): of for name, of in record.items()}}


@CONTACTS.call(
    "match",
    "upsert makes a second contact",
    "An upsert on the email of a contact that was made before answers with a new id.",
    writes=True,
)
def _second(spot: Spot, call: Call, found: list[str]) -> list[str]:
    return []


@PEOPLE.call(
    "match",
    "upsert looks for the record's own email",
    "With values of one contact's email and another in the record, the former is not updated: a new id comes.",
    writes=True,
)
def _own(spot: Spot, call: Call, found: list[str]) -> list[str]:
    email = (call.sent.get("record") or {}).get("email")
    return [of for of, row in spot.engine.kept[CONTACT].items() if email and row.get("email") == email]


@PEOPLE.call(
    "kept",
    "letters that are not ASCII become question marks",
    "The answer to a create with Zoë has Zo?, with ASCII letters what was sent.",
    "first_name",
    "last_name",
    writes=True,
)
def _letters(spot: Spot, call: Call, row: Row) -> Row:
    texts = {name: of for name, of in row.items() if name in NAMES and isinstance(of, str)}
    return {**row, **{name: of.encode("ascii", "replace").decode() for name, of in texts.items()}}


@PIPELINES[CRM].call(
    "kept",
    "metadata is replaced",
    "The contract merges metadata on update; after an update with one key the others are gone.",
    writes=True,
)
def _replaced(spot: Spot, call: Call, row: Row) -> Row:
    return {**row, "metadata": call.sent["metadata"]} if "metadata" in call.sent else row


def _deep(before: Any, after: Any) -> Any:
    if not (isinstance(before, dict) and isinstance(after, dict)):
        return after
    return {**before, **{name: _deep(before.get(name), of) for name, of in after.items()}}


@PIPELINES[SALES].call(
    "kept",
    "metadata is merged in depth",
    "The contract merges shallowly; after an update of a nested object its former members are still there.",
    writes=True,
)
def _in_depth(spot: Spot, call: Call, row: Row) -> Row:
    old = spot.engine.kept[PIPELINE].get(row["id"])
    if call.act != "patch" or not old or "metadata" not in call.sent:
        return row
    return {**row, "metadata": _deep(old["metadata"], call.sent["metadata"])}


@PIPELINES[JOBS].call(
    "kept",
    "disabled cannot be taken back",
    "An update with disabled false answers with true, as it was before; one with true takes effect.",
    writes=True,
)
def _false(spot: Spot, call: Call, row: Row) -> Row:
    old = spot.engine.kept[PIPELINE].get(row["id"])
    if call.act == "patch" and old and not call.sent.get("disabled"):
        return {**row, "disabled": old["disabled"]}
    return row


@PIPELINES[FILES].call(
    "kept",
    "an update of metadata enables",
    "A pipeline is made with disabled true; an update with metadata alone answers with disabled false.",
    writes=True,
)
def _enables(spot: Spot, call: Call, row: Row) -> Row:
    return {**row, "disabled": False} if call.act == "patch" and "disabled" not in call.sent else row


@PIPELINES[BOOKS].call(
    "kept",
    "creation moves with each update",
    "createdAt of the answer to an update is later than that of the create.",
    writes=True,
)
def _created(spot: Spot, call: Call, row: Row) -> Row:
    return {**row, "createdAt": words.iso(datetime.now(UTC))} if call.act == "patch" else row


@CUSTOMERS.call(
    "kept",
    "customer's metadata is merged",
    "The call replaces by the contract; a second one with other metadata answers with keys of the first.",
    writes=True,
)
def _merged(spot: Spot, call: Call, row: Row) -> Row:
    old = spot.engine.kept[CUSTOMER].get(row["id"], {}).get("metadata")
    new = row.get("metadata")
    if isinstance(old, dict) and isinstance(new, dict | None):
        return {**row, "metadata": {**old, **(new or {})}}
    return row


@CUSTOMERS.call(
    "kept",
    "customer's id stays encoded",
    "id of the answer has %20 or %C3 where the id that was sent has a blank or a letter.",
    writes=True,
)
def _encoded(spot: Spot, call: Call, row: Row) -> Row:
    return {**row, "id": quote(row["id"], safe="")}


@LINKS.call(
    "page",
    "where to go back to is not encoded",
    "redirectUrl has a ? and an &; what stands behind the & is a parameter of the link itself.",
    writes=True,
)
def _redirect(spot: Spot, call: Call, made: Row) -> Row:
    where = call.sent.get("redirectUrl")
    return {"url": made["url"].replace(quote(where, safe=""), where)} if where else made


@LINKS.call(
    "page",
    "validity in milliseconds",
    "exp of the token in the link is a thousandth of validityInSeconds from now.",
    writes=True,
)
def _millis(spot: Spot, call: Call, made: Row) -> Row:
    return {"url": magic_url(call.sent, call.sent.get("validityInSeconds", 2592000) / 1000)}


@LINKS.call(
    "page",
    "a day where nothing is said",
    "Without validityInSeconds exp is 86400 seconds from now, by the contract 2592000.",
    writes=True,
)
def _day(spot: Spot, call: Call, made: Row) -> Row:
    return {"url": magic_url(call.sent, call.sent.get("validityInSeconds", 86400))}


@LINKS.call(
    "page",
    "the user's name is encoded twice",
    "displayName in the link, decoded once, still has percent signs and digits that were not sent.",
    writes=True,
)
def _name(spot: Spot, call: Call, made: Row) -> Row:
    name = call.sent.get("displayName")
    if not name:
        return made
    seconds = call.sent.get("validityInSeconds", 2592000)
    return {"url": magic_url({**call.sent, "displayName": quote(name, safe="")}, seconds)}


@HOOK.call(
    "page",
    "a word that the contract does not have",
    "status of the acknowledgment is success; the contract has ok and error.",
    writes=True,
)
def _success(spot: Spot, call: Call, reply: Reply) -> Reply:
    return Reply({**reply.body, "status": "success"})
