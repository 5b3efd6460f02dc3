"""The findings on the source of a field: another one for some records, one piece or entry of it, the record's own id.

A field that comes first from one raw value and else from another, or the later of two, is not a finding.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from explorer.quality.engine.check import Example
from explorer.quality.engine.finding_collector import PLACES
from explorer.quality.mapping.conditions import Laid, are_of_a_kind, is_the_later, share_a_value
from explorer.quality.mapping.field_state import FieldState, Group, Odd, short
from explorer.quality.mapping.field_tracker import GUESSED, FieldTracker
from explorer.quality.mapping.learn import TRUTH_WORDS, is_called
from explorer.quality.mapping.name_match import (
    has_its_name,
    is_id,
    is_kind,
    sounds_less,
    words_of_name,
    words_of_path,
)
from explorer.quality.mapping.normal_forms import likeness
from explorer.quality.mapping.origin import Origin, chosen, is_country, is_empty, place, reader
from explorer.quality.mapping.trace import spoken
from explorer.quality.values.flat import leaves, named_entries
from explorer.quality.values.transforms import equal, is_number

Kind = Literal["kept", "same", "lossless", "alike"]

FEWEST_JUDGED = 5
"""With fewer records nothing is reported."""
_FEW = 50
"""Fewer values tell nothing."""
_SEVERAL = 3
"""Fewer odd values tell nothing."""
_HALF = 0.5
_PART = 0.34
"""The share of records that are the smaller part."""
_UNITS = (10, 12, 60, 100, 365, 1_000, 1_024, 3_600, 86_400, 1_000_000, 1_048_576)
"""How many times one number is another of the same thing in a finer unit."""
_IDS = ("id", "_id", "uuid", "guid", "uid", "key")
_NAMES = frozenset(
    {"name", "title", "label", "email", "display_name", "displayname", "full_name", "fullname"}
)
"""Members of an object that identify it, and those that people call it by."""
_WORD = re.compile(r"\w+")
_NEARLY = 0.9
_KINDS = 20
"""The most kinds of entries that are tried."""
_AGAINST = frozenset(
    {
        *(
            "not",
            "non",
            "no",
            "un",
            "blocked",
            "disabled",
            "locked",
            "hidden",
            "private",
            "denied",
            "restricted",
        ),
        *(
            "inactive",
            "without",
            "prevent",
            "deny",
            "disallow",
            "forbid",
            "forbidden",
            "block",
            "disable",
            "hide",
        ),
        *("restrict", "prohibited", "off", "limited", "exempt"),
    }
)
"""Words that invert the meaning of a name."""


@dataclass(frozen=True, slots=True)
class MappingFinding:
    """One future finding: its check and its content."""

    kind: Kind
    rule: str
    field: str
    sentence: str
    count: int
    examples: tuple[Example, ...]
    path: str = ""
    """The pointer to the raw value that it is about; empty: the source of its field."""


def _swap(name: str, path: str, other: str, its: str) -> bool:
    """Whether a field's name is that of the other's source, not of its own, and the other fits no worse there."""
    mine = has_its_name(name, its) and not has_its_name(name, path) and not is_called(other, its)
    return mine and not has_its_name(other, its) and likeness(other, path) >= likeness(other, its)


def words_in(value: Any) -> list[str]:
    """The words of a text, in lower case."""
    return _WORD.findall(value.casefold()) if isinstance(value, str) else []


def words_of(origin: Origin, raw: str) -> str:
    """Where a field comes from and how it is converted: ``raw_data.name, cut at 255 characters``.

    ``raw`` is the place of the raw record in words.
    """
    paths = origin.paths if origin.how == "parts" else origin.paths[:1]
    where = " and ".join(f"{raw}{spoken(path)}" for path in paths)
    words = "joined" if origin.how == "parts" else origin.words.removeprefix("is ")
    return f"{where}, {words}" if words else where


class OfSource:
    """Judges where one field comes from."""

    def __init__(self, name: str, state: FieldState, origin: Origin, tracker: FieldTracker) -> None:
        self._name, self._state, self._origin, self._tracker = name, state, origin, tracker
        self._raw, self._source = tracker.where, f"{tracker.where}{spoken(origin.paths[0])}"

    def _itself(self) -> Iterator[MappingFinding]:
        """A reference that is the record's own id."""
        own = self._tracker.states.get("id")
        if own is None or own.origin is None or not is_id(self._name) or self._state is own:
            return
        if own.origin.how == "parts":
            return  # each of what it is joined of is something else's
        if own.origin.paths[0] == self._origin.paths[0] and self._state.filled >= FEWEST_JUDGED:
            what = (
                f"{self._name} is the record's own id in all {self._state.filled:,} records: {self._source}"
            )
            yield MappingFinding(
                "same", "own id", self._name, what, self._state.filled, tuple(self._state.first)
            )

    def _crossed(self) -> Iterator[MappingFinding]:
        """The source that has another field's name, while that field comes from the one with this one's name."""
        path, state = self._origin.paths[0], self._state
        # Fields of items are held against the names in their raw item: see `nested`.
        for name, other in self._tracker.states.items() if not self._tracker.prefix else ():
            its = other.origin.paths[0] if other.origin is not None else ""
            joined = "parts" in (self._origin.how, other.origin.how if other.origin is not None else "")
            if not its or joined or min(state.filled, other.filled) < FEWEST_JUDGED or its == path:
                continue
            mine, theirs = _swap(state.name, path, name, its), _swap(name, its, state.name, path)
            if mine or theirs:
                what = (
                    f"{self._name} and {self._tracker.prefix}{name} have each other's source, {self._source}"
                )
                what += f" and {self._raw}{spoken(its)}{self._of(state.filled)}"
                yield MappingFinding("same", "exchanged", self._name, what, state.filled, tuple(state.first))
                return

    def _address(self) -> Iterator[MappingFinding]:
        """A reference that is an address or a name, although the raw object also has the id of what it refers to."""
        box, _, last = self._origin.paths[0].rpartition("/")
        if not is_id(self._name) or words_of_name(self._name) == {"id"}:
            return
        for path in (f"{box}/{one}" for one in _IDS):
            pairs = [
                (one.get(self._name), reader(path)(one[self._tracker.raw]))
                for one in self._tracker.learned_from
            ]
            there = [
                (str(value), f"/{ident}")
                for value, ident in pairs
                if not (is_empty(value) or is_empty(ident))
            ]
            if len(there) < FEWEST_JUDGED:
                continue
            of_it = all("://" in value and value.endswith(end) for value, end in there)
            named = bool(box) and last.casefold() in _NAMES and len(there) >= _NEARLY * len(pairs)
            if of_it or named:
                what = (
                    f"{self._name} comes from {self._source}, {'a name' if named else 'an address'}, although"
                )
                what += f" {self._raw}{spoken(path)} is there{self._of(self._state.filled)}"
                first = tuple(self._state.first)
                yield MappingFinding("same", "another source", self._name, what, self._state.filled, first)
            return

    def _are_addresses(self, group: Group) -> bool:
        """Whether a reference is an address in some records, and an id elsewhere."""
        some = [str(one.value) for one in group.examples]
        usual = [str(one.value) for one in self._state.first if one not in group.examples]
        odd = [one for one in some if "@" in one or "://" in one]
        kept = [
            value
            for one in self._tracker.learned_from
            if not is_empty(value := one.get(self._state.name)) and "@" not in str(value)
        ]
        return is_id(self._name) and len(odd) == len(some) > 0 and bool(usual or kept)

    def _translated(self) -> Iterator[MappingFinding]:
        """Some ids exchanged for others by a table, where the rest are their source as it is."""
        second, group = self._state.second, self._state.second_odd
        if second is None or not is_id(self._name) or group.count < _SEVERAL:
            return
        if (
            second.transform.name == "table"
            and second.paths[0] == self._origin.paths[0]
            and not self._origin.is_lossy
        ):
            what = (
                f"{self._name} is another id than {self._source}, which it is elsewhere{self._share(group)}"
            )
            yield self._said("same", "another id", what, group)

    def _other_words(self) -> Iterator[MappingFinding]:
        """Some texts with fewer or more words than their source, or a word for a truth value in its place, where the
        rest are their source as it is: a given name cut at its blank, Norway (NO) read as false.
        """
        inner = self._name.rpartition(".")[2]
        odd, group = self._exchanged_texts()
        if not odd or group.count < _SEVERAL or self._origin.is_lossy or is_id(inner) or is_kind(inner):
            return
        there, value = odd[0]
        shown = f"{self._share(group)}: {short(value)} where its source is {short(there)}"
        if all(told.casefold() in TRUTH_WORDS and its.casefold() not in TRUTH_WORDS for its, told in odd):
            yield self._said("alike", "truth value", f"{self._name} is a truth value in words{shown}", group)
        elif is_country(inner):
            return  # countries have several names
        elif all(_is_part(told, its) for its, told in odd):
            yield self._said("lossless", "words lost", f"{self._name} lacks words{shown}", group)
        elif all(_is_part(its, told) for its, told in odd):
            yield self._said("alike", "words more", f"{self._name} has words of something else{shown}", group)

    def _exchanged_texts(self) -> tuple[list[tuple[str, str]], Group]:
        """The texts that are not their source as it is, each behind that, and their records: those of a table over the
        same source, else those that nothing explains. Empty where some are no texts.
        """
        state, raw, second = self._state, self._tracker.raw, self._state.second
        is_other = second is not None and second.transform.name != "table" and second.how != "words"
        if is_other or (second is not None and second.paths != self._origin.paths):
            return [], Group()
        some = [(odd.source, odd.value) for odd in state.kept if not is_empty(odd.source)]
        if second is not None:
            some = [(second.read(one[raw]), one.get(state.name)) for one in state.second_of]
        texts = [(its, told) for its, told in some if isinstance(its, str) and isinstance(told, str)]
        whole = len(texts) == len(some)
        return texts if whole else [], state.second_odd if second is not None else state.differs

    def _coarser(self) -> Iterator[MappingFinding]:
        """The coarser of two numbers of one thing: kilobytes, though bytes are there under a plainer name."""
        path, raw, state = self._origin.paths[0], self._tracker.raw, self._state
        if self._origin.is_lossy or self._origin.distinct < _KINDS or state.filled < _FEW:
            return
        wanted, its = words_of_name(self._name.rpartition(".")[2]), words_of_path(path)
        rows = [(self._origin.read(one[raw]), leaves(one[raw])) for one in self._tracker.learned_from]
        rows = [(value, laid) for value, laid in rows if is_number(value) and value]
        for other in rows[0][1] if rows else ():
            if not wanted <= words_of_path(other) < its:
                continue
            both = [(value, laid[other]) for value, laid in rows if is_number(laid.get(other))]
            times = [fine / value for value, fine in both]
            middle = sorted(times)[len(times) // 2] if len(both) >= 0.9 * len(rows) else 0.0
            usual = min(_UNITS, key=lambda one: abs(one - middle))
            near = sum(abs(fine - usual * value) <= usual for value, fine in both)
            exact = all(fine == usual * value for value, fine in both)
            if middle and near >= 0.9 * len(both) and not exact:
                there = f"{self._raw}{spoken(other)}"
                what = f"{self._name} is {self._source}, although {there} is there and tells more"
                what += self._of(state.filled)
                yield MappingFinding("same", "coarser", self._name, what, state.filled, tuple(state.first))
                return

    def _glued(self) -> Iterator[MappingFinding]:
        """A text that contains the record's own id besides the value at the path of the field's name."""
        paths = self._origin.paths
        if (
            self._origin.how != "parts"
            or is_id(self._name)
            or not any(has_its_name(self._name, one) for one in paths)
        ):
            return
        for path in paths:
            if has_its_name("id", path) and "/" not in path[1:]:
                what = f"{self._name} also has {self._tracker.where}{spoken(path)} in it"
                what += self._of(self._state.filled)
                yield MappingFinding(
                    "alike", "glued", self._name, what, self._state.filled, tuple(self._state.first)
                )

    def _inverted(self) -> Iterator[MappingFinding]:
        """True where the raw value of the field's name is false or empty, and false where it has a value."""
        state, path = self._state, self._origin.paths[0]
        if self._origin.transform.name not in ("boolean inverted", "not there") or state.filled < _FEW:
            return
        its, wanted = words_of_name(path), words_of_name(self._name.rpartition(".")[2])
        if wanted <= its and not its & _AGAINST:
            what = f"{self._name} is the opposite of what {self._source} says{self._of(state.explained)}"
            yield MappingFinding("alike", "inverted", self._name, what, state.explained, tuple(state.first))

    def _others(self) -> Iterator[tuple[str, Group]]:
        """The raw paths that some values come from though the field's own source has a value."""
        for path, group in self._state.by_path().items():
            if not self._is_entry(path):
                yield path, group
        second = self._state.second
        if second is None or second.is_lossy or set(second.paths) & set(self._origin.paths):
            return
        if self._state.second_odd.count and not (self._has_condition() or self._is_any_flag(second)):
            yield second.paths[0], self._state.second_odd

    def _is_any_flag(self, second: Origin) -> bool:
        """Whether a truth value is explained by a flag of another name: of a few records that all say yes, many are."""
        its = words_of_path(second.paths[0])
        values = [one.get(self._state.name) for one in self._state.second_of]
        flags = bool(values) and all(isinstance(one, bool) for one in values)
        return flags and not its & words_of_name(self._name.rpartition(".")[2])

    def _exchanged_with(self, path: str) -> str:
        """The field whose source is a raw path, and that has this one's value in turn; empty where there is none."""
        own = self._origin.paths[0]
        for name, state in self._tracker.states.items():
            if state is not self._state and state.origin is not None and state.origin.paths[0] == path:
                back, there = state.by_path().get(own), self._state.by_path().get(path)
                if back is not None and there is not None and min(back.count, there.count) >= _SEVERAL:
                    return name
        return ""

    def _is_entry(self, path: str) -> bool:
        """Whether a path is in the array of which the field is one kind's entry."""
        return self._origin.how == "entry" and path.startswith(f"{self._origin.paths[-1]}/")

    def _entry(self) -> Iterator[MappingFinding]:
        """The value of another entry than that of the field's kind, though there is one of it."""
        some = [group for path, group in self._state.by_path().items() if self._is_entry(path)]
        count = sum(group.count for group in some)
        if not _SEVERAL <= count <= _PART * self._state.filled or self._has_kind_before():
            return
        group = Group(count, [at for group in some for at in group.examples])
        array = f"{self._raw}{spoken(self._origin.paths[-1])}"
        what = f"{self._name} is that of another entry of {array}, elsewhere {self._source}"
        yield self._said("same", "another entry", what + self._share(group), group)

    def _by_place(self) -> Iterator[MappingFinding]:
        """The value of the entry that stands at a place, where entries have names and others stand there too."""
        array, _, rest = self._origin.paths[0].rpartition("/")[0].rpartition("/")
        if not rest.isdecimal() or self._state.filled < FEWEST_JUDGED:
            return
        names: Counter[str] = Counter()
        right = set[Any]()
        for one in self._tracker.learned_from:
            there = reader(array)(one[self._tracker.raw])
            held = [path for path in named_entries(one[self._tracker.raw]) if path.startswith(f"{array}/[")]
            # The only entry of an array has no place among others.
            if isinstance(there, list) and max(1, int(rest)) < len(held) == len(there):
                names[held[int(rest)]] += 1
                right |= {one.get("id")} if has_its_name(self._name, held[int(rest)]) else set()
        often = [path for path, count in names.most_common(2) if count >= _SEVERAL]
        if len(often) > 1:
            told = " and ".join(spoken(path.removeprefix(array)) for path in often)
            count = names.total() - len(right)
            what = f"{self._name} is {self._source}, whatever is there: {told}"
            what += f", in {count:,} of the first {names.total():,} records"
            shown = [at for at in self._state.first if at.id not in right]
            yield MappingFinding("same", "by place", self._name, what, count, tuple(shown))

    def _has_kind_before(self) -> bool:
        """Whether entries of another kind are used wherever there is one: the field is the first of several kinds."""
        array = self._origin.paths[-1]
        inner = self._origin.paths[0].rpartition("]")[2]
        kinds = Counter(
            (name, value)
            for one in self._tracker.learned_from
            for item in reader(array)(one[self._tracker.raw]) or ()
            for name, value in (item.items() if isinstance(item, dict) else ())
            if isinstance(value, str | bool) and place(array, name, value, inner) != self._origin.paths[0]
        )
        often = [kind for kind, count in kinds.most_common(_KINDS) if count >= FEWEST_JUDGED]
        return any(self._is_first(chosen(array, name, value, inner)) for name, value in often)

    def _piece(self) -> Iterator[MappingFinding]:
        """One piece alone of a text that is joined elsewhere, though the others have a value."""
        second, group = self._state.second, self._state.second_odd
        joined = self._origin.how == "parts" and second is not None and second.paths[0] in self._origin.paths
        if joined and second is not None and _SEVERAL <= group.count <= _HALF * self._state.filled:
            only = f"{self._raw}{spoken(second.paths[0])}"
            what = f"{self._name} is {only} alone, elsewhere {words_of(self._origin, self._raw)}"
            yield self._said("lossless", "piece", what + self._share(group), group)
        elif self._origin.how == "parts" and second is not None and self._lack_words():
            some = self._state.second_of[0]
            value, whole = some.get(self._state.name), self._origin.make(some[self._tracker.raw])
            what = f"{self._name} is without some of what it is joined of{self._share(group)}:"
            what += f" {short(value)} where others would be {short(whole)}"
            yield self._said("lossless", "piece", what, group)

    def _lack_words(self) -> bool:
        """Whether texts that are made in the second way have some of the words that the first gives, and no other."""
        raw, name, some = self._tracker.raw, self._state.name, self._state.second_of
        both = [(set(words_in(one.get(name))), set(words_in(self._origin.make(one[raw])))) for one in some]
        return len(both) >= _SEVERAL and all(mine < its for mine, its in both)

    def _fallback(self) -> Iterator[MappingFinding]:
        """Another field's value where the source has none.

        What never changed has the date of its creation, though: that is as it should be.
        """
        second, group = self._state.second, self._state.fallback
        if second is None or group.count < _SEVERAL or "updated" in words_of_name(self._name):
            return
        whose = self._whose(second.paths[0])
        plain = not self._origin.is_lossy and not second.is_lossy and self._origin.how not in GUESSED
        if plain and whose:
            what = f"{self._name} is what {whose} is where {self._source} has nothing{self._share(group)}"
            yield self._said("alike", "another field", what, group)
        elif plain and self._is_other_number(second):
            what = f"{self._name} is {self._raw}{spoken(second.paths[0])} where {self._source} has nothing"
            yield self._said("alike", "another number", what + self._share(group), group)

    def _is_other_number(self, second: Origin) -> bool:
        """Whether a number stands in for that of the field's own name and shares no word with it."""
        own, wanted = self._origin.paths[0], words_of_name(self._name.rpartition(".")[2])
        values = [one.get(self._state.name) for one in self._state.second_of]
        told = bool(values) and all(map(is_number, values)) and second.transform.name == "same"
        return told and has_its_name(self._name, own) and not wanted & words_of_path(second.paths[0])

    def _is_foreign(self, path: str) -> bool:
        """Whether a raw path is something else by its name, while the field's own source has the field's name.

        The first of two that holds something, or one for each kind of record, share a word with the field.
        """
        own, wanted = self._origin.paths[0], words_of_name(self._name.rpartition(".")[2]) - {"id"}
        if not wanted:  # the record's own id
            return words_of_path(own) == {"id"} and not self._goes_first(path)
        named = wanted & words_of_path(own) and not wanted & words_of_path(path)
        less = sounds_less(self._name, path) and not sounds_less(self._name, own)
        if less and has_its_name(self._name, own) and not (self._goes_first(path) or self._is_later(path)):
            named = wanted  # a previous one, or that of somebody else
        if self._whose(path) and not (self._goes_first(path) or self._is_later(path)):
            named = wanted
        return bool(named) and not self._origin.is_lossy

    def _whose(self, path: str) -> str:
        """The other field whose very name a raw path has, and which comes from there; empty where there is none."""
        if has_its_name(self._name, path) or is_called(self._name, path):
            return ""
        return next(
            (
                one
                for one, state, its in self._tracker.all_states()
                if its is self._tracker
                and state is not self._state
                and state.origin is not None
                and state.origin.paths[0] == path
                and has_its_name(one, path)
            ),
            "",
        )

    def _goes_first(self, path: str) -> bool:
        """Whether a raw path is used wherever it has a value: the field is then the first non-empty of two."""
        return self._is_first(reader(path))

    def _is_first(self, read: Callable[[Any], Any]) -> bool:
        raw, name = self._tracker.raw, self._state.name
        pairs = [(read(one[raw]), one.get(name)) for one in self._tracker.learned_from]
        pairs = [(source, value) for source, value in pairs if not is_empty(source)]
        first = sum(equal(source, value) for source, value in pairs)
        return first >= 0.9 * len(pairs)

    def _is_later(self, path: str) -> bool:
        """Whether a field is the later, or the larger, of what its source and another raw path hold."""
        raw, read, own, name = self._tracker.raw, reader(path), self._origin, self._state.name
        both: dict[bool, list[tuple[Any, Any]]] = {True: [], False: []}
        for one in self._tracker.learned_from:
            both[own.explains(one.get(name), one[raw])].append((own.make(one[raw]), read(one[raw])))
        return is_the_later(both[True], both[False])

    def _has_condition(self) -> bool:
        """Whether all differing records share a raw value that hardly any other has, which explains them."""
        return share_a_value(self._raw_of(self._state.records or self._state.second_of), self._usual())

    def _are_of_a_kind(self, odds: list[Odd]) -> bool:
        """Whether a truth value is otherwise for things of a kind alone."""
        raw, told = self._tracker.raw, {repr(one.source) for one in odds}
        rows = self._tracker.learned_from if all(isinstance(one.value, bool) for one in odds) else ()
        kept = [one for one in rows if self._origin.explains(one.get(self._state.name), one[raw])]
        others = [one for one in kept if repr(self._origin.read(one[raw])) in told]
        return are_of_a_kind(self._raw_of(self._state.records), self._raw_of(others))

    def _raw_of(self, records: Iterable[Mapping[str, Any]]) -> list[Laid]:
        return [leaves(one[self._tracker.raw]) for one in records]

    def _usual(self) -> list[Laid]:
        return self._raw_of(self._tracker.learned_from)

    def _share(self, group: Group) -> str:
        return self._of(group.count)

    def _of(self, count: int) -> str:
        return f" in {count:,} of {self._state.filled:,} {'values' if '[' in self._name else 'records'}"

    def _said(self, kind: Kind, rule: str, sentence: str, group: Group) -> MappingFinding:
        return MappingFinding(kind, rule, self._name, sentence, group.count, tuple(group.examples[:PLACES]))


def _is_part(part: str, whole: str) -> bool:
    """Whether some of the words of a text, from its beginning or up to its end, are all of another one."""
    few, many = part.split(), whole.split()
    return 0 < len(few) < len(many) and few in (many[: len(few)], many[-len(few) :])
