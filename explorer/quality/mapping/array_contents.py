"""Arrays compared with the raw arrays they come from: missing, extra and repeated items, or another record's.

Items are matched by one of their values (an id above all), never by index alone. Where a connector omits items by their
content, such as inactive ones, that is learned as a filter: it is not a fault.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from explorer.quality.engine.check import Example
from explorer.quality.engine.finding_collector import PLACES
from explorer.quality.mapping.array_source import MOST_ITEMS, NAME, Item, Source, items_of, text_of_key, texts
from explorer.quality.mapping.chosen_items import Choice, choice_of
from explorer.quality.mapping.field_state import EXAMPLES, Group
from explorer.quality.mapping.name_match import is_kind, words_of_name
from explorer.quality.mapping.origin import reader
from explorer.quality.mapping.record_batch import Seen
from explorer.quality.mapping.sample import FEWEST, OFTEN
from explorer.quality.mapping.trace import spoken
from explorer.quality.values.flat import leaves

_RARE = 0.03
"""The share of records that is rare."""
_FEW = 50
"""With fewer records a rare difference is insignificant."""
_PURE = 0.02
"""The share of items for which a filter may be wrong."""
_VALUES = 12
"""The most values of a filter."""
_SOME = 0.34
"""The share of records that may have further items where the array is chosen by kinds."""
_SOMETIMES = 0.2
"""The share of a kind's items from which on they are often there, or often not."""
_SHORT = 4
"""Digits below which a number may occur anywhere."""
_MANY_TEXTS = 12
"""Different texts from which on no table makes them."""
_TELLING = 4
"""Values of an item from which on half of them tell which raw item it is."""
QUOTE = "'"
_PLACES = ("its first item", "its last item", "all items but the first", "all items but the last")
_ANYWHERE = ("one item", "all items but one")
"""The number of missing items is evidence too, where order differs and their indexes are not."""


@dataclass(frozen=True, slots=True)
class ArrayFault:
    """One fault of an array: a rule's name, the words after the field's name, and the records."""

    rule: str
    words: str
    group: Group


