"""What a list's page shows and allows: counts without an invented total, failures with what is kept and can be done."""

import subprocess
import sys
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest

from explorer.api.errors import ConnectionLost, CursorRepeated, EndNotShown, ExplorerError, GatewayFailed
from explorer.session import PageDamaged, PullPhase
from explorer.ui.page import FoundIn
from explorer.ui.pages.list.list_facts import ListFacts, QueryFacts, ReloadFacts
from explorer.ui.pages.list.list_state import CLEARED, RESTORED, BannerWords, state_of
from explorer.words import near_time


@dataclass
class Facts:
    """What is read of a pull."""

    state: PullPhase = PullPhase.READY
    rows: int = 700
    pages: int = 7
    bytes: int = 1_800_000
    error: ExplorerError | None = None
    next_cursor: str | None = "c"
    may_be_cut: bool = False
    unfit: int | None = None
    observed: int | None = None
    with_key: int = 0
    settled: bool = False
    previous: Any = None

    @property
    def info(self) -> Any:
        return SimpleNamespace(updated_at=AT, rows=self.rows)

    @property
    def standing(self) -> Any:
        return SimpleNamespace(previous=self.previous)


AT = datetime(2026, 11, 20, 9, tzinfo=UTC)
LOST = ConnectionLost("It broke.")
ENDED = EndNotShown("The service ended the list at page 7.")
LOADS, CONTINUES, STOPS = ("Load all", True), ("Continue", True), ("Stop", True)


def facts(phase: PullPhase = PullPhase.READY, **more: Any) -> ListFacts:
    """A list of 7 pages with 700 rows, of which ``more`` holds."""
    pull = Facts(**{each.name: more.pop(each.name) for each in fields(Facts) if each.name in more})
    given: dict[str, Any] = {"shown": pull.rows, **more}
    return ListFacts(pull, phase, **given)  # type: ignore[arg-type]  # only what is read of it


def reload(phase: PullPhase = PullPhase.READY, **more: Any) -> ReloadFacts:
    """A reload with 2 pages so far."""
    pull = Facts(rows=200, pages=2, state=phase, error=more.pop("error", None))
    return ReloadFacts(pull, Facts(), **more)  # type: ignore[arg-type]  # only what is read of it


def result(state: str = "complete", rows: int = 12, total: int = 700, picks: bool = True) -> Any:
    """What answers a query."""
    return SimpleNamespace(state=state, rows=rows, total=total, question=SimpleNamespace(picks=picks))


READY, LOADING, COMPLETE, STOPPED, FAILED = (
    PullPhase.READY, PullPhase.LOADING, PullPhase.COMPLETE, PullPhase.STOPPED, PullPhase.FAILED
)  # fmt: skip


def count(phase: PullPhase, rows: int, pages: int, **more: Any) -> str | None:
    return state_of(facts(phase, rows=rows, pages=pages, **more)).count


def banner(phase: PullPhase, **more: Any) -> BannerWords | None:
    return state_of(facts(phase, **more)).banner


def status(rows: int, pages: int, **more: Any) -> str:
    return state_of(facts(more.pop("phase", READY), rows=rows, pages=pages, **more)).status


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
    assert count(state, rows, pages) == said


def test_a_long_load_says_how_fast() -> None:
    said = count(LOADING, 12_000, 120, bulk=(6.0, 6000))
    assert said == "12,000 loaded  ·  1,000 rows/s  ·  6.0 s"


def test_a_failed_page() -> None:
    error = GatewayFailed("A gateway answered in place of the service.", "Try again later.", status=502)
    call = SimpleNamespace(attempt=3, reason="Bad Gateway")
    said = banner(FAILED, error=error, call=call)
    assert said is not None
    assert (said.kind, said.title) == ("fails", "Page 8 failed three times: 502 Bad Gateway")
    assert "The 700 rows before it are kept. The pull can continue from here." in said.text
    assert [label for label, _ in said.acts] == ["Show response", "Try page 8 again"]


