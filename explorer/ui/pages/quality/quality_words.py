"""Quality runs in words, and the differences between two: values without Qt, for the page and the bundle's window."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from explorer import words
from explorer.catalog.interfaces import registry_of
from explorer.profiles.profile import Profile
from explorer.quality.baseline.baseline import Accepted, since_words
from explorer.quality.checks.left_behind import LEFT
from explorer.quality.engine.all_checks import CHECKS, groups
from explorer.quality.engine.check import BAD, Check, Example, Finding, Result, Run, Verdict
from explorer.quality.engine.identity import Identity, identified
from explorer.quality.engine.run_options import RunOptions

ORDER = (Verdict.FAILS, Verdict.SUSPECT, Verdict.OBSERVED, Verdict.HOLDS, Verdict.SKIPPED)
"""The verdicts in the order in which they are shown: the gravest first."""
BADGES = {
    Verdict.FAILS: "fails",
    Verdict.SUSPECT: "caution",
    Verdict.OBSERVED: "info",
    Verdict.HOLDS: "holds",
    Verdict.SKIPPED: "plain",
}
WORDS = {verdict: str(verdict).capitalize() for verdict in Verdict}
_NEEDS = {
    "--no-quick": ("Whole lists…", "whole lists"),
    "--ids": ("Give ids…", "ids of accounts"),
    "--customer": ("Name a customer…", "a customer"),
    "--transactions": ("Give ids…", "ids of transactions"),
    "--writes": ("Allow writes…", "writes"),
    "--connector": ("Name it…", "a connector"),
}
"""What skipped checks need, by its option: the text of the link that leads to it, and its name."""
_NAMED = 3
"""Most connections that are named one by one; of more, only the number is said."""
_MANY = {
    Verdict.FAILS: "fail",
    Verdict.SUSPECT: "suspect",
    Verdict.OBSERVED: "observed",
    Verdict.HOLDS: "hold",
    Verdict.SKIPPED: "skipped",
}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a finding shows, and what a click leads to."""

    run: Run
    resource: str
    page: int | None
    row: int | None
    exchange: int | None
    ident: str = ""
    """The id of the record; empty where it has none, or where the example gives only its beginning."""
    ids: tuple[str, ...] = ()
    """The ids of all records of the finding that are known."""
    unfit: bool = False
    """Whether it is about values that do not fit the contract, which a list can show alone."""
    field: str = ""
    """The finding's field, as ``departments[].child_ids``; empty where it is about whole records."""


@dataclass(frozen=True, slots=True)
class Line:
    """One result as it is shown, with how it differs from an earlier run."""

    result: Result
    new: bool = False
    """The run that this one is compared with did not find it."""
    gone: bool = False
    """That run found it, and this one did not."""
    need: str = ""
    """The option without which it was skipped, and which can be given: see `Run.missing`."""

    @property
    def word(self) -> str:
        """The verdict, or that it is gone or accepted."""
        return "Gone" if self.gone else "Accepted" if self.result.accepted else WORDS[self.result.verdict]

    @property
    def badge(self) -> str:
        """The kind of badge for the word, which gives its colour."""
        return "plain" if self.gone or self.result.accepted else BADGES[self.result.verdict]

    @property
    def link(self) -> str:
        """The text of its link: what that opens; empty where there is nothing to open."""
        return _NEEDS[self.need][0] if self.need else "" if self.gone else evidence_words(self.result)

    @property
    def seen(self) -> str:
        """What was seen, in one line."""
        how = f"Accepted {self.result.accepted}" if self.result.accepted else "New" if self.new else ""
        return ": ".join(filter(None, (how, self.result.seen)))


@dataclass(frozen=True, slots=True)
class Section:
    """Lines under one heading."""

    title: str
    words: str
    """How many results have which verdict."""
    lines: tuple[Line, ...]
    open: bool = False
    """Whether it is unfolded at first."""


