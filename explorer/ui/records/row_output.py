"""Copying rows to the clipboard and exporting them to a file, in pieces, so that a million do not block the window."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import AsyncIterable, AsyncIterator, Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import Literal, NamedTuple, TypeVar

from explorer import words
from explorer.api.errors import ExplorerError
from explorer.catalog.spec import Column
from explorer.export.beside import Beside
from explorer.export.text import FileForm, chunk, csv_cell, guarded, one_line, writer
from explorer.files import rename
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
"""Most bytes of UTF-8 that are copied; more has to be exported to a file. It is enough for the ids of two million rows,
or for a quarter of a million lines of a spreadsheet. Programs that paste hold the text several times in memory."""
CELL_TOO_MUCH = "The value is too much for the clipboard: export the row to a file"
_MARKED = re.compile(r"[\\`*_|<>\[\]~]")
"""Characters that Markdown would read as markup; they are escaped with a backslash."""
_PIECE = 200
"""Rows that are read at a time."""


_LINES_AT_ONCE = 400_000
"""Bytes of records that are turned into lines in one turn of the loop: some 10 ms."""


class TooLarge(Exception):
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
    """The rows as text for the clipboard, in UTF-8. Raises TooLarge past `CLIPBOARD_BOUND`.

    ``on_progress`` gets the number of rows read so far.
    """
    # One bytes object for each piece: a str for each row has 50 bytes of overhead, and two or four bytes for each
    # character where one of them is outside Latin-1.
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
            raise TooLarge
        if on_progress is not None:
            on_progress(count)
        await asyncio.sleep(0)
    data = between.encode().join(made)
    made.clear()
    return b"[\n" + data + b"\n]" if form == "json" and count != 1 else data


def cell_text(raw: bytes, field: str) -> str | None:
    """One field of a record for the clipboard: a text without its quotes, an empty text for an absent field.

    None where it is larger than `CLIPBOARD_BOUND`.
    """
    try:
        value = _fields(raw, (field,)).get(field)
    except TooLarge:
        return None
    if value is not None and len(value) > COPY_BOUND:
        return None
    return shown_text(value) if value is not None else ""


def _fields(raw: bytes, names: Collection[str]) -> dict[str, bytes]:
    """The fields of those names. A large record is read a member at a time, as msgspec would block every thread until
    it has read all of it. Raises TooLarge past `CLIPBOARD_BOUND`.
    """
    start, end = trim(raw)
    if len(raw) <= AT_ONCE:
        return {m.key: raw[m.start : m.end] for m in parts(raw, start, end).members if m.key in names}
    walk = walked(raw, start, end) if kind_at(raw, start, end) in ("object", "array") else iter(())
    found = {member.key: member for member in walk if member is not None and member.key in names}
    if sum(member.end - member.start for member in found.values()) > CLIPBOARD_BOUND:
        raise TooLarge
    return {key: raw[member.start : member.end] for key, member in found.items()}


def _lines(form: CopyForm, piece: Sequence[bytes], columns: Sequence[str], between: str) -> bytes:
    if form in ("json", "jsonl"):
        return between.encode().join([_whole(form, raw) for raw in piece])
    return between.join([_line(form, raw, columns) for raw in piece]).encode()


def _whole(form: CopyForm, raw: bytes) -> bytes:
    """A record as received, on one line where ``form`` needs that. It is made in pieces, as a thread that makes a large
    text at once would block the window.
    """
    if len(raw) > CLIPBOARD_BOUND:
        raise TooLarge
    return (
        finished(encodable_octets(raw))
        if form == "json"
        else finished(encodable_octets(one_line(raw))) + b"\n"
    )


def _line(form: CopyForm, raw: bytes, columns: Sequence[str]) -> str:
    if form == "ids":
        value = _fields(raw, ("id",)).get("id")
        return _flat(shown_text(value) if value is not None else None) + "\n"
    found = _fields(raw, columns)
    return _row(form, [_text(found.get(name)) for name in columns])


def _head(form: CopyForm, columns: Sequence[str]) -> str:
    """The header line, or an empty text."""
    if form == "markdown":
        return _row(form, columns) + "|" + " --- |" * len(columns) + "\n"
    return _row(form, columns) if form in ("tsv", "csv") else ""


def _row(form: CopyForm, cells: Iterable[str | None]) -> str:
    """One line of a table. None gives an empty cell; in a CSV an empty text is quoted, to tell the two apart."""
    if form == "csv":
        return ",".join("" if cell is None else csv_cell(cell) for cell in cells) + "\n"
    if form == "markdown":
        return "| " + " | ".join(_MARKED.sub(r"\\\g<0>", _flat(cell)) for cell in cells) + " |\n"
    return "\t".join(guarded(_flat(cell)) for cell in cells) + "\n"


def _text(value: bytes | None) -> str | None:
    """One cell; None for null and absent."""
    return None if value is None or value == b"null" else shown_text(value)


def _flat(text: str | None) -> str:
    """Without tabs and line breaks, which would end the cell or, in a list of ids, the line."""
    return (text or "").replace("\r\n", " ").replace("\n", " ").replace("\r", " ").replace("\t", " ")


class RowsChanged(ExplorerError):
    """The list was reloaded or cleared while its rows were being read."""


async def stored_rows(pull: Rows | None, total: int) -> AsyncIterator[list[bytes]]:
    """The first ``total`` rows of ``pull`` in pieces, as received: not filtered or sorted as in the table."""
    for start in range(0, total if pull is not None else 0, _PIECE):
        if pull is not None:
            yield pull.window(start, min(start + _PIECE, total))


async def while_unchanged(pieces: Pieces, total: int, pull: object) -> AsyncIterator[list[bytes]]:
    """``pieces``, ``total`` rows of ``pull``; raises RowsChanged when the pull changes on the way.

    Otherwise a reload in the middle would give a file of old and new rows, and clearing the list one of empty lines,
    and both would look like a good export.
    """
    kept, came = getattr(pull, "stored_id", None), 0
    async for piece in _each(pieces):
        if getattr(pull, "stored_id", None) != kept or not all(piece):
            break
        came += len(piece)
        yield piece
    if came != total:
        raise RowsChanged(
            "The list was reloaded or cleared meanwhile.", "Do it again with the rows as they are now."
        )


class Written(NamedTuple):
    """What was written to a file."""

    rows: int
    marked: int
    """Rows that could not be written as received; the column ``other_fields`` marks each."""

    @property
    def marked_words(self) -> str:
        """A sentence about the marked rows, to be appended to another; empty when there are none."""
        if not self.marked:
            return ""
        return (
            f". {words.count(self.marked, 'record')} could not be written as received in this format: "
            "other_fields marks each and says why. JSON Lines gives the bytes as received."
        )


async def exported(
    path: Path,
    form: FileForm,
    pieces: Pieces,
    columns: Sequence[Column],
    on_progress: Callable[[int], None],
) -> Written:
    """Write rows to ``path``: whole or not at all, readable by this user alone. Raises OSError.

    ``on_progress`` gets the number of rows written so far. Parquet of many rows is a folder (`export.parquet`).
    """
    if form == "parquet":
        return await _to_parquet(path, pieces, columns, on_progress)
    made = writer(form, [c.field for c in columns])
    place = await _made(lambda: Beside(path), Beside.close)
    written = 0
    try:
        with os.fdopen(place.file(path.name), "wb") as file:
            file.write(made.head())
            async for piece in _each(pieces):
                data = chunk(made, piece)
                await to_end(file.write, data)
                written += len(piece)
                on_progress(written)
            file.write(made.tail())
        await to_end(rename, place.folder / path.name, path)
    finally:
        place.close()
    return Written(written, made.marked)


async def _to_parquet(
    path: Path, pieces: Pieces, columns: Sequence[Column], on_progress: Callable[[int], None]
) -> Written:
    from explorer.export.parquet import ParquetOut  # only where Parquet is wanted

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
    """The result of ``make``, run in a thread. If the caller is cancelled meanwhile, ``undo`` gets the result."""
    made: list[Made] = []
    try:
        await to_end(lambda: made.append(make()))
    except asyncio.CancelledError:
        for one in made:
            undo(one)
        raise
    return made[0]
