"""Where the fields of one record come from in its raw record, using the mapping learned from many records.

A field whose source is known from the others is looked up there. Values inside arrays and objects, and fields of
unknown source, are searched by value in this record alone: one raw value that agrees is the source, several are
candidates. For a field without a value the candidates are raw values with similar names that nothing else uses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from explorer.jsontext.pointer import at, step, steps
from explorer.quality.mapping import learn
from explorer.quality.mapping.normal_forms import Key, agreement, forms, is_telling, likeness
from explorer.quality.mapping.origin import is_empty
from explorer.quality.mapping.sample import Found
from explorer.quality.values.flat import containers, leaves
from explorer.quality.values.moments import precision_of, seconds_of

MOST_LINES = 200
"""Most lines that are traced; the rest of a larger record is cut."""
_ALIKE = 0.5

_LIKE_NAMED, _OF_ANY_NAME = 3, 8
"""Characters from which on a raw text that begins with a value is taken for its source: one of a similar name, and any
other that is the only one.
"""

State = Literal["traced", "candidates", "lost", "cut", "unknown"]
"""``lost``: the field is empty, though its source has a value; ``cut``: it has only the beginning of a raw text."""


@dataclass(frozen=True, slots=True)
class Line:
    """One unified value, or a field without one."""

    pointer: str
    """A pointer into the record (RFC 6901)."""
    state: State
    sources: tuple[str, ...] = ()
    """Pointers into the raw record: the source, or the candidates."""
    how: str = ""
    """How they agree, as in `sample.Found`; of moments also ``date without its zone``, ``date with a zone`` and ``date
    to the second``."""
    here_only: bool = False
    """Whether only this record shows it, so that it may be a coincidence."""
    length: int = 0
    """The number of characters of a text that is ``cut``."""
    words: str = ""
    """How the source is converted, where many records show it: ``is cut at 255 characters``."""

    @property
    def field(self) -> str:
        """The field of the record that it lies in."""
        return steps(self.pointer)[0]


@dataclass(frozen=True, slots=True)
class Trace:
    """All lines of one record in its fields' order, and the unused part of its raw record."""

    lines: tuple[Line, ...]
    unused: tuple[str, ...]
    raw_paths: int
    """Values in the raw record that are not null or empty."""

    @property
    def filled(self) -> int:
        """Fields with a value, and those that are empty though their source has one."""
        lost = sum(line.state == "lost" for line in self.lines)
        return lost + len(self._fields(lambda _: True))

    @property
    def traced(self) -> int:
        """Fields of which at least a part has a source."""
        return len(self._fields(lambda line: line.state == "traced"))

    def _fields(self, fits: Callable[[Line], bool]) -> set[str]:
        empty = {line.field for line in self.lines if line.how == "nothing"}
        return {line.field for line in self.lines if fits(line)} - empty


def learned(records: Iterable[Mapping[str, Any]], raw: str) -> dict[str, Found]:
    """The mapping learned from some records, with each source's conversion in words."""
    made = learn.learned(list(records), raw)
    found = {
        name: replace(one, words=made.origins[name].words) if name in made.origins else one
        for name, one in made.found.items()
    }
    for name, origin in made.origins.items():
        path = origin.paths[0].partition("/*")[0].partition("/[")[0]
        found.setdefault(name, Found((path,), "made", origin.support, origin.words))
    return found


def trace(
    record: Mapping[str, Any], found: Mapping[str, Found], fields: Sequence[str], raw: str
) -> Trace | None:
    """The lines of ``record``: ``fields`` first, then its other fields. None where ``raw`` does not hold an object."""
    own = record.get(raw)
    if not isinstance(own, dict):
        return None
    looked = _Raw(own, raw)
    names = [name for name in dict.fromkeys((*fields, *record)) if name != raw]
    lines: list[Line] = []
    for name in names:
        value, one = record.get(name), found.get(name)
        if is_empty(value):
            continue
        lines += _of_value(looked, name, value, one)
    used = {path for line in lines if line.state in ("traced", "cut") for path in line.sources}
    lines += [
        _of_nothing(looked, name, found.get(name), used) for name in names if is_empty(record.get(name))
    ]
    lines.sort(key=lambda line: names.index(line.field))
    unused = tuple(path for path in looked.filled if not _is_below(path, used))
    return Trace(tuple(lines[:MOST_LINES]), unused, len(looked.filled))


class _Raw:
    """A flattened raw record, with the forms of its values."""

    def __init__(self, raw: Mapping[str, Any], name: str) -> None:
        """``name`` is the field that holds ``raw``."""
        self.raw, self.name = raw, name
        self.filled = {path: value for path, value in leaves(raw).items() if not is_empty(value)}
        self.forms = {path: forms(value) for path, value in self.filled.items()}
        self.boxes = containers(raw)

    def agreeing(self, value: Any, below: str) -> dict[str, str]:
        """The raw paths below one whose values agree, and how."""
        mine: tuple[Key, ...] = forms(value)
        found = {p: agreement(mine, its) for p, its in self.forms.items() if _is_below(p, (below,))}
        return {path: how for path, how in found.items() if how}


def _of_value(looked: _Raw, name: str, value: Any, found: Found | None) -> list[Line]:
    pointer = f"/{step(name)}"
    if isinstance(value, dict | list):
        box = found.paths[0] if found is not None else ""
        inner = [
            _of_scalar(looked, f"{pointer}{path}", inside, None, box)
            for path, inside in leaves(value).items()
            if not is_empty(inside) and f"/{looked.name}/" not in path
        ]
        if found is not None and not any(line.state == "traced" for line in inner):
            there = tuple(path for path in found.paths if path in looked.boxes or path in looked.filled)
            if there:
                return [Line(pointer, "traced", there[:1], found.how)]
        return inner or [Line(pointer, "unknown")]
    return [_of_scalar(looked, pointer, value, found, "")]


