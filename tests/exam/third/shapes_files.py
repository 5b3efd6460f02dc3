"""Files and drives of Microsoft Graph: facets, percent-encoded parent paths, shortcuts and large sizes."""

from __future__ import annotations

from random import Random
from urllib.parse import quote, unquote

from tests.exam.third import vocabulary as words
from tests.exam.third.engine import DRIVE, FILE, WITHIN, Row, World

DOWNLOAD = "@microsoft.graph.downloadUrl"
OFFICE = "application/vnd.openxmlformats-officedocument"
TYPES = {
    "docx": f"{OFFICE}.wordprocessingml.document",
    "xlsx": f"{OFFICE}.spreadsheetml.sheet",
    "pptx": f"{OFFICE}.presentationml.presentation",
    "pdf": "application/pdf",
    "tar.gz": "application/gzip",
    "csv": "text/csv; charset=utf-8",
    "heic": "image/heic",
    "mp4": "video/mp4",
    "url": "application/internet-shortcut",
}
FORMATS = {TYPES["docx"]: ["pdf", "html"], TYPES["xlsx"]: ["pdf"], TYPES["pptx"]: ["pdf", "jpg", "png"]}
FOLDERS = ("Projekte 2023", "Überblick", "100% done", "Q&A", "Invoices #7", "Fotos", "archive", "Łódź", "C++")
STEMS = (
    "Report",
    "Plan, final",
    "Müller-Vertrag",
    "budget+forecast",
    "minutes (2)",
    "Q&A",
    "50% discount",
    "naïve",
)


def _drives(rng: Random) -> list[Row]:
    made = []
    for at in range(48):
        created = words.moment(rng, 2018, 2020)
        name = words.person(rng)
        team = rng.random() < 0.4
        made.append(
            {
                "id": f"b!{words.hexadecimal(rng, 30)}{at:02}",
                "name": rng.choice(words.STEMS) + " Documents" if team else "OneDrive",
                "description": words.prose(rng, 1) if rng.random() < 0.4 else "",
                "driveType": "documentLibrary" if team else "business",
                "createdDateTime": words.seconds(created),
                "lastModifiedDateTime": words.seconds(words.later(rng, created, 900)),
                "owner": {"user": {"id": words.guid(rng), "displayName": name}},
                "createdBy": {"user": {"id": words.guid(rng), "displayName": words.person(rng)}},
                "quota": {"total": 1 << 40, "used": rng.randrange(1 << 38), "state": "normal"},
                "webUrl": f"https://contoso.example/sites/{at}/Documents",
            }
        )
    return made


def _size(rng: Random) -> int:
    bounds = ((0, 0), (1, 1023), (1024, 1 << 20), (1 << 20, 1 << 24), (1 << 24, 1 << 31), (1 << 31, 1 << 34))
    return rng.randint(*rng.choices(bounds, (1, 3, 6, 6, 3, 1))[0])


def _item(rng: Random, drive: Row, parent: Row | None, name: str) -> Row:
    """What every item has."""
    created = words.moment(rng)
    modified = words.later(rng, created)
    copied = rng.random() < 0.2
    inside = (
        f"{unquote(parent['parentReference']['path'])}/{parent['name']}"
        if parent
        else f"/drives/{drive['id']}/root:"
    )
    return {
        "id": "01" + words.hexadecimal(rng, 32).upper(),
        "name": name,
        "eTag": f'"{{{words.guid(rng).upper()}}},{rng.randint(1, 9)}"',
        "createdDateTime": words.seconds(created),
        "lastModifiedDateTime": words.seconds(modified),
        "fileSystemInfo": {
            "createdDateTime": words.seconds(words.moment(rng, 2018, 2019) if copied else created),
            "lastModifiedDateTime": words.seconds(created if copied else modified),
        },
        "createdBy": {"user": {"id": words.guid(rng), "displayName": words.person(rng)}},
        "lastModifiedBy": {"user": {"id": words.guid(rng), "displayName": words.person(rng)}},
        "parentReference": {
            "driveId": drive["id"],
            "driveType": drive["driveType"],
            "id": parent["id"] if parent else f"01ROOT{drive['id'][-10:].upper()}",
            "path": quote(inside, safe="/:!"),
        },
        "webUrl": f"https://contoso.example/{quote(name)}",
        "description": words.prose(rng, 2) if rng.random() < 0.25 else None,
    }


