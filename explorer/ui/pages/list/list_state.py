"""All that a list's page shows of how things stand, as one value: what its buttons do, words, banner and progress.

`state_of` makes it from `ListFacts` (the pull, a reload beside it, the query over its rows, what the page does with
them), and nothing else decides. No Qt here: the page gathers the facts, and its widgets paint the state.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from explorer import words
from explorer.api.errors import AnswerError, EndNotShown, SignInPage
from explorer.session import PageDamaged, PullPhase

if TYPE_CHECKING:
    from explorer.session import Pull, PullInfo, QueryResult
    from explorer.ui.kit.notices import Kind

Act = Literal["show", "again", "past", "pages", "profile", "go_on", "drop", "front", "back", "compare"]
Acts = tuple[tuple[str, Act], ...]
"""The buttons of a banner: what each says and does."""

_NOTES_SAID = 3
_CUT_ADVICE = "Try another page size, if the list takes one, and compare."
_TIMES = {2: "twice", 3: "three times", 4: "four times", 5: "five times"}
AS_BEFORE = "The rows are those of the previous query."
CLEARED = "The saved rows of this list were cleared. Reload fetches its first page."


@dataclass(frozen=True, slots=True)
class ReloadFacts:
    """A second pull beside the one in front, until it takes its place."""

    pull: Pull
    front: Pull
    running: bool = False
    """Pages of it are on their way."""
    anew: bool = False
    """No page of it is kept yet, so that ``pull`` still has the rows of ``front``."""
    call: Any = None
    """The call that it failed over, where the log still has it."""


@dataclass(frozen=True, slots=True)
class QueryFacts:
    """Find, filters and order over the rows at hand."""

    result: QueryResult | None = None
    """What the table shows of it; None: all rows, as received."""
    unanswered: bool = False
    """The rows in the table answer another query than the last one."""
    fault: str = ""
    """Why it cannot be answered, in a sentence."""
    late: bool = False
    """It has been on its way for long enough to say so."""
    seconds: float | None = None
    """For how long, while nothing of its answer is in the table."""
    stopped: bool = False
    """The user stopped it before it was answered."""


@dataclass(frozen=True, slots=True)
class ListFacts:
    """How things stand on a list's page."""

    pull: Pull
    phase: PullPhase
    """Of the pull, as far as its rows are in the table."""
    shown: int = 0
    """Rows in the table."""
    picked: bool = False
    """They are those of a query."""
    anew: bool = False
    """It was begun anew, and its first page has not come."""
    cleared: bool = False
    """What was kept of it was removed on the user's word."""
    looking: bool = False
    """It is the previous pull, to be read only."""
    call: Any = None
    """The call that it failed over, where the log still has it."""
    notes: Sequence[str] = ()
    """What is odd about page ``noted_at``, the last of ``noted`` such pages."""
    noted: int = 0
    noted_at: int = 0
    reload: ReloadFacts | None = None
    query: QueryFacts = QueryFacts()
    differs: bool = False
    """The parameters are others than those it was asked with."""
    busy: bool = False
    """A page is on its way."""
    slow: bool = False
    """And has been for some time."""
    halted: bool = False
    """The user stopped it."""
    bulk: tuple[float, int] | None = None
    """While all pages are loaded: for how many seconds, and how many rows there were before."""
    exporting: bool = False
    late: frozenset[str] = frozenset()
    """Of ``export`` and ``copying``, what takes long."""

    @property
    def rows(self) -> int:
        """Rows at hand, however many of them the table shows."""
        return self.pull.rows if self.picked else self.shown

    @property
    def ended(self) -> bool:
        """The service ended the list without a cursor to go on with, and did not show that it is complete."""
        return self.phase == PullPhase.STOPPED and isinstance(self.pull.error, EndNotShown)

    @property
    def failing_page(self) -> int:
        """The page that failed, where one did: the next, or one that is damaged in the store."""
        error = self.pull.error
        return error.page if isinstance(error, PageDamaged) else self.pull.pages + 1


@dataclass(frozen=True, slots=True)
class Primary:
    """The one primary button."""

    text: str
    enabled: bool
    why: str
    """What it does, or why it cannot."""
    does: Literal["stop", "load"] = "load"


@dataclass(frozen=True, slots=True)
class BannerWords:
    """A banner: what happened, what is kept, what can be done now."""

    kind: Kind
    title: str
    text: str
    acts: Acts = ()
    of_reload: bool = False
    """It speaks of the reload, not of the pull that is shown."""


