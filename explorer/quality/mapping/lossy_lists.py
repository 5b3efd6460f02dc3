"""What arrays lose as wholes: the last of each, the zeros of codes, all of them from some row on, their very form.

Arrays of plain values within items (the children of a department) are held against the lists of the raw object that the
item is made of: its own raw data, or the one that has its id.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any
from urllib.parse import unquote

from explorer.quality.mapping.field_state import Rows, places_of, short
from explorer.quality.mapping.judge import MappingFinding
from explorer.quality.mapping.name_match import words_of_name
from explorer.quality.mapping.origin import is_empty
from explorer.quality.values.flat import leaves, objects

_FEWEST = 50
"""The fewest records that tell anything."""
_SEVERAL = 10
"""The fewest of them that have lost something."""
_ODD = 3
"""The same where what is lost tells it by itself."""
_NEARLY = 0.98
"""The share that is nearly all."""
_DEEPEST = 5
"""The levels below a raw record that are looked at."""
_CHANCE = 1e-9
"""How unlikely chance has to be."""
_LONGEST = 40
"""The longest text that tells what stands somewhere."""
_EXTENSION = re.compile(r"(?i)(?:\bext(?:ension|n)?|;ext=|\bx|#)[\s.:=]*\d{1,6}\s*$|\dx\d{1,6}\s*$")
"""The end of a telephone number that is chosen after the rest."""
_SHORTEST_NUMBER = 7
_JOINED = re.compile(r"[\w./+-]+(?:\s?[,;|]\s?[\w./+-]+)+")
_APART = re.compile(r"\s?[,;|]\s?")
_Loss = tuple[str, str, Callable[[list[str]], list[str]]]
_LOSSES: tuple[_Loss, ...] = (
    ("last", "lacks the last", lambda its: its[:-1]),
    ("first", "lacks the first", lambda its: its[1:]),
    ("zeros", "loses leading zeros", lambda its: [one.lstrip("0") or "0" for one in its]),
)


def lossy_lists(rows: Rows, raw: str, settled: Collection[str]) -> Iterator[MappingFinding]:
    """The findings on the arrays of some records, except for the fields in ``settled``."""
    if len(rows) < _FEWEST:
        return
    paths = [
        name
        for name in dict.fromkeys(name for record, _ in rows for name in record)
        if name not in (raw, *settled)
        and sum(len(_steps(record.get(name))) > 1 for record, _ in rows) >= _ODD
    ]
    yield from filter(None, (_backwards(name, rows, raw) for name in paths))
    yield from _dialled(rows, raw, settled)
    names = dict.fromkeys(
        name
        for record, _ in rows
        for name, value in record.items()
        if isinstance(value, list) and name != raw
    )
    for name in names:
        if name not in settled:
            found = _ended(name, rows, raw) or _in_one(name, rows, raw)
            if found is not None:
                yield found
        yield from _of_items(name, rows, raw, settled)


def _backwards(name: str, rows: Rows, raw: str) -> MappingFinding | None:
    """A path whose folders stand in another order than in the path that raw data has."""
    odd = list[int]()
    for at, (record, _) in enumerate(rows):
        its = _steps(record.get(name))
        held = [there for value in leaves(record[raw]).values() if len(there := _steps(value)) > 1]
        if len(its) < 2 or any(its == there[: len(its)] or there == its[: len(there)] for there in held):
            continue
        if any(
            sorted(its) in (sorted(there), sorted(there[:-1])) or sorted(its[:-1]) == sorted(there)
            for there in held
        ):
            odd.append(at)
    if len(odd) < _ODD:
        return None
    what = f"{name} has its folders in another order than raw data in {len(odd):,} of {len(rows):,} records:"
    examples = places_of(odd, rows, name)
    what += f" {short(rows[odd[0]][0][name])}"
    return MappingFinding("alike", "another order", name, what, len(odd), examples)


def _dialled(rows: Rows, raw: str, settled: Collection[str]) -> Iterator[MappingFinding]:
    """Telephone numbers of which the extension is a part: all digits, and nothing that parts them."""
    names = dict.fromkeys(name for record, _ in rows for name in record if "phone" in words_of_name(name))
    for name in names:
        odd = list[int]()
        for at, (record, _) in enumerate(rows) if name not in settled else ():
            mine = {one for one in leaves(record.get(name)).values() if isinstance(one, str)}
            bare = {_digits(one) for one in mine if not _EXTENSION.search(one)} - {""}
            texts = [one for one in leaves(record[raw]).values() if isinstance(one, str)] if bare else []
            if any(_digits(one) in bare for one in texts if _EXTENSION.search(one)):
                odd.append(at)
        if len(odd) >= _ODD:
            what = f"{name} has the extension among the digits of the number, in {len(odd):,} of {len(rows):,} records"
            yield MappingFinding("lossless", "extension", name, what, len(odd), places_of(odd, rows, name))


def _digits(text: str) -> str:
    """The digits of a telephone number; empty for anything shorter."""
    digits = "".join(filter(str.isdecimal, text))
    return digits if len(digits) >= _SHORTEST_NUMBER else ""


def _steps(value: Any) -> list[str]:
    """The folders of a path, from the outermost, and what lies within."""
    plain = isinstance(value, str) and "/" in value and "//" not in value
    steps = [unquote(one) for one in value.split("/") if one] if plain else []
    return [] if all(map(str.isdigit, steps)) else steps  # a date


def _ended(name: str, rows: Rows, raw: str) -> MappingFinding | None:
    """An array that is empty from some row on, though what tells in raw data where it has items goes on."""
    filled = [not is_empty(record.get(name)) for record, _ in rows]
    last = max((at for at, there in enumerate(filled) if there), default=-1)
    before, after = filled[: last + 1], rows[last + 1 :]
    share = sum(before) / max(1, len(before))
    if sum(before) < _SEVERAL or (1 - share) ** len(after) > _CHANCE:
        return None
    there, bare = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for (record, _), is_there in zip(rows, before, strict=False):
        (there if is_there else bare).update(set(_features(record[raw])))
    telling = {one for one, count in there.items() if count == sum(before) and not bare[one]}
    if before.count(False) < _ODD:
        # Nothing tells what gave the items, so that all of it has to go on, and the items have to be raw data's own.
        lost = any(not telling <= set(_features(record[raw])) for record, _ in after)
        if len(before) < _FEWEST or lost or not _are_of_raw(name, rows[: last + 1], raw):
            return None
    odd = [at for at, (record, _) in enumerate(after, last + 1) if telling & set(_features(record[raw]))]
    if len(odd) < _SEVERAL:
        return None
    what = f"{name} is empty from record {last + 2:,} of {len(rows):,} on, where raw data has what gave items before,"
    what += f" in {len(odd):,} records"
    examples = places_of(odd, rows, name)
    return MappingFinding("kept", "ended", name, what, len(odd), examples)


def _are_of_raw(name: str, rows: Rows, raw: str) -> bool:
    """Whether each record's items have a value that stands in its raw data."""
    return all(
        {value for path, value in _features(record.get(name)) if value}
        & {value for path, value in _features(record[raw]) if value}
        for record, _ in rows
    )


