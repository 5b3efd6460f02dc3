"""Services without a defect: some change while they are read, some use what the interface leaves open."""

from __future__ import annotations

import copy
import json
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from random import Random
from typing import Any

from tests.exam.calls3.answers import Call, Cut, Reply
from tests.exam.calls3.data import ACCOUNT, BASES, CONTACT, MAILBOX, REPORTS, SIZED, STATE, WEBHOOK, Row
from tests.exam.calls3.engine import Bend, Bending, Engine, Spot
from tests.exam.calls3.kinds import told
from tests.exam.calls3.kinds_paging import cursor_name, more
from tests.exam.calls3.money import FIGURES
from tests.exam.calls3.serve import serving
from tests.exam.frame import Case


@dataclass(frozen=True, slots=True)
class Sound:
    """A service in which nothing may be found."""

    name: str
    base: str
    bends: tuple[tuple[str, Bending], ...] = ()
    prepare: Callable[[Engine, Random], None] | None = None
    writes: bool = False

    def engine(self, seed: int) -> Engine:
        base = BASES[self.base]
        engine = Engine(base, seed)
        rng = Random(f"{self.name} {seed}")
        if self.prepare:
            self.prepare(engine, rng)
        spot = Spot(engine, "", rng)
        engine.bends = [(Bend(point, "", change), spot) for point, change in self.bends]
        return engine

    def case(self, seed: int) -> Case:
        plain = serving(lambda: Engine(BASES[self.base], seed))
        return Case(
            self.name,
            serving(lambda: self.engine(seed)),
            plain,
            (),
            told(self.engine(seed)),
            writes=self.writes,
        )


# ---------------------------------------------------------------- changing while they are read


def changed(row: Row, engine: Engine, **values: Any) -> Row:
    """A later state of a row, in the unified fields and in the raw ones."""
    old = {row.get(name) for name in ("updated_at", "modified_at", "last_modified_at")} - {None}
    if "created_at" in values:
        old.add(row["created_at"])
    swapped = {name: (row[name], value) for name, value in values.items() if row.get(name) is not None}
    now = engine.now()

    def anew(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: anew(one) for name, one in value.items()}
        if isinstance(value, str):
            if value in old:
                return now
            return next((new for was, new in swapped.values() if value == was), value)
        return value

    later: Row = anew(copy.deepcopy(row))
    return later


def new_row(engine: Engine, rng: Random, key: str) -> Row:
    row = rng.choice(engine.lists[key])
    names: dict[str, str] = {name: f"{row[name]} bis" for name in ("name", "path") if name in row}
    if key == MAILBOX:
        names["email"] = f"n{engine.world.made}.{row['email']}"
    elif key == STATE:
        names["contact_id"] = engine.world.new_id()
    return changed(row, engine, id=engine.world.new_id(), created_at=engine.now(), **names)


Change = Callable[[Engine, Random, str, list[Row]], None]


def live(change: Change, every: int) -> tuple[tuple[str, Bending], ...]:
    """The change happens before every so-manieth call of a list."""

    def tick(spot: Spot, call: Call, query: dict[str, str]) -> dict[str, str]:
        if call.act == "list":
            spot.memo["n"] = spot.memo.get("n", 0) + 1
            if spot.memo["n"] % every == 0:
                change(spot.engine, spot.rng, call.key, spot.engine.lists[call.key])
        return query

    return (("asked", tick),)


def appended(engine: Engine, rng: Random, key: str, rows: list[Row]) -> None:
    rows.append(new_row(engine, rng, key))


def at_head(engine: Engine, rng: Random, key: str, rows: list[Row]) -> None:
    rows.insert(0, new_row(engine, rng, key))


def deleted(engine: Engine, rng: Random, key: str, rows: list[Row]) -> None:
    """What no other row names."""
    at = rng.randrange(len(rows))
    if key not in ("file-storage/drive", MAILBOX) and rows[at].get("type") != "folder" and len(rows) > 40:
        rows.pop(at)


def renamed(engine: Engine, rng: Random, key: str, rows: list[Row]) -> None:
    at = rng.randrange(len(rows))
    row = rows[at]
    values = {"name": f"{row['name']} new"} if key == "ats/job" else {}
    rows[at] = changed(row, engine, **values)


