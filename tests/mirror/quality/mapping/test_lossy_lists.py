"""What arrays lose as wholes, and paths whose folders stand in another order."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from tests.mirror.quality.checks.test_lineage import FILES, JOBS, bad

Values = list[str]


def jobs(
    *,
    ids: Callable[[Values], Values] = list,
    codes: Callable[[Values], Values] = list,
    until: int = 10_000,
    raw_until: int = 10_000,
) -> list[dict[str, Any]]:
    rng, made = Random(6), []
    for at in range(400):
        kids = [
            {"id": f"d{rng.randrange(999):03}", "code": f"{rng.randrange(9999):04}"}
            for _ in range(rng.randrange(4))
        ]
        roles = ["RECRUITER", "MANAGER"] if at < raw_until else ["MANAGER"]
        team = [
            {"id": f"u{rng.randrange(10**6):06}", "role": rng.choice(roles)}
            for _ in range(rng.randrange(1, 4))
        ]
        unit = {"id": f"x{at * 7919}", "label": f"Unit {at * 31}", "children": kids}
        raw = {"id": f"j{at * 7919:07}", "title": f"Job {at * 31}", "team": team, "unit": unit}
        own = {
            "id": unit["id"],
            "name": unit["label"],
            "child_ids": ids([one["id"] for one in kids]),
            "child_department_external_ids": codes([one["code"] for one in kids]),
        }
        helpers = [{"id": one["id"]} for one in team if one["role"] == "RECRUITER"]
        row = {"id": raw["id"], "name": raw["title"], "departments": [own], "raw_data": raw}
        made.append({**row, "recruiters": helpers if at < until else []})
    return made


def test_sound_lists() -> None:
    assert bad(jobs(), JOBS) == []


def test_the_last_of_each_is_lost() -> None:
    found = bad(jobs(ids=lambda its: its[:-1]), JOBS)
    assert ("mapping.nothing-lost", "last", "departments[].child_ids") in found


def test_zeros_of_codes_are_lost() -> None:
    found = bad(jobs(codes=lambda its: [str(int(one)) for one in its]), JOBS)
    assert ("mapping.nothing-lost", "zeros", "departments[].child_department_external_ids") in found


def test_an_order_of_its_own_is_no_loss() -> None:
    assert bad(jobs(ids=sorted, codes=lambda its: its[::-1]), JOBS) == []


def test_items_that_end_at_some_row() -> None:
    assert ("mapping.kept", "ended", "recruiters") in bad(jobs(until=200), JOBS)
    assert bad(jobs(until=200, raw_until=200), JOBS) == []


def offices(until: int, *, elsewhere: bool = False) -> list[dict[str, Any]]:
    """Jobs that all have an office, which raw data may have without its being the source."""
    made = []
    for at in range(400):
        place = {"code": f"o{at * 7919:07}", "town": f"Town {at % 7}"}
        raw = {"id": f"j{at * 7919:07}", "title": f"Job {at * 31}", "place": place}
        own = {"id": f"other {at}" if elsewhere else place["code"]}
        offices_ = [own] if at < until else []
        made.append({"id": raw["id"], "name": raw["title"], "offices": offices_, "raw_data": raw})
    return made


def test_items_that_all_have_end_at_some_row() -> None:
    assert ("mapping.kept", "ended", "offices") in bad(offices(200), JOBS)
    assert bad(offices(400), JOBS) == []
    assert bad(offices(200, elsewhere=True), JOBS) == []


def files(formats: Callable[[Values], Values], *, own: bool = False) -> list[dict[str, Any]]:
    rng, made = Random(7), []
    for at in range(300):
        its = rng.sample(["pdf", "jpg", "txt", "html"], rng.randrange(4))
        raw = {"uid": f"k{at * 7919:08}", "name": f"Plan {at * 31}", "formats": formats(its) if own else its}
        made.append({"id": raw["uid"], "name": raw["name"], "export_formats": formats(its), "raw_data": raw})
    return made


@pytest.mark.parametrize("sign", [",", ", ", ";"])
def test_several_in_one_text(sign: str) -> None:
    def joined(its: Values) -> Values:
        return [sign.join(its)] if its else []

    assert ("mapping.nothing-lost", "in one text", "export_formats") in bad(files(joined), FILES)
    assert bad(files(joined, own=True), FILES) == []
    assert bad(files(list), FILES) == []


def within(turn: Callable[[Values], Values]) -> list[dict[str, Any]]:
    rng, made = Random(8), []
    for at in range(300):
        steps = [
            rng.choice(("Legal", "Sales", "Büro")),
            rng.choice(("2023", "2024")),
            rng.choice(("Q1", "Q2")),
        ]
        steps, name = steps[: 1 + at % 3], f"Plan {at * 31}.pdf"
        raw = {"uid": f"k{at * 7919:08}", "name": name, "path": "/" + "/".join([*steps, name])}
        path = "/" + "/".join([*turn(steps), name])
        made.append({"id": raw["uid"], "name": name, "path": path, "raw_data": raw})
    return made


def test_folders_in_another_order() -> None:
    assert bad(within(list), FILES) == []
    for turn in (lambda its: its[::-1], sorted):
        assert ("mapping.made-alike", "another order", "path") in bad(within(turn), FILES)


def called(read: Callable[[str], str], ending: str) -> list[tuple[str, str, str]]:
    """Accounts with several telephone numbers, some of which have an extension."""
    rng, made = Random(8), []
    for at in range(150):
        numbers = [f"+1 (617) 555-{rng.randrange(10**4):04}" for _ in range(1 + at % 2)]
        numbers[0] += f"{ending}{rng.randrange(10, 999)}" if at % 4 else ""
        raw = {"no": f"a{at * 7919}", "calls": [{"written": one, "kind": "work"} for one in numbers]}
        items = [{"phone_number": read(one), "phone_number_type": "work"} for one in numbers]
        made.append({"id": raw["no"], "phone_numbers": items, "raw_data": raw})
    return bad(made, "crm/account")


@pytest.mark.parametrize("ending", [" ext. ", " x", ";ext=", "x", " #"])
def test_an_extension_is_no_part_of_the_number(ending: str) -> None:
    found = ("mapping.nothing-lost", "extension", "phone_numbers")
    assert called(lambda text: "+" + "".join(filter(str.isdecimal, text)), ending) == [found]
    assert found not in called(lambda text: text, ending)
    assert found not in called(lambda text: text.partition(ending)[0], ending)  # lost, and not dialled
