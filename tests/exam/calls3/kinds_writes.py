"""What goes wrong with writing: contacts, pipelines and customers."""

from __future__ import annotations

import json
from typing import Any

from tests.exam.calls3.answers import Call, RefusedError, Reply, error
from tests.exam.calls3.data import CONTACT, CUSTOMER, PIPELINE, Row
from tests.exam.calls3.engine import ORGANIZATION, Bending, Spot
from tests.exam.calls3.kinds import add, kind
from tests.exam.frame import CONNECTION, KEY

TEXTS = ("first_name", "last_name", "email", "phone")


def writing(
    name: str, point: str, change: Bending | None = None, key: str = CONTACT, fields: tuple[str, ...] = ()
) -> Any:
    """A kind that shows only where the run may write."""
    if key == CONTACT:
        fields += tuple(f"record.{one}" for one in fields)
    if change is None:
        return kind(name, point, key, fields=fields, writes=True)
    add(name, point, key, change, fields=fields, writes=True)
    return None


def is_new(spot: Spot, row: Row) -> bool:
    return row["id"] not in spot.engine.kept[spot.key]


def given(call: Call) -> Row:
    record = call.sent.get("record") if isinstance(call.sent, dict) else None
    return record if isinstance(record, dict) else {}


# ---------------------------------------------------------------- contacts: what is kept


@writing("it says created and the contact is not there", "shown")
def _(spot: Spot, call: Call, body: Row) -> Row:
    if call.act == "create":
        spot.engine.kept[CONTACT].pop(body["record"]["id"], None)
    return body


@writing("create answers with an id that no contact has", "shown")
def _(spot: Spot, call: Call, body: Row) -> Row:
    if call.act != "create":
        return body
    return {"record": body["record"] | {"id": spot.engine.world.new_id()}}


@writing("a patch wipes the fields that it does not name", "kept")
def _(spot: Spot, call: Call, row: Row) -> Row:
    if is_new(spot, row):
        return row
    return row | {name: None for name in TEXTS if name not in given(call)}


@writing("an upsert that matches wipes the fields that it does not name", "kept")
def _(spot: Spot, call: Call, row: Row) -> Row:
    if call.act != "upsert" or is_new(spot, row):
        return row
    return row | {name: None for name in TEXTS if name not in given(call)}


@writing("a patch changes nothing and answers as if all were well", "kept")
def _(spot: Spot, call: Call, row: Row) -> Row:
    return spot.engine.kept[CONTACT][row["id"]] if call.act == "patch" else row


@writing("a patch answers with what was sent and does not keep it", "kept")
def _(spot: Spot, call: Call, row: Row) -> Row:
    spot.memo["old"] = spot.engine.kept[CONTACT].get(row["id"])
    return row


@writing("a patch answers with what was sent and does not keep it", "shown")
def _(spot: Spot, call: Call, body: Row) -> Row:
    if call.act == "patch" and spot.memo["old"]:
        spot.engine.kept[CONTACT][body["record"]["id"]] = spot.memo["old"]
    return body


@writing("a patch takes only the first of its fields", "sent")
def _(_: Spot, call: Call, sent: Row) -> Row:
    record = sent.get("record")
    if call.act == "patch" and isinstance(record, dict):
        return sent | {"record": dict(list(record.items())[:1])}
    return sent


@writing("every create makes two contacts", "kept")
def _(spot: Spot, call: Call, row: Row) -> Row:
    if call.act == "create":
        again = row | {"id": spot.engine.world.new_id()}
        spot.engine.kept[CONTACT][again["id"]] = again
    return row


@writing("a create is kept and answered with 500", "reply")
def _(_: Spot, call: Call, reply: Reply) -> Reply:
    return error(500, "fetch failed", "crm.createContact") if call.act == "create" else reply


writing("an upsert always makes a new contact", "match", lambda _, call, found: [])


@writing("an upsert takes any contact of the same mail domain", "match")
def _(spot: Spot, call: Call, found: list[str]) -> list[str]:
    domains = tuple("@" + str(one).rpartition("@")[2] for one in call.sent["upsert_on"]["values"])
    near = [
        of for of, row in spot.engine.kept[CONTACT].items() if str(row.get("email") or "").endswith(domains)
    ]
    return found or near[:1]


@writing("an upsert that matches changes nothing", "kept")
def _(spot: Spot, call: Call, row: Row) -> Row:
    return row if call.act != "upsert" else spot.engine.kept[CONTACT].get(row["id"], row)


@writing("an upsert that matches gives the contact a new id", "kept")
def _(spot: Spot, call: Call, row: Row) -> Row:
    if call.act != "upsert" or is_new(spot, row):
        return row
    return row | {"id": spot.engine.world.new_id()}


# ---------------------------------------------------------------- contacts: values on the way


def changing(name: str, field: str, change: Any) -> None:
    """A kind that changes one value on the way in."""

    def bend(_: Spot, call: Call, row: Row) -> Row:
        value = row.get(field)
        return row | {field: change(value)} if isinstance(value, str) and field in given(call) else row

    writing(name, "kept", bend, fields=(field,))


