"""The records of a connection's lists, as bytes ready to be sent; below, what breaks a sound record, by defect."""

from __future__ import annotations

import base64
import functools
import re
from collections.abc import Callable, Sequence
from html import escape
from typing import Any

import msgspec

from explorer.sandbox.connections import Connection
from explorer.sandbox.defects import BY_ID, EVERY
from explorer.sandbox.draw import Draw
from explorer.sandbox.mapping import mapped
from explorer.sandbox.resources import MODELS, VERTICAL
from explorer.sandbox.thirdparty import ats, crm, file_storage, sales_engagement
from explorer.sandbox.thirdparty.shape import Shape

Json = dict[str, Any]

SHAPES: dict[tuple[str, str], Shape] = {
    (shape.resource, shape.party): shape
    for vertical in (ats, crm, file_storage, sales_engagement)
    for shape in vertical.SHAPES
}
"""What has a form of its own; all else is drawn from its model alone."""
_TEMPLATES = 250
"""A multiple of the folder step, so that a folder's template is used for folders only."""
_KEPT = 8_000
"""Records kept: all of one connection that is not large, in some 12 MB. The same come in pages of several sizes and on
connections that differ by a defect."""


@functools.cache
def shape_of(resource: str, party: str) -> Shape:
    """How a third party keeps a resource."""
    return SHAPES.get((resource, party)) or Shape(resource, party, MODELS[resource])


def unified(shape: Shape, raw: Json) -> Json:
    """The unified record of a raw one, the raw one included."""
    return {**mapped(raw, shape.mapping), "raw_data": raw}


class Records:
    """Makes records for a seed. Templates are kept, and of the other records those that were made last."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._encoded = functools.lru_cache(_KEPT)(self._encode)
        self._templates: dict[tuple[str, str, int], tuple[bytes, tuple[bytes, ...]]] = {}

    def raw(self, shape: Shape, number: int) -> Json:
        """The raw record with a number."""
        return shape.raw(Draw(self._seed, shape.party, shape.resource, number), number)

    def rows(self, connection: Connection, resource: str, numbers: Sequence[int]) -> list[bytes]:
        """The records with these numbers, each as the bytes of its JSON."""
        shape = shape_of(resource, connection.parties[VERTICAL[resource]])
        if connection.templated:
            return [self._refilled(shape, number) for number in numbers]
        if not connection.defects:
            return [self._encoded(shape.resource, shape.party, number) for number in numbers]
        return [self._spoiled(connection, shape, number) for number in numbers]

    def _encode(self, resource: str, party: str, number: int) -> bytes:
        shape = shape_of(resource, party)
        return msgspec.json.encode(unified(shape, self.raw(shape, number)))

    def _record(self, shape: Shape, number: int) -> Json:
        """A record of the caller's own, to be spoiled: its raw one shares nothing with it."""
        record: Json = msgspec.json.decode(self._encoded(shape.resource, shape.party, number))
        return record

    def _spoiled(self, connection: Connection, shape: Shape, number: int) -> bytes:
        record = self._record(shape, number)
        for defect, field in OF_BEFORE.items():
            if (
                defect in connection.defects
                and BY_ID[defect].resource == shape.resource
                and shows_in(defect, number)
            ):
                record[field] = self._record(shape, number - 1)[field]
        return spoiled(connection.defects, shape.resource, number, record)

    def _refilled(self, shape: Shape, number: int) -> bytes:
        key = (shape.resource, shape.party, number % _TEMPLATES)
        found = self._templates.get(key)
        if found is None:
            row = self._encode(*key)
            found = row, tuple(text.encode() for text in shape.texts(key[2]))
            self._templates[key] = found
        row, before = found
        for old, new in zip(before, shape.texts(number), strict=True):
            row = row.replace(old, new.encode())
        return row


Change = Callable[[Json, int], Any]


def _set(name: str, value: Any) -> Change:
    return lambda record, number: {**record, name: value}


def _without(name: str) -> Change:
    return lambda record, number: {key: value for key, value in record.items() if key != name}


def _departments(first_parent: str, second_parent: str | None) -> Change:
    def change(record: Json, number: int) -> Json:
        pair: list[Json] = [
            {"id": "900001", "name": "Left", "parent_id": first_parent, "child_ids": []},
            {"id": "900002", "name": "Right", "parent_id": second_parent, "child_ids": []},
        ]
        return {**record, "departments": [{k: v for k, v in one.items() if v is not None} for one in pair]}

    return change


def _digits_lost(record: Json, number: int) -> Json:
    exact = 12_345_678_901_234_567_890 + number
    return {**record, "id": str(exact), "raw_data": {**record["raw_data"], "id": float(exact)}}


def _rounded(record: Json, number: int) -> Json:
    raw = {**record["raw_data"], "size": "9007199254740993"}
    return {**record, "size": 9_007_199_254_740_992.0, "raw_data": raw}


def _earlier(record: Json, number: int) -> Json:
    return {**record, "modified_at": "2011-01-01T00:00:00.000Z"}


def _code_as_name(record: Json, number: int) -> Json:
    raw = record["raw_data"]
    return {**record, "name": raw.get("requisition_id") or raw.get("reqCode")}


def _extra(record: Json, number: int) -> Json:
    return {**record, "name ": "with a space", "nested": {"deep": [[[[1]]]]}, "": "no name at all"}


def _cut(record: Json, number: int) -> Json:
    return {**record, "name": str(record["name"])[:9]}


def _named_so(record: Json, name: str) -> Json:
    """The record with a name that the third party has as well."""
    raw = {key: name if value == record["name"] else value for key, value in record["raw_data"].items()}
    return {**record, "name": name, "raw_data": raw}


