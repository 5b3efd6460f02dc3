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

State = frozenset[tuple[int, int]]
"""Positions within patterns that have been reached."""


def default_patterns(registry: Registry) -> tuple[str, ...]:
    """The fields that a comparison leaves out unless it is told otherwise, because they change without a user's edit.

    These are dates of change, and what is inside the raw fields that the records of the interface declare.
    """
    records = (one.record for one in registry.resources() if one.record is not None)
    names = dict.fromkeys(name for record in records for name in _raw_fields(record, set()))
    return (*_DATES_OF_CHANGE, *(f"**.{dotted((name,))}.*" for name in names))


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