changing("names longer than eight letters are cut", "last_name", lambda value: value[:8])
changing(
    "letters with accents become question marks",
    "first_name",
    lambda v: v.encode("ascii", "replace").decode(),
)
changing("the last digit of a phone number is lost", "phone", lambda value: value[:-1])
changing(
    "what stands before a plus in the address is all that is kept", "email", lambda v: v.partition("+")[0]
)
changing("the e-mail address is lost on the way", "email", lambda value: None)
changing("the first letter of the last name is lost", "last_name", lambda value: value[1:])


@writing("UTF-8 is read as Latin-1", "sent", fields=("first_name", "last_name"))
def _(_: Spot, call: Call, sent: Row) -> Row:
    return json.loads(call.body.decode("latin-1")) if call.body else sent


@writing("first and last name are exchanged", "kept", fields=("first_name", "last_name"))
def _(_: Spot, call: Call, row: Row) -> Row:
    sent = given(call)
    other = {"first_name": "last_name", "last_name": "first_name"}
    return row | {name: sent.get(at) for name, at in other.items() if name in sent or at in sent}


@writing("the phone number is answered as a number", "shown", fields=("phone",))
def _(_: Spot, call: Call, body: Row) -> Row:
    digits = "".join(one for one in str(body["record"].get("phone") or "") if one.isdigit())
    return {"record": body["record"] | ({"phone": int(digits)} if digits else {})}


@writing("the answer has no date of change", "shown", fields=("updated_at",))
def _(_: Spot, call: Call, body: Row) -> Row:
    return {"record": {name: value for name, value in body["record"].items() if name != "updated_at"}}


@writing("the answer has the contact without its wrapper", "shown")
def _(_: Spot, call: Call, body: Row) -> Any:
    return body["record"]


@writing("a patch answers with another id than it was sent to", "shown")
def _(_: Spot, call: Call, body: Row) -> Row:
    return {"record": body["record"] | ({"id": f"{body['record']['id']}0"} if call.act == "patch" else {})}


# ---------------------------------------------------------------- contacts: what should be refused


@writing("a patch of an unknown id answers as if it were there", "sent")
def _(spot: Spot, call: Call, sent: Row) -> Row:
    if call.act == "patch" and call.of not in spot.engine.kept[CONTACT]:
        spot.engine.kept[CONTACT][call.of] = {"id": call.of, "passthrough": {}}
    return sent


@writing("a body that is not JSON makes an empty contact", "allowed")
def _(_: Spot, call: Call, refusal: Any) -> Any:
    try:
        json.loads(call.body or b"{}")
    except ValueError:
        call.body = b'{"record": {}}'
    return refusal


@writing("a record that is no object is taken", "sent")
def _(_: Spot, call: Call, sent: Row) -> Row:
    return sent if isinstance(sent.get("record"), dict) else sent | {"record": {}}


@writing("an object is taken for a name", "sent")
def _(_: Spot, call: Call, sent: Row) -> Row:
    record = given(call)
    return sent | {"record": {at: str(v) if at in TEXTS and v is not None else v for at, v in record.items()}}


@writing("a missing record answers 500 with a stack trace", "reply")
def _(_: Spot, call: Call, reply: Reply) -> Reply:
    if reply.status != 400:
        return reply
    trace = "TypeError: Cannot read properties of undefined\n    at createContact (/app/dist/crm.js:88:21)"
    return error(500, trace, "crm.createContact")


# ---------------------------------------------------------------- pipelines


def pipelines(name: str, point: str, change: Bending | None = None, fields: tuple[str, ...] = ()) -> Any:
    return writing(name, point, change, PIPELINE, fields)


@pipelines("an id without pipe_ is taken", "allowed")
def _(spot: Spot, call: Call, refusal: Any) -> Any:
    spot.memo["id"] = None
    sent = json.loads(call.body or b"{}") if call.body[:1] == b"{" else {}
    if refusal is None and call.act == "create" and not str(sent.get("id", "")).startswith("pipe_"):
        spot.memo["id"] = sent.get("id")
        call.body = json.dumps(sent | {"id": f"pipe_{sent.get('id')}"}).encode()
    return refusal


@pipelines("an id without pipe_ is taken", "reply")
def _(spot: Spot, call: Call, reply: Reply) -> Reply:
    if spot.memo.get("id") is not None and reply.status == 200:
        reply.body |= {"id": spot.memo["id"]}
    return reply


@pipelines("a connection without conn_ is taken", "sent")
def _(_: Spot, call: Call, sent: Row) -> Row:
    return {
        name: CONNECTION if name in ("sourceId", "destinationId") and isinstance(value, str) else value
        for name, value in sent.items()
    }


