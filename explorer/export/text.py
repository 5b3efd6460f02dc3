"""Rows to text that other programs read: JSON Lines, JSON and CSV, each row from its own bytes.

A format is a function of rows alone: the same rows give the same bytes, whatever came between, so that a file
can be compared with the store and written on (see `explorer.cli.output`).

JSON Lines gives each record as it was received. A record that came with line breaks in it (pretty-printed) is
put on one line by taking out the white space outside its strings; digits, escapes and the order of keys stay.

JSON gives the same lines as one array, so a file of it is whole only with its last line.

CSV gives one column for each field of the resource's record, in the contract's order, and a last column
``other_fields`` with what the contract does not name. Texts stand as they are, all else as the JSON that was
received. Absent and null give an empty cell, an empty text gives ``""``. A cell that a spreadsheet would take
for a formula gets an apostrophe in front; plain numbers do not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any, Literal, Protocol

import msgspec

Form = Literal["jsonl", "json", "csv"]
"""The forms that are text."""
FileForm = Literal["jsonl", "json", "csv", "parquet"]
"""The forms of a file."""
OTHER_FIELDS = "other_fields"


class Writer(Protocol):
    """How one format writes: what stands before all rows, each row, and what stands after the last, as UTF-8.

    A writer is for one file: it is given every row of it, from the first on.
    """

    def head(self) -> bytes: ...

    def row(self, record: bytes) -> bytes: ...

    def tail(self) -> bytes: ...


def writer(form: Form, fields: Sequence[str]) -> Writer:
    """The writer of a format; ``fields`` are the columns of a CSV."""
    match form:
        case "jsonl":
            return JsonLines()
        case "json":
            return JsonArray()
    return Csv(fields)


def chunk(writer: Writer, records: Iterable[bytes]) -> bytes:
    """Several rows at once."""
    return b"".join(map(writer.row, records))


class JsonLines:
    """One record a line, as received."""

    def head(self) -> bytes:
        return b""

    def row(self, record: bytes) -> bytes:
        return one_line(record) + b"\n"

    def tail(self) -> bytes:
        return b""


class JsonArray:
    """One array, one record a line, as received."""

    def __init__(self) -> None:
        self._before = b"\n"

    def head(self) -> bytes:
        return b"["

    def row(self, record: bytes) -> bytes:
        line = self._before + one_line(record)
        self._before = b",\n"
        return line

    def tail(self) -> bytes:
        return b"\n]\n"


_STRING_OR_SPACE = re.compile(rb'("[^"\\]*(?:\\.[^"\\]*)*")|[ \t\r\n]+', re.DOTALL)


def one_line(record: bytes) -> bytes:
    """``record`` (one JSON value) without line breaks; as it is when it has none."""
    if b"\n" not in record and b"\r" not in record:
        return record
    return _STRING_OR_SPACE.sub(lambda match: match[1] or b"", record)


_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_PLAIN_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")


def guarded(text: str) -> str:
    """``text``, with an apostrophe in front if a spreadsheet would run it as a formula."""
    if text.startswith(_FORMULA) and not _PLAIN_NUMBER.fullmatch(text):
        return "'" + text
    return text


class Csv:
    """One record a line, one field a column; commas between, line feeds after, quotes where they are needed."""

    def __init__(self, fields: Sequence[str]) -> None:
        self.fields = tuple(fields)
        self._known = frozenset(fields)

    def head(self) -> bytes:
        return _line([_quoted(name) for name in (*self.fields, OTHER_FIELDS)])

    def row(self, record: bytes) -> bytes:
        """One line. A record that is no object stands whole in the last column."""
        values = members(record)
        if values is None:
            return _line(["" for _ in self.fields] + [csv_cell(json_text(one_line(record)))])
        cells = [_of_json(values[name]) if name in values else "" for name in self.fields]
        rest = {name: raw for name, raw in values.items() if name not in self._known}
        return _line([*cells, csv_cell(joined(rest)) if rest else ""])

    def tail(self) -> bytes:
        return b""


def _line(cells: list[str]) -> bytes:
    # A text may hold half a character (a lone surrogate), which UTF-8 has no form for: it stands as its escape.
    return (",".join(cells) + "\n").encode("utf-8", "backslashreplace")


def _quoted(text: str) -> str:
    if text == "" or any(c in text for c in ',"\n\r'):
        return '"' + text.replace('"', '""') + '"'
    return text


def csv_cell(text: str) -> str:
    """A text as one cell of a CSV: quoted where it must be, and no formula."""
    return _quoted(guarded(text))


def _of_json(raw: bytes) -> str:
    """The cell of one JSON value."""
    if raw == b"null":
        return ""
    if raw.startswith(b'"'):
        return csv_cell(string(raw))
    return csv_cell(json_text(one_line(raw)))


def string(raw: bytes) -> str:
    """The value of a JSON string."""
    try:
        return msgspec.json.decode(raw, type=str)
    except (msgspec.DecodeError, UnicodeDecodeError):  # half a character, which Python's own reader allows
        return str(json.loads(json_text(raw)))


def json_text(raw: bytes) -> str:
    """JSON's bytes as text; half a character that came as bytes stays as half."""
    return raw.decode("utf-8", "surrogatepass")


_OBJECT = msgspec.json.Decoder(dict[str, msgspec.Raw])


def members(record: bytes) -> dict[str, bytes] | None:
    """The members of an object, each value in its own bytes; None for any other value. The last of a name wins."""
    if not record.lstrip().startswith(b"{"):
        return None
    try:
        return {name: bytes(raw) for name, raw in _OBJECT.decode(record).items()}
    except (msgspec.DecodeError, UnicodeDecodeError):
        return _members_slowly(json_text(record))


_SPACE = re.compile(r"[ \t\r\n,:]*")


def _members_slowly(text: str) -> dict[str, bytes] | None:
    """The same by Python's reader, which lets half characters pass."""
    read = json.JSONDecoder().raw_decode
    found: dict[str, bytes] = {}

    def skip(index: int) -> int:
        match = _SPACE.match(text, index)
        return match.end() if match else index

    try:
        at = skip(text.index("{") + 1)
        while text[at] != "}":
            name, at = read(text, at)
            start = skip(at)
            _, at = read(text, start)
            found[name] = text[start:at].encode("utf-8", "surrogatepass")
            at = skip(at)
    except (ValueError, IndexError):
        return None
    return found


def joined(found: dict[str, bytes]) -> str:
    """An object of these members, on one line."""
    pairs: list[Any] = [
        f"{json.dumps(name, ensure_ascii=False)}:{json_text(one_line(raw))}" for name, raw in found.items()
    ]
    return "{" + ",".join(pairs) + "}"
