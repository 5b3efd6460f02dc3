"""``check [RESOURCE …]``: the quality checks on one connection or several, with reports; exit 1 on findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from explorer.catalog.registry import Registry
from explorer.cli import options
from explorer.cli.baseline import BaselineFile, open_baseline
from explorer.cli.check_files import refuse_places, write_each
from explorer.cli.check_run import Wanted, all_runs, report_works, say_grid
from explorer.cli.evidence import AddendumFile, BundleFile, MaskKinds, evidence_works, masks_of
from explorer.cli.exits import Exit, UsageFault, without_secrets
from explorer.cli.registry import registry_of_whom
from explorer.cli.target import replayed, target_of
from explorer.cli.words import say
from explorer.files import write_whole
from explorer.quality.baseline.baseline import Standing
from explorer.quality.bundle.evidence import Evidence
from explorer.quality.engine.all_checks import check_ids, groups, was_checked
from explorer.quality.engine.check import Run, Verdict
from explorer.quality.engine.recipe import Recipe, RecipeFault, failed_of, read_recipe, written
from explorer.quality.reports.read import NoReport, read_runs
from explorer.quality.reports.report import Report, report_of


@dataclass(frozen=True, kw_only=True)
class CheckOptions:
    """The options of one ``check``: each field is one, and the order is that of the help."""

    resources: Annotated[
        list[str] | None,
        typer.Argument(metavar="[RESOURCE …]", help="Resources such as ats/job; without any: all."),
    ] = None
    recipe: Annotated[
        Path | None,
        typer.Option(
            "--recipe", metavar="FILE", help="Read the settings from a recipe; options override it."
        ),
    ] = None
    save_recipe: Annotated[
        Path | None,
        typer.Option(
            "--save-recipe", metavar="FILE", help="Write the settings as a recipe, and send no request."
        ),
    ] = None
    failed_again: Annotated[
        Path | None,
        typer.Option(
            "--failed-again", metavar="REPORT", help="Repeat only what failed in an earlier JSON report."
        ),
    ] = None
    connections: Annotated[
        str | None,
        typer.Option("--connections", metavar="A,B", help="Several connections, one after another."),
    ] = None
    only: Annotated[
        str | None, typer.Option("--only", metavar="CHECK,…", help="Ids of checks or names of groups.")
    ] = None
    ids: Annotated[
        str | None, typer.Option("--ids", metavar="A,B", help="Account ids for the batch read.")
    ] = None
    properties: Annotated[
        str | None, typer.Option("--properties", metavar="A,B", help="Properties for the batch read.")
    ] = None
    customer: Annotated[
        str | None, typer.Option("--customer", metavar="ID", help="Customer id for the reports.")
    ] = None
    transactions: Annotated[
        str | None, typer.Option("--transactions", metavar="A,B", help="Transaction ids for the receipts.")
    ] = None
    connector: Annotated[
        str | None, typer.Option("--connector", metavar="NAME", help="The connector of the webhook.")
    ] = None
    writes: Annotated[
        bool | None,
        typer.Option("--writes/--no-writes", help="Also try writes, on records that the run makes itself."),
    ] = None
    quick: Annotated[
        bool | None,
        typer.Option(
            "--quick/--no-quick",
            help="Look at the first three pages of each list alone; what needs the whole of one is skipped.",
        ),
    ] = None
    prove: Annotated[
        bool | None,
        typer.Option(
            "--prove/--no-prove",
            help="Prove that each list is complete; a run without it says about how many calls that takes.",
        ),
    ] = None
    offline: Annotated[
        bool | None,
        typer.Option(
            "--offline/--no-offline",
            help="Check the rows of the last pull as they are stored, and send no request; what needs one is skipped.",
        ),
    ] = None
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            metavar="RECORDING",
            help="Check what a bundle, a .har file or pull:LIST recorded, in place of a service; needs no key.",
        ),
    ] = None
    max_calls: Annotated[
        int | None, typer.Option("--max-calls", metavar="N", min=1, help="Make no more than N calls.")
    ] = None
    max_records: Annotated[
        int | None, typer.Option("--max-records", metavar="N", min=1, help="Read no more than N records.")
    ] = None
    max_pages: Annotated[
        int | None, typer.Option("--max-pages", metavar="N", min=1, help="No more than N pages of each list.")
    ] = None
    max_seconds: Annotated[
        float | None,
        typer.Option("--max-seconds", metavar="S", min=0.1, help="Take no longer than S seconds."),
    ] = None
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write the run as JSON.")
    ] = None
    html_file: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write the run as one HTML page.")
    ] = None
    junit_file: Annotated[
        Path | None, typer.Option("--junit", metavar="FILE", help="Write the run as JUnit XML.")
    ] = None
    markdown_file: Annotated[
        Path | None, typer.Option("--markdown", metavar="FILE", help="Write the run as Markdown.")
    ] = None
    sarif_file: Annotated[
        Path | None, typer.Option("--sarif", metavar="FILE", help="Write the run as SARIF 2.1.0.")
    ] = None
    summary_file: Annotated[
        Path | None,
        typer.Option(
            "--summary",
            metavar="FILE",
            help="Write a few lines of Markdown, for a comment on a pull request.",
        ),
    ] = None
    baseline: Annotated[
        Path | None,
        typer.Option(
            "--baseline",
            metavar="FILE",
            help="Compare with the accepted findings in FILE: exit code 1 only for what is new, grown or expired.",
        ),
    ] = None
    baseline_update: Annotated[
        bool, typer.Option("--baseline-update", help="Accept in the baseline all that was found.")
    ] = False
    baseline_prune: Annotated[
        bool, typer.Option("--baseline-prune", help="Remove from the baseline what is fixed.")
    ] = False
    bundle: BundleFile = None
    mask: MaskKinds = None
    addendum: AddendumFile = None
    deadline: options.Deadline = None
    timeout: options.Timeout = None

    @property
    def reports(self) -> dict[str, Path | None]:
        """The reports to write, by their form."""
        return {
            "json": self.json_file,
            "html": self.html_file,
            "junit": self.junit_file,
            "markdown": self.markdown_file,
            "sarif": self.sarif_file,
            "summary": self.summary_file,
        }

    @property
    def files(self) -> tuple[dict[str, Path | None], dict[str, Path | None]]:
        """The files that are written and those that are only read, by the names of their options."""
        written = {f"--{form}": path for form, path in self.reports.items()}
        written |= {"--bundle": self.bundle, "--addendum": self.addendum, "--save-recipe": self.save_recipe}
        changes = self.baseline_update or self.baseline_prune
        read = {"--recipe": self.recipe if self.save_recipe is None else None}
        (written if changes else read)["--baseline"] = self.baseline
        return written, read


@options.command_of
def check(whom: options.TargetOptions, given: CheckOptions) -> None:
    """Find out what a connection does wrong. Exit code 1 when something fails or is suspect."""
    made = _recipe(registry_of_whom(whom), given)
    refuse_places(*given.files)
    if given.save_recipe is not None:
        named = made.connections or tuple(filter(None, (whom.connection,)))
        _save(given.save_recipe, replace(made, connections=named))
        return
    accepted = open_baseline(given.baseline, update=given.baseline_update, prune=given.baseline_prune)
    masks = masks_of(",".join(made.mask) if given.bundle or given.mask else None, given.bundle)
    kept: list[Evidence] | None = [] if given.bundle or given.addendum else None
    with replayed(given.against, whom) if given.against else target_of(whom) as target:
        narrowed = _split(given.only) or given.resources or given.connections
        wanted = _wanted(made, target.profile.connection, given.failed_again, narrowed)
        within = target.within(given.deadline, given.timeout)
        runs, early = all_runs(within, wanted, kept, accepted.baseline if accepted else None)
    say_grid(runs)
    report, works = _reported(runs, accepted, whole=early is None)
    works |= report_works(report, given.reports)
    evidence = evidence_works(
        runs,
        kept or (),
        bundle=given.bundle,
        masks=masks,
        baseline=report.baseline,
        addendum=given.addendum,
    )
    write_each(works | evidence)
    raise typer.Exit(_ending(wanted, report) if early is None else early)


def _recipe(registry: Registry, given: CheckOptions) -> Recipe:
    """What is asked for. Raises UsageFault."""
    said: dict[str, Any] = {
        "resources": known_resources(registry, given.resources or ()) or None,
        "only": known_checks(given.only),
        "ids": _split(given.ids, "--ids"),
        "properties": _split(given.properties, "--properties"),
        "transactions": _split(given.transactions, "--transactions"),
    }
    names = ("customer", "connector", "writes", "quick", "prove", "offline")
    said |= {name: getattr(given, name) for name in names}
    said |= {name: getattr(given, f"max_{name}") for name in ("calls", "records", "pages", "seconds")}
    made = recipe_of(
        registry, given.recipe, said, _split(given.connections, "--connections"), _split(given.mask)
    )
    if made.asked.quick and made.asked.prove:
        raise UsageFault("--prove reads whole lists, and --quick their first pages: leave one of them out.")
    return made


def _reported(
    runs: Sequence[Run], accepted: BaselineFile | None, *, whole: bool
) -> tuple[Report, dict[str, Callable[[], None]]]:
    """The report of the runs, and what writes the baseline where that was asked for."""
    if accepted is not None:
        return accepted.judged(runs, whole=whole)
    return report_of(runs, clean=without_secrets), {}


def _ending(wanted: Sequence[Wanted], report: Report) -> Exit:
    """The exit code of runs that came to their end. Raises UsageFault where not a single check was made."""
    runs = [section.run for section in report.sections]
    failed = [run for run in runs if run.failure]
    if wanted and not failed and not any(map(was_checked, runs)):
        raise UsageFault(f"Nothing was checked{_why_not(runs)}.")
    standings = [one.standing for section in report.read for one in section.found]
    if any(run.undone for run in runs) or any(one is not Standing.KNOWN for one in standings):
        return Exit.FINDINGS
    if failed:
        names = " and ".join(run.connection or run.profile for run in failed)
        so = ": what was found" if any(run.bad for run in failed) else ", and nothing was found: that"
        say(without_secrets(f"Nothing of {names} could be read{so} says nothing of the connector."))
        return Exit(failed[0].failure)
    if report.baseline:
        little, found = [why for section in report.sections for why in section.unjudged], "new"
    else:
        little, found = [why for run in runs if run.broken_off for why in run.unread], "found"
    if little:
        say(without_secrets(f"Nothing is {found}, and not all could be judged: {'; '.join(little)}."))
    return Exit.NOT_SHOWN_COMPLETE if little else Exit.DONE


def _why_not(runs: Sequence[Run]) -> str:
    """The reason that most checks were skipped for."""
    skipped = (one for run in runs for one in run.results if one.verdict is Verdict.SKIPPED)
    why = Counter(one.seen for one in skipped)
    return f": {why.most_common(1)[0][0].rstrip('.')}" if why else ": no check matches the selection"


def recipe_of(
    registry: Registry,
    path: Path | None,
    said: dict[str, Any],
    connections: tuple[str, ...],
    mask: tuple[str, ...],
) -> Recipe:
    """What a recipe and the options say together; the options win. ``said`` are fields of RunOptions.

    Raises UsageFault.
    """
    try:
        found = Recipe() if path is None else read_recipe(path.read_text("utf-8"), registry)
    except (RecipeFault, UnicodeDecodeError) as fault:
        what = str(fault) if isinstance(fault, RecipeFault) else "The recipe is not UTF-8."
        raise UsageFault(f"{path}: {what}") from None
    asked = replace(found.asked, **{name: value for name, value in said.items() if value not in (None, ())})
    return Recipe(asked, connections or found.connections, mask or found.mask)


def _save(path: Path, recipe: Recipe) -> None:
    write_whole(path, written(recipe).encode(), private=False)
    say(f"{path} was written; no request was sent.")


def _wanted(recipe: Recipe, own: str, report: Path | None, narrowed: object) -> list[Wanted]:
    """The connections in order, each with what is asked of it."""
    if report is None:
        return [Wanted(connection, recipe.asked) for connection in recipe.connections or (own,)]
    if narrowed:
        raise UsageFault(
            "--failed-again takes lists, checks and connections from the report: leave them out."
        )
    try:
        runs = read_runs(report.read_bytes())
    except NoReport as fault:
        raise UsageFault(f"{report}: {fault}") from None
    made = [Wanted(one.connection, one.asked) for one in failed_of(runs, recipe.asked)]
    if not made:
        say(f"Nothing failed in {report}.")
    return made


def _split(text: str | None, option: str = "") -> tuple[str, ...]:
    """The parts of a list, each once. Raises UsageFault where an option was given that has none."""
    made = tuple(dict.fromkeys(part.strip() for part in (text or "").split(",") if part.strip()))
    if option and text is not None and not made:
        raise UsageFault(f"{option} is empty: give at least one, or leave it out.")
    return made


def known_resources(registry: Registry, keys: Sequence[str]) -> tuple[str, ...]:
    """The keys of resources as given on the command line. Raises UsageFault for one that there is none of."""
    known = {resource.key for resource in registry.resources()}
    made = tuple(key.strip("/") for key in keys)
    for key in made:
        if key not in known:
            raise UsageFault(f"There is no resource {key!r}: `unified-explorer resources` lists them.")
    return made


def known_checks(text: str | None) -> tuple[str, ...]:
    """The checks and groups of --only. Raises UsageFault for one that there is none of."""
    made = _split(text, "--only")
    for name in made:
        if name not in check_ids() and name not in groups():
            raise UsageFault(f"There is no check or group {name!r}. Groups are: {', '.join(groups())}.")
    return made
