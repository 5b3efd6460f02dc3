"""Rows out of a table: to the clipboard or to a file, in pieces, so that a million do not hold the window."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import AsyncIterable, AsyncIterator, Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import Literal, NamedTuple, TypeVar

from explorer import export, words
from explorer.api.errors import ExplorerError
from explorer.catalog.spec import Column
from explorer.export.beside import Beside
from explorer.jsontext.members import finished, kind_at, parts, trim, walked
from explorer.jsontext.pieces import AT_ONCE
from explorer.ui.kit.visible import COPY_BOUND, encodable_octets, shown_text
from explorer.ui.records.records import Rows
from explorer.work import by_size, to_end

Made = TypeVar("Made")
CopyForm = Literal["json", "jsonl", "tsv", "csv", "markdown", "ids"]
Pieces = Iterable[list[bytes]] | AsyncIterable[list[bytes]]
"""Records as received, some at a time."""
CLIPBOARD_BOUND = 32_000_000
"""Bytes of UTF-8 that go to the clipboard; more is for a file. Room for the ids of two million rows, or a quarter of a
million lines for a spreadsheet; whoever pastes them takes them into memory several times over."""
CELL_TOO_MUCH = "The value is too much for the clipboard: export the row to a file"
_MARKED = re.compile(r"[\\`*_|<>\[\]~]")
"""What Markdown would take for a mark; a backslash before it makes it the character that it is."""
_PIECE = 200
"""Rows that are read at one time."""


_LINES_AT_ONCE = 400_000
"""Bytes of records of which lines are made within a turn of the loop: some 10 ms."""


class TooMuch(Exception):
    """The rows are more than the clipboard should hold."""


async def _each(pieces: Pieces) -> AsyncIterator[list[bytes]]:
    if isinstance(pieces, AsyncIterable):
        async for piece in pieces:
            yield piece
    else:
        for piece in pieces:
            yield piece


async def copied(
    form: CopyForm,
    pieces: Pieces,
    columns: Sequence[str],
    on_progress: Callable[[int], None] | None = None,
) -> bytes:
    """The rows as text for the clipboard, in UTF-8. Raises TooMuch past `CLIPBOARD_BOUND`.

    ``on_progress`` gets the number of rows read so far.
    """
    # As bytes, and one for each piece: a text for each row takes 50 bytes beside its characters, and each character
    # two or four bytes where one of them is outside Latin.
    between = ",\n" if form == "json" else ""
    head = _head(form, columns).encode()
    made = [head] if head else []
    length = count = 0
    async for piece in _each(pieces):
        if not piece:
            continue
        size = sum(map(len, piece))
        made.append(await by_size(size, _lines, form, piece, columns, between, at_once=_LINES_AT_ONCE))
        count += len(piece)
        length += len(made[-1]) + len(between)
        if length > CLIPBOARD_BOUND:
            raise TooMuch
        if on_progress is not None:
            on_progress(count)
        await asyncio.sleep(0)
    data = between.encode().join(made)
    made.clear()
    return b"[\n" + data + b"\n]" if form == "json" and count != 1 else data


def cell_text(raw: bytes, field: str) -> str | None:
    """One field of a record for the clipboard: a text without its quotes, nothing for an absent one.

    None where it is too much.
    """
    try:
        value = _fields(raw, (field,)).get(field)
    except TooMuch:
        return None
    if value is not None and len(value) > COPY_BOUND:
        return None
    return shown_text(value) if value is not None else ""


def _fields(raw: bytes, names: Collection[str]) -> dict[str, bytes]:
    """The fields of those names. Of a large record a member at a time: msgspec would hold every thread until it has
    read all of it. Raises TooMuch where they are more than the clipboard should hold.
    """
    start, end = trim(raw)
    if len(raw) <= AT_ONCE:
        return {m.key: raw[m.start : m.end] for m in parts(raw, start, end).members if m.key in names}
    walk = walked(raw, start, end) if kind_at(raw, start, end) in ("object", "array") else iter(())
    found = {member.key: member for member in walk if member is not None and member.key in names}
    if sum(member.end - member.start for member in found.values()) > CLIPBOARD_BOUND:
        raise TooMuch
    return {key: raw[member.start : member.end] for key, member in found.items()}


def _lines(form: CopyForm, piece: Sequence[bytes], columns: Sequence[str], between: str) -> bytes:
    if form in ("json", "jsonl"):
        return between.encode().join([_whole(form, raw) for raw in piece])
    return between.join([_line(form, raw, columns) for raw in piece]).encode()


def _whole(form: CopyForm, raw: bytes) -> bytes:
    """A record by its own bytes: made in pieces, as a thread that makes a large one at once holds the window's."""
    if len(raw) > CLIPBOARD_BOUND:
        raise TooMuch
    return (
        finished(encodable_octets(raw))
        if form == "json"
        else finished(encodable_octets(export.one_line(raw))) + b"\n"
    )


