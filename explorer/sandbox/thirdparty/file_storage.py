"""Files and drives in the forms of three file stores.

Files come in groups of `FOLDER_STEP`: the first of a group is a folder and the others lie in it. The file with
number n lies on the drive with number n modulo `DRIVES`.
"""

from __future__ import annotations

from functools import partial

from explorer.sandbox.draw import Draw
from explorer.sandbox.identifiers import counted, lettered
from explorer.sandbox.resources import MODELS
from explorer.sandbox.thirdparty.shape import Json, Shape

FOLDER_STEP = 25
DRIVES = 40
GROUPS = 4

_GOOGLE = "application/vnd.google-apps."
_KINDS = [
    ("application/pdf", ".pdf"),
    ("image/jpeg", ".JPG"),
    ("text/plain", ".txt"),
    ("application/vnd.openxmlformats-officedocument.wordprocessingml.document", ".docx"),
    (f"{_GOOGLE}document", ""),
    (f"{_GOOGLE}spreadsheet", ""),
    ("application/zip", ".zip"),
    (f"{_GOOGLE}shortcut", ".url"),
]
_EXPORTS = {
    f"{_GOOGLE}document": ["application/pdf", "application/rtf", "text/plain"],
    f"{_GOOGLE}spreadsheet": ["application/pdf", "text/csv"],
}
_EITHER = (True, False)
_PERSON = "{first_names} {last_names}"


def is_folder(number: int) -> bool:
    """Whether the file with this number is a folder."""
    return number % FOLDER_STEP == 0


def _places(number: int) -> dict[str, int]:
    """The folder that a file lies in, for a folder itself, and the drive."""
    return {"folder_id": number - number % FOLDER_STEP, "drive_id": number % DRIVES}


def _file(draw: Draw, number: int, record: Json) -> None:
    kind, extension = draw.pick(_KINDS)
    stem = draw.filled("{file_stems}")
    record["name"] = (
        draw.filled("{folder_names}") if is_folder(number) else f"{stem} {number % 1000:03d}{extension}"
    )
    record["mime_type"] = None if is_folder(number) else kind
    record["size"] = draw.below(2_000 if draw.chance(0.3) else 80_000_000)
    record["path"] = "/" if is_folder(number) else draw.filled("/{folder_names}")
    record["downloadable"] = not draw.chance(0.1)
    if draw.chance(0.5):
        record["description"] = draw.pick([None, ""])


def _google_file(draw: Draw, number: int, record: Json) -> Json:
    parents = {"parents": [_GOOGLE_FILES.text(_places(number)["folder_id"])]}
    if is_folder(number):
        record |= {"mime_type": f"{_GOOGLE}folder", "size": None}
        return parents
    exports = _EXPORTS.get(record["mime_type"])
    if exports is None:
        return {**parents, "md5Checksum": draw.hexadecimal(32)}
    record["size"] = None
    link = f"https://docs.example.com/export?key={draw.hexadecimal(24)}&exportFormat="
    return {**parents, "exportLinks": {form: link + form.rsplit("/", 1)[1] for form in exports}}


def _graph_file(draw: Draw, number: int, record: Json) -> Json:
    record["path"] = f"/drives/{_GRAPH_DRIVES.text(number % DRIVES)}/root:{record['path']}"
    if is_folder(number):
        return {"folder": {"childCount": FOLDER_STEP - 1}}
    link = f"https://acme.sharepoint.example/download?UniqueId={draw.hexadecimal(32)}&ApiVersion=2.0"
    return {"file": {"hashes": {"quickXorHash": draw.hexadecimal(27)}}, "@microsoft.graph.downloadUrl": link}


def _box_file(draw: Draw, number: int, record: Json) -> Json:
    record["path"] = record["path"].strip("/") or "All Files"
    top: Json = {"type": "folder", "id": "0", "name": "All Files"}
    entries = [top, {"type": "folder", "id": str(draw.below(10**9))}]
    return {
        "type": "folder" if is_folder(number) else "file",
        "path_collection": {"total_count": 2, "entries": entries},
    }


def _drive(draw: Draw, number: int, record: Json) -> None:
    record["name"] = draw.filled(f"{{drive_names}} {number // 10 + 1}")


