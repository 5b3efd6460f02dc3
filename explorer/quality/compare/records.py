"""Compares two records field by field without masked fields, and identifies records by a key."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

import msgspec

from explorer.catalog.spec import ABSENT
from explorer.jsontext.pointer import Path
from explorer.jsontext.read import equal, read_exact
from explorer.jsontext.strict import OBJECT, REFUSED
from explorer.quality.compare.changes import Change, differences
from explorer.quality.compare.ignored_fields import Mask, State

LONG_ID = 100
"""Bytes of an id from which on its digest is used instead."""
_LONGEST_NAME = 200
_EMPTY = (b"null", b"{}", b"[]", b'""')


class _Id(msgspec.Struct):
    id: msgspec.Raw = msgspec.Raw(b"")


_ID = msgspec.json.Decoder(_Id)
_Members = dict[str, msgspec.Raw]


@dataclass(frozen=True, slots=True)
class Pair:
    """The comparison of two records with the same id."""

    changes: tuple[Change, ...]
    """Each field that differs. A change with an empty path is about the whole record (not an object, or not JSON)."""
    masked: bool
    """Whether masked fields differ; not tested inside a field that differs anyway."""
    left_out: tuple[Change, ...] = ()
    """The masked texts that differ, outside of arrays."""


def compare_records(one: bytes, other: bytes, mask: Mask) -> Pair:
    """The differences of two records. Other bytes for equal values (spaces, order of names, 1 and 1.0) are none."""
    left, right = _fields(one), _fields(other)
    if left is None or right is None:
        return _whole(one, other, mask)
    try:
        return _cut(left, right, mask)
    except (ValueError, RecursionError):
        # Masked parts are not parsed, and may be invalid UTF-8 or nested too deeply.
        return _whole(one, other, mask)


RawState = Literal["", "same", "changed"]


def raw_state(one: bytes, other: bytes, names: Sequence[str]) -> RawState:
    """Whether raw data of two records, in their fields ``names`` at any depth, is the same; empty where one has none.

    Raw data of items that are gone is no change: the record's own raw data says whether the source lost them.
    """
    left, right = _fields(one), _fields(other)
    own = next((name for name in names if left and right and name in left and name in right), "")
    if not left or not right or not own:
        return ""
    try:
        if any(bytes(memoryview(record[own])[:4]) in _EMPTY for record in (left, right)):
            return ""
        if left[own] != right[own] and not equal(_value(left[own]), _value(right[own])):
            return "changed"
        inner = [name for name in right if name != own and left.get(name) != right[name]]
        parts = (
            Counter(part for name in inner for part in _raw_parts(_value(record.get(name)), names))
            for record in (left, right)
        )
        had, has = parts
    except (ValueError, RecursionError):
        return ""
    return "changed" if has - had else "same"


def _raw_parts(value: Any, names: Sequence[str]) -> Iterator[str]:
    """Raw data inside a value, each as a text that is the same for equal ones."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            if name not in names:
                yield from _raw_parts(inner, names)
            elif inner:
                yield _ordered(inner)
    elif isinstance(value, list):
        for item in value:
            yield from _raw_parts(item, names)


def _cut(left: _Members, right: _Members, mask: Mask) -> Pair:
    """Compares member by member, level by level. Raises ValueError when a differing one cannot be read."""
    changes: list[Change] = []
    left_out: list[Change] = []
    masked = False
    # Objects are split into their members' own bytes, so that only what differs is parsed.
    waiting: list[tuple[Path, _Members, _Members, State]] = [((), left, right, mask.start)]
    while waiting:
        path, left, right, state = waiting.pop()
        for name in (*left, *(name for name in right if name not in left)):
            was, now = left.get(name), right.get(name)
            if was == now:
                continue
            below = mask.after(state, name)
            if below is None:
                masked = masked or not equal(_value(was), _value(now))
                # Of the record itself: the third party's own record below it changes with what it is made into.
                left_out += [] if path else _masked_text((name,), was, now)
                continue
            inner = _both_objects(was, now)
            if inner is not None:
                waiting.append(((*path, name), *inner, below))
                continue
            old, new = _value(was), _value(now)
            shown_old, shown_new = mask.pruned(old, below), mask.pruned(new, below)
            if not equal(shown_old, shown_new):
                changes.append(Change((*path, name), shown_old, shown_new, _what(shown_old, shown_new)))
            else:
                masked = masked or not equal(old, new)
    return Pair(tuple(changes), masked, tuple(left_out))


def _masked_text(path: Path, was: msgspec.Raw | None, now: msgspec.Raw | None) -> list[Change]:
    """The change of a masked text to anything but an object or array; none where it cannot be read."""
    if was is None or not _opens(was, b'"') or (now and _opens(now, b"{[")):
        return []
    try:
        old, new = _value(was), _value(now)
    except ValueError:
        return []
    return [] if equal(old, new) else [Change(path, old, new, _what(old, new))]


