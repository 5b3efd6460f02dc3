"""What three reads of a list show, against services written by hand."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from explorer.catalog.spec import Envelope
from explorer.paths import Folders
from explorer.session import Session
from explorer.ui.pages.interface.first_page import Tried, not_there, paths_of, try_list
from tests.flow.test_unified_services import CASES, Case
from tests.unified_interfaces import known
from tests.unified_services import SERVICES, Call, Refused, Service


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    with known():
        yield


def tried(
    service: str, home: Path, change: Any = None, **more: Any
) -> tuple[Tried, list[Call], dict[str, int]]:
    """What a service's list shows, with some of its declaration replaced; the calls; what is stored afterwards."""
    case: Case = next(one for one in CASES if one.service == service)

    async def ask() -> tuple[Tried, dict[str, int]]:
        session = await Session.open(case.profile(served.url), case.credential, Folders.of_user(home))
        try:
            return await try_list(replace(case.listing, **more), session.send), session.kept()
        finally:
            await session.close()

    with SERVICES[service]() as served:
        served.change = change
        found, stored = asyncio.run(ask())
        return found, list(served.calls), stored


@pytest.mark.parametrize(
    ("service", "said"),
    [
        (
            "supaglue",
            [
                "10 rows at records, each with its own id",
                "2nd page reached, 20 rows, no repeat",
                "page_size=7 gives 7 rows",
                "raw_data is there in 10 of 10 rows",
            ],
        ),
        (
            "kombo",
            [
                "10 rows at data.results, each with its own id",
                "2nd page reached, 20 rows, no repeat",
                "raw_data is there in 10 of 10 rows",
            ],
        ),
        (
            "unified-to",
            [
                "10 rows in the bare array, each with its own id",
                "2nd page reached, 20 rows, no repeat",
                "limit=7 gives 7 rows",
                "raw_data is there in 10 of 10 rows",
            ],
        ),
    ],
)
def test_what_holds(service: str, said: list[str], tmp_path: Path) -> None:
    found, calls, stored = tried(service, tmp_path)
    assert found.said == tuple((True, one) for one in said)
    assert found.fault is None
    assert found.status.startswith("200 · ")
    assert len(found.rows) == 3
    assert found.calls == len(calls) <= 3
    assert {call.method for call in calls} == {"GET"}
    assert stored == {}


def test_rows_that_are_elsewhere(tmp_path: Path) -> None:
    wrong = Envelope("wrong", items="data.result", cursor="data.next")
    found, calls, _ = tried("kombo", tmp_path, envelope=wrong)
    assert found.fault == (
        "The first page cannot be read",
        "No data.result in the answer; near: data.results",
    )
    assert (found.arrays, len(calls)) == (("data.results",), 1)


def test_a_next_page_that_is_the_same_and_ids_that_repeat(tmp_path: Path) -> None:
    found, _, _ = tried("supaglue", tmp_path, cursor_param="after", size_param="")
    assert (False, "The 2nd page repeats 10 rows of the first") in found.said
    found, _, _ = tried("kombo", tmp_path, ids=("n",))
    assert found.said[0] == (False, "10 rows at data.results, but 1 different n")


def test_a_size_that_is_not_heeded(tmp_path: Path) -> None:
    found, _, _ = tried("kombo", tmp_path, size_param="many")
    assert (False, "many=7 gives 10 rows") in found.said


def test_a_refusal_is_said_with_its_status(tmp_path: Path) -> None:
    def refuse(_: Service, __: Call) -> None:
        raise Refused(403, {"error": {"code": "NO", "message": "This plan has no HRIS"}})

    found, calls, _ = tried("kombo", tmp_path, refuse)
    assert found.fault is not None
    assert found.fault[0] == "The first page failed: 403"
    assert "This plan has no HRIS" in found.fault[1]
    assert len(calls) == 1


def test_nothing_is_sent_without_its_parameters(tmp_path: Path) -> None:
    found, calls, _ = tried("kombo", tmp_path, path="/hris/{team}/employees")
    assert found.fault == (
        "Not tried",
        "It needs team: load it on its own page, where they are asked for.",
    )
    assert calls == []


@pytest.mark.parametrize(
    ("body", "paths", "arrays"),
    [
        ([], ["$"], ["$"]),
        ({"a": {"b.c": [1]}, "d": 1}, ["a", 'a["b.c"]', "d"], ['a["b.c"]']),
        ("text", [], []),
    ],
)
def test_paths_of_an_answer(body: Any, paths: list[str], arrays: list[str]) -> None:
    found, lists = paths_of(body)
    assert (sorted(found), list(lists)) == (paths, arrays)


def test_a_path_that_is_not_there() -> None:
    assert not_there("data.results", ("data.results",)) == ""
    assert not_there("data.results", ()) == "", "no answer was seen"
    assert not_there("rows", ("data.results",)) == "No rows in the answer; near: data.results"