@dataclass(slots=True)
class Array:
    """The comparison of one array with its source."""

    name: str
    source: Source
    raw: str
    where: str
    beside: Sequence[str] = ()
    """The names of the records' arrays."""
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
    chosen: Choice | None = None
    """Which raw items the array has, where it leaves out others by what they say themselves."""
    _values: dict[str, dict[str, list[int]] | None] = field(default_factory=dict)
    _chosen_values: dict[str, dict[str, list[int]] | None] = field(default_factory=dict)
    """For raw items and for those that are chosen, by place and value: how many are left out and how many kept."""
    _shown: dict[tuple[str, str], list[Example]] = field(default_factory=dict)
    """The first records that have an item of a kind, by the place of the word for it and that word."""
    _before: list[Item] = field(default_factory=list)
    """The raw items of the last record that had some."""
    _kept: list[str] = field(default_factory=list)
    """The keys of the items of the last record that had some: what heaps up is in them."""

    def look(
        self, value: Any, raw: Mapping[str, Any], seen: Seen
    ) -> list[tuple[dict[str, Any], dict[str, Any]]]:
        """Looks at one more record; returns the items that are objects, each with its raw item."""
        box = self.source.read(raw)
        if self.source.its == NAME:
            there: list[Any] = list(box) if isinstance(box, dict) else []
            theirs = [{NAME: text_of_key(one)} for one in there]
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
        if len(there) < MOST_ITEMS and (there or items):
            self._compare(keys, raw_keys, there, raw, seen)
        self._before = theirs or self._before
        self._kept = keys or self._kept
        place = self._paired(mine, keys, theirs, raw_keys, there)
        if len(theirs) > 1:
            for at, its in place.items():
                for path in _mixed(mine[at], theirs[its], theirs):
                    self.mixed.setdefault(path, Group()).see(seen, ", ".join(keys))
        for path, text in (pair for one in mine for pair in one.items()):
            known = self._texts.setdefault(path, set())
            if len(known) < _MANY_TEXTS:
                known.add(text)
        return [
            (items[at], there[its])
            for at, its in place.items()
            if isinstance(items[at], dict) and isinstance(there[its], dict)
        ]

    def _paired(
        self, mine: list[Item], keys: list[str], theirs: list[Item], raw_keys: list[str], there: list[Any]
    ) -> dict[int, int]:
        """The place of the raw item that each item belongs to.

        Of several raw items with one key it is one that nobody has and that is to be taken, then the one that has most
        of the item's values, in their order: two addresses are in the same city, and somebody has two parts in a team.
        """
        held: defaultdict[str, list[int]] = defaultdict(list)
        for at, key in enumerate(raw_keys):
            if key:
                held[key].append(at)
        made: dict[int, int] = {}
        for at, key in enumerate(keys):
            some = held.get(key, [])
            if len(some) > 1:
                told = set(mine[at].values())
                chosen = self.chosen
                best = max(
                    some,
                    key=lambda its: (
                        chosen is None or chosen.takes(there[its]),
                        len(told.intersection(theirs[its].values())),
                    ),
                )
                some.remove(best)
                made[at] = best
            elif some:
                made[at] = some[0]
        return made

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
        wanted = self._wanted(there, raw_keys)
        self.count += bool(wanted)
        self.several += len(wanted) > 1
        self.raw_items += len(wanted)
        self.lengths[len(wanted), bool(wanted) and not mine] += 1
        lacking = [key for key in wanted if key not in mine]
        if len(self.usual) < 200 and not lacking:
            self.usual.append(leaves(raw))
        for one, key in zip(there, raw_keys, strict=True):
            taken = mine[key] >= its[key] if self.chosen is None else self.chosen.takes(one)
            if key and (its[key] == 1 or taken):
                # Of somebody who has several parts, what is said is of the one that is taken.
                self._value(self._values, one, key in mine, seen)
                if key in wanted and self.chosen is not None:
                    self._value(self._chosen_values, one, key in mine, seen)
        more = [key for key in mine if key not in its]
        if any(count > max(1, its[key]) for key, count in mine.items()):
            self.double.see(seen, shown, f"{len(keys)} items where {self.where} has {len(raw_keys)}")
        if lacking:
            self.missing_items += len(lacking)
            if len(self.guilty) < 5:
                self.guilty.append(leaves(raw))
            if wanted[: len(mine)] == list(mine):
                self.cuts[len(mine)] += 1
            if not mine:
                self.emptied.see(seen, shown)
                self.lone_lost += len(wanted) == 1
            self.missing.see(seen, shown, f"{len(lacking)} of {len(wanted)} items")
            if len(wanted) > 1:
                self.by_place.update(_places(wanted, lacking))
        if more:
            before = {one.get(self.source.its, "") for one in self._before}
            self.extra_before += all(key in before or key in self._kept for key in more)
            self.extra.see(seen, shown, f"{len(more)} of {len(mine)} items")
            if lacking and len(more) == len(mine):
                self.instead.see(seen, shown)

    def choose(self, pairs: Iterable[tuple[Any, Mapping[str, Any]]]) -> None:
        """Learns from values and raw records which raw items the array has, by what these say."""
        items: list[tuple[dict[str, Any], bool]] = []
        for value, raw in pairs:
            mine = {texts(one, self.raw).get(self.source.mine, "") for one in value or ()}
            there = items_of(self.source.read(raw)) if self.source.its != NAME else []
            keys = [(one, texts(one).get(self.source.its, "")) for one in there if isinstance(one, dict)]
            # Of two with one key nothing tells which of them is there.
            often = Counter(key for _, key in keys)
            items += [(leaves(one), key in mine) for one, key in keys if key and often[key] == 1]
        self.chosen = choice_of(items, without=self.source.its)

    def _wanted(self, there: list[Any], raw_keys: list[str]) -> list[str]:
        """The keys of the raw items that the array is to have, in their order and each once."""
        chosen = self.chosen
        pairs = zip(there, raw_keys, strict=True)
        return list(dict.fromkeys(key for one, key in pairs if key and (chosen is None or chosen.takes(one))))

    def _value(
        self, values: dict[str, dict[str, list[int]] | None], item: Any, kept: bool, seen: Seen
    ) -> None:
        laid = leaves(item) if isinstance(item, dict) else {"": item}
        for path in laid:
            values.setdefault(path, {})
        for path, counts in values.items():
            if counts is None:
                continue
            value = laid.get(path)
            text = "" if value is None or value == "" else repr(value)[:100]
            counts.setdefault(text, [0, 0])[kept] += 1
            if kept and values is self._values and is_kind(path):
                shown = self._shown.setdefault((path, text), [])
                if len(shown) < EXAMPLES:
                    shown.append(seen(value))
            if len(counts) > _VALUES * 4:
                values[path] = None

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
            # Else all kinds are in some records, and its own alone is in all.
            some = any(not kept for _, kept in kinds.values()) or self._are_at_times(kinds, own, others)
            if len(own) == 1 and kinds[own[0]][1] and others and some:
                examples = [at for text in others for at in self._shown.get((path, text), ())]
                group = Group(sum(others.values()), examples[:PLACES])
                words = f"holds {group.count:,} items of {self.where} whose {path[1:]} is {told}"
                yield ArrayFault("another kind", f"{words}, beside its own", group)
            elif len(own) == 1 and not kinds[own[0]][1] and self._are_of_another(others):
                examples = [at for text in others for at in self._shown.get((path, text), ())]
                group = Group(sum(others.values()), examples[:PLACES])
                words = f"holds the items of {self.where} whose {path[1:]} is {told}, and none where it is "
                yield ArrayFault("another kind", f"{words}{own[0].strip(QUOTE)}", group)

    def _are_at_times(
        self, kinds: Mapping[str, Sequence[int]], own: Sequence[str], others: Iterable[str]
    ) -> bool:
        """Whether the items of the array's own kind are always there, and those of each other both often and not."""
        return all(not kinds[one][0] for one in own) and all(
            min(kinds[one]) >= max(FEWEST, _SOMETIMES * sum(kinds[one])) for one in others
        )

    def _are_of_another(self, kinds: Iterable[str]) -> bool:
        """Whether one of some kinds is called as another array of the records."""
        named = [words_of_name(one) for one in self.beside if one != self.name]
        return any(words_of_name(kind.strip(QUOTE)) in named for kind in kinds)

    def _is_filter(self) -> bool:
        """Whether an item's content decides whether it is omitted; which item it is does not."""
        values = self._values if self.chosen is None else self._chosen_values
        for path, counts in values.items():
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
        if self.missing.count and (words := self._missing(few)):
            yield ArrayFault("missing", f"{words}{self._of(self.missing)}", self.missing)

    def _missing(self, few: float) -> str:
        """What the array lacks, in words; empty where that may be meant. Up to ``few`` records are rare."""
        count, where = self.missing.count, self.where
        if self.emptied.count == count and (most := self._too_many()):
            return f"is empty where {where} has {most} items or more"
        if self._is_filter():
            return ""
        if self.longest and self.cuts[self.longest] == count >= FEWEST:
            cut = "lacks all items but the first" if self.longest == 1 else f"is cut at {self.longest} items"
            return f"{cut} of {where}"
        by_place = max(2 * FEWEST, OFTEN * count)
        told = next((one for one in _PLACES if count > few and self.by_place[one] >= by_place), "")
        if not told and (count <= few or (self.chosen is not None and count <= _SOME * self.count)):
            return "" if self._has_condition() else f"lacks {self.missing.words} of {where}"
        if not told and self.lone_lost == count == self.count - self.several:
            return f"is empty where {where} has a single item"
        if not told and self.several >= 2 * FEWEST:
            often = OFTEN * self.several
            told = next((one for one in (*_PLACES, *_ANYWHERE) if self.by_place[one] >= often), "")
        if not told and self.double.count >= 0.5 * self.several:
            told = "items"
        return f"lacks {told} of {where}" if told else ""

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
