"""Services without a defect that differ in what the contract leaves open."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from tests.exam import words
from tests.exam.mapping import Json
from tests.exam.second.shapes import SHAPES
from tests.exam.second.sound import (
    Service,
    both,
    dates,
    dates_as_they_come,
    every,
    more,
    shortened,
    turned,
)
from tests.exam.service import Wire
from tests.exam.world import World, remade

INDIA = ZoneInfo("Asia/Kolkata")
JAPANESE = (
    "営業部の議事録",
    "見積書",
    "東京オフィスの写真",
    "開発計画",
    "契約書",
    "在庫一覧",
    "採用面接の日程",
)
RUSSIAN = ("Бухгалтер", "Инженер по тестированию", "Менеджер по продажам", "Водитель", "Юрист (Москва)")


def _japanese(number: int, raw: Json) -> None:
    ending = f".{raw['name'].rpartition('.')[2]}" if raw["type"] == "file" else ""
    raw["name"] = f"{JAPANESE[number % len(JAPANESE)]}{number}{ending}"
    raw["description"] = "在宅勤務も可能です。" if number % 3 else None


def _russian(number: int, raw: Json) -> None:
    raw["Posting_Title"] = f"{RUSSIAN[number % len(RUSSIAN)]} {number}"
    for name in ("Created_Time", "Modified_Time"):
        raw[name] = datetime.fromisoformat(raw[name]).astimezone(INDIA).isoformat()
    raw |= {"City": "Москва", "State1": None, "Country1": "Россия", "Zip_Code": "101000"}


def _bare(_: int, raw: Json) -> None:
    """A job of an organisation that fills in the title only."""
    raw["relationships"] = {
        name: {"data": [] if isinstance(part["data"], list) else None}
        for name, part in raw["relationships"].items()
    }
    raw["included"] = []
    raw["attributes"] |= {"pitch": None, "tags": [], "min-salary": None, "max-salary": None, "status": "open"}


def _folders_only(world: World) -> None:
    one = world.listing("file")
    one.rows = [row for row in one.rows if row.raw[".tag"] == "folder"]


def _one_state(_: int, raw: Json) -> None:
    raw |= {"current_state": "active", "currently_on_cadence": True, "person_deleted": False}


def _german(number: int, raw: Json) -> None:
    raw["name"] = f"{words.COMPANIES[number % 3]} GmbH & Co. KG {number}"
    raw["details"] = "Angebot über 1.250,50 € bis zum 31.12.; Rückruf erwünscht." if number % 4 else None
    if raw["address"]:
        raw["address"] |= {"city": "Köln", "state": None, "postal_code": "01067", "country": "Deutschland"}


PAGE: tuple[tuple[str, object], ...] = (
    ("total_count", None),
    ("meta", {"took": 12, "warnings": []}),
    ("links", {"self": "/page"}),
)
PLAIN = tuple(Service(f"plain {name}", name) for name in SHAPES)
SERVICES = (
    Service("dates with the offset of the third party", "zoho", dates_as_they_come(), Wire(page=20, end="absent")),
    Service("one page for all, members turned round", "zoho", every(turned), Wire(page=1000, most=1000)),
    Service("pages of 25 whatever is asked for, a richer envelope", "teamtailor", both(),
            Wire(page=25, honours=False, extra=PAGE)),
    Service("five jobs", "teamtailor", shortened(5), Wire(page=2, cursor="number", end="empty")),
    Service("no jobs at all", "zoho", shortened(0), Wire(end="absent", header=True)),
    Service("one file", "box", shortened(1), Wire(indent=2)),
    Service("odd cursors, members turned round", "box", every(turned), Wire(page=100, cursor="odd")),
    Service("Japanese names, written as escapes", "box",
            lambda world: remade(world, "file", _japanese), Wire(ascii=True, cursor="address")),
    Service("pages of uneven length", "dropbox", both(), Wire(ragged=(40, 7, 100))),
    Service("folders only, no drives", "dropbox", both(_folders_only, shortened(0, "drive")), Wire(most=10)),
    Service("long cursors, an empty last page", "salesloft", both(),
            Wire(page=56, cursor="long", end="empty", empty_last=True)),
    Service("dates to the microsecond with offset, fields absent", "salesloft", dates_as_they_come(),
            Wire(page=200, absent_nulls=True)),
    Service("every state is active", "salesloft",
            lambda world: remade(world, "sequence_state", _one_state), Wire(page=100, header=True)),
    Service("Russian titles, times of India", "zoho", lambda world: remade(world, "job", _russian), Wire(ascii=True)),
    Service("nothing filled in but the title", "teamtailor",
            lambda world: remade(world, "job", _bare), Wire(page=30, absent_nulls=True)),
    Service("dates at another zone's offset, more members", "dropbox",
            both(dates(lambda date, row: datetime.fromisoformat(date).astimezone(INDIA).isoformat()),
                 every(more({"object": "entry", "links": {"self": "/entry"}, "tags": []}))),
            Wire(page=33, cursor="number")),
    Service("German accounts", "copper", lambda world: remade(world, "account", _german), Wire(absent_nulls=True)),
)  # fmt: skip
