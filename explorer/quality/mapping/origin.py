"""How one unified field is made: what is read from the raw record, and what is done with it.

An origin makes the field's value from a raw record, so that every record can be held against it. Where a value was
found only to agree (as dates in several forms do) the origin is loose, and agreement is what is asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from explorer.jsontext.pointer import number, step, steps
from explorer.quality.mapping.forms import agreement, forms
from explorer.quality.mapping.named import has_its_name, is_id, is_in_any_case
from explorer.quality.values.transforms import MISSING, SAME, Transform, equal

_OF_IDS = frozenset({"case", "part", "prefix removed", "suffix removed", "suffix added"})
"""Sound transforms that may make another id of one."""
_ENDING = 5
_HOW = {
    "equal": "",
    "case and space": "the same but for case and spaces",
    "number": "the same number",
    "date": "the same moment",
    "words": "another word for it",
}


def is_empty(value: Any) -> bool:
    """Whether a value holds nothing."""
    return value is None or value is MISSING or value == "" or value == [] or value == {}


@lru_cache(maxsize=1024)
def reader(pointer: str) -> Callable[[Any], Any]:
    """Reads what stands at a pointer; None where there is nothing. ``*`` stands for all items of an array.

    The same function for the same pointer, so that what it read of some records can be remembered by it.
    """
    names = steps(pointer)

    def read(raw: Any) -> Any:
        for name in names:
            if isinstance(raw, dict):
                raw = raw.get(name)
            elif isinstance(raw, list) and (place := number(name, len(raw))) is not None:
                raw = raw[place]
            else:
                return None
        return raw

    def single(raw: Any) -> Any:
        return raw.get(names[0]) if isinstance(raw, dict) else None

    def inner(raw: Any) -> Any:
        box = raw.get(names[0]) if isinstance(raw, dict) else None
        return box.get(names[1]) if isinstance(box, dict) else read(raw)

    return single if len(names) == 1 else inner if len(names) == 2 else read


def each(array: str, inner: str) -> Callable[[Any], Any]:
    """Reads the same place of all items of an array; a place that holds nothing is left out."""
    outer, below = reader(array), reader(inner)

    def read(raw: Any) -> Any:
        items = outer(raw)
        if not isinstance(items, list):
            return None
        return [value for item in items if (value := below(item) if inner else item) is not None]

    return read


def chosen(array: str, name: str, value: Any, inner: str) -> Callable[[Any], Any]:
    """Reads a place of the first item of an array whose ``name`` is ``value``."""
    outer, below = reader(array), reader(inner)

    def read(raw: Any) -> Any:
        for item in outer(raw) or ():
            if isinstance(item, dict) and equal(item.get(name), value):
                return below(item)
        return None

    return read


def ending(value: Any) -> str | None:
    """How the name of a file ends, in lower case and without its dot; None where it has no such ending."""
    end = value.rpartition(".")[2] if isinstance(value, str) and "." in value else ""
    return end.lower() if end.isalnum() and len(end) <= _ENDING else None


def endings(pointer: str) -> Callable[[Any], Any]:
    """Reads how the name of a file ends."""
    outer = reader(pointer)
    return lambda raw: ending(outer(raw))


def keys(pointer: str) -> Callable[[Any], Any]:
    """Reads the names of an object as an array."""
    outer = reader(pointer)

    def read(raw: Any) -> Any:
        there = outer(raw)
        return list(there) if isinstance(there, dict) else None

    return read


def template(paths: tuple[str, ...], between: tuple[str, ...]) -> Callable[[Any], Any]:
    """Reads several texts as one: ``between`` stands before, between and behind them."""
    readers = [reader(path) for path in paths]

    def read(raw: Any) -> Any:
        made = between[0]
        for one, behind in zip(readers, between[1:], strict=True):
            value = one(raw)
            if is_empty(value):
                return None
            made += (value if isinstance(value, str) else str(value)) + behind
        return made

    return read


def place(array: str, name: str, value: Any, inner: str) -> str:
    """How a chosen entry is written as a path: ``/emails/[type=work]/value``."""
    shown = str(value).lower() if isinstance(value, bool) else str(value)
    return f"{array}/{step(f'[{name}={shown}]')}{inner}"


@dataclass(frozen=True, slots=True)
class Origin:
    """How one field is made."""

    paths: tuple[str, ...]
    """JSON pointers into the raw record, the best first; ``*`` for all items, ``[kind=work]`` for one of a kind."""
    how: str
    """In a word, as `mapping.Found` has it."""
    read: Callable[[Any], Any] = field(compare=False, repr=False)
    transform: Transform = SAME
    loose: bool = False
    """Agreement is enough: no transform gives just what stands there."""
    support: float = 1.0
    """The share of the records it was learned from that it explains."""
    distinct: int = 0
    """How many different values it was seen to explain there."""

    @property
    def words(self) -> str:
        """What is done with what the paths hold, in words; empty where it is taken as it is."""
        if self.loose:
            return _HOW.get(self.how, self.how)
        told = "" if self.transform == SAME else self.transform.words
        return f"by how it ends, {told.removeprefix('is ')}" if self.how == "ending" else told

    @property
    def is_lossy(self) -> bool:
        """Whether something is lost on the way."""
        return not self.loose and self.transform.lossy

    def make(self, raw: Any) -> Any:
        """The value that a raw record gives; None or MISSING where it gives none."""
        return self.transform(self.read(raw))

    def explains(self, value: Any, raw: Any) -> bool:
        """Whether a raw record gives a value."""
        there = self.read(raw)
        if type(there) is type(value) and there == value and self.transform is SAME:
            return True
        if not self.loose and equal(self.transform(there), value):
            return True
        if isinstance(value, list) and isinstance(there, list):
            return _folded(there) == _folded(value) if self.loose else False
        return self.loose and bool(agreement(forms(value), forms(there)))


def _folded(values: list[Any]) -> list[str]:
    return sorted(str(value).strip().casefold() for value in values)


def loses_by(origin: Origin, name: str) -> bool:
    """Whether a field may lose something by how it is made: of an id each sign counts, and its case."""
    if origin.transform.name == "unit" and has_its_name(name, origin.paths[0]):
        return True  # what has the very name is meant in the same unit
    return origin.transform.lossy or (is_id(name) and origin.transform.name in _OF_IDS)


def _is_another_id(source: str, value: str) -> bool:
    """Whether an id that was made from another cannot stand for it: what a separator sets apart may be left out."""
    if source.casefold() == value.casefold():
        return source != value and not is_in_any_case(source)
    if value.startswith(source):
        return value[len(source) :].rstrip("0") == "."
    if value and (source.startswith(value) or source.endswith(value)):
        return source.replace(value, "", 1).isalnum()
    return True


def is_less(origin: Origin, raw: Any, value: Any, name: str) -> bool:
    """Whether a value that a lossy origin makes is less than its source: a short text is not cut."""
    source = origin.read(raw)
    if equal(source, value):
        return False
    if is_id(name):
        return _is_another_id(str(source), str(value))
    # What agrees as a moment or as a number may have lost a zone, or the zeros of a code.
    named = origin.transform.name
    return (
        "zone" in named
        or "time" in named
        or "leading zeros" in named
        or not agreement(forms(source), forms(value))
    )
