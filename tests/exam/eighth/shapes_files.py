"""Team folders and their files as WorkDrive has them: attributes of resources, dates and sizes twice."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from tests.exam import words

Row = dict[str, Any]
KINDS = {
    "pdf": ("pdf", "application/pdf", ()),
    "docx": ("writer", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", ()),
    "zdoc": ("writer", "application/vnd.zoho.writer", ("docx", "odt", "pdf")),
    "zsheet": ("spreadsheet", "application/vnd.zoho.sheet", ("xlsx", "csv")),
    "png": ("image", "image/png", ()),
    "MP4": ("video", "video/mp4", ()),
    "csv": ("text", "text/csv", ()),
    "JPG": ("image", "image/jpeg", ()),
}
FOLDERS = (
    "Entwürfe",
    "2024 Q1",
    "v1.2",
    "契約書",
    "Final (do not edit)",
    "R&D",
    "Photos 100%",
    "archive.old",
)
STEMS = (
    "Offer",
    "Plan v2.1",
    "Bericht_März",
    "Logo",
    "rate card",
    "会議メモ",
    "A#1 list",
    "summary",
    "Čeština",
)


def moment(value: int | None) -> str | None:
    """The milliseconds as text."""
    return (
        None if value is None else words.iso(datetime.fromtimestamp(0, UTC) + timedelta(milliseconds=value))
    )


def drive(raw: Row) -> Row:
    """The unified record of this team folder."""
    said = raw["attributes"]
    return {
        "id": raw["id"],
        "name": said["name"],
        "description": said["description"],
        "updated_at": moment(said["modified_time_in_millisecond"]),
        "created_at": moment(said["created_time_in_millisecond"]),
        "raw_data": raw,
    }


def file(raw: Row) -> Row:
    """The unified record of this resource."""
    said = raw["attributes"]
    can, folder = said["capabilities"]["can_download"], said["is_folder"]
    return {
        "id": raw["id"],
        "name": said["name"],
        "description": said["description"],
        "type": "folder" if folder else "file",
        "path": said["path"],
        "mime_type": said["mime_type"],
        "downloadable": can and not folder,
        "size": None if folder else said["storage_info"]["size_in_bytes"],
        "permissions": {"download": can},
        "exportable": bool(said["supported_export_formats"]),
        "export_formats": list(said["supported_export_formats"]),
        "updated_at": moment(said["modified_time_in_millisecond"]),
        "created_at": moment(said["created_time_in_millisecond"]),
        "raw_data": raw,
    }


def lists(seed: int) -> tuple[list[Row], list[Row]]:
    """What the connector gives: drives and files."""
    rng = Random(f"{seed}:workdrive")
    drives = [_drive(rng, number) for number in range(9)]
    files: list[Row] = []
    for one in drives:
        folders = [_item(rng, one, None, name) for name in words.few(rng, FOLDERS, 3, 5)]
        inner = [_item(rng, one, rng.choice(folders), f"{rng.choice(STEMS)} {n}") for n in range(3)]
        files += [*folders, *inner]
        for number in range(rng.randrange(20, 36)):
            files.append(_item(rng, one, rng.choice((None, *folders, *inner)), number=number))
    rng.shuffle(files)
    return [drive(one) for one in drives], [file(one) for one in files]


def shown(at: datetime) -> str:
    """A moment as people read it."""
    return f"{at:%b} {at.day}, {at:%Y}, {at:%I:%M %p}"


def human(size: int) -> str:
    """A size as people read it."""
    for unit, factor in (("GB", 1024**3), ("MB", 1024**2), ("KB", 1024)):
        if size >= factor:
            return f"{size / factor:.1f} {unit}"
    return f"{size} bytes"


def _dates(rng: Random, last: int = 2024) -> Row:
    created = words.moment(rng, 2020, last)
    modified = words.later(rng, created, 400)
    return {
        "created_time": shown(created),
        "created_time_in_millisecond": words.millis(created),
        "modified_time": shown(modified),
        "modified_time_in_millisecond": words.millis(modified),
        "created_by": f"{rng.choice(words.GIVEN)} {rng.choice(words.FAMILY)}",
    }


def _id(rng: Random) -> str:
    return words.token(rng, 37, "abcdefghijklmnopqrstuvwxyz0123456789")


def _drive(rng: Random, number: int) -> Row:
    said = {
        "name": f"{rng.choice(words.DEPARTMENTS)} {number + 1}",
        "description": words.often(rng, 0.6, words.text(rng, 2)),
        **_dates(rng, 2022),
        "is_public_within_team": rng.random() < 0.3,
        "status": 1,
    }
    one = _id(rng)
    return {"id": one, "type": "teamfolders", "attributes": said, "links": _links(f"teamfolders/{one}")}


def _links(path: str) -> Row:
    return {"self": f"https://www.workdrive.example/api/v1/{path}"}


def _item(rng: Random, within: Row, parent: Row | None, folder: str = "", number: int = 0) -> Row:
    extension = "" if folder else rng.choice(tuple(KINDS))
    kind, mime, formats = KINDS[extension] if extension else ("folder", None, ())
    name = folder or f"{rng.choice(STEMS)} {number}.{extension}"
    size = rng.choice(
        (0, 512, rng.randrange(2000), rng.randrange(10**6), rng.randrange(10**8), 3 * 1024**3 + 17)
    )
    above = parent["attributes"]["path"] if parent else f"/{within['attributes']['name']}"
    one, dates = _id(rng), _dates(rng)
    opened = words.later(rng, words.parsed("2025-01-02T00:00:00+00:00"), 90)
    if rng.random() < 0.06:
        dates |= {"created_time": None, "created_time_in_millisecond": None}
    said = {
        "name": name,
        "extn": extension or None,
        "type": kind,
        "is_folder": bool(folder),
        "mime_type": mime,
        "description": words.often(rng, 0.3, words.text(rng, 2)),
        "path": f"{above}/{name}",
        **dates,
        "opened_time_in_millisecond": words.often(rng, 0.5, words.millis(opened)),
        "storage_info": {
            "size": None if folder else human(size),
            "size_in_bytes": None if folder else size,
            "files_count": rng.randrange(9) if folder else 0,
        },
        "capabilities": {
            "can_read": True,
            "can_edit": rng.random() < 0.5,
            "can_download": rng.random() < 0.8,
            "can_share": rng.random() < 0.5,
        },
        "supported_export_formats": list(formats),
        "shortcut_info": None,
        "parent_id": parent["id"] if parent else within["id"],
        "library_id": within["id"],
        "permalink": f"https://workdrive.example/file/{one}",
        "status": 1,
    }
    return {"id": one, "type": "files", "attributes": said, "links": _links(f"files/{one}")}
