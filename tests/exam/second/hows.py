"""How these connectors make unified values: further names in the table of the mapping."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from tests.exam.mapping import HOW, STAGES, Json, made
from tests.exam.words import iso

MIME_TYPES = {
    "pdf": "application/pdf",
    "png": "image/png",
    "jpg": "image/jpeg",
    "csv": "text/csv",
    "txt": "text/plain",
    "zip": "application/zip",
    "mp4": "video/mp4",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
BOX_TYPES = {"file": "file", "folder": "folder", "web_link": "url"}
PHONE_TYPES = {"work": "primary", "mobile": "mobile", "home": "other", "other": "other", "fax": "fax"}
INDUSTRY, EMPLOYEES, STAGE = 100764, 100765, 100766
"""The ids that one organisation has given to its own fields in Copper."""


def instant(text: Any) -> str | None:
    """A date with any offset, in UTC."""
    return None if text is None else iso(datetime.fromisoformat(text).astimezone(UTC))


def _seconds(value: Any) -> str | None:
    return None if value is None else iso(datetime.fromtimestamp(value, UTC))


def _without_null(item: Json) -> Json:
    return {name: part for name, part in item.items() if part is not None}


def _office(city: Any, state: Any, country: Any, code: Any) -> list[Json]:
    item = _without_null({"city": city, "state": state, "country": country, "postal_code": code})
    return [item] if item else []


def _related(relation: str, make: Callable[[Json], Json]) -> Callable[[Any], list[Json]]:
    """The resources that a relationship of a JSON:API document points to."""

    def gather(raw: Any) -> list[Json]:
        data = raw["relationships"][relation]["data"]
        wanted = data if isinstance(data, list) else [data] if data else []
        known = {(one["type"], one["id"]): one for one in raw["included"]}
        return [_without_null(make(known[one["type"], one["id"]])) for one in wanted]

    return gather


def _department(one: Json) -> Json:
    attributes = one["attributes"]
    dates = {
        "created_at": instant(attributes["created-at"]),
        "modified_at": instant(attributes["updated-at"]),
    }
    return {"id": one["id"], "name": attributes["name"], **dates, "raw_data": one}


def _location(one: Json) -> Json:
    attributes = one["attributes"]
    names = {"id": one["id"], "name": attributes["name"], "city": attributes["city"]}
    return {**names, "postal_code": attributes["zip"], "country": attributes["country"]}


def _user(one: Json) -> Json:
    return {"id": one["id"], "name": one["attributes"]["name"], "email": one["attributes"]["email"]}


def _box_path(parents: Any, name: Any) -> str:
    return "".join(f"/{one['name']}" for one in parents["entries"]) + f"/{name}"


def _mime_type(tag: Any, name: Any) -> str | None:
    return MIME_TYPES.get(str(name).rpartition(".")[2].lower()) if tag == "file" else None


def _custom(number: int, make: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def find(fields: Any) -> Any:
        values = [one["value"] for one in fields if one["custom_field_definition_id"] == number]
        return make(values[0]) if values and values[0] is not None else None

    return find


def _copper_address(address: Any) -> list[Json]:
    if not address or not any(address.values()):
        return []
    names = {"street": "street_1", "city": "city", "state": "state", "country": "country"}
    parts = {new: address[old] for old, new in {**names, "postal_code": "postal_code"}.items()}
    return [{"address_type": "primary", **_without_null(parts)}]


def _copper_phones(phones: Any) -> list[Json]:
    return [
        {"phone_number": one["number"], "phone_number_type": PHONE_TYPES[one["category"]]} for one in phones
    ]


HOW.update(
    {
        "in UTC": instant,
        "date of seconds": _seconds,
        "office of the job": _office,
        "related departments": _related("department", _department),
        "related locations": _related("locations", _location),
        "related managers": _related("managers", _user),
        "related recruiters": _related("user", _user),
        "unlisted": lambda status: status == "unlisted",
        "not true": lambda value: value is not True,
        "type of Box": BOX_TYPES.get,
        "path of Box": _box_path,
        "mime type of the ending": _mime_type,
        "formats to export to": lambda info: [] if info is None else list(info["export_options"]),
        "first address": lambda sites: sites[0]["url"] if sites else None,
        "own field: industry": _custom(INDUSTRY, str),
        "own field: employees": _custom(EMPLOYEES, lambda text: int(text.replace(".", ""))),
        "own field: stage": _custom(STAGE, STAGES.__getitem__),
        "address of Copper": _copper_address,
        "phones of Copper": _copper_phones,
    }
)
PERSON = (made("id", "id"), made("name", "name"), made("email", "email"))