def test_a_failure_without_an_answer_offers_no_answer() -> None:
    said = banner(FAILED, rows=0, pages=0, error=ConnectionLost("The connection broke."))
    assert said is not None
    assert said.title == "Page 1 failed: The connection broke."
    assert [act for _, act in said.acts] == ["again"]


def test_a_pull_begun_anew_fails_at_its_own_first_page() -> None:
    said = banner(FAILED, error=ConnectionLost("It broke."), anew=True)
    assert said is not None
    assert said.title.startswith("Page 1 failed")


def test_a_loop_can_be_overruled() -> None:
    said = banner(STOPPED, error=CursorRepeated("Page 7 gave the cursor of page 3."))
    assert said is not None
    assert (said.kind, said.title) == ("caution", "Page 7 gave the cursor of page 3.")
    assert said.acts[-1] == ("Go on anyway", "past")


def test_an_end_that_is_not_shown_is_said_and_cannot_be_passed() -> None:
    assert count(STOPPED, 700, 7, error=ENDED) == "700, ended by the service, not shown to be complete"
    said = banner(STOPPED, error=EndNotShown("The service ended the list at page 7."))
    assert said is not None
    assert (said.kind, said.title) == ("caution", "The service ended the list at page 7.")
    assert said.acts == ()


def test_one_page_of_a_usual_size_may_be_cut() -> None:
    cut: dict[str, Any] = {"rows": 100, "pages": 1, "next_cursor": None, "may_be_cut": True}
    said = banner(COMPLETE, **cut)
    assert said is not None
    assert (said.kind, said.title) == (
        "info",
        "The list ended after one page of exactly 100 rows: it may be cut off there",
    )
    assert "another page size" in said.text
    noted = banner(COMPLETE, **cut, notes=("One.",))
    assert noted is not None
    assert noted.text.startswith("One. The list ended after one page of exactly 100 rows")
    assert banner(READY, **cut) is None


def test_notes_are_a_caution_and_few() -> None:
    assert banner(READY) is None
    said = banner(COMPLETE, notes=("One.", "Two.", "Two.", "Three.", "Four."))
    assert said is not None
    assert said.text == "One. Two. Three. (and 1 more)"
    assert said.acts == (("Go on anyway", "past"),)
    over = banner(COMPLETE, next_cursor=None, notes=("One.",))
    assert over is not None
    assert over.acts == ()


def test_notes_say_how_many_pages_had_some() -> None:
    said = banner(READY, pages=12, notes=("One.",), noted=3, noted_at=11)
    assert said is not None
    assert (said.title, said.text) == ("3 of 12 pages break the contract", "Page 11: One.")
    assert said.acts == (("Show pages", "pages"),)
    alone = banner(READY, pages=1, notes=("One.",), noted=1, noted_at=1)
    assert alone is not None
    assert (alone.title, alone.text, alone.acts) == ("The list breaks the contract", "One.", ())


def test_a_call_without_an_answer_shows_its_request() -> None:
    error = ConnectionLost("The connection broke.")
    said = banner(FAILED, error=error, call=SimpleNamespace(attempt=1, reason="", status=None))
    assert said is not None
    assert said.acts[0] == ("Show request", "show")


def test_status_and_emptiness() -> None:
    assert status(1200, 12, bytes=1_800_000) == "1,200 rows  ·  12 pages  ·  1.8 MB stored"
    assert status(700, 7, bytes=0, phase=FAILED) == "Page 8 failed  ·  700 rows  ·  7 pages kept"
    assert status(0, 0, bytes=0) == ""
    assert status(0, 1, bytes=0, unfit=0) == "0 rows  ·  1 page"
    assert status(9, 1, bytes=0, unfit=0).endswith("1 page  ·  all fit the contract’s types")
    assert status(9, 1, bytes=0, unfit=1).endswith("  ·  1 record does not fit the contract")
    assert status(9, 1, bytes=0, unfit=2).endswith("  ·  2 records do not fit the contract")
    nulls = status(9, 1, bytes=0, unfit=0, observed=4)
    assert nulls.endswith("  ·  all fit the contract’s types  ·  4 with usual nulls")
    assert status(9, 1, bytes=0, unfit=None) == "9 rows  ·  1 page"
    states = tuple(PullPhase)
    assert len({state_of(facts(s, rows=0, pages=0)).empty for s in states}) == 5


