"""The state of Home as one value: its sentence, what the connection has, and what can be done.

`state_of` computes it from `HomeFacts`, and nothing else decides what is shown. There is no Qt here. Nothing is
guessed: what no answer showed is not tried yet, and rows that went or came are told only of pulls that are complete.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Literal

from explorer import words
from explorer.catalog.builtin.connect import MAGIC_LINK
from explorer.catalog.spec import Batch, Report, Resource, Vertical
from explorer.session.connection_facts import REVOKED, Has, Health, Learned, has, pulled_words, stored_time
from explorer.ui.own_pages import RUNS
from explorer.ui.pages.home.last_run import LastRun, Worst

if TYPE_CHECKING:
    from explorer.quality.compare.since import Since
    from explorer.session import PullInfo, Standing

Does = Literal["open", "compare", "try", "profile", "finding", "reconnect", "run"]
Badge = Literal["holds", "fails", "plain"]
_NONE = "–"
_TRYING = "Trying…"
_NOTHING = Learned()
_OWN_DATA = "For data of your own, make a profile with its address, key and connection."


@dataclass(frozen=True, slots=True)
class HomeFacts:
    """All facts from which the state of Home follows."""

    verticals: Sequence[Vertical]
    learned: Learned = _NOTHING
    connector: str = ""
    """As the service named it; empty where it did not."""
    stored: Mapping[str, Standing] | None = None
    """The pulls of each list, by the list's key."""
    beside: Mapping[str, PullInfo] = field(default_factory=dict)
    """A pull of each list with other parameters than those of ``stored``, by the list's key."""
    changes: Mapping[int, Since] = field(default_factory=dict)
    """What changed in a current pull since the one before, by the current one's id, where it was worked out."""
    run: LastRun | None = None
    run_calls: str = ""
    """About how many calls a quick run makes: ``80 to 120 calls``; empty until that is worked out."""
    trying: frozenset[str] = frozenset()
    """Resources that are being asked for, by their keys."""
    probed: frozenset[str] = frozenset()
    """Resources that can be asked for by a read, which *Try* sends."""
    folded: frozenset[str] = frozenset()
    """Titles of the groups that the user folded."""
    sandbox: bool = False
    now: datetime | None = None
    """With a time zone; None: the present time."""


@dataclass(frozen=True, slots=True)
class Act:
    """What a button does, and with which resource."""

    text: str
    does: Does
    key: str = ""


@dataclass(frozen=True, slots=True)
class Sentence:
    """What matters most, what is to be known of it, and what can be done."""

    title: str
    text: str
    act: Act | None = None
    bad: bool = False
    further: Act | None = None
    """What leads to the second thing that ``text`` tells."""


@dataclass(frozen=True, slots=True)
class Line:
    """One resource."""

    key: str
    resource: Resource
    has: Has
    has_words: str
    link: Literal["", "Try", "Try…"]
    """*Try* asks with a read; *Try…* only opens the page."""
    rows: str
    """``4,812``; with newer rows that were pulled with other parameters beside it, ``4,812 + 12``."""
    beside: str
    """What those are; empty without them."""
    last: str
    since: str
    """What changed since the pull before, else the rows before and now; empty without two complete pulls."""
    since_tip: str
    verdict: str
    """In lower case; empty where the last run did not judge it."""
    fit: str = ""
    """How many of its stored rows do not fit the contract, and how many have nulls that services are known to send."""

    @property
    def title(self) -> str:
        """What it is called."""
        return self.resource.title

    @property
    def spoken(self) -> str:
        """All of it in one line, for assistive technology."""
        state = {
            "yes": "yes",
            "no": f"no, {self.has.why}",
            "open": self.has_words[:1].lower() + self.has_words[1:],
        }
        said = [self.title, f"has it: {state[self.has.state]}"]
        said += [f"{self.rows} rows stored"] if self.rows != _NONE else []
        said += [one for one in (self.beside, self.fit) if one]
        said += [f"last pull {self.last}"] if self.last else []
        said += [f"rows before and now {self.since}"] if self.since else []
        said += [f"verdict {self.verdict}"] if self.verdict else []
        return ", ".join(said)


@dataclass(frozen=True, slots=True)
class Group:
    """Lines below one heading, as `RowsTree` takes it."""

    title: str
    words: str
    lines: tuple[Line, ...]
    open: bool = True


@dataclass(frozen=True, slots=True)
class HomeState:
    """What Home shows; its widgets paint it as it is."""

    sentence: Sentence
    connector: str
    badge: tuple[str, Badge]
    since: str
    """Beside the badge; may be empty."""
    groups: tuple[Group, ...]
    counts: str
    tries: tuple[str, ...]
    """The lists that nobody has tried, which one link tries together."""
    tries_words: str
    tries_tip: str
    pulls: tuple[str, ...]
    """The lists that the connection has."""
    pulls_tip: str
    run: str
    """The text of the button that begins a quick run, with about how many calls that makes once it is known."""
    check: Act | None
    """Opens the page of the connection check, which is a write and sends nothing by being opened."""


