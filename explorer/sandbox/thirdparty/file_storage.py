"""Files and drives in the forms of three file stores.

Files come in groups of `FOLDER_STEP`: the first of a group is a folder and the others lie in it. The file with
number n lies on the drive with number n modulo `DRIVES`.
"""

from __future__ import annotations

from explorer.sandbox.draw import (
    Draw,
    Moments,
    iso,
    iso_seconds,
    letters_of,
    number_of,
    person,
    sentences,
    words,
)
from explorer.sandbox.thirdparty.shape import Json, Shape

FOLDER_STEP = 25
DRIVES = 40
GROUPS = 4

_KINDS = [
    ("application/pdf", ".pdf"),
    ("image/jpeg", ".JPG"),
    ("text/plain", ".txt"),
    ("application/vnd.openxmlformats-officedocument.wordprocessingml.document", ".docx"),
    ("application/vnd.google-apps.document", ""),
    ("application/vnd.google-apps.spreadsheet", ""),
    ("application/zip", ".zip"),
    ("application/vnd.google-apps.shortcut", ".url"),
]
_EXPORTS = {
    "application/vnd.google-apps.document": ["application/pdf", "application/rtf", "text/plain"],
    "application/vnd.google-apps.spreadsheet": ["application/pdf", "text/csv"],
}


def is_folder(number: int) -> bool:
    """Whether the file with this number is a folder."""
    return number % FOLDER_STEP == 0


def folder_of(number: int) -> int:
    """The number of the folder that a file lies in; a folder's own number for itself."""
    return number - number % FOLDER_STEP


def drive_of(number: int) -> int:
    """The number of the drive that a file lies on."""
    return number % DRIVES


def _name(draw: Draw, number: int, extension: str) -> str:
    if is_folder(number):
        return str(draw.pick(words()["folder_names"]))
    return f"{draw.pick(words()['file_stems'])} {number % 1000:03d}{extension}"


def _size(draw: Draw) -> int:
    return draw.below(2_000) if draw.chance(0.3) else draw.below(80_000_000)


def _google_id(number: int) -> str:
    return f"1{letters_of(number)}Zk_3rQ-vB7dLw0pYs"


def google_drive_id(number: int) -> str:
    """The id of a drive, as a file refers to it."""
    return f"0A{letters_of(number + 500_000_000)}Uk9PVA"


def _google_texts(number: int) -> tuple[str, ...]:
    moments = Moments(number)
    return (
        _google_id(number),
        _google_id(folder_of(number)),
        google_drive_id(drive_of(number)),
        iso(moments.made),
        iso(moments.changed),
    )


def _google(draw: Draw, number: int) -> Json:
    ident, folder, drive, made, changed = _google_texts(number)
    mime, extension = draw.pick(_KINDS)
    first, last = person(draw)
    raw: Json = {
        "kind": "drive#file",
        "id": ident,
        "name": _name(draw, number, extension),
        "mimeType": "application/vnd.google-apps.folder" if is_folder(number) else mime,
        "parents": [drive if is_folder(number) else folder],
        "folderNames": [draw.pick(words()["folder_names"])] if not is_folder(number) else [],
        "driveId": drive,
        "starred": draw.chance(0.05),
        "trashed": False,
        "version": str(9_007_199_254_740_993 + draw.below(100_000)),
        "webViewLink": f"https://drive.example.com/file/d/{ident}/view?usp=drivesdk",
        "createdTime": made,
        "modifiedTime": changed,
        "lastModifyingUser": {"displayName": f"{first} {last}", "photoLink": None, "me": draw.chance(0.1)},
        "capabilities": {"canDownload": not draw.chance(0.1), "canEdit": draw.chance(0.5), "canCopy": True},
        "permissionIds": [f"{draw.below(10**12):020d}" for _ in range(1 + draw.below(3))],
        "properties": {},
    }
    if draw.chance(0.4):
        raw["description"] = (
            sentences(draw, 60 if draw.chance(0.02) else 1 + draw.below(2)) if draw.chance(0.9) else ""
        )
    if not is_folder(number):
        if mime in _EXPORTS:
            link = f"https://docs.example.com/export?id={ident}&exportFormat="
            raw["exportLinks"] = {form: link + form.rsplit("/", 1)[1] for form in _EXPORTS[mime]}
        else:
            raw["size"] = str(_size(draw))
            raw["md5Checksum"] = draw.hexadecimal(32)
    return raw