def verdict_words(results: Iterable[Result]) -> str:
    """``1 fail · 12 hold · 2 skipped · 1 accepted``: the gravest first, without verdicts that no result has."""
    counts = dict.fromkeys([*(_MANY[verdict] for verdict in ORDER), "accepted"], 0)
    for result in results:
        counts["accepted" if result.accepted else _MANY[result.verdict]] += 1
    return " · ".join(f"{count:,} {word}" for word, count in counts.items() if count)


def sections_of(
    run: Run,
    before: Run | None = None,
    only: Verdict | None = None,
    *,
    give: bool = True,
    unseen: Sequence[Accepted] = (),
) -> list[Section]:
    """The sections of a run: its findings, unfolded; what was accepted, with what is ``unseen`` in the run; what is
    gone since ``before``; each group with all results; and folded at the end what was skipped for want of something,
    where that can be given (``give``).
    """
    new = _new(run, before) if before is not None else {}
    wanted = [r for r in run.results if not r.accepted and (only is None or r.verdict is only)]
    needs = [Line(r, need=need) for r in wanted if give and (need := run.missing(r))]
    wanted = [r for r in wanted if not (give and run.missing(r))]
    made = []
    bad = [r for r in run.bad if r in wanted]
    if bad:
        lines = tuple(Line(r, new=all(identity in new for identity, _ in identified(r))) for r in bad)
        made.append(Section("Findings", _ordered_words(bad), lines, open=True))
    accepted = [Line(r) for r in run.results if r.accepted] + list(map(_unseen_line, unseen))
    if accepted and only is None:
        not_here = f"{len(unseen):,} not in this run" if unseen else ""
        made.append(
            Section("Accepted", " · ".join(filter(None, (f"{len(accepted):,}", not_here))), tuple(accepted))
        )
    if before is not None and only is None:
        gone = gone_since(run, before)
        if gone:
            lines = tuple(Line(r, gone=True) for r in gone)
            made.append(Section(f"Gone since {moment(before.started_at)}", f"{len(gone):,}", lines))
    for group in _groups(run):
        all_of = [r for r in wanted if r.check.group == group]
        accepted_of = (
            [r for r in run.results if r.accepted and r.check.group == group] if only is None else []
        )
        if all_of:
            rest = sorted(all_of, key=lambda r: ORDER.index(r.verdict))
            lines = tuple(Line(r) for r in rest if not r.is_bad)
            said = _group_words([*all_of, *accepted_of])
            made.append(Section(group_title(group), said, lines, open=only is not None))
    if needs:
        counts = {need: sum(line.need == need for line in needs) for need in _NEEDS}
        said = " · ".join(f"{_NEEDS[need][1]} {number:,}" for need, number in counts.items() if number)
        needs.sort(key=lambda line: list(_NEEDS).index(line.need))
        made.append(Section(f"{len(needs):,} skipped, need something", said, tuple(needs), only is not None))
    return [section for section in made if section.lines or only is None]


_CHECKS = {check.id: check for check in CHECKS}


def _unseen_line(one: Accepted) -> Line:
    """An accepted finding that a run did not find, or did not look for."""
    about = one.identity
    check = _CHECKS.get(about.check) or Check(about.check, "records", about.check)
    seen = " · ".join(filter(None, ("not in this run", about.rule, about.field)))
    finding = Finding(about.rule, about.field, seen, one.at_most) if about.rule or about.field else None
    findings = (finding,) if finding is not None else ()
    return Line(
        Result(check, about.resource, Verdict.SKIPPED, seen, 0, 0, findings, accepted=since_words([one]))
    )


def sections_so_far(run: Run, new: Collection[tuple[str, str]]) -> list[Section]:
    """The sections of a run that is under way: its findings, the gravest first, then what was seen to hold so far.

    ``new`` names those that were found a moment ago, by check and resource.
    """
    lines = tuple(Line(r, new=(r.check.id, r.resource) in new) for r in run.bad)
    made = [Section("Findings so far", _ordered_words(run.bad), lines, open=True)] if lines else []
    for verdict, title in ((Verdict.OBSERVED, "Observed so far"), (Verdict.HOLDS, "Hold so far")):
        some = tuple(Line(r) for r in run.results if r.verdict is verdict)
        made += [Section(title, f"{len(some):,}", some)] if some else []
    return made


