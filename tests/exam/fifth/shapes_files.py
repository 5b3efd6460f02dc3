"""ShareFile's items: types in odata.type, paths of ids and of names, rights in Info, fractions as .NET writes them."""

from __future__ import annotations

from datetime import datetime
from random import Random
from typing import Any

from tests.exam import words

Row = dict[str, Any]

NAME = "sharefile"
TYPES = {"File": "file", "Folder": "folder", "Link": "url"}
MIMES = {
    "pdf": "application/pdf",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "jpg": "image/jpeg",
    "png": "image/png",
    "csv": "text/csv",
    "txt": "text/plain",
    "zip": "application/zip",
    "mp4": "video/mp4",
}
SHARES = (30, 18, 14, 12, 8, 6, 5, 4, 3)
STEMS = (
    "Contract",
    "Offer",
    "Übersicht",
    "Rechnung",
    "O'Brien statement",
    "Protokoll",
    "設計書",
    "Договор",
    "scan",
    "Budget 100% final",
    "minutes & notes",
    "photo",
)
MIDDLES = ("", "", "", ".v2", ".final", " (1)", "-2023.11", "_signed")
FOLDERS = (
    "Clients",
    "Invoices",
    "v1.2 drafts",
    "HR",
    "Überblick",
    "R&D",
    "Archive 2019",
    "法務",
    "Photos",
    "Misc",
)
ROOTS = (
    "Shared Folders",
    "Personal Folders",
    "Finance",
    "R&D Lab",
    "Kanzlei Müller",
    "Board",
    "Marketing",
    "Projets Lyon",
    "Audit",
    "Partner portal",
    "Support",
    "Legacy",
)
NOTES = (
    "Signed by both parties",
    "Do not share\nwith third parties",
    "Stand: März 2023",
    "see also: Übersicht\n(second sheet)",
    "Q4 & outlook",
)