def _graph_texts(number: int) -> tuple[str, ...]:
    moments = Moments(number)
    return (
        f"01{letters_of(number).upper()}QW5RDY",
        f"b!{letters_of(drive_of(number) + 600_000_000)}-gR8",
        iso_seconds(moments.made),
        iso_seconds(moments.changed),
    )


def _graph_user(draw: Draw) -> Json:
    first, last = person(draw)
    return {"user": {"displayName": f"{first} {last}", "email": f"u{draw.below(400)}@acme.example"}}


def _graph(draw: Draw, number: int) -> Json:
    ident, drive, made, changed = _graph_texts(number)
    mime, extension = draw.pick(_KINDS)
    name = _name(draw, number, extension)
    folder = draw.pick(words()["folder_names"])
    raw: Json = {
        "@odata.etag": f'"{{{draw.hexadecimal(8).upper()}}},{draw.below(9)}"',
        "id": ident,
        "name": name,
        "description": sentences(draw, 1) if draw.chance(0.3) else None,
        "createdDateTime": made,
        "lastModifiedDateTime": changed,
        "webUrl": f"https://acme.sharepoint.example/sites/{drive}/{ident}",
        "size": _size(draw),
        "createdBy": _graph_user(draw),
        "lastModifiedBy": _graph_user(draw),
        "parentReference": {
            "driveType": "documentLibrary",
            "driveId": drive,
            "id": _graph_texts(folder_of(number))[0],
            "path": f"/drives/{drive}/root:/{folder}",
        },
        "fileSystemInfo": {"createdDateTime": made, "lastModifiedDateTime": changed},
    }
    if is_folder(number):
        raw["folder"] = {"childCount": FOLDER_STEP - 1}
    else:
        raw["file"] = {"mimeType": mime, "hashes": {"quickXorHash": draw.hexadecimal(27) + "="}}
        raw["@microsoft.graph.downloadUrl"] = (
            f"https://acme.sharepoint.example/download?UniqueId={ident}&ApiVersion=2.0"
        )
    return raw


def _box_texts(number: int) -> tuple[str, ...]:
    moments = Moments(number)
    return f"98{number:010d}", iso_seconds(moments.made, -7), iso_seconds(moments.changed, -7)


def _box_user(draw: Draw) -> Json:
    first, last = person(draw)
    number = draw.below(400)
    return {
        "type": "user",
        "id": f"33{number:06d}",
        "name": f"{first} {last}",
        "login": f"u{number}@acme.example",
    }


def _box(draw: Draw, number: int) -> Json:
    ident, made, changed = _box_texts(number)
    _, extension = draw.pick(_KINDS[:4])
    folder = {
        "type": "folder",
        "id": _box_texts(folder_of(number))[0],
        "sequence_id": "0",
        "name": draw.pick(words()["folder_names"]),
    }
    return {
        "type": "folder" if is_folder(number) else "file",
        "id": ident,
        "sequence_id": str(draw.below(9)),
        "etag": str(draw.below(9)),
        "sha1": draw.hexadecimal(40),
        "name": _name(draw, number, extension),
        "description": sentences(draw, 1) if draw.chance(0.3) else draw.pick(["", None]),
        "size": _size(draw),
        "path_collection": {
            "total_count": 2,
            "entries": [{"type": "folder", "id": "0", "sequence_id": None, "name": "All Files"}, folder],
        },
        "created_at": made,
        "modified_at": changed,
        "trashed_at": None,
        "created_by": _box_user(draw),
        "modified_by": _box_user(draw),
        "owned_by": _box_user(draw),
        "shared_link": None,
        "permissions": {"can_download": not draw.chance(0.1), "can_rename": draw.chance(0.5)},
        "item_status": "active",
    }


