"""Contacts, which are written, and accounts, which are read in batches (endpoints 1 to 4)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import msgspec
from starlette.responses import Response

from explorer.sandbox.calls import Call, ContactBook
from explorer.sandbox.conversions import MISSING
from explorer.sandbox.failures import as_json, refused
from explorer.sandbox.inputs import Input
from explorer.sandbox.mapping import mapped
from explorer.sandbox.records import SHAPES, unified
from explorer.sandbox.thirdparty.crm import WRITTEN, limited, new_contact, write_contact
from explorer.sandbox.thirdparty.shape import Shape

Json = dict[str, Any]

Written = tuple[Json, Json]
"""The unified fields that a request sets, and the third party's own."""


def _contacts(call: Call) -> Shape:
    return SHAPES["contact", call.party("crm")]


def create_contact(call: Call) -> Response:
    """Endpoint 1."""
    written = _written(call)
    return _answer(call, _created(call, written))


def update_contact(call: Call) -> Response:
    """Endpoint 2; an id that the third party does not have is its own 404."""
    written = _written(call)
    raw = _book(call).raw.get(call.path["id"])
    if raw is None:
        body = [{"errorCode": "NOT_FOUND", "message": "The requested resource does not exist"}]
        raise call.third_party("crm", 404, body)
    return _answer(call, _changed(call, raw, written))


def upsert_contact(call: Call) -> Response:
    """Endpoint 3: no match creates, one match updates, more are refused (observed)."""
    read = Input(call.given, call.procedure)
    on = read.inside("upsert_on")
    key, values = on.text("key", required=True), on.texts("values")
    written = _written(call, read)
    found = [raw for raw in _book(call).raw.values() if _matches(call, raw, key, values)]
    if len(found) > 1:
        message = f"{len(found)} contacts match {key}; expected one at most"
        raise refused(400, "BAD_REQUEST", message, call.procedure)
    return _answer(call, _changed(call, found[0], written) if found else _created(call, written))


def _written(call: Call, read: Input | None = None) -> Written:
    """What a request sets. None is required, each may be null (observed)."""
    read = read or Input(call.given, call.procedure)
    record = read.inside("record")
    written = {name: record.text(name, nullable=True) for name in WRITTEN}
    passthrough = record.mapping("passthrough_fields", nullable=True)
    read.done()
    call.able()
    fields = {name: value for name, value in written.items() if value is not MISSING}
    if "contact-phone-dropped" in call.reached.defects:
        fields.pop("phone", None)
    if "contact-plus-lost" in call.reached.defects and fields.get("email"):
        fields["email"] = fields["email"].replace("+", " ")
    if fields.get("email") and "@" not in fields["email"]:
        message = f"Email: invalid email address: {fields['email']}"
        raise call.third_party("crm", 400, [{"errorCode": "INVALID_EMAIL_ADDRESS", "message": message}])
    return fields, passthrough or {}


def _book(call: Call) -> ContactBook:
    """The contacts of the call's connection; the first ones are made when they are first needed."""
    books, connection, shape = call.sandbox.memory.contacts, call.reached, _contacts(call)
    if connection.id not in books:
        count = connection.sizes["contact"]
        made = [call.sandbox.records.raw(shape, number) for number in range(1, count + 1)]
        books[connection.id] = ContactBook({_id(shape, raw): raw for raw in made}, count + 1)
    return books[connection.id]


def _id(shape: Shape, raw: Json) -> str:
    return str(mapped(raw, shape.mapping)["id"])


def _created(call: Call, written: Written) -> Json:
    book, shape, now = _book(call), _contacts(call), datetime.now(UTC)
    raw = new_contact(shape, book.next_number, now)
    write_contact(shape, raw, *written, now)
    book.raw[_id(shape, raw)] = raw
    book.next_number += 1
    return raw


def _changed(call: Call, raw: Json, written: Written) -> Json:
    write_contact(_contacts(call), raw, *written, datetime.now(UTC))
    return raw


def _matches(call: Call, raw: Json, key: str, values: list[str]) -> bool:
    """Whether a contact has one of the values; e-mail addresses without regard to case, as CRMs have it."""
    found = mapped(raw, _contacts(call).mapping).get(key)
    if not isinstance(found, str):
        return False
    return found.casefold() in {value.casefold() for value in values} if key == "email" else found in values


def _answer(call: Call, raw: Json) -> Response:
    record = unified(_contacts(call), raw)
    return as_json(record if "contact-wrapper-missing" in call.reached.defects else {"record": record})


def batch_read_accounts(call: Call) -> Response:
    """Endpoint 4: a bare array in an order of its own; unknown ids are left out (contract 4.1, observed)."""
    read = Input(call.given, call.procedure)
    ids, properties = read.texts("ids"), read.texts("properties")
    read.done()
    call.able()
    shape = SHAPES["account", call.party("crm")]
    total = call.reached.sizes["account"]
    asked = {shape.number(ident) for ident in ids}
    numbers = sorted(
        (number for number in asked if number is not None and 1 <= number <= total), key=_own_order
    )
    defects = call.reached.defects
    if "account-extra" in defects:
        numbers.append(next((number for number in range(1, total + 1) if number not in numbers), 1))
    if "account-double" in defects:
        numbers += numbers[:1]
    rows = []
    for number in numbers:
        raw = call.sandbox.records.raw(shape, number)
        if "account-properties-ignored" not in defects:
            raw = limited(shape.party, raw, properties)
        rows.append(_account_spoiled(defects, number, unified(shape, raw)))
    return Response(msgspec.json.encode(rows), media_type="application/json")


def _own_order(number: int) -> int:
    return number * 7919 % 10_007


def _account_spoiled(defects: frozenset[str], number: int, record: Json) -> Json:
    remainder = number % 5
    if remainder == 0 and "account-updated-at-missing" in defects:
        record.pop("updated_at")
    if remainder == 1 and "account-lifecycle-unknown" in defects:
        record["lifecycle_stage"] = "zombie"
    if remainder == 2 and "account-employees-text" in defects:
        record["number_of_employees"] = "1,000-5,000"
    if remainder == 3 and "account-addresses-object" in defects:
        record["addresses"] = {"city": "Berlin"}
    return record
