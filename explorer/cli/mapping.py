"""``mapping [RESOURCE …]``: the source of each unified field in the raw data, as a table or as JSON."""

from __future__ import annotations

import asyncio
import sys
from typing import Annotated

import typer

from explorer.cli import options
from explorer.cli.check import known_resources
from explorer.cli.exits import Exit, without_secrets
from explorer.cli.forms import write_json
from explorer.cli.registry import registry_of_whom
from explorer.cli.target import Target, session_of, target_of
from explorer.cli.words import plain, say
from explorer.quality.engine.check import Run
from explorer.quality.engine.mapping_result import MappingResult
from explorer.quality.engine.run import run
from explorer.quality.engine.run_options import RunOptions
from explorer.quality.reports.json import mapping_json
from explorer.words import count


@options.command_of
def mapping(
    whom: options.TargetOptions,
    resources: options.Lists = None,
    max_records: Annotated[
        int,
        typer.Option(
            "--max-records", metavar="N", min=1, help="Look at N records, rounded up to whole pages."
        ),
    ] = 2000,
    as_json: options.InsteadOfTables = False,
    deadline: options.Deadline = None,
    timeout: options.Timeout = None,
) -> None:
    """Show where each field comes from in raw data, and what is never used."""
    registry = registry_of_whom(whom)
    known = known_resources(registry, resources or ())
    asked = RunOptions(resources=known, only=("mapping",), records=max_records)
    with target_of(whom) as target:
        try:
            run = asyncio.run(_run(target.within(deadline, timeout), asked))
        except KeyboardInterrupt:
            raise typer.Exit(Exit.STOPPED) from None
    if as_json:
        write_json([mapping_json(one) for one in run.mappings], masked=True)
    else:
        text = "\n\n".join(_table(one) for one in run.mappings if one.records)
        sys.stdout.write(without_secrets(plain(text)) + "\n")
    if not any(one.records for one in run.mappings):
        lists = (registry.resource(key) for key in known) if known else registry.listings()
        names = dict.fromkeys(filter(None, (one.raw_name for one in lists)))
        say(f"No record has {' or '.join(names) or 'raw data'}.")


async def _run(target: Target, asked: RunOptions) -> Run:
    async with session_of(target) as session:
        return await run(session, asked)


def _table(one: MappingResult) -> str:
    lines = [f"{one.resource}: {one.known} of {one.filled} fields, over {count(one.records, 'record')}"]
    for source in one.sources:
        if source.filled:
            where = (source.paths[0] or "(the whole)") if source.paths else "not known"
            lines.append(f"  {source.field:24} {where:44} {source.done:24} {source.share}")
    if one.unused:
        lines.append("  never used: " + ", ".join(f"{path.path} ({path.fill:.0%})" for path in one.unused))
    return "\n".join(lines)
