"""The raw array that an array of a field comes from, and the values by which their items belong together.

Items are matched by one of their values, an id above all, and never by index alone. Raw fields in numbered slots
(``address1_city`` and ``address2_city`` are the cities of up to two addresses) are read as an array of the slots in
use: any of them may be empty, so that the first item may come from any of them.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, permutations
from typing import Any

from explorer.quality.mapping.name_match import has_its_name, sounds_less
from explorer.quality.mapping.normal_forms import likeness
from explorer.quality.mapping.origin import is_empty, reader
from explorer.quality.mapping.sample import FEWEST, OFTEN
from explorer.quality.values.flat import containers, is_within_array, leaves

_NAMED = 0.2
"""The least share of records in which the raw array with a field's name has items."""
_MOST_ARRAYS = 40
MOST_ITEMS = 60
"""The most items of one array that are compared."""
_LEAVES = 30
"""The most values of one item."""
_MOST_JOINED = 6
"""The most arrays of which two are tried behind each other."""
_BY_CHANCE = 0.1
"""The share of items that have a name in common with one of another array, and are not it."""
_NO_TEXT = (bool, dict, list)
_FIGURES = re.compile(r"\+?(?:[\s().-]*\d){6,}")
"""A telephone number, or another that is as long: it tells an item however its figures are parted."""
_BETWEEN = re.compile(r"[\s().-]+")
_NUMBERED = re.compile(r"(\D+?)[_ .-]?(\d{1,2})[_ .-]?(\D.*)")
_SLOTS = 2
"""Slots and members in common, below which numbers in names mean something else, as in ``line1`` and ``line2``."""
_PLAIN = 3
"""The fewest different values by which arrays of plain values are told to be the same: formats are few."""
NAME = "<name>"
"""The path of an item that is the member name of an object."""

Item = dict[str, str]
"""The scalars of an item as texts by path; an item that is a scalar itself has the empty path."""