def _google_drive_texts(number: int) -> tuple[str, ...]:
    return google_drive_id(number), iso(Moments(number).made)


def _google_drive(draw: Draw, number: int) -> Json:
    ident, made = _google_drive_texts(number)
    return {
        "kind": "drive#drive",
        "id": ident,
        "name": f"{draw.pick(words()['drive_names'])} {number // 10 + 1}",
        "colorRgb": f"#{draw.hexadecimal(6)}",
        "backgroundImageLink": f"https://lh3.example.com/{draw.hexadecimal(24)}",
        "capabilities": {
            name: draw.chance(0.7)
            for name in (
                "canAddChildren",
                "canComment",
                "canCopy",
                "canDownload",
                "canEdit",
                "canListChildren",
                "canManageMembers",
                "canReadRevisions",
                "canRename",
                "canShare",
                "canTrashChildren",
            )
        },
        "createdTime": made,
        "hidden": False,
        "restrictions": {
            "adminManagedRestrictions": False,
            "copyRequiresWriterPermission": draw.chance(0.2),
            "domainUsersOnly": draw.chance(0.5),
            "driveMembersOnly": draw.chance(0.5),
            "sharingFoldersRequiresOrganizerPermission": False,
        },
        "orgUnitId": f"03ph8a2z{draw.hexadecimal(7)}",
        "driveGroup": f"group_{number % GROUPS + 1}",
        "themeId": draw.pick(["abacus", "blueprint", "coffee", None]),
    }


def _graph_drive_texts(number: int) -> tuple[str, ...]:
    moments = Moments(number)
    return (
        f"b!{letters_of(number + 600_000_000)}-gR8",
        iso_seconds(moments.made),
        iso_seconds(moments.changed),
    )


def _graph_drive(draw: Draw, number: int) -> Json:
    ident, made, changed = _graph_drive_texts(number)
    total = 27_487_790_694_400
    return {
        "@odata.type": "#microsoft.graph.drive",
        "id": ident,
        "name": f"{draw.pick(words()['drive_names'])} {number // 10 + 1}",
        "description": sentences(draw, 1) if draw.chance(0.5) else "",
        "driveType": "documentLibrary",
        "createdDateTime": made,
        "lastModifiedDateTime": changed,
        "webUrl": f"https://acme.sharepoint.example/sites/{ident}/Shared%20Documents",
        "createdBy": _graph_user(draw),
        "lastModifiedBy": _graph_user(draw),
        "owner": {"group": {"displayName": draw.pick(words()["companies"]), "id": draw.hexadecimal(32)}},
        "siteGroup": f"group_{number % GROUPS + 1}",
        "quota": {"deleted": 0, "state": "normal", "total": total, "remaining": total - draw.below(10**12)},
        "system": None,
    }


def _google_number(text: str) -> int | None:
    return number_of(text[1:9]) if text.startswith("1") else None


def _google_drive_number(text: str) -> int | None:
    number = number_of(text[2:10]) if text.startswith("0A") else None
    return None if number is None else number - 500_000_000


def _graph_number(text: str) -> int | None:
    return number_of(text[2:10].lower()) if text.startswith("01") else None


def _graph_drive_number(text: str) -> int | None:
    number = number_of(text[2:10]) if text.startswith("b!") else None
    return None if number is None else number - 600_000_000


def _box_number(text: str) -> int | None:
    return int(text[2:]) if text.startswith("98") and text.isascii() and text.isdigit() else None


FILES = {
    "google-drive": Shape(_google, _google_texts, _google_number),
    "sharepoint": Shape(_graph, _graph_texts, _graph_number),
    "box": Shape(_box, _box_texts, _box_number),
}
DRIVE_SHAPES = {
    "google-drive": Shape(_google_drive, _google_drive_texts, _google_drive_number),
    "sharepoint": Shape(_graph_drive, _graph_drive_texts, _graph_drive_number),
}