def key_of(record: bytes, mask: Mask) -> tuple[bytes, bool]:
    """The key by which a record is recognised, and whether that is an id.

    A text is its own key, a number has its exact digits (so 1, 1.0 and "1" identify the same record). Without an id
    (absent, null, empty, or of another type) the key is the digest of the record without masked fields.
    """
    try:
        value = _value(_ID.decode(record).id)
    except (*REFUSED, ValueError):
        value = _id_of(record)
    if isinstance(value, Decimal) and value.is_finite():
        value = _exact(value)
    if isinstance(value, str) and value:
        data = value.encode("utf-8", "surrogatepass")
        if len(data) <= LONG_ID:
            return b"=" + data, True
        return b"#" + hashlib.blake2b(data, digest_size=16).digest(), True
    return b"~" + hashlib.blake2b(_canonical(record, mask), digest_size=16).digest(), False


def id_text(key: bytes, record: bytes) -> str:
    """The id behind a key, for people; empty when the record has none."""
    if key[:1] == b"=":
        return key[1:].decode("utf-8", "surrogatepass")
    value = _id_of(record) if key[:1] == b"#" else ""
    return value if isinstance(value, str) else str(value)


def name_of(record: bytes, label: Sequence[str]) -> str:
    """What a record is called: the first of the fields ``label`` that holds a text or number; empty without one."""
    members = _fields(record) if label else None
    for field in label if members else ():
        try:
            value = _value(members.get(field)) if members else None
        except (ValueError, RecursionError):
            continue
        if isinstance(value, str | Decimal) and value != "":
            return str(value)[:_LONGEST_NAME]
    return ""


def written(value: Any) -> str:
    """A value of `read_exact` as JSON, each number in its own digits; unpaired surrogates are escaped."""
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_text(str(name))}: {written(inner)}" for name, inner in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(written, value)) + "]"
    if isinstance(value, float):
        return _text(str(value))  # NaN and the infinities are not JSON
    return _text(value) if isinstance(value, str) else json.dumps(value)


def _text(value: str) -> str:
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value)
    return text


def _fields(record: bytes | msgspec.Raw) -> _Members | None:
    """Each member's own bytes; None when it is not an object, or only lenient parsers can read it."""
    try:
        return OBJECT.decode(record)
    except REFUSED:
        return None


def _both_objects(was: msgspec.Raw | None, now: msgspec.Raw | None) -> tuple[_Members, _Members] | None:
    """The members of both, when both are non-empty objects."""
    if was is None or now is None or not (_opens(was) and _opens(now)):
        return None
    left, right = _fields(was), _fields(now)
    return (left, right) if left and right else None


def _opens(raw: msgspec.Raw, signs: bytes = b"{") -> bool:
    """Whether it starts with one of the signs."""
    return bytes(memoryview(raw)[:1]) in signs


def _whole(one: bytes, other: bytes, mask: Mask) -> Pair:
    """Compares records that cannot be split: parsed as a whole, or as bytes where that fails too."""
    try:
        old, new = read_exact(one), read_exact(other)
    except (ValueError, RecursionError):
        same = one == other
        return Pair(() if same else (Change((), _loose(one), _loose(other), "changed"),), False)
    shown_old, shown_new = mask.pruned(old), mask.pruned(new)
    masked = not equal(old, new)
    if equal(shown_old, shown_new):
        return Pair((), masked)
    if isinstance(shown_old, Mapping) and isinstance(shown_new, Mapping):
        return Pair(_changes(shown_old, shown_new), False)
    return Pair((Change((), shown_old, shown_new, "changed"),), False)


def _changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[Change, ...]:
    return tuple(change for change in differences(old, new) if change.what != "kept")


def _what(old: Any, new: Any) -> Literal["added", "dropped", "changed"]:
    return "added" if old is ABSENT else "dropped" if new is ABSENT else "changed"


def _value(raw: msgspec.Raw | None) -> Any:
    data = b"" if raw is None else bytes(raw)
    if not data:
        return ABSENT
    if data[:1] == b'"' and b"\\" not in data:
        return data[1:-1].decode()
    return read_exact(data)


def _loose(record: bytes) -> str:
    return record.decode("utf-8", "backslashreplace")


def _id_of(record: bytes) -> Any:
    try:
        value = read_exact(record)
    except (ValueError, RecursionError):
        return None
    return value.get("id") if isinstance(value, Mapping) else None


def _canonical(record: bytes, mask: Mask) -> bytes:
    """Bytes that are the same for equal records."""
    try:
        return _ordered(mask.pruned(read_exact(record))).encode("utf-8", "surrogatepass")
    except (ValueError, RecursionError):
        return record


def _ordered(value: Any) -> str:
    if isinstance(value, Decimal):
        return _exact(value) if value.is_finite() else str(value)
    if isinstance(value, Mapping):
        inner = (f"{json.dumps(name)}:{_ordered(value[name])}" for name in sorted(value))
        return "{" + ",".join(inner) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_ordered, value)) + "]"
    return json.dumps(value)


def _exact(number: Decimal) -> str:
    """A text that is the same for equal values, with all digits; `Decimal.normalize` would round."""
    sign, digits, exponent = number.as_tuple()
    text = "".join(map(str, digits)).lstrip("0")
    kept = text.rstrip("0")
    if not kept or not isinstance(exponent, int):
        return "0"
    zeros = exponent + len(text) - len(kept)
    shown = kept + "0" * zeros if 0 <= zeros <= LONG_ID else f"{kept}e{zeros}"
    return f"-{shown}" if sign else shown
