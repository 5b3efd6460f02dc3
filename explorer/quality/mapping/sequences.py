"""Arrays compared with the raw arrays they come from: missing, extra and repeated items, or another record's.

Items are matched by one of their values (an id above all), never by index alone. Where a connector omits items by their
content, such as inactive ones, that is learned as a filter: it is not a fault.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from explorer.quality.engine.check import Example
from explorer.quality.mapping.field_state import EXAMPLES, Group
from explorer.quality.mapping.forms import likeness
from explorer.quality.mapping.many import Seen
from explorer.quality.mapping.named import has_its_name, is_kind, sounds_less, words_of_name
from explorer.quality.mapping.origin import reader
from explorer.quality.mapping.sample import FEWEST, OFTEN
from explorer.quality.mapping.slots import Slots, slots_of
from explorer.quality.mapping.trace import spoken
from explorer.quality.values.flat import containers, is_within_array, leaves

_RARE, _FEW, _PURE, _VALUES, _NAMED = 0.03, 50, 0.02, 12, 0.2
"""Share of records that is rare, records below which it is insignificant; a filter's errors and most values."""
_MOST_ARRAYS, _MOST_ITEMS, _LEAVES = 40, 60, 30
_SHORT, _MANY_TEXTS, _TELLING = 4, 12, 4
"""Digits, below which a number may stand anywhere; different texts, from which on a table does not tell them; values of
an item, from which on half of them tell which raw item it is."""
_PLACES = ("its first item", "its last item", "all items but the first", "all items but the last")
_ANYWHERE = ("one item", "all items but one")
"""The number of missing items is evidence too, where order differs and their indexes are not."""

_NO_TEXT = (bool, dict, list)

_FIGURES = re.compile(r"\+?(?:[\s().-]*\d){6,}")
"""A telephone number, or another that is as long: it tells an item however its figures are parted."""
_BETWEEN = re.compile(r"[\s().-]+")
NAME = "<name>"
"""The path of an item that is the member name of an object."""

Item = dict[str, str]
"""The scalars of an item as texts by path; an item that is a scalar itself has the empty path."""


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

    @property
    def is_partial(self) -> bool:
        """Whether many items come from elsewhere."""
        return self.share < OFTEN

    def read(self, raw: Any) -> Any:
        """The raw array of a raw record."""
        return self.slots.filled(raw) if self.slots is not None else reader(self.path)(raw)


@dataclass(frozen=True, slots=True)
class ArrayFault:
    """One fault of an array: a rule's name, the words after the field's name, and the records."""

    rule: str
    words: str
    group: Group


def items_of(value: Any) -> list[Any]:
    """The raw items of a value: those of an array, or an object as the only one."""
    if isinstance(value, list):
        return value[:_MOST_ITEMS]
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
        if not is_within_array(path) and (text := _text(value)):
            made[path] = text
    return made


def _text(value: Any) -> str:
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
            named = "" if moved or not sounds_less(name, best[1]) else _named(name, arrays.boxes)
            return Source(best[1], best[2], best[3], moved, named, share=best[0][0])
    return None


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
        return [texts(one, without) for one in value[:_MOST_ITEMS]]
    if names and isinstance(value, dict) and value:
        return [texts(value)] if objects else [{NAME: _text(one)} for one in list(value)[:_MOST_ITEMS]]
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
    for (u, r), count in both.items():
        if filled[u] < OFTEN * all_mine or held[r] < OFTEN * all_its or alone[r] < OFTEN * held[r]:
            continue
        if len(told[u, r]) < FEWEST:
            continue
        share, covered = count / filled[u], back[u, r] / held[r]
        # An array that has more items than the raw one must contain all of it.
        if share >= OFTEN or (not moved and covered >= OFTEN and share >= 0.34):
            named = likeness(name, path)
            yield (
                (
                    round(share, 2),
                    round(covered, 1),
                    named,
                    u in ("/id", ""),
                    likeness(u[1:], r),
                    len(told[u, r]),
                ),
                u,
                r,
            )


