"""Nextcloud's files: WebDAV properties told as JSON, escaped addresses, RFC 1123 dates, letters for permissions."""

from __future__ import annotations

from email.utils import format_datetime, parsedate_to_datetime
from random import Random
from urllib.parse import quote, unquote

from tests.exam.fourth import texts
from tests.exam.third import vocabulary as words
from tests.exam.third.engine import DRIVE, FILE, WITHIN, Row, World

NAME = "nextcloud"
PREFIX = "/remote.php/dav/files/anna"
MOUNTS = words.listed("Finance & Legal|Projekte|Café 100%|Marketing|Archive+Old")
FOLDERS = words.listed("2021|2022 Q1|Verträge|A+B|.config|50% done|Photos & Clips|to %2Fdo")
STEMS = words.listed(
    "Plan|Größe & Gewicht|C++ notes|Budget 50%|minutes.v2 final|Report %2B annex|R&D|été|read me|v1.2 build|"
    "Angebot #12|it's done"
)
TEXT, SHEET = "application/vnd.oasis.opendocument.text", "application/vnd.oasis.opendocument.spreadsheet"
SLIDES, LINK = "application/vnd.oasis.opendocument.presentation", "application/internet-shortcut"
MIMES = {
    "odt": TEXT,
    "ods": SHEET,
    "odp": SLIDES,
    "pdf": "application/pdf",
    "txt": "text/plain",
    "png": "image/png",
    "zip": "application/zip",
    "url": LINK,
}
EXPORTS = {TEXT: ["docx", "pdf"], SHEET: ["xlsx", "csv"], SLIDES: ["pptx", "pdf"]}
NOTES = (None, None, None, "Signed copy", "Draft – do not send", "Größe geprüft", "see ticket 12")


def _prop(rng: Random, number: int, kind: str) -> Row:
    created = words.moment(rng)
    updated = words.later(rng, created)
    folder = kind == "folder"
    size = int(10 ** rng.uniform(2, 7.5))
    if rng.random() < 0.04 and kind not in {"folder", "url"}:
        size = 2**32 + rng.randrange(10**9)
    mime = None if folder else MIMES[kind]
    if kind == "txt" and rng.random() < 0.4:
        mime = rng.choice(("text/markdown", "text/csv"))
    return {
        "displayname": "",
        "getlastmodified": format_datetime(updated.replace(microsecond=0), usegmt=True),
        "getcontenttype": mime,
        "getcontentlength": None if folder else str(size),
        "getetag": f'"{words.hexadecimal(rng, 13)}"',
        "resourcetype": {"collection": ""} if folder else None,
        "fileid": str(number),
        "id": f"{number:08}oc9z1k2m",
        "permissions": "RGDNVCK" if folder else rng.choice(("RGDNVW", "RGDNVW", "SRGDNVW", "SRDNVW")),
        "size": str(size),
        "hide-download": "1" if rng.random() < 0.08 and not folder else "0",
        "favorite": rng.choice(("0", "0", "1")),
        "creation_time": 0 if rng.random() < 0.1 else texts.epoch(created),
        "upload_time": texts.epoch(words.later(rng, created, 5)),
        "note": rng.choice(NOTES),
        "mount-type": "",
        "share-types": rng.choice(([], [], [0], [0, 3])),
        "trashbin-deletion-time": None,
    }


def renamed(raw: Row, path: str) -> None:
    """Puts a file at a path."""
    raw["href"] = quote(f"{PREFIX}{path}") + ("/" if raw["prop"]["resourcetype"] else "")
    raw["prop"]["displayname"] = path.rpartition("/")[2]


def path_of(raw: Row) -> str:
    """Where a file is: its address without the prefix, decoded once."""
    return unquote(raw["href"]).removeprefix(PREFIX).rstrip("/")


