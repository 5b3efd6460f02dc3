"""What a kind of change between two states of a list is, and how its two states are made.

A kind is one change or several: of the raw record (the third party's upgrade, which the connector follows) or of the
unified one (the connector's release). Around it there is what happens between any two pulls: edits in some records,
records that are new and gone, and in many kinds raw fields that change at every pull.
"""

from __future__ import annotations

import json
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any

from tests.exam.mapping import Json, unified
from tests.exam.states.places import PLACES, Place
from tests.exam.world import same

LEAST, MOST, MORE = 230, 470, 14
"""How many records a state has, and how many are new."""
SCALAR = (str, int, float, bool)
ABSENT = "absent\x00"
"""Stands for the value of a key that is not there."""


@dataclass(frozen=True, slots=True)
class Told:
    """One sentence of the program."""

    field: str
    """Dotted; `[]` or an index behind an array makes no difference."""
    sentence: str
    ids: frozenset[str]
    """The records that it is said of."""


@dataclass(frozen=True, slots=True)
class Change:
    """What is done to the records of the second state, and what has to be said of it."""

    name: str
    """A sentence in plain English that would be a fair answer."""
    place: str
    fields: tuple[str, ...]
    """The field that must be named, then others that may be named instead of it."""
    words: tuple[str, ...]
    put: Callable[[Json], object]
    raw: bool = False
    """Whether it is the third party's own record that changes, and the unified one with it."""
    touches: tuple[str, ...] = ()
    """Fields that change with it, but whose naming is not enough."""
    prepare: Callable[[Json], object] | None = None
    """What the raw records of both states need, so that there is something to change."""
    renames: bool = False
    """Whether the records' own ids change."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What must be said."""

    name: str
    fields: tuple[str, ...]
    words: tuple[str, ...]
    ids: frozenset[str]
    """The records that it is true for; ids as they are in the first state."""
    also_edited: frozenset[str]
    """Records changed by the kind in a field that somebody edited as well: they may be claimed, and need not."""

    @property
    def field(self) -> str:
        return self.fields[0]


Changed = dict[str, frozenset[str]]
"""A path, and the ids of the records that differ there."""


@dataclass(frozen=True, slots=True)
class Kind:
    """Two states of a list, and what is true of them."""

    name: str
    place: str
    before: list[Json]
    now: list[Json]
    wanted: tuple[Wanted, ...]
    """Nothing for states that differ by ordinary edits only."""
    declared: tuple[str, ...]
    """The fields that the changes touch, as they say themselves."""
    touched: Changed
    """What the changes touch in truth."""
    noise: Changed
    """What edits and the fields that change at every pull touch."""
    added: frozenset[str]
    gone: frozenset[str]
    former: Mapping[str, str] = field(default_factory=dict)
    """An id of the second state: the id that the record had, where these differ."""

    @property
    def field(self) -> str:
        return self.wanted[0].field if self.wanted else ""

    @property
    def words(self) -> tuple[str, ...]:
        return self.wanted[0].words if self.wanted else ()

    @property
    def ids(self) -> frozenset[str]:
        return self.wanted[0].ids if self.wanted else frozenset()


@dataclass(frozen=True, slots=True)
class Recipe:
    """A kind before its states are made."""

    name: str
    place: str
    changes: tuple[Change, ...]

    def made(self, seed: int) -> Kind:
        """The two states for this seed; the same for the same seed."""
        return _made(self, seed)


Value = Callable[[Any, Json], Any]
Put = Callable[[Json], object]