def state_of(facts: HomeFacts) -> HomeState:
    """The state that follows from ``facts``."""
    lines = [
        (_group_of(resource), _line(facts, vertical, resource))
        for vertical in facts.verticals
        for resource in vertical.resources
    ]
    groups = tuple(
        _group(title, [line for group, line in lines if group == title], title not in facts.folded)
        for title in ("Lists", "Reports", "Operations")
        if any(group == title for group, _ in lines)
    )
    every = [line for _, line in lines]
    untried = [line for group, line in lines if group == "Lists" and line.has.state == "open"]
    tries = tuple(line.key for line in untried if line.link == "Try" and not line.has.why)
    here = [line for line in every if line.resource.listing is not None and line.has.state == "yes"]
    badge, since = _badge(facts)
    return HomeState(
        sentence=_sentence(facts, every),
        connector=facts.connector or "Connector unknown",
        badge=badge,
        since=since,
        groups=groups,
        counts=_counts(every),
        tries=tries,
        tries_words=_tries_words(len(tries), len(untried)),
        pulls=tuple(line.key for line in here),
        pulls_tip=f"Loads all rows of {words.listed([line.title for line in here])}" if here else "",
        tries_tip=_tries_tip([line for line in untried if line.key not in tries]),
        run=f"Run quick ({facts.run_calls})" if facts.run_calls else "Run quick",
        check=_check(facts),
    )


# ---- the table


def _group_of(resource: Resource) -> str:
    if resource.listing is not None or any(isinstance(one, Batch) for one in resource.operations):
        return "Lists"
    return "Reports" if any(isinstance(one, Report) for one in resource.operations) else "Operations"


def _group(title: str, lines: Sequence[Line], unfolded: bool) -> Group:
    here = sum(line.has.state == "yes" for line in lines)
    order = ("yes", "open", "no")
    ordered = sorted(lines, key=lambda line: order.index(line.has.state))
    unknown = sum(line.has.state == "open" for line in lines)
    said = f"{here} of {len(lines)} here" if here else "not known yet" if unknown else "none here"
    return Group(title, said, tuple(ordered), unfolded)


def _line(facts: HomeFacts, vertical: Vertical, resource: Resource) -> Line:
    stored = facts.stored or {}
    there = has(facts.learned, vertical, resource, stored_time(stored, resource))
    standing = stored.get(resource.listing.key) if resource.listing is not None else None
    front = standing.front if standing is not None else None
    since, tip = _since(standing, facts)
    verdict = facts.run.verdicts.get(resource.key, "") if facts.run is not None else ""
    if verdict == "holds" and there.state != "yes":
        verdict = ""  # of what is not there, or was not tried, nothing holds
    beside = facts.beside.get(front.key.resource) if front is not None else None
    newer = beside is not None and front is not None and beside.updated_at > front.updated_at
    newer = newer and beside is not None and beside.state == "complete"  # a page that was tried is none
    rows = f"{front.rows:,}" if front is not None else _NONE
    return Line(
        resource.key,
        resource,
        there,
        _TRYING if resource.key in facts.trying else _has_words(there),
        _link(facts, resource, there),
        f"{rows} + {beside.rows:,}" if newer and beside is not None else rows,
        pulled_words(beside, facts.now) if newer and beside is not None else "",
        words.near_time(front.updated_at, facts.now) if front is not None else "",
        since,
        tip,
        verdict,
        _fit_words(front) if front is not None else "",
    )


def _fit_words(front: PullInfo) -> str:
    """``3 do not fit the contract, 1 with usual nulls``; empty where all fit, or where that is not known."""
    said = (
        [f"{front.unfit:,} {'does' if front.unfit == 1 else 'do'} not fit the contract"]
        if front.unfit
        else []
    )
    said += [f"{front.observed:,} with usual nulls"] if front.observed else []
    return ", ".join(said)


def _has_words(there: Has) -> str:
    if there.state == "yes":
        return "Yes"
    if there.state == "no":
        return f"No · {there.why}"
    return f"Not known · {there.why}" if there.why else "Not tried yet"


def _link(facts: HomeFacts, resource: Resource, there: Has) -> Literal["", "Try", "Try…"]:
    if there.state != "open" or resource.key in facts.trying:
        return ""
    return "Try" if resource.key in facts.probed else "Try…"


def _compared(standing: Standing | None) -> tuple[PullInfo, PullInfo] | None:
    """The pull before and the current one, where both are complete; else nothing can be said of what went or came."""
    if standing is None or standing.front is None or standing.previous is None:
        return None
    both = (standing.previous, standing.front)
    return both if all(one.state == "complete" for one in both) else None


