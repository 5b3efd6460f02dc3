"""How one unified field is made: which raw value is read, and how it is converted.

An origin makes the field's value from a raw record, so that every record can be compared with it. Where values were
only found to agree (as dates in several formats do) the origin is loose, and agreement is enough.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any
from urllib.parse import unquote
from weakref import WeakKeyDictionary

from explorer.jsontext.pointer import step, steps
from explorer.quality.mapping.name_match import has_its_name, is_id, is_in_any_case, words_of_name
from explorer.quality.mapping.normal_forms import agreement, forms
from explorer.quality.values.date_transforms import date_readings
from explorer.quality.values.fixed_transforms import THOUSANDS_LEFT_OUT, is_glued, is_scaled
from explorer.quality.values.flat import BOXES, member
from explorer.quality.values.iso_codes import country_of
from explorer.quality.values.learned_transforms import RUN_TOGETHER
from explorer.quality.values.transforms import MISSING, SAME, Transform, equal

_OF_IDS = frozenset({"case", "part", "prefix removed", "suffix removed", "suffix added"})
"""Sound transforms that may turn one id into another."""
_ENDING = 5
"""The longest extension of a file name."""
_DIGITS = 10
"""Steps of a path with so many digits are no index of an array."""
_MAY_BE_EMPTY = (str, *BOXES)
_NAME_READ: WeakKeyDictionary[Callable[[Any], Any], str] = WeakKeyDictionary()
_HOW = {
    "equal": "",
    "case and space": "the same but for case and spaces",
    "number": "the same number",
    "date": "the same moment",
    "words": "another word for it",
}


def is_empty(value: Any) -> bool:
    """Whether a value is null, absent or empty."""
    return not value and (value is None or value is MISSING or isinstance(value, _MAY_BE_EMPTY))


@lru_cache(maxsize=1024)
def reader(pointer: str) -> Callable[[Any], Any]:
    """A function that reads the value at a pointer; None where there is nothing. ``*`` stands for all items of an
    array, ``[name=Region]`` for the item of that name.

    Cached: the same function for the same pointer, so that its results can be remembered by it.
    """
    names = steps(pointer)
    places = [int(name) if name.isdecimal() and len(name) < _DIGITS else None for name in names]
    keys = [_key_of(name) for name in names]

    def read(raw: Any) -> Any:
        for name, place, key in zip(names, places, keys, strict=True):
            if isinstance(raw, dict):
                raw = raw.get(name)
            elif isinstance(raw, list) and place is not None and place < len(raw):
                raw = raw[place]
            elif isinstance(raw, list) and key is not None:
                raw = next((one for one in raw if shown_kind(member(one, key[0])) == key[1]), None)
            else:
                return None
        return raw

    def single(raw: Any) -> Any:
        return raw.get(names[0]) if isinstance(raw, dict) else None

    def inner(raw: Any) -> Any:
        box = raw.get(names[0]) if isinstance(raw, dict) else None
        return box.get(names[1]) if isinstance(box, dict) else read(raw)

    if len(names) == 1:
        _NAME_READ[single] = names[0]
        return single
    if len(names) != 2:
        return read
    return inner if places[1] is None else _entry(names[0], places[1], read)


def _key_of(name: str) -> tuple[str, str] | None:
    """The member and its text by which a step of a pointer chooses an item: ``[name=Region]``."""
    if not (name.startswith("[") and name.endswith("]") and "=" in name):
        return None
    inner, _, value = name[1:-1].partition("=")
    return inner, value


def name_read_by(read: Callable[[Any], Any]) -> str | None:
    """The name of the member of a raw record that a reader of `reader` reads; None for one that reads further down."""
    return _NAME_READ.get(read)


def _entry(name: str, place: int, otherwise: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A function that reads one entry of an array of the raw record; ``otherwise`` where that is none."""

    def read(raw: Any) -> Any:
        box = raw.get(name) if isinstance(raw, dict) else None
        return box[place] if isinstance(box, list) and len(box) > place else otherwise(raw)

    return read


def each(array: str, inner: str) -> Callable[[Any], Any]:
    """A function that reads one place of all items of an array, without empty ones."""
    outer, below = reader(array), reader(inner)

    def read(raw: Any) -> Any:
        items = outer(raw)
        if not isinstance(items, list):
            return None
        return [value for item in items if (value := below(item) if inner else item) is not None]

    return read


def last_of(array: str, inner: str) -> Callable[[Any], Any]:
    """A function that reads a place of the last item of an array: the newest of a history."""
    outer, below = reader(array), reader(inner)

    def read(raw: Any) -> Any:
        items = outer(raw)
        return below(items[-1]) if isinstance(items, list) and items else None

    return read


def chosen(array: str, name: str, value: Any, inner: str) -> Callable[[Any], Any]:
    """A function that reads a place of the first item of an array whose ``name`` is ``value``."""
    outer, below = reader(array), reader(inner)

    def read(raw: Any) -> Any:
        for item in outer(raw) or ():
            if isinstance(item, dict) and equal(item.get(name), value):
                return below(item)
        return None

    return read


def ending(value: Any) -> str | None:
    """The extension of a file name, in lower case and without its dot; None where there is none."""
    end = value.rpartition(".")[2] if isinstance(value, str) and "." in value else ""
    return end.lower() if end.isalnum() and len(end) <= _ENDING else None


