"""``check [RESOURCE …]``: the quality checks on one connection or several, with reports; exit 1 on findings."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from explorer.catalog import registry
from explorer.cli import options
from explorer.cli.exits import Exit, UsageFault, without_secrets
from explorer.cli.target import Target, session_of, target_of
from explorer.cli.words import count, say

if TYPE_CHECKING:
    from explorer.quality.asked import Asked
    from explorer.quality.check import Run
    from explorer.quality.run import Progress

_MOST = 25
"""Findings that are said for each connection; the reports have all of them."""


def check(
    context: typer.Context,
    resources: Annotated[
        list[str] | None, typer.Argument(metavar="[RESOURCE …]", help="Keys as ats/job; all without any.")
    ] = None,
    profile: options.ProfileName = None,
    connection_id: options.ConnectionId = None,
    base_url: options.BaseUrl = None,
    home: options.Home = None,
    connections: Annotated[
        str | None,
        typer.Option("--connections", metavar="A,B", help="Several connections, one after another."),
    ] = None,
    only: Annotated[
        str | None, typer.Option("--only", metavar="CHECK,…", help="Ids of checks or names of groups.")
    ] = None,
    ids: Annotated[
        str | None, typer.Option("--ids", metavar="A,B", help="Accounts for the batch read.")
    ] = None,
    properties: Annotated[
        str | None, typer.Option("--properties", metavar="A,B", help="Properties for the batch read.")
    ] = None,
    customer: Annotated[
        str | None, typer.Option("--customer", metavar="ID", help="The customer of the reports.")
    ] = None,
    transactions: Annotated[
        str | None, typer.Option("--transactions", metavar="A,B", help="Transactions for the receipts.")
    ] = None,
    connector: Annotated[
        str | None, typer.Option("--connector", metavar="NAME", help="The connector of the webhook.")
    ] = None,
    writes: Annotated[
        bool, typer.Option("--writes", help="Also try writes, on records that the run makes itself.")
    ] = False,
    max_calls: Annotated[
        int | None, typer.Option("--max-calls", metavar="N", min=1, help="Walk no further after N calls.")
    ] = None,
    max_records: Annotated[
        int | None, typer.Option("--max-records", metavar="N", min=1, help="Nor after N records.")
    ] = None,
    max_pages: Annotated[
        int | None, typer.Option("--max-pages", metavar="N", min=1, help="No more than N pages of each list.")
    ] = None,
    max_seconds: Annotated[
        float | None,
        typer.Option("--max-seconds", metavar="S", min=0.1, help="Walk no longer than S seconds."),
    ] = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write the run as JSON.")
    ] = None,
    html_file: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write the run as one HTML page.")
    ] = None,
    junit_file: Annotated[
        Path | None, typer.Option("--junit", metavar="FILE", help="Write the run as JUnit XML.")
    ] = None,
    markdown_file: Annotated[
        Path | None, typer.Option("--markdown", metavar="FILE", help="Write the run as Markdown.")
    ] = None,
) -> None:
    """Find out what a connection does wrong. Exit code 1 when something fails or is suspect."""
    from explorer.quality.asked import Asked

    asked = Asked(
        resources=known_resources(resources or ()),
        only=_checks(only),
        ids=_split(ids),
        properties=_split(properties),
        customer=customer or "",
        transactions=_split(transactions),
        connector=connector or "",
        writes=writes,
        calls=max_calls,
        records=max_records,
        pages=max_pages,
        seconds=max_seconds,
    )
    files = {"json": json_file, "html": html_file, "junit": junit_file, "markdown": markdown_file}
    for path in files.values():
        if path is not None and not path.parent.is_dir():
            raise UsageFault(f"There is no folder {path.parent} for the report.")
    with target_of(options.whom(context, profile, connection_id, base_url, home)) as target:
        runs, stopped = _all(target, asked, _split(connections) or (target.profile.connection,))
    _write(runs, files)
    if stopped:
        raise typer.Exit(Exit.STOPPED)
    raise typer.Exit(Exit.FINDINGS if any(run.bad for run in runs) else Exit.DONE)


def _all(target: Target, asked: Asked, connections: Sequence[str]) -> tuple[list[Run], bool]:
    """The runs, and whether the user stopped them; what was found until then is kept."""
    runs: list[Run] = []
    for connection in connections:
        one = replace(target, profile=target.profile.with_connection(connection))
        say(f"Checking {connection or one.profile.name} …")
        try:
            asyncio.run(_one(one, asked, runs))
        except KeyboardInterrupt:
            say("Stopped. What was found until then is in the reports.")
            return runs, True
        _say(runs[-1])
    return runs, False


async def _one(target: Target, asked: Asked, runs: list[Run]) -> None:
    from explorer.quality.run import QualityRun

    async with session_of(target) as session:
        run = QualityRun(session, asked, _progress(), credential=target.credential)
        try:
            runs.append(await run.whole())
        except asyncio.CancelledError:
            runs.append(run.so_far("It was stopped."))
            raise


def _progress() -> Callable[[Progress], None]:
    """Says each list and group once, when it begins."""
    said: set[str] = set()

    def tell(progress: Progress) -> None:
        what = progress.what.partition(",")[0]
        if what not in said:
            said.add(what)
            say(f"  {what}")

    return tell


def _say(run: Run) -> None:
    head = run.head
    for result in run.bad[:_MOST]:
        where = f" ({result.resource})" if result.resource else ""
        words = f"{result.check.sentence}{where}: {result.seen}"
        say(without_secrets(f"{str(result.verdict).capitalize():8} {words} · {result.measured_on}"))
    if len(run.bad) > _MOST:
        say(f"… and {len(run.bad) - _MOST} more; a report has them all.")
    coverage = "" if head.coverage is None else f", mapping coverage {head.coverage:.0%}"
    read = f"{count(head.records, 'record')} of {count(head.pages, 'page')} in {run.seconds:,.1f} s"
    say(f"{run.connection or run.profile}: {head.checks_words}; {head.others_words}; {read}{coverage}.")
    if run.stopped:
        say(f"It ended early: {run.stopped}.")


def _write(runs: Sequence[Run], files: dict[str, Path | None]) -> None:
    from explorer.quality.report_html import as_html
    from explorer.quality.report_json import as_json
    from explorer.quality.report_junit import as_junit
    from explorer.quality.report_markdown import as_markdown

    makers = {"json": as_json, "html": as_html, "junit": as_junit, "markdown": as_markdown}
    for form, path in files.items():
        if path is not None:
            # What a service answers may quote the key back.
            text = makers[form](runs).decode()
            path.write_text(without_secrets(text), encoding="utf-8", newline="\n")


def _split(text: str | None) -> tuple[str, ...]:
    return tuple(part.strip() for part in (text or "").split(",") if part.strip())


def known_resources(keys: Sequence[str]) -> tuple[str, ...]:
    """The keys of resources as given on the command line. Raises UsageFault for one that there is none of."""
    known = {resource.key for resource in registry.resources()}
    made = tuple(key.strip("/") for key in keys)
    for key in made:
        if key not in known:
            raise UsageFault(f"There is no resource {key!r}: `unified-explorer resources` lists them.")
    return made


def _checks(text: str | None) -> tuple[str, ...]:
    from explorer.quality.every import check_ids, groups

    made = _split(text)
    for name in made:
        if name not in check_ids() and name not in groups():
            raise UsageFault(f"There is no check or group {name!r}. Groups are: {', '.join(groups())}.")
    return made
