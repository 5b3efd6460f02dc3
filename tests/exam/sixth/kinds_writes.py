"""What goes wrong when something is written: contacts, pipelines, customers."""

from __future__ import annotations

import json
from typing import Any

from tests.exam.calls3.data import CONTACT, CUSTOMER, PIPELINE, Row
from tests.exam.sixth.forms import CRM, FILES, JOBS
from tests.exam.sixth.kinds import Kind, Table
from tests.exam.sixth.service import (
    CHANGE,
    CONTACT_FIELDS,
    CREATE,
    MAKE,
    PUT,
    UPDATE,
    UPSERT,
    Bend,
    Call,
    Service,
    contact_of,
)

C, P, U = Table(CRM, CONTACT, True), Table(JOBS, PIPELINE, True), Table(FILES, CUSTOMER, True)


def _sent(change: Any) -> Bend:
    """What the third party is sent of a contact is changed."""

    def bend(call: Call, sent: Row) -> Row:
        if not isinstance(sent.get("record"), dict):
            return sent
        record = dict(sent["record"])
        change(record)
        return {**sent, "record": record}

    return bend


def _answered(change: Any) -> Bend:
    """The record that is answered is changed."""

    def bend(call: Call, body: Row) -> Row:
        record = dict(body["record"])
        change(record)
        return {"record": record}

    return bend


def _text(name: str, change: Any) -> Any:
    """A text of what is sent is changed, where there is one."""

    def whole(record: Row) -> None:
        if isinstance(record.get(name), str):
            record[name] = change(record[name])

    return whole


def _names_swapped(record: Row) -> None:
    first, last = record.get("first_name"), record.get("last_name")
    if first is not None and last is not None:
        record["first_name"], record["last_name"] = last, first


def _whole(record: Row) -> None:
    """An update that sends null for all that it was not told."""
    for name in CONTACT_FIELDS:
        record.setdefault(name, None)


def _texts_sent(service: Service, change: Any) -> None:
    """Both names are changed on their way to the third party."""
    for name in ("first_name", "last_name"):
        _all_points(service, "take", _sent(_text(name, change)))


def _all_points(service: Service, point: str, bend: Bend) -> None:
    for key in (CREATE, UPDATE, UPSERT):
        service.on(point, key, bend)


def _stale(service: Service) -> None:
    """An update answers with what was there before it."""
    held: dict[str, Row] = {}

    def before(call: Call, sent: Row) -> Row:
        if call.id in service.contacts:
            held[call.id] = contact_of(service.contacts[call.id])
        return sent

    def after(call: Call, body: Row) -> Row:
        return {"record": held.get(call.id, body["record"])}

    service.on("take", UPDATE, before)
    service.on("body", UPDATE, after)


def _forgetful(service: Service) -> None:
    """An update answers as if it were done, and is not."""
    held: dict[str, Row] = {}

    def before(call: Call, sent: Row) -> Row:
        held[call.id] = dict(service.contacts.get(call.id, {}))
        return sent

    def after(call: Call, body: Row) -> Row:
        service.contacts[call.id] = held[call.id]
        return body

    service.on("take", UPDATE, before)
    service.on("body", UPDATE, after)


def _another_made(service: Service) -> None:
    """An update makes a new contact beside the old one."""

    def before(call: Call, sent: Row) -> Row:
        if call.id in service.contacts and sent.get("record"):
            old = dict(service.contacts[call.id])
            made = service._new_contact()
            made.update({theirs: old[theirs] for theirs in CONTACT_FIELDS.values()})
            call.id = made["id"]
        return sent

    service.on("take", UPDATE, before)


def _never_matches(call: Call, sent: Row) -> Row:
    on = sent.get("upsert_on")
    return {**sent, "upsert_on": {**on, "values": []}} if isinstance(on, dict) else sent


def _first_match(service: Service) -> None:
    """An upsert takes the first contact of all, whoever it is."""

    def bend(call: Call, sent: Row) -> Row:
        if isinstance(sent.get("upsert_on"), dict) and service.contacts:
            held = next(iter(service.contacts.values()))
            held["Email"] = held["Email"] or "first@example.com"
            matches = [one for one in service.contacts.values() if one["Email"] == held["Email"]]
            if len(matches) == 1:
                return {**sent, "upsert_on": {"key": "email", "values": [held["Email"]]}}
        return sent

    service.on("take", UPSERT, bend)


