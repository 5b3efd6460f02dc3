"""The state of a list's page as one value: what its buttons do, the words, the banner and the progress it shows.

`state_of` computes it from `ListFacts` (the pull, a reload beside it, the query over its rows, exports), and nothing
else decides what is shown or allowed. There is no Qt here: the page gathers the facts, and its widgets paint the state.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from explorer import words
from explorer.api.errors import AnswerError, CredentialsRefused, SignInPage
from explorer.session import PageDamaged, PullPhase
from explorer.ui.pages.list.list_facts import ListFacts, ReloadFacts

if TYPE_CHECKING:
    from explorer.session import Pull, PullInfo, QueryResult
    from explorer.ui.kit.notices import Kind
    from explorer.ui.page import FoundIn

Act = Literal[
    "show",
    "again",
    "past",
    "pages",
    "profile",
    "reconnect",
    "go_on",
    "drop",
    "front",
    "back",
    "compare",
    "reload",
]
Acts = tuple[tuple[str, Act], ...]
"""The buttons of a banner: each one's text and action."""

_TYPES = "the contract’s types"
_NOTES_SAID = 3
_CUT_ADVICE = "Try another page size, if the list takes one, and compare."
_TIMES = {2: "twice", 3: "three times", 4: "four times", 5: "five times"}
AS_BEFORE = "The rows are those of the previous query."
CLEARED = "The saved rows of this list were cleared. Reload fetches its first page."
RESTORED = (
    "Nothing of this list is stored for this connection and these parameters. "
    "Load all fetches it, Reload its first page."
)


@dataclass(frozen=True, slots=True)
class Primary:
    """The one primary button."""

    text: str
    enabled: bool
    why: str
    """Its tooltip: what it does, or why it is disabled."""
    does: Literal["stop", "load"] = "load"


@dataclass(frozen=True, slots=True)
class BannerWords:
    """A banner: what happened, which rows are still there, what can be done now."""

    kind: Kind
    title: str
    text: str
    acts: Acts = ()
    of_reload: bool = False
    """It is about the reload and not about the shown pull."""


@dataclass(frozen=True, slots=True)
class ListState:
    """What the page shows and allows; the widgets paint it as it is."""

    primary: Primary
    load: Literal["", "pull", "reload"]
    """What *Load all* loads to its end, by button or key; empty: nothing."""
    reload: Literal["", "other", "beside", "restart"]
    """What *Reload* does: show the list of other parameters (``other``), fetch a second pull beside a complete one
    (``beside``), or restart one that is not complete (``restart``); empty: nothing, as `needs` says.
    """
    line: PullPhase
    any_rows: bool
    count: str | None
    """How many rows are loaded, in words; None while an export shows its progress in that place."""
    banner: BannerWords | None
    previous: tuple[str, str] | None
    """The text of the button of the previous pull, and its menu's first entry; None: there is no button."""
    empty: str
    """The sentence in a table without rows."""
    export: bool
    """The Export menu is enabled: there are rows, or an export that can be stopped."""
    stop: str
    """What the link *Stop …* ends: ``export``, ``copying``, ``looking``; empty: there is no link."""
    rows: int
    fault: str
    """Why the query could not be answered; else empty."""
    again: tuple[str, str] | None
    """The link that runs the query again: its text, and its name for a screen reader; None: there is no link."""
    status: str
    fit: str = ""
    """That the types of all rows fit the contract, and no more than that; empty where some do not, or nobody knows."""
    unfit: str = ""
    """How many rows do not fit the contract, in words: what the chip says that picks them; empty: there is no chip."""
    unfit_only: bool = False
    """Only those rows are asked for."""
    observed: str = ""
    """How many rows have nulls that running services are known to send, and nothing worse; as `unfit`."""
    observed_only: bool = False
    """Only those rows are asked for."""
    found: str = ""
    """How many rows the last quality run names; as `unfit`."""
    found_only: bool = False
    """Only those rows are asked for."""
    needs: str = ""
    """Which parameters have to be entered before anything is sent, in a sentence; empty where none has."""


def state_of(facts: ListFacts) -> ListState:
    """The state that follows from ``facts``. Takes the same short time whatever the number of rows."""
    rows, query, reload = facts.rows, facts.query, facts.reload
    late = next((name for name in ("export", "copying") if name in facts.late), "")
    previous = facts.pull.standing.previous if not facts.previous_shown else None
    return ListState(
        primary=primary_of(facts),
        load=_load_of(facts),
        reload=""
        if facts.lacks
        else "other"
        if facts.differs
        else "beside"
        if facts.pull.settled
        else "restart",
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
        fit=_fit(facts),
        unfit=_unfit(facts),
        unfit_only=query.unfit,
        observed=_observed(facts),
        observed_only=query.observed,
        found=_found(facts),
        found_only=facts.found_only,
        needs=_needs(facts),
    )