def test_what_a_run_found_is_not_covered_by_types_that_fit() -> None:
    complete: dict[str, Any] = {"unfit": 0, "observed": 0, "phase": COMPLETE}
    alone = state_of(facts(**complete))
    assert (alone.fit, alone.found) == ("All 700 fit the contract’s types", "")
    named = state_of(facts(**complete, found=FoundIn(AT, 2, ("1", "2", "3")), found_only=True))
    when = near_time(AT)
    assert (named.fit, named.found) == ("types fit the contract", f"3 named by the run of {when}")
    assert named.found_only
    assert named.status.endswith(f"  ·  all fit the contract’s types  ·  2 findings of the run of {when}")
    rest = state_of(facts(**complete, found=FoundIn(AT, 1, ())))
    assert (rest.fit, rest.found) == (f"1 finding of the run of {when} · types fit the contract", "")
    unfit = state_of(facts(**{**complete, "unfit": 4}, found=FoundIn(AT, 1, ("1",))))
    assert (unfit.fit, unfit.unfit) == ("", "4 do not fit the contract")
    assert unfit.found == f"1 named by the run of {when}"


# ---- the state as a whole


@pytest.mark.parametrize(
    ("given", "button", "loads"),
    [
        (facts(), LOADS, "pull"),
        (facts(halted=True), CONTINUES, "pull"),
        (facts(LOADING, busy=True), LOADS, "pull"),
        (facts(LOADING, busy=True, slow=True), STOPS, "pull"),
        (facts(LOADING, busy=True, bulk=(0.1, 700)), STOPS, ""),
        (facts(FAILED, error=LOST), CONTINUES, "pull"),
        (facts(STOPPED, error=CursorRepeated("A loop.")), CONTINUES, "pull"),
        (facts(STOPPED, error=ENDED), ("Load all", False), "pull"),
        (facts(COMPLETE, settled=True), ("Load all", False), ""),
        (facts(COMPLETE, busy=True), ("Load all", False), "pull"),
        (facts(COMPLETE, previous_shown=True), ("Load all", False), ""),
        (facts(previous_shown=True), ("Load all", False), ""),
        (facts(COMPLETE, reload=reload()), CONTINUES, "reload"),
        (facts(COMPLETE, reload=reload(STOPPED)), CONTINUES, "reload"),
        (facts(COMPLETE, reload=reload(LOADING, running=True), busy=True), STOPS, ""),
        (facts(COMPLETE, reload=reload(), previous_shown=True), ("Load all", False), "reload"),
    ],
)
def test_what_the_primary_button_does(given: ListFacts, button: tuple[str, bool], loads: str) -> None:
    state = state_of(given)
    assert (state.primary.text, state.primary.enabled) == button
    assert state.primary.does == ("stop" if button == STOPS else "load")
    assert state.primary.why
    assert state.load == loads


