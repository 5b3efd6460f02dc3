"""How fields are made, learned from some records: where `search` finds a source by value, or a transform reveals it.

A source that was found by value gets the transform that yields exactly the field's value. For a field that no raw value
agrees with, all raw paths are tried with the transforms that may have made it: cut, rounded, in another unit, without
its zone, decoded with the wrong charset. Either has to explain nine records in ten.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from explorer.jsontext.pointer import steps
from explorer.quality.mapping.name_match import has_its_name, is_id, words_of_name, words_of_path
from explorer.quality.mapping.normal_forms import forms, is_telling, likeness
from explorer.quality.mapping.origin import (
    Origin,
    chosen,
    each,
    endings,
    is_country,
    is_empty,
    keys,
    last_of,
    place,
    reader,
    template,
)
from explorer.quality.mapping.same_name_texts import is_beside
from explorer.quality.mapping.sample import FEWEST, OFTEN, Found
from explorer.quality.mapping.search import sources
from explorer.quality.values.date_transforms import date_readings
from explorer.quality.values.flat import by_name, leaves, named_entries
from explorer.quality.values.learned_transforms import related
from explorer.quality.values.transforms import SAME, Transform, equal, fitted, is_number

_MOST_PATHS = 300
"""The most raw paths that are tried."""
_TRIED = 8
_PROBE = 6
_ALIKE = 0.75
_PARTLY = 0.34
_DEFAULTS = 0.7
"""The share of the records without a source that have one and the same value, from which on it is a default."""
_MOSTLY_OF_KIND = 0.6
"""The share of records whose value is that of one kind of entry, while the others have another entry's."""
_PREVAILS = 0.6
"""The share of records from which on the way in which they are made is the field's."""
MOSTLY = "mostly"
"""How a field is made of which fewer than nine values in ten are a copy: the others are looked at for what they are."""
TRUTH_WORDS = frozenset({"true", "false"})
"""What a reader of settings makes of unquoted words such as NO and ON."""
_NO_IDS = frozenset({"0", "-1", "null", "none", "None", "undefined", "nil"})
"""What stands for no id: where the source has nothing, it is a default and no word of a table."""
_WEAK = frozenset({"there", "not there", "table", "constant", "count", "boolean inverted", "boolean words"})
"""Transforms with so few different results that other raw paths yield the same by chance."""


@dataclass(frozen=True, slots=True)
class Learned:
    """What was learned from some records."""

    found: dict[str, Found]
    """The sources that were found by value, including those of whole objects and arrays."""
    origins: dict[str, Origin]
    """How each field is made, where records can be compared with it."""


def learned(records: Sequence[Mapping[str, Any]], raw: str, only: Collection[str] = ()) -> Learned:
    """How each field of some records is made (``only`` these); ``raw`` is the field with the third party's record."""
    sound = [record for record in records if isinstance(record.get(raw), dict)]
    if only:
        sound = [{name: value for name, value in one.items() if name in only or name == raw} for one in sound]
    found = sources(sound, raw)
    made: dict[str, Origin] = {}
    laid: list[tuple[Mapping[str, Any], dict[str, Any]]] = []
    for name in dict.fromkeys(name for record in sound for name in record if name != raw):
        rows = [record for record in sound if not is_empty(record.get(name))]
        if not rows:
            continue
        one = of_found(found[name], rows, name, raw) if name in found else None
        if one is None and len(rows) >= FEWEST and not _holds_objects(rows, name):
            laid = laid or [(record, leaves(record[raw]) | named_entries(record[raw])) for record in sound]
            filled = [(record, flat) for record, flat in laid if not is_empty(record.get(name))]
            one = _of_transform(filled, name, raw, OFTEN) or _of_transform(filled, name, raw, _PARTLY)
        if one is not None and one.transform.takes_null and one.transform.name != "constant":
            without = [row for row in sound if is_empty(one.read(row[raw]))]
            held = {str(row.get(name)) for row in without}
            nobody = is_id(name) and bool(without) and held <= _NO_IDS
            usual = Counter(map(str, (row.get(name) for row in without))).most_common(1)
            varied = bool(usual) and usual[0][1] < _DEFAULTS * len(without)
            if nobody or varied or 2 * sum(is_empty(row.get(name)) for row in without) >= len(without):
                # No default: most records without a source have no value, or several. How the others are made is told
                # alone.
                one = _without_default(one, rows, name, raw)
        if one is not None:
            made[name] = one
    for name, one in made.items():
        rows = [row for row in sound if not is_empty(row.get(name))] if is_part(one, name) else []
        whole = sum(equal(one.read(row[raw]), row[name]) for row in rows)
        by_others = leaves_to_others(one, rows, name, raw)
        if 0.5 * len(rows) <= whole < len(rows) and not by_others:
            made[name] = as_loss(one)
        kept = [
            row for row in rows if equal(one.read(row[raw]), row[name]) and one.make(row[raw]) != row[name]
        ]
        if (
            len(kept) >= FEWEST
            and len(kept) < len(rows)
            and (not by_others or _are_beside(one, kept, name, raw))
        ):
            made[name] = as_loss(one)
    return Learned(found, made)


