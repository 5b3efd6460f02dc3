"""Export to JSON Lines, JSON and CSV, each row made from the bytes of its record.

A format depends on the rows only: the same rows always give the same bytes, so that a file can be compared with the
store and continued (see `explorer.cli.output`).

JSON Lines has each record as received. A record with line breaks (pretty-printed) is put on one line by removing the
white space outside of its strings; digits, escapes and the order of keys stay. A raw line break within a string, which
JSON does not allow, becomes an escape.

JSON has the same lines as one array, so a file is complete only with its last line.

CSV has one column for each field of the resource's record, in the contract's order, and a last column ``other_fields``
with fields that the contract does not name. Texts are written as they are, everything else as JSON as received. Absent
and null give an empty cell, an empty text gives ``""``. A cell that a spreadsheet would run as a formula gets a leading
apostrophe; plain numbers do not. A record that cannot be written as received (bytes that are not UTF-8, thousands of
levels of nesting, not JSON at all) has a row all the same, and `MARK` in ``other_fields`` says why.
"""

from __future__ import annotations

import codecs
import importlib.util
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, Protocol

import msgspec

from explorer.jsontext.cut import Unsliceable, object_members
from explorer.jsontext.read import is_too_deep
from explorer.jsontext.strict import OBJECT, REFUSED

Form = Literal["jsonl", "json", "csv"]
"""The forms that are text."""
FileForm = Literal["jsonl", "json", "csv", "parquet"]
"""The forms of a file."""
OTHER_FIELDS = "other_fields"
MARK = "(marked)"
"""The key in ``other_fields`` under which it says why a record could not be written as received."""
STRAY = "bytes that are not UTF-8 are shown as \\xNN"
DEEP = "nested deeper than most programs read"
UNREAD = "not readable JSON"


class Writer(Protocol):
    """One format: the text before all rows, each row, and the text after the last one, as UTF-8.

    A writer is used for one file and gets all of its rows in order. ``marked``: how many of them could not be written
    as received.
    """

    marked: int

    def head(self) -> bytes: ...

    def row(self, record: bytes) -> bytes: ...

    def tail(self) -> bytes: ...


def writer(form: Form, fields: Sequence[str]) -> Writer:
    """A new writer of a format; ``fields``: the columns of a CSV."""
    match form:
        case "jsonl":
            return JsonLines()
        case "json":
            return JsonArray()
    return Csv(fields)


def chunk(writer: Writer, records: Iterable[bytes]) -> bytes:
    """The bytes of several rows."""
    return b"".join(map(writer.row, records))


class JsonLines:
    """JSON Lines: one record on each line, as received."""

    marked = 0

    def head(self) -> bytes:
        return b""

    def row(self, record: bytes) -> bytes:
        return one_line(record) + b"\n"

    def tail(self) -> bytes:
        return b""


class JsonArray:
    """JSON: one array, with one record on each line, as received."""

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
    """``record`` (one JSON value) without line breaks; unchanged when it has none. Accepts any bytes."""
    if b"\n" not in record and b"\r" not in record:
        return record

    def tight(match: re.Match[bytes]) -> bytes:
        if match[1] is not None:
            return _ESCAPED_OR_BREAK.sub(_break_escaped, match[1])
        before, after = record[: match.start()][-1:], record[match.end() : match.end() + 1]
        # In invalid JSON two values may be side by side: a space keeps them apart.
        return b"" if before in _BOUNDS or after in _BOUNDS else b" "

    return _STRING_OR_SPACE.sub(tight, record)


def _break_escaped(match: re.Match[bytes]) -> bytes:
    return {b"\n": b"\\n", b"\r": b"\\r"}.get(match[0][-1:], match[0])


_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_PLAIN_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")


def guarded(text: str) -> str:
    """``text`` with a leading apostrophe when a spreadsheet would run it as a formula."""
    if text.startswith(_FORMULA) and not _PLAIN_NUMBER.fullmatch(text):
        return "'" + text
    return text