def _ordered_words(bad: Sequence[Result]) -> str:
    """How many have which verdict, and why a suspect one may stand above one that fails."""
    return f"{verdict_words(bad)}{' · most harmful first' if len(bad) > 1 else ''}"


def so_far_words(run: Run) -> str:
    """What was found so far, in a line: ``2 fail · 5 suspect · 31 hold so far``."""
    holds = run.head.verdicts[Verdict.HOLDS]
    accepted = [r for r in run.results if r.accepted]
    if not run.bad:
        said = f"Nothing found so far, {words.count(holds, 'check')} {'holds' if holds == 1 else 'hold'}"
        return " · ".join(filter(None, (said, verdict_words(accepted))))
    hold = (r for r in run.results if r.verdict is Verdict.HOLDS)
    return f"{verdict_words((*run.bad, *hold, *accepted))} so far"


def _group_words(results: Sequence[Result]) -> str:
    """How many results have which verdict; and the reason where a whole group was skipped for one or two."""
    whys = list(dict.fromkeys(r.seen.rstrip(".") for r in results))
    if all(r.verdict is Verdict.SKIPPED for r in results) and len(whys) < 3:
        return f"{verdict_words(results)}: {'; '.join(whys)}"
    return verdict_words(results)


def _groups(run: Run) -> list[str]:
    """The groups of checks: those with findings first, else in their usual order."""
    graver = {group: len(ORDER) for group in groups()}
    for result in run.results:
        rank = ORDER.index(result.verdict)
        graver[result.check.group] = min(graver.get(result.check.group, rank), rank if rank < 2 else 2)
    return sorted(graver, key=lambda group: graver[group])


def group_title(group: str) -> str:
    """The heading of a group of checks."""
    return group.capitalize()


def where(resource: str) -> str:
    """What a result is about, in words: a list or endpoint by its title, or the connection as a whole."""
    if not resource:
        return "Connection"
    try:
        return registry_of().resource(resource).title
    except KeyError:
        return resource


def moment(at: datetime) -> str:
    """``20 Nov 2026 12:04``, in the computer's time zone."""
    return f"{at.astimezone():%d %b %Y %H:%M}".removeprefix("0")


def short_moment(at: datetime) -> str:
    """``20 Nov 12:04``; with the year unless it is the present one."""
    here = at.astimezone()
    return moment(at) if here.year != datetime.now(UTC).year else f"{here:%d %b %H:%M}".removeprefix("0")


def file_stem(what: str, runs: Sequence[Run]) -> str:
    """The name of a file about ``runs``, without its ending: ``evidence-conn_1-2026-11-20-1204``."""
    if not runs:
        return what
    whom = runs[0].connection or runs[0].profile if len(runs) == 1 else f"{len(runs)}-connections"
    return f"{what}-{re.sub(r'[^A-Za-z0-9_.-]+', '-', whom)[:40]}-{runs[0].started_at.astimezone():%Y-%m-%d-%H%M}"


def runs_words(runs: Sequence[Run]) -> str:
    """`run_words` of one run; for several, the number of connections."""
    if len(runs) == 1:
        return run_words(runs[0])
    return run_words(replace(runs[0], connection=f"{len(runs):,} connections")) if runs else ""


def left_words(runs: Sequence[Run]) -> str:
    """``5 records made that stay``; empty where the runs created none, or removed all again."""
    made = sum(len(result.findings) for run in runs for result in run.results if result.check is LEFT)
    return f"{words.count(made, 'record')} made that {'stays' if made == 1 else 'stay'}" if made else ""


def run_words(run: Run) -> str:
    """``Greenhouse staging · conn_1 · Jobs, Drives · 20 Nov 2026 12:04``."""
    shown = [where(key) for key in run.resources[:4]]
    rest = len(run.resources) - len(shown)
    what = "all that can be read" if rest > 8 else ", ".join(shown) + (f" and {rest} more" if rest else "")
    return " · ".join(filter(None, (run.profile, run.connection, what, moment(run.started_at))))