@dataclass(frozen=True, slots=True)
class ListState:
    """What is shown and what can be done; widgets paint it as it is."""

    primary: Primary
    load: Literal["", "pull", "reload"]
    """What *Load all* loads to its end, by button or key."""
    reload: Literal["other", "beside", "restart"]
    """How *Reload* asks anew: with other parameters, beside a complete pull, or in place of one that is not."""
    line: PullPhase
    any_rows: bool
    count: str | None
    """None: an export says how far it is."""
    banner: BannerWords | None
    previous: tuple[str, str] | None
    """What the button of the previous pull says, and its menu's first entry; None: there is no button."""
    empty: str
    """What stands in the table where no row does."""
    export: bool
    """Rows can be exported, or an export stopped."""
    stop: str
    """What the link *Stop …* ends: ``export``, ``copying``, ``looking``; empty: there is no link."""
    rows: int
    fault: str
    """Why the query has no answer; empty where it has."""
    again: tuple[str, str] | None
    """Asking the query once more: what the link says, and says to a screen reader; None: there is no link."""
    status: str


def state_of(facts: ListFacts) -> ListState:
    """What the page shows as things stand. Bounded work, whatever the number of rows."""
    rows, query, reload = facts.rows, facts.query, facts.reload
    late = next((name for name in ("export", "copying") if name in facts.late), "")
    previous = facts.pull.standing.previous if not facts.looking else None
    return ListState(
        primary=primary_of(facts),
        load=_load_of(facts),
        reload="other" if facts.differs else "beside" if facts.pull.settled else "restart",
        line=PullPhase.LOADING if reload is not None and reload.running else facts.phase,
        any_rows=bool(rows),
        count=None if facts.exporting else _count(facts),
        banner=_banner(facts),
        previous=_previous_words(previous) if previous is not None else None,
        empty="" if facts.shown else _empty(facts),
        export=bool(rows) or facts.exporting,
        stop=late or ("looking" if query.late else ""),
        rows=rows,
        fault=f"{query.fault} {AS_BEFORE}" if query.fault and query.unanswered else query.fault,
        again=_again(facts),
        status=_status(facts),
    )


# ---- what the buttons do


def primary_of(facts: ListFacts) -> Primary:
    """Load all, Stop or Continue. Stop for a single page only when it is slow, or each scroll would flash it."""
    running = facts.reload is not None and facts.reload.running
    if facts.busy and (facts.bulk is not None or running or facts.slow):
        return Primary("Stop", True, "Stop fetching; what is loaded stays", "stop")
    if facts.looking:
        return Primary("Load all", False, "The previous pull is read only")
    if facts.reload is not None:
        return Primary("Continue", True, "Continue the reload after its last saved page")
    if facts.ended:
        why = "The service gave no cursor to continue with: Reload starts again"
        return Primary("Load all", False, why)
    if facts.phase == PullPhase.COMPLETE:
        return Primary("Load all", False, "All rows of this list are loaded")
    if facts.phase in (PullPhase.FAILED, PullPhase.STOPPED) or facts.halted:
        return Primary("Continue", True, "Continue after the last saved page")
    return Primary("Load all", True, "Fetch page after page to the end of the list")


def _load_of(facts: ListFacts) -> Literal["", "pull", "reload"]:
    if facts.reload is not None:
        return "" if facts.busy else "reload"
    complete = facts.phase == PullPhase.COMPLETE and not facts.busy
    return "" if facts.looking or facts.bulk is not None or complete else "pull"


# ---- how many rows


def _count(facts: ListFacts) -> str:
    query, reload = facts.query, facts.reload
    if query.seconds is not None:
        took = words.duration(round(query.seconds * 10) * 100)
        return f"Searching {words.count(facts.rows, 'row')}  ·  {took}"
    if query.result is not None:
        return result_words(query.result)
    if reload is not None and reload.running:
        new = 0 if reload.anew else reload.pull.rows
        return f"{words.count(reload.front.rows)} kept  ·  reloading: {words.count(new)} so far"
    return _pull_count(facts)


def _pull_count(facts: ListFacts) -> str:
    """``1,200 loaded, more to come``; while many pages are loaded, how fast. Never a total that nobody gave."""
    phase, pages, loaded = facts.phase, facts.pull.pages, words.count(facts.rows)
    if phase == PullPhase.LOADING:
        if not facts.rows:
            return "Loading the first page…"
        seconds, before = facts.bulk or (0.0, 0)
        if seconds >= 1:
            pace = f"{(facts.rows - before) / seconds:,.0f} rows/s"
            return f"{loaded} loaded  ·  {pace}  ·  {words.duration(seconds * 1000)}"
        return f"{loaded} loaded, loading…"
    if phase == PullPhase.COMPLETE:
        return f"{loaded}, complete"
    if facts.ended:
        return f"{loaded}, ended by the service, not shown to be complete"
    if phase == PullPhase.FAILED:
        return f"{loaded}, stopped at page {facts.failing_page}"
    if phase == PullPhase.STOPPED:
        return f"{loaded}, stopped at page {max(pages, 1)}"
    return f"{loaded} loaded, more to come" if pages else "Nothing loaded yet"


