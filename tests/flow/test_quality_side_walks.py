"""Lists that are asked for with a page size, a mode or a container, and break off there alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar

import pytest

from explorer.quality.engine.check import Run
from tests.flow import listed
from tests.flow.lossy import (
    JOBS,
    STATES,
    Broken,
    Lossy,
    Query,
    Refused,
    Row,
    Serving,
    asked_size,
    offsets,
    rows,
    serving,
)
from tests.flow.test_quality_completeness import drive_files

Page = tuple[list[Row], str | None]


@pytest.fixture(scope="module")
def service() -> Iterator[Serving]:
    with serving() as made:
        yield made


@pytest.fixture(scope="module")
def jobs() -> Iterator[listed.Serving]:
    with listed.serving() as made:
        yield made


def rules(run: Run) -> set[tuple[str, str]]:
    return {(result.check.id, finding.rule) for result in run.bad for finding in result.findings}


def back_with_size(lossy: Lossy, key: str, found: list[Row], query: Query) -> Page:
    """The third page of a small size leads back to the second."""
    items, cursor = offsets(lossy, key, found, query)
    return items, str(asked_size(lossy, query)) if cursor == "21" and "page_size" in query else cursor


def refused_together(lossy: Lossy, key: str, found: list[Row], query: Query) -> Page:
    if "page_size" in query and "cursor" in query:
        raise Refused("page_size cannot be combined with cursor")
    return offsets(lossy, key, found, query)


def fails_in_drives(lossy: Lossy, key: str, found: list[Row], query: Query) -> Page:
    if "drive_id" in query and "cursor" in query:
        raise Refused("no such cursor")
    return offsets(lossy, key, found, query)


def incremental_goes_back(lossy: Lossy, key: str, found: list[Row], query: Query) -> Page:
    items, cursor = offsets(lossy, key, found, query)
    return items, "0" if query.get("sync_mode") and cursor is None else cursor


class OneReader(Lossy):
    """Keeps the place of whoever reads, and looks at no cursor but for whether there is one."""

    at: int = 0


def one_place(lossy: Lossy, key: str, found: list[Row], query: Query) -> Page:
    assert isinstance(lossy, OneReader)
    start, size = lossy.at if "cursor" in query else 0, asked_size(lossy, query)
    lossy.at = start + size
    return found[start : lossy.at], f"next-{lossy.at}" if lossy.at < len(found) else None


def forgets_the_mode(key: str, found: list[Row], query: Query) -> list[Row]:
    """Incremental has each third row, but all of them behind the first page."""
    return found if query.get("sync_mode") != "incremental" else [*found[:60:3], *found[60:]]


def one_incremental_page(lossy: Lossy, key: str, found: list[Row], query: Query) -> Page:
    items, cursor = offsets(lossy, key, found, query)
    return items, None if query.get("sync_mode") == "incremental" else cursor


def one_page_above_twenty(lossy: Lossy, key: str, found: list[Row], query: Query) -> Page:
    items, cursor = offsets(lossy, key, found, query)
    return items, None if int(query.get("page_size", 0)) > 20 else cursor


CASES: dict[str, tuple[Callable[[], Lossy], tuple[str, str]]] = {
    "a small size goes round": (
        lambda: Lossy({JOBS: rows(JOBS, 90)}, page=back_with_size),
        ("completeness.sizes", "goes round"),
    ),
    "a size is refused on the second page": (
        lambda: Lossy({JOBS: rows(JOBS, 90)}, page=refused_together),
        ("completeness.sizes", "breaks off"),
    ),
    "a drive's second page is refused": (
        lambda: Lossy(drive_files(240), page=fails_in_drives),
        ("completeness.within", "breaks off"),
    ),
    "the place of one reader": (
        lambda: OneReader({STATES: rows(STATES, 90)}, page=one_place),
        ("paging.again", "in between"),
    ),
    "incremental forgets its mode": (
        lambda: Lossy({JOBS: rows(JOBS, 90)}, select=forgets_the_mode),
        ("sync.inside", "forgotten"),
    ),
    "incremental is one page": (
        lambda: Lossy({JOBS: rows(JOBS, 90)}, page=one_incremental_page),
        ("sync.answers", "ends early"),
    ),
    "a size above twenty is one page": (
        lambda: Lossy({JOBS: rows(JOBS, 41)}, page=one_page_above_twenty),
        ("completeness.sizes", "left out"),
    ),
    "incremental goes round": (
        lambda: Lossy({JOBS: rows(JOBS, 90)}, page=incremental_goes_back),
        ("sync.answers", "goes round"),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_walk_that_breaks_off_is_a_finding(service: Serving, name: str) -> None:
    made, found = CASES[name]
    run = service.run(made())
    assert found in rules(run), rules(run)
    assert not {check for check, _ in rules(run)} - {found[0], "completeness.full"}


def test_a_page_that_fails_once_is_none(service: Serving) -> None:
    failed: list[str] = []

    def once(lossy: Lossy, key: str, found: list[Row], query: Query) -> Page:
        if query.get("cursor") == "7" and "page_size" in query and not failed:
            failed.append("7")
            raise Broken
        return offsets(lossy, key, found, query)

    assert rules(service.run(Lossy({JOBS: rows(JOBS, 90)}, page=once))) == set()


def test_sound_lists_hold(service: Serving) -> None:
    for lists in ({JOBS: rows(JOBS, 90)}, drive_files(240)):
        assert rules(service.run(Lossy(lists))) == set()


def departments(*names: str) -> list[Row]:
    return [{"id": name, "name": name} for name in names]


class OtherInMode(listed.Listed):
    """Incremental jobs have these fields in place of their own."""

    instead: ClassVar[Mapping[str, Any]] = {}

    def _page(self, query: Mapping[str, str]) -> tuple[int, dict[str, Any]]:
        number, body = super()._page(query)
        if query.get("sync_mode") == "incremental":
            body["items"] = [{**row, **self.instead} for row in body["items"]]
        return number, body


@pytest.mark.parametrize(
    ("instead", "fields"),
    [
        ({"departments": []}, {"departments"}),
        ({"departments": departments("Sales")}, {"departments"}),
        ({"departments": [], "recruiters": []}, {"departments", "recruiters"}),
        ({"departments": [], "recruiters": [], "name": "A", "confidential": True}, {""}),
        ({}, set()),
    ],
)
def test_fields_that_incremental_records_have_otherwise_are_named(
    jobs: listed.Serving, instead: Row, fields: set[str]
) -> None:
    class Other(OtherInMode):
        pass

    Other.instead = instead
    own = {"departments": departments("Post"), "recruiters": [{"id": "7"}]}
    run = jobs.run(Other(rows=[listed.job(number, **own) for number in range(25)]))
    [same] = [one for one in run.results if one.check.id == "sync.same"]
    assert {one.field for one in same.findings} == fields
    assert all(name in same.seen for name in instead)