class Csv:
    """CSV: one record on each line, one field in each column; commas, line feeds, quotes where they are needed."""

    def __init__(self, fields: Sequence[str]) -> None:
        self.fields = tuple(fields)
        self._known = frozenset(fields)
        self.marked = 0

    def head(self) -> bytes:
        return _line([_quoted(name) for name in (*self.fields, OTHER_FIELDS)])

    def row(self, record: bytes) -> bytes:
        """One line. A record that is not an object is written whole in the last column."""
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
    # A lone surrogate cannot be encoded as UTF-8: it is written as an escape.
    return (",".join(cells) + "\n").encode("utf-8", "backslashreplace")


def _quoted(text: str) -> str:
    if text == "" or any(c in text for c in ',"\n\r'):
        return '"' + text.replace('"', '""') + '"'
    return text


def csv_cell(text: str) -> str:
    """A text as one cell of a CSV: quoted where needed, and never a formula."""
    return _quoted(guarded(text))


def _of_json(raw: bytes) -> str:
    """The cell of one JSON value."""
    if raw == b"null":
        return ""
    if raw.startswith(b'"'):
        return csv_cell(string(raw))
    return csv_cell(json_text(one_line(raw)))


def string(raw: bytes) -> str:
    """The value of a JSON string; as received when it cannot be parsed."""
    try:
        return msgspec.json.decode(raw, type=str)
    except (
        msgspec.MsgspecError,
        UnicodeDecodeError,
    ):  # Python's own parser may accept it, or it is not UTF-8
        text = json_text(raw)
    try:
        return str(json.loads(text, strict=False))
    except ValueError:
        return text


def _stray(error: UnicodeError) -> tuple[str, int]:
    """The codec error handler that writes bytes that are not UTF-8 in hexadecimal, readable within a JSON string."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return "".join(f"\\\\x{byte:02x}" for byte in error.object[error.start : error.end]), error.end


codecs.register_error("explorer.stray", _stray)


def json_text(raw: bytes) -> str:
    """JSON as text. Encoded surrogates stay lone surrogates; other bytes that are not UTF-8 are written in hex."""
    return raw.decode("utf-8", "surrogatepass") if is_utf8(raw) else raw.decode("utf-8", "explorer.stray")


def is_utf8(raw: bytes) -> bool:
    """Whether bytes are UTF-8, encoded surrogates included."""
    try:
        return raw.isascii() or bool(raw.decode("utf-8", "surrogatepass"))
    except UnicodeDecodeError:
        return False


def members(record: bytes) -> tuple[dict[str, bytes] | None, str]:
    """The members of an object by name, each value as its bytes (None for any other value), and a mark.

    The mark says why the record cannot be written as received; empty when it can. Of equal names the last one counts.
    """
    mark = "" if is_utf8(record) else STRAY
    if not record.lstrip().startswith(b"{"):
        return None, mark
    try:
        found = {name: bytes(raw) for name, raw in OBJECT.decode(record).items()}
        return found, mark or (DEEP if is_too_deep(record) else "")
    except REFUSED:
        mark = mark or _why_odd(record)
    try:
        return object_members(record), mark
    except Unsliceable:
        return None, UNREAD


def _why_odd(record: bytes) -> str:
    """The mark of a record that msgspec refused; empty when Python's parser accepts it (a lone surrogate, NaN)."""
    if is_too_deep(record):
        return DEEP
    try:
        json.loads(json_text(record), strict=False)
    except ValueError:
        return UNREAD
    return ""


def joined(found: Mapping[str, bytes], mark: str = "") -> str:
    """An object of these members on one line, with the mark first."""
    pairs = [f"{json.dumps(MARK)}:{json.dumps(mark)}"] if mark else []
    pairs += [
        f"{json.dumps(name, ensure_ascii=False)}:{json_text(one_line(raw))}" for name, raw in found.items()
    ]
    return "{" + ",".join(pairs) + "}"


def whole(record: bytes, mark: str) -> str:
    """A record that is not an object, on one line."""
    text = json_text(one_line(record))
    return joined({"record": json.dumps(text).encode()}, mark) if mark else text


def parquet_installed() -> bool:
    """Whether pyarrow is installed, which `explorer.export.parquet` needs."""
    return importlib.util.find_spec("pyarrow") is not None