def _upsert_of_email(service: Service) -> None:
    """An upsert that finds its contact changes nothing but the address."""

    def bend(call: Call, sent: Row) -> Row:
        on = sent.get("upsert_on")
        if not isinstance(on, dict) or not isinstance(sent.get("record"), dict):
            return sent
        if any(one["Email"] in on.get("values", []) for one in service.contacts.values()):
            record = {name: value for name, value in sent["record"].items() if name == "email"}
            return {**sent, "record": record}
        return sent

    service.on("take", UPSERT, bend)


def _previous_raw(service: Service) -> None:
    """raw_data of a new contact is that of the one made before it."""

    def bend(call: Call, body: Row) -> Row:
        numbers = list(service.contacts)
        other = service.contacts[numbers[-2]] if len(numbers) > 1 else {"id": "0", "Email": None}
        return {"record": {**body["record"], "raw_data": dict(other)}}

    service.on("body", CREATE, bend)


def _missing_made(service: Service) -> None:
    """An update of a contact that is not there makes one of this id."""

    def bend(call: Call, sent: Row) -> Row:
        if call.id not in service.contacts:
            made = service._new_contact()
            del service.contacts[made["id"]]
            service.contacts[call.id] = {**made, "id": call.id}
        return sent

    service.on("take", UPDATE, bend)


def _held(service: Service, change: Any, key: str = CHANGE) -> None:
    """What is kept of a pipeline is changed after a call, and answered so."""

    def bend(call: Call, body: Row) -> Row:
        change(call, service.pipelines[body["id"]])
        return dict(service.pipelines[body["id"]])

    service.on("body", key, bend)


def _replaced(call: Call, held: Row) -> None:
    if isinstance(call.sent.get("metadata"), dict):
        held["metadata"] = call.sent["metadata"]


def _deep(service: Service) -> None:
    """Objects within metadata are merged as well."""

    def merged(old: Any, new: Any) -> Any:
        if isinstance(old, dict) and isinstance(new, dict):
            return {**old, **{name: merged(old.get(name), part) for name, part in new.items()}}
        return new

    def bend(call: Call, sent: Row) -> Row:
        held = service.pipelines.get(call.id, {}).get("metadata")
        if isinstance(sent.get("metadata"), dict):
            return {**sent, "metadata": merged(held, sent["metadata"])}
        return sent

    service.on("take", CHANGE, bend)


def _enabled(call: Call, sent: Row) -> Row:
    return {"disabled": False, **sent}


def _never_disabled(call: Call, sent: Row) -> Row:
    return {**sent, "disabled": False} if "disabled" in sent else sent


def _ends_swapped(call: Call, held: Row) -> None:
    names = ("sourceId", "destinationId")
    if all(name in held for name in names):
        held["sourceId"], held["destinationId"] = held["destinationId"], held["sourceId"]


def _made_again(call: Call, held: Row) -> None:
    held["createdAt"] = held["updatedAt"]


def _texts(value: Any) -> Any:
    """Numbers and booleans as texts."""
    if isinstance(value, dict):
        return {name: _texts(part) for name, part in value.items()}
    if isinstance(value, list):
        return [_texts(part) for part in value]
    return value if value is None or isinstance(value, str) else json.dumps(value)


def _texts_kept(call: Call, sent: Row) -> Row:
    return {**sent, "metadata": _texts(sent["metadata"])} if "metadata" in sent else sent


def _merged_customers(service: Service) -> None:
    """A customer that is replaced keeps what it had."""

    def bend(call: Call, sent: Row) -> Row:
        old = service.customers.get(call.id, {}).get("metadata")
        new = sent.get("metadata")
        if isinstance(old, dict) and isinstance(new, dict):
            return {**sent, "metadata": {**old, **new}}
        return sent

    service.on("take", PUT, bend)


def _streams_lost(call: Call, sent: Row) -> Row:
    return {name: value for name, value in sent.items() if name != "streams"}


