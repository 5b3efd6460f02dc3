"""Box (typed items with the folders above them) and Dropbox (tagged unions, shared folders as drives)."""

from __future__ import annotations

from random import Random
from zoneinfo import ZoneInfo

from tests.exam import words
from tests.exam.mapping import Json, made
from tests.exam.second.hows import MIME_TYPES
from tests.exam.world import World, listing

PACIFIC = ZoneInfo("America/Los_Angeles")
NAMES = (
    "Angebot Müller & Partner", "Quarterly report Q3", "議事録", "План работ", "Budget 2024", "photo of the site",
    "Contrat d’entretien", "invoice \"final\"", "specs <draft>", "تقرير", "Zażalenie", "Übergabe – Büro 2. Stock",
    "minutes of the meeting about the move of the warehouse and of the two offices above it", "a", "100% plan",
)  # fmt: skip
FOLDERS = ("Projects", "Clients", "Büro", "2023", "2024", "営業", "R&D", "Архив", "Légal", "Shared with me")

BOX_FILE = (
    made("id", "id"),
    made("name", "name"),
    made("description", "description"),
    made("type", "type", how="type of Box"),
    made("path", "path_collection", "name", how="path of Box"),
    made("mime_type", "type", "name", how="mime type of the ending"),
    made("downloadable", "permissions/can_download", how="is true"),
    made("size", "size"),
    made("permissions", "permissions/can_download", how="right to download"),
    made("exportable", how="never"),
    made("export_formats", "representations", how="as texts"),
    made("updated_at", "modified_at", how="in UTC"),
    made("created_at", "created_at", how="in UTC"),
)
DROPBOX_FILE = (
    made("id", "id"),
    made("name", "name"),
    made("type", ".tag"),
    made("path", "path_display"),
    made("mime_type", ".tag", "name", how="mime type of the ending"),
    made("downloadable", "is_downloadable", how="is true"),
    made("size", "size"),
    made("permissions", "is_downloadable", how="right to download"),
    made("exportable", "export_info", how="is there"),
    made("export_formats", "export_info", how="formats to export to"),
    made("updated_at", "server_modified"),
)
DROPBOX_DRIVE = (
    made("id", "shared_folder_id"),
    made("name", "name"),
    made("created_at", "time_invited"),
)


def _size(rng: Random) -> int:
    spread = rng.random()
    if spread < 0.04:
        return 0
    if spread < 0.1:
        return rng.randrange(2**31 + 1, 2**33)
    return rng.randrange(1, 10 ** rng.randint(2, 9))


def _folder(rng: Random, key: int, name: str) -> Json:
    return {"type": "folder", "id": str(key), "sequence_id": str(rng.randrange(9)), "name": name}


def _box_raw(rng: Random, number: int, folders: list[Json]) -> Json:
    created = words.moment(rng).replace(microsecond=0)
    changed = words.later(rng, created).replace(microsecond=0)
    kind = rng.choices(("file", "folder", "web_link"), (80, 14, 6))[0]
    above = [{"type": "folder", "id": "0", "sequence_id": None, "etag": None, "name": "All Files"}]
    above += words.few(rng, folders, 0, 4)
    ending = rng.choice(tuple(MIME_TYPES))
    name = f"{rng.choice(NAMES)} {number}"
    given, family = words.person(rng)
    raw: Json = {
        "type": kind,
        "id": str(981_000_000_000 + number * 1009 + rng.randrange(1000)),
        "sequence_id": str(rng.randrange(20)),
        "etag": str(rng.randrange(20)),
        "name": f"{name}.{ending}" if kind == "file" else name,
        "description": words.often(rng, 0.5, words.text(rng, 2)),
        "path_collection": {"total_count": len(above), "entries": above},
        "created_at": created.astimezone(PACIFIC).isoformat(),
        "modified_at": changed.astimezone(PACIFIC).isoformat(),
        "owned_by": {"type": "user", "id": str(rng.randrange(10**8, 10**9)), "name": f"{given} {family}"},
        "shared_link": None,
        "item_status": "active",
        "tags": words.few(rng, ("approved", "geprüft", "2024"), 0, 2),
    }
    if kind == "file":
        right = rng.random() < 0.85
        taken = words.later(rng, words.moment(rng, 2015, 2018)).replace(microsecond=0)
        raw |= {
            "size": _size(rng),
            "sha1": words.token(rng, 40, "0123456789abcdef"),
            "file_version": {"type": "file_version", "id": str(rng.randrange(10**11, 10**12))},
            "permissions": {"can_download": right, "can_preview": True, "can_rename": rng.random() < 0.5},
            "content_created_at": taken.astimezone(PACIFIC).isoformat(),
            "content_modified_at": changed.astimezone(PACIFIC).isoformat(),
        }
    elif kind == "folder":
        raw |= {"size": rng.randrange(10**6), "permissions": {"can_download": False, "can_upload": True}}
    else:
        raw |= {"url": f"https://wiki.example/{number}"}
    return raw


