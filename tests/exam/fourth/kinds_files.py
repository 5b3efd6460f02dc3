"""Kinds of file storage: Nextcloud's files and group folders."""

from __future__ import annotations

import mimetypes
from copy import deepcopy
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from random import Random
from typing import Any
from urllib.parse import unquote, unquote_plus

from tests.exam.fourth import texts
from tests.exam.fourth.kinds import ONE, Ids, Kind, Writer, changed, moved
from tests.exam.fourth.shapes_files import EXPORTS, NAME, file_of, path_of, renamed
from tests.exam.third.engine import DRIVE, FILE, WITHIN, Ask, Query, Row

KINDS: list[Kind] = []
OF = Writer(NAME, FILE, KINDS)
DRIVES = OF.at(DRIVE)


def _at(path: str) -> Row:
    return {"path": path, "name": path.rpartition("/")[2]}


@OF.records(
    "addresses decoded twice",
    "The address of a file is decoded twice, so that a %2B in its name becomes a plus.",
    "path",
    "name",
)
def _twice(row: Row, rng: Random) -> Row | None:
    return _at(unquote(row["path"]))


@OF.records(
    "a plus is a blank",
    "The name is decoded as a form is, so that a plus becomes a blank; the path is right.",
    "name",
)
def _plus(row: Row, rng: Random) -> Row | None:
    return {"name": unquote_plus(row["name"].replace("%", "%25"))}


@OF.records(
    "names cut at the first point",
    "Names with two points are cut at the first.",
    "name",
)
def _point(row: Row, rng: Random) -> Row | None:
    parts = row["name"].split(".")
    return {"name": parts[0]} if len(parts) > 2 and parts[0] else None


@OF.records(
    "folders in the wrong order",
    "The two folders between a drive and some of its files are joined in the wrong order.",
    "path",
    share=0.04,
)
def _order(row: Row, rng: Random) -> Row | None:
    parts = row["path"].split("/")
    if len(parts) != 5 or parts[2] == parts[3]:
        return None
    return {"path": "/".join([*parts[:2], parts[3], parts[2], parts[4]])}


