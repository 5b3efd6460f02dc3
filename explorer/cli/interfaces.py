"""``interfaces``: shows what is read out of an OpenAPI document; keeps, lists, exports and removes documents."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import typer

from explorer.api.exchange import header_of
from explorer.api.http_request import USER_AGENT, HttpRequest
from explorer.api.inflate import ACCEPTED
from explorer.catalog.interfaces import registry_of
from explorer.catalog.registry import Registry
from explorer.cli import options
from explorer.cli.exits import Exit, UsageFault
from explorer.cli.forms import done, write_json
from explorer.cli.words import in_columns, plain, say, while_read
from explorer.files import write_whole
from explorer.openapi.drift import Change, corrected, drift, summed
from explorer.openapi.interface import interface_of, second_url
from explorer.openapi.kept import NAMED, Kept, KeptInterfaces, name_for, proposal_of
from explorer.openapi.load import MOST_BYTES, DocumentFault
from explorer.openapi.overlay import UNUSED, is_overlay, overlay_of
from explorer.openapi.pack import read_pack
from explorer.openapi.proposal import read
from explorer.openapi.values import ListProposal, Paging, Proposal
from explorer.profiles.profile import Profile
from explorer.words import count

interfaces = typer.Typer(
    help="Inspect, add, list, export and remove interfaces read out of OpenAPI documents. Without a command: list.",
    invoke_without_command=True,
)

Name = Annotated[str, typer.Argument(metavar="NAME")]
PackFile = Annotated[
    Path | None,
    typer.Option(
        "--pack", metavar="FILE", help="Lines of TOML, or an OpenAPI Overlay, that correct the document."
    ),
]
AsJson = Annotated[
    bool, typer.Option("--json", help="As JSON, in the form that docs/interfaces.md promises.")
]


@interfaces.callback()
def before(
    context: typer.Context,
    home: options.Home = None,
    as_json: options.AsJson = False,
) -> None:
    """List the interfaces when no command follows."""
    who = options.target_options(context, options.TargetOptions(home=home))
    context.find_root().obj = who
    if context.invoked_subcommand is not None:
        return
    builtin = registry_of().interface
    lists = sum(resource.listing is not None for group in builtin.verticals for resource in group.resources)
    rows = [
        {"name": builtin.key, "title": builtin.title, "lists": lists, "pack": False, "from": "built in"},
        *(
            {"name": k.name, "title": k.title, "lists": k.lists, "pack": k.pack.exists(), "from": k.origin}
            for k in _kept(context).all()
        ),
    ]
    if as_json:
        write_json(rows)
        return
    cells = [
        [str(r["name"]), count(int(str(r["lists"])), "list"), str(r["title"]), str(r["from"])] for r in rows
    ]
    sys.stdout.writelines(map(plain, in_columns(cells)))


def _kept(context: typer.Context) -> KeptInterfaces:
    return KeptInterfaces(options.target_options(context).folders.config)


# ------------------------------------------------------------------ inspect


@interfaces.command("inspect")
def inspect(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE")],
    pack: PackFile = None,
    against: Annotated[
        str | None,
        typer.Option(
            "--against", metavar="OLDER", help="Say what drifted since this file or added interface."
        ),
    ] = None,
    uses: Annotated[
        list[Path] | None,
        typer.Option("--uses", metavar="FILE", help="A recipe or baseline: with --against, what touches it."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show what is read out of a document, and why. Exit code 1 when --against finds that something drifted."""
    if uses and against is None:
        raise UsageFault("--uses says what a drift touches: give --against too.")
    if against is not None:
        raise typer.Exit(_against(context, file, pack, against, uses or [], as_json))
    proposal = _proposal(str(file), _bytes(file), _bytes(pack) if pack is not None else None)
    with while_read():
        if as_json:
            write_json(proposal.as_json())
            return
        for line in _described(proposal):
            sys.stdout.write(plain(line) + "\n")


