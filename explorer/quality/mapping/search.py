"""Finds the sources of unified fields in raw data by value, over many records so that chance matches drop out.

For each field these are tried in turn: a raw value that nearly always agrees (equal, case and space, number, date); for
true and false a raw truth value, its opposite, a word, or the presence of something; a text joined from parts; a small
table over a raw value; one entry of an array, or a piece of a longer text; for objects and arrays the part of the raw
record that contains their values. Paths that hold the same in every record cannot be distinguished by value: the one
with the most similar name comes first, the others are kept beside it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from explorer.quality.mapping.normal_forms import Key, agreement, forms, is_telling, likeness
from explorer.quality.mapping.origin import ending, is_empty
from explorer.quality.mapping.partial_sources import of_entry, of_piece
from explorer.quality.mapping.sample import FEWEST, OFTEN, Found, Sample
from explorer.quality.values.flat import BOXES, containers, leaves, named_entries, within

__all__ = ["Found", "sources"]

ALWAYS = 0.98
MOST_POINTERS, MOST_BOXES = 2_000, 500
"""Limits for all records together. Where names are ids or dates every record adds new ones, none of them a source."""
_TABLE = 12
_SOURCED = 0.8
_TELLING = 1_000
"""The least number that is looked for within texts: chance puts smaller ones there."""


def sources(records: Iterable[Mapping[str, Any]], raw: str, often: float = OFTEN) -> dict[str, Found]:
    """The source of each top-level field that has one, from records whose field ``raw`` holds an object.

    ``often`` is the share of records with a value in which a source has to explain it.
    """
    sample = _sample([one for one in records if isinstance(one.get(raw), dict)], raw, often)
    found: dict[str, Found] = {}
    for name in dict.fromkeys(name for record in sample.records for name in record if name != raw):
        values = [record.get(name) for record in sample.records]
        one = _source(sample, name, values)
        if one is not None:
            found[name] = one
    return found


def _sample(records: list[Mapping[str, Any]], raw: str, often: float) -> Sample:
    plain = [leaves(record[raw]) for record in records]
    boxes = [containers(record[raw]) for record in records]
    flat = [{pointer: forms(value) for pointer, value in one.items()} for one in plain]
    pointers, box_pointers = _commonest(flat, MOST_POINTERS), _commonest(boxes, MOST_BOXES)
    named = [named_entries(record[raw]) for record in records]
    return Sample(records, flat, plain, boxes, pointers, box_pointers, raw, often, named=named)


def _commonest(laid: Sequence[Mapping[str, Any]], most: int) -> list[str]:
    """The pointers of some records in order; where there are too many, only those that most records have."""
    counts = Counter(pointer for one in laid for pointer in one)
    if len(counts) <= most:
        return list(counts)
    kept = {pointer for pointer, _ in counts.most_common(most)}
    return [pointer for pointer in counts if pointer in kept]


def _source(sample: Sample, name: str, values: list[Any]) -> Found | None:
    rows = [row for row, value in enumerate(values) if not is_empty(value)]
    if not rows:
        return None
    kinds = Counter(type(values[row]) for row in rows)
    kind = kinds.most_common(1)[0][0]
    if kind is list and all(not isinstance(entry, BOXES) for row in rows for entry in _listed(values[row])):
        return _of_list(sample, name, values, rows)
    if kind in (list, dict):
        return _of_object(sample, name, values, rows)
    if kind is bool:
        return _of_boolean(sample, name, values, rows)
    return (
        _of_value(sample, name, values, rows)
        or _of_parts_or_entry(sample, name, values, rows)
        or _of_table(sample, name, values, rows)
        or of_entry(sample, name, values, rows)
        or of_piece(sample, name, values, rows)
    )


def _of_value(sample: Sample, name: str, values: list[Any], rows: list[int]) -> Found | None:
    """A raw value that agrees with the field's."""
    mine = {row: forms(values[row]) for row in rows}
    hits: dict[str, frozenset[int]] = {}
    hows: dict[str, Counter[str]] = {}
    for pointer in sample.pointers:
        found = _agreeing(sample, pointer, mine, rows)
        if found:
            hits[pointer] = frozenset(found)
            hows[pointer] = Counter(found.values())
    distinct = len({str(values[row]) for row in rows})
    sure = len(rows) >= FEWEST and distinct > 1
    if not sure:
        telling = all(is_telling(values[row]) for row in rows)
        hits = {
            pointer: found
            for pointer, found in hits.items()
            if (telling and hows[pointer]["equal"] == len(rows)) or likeness(name, pointer) >= 0.5
        }
    if not hits:
        return None
    idle = {pointer: _idle(sample, pointer, values) for pointer in hits}

    def rank(pointer: str) -> tuple[float, ...]:
        exact = hows[pointer]["equal"] / len(rows)
        return (len(hits[pointer]), -idle[pointer], likeness(name, pointer), exact, -pointer.count("/"))

    best = max(hits, key=rank)
    same = [p for p in hits if p != best and hits[p] == hits[best] and idle[p] == idle[best]]
    same.sort(key=rank, reverse=True)
    how = hows[best].most_common(1)[0][0]
    return Found((best, *same), how, len(hits[best]) / len(rows))