def evidence_words(result: Result) -> str:
    """The text of a line's link: what it opens; empty where there is nothing to open."""
    first = first_example(result)
    if first is None:
        return ""
    if first.row is not None:
        return "Open records" if result.affected != 1 else "Open record"
    if first.page is not None:
        return "Open pages" if result.affected != 1 else "Open page"
    return "Show request" if first.exchange else ""


def first_example(result: Result) -> Example | None:
    """The first example of a result's findings, or None."""
    found = (example for finding in result.findings for example in finding.examples)
    calls = (Example(exchange=number) for number in result.exchanges)
    return next(found, next(calls, None))


def about(runs: Sequence[Run], left: Sequence[str]) -> dict[str, Any]:
    """What is saved beside a report, for the list of saved runs."""
    return {
        "connections": [run.connection for run in runs],
        "profile": runs[0].profile if runs else "",
        "words": kept_words(runs, left),
        "left": list(left),
        "started_at": runs[0].started_at.isoformat() if runs else "",
    }


def kept_words(runs: Sequence[Run], left: Sequence[str]) -> str:
    """How the list of saved runs shows them: ``5 fail · 1 suspect · quick``."""
    return " · ".join(filter(None, (worst_words(runs), *_how(runs, left))))


def worst_words(runs: Sequence[Run]) -> str:
    """``5 fail · 1 suspect`` over all runs."""
    fails = sum(run.head.verdicts[Verdict.FAILS] for run in runs)
    suspect = sum(run.head.verdicts[Verdict.SUSPECT] for run in runs)
    said = [f"{fails:,} fail"] if fails else []
    said += [f"{suspect:,} suspect"] if suspect else []
    undone = sum(len(run.undone) for run in runs)
    said += [f"{undone:,} could not be done"] if undone else []
    accepted = sum(run.head.accepted for run in runs)
    if not said:
        little = any(run.head.little for run in runs)
        said = ["little was judged" if little else "nothing else found" if accepted else "nothing found"]
    return " · ".join((*said, *([f"{accepted:,} accepted"] if accepted else [])))


def _how(runs: Sequence[Run], left: Sequence[str]) -> tuple[str, str]:
    return "quick" if any(run.quick for run in runs) else "", "stopped" if _ended_early(runs, left) else ""


def _ended_early(runs: Sequence[Run], left: Sequence[str]) -> bool:
    return bool(left) or any(run.stopped for run in runs)


# ---------------------------------------------------------------- what differs


def _findings(run: Run) -> dict[Identity, Result]:
    """Its findings, accepted ones as well: what was accepted is not gone, and was there before it counted again."""
    bad = (result for result in run.results if result.verdict in BAD)
    return {identity: result for result in bad for identity, _ in identified(result)}


def _looked_at(run: Run) -> set[tuple[str, str]]:
    """The checks that were made, each with the list it was made on."""
    return {(r.check.id, r.resource) for r in run.results if r.verdict is not Verdict.SKIPPED}


def share_lists(run: Run, before: Run) -> bool:
    """Whether both looked at the same list; of a run that looked at none, whether both made the same check."""
    lists = run.looked_at
    return bool(lists & before.looked_at) if lists else bool(_looked_at(run) & _looked_at(before))


def _new(run: Run, before: Run) -> dict[Identity, Result]:
    """The findings that ``before`` did not have. Of what it did not look at nothing is new: nobody knows."""
    old, looked = _findings(before), _looked_at(before)
    if before.quick and not run.quick:
        looked = {
            (check, resource) for check, resource in looked if resource and resource not in before.partial
        }
    return {
        identity: result
        for identity, result in _findings(run).items()
        if identity not in old and not result.accepted and (result.check.id, result.resource) in looked
    }


