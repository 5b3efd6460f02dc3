"""Kinds of files and drives: what connectors make of ShareFile's items."""

from __future__ import annotations

from copy import deepcopy
from datetime import UTC, datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

from tests.exam import words
from tests.exam.calls3.data import DRIVE, FILE, Row
from tests.exam.fifth.kinds import GONE, Kind, Writer
from tests.exam.fifth.shapes_files import MIMES, NAME, ending_of, kind_of, moment

KINDS: list[Kind] = []
FILES = Writer(NAME, FILE, KINDS)
DRIVES = Writer(NAME, DRIVE, KINDS)
BERLIN = ZoneInfo("Europe/Berlin")


@FILES.rows(
    "fraction read as a number of milliseconds",
    "ProgenyEditDate ends in .4 and updated_at in .004; those with three digits agree.",
    "updated_at",
)
def _fraction(body: Row, raw: Row, rng: Random) -> None:
    seconds, _, part = raw["ProgenyEditDate"].removesuffix("Z").partition(".")
    body["updated_at"] = f"{seconds}.{int(part or 0):03}Z"


@FILES.rows(
    "summer time added",
    "updated_at is an hour later than ProgenyEditDate from April to October, and equal in winter; both are in UTC.",
    "updated_at",
)
def _summer(body: Row, raw: Row, rng: Random) -> None:
    at = words.parsed(body["updated_at"])
    body["updated_at"] = words.iso(at + (at.astimezone(BERLIN).dst() or timedelta(0)))


@FILES.rows(
    "folders changed when they were made",
    "updated_at of folders is CreationDate, that of files ProgenyEditDate.",
    "updated_at",
)
def _folders(body: Row, raw: Row, rng: Random) -> None:
    if kind_of(raw) == "Folder":
        body["updated_at"] = moment(raw["CreationDate"])


@FILES.rows(
    "created in another century",
    "created_at has the year 00xx where CreationDate has 20xx, in a dozen files.",
    "created_at",
    rows="dozen",
)
def _century(body: Row, raw: Row, rng: Random) -> None:
    body["created_at"] = f"00{body['created_at'][2:]}"


@FILES.rows(
    "size in kilobytes",
    "size is FileSizeInKB of raw_data, which has FileSizeBytes as well.",
    "size",
)
def _kilobytes(body: Row, raw: Row, rng: Random) -> None:
    body["size"] = raw["FileSizeInKB"]


@FILES.rows(
    "size wraps at 32 bits",
    "FileSizeBytes is above 2147483647, size is lower by multiples of 4294967296, and may be negative.",
    "size",
)
def _wraps(body: Row, raw: Row, rng: Random) -> None:
    body["size"] = (raw["FileSizeBytes"] + 2**31) % 2**32 - 2**31


@FILES.rows(
    "empty files have no size",
    "FileSizeBytes is 0 and there is no size; every other file has one.",
    "size",
)
def _empty(body: Row, raw: Row, rng: Random) -> None:
    if kind_of(raw) == "File" and raw["FileSizeBytes"] == 0:
        body["size"] = GONE


@FILES.rows(
    "large sizes as text",
    "The contract has a number for size; above 2147483647 it is a text.",
    "size",
)
def _as_text(body: Row, raw: Row, rng: Random) -> None:
    if raw["FileSizeBytes"] > 2**31:
        body["size"] = str(raw["FileSizeBytes"])


@FILES.rows(
    "path of a file is that of its folder",
    "SemanticPath ends in the name, path of files lacks it; path of folders has it.",
    "path",
)
def _path(body: Row, raw: Row, rng: Random) -> None:
    if kind_of(raw) == "File":
        body["path"] = raw["SemanticPath"].rpartition("/")[0]


@FILES.rows(
    "path encoded as an address",
    "SemanticPath has letters and blanks, path has percent and digits in their place, in a third of the files.",
    "path",
    rows="third",
)
def _encoded(body: Row, raw: Row, rng: Random) -> None:
    body["path"] = raw["SemanticPath"].replace("%", "%25").replace(" ", "%20").replace("&", "%26")


@FILES.rows(
    "type of capital endings unknown",
    "mime_type is application/octet-stream for .PDF and application/pdf for .pdf.",
    "mime_type",
)
def _capital(body: Row, raw: Row, rng: Random) -> None:
    if kind_of(raw) == "File" and raw["Name"].rpartition(".")[2] not in MIMES:
        body["mime_type"] = "application/octet-stream"


@FILES.rows(
    "ending behind the first dot",
    "Of names with two dots mime_type is application/octet-stream, of those with one it fits the ending.",
    "mime_type",
)
def _first_dot(body: Row, raw: Row, rng: Random) -> None:
    if kind_of(raw) == "File" and raw["Name"].count(".") > 1:
        body["mime_type"] = "application/octet-stream"


@FILES.rows(
    "a type that does not exist",
    "mime_type of .jpg is image/jpg, which is not registered; it is image/jpeg.",
    "mime_type",
)
def _jpg(body: Row, raw: Row, rng: Random) -> None:
    if kind_of(raw) == "File" and ending_of(raw["Name"]) == "jpg":
        body["mime_type"] = "image/jpg"


