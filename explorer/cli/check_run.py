"""The part of ``check`` after its options are read: runs the checks, prints the results, writes the reports."""

from __future__ import annotations

import asyncio
import contextlib
import gc
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from explorer.api.answer import Answer
from explorer.api.exchanges import Exchanges
from explorer.api.guard import Permit
from explorer.catalog.registry import Registry
from explorer.catalog.request import Request
from explorer.cli.exits import Exit, ending, without_secrets
from explorer.cli.target import NO_PROFILE, Target, session_of
from explorer.cli.words import say
from explorer.files import write_whole
from explorer.profiles.profile import Credential, Profile
from explorer.quality.baseline.baseline import Baseline, Standing
from explorer.quality.bundle.evidence import Evidence
from explorer.quality.checks.left_behind import LEFT
from explorer.quality.engine.check import BAD, Result, Run, Verdict
from explorer.quality.engine.grid import grid_of
from explorer.quality.engine.progress import Progress, State
from explorer.quality.engine.run import QualityRun
from explorer.quality.engine.run_options import RunOptions
from explorer.quality.reports.forms import FORMS
from explorer.quality.reports.report import Report, Section, report_of, summary_of
from explorer.session import Session
from explorer.words import count

_COLLECTED_AFTER = 50_000
"""The threshold of Python's cyclic garbage collector during a run, in objects."""
_MOST = 25
"""The most findings that are printed for each connection, but for those that fail: the reports have all of them."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The run to make on one connection."""

    connection: str
    asked: RunOptions


@dataclass(frozen=True, slots=True)
class _Unlogged:
    """A session whose log leaves out the bodies of pages: a command never shows them, and redacting takes time."""

    session: Session

    @property
    def profile(self) -> Profile:
        return self.session.profile

    @property
    def registry(self) -> Registry:
        return self.session.registry

    @property
    def exchanges(self) -> Exchanges:
        return self.session.exchanges

    async def send(
        self, request: Request, *, permit: Permit | None = None, credential: Credential | None = None
    ) -> Answer:
        return await self.session.send(request, permit=permit, credential=credential, slim=True)


def all_runs(
    target: Target, wanted: Sequence[Wanted], kept: list[Evidence] | None, baseline: Baseline | None = None
) -> tuple[list[Run], Exit | None]:
    """Makes the runs. Returns them, and the exit code when they ended early; results until then are included."""
    runs: list[Run] = []
    for each in wanted:
        one = replace(target, profile=target.profile.with_connection(each.connection))
        before = len(runs)
        say(f"Checking {each.connection or one.profile.name} …")
        try:
            asyncio.run(_one(one, each.asked, runs, kept))
        except KeyboardInterrupt:
            say("Stopped. What was found until then is in the reports.")
            if len(runs) > before:
                _say_left(runs[-1])
            return runs, Exit.STOPPED
        except Exception as error:
            if not runs:
                raise
            sentence, code = ending(error)
            say(f"{sentence} What was found until then is in the reports.")
            if len(runs) > before:
                _say_left(runs[-1])
            return runs, code
        say_section(report_of(runs[-1:], baseline, without_secrets).sections[0])
        _say_unchecked(runs[-1], each.asked.resources)
        if runs[-1].stopped:
            say(f"It ended early: {runs[-1].stopped}.")
        _say_left(runs[-1])
    return runs, None


async def _one(target: Target, asked: RunOptions, runs: list[Run], kept: list[Evidence] | None) -> None:
    """Makes one run and appends it to ``runs``, and its evidence to ``kept`` where that is not None."""
    async with session_of(target) as session:
        service = _Unlogged(session) if kept is None else Evidence(session)
        if kept is not None and isinstance(service, Evidence):
            kept.append(service)
        address = target.recording or (target.profile.base_url if target.profile.name == NO_PROFILE else "")
        run = QualityRun(
            service, asked, _progress(), credential=target.credential, address=address, stored=session.stored
        )
        for words in run.stored:
            say(f"{words[:1].upper()}{words[1:]}")
        try:
            with _seldom_collected():
                runs.append(await run.whole())
        except asyncio.CancelledError:
            runs.append(run.so_far("It was stopped."))
            raise
        except Exception:
            runs.append(run.so_far("It ended in an error in the program."))
            raise


