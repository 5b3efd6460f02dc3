"""The items of arrays as rows of their own, so that what is asked of records is asked of items too.

An item belongs to the raw object that it has itself, or to the one in its record's raw data that has its id. The same
raw object comes in many records, and has to be told alike in all of them: nothing in it can say otherwise.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from explorer.quality.engine.finding_collector import PLACES
from explorer.quality.mapping.array_source import text_of_key
from explorer.quality.mapping.field_state import FieldState, Group, Rows, short
from explorer.quality.mapping.inconsistent_results import inconsistent_results
from explorer.quality.mapping.judge import MappingFinding, tokens_of
from explorer.quality.mapping.mixed_sources import fits, mixed_sources
from explorer.quality.mapping.name_match import is_kind
from explorer.quality.mapping.normal_forms import forms, is_telling
from explorer.quality.mapping.origin import is_empty
from explorer.quality.mapping.record_batch import Seen
from explorer.quality.values.flat import is_within_array, leaves, objects

_MOST = 2_000
"""The most items that are looked at."""
_FEWEST = 20
"""The fewest items that tell anything."""
_SEVERAL = 3
"""The fewest odd items."""
_LONGEST = 30
"""The longest text that may be a word for a kind."""
_SHORT = 5
"""The shortest text that tells whose an item is."""
_FIRST = frozenset({"primary", "main", "default", "preferred"})
"""Kinds that an item has by its place."""


@dataclass(slots=True)
class _Items:
    """The items of one array with their raw objects, and the records they stand in."""

    name: str
    where: str
    rows: list[tuple[Mapping[str, Any], Seen]] = field(default_factory=list)
    laid: list[Mapping[str, Any]] = field(default_factory=list)
    alike: dict[int, list[int]] = field(default_factory=dict)
    """The indexes of the items that have one raw object."""


def item_findings(
    rows: Rows,
    raw: str,
    states: Mapping[str, Mapping[str, FieldState]],
    words: Mapping[str, Mapping[str, Collection[str]]],
    settled: Collection[str],
) -> Iterator[MappingFinding]:
    """The findings on the items of all arrays, except for the fields in ``settled``.

    ``states`` are what is known of the fields of each array's items, ``words`` those that the contract has for them.
    """
    names = dict.fromkeys(
        name for record, _ in rows for name, value in record.items() if isinstance(value, list)
    )
    for name in names:
        yield from _kinds(name, rows, raw, words.get(name, {}), settled)
        items = _items_of(name, rows, raw)
        if len(items.rows) < _FEWEST:
            continue
        known = {one.removeprefix(f"{name}[].") for one in settled}
        said = [*_unlike(items, raw, states.get(name, {}), known)]
        said += mixed_sources(
            items.rows, items.laid, raw, {*known, *(one.field for one in said)}, items.where
        )
        said += inconsistent_results(
            items.rows, items.laid, raw, {*known, *(one.field for one in said)}, items.where
        )
        for one in said:
            sentence = f"{name}[].{one.sentence}"
            yield MappingFinding(
                one.kind, one.rule, f"{name}[].{one.field}", sentence, one.count, one.examples
            )


def _items_of(name: str, rows: Rows, raw: str) -> _Items:
    made = _Items(name, f"{name}[].{raw}")
    for record, seen in rows:
        value = record.get(name)
        for item in value if isinstance(value, list) else ():
            own = item.get(raw) if isinstance(item, dict) else None
            if isinstance(item, dict) and not isinstance(own, dict):
                ident = item.get("id")
                own = next((one for one in objects(record[raw]) if ident and ident in one.values()), None)
                made.where = f"{raw} of the item"
            if isinstance(own, dict) and own and len(made.rows) < _MOST:
                made.alike.setdefault(hash(repr(own)), []).append(len(made.rows))
                made.rows.append(({**item, raw: own}, seen))
                made.laid.append(
                    {path: its for path, its in leaves(own).items() if not is_within_array(path)}
                )
    return made


def _unlike(
    items: _Items, raw: str, states: Mapping[str, FieldState], settled: Collection[str]
) -> Iterator[MappingFinding]:
    """Fields that are told otherwise in some items than in others with the very same raw object.

    What the raw object does not have is of the record around it: the part that somebody has in it.
    """
    several = [some for some in items.alike.values() if len(some) > 1]
    for name in dict.fromkeys(name for item, _ in items.rows for name in item):
        if name in settled or name == raw or not several:
            continue
        odd, there = list[int](), 0
        for some in several:
            values = [items.rows[at][0].get(name) for at in some]
            counts = Counter(map(repr, values))
            if len(counts) == 1 or not all(is_empty(one) or is_telling(one) for one in values):
                continue
            own = {forms(value)[-1] for value in items.laid[some[0]].values() if is_telling(value)}
            if not any(forms(value)[-1] in own for value in values if not is_empty(value)):
                continue
            there += 1
            usual = _usual(name, states.get(name), items.laid[some[0]], values) or counts.most_common(1)[0][0]
            odd += [at for at, value in zip(some, values, strict=True) if repr(value) != usual]
        if there < _SEVERAL or not any(not is_empty(items.rows[at][0].get(name)) for at in odd):
            continue
        group = Group()
        for at in sorted(odd):
            group.see(items.rows[at][1], items.rows[at][0].get(name))
        what = f"{name} is told otherwise of the very same item in other records, in {len(odd):,} of"
        what += f" {len(items.rows):,} items: {short(items.rows[min(odd)][0].get(name))}"
        yield MappingFinding(
            "alike", "told otherwise", name, what, group.count, tuple(group.examples[:PLACES])
        )


def _usual(name: str, state: FieldState | None, laid: Mapping[str, Any], values: Sequence[Any]) -> str:
    """Of several values of one item that which the field's source gives, or else what fits it by its place."""
    there = {repr(value): [path for path, its in laid.items() if its == value] for value in values}
    paths = {max(some, key=lambda path: fits(name, path)): told for told, some in there.items() if some}
    if len(paths) > 1:
        return paths[max(paths, key=lambda path: fits(name, path))]
    origin = state.origin.paths[0] if state is not None and state.origin is not None else ""
    return next((repr(one) for one in values if origin and not is_empty(one) and one == laid.get(origin)), "")