def _without_default(origin: Origin, rows: Sequence[Mapping[str, Any]], name: str, raw: str) -> Origin | None:
    """The same source, learned from the records alone in which it has a value."""
    pairs = [(source, row[name]) for row in rows if not is_empty(source := origin.read(row[raw]))]
    fits = fitted(pairs)
    return replace(origin, transform=fits[0].transform) if fits else None


def without_number(origin: Origin, rows: Sequence[Mapping[str, Any]], name: str, raw: str) -> str:
    """The raw object by which records are told that have no number though their source has: folders have no size.

    Empty where the records without the number are not the very ones that have such an object.
    """
    bare, filled = list[set[str]](), list[set[str]]()
    for row in rows:
        if is_number(origin.make(row[raw])):
            kinds = {key for key, value in row[raw].items() if isinstance(value, dict)}
            (bare if is_empty(row.get(name)) else filled).append(kinds)
    if min(len(bare), len(filled)) < FEWEST:
        return ""
    return min(set.intersection(*bare).difference(*filled), default="")


def is_part(origin: Origin, name: str) -> bool:
    """Whether a field is one part of a text. Without its extension, or its parameters, a part is what is meant."""
    return (
        origin.transform.name.partition(",")[0] == "part"
        and '"."' not in origin.transform.words
        and "mime" not in name
    )


def leaves_to_others(origin: Origin, rows: Iterable[Mapping[str, Any]], name: str, raw: str) -> bool:
    """Whether what a part leaves out stands in other fields of most of the records that it leaves something out in."""
    cut = [(row, source) for row in rows if not equal(source := origin.read(row[raw]), row[name])]
    beside = sum(
        is_beside(str(source), str(row[name]), [row[one] for one in row if one != name])
        for row, source in cut
    )
    return 2 * beside > len(cut)


def _are_beside(origin: Origin, rows: Iterable[Mapping[str, Any]], name: str, raw: str) -> bool:
    """Whether other fields hold, in most records that have the whole, what the part would leave out."""
    told = [
        is_beside(
            str(origin.read(row[raw])), str(origin.make(row[raw])), [row[one] for one in row if one != name]
        )
        for row in rows
    ]
    return 2 * sum(told) > len(told)


def as_loss(origin: Origin) -> Origin:
    """An origin of which a part is taken where elsewhere the whole is: the rest is lost."""
    words = f"{origin.transform.words}, and elsewhere whole"
    return replace(origin, transform=replace(origin.transform, lossy=True, words=words))


def _holds_objects(rows: Sequence[Mapping[str, Any]], name: str) -> bool:
    return any(
        isinstance(row[name], dict)
        or (isinstance(row[name], list) and any(isinstance(e, dict) for e in row[name]))
        for row in rows
    )