@OF.records(
    "large files in kilobytes",
    "The size of files of more than ten million bytes is in kilobytes.",
    "size",
)
def _kilobytes(row: Row, rng: Random) -> Row | None:
    return {"size": row["size"] // 1024} if row["size"] > 10_000_000 else None


@OF.records(
    "sizes of 32 bits",
    "Sizes go through a number of 32 bits, so that those of very large files start again at 0.",
    "size",
)
def _wrapped(row: Row, rng: Random) -> Row | None:
    return {"size": row["size"] % 2**32}


@OF.records(
    "mounted folders are files",
    "A folder that is a mount is given the type file.",
    "type",
)
def _mounts(row: Row, rng: Random) -> Row | None:
    return {"type": "file"} if row["raw_data"]["prop"]["mount-type"] else None


@OF.records(
    "the kind by the ending of the name",
    "mime_type is guessed by the ending of the name, whatever is stored.",
    "mime_type",
)
def _ending(row: Row, rng: Random) -> Row | None:
    guess = mimetypes.types_map.get(".txt")
    return {"mime_type": guess} if row["name"].endswith(".txt") else None


@OF.records(
    "hidden downloads allowed",
    "Whether downloading is hidden is not asked: downloadable says yes.",
    "downloadable",
    "permissions",
)
def _hidden(row: Row, rng: Random) -> Row | None:
    if row["raw_data"]["prop"]["hide-download"] == "0" or row["type"] != "file":
        return None
    return {"downloadable": True}


@OF.records(
    "shared files by the second letter",
    "The right to read is looked for at one place in the letters, which a shared file has one further on.",
    "permissions",
)
def _letters(row: Row, rng: Random) -> Row | None:
    if row["raw_data"]["prop"]["permissions"] != "SRGDNVW":
        return None
    return {"permissions": {"download": False}}


@OF.records(
    "formats of a sheet for slides",
    "The table of exports has the formats of spreadsheets for presentations.",
    "export_formats",
)
def _formats(row: Row, rng: Random) -> Row | None:
    if "pptx" not in row["export_formats"]:
        return None
    return {"export_formats": next(of for of in EXPORTS.values() if "xlsx" in of)}


@OF.records(
    "exportable without formats",
    "Files of the type text/csv are exportable, though there is no format.",
    "exportable",
    "export_formats",
)
def _exportable(row: Row, rng: Random) -> Row | None:
    return {"exportable": True} if row["mime_type"] == "text/csv" else None


@OF.records(
    "unknown creation is 1970",
    "A creation time of 0, which means that it is not known, is given as 1970.",
    "created_at",
)
def _epoch(row: Row, rng: Random) -> Row | None:
    return {"created_at": texts.from_seconds(0)} if row["created_at"] is None else None


@OF.records(
    "uploaded for created in what is shared",
    "created_at of files with a public link is the time of the upload.",
    "created_at",
    share=0.1,
)
def _upload(row: Row, rng: Random) -> Row | None:
    prop = row["raw_data"]["prop"]
    return {"created_at": texts.from_seconds(prop["upload_time"])} if 3 in prop["share-types"] else None


@OF.records(
    "one month wrong in the table",
    "The table of English months has August for Sep.",
    "updated_at",
)
def _month(row: Row, rng: Random) -> Row | None:
    told = parsedate_to_datetime(row["raw_data"]["prop"]["getlastmodified"])
    return {"updated_at": row["updated_at"].replace("-09-", "-08-")} if told.month == 9 else None


@OF.records(
    "a local day for the last hour",
    "updated_at between 23 and 24 o'clock has the date of the next day with its own time.",
    "updated_at",
)
def _late(row: Row, rng: Random) -> Row | None:
    def ahead(at: datetime) -> datetime:
        return at + timedelta(days=at.hour == 23)

    return {"updated_at": moved(row["updated_at"], ahead)}


@OF.records(
    "None as a text",
    "A missing description is the text None in one file.",
    "description",
    share=ONE,
)
def _none(row: Row, rng: Random) -> Row | None:
    return {"description": "None"} if row["description"] is None else None


@OF.lists(
    "the description of the file before",
    "A file without a note keeps the note of the file before it: the variable is not cleared.",
    "description",
)
def _kept(rows: list[Row], rng: Random) -> Ids:
    before = {one["id"]: rows[at - 1]["description"] for at, one in enumerate(rows)}

    def keep(row: Row, _: Random) -> Row | None:
        return {"description": before[row["id"]]} if row["description"] is None else None

    return changed(rows, keep, rng, 0.06)


@OF.records(
    "ids of two forms",
    "The id of a shared file is the long one with the name of the instance.",
    "id",
    share=0.03,
)
def _long_id(row: Row, rng: Random) -> Row | None:
    prop = row["raw_data"]["prop"]
    return {"id": prop["id"]} if 0 in prop["share-types"] and row["type"] != "folder" else None


@OF.lists("the path of another file", "One file has the path of another one.", "path")
def _other_path(rows: list[Row], rng: Random) -> Ids:
    files = [at for at, one in enumerate(rows) if one["type"] == "file"]
    to, of = rng.sample(files, 2)
    rows[to] = {**rows[to], "path": rows[of]["path"]}
    return frozenset({rows[to]["id"], rows[of]["id"]})


@OF.lists(
    "deleted files shown",
    "Files of the trash are listed among the others, with the path that they had.",
)
def _trash(rows: list[Row], rng: Random) -> Ids:
    guilty: list[str] = []
    for one in rng.sample([row for row in rows if row["type"] == "file"], 9):
        raw = deepcopy(one["raw_data"])
        raw["prop"]["fileid"] = str(int(raw["prop"]["fileid"]) + 500_000)
        raw["prop"]["trashbin-deletion-time"] = raw["prop"]["upload_time"] + 86_400
        renamed(raw, path_of(one["raw_data"]))
        raw["href"] = raw["href"].replace("/dav/files/anna/", "/dav/trashbin/anna/trash/")
        made = {**file_of(raw), "path": one["path"], WITHIN: one[WITHIN]}
        rows.insert(rng.randrange(len(rows)), made)
        guilty.append(made["id"])
    return frozenset(guilty)


@OF.answers(
    "the drive forgotten on later pages", "drive_id counts on the first page only; the next give all drives."
)
def _forgotten(found: Any, query: Query, body: Any, ask: Ask) -> Any:
    if not query.get("cursor"):
        return found
    return ask({name: of for name, of in query.items() if name != "drive_id"}, body)


@OF.answers(
    "a folder with what is below it",
    "Asked for one folder, the files of the whole drive come.",
)
def _folder(found: Any, query: Query, body: Any, ask: Ask) -> Any:
    return ask({name: of for name, of in query.items() if name != "folder_id"}, body)


@OF.answers("pages of fifty without an end", "The list of one drive ends after its first fifty files.")
def _fifty(found: Any, query: Query, body: Any, ask: Ask) -> Any:
    if not query.get("drive_id"):
        return found
    first = ask({**{name: of for name, of in query.items() if name != "cursor"}, "page_size": "50"}, body)
    return {**first, "has_next_page": False, "next_cursor": None}


@DRIVES.lists("names of two drives swapped", "Two drives have each other's name.", "name")
def _swapped(rows: list[Row], rng: Random) -> Ids:
    a, b = rng.sample(range(len(rows)), 2)
    first, second = rows[a]["name"], rows[b]["name"]
    rows[a], rows[b] = {**rows[a], "name": second}, {**rows[b], "name": first}
    return frozenset({rows[a]["id"], rows[b]["id"]})


@DRIVES.records(
    "the change of a drive is its creation",
    "updated_at of every drive is told from the field of its creation.",
    "updated_at",
)
def _made(row: Row, rng: Random) -> Row | None:
    return {"updated_at": row["created_at"]}
