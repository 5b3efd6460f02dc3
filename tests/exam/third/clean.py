"""Clean services and legal oddities: they differ in what the contract leaves open, and nothing is wrong."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.exam.third import vocabulary as words
from tests.exam.third.engine import ACCOUNT, FILE, JOB, MAILBOX, STATE, Query, Row, Wire, World
from tests.exam.third.kinds import Make
from tests.exam.third.shapes_books import quickbooks
from tests.exam.third.shapes_crm import copper, copper_account, dynamics
from tests.exam.third.shapes_files import file_of, graph
from tests.exam.third.shapes_jobs import instant, teamtailor
from tests.exam.third.shapes_sales import apollo, mailbox_of

SERVICES: dict[str, Make] = {
    "dynamics": dynamics,
    "copper": copper,
    "teamtailor": teamtailor,
    "graph": graph,
    "apollo": apollo,
    "quickbooks": quickbooks,
}
TIMES = ("created_at", "updated_at", "modified_at", "last_modified_at", "last_activity_at")


@dataclass(frozen=True, slots=True)
class Clean:
    """A service in which nothing is to be found."""

    name: str
    service: str
    change: Callable[[World], None] = lambda _: None
    wire: Wire = field(default_factory=Wire)
    oddity: bool = True

    def world(self, seed: int) -> World:
        made = SERVICES[self.service](seed)
        self.change(made)
        return made


CLEAN: list[Clean] = [Clean(f"plain {name}", name, oddity=False) for name in SERVICES]


def odd(name: str, service: str, wire: Wire | None = None) -> Callable[[Callable[[World], None]], None]:
    """Makes an oddity of a change of a whole world."""

    def add(change: Callable[[World], None]) -> None:
        CLEAN.append(Clean(name, service, change, wire or Wire()))

    return add


def odd_wire(name: str, service: str, wire: Wire) -> None:
    """An oddity of the way in which records are served."""
    odd(name, service, wire)(lambda _: None)


def _all(world: World) -> Iterator[Row]:
    for rows in world.lists.values():
        yield from rows


def _times(world: World, change: Callable[[str], str]) -> None:
    for row in _all(world):
        for one in (row, *row.get("departments", ())):
            one |= {name: change(one[name]) for name in TIMES if one.get(name)}


odd_wire(
    "pages of 37 whatever is asked, no cursor on the last",
    "apollo",
    Wire(37, heeds_size=False, last="absent"),
)
odd_wire(
    "a full last page is followed by an empty one", "teamtailor", Wire(40, last="empty", empty_page=True)
)
odd_wire("very long cursors of any signs", "graph", Wire(60, long_cursor=True, last="empty"))
odd_wire("accounts in an order of their own", "dynamics", Wire(reversed_batch=True))
odd_wire("raw data of the properties that are asked for", "dynamics", Wire(heeds_properties=True))


@odd("missing texts are empty ones", "copper")
def _empty_texts(world: World) -> None:
    for row in _all(world):
        row |= {name: row[name] or "" for name in ("description", "website", "industry")}


@odd("times in milliseconds since 1970, as texts", "apollo")
def _epoch(world: World) -> None:
    _times(world, lambda told: f"{round(instant(told).timestamp() * 1000)}")


@odd("times with microseconds and +00:00", "graph")
def _micro(world: World) -> None:
    _times(world, lambda told: f"{instant(told):%Y-%m-%dT%H:%M:%S.%f}+00:00")


@odd("times without their milliseconds", "apollo")
def _no_millis(world: World) -> None:
    _times(world, lambda told: words.seconds(instant(told)))


@odd("fields that no contract knows", "graph")
def _more(world: World) -> None:
    for row in _all(world):
        parent = row["raw_data"].get("parentReference", {})
        row |= {"web_url": row["raw_data"]["webUrl"], "drive_id": parent.get("driveId"), "labels": []}


@odd("mail addresses in lower case, whatever the third party has", "apollo")
def _lower(world: World) -> None:
    rows = world.lists[MAILBOX]
    for at, row in enumerate(rows):
        if at % 3 == 0:
            row["raw_data"]["email"] = row["email"].title()
        rows[at] = {**mailbox_of(row["raw_data"]), "email": row["email"]}


@odd("numbers of phones in another form", "copper")
def _numbers(world: World) -> None:
    for row in _all(world):
        for one in row["phone_numbers"]:
            number, _, extension = one["phone_number"].partition(" ext. ")
            one["phone_number"] = number.replace(" ", "") + (f";ext={extension}" if extension else "")


@odd("what is null is absent", "copper")
def _absent(world: World) -> None:
    world.lists[ACCOUNT] = [{name: of for name, of in row.items() if of is not None} for row in _all(world)]


@odd("an industry is never told", "copper")
def _never(world: World) -> None:
    for row in _all(world):
        row["industry"] = None


@odd("countries by their names where the third party has codes", "copper")
def _countries(world: World) -> None:
    table = {one[4]: one[3] for one in words.PLACES}
    for row in _all(world):
        for one in row["addresses"]:
            one["country"] = table[one["country"]]


@odd("descriptions in HTML are told as plain text", "copper")
def _plain(world: World) -> None:
    for row in _all(world):
        if row["description"] in words.HTML:
            row["description"] = " ".join(html.unescape(re.sub(r"<[^>]+>", " ", row["description"])).split())


@odd("a chain of shops of one name", "copper")
def _chain(world: World) -> None:
    rows = world.lists[ACCOUNT]
    for at in range(0, len(rows), 6):
        rows[at] = copper_account({**rows[at]["raw_data"], "name": "Żabka"})


@odd("ids with a prefix", "teamtailor")
def _prefix(world: World) -> None:
    for row in _all(world):
        row["id"] = f"job_{row['id']}"


@odd("null where nothing is in a list", "teamtailor")
def _null_lists(world: World) -> None:
    for row in _all(world):
        row |= {name: row[name] or None for name in ("offices", "hiring_managers", "recruiters")}


@odd("no raw data anywhere", "teamtailor")
def _no_raw(world: World) -> None:
    for row in _all(world):
        del row["raw_data"]
        for one in row["departments"]:
            del one["raw_data"]


@odd("raw data within an envelope", "teamtailor")
def _envelope(world: World) -> None:
    for row in world.lists[JOB]:
        row["raw_data"] = {"data": row["raw_data"], "meta": {"version": "20240404"}}


@odd("the last changed first", "apollo")
def _sorted(world: World) -> None:
    for rows in world.lists.values():
        rows.sort(key=lambda row: str(row["updated_at"]), reverse=True)


@odd("states as labels", "apollo")
def _labels(world: World) -> None:
    for row in world.lists[STATE]:
        row["state"] = row["state"].replace("_", " ").title()


@odd("everything was moved here in the same second", "graph")
def _moved(world: World) -> None:
    day = "2022-05-01T00:00:00Z"
    for at, row in enumerate(world.lists[FILE]):
        raw = row["raw_data"] | {"createdDateTime": day}
        raw["lastModifiedDateTime"] = max(day, raw["lastModifiedDateTime"]) if at % 9 == 0 else day
        world.lists[FILE][at] = file_of(raw)


@odd("folders have no size", "graph")
def _no_size(world: World) -> None:
    for row in world.lists[FILE]:
        row["size"] = None if row["type"] == "folder" else row["size"]


@odd("no address is null", "dynamics")
def _null_addresses(world: World) -> None:
    for row in _all(world):
        row |= {name: row[name] or None for name in ("addresses", "phone_numbers")}


def _reports(world: World, change: Callable[[Row], Any]) -> None:
    def changed(sound: Callable[[Query], Row]) -> Callable[[Query], Row]:
        def served(query: Query) -> Row:
            report = sound(query)
            change(report)
            return report

        return served

    world.reports = {key: changed(sound) for key, sound in world.reports.items()}


@odd("sums with dust in the last digit", "quickbooks")
def _dust(world: World) -> None:
    rng = Random(0)

    def dusty(report: Row) -> None:
        for name in ("totalBalance", "totalIncome", "totalExpenses", "netIncome"):
            if name in report:
                report[name] *= 1 + rng.choice((-1, 1)) * 2**-50

    _reports(world, dusty)


@odd("nothing is booked, and all is nought", "quickbooks")
def _nothing(world: World) -> None:
    def nought(report: Row) -> None:
        for one in (report, *report["entries"]):
            one |= {name: 0 for name, of in one.items() if isinstance(of, int | float)}

    _reports(world, nought)


@odd("no entry for the customer", "quickbooks")
def _no_entry(world: World) -> None:
    def none(report: Row) -> None:
        report["entries"] = []
        report |= {name: 0 for name, of in report.items() if isinstance(of, int | float)}

    _reports(world, none)
