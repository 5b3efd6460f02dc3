"""Sources are found by value over many records, and chance matches fall out."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from explorer.quality.mapping.search import MOST_POINTERS, Found, _commonest, sources

Json = dict[str, Any]


def records(make: Callable[[int, random.Random], tuple[Json, Json]], count: int = 60) -> list[Json]:
    draw = random.Random(5)
    made = (make(number, draw) for number in range(count))
    return [{**unified, "raw_data": raw} for unified, raw in made]


def source(found: dict[str, Found], name: str) -> tuple[str, str]:
    return found[name].paths[0], found[name].how


def test_values_in_other_forms() -> None:
    def make(number: int, draw: random.Random) -> tuple[Json, Json]:
        day = 1_700_000_000_000 + number * 86_400_000
        first, last = draw.choice(["Ann", "Bo", "Cem"]), draw.choice(["Lee", "Oz", "Poe"])
        unified = {
            "id": str(number + 5000),
            "at": f"{day}",
            "stage": f"S{number % 4}",
            "full": f"{first}, {last}",
        }
        raw = {"key": number + 5000, "when": day / 1000, "p": {"stage": f" s{number % 4}"}}
        return unified, {**raw, "first": first, "last": last, "noise": draw.random()}

    found = sources(records(make), "raw_data")
    assert source(found, "id") == ("/key", "number")
    assert source(found, "at") == ("/when", "date")
    assert source(found, "stage") == ("/p/stage", "case and space")
    assert found["full"].how == "parts"
    assert set(found["full"].paths) == {"/first", "/last"}


def test_truth_values_opposites_tables_and_what_is_there() -> None:
    def make(number: int, draw: random.Random) -> tuple[Json, Json]:
        one, two, three = (draw.random() < 0.5 for _ in range(3))
        kind = draw.choice(["x/doc", "x/dir", "x/link"])
        unified: Json = {"deleted": not one, "secret": two, "exportable": three}
        raw = {
            "active": one,
            "mode": "hidden" if two else "shown",
            "other": draw.random() < 0.5,
            "mime": kind,
        }
        unified["type"] = {"x/doc": "file", "x/dir": "folder", "x/link": "url"}[kind]
        return unified, {**raw, **({"exportLinks": {"pdf": f"u{number}"}} if three else {})}

    found = sources(records(make), "raw_data")
    assert source(found, "deleted") == ("/active", "opposite")
    assert source(found, "secret") == ("/mode", "table")
    assert source(found, "exportable") == ("/exportLinks", "there")
    assert source(found, "type") == ("/mime", "table")


def test_parts_of_the_record() -> None:
    def make(number: int, draw: random.Random) -> tuple[Json, Json]:
        people = [{"id": draw.randrange(10_000), "name": f"P{draw.randrange(1000)}"} for _ in range(3)]
        team = {"team": {"people": people, "size": 3}, "tags": {"b": 1, "a": 2}, "other": number}
        unified = {
            "managers": [{"id": str(one["id"]), "kind": "boss"} for one in people[:2]],
            "names": ["a", "b"],
        }
        return unified, team

    found = sources(records(make), "raw_data")
    assert source(found, "managers")[0] == "/team/people"
    assert source(found, "names") == ("/tags", "names")


def test_what_is_the_same_by_chance_falls_out() -> None:
    def make(number: int, draw: random.Random) -> tuple[Json, Json]:
        small = {f"n{at}": draw.randrange(3) for at in range(20)}
        return {"size": draw.randrange(3), "flag": draw.random() < 0.5, "id": f"id-{draw.random()}"}, small

    assert sources(records(make), "raw_data") == {}


def test_paths_that_hold_the_same_are_kept_beside_the_best() -> None:
    def make(number: int, draw: random.Random) -> tuple[Json, Json]:
        return {"user_id": f"{number}"}, {"relations": {"owner": number}, "userId": number}

    assert sources(records(make), "raw_data")["user_id"].paths == ("/userId", "/relations/owner")


def test_a_few_wrong_records_do_not_matter_and_many_do() -> None:
    def make(share: float) -> list[Json]:
        def one(number: int, draw: random.Random) -> tuple[Json, Json]:
            right = number >= share * 100
            return {"name": f"name {number}"}, {"title": f"name {number}" if right else "other"}

        return records(one, 100)

    assert source(sources(make(0.05), "raw_data"), "name") == ("/title", "equal")
    assert sources(make(0.4), "raw_data") == {}


def test_one_record_is_enough_only_for_telling_values() -> None:
    raw = {"key": "8c1f-77", "n": 3, "flag": True}
    found = sources([{"id": "8c1f-77", "count": 3, "ok": True, "raw_data": raw}], "raw_data")
    assert set(found) == {"id"}
    assert sources([], "raw_data") == {}
    assert sources([{"id": "a", "raw_data": None}], "raw_data") == {}


def test_names_that_are_others_in_each_record_are_left_aside() -> None:
    laid = [{"/title": 1, **{f"/{number}-{at}": 1 for at in range(300)}} for number in range(50)]
    kept = _commonest(laid, MOST_POINTERS)
    assert len(kept) == MOST_POINTERS
    assert kept[0] == "/title"
    assert _commonest(laid[:2], MOST_POINTERS) == list(dict.fromkeys([*laid[0], *laid[1]]))