def _against(
    context: typer.Context, file: Path, pack: Path | None, older: str, uses: list[Path], as_json: bool
) -> Exit:
    """Prints what became of an interface; both documents are read with the same pack."""
    kept = _kept(context).get(older)
    overlay, lines = kept.corrections() if kept is not None else (None, None)
    if pack is not None:
        given = _bytes(pack)
        overlay, lines = (given, None) if is_overlay(given) else (None, given)
    old = kept.document if kept is not None else Path(older)
    before = _proposal(str(old), _bytes(old), lines, overlay)
    after = _proposal(str(file), _bytes(file), None, overlay)
    unused = [Change("", "pack", note) for note in after.notes if note.startswith(UNUSED)]
    after, changes = corrected(after, read_pack(lines) if lines is not None else ())
    changes = [*unused, *changes]
    changes += drift(before, after)
    touched = _touched(before, changes, uses)
    with while_read():
        if as_json:
            rows = [{**asdict(one), "touches": touched[at]} for at, one in enumerate(changes)]
            write_json({"changes": rows})
        else:
            for line in _drifted(changes, touched):
                sys.stdout.write(plain(line) + "\n")
    return Exit.FINDINGS if changes else Exit.DONE


def _drifted(changes: list[Change], touched: list[list[str]]) -> Iterator[str]:
    if not changes:
        yield "Nothing of what is read out of the document has changed."
        return
    there = ""
    for one, names in zip(changes, touched, strict=True):
        if one.operation != there:
            there = one.operation
            yield there
        yield f"  {'breaks' if one.breaks else 'added':6}  {one.sentence}"
        if names:
            yield f"          touches {', '.join(names)}"
    yield f"\n{summed(changes)}"


def _touched(before: Proposal, changes: list[Change], uses: list[Path]) -> list[list[str]]:
    """For each change the files that name what it is about, by the keys of the older document."""
    # All checks, which no other of these commands needs.
    from explorer.quality.baseline.baseline_file import BaselineFault, read_baseline
    from explorer.quality.engine.recipe import RecipeFault, read_recipe

    registry = Registry(interface_of(before, "older"))
    keys = {
        f"{one.method} {one.path.replace('{@', '{')}": resource.key
        for resource in registry.resources()
        for one in resource.operations
    }
    found: list[list[str]] = [[] for _ in changes]
    for file in uses:
        data = _bytes(file)
        try:
            if file.suffix == ".toml":
                named = [(key, "") for key in read_recipe(data.decode("utf-8"), registry).asked.resources]
            else:
                named = [(one.resource, one.field) for one in read_baseline(data).accepted]
        except (RecipeFault, BaselineFault, UnicodeDecodeError) as fault:
            raise _fault(str(file), fault) from None
        for at, change in enumerate(changes):
            key = keys.get(change.operation)
            if any(
                resource == key and (not change.field or not field or change.field in re.split(r"\W", field))
                for resource, field in named
            ):
                found[at].append(file.name)
    return found


def _proposal(what: str, document: bytes, pack: bytes | None, overlay: bytes | None = None) -> Proposal:
    try:
        return proposal_of(document, pack, overlay)
    except DocumentFault as fault:
        raise _fault(what, fault) from None


def _fault(what: str, fault: Exception) -> UsageFault:
    return UsageFault(f"{what}: {str(fault)[:1].lower()}{str(fault)[1:]}")


def _bytes(file: Path) -> bytes:
    """The file's bytes, up to one more than are read, so that a huge file is not taken into memory."""
    with file.open("rb") as opened:
        return opened.read(MOST_BYTES + 1)


