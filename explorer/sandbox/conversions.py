"""How a raw value becomes a unified one, and how the raw one is written: named pairs that the mapping refers to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

from explorer.sandbox.draw import iso

Json = dict[str, Any]


class Missing:
    """Marks a value that is not there, which is another thing than null. It counts as false."""

    def __bool__(self) -> bool:
        return False


MISSING = Missing()


def _same(value: Any) -> Any:
    return value


@dataclass(frozen=True, slots=True)
class Conversion:
    """One way from a raw value to a unified one and back.

    Attributes:
        read: makes the unified value; a result of MISSING leaves the field out.
        write: makes the raw value of a drawn one, where dates are moments; None where other raw fields tell it.
    """

    read: Callable[[Any], Any]
    write: Callable[[Any], Any] | None = _same


def _unless_null(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: MISSING if value is None else read(value)


def _epoch_read(value: int) -> str:
    return iso(datetime.fromtimestamp(value // 1000, UTC).replace(microsecond=value % 1000 * 1000))


def _date(write: Callable[[datetime], Any]) -> Conversion:
    """A date with its zone written in some way of ISO 8601, which becomes one in UTC with milliseconds."""
    return Conversion(
        lambda value: None if value is None else iso(datetime.fromisoformat(value).astimezone(UTC)), write
    )


def _google_type(value: Any) -> str:
    if value == "application/vnd.google-apps.folder":
        return "folder"
    return "url" if value == "application/vnd.google-apps.shortcut" else "file"


def _microsoft_type(value: Any) -> str:
    if "folder" in value:
        return "folder"
    return "url" if str(value.get("name", "")).endswith(".url") else "file"


def _flat(kinds: dict[str, dict[str, str]], type_field: str) -> Conversion:
    """A list of small objects from flat properties: kind to unified field to the property's name, and back."""
    properties = [name for names in kinds.values() for name in names.values()]

    def read(value: Json) -> Any:
        found = []
        for kind, names in kinds.items():
            parts = {field: value[name] for field, name in names.items() if value.get(name)}
            if parts:
                found.append({type_field: kind, **parts})
        return found if found or any(name in value for name in properties) else MISSING

    def write(entries: list[Json]) -> Json:
        made: Json = dict.fromkeys(properties)
        for names, entry in zip(kinds.values(), entries, strict=False):
            made |= {name: entry.get(field) for field, name in names.items()}
        return made

    return Conversion(read, write)


def _salesforce_address(prefix: str) -> dict[str, str]:
    parts = {"street_1": "Street", "city": "City", "state": "State", "postal_code": "PostalCode"}
    return {field: prefix + name for field, name in {**parts, "country": "Country"}.items()}


_HUBSPOT_ADDRESS = {"street_1": "address", "street_2": "address2", "city": "city", "state": "state"}
_HUBSPOT_ADDRESS |= {"postal_code": "zip", "country": "country"}


def _with_role(role: str) -> Conversion:
    """Those of a team that have a role."""
    return Conversion(
        lambda value: [entry for entry in value if entry["role"] == role],
        lambda entries: [{"role": role, **entry} for entry in entries],
    )


CONVERSIONS: dict[str, Conversion] = {
    "same": Conversion(_same),
    "present": Conversion(_unless_null(_same)),
    "text": Conversion(_unless_null(str)),
    "texts": Conversion(_unless_null(lambda value: [str(entry) for entry in value])),
    "number": Conversion(_unless_null(int), str),
    "number or null": Conversion(lambda value: None if value in (None, "") else int(value), str),
    "one": Conversion(_unless_null(lambda value: [value]), lambda entries: entries[0] if entries else None),
    "not": Conversion(lambda value: not value, lambda value: not value),
    "there": Conversion(lambda value: value is not None, None),
    "keys": Conversion(sorted, None),
    "lower case": Conversion(lambda value: None if value is None else value.lower()),
    "iso": Conversion(_same, iso),
    "epoch milliseconds": Conversion(
        _unless_null(_epoch_read), lambda moment: int(moment.timestamp()) * 1000 + moment.microsecond // 1000
    ),
    "seconds": _date(lambda moment: f"{moment:%Y-%m-%dT%H:%M:%S}Z"),
    "milliseconds with offset": _date(lambda moment: iso(moment).replace("Z", "+00:00")),
    "microseconds": _date(lambda moment: moment.isoformat(timespec="microseconds")),
    "zone": _date(
        lambda moment: moment.astimezone(timezone(timedelta(hours=-7))).isoformat(timespec="seconds")
    ),
    "offset without colon": _date(lambda moment: f"{moment:%Y-%m-%dT%H:%M:%S}.000+0000"),
    "day": Conversion(
        lambda value: None if value is None else f"{value}T00:00:00.000Z", lambda moment: f"{moment:%Y-%m-%d}"
    ),
    "equals confidential": Conversion(
        lambda value: value == "confidential", lambda value: "confidential" if value else "non-confidential"
    ),
    "google type": Conversion(_google_type, None),
    "microsoft type": Conversion(_microsoft_type, None),
    "google folder path": Conversion(
        lambda value: "/" + "/".join(value), lambda path: [part for part in path.split("/") if part]
    ),
    "download allowed": Conversion(lambda value: {"download": bool(value)}, None),
    "ashby managers": _with_role("Hiring Manager"),
    "ashby recruiters": _with_role("Recruiter"),
    "salesforce addresses": _flat(
        {"billing": _salesforce_address("Billing"), "shipping": _salesforce_address("Shipping")},
        "address_type",
    ),
    "salesforce phones": _flat(
        {"primary": {"phone_number": "Phone"}, "fax": {"phone_number": "Fax"}}, "phone_number_type"
    ),
    "hubspot addresses": _flat({"primary": _HUBSPOT_ADDRESS}, "address_type"),
    "hubspot phones": _flat({"primary": {"phone_number": "phone"}}, "phone_number_type"),
}
"""Name of a conversion to the pair of functions."""
