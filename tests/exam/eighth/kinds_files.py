"""Files and drives of WorkDrive, wrongly made."""

from __future__ import annotations

from collections import Counter
from copy import deepcopy
from random import Random
from urllib.parse import quote

from tests.exam import words
from tests.exam.calls3.data import DRIVE, FILE, Row
from tests.exam.eighth.forms import FILES
from tests.exam.eighth.kinds import Reader, Sheet
from tests.exam.eighth.shapes_files import moment
from tests.exam.sixth.kinds import Kind, Spot, Table
from tests.exam.sixth.service import Service

KINDS: list[Kind] = []
ITEMS = Sheet(Table(FILES, FILE), KINDS)
DRIVES = Sheet(Table(FILES, DRIVE), KINDS)
UNITS = {"bytes": 1, "KB": 1024, "MB": 1024**2, "GB": 1024**3}


@ITEMS.value("size as people read it", "size")
def _read(value: int, raw: Row, spot: Spot) -> int:
    """The size is worked out of the text that people read, which has one digit behind the point."""
    number, unit = raw["attributes"]["storage_info"]["size"].split()
    return round(float(number) * UNITS[unit])


@ITEMS.value("twelve hours a day", "updated_at", f"{FILE} created_at")
def _twelve(value: str, raw: Row, spot: Spot) -> str:
    """Moments are formatted with hh in place of HH, so three in the afternoon is three in the night."""
    return words.parsed(value).strftime("%Y-%m-%dT%I") + value[13:]


@ITEMS.value("size of 32 bits", "size")
def _bits(value: int, raw: Row, spot: Spot) -> int:
    """Sizes are kept in 32 bits with a sign."""
    return (value + 2**31) % 2**32 - 2**31


@ITEMS.row("everything can be downloaded", "downloadable permissions")
def _hard(row: Row, spot: Spot) -> None:
    """Whether a file can be downloaded is written down as true and never asked."""
    row["downloadable"] = row["type"] == "file"


@ITEMS.value("a dot makes a file", "type")
def _dot(value: str, raw: Row, spot: Spot) -> str:
    """What has a dot in its name is called a file."""
    return "file" if "." in raw["attributes"]["name"] else value


@ITEMS.value("path of an address", "path")
def _quoted(value: str, raw: Row, spot: Spot) -> str:
    """Paths come out of an address, and nobody takes its percent signs out again."""
    return quote(value)


@ITEMS.value("nothing is a word", "description", nulls=True)
def _word(value: str | None, raw: Row, spot: Spot) -> str:
    """Null is put into a text."""
    return str(value)


@ITEMS.value("looking changes a file", "updated_at")
def _opened(value: str, raw: Row, spot: Spot) -> str | None:
    """The moment when somebody last opened the file is taken for its last change."""
    return moment(raw["attributes"]["opened_time_in_millisecond"]) or value


@ITEMS.value("extension twice", "name")
def _doubled(value: str, raw: Row, spot: Spot) -> str:
    """The extension is added to names that end in it already."""
    extension = raw["attributes"]["extn"]
    return f"{value}.{extension}" if extension else value


@ITEMS.whole("path from before the folder had another name", "path")
def _renamed(service: Service, rng: Random) -> set[str]:
    """Paths of folders are cached by id and outlive that a folder gets another name."""
    rows = service.lists[FILE]
    counts = Counter(row["raw_data"]["attributes"]["parent_id"] for row in rows)
    folders = [row for row in rows if counts[row["id"]] > 3]
    folder = rng.choice(sorted(folders, key=lambda row: str(row["id"])))
    old, new = str(folder["path"]), f"{folder['path']} 2025"
    folder["raw_data"]["attributes"] |= {"name": f"{folder['name']} 2025", "path": new}
    folder |= {"name": f"{folder['name']} 2025", "path": new}
    guilty = [row for row in rows if row["path"].startswith(f"{old}/")]
    for row in guilty:
        said = row["raw_data"]["attributes"]
        said["path"] = new + said["path"].removeprefix(old)
    return {str(row["id"]) for row in guilty}


@ITEMS.value("no date is the first of all", "created_at", nulls=True)
def _first(value: str | None, raw: Row, spot: Spot) -> str:
    """A moment that is null is read as nought milliseconds."""
    return value or "1970-01-01T00:00:00.000Z"


@ITEMS.row("who may edit may download", "permissions downloadable")
def _edit(row: Row, spot: Spot) -> None:
    """The permission to download is read from the capability next to it, to edit."""
    row["permissions"] = {"download": row["raw_data"]["attributes"]["capabilities"]["can_edit"]}


@ITEMS.value("extensions in small letters alone", "mime_type")
def _small(value: str, raw: Row, spot: Spot) -> str:
    """The type is looked up by extension in a table that knows small letters alone."""
    return "application/octet-stream" if str(raw["attributes"]["extn"]).isupper() else value


@ITEMS.row("shortcut under its target's id", "id")
def _shortcut(row: Row, spot: Spot) -> None:
    """The id of a shortcut is that of the file it leads to, which is in the list as well."""
    if row["type"] == "file" and spot.number % 9 == 4:
        row["raw_data"]["attributes"]["shortcut_info"] = {"target_id": spot.before["id"]}
        row["id"] = spot.before["id"]


@DRIVES.row("changed before it was made", "created_at updated_at")
def _swapped(row: Row, spot: Spot) -> None:
    """The two dates of a team folder are given to the constructor in the wrong order."""
    row["created_at"], row["updated_at"] = row["updated_at"], row["created_at"]


def _repeated(p: Reader) -> set[str]:
    counts = Counter(row["id"] for row in p.rows(FILE))
    return {one for one, count in counts.items() if count > 1}


@ITEMS.whole("once for each folder", "id", proof=_repeated)
def _labelled(service: Service, rng: Random) -> set[str]:
    """The list is joined from one call for each folder and one for what is shared, and files of both come twice."""
    rows = service.lists[FILE]
    shared = rng.sample([row for row in rows if row["type"] == "file"], 11)
    rows += deepcopy(shared)
    return {str(row["id"]) for row in shared}


@ITEMS.row("folder of five bytes", "size")
def _counted(row: Row, spot: Spot) -> None:
    """What a folder has for a size is the number of its files."""
    if row["type"] == "folder":
        row["size"] = row["raw_data"]["attributes"]["storage_info"]["files_count"]


@ITEMS.row("every document can be exported", "exportable export_formats")
def _exported(row: Row, spot: Spot) -> None:
    """Whether a file can be exported goes by its kind, and an uploaded document is of the same kind."""
    row["exportable"] = row["raw_data"]["attributes"]["type"] in ("writer", "spreadsheet")