class Kinds:
    """The kinds of one exam, as they are entered."""

    def __init__(self) -> None:
        self.recipes: list[Recipe] = []
        self.changes: dict[str, Change] = {}

    def register(self, change: Change) -> None:
        """Makes a kind of this change alone."""
        if change.name in self.changes:
            raise ValueError(f"two kinds are called {change.name}")
        self.changes[change.name] = change
        self.recipes.append(Recipe(change.name, change.place, (change,)))

    def together(self, *names: str) -> None:
        """Makes a kind of several changes that are kinds of their own as well."""
        changes = tuple(self.changes[name] for name in names)
        (place,) = {one.place for one in changes}
        self.recipes.append(Recipe("; and ".join(names), place, changes))

    def edited_only(self, name: str, place: str) -> None:
        """Makes states that differ by ordinary edits only."""
        self.recipes.append(Recipe(name, place, ()))

    def value(
        self,
        name: str,
        place: str,
        fields: str,
        words: str,
        *,
        raw: str = "",
        touches: str = "",
        prepare: Put | None = None,
    ) -> Callable[[Value], Value]:
        """A kind that makes another value of each value in these fields; nulls and what is absent stay as they are.

        The function gets the value and the record. With `raw` it is applied to this path (or these) of the raw
        record instead, and `fields` says what comes of it. `words` are parted by bars.
        """

        def add(function: Value) -> Value:
            paths = (raw or fields).split()

            def put(record: Json) -> None:
                for path in paths:
                    replace_at(record, path, lambda old: function(old, record))

            named = tuple(fields.split())
            under = tuple(f"raw_data.{path}" for path in paths) if raw else ()
            self.register(
                Change(
                    name,
                    place,
                    (*named, *(path for path in under if path not in named)),
                    tuple(words.split("|")),
                    put,
                    bool(raw),
                    tuple(touches.split()),
                    prepare,
                    "id" in named,
                )
            )
            return function

        return add

    def record(
        self,
        name: str,
        place: str,
        fields: str,
        words: str,
        *,
        raw: bool = False,
        touches: str = "",
        prepare: Put | None = None,
    ) -> Callable[[Put], Put]:
        """A kind that changes the record itself; with `raw` the third party's own."""

        def add(put: Put) -> Put:
            named = tuple(fields.split())
            self.register(
                Change(
                    name,
                    place,
                    named,
                    tuple(words.split("|")),
                    put,
                    raw,
                    tuple(touches.split()),
                    prepare,
                    "id" in named,
                )
            )
            return put

        return add


FIRST = Kinds()
"""The kinds of this folder's exam; they are entered by the names below."""
RECIPES, CHANGES = FIRST.recipes, FIRST.changes
register, together, edited_only = FIRST.register, FIRST.together, FIRST.edited_only
value, record = FIRST.value, FIRST.record


def replace_at(value: Any, path: str, function: Callable[[Any], Any]) -> None:
    """Puts another value wherever the dotted path leads; it leads through every item of an array."""
    if isinstance(value, list):
        for item in value:
            replace_at(item, path, function)
        return
    head, _, rest = path.partition(".")
    if not isinstance(value, dict) or value.get(head) is None:
        return
    if rest:
        replace_at(value[head], rest, function)
    else:
        value[head] = function(value[head])


def one_in(many: int, record: Json) -> bool:
    """Whether this record is one of the chosen: about one in `many`, by its id."""
    return zlib.crc32(str(record.get("id", record.get("Id"))).encode()) % many == 0


def differences(before: Any, now: Any, path: str = "") -> Iterator[str]:
    """The paths at which two values differ; arrays of objects are gone through where they are as long as before."""
    if before is now or (type(before) is type(now) and isinstance(now, SCALAR) and before == now):
        return
    if isinstance(before, dict) and isinstance(now, dict):
        for key in {**before, **now}:
            inner = f"{path}.{key}" if path else str(key)
            yield from differences(before.get(key, ABSENT), now.get(key, ABSENT), inner)
        return
    lists = isinstance(before, list) and isinstance(now, list) and len(before) == len(now)
    if lists and all(isinstance(item, dict) for item in (*before, *now)):
        for old, new in zip(before, now, strict=True):
            yield from differences(old, new, path)
    elif same(before) != same(now):
        yield path


def related(one: str, other: str) -> bool:
    """Whether one path is the other, or lies below it."""
    return one == other or one.startswith(f"{other}.") or other.startswith(f"{one}.")


def changed(pairs: Iterable[tuple[str, Json, Json]]) -> Changed:
    """Where records differ from what they were: of each the id, the first state and the second."""
    found: dict[str, set[str]] = defaultdict(set)
    for uid, before, now in pairs:
        for path in differences(before, now):
            found[path].add(uid)
    return {path: frozenset(ids) for path, ids in found.items()}