def _needs(facts: ListFacts) -> str:
    return f"Enter {' and '.join(facts.lacks)}: the list cannot be asked for without." if facts.lacks else ""


# ---- what the buttons do


def primary_of(facts: ListFacts) -> Primary:
    """Load all, Stop or Continue. Stop for a single page only when it is slow, or it would flash at each scroll."""
    running = facts.reload is not None and facts.reload.running
    if facts.busy and (facts.bulk is not None or running or facts.slow):
        return Primary("Stop", True, "Stop fetching; what is loaded stays", "stop")
    if facts.previous_shown:
        return Primary("Load all", False, "The previous pull is read only")
    if facts.unasked and facts.lacks:
        return Primary("Load all", False, _needs(facts))
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
    lacking = facts.unasked and bool(facts.lacks)
    return "" if facts.previous_shown or facts.bulk is not None or complete or lacking else "pull"


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
    """``1,200 loaded, more to come``; during Load all with the speed. Never a total: the service gives none."""
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
    """``12 match, of 1,200 loaded``: the rows that answer a query, among those that were searched."""
    found, loaded = f"{words.count(result.rows)} match", f"of {words.count(result.total)} loaded"
    if result.state == "building":
        return f"{found} so far, {loaded}"
    if result.state == "superseded":
        return f"{found}, {loaded}, stopped"
    return (
        f"{found}, {loaded}"
        if result.question.picks
        else f"{words.count(result.total, 'row')} loaded, sorted"
    )


def _again(facts: ListFacts) -> tuple[str, str] | None:
    """The link to run the query again, where rows arrived after it and are not in its result."""
    result = facts.query.result
    later = max(facts.pull.rows - result.total, 0) if result is not None else 0
    if later:
        came = f"{words.count(later, 'row')} loaded since: run it again"
        return f"{later:,} more: run it again", f"{came} over all loaded rows"
    return ("Run again", "Run again over all loaded rows") if facts.query.stopped else None


def _empty(facts: ListFacts) -> str:
    """The sentence in a table without rows: why there are none."""
    query, phase, pages = facts.query, facts.phase, facts.pull.pages
    if facts.unasked:
        return _needs(facts) or "Reload fetches the first page."
    if facts.waits and phase == PullPhase.READY and not pages:
        return facts.waits
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
    """The status bar: ``1,200 rows · 12 pages · 1.8 MB stored · all fit the contract’s types``, as far as known."""
    pull, rows, failed = facts.pull, facts.rows, facts.phase == PullPhase.FAILED
    said = ["Previous pull"] if facts.previous_shown else []
    if pull.pages:
        if failed and not facts.previous_shown:
            said.append(f"Page {facts.failing_page:,} failed")
        said += [words.count(rows, "row"), words.count(pull.pages, "page") + (" kept" if failed else "")]
        if pull.bytes:
            said.append(f"{words.size(pull.bytes)} stored")
        if pull.unfit is not None and rows:
            unfit = f"{words.count(pull.unfit, 'record does', 'records do')} not fit the contract"
            said.append(unfit if pull.unfit else f"all fit {_TYPES}")
            said += [f"{pull.observed:,} with usual nulls"] if pull.observed else []
        if facts.found is not None and rows:
            said.append(_findings_words(facts.found))
        if pull.with_key:
            said.append(f"{words.count(pull.with_key, 'record holds', 'records hold')} this profile's key")
    return "  ·  ".join(said)


def _fit(facts: ListFacts) -> str:
    if facts.pull.unfit != 0 or not facts.rows or facts.query.unfit:
        return ""
    if facts.found is not None:
        named = "" if facts.found.ids else f"{_findings_words(facts.found)} · "
        return f"{named}types fit the contract"
    return f"All {words.count(facts.rows)}{_so_far(facts)} fit {_TYPES}"


def _found(facts: ListFacts) -> str:
    """``12 named by the run of today 12:04``: those that are suspect fit their types all the same."""
    if facts.found is None or not facts.found.ids:
        return ""
    return f"{words.count(len(facts.found.ids))} named by the run of {words.near_time(facts.found.begun)}"


def _findings_words(found: FoundIn) -> str:
    return f"{words.count(found.findings, 'finding')} of the run of {words.near_time(found.begun)}"