def _items(rng: Random, drives: list[Row]) -> list[Row]:
    made: list[Row] = []
    plain: set[tuple[str, str]] = set()
    folders: list[tuple[Row, Row | None]] = [(drive, None) for drive in drives[:9]]
    for at in range(46):
        drive, parent = rng.choice(folders)
        name = rng.choice(FOLDERS)
        if rng.random() < 0.7 or (drive["id"], name) in plain:
            name = f"{name} {at}"
        plain.add((drive["id"], name))
        made.append(_item(rng, drive, parent, name) | {"folder": {"childCount": rng.randint(1, 40)}})
        made[-1]["size"] = _size(rng)
        folders.append((drive, made[-1]))
    for at in range(330):
        drive, parent = rng.choice(folders)
        suffix = rng.choices(list(TYPES), (6, 5, 3, 6, 1, 3, 2, 2, 1))[0]
        long = f" {words.LONG}" if rng.random() < 0.07 else ""
        one = _item(rng, drive, parent, f"{rng.choice(STEMS)}{long} {at}.{suffix}")
        one |= {"size": _size(rng), "shared": {"scope": "users"}}
        if rng.random() < 0.03:
            one["name"] = f"Notebook {at}"
            one["package"] = {"type": "oneNote"}
        elif rng.random() < 0.05:
            one["file"] = {"mimeType": TYPES[suffix]}
            one["remoteItem"] = {"id": "01" + words.hexadecimal(rng, 32).upper(), "name": one["name"]}
        else:
            one["file"] = {"mimeType": TYPES[suffix], "hashes": {"quickXorHash": words.hexadecimal(rng, 40)}}
            one[DOWNLOAD] = f"https://contoso.example/download?id={at}"
            if rng.random() < 0.04:
                del one[DOWNLOAD]
                one["malware"] = {"description": "Quarantined"}
        made.append(one)
    rng.shuffle(made)
    return made


def path_of(raw: Row) -> str:
    """The path below the root of the drive, decoded."""
    return unquote(raw["parentReference"]["path"]).split("root:", 1)[1] + "/" + str(raw["name"])


def file_of(raw: Row) -> Row:
    """The sound mapping."""
    mime = raw.get("file", {}).get("mimeType")
    web = "remoteItem" in raw or mime == TYPES["url"]
    formats = FORMATS.get(mime, []) if DOWNLOAD in raw else []
    return {
        "id": raw["id"],
        "name": raw["name"],
        "description": raw["description"],
        "type": "folder" if "folder" in raw else "url" if web else "file",
        "path": path_of(raw),
        "mime_type": mime,
        "downloadable": DOWNLOAD in raw,
        "size": raw["size"],
        "permissions": {"download": DOWNLOAD in raw},
        "exportable": bool(formats),
        "export_formats": [*formats],
        "updated_at": raw["lastModifiedDateTime"],
        "created_at": raw["createdDateTime"],
        "raw_data": raw,
        WITHIN: (raw["parentReference"]["driveId"], raw["parentReference"]["id"]),
    }


def drive_of(raw: Row) -> Row:
    """The sound mapping."""
    return {
        "id": raw["id"],
        "name": raw["name"],
        "description": raw["description"],
        "updated_at": raw["lastModifiedDateTime"],
        "created_at": raw["createdDateTime"],
        "raw_data": raw,
    }


TRUTH = {
    "id": "id",
    "name": "name",
    "description": "description",
    "type": "folder",
    "path": "parentReference.path",
    "mime_type": "file.mimeType",
    "downloadable": DOWNLOAD,
    "size": "size",
    "updated_at": "lastModifiedDateTime",
    "created_at": "createdDateTime",
}
DRIVE_TRUTH = {name: TRUTH[name] for name in ("id", "name", "description", "updated_at", "created_at")}


def graph(seed: int) -> World:
    """Files and drives of Microsoft Graph."""
    rng = Random(f"{seed}:graph")
    drives = _drives(rng)
    items = _items(rng, drives)
    lists = {DRIVE: [drive_of(raw) for raw in drives], FILE: [file_of(raw) for raw in items]}
    return World("graph", lists)