def of_found(
    found: Found, rows: Sequence[Mapping[str, Any]], name: str, raw: str, often: float = OFTEN
) -> Origin | None:
    """A source that was found by value, with its conversion; None where it is a whole part of the record.

    ``often`` is the share of the records in which the conversion has to give just the field's value.
    """
    values = [(row[name], row[raw]) for row in rows]
    distinct = len({repr(value)[:200] for value, _ in values})
    if found.how == "parts":
        return _of_parts(found, values, distinct, often)
    if found.how == "entry":
        return _of_entry(found, values, distinct, often)
    if found.how == "names":
        return Origin(found.paths, "names", keys(found.paths[0]), SAME, True, found.support, distinct)
    if found.how in ("part", "piece", "there", "not there") and any(
        isinstance(value, dict | list) for value, _ in values
    ):
        return None
    best: Origin | None = None
    for path in found.paths[:3]:
        read = endings(path) if found.how == "ending" else reader(path)
        # A field that is always the same says nothing about a path beside it: see `_is_lost`.
        fits = [
            one
            for one in fitted([(read(it), value) for value, it in values], share=often)
            if one.transform.name != "constant"
        ]
        if fits:
            share = len(fits[0].indexes) / len(values)
            one = Origin(found.paths, found.how, read, fits[0].transform, False, share, distinct)
            if best is None or (share, -one.transform.cost) > (best.support, -best.transform.cost):
                best = replace(one, paths=(path, *(other for other in found.paths if other != path)))
            if fits[0].transform is SAME and share == 1:
                break
    if best is None and found.by_value:
        return _of_some(found, values, distinct)
    return best


def _of_some(found: Found, values: Sequence[tuple[Any, Any]], distinct: int) -> Origin:
    """For values that agree and are made in several ways, the exact transform of the commonest sound one."""
    read = reader(found.paths[0])
    fits = fitted([(read(it), value) for value, it in values], share=_PARTLY)
    sound = next((one.transform for one in fits if not one.transform.lossy), None)
    loose = sound is None or "default" in sound.name
    return Origin(
        found.paths,
        found.how,
        read,
        SAME if sound is None or loose else sound,
        loose,
        found.support,
        distinct,
    )


def _of_parts(found: Found, values: Sequence[tuple[Any, Any]], distinct: int, often: float) -> Origin | None:
    """Texts joined in one order with the same separators in nearly every record."""
    votes: Counter[tuple[tuple[str, ...], tuple[str, ...]]] = Counter()
    for value, raw in values[:40]:
        held = [(path, reader(path)(raw)) for path in found.paths]
        texts = [(path, str(text)) for path, text in held if isinstance(text, str) or type(text) is int]
        votes.update(_templates(value, [(path, text) for path, text in texts if text]))
    for (paths, between), _ in votes.most_common(3):
        read = template(paths, between)
        share = sum(read(raw) == value for value, raw in values) / len(values)
        if share >= often:
            return Origin(paths, "parts", read, SAME, False, share, distinct)
    return None


def _templates(value: Any, held: list[tuple[str, str]]) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """The order of the parts and their separators, where each part occurs once in the text."""
    if not isinstance(value, str) or len(held) < 2 or any(value.count(text) != 1 for _, text in held):
        return
    ordered = sorted(held, key=lambda one: value.index(one[1]))
    between, at = [], 0
    for _, text in ordered:
        start = value.index(text)
        if start < at:
            return
        between.append(value[at:start])
        at = start + len(text)
    yield tuple(path for path, _ in ordered), (*between, value[at:])


