"""``open BUNDLE``: shows the runs of an evidence bundle, findings and rows. Needs no service, key or profile."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from explorer.cli.exits import CannotStart, Exit
from explorer.cli.window import has_window
from explorer.cli.words import plain, while_read
from explorer.quality.baseline.baseline import Standing
from explorer.quality.bundle.masking_kinds import masked_words
from explorer.quality.bundle.parts import BundleFault
from explorer.quality.bundle.read import Bundle, Found, read_bundle
from explorer.quality.engine.check import Example, Run
from explorer.quality.reports.json import as_json as report_json
from explorer.quality.reports.report import more_words, report_of, summary_of
from explorer.words import count

_LINE = 200
"""The most characters of a row that are printed; --rows prints all."""


def open_bundle(
    bundle: Annotated[Path, typer.Argument(metavar="BUNDLE", help="A file that `check --bundle` wrote.")],
    as_text: Annotated[bool, typer.Option("--text", help="Print it, even if a window could open.")] = False,
    rows: Annotated[bool, typer.Option("--rows", help="Print every sample row in full.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print its runs as `check --json` writes them.")
    ] = False,
) -> None:
    """Show a run from its evidence bundle. Nothing is asked of any service."""
    try:
        found = read_bundle(bundle)
    except BundleFault as fault:
        raise CannotStart(f"{bundle}: {fault}") from None
    if as_json:
        with while_read():
            sys.stdout.write(report_json(report_of(found.runs)).decode())
        raise typer.Exit(Exit.DONE)
    if not (as_text or rows or not _has_screen()):
        raise typer.Exit(_show(found))
    for line in _lines(found, whole=rows):
        sys.stdout.write(plain(line) + "\n")
    raise typer.Exit(Exit.DONE)


def _has_screen() -> bool:
    """Whether a window can open. When the output goes to a program and not to a terminal, text is printed."""
    if not sys.stdout.isatty() or not has_window():
        return False
    from explorer.ui.app.screen import missing_screen

    return not missing_screen(os.environ)


def _show(found: Bundle) -> int:
    """Shows the window until it is closed; returns the exit code."""
    from explorer.ui.app.screen import application
    from explorer.ui.kit.theme import theme
    from explorer.ui.pages.quality.bundle_window import BundleWindow

    app = application()
    theme().install()
    app.setQuitOnLastWindowClosed(True)
    window = BundleWindow(found)
    window.show()
    return int(app.exec())


def _lines(found: Bundle, *, whole: bool) -> Iterator[str]:
    masked = masked_words(found.masked)
    yield f"{found.path.name}: made by Unified Explorer {found.version}; masked: {masked}"
    for place, run in enumerate(found.runs, 1):
        yield ""
        yield from _head(place, run, len(found.exchanges[place - 1]))
        own = [one for one in found.findings if one.run == place]
        # What was accepted stands behind what needs a look.
        for one in sorted(own, key=lambda one: one.standing == Standing.KNOWN):
            yield from _finding(found, one, whole=whole)


def _head(place: int, run: Run, calls: int) -> Iterator[str]:
    head = run.head
    coverage = "" if head.coverage is None else f", mapping coverage {head.coverage:.0%}"
    read = f"{count(head.records, 'record')} of {count(head.pages, 'page')}, {count(calls, 'call')}"
    yield f"Run {place}: {run.profile} · {run.connection} · {run.started_at:%Y-%m-%d %H:%M} UTC"
    said = summary_of(head)
    yield f"{said[:1].upper()}{said[1:]}; {read}{coverage}."
    if run.stopped:
        yield f"It ended early: {run.stopped}."


def _finding(found: Bundle, one: Found, *, whole: bool) -> Iterator[str]:
    result, finding = one.result, one.finding
    said = f"{finding.sentence}: {count(finding.count, 'time')}" if finding else result.seen
    where = f" ({result.resource})" if result.resource else ""
    yield ""
    standing = f", {one.standing}" if one.standing else ""
    yield f"#{one.number} {result.verdict}{standing}: {result.check.sentence}{where}"
    yield f"   {said}"
    samples = {sample.example: sample for sample in found.rows(one.number)}
    for place, example in enumerate(finding.examples if finding else (), 1):
        yield f"   {_place(example)}"
        if place in samples:
            record = samples[place].record.decode("utf-8", "replace")
            yield f"      {record if whole else _cut(record)}"
        yield from (f"      {_cut(example.source_words)}",) if example.source else ()
    more = more_words(finding, len(finding.examples)) if finding else ""
    yield from (f"   {more}",) if more else ()
    numbers = result.exchanges if not finding else ()
    if numbers:
        yield f"   calls {', '.join(f'#{number}' for number in numbers)}"
    yield f"   {shlex.join(found.runs[one.run - 1].command(result))}"


def _cut(said: str) -> str:
    return said if len(said) <= _LINE else f"{said[:_LINE]}…"


def _place(example: Example) -> str:
    places = [f"page {example.page}"] if example.page else []
    places += [f"row {example.row}"] if example.row else []
    places += [f"call #{example.exchange}"] if example.exchange else []
    places += [f"id {example.id}"] if example.id else []
    return f"{', '.join(places) or 'call'}{': ' + example.value if example.value else ''}"