@pytest.mark.parametrize(
    ("more", "way"),
    [
        ({}, "restart"),
        ({"settled": True}, "beside"),
        ({"differs": True}, "other"),
        ({"settled": True, "differs": True}, "other"),
    ],
)
def test_how_reload_asks_anew(more: dict[str, Any], way: str) -> None:
    assert state_of(facts(**more)).reload == way


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (facts(), "700 loaded, more to come"),
        (facts(FAILED, error=LOST), "700, stopped at page 8"),
        (facts(FAILED, error=PageDamaged("It is broken.", page=3)), "700, stopped at page 3"),
        (facts(STOPPED, error=ENDED), "700, ended by the service, not shown to be complete"),
        (facts(LOADING, busy=True, bulk=(2.0, 100)), "700 loaded  ·  300 rows/s  ·  2.0 s"),
        (facts(exporting=True), None),
        (facts(COMPLETE, reload=reload(LOADING, running=True)), "700 kept  ·  reloading: 200 so far"),
        (
            facts(COMPLETE, reload=reload(LOADING, running=True, anew=True)),
            "700 kept  ·  reloading: 0 so far",
        ),
        (
            facts(COMPLETE, rows=3, previous_shown=True, reload=reload(LOADING, running=True)),
            "700 kept  ·  reloading: 200 so far",
        ),
        (facts(COMPLETE, reload=reload()), "700, complete"),
        (facts(shown=12, shows_result=True, query=QueryFacts(result())), "12 match, of 700 loaded"),
        (facts(query=QueryFacts(result(picks=False))), "700 rows loaded, sorted"),
        (facts(query=QueryFacts(result("building"))), "12 match so far, of 700 loaded"),
        (facts(query=QueryFacts(result("superseded"))), "12 match, of 700 loaded, stopped"),
        (facts(query=QueryFacts(late=True, seconds=4.21)), "Searching 700 rows  ·  4.2 s"),
    ],
)
def test_the_count(given: ListFacts, said: str | None) -> None:
    assert state_of(given).count == said


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (facts(), ""),
        (facts(rows=0, pages=0), "No rows yet"),
        (facts(rows=0, pages=0, waits=CLEARED), CLEARED),
        (facts(rows=0, pages=0, waits=RESTORED), RESTORED),
        (facts(LOADING, rows=0, pages=0, waits=CLEARED), "Loading the first page…"),
        (facts(shown=0, query=QueryFacts(late=True)), "Searching the loaded rows…"),
        (facts(shown=0, query=QueryFacts(result("building", 0))), "Searching the loaded rows…"),
        (
            facts(shown=0, query=QueryFacts(result("superseded", 0))),
            "No row had matched when it was stopped.",
        ),
        (
            facts(shown=0, query=QueryFacts(result(rows=0))),
            "No loaded row matches. Rows that are not loaded were not searched.",
        ),
        (
            facts(shown=0, query=QueryFacts(result(rows=0), fault="No pattern.")),
            "No row matched the previous query.",
        ),
    ],
)
def test_a_table_without_rows_says_why(given: ListFacts, said: str) -> None:
    assert state_of(given).empty == said


@pytest.mark.parametrize(
    ("given", "title", "of_reload"),
    [
        (facts(COMPLETE), None, False),
        (facts(COMPLETE, previous_shown=True, reload=reload()), "Previous pull, ", False),
        (facts(COMPLETE, reload=reload()), "Reload under way: 200 rows of 2 pages so far", True),
        (facts(COMPLETE, reload=reload(LOADING, running=True)), None, False),
        (facts(COMPLETE, reload=reload(READY, running=True)), None, False),
        (facts(COMPLETE, reload=reload(FAILED, error=LOST)), "Reload: page 3 failed: It broke.", True),
        (facts(COMPLETE, reload=reload(FAILED, error=LOST, anew=True)), "Reload: page 1 failed", True),
        (facts(COMPLETE, reload=reload(STOPPED, error=ENDED)), "Reload: The service ended the list", True),
        (facts(FAILED, error=LOST, reload=reload()), "Page 8 failed: It broke.", False),
        (facts(COMPLETE, notes=("Odd.",), noted=2, noted_at=5), "2 of 7 pages break the contract", False),
        (facts(FAILED, error=PageDamaged("Broken.", page=3)), "Page 3 is damaged in the store", False),
    ],
)
def test_the_banner(given: ListFacts, title: str | None, of_reload: bool) -> None:
    said = state_of(given).banner
    assert (said.title if said is not None else None) == title or (
        said and title and said.title.startswith(title)
    )
    assert (said is not None and said.of_reload) is of_reload