def _line(form: CopyForm, raw: bytes, columns: Sequence[str]) -> str:
    if form == "ids":
        value = _fields(raw, ("id",)).get("id")
        return _flat(shown_text(value) if value is not None else None) + "\n"
    found = _fields(raw, columns)
    return _row(form, [_text(found.get(name)) for name in columns])


def _head(form: CopyForm, columns: Sequence[str]) -> str:
    """What stands above the rows."""
    if form == "markdown":
        return _row(form, columns) + "|" + " --- |" * len(columns) + "\n"
    return _row(form, columns) if form in ("tsv", "csv") else ""


def _row(form: CopyForm, cells: Iterable[str | None]) -> str:
    """One line of a table; None is an empty cell, and in a CSV another one than an empty text."""
    if form == "csv":
        return ",".join("" if cell is None else export.csv_cell(cell) for cell in cells) + "\n"
    if form == "markdown":
        return "| " + " | ".join(_MARKED.sub(r"\\\g<0>", _flat(cell)) for cell in cells) + " |\n"
    return "\t".join(export.guarded(_flat(cell)) for cell in cells) + "\n"


def _text(value: bytes | None) -> str | None:
    """One cell; None for null and absent."""
    return None if value is None or value == b"null" else shown_text(value)


def _flat(text: str | None) -> str:
    """Without tabs and line breaks, which would end the cell or, in a list of ids, the line."""
    return (text or "").replace("\r\n", " ").replace("\n", " ").replace("\r", " ").replace("\t", " ")


class RowsGone(ExplorerError):
    """The rows are not those any more that were asked for: the list was asked anew, or cleared."""


async def as_kept(pull: Rows | None, total: int) -> AsyncIterator[list[bytes]]:
    """The first ``total`` rows of ``pull`` as received, in pieces, whatever the table makes of them."""
    for start in range(0, total if pull is not None else 0, _PIECE):
        if pull is not None:
            yield pull.window(start, min(start + _PIECE, total))


async def steady(pieces: Pieces, total: int, pull: object) -> AsyncIterator[list[bytes]]:
    """``pieces``, ``total`` rows of ``pull``, as long as they are. Raises RowsGone.

    Without this a list that begins anew in the middle would give a file of old and new rows, and one that was cleared
    a file of empty lines: both look whole.
    """
    kept, came = getattr(pull, "stored_id", None), 0
    async for piece in _each(pieces):
        if getattr(pull, "stored_id", None) != kept or not all(piece):
            break
        came += len(piece)
        yield piece
    if came != total:
        raise RowsGone(
            "The list was reloaded or cleared meanwhile.", "Do it again with the rows as they are now."
        )


class Written(NamedTuple):
    """What a file was given."""

    rows: int
    marked: int
    """Rows that could not be written as received: ``other_fields`` marks each."""

    @property
    def marked_words(self) -> str:
        """A sentence about them, to follow another; empty when there are none."""
        if not self.marked:
            return ""
        return (
            f". {words.count(self.marked, 'record')} could not be written as received in this format: "
            "other_fields marks each and says why. JSON Lines gives the bytes as received."
        )


async def exported(
    path: Path,
    form: export.FileForm,
    pieces: Pieces,
    columns: Sequence[Column],
    on_progress: Callable[[int], None],
) -> Written:
    """Write rows to ``path``: whole or not at all, readable by this user alone. Raises OSError.

    ``on_progress`` gets the number of rows written so far. Parquet of many rows is a folder (`export.parquet`).
    """
    if form == "parquet":
        return await _to_parquet(path, pieces, columns, on_progress)
    writer = export.writer(form, [c.field for c in columns])
    place = await _made(lambda: Beside(path), Beside.close)
    written = 0
    try:
        with os.fdopen(place.file(path.name), "wb") as file:
            file.write(writer.head())
            async for piece in _each(pieces):
                data = export.chunk(writer, piece)
                await to_end(file.write, data)
                written += len(piece)
                on_progress(written)
            file.write(writer.tail())
        await to_end(os.replace, place.folder / path.name, path)
    finally:
        place.close()
    return Written(written, writer.marked)


async def _to_parquet(
    path: Path, pieces: Pieces, columns: Sequence[Column], on_progress: Callable[[int], None]
) -> Written:
    from explorer.export.parquet import ParquetOut

    # In threads: its library takes a tenth of a second to load, and a row group as long to pack.
    fields = [(c.field, c.kind) for c in columns]
    out = await _made(lambda: ParquetOut(path, fields), ParquetOut.drop)
    try:
        async for piece in _each(pieces):
            await to_end(out.write, piece)
            on_progress(out.rows)
        await to_end(out.finish)
    except BaseException:
        out.drop()
        raise
    return Written(out.rows, out.marked)


async def _made(make: Callable[[], Made], undo: Callable[[Made], None]) -> Made:
    """What ``make`` gives, made in a thread; undone when it comes too late, to a caller that was stopped."""
    made: list[Made] = []
    try:
        await to_end(lambda: made.append(make()))
    except asyncio.CancelledError:
        for one in made:
            undo(one)
        raise
    return made[0]