def _agreeing(
    sample: Sample, pointer: str, mine: Mapping[int, tuple[Key, ...]], rows: list[int]
) -> dict[int, str]:
    """The records in which a raw path agrees, and how; stops early, with none, when they are too few."""
    found: dict[int, str] = {}
    misses, most = 0, (1 - sample.often) * len(rows)
    for row in rows:
        how = agreement(mine[row], sample.flat[row].get(pointer, ()))
        if how:
            found[row] = how
        else:
            misses += 1
            if misses > most:
                return {}
    return found


def _idle(sample: Sample, pointer: str, values: list[Any]) -> int:
    """Records in which a raw path has a value and the field does not."""
    return sum(1 for row, value in enumerate(values) if is_empty(value) and sample.flat[row].get(pointer, ()))


def _of_boolean(sample: Sample, name: str, values: list[Any], rows: list[int]) -> Found | None:
    """A raw truth value, its opposite, a word, or the presence of something."""
    varies = 0 < sum(values[row] is True for row in rows) < len(rows)
    everything = list(dict.fromkeys((*sample.pointers, *sample.box_pointers[1:])))
    tests: tuple[tuple[str, Callable[[int, str], bool | None]], ...] = (
        ("equal", lambda row, pointer: _truth(sample, row, pointer)),
        ("opposite", lambda row, pointer: _opposite(_truth(sample, row, pointer))),
        ("there", lambda row, pointer: _there(sample, row, pointer)),
        ("not there", lambda row, pointer: not _there(sample, row, pointer)),
    )
    if not varies and 0 < sum(value is None for value in values) < len(values):
        return _of_presence(sample, name, values, rows)
    best: tuple[tuple[float, ...], str, str] | None = None
    agreeing: dict[str, list[str]] = defaultdict(list)
    for order, (how, test) in enumerate(tests):
        for pointer in everything if how.endswith("there") else sample.pointers:
            share = _share(test, pointer, values, rows)
            alike = likeness(name, pointer) if share >= ALWAYS else 0.0
            if share < ALWAYS or (not varies and (alike < 0.5 or how != "equal")):
                continue
            agreeing[f"{how} {share}"].append(pointer)
            rank = (share, -order, alike, -float(pointer.count("/")))
            if best is None or rank > best[0]:
                best = (rank, pointer, how)
    if best is None:
        return _of_table(sample, name, values, rows) if varies else None
    (share, _, alike, *_), pointer, how = best
    same = [one for one in agreeing[f"{how} {share}"] if one != pointer]
    if how.endswith("there"):
        # Presence alone is weak evidence: the name must support it, or no other path can qualify.
        table = None if alike >= 0.3 else _of_table(sample, name, values, rows)
        if table is not None:
            return table
    return Found((pointer, *same), how, share)


def _share(
    test: Callable[[int, str], bool | None], pointer: str, values: list[Any], rows: list[int]
) -> float:
    """The share of records for which a test is right; 0 as soon as they are too few."""
    wrong, most = 0, (1 - ALWAYS) * len(rows)
    for row in rows:
        if test(row, pointer) is not values[row]:
            wrong += 1
            if wrong > most:
                return 0.0
    return 1 - wrong / len(rows)