def _since(standing: Standing | None, facts: HomeFacts) -> tuple[str, str]:
    """What changed, else the rows before and now; and both pulls in full."""
    both = _compared(standing)
    if both is None:
        return "", ""
    before, front = both
    found = facts.changes.get(front.id)
    said = f"{before.rows:,} → {front.rows:,}" if found is None else _changes(found)
    lines = [f"{words.count(one.rows, 'row')}, {words.near_time(one.updated_at, facts.now)}" for one in both]
    return said, "\n".join((*lines, "Compare them to see which rows changed."))


def _changes(found: Since) -> str:
    """``3 gone · 171 changed · 14 new``; ``no change``."""
    gone, changed, new = found.counts.gone, found.counts.changed, found.counts.added
    named = ((gone, "gone"), (changed, "changed"), (new, "new"))
    return " · ".join(f"{number:,} {word}" for number, word in named if number) or "no change"


def _counts(lines: Sequence[Line]) -> str:
    number = {state: sum(line.has.state == state for line in lines) for state in ("yes", "no", "open")}
    return f"{number['yes']} here · {number['no']} not here · {number['open']} not known"


def _tries_words(lists: int, untried: int) -> str:
    if not lists:
        return ""
    which = "the list" if lists == 1 else f"the {lists} lists"
    if lists < untried:
        which = f"{lists} of the {untried} lists"
    return f"Try {which} ({words.count(lists, 'call')})"


def _tries_tip(left: Sequence[Line]) -> str:
    """What trying does, and why it leaves out lists of which nobody knows whether they are there."""
    why = (
        f"{one.title} was asked already: {one.has.why}."
        if one.has.why
        else f"{one.title} is only opened: no read asks for it."
        for one in left
        if one.has_words != _TRYING
    )
    return "\n".join(("Reads one row of each list, or its first page; keeps nothing", *why))


# ---- what matters most


def _sentence(facts: HomeFacts, lines: Sequence[Line]) -> Sentence:
    health, run = facts.learned.health, facts.run
    if health is not None and not health.good:
        text = " ".join(filter(None, (health.sentence, health.advice)))
        settings = health.refused or health.word == "Redirected"
        act = Act("Connection settings…", "profile") if settings else _try_again(facts, lines)
        title = f"{_ails(health, facts.now)}."
        return Sentence(title, text, act, bad=True, further=_reconnect(facts, health))
    if run is not None and run.worst is not None:
        return _of_finding(facts, lines, run, run.worst)
    if run is not None and run.worse and run.before is not None:
        titles = words.listed([line.title for line in lines if line.key in run.worse] or list(run.worse))
        than = f"than on {words.day_and_time(run.before)}"
        return Sentence(
            f"{titles} came out worse {than}.", run.sentence, Act("Open the run", "open", RUNS.key), True
        )
    return _of_rows(facts, lines)


def _of_finding(facts: HomeFacts, lines: Sequence[Line], run: LastRun, worst: Worst) -> Sentence:
    """The worst that the last run found; behind it what changed in the rows, where that can be told."""
    whose = next((line.title for line in lines if line.key == worst.resource), worst.resource)
    title = f"{whose}: {worst.sentence}." if whose else f"{worst.sentence}."
    with_others = f", with {worst.others}" if worst.others else ""
    parts = [
        f"{worst.verdict.capitalize()} in the run of {words.near_time(worst.at, facts.now)}{with_others}."
    ]
    if run.worse and run.before is not None:
        worse = words.listed([line.title for line in lines if line.key in run.worse] or list(run.worse))
        parts.append(f"{worse} came out worse than on {words.day_and_time(run.before)}.")
    rows = _of_rows(facts, lines)
    further = rows.act if rows.act is not None and rows.act.does == "compare" else None
    if further is not None:
        parts.append(rows.title)
    act = Act("Show the finding", "finding", worst.resource)
    return Sentence(title, " ".join(parts), act, worst.verdict == "fails", further)


def _reconnect(facts: HomeFacts, health: Health) -> Act | None:
    """The way to a link with which the customer connects it again, where its own credentials are what is refused."""
    there = any(one.key == MAGIC_LINK.key for vertical in facts.verticals for one in vertical.resources)
    return (
        Act("Make a magic link…", "reconnect", MAGIC_LINK.key) if health.word == REVOKED and there else None
    )


def _try_again(facts: HomeFacts, lines: Sequence[Line]) -> Act | None:
    known = [
        line
        for line in lines
        if line.key in facts.probed and _group_of(line.resource) == "Lists" and line.has.state != "no"
    ]
    # What it has, else what was asked, else the first; what is not there would say nothing of the connection.
    known.sort(key=lambda line: (line.has.state != "yes", not line.has.why))
    found = next(iter(known), None)
    return Act(f"Try {found.title} again", "try", found.key) if found is not None else None


