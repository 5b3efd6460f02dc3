"""``profiles``: lists, adds, removes, tests, exports and imports profiles. Secrets are never arguments or output."""

from __future__ import annotations

import asyncio
import os
import sys
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from explorer.api.interface import registry_for
from explorer.cli import options
from explorer.cli.exits import Exit, UsageFault, note_secrets
from explorer.cli.forms import done, write_json
from explorer.cli.options import TargetOptions
from explorer.cli.registry import registry_of_whom
from explorer.cli.target import has_terminal, open_file, plain_http, session_of, target_of
from explorer.cli.words import in_columns, say
from explorer.profiles.credential import PART_VARIABLE, Auth, clean_secret, part_key
from explorer.profiles.profile import Environment, Guard, Profile, Profiles
from explorer.profiles.secrets import PASSPHRASE, VARIABLES, Place, Secrets, of_environment

profiles = typer.Typer(
    help="List, add, remove, test, export and import profiles. Without a command: list.",
    invoke_without_command=True,
)

Name = Annotated[str, typer.Argument(metavar="NAME")]
InFile = Annotated[
    bool,
    typer.Option(
        "--in-file",
        help=f"Keep the key in a file locked by a passphrase: asked for on a terminal, else from {PASSPHRASE}.",
    ),
]


@profiles.callback()
def before(
    context: typer.Context,
    home: options.Home = None,
    as_json: options.AsJson = False,
) -> None:
    """List the profiles when no command follows."""
    who = options.target_options(context, TargetOptions(home=home))
    context.find_root().obj = who
    if context.invoked_subcommand is None:
        _list(who, as_json)


def _list(who: TargetOptions, as_json: bool) -> None:
    book = _book(who)
    rows = [_row(profile) for profile in book.all()]
    if as_json:
        write_json(rows)
        return
    cells = [[r["name"], r["environment"], r["guard"], r["base_url"], r["connection"] or "-"] for r in rows]
    sys.stdout.writelines(in_columns(cells))


def _row(profile: Profile) -> dict[str, Any]:
    return {
        "name": profile.name,
        "environment": profile.environment.value,
        "guard": profile.guard.value,
        "base_url": "started on demand" if profile.is_builtin else profile.base_url,
        "connection": profile.connection,
        "connections": list(profile.connections),
        "auth": profile.auth.value,
    }


def _book(who: TargetOptions) -> Profiles:
    book = Profiles(who.folders)
    for notice in book.notices:
        say(notice)
    return book


@dataclass(frozen=True)
class ProfileOptions:
    """The options of `add` that go into the profile as they are, each under its field's name."""

    second_url: Annotated[
        str,
        typer.Option(
            "--second-url",
            metavar="URL",
            help="Where the operations are that the interface has at an address of their own.",
        ),
    ] = ""
    environment: Annotated[Environment, typer.Option("--environment")] = Environment.DEVELOPMENT
    auth: Annotated[Auth, typer.Option("--auth")] = Auth.APIKEY
    token_url: Annotated[
        str,
        typer.Option("--token-url", metavar="URL", help="Where a token call goes, for --auth 'token call'."),
    ] = ""
    token_fields: Annotated[
        str,
        typer.Option("--token-fields", metavar="FIELDS", help="Further fields of it, such as scope=read."),
    ] = ""
    client_in_body: Annotated[
        bool,
        typer.Option("--client-in-body", help="Client id and secret go into its body, not into a header."),
    ] = False
    ca_file: Annotated[str, typer.Option("--ca-file", metavar="FILE")] = ""
    proxy: Annotated[str, typer.Option("--proxy", metavar="URL|none")] = ""


@profiles.command("add")
@options.command_of
def add(
    name: Name,
    base_url: Annotated[str, typer.Option("--base-url", metavar="URL")],
    *,
    whom: Annotated[TargetOptions, ("interface", "allow_http")],
    connection_id: Annotated[list[str] | None, typer.Option("--connection-id", metavar="ID")] = None,
    guard: Annotated[
        Guard | None, typer.Option("--guard", help="If left out: read only on production, else ask first.")
    ] = None,
    settings: ProfileOptions,
    in_file: InFile = False,
    as_json: options.AsJson = False,
) -> None:
    """Add a profile. On a terminal its key is asked for, hidden; else it comes from the environment at each use."""
    who = replace(whom, base_url=base_url)
    registry_of_whom(who)
    known = tuple(connection_id or ())
    given: dict[str, Any] = {**asdict(settings), **({"guard": guard} if guard else {})}
    profile = Profile(
        name=name,
        base_url=base_url,
        interface=who.interface or "",
        connection=known[0] if known else "",
        connections=known,
        **given,
    )
    profile = plain_http(profile, who)
    _book(who).save(profile)
    say(f"Added {profile.name}.")
    place = Place.ENVIRONMENT
    if has_terminal() or in_file:
        place = _keep_key(who, profile, in_file=in_file)
    else:
        say(f"Its {profile.auth.kept} is taken from {VARIABLES[profile.auth]} at each use.")
    if as_json:
        write_json({**_row(profile), "key": place.value})