def result_words(result: QueryResult) -> str:
    """``12 of 1,200 rows loaded``, of the rows that answer a query."""
    whole = words.count(result.total, "row")
    if result.state == "building":
        return f"{words.count(result.rows)} so far of {whole} loaded"
    if result.state == "superseded":
        return f"{words.count(result.rows)} of {whole} loaded, stopped"
    if result.question.picks:
        return f"{words.count(result.rows)} of {whole} loaded"
    return f"{whole} loaded, sorted"


def _again(facts: ListFacts) -> tuple[str, str] | None:
    """Rows that came after the query was asked are not in its answer."""
    result = facts.query.result
    later = max(facts.pull.rows - result.total, 0) if result is not None else 0
    if later:
        came = f"{words.count(later, 'row')} loaded since: run it again"
        return f"{later:,} more: run it again", f"{came} over all loaded rows"
    return ("Run again", "Run again over all loaded rows") if facts.query.stopped else None


def _empty(facts: ListFacts) -> str:
    """What stands in a table without rows."""
    query, phase, pages = facts.query, facts.phase, facts.pull.pages
    if facts.cleared and phase == PullPhase.READY and not pages:
        return CLEARED
    result = query.result
    if query.fault and result is not None:
        return "No row matched the previous query."
    if not query.fault:
        if query.late or (result is not None and result.state == "building"):
            return "Searching the loaded rows…"
        if result is not None and result.state == "superseded":
            return "No row had matched when it was stopped."
        if result is not None:
            return "No loaded row matches. Rows that are not loaded were not searched."
    said = {
        PullPhase.LOADING: "Loading the first page…",
        PullPhase.COMPLETE: "No rows: the service answered with an empty list",
        PullPhase.FAILED: "No rows yet: the first page failed",
        PullPhase.STOPPED: "No rows, though the list promised more",
    }
    return said.get(phase) or ("No rows so far, more may come" if pages else "No rows yet")


def _status(facts: ListFacts) -> str:
    """For the status bar: ``1,200 rows · 12 pages · 1.8 MB stored · all fit the contract``, as far as that is known."""
    pull, rows, failed = facts.pull, facts.rows, facts.phase == PullPhase.FAILED
    said = ["Previous pull"] if facts.looking else []
    if pull.pages:
        if failed and not facts.looking:
            said.append(f"Page {facts.failing_page:,} failed")
        said += [words.count(rows, "row"), words.count(pull.pages, "page") + (" kept" if failed else "")]
        if pull.bytes:
            said.append(f"{words.size(pull.bytes)} stored")
        if pull.unfit is not None and rows:
            unfit = f"{words.count(pull.unfit, 'record does', 'records do')} not fit the contract"
            said.append(unfit if pull.unfit else "all fit the contract")
        if pull.with_key:
            said.append(f"{words.count(pull.with_key, 'record holds', 'records hold')} this profile's key")
    return "  ·  ".join(said)


# ---- the banner


def _banner(facts: ListFacts) -> BannerWords | None:
    """First that other rows are shown, or what is wrong with them; then how a reload stands that does not run."""
    if facts.looking and facts.pull.info is not None:
        return _previous_banner(facts.pull.info)
    said = _reload_banner(facts.reload) if facts.phase != PullPhase.FAILED and facts.reload else None
    return said or _pull_banner(facts)


def _pull_banner(facts: ListFacts) -> BannerWords | None:
    pull, phase, error = facts.pull, facts.phase, facts.pull.error
    if phase == PullPhase.FAILED:
        return _failed(pull, facts.call, facts.anew)
    if phase == PullPhase.STOPPED:
        sentence = error.sentence if error is not None else "The pull stopped by itself."
        advice = (error.advice if error is not None else "") or _kept(pull)
        past: Acts = () if facts.ended else (("Go on anyway", "past"),)
        return BannerWords("caution", sentence, advice, (*_show(facts.call), *past))
    notes = list(dict.fromkeys(facts.notes))
    cut = ""
    if phase == PullPhase.COMPLETE and pull.may_be_cut:
        cut = f"The list ended after one page of exactly {words.count(pull.rows, 'row')}: it may be cut off there"
    if not notes:
        return BannerWords("info", cut, _CUT_ADVICE) if cut else None
    more = f" (and {len(notes) - _NOTES_SAID:,} more)" if len(notes) > _NOTES_SAID else ""
    acts: list[tuple[str, Act]] = []
    title, where = "The list breaks the contract", ""
    if pull.pages > 1 and facts.noted:
        breaks = "breaks" if facts.noted == 1 else "break"
        title = f"{facts.noted:,} of {pull.pages:,} pages {breaks} the contract"
        where = f"Page {facts.noted_at:,}: "
        acts.append(("Show pages", "pages"))
    if phase == PullPhase.COMPLETE and pull.next_cursor:
        acts.append(("Go on anyway", "past"))
    said = where + " ".join(notes[:_NOTES_SAID]) + more + (f" {cut}. {_CUT_ADVICE}" if cut else "")
    return BannerWords("caution", title, said, tuple(acts))