def to_head(engine: Engine, rng: Random, key: str, rows: list[Row]) -> None:
    rows.insert(0, changed(rows.pop(rng.randrange(len(rows))), engine))


def exchanged(engine: Engine, rng: Random, key: str, rows: list[Row]) -> None:
    deleted(engine, rng, key, rows)
    appended(engine, rng, key, rows)


def moved_on(engine: Engine, rng: Random, key: str, rows: list[Row]) -> None:
    """Sequence states go on; the row keeps its place."""
    at = rng.randrange(len(rows))
    rows[at] = changed(rows[at], engine, **({"state": "finished"} if key == STATE else {}))


def growing(spot: Spot, call: Call, page: Row) -> Row:
    """Sales of this day are booked while the report is read."""
    if call.key not in REPORTS or not page["entries"]:
        return page
    if str(page.get("endPeriod") or page["reportDate"]) < spot.engine.now()[:10]:
        return page
    spot.memo["cents"] = cents = spot.memo.get("cents", 0) + spot.rng.randrange(100, 900)
    by = {"balance": cents, "totalBalance": cents, "totalIncome": cents, "netIncome": cents}

    def more_of(held: Row) -> Row:
        return {name: round(v + by[name] / 100, 2) if name in by else v for name, v in held.items()}

    return more_of(page) | {"entries": [more_of(page["entries"][0]), *page["entries"][1:]]}


LIVE = (
    Sound("live: rows are added at the end", "sales", live(appended, 2)),
    Sound("live: rows are added at the head of an offset list", "wide", live(at_head, 3)),
    Sound("live: rows are deleted", "store", live(deleted, 3)),
    Sound("live: rows change in place", "wide", live(renamed, 1)),
    Sound("live: changed rows move to the head", "store", live(to_head, 4)),
    Sound("live: one goes and one comes", "sales", live(exchanged, 2)),
    Sound("live: sequence states move on", "sales", live(moved_on, 1)),
    Sound("live: the figures of today grow", "wide", (("page", growing),)),
)


# ---------------------------------------------------------------- legal oddities


def full_last(spot: Spot, call: Call, cut: Cut) -> Cut:
    """A full last page is followed by an empty one."""
    if len(cut.items) == cut.size and cut.onward is None:
        cut.onward = cut.start + cut.size
    return cut


def uneven(spot: Spot, call: Call, cut: Cut) -> Cut:
    """Pages are shorter than asked for, and one is empty; no row is lost."""
    if call.query.get("cursor") and not cut.start % 3 and cut.size > 2 and cut.onward:
        cut.onward = cut.start + cut.size - 2
        cut.items = cut.items[:-2]
    return cut


def long_cursor(_: Spot, call: Call, page: Row) -> Row:
    return page | {cursor_name(page): page[cursor_name(page)] + "~" * 2400} if more_in(page) else page


def more_in(page: Row) -> bool:
    return "items" in page and more(page)


def short_cursor(_: Spot, call: Call, query: dict[str, str]) -> dict[str, str]:
    return query | {"cursor": query["cursor"].rstrip("~")} if "cursor" in query else query


def other_refusals(spot: Spot, call: Call, reply: Reply) -> Reply:
    if reply.status < 400 or (call.key and call.key not in spot.engine.base.keys):
        return reply
    status = {401: 403, 400: 422}.get(reply.status, reply.status)
    return Reply({"error_type": "REFUSED", "error_detail": reply.body["message"]}, status)


def with_extras(_: Spot, call: Call, page: Row) -> Row:
    if "items" not in page:
        return page
    return {"total_count": None, "request_id": "req_1", **page, "warnings": []}


def epochs(engine: Engine, _: Random) -> None:
    """Dates are milliseconds since 1970, as text, in the raw data as well; accounts must have ISO 8601."""

    def anew(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: anew(one) for name, one in value.items()}
        if isinstance(value, list):
            return [anew(one) for one in value]
        if isinstance(value, str) and value.endswith(".000Z"):
            return str(int(datetime.fromisoformat(value).timestamp() * 1000))
        return value

    for key, rows in engine.lists.items():
        if key != ACCOUNT:
            engine.lists[key] = anew(rows)


