"""How a unified record is made from a raw one, written down as data: the field, the raw paths, and how.

A raw path names keys with `/` between them (some third parties have dots in their keys).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import unquote

from tests.exam.words import iso

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Made:
    """One unified field."""

    field: str
    paths: tuple[str, ...]
    how: str | tuple[Made, ...]
    """A name in HOW, or the mapping of each item when the path leads to an array (to one object: an array of one).

    Items lack the fields that would be null.
    """


def made(field: str, *paths: str, how: str | tuple[Made, ...] = "as it is") -> Made:
    return Made(field, paths, how)


def at(raw: Any, path: str) -> Any:
    """The value at this path, or None; the empty path is the whole."""
    for key in filter(None, path.split("/")):
        raw = raw.get(key) if isinstance(raw, Mapping) else None
    return raw


def unified(raw: Json, mapping: Sequence[Made]) -> Json:
    """The record that the mapping makes of this raw one."""
    return {one.field: _value(raw, one) for one in mapping}


def _value(raw: Json, one: Made) -> Any:
    values = [deepcopy(at(raw, path)) for path in one.paths]
    if isinstance(one.how, str):
        return HOW[one.how](*values)
    items = [
        entry
        for value in values
        for entry in (value if isinstance(value, list) else [value])
        if entry is not None
    ]
    return [
        {name: part for name, part in unified(item, one.how).items() if part is not None} for item in items
    ]


def _as_text(value: Any) -> str | None:
    return None if value is None else str(value)


def _texts(values: Any) -> list[str]:
    return [str(value) for value in values or ()]


def _milliseconds(value: Any) -> str | None:
    return None if value is None else iso(datetime.fromtimestamp(value / 1000, UTC))


def _zulu(value: Any) -> str | None:
    return None if value is None else str(value).replace("+0000", "Z")


def _midnight(value: Any) -> str | None:
    return None if value is None else f"{value}T00:00:00.000Z"


def _google_type(mime: Any) -> str:
    known = {"application/vnd.google-apps.folder": "folder", "application/vnd.google-apps.shortcut": "url"}
    return known.get(str(mime), "file")


def _google_downloadable(can: Any, mime: Any) -> bool:
    return bool(can) and not str(mime).startswith("application/vnd.google-apps.")


def _graph_path(parent: Any, name: Any) -> str:
    return unquote(str(parent).partition("root:")[2]) + "/" + str(name)


STAGES = {
    "Subscriber": "subscriber",
    "Lead": "lead",
    "MQL": "marketingqualifiedlead",
    "SQL": "salesqualifiedlead",
    "Opportunity": "opportunity",
    "Customer": "customer",
    "Evangelist": "evangelist",
    "Other": "other",
}
OFFICE = ("wordprocessingml", "spreadsheetml", "presentationml", "msword")


def _salesforce_address(kind: str) -> Callable[..., Json | None]:
    def make(street: Any, city: Any, state: Any, code: Any, country: Any) -> Json | None:
        if not any((street, city, state, code, country)):
            return None
        first, _, second = str(street or "").partition("\n")
        parts = {"street_1": first, "street_2": second, "city": city, "state": state}
        rest = {"postal_code": code, "country": country}
        return {"address_type": kind} | {name: value for name, value in (parts | rest).items() if value}

    return make


def _addresses(*parts: Any) -> list[Json]:
    half = len(parts) // 2
    both = (_salesforce_address("billing")(*parts[:half]), _salesforce_address("shipping")(*parts[half:]))
    return [one for one in both if one]


def _phones(phone: Any, fax: Any) -> list[Json]:
    pairs = ((phone, "primary"), (fax, "fax"))
    return [{"phone_number": number, "phone_number_type": kind} for number, kind in pairs if number]


HOW: dict[str, Callable[..., Any]] = {
    "as it is": lambda value: value,
    "as text": _as_text,
    "as texts": _texts,
    "as a number": lambda value: None if value is None else int(value),
    "date of milliseconds": _milliseconds,
    "date with Z": _zulu,
    "midnight of the day": _midnight,
    "is confidential": lambda value: value == "confidential",
    "is there": lambda value: value is not None,
    "is true": lambda value: value is True,
    "never": lambda: False,
    "keys": lambda value: sorted(value or {}),
    "type by mime type": _google_type,
    "downloadable by right and mime type": _google_downloadable,
    "right to download": lambda value: {"download": value is True},
    "right by address": lambda value: {"download": value is not None},
    "folder by facet": lambda value: "file" if value is None else "folder",
    "path behind the root": _graph_path,
    "converts to PDF": lambda mime: any(part in str(mime) for part in OFFICE),
    "PDF if it converts": lambda mime: (
        ["application/pdf"] if any(part in str(mime) for part in OFFICE) else []
    ),
    "stage": lambda value: None if value is None else STAGES[value],
    "billing and shipping": _addresses,
    "phone and fax": _phones,
}
