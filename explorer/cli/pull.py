"""``pull RESOURCE``: fetches all pages of a list, stores them as they arrive, and writes the rows in a format."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

import typer

from explorer.api.errors import EndNotShown
from explorer.catalog.fields import fields_of
from explorer.catalog.registry import Registry
from explorer.catalog.request import lacking
from explorer.catalog.spec import Listing
from explorer.cli import options
from explorer.cli.exits import Exit, UsageFault, ending, without_secrets
from explorer.cli.output import Output, ParquetOutput
from explorer.cli.registry import registry_of_whom
from explorer.cli.target import Target, session_of, target_of
from explorer.cli.words import key_words, on_terminal, plain, say
from explorer.export.text import FileForm, writer
from explorer.store.values import PageDamaged
from explorer.words import count

if TYPE_CHECKING:
    from explorer.api.exchanges import Exchange, Exchanges
    from explorer.session import Pull, PullInfo


@dataclass(frozen=True, slots=True)
class PullOptions:
    """The arguments of one pull."""

    listing: Listing
    query: Mapping[str, Any]
    extra: Sequence[tuple[str, str]]
    form: FileForm
    out: Path | None
    resume: bool
    max_pages: int | None


@options.command_of
def pull(
    resource: Annotated[
        str, typer.Argument(metavar="RESOURCE", help="A list's key, as ats/job; see `resources`.")
    ],
    whom: options.TargetOptions,
    form: Annotated[
        Literal["jsonl", "json", "csv", "parquet"],
        typer.Option("--format", help="JSON Lines or JSON (records as received), CSV or Parquet."),
    ] = "jsonl",
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write to FILE instead of standard output.")
    ] = None,
    page_size: Annotated[
        float | None, typer.Option("--page-size", metavar="N", help="Ask for N records a page.")
    ] = None,
    sync_mode: Annotated[
        Literal["full", "incremental"] | None,
        typer.Option("--sync-mode", help="Sync mode, if the list accepts one."),
    ] = None,
    param: options.Parameters = None,
    max_pages: Annotated[
        int | None,
        typer.Option("--max-pages", metavar="N", min=1, help="Stop after N pages with records in this run."),
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Continue the saved pull, and FILE.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    deadline: options.Deadline = None,
    timeout: options.Timeout = None,
) -> None:
    """Stream all pages of a list as JSON Lines, JSON or CSV, or write them to Parquet."""
    listing = _listing(resource, registry_of_whom(whom))
    query, extra = _parameters(listing, page_size, sync_mode, options.pairs(param))
    if lacks := lacking(listing, query, extra):
        ways = " ".join(f"--param {name}=VALUE" for name in lacks)
        raise UsageFault(f"{listing.key} needs {' and '.join(lacks)}: add {ways}. Nothing was sent.")
    if out is not None and not out.parent.is_dir():
        raise UsageFault(f"There is no folder {out.parent} for the file.")
    if as_json and form not in ("jsonl", "json"):
        raise UsageFault(f"--json is the same as --format json, and --format {form} is something else.")
    asked = PullOptions(listing, query, extra, "json" if as_json else form, out, resume, max_pages)
    with target_of(whom) as target:
        try:
            code = asyncio.run(_run(target.within(deadline, timeout), asked))
        except KeyboardInterrupt:
            code = Exit.STOPPED  # how many rows are kept has been printed
    raise typer.Exit(code)


def _listing(key: str, registry: Registry) -> Listing:
    """The list of that key, or of that path as its document writes it. Raises UsageFault."""
    for resource in registry.listings():
        if resource.listing is not None and resource.listing.path.replace("{@", "{") == key:
            return resource.listing
    try:
        return registry.listing(key.strip("/"))
    except KeyError:
        known = ", ".join(r.key for r in registry.listings())
        raise UsageFault(f"{key!r} is not a list that can be pulled. Lists are: {known}.") from None


def _parameters(
    listing: Listing, page_size: float | None, sync_mode: str | None, given: Sequence[tuple[str, str]]
) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """The parameters that the catalog declares, by name, and the others as given, in order."""
    models = (listing.path_input, listing.query, *((listing.body,) if listing.body is not None else ()))
    fields = {f.name: f for model in models for f in fields_of(model)}
    query: dict[str, Any] = {}
    extra: list[tuple[str, str]] = []
    size = None if page_size is None else int(page_size) if page_size.is_integer() else page_size
    # Where the list declares no parameter for it, the option is sent under its own name, as the user asked.
    for name, value in ((listing.size_param or "page_size", size), ("sync_mode", sync_mode)):
        if value is None:
            continue
        if name in fields:
            query[name] = value
        else:
            say(f"The contract shows no {name} for {listing.key}; it is sent anyway.")
            extra.append((name, str(value)))
    for name, value in given:
        if name in fields and name not in query:
            query[name] = _typed(value, fields[name].kind)
        else:
            extra.append((name, value))
    return query, extra


def _typed(value: str, kind: str) -> Any:
    """A number as an int, so that the window finds the same pull, JSON as its value; anything else as given."""
    if kind in ("number", "object", "array"):
        try:
            return int(value) if kind == "number" else json.loads(value)
        except ValueError:
            return value
    return value


def _output(asked: PullOptions) -> Output | ParquetOutput:
    """The output for the format. Raises UsageFault when it cannot be written there."""
    fields = fields_of(asked.listing.record)
    if asked.form == "parquet":
        return ParquetOutput([(field.name, field.kind) for field in fields], asked.out)
    return Output(writer(asked.form, [field.name for field in fields]), asked.out)


async def _run(target: Target, asked: PullOptions) -> Exit:
    output = _output(asked)
    async with session_of(target) as session:
        for notice in session.notices:
            say(notice)
        walk = session.pull(asked.listing, asked.query, asked.extra, which="newest")
        before = walk.standing.front
        try:
            with Progress(session.exchanges, walk):
                await _mend(walk, asked)
                try:
                    await _walk(walk, output, asked)
                except PageDamaged:
                    if not asked.resume:
                        raise
                    # Damage was found while rows were read: check all pages.
                    await _mend(walk, asked)
                    output = _output(asked)
                    await _walk(walk, output, asked)
        except asyncio.CancelledError:
            output.close(whole=False)
            say(f"Stopped. {_kept(walk)}; --resume continues.")
            _say_front(walk, before)
            raise
        except PageDamaged as fault:
            output.close(whole=False)
            sentence, code = ending(fault)
            say(sentence)
            _say_left(output, asked)
            return code
        code = _end(walk, output, before)
        _say_left(output, asked)
        return code


async def _mend(walk: Pull, asked: PullOptions) -> None:
    """With --resume: fetches damaged pages again. Raises PageDamaged when the service no longer returns them."""
    if not asked.resume:
        return
    await asyncio.sleep(0)  # a failed read changes the pull's state only in the loop's next turn
    if not isinstance(walk.error, PageDamaged):
        return
    say(walk.error.sentence)
    walk.retry()
    await walk.more()
    if isinstance(walk.error, PageDamaged):
        raise walk.error
    pages = ", ".join(f"{number:,}" for number in walk.mended)
    say(
        f"Fetched again by its cursor, with the same rows: page {pages}."
        if pages
        else "The pull continues from there."
    )


def _say_left(output: Output | ParquetOutput, asked: PullOptions) -> None:
    if output.left:
        say(f"{asked.out} was not changed: only a complete file replaces it.")


async def _walk(walk: Pull, output: Output | ParquetOutput, asked: PullOptions) -> None:
    left = asked.max_pages
    if asked.resume:
        if walk.pages:
            output.catch_up(walk.window, walk.rows)
            _say_what_was_there(walk, output, asked.out)
    else:
        # Fetches the first page. Until it arrives, neither the stored pull nor the file is changed.
        await walk.restart()
        left = None if left is None else left - 1
    if walk.last_page is not None:
        output.write(walk.window(output.rows, walk.rows))
    if walk.state == "ready" and (left is None or left > 0):
        await walk.load_all(lambda: output.write(walk.window(output.rows, walk.rows)), most=left)


def _say_what_was_there(walk: Pull, output: Output | ParquetOutput, path: Path | None) -> None:
    if output.mended:
        say(f"{path} does not match the saved rows; it is replaced when all rows are loaded.")
    last = walk.page_list(walk.pages - 1)[-1]
    when = last.received_at.astimezone().strftime("%Y-%m-%d %H:%M:%S")
    say(f"Continuing after {count(walk.rows, 'row')} of {count(walk.pages, 'page')}, the last from {when}.")


def _kept(walk: Pull) -> str:
    return f"{count(walk.rows, 'row')} of {count(walk.pages, 'page')} kept"


def _say_front(walk: Pull, before: PullInfo | None) -> None:
    """Says whether the pull that was current ``before`` still is, or is the previous one now."""
    if before is None or not before.settled or before.id == walk.stored_id:
        return
    rows, key = count(before.rows, "row"), walk.listing.key
    said = f"The pull of {before.updated_at.astimezone():%Y-%m-%d %H:%M} ({rows}"
    if walk.settled:
        say(f"{said}) is now the previous pull: compare previous:{key} with pull:{key}.")
    else:
        complete = ", complete" if before.state == "complete" else ""
        say(f"{said}{complete}) stays current until this one is complete.")


def _end(walk: Pull, output: Output | ParquetOutput, before: PullInfo | None) -> Exit:
    _say_notes(walk)
    _say_unfit(walk)
    _say_marked(output)
    if walk.with_key:
        say(key_words(walk.with_key))
    _say_front(walk, before)
    if walk.error is not None:
        # After EndNotShown nothing follows: the file has all rows that the service returned.
        output.close(whole=isinstance(walk.error, EndNotShown))
        sentence, code = ending(walk.error)
        say(sentence)
        if isinstance(walk.error, EndNotShown):
            say(f"{_kept(walk)}, ended by the service, not shown to be complete.")
            return code
        say(f"{_kept(walk)}." if walk.state == "stopped" else f"{_kept(walk)}; --resume continues.")
        return code
    output.close(whole=True)
    if walk.may_be_cut:
        say(
            f"The list ended after one page of exactly {count(walk.rows, 'row')}: it may be cut off "
            "there. Try another page size, if the list takes one, and compare."
        )
    end = "complete" if walk.state == "complete" else "more to come; --resume continues"
    say(f"{count(walk.rows, 'row')} of {count(walk.pages, 'page')}, {end}.")
    return Exit.DONE


def _say_unfit(walk: Pull) -> None:
    if walk.unfit:
        say(
            f"{count(walk.unfit, 'record')} {'does' if walk.unfit == 1 else 'do'} not fit the contract:"
            f" `check {walk.listing.key}` says how."
        )
    if walk.observed:
        say(
            f"{count(walk.observed, 'record has', 'records have')} null where the contract has none, as running"
            " services send it: observed, and no defect."
        )


def _say_marked(output: Output | ParquetOutput) -> None:
    if output.marked:
        say(
            f"{count(output.marked, 'record')} could not be written as received in this format: "
            "other_fields marks each and says why. --format jsonl gives the bytes as received."
        )


def _say_notes(walk: Pull) -> None:
    """Prints each oddity of the pages' envelopes once, with the pages that have it."""
    found: dict[str, list[int]] = {}
    for page in walk.page_list(noted=True):
        for note in page.notes:
            found.setdefault(note, []).append(page.number)
    for note, numbers in found.items():
        more = f" and {len(numbers) - 1} more" if len(numbers) > 1 else ""
        say(without_secrets(f"Page {numbers[0]}{more}: {note}"))