def _kinds(
    name: str, rows: Rows, raw: str, words: Mapping[str, Collection[str]], settled: Collection[str]
) -> Iterator[MappingFinding]:
    """Items of another kind than the raw place of their values says: a number that is that of the fax."""
    inner = next(
        (
            one
            for record, _ in rows
            for item in _dicts(record.get(name))
            for one in item
            if is_kind(one) and f"{name}[].{one}" not in settled
        ),
        "",
    )
    known = {*words.get(inner, ())}
    known |= {
        item[inner]
        for record, _ in rows
        for item in _dicts(record.get(name))
        if isinstance(item.get(inner), str)
    }
    if not inner or not 1 < len(known) <= _LONGEST:
        return
    group, right, where = Group(), 0, ""
    for record, seen in rows:
        laid: dict[str, Any] = {}
        for item in _dicts(record.get(name)):
            kind = item.get(inner)
            if not isinstance(kind, str) or kind in _FIRST:
                continue
            laid = laid or leaves(record[raw])
            said, path = _said(item, inner, laid, known)
            right += said == kind
            if said and said != kind:
                group.see(seen, kind, path)
                where = where or f"{short(kind)} where the value is that of {raw}{path}"
    if group.count >= _SEVERAL:
        what = f"{name}[].{inner} is {where}, in {group.count:,} of {group.count + right:,} items"
        yield MappingFinding(
            "alike", "another kind", f"{name}[].{inner}", what, group.count, tuple(group.examples[:PLACES])
        )


def _said(
    item: Mapping[str, Any], inner: str, laid: Mapping[str, Any], known: Collection[str]
) -> tuple[str, str]:
    """The one kind that the raw places of an item's values say, and the first of these; empty where it is not clear."""
    told, first = set[str](), ""
    for name, value in item.items():
        if name == inner or not is_telling(value) or len(text := text_of_key(value)) < _SHORT:
            continue
        paths = [path for path, its in laid.items() if text_of_key(its) == text]
        for path in paths:
            said = {one for one in known if set(tokens_of(one)) <= _words_at(path, laid)}
            if len(said) > 1:
                return "", ""
            told |= said or ({""} if len(paths) > 1 else set())
            first = first or path.replace("/", ".")
    return (told.pop(), first) if len(told) == 1 else ("", "")


def _words_at(path: str, laid: Mapping[str, Any]) -> set[str]:
    """The words of a place, and in an array those of the item that it stands in."""
    made = {one for step in path.split("/") for one in tokens_of(step)}
    if is_within_array(path):
        outer = path.rpartition("/")[0]
        beside = [
            its
            for at, its in laid.items()
            if at.rpartition("/")[0] == outer and at != path and isinstance(its, str)
        ]
        made |= {one for its in beside if len(its) <= _LONGEST for one in tokens_of(its)}
    return made


def _dicts(value: Any) -> list[Mapping[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
