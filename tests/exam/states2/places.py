"""Lists in which much is edited between two pulls: by hand, each time otherwise, and by no rule."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from tests.exam import words
from tests.exam.mapping import Json
from tests.exam.states.places import PLACES, Edit, Place
from tests.exam.states2.registry import ACCOUNT, COMPANY, FILE, ITEM, JOB, MAILBOX, POSTING, STATE

MANY = (60, 120)
SOME = (25, 50)
BUSY = {
    JOB: MANY,
    POSTING: SOME,
    FILE: MANY,
    ITEM: SOME,
    MAILBOX: SOME,
    STATE: MANY,
    ACCOUNT: MANY,
    COMPANY: SOME,
}


def busy(place: str) -> str:
    """The name of the same list with more going on in it."""
    return f"{place}, busy"


def _by_hand(place: str, few: tuple[int, int]) -> Place:
    return replace(PLACES[place], few=few)


def _retouched(*way: str) -> Edit:
    """An edit that writes one word of a text anew."""
    *above, key = way

    def edit(rng: Random, raw: Json) -> None:
        for one in above:
            raw = raw[one]
        if isinstance(raw.get(key), str):
            parts = raw[key].split(" ")
            parts[rng.randrange(len(parts))] = words.token(rng, rng.randrange(3, 9)).lower()
            raw[key] = " ".join(parts)

    return edit


def _recounted(*way: str) -> Edit:
    """An edit that makes a number somewhat larger or smaller."""
    *above, key = way

    def edit(rng: Random, raw: Json) -> None:
        for one in above:
            raw = raw[one]
        if raw.get(key) is not None:
            kind = type(raw[key])
            raw[key] = kind(max(1, int(int(raw[key]) * rng.uniform(0.7, 1.4)) + rng.randrange(-9, 10)))

    return edit


def _cleared(*way: str) -> Edit:
    """An edit that empties a field that may be empty."""
    *above, key = way

    def edit(rng: Random, raw: Json) -> None:
        for one in above:
            raw = raw[one]
        raw[key] = None

    return edit


for _name, _few in BUSY.items():
    PLACES[busy(_name)] = _by_hand(_name, _few)
RETOUCHED = {
    "greenhouse/job, retouched": (JOB, (_retouched("name"), _retouched("notes"))),
    "google/file, retouched": (FILE, (_retouched("name"), _recounted("size"))),
    "salesforce/account, recounted": (
        ACCOUNT,
        (_recounted("NumberOfEmployees"), _recounted("AnnualRevenue"), _cleared("Description")),
    ),
    "hubspot/account, recounted": (
        COMPANY,
        (_recounted("properties", "numberofemployees"), _cleared("properties", "description")),
    ),
}
for _name, (_of, _edits) in RETOUCHED.items():
    PLACES[_name] = replace(PLACES[_of], edits=_edits, few=SOME)