def _failed(pull: Pull, call: Any, anew: bool) -> BannerWords:
    """``call``, where the log still has it, tells attempts and its status' own words."""
    error = pull.error
    if isinstance(error, PageDamaged):
        title = f"Page {error.page:,} is damaged in the store"
        fetch: Acts = ((f"Fetch page {error.page:,} again", "again"),)
        return BannerWords("fails", title, f"{error.sentence} {error.advice}", (*_show(call), *fetch))
    page = 1 if anew else pull.pages + 1
    attempts = getattr(call, "attempt", 1) or 1
    times = f" {_TIMES.get(attempts, f'{attempts} times')}" if attempts > 1 else ""
    again: Acts = ((f"Try page {page} again", "again"),)
    if isinstance(error, SignInPage):
        why, text = "received a web page, no rows", error.sentence
        again = (("Edit profile", "profile"), *again)
    elif isinstance(error, AnswerError):
        why = f"{error.status} {getattr(call, 'reason', '')}".strip()
        text = error.sentence
    else:
        why = error.sentence if error is not None else "no answer"
        text = ""
    kept = "" if anew else _kept(pull)
    said = " ".join(filter(None, (text, kept, error.advice if error is not None else "")))
    return BannerWords("fails", f"Page {page} failed{times}: {why}", said, (*_show(call), *again))


def _show(call: Any) -> Acts:
    if call is None:
        return ()
    return (("Show response" if getattr(call, "status", 200) else "Show request", "show"),)


def _kept(pull: Pull) -> str:
    if not pull.rows:
        return ""
    before = f"The {words.count(pull.rows, 'row')} before it {'is' if pull.rows == 1 else 'are'} kept."
    return f"{before} The pull can continue from here."


def _reload_banner(reload: ReloadFacts) -> BannerWords | None:
    """What is to be said of a reload that does not run, beside the pull in front."""
    new, kept, drop = reload.pull, reload.front.info, ("Drop it", "drop")
    if reload.running or kept is None:
        return None
    stays = f"The pull of {words.day_and_time(kept.updated_at)} with {words.count(kept.rows, 'row')} is still shown"
    acts: Acts
    if new.state == PullPhase.FAILED:
        said = _failed(new, reload.call, reload.anew)
        title = f"Reload: {said.title[:1].lower()}{said.title[1:]}"
        text = f"{stays}. {said.text}".strip()
        return replace(said, title=title, text=text, acts=(*said.acts, drop), of_reload=True)  # type: ignore[arg-type]
    if new.state == PullPhase.STOPPED:
        why = new.error.sentence if new.error is not None else "The pull stopped by itself."
        text = f"{stays}: the new pull with {words.count(new.rows, 'row')} is not complete."
        acts = (("Show the new one", "front"), ("Go on anyway", "past"), ("Drop it", "drop"))
        return BannerWords("caution", f"Reload: {why}", text, acts, of_reload=True)
    if new.state == PullPhase.READY:
        title = f"Reload under way: {words.count(new.rows, 'row')} of {words.count(new.pages, 'page')} so far"
        acts = (("Continue", "go_on"), ("Drop it", "drop"))
        return BannerWords("info", title, f"{stays} until the new one is complete.", acts, of_reload=True)
    return None


# ---- the previous pull


def _previous_banner(info: PullInfo) -> BannerWords:
    """While the previous pull is looked at."""
    text = f"{words.count(info.rows, 'row')} as they were before the last reload, read only."
    acts: Acts = (("Back to the newest", "back"), ("Compare with the newest", "compare"))
    return BannerWords("info", f"Previous pull, {words.day_and_time(info.updated_at)}", text, acts)


def _previous_words(info: PullInfo) -> tuple[str, str]:
    return (
        f"Previous pull, {words.day_and_time(info.updated_at)}…",
        f"Look at its {words.count(info.rows, 'row')}",
    )
