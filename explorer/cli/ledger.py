"""``ledger [RESOURCE …]``: each declared field against what was received, also across connections and over time."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Any

import typer

from explorer.api.errors import ExplorerError
from explorer.catalog.registry import Registry
from explorer.catalog.spec import Listing
from explorer.cli import options
from explorer.cli.exits import Exit, UsageFault, without_secrets
from explorer.cli.forms import write_json
from explorer.cli.registry import registry_of_whom
from explorer.cli.target import Target, profile_of, session_of, target_of
from explorer.cli.words import plain, say, while_read
from explorer.quality.compare.names import NameFault, PullName, open_kept
from explorer.quality.compare.rows import PullRows
from explorer.quality.engine.probe import is_lacking
from explorer.quality.ledger.drift import Drift, drift
from explorer.quality.ledger.ledger import Ledger, ledger_of, walk_ledger
from explorer.quality.ledger.report import beside, drift_json, drift_table, ledger_json, table
from explorer.store.values import StoreFault


@dataclass(frozen=True, slots=True)
class _Asked:
    listings: tuple[Listing, ...]
    connections: tuple[str, ...]
    """Empty: the profile's own."""
    most: int | None


@options.command_of
def ledger(
    whom: options.TargetOptions,
    resources: options.Lists = None,
    connections: Annotated[
        str | None, typer.Option("--connections", metavar="A,B", help="Several connections side by side.")
    ] = None,
    against: Annotated[
        str | None,
        typer.Option("--against", metavar="SNAPSHOT", help="Say what drifted since that snapshot."),
    ] = None,
    kept: Annotated[bool, typer.Option("--kept", help="Use the saved rows and send no request.")] = False,
    max_records: Annotated[
        int | None,
        typer.Option(
            "--max-records",
            metavar="N",
            min=1,
            help="Read N records of each list, rounded up to whole pages.",
        ),
    ] = None,
    as_json: options.InsteadOfTables = False,
    deadline: options.Deadline = None,
    timeout: options.Timeout = None,
) -> None:
    """Show each field as declared against what is seen. Exit code 1 when --against finds that something drifted."""
    names = tuple(part.strip() for part in (connections or "").split(",") if part.strip())
    before = _before(whom, against) if against else None
    listings = _listings(registry_of_whom(whom), resources or ((before.resource,) if before else ()))
    if before is not None and [one.key for one in listings] != [before.resource]:
        raise UsageFault(
            f"The snapshot {against!r} is of {before.resource}: only that list can be compared with it."
        )
    asked = _Asked(listings, names, max_records)
    if kept:
        made = _kept(whom, asked)
    else:
        with target_of(whom) as target:
            try:
                made = asyncio.run(_walked(target.within(deadline, timeout), asked))
            except KeyboardInterrupt:
                raise typer.Exit(Exit.STOPPED) from None
    drifted = _print(made, before, as_json)
    raise typer.Exit(Exit.FINDINGS if drifted else Exit.DONE)


def _before(whom: options.TargetOptions, name: str) -> Ledger:
    try:
        with open_kept(name, whom.folders, profile_of(whom)) as rows:
            return ledger_of(rows, registry_of_whom(whom))
    except NameFault as fault:
        raise UsageFault(str(fault)) from None


def _kept(whom: options.TargetOptions, asked: _Asked) -> list[list[Ledger]]:
    owner, folders, made = profile_of(whom), whom.folders, []
    for listing in asked.listings:
        found = []
        for connection in asked.connections or (owner.connection,):
            name = PullName(f"{listing.key} of {connection or owner.name}", listing.key, connection)
            try:
                with PullRows.of_profile(
                    folders, owner.id, partial(name.choose, profile=owner), name.text
                ) as rows:
                    found.append(ledger_of(rows, registry_of_whom(whom), connection or owner.name))
            except StoreFault as fault:
                if len(asked.listings) == 1:
                    raise
                say(fault.sentence)
        made.append(found)
    return made


async def _walked(target: Target, asked: _Asked) -> list[list[Ledger]]:
    made: list[list[Ledger]] = [[] for _ in asked.listings]
    for connection in asked.connections or (target.profile.connection,):
        one = replace(target, profile=target.profile.with_connection(connection))
        async with session_of(one) as session:
            for found, listing in zip(made, asked.listings, strict=True):
                name = connection or one.profile.name
                say(f"Reading {listing.key} of {name} …")
                try:
                    found.append(await walk_ledger(session.send, listing, name, most=asked.most))
                except ExplorerError as error:
                    if not is_lacking(error) or len(asked.listings) == 1:
                        raise
                    say(f"{name} has no such list.")
    return made


def _print(made: Sequence[Sequence[Ledger]], before: Ledger | None, as_json: bool) -> bool:
    """Prints the ledgers; returns whether something drifted."""
    drifts: list[tuple[Ledger, Sequence[Drift]]] = []
    if before is not None:
        drifts = [(one, drift(before, one)) for found in made for one in found]
    if as_json:
        write_json(_json(made, before, drifts), masked=True)
    else:
        parts = [beside(found) if len(found) > 1 else table(found[0]) for found in made if found]
        parts += [drift_table(found, f"{before.name}, {one.name}") for one, found in drifts if before]
        with while_read():
            sys.stdout.write(without_secrets(plain("\n\n".join(parts))) + "\n")
    return any(found for _, found in drifts)


def _json(
    made: Sequence[Sequence[Ledger]],
    before: Ledger | None,
    drifts: Sequence[tuple[Ledger, Sequence[Drift]]],
) -> dict[str, Any]:
    document: dict[str, Any] = {"ledgers": [ledger_json(one) for found in made for one in found]}
    if before is not None:
        document["against"] = before.name
        document["drift"] = [{"name": one.name, "found": drift_json(found)} for one, found in drifts]
    return document


def _listings(registry: Registry, keys: Sequence[str]) -> tuple[Listing, ...]:
    known = {one.key: one.listing for one in registry.listings() if one.listing is not None}
    made = []
    for key in keys:
        found = known.get(key.strip("/"))
        if found is None:
            raise UsageFault(f"{key!r} is not a list. Lists are: {', '.join(known)}.")
        made.append(found)
    return tuple(made or known.values())