def _of_scalar(looked: _Raw, pointer: str, value: Any, found: Found | None, box: str) -> Line:
    if found is not None:
        known = _known(looked, value, found)
        if known and found.by_value:
            source = looked.filled[known[0]]
            as_learned = agreement(forms(value), forms(source)) == found.how
            how = _how(value, source)
            return Line(pointer, "traced", known, how, words=found.words if as_learned else "")
        if known:
            return Line(pointer, "traced", known, found.how, words=found.words)
    hits = looked.agreeing(value, box)
    if not hits and box:
        hits = looked.agreeing(value, "")
    name = next((step for step in reversed(pointer.split("/")) if not step.isdigit()), "")
    if not is_telling(value):
        # Small numbers and truth values agree by chance everywhere: only a similar name is evidence.
        hits = {path: how for path, how in hits.items() if likeness(name, path) >= _ALIKE}
    if not hits:
        whole = _begins_like(looked, pointer, name, value, found)
        return Line(pointer, "cut", (whole,), length=len(value)) if whole else Line(pointer, "unknown")
    ranked = sorted(hits, key=lambda path: _rank(path, pointer, name, hits[path]), reverse=True)
    clear = len(ranked) == 1 or (
        _rank(ranked[0], pointer, name, hits[ranked[0]])[:2]
        > _rank(ranked[1], pointer, name, hits[ranked[1]])[:2]
        and likeness(name, ranked[0]) >= _ALIKE
    )
    if clear:
        how = _how(value, looked.filled[ranked[0]])
        return Line(pointer, "traced", (ranked[0],), how, here_only=not box)
    return Line(pointer, "candidates", tuple(ranked), hits[ranked[0]], here_only=True)


def _begins_like(looked: _Raw, pointer: str, name: str, value: Any, found: Found | None) -> str:
    """The path of the raw text of which ``value`` is the beginning; empty where there is none."""
    if not isinstance(value, str):
        return ""
    start = value.rstrip("….").rstrip()
    longer = {
        path: text
        for path, text in looked.filled.items()
        if isinstance(text, str) and len(text) > len(value) and start and text.startswith(start)
    }
    for path in found.paths if found is not None else ():
        if path in longer:
            return path
    like = [path for path in longer if likeness(name, path) >= _ALIKE and len(start) >= _LIKE_NAMED]
    if not like and len(set(longer.values())) == 1 and len(start) >= _OF_ANY_NAME:
        like = list(longer)
    return max(like, key=lambda path: _rank(path, pointer, name, ""), default="")


def _how(value: Any, source: Any) -> str:
    """How this record's value agrees with its source; of moments also what is different in their texts."""
    how = agreement(forms(value), forms(source))
    if how != "date":
        return how
    mine, its = precision_of(value), precision_of(source)
    if mine > its and _has_time(value):
        return "date without its zone"
    if mine < its and _has_time(source):
        return "date with a zone"
    return "date" if seconds_of(value) == seconds_of(source) else "date to the second"


def _has_time(value: Any) -> bool:
    return isinstance(value, str) and ("T" in value or ":" in value)


def _rank(path: str, pointer: str, name: str, how: str) -> tuple[float, ...]:
    """Sort key: a similar name, the same array indexes, and the more exact agreement come first."""
    places = [step for step in path.split("/") if step.isdigit()]
    same = places == [step for step in pointer.split("/") if step.isdigit()]
    return (likeness(name, path), same, how == "equal", -path.count("/"))


def _known(looked: _Raw, value: Any, found: Found) -> tuple[str, ...]:
    """The sources known from the other records, where this record's value confirms them."""
    there = tuple(path for path in found.paths if path in looked.filled or path in looked.boxes)
    if found.how == "entry":
        wanted = forms(value)
        inside = (path for path in looked.forms if _is_below(path, found.paths))
        return tuple(path for path in inside if agreement(wanted, looked.forms[path]))[:1]
    if not found.by_value:
        # "there" and "opposite" may depend on something absent.
        return there if found.how == "parts" else (there or found.paths)[:1]
    mine = forms(value)
    return tuple(path for path in there if agreement(mine, looked.forms.get(path, ())))[:1]


def _of_nothing(looked: _Raw, name: str, found: Found | None, used: set[str]) -> Line:
    pointer = f"/{step(name)}"
    if found is not None and found.by_value and not is_empty(at(looked.raw, found.paths[0])):
        return Line(pointer, "lost", found.paths[:1], "nothing")
    if found is not None:
        # Its source is known and empty as well, which is right.
        return Line(pointer, "unknown", (), "nothing")
    places = (*looked.filled, *(box for box, inside in looked.boxes.items() if box and inside))
    alike = [
        path
        for path in places
        if likeness(name, path) >= _ALIKE and not _is_below(path, used) and not _holds(path, used)
    ]
    alike.sort(key=lambda path: likeness(name, path), reverse=True)
    return Line(pointer, "candidates" if alike else "unknown", tuple(alike), "nothing")


def _is_below(path: str, above: Iterable[str]) -> bool:
    return any(path == one or path.startswith(f"{one}/") for one in above)


def _holds(path: str, below: Iterable[str]) -> bool:
    return any(one.startswith(f"{path}/") for one in below)


def spoken(pointer: str) -> str:
    """A pointer in readable form: ``.departments[0].name``; names that are not plain words are quoted."""
    said = ""
    for name in steps(pointer):
        if name.isdigit():
            said += f"[{name}]"
        elif name in ("*", "[last]") or (name[:1] == "[" and "=" in name):
            said += "[]" if name == "*" else name
        else:
            said += f".{name}" if name.isidentifier() else f'["{name}"]'
    return said
