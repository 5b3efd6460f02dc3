"""How a raw value becomes a unified one: the functions that the mapping refers to by name."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from explorer.sandbox.draw import iso


class Missing:
    """Marks a value that is not there, which is another thing than null. It counts as false."""

    def __bool__(self) -> bool:
        return False


MISSING = Missing()


def _present(value: Any) -> Any:
    return MISSING if value is None else value


def _text(value: Any) -> Any:
    return MISSING if value is None else str(value)


def _texts(value: Any) -> Any:
    return MISSING if value is None else [str(entry) for entry in value]


def _epoch(value: Any) -> Any:
    if value is None:
        return MISSING
    return iso(datetime.fromtimestamp(value // 1000, UTC).replace(microsecond=value % 1000 * 1000))


def _utc(value: Any) -> Any:
    if value is None:
        return None
    return iso(datetime.fromisoformat(value).astimezone(UTC))


def _google_type(value: Any) -> str:
    if value == "application/vnd.google-apps.folder":
        return "folder"
    return "url" if value == "application/vnd.google-apps.shortcut" else "file"


def _microsoft_type(value: Any) -> str:
    if "folder" in value:
        return "folder"
    return "url" if str(value.get("name", "")).endswith(".url") else "file"


def _salesforce_addresses(value: Any) -> Any:
    found = []
    for kind, name in (("billing", "Billing"), ("shipping", "Shipping")):
        parts = {
            "street_1": value.get(f"{name}Street"),
            "city": value.get(f"{name}City"),
            "state": value.get(f"{name}State"),
            "postal_code": value.get(f"{name}PostalCode"),
            "country": value.get(f"{name}Country"),
        }
        if any(parts.values()):
            found.append({"address_type": kind, **{key: text for key, text in parts.items() if text}})
    return found or _absent_unless(value, "BillingStreet", "ShippingStreet", "BillingCity", "ShippingCity")


def _hubspot_addresses(value: Any) -> Any:
    names = {
        "street_1": "address",
        "street_2": "address2",
        "city": "city",
        "state": "state",
        "postal_code": "zip",
        "country": "country",
    }
    parts = {unified: value[name] for unified, name in names.items() if value.get(name)}
    return [{"address_type": "primary", **parts}] if parts else _absent_unless(value, *names.values())


def _salesforce_phones(value: Any) -> Any:
    kinds = (("primary", "Phone"), ("fax", "Fax"))
    found = [{"phone_number": value[n], "phone_number_type": kind} for kind, n in kinds if value.get(n)]
    return found or _absent_unless(value, "Phone", "Fax")


def _hubspot_phones(value: Any) -> Any:
    found = [{"phone_number": value["phone"], "phone_number_type": "primary"}] if value.get("phone") else []
    return found or _absent_unless(value, "phone")


def _absent_unless(value: Any, *names: str) -> Any:
    return [] if any(name in value for name in names) else MISSING


CONVERSIONS: dict[str, Callable[[Any], Any]] = {
    "same": lambda value: value,
    "present": _present,
    "text": _text,
    "texts": _texts,
    "number": lambda value: MISSING if value is None else int(value),
    "number or null": lambda value: None if value in (None, "") else int(value),
    "epoch milliseconds": _epoch,
    "instant": _utc,
    "day": lambda value: None if value is None else f"{value}T00:00:00.000Z",
    "not": lambda value: not value,
    "there": lambda value: value is not None,
    "equals confidential": lambda value: value == "confidential",
    "keys": sorted,
    "lower case": lambda value: None if value is None else value.lower(),
    "google type": _google_type,
    "microsoft type": _microsoft_type,
    "google folder path": lambda value: "/" + "/".join(value),
    "download allowed": lambda value: {"download": bool(value)},
    "salesforce addresses": _salesforce_addresses,
    "salesforce phones": _salesforce_phones,
    "hubspot addresses": _hubspot_addresses,
    "hubspot phones": _hubspot_phones,
    "ashby managers": lambda value: [entry for entry in value if entry["role"] == "Hiring Manager"],
    "ashby recruiters": lambda value: [entry for entry in value if entry["role"] == "Recruiter"],
    "one": lambda value: MISSING if value is None else [value],
}
"""Name of a conversion to the function that makes the unified value; a result of MISSING leaves the field out."""