def _of_presence(sample: Sample, name: str, values: list[Any], rows: list[int]) -> Found | None:
    """A field that is one truth value or absent: a raw path present in the same records, with no other value."""
    fit = []
    for pointer in dict.fromkeys((*sample.pointers, *sample.box_pointers[1:])):
        there = [_there(sample, row, pointer) for row in range(len(values))]
        right = sum(is_there is (value is not None) for is_there, value in zip(there, values, strict=True))
        truths = {_truth(sample, row, pointer) for row in rows} - {None}
        if right >= ALWAYS * len(values) and truths <= {values[rows[0]]}:
            how = "equal" if truths else "there"
            fit.append(((right, how == "equal", likeness(name, pointer), -pointer.count("/")), pointer, how))
    if not fit:
        return None
    fit.sort(reverse=True)
    paths = tuple(pointer for _, pointer, how in fit if how == fit[0][2])
    return Found(paths, fit[0][2], fit[0][0][0] / len(values))


def _truth(sample: Sample, row: int, pointer: str) -> bool | None:
    value = sample.plain[row].get(pointer)
    if isinstance(value, bool):
        return value
    word = next((found for kind, found in sample.flat[row].get(pointer, ()) if kind == "word"), None)
    return word if isinstance(word, bool) else None


def _opposite(value: bool | None) -> bool | None:
    return None if value is None else not value


def _there(sample: Sample, row: int, pointer: str) -> bool:
    return sample.plain[row].get(pointer) is not None or pointer in sample.boxes[row]


def _of_table(sample: Sample, name: str, values: list[Any], rows: list[int]) -> Found | None:
    """A raw value with few variants, each with one unified value; otherwise a name's extension, as .pdf."""
    return _of_kinds(sample, name, values, rows, "table", str) or _of_kinds(
        sample, name, values, rows, "ending", ending
    )


