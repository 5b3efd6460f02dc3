"""A list against its narrower ones: what a drive or a folder has, whose records it brings, and what is never listed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

from explorer.quality.engine.check import Run, Verdict
from tests.flow.lossy import (
    DRIVES,
    FILES,
    Lossy,
    Query,
    Refused,
    Row,
    Serving,
    chosen,
    moment,
    offsets,
    row,
    serving,
)

DRIVES_COUNT, FOLDERS, IN_FOLDER = 4, 6, 9
WITHIN, LIST, NAMED = "completeness.within", "completeness.list", "completeness.named"


@pytest.fixture(scope="module")
def service() -> Iterator[Serving]:
    with serving() as made:
        yield made


def placed(number: int, drive: str, folder: str, **fields: Any) -> Row:
    """A file or folder whose raw record says where it is."""
    made = row(FILES, number, x_drive_id=drive, x_folder_id=folder, **fields)
    where = {"driveId": drive, "id": folder}
    raw = {**made["raw_data"], "kind": made["type"], "parentReference": where}
    return {**made, "raw_data": raw}


def tree(drives: int = DRIVES_COUNT) -> dict[str, list[Row]]:
    """Drives with folders and what lies in them; the folder behind the first stands inside it. Roots are not listed."""
    made, number = list[Row](), 0
    for drive in (f"d{n}" for n in range(1, drives + 1)):
        first = number + 1
        for at in range(FOLDERS):
            number += 1
            inside = f"r{first}" if at == 1 else f"root-{drive}"
            made.append(placed(number, drive, inside, type="folder"))
        for at in range(FOLDERS * IN_FOLDER):
            number += 1
            made.append(placed(number, drive, f"r{first + at % FOLDERS}"))
    return {FILES: made, DRIVES: [row(DRIVES, n, id=f"d{n}") for n in range(1, drives + 1)]}


def folder_left_out(lists: dict[str, list[Row]], folder: str) -> Callable[..., list[Row]]:
    def select(key: str, found: list[Row], query: Query) -> list[Row]:
        if key != FILES or "folder_id" in query:
            return chosen(key, found, query)
        return [one for one in chosen(key, found, query) if one["x_folder_id"] != folder]

    return select


def without(*names: str) -> Callable[..., list[Row]]:
    """Parameters that have no effect."""

    def select(key: str, found: list[Row], query: Query) -> list[Row]:
        return chosen(key, found, {n: v for n, v in query.items() if n not in names})

    return select


def forgotten(*names: str) -> Callable[..., list[Row]]:
    """Parameters that have no effect beside a cursor."""

    def select(key: str, found: list[Row], query: Query) -> list[Row]:
        return chosen(key, found, {n: v for n, v in query.items() if n not in names or "cursor" not in query})

    return select


def below(key: str, found: list[Row], query: Query) -> list[Row]:
    """A list by folder has all that is inside, however deep."""
    if key != FILES or "folder_id" not in query:
        return chosen(key, found, query)
    inside = {query["folder_id"]}
    for one in found:
        if one["x_folder_id"] in inside:
            inside.add(one["id"])
    return [one for one in found if one["x_folder_id"] in inside]


def refused(key: str, found: list[Row], query: Query) -> list[Row]:
    """An id that nobody has is refused."""
    if key == FILES and query.keys() & {"drive_id", "folder_id"} and not chosen(key, found, query):
        raise Refused("no such drive or folder")
    return chosen(key, found, query)


def unlisted(key: str, found: list[Row], query: Query) -> list[Row]:
    """A drive is not listed that files say they are in."""
    return [one for one in chosen(key, found, query) if key != DRIVES or one["id"] != "d3"]


def bad(run: Run) -> set[tuple[str, str, str]]:
    return {(r.check.id, r.resource, r.verdict.value) for r in run.bad}


def said(run: Run, check: str, key: str = FILES) -> str:
    found = run.result(check, key)
    assert found is not None
    return " | ".join([found.seen, *(one.sentence for one in found.findings)])


@pytest.mark.parametrize("select", [chosen, below, refused])
def test_sound_drives_and_folders_hold(service: Serving, select: Callable[..., Any]) -> None:
    run = service.run(Lossy(tree(), select=select))
    assert bad(run) == set(), [r.seen for r in run.bad]
    found = run.result(WITHIN, FILES)
    assert found is not None
    assert found.verdict is Verdict.HOLDS


@pytest.mark.parametrize("folder", ["r4", "r2", "r65", "r124", "r182"])
def test_a_folder_that_the_whole_list_leaves_out_is_asked_for_first(service: Serving, folder: str) -> None:
    """Of two dozen folders the one is asked for of which the whole list has nothing."""
    lists = tree()
    run = service.run(Lossy(lists, select=folder_left_out(lists, folder)))
    lost = {one["id"] for one in lists[FILES] if one["x_folder_id"] == folder}
    assert {check for check, _, _ in bad(run)} == {WITHIN, LIST}, bad(run)
    result = run.result(WITHIN, FILES)
    assert result is not None
    assert {at.id for f in result.findings for at in f.examples} <= lost
    assert sum(one.count for one in result.findings) == len(lost)
    assert said(run, LIST).startswith("not complete: ")


@pytest.mark.parametrize("name", ["drive_id", "folder_id"])
def test_a_parameter_without_effect_is_said(service: Serving, name: str) -> None:
    """Where the records themselves say in which drive and folder they are."""
    run = service.run(Lossy(tree(), select=without(name)))
    assert bad(run) == {(WITHIN, FILES, "suspect")}
    assert f"{name} has no effect" in said(run, WITHIN)


def grouped(key: str, found: list[Row], query: Query) -> list[Row]:
    """Drives by the group that their raw data names."""
    group = query.get("drive_group_id")
    if key != DRIVES or not group:
        return chosen(key, found, query)
    return [one for one in found if one["raw_data"]["owner"]["group"]["id"] == group]


def others(key: str, found: list[Row], query: Query) -> list[Row]:
    """The drives of all groups but the one that is asked for."""
    its = grouped(key, found, query)
    wrong = its and key == DRIVES and "drive_group_id" in query
    return [one for one in found if one not in its] if wrong else its


@pytest.mark.parametrize(
    ("select", "what"),
    [(grouped, ""), (chosen, "drive_group_id has no effect"), (others, "brings records of another")],
)
def test_a_parameter_whose_ids_raw_data_alone_names(
    service: Serving, select: Callable[..., list[Row]], what: str
) -> None:
    lists = tree(12)
    for at, one in enumerate(lists[DRIVES]):
        one["raw_data"] = {**one["raw_data"], "owner": {"group": {"id": f"g{at % 3}"}}}
    run = service.run(Lossy(lists, select=select))
    assert bad(run) == ({(WITHIN, DRIVES, "suspect")} if what else set())
    assert what in said(run, WITHIN, DRIVES)


@pytest.mark.parametrize("every", [1, 2, 3])
def test_drives_that_change_while_they_are_read_are_no_finding(service: Serving, every: int) -> None:
    lists = tree(12)
    for at, one in enumerate(lists[DRIVES]):
        one["raw_data"] = {**one["raw_data"], "owner": {"group": {"id": f"g{at % 3}"}}}

    def edited(found: list[Row], call: int) -> None:
        if call % every == 0:
            at = Random(call).randrange(len(found))
            found[at] = {**found[at], "updated_at": moment(5000 + call)}

    run = service.run(Lossy({DRIVES: lists[DRIVES], FILES: lists[FILES]}, select=grouped, change=edited))
    assert bad(run) == set()


def test_a_folder_list_with_files_that_lie_in_none(service: Serving) -> None:
    lists = tree()
    for number in range(900, 908):
        lists[FILES].append(placed(number, "d1", ""))

    def select(key: str, found: list[Row], query: Query) -> list[Row]:
        own = chosen(key, found, query)
        loose = [one for one in found if key == FILES and "folder_id" in query and not one["x_folder_id"]]
        return own + [one for one in loose if own and one["x_drive_id"] == own[0]["x_drive_id"]]

    assert bad(service.run(Lossy(lists))) == set()
    run = service.run(Lossy(lists, select=select))
    assert bad(run) == {(WITHIN, FILES, "suspect")}
    assert "brings records of another" in said(run, WITHIN)


@pytest.mark.parametrize("name", ["drive_id", "folder_id"])
def test_a_parameter_that_is_forgotten_behind_the_first_page_is_suspect(service: Serving, name: str) -> None:
    run = service.run(Lossy(tree(), size=8, select=forgotten(name)))
    assert bad(run) == {(WITHIN, FILES, "suspect")}
    assert f"by {name} brings records of another" in said(run, WITHIN)
    assert "from page 2 on" in said(run, WITHIN)


def test_a_parameter_that_is_forgotten_is_suspect_where_no_record_says_in_which_drive_it_is(
    service: Serving,
) -> None:
    """A drive is one page long unless small pages are asked for; then the further ones bring records of all drives."""
    lists = tree()
    for one in lists[FILES]:
        del one["raw_data"]["parentReference"]
    run = service.run(Lossy(lists, size=100, select=forgotten("drive_id")), only=("completeness",))
    assert bad(run) == {(WITHIN, FILES, "suspect")}
    assert "brings records on page 2 that it lacks on one page" in said(run, WITHIN)
    assert bad(service.run(Lossy(lists, size=100), only=("completeness",))) == set()


def test_a_parameter_without_effect_is_seen_without_raw_data_too(service: Serving) -> None:
    lists = {
        key: [{n: v for n, v in one.items() if n != "raw_data"} for one in found]
        for key, found in tree().items()
    }
    run = service.run(Lossy(lists, select=without("drive_id")), only=("completeness",))
    assert bad(run) == {(WITHIN, FILES, "suspect")}


def test_a_parameter_without_effect_is_observed_where_no_record_names_what_it_names(service: Serving) -> None:
    """Third parties share drives that none of their files is said to be in: a list by drive may not be known there."""
    lists = tree()
    for one in lists[FILES]:
        del one["raw_data"]["parentReference"]
    run = service.run(Lossy(lists, select=without("drive_id")), only=("completeness",))
    assert bad(run) == set()
    assert "drive_id has no effect" in said(run, WITHIN)


def test_one_drive_that_has_everything_is_no_finding(service: Serving) -> None:
    run = service.run(Lossy(tree(1), select=without("drive_id")), only=("completeness",))
    assert bad(run) == set()


def test_a_drive_that_files_are_in_and_that_is_not_listed_is_suspect(service: Serving) -> None:
    run = service.run(Lossy(tree(), select=unlisted))
    assert bad(run) == {(NAMED, DRIVES, "suspect")}
    result = run.result(NAMED, DRIVES)
    assert result is not None
    assert result.affected == 1
    assert "parentReference.driveId" in said(run, NAMED, DRIVES)


def test_a_list_by_folder_that_costs_too_much_stays_within_its_calls(service: Serving) -> None:
    lossy = Lossy(tree(30), page=offsets)
    run = service.run(lossy, only=("transport", "envelope", "paging", "records", "sync mode", "completeness"))
    assert lossy.calls <= 1.5 * run.pages + 2 * 60


def behind_an_empty_page(
    lossy: Lossy, key: str, found: list[Row], query: Query
) -> tuple[list[Row], str | None]:
    """Every walk begins with a page without rows, and a cursor."""
    if key == FILES and "cursor" not in query:
        return [], "0"
    return offsets(lossy, key, found, query)


@pytest.mark.parametrize("name", ["drive_id", "folder_id"])
def test_a_parameter_without_effect_is_said_though_the_first_page_is_empty(
    service: Serving, name: str
) -> None:
    run = service.run(Lossy(tree(), page=behind_an_empty_page, select=without(name)))
    assert f"{name} has no effect" in said(run, WITHIN)
    assert "of another" not in said(run, WITHIN)


def test_sound_lists_hold_though_the_first_page_is_empty(service: Serving) -> None:
    found = service.run(Lossy(tree(), page=behind_an_empty_page)).result(WITHIN, FILES)
    assert found is not None
    assert found.verdict is Verdict.HOLDS, found.seen
