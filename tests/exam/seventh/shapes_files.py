"""Files as Box has them: items with the way to them in a list, zones in their dates, web links among them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from random import Random
from typing import Any

from tests.exam import words

Row = dict[str, Any]
COUNT, DRIVES = 420, 12
ROOT = {"type": "folder", "id": "0", "sequence_id": None, "etag": None, "name": "All Files"}
KINDS = {"file": "file", "folder": "folder", "web_link": "url"}
MIMES = {
    "pdf": "application/pdf",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "png": "image/png",
    "csv": "text/csv",
    "mp4": "video/mp4",
}
FORMATS = {"pdf": "application/pdf", "extracted_text": "text/plain", "jpg": "image/jpeg"}
MADE = {"docx": ("pdf", "extracted_text"), "pdf": ("extracted_text", "jpg"), "png": ("jpg",)}
"""Representations that are made of a file with this ending."""
ZONES = (-8, -7, 0, 1, 2, 5.5, 9, 5.75)
NAMES = (
    "Offer",
    "Angebot Größe",
    "facture n° ",
    "レポート",
    "résumé",
    "план",
    "a & b",
    "scan",
    "100% Ökostrom",
    "q1.final",
)


def zoned(rng: Random, at: datetime) -> str:
    """A moment in one of the zones that people live in."""
    zone = timezone(timedelta(hours=rng.choice(ZONES)))
    return at.astimezone(zone).isoformat(timespec="seconds")


def utc(text: str | None) -> str | None:
    """The same moment in UTC."""
    if text is None:
        return None
    return datetime.fromisoformat(text).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def file(raw: Row) -> Row:
    """The unified record of this item."""
    may = bool((raw.get("permissions") or {}).get("can_download"))
    formats = [FORMATS[one["representation"]] for one in raw.get("representations", {}).get("entries", ())]
    steps = [one["name"] for one in raw["path_collection"]["entries"][1:]]
    return {
        "id": raw["id"],
        "name": raw["name"],
        "description": raw["description"],
        "type": KINDS[raw["type"]],
        "path": "/" + "/".join((*steps, raw["name"])),
        "mime_type": MIMES[raw["extension"].lower()] if raw["type"] == "file" else None,
        "downloadable": raw["type"] == "file" and may,
        "size": raw.get("size"),
        "permissions": {"download": may},
        "exportable": bool(formats),
        "export_formats": formats,
        "updated_at": utc(raw["modified_at"]),
        "created_at": utc(raw["created_at"]),
        "raw_data": raw,
    }


def drive(raw: Row) -> Row:
    """The unified record of this folder below the root."""
    return {
        "id": raw["id"],
        "name": raw["name"],
        "description": raw["description"],
        "updated_at": utc(raw["modified_at"]),
        "created_at": utc(raw["created_at"]),
        "raw_data": raw,
    }


def lists(seed: int) -> tuple[list[Row], list[Row]]:
    """Drives, and what stands in them."""
    rng = Random(f"{seed}:box")
    people = [_person(rng, number) for number in range(9)]
    tops = [_item(rng, number, "folder", [dict(ROOT)], people) for number in range(DRIVES)]
    for number, one in enumerate(tops):
        one["name"] = f"{words.DEPARTMENTS[number]} {2015 + number}"
    items: list[Row] = []
    folders = list(tops)
    for number in range(DRIVES, DRIVES + COUNT):
        kind = "folder" if number < DRIVES * 3 else rng.choice(("file",) * 8 + ("folder", "web_link"))
        above = rng.choice(folders)
        way = [*above["path_collection"]["entries"], _mini(above)]
        one = _item(rng, number, kind, way if len(way) < 6 else way[:3], people)
        items.append(one)
        if kind == "folder":
            folders.append(one)
    rng.shuffle(items)
    return [drive(one) for one in tops], [file(one) for one in items]


def _person(rng: Random, number: int) -> Row:
    return {
        "type": "user",
        "id": str(22_790_000 + number),
        "name": " ".join(words.person(rng)),
        "login": words.email(rng, number),
    }


def _mini(one: Row) -> Row:
    return {name: one[name] for name in ("type", "id", "sequence_id", "etag", "name")}


def _item(rng: Random, number: int, kind: str, way: list[Row], people: list[Row]) -> Row:
    created = words.moment(rng, 2016, 2023)
    changed = words.later(rng, created, 600)
    ending = rng.choice(tuple(MIMES))
    stem = f"{rng.choice(NAMES)} {number}"
    raw: Row = {
        "type": kind,
        "id": str(1_204_500_000_000 + number * 7919),
        "sequence_id": "1",
        "etag": str(number % 5),
        "name": stem,
        "description": rng.choice(("", "", words.text(rng, 2))),
        "path_collection": {"total_count": len(way), "entries": [dict(one) for one in way]},
        "created_at": zoned(rng, created),
        "modified_at": zoned(rng, changed),
        "trashed_at": None,
        "created_by": rng.choice(people),
        "modified_by": rng.choice(people),
        "owned_by": rng.choice(people),
        "parent": dict(way[-1]),
        "item_status": "active",
        "shared_link": None,
        "tags": words.few(rng, ("approved", "draft", "2024"), 0, 2),
    }
    if kind == "web_link":
        return {**raw, "url": f"https://intranet.example/page/{number}?a=1&b=2"}
    may = rng.random() < 0.85
    raw["permissions"] = {"can_download": may, "can_preview": True, "can_upload": False, "can_share": True}
    raw["size"] = rng.choice((0, 17, rng.randrange(10**3, 10**6), rng.randrange(10**6, 10**10)))
    if rng.random() < 0.3:
        link = f"https://app.box.example/s/{words.token(rng, 16)}"
        raw["shared_link"] = {
            "url": link,
            "effective_access": "open",
            "is_password_enabled": False,
            "permissions": {"can_download": not may or rng.random() < 0.5, "can_preview": True},
        }
    if kind == "folder":
        return {**raw, "has_collaborations": rng.random() < 0.3}
    loud = rng.random() < 0.15
    raw["extension"] = ending.upper() if loud else ending
    raw["name"] = f"{stem}.{raw['extension']}"
    raw["sha1"] = words.token(rng, 40, "0123456789abcdef")
    raw["content_created_at"] = zoned(rng, words.moment(rng, 2014, 2015))
    raw["representations"] = {"entries": [{"representation": one} for one in MADE.get(ending, ())]}
    return raw


def guessed(name: str) -> str:
    """What a careless connector takes the type for: by all that follows the first point of a name."""
    return MIMES.get(name.partition(".")[2].lower(), "application/octet-stream")