def _features(raw: Any, path: str = "", deep: int = 0) -> Iterator[tuple[str, str]]:
    """What stands where in a raw record, whatever the index; of texts also what they are."""
    if isinstance(raw, dict) and deep < _DEEPEST:
        for name, value in raw.items():
            yield from _features(value, f"{path}/{name}", deep + 1)
    elif isinstance(raw, list) and deep < _DEEPEST:
        for value in raw:
            yield from _features(value, f"{path}/*", deep + 1)
    elif not is_empty(raw):
        yield path, ""
        if isinstance(raw, str | bool | int) and len(str(raw)) <= _LONGEST:
            yield path, str(raw)


def _in_one(name: str, rows: Rows, raw: str) -> MappingFinding | None:
    """An array whose texts stand in one text with signs between them, and never beside one another."""
    odd, plain = list[int](), set[str]()
    pieces = set[str]()
    for at, (record, _) in enumerate(rows):
        its = record.get(name)
        if not isinstance(its, list) or not its:
            continue
        if len(its) > 1 or not isinstance(its[0], str):
            return None
        if _JOINED.fullmatch(its[0]):
            if any(its[0] in one for one in _raw_lists(record[raw])):
                return None  # the third party's own
            odd.append(at)
            pieces.update(_APART.split(its[0]))
        else:
            plain.add(its[0])
    if len(odd) < _ODD or not (plain & pieces or len(pieces) < len(odd)):
        return None
    what = f"{name} has several in one text, in {len(odd):,} of {len(rows):,} records: {short(rows[odd[0]][0][name])}"
    examples = places_of(odd, rows, name)
    return MappingFinding("lossless", "in one text", name, what, len(odd), examples)