def test_the_link_names_what_takes_long() -> None:
    late = QueryFacts(late=True)
    assert state_of(facts()).stop == ""
    assert state_of(facts(query=late)).stop == "looking"
    assert state_of(facts(query=late, late=frozenset({"copying"}))).stop == "copying"
    assert state_of(facts(late=frozenset({"copying", "export"}))).stop == "export"


def test_rows_that_came_later_are_asked_for_once_more() -> None:
    assert state_of(facts()).again is None
    assert state_of(facts(query=QueryFacts(result()))).again is None
    later = state_of(facts(query=QueryFacts(result(total=600), fault="No pattern.", unanswered=True)))
    assert later.again == (
        "100 more: run it again",
        "100 rows loaded since: run it again over all loaded rows",
    )
    assert later.fault == "No pattern. The rows are those of the previous query."
    assert state_of(facts(query=QueryFacts(result(), fault="No pattern."))).fault == "No pattern."
    stopped = state_of(facts(query=QueryFacts(stopped=True)))
    assert stopped.again == ("Run again", "Run again over all loaded rows")


def test_the_rest_of_what_is_shown() -> None:
    before: Any = SimpleNamespace(updated_at=AT, rows=3)
    state = state_of(facts(COMPLETE, previous=before, reload=reload(LOADING, running=True)))
    assert state.previous is not None
    assert state.previous[0].startswith("Previous pull, ")
    assert state.previous[1] == "Look at its 3 rows"
    assert (state.line, state.any_rows, state.export) == (LOADING, True, True)
    previous_shown = state_of(facts(COMPLETE, previous=before, previous_shown=True))
    assert previous_shown.previous is None
    assert previous_shown.status.startswith("Previous pull  ·  700 rows")
    was_failed = state_of(facts(FAILED, error=LOST, previous_shown=True))
    assert was_failed.status.startswith("Previous pull  ·  700 rows")
    failed = state_of(facts(FAILED, error=LOST))
    assert failed.status == "Page 8 failed  ·  700 rows  ·  7 pages kept  ·  1.8 MB stored"
    found = state_of(facts(shown=12, shows_result=True))
    assert (found.rows, found.status.split("  ·  ")[0]) == (700, "700 rows")
    nothing = state_of(facts(rows=0, pages=0))
    assert (nothing.status, nothing.export, nothing.any_rows) == ("", False, False)
    assert state_of(facts(rows=0, pages=0, exporting=True)).export


def test_it_knows_no_qt() -> None:
    code = (
        "import sys, explorer.ui.pages.list.list_state; "
        "sys.exit(any(name.startswith(('PySide6', 'qasync')) for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 0


@pytest.mark.parametrize(
    ("more", "button", "loads", "reload", "empty"),
    [
        (
            {"lacks": ("since",), "unasked": True, "rows": 0, "pages": 0},
            ("Load all", False),
            "",
            "",
            "Enter since: ",
        ),
        ({"unasked": True, "differs": True, "rows": 0, "pages": 0}, LOADS, "pull", "other", "Reload fetches"),
        ({"lacks": ("id", "since"), "differs": True}, LOADS, "pull", "", ""),
    ],
    ids=["nothing entered yet", "entered, not yet asked for", "taken away again while rows are shown"],
)
def test_parameters_that_a_list_cannot_be_asked_for_without(
    more: dict[str, Any], button: tuple[str, bool], loads: str, reload: str, empty: str
) -> None:
    state = state_of(facts(**more))
    assert (state.primary.text, state.primary.enabled, state.load, state.reload) == (*button, loads, reload)
    assert state.empty.startswith(empty)
    assert bool(state.empty) == bool(empty)
    assert bool(state.needs) == bool(more.get("lacks"))