def _group(draw: Draw, number: int, record: Json) -> Json:
    return {"group": f"group_{number % GROUPS + 1}"}


_GOOGLE_DRIVES = lettered("0A{}Uk9PVA", 500_000_000)
_GRAPH_DRIVES = lettered("b!{}-gR8", 600_000_000)
_GRAPH_FILES = lettered("01{}QW5RDY", upper=True)
_GOOGLE_FILES = lettered("1{}Zk_3rQ-vB7dLw0pYs")
_file_shape = partial(Shape, "file", model=MODELS["file"], change=_file)
_drive_shape = partial(Shape, "drive", model=MODELS["drive"], change=_drive, parts=_group)

SHAPES = (
    _file_shape(
        "google-drive",
        ids={"id": _GOOGLE_FILES, "folder_id": _GOOGLE_FILES, "drive_id": _GOOGLE_DRIVES},
        related=_places,
        parts=_google_file,
        extras={
            "/kind": "drive#file",
            "/driveId": "{drive_id}",
            "/starred": _EITHER,
            "/trashed": [False],
            "/version": [str(2**53 + 1 + step * 7919) for step in range(100)],
            "/webViewLink": "https://drive.example.com/file/d/{id}/view?usp=drivesdk",
            "/lastModifyingUser/displayName": _PERSON,
            "/lastModifyingUser/photoLink": [None],
            "/lastModifyingUser/me": _EITHER,
            "/capabilities/canEdit": _EITHER,
            "/capabilities/canCopy": [True],
            "/permissionIds": [
                [f"{step * 7_919_993 % 10**12:020d}", f"{step:020d}"] for step in range(1, 100)
            ],
            "/properties": [{}],
        },
    ),
    _file_shape(
        "sharepoint",
        ids={"id": _GRAPH_FILES, "folder_id": _GRAPH_FILES, "drive_id": _GRAPH_DRIVES},
        related=_places,
        parts=_graph_file,
        extras={
            "/@odata.etag": "{hex},{hex}",
            "/webUrl": "https://acme.sharepoint.example/sites/{drive_id}/{id}",
            "/createdBy/user/displayName": _PERSON,
            "/lastModifiedBy/user/displayName": _PERSON,
            "/parentReference/driveType": "documentLibrary",
            "/parentReference/driveId": "{drive_id}",
            "/parentReference/id": "{folder_id}",
            "/fileSystemInfo/createdDateTime": "{created_at}",
            "/fileSystemInfo/lastModifiedDateTime": "{updated_at}",
        },
    ),
    _file_shape(
        "box",
        ids={"id": counted(0, "98{:010d}")},
        parts=_box_file,
        extras={
            "/trashed_at": [None],
            "/created_by/name": _PERSON,
            "/modified_by/name": _PERSON,
            "/owned_by/login": "u{digits}@acme.example",
            "/shared_link": [None],
            "/permissions/can_rename": _EITHER,
            "/item_status": "active",
        },
    ),
    _drive_shape(
        "google-drive",
        ids={"id": _GOOGLE_DRIVES},
        extras={
            "/kind": "drive#drive",
            "/colorRgb": "#{hex}",
            "/backgroundImageLink": "https://lh3.example.com/{hex}{hex}{hex}",
            **{f"/capabilities/can{name}": _EITHER for name in ("AddChildren", "Comment", "Copy", "Share")},
            "/hidden": [False],
            "/restrictions/domainUsersOnly": _EITHER,
            "/orgUnitId": "03ph8a2z{hex}",
            "/themeId": ["abacus", "blueprint", "coffee", None],
        },
    ),
    _drive_shape(
        "sharepoint",
        ids={"id": _GRAPH_DRIVES},
        extras={
            "/@odata.type": "#microsoft.graph.drive",
            "/driveType": "documentLibrary",
            "/webUrl": "https://acme.sharepoint.example/sites/{id}/Shared%20Documents",
            "/createdBy/user/displayName": _PERSON,
            "/owner/group/displayName": "{companies}",
            "/quota/remaining": range(10**12, 27 * 10**12, 123_456_789),
            "/quota/state": "normal",
            "/system": [None],
        },
    ),
)