@dataclass(slots=True)
class _Record:
    """One record through its three versions."""

    uid: str
    before: Json
    edited: Json
    """With what happens between any two pulls."""
    now: Json
    """With the kind's changes too."""


def _copy(value: Json) -> Json:
    """A copy that shares nothing, within itself neither."""
    copied: Json = json.loads(json.dumps(value))
    return copied


def _unified(place: Place, raw: Json) -> Json:
    return {**unified(raw, place.mapping), "raw_data": _copy(raw)}


@cache
def _drawn(place: str, seed: int) -> tuple[str, ...]:
    """The raw records of a list, each as JSON."""
    return tuple(json.dumps(raw) for raw in PLACES[place].raws(Random(f"{place} {seed}"), MOST + MORE))


def _made(recipe: Recipe, seed: int) -> Kind:
    place, rng = PLACES[recipe.place], Random(f"{recipe.name} {seed}")
    count, more = rng.randint(LEAST, MOST), rng.choice((0, rng.randint(2, MORE)))
    raws: list[Json] = [json.loads(text) for text in _drawn(recipe.place, seed)[: count + more]]
    for change in recipe.changes:
        if change.prepare:
            for raw in raws:
                change.prepare(raw)
    ticking = rng.random() < 0.7
    if ticking:
        for raw in raws:
            place.tick(rng, raw, 0)
    later = [_copy(raw) for raw in raws]
    _edit(place, later, rng)
    if ticking:
        for raw in later:
            place.tick(rng, raw, 1)
    records = [_through(place, recipe.changes, raw, new) for raw, new in zip(raws, later, strict=True)]
    return _kind(recipe, records, more, rng)


def _edit(place: Place, raws: list[Json], rng: Random) -> None:
    """Some ordinary edits, of two or three kinds, in a few records each."""
    for edit in rng.sample(place.edits, min(len(place.edits), rng.choice((2, 2, 3)))):
        for raw in rng.sample(raws, rng.randint(*place.few)):
            edit(rng, raw)
            place.stamp(rng, raw)


def _through(place: Place, changes: tuple[Change, ...], raw: Json, new: Json) -> _Record:
    before = _unified(place, raw)
    edited = before if raw == new else _unified(place, new)
    if any(change.raw for change in changes):
        upgraded = _copy(new)
        for change in changes:
            if change.raw:
                change.put(upgraded)
        now = _unified(place, upgraded)
    else:
        now = _copy(edited)
    for change in changes:
        if not change.raw:
            change.put(now)
    return _Record(str(before["id"]), before, edited, now)


def _kind(recipe: Recipe, records: list[_Record], more: int, rng: Random) -> Kind:
    new = records[len(records) - more :]
    rest = records[: len(records) - more]
    gone = rng.sample(rest, rng.choice((0, rng.randint(1, 12))))
    lost = {one.uid for one in gone}
    kept = [one for one in rest if one.uid not in lost]
    touched = changed((one.uid, one.edited, one.now) for one in kept)
    noise = changed((one.uid, one.before, one.edited) for one in kept)
    now = [*kept, *new]
    if rng.random() < 0.4:
        rng.shuffle(now)
    return Kind(
        recipe.name,
        recipe.place,
        [one.before for one in rest],
        [_copy(one.now) for one in now],
        tuple(_wanted(change, touched, noise) for change in recipe.changes),
        tuple(path for change in recipe.changes for path in (*change.fields, *change.touches)),
        touched,
        noise,
        frozenset(str(one.now["id"]) for one in new),
        frozenset(lost),
        {str(one.now["id"]): one.uid for one in kept if str(one.now["id"]) != one.uid},
    )


def _wanted(change: Change, touched: Changed, noise: Changed) -> Wanted:
    def of(whose: Changed) -> frozenset[str]:
        paths = (path for path in whose if any(related(path, name) for name in change.fields))
        return frozenset(uid for path in paths for uid in whose[path])

    ids = of(touched)
    hit = {
        path: ids
        for path, ids in noise.items()
        if any(path == other or other.startswith(f"{path}.") for other in touched)
    }
    both = ids & of(hit)
    return Wanted(change.name, change.fields, change.words, ids - both, both)