@profiles.command("key")
def key(
    context: typer.Context,
    name: Name,
    in_file: InFile = False,
    as_json: options.AsJson = False,
) -> None:
    """Keep the key of a profile: asked for on a terminal, hidden, else taken from the environment."""
    who = options.target_options(context)
    profile = _book(who).get(name)
    if profile.is_builtin:
        raise UsageFault("The Sandbox creates a new key at each start.")
    place = _keep_key(who, profile, in_file=in_file)
    if as_json:
        write_json({**_row(profile), "key": place.value})


def _keep_key(who: TargetOptions, profile: Profile, *, in_file: bool) -> Place:
    """Keeps the key and returns where; where none was entered or kept, a variable has it at each use."""
    what = profile.auth.kept
    if has_terminal():
        words = f"{what.capitalize()} (hidden; Enter for none)"
        secret = typer.prompt(words, default="", hide_input=True, show_default=False, err=True)
    else:
        found = of_environment(profile.auth)
        secret = found.reveal() if found is not None else ""
    if not secret.strip():
        if has_terminal():
            return Place.ENVIRONMENT
        raise UsageFault(f"There is no {what}: set {VARIABLES[profile.auth]}, or enter it in a terminal.")
    note_secrets([secret])
    clean_secret(secret, profile.auth)
    secrets = Secrets(who.folders)
    if not in_file and not secrets.holding(None).system and has_terminal():
        in_file = typer.confirm(
            "This system has no password store. Keep it in a file locked by a passphrase?", err=True
        )
    if in_file:
        open_file(secrets)
    place = secrets.save(profile, secret, Place.FILE if in_file else None)
    _keep_parts(secrets, profile)
    for notice in secrets.notices:
        say(notice)
    if place is Place.MEMORY:
        say(f"It was not saved: set {VARIABLES[profile.auth]} when you use the profile, or give --in-file.")
        return Place.ENVIRONMENT
    say(place.words)
    return place


def _keep_parts(secrets: Secrets, profile: Profile) -> None:
    """Keeps the secret parts of the profile's connection, each from its variable or else asked for on a terminal."""
    for part in registry_for(profile).interface.connection if profile.interface else ():
        variable = PART_VARIABLE + part_key(part.name)
        text = os.environ.get(variable, "") if part.secret else ""
        title = f"{part.title or part.name} of {profile.connection or 'the connection'}"
        if part.secret and not text and has_terminal():
            words = f"{title} (hidden; Enter for none)"
            text = typer.prompt(words, default="", hide_input=True, show_default=False, err=True)
        if not text.strip():
            continue
        note_secrets([text])
        if secrets.keep_part(profile, profile.connection, part.name, text) is Place.MEMORY:
            say(f"The {title} was not saved: set {variable} when you use the profile, or give --in-file.")


@profiles.command("remove")
def remove(
    context: typer.Context,
    name: Name,
    as_json: options.AsJson = False,
) -> None:
    """Remove a profile and its secret. What was pulled with it stays in its file."""
    who = options.target_options(context)
    book = _book(who)
    profile = book.get(name)
    book.remove(profile.id)
    secrets = Secrets(who.folders)
    secrets.forget(profile)
    for notice in secrets.notices:
        say(notice)
    done(as_json, f"Removed {profile.name}.", removed=profile.name)


@profiles.command("test")
def try_one(
    context: typer.Context,
    name: Name,
    connection_id: options.ConnectionId = None,
    allow_http: options.AllowHttp = False,
    as_json: options.AsJson = False,
) -> None:
    """Test address, key, connection and third-party credentials, and say what is wrong."""
    own = TargetOptions(profile=name, connection=connection_id, allow_http=allow_http)
    with target_of(options.target_options(context, own)) as target:

        async def ask() -> Exit:
            async with session_of(target) as session:
                result = await session.test()
            if as_json:
                write_json({"ok": result.ok} | asdict(result))
                return Exit.DONE if result.ok else Exit.FINDINGS
            for step in result.steps:
                sys.stdout.write(f"{step.name}: {' '.join(filter(None, (step.sentence, step.advice)))}\n")
            sys.stdout.write(f"{result.tried(target.profile)}\n")
            return Exit.DONE if result.ok else Exit.FINDINGS

        code = asyncio.run(ask())
    raise typer.Exit(code)


@profiles.command("export")
def export(
    context: typer.Context,
    out: Annotated[Path, typer.Option("--out", metavar="FILE")],
    names: Annotated[list[str] | None, typer.Argument(metavar="[NAME]...")] = None,
    as_json: options.AsJson = False,
) -> None:
    """Write profiles to a file, without any secret; all of them when none is named."""
    book = _book(options.target_options(context))
    chosen = [book.get(n) for n in names] if names else [p for p in book.all() if not p.is_builtin]
    if not chosen:
        raise UsageFault("There is no profile to export besides the Sandbox, which comes with the program.")
    book.export(out, [p.id for p in chosen])
    sentence = f"Wrote {len(chosen)} to {out}; no secret is in it."
    done(as_json, sentence, file=str(out), profiles=[p.name for p in chosen])


@profiles.command("import")
def import_(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE")],
    as_json: options.AsJson = False,
) -> None:
    """Add the profiles of a file. Secrets are not in it: give them afterwards."""
    book = _book(options.target_options(context))
    made = book.import_(file)
    if as_json:
        write_json({"profiles": [profile.name for profile in made]})
    for profile in () if as_json else made:
        sys.stdout.write(profile.name + "\n")
    for notice in book.notices:
        say(notice)
