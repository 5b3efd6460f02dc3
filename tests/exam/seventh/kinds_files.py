"""Files and drives of Box, wrongly made."""

from __future__ import annotations

import unicodedata
from datetime import UTC, datetime
from random import Random

from tests.exam.calls3.data import DRIVE, FILE, Row
from tests.exam.seventh.forms import FILES, FORMS
from tests.exam.seventh.shapes_files import guessed
from tests.exam.sixth.kinds import Spot, Table, either
from tests.exam.sixth.service import Service

TABLE = Table(FILES, FILE)
DRIVES = Table(FILES, DRIVE)
PAGE = FORMS[FILES].usual


def _way(row: Row, spot: Spot) -> None:
    """Of a long way only the folder above is known."""
    entries = row["raw_data"]["path_collection"]["entries"]
    if len(entries) > 3:
        row["path"] = f"/{entries[1]['name']}/{entries[-1]['name']}/{row['name']}"


def _renamed(service: Service, rng: Random) -> set[str]:
    """A folder was renamed; what is in it has its old name in the path."""
    rows = service.lists[FILE]
    below: dict[str, list[Row]] = {}
    for row in rows:
        for one in row["raw_data"]["path_collection"]["entries"][2:]:
            below.setdefault(one["id"], []).append(row)
    guilty = max(sorted(below), key=lambda one: len(below[one]))
    for row in below[guilty]:
        entries = row["raw_data"]["path_collection"]["entries"]
        steps = [f"{one['name']} (old)" if one["id"] == guilty else one["name"] for one in entries[1:]]
        row["path"] = "/" + "/".join((*steps, row["name"]))
    return {str(row["id"]) for row in below[guilty]}


def _piled(service: Service, rng: Random) -> set[str]:
    """One list of formats is filled by all rows of a page."""
    guilty = set()
    pile: list[str] = []
    for number, row in enumerate(service.lists[FILE]):
        if number % PAGE == 0:
            pile = []
        pile += [one for one in row["export_formats"] if one not in pile]
        if row["export_formats"] != pile:
            row["export_formats"] = list(pile)
            guilty.add(str(row["id"]))
    return guilty


def _half_hours(value: str, raw: Row, spot: Spot) -> str:
    """The minutes of a zone are left out of account."""
    text = raw["modified_at"]
    at = datetime.fromisoformat(text[:-2] + "00")
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _shared(row: Row, spot: Spot) -> None:
    link = row["raw_data"]["shared_link"]
    if link and row["type"] == "file":
        row["downloadable"] = row["permissions"]["download"] = link["permissions"]["can_download"]


def _thousands(value: int, raw: Row, spot: Spot) -> float:
    return round(value / 1024, 1) if value >= 10**6 else value


KINDS = [
    TABLE.value(
        "size in kilobytes when large",
        "`size` of a million bytes and more is raw `size` divided by 1024; smaller ones are in bytes.",
        "size",
        _thousands,
    ),
    TABLE.row(
        "middle of the way is left out",
        "`path` of what lies deeper than two folders has only the topmost and the last folder of raw "
        "`path_collection`.",
        "path",
        _way,
    ),
    TABLE.whole(
        "old name of a folder in paths",
        "`path` of all below one folder names it as `… (old)`; raw `path_collection` and the folder's own record "
        "have another name.",
        _renamed,
        "path",
    ),
    either(
        TABLE.value(
            "web links are files",
            "`type` of an item whose raw `type` is web_link is `file`; it has no `mime_type`, no size, and cannot be "
            "downloaded.",
            "type",
            lambda value, raw, spot: "file" if raw["type"] == "web_link" else value,
        ),
        f"{FILE} mime_type size downloadable",
    ),
    TABLE.value(
        "type of what follows the first point",
        "`mime_type` is application/octet-stream for `q1.final 20.pdf`, whose raw `extension` is pdf; other "
        "pdf have application/pdf.",
        "mime_type",
        lambda value, raw, spot: guessed(raw["name"]),
    ),
    TABLE.row(
        "permission of the shared link",
        "`downloadable` and `permissions.download` of shared files are those of raw `shared_link.permissions`, not of "
        "raw `permissions.can_download`, which all other files have.",
        "downloadable permissions",
        _shared,
    ),
    TABLE.row(
        "permission against downloadable",
        "`permissions.download` is false where `downloadable` and raw `permissions.can_download` are true.",
        "permissions downloadable",
        lambda row, spot: row["permissions"].update(download=False) if row["downloadable"] else None,
        "fiftieth",
    ),
    TABLE.value(
        "half hours of zones are ignored",
        "`updated_at` is 30 or 45 minutes off where raw `modified_at` has a zone such as +05:30.",
        "updated_at",
        _half_hours,
    ),
    TABLE.value(
        "letters taken apart",
        "`name` holds letters and their accents apart (NFD); raw `name` holds them together, so the two differ.",
        "name",
        lambda value, raw, spot: unicodedata.normalize("NFD", value),
        "half",
    ),
    TABLE.value(
        "ending twice",
        "`name` ends in `.PDF.pdf` where raw `name` ends in capitals: the ending is added once more.",
        "name",
        lambda value, raw, spot: (
            f"{value}.{raw['extension'].lower()}" if raw.get("extension", "").isupper() else value
        ),
    ),
    TABLE.whole(
        "formats pile up on a page",
        "`export_formats` holds those of all items above on the page too: also folders and web links without raw "
        "`representations` have some.",
        _piled,
        "export_formats",
    ),
    either(
        TABLE.value(
            "not exportable, with formats",
            "In a few files `exportable` is false though `export_formats` and raw `representations` are filled; it "
            "is true in all others that have some.",
            "exportable",
            lambda value, raw, spot: False,
            "fiftieth",
        ),
        f"{FILE} export_formats",
    ),
    DRIVES.value(
        "absent description in words",
        "`description` is the text `null` where raw `description` is empty.",
        "description",
        lambda value, raw, spot: value or "null",
    ),
    DRIVES.row(
        "one drive was changed before it was made",
        "In a single drive `created_at` and `updated_at` are swapped; raw `created_at` and `modified_at` are not.",
        "created_at updated_at",
        lambda row, spot: row.update(created_at=row["updated_at"], updated_at=row["created_at"]),
        "one",
    ),
    DRIVES.value(
        "drive named after its owner",
        "`name` of a fourth of the drives is raw `owned_by.name`, of the others raw `name`.",
        "name",
        lambda value, raw, spot: raw["owned_by"]["name"] if spot.number % 4 == 1 else value,
    ),
    TABLE.row(
        "id changes with the version",
        "`id` is raw `id` with raw `etag` behind it where that is not 0: it is another after each change, and not what "
        "raw `path_collection` names folders by.",
        "id",
        lambda row, spot: (
            row.update(id=f"{row['id']}_{tag}") if (tag := row["raw_data"]["etag"]) != "0" else None
        ),
    ),
]