def _raws(rng: Random) -> list[tuple[Row, str, str]]:
    """Each raw file with its drive and folder."""
    made: list[tuple[Row, str, str]] = []
    number = 104_200
    folders: list[tuple[str, str, str]] = []

    def add(kind: str, path: str, drive: str, folder: str) -> str:
        nonlocal number
        number += rng.randint(1, 9)
        raw: Row = {"status": "HTTP/1.1 200 OK", "prop": _prop(rng, number, kind)}
        raw["prop"]["mount-type"] = "" if folder else "group"
        renamed(raw, path)
        made.append((raw, drive, folder))
        return str(number)

    for at, mount in enumerate(MOUNTS, 1):
        root = add("folder", f"/{mount}", str(at), "")
        folders.append((f"/{mount}", str(at), root))
        for name in rng.sample(FOLDERS, 5):
            path = f"/{mount}/{name}"
            folders.append((path, str(at), add("folder", path, str(at), root)))
            if rng.random() < 0.5:
                below = f"{path}/{rng.choice(FOLDERS)}"
                folders.append((below, str(at), add("folder", below, str(at), folders[-1][2])))
    for at in range(380):
        path, drive, folder = rng.choice(folders)
        kind = rng.choice(list(MIMES))
        add(kind, f"{path}/{rng.choice(STEMS)} {at + 1}.{kind}", drive, folder)
    return made


def kind_of(raw: Row) -> str:
    """The unified type."""
    if raw["prop"]["resourcetype"]:
        return "folder"
    return "url" if raw["prop"]["getcontenttype"] == LINK else "file"


def may_download(raw: Row) -> bool:
    """Whether reading is allowed, and not hidden."""
    return "G" in raw["prop"]["permissions"] and raw["prop"]["hide-download"] == "0"


def file_of(raw: Row) -> Row:
    """The sound mapping."""
    prop, path, mime = raw["prop"], path_of(raw), raw["prop"]["getcontenttype"]
    updated = parsedate_to_datetime(prop["getlastmodified"])
    return {
        "id": prop["fileid"],
        "name": path.rpartition("/")[2],
        "description": prop["note"],
        "type": kind_of(raw),
        "path": path,
        "mime_type": mime,
        "downloadable": kind_of(raw) == "file" and may_download(raw),
        "size": int(prop["getcontentlength"] or prop["size"]),
        "permissions": {"download": may_download(raw)},
        "exportable": mime in EXPORTS,
        "export_formats": EXPORTS.get(mime, []),
        "updated_at": words.seconds(updated),
        "created_at": texts.from_seconds(prop["creation_time"] or None),
        "raw_data": raw,
    }


def drive_of(raw: Row) -> Row:
    """The sound mapping of a group folder."""
    return {
        "id": str(raw["id"]),
        "name": raw["mount_point"],
        "description": raw["about"],
        "updated_at": texts.from_millis(raw["changed"]),
        "created_at": texts.from_millis(raw["made"]),
        "raw_data": raw,
    }


def _drives(rng: Random) -> list[Row]:
    made = []
    for at, mount in enumerate(MOUNTS, 1):
        created = words.moment(rng, 2018, 2020)
        made.append(
            {
                "id": at,
                "mount_point": mount,
                "about": f"Files of {mount}" if at % 2 else None,
                "groups": {"staff": 31, "finance": rng.choice((1, 15))},
                "quota": -3,
                "size": rng.randrange(10**9),
                "acl": at % 2 == 0,
                "made": texts.epoch_millis(created),
                "changed": texts.epoch_millis(words.later(rng, created)),
            }
        )
    return made


TRUTH = {
    "id": "prop.fileid",
    "name": "the last part of href, decoded once",
    "description": "prop.note",
    "type": "prop.resourcetype, prop.getcontenttype",
    "path": "href without its prefix, decoded once",
    "mime_type": "prop.getcontenttype",
    "downloadable": "a file, prop.permissions has G, prop.hide-download is 0",
    "size": "prop.getcontentlength, of folders prop.size",
    "permissions": "prop.permissions has G, prop.hide-download is 0",
    "exportable": "prop.getcontenttype",
    "export_formats": "prop.getcontenttype",
    "updated_at": "prop.getlastmodified",
    "created_at": "prop.creation_time, where it is not 0",
}
DRIVE_TRUTH = {"id": "id", "name": "mount_point", "description": "about"} | {
    "updated_at": "changed",
    "created_at": "made",
}


def nextcloud(seed: int) -> World:
    """Files and group folders of Nextcloud."""
    rng = Random(f"{seed}:{NAME}")
    files = [{**file_of(raw), WITHIN: (drive, folder)} for raw, drive, folder in _raws(rng)]
    return World(NAME, {FILE: files, DRIVE: [drive_of(one) for one in _drives(rng)]})