def _net(rng: Random, at: datetime) -> str:
    """As .NET writes it: closing zeros of the fraction are left out."""
    millis = at.microsecond // 1000
    millis = rng.choice((millis, millis, millis // 10 * 10, millis // 100 * 100))
    part = f"{millis:03}".rstrip("0")
    return at.strftime("%Y-%m-%dT%H:%M:%S") + (f".{part}" if part else "") + "Z"


def moment(text: str | None) -> str | None:
    """The sound form of a date."""
    if text is None:
        return None
    seconds, _, part = text.removesuffix("Z").partition(".")
    return f"{seconds}.{part:0<3}Z"


def _item(rng: Random, kind: str, name: str, parent: Row) -> Row:
    created = words.moment(rng, 2020, 2024)
    may = rng.random() > 0.12
    letters = {"File": "fi", "Folder": "fo", "Link": "li"}[kind]
    return {
        "odata.type": f"ShareFile.Api.Models.{kind}",
        "Id": letters + words.guid(rng)[2:],
        "Name": name,
        "FileName": name,
        "Description": words.often(rng, 0.3, rng.choice(NOTES)),
        "CreationDate": _net(rng, created),
        "ProgenyEditDate": _net(rng, words.later(rng, created)),
        "FileSizeBytes": 0,
        "FileSizeInKB": 0,
        "Path": f"{parent['Path']}/{parent['Id']}",
        "SemanticPath": f"{parent['SemanticPath']}/{name}",
        "Parent": {"Id": parent["Id"]},
        "Info": {"CanView": True, "CanDownload": may, "CanUpload": kind == "Folder"},
        "CreatorNameShort": f"{rng.choice('ABCDEFGH')}. {rng.choice(words.FAMILY)}",
        "HasMultipleVersions": False,
        "StreamID": "",
    }


def _file(rng: Random, number: int, parent: Row) -> Row:
    ending = rng.choices(list(MIMES), SHARES)[0]
    shown = ending.upper() if rng.random() < 0.08 else ending
    made = _item(rng, "File", f"{rng.choice(STEMS)} {number}{rng.choice(MIDDLES)}.{shown}", parent)
    size = 0 if rng.random() < 0.04 else int(10 ** rng.uniform(2.2, 7.4))
    if ending in ("mp4", "zip"):
        size = rng.randrange(2**31, 2**35)
    several = rng.random() < 0.3
    made.update(
        FileSizeBytes=size,
        FileSizeInKB=-(-size // 1024),
        HasMultipleVersions=several,
        StreamID="st" + made["Id"][2:] if not several else "st" + words.guid(rng)[2:],
        Hash=words.token(rng, 32, "0123456789abcdef"),
    )
    return made


def _link(rng: Random, number: int, parent: Row) -> Row:
    made = _item(rng, "Link", f"Portal {number}", parent)
    made["Uri"] = f"https://portal.example/item/{number}"
    made["Info"]["CanDownload"] = False
    return made


def _folder(rng: Random, number: int, parent: Row) -> Row:
    made = _item(rng, "Folder", f"{rng.choice(FOLDERS)} {number}", parent)
    if rng.random() < 0.2:
        made["Name"] = made["FileName"] = f"v{number}.{rng.randint(0, 9)}"
        made["SemanticPath"] = f"{parent['SemanticPath']}/{made['Name']}"
    made["FileCount"] = 0
    return made


def _root(rng: Random, name: str) -> Row:
    created = words.moment(rng, 2016, 2019)
    return {
        "odata.type": "ShareFile.Api.Models.Folder",
        "Id": "fo" + words.guid(rng)[2:],
        "Name": name,
        "Description": words.often(rng, 0.7, f"{name}: {rng.choice(words.SENTENCES)}"),
        "CreationDate": _net(rng, created),
        "ProgenyEditDate": words.often(rng, 0.75, _net(rng, words.later(rng, created, 900))),
        "Path": "",
        "SemanticPath": f"/{name}",
        "Zone": {"Id": f"zp{words.token(rng, 8, 'abcdef0123456789')}"},
    }


def kind_of(raw: Row) -> str:
    """File, Folder or Link."""
    return str(raw["odata.type"]).rpartition(".")[2]


def ending_of(name: str) -> str:
    """What stands behind the last dot, in small letters."""
    return name.rpartition(".")[2].lower()


def file_of(raw: Row) -> Row:
    """The sound mapping; what an item does not have is left out."""
    is_file = kind_of(raw) == "File"
    may = raw["Info"]["CanDownload"]
    made = {
        "id": raw["Id"],
        "name": raw["Name"],
        "description": raw["Description"],
        "type": TYPES[kind_of(raw)],
        "path": raw["SemanticPath"],
        "mime_type": MIMES[ending_of(raw["Name"])] if is_file else None,
        "downloadable": may,
        "size": raw["FileSizeBytes"],
        "permissions": {"download": may},
        "exportable": False,
        "export_formats": [],
        "updated_at": moment(raw["ProgenyEditDate"]),
        "created_at": moment(raw["CreationDate"]),
        "raw_data": raw,
    }
    return {name: of for name, of in made.items() if of is not None}


def drive_of(raw: Row) -> Row:
    """The sound mapping of a root folder; what it does not have is left out."""
    made = {
        "id": raw["Id"],
        "name": raw["Name"],
        "description": raw["Description"],
        "updated_at": moment(raw["ProgenyEditDate"]),
        "created_at": moment(raw["CreationDate"]),
        "raw_data": raw,
    }
    return {name: of for name, of in made.items() if of is not None}


TRUTH = {
    "id": "Id",
    "name": "Name",
    "description": "Description",
    "type": "odata.type",
    "path": "SemanticPath",
    "mime_type": "Name",
    "downloadable": "Info.CanDownload",
    "size": "FileSizeBytes",
    "permissions": "Info.CanDownload",
    "updated_at": "ProgenyEditDate",
    "created_at": "CreationDate",
}
DRIVE_TRUTH = {
    "id": "Id",
    "name": "Name",
    "description": "Description",
    "updated_at": "ProgenyEditDate",
    "created_at": "CreationDate",
}


def _last(folder: Row, inside: list[Row]) -> str:
    """The last change of a folder, which is the last one in it."""
    return max((str(one["ProgenyEditDate"]) for one in (folder, *inside)), key=lambda text: str(moment(text)))


def raws(seed: int, count: int = 460) -> tuple[list[Row], list[Row]]:
    """Root folders, and what is in them."""
    rng = Random(f"{seed}:{NAME}")
    roots = [_root(rng, name) for name in ROOTS]
    roots += [_root(rng, f"Client {rng.choice(words.COMPANIES)} {number}") for number in range(1, 29)]
    folders: list[Row] = []
    made: list[Row] = []
    for number in range(count):
        near = rng.choices(roots, [30, 12, *(2 for _ in roots[2:])])[0]
        below = [one for one in folders if one["Path"].split("/")[1] == near["Id"]]
        parent = rng.choice(below) if below and rng.random() < 0.75 else near
        if number % 8 == 0:
            made.append(_folder(rng, number, parent))
            folders.append(made[-1])
        else:
            made.append((_link if number % 29 == 0 else _file)(rng, number, parent))
    for one in reversed(made):
        if kind_of(one) == "Folder":
            inside = [other for other in made if other["Parent"]["Id"] == one["Id"]]
            one["FileCount"] = len(inside)
            one["FileSizeBytes"] = sum(other["FileSizeBytes"] for other in inside)
            one["FileSizeInKB"] = -(-one["FileSizeBytes"] // 1024)
            one["ProgenyEditDate"] = _last(one, inside)
    for one in roots:
        if one["ProgenyEditDate"]:
            one["ProgenyEditDate"] = _last(
                one, [other for other in made if other["Parent"]["Id"] == one["Id"]]
            )
    return roots, made


def lists(seed: int) -> tuple[list[Row], list[Row]]:
    """The drives and files that a sound connector lists."""
    roots, items = raws(seed)
    return [drive_of(one) for one in roots], [file_of(one) for one in items]