def _of_entry(found: Found, values: Sequence[tuple[Any, Any]], distinct: int, often: float) -> Origin | None:
    """The array entry that is identified by a value no other entry has, as ``type`` being ``work``."""
    array = found.paths[0]
    outer = reader(array)
    votes: Counter[tuple[str, str, str]] = Counter()
    kinds: dict[tuple[str, str, str], Any] = {}
    for value, raw in values[:60]:
        items = outer(raw)
        if not isinstance(items, list):
            continue
        for at, item in enumerate(items):
            inner = _place_of(value, item)
            if inner is None or not isinstance(item, dict):
                continue
            others = [one for place, one in enumerate(items) if place != at and isinstance(one, dict)]
            for name, kind in item.items():
                if isinstance(kind, str | bool) and all(not equal(one.get(name), kind) for one in others):
                    key = (name, repr(kind), inner)
                    votes[key] += 1
                    kinds[key] = kind
            break
    for (name, said, inner), _ in votes.most_common(3):
        kind = kinds[name, said, inner]
        read = chosen(array, name, kind, inner)
        fits = fitted([(read(raw), value) for value, raw in values], share=often)
        if fits:
            path = place(array, name, kind, inner)
            share = len(fits[0].indexes) / len(values)
            return Origin((path, array), "entry", read, fits[0].transform, False, share, distinct)
        share = sum(equal(read(raw), value) for value, raw in values) / len(values)
        if share >= _MOSTLY_OF_KIND:
            path = place(array, name, kind, inner)
            return Origin((path, array), "entry", read, SAME, False, share, distinct)
    return None


def _place_of(value: Any, item: Any) -> str | None:
    wanted = set(forms(value))
    return next((path for path, one in leaves(item).items() if wanted & set(forms(one))), None)


def _of_transform(
    filled: Sequence[tuple[Mapping[str, Any], dict[str, Any]]],
    name: str,
    raw: str,
    often: float,
    *,
    tables: bool = True,
) -> Origin | None:
    """The raw path from which a field may have been made by a transform that leaves no equal value."""
    distinct = len({repr(record[name])[:200] for record, _ in filled})
    best: tuple[tuple[float, ...], Origin] | None = None
    for path, read in _candidates(filled, name, raw):
        pairs = [(read(record[raw]), record[name]) for record, _ in filled]
        made = fitted(pairs, share=often, tables=tables)
        fits = [one for one in made if _is_told(one.transform, name, path, distinct)]
        if not fits:
            continue
        explained = {repr(pairs[at][1])[:200] for at in fits[0].indexes}
        if "constant" in fits[0].transform.name and not _is_lost(pairs):
            continue
        if often < OFTEN and (fits[0].transform.name in _WEAK or len(explained) < FEWEST):
            continue  # chance explains a part of the records more easily
        share = len(fits[0].indexes) / len(pairs)
        rank = (share, -float(fits[0].transform.cost), likeness(name, path), -float(path.count("/")))
        if best is None or rank > best[0]:
            best = rank, Origin((path,), "made", read, fits[0].transform, False, share, len(explained))
    return best[1] if best is not None else None


def prevailing(records: Sequence[Mapping[str, Any]], name: str, raw: str) -> Origin | None:
    """How most values of a field are made, where nothing explains nine in ten of them.

    A mistake that needs a condition (a parent that is not there, a plus in the address) spoils more than one record in
    ten: the rest still tell how the field is made. It has to be a sound way, and more than chance.
    """
    rows = [{name: one[name], raw: one[raw]} for one in records if not is_empty(one.get(name))]
    rows = [row for row in rows if isinstance(row[raw], dict)]
    if len(rows) < 4 * FEWEST or _holds_objects(rows, name) or isinstance(rows[0][name], list | bool):
        return None
    found = sources(rows, raw, _PREVAILS).get(name)
    one = of_found(found, rows, name, raw, _PREVAILS) if found is not None else None
    if one is None or one.transform.name in _WEAK:
        laid = [(row, leaves(row[raw]) | named_entries(row[raw])) for row in rows]
        one = _of_transform(laid, name, raw, _PREVAILS, tables=False)
    if one is None or one.transform.lossy or one.transform.name in _WEAK or one.how in ("there", "not there"):
        return None
    right = [row[name] for row in rows if one.explains(row[name], row[raw])]
    told = len(set(map(repr, right)))
    least = 3 if any(has_its_name(name, path) for path in one.paths) else 2 * FEWEST
    if told < least or len(right) < _PREVAILS * len(rows):
        return None
    return replace(one, support=len(right) / len(rows), distinct=told)


