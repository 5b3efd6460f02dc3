"""``snapshot``: keeps pulls under names; lists, renames, deletes, exports and imports them. Sends no request."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from explorer.api.interface import registry_for
from explorer.cli import options
from explorer.cli.exits import Exit, UsageFault, without_secrets
from explorer.cli.forms import done, write_json
from explorer.cli.target import profile_of
from explorer.cli.words import plain, say
from explorer.quality.compare.names import NameFault, PullName
from explorer.quality.compare.rows import PullRows
from explorer.quality.compare.snapshots import PREVIOUS, PULL, Snapshots, clean_name
from explorer.store.values import Snapshot
from explorer.words import count, size

snapshot = typer.Typer(
    help="Keep pulls under a name; list, rename and delete them. Without a command: list.",
    invoke_without_command=True,
)
Name = Annotated[str, typer.Argument(metavar="NAME")]


@snapshot.callback()
@options.command_of
def before(context: typer.Context, whom: options.StoredTarget, as_json: options.AsJson = False) -> None:
    """List the snapshots when no command follows."""
    context.find_root().obj = whom
    if context.invoked_subcommand is None:
        _list(whom, as_json)


@snapshot.command("keep")
@options.command_of
def keep(
    name: Name,
    pull: Annotated[
        str,
        typer.Argument(
            metavar="PULL", help="A list's key, as ats/job, or pull:ats/job~1?sync_mode=full@conn_2."
        ),
    ],
    whom: options.StoredTarget,
    as_json: options.AsJson = False,
) -> None:
    """Keep a stored pull of a list under NAME, at once and for good. Later pulls do not change a snapshot."""
    owner, folders = profile_of(whom), whom.folders
    clean_name(name)
    try:
        text = pull if pull.lower().startswith((PULL, PREVIOUS)) else PULL + pull
        named = PullName.read(text, registry_for(owner))
    except NameFault as fault:
        raise UsageFault(str(fault)) from None
    with PullRows.of_profile(folders, owner.id, lambda store: named.choose(store, owner), named.text) as rows:
        made = Snapshots.of_profile(folders, owner.id).keep(name, rows.info)
    _say_kept(made, as_json)


@snapshot.command("list")
@options.command_of
def list_(whom: options.StoredTarget, as_json: options.AsJson = False) -> None:
    """List the snapshots of a profile, the newest first."""
    _list(whom, as_json)


@snapshot.command("rename")
@options.command_of
def rename(
    name: Name,
    new: Annotated[str, typer.Argument(metavar="NEW")],
    whom: options.StoredTarget,
    as_json: options.AsJson = False,
) -> None:
    """Give a snapshot another name."""
    made = _snapshots(whom).rename(name, new)
    done(as_json, f"It is called {made.name} now.", **about_json(made))


@snapshot.command("delete")
@options.command_of
def delete(name: Name, whom: options.StoredTarget, as_json: options.AsJson = False) -> None:
    """Delete a snapshot for good."""
    _snapshots(whom).delete(name)
    done(as_json, f"{name} is deleted.", deleted=name)


@snapshot.command("export")
@options.command_of
def export(
    name: Name,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Such as jobs.snapshot.")],
    whom: options.StoredTarget,
    as_json: options.AsJson = False,
) -> None:
    """Write a snapshot to FILE, to hand it on. It holds the records as they were received."""
    made = _snapshots(whom).export(name, file)
    sentence = f"{made.name}: {count(made.info.rows, 'row')} written to {file}."
    done(as_json, sentence, **about_json(made), file=str(file))


@snapshot.command("import")
@options.command_of
def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE")],
    name: Annotated[str, typer.Option("--name", help="Another name than it has in FILE.")] = "",
    *,
    whom: options.StoredTarget,
    as_json: options.AsJson = False,
) -> None:
    """Add the snapshot in FILE, which `snapshot export` wrote, to those of the profile."""
    made = _snapshots(whom).add(file, name)
    _say_kept(made, as_json)


def _snapshots(whom: options.TargetOptions) -> Snapshots:
    """The snapshots of the profile that the options name. Raises UsageFault, ProfileFault, StoreFault."""
    return Snapshots.of_profile(whom.folders, profile_of(whom).id)


def _list(whom: options.TargetOptions, as_json: bool) -> None:
    found, wrong = _snapshots(whom).all()
    if as_json:
        write_json([about_json(one) for one in found], masked=True)
    else:
        for one in found:
            kept = one.kept_at.astimezone().strftime("%Y-%m-%d %H:%M")
            rows, room, key = count(one.info.rows, "row"), size(one.size), one.info.key
            line = f"{kept}  {one.name}  {key.resource}  {key.connection or '-'}  {rows}  {room}"
            sys.stdout.write(without_secrets(plain(line)) + "\n")
        if not found:
            say("There is no snapshot yet: `unified-explorer snapshot keep NAME ats/job` makes one.")
    for sentence in wrong:
        say(sentence)
    if wrong and not found:
        raise typer.Exit(Exit.CANNOT_START)


def about_json(one: Snapshot) -> dict[str, Any]:
    """A snapshot as JSON values."""
    info = one.info
    return {
        "name": one.name,
        "resource": info.key.resource,
        "connection": info.key.connection,
        "parameters": json.loads(info.key.params),
        "state": info.state,
        "pages": info.pages,
        "rows": info.rows,
        "bytes": info.bytes,
        "size": one.size,
        "kept_at": one.kept_at.isoformat(),
        "pulled_at": info.updated_at.isoformat(),
        "digest": one.digest,
    }


def _say_kept(one: Snapshot, as_json: bool) -> None:
    unfinished = "" if one.info.state == "complete" else " The list was not read to its end."
    sentence = f"{one.name}: {count(one.info.rows, 'row')} kept, {size(one.size)}.{unfinished}"
    done(as_json, sentence, **about_json(one))