@dataclass(frozen=True, slots=True)
class Slots:
    """One family of raw fields: the same members in several numbered slots."""

    name: str
    """How people write it: ``address1|address2``."""
    places: tuple[tuple[tuple[str, str], ...], ...]
    """For each slot its members, each with the raw field that holds it."""
    always: frozenset[str]
    """Members that have a value in every slot, also in one that is not in use, as its id."""

    def filled(self, raw: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The slots of a raw record that are in use, as objects."""
        items = [{member: raw.get(name) for member, name in place} for place in self.places]
        return [one for one in items if any(not is_empty(one[member]) for member in one.keys() - self.always)]


@dataclass(frozen=True, slots=True)
class Source:
    """The raw array that an array comes from, and the values by which its items are matched."""

    path: str
    mine: str
    """The path in the unified item whose value is that at ``its`` in the raw item."""
    its: str
    moved: int = 0
    """-1 where the previous record has the raw array, 1 where the next one does."""
    named: str = ""
    """Another raw array that has the field's name, where this one has another."""
    slots: Slots | None = None
    """The numbered raw fields that stand for the array, where there is none."""
    share: float = 1.0
    """The share of the array's items that it holds."""
    behind: str = ""
    """The raw array whose items follow: that of the secondary places behind the place."""

    @property
    def paths(self) -> tuple[str, ...]:
        """Where its items stand."""
        return (self.path, self.behind) if self.behind else (self.path,)

    @property
    def is_partial(self) -> bool:
        """Whether many items come from elsewhere."""
        return self.share < OFTEN

    def read(self, raw: Any) -> Any:
        """The raw array of a raw record."""
        if self.slots is not None:
            return self.slots.filled(raw)
        first = reader(self.path)(raw)
        return _each_once([*items_of(first), *items_of(reader(self.behind)(raw))]) if self.behind else first


def items_of(value: Any) -> list[Any]:
    """The raw items of a value: those of an array, or an object as the only one."""
    if isinstance(value, list):
        return value[:MOST_ITEMS]
    return [value] if isinstance(value, dict) and value else []


def texts(item: Any, without: str = "") -> Item:
    """The scalars of an item as texts by path, without truth values and the part in ``without``."""
    if isinstance(item, dict):
        laid = leaves({name: value for name, value in item.items() if name != without} if without else item)
    else:
        laid = {"": item}
    made: Item = {}
    for path, value in islice(laid.items(), _LEAVES):
        # An index in an array within an item cannot be a key.
        if not is_within_array(path) and (text := text_of_key(value)):
            made[path] = text
    return made


def text_of_key(value: Any) -> str:
    """A scalar as text, so that an item can be told by it; empty for what tells none."""
    if value is None or isinstance(value, _NO_TEXT):
        return ""
    text = " ".join(str(value).split()).casefold()
    return _BETWEEN.sub("", text) if _FIGURES.fullmatch(text) else text


class RawArrays:
    """The arrays and objects of some raw records: laid out once for all fields that may come from them."""

    def __init__(self, raws: Iterable[Any]) -> None:
        self.boxes = [containers(raw) for raw in raws]
        counts = Counter(
            path for one in self.boxes for path, box in one.items() if path and (isinstance(box, list) or box)
        )
        self.paths = [path for path, _ in counts.most_common(_MOST_ARRAYS)]
        self._laid: dict[tuple[str, bool], tuple[list[list[Item]], set[str]]] = {}

    def laid(self, path: str, *, objects: bool) -> tuple[list[list[Item]], set[str]]:
        """The items at a path in each record, and all their texts; see `_laid` for ``objects``."""
        found = self._laid.get((path, objects))
        if found is None:
            items = [_laid(one.get(path), "", objects=objects, names=True) for one in self.boxes]
            found = self._laid[path, objects] = items, _texts_of(items)
        return found


def _texts_of(laid: Iterable[list[Item]]) -> set[str]:
    return {text for items in laid for item in items for text in item.values()}


def source_of(
    records: Sequence[Mapping[str, Any]], name: str, raw: str, arrays: RawArrays | None = None
) -> Source | None:
    """The raw array that explains an array's items in nearly all of some records, else a neighbour's; or None.

    ``arrays`` are those of the records' raw data, where they are laid out already.
    """
    mine = [_laid(record.get(name), raw) for record in records]
    if sum(map(bool, mine)) < FEWEST:
        return None
    arrays = arrays or RawArrays(record[raw] for record in records)
    objects = any("" not in item for items in mine for item in items)
    told = _texts_of(mine)
    its = {path: arrays.laid(path, objects=objects) for path in arrays.paths}
    near = {path: items for path, (items, texts_) in its.items() if not told.isdisjoint(texts_)}
    for moved in (0, -1, 1):
        best = max(
            (
                (score, path, u, r)
                for path, items in near.items()
                for score, u, r in _fits(mine, items, name, path, moved)
            ),
            default=None,
        )
        if best is not None:
            joined = _joined(mine, near, name) if best[0][0] < OFTEN else None
            if joined is not None and (joined.mine == "/id" or best[2] != "/id"):
                return joined
            named = "" if moved or not sounds_less(name, best[1]) else _named(name, arrays.boxes)
            return Source(best[1], best[2], best[3], moved, named, share=best[0][0])
    return None


def _joined(mine: Sequence[list[Item]], near: Mapping[str, Sequence[list[Item]]], name: str) -> Source | None:
    """An object or array and another array, whose items have the same members: one behind the other they are all."""
    members = {path: {one for items in its for item in items for one in item} for path, its in near.items()}
    paths = sorted(near, key=lambda path: (path.count("/"), -likeness(name, path)))[:_MOST_JOINED]
    for first, behind in permutations(paths, 2):
        same = members[first] & members[behind]
        if len(same) < _SLOTS or 2 * len(same) < len(members[first] | members[behind]):
            continue
        if max(map(len, near[behind])) < _SLOTS or is_below(behind, first) or is_below(first, behind):
            continue
        both = [_each_once([*some, *more]) for some, more in zip(near[first], near[behind], strict=True)]
        best = max(_fits(mine, both, name, first, 0), default=None)
        if best is not None and best[0][0] >= OFTEN:
            return Source(first, best[1], best[2], share=best[0][0], behind=behind)
    return None


def _each_once(items: list[Any]) -> list[Any]:
    """The owner is often among the members, too."""
    return [one for at, one in enumerate(items) if one not in items[:at]]


def is_below(path: str, above: str) -> bool:
    """Whether a path leads into what is at another."""
    return path.startswith(f"{above}/")


def slots_of(raws: Sequence[Mapping[str, Any]]) -> list[Slots]:
    """The families of numbered fields at the top of some raw records."""
    families: defaultdict[str, defaultdict[int, dict[str, str]]] = defaultdict(lambda: defaultdict(dict))
    for name in dict.fromkeys(name for raw in raws for name in raw):
        if (found := _NUMBERED.fullmatch(name)) is not None:
            families[found[1]][int(found[2])][found[3]] = name
    return [
        _slots(prefix, numbers, raws)
        for prefix, numbers in families.items()
        if len(numbers) >= _SLOTS and len(set.intersection(*map(set, numbers.values()))) >= _SLOTS
    ]


def _slots(prefix: str, numbers: Mapping[int, dict[str, str]], raws: Sequence[Mapping[str, Any]]) -> Slots:
    places = [numbers[number] for number in sorted(numbers)]
    always = {
        member
        for member in {member for place in places for member in place}
        if all(not is_empty(raw.get(place[member])) for place in places if member in place for raw in raws)
    }
    name = "|".join(f"{prefix}{number}" for number in sorted(numbers))
    return Slots(name, tuple(tuple(place.items()) for place in places), frozenset(always))


def slotted_source_of(records: Sequence[Mapping[str, Any]], name: str, raw: str) -> Source | None:
    """The same for an array that comes from raw fields in numbered slots."""
    for slots in slots_of([record[raw] for record in records]):
        laid = [{name: one.get(name), raw: {slots.name: slots.filled(one[raw])}} for one in records]
        found = source_of(laid, name, raw)
        if found is not None:
            return replace(found, slots=slots)
    return None


def _named(name: str, boxes: Sequence[Mapping[str, Any]]) -> str:
    """The raw array or object with a field's name; none where there are several, or it is mostly empty."""
    counts = Counter(path for one in boxes for path, box in one.items() if box and has_its_name(name, path))
    often = [path for path, count in counts.items() if count >= FEWEST and count >= _NAMED * len(boxes)]
    often.sort(key=lambda path: path.count("/"))
    alone = len(often) == 1 or (often and often[0].count("/") < often[1].count("/"))
    return often[0] if alone else ""


def _laid(value: Any, without: str, *, objects: bool = False, names: bool = False) -> list[Item]:
    if isinstance(value, list):
        return [texts(one, without) for one in value[:MOST_ITEMS]]
    if names and isinstance(value, dict) and value:
        return [texts(value)] if objects else [{NAME: text_of_key(one)} for one in list(value)[:MOST_ITEMS]]
    return []


def _fits(
    mine: Sequence[list[Item]], its: Sequence[list[Item]], name: str, path: str, moved: int
) -> Iterator[tuple[tuple[float, ...], str, str]]:
    """The pairs of inner paths by which the items of two arrays can be matched, with how well."""
    both: Counter[tuple[str, str]] = Counter()
    back: Counter[tuple[str, str]] = Counter()
    told: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    filled, held, alone = Counter[str](), Counter[str](), Counter[str]()
    all_mine = all_its = 0
    for at, items in enumerate(mine):
        other = its[at + moved] if 0 <= at + moved < len(its) else []
        if not items or (moved and not 0 <= at + moved < len(its)):
            continue
        all_mine += len(items)
        all_its += len(other)
        by_text: defaultdict[str, set[str]] = defaultdict(set)
        for one in other:
            for r, text in one.items():
                by_text[text].add(r)
        for r in {r for one in other for r in one}:
            values = [one[r] for one in other if r in one]
            held[r] += len(values)
            alone[r] += len(set(values))
        present: defaultdict[str, set[str]] = defaultdict(set)
        for item in items:
            for u, text in item.items():
                filled[u] += 1
                present[u].add(text)
                for r in by_text.get(text, ()):
                    both[u, r] += 1
                    told[u, r].add(text)
        for one in other:
            for r, text in one.items():
                for u, seen in present.items():
                    back[u, r] += text in seen
    fit = list[tuple[float, float, str, str]]()
    for (u, r), count in both.items():
        if filled[u] < OFTEN * all_mine or held[r] < OFTEN * all_its or alone[r] < OFTEN * held[r]:
            continue
        if len(told[u, r]) < (FEWEST if u or r else _PLAIN):
            continue
        share, covered = count / filled[u], back[u, r] / held[r]
        # An array that has more items than the raw one must contain all of it.
        if share >= OFTEN or (not moved and covered >= OFTEN and share >= 0.34):
            fit.append((round(share, 2), round(covered, 1), u, r))
    # Somebody from elsewhere has the first name of one of these: a few more names than ids are no better key.
    ids = [one for one in fit if one[2] == "/id"]
    if ids and max(ids)[0] >= max(fit)[0] - _BY_CHANCE:
        fit = ids
    named = likeness(name, path)
    # First names are met again in items that are not meant: how much of the array is covered is no reason for a key.
    most = max((covered for _, covered, _, _ in fit), default=0.0)
    for share, _, u, r in fit:
        likely = u in ("/id", ""), likeness(u[1:], r), len(told[u, r])
        yield (share, most, named, *likely), u, r
