"""Files and drives as Google Drive and as SharePoint have them, and what the unified ones are made of."""

from __future__ import annotations

from random import Random
from urllib.parse import quote

from tests.exam import words
from tests.exam.mapping import Json, made
from tests.exam.world import Shape, World, listing

GOOGLE_FILE = (
    made("id", "id"),
    made("name", "name"),
    made("description", "description"),
    made("type", "mimeType", how="type by mime type"),
    made("mime_type", "mimeType"),
    made("downloadable", "capabilities/canDownload", "mimeType", how="downloadable by right and mime type"),
    made("size", "size", how="as a number"),
    made("permissions", "capabilities/canDownload", how="right to download"),
    made("exportable", "exportLinks", how="is there"),
    made("export_formats", "exportLinks", how="keys"),
    made("updated_at", "modifiedTime"),
    made("created_at", "createdTime"),
)
GOOGLE_DRIVE = (made("id", "id"), made("name", "name"), made("created_at", "createdTime"))
GRAPH_ITEM = (
    made("id", "id"),
    made("name", "name"),
    made("description", "description"),
    made("type", "folder", how="folder by facet"),
    made("path", "parentReference/path", "name", how="path behind the root"),
    made("mime_type", "file/mimeType"),
    made("downloadable", "@microsoft.graph.downloadUrl", how="is there"),
    made("size", "size"),
    made("permissions", "@microsoft.graph.downloadUrl", how="right by address"),
    made("exportable", "file/mimeType", how="converts to PDF"),
    made("export_formats", "file/mimeType", how="PDF if it converts"),
    made("updated_at", "lastModifiedDateTime"),
    made("created_at", "createdDateTime"),
)
GRAPH_DRIVE = (
    made("id", "id"),
    made("name", "name"),
    made("description", "description"),
    made("updated_at", "lastModifiedDateTime"),
    made("created_at", "createdDateTime"),
)

GOOGLE = "application/vnd.google-apps."
OPEN_XML = "application/vnd.openxmlformats-officedocument."
PLAIN = (
    ("application/pdf", "pdf"),
    ("image/png", "png"),
    ("image/jpeg", "jpg"),
    ("text/plain", "txt"),
    ("text/csv", "csv"),
    (OPEN_XML + "wordprocessingml.document", "docx"),
    (OPEN_XML + "spreadsheetml.sheet", "xlsx"),
    (OPEN_XML + "presentationml.presentation", "pptx"),
    ("application/zip", "zip"),
    ("video/mp4", "mp4"),
)
EXPORTS = {
    "document": ("application/rtf", "text/plain", "application/pdf", "application/epub+zip"),
    "spreadsheet": ("text/csv", "application/pdf", OPEN_XML + "spreadsheetml.sheet"),
    "presentation": ("application/pdf", OPEN_XML + "presentationml.presentation"),
}


def _stem(rng: Random) -> str:
    kind = rng.choice(
        ("Offer", "Report", "Notes", "Vertrag", "Übersicht", "契約書", "Отчёт", "تقرير", "R&D plan", "IMG")
    )
    return f"{kind} {rng.choice(words.COMPANIES)} {rng.choice(('', 'final', 'v2', 'draft (1)', '50%', '#7'))}".strip()


def _size(rng: Random) -> int:
    """Small ones, large ones, and some above four gigabytes."""
    return rng.choice(
        (rng.randrange(1, 3000), rng.randrange(3000, 40_000_000), rng.randrange(5 * 2**30, 9 * 2**30))
    )