def _of_items(name: str, rows: Rows, raw: str, settled: Collection[str]) -> Iterator[MappingFinding]:
    """The arrays of plain values within the items of one array."""
    pairs: defaultdict[str, list[tuple[int, list[str], dict[str, list[str]]]]] = defaultdict(list)
    for at, (record, _) in enumerate(rows):
        items = record.get(name)
        for item in items if isinstance(items, list) else ():
            if not isinstance(item, dict):
                continue
            inner = {key: value for key, value in item.items() if key != raw and isinstance(value, list)}
            inner = {key: value for key, value in inner.items() if all(isinstance(one, str) for one in value)}
            there = _lists_of(item, record, raw) if inner else {}
            for key, value in inner.items() if there else ():
                pairs[key].append((at, value, there))
    for key, some in pairs.items():
        if f"{name}[].{key}" not in settled:
            found = _against(f"{name}[].{key}", some, rows)
            if found is not None:
                yield found


def _against(
    field: str, some: Sequence[tuple[int, list[str], dict[str, list[str]]]], rows: Rows
) -> MappingFinding | None:
    paths = dict.fromkeys(path for _, _, there in some for path in there)
    if any(
        sum(there.get(path) == value for _, value, there in some if value) >= _NEARLY * _filled(some)
        for path in paths
    ):
        return None
    for path in paths:
        for rule, words, lose in _LOSSES:
            both = [(at, value, there[path]) for at, value, there in some if there.get(path)]
            odd = [at for at, value, its in both if value != its]
            fit = sum(lose(its) == value for _, value, its in both)
            told = {tuple(value) for _, value, its in both if value and value != its}
            if len(odd) >= _SEVERAL and len(told) >= _ODD and fit >= _NEARLY * len(both):
                places = [*dict.fromkeys(odd)]
                array = field.partition("[")[0]
                what = f"{field} {words} of what its raw data has, in {len(odd):,} of {len(both):,} items"
                return MappingFinding(
                    "lossless", rule, field, what, len(places), places_of(places, rows, array)
                )
    return None


def _filled(some: Sequence[tuple[int, list[str], dict[str, list[str]]]]) -> int:
    return max(1, sum(bool(value) for _, value, _ in some))


def _lists_of(item: Mapping[str, Any], record: Mapping[str, Any], raw: str) -> dict[str, list[str]]:
    """By path, the lists of plain values that the raw object of an item has, those of its objects' members too."""
    own, ident = item.get(raw), item.get("id")
    if not isinstance(own, dict):
        own = next((one for one in objects(record[raw]) if ident and ident in one.values()), None)
    made: dict[str, list[str]] = {}
    for path, held in _named_lists(own) if isinstance(own, dict) else ():
        if all(isinstance(one, str | int) for one in held):
            made[path] = [str(one) for one in held]
        elif all(isinstance(one, dict) for one in held):
            for key in dict.fromkeys(chain.from_iterable(held)):
                inner = [one.get(key) for one in held]
                if all(isinstance(one, str | int) for one in inner):
                    made[f"{path}/*/{key}"] = [str(one) for one in inner]
    return made


def _named_lists(raw: Mapping[str, Any], path: str = "", deep: int = 0) -> Iterator[tuple[str, list[Any]]]:
    for name, value in raw.items():
        if isinstance(value, list):
            yield f"{path}/{name}", value
        elif isinstance(value, dict) and deep < _DEEPEST:
            yield from _named_lists(value, f"{path}/{name}", deep + 1)


def _raw_lists(raw: Any) -> Iterator[list[Any]]:
    for one in objects(raw):
        for value in one.values():
            if isinstance(value, list):
                yield value