def _unfit(facts: ListFacts) -> str:
    unfit, shown = facts.pull.unfit or 0, facts.query.unfit
    if not unfit and not shown:
        return ""
    return f"{words.count(unfit)}{_so_far(facts)} {'does' if unfit == 1 else 'do'} not fit the contract"


def _observed(facts: ListFacts) -> str:
    observed = facts.pull.observed or 0
    shown = observed or facts.query.observed
    return f"{words.count(observed)}{_so_far(facts)} with usual nulls" if shown else ""


def _so_far(facts: ListFacts) -> str:
    return "" if facts.phase == PullPhase.COMPLETE else " so far"


# ---- the banner


def _banner(facts: ListFacts) -> BannerWords | None:
    """The banner about the shown rows; where it has nothing to say, that about a reload that is not running."""
    if facts.previous_shown and facts.pull.info is not None:
        return _previous_banner(facts.pull.info)
    said = (
        _reload_banner(facts.reload, facts.reconnects)
        if facts.phase != PullPhase.FAILED and facts.reload
        else None
    )
    return said or _older_banner(facts) or _pull_banner(facts)


def _older_banner(facts: ListFacts) -> BannerWords | None:
    """The banner over rows that are older than the run whose finding is looked for among them."""
    info, run_at, loading = facts.pull.info, facts.run_at, facts.reload is not None and facts.reload.running
    if info is None or run_at is None or loading or facts.phase in (PullPhase.FAILED, PullPhase.STOPPED):
        return None
    begun, whole = words.near_time(info.started_at), info.updated_at < run_at
    loaded = words.near_time(info.updated_at) if whole else f"in part before it, from {begun} on"
    title = f"These rows are older than the quality run of {words.near_time(run_at)}"
    text = (
        f"They were loaded {loaded}. What the run found may not be in them; the finding shows its own record."
    )
    return BannerWords("caution", title, text, (("Load the rows of now", "reload"),))


def _pull_banner(facts: ListFacts) -> BannerWords | None:
    pull, phase, error = facts.pull, facts.phase, facts.pull.error
    if phase == PullPhase.FAILED:
        return _failed(pull, facts.call, facts.anew, facts.reconnects)
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


def _failed(pull: Pull, call: Any, anew: bool, reconnects: bool) -> BannerWords:
    """The banner of a failed pull. ``call``, where the log still has it, gives the attempts and the status text."""
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
        if reconnects and isinstance(error, CredentialsRefused):
            again = (("Make a magic link…", "reconnect"), *again)
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


def _reload_banner(reload: ReloadFacts, reconnects: bool) -> BannerWords | None:
    """The banner about a reload that is not running; None where there is nothing to say."""
    new, kept = reload.pull, reload.front.info
    drop: tuple[str, Act] = ("Drop it", "drop")
    if reload.running or kept is None:
        return None
    stays = f"The pull of {words.day_and_time(kept.updated_at)} with {words.count(kept.rows, 'row')} is still shown"
    if new.state == PullPhase.FAILED:
        said = _failed(new, reload.call, reload.anew, reconnects)
        title = f"Reload: {said.title[:1].lower()}{said.title[1:]}"
        text = f"{stays}. {said.text}".strip()
        return replace(said, title=title, text=text, acts=(*said.acts, drop), of_reload=True)
    if new.state == PullPhase.STOPPED:
        why = new.error.sentence if new.error is not None else "The pull stopped by itself."
        text = f"{stays}: the new pull with {words.count(new.rows, 'row')} is not complete."
        acts: Acts = (("Show the new one", "front"), ("Go on anyway", "past"), drop)
        return BannerWords("caution", f"Reload: {why}", text, acts, of_reload=True)
    if new.state == PullPhase.READY:
        title = f"Reload under way: {words.count(new.rows, 'row')} of {words.count(new.pages, 'page')} so far"
        acts = (("Continue", "go_on"), drop)
        return BannerWords("info", title, f"{stays} until the new one is complete.", acts, of_reload=True)
    return None


# ---- the previous pull


def _previous_banner(info: PullInfo) -> BannerWords:
    """The banner while the previous pull is shown."""
    text = f"{words.count(info.rows, 'row')} as they were before the last reload, read only."
    acts: Acts = (("Back to the newest", "back"), ("Compare with the newest", "compare"))
    return BannerWords("info", f"Previous pull, {words.day_and_time(info.updated_at)}", text, acts)


def _previous_words(info: PullInfo) -> tuple[str, str]:
    return (
        f"Previous pull, {words.day_and_time(info.updated_at)}…",
        f"Look at its {words.count(info.rows, 'row')}",
    )
