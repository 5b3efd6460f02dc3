"""``compare A B``: compares two stored states of a list by id; exit code 1 on differences. Sends no request."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from explorer.cli import options
from explorer.cli.exits import Exit, UsageFault, without_secrets
from explorer.cli.registry import registry_of_whom
from explorer.cli.target import profile_of
from explorer.cli.words import plain, say, while_read
from explorer.paths import Folders
from explorer.profiles.profile import Profile
from explorer.quality.compare.claims import cut_short, line_values
from explorer.quality.compare.compare import Comparison
from explorer.quality.compare.compare import compare as compared
from explorer.quality.compare.explained import Sentence
from explorer.quality.compare.found import Difference
from explorer.quality.compare.ignored_fields import Mask, MaskFault, default_patterns, raw_fields
from explorer.quality.compare.names import NameFault, open_kept
from explorer.quality.compare.report import as_json as json_of
from explorer.quality.compare.report import counts_words, mask_words, oddities, unexplained_words
from explorer.quality.compare.rows import PullRows

_MOST = 25
"""The most differences that are printed; --json has all of them."""
_LENGTH = 60


@options.command_of
def compare(
    a: Annotated[
        str,
        typer.Argument(
            metavar="A",
            help="A snapshot's name, pull:ats/job, pull:ats/job~2 (two reloads before), or previous:ats/job.",
        ),
    ],
    b: Annotated[
        str,
        typer.Argument(
            metavar="B",
            help="The same; pull:ats/job@conn_2 is of another connection, Staging::pull:ats/job of another profile.",
        ),
    ],
    whom: options.StoredTarget,
    mask: Annotated[
        str | None,
        typer.Option("--mask", metavar="PATH,…", help="Also leave out these fields, such as raw_data.*."),
    ] = None,
    all_fields: Annotated[
        bool,
        typer.Option(
            "--all-fields", help="Leave out only what --mask says, and no field that changes at every pull."
        ),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print all differences as JSON.")] = False,
) -> None:
    """Compare two snapshots or pulls by id. Exit code 1 when something was added, is gone or changed."""
    owner = profile_of(whom)
    registry = registry_of_whom(whom)
    left_out = _left_out(mask, () if all_fields else default_patterns(registry))
    one, other = _opened(whom.folders, owner, a, b)
    listed = registry.listed(one.about.resource)
    label = listed.label if listed is not None else ()
    raw = raw_fields(listed.record) if listed is not None else ()
    with compared(one, other, left_out, every_field=all_fields, label=label, raw=raw) as made:
        _print(made, as_json)
        different = made.counts.different
    raise typer.Exit(Exit.FINDINGS if different else Exit.DONE)


def _left_out(mask: str | None, patterns: tuple[str, ...]) -> Mask:
    """The fields that are not compared. Raises UsageFault for an invalid path."""
    more = tuple(part.strip() for part in (mask or "").split(",") if part.strip())
    try:
        return Mask((*patterns, *more))
    except MaskFault as fault:
        raise UsageFault(str(fault)) from None


def _opened(folders: Folders, owner: Profile, a: str, b: str) -> tuple[PullRows, PullRows]:
    """Opens both sides. Raises UsageFault when there is nothing of that name; then neither is left open."""
    try:
        one = open_kept(a, folders, owner)
        try:
            return one, open_kept(b, folders, owner)
        except BaseException:
            one.close()
            raise
    except NameFault as fault:
        raise UsageFault(str(fault)) from None


def _print(made: Comparison, as_json: bool) -> None:
    """Prints the differences to standard output, as lines or JSON, and oddities to standard error."""
    with while_read():
        if as_json:
            for piece in json_of(made):
                sys.stdout.write(without_secrets(piece))
        else:
            _show(made)
    _say_odd(made)
    line = without_secrets(_line(made))
    if as_json:
        say(line)
    else:
        with while_read():
            sys.stdout.write(plain(line) + "\n")


def _show(made: Comparison) -> None:
    _show_explained(made)
    numbers = made.found.select()
    for line in made.found.lines(numbers[:_MOST]):
        sys.stdout.write(without_secrets(plain(_words(line))) + "\n")
    if len(numbers) > _MOST:
        say(f"… and {len(numbers) - _MOST:,} more; --json has them all.")


def _show_explained(made: Comparison) -> None:
    """Prints the explained changes as sentences, then the fields whose changes nothing explains."""
    told = made.explained
    lines = [f"{what:11} {sentence}." for what, sentence in made.lone.items()]
    lines += [f"{one.meaning:11} {one.words}{_raw(one)}." for one in told.sentences]
    lines += [f"{'unexplained':11} {unexplained_words(one)}." for one in told.unexplained[:_MOST]]
    for line in lines:
        sys.stdout.write(without_secrets(plain(line)) + "\n")
    if len(told.unexplained) > _MOST:
        say(f"… and {len(told.unexplained) - _MOST:,} fields more with changes that nothing explains.")


def _raw(one: Sentence) -> str:
    return f"; {one.raw.words}" if one.raw.words else ""


def _words(line: Difference) -> str:
    row = line.row_a if line.row_b is None else line.row_b
    name = line.id or f"row {(row or 0) + 1}"
    if line.what != "changed":
        return f"{line.what:8} {name}  {line.name}".rstrip()
    path, values = _values(line)
    return f"{line.what:8} {name}  {line.field + path or '(whole record)'}: {values}"


def _values(line: Difference) -> tuple[str, str]:
    """The path below the field, and both values there."""
    old, new = ("absent" if value is None else value for value in (line.old, line.new))
    path, *texts = line_values(old, new, _LENGTH)
    return path, " → ".join(cut_short(text, _LENGTH) for text in texts)


def _say_odd(made: Comparison) -> None:
    for sentence in oddities(made):
        say(without_secrets(sentence))
    if made.fields:
        some = [f"{name or '(whole record)'} {count:,}" for name, count in list(made.fields.items())[:8]]
        more = f" and {len(made.fields) - 8} more" if len(made.fields) > 8 else ""
        say(without_secrets(f"Fields that changed: {', '.join(some)}{more}."))


def _line(made: Comparison) -> str:
    """The result in one line."""
    one, other = made.sides
    words = f"{one.name} ({one.rows:,} rows) against {other.name} ({other.rows:,}): {counts_words(made)}."
    return f"{words} {mask_words(made)}"