@dataclass(slots=True)
class Array:
    """The comparison of one array with its source."""

    name: str
    source: Source
    raw: str
    where: str
    count: int = 0
    """Records whose raw array has items."""
    several: int = 0
    """Those with more than one."""
    lone_lost: int = 0
    """Those with a single item that the array lacks."""
    missing: Group = field(default_factory=Group)
    missing_items: int = 0
    raw_items: int = 0
    emptied: Group = field(default_factory=Group)
    extra: Group = field(default_factory=Group)
    extra_before: int = 0
    double: Group = field(default_factory=Group)
    instead: Group = field(default_factory=Group)
    """Records that have none of the raw array's items and others instead."""
    mixed: dict[str, Group] = field(default_factory=dict)
    """Items with a value of one raw item and a value of another, by where the latter stands."""
    _texts: dict[str, set[str]] = field(default_factory=dict)
    """Different texts by their place in an item, the first ones."""
    cuts: Counter[int] = field(default_factory=Counter)
    """Records with only the first items of the raw array, by their number."""
    longest: int = 0
    other: Group = field(default_factory=Group)
    """Items that the raw array with the field's name does not contain."""
    filled: int = 0
    first: list[Example] = field(default_factory=list)
    """The first records in which the array has items."""
    lengths: Counter[tuple[int, bool]] = field(default_factory=Counter)
    """How many raw items records have, and whether the array has none of them."""
    by_place: Counter[str] = field(default_factory=Counter)
    guilty: list[dict[str, Any]] = field(default_factory=list)
    usual: list[dict[str, Any]] = field(default_factory=list)
    _values: dict[str, dict[str, list[int]] | None] = field(default_factory=dict)
    _shown: dict[tuple[str, str], list[Example]] = field(default_factory=dict)
    """The first records that have an item of a kind, by the place of the word for it and that word."""
    _before: list[Item] = field(default_factory=list)
    """The raw items of the last record that had some."""

    def look(
        self, value: Any, raw: Mapping[str, Any], seen: Seen
    ) -> list[tuple[dict[str, Any], dict[str, Any]]]:
        """Looks at one more record; returns the items that are objects, each with its raw item."""
        box = self.source.read(raw)
        if self.source.its == NAME:
            there: list[Any] = list(box) if isinstance(box, dict) else []
            theirs = [{NAME: _text(one)} for one in there]
        else:
            there = items_of(box)
            theirs = [texts(one) for one in there]
        items = value if isinstance(value, list) else []
        mine = [texts(one, self.raw) for one in items]
        keys = [one.get(self.source.mine, "") for one in mine]
        raw_keys = [one.get(self.source.its, "") for one in theirs]
        if (left := _left_over(mine, keys, theirs, raw_keys)) is not None:
            keys[left[0]] = raw_keys[left[1]]
        self.filled += bool(items)
        if items and len(self.first) < EXAMPLES:
            self.first.append(seen(", ".join(keys)))
        self.longest = max(self.longest, len(items))
        if self.source.named and items:
            self._beside(keys, raw, seen)
        if len(there) < _MOST_ITEMS and (there or items):
            self._compare(keys, raw_keys, there, raw, seen)
        self._before = theirs or self._before
        place = {key: at for at, key in reversed(list(enumerate(raw_keys))) if key}
        if len(theirs) > 1:
            for one, key in zip(mine, keys, strict=True):
                for path in _mixed(one, theirs[place[key]], theirs) if key in place else ():
                    self.mixed.setdefault(path, Group()).see(seen, ", ".join(keys))
        for path, text in (pair for one in mine for pair in one.items()):
            known = self._texts.setdefault(path, set())
            if len(known) < _MANY_TEXTS:
                known.add(text)
        return [
            (item, there[place[key]])
            for item, key in zip(items, keys, strict=True)
            if key in place and isinstance(item, dict) and isinstance(there[place[key]], dict)
        ]

    def _beside(self, keys: list[str], raw: Mapping[str, Any], seen: Seen) -> None:
        """Compares the items with the raw array that has the field's name."""
        its = items_of(reader(self.source.named)(raw))
        held = {text for one in its for text in texts(one).values()}
        if its and any(key and key not in held for key in keys):
            self.other.see(seen, ", ".join(keys))

    def _compare(
        self, keys: list[str], raw_keys: list[str], there: list[Any], raw: Mapping[str, Any], seen: Seen
    ) -> None:
        mine, its = Counter(filter(None, keys)), Counter(filter(None, raw_keys))
        shown: Any = ", ".join(mine) or []
        self.count += bool(its)
        self.several += len(its) > 1
        self.raw_items += len(its)
        self.lengths[len(its), bool(its) and not mine] += 1
        lacking = [key for key in its if key not in mine]
        if len(self.usual) < 200 and not lacking:
            self.usual.append(leaves(raw))
        for one, key in zip(there, raw_keys, strict=True):
            if key:
                self._value(one, key in mine, seen)
        more = [key for key in mine if key not in its]
        if any(count > max(1, its[key]) for key, count in mine.items()):
            self.double.see(seen, shown, f"{len(keys)} items where {self.where} has {len(raw_keys)}")
        if lacking:
            self.missing_items += len(lacking)
            if len(self.guilty) < 5:
                self.guilty.append(leaves(raw))
            if list(its)[: len(mine)] == list(mine):
                self.cuts[len(mine)] += 1
            if not mine:
                self.emptied.see(seen, shown)
                self.lone_lost += len(its) == 1
            self.missing.see(seen, shown, f"{len(lacking)} of {len(its)} items")
            if len(its) > 1:
                self.by_place.update(_places(list(its), lacking))
        if more:
            before = {one.get(self.source.its, "") for one in self._before}
            self.extra_before += all(key in before for key in more)
            self.extra.see(seen, shown, f"{len(more)} of {len(mine)} items")
            if lacking and len(more) == len(mine):
                self.instead.see(seen, shown)

    def _value(self, item: Any, kept: bool, seen: Seen) -> None:
        laid = leaves(item) if isinstance(item, dict) else {"": item}
        for path in laid:
            self._values.setdefault(path, {})
        for path, counts in self._values.items():
            if counts is None:
                continue
            value = laid.get(path)
            text = "" if value is None or value == "" else repr(value)[:100]
            counts.setdefault(text, [0, 0])[kept] += 1
            if kept and is_kind(path):
                shown = self._shown.setdefault((path, text), [])
                if len(shown) < EXAMPLES:
                    shown.append(seen(value))
            if len(counts) > _VALUES * 4:
                self._values[path] = None

    def _beside_its_kind(self) -> Iterator[ArrayFault]:
        """Items of another kind, where the array is chosen by kinds and one of them has its very name."""
        for path, counts in self._values.items():
            kinds = counts if counts is not None and is_kind(path) else {}
            wanted = words_of_name(self.name)
            own = [text for text in kinds if words_of_name(text.strip("'")) == wanted]
            others = {
                text: kept
                for text, (_, kept) in kinds.items()
                if text and kept and not wanted <= words_of_name(text.strip("'"))
            }
            told = ", ".join(text.strip("'") for text in others)
            if len(own) == 1 and kinds[own[0]][1] and others and any(not kept for _, kept in kinds.values()):
                examples = [at for text in others for at in self._shown.get((path, text), ())]
                group = Group(sum(others.values()), examples[:EXAMPLES])
                words = f"holds {group.count:,} items of {self.where} whose {path[1:]} is {told}"
                yield ArrayFault("another kind", f"{words}, beside its own", group)

    def _is_filter(self) -> bool:
        """Whether an item's content decides whether it is omitted; which item it is does not."""
        for path, counts in self._values.items():
            if counts is None or path == self.source.its:
                continue
            left = [one for one in counts.values() if one[0]]
            if left and sum(one[1] for one in left) <= _PURE * sum(one[0] for one in left):
                return True
        return False

    def _too_many(self) -> int:
        """The number of raw items from which on the array is empty, and below which it never is; 0 for none."""
        least = min((count for count, is_empty in self.lengths if is_empty), default=0)
        kept = max((count for count, is_empty in self.lengths if not is_empty), default=0)
        return least if kept and least == kept + 1 and self.emptied.count >= FEWEST else 0

    def _has_condition(self) -> bool:
        """Whether all records that lack something share a raw value that hardly any other record has."""
        if len(self.guilty) < 3:
            return False
        for path, value in self.guilty[0].items():
            if value is None or value == "" or not all(one.get(path) == value for one in self.guilty):
                continue
            if sum(one.get(path) == value for one in self.usual) <= _PURE * len(self.usual):
                return True
        return False

    def faults(self) -> Iterator[ArrayFault]:
        """The faults, where they are neither a filter nor an enrichment."""
        if self.count < FEWEST:
            return
        if self.source.moved:
            whose = "before" if self.source.moved < 0 else "behind"
            first = Group(self.filled, self.extra.examples)
            yield ArrayFault(
                f"record {whose}", f"is that of the record {whose} it in all {self.filled:,} records", first
            )
            return
        if self.other.count >= max(FEWEST, _RARE * self.filled):
            there = where_of(self.raw, self.source.named)
            words = f"comes from {self.where}, although {there} is there and differs{self._of(self.other)}"
            yield ArrayFault("another source", words, self.other)
            return
        if self.double.count:
            words = f"holds an item twice{self._of(self.double)}: {self.double.words}"
            yield ArrayFault("twice", words, self.double)
        for path, group in self.mixed.items():
            # Where few words are told by a table, one may be another item's as well.
            if len(self._texts[path]) >= _MANY_TEXTS:
                words = f"puts items together from several of {self.where}{self._of(group)}: {path[1:]} is another's"
                yield ArrayFault("mixed", words, group)
                break
        yield from self._beside_its_kind()
        few = max(1, _RARE * self.count) if self.count >= _FEW else 0
        yield from self._extras(few)
        if not self.missing.count:
            return
        if self.emptied.count == self.missing.count and (most := self._too_many()):
            words = f"is empty where {self.where} has {most} items or more{self._of(self.missing)}"
            yield ArrayFault("missing", words, self.missing)
            return
        if self._is_filter():
            return
        if self.longest and self.cuts[self.longest] == self.missing.count >= FEWEST:
            words = (
                "lacks all items but the first" if self.longest == 1 else f"is cut at {self.longest} items"
            )
            yield ArrayFault("missing", f"{words} of {self.where}{self._of(self.missing)}", self.missing)
            return
        if self.missing.count <= few:
            if not self._has_condition():
                words = f"lacks {self.missing.words} of {self.where}{self._of(self.missing)}"
                yield ArrayFault("missing", words, self.missing)
            return
        if self.lone_lost == self.missing.count == self.count - self.several:
            words = f"is empty where {self.where} has a single item{self._of(self.missing)}"
            yield ArrayFault("missing", words, self.missing)
            return
        for words in (*_PLACES, *_ANYWHERE):
            if self.several >= 2 * FEWEST and self.by_place[words] >= OFTEN * self.several:
                words = f"lacks {words} of {self.where}{self._of(self.missing)}"
                yield ArrayFault("missing", words, self.missing)
                return
        if self.double.count >= 0.5 * self.several:
            yield ArrayFault("missing", f"lacks items of {self.where}{self._of(self.missing)}", self.missing)

    def _extras(self, few: float) -> Iterator[ArrayFault]:
        group = self.extra
        if not group.count:
            return
        if group.count <= few:
            whose = "another record's" if self.instead.count == group.count else ""
            words = f"is {whose}" if whose else f"holds {group.words} that {self.where} does not have"
            yield ArrayFault("extra", f"{words}{self._of(group)}", group)
        elif self.extra_before >= OFTEN * group.count:
            words = f"also holds the items of the record before{self._of(group)}"
            yield ArrayFault("record before", words, group)

    def _of(self, group: Group) -> str:
        return f" in {group.count:,} of {max(self.count, self.filled):,} records"


