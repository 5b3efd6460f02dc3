"""The lists that the states are of: their raw records, ordinary edits, and the raw fields that change at every pull."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from random import Random
from typing import Any

from tests.exam import words
from tests.exam.mapping import Json, Made
from tests.exam.shapes_files import GOOGLE_FILE, GRAPH_ITEM, google, sharepoint
from tests.exam.shapes_jobs import GREENHOUSE_JOB, LEVER_JOB, greenhouse, lever
from tests.exam.shapes_sales import ACCOUNT, INDUSTRIES, MAILBOX, STATE, STATES, outreach, salesforce
from tests.exam.states.hubspot import HUBSPOT_ACCOUNT, hubspot
from tests.exam.world import World

Edit = Callable[[Random, Json], object]
PULLS = ("2026-03-03T05:", "2026-03-04T05:")


@dataclass(frozen=True, slots=True)
class Place:
    """One list."""

    raws: Callable[[Random, int], list[Json]]
    mapping: tuple[Made, ...]
    edits: tuple[Edit, ...]
    """What somebody does to a record in the third party."""
    stamp: Edit
    """What the third party does to a record that was edited: it has a later date of change."""
    tick: Callable[[Random, Json, int], object]
    """Sets the raw fields that change at every pull; the number is that of the pull."""
    few: tuple[int, int] = (3, 9)
    """In how many records each edit is made, at least and at most."""


def _first(world: World) -> list[Json]:
    return [row.raw for row in world.lists[0].rows]


def _last(world: World) -> list[Json]:
    return [row.raw for row in world.lists[-1].rows]


def _set(path: str, make: Callable[[Random], Any]) -> Edit:
    """An edit that puts another value at this path."""
    *way, key = path.split("/")

    def edit(rng: Random, raw: Json) -> None:
        for one in way:
            raw = raw[one]
        raw[key] = make(rng)

    return edit


def _stamped(*paths: str, written: Callable[[Any], Any] = words.iso) -> Edit:
    """One later moment at all these paths; later than any that the shapes draw."""

    def stamp(rng: Random, raw: Json) -> None:
        at = words.parsed("2026-03-03T06:00:00+00:00") + timedelta(milliseconds=rng.randrange(80_000_000))
        for path in paths:
            _set(path, lambda _: written(at))(rng, raw)

    return stamp


def _fetched(rng: Random, raw: Json, pull: int) -> None:
    raw["fetched_at"] = (
        f"{PULLS[pull]}{rng.randrange(60):02d}:{rng.randrange(60):02d}.{rng.randrange(1000):03d}Z"
    )


def _counted(rng: Random, raw: Json, pull: int) -> None:
    _fetched(rng, raw, pull)
    raw["applications_count"] = (
        int(raw.get("applications_count", rng.randrange(40))) + rng.randrange(4) * pull
    )


def _google_tick(rng: Random, raw: Json, pull: int) -> None:
    if raw["hasThumbnail"]:
        signed = f"https://lh3.googleusercontent.example/d/{raw['id']}=s220?sig={words.token(rng, 44)}"
        raw["thumbnailLink"] = signed
    raw["version"] = str(int(raw["version"]) + rng.randrange(3) * pull)


def _graph_tick(rng: Random, raw: Json, pull: int) -> None:
    name = "@microsoft.graph.downloadUrl"
    if name in raw:
        raw[name] = raw[name].partition("&tempauth=")[0] + f"&tempauth=v1.{words.token(rng, 60)}"


def _outreach_tick(rng: Random, raw: Json, pull: int) -> None:
    attributes = raw["attributes"]
    attributes["openCount"] = int(attributes.get("openCount", 0)) + rng.randrange(3) * pull
    raw["links"]["signed"] = f"https://api.outreach.example/go/{raw['id']}?token={words.token(rng, 30)}"


def _viewed(rng: Random, raw: Json, pull: int) -> None:
    raw["LastReferencedDate"] = f"{PULLS[pull]}{rng.randrange(60):02d}:{rng.randrange(60):02d}.000+0000"


def _hubspot_tick(rng: Random, raw: Json, pull: int) -> None:
    properties = raw["properties"]
    visits = int(properties.get("hs_analytics_num_page_views", rng.randrange(900)))
    properties["hs_analytics_num_page_views"] = str(visits + rng.randrange(9) * pull)
    _fetched(rng, raw, pull)


def _other_text(rng: Random) -> str:
    return f"{words.text(rng, 3)} ({words.token(rng, 4)})"


def _other_title(rng: Random) -> str:
    return f"{words.title(rng)} {rng.randrange(2, 99)}"


def _other_company(rng: Random) -> str:
    return f"{rng.choice(words.COMPANIES)} {words.token(rng, 3)} {rng.choice(words.FORMS)}".strip()


PLACES = {
    "greenhouse/job": Place(
        lambda rng, count: _first(greenhouse(rng, count)),
        GREENHOUSE_JOB,
        (
            _set("name", _other_title),
            _set("notes", lambda rng: f"<p>{_other_text(rng)}</p>"),
            _set("custom_fields/maximum_budget", lambda rng: str(rng.randrange(40, 200) * 1000)),
            _set("requisition_id", lambda rng: f"REQ-{rng.randrange(10_000):04d}"),
        ),
        _stamped("updated_at"),
        _counted,
    ),
    "lever/job": Place(
        lambda rng, count: _first(lever(rng, count)),
        LEVER_JOB,
        (
            _set("text", _other_title),
            _set("categories/department", lambda rng: rng.choice(words.DEPARTMENTS)),
            _set("categories/commitment", lambda rng: rng.choice(("Intern", "Temporary", "Contract"))),
            _set("tags", lambda rng: [words.token(rng, 5), "urgent"]),
        ),
        _stamped("updatedAt", written=words.millis),
        _counted,
    ),
    "google/file": Place(
        lambda rng, count: _first(google(rng, count)),
        GOOGLE_FILE,
        (
            _set("name", lambda rng: f"{_other_company(rng)}.pdf"),
            _set("description", _other_text),
            _set("starred", lambda rng: True),
            _set("lastModifyingUser/displayName", lambda rng: " ".join(words.person(rng))),
        ),
        _stamped("modifiedTime"),
        _google_tick,
    ),
    "sharepoint/file": Place(
        lambda rng, count: _first(sharepoint(rng, count)),
        GRAPH_ITEM,
        (
            _set("name", lambda rng: f"{_other_company(rng)}.docx"),
            _set("description", _other_text),
            _set("size", lambda rng: rng.randrange(1000, 9_000_000)),
        ),
        _stamped("lastModifiedDateTime", "fileSystemInfo/lastModifiedDateTime", written=words.iso_seconds),
        _graph_tick,
    ),
    "outreach/mailbox": Place(
        lambda rng, count: _first(outreach(rng, count, 1)),
        MAILBOX,
        (
            _set("attributes/email", lambda rng: words.email(rng, rng.randrange(5000, 9000))),
            _set("attributes/emailSignature", lambda rng: f"<p>{_other_text(rng)}</p>"),
            _set("attributes/maxEmailsPerDay", lambda rng: rng.randrange(20, 900)),
        ),
        _stamped("attributes/updatedAt"),
        _outreach_tick,
    ),
    "outreach/state": Place(
        lambda rng, count: _last(outreach(rng, 40, count)),
        STATE,
        (
            _set("attributes/state", lambda rng: rng.choice(STATES)),
            _set("attributes/pauseReason", _other_text),
            _set("relationships/user/data/id", lambda rng: rng.randrange(1, 400)),
        ),
        _stamped("attributes/updatedAt"),
        _outreach_tick,
    ),
    "salesforce/account": Place(
        lambda rng, count: _first(salesforce(rng, count)),
        ACCOUNT,
        (
            _set("Name", _other_company),
            _set("Description", _other_text),
            _set("NumberOfEmployees", lambda rng: rng.randrange(2, 9000)),
            _set("Industry", lambda rng: rng.choice(INDUSTRIES)),
            _set("Website", lambda rng: f"https://www.{words.token(rng, 7).lower()}.example/"),
        ),
        _stamped(
            "LastModifiedDate", "SystemModstamp", written=lambda at: words.iso(at).removesuffix("Z") + "+0000"
        ),
        _viewed,
    ),
    "hubspot/account": Place(
        hubspot,
        HUBSPOT_ACCOUNT,
        (
            _set("properties/name", _other_company),
            _set("properties/description", _other_text),
            _set("properties/numberofemployees", lambda rng: str(rng.randrange(2, 9000))),
            _set("properties/phone", lambda rng: f"+4179{rng.randrange(10**7):07d}"),
        ),
        _stamped("updatedAt", "properties/hs_lastmodifieddate"),
        _hubspot_tick,
    ),
}
