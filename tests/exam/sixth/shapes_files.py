"""Files and root folders as Box has them: paths as entries, rights one by one, moments in local time."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from random import Random
from typing import Any

from tests.exam import words
from tests.exam.sixth.shapes_crm import utc

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
EXPORTS = ("pdf", "jpg", "text", "mp3")


def file(raw: Row) -> Row:
    """The unified record of this item."""
    entries = [one["name"] for one in raw["path_collection"]["entries"][1:]]
    exports = [one["representation"] for one in raw["representations"]["entries"]]
    may = raw["permissions"]["can_download"]
    return {
        "id": raw["id"],
        "name": raw["name"],
        "description": raw["description"],
        "type": {"file": "file", "folder": "folder", "web_link": "url"}[raw["type"]],
        "path": "/" + "/".join([*entries, raw["name"]]),
        "mime_type": raw["content_type"],
        "downloadable": may,
        "size": raw["size"],
        "permissions": {"download": may},
        "exportable": bool(exports),
        "export_formats": exports,
        "updated_at": utc(raw["modified_at"]),
        "created_at": utc(raw["created_at"]),
        "raw_data": raw,
    }


def drive(raw: Row) -> Row:
    """The unified record of this root folder."""
    return {
        "id": raw["id"],
        "name": raw["name"],
        "description": raw["description"],
        "updated_at": utc(raw["modified_at"]),
        "created_at": utc(raw["created_at"]),
        "raw_data": raw,
    }


def local(at: datetime, hours: int) -> str:
    """A moment as Box shows it to somebody at this distance from UTC."""
    return at.astimezone(timezone(timedelta(hours=hours))).isoformat(timespec="seconds")


def lists(seed: int) -> tuple[list[Row], list[Row]]:
    """What the connector gives: drives and files."""
    rng = Random(f"{seed}:box")
    people = [
        {
            "type": "user",
            "id": str(11_000 + 31 * n),
            "name": " ".join(words.person(rng)),
            "login": words.email(rng, n),
        }
        for n in range(20)
    ]
    roots = [_root(rng, n, people) for n in range(DRIVES)]
    chains = _chains(rng, roots)
    return [drive(one) for one in roots], [file(_raw(rng, n, people, chains)) for n in range(COUNT)]


def _chains(rng: Random, roots: list[Row]) -> list[list[Row]]:
    """Every folder with all that it is in, from the top; no two of one name in the same place."""
    top: Row = {"type": "folder", "id": "0", "etag": None, "name": "All Files"}
    short = [{name: one[name] for name in ("type", "id", "etag", "name")} for one in roots]
    chains = [[top, one] for one in short]
    for n in range(90):
        within = rng.choice([one for one in chains if len(one) < 5])
        name = f"{rng.choice(FOLDERS)} {n}" if rng.random() < 0.5 else FOLDERS[n % len(FOLDERS)]
        folder = {"type": "folder", "id": str(170_000_000_000 + 13 * n), "etag": "1", "name": name}
        if not any(one[:-1] == within and one[-1]["name"] == name for one in chains):
            chains.append([*within, folder])
    return chains


def _times(rng: Random) -> Row:
    created = words.moment(rng, 2015, 2023)
    hours = rng.choice((-8, -8, 1, 9))
    earlier = words.moment(rng, 2010, 2014)
    return {
        "created_at": local(created, hours),
        "modified_at": local(words.later(rng, created, 500), hours),
        "content_created_at": local(earlier, hours),
        "content_modified_at": local(words.later(rng, earlier, 90), hours),
    }


def _root(rng: Random, number: int, people: list[Row]) -> Row:
    return {
        "type": "folder",
        "id": str(90_071_992_000 + number * 101),
        "etag": str(number % 4),
        "name": f"{rng.choice(words.DEPARTMENTS)} {rng.choice(('', 'shared', number))}".strip(),
        "description": rng.choice(("", "", words.text(rng, 2))),
        **_times(rng),
        "owned_by": rng.choice(people),
        "size": rng.randrange(10**6, 10**12),
        "item_status": "active",
    }


def _raw(rng: Random, number: int, people: list[Row], chains: list[list[Row]]) -> Row:
    kind = rng.choice(("file",) * 8 + ("folder", "web_link"))
    extension = rng.choice(tuple(MIMES)) if kind == "file" else ""
    stem = rng.choice(STEMS) + (f" {number}" if number >= len(chains) else "")
    top = rng.choice(chains) if number >= len(chains) else chains[number]
    may = rng.random() < 0.75
    formats = words.few(rng, EXPORTS, 0, 3) if kind == "file" else []
    sizes = (0, 1, rng.randrange(10, 9999), rng.randrange(10**5, 10**8), rng.randrange(2**31, 2**40))
    return {
        "type": kind,
        "id": str(1_200_000_000_000 + number * 7919),
        "etag": str(rng.randrange(9)),
        "sequence_id": str(rng.randrange(9)),
        "name": f"{stem}.{extension}" if extension else stem,
        "extension": extension,
        "content_type": MIMES.get(extension),
        "description": rng.choice(("", "", "", words.text(rng, 3))),
        "size": rng.choice(sizes) if kind == "file" else 0,
        "sha1": words.token(rng, 40, "0123456789abcdef") if kind == "file" else None,
        "path_collection": {"total_count": len(top), "entries": top},
        "parent": top[-1],
        **_times(rng),
        "trashed_at": None,
        "created_by": rng.choice(people),
        "modified_by": rng.choice(people),
        "owned_by": rng.choice(people),
        "permissions": {
            "can_download": may,
            "can_preview": may or rng.random() < 0.5,
            "can_upload": rng.random() < 0.5,
            "can_delete": rng.random() < 0.3,
            "can_share": rng.random() < 0.6,
        },
        "representations": {"entries": [{"representation": one, "status": "success"} for one in formats]},
        "shared_link": words.often(rng, 0.2, {"url": f"https://box.example/s/{words.token(rng, 12)}"}),
        "tags": words.few(rng, ("draft", "signed", "2024"), 0, 2),
    }