def box(rng: Random) -> World:
    folders = [_folder(rng, 7_000_000 + number * 31, name) for number, name in enumerate(FOLDERS)]
    raws = [_box_raw(rng, number, folders) for number in range(330)]
    return World("box", [listing("file-storage/file", "A", raws, BOX_FILE)], absent_nulls=True)


def _dropbox_raw(rng: Random, number: int) -> Json:
    changed = words.moment(rng)
    kind = "folder" if rng.random() < 0.2 else "file"
    above = "".join(f"/{name}" for name in words.few(rng, FOLDERS, 0, 3))
    paper = kind == "file" and rng.random() < 0.1
    ending = "" if kind == "folder" else ".paper" if paper else f".{rng.choice(tuple(MIME_TYPES))}"
    name = f"{rng.choice(NAMES)} {number}{ending}"
    raw: Json = {
        ".tag": kind,
        "name": name,
        "path_lower": f"{above}/{name}".lower(),
        "path_display": f"{above}/{name}",
        "id": f"id:{words.token(rng, 22)}",
        "property_groups": [],
    }
    if kind == "folder":
        return raw | {"sharing_info": {"read_only": False, "traverse_only": False, "no_access": False}}
    raw |= {
        "client_modified": words.iso_seconds(words.moment(rng, 2014, 2018)),
        "server_modified": words.iso_seconds(changed),
        "rev": words.token(rng, 23, "0123456789abcdef"),
        "size": _size(rng),
        "is_downloadable": not paper and rng.random() < 0.95,
        "content_hash": words.token(rng, 64, "0123456789abcdef"),
        "has_explicit_shared_members": rng.random() < 0.2,
    }
    if paper:
        raw["export_info"] = {"export_as": "html", "export_options": ["html", "markdown"]}
    return raw


def _drive_raw(rng: Random, number: int) -> Json:
    name = f"{rng.choice(words.DEPARTMENTS)} {number}"
    return {
        "shared_folder_id": str(84_528_000_000 + number * 977),
        "name": name,
        "path_lower": f"/{name}".lower(),
        "time_invited": words.iso_seconds(words.moment(rng)),
        "is_inside_team_folder": False,
        "is_team_folder": rng.random() < 0.5,
        "access_type": {".tag": rng.choice(("owner", "editor", "viewer"))},
        "policy": {"acl_update_policy": {".tag": "owner"}, "shared_link_policy": {".tag": "anyone"}},
        "owner_team": {"id": f"dbtid:{words.token(rng, 20)}", "name": rng.choice(words.COMPANIES)},
        "preview_url": f"https://www.dropbox.com/scl/fo/{words.token(rng, 15)}",
    }


def dropbox(rng: Random) -> World:
    files = [_dropbox_raw(rng, number) for number in range(420)]
    drives = [_drive_raw(rng, number) for number in range(64)]
    lists = [
        listing("file-storage/file", "A", files, DROPBOX_FILE),
        listing("file-storage/drive", "A", drives, DROPBOX_DRIVE),
    ]
    return World("dropbox", lists, absent_nulls=True)
