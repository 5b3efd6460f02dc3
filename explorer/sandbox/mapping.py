"""The true mapping from each third party's raw record to the unified one, as data.

The sandbox writes raw records by these tables and makes the unified ones of them, so the tables are true by
construction and whatever guesses a mapping can be measured against them. A raw path is a JSON pointer
(RFC 6901), because third parties put dots and `@` into their keys.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from explorer.catalog.fields import Field, fields_of
from explorer.sandbox.conversions import CONVERSIONS, MISSING

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Source:
    """Where a unified field comes from.

    Attributes:
        path: JSON pointer into the raw record; the empty pointer is the record itself.
        how: a name in `CONVERSIONS`.
        each: for arrays of records, the mapping of one entry.
        with_raw: whether an entry's raw form goes along as its `raw_data`.
    """

    path: str
    how: str = "same"
    each: Mapping[str, Source] | None = None
    with_raw: bool = True


@functools.cache
def _steps(pointer: str) -> tuple[str, ...]:
    return tuple(step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:])


def at(raw: Any, pointer: str) -> Any:
    """The value at a JSON pointer, or `MISSING`."""
    value = raw
    for name in _steps(pointer):
        if isinstance(value, dict):
            value = value.get(name, MISSING)
        elif isinstance(value, list) and name.isdigit() and int(name) < len(value):
            value = value[int(name)]
        else:
            return MISSING
    return value


def put(raw: Json, pointer: str, value: Any) -> None:
    """Puts a value at a JSON pointer and makes the objects on its way; what is an array or object there grows by it."""
    inner: Any = raw
    *way, last = _steps(pointer) or ("",)
    for name in way:
        inner = inner[int(name)] if isinstance(inner, list) else inner.setdefault(name, {})
    before = inner.get(last) if pointer else raw
    if isinstance(before, dict) and isinstance(value, dict):
        before |= value
    else:
        inner[last] = before + value if isinstance(before, list) else value


def plain_mapping(model: type[BaseModel]) -> dict[str, Source]:
    """That of a third party of no form of its own: every field in camel case, null where it is left out."""
    return {one.name: _plain_source(one) for one in fields_of(model) if not one.is_raw}


def _plain_source(field: Field) -> Source:
    first, *rest = field.name.split("_")
    path = "/" + first + "".join(part.title() for part in rest)
    if field.kind == "array" and field.model is not None:
        raw = any(one.is_raw for one in fields_of(field.model))
        return Source(path, each=plain_mapping(field.model), with_raw=raw)
    how = {"id": "text", "date": "iso"}.get(field.kind, "same" if field.nullable else "present")
    return Source(path, "texts" if field.name.endswith("_ids") else how)


def mapped(raw: Json, mapping: Mapping[str, Source]) -> Json:
    """The unified fields that a mapping makes of a raw record; a field is absent where the raw value is."""
    record: Json = {}
    for name, source in mapping.items():
        value = at(raw, source.path)
        if value is MISSING:
            continue
        if source.each is not None:
            own = [{"raw_data": entry} if source.with_raw else {} for entry in value or []]
            value = [mapped(entry, source.each) | raw for entry, raw in zip(value or [], own, strict=True)]
        else:
            value = CONVERSIONS[source.how].read(value)
        if value is not MISSING:
            record[name] = value
    return record


_S = Source

_GREENHOUSE_DEPARTMENT = {
    "id": _S("/id", "text"),
    "name": _S("/name"),
    "parent_id": _S("/parent_id", "text"),
    "parent_department_external_id": _S("/parent_department_external_id", "text"),
    "child_ids": _S("/child_ids", "texts"),
    "child_department_external_ids": _S("/child_department_external_ids", "texts"),
}
_ASHBY_DEPARTMENT = {
    "id": _S("/id"),
    "name": _S("/name"),
    "parent_id": _S("/parentId", "present"),
    "created_at": _S("/createdAt", "milliseconds with offset"),
    "modified_at": _S("/updatedAt", "milliseconds with offset"),
    "child_ids": _S("/childIds"),
}
_LEVER_DEPARTMENT = {"id": _S("/id"), "name": _S("/text"), "parent_id": _S("/parent", "present")}

MAPPINGS: dict[tuple[str, str], dict[str, Source]] = {
    ("job", "greenhouse"): {
        "id": _S("/id", "text"),
        "created_at": _S("/created_at", "iso"),
        "modified_at": _S("/updated_at", "iso"),
        "name": _S("/name"),
        "confidential": _S("/confidential"),
        "departments": _S("/departments", each=_GREENHOUSE_DEPARTMENT),
        "offices": _S("/offices"),
        "hiring_managers": _S("/hiring_team/hiring_managers"),
        "recruiters": _S("/hiring_team/recruiters"),
    },
    ("job", "lever"): {
        "id": _S("/id"),
        "created_at": _S("/createdAt", "epoch milliseconds"),
        "modified_at": _S("/updatedAt", "epoch milliseconds"),
        "name": _S("/text"),
        "confidential": _S("/confidentiality", "equals confidential"),
        "departments": _S("/departmentTree", each=_LEVER_DEPARTMENT),
        "offices": _S("/categories/allLocations"),
        "hiring_managers": _S("/hiringManager", "one"),
        "recruiters": _S("/owner", "one"),
    },
    ("job", "ashby"): {
        "id": _S("/id"),
        "created_at": _S("/createdAt", "milliseconds with offset"),
        "modified_at": _S("/updatedAt", "milliseconds with offset"),
        "name": _S("/title"),
        "confidential": _S("/confidential"),
        "departments": _S("/departments", each=_ASHBY_DEPARTMENT),
        "offices": _S("/location", "one"),
        "hiring_managers": _S("/hiringTeam", "ashby managers"),
        "recruiters": _S("/hiringTeam", "ashby recruiters"),
    },
    ("file", "google-drive"): {
        "id": _S("/id"),
        "name": _S("/name"),
        "description": _S("/description"),
        "type": _S("/mimeType", "google type"),
        "path": _S("/folderNames", "google folder path"),
        "mime_type": _S("/mimeType"),
        "downloadable": _S("/capabilities/canDownload"),
        "size": _S("/size", "number"),
        "permissions": _S("/capabilities/canDownload", "download allowed"),
        "exportable": _S("/exportLinks", "there"),
        "export_formats": _S("/exportLinks", "keys"),
        "updated_at": _S("/modifiedTime", "iso"),
        "created_at": _S("/createdTime", "iso"),
    },
    ("file", "sharepoint"): {
        "id": _S("/id"),
        "name": _S("/name"),
        "description": _S("/description", "present"),
        "type": _S("", "microsoft type"),
        "path": _S("/parentReference/path"),
        "mime_type": _S("/file/mimeType"),
        "downloadable": _S("/@microsoft.graph.downloadUrl", "there"),
        "size": _S("/size"),
        "permissions": _S("/@microsoft.graph.downloadUrl", "download allowed"),
        "updated_at": _S("/lastModifiedDateTime", "seconds"),
        "created_at": _S("/createdDateTime", "seconds"),
    },
    ("file", "box"): {
        "id": _S("/id"),
        "name": _S("/name"),
        "description": _S("/description", "present"),
        "type": _S("/type"),
        "path": _S("/path_collection/entries/1/name"),
        "downloadable": _S("/permissions/can_download"),
        "size": _S("/size"),
        "permissions": _S("/permissions/can_download", "download allowed"),
        "updated_at": _S("/modified_at", "zone"),
        "created_at": _S("/created_at", "zone"),
    },
    ("drive", "google-drive"): {
        "id": _S("/id"),
        "name": _S("/name"),
        "created_at": _S("/createdTime", "iso"),
    },
    ("drive", "sharepoint"): {
        "id": _S("/id"),
        "name": _S("/name"),
        "description": _S("/description", "present"),
        "updated_at": _S("/lastModifiedDateTime", "seconds"),
        "created_at": _S("/createdDateTime", "seconds"),
    },
    ("mailbox", "outreach"): {
        "id": _S("/id", "text"),
        "email": _S("/attributes/email"),
        "created_at": _S("/attributes/createdAt", "iso"),
        "updated_at": _S("/attributes/updatedAt", "iso"),
        "last_modified_at": _S("/attributes/updatedAt", "iso"),
        "user_id": _S("/relationships/user/data/id", "text"),
        "is_deleted": _S("/attributes/sendDisabled"),
    },
    ("mailbox", "salesloft"): {
        "id": _S("/id", "text"),
        "email": _S("/email_address"),
        "created_at": _S("/created_at", "microseconds"),
        "updated_at": _S("/updated_at", "microseconds"),
        "last_modified_at": _S("/updated_at", "microseconds"),
        "user_id": _S("/user/id", "text"),
        "is_deleted": _S("/disconnected"),
    },
    ("mailbox", "apollo"): {
        "id": _S("/id"),
        "email": _S("/email"),
        "created_at": _S("/created_at", "iso"),
        "updated_at": _S("/last_synced_at", "iso"),
        "last_modified_at": _S("/last_synced_at", "iso"),
        "user_id": _S("/user_id"),
        "is_deleted": _S("/active", "not"),
    },
    ("sequence_state", "outreach"): {
        "id": _S("/id", "text"),
        "state": _S("/attributes/state"),
        "created_at": _S("/attributes/createdAt", "iso"),
        "updated_at": _S("/attributes/updatedAt", "iso"),
        "last_modified_at": _S("/attributes/updatedAt", "iso"),
        "sequence_id": _S("/relationships/sequence/data/id", "text"),
        "contact_id": _S("/relationships/prospect/data/id", "text"),
        "mailbox_id": _S("/relationships/mailbox/data/id", "text"),
        "user_id": _S("/relationships/creator/data/id", "text"),
    },
    ("sequence_state", "salesloft"): {
        "id": _S("/id", "text"),
        "state": _S("/current_state"),
        "created_at": _S("/created_at", "microseconds"),
        "updated_at": _S("/updated_at", "microseconds"),
        "last_modified_at": _S("/updated_at", "microseconds"),
        "sequence_id": _S("/cadence/id", "text"),
        "contact_id": _S("/person/id", "text"),
        "user_id": _S("/user/id", "text"),
        "is_deleted": _S("/currently_on_cadence", "not"),
    },
    ("sequence_state", "apollo"): {
        "id": _S("/id"),
        "state": _S("/status"),
        "created_at": _S("/added_at", "iso"),
        "updated_at": _S("/updated_at", "iso"),
        "sequence_id": _S("/emailer_campaign_id"),
        "contact_id": _S("/contact_id"),
        "mailbox_id": _S("/send_email_from_email_account_id"),
        "user_id": _S("/added_by_user_id"),
    },
    ("account", "salesforce"): {
        "id": _S("/Id"),
        "updated_at": _S("/SystemModstamp", "offset without colon"),
        "name": _S("/Name"),
        "is_deleted": _S("/IsDeleted"),
        "website": _S("/Website"),
        "industry": _S("/Industry"),
        "number_of_employees": _S("/NumberOfEmployees"),
        "owner_id": _S("/OwnerId"),
        "created_at": _S("/CreatedDate", "offset without colon"),
        "description": _S("/Description"),
        "last_activity_at": _S("/LastActivityDate", "day"),
        "addresses": _S("", "salesforce addresses"),
        "phone_numbers": _S("", "salesforce phones"),
        "last_modified_at": _S("/LastModifiedDate", "offset without colon"),
    },
    ("account", "hubspot"): {
        "id": _S("/id"),
        "updated_at": _S("/updatedAt", "iso"),
        "name": _S("/properties/name"),
        "is_deleted": _S("/archived"),
        "website": _S("/properties/domain"),
        "industry": _S("/properties/industry"),
        "number_of_employees": _S("/properties/numberofemployees", "number or null"),
        "owner_id": _S("/properties/hubspot_owner_id"),
        "created_at": _S("/createdAt", "iso"),
        "description": _S("/properties/description"),
        "last_activity_at": _S("/properties/notes_last_updated", "iso"),
        "addresses": _S("/properties", "hubspot addresses"),
        "phone_numbers": _S("/properties", "hubspot phones"),
        "lifecycle_stage": _S("/properties/lifecyclestage", "lower case"),
        "last_modified_at": _S("/properties/hs_lastmodifieddate", "iso"),
    },
    ("contact", "salesforce"): {
        "id": _S("/Id"),
        "updated_at": _S("/SystemModstamp", "offset without colon"),
        "first_name": _S("/FirstName", "present"),
        "last_name": _S("/LastName", "present"),
        "email": _S("/Email", "present"),
        "phone": _S("/Phone", "present"),
    },
    ("contact", "hubspot"): {
        "id": _S("/id"),
        "updated_at": _S("/updatedAt", "iso"),
        "first_name": _S("/properties/firstname", "present"),
        "last_name": _S("/properties/lastname", "present"),
        "email": _S("/properties/email", "present"),
        "phone": _S("/properties/phone", "present"),
    },
}
"""(resource, third party) to unified field to its source. What is not listed the third party does not give."""
