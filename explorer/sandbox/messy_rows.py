"""The defects of single records: each is a function that breaks a sound record."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from html import escape
from typing import Any

import msgspec

from explorer.sandbox.defects import BY_ID, EVERY

Json = dict[str, Any]
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