@contextlib.contextmanager
def _seldom_collected() -> Iterator[None]:
    """Makes cyclic garbage collection rare: records are many small values without cycles.

    Looking for cycles after each page took as long as reading the page.
    """
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(_COLLECTED_AFTER, 50, 100)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


def _progress() -> Callable[[Progress], None]:
    """A callback that prints each list and group once, when it begins."""
    said: set[str] = set()

    def tell(progress: Progress) -> None:
        for part in progress.parts:
            if part.state is not State.WAITS and part.key not in said:
                said.add(part.key)
                say(f"  {part.title}")

    return tell


def say_section(section: Section) -> None:
    """What was found on one connection and not accepted, the gravest first."""
    run, head = section.run, section.head
    bad = [line for line in section.bad if line.standing is not Standing.KNOWN]
    coverage = "" if head.coverage is None else f", mapping coverage {section.coverage}"
    read = f"{count(head.records, 'record')} of {count(head.pages, 'page')} in {run.seconds:,.1f} s"
    say(without_secrets(f"{run.connection or run.profile}: {summary_of(head)}; {read}{coverage}."))
    suspects = [line for line in bad if line.result.verdict is not Verdict.FAILS]
    left_out = suspects[max(0, _MOST - (len(bad) - len(suspects))) :]
    for line in bad:
        if line in left_out:
            continue
        result, standing = line.result, line.standing_words
        first = f", first in {result.first_place}" if result.first_place else ""
        verdict = str(result.verdict).capitalize()
        say(
            without_secrets(
                f"{verdict:8} {_words(result)} · {result.measured_on}{first}{standing and f' ({standing})'}"
            )
        )
    for result in run.undone[:_MOST]:
        say(without_secrets(f"Not done {_words(result)}"))
    if left_out:
        say(f"… and {len(left_out):,} more that are suspect; a report has them all.")


def _words(result: Result) -> str:
    where = f" ({result.resource})" if result.resource else ""
    return f"{result.check.sentence}{where}: {result.seen}"


def _say_unchecked(run: Run, named: Sequence[str]) -> None:
    """Which of the resources that were named had nothing of theirs looked at, and why."""
    for key in named:
        own = [one for one in run.results if one.resource == key and one.check.group != "credentials"]
        # A check of the calls alone (no secret in them) did not look at rows.
        told = (*BAD, Verdict.SKIPPED)
        own = [one for one in own if one.check.group != "transport" or one.verdict in told]
        if own and all(one.verdict is Verdict.SKIPPED for one in own):
            say(without_secrets(f"{key} was not checked: {own[0].seen.rstrip('.')}."))


def _say_left(run: Run) -> None:
    """Lists the records that the run created and cannot delete."""
    made = [finding for result in run.results if result.check is LEFT for finding in result.findings]
    if made:
        say(
            f"The run created {count(len(made), 'record')} that it cannot remove, because the API "
            "has no delete:"
        )
    for finding in made:
        say(without_secrets(f"  {finding.sentence}."))


def say_grid(runs: Sequence[Run]) -> None:
    """Several connections side by side: a line for each check with a finding on one of them."""
    if len(runs) < 2:
        return
    grid = grid_of(runs)
    bad = [row for row in grid.rows if row.is_bad]
    wide = max((len(row.check.id) for row in bad), default=0)
    columns = [max(len(name), 8) for name in grid.connections]
    cells = zip(grid.connections, columns, strict=True)
    say(f"{'':{wide}}  " + "  ".join(f"{name:{width}}" for name, width in cells).rstrip())
    for row in bad:
        verdicts = zip(row.verdicts, columns, strict=True)
        said = "  ".join(f"{verdict or '–'!s:{width}}" for verdict, width in verdicts)
        say(f"{row.check.id:{wide}}  {said}".rstrip())
    say(f"{count(len(grid.rows) - len(bad), 'other check')} with no finding on any of them.")


def report_works(report: Report, files: dict[str, Path | None]) -> dict[str, Callable[[], None]]:
    """A function for each report to write, by its format. It raises OSError."""

    def write(form: str, path: Path) -> None:
        # An answer of the service may quote the key.
        write_whole(path, without_secrets(FORMS[form].render(report).decode()).encode(), private=False)

    return {form: partial(write, form, path) for form, path in files.items() if path is not None}