class Progress:
    """Shows progress on standard error within its context. There is no total, because a list does not tell it."""

    def __init__(self, exchanges: Exchanges, walk: Pull) -> None:
        self._exchanges = exchanges
        self._walk = walk
        self._bar: Any = None
        self._task: Any = None
        self._ends: list[Any] = []
        self._said: set[tuple[int, str]] = set()

    def __enter__(self) -> Self:
        if on_terminal():
            self._bar, self._task = _bar(self._walk.listing.title)
            self._bar.start()
        self._ends = [self._exchanges.subscribe(self._exchange), self._walk.subscribe(self._moved)]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for end in self._ends:
            end()
        if self._bar is not None:
            self._bar.stop()

    def _moved(self) -> None:
        if self._bar is not None:
            words = f"{count(self._walk.rows, 'row')} · {count(self._walk.pages, 'page')}"
            self._bar.update(self._task, completed=self._walk.rows, rows=words)

    def _exchange(self, exchange: Exchange) -> None:
        """Prints one line for each attempt that failed and is retried."""
        key = (exchange.id, exchange.summary)
        if not exchange.summary.startswith("retry") or key in self._said:
            return
        self._said.add(key)
        what = str(exchange.status) if exchange.status else exchange.reason or "no answer"
        line = f"Page {exchange.page}: {what}, {exchange.summary}"
        if self._bar is not None:
            self._bar.console.print(plain(line), markup=False, highlight=False)
        else:
            say(line)


def _bar(title: str) -> tuple[Any, Any]:
    # Here, as rich is needed on a terminal only.
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as RichProgress

    bar = RichProgress(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=24),
        TextColumn("{task.fields[rows]}", markup=False),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    return bar, bar.add_task(title, total=None, rows="")
