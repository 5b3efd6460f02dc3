"""Rows out of a table: to the clipboard or to a file, in pieces, so that a million do not hold the window."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Sequence
from pathlib import Path
from typing import Literal

from explorer import export
from explorer.catalog.spec import Column
from explorer.ui.models.cells import field_bytes, shown_text
from explorer.ui.models.json_text import lenient_text, parts, trim
from explorer.ui.plain import visible

CopyForm = Literal["json", "jsonl", "tsv", "ids"]
Pieces = Iterable[list[bytes]] | AsyncIterable[list[bytes]]
"""Records as received, some at a time."""
CLIPBOARD_BOUND = 32_000_000
"""Bytes of UTF-8 that go to the clipboard; more is for a file. Room for the ids of two million rows, or a quarter of a
million lines for a spreadsheet; whoever pastes them takes them into memory several times over."""


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
) -> str:
    """The rows as text for the clipboard. Raises TooMuch past `CLIPBOARD_BOUND`.

    ``on_progress`` gets the number of rows read so far.
    """
    # As bytes, and one for each piece: a text for each row takes 50 bytes beside its characters, and each character
    # two or four bytes where one of them is outside Latin.
    between = ",\n" if form == "json" else ""
    made = ["\t".join(columns).encode() + b"\n"] if form == "tsv" else []
    length = count = 0
    async for piece in _each(pieces):
        if not piece:
            continue
        made.append(between.join([_line(form, raw, columns) for raw in piece]).encode())
        count += len(piece)
        length += len(made[-1]) + len(between)
        if length > CLIPBOARD_BOUND:
            raise TooMuch
        if on_progress is not None:
            on_progress(count)
        await asyncio.sleep(0)
    data = between.encode().join(made)
    made.clear()
    whole = data.decode()
    return f"[\n{whole}\n]" if form == "json" and count != 1 else whole


def _line(form: CopyForm, raw: bytes, columns: Sequence[str]) -> str:
    if form == "json":
        return encodable(lenient_text(raw))
    if form == "jsonl":
        return encodable(lenient_text(export.one_line(raw))) + "\n"
    if form == "ids":
        value = field_bytes(raw, "id")
        return (shown_text(value) if value is not None else "") + "\n"
    start, end = trim(raw)
    found = {m.key: raw[m.start : m.end] for m in parts(raw, start, end).members}
    return "\t".join(_tsv(found.get(name)) for name in columns) + "\n"


def _tsv(value: bytes | None) -> str:
    """One cell for a spreadsheet: null and absent are empty, no tab or line break, no formula (practice)."""
    if value is None or value == b"null":
        return ""
    text = shown_text(value)
    flat = text.replace("\r\n", " ").replace("\n", " ").replace("\r", " ").replace("\t", " ")
    return export.guarded(flat)


def encodable(text: str) -> str:
    """``text`` with half surrogates and stray bytes as visible signs: nothing else can be put on a clipboard."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return "".join(visible(c) if 0xD800 <= ord(c) <= 0xDFFF else c for c in text)
    return text


async def exported(
    path: Path,
    form: export.FileForm,
    pieces: Pieces,
    columns: Sequence[Column],
    on_progress: Callable[[int], None],
) -> int:
    """Write rows to ``path``: whole or not at all, readable by this user alone. Returns how many. Raises OSError.

    ``on_progress`` gets the number of rows written so far. Parquet of many rows is a folder (`export.parquet`).
    """
    if form == "parquet":
        return await _to_parquet(path, pieces, columns, on_progress)
    writer = export.writer(form, [c.field for c in columns])
    handle, name = await asyncio.to_thread(tempfile.mkstemp, prefix=".export-", dir=path.parent)
    written = 0
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(writer.head())
            async for piece in _each(pieces):
                data = export.chunk(writer, piece)
                await asyncio.to_thread(file.write, data)
                written += len(piece)
                on_progress(written)
            file.write(writer.tail())
        await asyncio.to_thread(os.replace, name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)  # noqa: ASYNC240 - quick, and must happen when this is cancelled too
        raise
    return written


async def _to_parquet(
    path: Path, pieces: Pieces, columns: Sequence[Column], on_progress: Callable[[int], None]
) -> int:
    from explorer.export.parquet import ParquetOut

    # In threads: its library takes a tenth of a second to load, and a row group as long to pack.
    out = await asyncio.to_thread(ParquetOut, path, [(c.field, c.kind) for c in columns])
    try:
        async for piece in _each(pieces):
            await asyncio.to_thread(out.write, piece)
            on_progress(out.rows)
        await asyncio.to_thread(out.finish)
    except BaseException:
        out.drop()
        raise
    return out.rows