def gone_since(run: Run, before: Run) -> list[Result]:
    """Results of ``before`` with findings that ``run`` no longer has, though it checked the same; each with only those
    findings. Of a run that was stopped or quick nothing is said to be gone: it may be in what was not read.
    """
    if run.stopped or run.quick:
        return []
    now = _findings(run)
    looked = _looked_at(run)
    gone = []
    for result in before.bad:
        if (result.check.id, result.resource) not in looked:
            continue
        missing = [finding for identity, finding in identified(result) if identity not in now]
        if missing:
            gone.append(replace(result, findings=tuple(filter(None, missing))))
    return gone


def new_since(run: Run, before: Run) -> int:
    """How many findings ``before`` did not have, though it made the same check on the same list."""
    return len(_new(run, before))


def difference_words(run: Run, before: Run) -> str:
    """``Since 18 Nov 2026 12:04: 2 new findings, 1 gone``."""
    if not share_lists(run, before):
        return (
            f"The run of {moment(before.started_at)} looked at nothing of this: it tells nothing new or gone"
        )
    new = new_since(run, before)
    gone = sum(max(len(result.findings), 1) for result in gone_since(run, before))
    if (run.stopped or run.quick) and not new:
        return f"Nothing new since {moment(before.started_at)} in what was read"
    if not new and not gone:
        return f"The same findings as on {moment(before.started_at)}"
    said = [f"{new:,} new {'finding' if new == 1 else 'findings'}"] if new else []
    said += [f"{gone:,} gone"] if gone else []
    return f"Since {moment(before.started_at)}: {', '.join(said)}"


def again(runs: Sequence[Run], asked: RunOptions) -> tuple[RunOptions, tuple[str, ...]]:
    """The options and connections to run only those checks again that found something."""
    bad = [result for run in runs for result in run.bad]
    alone = all(result.check.alone and result.resource for result in bad)
    resources = tuple(dict.fromkeys(r.resource for r in bad)) if alone else asked.resources
    only = tuple(dict.fromkeys(result.check.id for result in bad))
    connections = tuple(run.connection for run in runs if run.bad)
    return replace(asked, resources=resources, only=only), connections


def asked_words(connections: Sequence[str], here: str) -> str:
    """Which connections a run will check: ``conn_2, not conn_1, which the window shows``; empty when that is only the
    window's connection (``here``).
    """
    if tuple(connections) == (here,):
        return ""
    names = [name or "no connection" for name in connections]
    few = len(names) <= _NAMED
    said = (
        " and ".join(filter(None, (", ".join(names[:-1]), names[-1]))) if few else f"{len(names)} connections"
    )
    return said if here in connections else f"{said}, not {here or 'no connection'}, which the window shows"


def whose_words(profile: Profile) -> str:
    """Whose a profile is, for those who read a command that names it in place of an address; empty where none does."""
    if profile.is_builtin:
        return f"The profile {profile.name} is in every installation: it starts the sandbox."
    if not profile.interface:
        return ""
    return (
        f"The profile {profile.name} is the sender's: "
        f"it asks {profile.base_url}, by the interface {profile.interface}."
    )


def progress_words(parts: Iterable[tuple[str, float, float | None]]) -> str:
    """``1,200 of 5,000 records · 14 calls``, from tuples of noun, amount used, and limit or None."""
    return " · ".join(_used(noun, used, bound) for noun, used, bound in parts)


def about_words(used: float, bound: float | None, about: int | None, noun: str) -> str:
    """``63 of about 148 calls``: the amount used of what was estimated, else as `progress_words`."""
    if about is None or bound is not None:
        return _used(noun, used, bound) if noun else f"{used:,.0f}"
    return f"{used:,.0f} of about {max(about, int(used)):,}{f' {noun}s' if noun else ''}"


def _used(noun: str, used: float, bound: float | None) -> str:
    shown: Callable[[float], str] = lambda n: f"{n:,.0f}"  # noqa: E731 - one form for both numbers
    plural = noun if shown(used if bound is None else bound) == "1" else f"{noun}s"
    return f"{shown(used)} {plural}" if bound is None else f"{shown(used)} of {shown(bound)} {plural}"
