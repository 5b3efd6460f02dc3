"""Records that are others, or not there, when their list is asked for with a parameter that only chooses."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from explorer.quality.engine.check import Run, Verdict
from tests.flow.lossy import FILES, JOBS, Lossy, Query, Row, Serving, chosen, moment, rows, serving
from tests.flow.test_quality_narrowed import tree

WITHIN = "completeness.within"
Select = Callable[[str, list[Row], Query], list[Row]]


@pytest.fixture(scope="module")
def service() -> Iterator[Serving]:
    with serving() as made:
        yield made


def with_(param: str, of: Callable[[Row], Row], key: str = FILES) -> Select:
    """Records that are others where a parameter is given."""

    def select(asked: str, found: list[Row], query: Query) -> list[Row]:
        some = chosen(asked, found, query)
        return [of(one) for one in some] if asked == key and param in query else some

    return select


def nameless(one: Row) -> Row:
    return {name: value for name, value in one.items() if name != "name"}


def of_the_drive(one: Row) -> Row:
    return {**one, "updated_at": moment(1)}


def findings(run: Run) -> set[tuple[str, str, str]]:
    return {(r.check.id, one.rule, one.field) for r in run.bad for one in r.findings}


@pytest.mark.parametrize(
    ("select", "lists", "wanted"),
    [
        (with_("page_size", nameless, JOBS), {JOBS: rows(JOBS, 60)}, ("completeness.beyond", "name")),
        (with_("sync_mode", nameless, JOBS), {JOBS: rows(JOBS, 60)}, ("completeness.full", "name")),
        (with_("drive_id", of_the_drive), tree(), (WITHIN, "updated_at")),
        (with_("folder_id", nameless), tree(), (WITHIN, "name")),
    ],
)
def test_a_parameter_that_chooses_changes_no_record(
    service: Serving, select: Select, lists: dict[str, list[Row]], wanted: tuple[str, str]
) -> None:
    run = service.run(Lossy(lists, select=select), only=("completeness",))
    check, field = wanted
    assert findings(run) == {(check, "other content", field)}
    [found] = [one for r in run.bad for one in r.findings]
    assert found.examples[0].id
    assert {r.verdict for r in run.bad} == {Verdict.SUSPECT}


def test_values_of_the_moment_are_no_other_content(service: Serving) -> None:
    def counted(one: Row, call: int) -> Row:
        return {**one, "name": f"{one['name']} {call}"}

    run = service.run(Lossy(tree(), before=counted), only=("completeness",))
    assert findings(run) == set()


def test_records_that_are_edited_meanwhile_are_no_other_content(service: Serving) -> None:
    def edited(found: list[Row], call: int) -> None:
        for one in found[:: max(1, 40 - call % 40)]:
            one["name"] = f"as of {call // 7}"

    run = service.run(Lossy(tree(), change=edited), only=("completeness",))
    assert findings(run) == set()


def first_four(key: str, found: list[Row], query: Query) -> list[Row]:
    some = chosen(key, found, query)
    return some[:4] if key == FILES and "folder_id" in query else some


def test_a_folder_whose_own_list_ends_early_is_found_with_what_it_lacks(service: Serving) -> None:
    lists = tree()
    run = service.run(Lossy(lists, select=first_four), only=("completeness",))
    assert findings(run) == {(WITHIN, "left out", "folder_id")}
    folder = {one["id"]: one["x_folder_id"] for one in lists[FILES]}
    [found] = [one for r in run.bad for one in r.findings]
    lacking = {
        one["id"]
        for name in set(folder.values())
        for one in [file for file in lists[FILES] if file["x_folder_id"] == name][4:]
    }
    assert {one.id for one in found.examples} <= lacking


def test_files_that_are_moved_to_other_folders_are_not_left_out(service: Serving) -> None:
    def moved(found: list[Row], call: int) -> None:
        one, other = found[call % len(found)], found[(call * 7) % len(found)]
        if "file" in (one["type"], other["type"]) and one["type"] == other["type"]:
            one["x_folder_id"], other["x_folder_id"] = other["x_folder_id"], one["x_folder_id"]
            raws: list[dict[str, Any]] = [one["raw_data"], other["raw_data"]]
            raws[0]["parentReference"], raws[1]["parentReference"] = (
                raws[1]["parentReference"],
                raws[0]["parentReference"],
            )

    run = service.run(Lossy(tree(), change=moved), only=("completeness",))
    assert {one for one in findings(run) if one[1] == "left out"} == set()


def test_a_drive_whose_own_list_ends_early_is_found(service: Serving) -> None:
    def some(key: str, found: list[Row], query: Query) -> list[Row]:
        of = chosen(key, found, query)
        return of[:-3] if key == FILES and "drive_id" in query else of

    run = service.run(Lossy(tree(2), select=some, size=100), only=("completeness",))
    assert (WITHIN, "left out", "drive_id") in findings(run)