def _described(proposal: Proposal) -> Iterator[str]:
    yield f"{proposal.title or '(no title)'} {proposal.version}, OpenAPI {proposal.openapi}".replace(
        " ,", ","
    )
    yield f"Authorize: {proposal.authorization}. {proposal.why_authorization}"
    for server in proposal.servers:
        yield f"Address: {server} (proposed by the document; it gets no key unasked)"
    if second := second_url(proposal):
        every = (*proposal.lists, *proposal.writes, *proposal.others)
        there = sum(one.server == second for one in every)
        yield f"Second address: {second} (proposed for {count(there, 'operation')}; see --second-url)"
    for name, value in proposal.constants:
        yield f"Constant header: {name}: {value if value is not None else '(to be given)'}"
    error = proposal.error
    yield f"Errors: message in {error.message or '-'}, code in {error.code or '-'}"
    yield from proposal.notes
    yield f"\n{count(len(proposal.lists), 'list')}"
    for one in proposal.lists:
        yield ""
        yield from _list(one)
    for title, rest in (("that write", proposal.writes), ("that read one thing", proposal.others)):
        yield f"\n{count(len(rest), 'operation')} {title}"
        yield from (f"  {one.method:6} {one.path}" for one in rest)


def _list(one: ListProposal) -> Iterator[str]:
    yield one.key
    raw = one.raw.field or "-"
    said = {
        "rows": one.rows or "-",
        "paging": _paging(one.paging),
        "connection": ", ".join(str(part) for part in one.connection) or "-",
        "raw": f"{raw}, asked for by {one.raw.option}" if one.raw.option else raw,
        "id": ", ".join(one.id) or "-",
    }
    for name, value in said.items():
        yield f"  {name:10}  {value}"
        yield f"  {'':10}  {one.why[name]}"
    for parameter in one.path_parameters:
        yield f"  needs       {parameter.name}, of {parameter.parent or 'no list in the document'}"
    if one.required:
        yield f"  needs       {', '.join(one.required)} in the query"


def _paging(one: Paging) -> str:
    parts = [str(one.kind)]
    parts += [f"parameter {one.parameter}"] if one.parameter else []
    for name, value in (("next", one.next), ("size", one.size), ("total", one.total), ("flag", one.flag)):
        parts += [f"{name} {value}"] if value else []
    return ", ".join(parts)


# ------------------------------------------------------------------ add, export, remove


@interfaces.command("add")
def add(
    context: typer.Context,
    source: Annotated[str, typer.Argument(metavar="FILE|URL")],
    pack: PackFile = None,
    name: Annotated[str | None, typer.Option("--name", metavar="N", help="a-z, 0-9 and -.")] = None,
    as_json: options.AsJson = False,
) -> None:
    """Keep a document, with a pack that corrects it. A URL is asked for once, without any credential."""
    is_url = re.match(r"(?i)https?://", source)
    document = asyncio.run(_fetched(source)) if is_url else _bytes(Path(source))
    corrections = _bytes(pack) if pack is not None else None
    proposal = _proposal(source, document, corrections)
    chosen = name or name_for(proposal, source)
    if not NAMED.fullmatch(chosen) or chosen == registry_of().interface.key:
        raise UsageFault(
            f"The name {chosen!r} cannot be used: give --name with up to 40 of a-z, 0-9 and -, and not "
            f"{registry_of().interface.key}."
        )
    try:
        kept = _kept(context).add(chosen, document, corrections, source)
    except DocumentFault as fault:
        raise UsageFault(str(fault)) from None
    asked = sum(
        why.level == "asked" for one in proposal.lists for why in (one.why["rows"], one.why["paging"])
    )
    sentence = f"Added {kept.name}: {count(kept.lists, 'list')}, {count(len(proposal.writes), 'write')}."
    done(as_json, sentence, name=kept.name, lists=kept.lists, writes=len(proposal.writes), asked=asked)
    if asked:
        say(
            f"{count(asked, 'thing')} of rows and paging the document does not say: see `interfaces inspect`."
        )


