"""Which parameters a pull sends for what was given."""

from dataclasses import replace

import pytest

from explorer.catalog.spec import Input
from explorer.cli.app import run
from explorer.cli.pull import _listing, _parameters
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
