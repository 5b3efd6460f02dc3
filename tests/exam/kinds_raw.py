"""Kinds of defects in raw_data itself; the unified fields are right."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from datetime import timedelta
from typing import Any

from tests.exam import words
from tests.exam.kinds import Spot, kind, value
from tests.exam.mapping import Json, at
from tests.exam.world import Row

RAW = (
    "greenhouse/job raw_data",
    "lever/job raw_data",
    "google/file raw_data",
    "sharepoint/file raw_data",
    "outreach/mailbox raw_data",
    "outreach/sequence_state raw_data",
    "salesforce/account raw_data",
)
OBJECTS = tuple(one for one in RAW if "file" not in one)
"""Where the contract wants an object."""


@kind("raw_data is that of the record before", *RAW, "google/drive raw_data", also="*")
def _(spot: Spot) -> None:
    for row, before in spot.before():
        row.body["raw_data"] = deepcopy(before.raw)


@kind("raw_data of one record is another's", *RAW, "google/drive raw_data", also="*")
def _(spot: Spot) -> None:
    row = spot.one()
    row.body["raw_data"] = deepcopy(spot.other(row).raw)


@kind("raw_data is that of the first throughout", *RAW, "sharepoint/drive raw_data", also="*")
def _(spot: Spot) -> None:
    for row in spot.rows:
        row.body["raw_data"] = deepcopy(spot.rows[0].raw)


@kind("raw_data of each fifty is that of the last of them", *RAW, also="*")
def _(spot: Spot) -> None:
    for number, row in enumerate(spot.rows):
        row.body["raw_data"] = deepcopy(spot.rows[min(number // 50 * 50 + 49, len(spot.rows) - 1)].raw)


@kind("raw_data of two records are exchanged", *RAW, "sharepoint/drive raw_data", also="*")
def _(spot: Spot) -> None:
    one = spot.one()
    two = spot.other(one)
    one.body["raw_data"], two.body["raw_data"] = deepcopy(two.raw), deepcopy(one.raw)


@value("raw_data is the unified record again", *RAW, also="*")
def _(raw: Any, row: Row) -> Any:
    return {name: part for name, part in row.clean.items() if name != "raw_data"}


@value("raw_data of some records is the unified record again", *RAW, much="some", also="*")
def _(raw: Any, row: Row) -> Any:
    return {name: part for name, part in row.clean.items() if name != "raw_data"}


@value("raw_data is empty in some records", *RAW, much="some", also="*")
def _(raw: Any, row: Row) -> Any:
    return {}


@value("raw_data is null in one record", *OBJECTS, much="one", also="*")
def _(raw: Any, row: Row) -> Any:
    return None


@kind("raw_data is left out of one record", *RAW, also="*")
def _(spot: Spot) -> None:
    del spot.one().body["raw_data"]


@value("raw_data is JSON as text", *OBJECTS, also="*")
def _(raw: Any, row: Row) -> Any:
    return json.dumps(raw, ensure_ascii=False)


@value("raw_data is JSON as text in one record", *OBJECTS, much="one", also="*")
def _(raw: Any, row: Row) -> Any:
    return json.dumps(raw)


@value("raw_data is an array of one", *OBJECTS, also="*")
def _(raw: Any, row: Row) -> Any:
    return [raw]


@value("raw_data is the text of an object", *OBJECTS, also="*")
def _(raw: Any, row: Row) -> Any:
    return "[object Object]"


@value("raw_data has half of its keys in some records", *RAW, much="some", also="*")
def _(raw: Any, row: Row) -> Any:
    return dict(list(raw.items())[: len(raw) // 2])


@value("raw_data is what the third party answered to a failure in one record", *RAW, much="one", also="*")
def _(raw: Any, row: Row) -> Any:
    return {"error": {"code": 429, "message": "Rate limit exceeded", "errors": []}}


DATES: dict[str, str] = {
    "greenhouse": "updated_at",
    "lever": "updatedAt",
    "google": "modifiedTime",
    "sharepoint": "lastModifiedDateTime",
    "outreach": "attributes/updatedAt",
    "salesforce": "SystemModstamp",
}
NAMES: dict[str, str] = {
    "greenhouse": "name",
    "lever": "text",
    "google": "name",
    "sharepoint": "name",
    "outreach": "attributes/state",
    "salesforce": "Name",
}
DATED = tuple(one for one in RAW if "mailbox" not in one)


def _changed(raw: Json, path: str, change: Callable[[Any], Any]) -> None:
    *above, last = path.split("/")
    inner = at(raw, "/".join(above))
    inner[last] = change(inner[last])


def _earlier(old: Any) -> Any:
    if isinstance(old, int):
        return old - 400_000_123
    moment = words.parsed(old.replace("+0000", "Z")) - timedelta(days=4, seconds=4321)
    return (words.iso(moment) if "." in old else words.iso_seconds(moment)).replace(
        "Z", old[-5:] if "+" in old else "Z"
    )


def _make_stale(spot: Spot, rows: list[Row]) -> None:
    shape = spot.world.shape
    for row in rows:
        raw = row.body["raw_data"]
        _changed(raw, DATES[shape], _earlier)
        _changed(raw, NAMES[shape], lambda old: f"{old} (draft)" if shape != "outreach" else "queued")


@kind("raw_data of some records is of an earlier state", *DATED, also="*")
def _(spot: Spot) -> None:
    _make_stale(spot, spot.some())


@kind("raw_data of one record is of an earlier state", *DATED, also="*")
def _(spot: Spot) -> None:
    _make_stale(spot, [spot.one()])


@kind(
    "texts of raw_data are in the wrong charset", *(one for one in DATED if "outreach" not in one), also="*"
)
def _(spot: Spot) -> None:
    for row in spot.rows:
        text = json.dumps(row.raw, ensure_ascii=False)
        row.body["raw_data"] = json.loads(text.encode().decode("latin-1"))


@kind("raw_data of a sequence state is the mailbox's", "outreach/sequence_state raw_data", also="*")
def _(spot: Spot) -> None:
    boxes = {row.clean["id"]: row.raw for row in spot.world.listing("mailbox").rows}
    for row in spot.rows:
        row.body["raw_data"] = deepcopy(boxes[row.clean["mailbox_id"]])


@kind("the id in raw_data is the word NaN throughout", "google/file raw_data", also="*")
def _(spot: Spot) -> None:
    for row in spot.rows:
        row.body["raw_data"]["id"] = "NaN"


@kind("the id in raw_data is another's in one record", *RAW, also="*")
def _(spot: Spot) -> None:
    row = spot.one()
    name = "Id" if "Id" in row.raw else "id"
    row.body["raw_data"][name] = spot.other(row).raw[name]
