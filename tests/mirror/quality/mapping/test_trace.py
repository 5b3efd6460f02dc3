"""The lines of one record: sources, candidates, what is lost and what is unused."""

from __future__ import annotations

from typing import Any

import pytest

from explorer.jsontext.pointer import at
from explorer.quality.mapping.trace import Trace, learned, spoken, trace

NAMES = (
    "Ada Byron",
    "Grace Hopper",
    "Mary Keller",
    "Jean Bartik",
    "Betty Holberton",
    "Karen Jones",
    "Adele Gold",
)


def record(n: int, **others: Any) -> dict[str, Any]:
    raw = {
        "Id": 4000 + n,
        "title": NAMES[n % 7],
        "stamp": 1_700_000_000 + n * 86_400,
        "team": [{"uid": f"u-{n}-{i}", "label": f"{NAMES[(n + i) % 7]}"} for i in range(2)],
        "hiring_team": {"managers": [{"name": NAMES[(n + 3) % 7]}]},
        "notes": f"note {n}",
        "flag": n % 2 == 0,
    }
    made = {
        "id": str(4000 + n),
        "name": NAMES[n % 7],
        "modified_at": f"2023-11-{14 + n % 10:02}T22:13:20Z" if n < 10 else None,
        "departments": [{"id": f"u-{n}-{i}", "name": NAMES[(n + i) % 7], "raw_data": {}} for i in range(2)],
        "hiring_managers": None,
        "raw_data": raw,
    }
    return {**made, **others}


def traced(of: dict[str, Any], fields: tuple[str, ...] = ()) -> Trace:
    made = trace(of, learned((record(n) for n in range(10)), "raw_data"), fields, "raw_data")
    assert made is not None
    return made


def line(of: Trace, pointer: str) -> tuple[str, tuple[str, ...]]:
    found = next(one for one in of.lines if one.pointer == pointer)
    return found.state, found.sources


def test_a_text_that_is_cut_leads_to_the_raw_text_that_it_is_the_beginning_of() -> None:
    made = traced(record(2, name="Mary Ke", headline="note"))
    assert line(made, "/name") == ("cut", ("/title",)), "its source in the other records"
    assert next(one for one in made.lines if one.pointer == "/name").length == 7
    assert "/title" not in made.unused
    assert line(made, "/headline") == ("unknown", ()), "a short text begins like many"
    other = traced(record(2, notes="not…", unlike="Mary Kell"))
    assert line(other, "/notes") == ("cut", ("/notes",)), "of the same name"
    assert line(other, "/unlike") == ("cut", ("/title",)), "long enough, and no other begins so"
    assert line(traced(record(2, name="Mary Kellerman")), "/name") == ("unknown", ()), "longer than any"


def test_values_are_followed_into_arrays_at_their_places() -> None:
    made = traced(record(2))
    assert line(made, "/id") == ("traced", ("/Id",))
    assert line(made, "/name") == ("traced", ("/title",))
    assert line(made, "/modified_at") == ("traced", ("/stamp",))
    assert line(made, "/departments/1/id") == ("traced", ("/team/1/uid",))
    assert line(made, "/departments/0/name")[1][0] == "/team/0/label", "not the title, which is the same"
    assert (made.traced, made.filled) == (4, 4)


def test_a_field_without_a_value_has_candidates_by_its_name() -> None:
    state, places = line(traced(record(2)), "/hiring_managers")
    assert state == "candidates"
    assert places[0].startswith("/hiring_team/managers")


def test_a_null_whose_source_has_a_value_is_lost() -> None:
    assert line(traced(record(2, name=None)), "/name") == ("lost", ("/title",))


def test_an_absent_field_stands_in_its_declared_place() -> None:
    of = record(2)
    del of["name"]
    assert [one.field for one in traced(of, ("name", "id")).lines][:2] == ["name", "id"]


def test_a_value_that_is_nowhere_is_unknown_and_not_counted() -> None:
    made = traced(record(2, name="Nobody Else"))
    assert line(made, "/name") == ("unknown", ())
    assert (made.traced, made.filled) == (3, 4)


def test_what_none_uses_is_told() -> None:
    made = traced(record(2))
    assert set(made.unused) >= {"/notes", "/flag"}
    assert not {"/Id", "/title", "/stamp", "/team/0/uid"} & set(made.unused)
    assert made.raw_paths == len(made.unused) + 7 - (line(made, "/hiring_managers")[0] == "traced")


def test_chance_does_not_speak_for_a_truth_value() -> None:
    assert line(traced(record(2, remote=True)), "/remote") == ("unknown", ())


@pytest.mark.parametrize("raw", [None, "text", [1], 5])
def test_no_raw_object_no_trace(raw: Any) -> None:
    assert trace({"id": "1", "raw_data": raw}, {}, (), "raw_data") is None


def test_every_source_is_a_place_that_is_there() -> None:
    for n in range(10):
        of = record(n)
        for one in traced(of).lines:
            assert all(at(of["raw_data"], path) is not None for path in one.sources)


def test_paths_as_people_write_them() -> None:
    assert spoken("/departments/0/name") == ".departments[0].name"
    assert spoken("/odd key/a~1b") == '["odd key"]["a/b"]'
