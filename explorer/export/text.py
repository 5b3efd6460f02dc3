"""Rows to text that other programs read: JSON Lines, JSON and CSV, each row from its own bytes.

A format is a function of rows alone: the same rows give the same bytes, whatever came between, so that a file
can be compared with the store and written on (see `explorer.cli.output`).

JSON Lines gives each record as it was received. A record that came with line breaks in it (pretty-printed) is
put on one line by taking out the white space outside its strings; digits, escapes and the order of keys stay. A line
break that stands raw within a string, which no JSON allows, becomes its escape there.

JSON gives the same lines as one array, so a file of it is whole only with its last line.

CSV gives one column for each field of the resource's record, in the contract's order, and a last column
``other_fields`` with what the contract does not name. Texts stand as they are, all else as the JSON that was
received. Absent and null give an empty cell, an empty text gives ``""``. A cell that a spreadsheet would take
for a formula gets an apostrophe in front; plain numbers do not. A record that a table cannot hold as it came
(bytes that are no UTF-8, nesting by thousands, no JSON at all) has its row all the same, and `MARK` in ``other_fields``
says why.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, Protocol

import msgspec

from explorer.jsontext.cut import Unsliceable, object_members
from explorer.jsontext.strict import OBJECT, REFUSED

Form = Literal["jsonl", "json", "csv"]
"""The forms that are text."""
FileForm = Literal["jsonl", "json", "csv", "parquet"]
"""The forms of a file."""
OTHER_FIELDS = "other_fields"
MARK = "(marked)"
"""The name under which ``other_fields`` says why a record could not be written as it came; no field is called so."""
STRAY = "bytes that are not UTF-8 are shown as \\xNN"
DEEP = "nested deeper than most programs read"
UNREAD = "not readable JSON"


class Writer(Protocol):
    """How one format writes: what stands before all rows, each row, and what stands after the last, as UTF-8.

    A writer is for one file: it is given every row of it, from the first on. ``marked`` of them could not be written as
    they came.
    """

    marked: int

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

    marked = 0

    def head(self) -> bytes:
        return b""

    def row(self, record: bytes) -> bytes:
        return one_line(record) + b"\n"

    def tail(self) -> bytes:
        return b""


class JsonArray:
    """One array, one record a line, as received."""

    marked = 0

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


_STRING_OR_SPACE = re.compile(rb'("(?:[^"\\]++|\\.)*+"?)|[ \t\r\n]+', re.DOTALL)
_ESCAPED_OR_BREAK = re.compile(rb"\\?[\r\n]|\\.", re.DOTALL)
_BOUNDS = b'{}[],:"'


def one_line(record: bytes) -> bytes:
    """``record`` (one JSON value) without line breaks; as it is when it has none. Takes any bytes."""
    if b"\n" not in record and b"\r" not in record:
        return record

    def tight(match: re.Match[bytes]) -> bytes:
        if match[1] is not None:
            return _ESCAPED_OR_BREAK.sub(_break_escaped, match[1])
        before, after = record[: match.start()][-1:], record[match.end() : match.end() + 1]
        # In what is no JSON two values may stand side by side: they stay two.
        return b"" if before in _BOUNDS or after in _BOUNDS else b" "

    return _STRING_OR_SPACE.sub(tight, record)


def _break_escaped(match: re.Match[bytes]) -> bytes:
    return {b"\n": b"\\n", b"\r": b"\\r"}.get(match[0][-1:], match[0])


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
        self.marked = 0

    def head(self) -> bytes:
        return _line([_quoted(name) for name in (*self.fields, OTHER_FIELDS)])

    def row(self, record: bytes) -> bytes:
        """One line. A record that is no object stands whole in the last column."""
        values, mark = members(record)
        self.marked += bool(mark)
        if values is None:
            return _line(["" for _ in self.fields] + [csv_cell(whole(record, mark))])
        cells = [_of_json(values[name]) if name in values else "" for name in self.fields]
        rest = {name: raw for name, raw in values.items() if name not in self._known}
        return _line([*cells, csv_cell(joined(rest, mark)) if rest or mark else ""])

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
    """The value of a JSON string; what cannot be read as one stands as it came."""
    try:
        return msgspec.json.decode(raw, type=str)
    except (msgspec.MsgspecError, UnicodeDecodeError):  # what Python's own reader allows, or stray bytes
        text = json_text(raw)
    try:
        return str(json.loads(text, strict=False))
    except ValueError:
        return text


def _stray(error: UnicodeError) -> tuple[str, int]:
    """Bytes that are no UTF-8 as signs that anybody can read, and that are whole within a JSON string."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return "".join(f"\\\\x{byte:02x}" for byte in error.object[error.start : error.end]), error.end


codecs.register_error("explorer.stray", _stray)


def json_text(raw: bytes) -> str:
    """JSON's bytes as text; half a character that came as bytes stays as half, other stray bytes are written out."""
    return raw.decode("utf-8", "surrogatepass") if is_utf8(raw) else raw.decode("utf-8", "explorer.stray")


def is_utf8(raw: bytes) -> bool:
    """Whether bytes are text, half characters included."""
    try:
        return raw.isascii() or bool(raw.decode("utf-8", "surrogatepass"))
    except UnicodeDecodeError:
        return False


def members(record: bytes) -> tuple[dict[str, bytes] | None, str]:
    """The members of an object, each value in its own bytes, the last of a name; None for any other value. And why the
    record cannot be written as it came; empty when it can.
    """
    mark = "" if is_utf8(record) else STRAY
    if not record.lstrip().startswith(b"{"):
        return None, mark
    try:
        return {name: bytes(raw) for name, raw in OBJECT.decode(record).items()}, mark
    except REFUSED:
        mark = mark or _why_odd(record)
    try:
        return object_members(record), mark
    except Unsliceable:
        return None, UNREAD


def _why_odd(record: bytes) -> str:
    """Why no reader takes a record that msgspec refused; empty where Python's does, as with half a character or NaN."""
    try:
        json.loads(json_text(record), strict=False)
    except RecursionError:
        return DEEP
    except ValueError:
        return UNREAD
    return ""


def joined(found: Mapping[str, bytes], mark: str = "") -> str:
    """An object of these members, on one line; the mark stands first."""
    pairs = [f"{json.dumps(MARK)}:{json.dumps(mark)}"] if mark else []
    pairs += [
        f"{json.dumps(name, ensure_ascii=False)}:{json_text(one_line(raw))}" for name, raw in found.items()
    ]
    return "{" + ",".join(pairs) + "}"


def whole(record: bytes, mark: str) -> str:
    """A record that is no object, on one line."""
    text = json_text(one_line(record))
    return joined({"record": json.dumps(text).encode()}, mark) if mark else text