def _of_kinds(
    sample: Sample, name: str, values: list[Any], rows: list[int], how: str, kind: Callable[[Any], Any]
) -> Found | None:
    mine = {row: str(values[row]) for row in rows}
    kinds = Counter(mine.values())
    if not 1 < len(kinds) <= _TABLE or len(rows) < 4 * FEWEST:
        return None
    best: tuple[tuple[float, ...], str, float] | None = None
    columns = [(pointer, sample.plain) for pointer in sample.pointers]
    columns += [(pointer, sample.named) for pointer in _commonest(sample.named, MOST_BOXES)]
    for pointer, held in columns:
        groups: dict[str, Counter[str]] = defaultdict(Counter)
        for row in rows:
            groups[kind(held[row].get(pointer))][mine[row]] += 1
        if not len(kinds) <= len(groups) <= min(2 * _TABLE, len(rows) // 4):
            continue
        right = sum(max(group.values()) for group in groups.values())
        told = {group.most_common(1)[0][0] for group in groups.values()}
        if right < ALWAYS * len(rows) or len(told) < len(kinds) or not sample.tells_a_table(len(groups)):
            continue
        rank = (right, likeness(name, pointer), -float(len(groups)), -float(pointer.count("/")))
        if best is None or rank > best[0]:
            best = (rank, pointer, right / len(rows))
    if best is None:
        return None
    return Found((best[1], *_called_so(sample, mine)), how, best[2])


def _called_so(sample: Sample, words: Mapping[int, str]) -> Iterator[str]:
    """Objects that are present exactly where the field's value is the word of their name."""
    for pointer in sample.box_pointers[1:]:
        word = pointer.rpartition("/")[2]
        if word in words.values() and all(
            (pointer in sample.boxes[row]) is (is_ == word) for row, is_ in words.items()
        ):
            yield pointer


def _of_parts(sample: Sample, name: str, values: list[Any], rows: list[int]) -> Found | None:
    """Raw texts that together make up the field's, with separators."""
    counts: Counter[str] = Counter()
    covered = 0
    for row in rows:
        text = values[row]
        if not isinstance(text, str):
            return None
        inside = {
            pointer: said
            for pointer, value in sample.plain[row].items()
            if (isinstance(value, str) or (type(value) is int and value >= _TELLING))
            and _is_part(said := str(value))
            and said in text
            and said != text
        }
        rest = text
        for value in sorted(inside.values(), key=len, reverse=True):
            rest = rest.replace(value, "")
        covered += len(rest) <= 0.4 * len(text)
        counts.update(inside.keys())
    if covered < sample.often * len(rows):
        return None
    often = [pointer for pointer, count in counts.items() if count >= 0.3 * len(rows)]
    arrays = {pointer.rpartition("/")[0] for pointer in often if pointer.rpartition("/")[2].isdigit()}
    kept = [p for p in often if p.rpartition("/")[0] not in arrays and counts[p] >= sample.often * len(rows)]
    paths = (*sorted(arrays), *kept)
    return Found(tuple(paths), "parts", covered / len(rows)) if paths else None


def _of_parts_or_entry(sample: Sample, name: str, values: list[Any], rows: list[int]) -> Found | None:
    """Texts that the field's holds; or, where these are there without the field as well, the entry of an array."""
    parts = _of_parts(sample, name, values, rows)
    bare = [flat for value, flat in zip(values, sample.plain, strict=True) if is_empty(value)]
    if parts is None or sum(all(flat.get(path) for path in parts.paths) for flat in bare) < FEWEST:
        return parts
    return of_entry(sample, name, values, rows) or parts


def _is_part(value: str) -> bool:
    """Whether finding a text inside another is significant: in some scripts a name of one character is normal."""
    return len(value) >= 2 or (not value.isascii() and value.isalpha())


def _of_list(sample: Sample, name: str, values: list[Any], rows: list[int]) -> Found | None:
    """An array of plain values: a raw array of the same, or the member names of a raw object."""
    wanted = {row: _folded(_listed(values[row])) for row in rows}
    best: tuple[tuple[float, ...], str, str] | None = None
    for pointer in sample.box_pointers:
        for how, read in (("equal", _entries), ("names", _names)):
            share = sum(_folded(read(sample.boxes[row].get(pointer))) == wanted[row] for row in rows) / len(
                rows
            )
            rank = (share, likeness(name, pointer), float(pointer.count("/")))
            if share >= OFTEN and (best is None or rank > best[0]):
                best = (rank, pointer, how)
    if best is not None:
        return Found((best[1],), best[2], best[0][0])
    return _of_object(sample, name, values, rows)


def _of_object(sample: Sample, name: str, values: list[Any], rows: list[int]) -> Found | None:
    """The smallest part of the raw record that contains the values of an object or an array of objects."""
    mine = {
        row: [(key, forms(value)) for key, value in within(values[row], without=sample.raw)] for row in rows
    }
    simple = _of_flag(sample, name, values, rows)
    if simple is not None:
        return simple
    whole = _shares(sample, "", mine) if "" in sample.box_pointers else {}
    sourced = {key for key, share in whole.items() if share >= _SOURCED}
    if not sourced:
        return None
    shares = {
        pointer: _shares(sample, pointer, mine) if pointer else whole for pointer in sample.box_pointers
    }
    fit = [
        pointer
        for pointer in sample.box_pointers
        if all(shares[pointer].get(key, 0.0) >= whole[key] - 0.05 for key in sourced)
    ]
    best = max(fit, key=lambda pointer: (pointer.count("/"), likeness(name, pointer)))
    support = min(shares[best][key] for key in sourced)
    how = "part" if best else "parts"
    return Found((best,), how, support)


def _of_flag(sample: Sample, name: str, values: list[Any], rows: list[int]) -> Found | None:
    """An object that holds only one truth value, read as that."""
    if any(not isinstance(values[row], dict) or len(values[row]) != 1 for row in rows):
        return None
    inner = {key for row in rows for key in values[row]}
    if len(inner) != 1 or any(not isinstance(next(iter(values[row].values())), bool) for row in rows):
        return None
    key = next(iter(inner))
    flags = [next(iter(value.values())) if isinstance(value, dict) and value else None for value in values]
    return _of_boolean(sample, key, flags, rows)


def _shares(
    sample: Sample, pointer: str, mine: Mapping[int, list[tuple[str, tuple[Key, ...]]]]
) -> dict[str, float]:
    """For each member name of the field's objects, how often its value is below a raw path."""
    met: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    for row, inner in mine.items():
        there = sample.below(row, pointer)
        for name, keys in inner:
            seen[name] += 1
            met[name] += not there.isdisjoint(keys)
    return {name: met[name] / seen[name] for name in seen}


def _listed(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else ()


def _entries(value: Any) -> Sequence[Any]:
    return [one for one in _listed(value) if not isinstance(one, BOXES)]


def _names(value: Any) -> Sequence[Any]:
    return list(value) if isinstance(value, dict) else ()


def _folded(values: Sequence[Any]) -> Counter[str]:
    return Counter(str(value).strip().casefold() for value in values)