def endings(pointer: str) -> Callable[[Any], Any]:
    """A function that reads the extension of a file name."""
    outer = reader(pointer)
    return lambda raw: ending(outer(raw))


def keys(pointer: str) -> Callable[[Any], Any]:
    """A function that reads the member names of an object as an array."""
    outer = reader(pointer)

    def read(raw: Any) -> Any:
        there = outer(raw)
        return list(there) if isinstance(there, dict) else None

    return read


def template(paths: tuple[str, ...], between: tuple[str, ...]) -> Callable[[Any], Any]:
    """A function that reads several texts as one: ``between`` are the texts before, between and after them."""
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
    """The path of a chosen entry: ``/emails/[type=work]/value``."""
    return f"{array}/{step(f'[{name}={shown_kind(value)}]')}{inner}"


def shown_kind(value: Any) -> str:
    """The value that chooses an entry, as the path says it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


@dataclass(frozen=True, slots=True)
class Origin:
    """How one field is made."""

    paths: tuple[str, ...]
    """JSON pointers into the raw record, the best first; ``*`` for all items, ``[last]`` for the last one, and
    ``[kind=work]`` for one of a kind.
    """
    how: str
    """The conversion as one word, as in `sample.Found`."""
    read: Callable[[Any], Any] = field(compare=False, repr=False)
    transform: Transform = SAME
    loose: bool = False
    """Whether agreement is enough, because no transform yields the exact value."""
    support: float = 1.0
    """The share of the records it was learned from that it explains."""
    distinct: int = 0
    """How many different values it explained there."""

    @property
    def words(self) -> str:
        """How the paths' values are converted, in words; empty where they are used unchanged."""
        if self.loose:
            return _HOW.get(self.how, self.how)
        told = "" if self.transform == SAME else self.transform.words
        return f"by how it ends, {told.removeprefix('is ')}" if self.how == "ending" else told

    @property
    def is_lossy(self) -> bool:
        """Whether the conversion loses something."""
        return not self.loose and self.transform.lossy

    def make(self, raw: Any) -> Any:
        """The value made from a raw record; None or MISSING where there is none."""
        return self.transform(self.read(raw))

    def gives_nothing(self, source: Any) -> bool:
        """Whether a field may be empty beside what its path holds: of a text with one part there is no other."""
        given = self.transform(source)
        if is_empty(given) or isinstance(given, BOXES):
            return True
        return self.transform.name == "part" and equal(given, source)

    def explains(self, value: Any, raw: Any) -> bool:
        """Whether ``value`` can be made from a raw record."""
        return self.fits(value, self.read(raw))

    def fits(self, value: Any, there: Any) -> bool:
        """Whether ``value`` can be made from what `read` gives of its raw record."""
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
    """Whether a field may lose something by its conversion: in an id each character counts, and its case."""
    if origin.transform.name == "unit" and has_its_name(name, origin.paths[0]):
        return True  # the very name implies the same unit
    is_other_id = is_id(name) and origin.transform.name in _OF_IDS
    return origin.transform.lossy or is_other_id or is_country(name)


def is_country(name: str) -> bool:
    """Whether a field holds a country, by its name."""
    return "country" in words_of_name(name.rpartition(".")[2])


def _is_another_id(source: str, value: str) -> bool:
    """Whether an id made from another cannot stand for it; a part behind a separator may be omitted."""
    if source.casefold() == value.casefold():
        return source != value and not is_in_any_case(source)
    if value.startswith(source):
        return value[len(source) :].rstrip("0") == "."
    if value and (source.startswith(value) or source.endswith(value)):
        return source.replace(value, "", 1).isalnum()
    return True


def _are_single_words(items: Sequence[Any]) -> bool:
    """Whether texts are codes, names or addresses, which nothing tells apart once they are joined; runs of one text
    have blanks in them.
    """
    texts = [one for one in items if isinstance(one, str) and one]
    return len(texts) > 1 and all(one.isascii() and not any(map(str.isspace, one)) for one in texts)


def is_less(origin: Origin, raw: Any, value: Any, name: str) -> bool:
    """Whether a value made by a lossy origin has less than its source; a short text, for instance, is not cut."""
    source = origin.read(raw)
    if equal(source, value):
        return False
    if is_id(name):
        return _is_another_id(str(source), str(value))
    if is_country(name) and not origin.transform.lossy:
        there, here = country_of(source), country_of(value)
        return bool(there and here) and there != here
    # Values that agree as a moment or a number may have lost a zone, or the zeros of a code.
    named = origin.transform.name
    if RUN_TOGETHER in named:
        return isinstance(source, list) and _are_single_words(source)
    if THOUSANDS_LEFT_OUT in named:
        return is_scaled(str(source))
    if "words joined" in named:
        return is_glued(str(source))
    if "unescaped again" in named:
        undo = html.unescape if "HTML" in origin.transform.words else unquote
        return undo(once := undo(str(source))) != once
    if "swapped" in named and len(its := date_readings(source)) == 1:
        return all(one.utc != its[0].utc for one in date_readings(value))  # a day above twelve is no month
    return (
        "zone" in named
        or "time" in named
        or "leading zeros" in named
        or not agreement(forms(source), forms(value))
    )
