"""Fields that one raw value decides: where it has two results without a reason, all guilty records are named."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from tests.mirror.quality.checks.test_lineage import bad, looked

Row = dict[str, Any]
STATES, JOBS = "sales-engagement/sequence_state", "ats/job"
WORDS = {"NEW": "fresh", "OPEN": "active", "HALTED": "paused", "RE-OPENED": "active again", "DONE": "closed"}


def states(count: int = 240, *, named: bool = True) -> list[Row]:
    """States by a raw word, which stands under a name of its own or in a list of named entries."""
    rng, made = Random(4), []
    for at in range(count):
        word = rng.choice(list(WORDS))
        raw: Row = {"uid": f"k{at * 7919:07}", "steps": rng.randrange(9), "owner": f"u{rng.randrange(5)}"}
        raw |= {"state": word} if named else {"fields": [{"name": "Phase", "value": word}]}
        made.append({"id": raw["uid"], "state": WORDS[word], "raw_data": raw})
    return made


def of_word(row: Row) -> str:
    raw = row["raw_data"]
    return str(raw["state"] if "state" in raw else raw["fields"][0]["value"])


SPOILT: dict[str, Callable[[Row], Any]] = {
    "that of another word": lambda row: "active" if of_word(row) == "RE-OPENED" else row["state"],
    "none": lambda row: None if of_word(row) == "HALTED" else row["state"],
    "one of its own": lambda row: "opened" if of_word(row) == "RE-OPENED" else row["state"],
}


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("how", SPOILT)
def test_some_records_of_one_raw_value_are_told_otherwise(how: str, named: bool) -> None:
    rows = states(named=named)
    assert bad(rows, STATES) == []
    guilty = set()
    for at, row in enumerate(rows):
        other = SPOILT[how](row) if at % 5 in (1, 3) else row["state"]
        guilty |= {row["id"]} if other != row["state"] else set()
        row["state"] = other
    found = [one for result in looked(rows, STATES).values() if result.is_bad for one in result.findings]
    assert [(one.field, set(one.ids), one.count) for one in found] == [("state", guilty, len(guilty))]
    assert "nothing else tells when" in found[0].sentence


@pytest.mark.parametrize("how", SPOILT)
def test_what_else_is_in_raw_data_may_tell_when(how: str) -> None:
    for reason in ("flag", "moment", "two"):
        rows = states()
        for at, row in enumerate(rows):
            raw, chosen = row["raw_data"], at % 5 in (1, 3)
            raw |= {"flag": "yes" if chosen else None} if reason == "flag" else {}
            raw |= {"weight": 900 + at if chosen else at} if reason == "moment" else {}
            raw |= {"a": at % 5 < 3, "b": at % 2 == 1} if reason == "two" else {}
            chosen = (raw["a"] and raw["b"]) if reason == "two" else chosen
            row["state"] = SPOILT[how](row) if chosen else row["state"]
        assert bad(rows, STATES) == []


def test_items_with_raw_objects_of_their_own_are_held_to_it_as_well() -> None:
    rng, rows = Random(9), list[Row]()
    for at in range(90):
        words = [rng.choice(list(WORDS)) for _ in range(2)]
        own: list[Row] = [{"key": f"d{at}-{n}", "phase": word} for n, word in enumerate(words)]
        shown: list[Row] = [{"id": one["key"], "name": WORDS[one["phase"]], "raw_data": one} for one in own]
        rows.append({"id": f"j{at}", "departments": shown, "raw_data": {"no": f"j{at}", "units": own}})
    assert bad(rows, JOBS) == []
    for row in rows[::2]:
        for one in row["departments"]:
            one["name"] = "active" if one["raw_data"]["phase"] == "RE-OPENED" else one["name"]
    assert ("mapping.made-alike", "against the rule", "departments[].name") in bad(rows, JOBS)
