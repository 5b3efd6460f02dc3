"""Compares sent fields with the returned ones, and finds passthrough fields in the raw record.

Null, absent and empty are three different values. Objects are compared key by key at any depth, arrays as one value.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, Literal

from explorer.catalog.fields import fields_of
from explorer.catalog.spec import ABSENT, Operation, raw_field
from explorer.jsontext.pointer import Path, dotted
from explorer.jsontext.read import equal, read_exact

What = Literal["kept", "changed", "dropped", "added"]
Why = Literal["", "not sent", "new", "not answered"]
How = Literal["same", "other value", "other name"]


@dataclass(frozen=True, slots=True)
class Change:
    """One field: the sent value, the returned one, and what that means."""

    path: Path
    sent: Any
    """ABSENT when it was left out."""
    returned: Any
    """ABSENT when it is not there."""
    what: What
    why: Why = ""
    """For an added field: ``not sent`` (it could have been) or ``new`` (only answers have it). For a dropped one: ``not
    answered``, because the contract's answers have no such field.
    """

    @property
    def field(self) -> str:
        """The path as text, as ``metadata.tier``."""
        return dotted(self.path)


def differences(sent: Any, returned: Any) -> list[Change]:
    """Every field of two objects once: sent ones in their order, then added ones. Empty unless both are objects."""
    if not isinstance(sent, Mapping) or not isinstance(returned, Mapping):
        return []
    made: list[Change] = []
    # A stack instead of recursion, because an answer may be nested to any depth.
    waiting: list[tuple[Path, Any, Any]] = [((), sent, returned)]
    while waiting:
        path, one, other = waiting.pop()
        if isinstance(one, Mapping) and isinstance(other, Mapping) and (one or not path):
            names = [*one, *(name for name in other if name not in one)]
            pairs = [((*path, name), one.get(name, ABSENT), other.get(name, ABSENT)) for name in names]
            waiting += reversed(pairs)
        else:
            made.append(Change(path, one, other, _what(one, other)))
    return made


def can_compare(operation: Operation) -> bool:
    """Whether the answer of an operation contains fields that were sent."""
    if operation.body is None or operation.answer is None or operation.answer_is_array:
        return False
    wrapped = _wrapped(operation)
    return bool(_names(operation.body, wrapped) & _names(operation.answer, wrapped))


def compare(operation: Operation, path: Mapping[str, str], sent: Any, answer: bytes) -> list[Change]:
    """Compares the fields of ``sent`` with those in the answer's bytes; empty when they cannot be compared.

    ``sent`` is the body: its bytes as sent, or plain values. Values of ``path`` count as sent where the answer has the
    field too. The raw field is left out, because it is the third party's own record: see `trace`.
    """
    if not can_compare(operation):
        return []
    given, returned = _record(operation, sent), _record(operation, answer)
    if not isinstance(returned, Mapping):
        return []
    wrapped = _wrapped(operation)
    could, answered = _names(operation.body, wrapped) | set(path), _names(operation.answer, wrapped)
    everything = {**path, **(given if isinstance(given, Mapping) else {})}
    raw = raw_name(operation)
    known = {name: value for name, value in returned.items() if name != raw or name in everything}
    return [_explained(change, could, answered) for change in differences(everything, known)]


def record_of(operation: Operation, body: bytes) -> Any:
    """The record in an answer's bytes, unwrapped where the operation wraps it; None when there is none."""
    return _record(operation, body)


def raw_name(operation: Operation) -> str:
    """The field of an answer's record that holds the third party's raw record; empty where there is none."""
    return raw_field(_model(operation.answer, _wrapped(operation)))


@dataclass(frozen=True, slots=True)
class Place:
    """A place in the raw record where something of a passthrough field was found."""

    raw: str
    """The field that holds the raw record."""
    path: tuple[str | int, ...]
    """The path inside it; a whole number is an array index."""
    value: Any
    how: How
    """``same``: name and value; ``other value``: only the name; ``other name``: only the value."""

    @property
    def field(self) -> str:
        """The path as text, as ``raw_data.properties.lead_source``."""
        return dotted((self.raw, *self.path))


@dataclass(frozen=True, slots=True)
class Trace:
    """One passthrough field that was sent, and its places in the raw record, the best first."""

    path: Path
    """Inside passthrough_fields."""
    sent: Any
    places: tuple[Place, ...]

    @property
    def field(self) -> str:
        """The path as text."""
        return dotted(self.path)

    @property
    def how(self) -> How | Literal["nowhere"]:
        """The best of the places, as one word."""
        return self.places[0].how if self.places else "nowhere"


