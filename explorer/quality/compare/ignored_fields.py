"""The fields that a comparison ignores, as patterns of paths; matching values are removed on both sides.

A pattern is a path as `explorer.jsontext.pointer.dotted` writes it: names with dots between, ``[]`` for the items of an
array, ``["a.b"]`` for a name that contains a dot. ``*`` is any one name, ``**`` any number of steps, including none. A
pattern matches the field and everything below it: ``raw_data.*`` removes the content of raw_data, and leaves whether
there is any.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from pydantic import BaseModel

from explorer.catalog.fields import fields_of
from explorer.catalog.registry import Registry
from explorer.catalog.spec import raw_field
from explorer.jsontext.pointer import dotted
from explorer.words import listed

_DATES_OF_CHANGE = ("**.updated_at", "**.modified_at", "**.last_modified_at")

ITEMS = "[]"
_STEP = re.compile(r'\["(?:[^"\\]|\\.)*"\]|\[\]|\*\*|[^.\[\]]+')
_WHOLE = re.compile(rf"(?:{_STEP.pattern})(?:\.(?:{_STEP.pattern})|(?:\[\]|\[\"(?:[^\"\\]|\\.)*\"\]))*")

_ANY = "\0"
"""A name that no field has: where it is masked, every name is."""

State = frozenset[tuple[int, int]]
"""Positions within patterns that have been reached."""


def default_patterns(registry: Registry) -> tuple[str, ...]:
    """The fields that a comparison leaves out unless it is told otherwise, because they change without a user's edit.

    These are dates of change, and what is inside the raw fields that the records of the interface declare.
    """
    names = dict.fromkeys(name for one in registry.resources() for name in raw_fields(one.record))
    return (*_DATES_OF_CHANGE, *(f"**.{dotted((name,))}.*" for name in names))


def raw_fields(record: type[BaseModel] | None) -> tuple[str, ...]:
    """The names of the raw fields of a record, and of what is inside it; its own first."""
    own = raw_field(record)
    inner = _raw_fields(record, set()) if record is not None else ()
    return tuple(dict.fromkeys((*((own,) if own else ()), *inner)))


def left_out_words(patterns: Sequence[str]) -> str:
    """What patterns leave out: ``the content of raw_data and the field name, wherever these stand in a record``."""
    said = []
    for deep in (True, False):
        paths = [one.removeprefix("**.") for one in patterns if one.startswith("**.") is deep]
        contents = [path.removesuffix(".*") for path in paths if path.endswith(".*")]
        fields = [path for path in paths if not path.endswith(".*")]
        words = [f"the content of {listed(contents)}"] if contents else []
        noun = f"the field{'s' if len(fields) > 1 else ''} " if contents else ""
        words += [noun + listed(fields)] if fields else []
        where = f", wherever {'it stands' if len(paths) == 1 else 'these stand'} in a record" if deep else ""
        said += [" and ".join(words) + where] if words else []
    return "; ".join(said)


class MaskFault(ValueError):
    """A pattern that cannot be read, in a sentence."""


class LeftOut(dict[str, Any]):
    """An object whose content is left out: it stands for any, and is not empty."""


def is_vague(item: Any) -> bool:
    """Whether another item that looks the same may be another one, as content of both was left out."""
    if isinstance(item, list):
        return any(map(is_vague, item))
    if not isinstance(item, dict) or "id" in item:
        return False
    return isinstance(item, LeftOut) or any(map(is_vague, item.values()))


class Mask:
    """Compiled patterns. Immutable."""

    def __init__(self, patterns: Iterable[str] = ()) -> None:
        """Raises MaskFault."""
        self.patterns = tuple(dict.fromkeys(pattern.strip() for pattern in patterns))
        self._steps = tuple(_steps(pattern) for pattern in self.patterns)
        self.start = self._spread((number, 0) for number in range(len(self._steps)))
        self._known: dict[tuple[State, str], State | None] = {}

    def pruned(self, value: Any, state: State | None = None) -> Any:
        """``value`` without masked parts; the same object when nothing in it can be masked."""
        state = self.start if state is None else state
        if not state or not isinstance(value, dict | list):
            return value
        if isinstance(value, list):
            below = self.after(state, ITEMS)
            return [] if below is None else [self._inner(item, below) for item in value] if below else value
        made = {}
        for name, inner in value.items():
            below = self.after(state, name)
            if below is not None:
                made[name] = self._inner(inner, below)
        return made

    def _inner(self, value: Any, state: State) -> Any:
        return self.pruned(value, state) if state and isinstance(value, dict | list) else value

    def marked(self, path: str, value: Any) -> Any:
        """``value``, pruned before, with `LeftOut` in place of objects whose whole content is masked.

        ``path`` is as `dotted` writes it, with ``[]`` for items.
        """
        if not isinstance(value, dict | list) or not self.patterns:
            return value
        return self._marked(value, self._at(path) or frozenset())

    def covers(self, path: str) -> bool:
        """Whether the value at ``path``, as `dotted` writes it, is masked as a whole."""
        return self._at(path) is None

    def _at(self, path: str) -> State | None:
        state: State | None = self.start
        for step in _STEP.findall(path):
            if state:
                state = self.after(state, json.loads(step[1:-1]) if step.startswith('["') else step)
        return state

    def _marked(self, value: Any, state: State) -> Any:
        if not state or not isinstance(value, dict | list):
            return value
        if isinstance(value, list):
            below = self.after(state, ITEMS)
            return [self._marked(item, below) for item in value] if below else value
        if self.after(state, _ANY) is None:
            return LeftOut()
        return {
            name: self._marked(inner, self.after(state, name) or frozenset()) for name, inner in value.items()
        }

    def after(self, state: State, step: str) -> State | None:
        """The state of the patterns one step further down; None when that value is masked as a whole."""
        if not state:
            return state
        try:
            return self._known[state, step]
        except KeyError:
            made = self._moved(state, step)
            if len(self._known) < 100_000:
                self._known[state, step] = made
            return made

    def _moved(self, state: State, step: str) -> State | None:
        reached = set()
        for number, place in state:
            steps = self._steps[number]
            if place == len(steps):
                continue
            wanted = steps[place]
            if wanted == "**":
                reached.add((number, place))
            elif wanted == step or (wanted == "*" and step != ITEMS):
                reached.add((number, place + 1))
        made = self._spread(reached)
        if any(place == len(self._steps[number]) for number, place in made):
            return None
        return made

    def _spread(self, places: Iterable[tuple[int, int]]) -> State:
        """Adds the positions after each ``**``, which may stand for no step at all."""
        made = set(places)
        for number, place in tuple(made):
            steps = self._steps[number]
            while place < len(steps) and steps[place] == "**":
                place += 1
                made.add((number, place))
        return frozenset(made)


def _raw_fields(model: type[BaseModel], known: set[type[BaseModel]]) -> Iterator[str]:
    """The raw fields of a model and of the models inside it, except for models in ``known``, which it extends."""
    known.add(model)
    if name := raw_field(model):
        yield name
    for one in fields_of(model):
        if one.model is not None and one.model not in known:
            yield from _raw_fields(one.model, known)


def _steps(pattern: str) -> tuple[str, ...]:
    if not _WHOLE.fullmatch(pattern):
        raise MaskFault(f"{pattern!r} is not a path: join names with dots, such as raw_data.* or items[].id.")
    made = [json.loads(step[1:-1]) if step.startswith('["') else step for step in _STEP.findall(pattern)]
    if all(step == "**" for step in made):
        raise MaskFault(f"{pattern!r} would leave nothing to compare.")
    return tuple(made)
