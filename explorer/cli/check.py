"""``check [RESOURCE …]``: the quality checks on one connection or several, with reports; exit 1 on findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import typer

from explorer.catalog.registry import Registry
from explorer.cli import check_options as given
from explorer.cli import options
from explorer.cli.baseline import open_baseline
from explorer.cli.check_files import refuse_places, write_each
from explorer.cli.check_run import Wanted, all_runs, report_works, say_grid
from explorer.cli.evidence import AddendumFile, BundleFile, MaskKinds, evidence_works, masks_of
from explorer.cli.exits import Exit, UsageFault, without_secrets
from explorer.cli.target import registry_of_whom, replayed, target_of
from explorer.cli.words import say
from explorer.files import write_whole
from explorer.quality.baseline.baseline import Standing
from explorer.quality.bundle.evidence import Evidence
from explorer.quality.engine.check import Run, Verdict
from explorer.quality.engine.every import check_ids, groups
from explorer.quality.engine.failed import failed_of
from explorer.quality.engine.recipe import Recipe, RecipeFault, read_recipe, written
from explorer.quality.reports.read import NoReport, read_runs
from explorer.quality.reports.report import Report, report_of


def check(
    context: typer.Context,
    resources: given.Resources = None,
    profile: options.ProfileName = None,
    connection_id: options.ConnectionId = None,
    base_url: options.BaseUrl = None,
    home: options.Home = None,
    allow_http: options.AllowHttp = False,
    recipe: given.RecipeFile = None,
    save_recipe: given.SaveRecipe = None,
    failed_again: given.FailedAgain = None,
    connections: given.Connections = None,
    only: given.Only = None,
    ids: given.Ids = None,
    properties: given.Properties = None,
    customer: given.Customer = None,
    transactions: given.Transactions = None,
    connector: given.Connector = None,
    writes: given.Writes = None,
    prove: given.Prove = None,
    offline: given.Offline = None,
    against: given.Against = None,
    max_calls: given.MaxCalls = None,
    max_records: given.MaxRecords = None,
    max_pages: given.MaxPages = None,
    max_seconds: given.MaxSeconds = None,
    json_file: given.JsonFile = None,
    html_file: given.HtmlFile = None,
    junit_file: given.JunitFile = None,
    markdown_file: given.MarkdownFile = None,
    sarif_file: given.SarifFile = None,
    summary_file: given.SummaryFile = None,
    baseline: given.BaselinePath = None,
    baseline_update: given.BaselineUpdate = False,
    baseline_prune: given.BaselinePrune = False,
    bundle: BundleFile = None,
    mask: MaskKinds = None,
    addendum: AddendumFile = None,
    deadline: options.Deadline = None,
    timeout: options.Timeout = None,
) -> None:
    """Find out what a connection does wrong. Exit code 1 when something fails or is suspect."""
    whom = options.target_options(context, profile, connection_id, base_url, home, allow_http)
    registry = registry_of_whom(whom)
    said: dict[str, Any] = {
        "resources": known_resources(registry, resources or ()) or None,
        "only": known_checks(only),
        "ids": _split(ids, "--ids"),
        "properties": _split(properties, "--properties"),
        "customer": customer,
        "transactions": _split(transactions, "--transactions"),
        "connector": connector,
        "writes": writes,
        "prove": prove,
        "offline": offline,
        "calls": max_calls,
        "records": max_records,
        "pages": max_pages,
        "seconds": max_seconds,
    }
    made = recipe_of(registry, recipe, said, _split(connections, "--connections"), _split(mask))
    files = {"json": json_file, "html": html_file, "junit": junit_file, "markdown": markdown_file}
    files |= {"sarif": sarif_file, "summary": summary_file}
    places = {f"--{form}": path for form, path in files.items()}
    places |= {"--bundle": bundle, "--addendum": addendum, "--save-recipe": save_recipe}
    written = {"--baseline": baseline} if baseline_update or baseline_prune else {}
    read = {"--baseline": None if written else baseline}
    refuse_places(places | written, read | {"--recipe": recipe if save_recipe is None else None})
    if save_recipe is not None:
        _save(save_recipe, made)
        return
    accepted = open_baseline(baseline, update=baseline_update, prune=baseline_prune)
    masks = masks_of(",".join(made.mask) if bundle or mask else None, bundle)
    kept: list[Evidence] | None = [] if bundle or addendum else None
    with replayed(against, whom) if against else target_of(whom) as target:
        wanted = _wanted(
            made, target.profile.connection, failed_again, _split(only) or resources or connections
        )
        runs, early = all_runs(
            target.within(deadline, timeout), wanted, kept, accepted.baseline if accepted else None
        )
    say_grid(runs)
    works: dict[str, Callable[[], None]] = {}
    report = report_of(runs, clean=without_secrets)
    if accepted is not None:
        report, works = accepted.judged(runs, whole=early is None)
    works |= report_works(report, files)
    write_each(works | evidence_works(runs, kept or (), bundle=bundle, masks=masks, addendum=addendum))
    raise typer.Exit(_ending(wanted, report) if early is None else early)


def _ending(wanted: Sequence[Wanted], report: Report) -> Exit:
    """The exit code of runs that came to their end. Raises UsageFault where not a single check was made."""
    runs = [section.run for section in report.sections]
    if wanted and not any(_was_checked(run) for run in runs):
        raise UsageFault(f"Nothing was checked{_why_not(runs)}.")
    if any(run.undone for run in runs) or any(one.standing is not Standing.KNOWN for one in report.found):
        return Exit.FINDINGS
    if report.baseline:
        little, found = [why for section in report.sections for why in section.unjudged], "new"
    else:
        little, found = [why for run in runs if run.broken_off for why in run.unread], "found"
    if little:
        say(without_secrets(f"Nothing is {found}, and not all could be judged: {'; '.join(little)}."))
    return Exit.NOT_SHOWN_COMPLETE if little else Exit.DONE


def _was_checked(run: Run) -> bool:
    return any(result.verdict is not Verdict.SKIPPED or result.is_undone for result in run.results)


def _why_not(runs: Sequence[Run]) -> str:
    """The reason that most checks were skipped for."""
    why = Counter(result.seen for run in runs for result in run.results)
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