def copied(origin: Origin, records: Sequence[Mapping[str, Any]], name: str, raw: str) -> Origin | None:
    """The source of a table as it is, where most entries repeat it: the others are renamed, or went wrong."""
    rows = [row for row in records if isinstance(row.get(raw), dict) and not is_empty(row.get(name))]
    pairs = {repr((it := origin.read(row[raw]), row[name])): (it, row[name]) for row in rows}
    same = [it for it, value in pairs.values() if equal(it, value)]
    right = sum(equal(origin.read(row[raw]), row[name]) for row in rows)
    if len(same) < 3 or 2 * len(same) < len(pairs):
        return None
    swapped = {(str(it), str(value)) for it, value in pairs.values() if not equal(it, value)}
    if is_country(name) and not any(value.casefold() in TRUTH_WORDS for _, value in swapped):
        return None  # countries have several names
    if 2 * right < len(rows) and not (swapped and swapped == {(value, it) for it, value in swapped}):
        return None
    return replace(
        origin, how=MOSTLY, transform=SAME, loose=False, support=right / len(rows), distinct=len(same)
    )


def mostly(records: Sequence[Mapping[str, Any]], name: str, raw: str) -> Origin | None:
    """The raw path that most records' values are copied from, for a field of which nothing explains nearly all.

    The path has to share a word with the field: who made a record often owns it as well. Truth values and words of
    which there are few count only at the path with the field's own name.
    """
    rows = [row for row in records if isinstance(row.get(raw), dict) and not is_empty(row.get(name))]
    if len(rows) < 4 * FEWEST or any(isinstance(row[name], dict | list) for row in rows):
        return None
    same: Counter[str] = Counter()
    told: defaultdict[str, set[str]] = defaultdict(set)
    for row in rows:
        for path, source in leaves(row[raw]).items():
            if type(source) is type(row[name]) and source == row[name]:
                same[path] += 1
                told[path].add(str(source))
    many = 2 * FEWEST if sum(is_telling(row[name]) for row in rows) >= OFTEN * len(rows) else len(rows)
    wanted = words_of_name(name.rpartition(".")[2]) - {"id"}
    fit = [
        (count, likeness(name, path), -path.count("/"), path)
        for path, count in same.items()
        if (wanted & words_of_path(path) and len(told[path]) >= many and count >= _PARTLY * len(rows))
        or (has_its_name(name, path) and len(told[path]) > 1 and count >= 0.5 * len(rows))
    ]
    if not fit:
        return None
    count, _, _, path = max(fit)
    return Origin((path,), MOSTLY, reader(path), SAME, False, count / len(rows), len(told[path]))


def _is_lost(pairs: Sequence[tuple[Any, Any]]) -> bool:
    """Whether one value for all is a loss: for truth values, and where nearly every source value is different."""
    if isinstance(pairs[0][1], bool):
        return any(source is (not pairs[0][1]) for source, _ in pairs)
    return len({repr(source)[:200] for source, _ in pairs}) >= max(4 * FEWEST, 0.5 * len(pairs))


def _is_told(transform: Transform, name: str, path: str, distinct: int) -> bool:
    """Whether a transform is evidence for a field: one with few results only where the name supports the path."""
    weak = transform.name in _WEAK or distinct < FEWEST
    if transform.name in ("there", "not there", "table"):
        return False  # `search` tries these, and excludes chance
    return not weak or is_called(name, path)