def google(rng: Random, count: int = 600, drives: int = 64) -> World:
    """Files of several shared drives, and those drives."""
    drive_raws: list[Json] = [
        {
            "kind": "drive#drive",
            "id": "0A" + words.token(rng, 15) + "PVA",
            "name": f"{rng.choice(words.DEPARTMENTS)} {rng.choice(words.COMPANIES)}",
            "colorRgb": f"#{rng.randrange(2**24):06x}",
            "backgroundImageLink": f"https://lh3.googleusercontent.example/{words.token(rng, 40)}",
            "capabilities": {
                "canAddChildren": True,
                "canRename": rng.random() < 0.5,
                "canDeleteDrive": False,
            },
            "restrictions": {"adminManagedRestrictions": False, "domainUsersOnly": True},
            "createdTime": words.iso(words.moment(rng, 2017, 2020)),
            "hidden": False,
        }
        for _ in range(drives)
    ]
    folders = [words.token(rng, 33) for _ in range(count // 10)]
    used = drive_raws[:8]
    raws = [_google_file(rng, folders, used, folders[n] if n < len(folders) else "") for n in range(count)]
    rng.shuffle(raws)
    return World(
        "google",
        [
            listing(
                "file-storage/file", "A", raws, GOOGLE_FILE, {"drive_id": "driveId", "folder_id": "parents"}
            ),
            listing("file-storage/drive", "A", drive_raws, GOOGLE_DRIVE),
        ],
        absent_nulls=True,
    )


def _google_file(rng: Random, folders: list[str], drives: list[Json], folder: str) -> Json:
    native = rng.choice((*EXPORTS, "form", "shortcut")) if not folder and rng.random() < 0.35 else ""
    mime, ending = rng.choice(PLAIN)
    if folder or native:
        mime = GOOGLE + ("folder" if folder else native)
    stored = not (folder or native)
    name = _stem(rng) + (f".{ending}" if stored and rng.random() < 0.9 else "")
    uid = folder or words.token(rng, 33)
    created = words.moment(rng)
    modified = words.later(rng, created)
    size = _size(rng)
    who = words.person(rng)
    raw: Json = {
        "kind": "drive#file",
        "id": uid,
        "name": name,
        "mimeType": mime,
        "starred": rng.random() < 0.1,
        "trashed": False,
        "parents": [rng.choice([one for one in folders if one != folder])],
        "spaces": ["drive"],
        "version": str(rng.randrange(1, 900)),
        "webViewLink": f"https://drive.google.example/file/d/{uid}/view?usp=drivesdk",
        "iconLink": f"https://drive-thirdparty.googleusercontent.example/16/type/{mime}",
        "hasThumbnail": stored,
        "viewedByMe": rng.random() < 0.5,
        "createdTime": words.iso(created),
        "modifiedTime": words.iso(modified),
        "viewedByMeTime": words.iso(words.later(rng, modified, 30)),
        "driveId": rng.choice(drives)["id"],
        "lastModifyingUser": {"kind": "drive#user", "displayName": " ".join(who), "me": False},
        "capabilities": {
            "canDownload": rng.random() < 0.8,
            "canEdit": rng.random() < 0.5,
            "canCopy": rng.random() < 0.5,
        },
        "quotaBytesUsed": "0",
        "permissionIds": [str(rng.randrange(10**19, 10**20)) for _ in range(2)],
    }
    if rng.random() < 0.4:
        raw["description"] = words.text(rng)
    if stored:
        raw |= {
            "size": str(size),
            "quotaBytesUsed": str(size * rng.choice((1, 2, 3))),
            "md5Checksum": words.token(rng, 32, "0123456789abcdef"),
            "fileExtension": ending,
            "originalFilename": rng.choice((name, f"scan_{rng.randrange(10**6)}.{ending}")),
        }
    if native in EXPORTS:
        link = f"https://docs.google.example/feeds/download/export/Export?id={uid}&exportFormat="
        raw["exportLinks"] = {form: link + quote(form, "") for form in EXPORTS[native]}
    return raw


def sharepoint(rng: Random, count: int = 320, drives: int = 60) -> World:
    """Items of the document libraries of three sites, and those libraries."""
    sites = [words.guid(rng) for _ in range(3)]
    drive_raws: list[Json] = []
    for _ in range(drives):
        created = words.moment(rng, 2017, 2020)
        who = " ".join(words.person(rng))
        name = f"{rng.choice(('Documents', 'Dokumente', 'Archiv', '共有'))} {rng.choice(words.COMPANIES)}"
        site = rng.choice(sites)
        drive_raws.append(
            {
                "createdDateTime": words.iso_seconds(created),
                "description": rng.choice(("", words.text(rng, 2))),
                "id": "b!" + words.token(rng, 64),
                "lastModifiedDateTime": words.iso_seconds(words.later(rng, created, 900)),
                "name": name,
                "webUrl": f"https://example.sharepoint.example/sites/{site}/{quote(name)}",
                "driveType": "documentLibrary",
                "createdBy": {
                    "user": {"email": words.email(rng, 1), "id": words.guid(rng), "displayName": who}
                },
                "quota": {
                    "deleted": 0,
                    "remaining": rng.randrange(2**40),
                    "state": "normal",
                    "total": 2**40,
                    "used": 9,
                },
                "sharePointIds": {"siteId": site},
            }
        )
    used = drive_raws[:6]
    folders = [("", "01" + words.token(rng, 32), rng.choice(used))]
    raws: list[Json] = []
    for n in range(count):
        parent, parent_id, drive = rng.choice(folders)
        raw = _graph_item(rng, parent, parent_id, drive, folder=n < count // 8)
        if "folder" in raw:
            folders.append((f"{parent}/{raw['name']}", raw["id"], drive))
            folders.append(("", "01" + words.token(rng, 32), rng.choice(used)))
        raws.append(raw)
    return World(
        "sharepoint",
        [
            listing(
                "file-storage/file",
                "A",
                raws,
                GRAPH_ITEM,
                {
                    "drive_id": "parentReference/driveId",
                    "folder_id": "parentReference/id",
                    "drive_group_id": "parentReference/siteId",
                },
            ),
            listing(
                "file-storage/drive", "A", drive_raws, GRAPH_DRIVE, {"drive_group_id": "sharePointIds/siteId"}
            ),
        ],
        absent_nulls=True,
    )


def _graph_item(rng: Random, parent: str, parent_id: str, drive: Json, *, folder: bool) -> Json:
    mime, ending = rng.choice(PLAIN)
    name = _stem(rng).replace("#", "no ") + f" {rng.randrange(1000)}" + ("" if folder else f".{ending}")
    created = words.moment(rng)
    modified = words.later(rng, created)
    uid = "01" + words.token(rng, 32, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
    tag = words.guid(rng).upper()
    by = [
        {
            "user": {
                "email": words.email(rng, 3),
                "id": words.guid(rng),
                "displayName": " ".join(words.person(rng)),
            }
        }
        for _ in range(2)
    ]
    raw: Json = {
        "createdDateTime": words.iso_seconds(created),
        "eTag": f'"{{{tag}}},4"',
        "id": uid,
        "lastModifiedDateTime": words.iso_seconds(modified),
        "name": name,
        "webUrl": f"{drive['webUrl']}{quote(parent)}/{quote(name)}",
        "cTag": f'"c:{{{tag}}},2"',
        "size": _size(rng),
        "createdBy": by[0],
        "lastModifiedBy": by[1],
        "parentReference": {
            "driveType": "documentLibrary",
            "driveId": drive["id"],
            "id": parent_id,
            "name": parent.rpartition("/")[2] or "root",
            "path": f"/drives/{drive['id']}/root:{quote(parent)}",
            "siteId": drive["sharePointIds"]["siteId"],
        },
        "fileSystemInfo": {
            "createdDateTime": words.iso_seconds(words.later(rng, created, 2)),
            "lastModifiedDateTime": words.iso_seconds(words.later(rng, modified, 2)),
        },
    }
    if rng.random() < 0.4:
        raw["description"] = words.text(rng)
    if rng.random() < 0.3:
        raw["shared"] = {"scope": "users"}
    if folder:
        raw["folder"] = {"childCount": rng.randrange(40)}
    else:
        raw["file"] = {"mimeType": mime, "hashes": {"quickXorHash": words.token(rng, 27) + "="}}
        if rng.random() < 0.85:
            raw["@microsoft.graph.downloadUrl"] = (
                f"https://example.sharepoint.example/_layouts/15/download?u={uid}"
            )
    return raw


GOOGLE_SHAPE = Shape("google", google)
SHAREPOINT = Shape("sharepoint", sharepoint)
