"""What the page of quality runs says and allows, state by state."""

from __future__ import annotations

from dataclasses import replace

import pytest

from explorer.ui.pages.quality.quality_state import BUNDLE, NO_BUNDLE, PURPOSE, PageState
from tests.mirror.quality.made import made_run

ONE = replace(made_run(), profile="Ours", connection="conn_one", resources=("ats/job",))
TWO = replace(ONE, connection="conn_two")
EMPTY = PageState()
DONE = PageState(runs=(ONE,), shown=ONE, proven=True)
RUNNING = PageState(runs=(ONE,), shown=ONE, running=True)
STOPPED = PageState(runs=(ONE,), shown=ONE, unfinished=True)
SEVERAL = PageState(runs=(ONE, TWO))


@pytest.mark.parametrize(
    ("state", "setup", "leads_to", "primary"),
    [
        (EMPTY, True, "What to check…", "Run"),
        (replace(EMPTY, running=True), False, "What to check…", "Stop"),
        (DONE, False, "What to check…", "Run again"),
        (replace(DONE, asked=True), True, "Back to results", "Run"),
        (replace(RUNNING, asked=True), False, "What to check…", "Stop"),
        (STOPPED, False, "What to check…", "Continue"),
        (replace(STOPPED, asked=True), True, "Back to results", "Continue"),
        (SEVERAL, False, "What to check…", "Run again"),
        (replace(DONE, widens=True), False, "What to check…", "Go on"),
    ],
)
def test_what_stands_on_the_page(state: PageState, setup: bool, leads_to: str, primary: str) -> None:
    assert (state.setup, state.setup_button, state.primary[0]) == (setup, leads_to, primary)


@pytest.mark.parametrize(
    ("state", "blocked"),
    [(EMPTY, True), (DONE, True), (SEVERAL, True), (RUNNING, False), (STOPPED, False)],
)
def test_a_fault_of_what_to_check_blocks_a_run_that_would_begin_anew(state: PageState, blocked: bool) -> None:
    wrong = replace(state, fault="A limit of 0 calls leaves nothing to look at.")
    assert (bool(wrong.blocked), wrong.about == wrong.fault) == (blocked, blocked)
    assert not state.blocked


@pytest.mark.parametrize(
    ("state", "said"),
    [
        (EMPTY, False),
        (DONE, True),
        (SEVERAL, True),
        (replace(DONE, asked=True), False),
        (RUNNING, False),
        (STOPPED, False),
    ],
)
def test_whom_a_run_asks_is_said_where_what_to_check_is_out_of_sight(state: PageState, said: bool) -> None:
    assert replace(state, whom="Will ask conn_two").about.startswith("Will ask conn_two · ") == said


@pytest.mark.parametrize(
    ("state", "begins"),
    [(EMPTY, PURPOSE), (DONE, "Ours · conn_one · Jobs"), (SEVERAL, "Ours · 2 connections · Jobs")],
)
def test_what_run_it_is(state: PageState, begins: str) -> None:
    assert state.about.startswith(begins)


def test_what_can_be_done_with_a_run() -> None:
    assert [one.compare for one in (EMPTY, DONE, SEVERAL)] == [
        "There is no run yet",
        "Show what is new and what is gone since another run",
        "Choose one connection first",
    ]
    assert [one.bundle for one in (DONE, SEVERAL)] == [BUNDLE, NO_BUNDLE]
    assert [one.save_button for one in (DONE, replace(DONE, saving=True))] == [
        "Save report…",
        "Saving bundle…",
    ]
    assert (EMPTY.status, SEVERAL.status) == ("", "2 fail · 2 suspect")
    assert DONE.status.startswith(ONE.head.checks_words)


def test_results_of_another_connection_say_so_and_the_button_names_whom_it_asks() -> None:
    state = replace(DONE, asks=("conn_two",), here="conn_two")
    assert state.primary[:2] == ("Run on conn_two", "Check everything that is selected, on conn_two")
    assert state.about.startswith("Results of conn_one, not of conn_two · Ours")
    assert replace(state, asked=True).primary[0] == "Run", "What to check says it itself"
    assert replace(state, asks=("conn_one",)).primary[0] == "Run again"
    assert replace(state, asks=("conn_two", "c")).primary[0] == "Run on 2 connections"
    assert "Results of" not in replace(DONE, asks=("conn_one",), here="conn_one").about
    long = replace(state, asks=("c" * 90,))
    assert long.primary[0] == f"Run on {'c' * 39}…"
    assert replace(SEVERAL, asks=("conn_three",), here="conn_three").about.startswith("Results of 2 other")