def mixed(engine: Engine, rng: Random) -> None:
    """Rows in an order of no kind, and some lists empty."""
    for key, rows in engine.lists.items():
        rng.shuffle(rows)
        if key == "file-storage/drive":
            rows.clear()


def normalised(_: Spot, call: Call, row: Row) -> Row:
    if call.key != CONTACT:
        return row
    shapes: dict[str, Callable[[str], str]] = {
        "email": lambda value: value.strip().lower(),
        "phone": lambda value: ("+" if value.startswith("+") else "") + "".join(filter(str.isdigit, value)),
        "first_name": str.strip,
        "last_name": str.strip,
    }
    return row | {name: shape(row[name]) for name, shape in shapes.items() if row.get(name)}


def created_201(_: Spot, call: Call, reply: Reply) -> Reply:
    if call.act == "create" and reply.status == 200:
        reply.status = 201
    return reply


def dusty(_: Spot, call: Call, page: Row) -> Row:
    """Sums as floating-point numbers give them."""
    return {name: v + v * 3e-16 if name in (*FIGURES, "totalBalance") else v for name, v in page.items()}


def tightlipped(_: Spot, call: Call, reply: Reply) -> Reply:
    """A check that answers a text, webhooks that nobody takes, a link whose token cannot be read."""
    if reply.status != 200:
        return reply
    if call.act == "check":
        return Reply("ok")
    if call.key == WEBHOOK:
        return Reply({"status": "error", "info": "not set up for this organization"})
    if call.key == "connect/magic-link":
        return Reply({"url": f"https://connect.exam.example/l/{zlib.crc32(call.body):x}"})
    return reply


def spelled(_: Spot, call: Call, reply: Reply) -> Reply:
    """JSON over several lines, every other letter escaped, with the character set in the type."""
    if reply.raw is None:
        reply.raw = json.dumps(reply.body, indent=1).encode()
    reply.kind = "application/json; charset=utf-8" if reply.kind == "application/json" else reply.kind
    reply.headers["x-connection-id"] = "conn_exam"
    return reply


def later_cursor(_: Spot, call: Call, page: Row) -> Row:
    """The last page gives a cursor to go on with at another time, and says that there is no more now."""
    if call.key not in SIZED or page["has_next_page"]:
        return page
    return page | {"next_cursor": "delta-1"}


def from_delta(spot: Spot, call: Call, rows: list[Row]) -> list[Row]:
    if call.query.get("cursor") != "delta-1":
        return rows
    call.query = {name: value for name, value in call.query.items() if name != "cursor"}
    return []


def fixed(_: Spot, call: Call, size: int) -> int:
    return 33


ODDITIES = (
    Sound("oddity: a full last page is followed by an empty one", "wide", (("cut", full_last),)),
    Sound("oddity: pages are shorter than asked for", "sales", (("cut", uneven),)),
    Sound("oddity: the size is not read", "wide", (("size", fixed),)),
    Sound("oddity: cursors of 2,400 characters", "store", (("page", long_cursor), ("asked", short_cursor))),
    Sound("oddity: refusals of another shape and status", "sales", (("reply", other_refusals),), None, True),
    Sound("oddity: envelopes with more in them", "store", (("page", with_extras),)),
    Sound("oddity: dates are milliseconds as text", "wide", (), epochs),
    Sound("oddity: no order, and no drives", "store", (), mixed),
    Sound("oddity: what is written is normalised", "sales", (("kept", normalised),), None, True),
    Sound("oddity: what is made is answered with 201", "wide", (("reply", created_201),), None, True),
    Sound("oddity: sums with dust in the last digit", "wide", (("page", dusty),)),
    Sound("oddity: check, webhook and link say little", "wide", (("reply", tightlipped),), None, True),
    Sound("oddity: JSON over several lines", "store", (("reply", spelled),)),
    Sound("oddity: a cursor to go on with later", "store", (("page", later_cursor), ("rows", from_delta))),
)

PLAIN = tuple(
    Sound(f"plain: {name}{', with writes' if writes else ''}", name, writes=writes)
    for name in BASES
    for writes in (False, True)
)
SERVICES = (*PLAIN, *LIVE, *ODDITIES)
