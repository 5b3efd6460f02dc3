"""Files and top folders as Egnyte has them: one text for the path, moments for mail and in milliseconds."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime, parsedate_to_datetime
from random import Random
from typing import Any

from tests.exam import words

Row = dict[str, Any]
COUNT = 500
DRIVES = 24
MIMES = {
    "pdf": "application/pdf",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "png": "image/png",
    "txt": "text/plain",
    "csv": "text/csv",
    "mp4": "video/mp4",
    "zip": "application/zip",
}
STEMS = (
    "Budget 2024", "Ünterlagen", "report.final", "契約書", "Смета", "Q3 – offer (signed)", "a+b&c=d", "notes",
    "IMG_0042", "O'Neill CV", "100% done", "facture_n°12", "Übersicht v1.2", "тест", "minutes", "scan",
)  # fmt: skip
FOLDERS = ("Legal", "Kunden & Partner", "2023", "2024", "営業", "Архив", "Photos", "HR", "Invoices", "old")
RENDITIONS = ("pdf", "jpg", "text", "mp3")


def file(raw: Row) -> Row:
    """The unified record of this item."""
    may = raw["rights"]["download"]
    return {
        "id": raw["group_id"],
        "name": raw["name"],
        "description": raw["custom_metadata"]["doc.description"],
        "type": "folder" if raw["is_folder"] else "file",
        "path": raw["path"],
        "mime_type": raw["content_type"],
        "downloadable": may,
        "size": raw["size"],
        "permissions": {"download": may},
        "exportable": bool(raw["renditions"]),
        "export_formats": raw["renditions"],
        "updated_at": from_mail(raw["last_modified"]),
        "created_at": from_millis(raw["uploaded"]),
        "raw_data": raw,
    }


def drive(raw: Row) -> Row:
    """The unified record of this top folder."""
    return {
        "id": raw["folder_id"],
        "name": raw["name"],
        "description": raw["folder_description"],
        "updated_at": from_mail(raw["lastModified"]),
        "created_at": from_millis(raw["created"]),
        "raw_data": raw,
    }


def from_mail(text: str) -> str:
    """A moment as it stands in mail."""
    return words.iso_seconds(parsedate_to_datetime(text))


def from_millis(stamp: int) -> str:
    """Epoch milliseconds."""
    return words.iso(datetime.fromtimestamp(0, UTC) + timedelta(milliseconds=stamp))


def _mail(at: datetime) -> str:
    return format_datetime(at.replace(microsecond=0), usegmt=True)


def lists(seed: int) -> tuple[list[Row], list[Row]]:
    """What the connector gives: drives and files."""
    rng = Random(f"{seed}:egnyte")
    people = [
        {"username": words.email(rng, n).partition("@")[0], "name": " ".join(words.person(rng))}
        for n in range(20)
    ]
    roots = [_root(rng, n, people) for n in range(DRIVES)]
    folders = _folders(rng, roots)
    return [drive(one) for one in roots], [file(_raw(rng, n, people, folders)) for n in range(COUNT)]


def _folders(rng: Random, roots: list[Row]) -> list[tuple[str, str, str]]:
    """Path, own id and top folder of each folder; no two of one path."""
    made = [(one["path"], one["folder_id"], one["folder_id"]) for one in roots]
    for n in range(90):
        path, _, top = rng.choice([one for one in made if one[0].count("/") < 5])
        name = f"{rng.choice(FOLDERS)} {n}" if rng.random() < 0.5 else FOLDERS[n % len(FOLDERS)]
        if f"{path}/{name}" not in [one[0] for one in made]:
            made.append((f"{path}/{name}", words.guid(rng), top))
    return made


def _root(rng: Random, number: int, people: list[Row]) -> Row:
    created = words.moment(rng, 2015, 2020)
    name = f"{rng.choice(words.DEPARTMENTS)} {number}"
    return {
        "name": name,
        "path": f"/Shared/{name}",
        "folder_id": str(90_071_992_000 + number * 101),
        "is_folder": True,
        "folder_description": rng.choice(("", words.text(rng, 2))),
        "created": words.millis(created),
        "first_used": words.millis(words.later(rng, created, 40)),
        "lastModified": _mail(words.later(rng, created, 900)),
        "owner": rng.choice(people),
        "total_size": rng.randrange(10**6, 10**12),
        "restrict_move_delete": rng.random() < 0.5,
    }


def _raw(rng: Random, number: int, people: list[Row], folders: list[tuple[str, str, str]]) -> Row:
    uploaded = words.moment(rng, 2015, 2023)
    folder = rng.random() < 0.12
    extension = "" if folder else rng.choice(tuple(MIMES))
    within, parent, top = rng.choice(folders)
    name = rng.choice(STEMS) + (f" {number}" if number > 60 else f" ({number})")
    name = f"{name}.{extension}" if extension else name
    may = rng.random() < 0.75
    sizes = (0, 1, rng.randrange(10, 9999), rng.randrange(10**5, 10**8), rng.randrange(2**31, 2**40))
    return {
        "group_id": words.guid(rng),
        "entry_id": words.guid(rng),
        "parent_id": parent,
        "top_folder_id": top,
        "name": name,
        "path": f"{within}/{name}",
        "is_folder": folder,
        "extension": extension,
        "content_type": MIMES.get(extension),
        "size": 0 if folder else rng.choice(sizes),
        "checksum": None if folder else words.token(rng, 128, "0123456789abcdef"),
        "locked": rng.random() < 0.05,
        "num_versions": rng.randrange(1, 9),
        "uploaded": words.millis(uploaded),
        "last_modified": _mail(words.later(rng, uploaded, 500)),
        "uploaded_by": rng.choice(people)["username"],
        "rights": {
            "download": may,
            "preview": may or rng.random() < 0.5,
            "upload": rng.random() < 0.5,
            "delete": rng.random() < 0.3,
        },
        "renditions": [] if folder else words.few(rng, RENDITIONS, 0, 3),
        "custom_metadata": {
            "doc.description": rng.choice(("", "", "", words.text(rng, 3))),
            "doc.authored": words.millis(words.moment(rng, 2009, 2014)),
            "doc.status": rng.choice(("draft", "signed", "final")),
        },
    }
