"""Which parameters a pull sends for what was given, and what is said while it runs."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import cast

import pytest

from explorer.api.exchanges import Exchange, Exchanges
from explorer.catalog.spec import Input
from explorer.cli.app import run
from explorer.cli.pull import Progress, _listing, _parameters
from explorer.session import Pull
from tests.builtin import registry


class ById(Input):
    """A path with an id."""

    id: str


def test_known_parameters_and_others_are_kept_apart() -> None:
    given = [("drive_id", "d"), ("x", "1"), ("x", "2"), ("page_size", "7")]
    query, extra = _parameters(registry.listing("file-storage/file"), None, "full", given)
    assert query == {"sync_mode": "full", "drive_id": "d", "page_size": 7}
    assert extra == [("x", "1"), ("x", "2")]


def test_a_number_that_is_none_is_sent_as_it_was_given() -> None:
    query, extra = _parameters(registry.listing("ats/job"), 0.5, None, [("page_size", "many")])
    assert (query, extra) == ({"page_size": 0.5}, [("page_size", "many")])


def test_nothing_given_nothing_sent() -> None:
    assert _parameters(registry.listing("ats/job"), None, None, []) == ({}, [])


def test_a_list_is_found_by_its_key() -> None:
    assert _listing("/ats/job", registry).number == 5


def test_choices_are_kept(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["pull", "ats/job", "--sync-mode", "sideways"]) == 2
    assert "incremental" in capsys.readouterr().err


def test_a_parameter_of_the_path_is_known_so_that_the_window_finds_the_same_pull() -> None:
    listing = replace(registry.listing("ats/job"), path="/job/{id}/opening", path_input=ById)
    assert _parameters(listing, None, None, [("id", "7")]) == ({"id": "7"}, [])


class Walk:
    """What the progress needs of a pull."""

    rows, pages = 5, 1

    def subscribe(self, callback: object) -> object:
        return lambda: None


def exchange(summary: str, status: int | None, page: int = 3) -> Exchange:
    started = datetime(2026, 11, 20, tzinfo=UTC)
    return Exchange(
        started_at=started, method="GET", url="", path="/", summary=summary, status=status, page=page
    )


def test_each_further_attempt_is_said_once(capsys: pytest.CaptureFixture[str]) -> None:
    log = Exchanges()
    with Progress(log, cast("Pull", Walk())):
        log.add(exchange("100 items", 200))
        failed = log.add(exchange("retry in 2 s, attempt 1 of 4", 429))
        log.replace(failed)
        log.add(exchange("retry in 4 s, attempt 2 of 4", None))
    log.add(exchange("retry in 8 s, attempt 3 of 4", 429))
    out, error = capsys.readouterr()
    assert out == ""
    assert error.splitlines() == [
        "Page 3: 429, retry in 2 s, attempt 1 of 4",
        "Page 3: no answer, retry in 4 s, attempt 2 of 4",
    ]
