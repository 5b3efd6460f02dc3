"""JSON values that keep what was typed: numbers beyond a float, written forms, and text that is no JSON at all.

A form's value is made of plain Python values wherever these lose nothing. Where they would (``1.10``, a number with
minus zero, a name that stands twice in an object), it holds a `RawJson`, whose text goes into the body as it is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from explorer.jsontext.escape import escaped
from explorer.jsontext.scan import NUMBER
from explorer.jsontext.typed import check, compact

LARGE = 48_000
"""Characters of JSON that are checked at each key press. A longer text is held beside its field as it was typed
(`ui.forms.json_edit`): it is read once, in pieces, is held against no contract, and counts as one `RawJson`.
"""
_LONGEST_INT = 4000  # digits; Python refuses to turn longer ones into text


@dataclass(frozen=True, slots=True)
class RawJson:
    """A piece of JSON as text, which is put into the body unchanged. It need not be valid: that may be the purpose."""

    text: str

    def __str__(self) -> str:
        return self.text


def number(text: str) -> int | float | RawJson | None:
    """The number that ``text`` writes: int or float where these write it the same way, else raw; None if none."""
    if not NUMBER.fullmatch(text):
        return None
    if text.lstrip("-").isdigit():
        return int(text) if len(text) < _LONGEST_INT and text != "-0" else RawJson(text)
    value = float(text)
    return value if repr(value) == text else RawJson(text)


def read(text: str) -> Any:
    """The value that a JSON text writes: plain where plain values encode to the same bytes, else one `RawJson`.

    Never raises: text that is no JSON comes back as a `RawJson` of it.
    """
    return RawJson(text) if check(text) is not None else read_valid(text)


def read_valid(text: str) -> Any:
    """`read` of a text that is known to be JSON."""
    tight = compact(text)
    try:
        value = json.loads(tight, parse_float=_kept, parse_int=_kept)
        return value if encode(value) == tight.encode("utf-8", "surrogatepass") else RawJson(tight)
    except (ValueError, RecursionError):
        return RawJson(tight)


def plain(value: Any) -> Any:
    """``value`` as plain Python, for checks and comparison: raw pieces parsed, numbers as int or float.

    A raw piece that is no JSON, or is `LARGE`, stays a `RawJson`.
    """
    if isinstance(value, RawJson):
        if len(value.text) > LARGE:
            return value
        try:
            return json.loads(value.text, parse_constant=_refuse)
        except (ValueError, RecursionError):
            return value
    if isinstance(value, Mapping):
        return {name: plain(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    return value


def encode(value: Any) -> bytes:
    """``value`` as the bytes of a body: UTF-8, compact, keys in order, raw pieces as they are.

    A lone surrogate is written as its JSON escape, as it has no UTF-8 form. Raises ValueError for NaN and infinities.
    """
    text = _text(value)
    try:
        return text.encode()
    except UnicodeEncodeError:
        return re.sub("[\ud800-\udfff]", lambda m: escaped(m[0]), text).encode()


def size_of(value: Any) -> int:
    """About how many characters ``value`` has as JSON."""
    if isinstance(value, RawJson):
        return len(value.text)
    if isinstance(value, Mapping):
        return sum(len(str(name)) + size_of(inner) for name, inner in value.items())
    if isinstance(value, list | tuple):
        return len(value) + sum(map(size_of, value))
    return len(value) if isinstance(value, str) else 4


def _text(value: Any) -> str:
    if isinstance(value, RawJson):
        return value.text
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{_leaf(str(k))}:{_text(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(map(_text, value)) + "]"
    return _leaf(value)


def _leaf(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _refuse(word: str) -> None:
    raise ValueError(word)


def _kept(text: str) -> Any:
    return number(text)


_RAW = "\x00raw"  # no name that a person types


def to_draft(value: Any) -> Any:
    """``value`` with raw pieces as something that a settings file can hold, half-typed ones included."""
    if isinstance(value, RawJson):
        return {_RAW: value.text}
    if isinstance(value, Mapping):
        return {name: to_draft(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [to_draft(inner) for inner in value]
    return value


def from_draft(draft: Any) -> Any:
    """The value that `to_draft` made a draft of."""
    if isinstance(draft, Mapping):
        raw = draft.get(_RAW)
        if len(draft) == 1 and isinstance(raw, str):
            return RawJson(raw)
        return {name: from_draft(inner) for name, inner in draft.items()}
    if isinstance(draft, list):
        return [from_draft(inner) for inner in draft]
    return draft
