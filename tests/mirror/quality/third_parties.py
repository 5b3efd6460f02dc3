"""Third parties that nobody has seen: raw records of five further shapes, with the true source of each unified field.

Each shape is made from a seed. A true source is a pointer, or several that a value is made from; of a value that stands
at changing places of an array it is the array.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

FIRST = (
    "Ada",
    "Grace",
    "Edsger",
    "Barbara",
    "Donald",
    "Zoë",
    "李",
    "Niklaus",
    "Frances",
    "Alan",
    "Joan",
    "Tony",
)
LAST = (
    "Lovelace",
    "Hopper",
    "Dijkstra",
    "Liskov",
    "Knuth",
    "O'Neill",
    "小龍",
    "van der Berg",
    "Allen",
    "Kay",
    "Hoare",
)
WORDS = (
    "red",
    "north",
    "engine",
    "paper",
    "glass",
    "river",
    "cloud",
    "stone",
    "lamp",
    "field",
    "quiet",
    "metal",
)
STAGES = {"10": "open", "20": "running", "30": "paused", "99": "closed"}
CITIES = ("Oslo", "Lima", "Kyoto", "Quito", "Turin", "Perth")


@dataclass
class Shape:
    """One third party: its records beside the unified ones, and what comes from where."""

    name: str
    rows: list[dict[str, Any]] = field(default_factory=list)
    true: dict[str, tuple[str, ...]] = field(default_factory=dict)


def _moment(rng: Random) -> datetime:
    return datetime(2019, 1, 1, tzinfo=UTC) + timedelta(seconds=rng.randrange(150_000_000))


def _iso(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z")


def _text(rng: Random, least: int = 2, most: int = 5) -> str:
    return " ".join(rng.choice(WORDS) for _ in range(rng.randint(least, most))).capitalize()


def joined(rng: Random, count: int) -> Shape:
    """Names in parts that the unified record joins, and one text whose parts it takes apart."""
    made = Shape("joined and split")
    made.true = {
        "id": ("/_id",),
        "name": ("/person/given", "/person/family"),
        "path": ("/folder", "/file"),
        "first_name": ("/owner_full",),
        "last_name": ("/owner_full",),
        "city": ("/office_line",),
        "description": ("/about",),
        "created_at": ("/added/on",),
    }
    for at in range(count):
        given, family = rng.choice(FIRST), rng.choice(LAST)
        owner = rng.choice(FIRST), rng.choice(LAST)
        folder, file, city = (
            f"/{rng.choice(WORDS)}/{rng.choice(WORDS)}",
            f"{_text(rng)}.txt",
            rng.choice(CITIES),
        )
        added = _moment(rng)
        raw: dict[str, Any] = {
            "_id": f"p{at:05}",
            "person": {"given": given, "family": family, "rank": rng.randrange(5)},
            "folder": folder,
            "file": file,
            "owner_full": f"{owner[1]}, {owner[0]}",
            "office_line": f"{rng.randrange(1, 99)} {rng.choice(WORDS).capitalize()} Street, {city}",
            "about": _text(rng, 4, 9) if rng.random() < 0.7 else None,
            "added": {"on": _iso(added), "by": rng.choice(FIRST)},
            "reviewed": {"on": _iso(added + timedelta(days=rng.randrange(9))), "by": rng.choice(FIRST)},
        }
        row: dict[str, Any] = {
            "id": raw["_id"],
            "name": f"{given} {family}",
            "path": f"{folder}/{file}",
            "first_name": owner[0],
            "last_name": owner[1],
            "city": city,
            "created_at": raw["added"]["on"],
            "raw_data": raw,
        }
        if raw["about"] is not None:
            row["description"] = raw["about"]
        made.rows.append(row)
    return made


def numbers(rng: Random, count: int) -> Shape:
    """Epochs in milliseconds and seconds, numbers as text and text as numbers, all among others like them."""
    made = Shape("epochs and numbers as text")
    made.true = {
        "id": ("/oid",),
        "size": ("/bytes",),
        "created_at": ("/ctime",),
        "updated_at": ("/mtime",),
        "last_modified_at": ("/stat/touched",),
        "user_id": ("/owner/no",),
        "number_of_employees": ("/heads",),
        "downloadable": ("/flags/dl",),
        "is_deleted": ("/flags/gone",),
        "score": ("/rating",),
    }
    for at in range(count):
        made_at = _moment(rng)
        changed = made_at + timedelta(seconds=rng.choice((0, 60, 86_400 * rng.randrange(1, 400))))
        touched = changed + timedelta(seconds=rng.randrange(500))
        size, heads, user = rng.randrange(10**7), rng.randrange(1, 5000), rng.randrange(10**6)
        rating = rng.randrange(500) / 100
        gone = rng.random() < 0.15
        raw: dict[str, Any] = {
            "oid": 7_000_000 + at,
            "bytes": str(size),
            "packed": str(size // 3),
            "ctime": int(made_at.timestamp() * 1000),
            "mtime": str(int(changed.timestamp())),
            "stat": {"touched": touched.timestamp(), "seen": int(made_at.timestamp()) + 7},
            "owner": {"no": user, "group": user % 10},
            "heads": f"{heads}",
            "rooms": f"{heads % 7}",
            "flags": {"dl": rng.choice((0, 1)), "gone": "Y" if gone else "N", "hot": rng.choice((0, 1))},
            "rating": f"{rating:.2f}",
        }
        made.rows.append(
            {
                "id": str(raw["oid"]),
                "size": size,
                "created_at": _iso(made_at),
                "updated_at": _iso(changed),
                "last_modified_at": _iso(touched),
                "user_id": str(user),
                "number_of_employees": heads,
                "downloadable": raw["flags"]["dl"] == 1,
                "is_deleted": gone,
                "score": rating,
                "raw_data": raw,
            }
        )
    return made


def arrays(rng: Random, count: int) -> Shape:
    """Values in arrays of objects, at the first place or at the place whose kind is the right one."""
    made = Shape("nested arrays")
    made.true = {
        "id": ("/keys",),
        "email": ("/contact/mails",),
        "phone": ("/contact/lines",),
        "name": ("/titles/0/text",),
        "tags": ("/labels",),
        "departments": ("/teams",),
        "website": ("/links",),
        "owner_id": ("/people/0/uid",),
        "updated_at": ("/history",),
    }
    for at in range(count):
        first, last = rng.choice(FIRST), rng.choice(LAST)
        mails = [
            {"kind": "work", "address": f"{rng.choice(WORDS)}{at}@work.example"},
            {"kind": "home", "address": f"{rng.choice(WORDS)}{rng.randrange(99)}@home.example"},
            {"kind": "other", "address": f"{rng.choice(WORDS)}{rng.randrange(99)}@other.example"},
        ]
        lines = [{"kind": k, "number": f"+49 30 {rng.randrange(10**7):07}"} for k in ("desk", "mobile")]
        links = [
            {"rel": r, "href": f"https://{rng.choice(WORDS)}{at}.example/{r}"}
            for r in ("self", "site", "feed")
        ]
        history = [{"what": w, "at": _iso(_moment(rng))} for w in ("made", "changed", "seen")]
        keys = [{"space": s, "value": f"{s}-{rng.randrange(10**9):09}"} for s in ("native", "legacy")]
        teams = [
            {"key": f"t{rng.randrange(40)}", "label": _text(rng, 1, 2)} for _ in range(rng.randint(1, 3))
        ]
        for some in (mails, lines, links, history, keys):
            rng.shuffle(some)
        raw: dict[str, Any] = {
            "keys": keys,
            "contact": {"mails": mails, "lines": lines},
            "titles": [{"lang": "en", "text": _text(rng)}, {"lang": "de", "text": _text(rng)}],
            "labels": sorted({rng.choice(WORDS) for _ in range(rng.randint(1, 4))}),
            "teams": teams,
            "links": links,
            "people": [
                {"uid": f"u{rng.randrange(10**6)}", "who": f"{first} {last}"},
                {"uid": f"u{at}", "who": last},
            ],
            "history": history,
        }
        made.rows.append(
            {
                "id": next(one["value"] for one in keys if one["space"] == "native"),
                "email": next(one["address"] for one in mails if one["kind"] == "work"),
                "phone": next(one["number"] for one in lines if one["kind"] == "mobile"),
                "name": raw["titles"][0]["text"],
                "tags": raw["labels"],
                "departments": [{"id": one["key"], "name": one["label"]} for one in teams],
                "website": next(one["href"] for one in links if one["rel"] == "site"),
                "owner_id": raw["people"][0]["uid"],
                "updated_at": next(one["at"] for one in history if one["what"] == "changed"),
                "raw_data": raw,
            }
        )
    return made


def tables(rng: Random, count: int) -> Shape:
    """Enumerations translated by a table, truth values as words, and the opposite of what is said."""
    made = Shape("tables and words")
    made.true = {
        "id": ("/uuid",),
        "state": ("/stage_code",),
        "type": ("/class",),
        "confidential": ("/visibility",),
        "exportable": ("/locked",),
        "downloadable": ("/may_fetch",),
        "is_deleted": ("/removed_at",),
        "lifecycle_stage": ("/funnel/step",),
        "currency": ("/money/iso",),
        "name": ("/caption",),
    }
    for at in range(count):
        stage, kind = rng.choice(tuple(STAGES)), rng.choice(("F", "D", "L"))
        hidden, locked = rng.random() < 0.3, rng.random() < 0.4
        fetch, removed = rng.choice(("yes", "no", "No ", "YES")), rng.random() < 0.2
        step = rng.randrange(1, 6)
        raw: dict[str, Any] = {
            "uuid": f"{rng.getrandbits(64):016x}",
            "stage_code": stage,
            "stage_age": rng.randrange(4),
            "class": kind,
            "visibility": "private" if hidden else rng.choice(("public", "team")),
            "locked": locked,
            "may_fetch": fetch,
            "removed_at": _iso(_moment(rng)) if removed else None,
            "funnel": {"step": step, "side": rng.randrange(1, 6)},
            "money": {"iso": rng.choice(("eur", "usd", "nok")), "minor": 2},
            "caption": f"  {_text(rng)} ",
            "rank": at % 5,
        }
        made.rows.append(
            {
                "id": raw["uuid"].upper(),
                "state": STAGES[stage],
                "type": {"F": "file", "D": "folder", "L": "url"}[kind],
                "confidential": hidden,
                "exportable": not locked,
                "downloadable": fetch.strip().lower() == "yes",
                "is_deleted": removed,
                "lifecycle_stage": ("subscriber", "lead", "opportunity", "customer", "other")[step - 1],
                "currency": raw["money"]["iso"].upper(),
                "name": raw["caption"].strip(),
                "raw_data": raw,
            }
        )
    return made


def decoys(rng: Random, count: int) -> Shape:
    """Names that stand for something else than they say, and neighbours that are nearly always the same."""
    made = Shape("swapped decoys")
    made.true = {
        "id": ("/name",),
        "name": ("/description",),
        "description": ("/id",),
        "created_at": ("/updated_at",),
        "updated_at": ("/created_at",),
        "email": ("/phone",),
        "user_id": ("/mailbox_id",),
        "mailbox_id": ("/user_id",),
        "website": ("/site/url",),
        "industry": ("/sector",),
    }
    for at in range(count):
        born = _moment(rng)
        changed = born if rng.random() < 0.3 else born + timedelta(seconds=rng.randrange(1, 10**7))
        site = f"https://{rng.choice(WORDS)}{at}.example"
        sector = rng.choice(WORDS)
        raw: dict[str, Any] = {
            "name": f"k-{at:06x}",
            "description": _text(rng),
            "id": _text(rng, 4, 8) if rng.random() < 0.6 else "",
            "updated_at": _iso(born),
            "created_at": _iso(changed),
            "phone": f"{rng.choice(WORDS)}{at}@people.example",
            "email": f"+49 30 {rng.randrange(10**7):07}",
            "mailbox_id": f"u{rng.randrange(60)}",
            "user_id": f"m{rng.randrange(60)}",
            "site": {"url": site, "canonical": site if rng.random() < 0.8 else f"{site}/home"},
            "sector": sector if rng.random() < 0.75 else None,
            "industry": sector if rng.random() < 0.6 else rng.choice(WORDS),
        }
        row: dict[str, Any] = {
            "id": raw["name"],
            "name": raw["description"],
            "created_at": raw["updated_at"],
            "updated_at": raw["created_at"],
            "email": raw["phone"],
            "user_id": raw["mailbox_id"],
            "mailbox_id": raw["user_id"],
            "website": site,
            "raw_data": raw,
        }
        row |= {"description": raw["id"]} if raw["id"] else {}
        row |= {"industry": raw["sector"]} if raw["sector"] else {}
        made.rows.append(row)
    return made


SHAPES: tuple[Callable[[Random, int], Shape], ...] = (joined, numbers, arrays, tables, decoys)