async def _fetched(url: str) -> bytes:
    """The bytes at an address: one GET without credentials, no redirect followed. Raises UsageFault, ExplorerError."""
    from explorer.api.http_exchange import HttpSender  # httpx, which no other of these commands needs

    parts = urlsplit(url)
    if "@" in parts.netloc:
        raise UsageFault("The address has a user name or password in it: give it without.")
    profile = Profile(name="document", base_url=f"{parts.scheme}://{parts.netloc}")
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    if not target.isascii() or not target.isprintable() or " " in target:
        raise UsageFault("The address has a space or a character beyond ASCII: write it as a percent code.")
    headers = (
        ("host", urlsplit(profile.origin).netloc),
        ("accept", "application/json, application/yaml, */*"),
        ("accept-encoding", ACCEPTED),
        ("user-agent", USER_AGENT),
    )
    say(f"One GET of {profile.origin}{parts.path}, without any key.")
    sender = HttpSender(profile, MOST_BYTES)
    try:
        answer = await sender.exchange(
            HttpRequest("GET", profile.origin, target, headers, None),
            fresh=False,
            sent=lambda _: None,
            headers=lambda _: None,
        )
    finally:
        await sender.aclose()
    if answer.status in range(300, 400):
        place = header_of(answer.headers, "location")
        raise UsageFault(
            f"The address leads on to {place[:200] or 'elsewhere'}, which is not followed: give that one."
        )
    if answer.status != 200:
        raise UsageFault(f"{profile.origin} answered {answer.status} {answer.reason}: there is no document.")
    return answer.body


@interfaces.command("export")
def export(
    context: typer.Context,
    name: Name,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="The document; its pack as FILE.pack.toml.")
    ] = None,
    overlay: Annotated[
        Path | None,
        typer.Option("--overlay", metavar="FILE", help="What corrects the document, as an OpenAPI Overlay."),
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Write a document as it was added, to standard output or to a file, where its pack is put beside it."""
    kept = _named(context, name)
    if as_json and out is None and overlay is None:
        raise UsageFault("--json says which files were written: give --out or --overlay.")
    written = []
    if overlay is not None:
        _export_overlay(kept, overlay)
        written.append(str(overlay))
    if out is not None:
        written += _export_document(kept, out)
    if as_json:
        write_json({"files": written})
    if written:
        return
    with while_read():
        sys.stdout.buffer.write(kept.document.read_bytes())


def _export_document(kept: Kept, out: Path) -> list[str]:
    """Writes the document and, beside it, what corrects it; returns the files."""
    write_whole(out, kept.document.read_bytes(), private=False)
    written = [str(out)]
    for ending, data in zip((".overlay.yaml", ".pack.toml"), kept.corrections(), strict=True):
        if data is not None:
            beside = out.with_name(out.name + ending)
            write_whole(beside, data, private=False)
            written.append(str(beside))
    say(f"Wrote {' and '.join(written)}.")
    return written


def _export_overlay(kept: Kept, file: Path) -> None:
    earlier, pack = kept.corrections()
    if earlier is None and pack is None:
        raise UsageFault(f"Nothing corrects the document of {kept.name}: there is no pack to export.")
    lines = read_pack(pack) if pack is not None else ()
    base = read(kept.document.read_bytes(), earlier)
    write_whole(file, overlay_of(base, kept.read(), lines, earlier), private=False)
    say(f"Wrote {file}.")


@interfaces.command("remove")
def remove(
    context: typer.Context,
    name: Name,
    as_json: options.AsJson = False,
) -> None:
    """Remove a document with its pack. What was pulled with it stays."""
    kept = _named(context, name)
    _kept(context).remove(kept.name)
    done(as_json, f"Removed {kept.name}.", removed=kept.name)


def _named(context: typer.Context, name: str) -> Kept:
    if name == registry_of().interface.key:
        raise UsageFault(f"{name} comes with the program and has no document.")
    found = _kept(context).get(name)
    if found is None:
        known = ", ".join(kept.name for kept in _kept(context).all()) or "none yet"
        raise UsageFault(f"There is no interface {name}; there are: {known}.")
    return found