KINDS: list[Kind] = [
    C.program(
        "a number that is not kept",
        "the phone of a contact is not sent on: it comes back as null",
        "phone",
        lambda service: _all_points(service, "take", _sent(lambda record: record.pop("phone", None))),
    ),
    C.program(
        "first name last",
        "a new contact has its names in each other's place",
        "first_name last_name",
        lambda service: service.on("take", CREATE, _sent(_names_swapped)),
    ),
    C.program(
        "names in ASCII",
        "letters of names that are no ASCII are question marks",
        "first_name last_name",
        lambda service: _texts_sent(service, lambda old: old.encode("ascii", "replace").decode()),
    ),
    C.program(
        "addresses without their tag",
        "what stands between plus and at sign of an address is lost",
        "email",
        lambda service: _all_points(
            service,
            "take",
            _sent(
                _text(
                    "email", lambda old: f"{old.partition('@')[0].partition('+')[0]}@{old.partition('@')[2]}"
                )
            ),
        ),
    ),
    C.call(
        "an update of everything",
        "fields that an update does not name become null",
        "",
        "take",
        UPDATE,
        _sent(_whole),
    ),
    C.program("the answer before the update", "an update answers with the record as it was", "", _stale),
    C.program(
        "an update that is forgotten",
        "an update is answered as done, and a later call shows it was not",
        "",
        _forgetful,
    ),
    C.program(
        "an update makes another", "an update answers with a new contact of another id", "", _another_made
    ),
    C.call(
        "an upsert never matches",
        "an upsert makes a second contact of the same address, every time",
        "",
        "take",
        UPSERT,
        _never_matches,
    ),
    C.program(
        "an upsert of the first contact", "an upsert overwrites the first contact there is", "", _first_match
    ),
    C.program(
        "an upsert of the address alone",
        "an upsert that finds its contact changes nothing else",
        "",
        _upsert_of_email,
    ),
    C.program(
        "raw data of the contact before",
        "raw_data of a new contact is another one's",
        "",
        _previous_raw,
    ),
    C.call(
        "an id that nobody knows",
        "a new contact is answered with an id that raw_data does not have and an update does not find",
        "",
        "body",
        CREATE,
        _answered(lambda record: record.update(id=f"{record['id']}0")),
    ),
    C.program(
        "an update of nobody",
        "an update of an id that does not exist is answered with 200 and a record",
        "",
        _missing_made,
    ),
    C.call(
        "a contact without its wrapping",
        "the record is answered bare, where the contract has it under record",
        "",
        "body",
        CREATE,
        lambda call, body: body["record"],
    ),
    C.call(
        "a contact older than itself",
        "updated_at of an update lies years before that of the create",
        "updated_at",
        "body",
        UPDATE,
        _answered(lambda record: record.update(updated_at="2019" + record["updated_at"][4:])),
    ),
    P.program(
        "metadata replaced",
        "an update replaces metadata, where the contract merges it",
        "metadata",
        lambda service: _held(service, _replaced),
    ),
    P.program(
        "metadata merged too deep",
        "objects within metadata are merged, where the contract says shallowly",
        "metadata",
        _deep,
    ),
    P.call(
        "metadata as text",
        "numbers and booleans of metadata are stored as texts",
        "metadata",
        "take",
        MAKE,
        _texts_kept,
    ),
    P.call("streams not kept", "streams of a new pipeline are lost", "streams", "take", MAKE, _streams_lost),
    P.call(
        "never disabled",
        "a pipeline that is to be disabled stays enabled",
        "disabled",
        "take",
        CHANGE,
        _never_disabled,
    ),
    P.call(
        "enabled by any update",
        "an update that does not name disabled sets it to false",
        "disabled",
        "take",
        CHANGE,
        _enabled,
    ),
    P.program(
        "the wrong way round",
        "source and destination of a new pipeline are swapped",
        "sourceId destinationId",
        lambda service: _held(service, _ends_swapped, MAKE),
    ),
    P.program(
        "made at each update",
        "createdAt moves with each update",
        "createdAt",
        lambda service: _held(service, _made_again),
    ),
    P.call(
        "updated before it was made",
        "updatedAt of an update lies before createdAt",
        "updatedAt createdAt",
        "body",
        CHANGE,
        lambda call, body: {**body, "updatedAt": "2001-01-01T00:00:00Z"},
    ),
    P.call(
        "an id without its prefix",
        "a pipeline's id is answered without pipe_, which the contract requires",
        "id",
        "body",
        MAKE,
        lambda call, body: {**body, "id": body["id"].removeprefix("pipe_")},
    ),
    U.program(
        "a customer keeps what it had",
        "metadata of a customer that is replaced holds members of before",
        "metadata",
        _merged_customers,
    ),
    U.call(
        "a customer of another id",
        "the answer has the id in capitals, which is not the one that was put",
        "id",
        "body",
        PUT,
        lambda call, body: {**body, "id": body["id"].upper()},
    ),
    U.call(
        "a customer of nobody",
        "orgId is missing, which the contract requires",
        "orgId",
        "body",
        PUT,
        lambda call, body: {name: value for name, value in body.items() if name != "orgId"},
    ),
]
