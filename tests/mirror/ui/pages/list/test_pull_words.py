"""What a pull says of itself: counts without an invented total, failures with what is kept and what can be done."""

from dataclasses import dataclass
from types import SimpleNamespace

import pytest

from explorer.api.errors import ConnectionLost, CursorRepeated, EndNotShown, ExplorerError, GatewayFailed
from explorer.session import PullPhase
from explorer.ui.pages.list.pull_words import banner_of, count_words, empty_words, status_words


@dataclass
class Facts:
    rows: int = 700
    pages: int = 7
    bytes: int = 1_800_000
    error: ExplorerError | None = None
    next_cursor: str | None = "c"
    may_be_cut: bool = False


@pytest.mark.parametrize(
    ("state", "rows", "pages", "said"),
    [
        ("ready", 1200, 12, "1,200 loaded, more to come"),
        ("complete", 1204, 13, "1,204, complete"),
        ("failed", 700, 7, "700, stopped at page 8"),
        ("stopped", 700, 7, "700, stopped at page 7"),
        ("loading", 0, 0, "Loading the first page…"),
        ("loading", 100, 1, "100 loaded, loading…"),
        ("ready", 0, 0, "Nothing loaded yet"),
        ("complete", 0, 1, "0, complete"),
    ],
)
def test_counts(state: PullPhase, rows: int, pages: int, said: str) -> None:
    assert count_words(state, rows, pages) == said


def test_a_long_load_says_how_fast() -> None:
    said = count_words(PullPhase.LOADING, 12_000, 120, bulk=True, seconds=6, new=6000)
    assert said == "12,000 loaded  ·  1,000 rows/s  ·  6.0 s"


def test_a_failed_page() -> None:
    error = GatewayFailed("A gateway answered in place of the service.", "Try again later.", status=502)
    call = SimpleNamespace(attempt=3, reason="Bad Gateway")
    said = banner_of(PullPhase.FAILED, Facts(error=error), call, ())
    assert said is not None
    assert (said.kind, said.title) == ("fails", "Page 8 failed three times: 502 Bad Gateway")
    assert "The 700 rows before it are kept. The pull can continue from here." in said.text
    assert [label for label, _ in said.acts] == ["Show response", "Try page 8 again"]


def test_a_failure_without_an_answer_offers_no_answer() -> None:
    said = banner_of(
        PullPhase.FAILED, Facts(rows=0, pages=0, error=ConnectionLost("The connection broke.")), None, ()
    )
    assert said is not None
    assert said.title == "Page 1 failed: The connection broke."
    assert [act for _, act in said.acts] == ["again"]


def test_a_pull_begun_anew_fails_at_its_own_first_page() -> None:
    said = banner_of(PullPhase.FAILED, Facts(error=ConnectionLost("It broke.")), None, (), anew=True)
    assert said is not None
    assert said.title.startswith("Page 1 failed")


def test_a_loop_can_be_overruled() -> None:
    said = banner_of(
        PullPhase.STOPPED, Facts(error=CursorRepeated("Page 7 gave the cursor of page 3.")), None, ()
    )
    assert said is not None
    assert (said.kind, said.title) == ("caution", "Page 7 gave the cursor of page 3.")
    assert said.acts[-1] == ("Go on anyway", "past")


def test_an_end_that_is_not_shown_is_said_and_cannot_be_passed() -> None:
    assert (
        count_words(PullPhase.STOPPED, 700, 7, ended=True)
        == "700, ended by the service, not shown to be complete"
    )
    said = banner_of(
        PullPhase.STOPPED, Facts(error=EndNotShown("The service ended the list at page 7.")), None, ()
    )
    assert said is not None
    assert (said.kind, said.title) == ("caution", "The service ended the list at page 7.")
    assert said.acts == ()


def test_one_page_of_a_usual_size_may_be_cut() -> None:
    facts = Facts(rows=100, pages=1, next_cursor=None, may_be_cut=True)
    said = banner_of(PullPhase.COMPLETE, facts, None, ())
    assert said is not None
    assert (said.kind, said.title) == (
        "info",
        "The list ended after one page of exactly 100 rows: it may be cut off there",
    )
    assert "another page size" in said.text
    noted = banner_of(PullPhase.COMPLETE, facts, None, ("One.",))
    assert noted is not None
    assert noted.text.startswith("One. The list ended after one page of exactly 100 rows")
    assert banner_of(PullPhase.READY, facts, None, ()) is None


def test_notes_are_a_caution_and_few() -> None:
    assert banner_of(PullPhase.READY, Facts(), None, ()) is None
    said = banner_of(PullPhase.COMPLETE, Facts(), None, ("One.", "Two.", "Two.", "Three.", "Four."))
    assert said is not None
    assert said.text == "One. Two. Three. (and 1 more)"
    assert said.acts == (("Go on anyway", "past"),)
    over = banner_of(PullPhase.COMPLETE, Facts(next_cursor=None), None, ("One.",))
    assert over is not None
    assert over.acts == ()


def test_notes_say_how_many_pages_had_some() -> None:
    said = banner_of(PullPhase.READY, Facts(pages=12), None, ("One.",), noted=3, at=11)
    assert said is not None
    assert (said.title, said.text) == ("3 of 12 pages break the contract", "Page 11: One.")
    assert said.acts == (("Show pages", "pages"),)
    alone = banner_of(PullPhase.READY, Facts(pages=1), None, ("One.",), noted=1, at=1)
    assert alone is not None
    assert (alone.title, alone.text, alone.acts) == ("The list breaks the contract", "One.", ())


def test_a_call_without_an_answer_shows_its_request() -> None:
    error = ConnectionLost("The connection broke.")
    said = banner_of(
        PullPhase.FAILED, Facts(error=error), SimpleNamespace(attempt=1, reason="", status=None), ()
    )
    assert said is not None
    assert said.acts[0] == ("Show request", "show")


def test_status_and_emptiness() -> None:
    assert status_words(1200, 12, 1_800_000, False) == "1,200 rows  ·  12 pages  ·  1.8 MB stored"
    assert status_words(700, 7, 0, True) == "700 rows  ·  7 pages kept"
    assert status_words(0, 0, 0, False) == ""
    assert status_words(0, 1, 0, False, 0) == "0 rows  ·  1 page"
    assert status_words(9, 1, 0, False, 0).endswith("1 page  ·  all fit the contract")
    assert status_words(9, 1, 0, False, 1).endswith("  ·  1 record does not fit the contract")
    assert status_words(9, 1, 0, False, 2).endswith("  ·  2 records do not fit the contract")
    assert status_words(9, 1, 0, False, None) == "9 rows  ·  1 page"
    states = tuple(PullPhase)
    assert len({empty_words(s, 0) for s in states}) == 5