@FILES.rows(
    "spreadsheets are archives",
    "mime_type of .xlsx is application/zip, told from the content, in a third; the others fit their ending.",
    "mime_type",
    rows="third",
)
def _zip(body: Row, raw: Row, rng: Random) -> None:
    if kind_of(raw) == "File" and ending_of(raw["Name"]) == "xlsx":
        body["mime_type"] = "application/zip"


@FILES.rows(
    "links are files",
    "odata.type is Link, and type is file as where odata.type is File, although there is nothing to download.",
    "type",
)
def _links(body: Row, raw: Row, rng: Random) -> None:
    if kind_of(raw) == "Link":
        body["type"] = "file"


@FILES.rows(
    "folders with a dot are files",
    "odata.type is Folder and type is file, where the name has a dot; other folders are folders.",
    "type",
)
def _dotted(body: Row, raw: Row, rng: Random) -> None:
    if kind_of(raw) == "Folder" and "." in raw["Name"]:
        body["type"] = "file"


@FILES.rows(
    "download is permitted and not possible",
    "In a dozen files Info.CanDownload and downloadable are false, and permissions.download is true.",
    "permissions",
    rows="dozen",
)
def _download(body: Row, raw: Row, rng: Random) -> None:
    if kind_of(raw) == "File":
        body["permissions"] = {"download": True}


@FILES.rows(
    "null as a word",
    "Description is null and description is the text null, in a third of the files.",
    "description",
    rows="third",
)
def _null(body: Row, raw: Row, rng: Random) -> None:
    body["description"] = str(raw["Description"] or "null")


@FILES.rows(
    "line breaks spelt out",
    "Description has a line break, description a backslash and an n.",
    "description",
)
def _breaks(body: Row, raw: Row, rng: Random) -> None:
    if raw["Description"]:
        body["description"] = raw["Description"].replace("\n", "\\n")


@FILES.rows(
    "id of the content where there are versions",
    "id is StreamID of raw_data where HasMultipleVersions is true, else Id.",
    "id",
)
def _stream(body: Row, raw: Row, rng: Random) -> None:
    if raw["HasMultipleVersions"]:
        body["id"] = raw["StreamID"]


@FILES.rows(
    "apostrophes escaped",
    "Name has an apostrophe, name has a backslash before it, in a dozen files.",
    "name",
    rows="dozen",
)
def _apostrophe(body: Row, raw: Row, rng: Random) -> None:
    body["name"] = raw["Name"].replace("'", "\\'")


@FILES.rows(
    "ending twice",
    "Name is a.pdf and name a.pdf.pdf, in a third of the files.",
    "name",
    rows="third",
)
def _ending(body: Row, raw: Row, rng: Random) -> None:
    if kind_of(raw) == "File":
        body["name"] = f"{raw['Name']}.{ending_of(raw['Name'])}"


@FILES.whole(
    "folders come again with their content",
    "Some folders come twice with the same id: where they stand, and before what is in them.",
)
def _again(rows: list[Row], rng: Random) -> list[Row]:
    folders = {one["id"]: one for one in rows if one["type"] == "folder"}
    made: list[Row] = []
    came: set[str] = set()
    for one in rows:
        above = one["raw_data"]["Parent"]["Id"]
        if above in folders and above not in came and len(came) < 12:
            came.add(above)
            made.append(deepcopy(folders[above]))
        made.append(one)
    return made


@FILES.whole(
    "raw data of the folder",
    "raw_data of some files is that of the folder that they are in: its Id is not id, its odata.type is Folder.",
)
def _parent(rows: list[Row], rng: Random) -> list[Row]:
    folders = {one["id"]: one["raw_data"] for one in rows if one["type"] == "folder"}
    for one in rows:
        above = one["raw_data"]["Parent"]["Id"]
        if one["type"] == "file" and above in folders and rng.random() < 0.3:
            one["raw_data"] = deepcopy(folders[above])
    return rows


@DRIVES.rows(
    "description is the name",
    "Description of raw_data says more, description repeats the name.",
    "description",
)
def _description(body: Row, raw: Row, rng: Random) -> None:
    if raw["Description"]:
        body["description"] = raw["Name"]


@DRIVES.rows(
    "dates change places",
    "created_at is ProgenyEditDate and updated_at CreationDate; each drive is changed before it is made.",
    "created_at",
    "updated_at",
)
def _dates(body: Row, raw: Row, rng: Random) -> None:
    if "updated_at" in body:
        body["created_at"], body["updated_at"] = body["updated_at"], body["created_at"]


@DRIVES.rows(
    "no date is the moment of the call",
    "ProgenyEditDate is null and updated_at is the moment of the call, the same for all such drives.",
    "updated_at",
)
def _now(body: Row, raw: Row, rng: Random) -> None:
    body.setdefault("updated_at", words.iso(datetime.now(UTC)))


@DRIVES.rows(
    "name with an entity",
    "One drive's Name has an ampersand, name has &amp; in its place.",
    "name",
    rows="one",
)
def _entity(body: Row, raw: Row, rng: Random) -> None:
    body["name"] = raw["Name"].replace("&", "&amp;")