def _of_rows(facts: HomeFacts, lines: Sequence[Line]) -> Sentence:
    stored = facts.stored or {}
    pulled = [
        (line, stored[line.resource.listing.key])
        for line in lines
        if line.resource.listing is not None and line.resource.listing.key in stored
    ]
    compared = [(line, both) for line, standing in pulled if (both := _compared(standing)) is not None]
    told = [(line, found) for line, both in compared if (found := facts.changes.get(both[1].id)) is not None]
    if told and len(told) == len(compared):
        # Gone rows first, then changed ones.
        line, found = max(
            told, key=lambda one: (one[1].counts.gone, one[1].counts.changed, one[1].counts.added)
        )
        title = (
            f"{line.title}: {_changes(found)} since {words.near_time(found.before.updated_at, facts.now)}."
        )
        if not any(found.counts):
            return Sentence(title, "")
        look = Act("Look at the changes", "compare", line.key)
        return Sentence(title, "The comparison shows which rows, and what happened to them.", look)
    if compared:
        # Fewer rows first, then more; the largest difference of each.
        line, (before, front) = max(
            compared, key=lambda one: (one[1][1].rows < one[1][0].rows, abs(one[1][1].rows - one[1][0].rows))
        )
        return _changed(line, before, front, facts.now)
    if pulled:
        rows = sum(standing.front.rows for _, standing in pulled if standing.front is not None)
        title = f"{words.count(rows, 'row')} of {words.count(len(pulled), 'list')} stored."
        return Sentence(
            title, "Reload a list that is complete, and Home says how it differs from the pull before."
        )
    if facts.run is not None:
        return _of_run(facts.run, lines, facts.now)
    return _of_nothing(facts, lines)


def _of_nothing(facts: HomeFacts, lines: Sequence[Line]) -> Sentence:
    """Where there are neither rows nor a run: the way to the first rows."""
    lists = [line for line in lines if line.resource.listing is not None and line.has.state != "no"]
    lists.sort(key=lambda line: line.has.state != "yes")
    first, text = next(iter(lists), None), "Choose a page on the left."
    if first is not None:
        text = f"{first.title} loads its rows, which stay at hand. Run quick checks the first pages of each list."
    act = Act(f"Open {first.title}", "open", first.key) if first is not None else None
    return Sentence("Nothing pulled yet.", f"{text} {_OWN_DATA}" if facts.sandbox else text, act)


def _of_run(run: LastRun, lines: Sequence[Line], now: datetime | None) -> Sentence:
    """What the last run found, where no rows are stored that could tell more."""
    bad = {
        verdict: [line.title for line in lines if line.verdict == verdict] for verdict in ("fails", "suspect")
    }
    said = [f"{verdict.capitalize()}: {words.listed(titles)}." for verdict, titles in bad.items() if titles]
    title = said[0] if said else f"Checked {words.near_time(run.at, now)}: {run.looked}."
    return Sentence(title, run.sentence, Act("Open the run", "open", RUNS.key), bool(bad["fails"]))


def _changed(line: Line, before: PullInfo, front: PullInfo, now: datetime | None) -> Sentence:
    away, then = abs(front.rows - before.rows), words.near_time(before.updated_at, now)
    rows, text = words.count(away, "row"), "The comparison shows which are gone, new or changed."
    if away:
        title = f"{line.title}: {rows} {'fewer' if front.rows < before.rows else 'more'} than {then}."
        text = f"{before.rows:,} then, {front.rows:,} {words.near_time(front.updated_at, now)}. {text}"
    else:
        title = f"{line.title}: {words.count(front.rows, 'row')}, as many as {then}."
    return Sentence(title, text, Act("Look at the changes", "compare", line.key))


def _check(facts: HomeFacts) -> Act | None:
    for vertical in facts.verticals:
        for resource in vertical.resources:
            if any(one.answers_connection for one in resource.operations):
                return Act("Check connection…", "open", resource.key)
    return None


def _badge(facts: HomeFacts) -> tuple[tuple[str, Badge], str]:
    health = facts.learned.health
    if health is None:
        return ("Not read yet", "plain"), ""
    if health.good:
        return ("Last read went well", "holds"), f"since {words.near_time(health.since, facts.now)}"
    return (_ails(health, facts.now), "fails"), ""


def _ails(health: Health, now: datetime | None) -> str:
    """``Key refused since today 16:21``, or ``first seen`` where it never went well here: nobody knows since when."""
    since = "since" if health.before is not None else "first seen"
    return f"{health.word}{' ' if health.before else ', '}{since} {words.near_time(health.since, now)}"