def _mixed(item: Item, own: Item, theirs: Sequence[Item]) -> Iterator[str]:
    """Where an item has what another raw item has in a place in which its own has something else.

    What its own place tells another field, as the id of a parent, is no such place; nor does a small number tell one.
    """
    held, told = set(own.values()), set(item.values())
    free = {path for path, text in own.items() if text not in told}
    for path, text in item.items() if free else ():
        if text in held or (text.isdecimal() and len(text) < _SHORT):
            continue
        if any(one.get(there) == text for one in theirs if one is not own for there in free):
            yield path


def _left_over(
    mine: list[Item], keys: list[str], theirs: list[Item], raw_keys: list[str]
) -> tuple[int, int] | None:
    """The only item and raw item without a partner, where most else is the same: the key itself is wrong."""
    ours = [at for at, key in enumerate(keys) if key not in raw_keys]
    others = [at for at, key in enumerate(raw_keys) if key and key not in keys]
    if len(ours) != 1 or len(others) != 1 or len(mine[ours[0]]) < _TELLING:
        return None
    texts_here, there = set(mine[ours[0]].values()), set(theirs[others[0]].values())
    return (ours[0], others[0]) if 2 * len(texts_here & there) >= len(texts_here) else None


def _places(its: list[str], lacking: list[str]) -> Iterator[str]:
    for words, some in zip(_PLACES, (its[:1], its[-1:], its[1:], its[:-1]), strict=True):
        if lacking == some:
            yield words
    for words, count in zip(_ANYWHERE, (1, len(its) - 1), strict=True):
        if len(lacking) == count:
            yield words


def where_of(raw: str, path: str) -> str:
    """The place of a raw array in words."""
    return f"{raw}{spoken(path)}"