def is_called(name: str, path: str) -> bool:
    """Whether a raw path has the field's own name, ignoring ``is`` and ``has`` and how words are joined."""
    last = next((one for one in reversed(steps(by_name(path))) if not one.isdigit() and one != "*"), "")
    return bool(_bare(last)) and _bare(last) == _bare(name)


def _bare(name: str) -> str:
    plain = "".join(sign for sign in name.rpartition(".")[2] if sign.isalnum())
    for before in ("is_", "has_", "is", "has", "Is", "Has"):
        if name.startswith(before) and (
            before.endswith("_") or name[len(before) : len(before) + 1].isupper()
        ):
            plain = plain[len(before.rstrip("_")) :]
            break
    return plain.lower()


def _candidates(
    filled: Sequence[tuple[Mapping[str, Any], dict[str, Any]]], name: str, raw: str
) -> Iterator[tuple[str, Any]]:
    """The raw paths from which a field may have been made: those with similar names, then those with similar values."""
    counts = Counter(path for _, flat in filled for path in flat)
    usual = [
        path
        for path, count in counts.most_common(_MOST_PATHS)
        if count >= (0.1 if has_its_name(name, path) else 0.5) * len(filled)
    ]
    probe = filled[:: max(1, len(filled) // _PROBE)][:_PROBE]
    fit = [path for path in usual if _may(probe, name, path)]
    fit.sort(key=lambda path: likeness(name, path), reverse=True)
    yield from ((path, reader(path)) for path in fit[:_TRIED])
    # All items of an array, joined, counted or taken whole.
    arrays = {path[: path.index("/0")] for path in usual if "/0" in path}
    lists = isinstance(filled[0][0][name], list)
    for array in sorted(arrays)[:_TRIED]:
        inner = {path[len(array) + 2 :] for path in usual if path.startswith(f"{array}/0")}
        for below in sorted(inner)[:_TRIED]:
            read = each(array, below)
            some = [(read(record[raw]), record[name]) for record, _ in probe]
            if lists or any(_joins(source, value) for source, value in some):
                yield f"{array}/*{below}", read
            read = last_of(array, below)
            some = [(read(record[raw]), record[name]) for record, _ in probe]
            if not lists and 2 * sum(_fits(source, value) for source, value in some) >= len(some):
                yield f"{array}/[last]{below}", read


def _joins(source: Any, value: Any) -> bool:
    return isinstance(source, list) and isinstance(value, str) and len(source) > 1 and str(source[0]) in value


def _may(probe: Sequence[tuple[Mapping[str, Any], dict[str, Any]]], name: str, path: str) -> bool:
    """Whether a path's values may have been made into the field's, judged by a few records."""
    pairs = [(flat.get(path), record[name]) for record, flat in probe]
    pairs = [(source, value) for source, value in pairs if not is_empty(source)]
    if not pairs:
        return False
    if likeness(name, path) >= _ALIKE or by_name(path) != path:
        return True
    fits = sum(_fits(source, value) for source, value in pairs)
    return fits >= 0.5 * len(pairs)


def _fits(source: Any, value: Any) -> bool:
    if isinstance(value, bool) or isinstance(source, bool):
        return False
    if is_number(source) and is_number(value):
        return bool(abs(value) >= 10 and abs(source) >= 10)
    mine, its = date_readings(value), date_readings(source)
    if mine and its:
        return any(abs((a.utc - b.utc).total_seconds()) < 2 * 86_400 for a in mine for b in its)
    return is_telling(value) and related(source, value)


def called(rows: Iterable[Mapping[str, Any]], name: str, raw: str) -> tuple[str, list[tuple[Any, Any]]]:
    """The raw path with the field's own name that most records fill, with its values beside the field's."""
    held: dict[str, list[tuple[Any, Any]]] = defaultdict(list)
    for row in rows:
        for path, value in leaves(row[raw]).items():
            if not is_empty(value) and is_called(name, path):
                held[path].append((value, row.get(name)))
    best = max(held, key=lambda path: (len(held[path]), -path.count("/")), default="")
    return best, held.get(best, [])
