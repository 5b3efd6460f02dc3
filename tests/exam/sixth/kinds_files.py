"""What goes wrong in the records of files and drives."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import unquote_plus

from tests.exam.calls3.data import DRIVE, FILE, Row
from tests.exam.sixth.forms import FILES
from tests.exam.sixth.kinds import Spot, Table, mojibake
from tests.exam.sixth.shapes_files import from_mail, from_millis

F = Table(FILES, FILE)
D = Table(FILES, DRIVE)


def _path(raw: Row, change: Callable[[list[str]], list[str]]) -> str:
    """The path with other folders below /Shared."""
    _, shared, *folders, name = raw["path"].split("/")
    return "/".join(["", shared, *change(folders), name])


def _january(raw: Row) -> str:
    """Months were told by their first letter."""
    return from_mail(raw["last_modified"].replace(" Jun ", " Jan ").replace(" Jul ", " Jan "))


def _preview(row: Row, at: Spot) -> None:
    may = row["raw_data"]["rights"]["preview"]
    row["downloadable"], row["permissions"] = may, {"download": may}


def _last_formats(row: Row, at: Spot) -> None:
    """What was left over of the last file that had any."""
    if not row["export_formats"]:
        row["export_formats"] = at.before["export_formats"]


def _fits(size: int) -> int:
    """What 32 bits with a sign make of it."""
    return (size + 2**31) % 2**32 - 2**31


KINDS = [
    F.value(
        "file name without extension",
        "the extension is missing in names, though path and raw data have it",
        "name",
        lambda old, raw, at: old.removesuffix(f".{raw['extension']}"),
    ),
    F.value(
        "file name cut at the first dot",
        "names with several dots end at the first one",
        "name",
        lambda old, raw, at: old.partition(".")[0] + f".{raw['extension']}" if raw["extension"] else old,
    ),
    F.value(
        "file name read as a form field",
        "the plus in names became a blank",
        "name",
        lambda old, raw, at: unquote_plus(old),
    ),
    F.value(
        "file name in the wrong encoding",
        "UTF-8 of names was read as Latin-1 in one record in fifty",
        "name",
        lambda old, raw, at: mojibake(old),
        "fiftieth",
    ),
    F.value(
        "path without its root",
        "the root folder is missing in path in half of the records",
        "path",
        lambda old, raw, at: _path(raw, lambda folders: folders[1:]),
        "half",
    ),
    F.value(
        "path backwards",
        "folders of path stand in the wrong order",
        "path",
        lambda old, raw, at: _path(raw, lambda folders: folders[::-1]),
    ),
    F.value(
        "path two folders deep",
        "folders below the second are missing in path",
        "path",
        lambda old, raw, at: _path(raw, lambda folders: folders[:2]),
    ),
    F.value(
        "path of the file before",
        "a single path is that of the file before",
        "path",
        lambda old, raw, at: at.before["path"],
        "one",
    ),
    F.value(
        "tables by another program",
        "mime_type of text/csv is application/vnd.ms-excel",
        "mime_type",
        lambda old, raw, at: old.replace("text/csv", "application/vnd.ms-excel"),
    ),
    F.value(
        "extension as type",
        "mime_type is the extension in half of the files",
        "mime_type",
        lambda old, raw, at: raw["extension"],
        "half",
    ),
    F.value(
        "size in 32 bits", "sizes from two gigabytes on overflow", "size", lambda old, raw, at: _fits(old)
    ),
    F.value(
        "size in kilobytes",
        "sizes are in kilobytes from a megabyte on",
        "size",
        lambda old, raw, at: old // 1024 if old >= 2**20 else old,
    ),
    F.value(
        "size of one byte less",
        "one size in fifty is a byte short",
        "size",
        lambda old, raw, at: old - 1 if old else old,
        "fiftieth",
    ),
    F.row(
        "what can be looked at can be downloaded",
        "downloadable and permissions follow rights.preview",
        "downloadable permissions",
        _preview,
    ),
    F.value(
        "permission for everybody",
        "permissions.download is true where the third party says no",
        "permissions",
        lambda old, raw, at: {"download": True},
    ),
    F.value(
        "everything downloadable",
        "downloadable is true where permissions and raw data say no",
        "downloadable",
        lambda old, raw, at: True,
    ),
    F.value(
        "everything exportable",
        "exportable is true for files without a format to export to",
        "exportable",
        lambda old, raw, at: True,
    ),
    F.value(
        "last export format lost",
        "the last of several formats is missing",
        "export_formats",
        lambda old, raw, at: old[:-1] if len(old) > 1 else old,
    ),
    F.value(
        "formats in one text",
        "several formats stand in one text with commas",
        "export_formats",
        lambda old, raw, at: [",".join(old)] if len(old) > 1 else old,
    ),
    F.row(
        "formats of the file before",
        "files without formats have those of the file before, and are said not to be exportable",
        "export_formats exportable",
        _last_formats,
    ),
    F.value(
        "file created when its content was",
        "created_at is doc.authored in half of the records",
        "created_at",
        lambda old, raw, at: from_millis(raw["custom_metadata"]["doc.authored"]),
        "half",
    ),
    F.value(
        "summer is January",
        "updated_at is in January for what was changed in June and July",
        "updated_at",
        lambda old, raw, at: _january(raw),
    ),
    F.value(
        "file created in Japanese time",
        "created_at is nine hours late in a tenth of the records",
        "created_at",
        lambda old, raw, at: from_millis(raw["uploaded"] + 9 * 3_600_000),
        "tenth",
    ),
    F.value(
        "file created in whole minutes",
        "seconds of created_at are lost",
        "created_at",
        lambda old, raw, at: old[:17] + "00.000Z",
    ),
    F.value(
        "folders are files",
        "the type of half of the folders is file",
        "type",
        lambda old, raw, at: old.replace("folder", "file"),
        "half",
    ),
    F.value(
        "description is the name",
        "description is the file's name where there is none",
        "description",
        lambda old, raw, at: old or raw["name"],
    ),
    F.value(
        "description up to the line break",
        "only the first line of a description is given",
        "description",
        lambda old, raw, at: old.partition("\n")[0],
    ),
    F.value(
        "file by its folder's id",
        "id is the parent's id in one record in fifty",
        "id",
        lambda old, raw, at: raw["parent_id"],
        "fiftieth",
    ),
    D.value(
        "drive id in 32 bits",
        "ids of drives lost their upper bits",
        "id",
        lambda old, raw, at: str(int(old) % 2**32),
    ),
    D.value(
        "drive named for its owner",
        "name is the owner's name in half of the drives",
        "name",
        lambda old, raw, at: raw["owner"]["name"],
        "half",
    ),
    D.value(
        "drive created when first used",
        "created_at is first_used in half of the drives",
        "created_at",
        lambda old, raw, at: from_millis(raw["first_used"]),
        "half",
    ),
    D.value(
        "drive never updated",
        "updated_at is created_at",
        "updated_at",
        lambda old, raw, at: from_millis(raw["created"]),
    ),
]