def trace(passthrough: Any, raw: Any, name: str, *, most: int = 20, look_at: int = 200_000) -> list[Trace]:
    """The places of each passthrough field in ``raw`` (the answer's field ``name``), at most ``most`` for each.

    Names are compared ignoring case, spaces, ``_`` and ``-``; a sent number is also found as text, and vice versa. A
    value that occurs everywhere (null, true, 0, 1, empty) is searched under its name only. At most ``look_at`` values
    of ``raw`` are searched.
    """
    if not isinstance(passthrough, Mapping):
        return []
    sent = [(path, value) for path, value in _members(passthrough, objects=False) if path]
    found: dict[tuple[str | int, ...], list[Place]] = {path: [] for path, _ in sent}
    for count, (where, value) in enumerate(_members(raw, objects=True)):
        if count >= look_at:
            break
        last = _folded(str(where[-1])) if where and isinstance(where[-1], str) else None
        for path, wanted in sent:
            how = _how(_folded(str(path[-1])) == last, wanted, value)
            if how is not None:
                found[path].append(Place(name, where, value, how))
    order = ("same", "other value", "other name")
    return [
        Trace(
            tuple(map(str, path)), value, tuple(sorted(found[path], key=lambda p: order.index(p.how))[:most])
        )
        for path, value in sent
    ]


def _what(sent: Any, returned: Any) -> What:
    if sent is ABSENT:
        return "added"
    if returned is ABSENT:
        return "dropped"
    return "kept" if equal(sent, returned) else "changed"


def _explained(change: Change, could: set[str], answered: set[str]) -> Change:
    top = change.path[0]
    why: Why = ""
    if change.what == "added":
        why = "not sent" if len(change.path) > 1 or top in could else "new"
    elif change.what == "dropped" and len(change.path) == 1 and top not in answered:
        why = "not answered"
    return replace(change, why=why)


def _record(operation: Operation, body: Any) -> Any:
    if isinstance(body, bytes):
        try:
            body = read_exact(body)
        except ValueError:
            return None
    if not _wrapped(operation):
        return body
    return body.get("record") if isinstance(body, Mapping) else None


def _wrapped(operation: Operation) -> bool:
    """Whether records are sent and returned in an object with the single key ``record`` (contract 2.1)."""
    bodies = (operation.body, operation.answer)
    return all(model is not None and "record" in model.model_fields for model in bodies)


def _names(model: Any, wrapped: bool) -> set[str]:
    inner = _model(model, wrapped)
    return {field.name for field in fields_of(inner)} if inner is not None else set()


def _model(model: Any, wrapped: bool) -> Any:
    """The model of the record itself, without an object around it that has the single key ``record``."""
    if model is None or not wrapped:
        return model
    return next(field.model for field in fields_of(model) if field.name == "record") or model


def _members(value: Any, *, objects: bool) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """Each value below ``value`` with its path, outermost first; objects and arrays themselves only if ``objects``.

    Without ``objects`` an array is one value and an object is its members, unless it is empty.
    """
    waiting: list[tuple[tuple[str | int, ...], Any]] = [((), value)]
    while waiting:
        path, here = waiting.pop()
        inner: list[tuple[str | int, Any]] = []
        if isinstance(here, Mapping):
            inner = [(str(name), below) for name, below in here.items()]
        elif objects and isinstance(here, list | tuple):
            inner = list(enumerate(here))
        if objects or not inner:
            yield path, here
        waiting += [((*path, step), below) for step, below in reversed(inner)]


def _how(named: bool, wanted: Any, value: Any) -> How | None:
    same = equal(wanted, value) or _as_text(wanted, value)
    if named:
        return "same" if same else "other value"
    return "other name" if same and _telling(wanted) else None


def _telling(value: Any) -> bool:
    """Whether finding the value under another name is significant."""
    if value is None or isinstance(value, bool) or value in ("", [], {}, 0, 1):
        return False
    return not isinstance(value, float | Decimal) or not math.isnan(value)


def _as_text(one: Any, other: Any) -> bool:
    """Whether a number and a text, or true and "true", are written the same."""
    for value, text in ((one, other), (other, one)):
        if isinstance(text, str) and isinstance(value, bool):
            return text.lower() == str(value).lower()
        if isinstance(text, str) and isinstance(value, int | float | Decimal):
            return text == str(value)
    return False


def _folded(name: str) -> str:
    return re.sub(r"[\s_-]+", "", name.casefold())