@pipelines("another pipeline's id comes back", "reply", fields=("id",))
def _(_: Spot, call: Call, reply: Reply) -> Reply:
    if reply.status == 200:
        reply.body |= {"id": reply.body["id"].replace("pipe_", "pipe_0")}
    return reply


@pipelines("metadata are replaced instead of merged", "kept", fields=("metadata",))
def _(_: Spot, call: Call, row: Row) -> Row:
    return row | ({"metadata": call.sent["metadata"]} if "metadata" in call.sent else {})


@pipelines("metadata are merged to the bottom", "kept", fields=("metadata",))
def _(spot: Spot, call: Call, row: Row) -> Row:
    def merged(old: Any, new: Any) -> Any:
        if not isinstance(old, dict) or not isinstance(new, dict):
            return new
        return old | {name: merged(old.get(name), value) for name, value in new.items()}

    old = spot.engine.kept[PIPELINE].get(row["id"], {})
    if call.act != "patch" or "metadata" not in call.sent:
        return row
    return row | {"metadata": merged(old.get("metadata"), call.sent["metadata"])}


@pipelines("disabled cannot be changed by a patch", "sent", fields=("disabled",))
def _(_: Spot, call: Call, sent: Row) -> Row:
    return {name: value for name, value in sent.items() if call.act != "patch" or name != "disabled"}


@pipelines("a patch of anything sets disabled back", "kept", fields=("disabled",))
def _(_: Spot, call: Call, row: Row) -> Row:
    return row | ({"disabled": False} if call.act == "patch" and "disabled" not in call.sent else {})


@pipelines("streams are lost", "kept", fields=("streams",))
def _(_: Spot, call: Call, row: Row) -> Row:
    return row | {"streams": {}}


@pipelines("metadata lose what is false or zero", "kept", fields=("metadata",))
def _(_: Spot, call: Call, row: Row) -> Row:
    held = row.get("metadata")
    return row | ({"metadata": {name: v for name, v in held.items() if v}} if isinstance(held, dict) else {})


@pipelines("the pipeline was changed before it was made", "reply", fields=("updatedAt", "createdAt"))
def _(_: Spot, call: Call, reply: Reply) -> Reply:
    if reply.status == 200:
        reply.body |= {"updatedAt": "2019-05-01T00:00:00.000Z"}
    return reply


@pipelines("names of fields in the other spelling", "reply")
def _(_: Spot, call: Call, reply: Reply) -> Reply:
    if reply.status == 200:
        reply.body = {
            "".join(f"_{one.lower()}" if one.isupper() else one for one in name): value
            for name, value in reply.body.items()
        }
    return reply


@pipelines("a patch of an unknown pipeline answers 200", "reply")
def _(spot: Spot, call: Call, reply: Reply) -> Reply:
    if reply.status == 404 and call.act == "patch":
        return Reply({"id": call.of, "createdAt": spot.engine.now(), "updatedAt": spot.engine.now()})
    return reply


@pipelines("a pipeline that is made is not kept", "reply")
def _(spot: Spot, call: Call, reply: Reply) -> Reply:
    if call.act == "create" and reply.status == 200:
        spot.engine.kept[PIPELINE].pop(reply.body["id"], None)
    return reply


# ---------------------------------------------------------------- customers


def customers(name: str, point: str, change: Bending | None = None, fields: tuple[str, ...] = ()) -> Any:
    return writing(name, point, change, CUSTOMER, fields)


@customers("metadata are merged where the customer should be replaced", "kept", fields=("metadata",))
def _(spot: Spot, call: Call, row: Row) -> Row:
    old = spot.engine.kept[CUSTOMER].get(row["id"], {}).get("metadata")
    new = row.get("metadata")
    return row | ({"metadata": old | new} if isinstance(old, dict) and isinstance(new, dict) else {})


@customers("numbers in metadata come back as text", "kept", fields=("metadata",))
def _(_: Spot, call: Call, row: Row) -> Row:
    held = row.get("metadata")
    return row | ({"metadata": {name: str(v) for name, v in held.items()}} if isinstance(held, dict) else {})


customers("metadata are lost", "kept", lambda _, call, row: row | {"metadata": {}}, ("metadata",))
customers(
    "the organization is missing",
    "reply",
    lambda _, call, reply: Reply(
        {name: v for name, v in reply.body.items() if name != "orgId"}, reply.status
    ),
    ("orgId",),
)


@customers("the organization carries the key", "kept")
def _(_: Spot, call: Call, row: Row) -> Row:
    return row | {"orgId": f"{ORGANIZATION}:{KEY}"}


@customers("another customer comes back", "reply", fields=("id",))
def _(spot: Spot, call: Call, reply: Reply) -> Reply:
    if reply.status == 200:
        reply.body |= {"id": f"{spot.rng.randrange(10**6)}"}
    return reply


@customers("a customer cannot be replaced, only made", "sent")
def _(spot: Spot, call: Call, sent: Row) -> Row:
    if call.of in spot.engine.kept[CUSTOMER]:
        raise RefusedError(409, "customer exists")
    return sent