def _escaped_twice(record: Json, number: int) -> Json:
    made = _named_so(record, f"{record['name']} & Research <{number}>")
    return {**made, "name": escape(escape(made["name"]))}


def _wrongly_decoded(record: Json, number: int) -> Json:
    made = _named_so(record, f"Bücher für Zoë, {record['name']}")
    return {**made, "name": made["name"].encode().decode("latin-1")}


def _zone_dropped(record: Json, number: int) -> Json:
    return {**record, "modified_at": re.sub(r"(Z|[+-]\d\d:?\d\d)$", "", record["modified_at"])}


def _with_token(record: Json, number: int) -> Json:
    parts = [base64.urlsafe_b64encode(part).decode().rstrip("=") for part in _TOKEN]
    return {**record, "raw_data": {**record["raw_data"], "session": {"token": ".".join(parts)}}}


def _in_kilobytes(record: Json, number: int) -> Json:
    size, raw = record.get("size", 45_001), record["raw_data"]
    return {**record, "size": size / 1024, "raw_data": {**raw, "size": raw.get("size") or str(size)}}


_TOKEN = (
    b'{"alg":"HS256","typ":"JWT"}',
    b'{"sub":"nobody","scope":"jobs.read"}',
    b"signed by nobody at all, ever",
)
"""The parts of a token that opens nothing."""
_MARKUP = "<b onclick=alert(1)>Sales</b> <img src='file:///etc/hostname'>\u202eevil\u202c\u0000\u0007\r\n=1+1"

CHANGES: dict[str, Change] = {
    "job-confidential-text": _set("confidential", "yes"),
    "job-name-number": _set("name", 42),
    "job-departments-null": _set("departments", None),
    "job-created-at-zero": _set("created_at", "0000-00-00 00:00:00"),
    "job-created-at-epoch": _set("created_at", "1714979289123"),
    "job-modified-before-created": _earlier,
    "job-raw-data-missing": _without("raw_data"),
    "job-undeclared-field": _extra,
    "job-department-cycle": _departments("900002", "900001"),
    "job-department-dangling": _departments("no-such-department", None),
    "job-digits-lost": _digits_lost,
    "job-id-number": lambda record, number: {**record, "id": 77_000_000 + number},
    "job-id-missing": _without("id"),
    "job-item-null": lambda record, number: None,
    "job-item-text": lambda record, number: f"see job {number}",
    "job-name-empty": _set("name", ""),
    "job-name-markup": _set("name", _MARKUP),
    "job-wrong-mapping": _code_as_name,
    "job-name-cut": _cut,
    "job-name-escaped-twice": _escaped_twice,
    "job-zone-dropped": _zone_dropped,
    "job-token-in-raw-data": _with_token,
    "file-size-unit": _in_kilobytes,
    "file-mime-type-default": _set("mime_type", "application/octet-stream"),
    "file-name-wrong-charset": _wrongly_decoded,
    "job-recruiters-object": _set("recruiters", {"name": "Only One"}),
    "file-type-unknown": _set("type", "shortcut"),
    "file-size-text": _set("size", "12,345"),
    "file-size-negative": _set("size", -1),
    "file-size-rounded": _rounded,
    "file-export-formats-null": _set("export_formats", None),
    "file-permissions-text": _set("permissions", "download"),
    "file-downloadable-null": _set("downloadable", None),
    "file-updated-at-words": _set("updated_at", "yesterday"),
    "file-name-missing": _without("name"),
    "file-updated-at-day-first": _set("updated_at", "31/12/2024 23:59"),
    "file-long-value": _set("description", "long line " * 40_000),
    "drive-updated-at-empty": _set("updated_at", ""),
    "drive-name-null": _set("name", None),
    "drive-raw-data-text": lambda record, number: {
        **record,
        "raw_data": msgspec.json.encode(record["raw_data"]).decode(),
    },
    "mailbox-email-missing": _without("email"),
    "mailbox-email-malformed": _set("email", "not an address"),
    "mailbox-deleted-number": lambda record, number: {**record, "is_deleted": int(record["is_deleted"])},
    "mailbox-updated-at-local": _set("updated_at", "2024-05-06 07:08:09"),
    "sequence-state-null": _set("state", None),
    "sequence-mailbox-dangling": _set("mailbox_id", "mailbox-that-was"),
    "sequence-deleted-text": _set("is_deleted", "false"),
}
"""Defect to what it does to the record with a number."""

BYTE_CHANGES: dict[str, Callable[[bytes], bytes]] = {
    "job-duplicate-key": lambda row: b'{"name":"The first of two",' + row[1:],
    "job-nan": lambda row: b'{"score":NaN,' + row[1:],
    "job-lone-surrogate": lambda row: row.replace(b'"name":"', b'"name":"half \\ud83d of a pair ', 1),
}
"""Defect to what it does to the JSON text of a record."""

OF_BEFORE = {
    "file-same-id": "id",
    "job-raw-data-of-neighbour": "raw_data",
    "sequence-user-of-neighbour": "user_id",
}
"""Defect to the field that a record has from the one before it."""


def shows_in(defect: str, number: int) -> bool:
    """Whether a defect of single records shows in the record with a number."""
    slot = BY_ID[defect].slot
    if slot is None:
        return False
    return number % EVERY == slot if slot < EVERY else number == slot


def spoiled(defects: frozenset[str], resource: str, number: int, record: Json) -> bytes:
    """The bytes of a record after the defects that fall on it."""
    found: Any = record
    late: list[str] = []
    for defect in defects:
        if BY_ID[defect].resource != resource or not shows_in(defect, number):
            continue
        if defect in CHANGES:
            found = CHANGES[defect](record, number)
        elif defect in BYTE_CHANGES:
            late.append(defect)
    text = msgspec.json.encode(found)
    for defect in late:
        text = BYTE_CHANGES[defect](text)
    return text
