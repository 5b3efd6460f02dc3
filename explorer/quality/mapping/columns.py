"""Compares each field with the raw path of the same name, over all records.

A field may be explained by another path, or by nothing in its own record, and still be wrong: the connector took
another raw field, the value of the record before or of the first on the page, or one value for all. The path with the
field's own name (see `named`) reveals it: by its value in this record, in the one before, and in any record. At most
`_MOST` values of such a path are remembered, as hashes; nothing else grows with the rows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from explorer.catalog.spec import ABSENT
from explorer.jsontext.pointer import steps
from explorer.quality.engine.rows import Column
from explorer.quality.mapping.conditions import is_the_later
from explorer.quality.mapping.field_state import EXAMPLES, FieldState, Group, flat, short
from explorer.quality.mapping.forms import agreement, forms
from explorer.quality.mapping.judge import FEWEST_JUDGED, Judged, Kind
from explorer.quality.mapping.learn import is_called
from explorer.quality.mapping.many import Many, Seen
from explorer.quality.mapping.named import (
    has_its_name,
    has_its_name_and_more,
    is_id,
    sounds_less,
    words_of_name,
    words_of_path,
)
from explorer.quality.mapping.named_texts import NamedTexts
from explorer.quality.mapping.origin import Origin, is_empty, reader
from explorer.quality.mapping.sample import OFTEN
from explorer.quality.mapping.trace import spoken
from explorer.quality.values.date_transforms import date_readings
from explorer.quality.values.flat import BOXES, leaves
from explorer.quality.values.transforms import is_number

_OTHERS = frozenset(
    {"user", "owner", "parent", "creator", "author", "folder", "drive", "account", "contact", "by"}
)
_SAMPLE, _MOST, _SEVERAL, _KEPT, _INVERTED = 150, 20_000, 3, 60, 20
_USUAL, _CLEAR, _PARTLY, _RARELY = 0.5, 0.05, 0.55, 0.1
_EACH = 0.95
_ADDRESSES = frozenset({"url", "link", "href", "uri", "mime", "language", "locale", "currency"})
_WORDS = 6
_CODES = frozenset({"postal", "phone", "fax"})
_KINDS, _STRONG = 40, 0.95
_MOST_PATHS, _FIRST = 200, 0.1
_TEXTS = frozenset((str, type(None), type(ABSENT)))
_SCALARS = _TEXTS | {bool, int, float}
_NUMBERS, _NO_TEXT = (int, float), (*BOXES, bool)
_NO_ID = frozenset(
    {"etag", "tag", "version", "revision", "rev", "hash", "checksum", "md5", "sha1", "sha256", "position"}
)
"""Names of values that change with a record. A third party may have several ids for a record, of which any will do."""


@dataclass(slots=True)
class _Column:
    """One field and the raw path that has its name, with counts over the records so far."""

    name: str
    path: str
    read: Callable[[Any], Any]
    """Reads the value at the path."""
    both: int = 0
    """Records in which both have a value."""
    differs: Group = field(default_factory=Group)
    before: int = 0
    """Of the differing records, how many have the path's value of the record before."""
    here: int = 0
    """Of the differing records, how many have a value from elsewhere in their own raw record."""
    values: set[int] = field(default_factory=set)
    """Different values of the field."""
    there: set[int] = field(default_factory=set)
    """Different values at the path."""
    odd: set[int] = field(default_factory=set)
    """The field's values in differing records."""
    pair: tuple[Any, Any] | None = None
    last: Any = None
    """The path's value in the record before."""
    held_last: Any = None
    """The path's value in the last record in which it was not empty."""
    usual: list[dict[str, Any]] = field(default_factory=list)
    unusual: list[dict[str, Any]] = field(default_factory=list)
    paths: Counter[str] = field(default_factory=Counter)
    """For differing records, the raw paths at which the field's value was found instead."""
    texts: NamedTexts = field(default_factory=NamedTexts)
    nulls: Group = field(default_factory=Group)
    """Records with null in the field and a value at the path."""
    shaped: int = 0
    """Records in which both have the same form."""
    is_fuller: bool = False
    """Whether the path has more words than the field's name: then only what the field has lost is reported."""
    extra: Group = field(default_factory=Group)
    """Records in which the field has a value and the path none."""
    left: int = 0
    """Of those, how many have the path's last value."""
    extras: set[int] = field(default_factory=set)
    """The field's values in those."""
    alike: set[str | tuple[type, Any, Any]] = field(default_factory=set)
    """Values with their type that both have, not yet moved to `values` and `there`, where most never are needed."""

    def look_all(self, texts: list[str], others: list[tuple[Any, Any]]) -> None:
        """Adds several records in which both have the same value; see `_alike`."""
        self.both += len(texts) + len(others)
        self.shaped += len(texts) + len(others)
        self.texts.look_all(texts)
        if len(self.alike) < _MOST and (len(self.values) < _MOST or len(self.there) < _MOST):
            self.alike.update(texts)
            self.alike.update([(type(value), value, its) for value, its in others])

    @property
    def is_mixed(self) -> bool:
        """Whether neighbouring records mostly differ at the path: then the list is not sorted by it."""
        held = [its.get(self.path) for its in self.usual]
        changes = sum(bool(a != b) for a, b in pairwise(held))
        return changes >= _USUAL * (len(held) - 1)

    @property
    def is_inverted(self) -> bool:
        """Whether the field is true where the path has false, and false where it has true, in all records."""
        if self.pair is None or not all(isinstance(one, bool) for one in self.pair):
            return False
        return self.differs.count == self.both >= _INVERTED and len(self.values) > 1

    def fold(self) -> None:
        """Moves the values that both have to where they are looked up."""
        while self.alike:
            both = self.alike.pop()
            _, value, its = (str, both, both) if isinstance(both, str) else both
            for kept, one in ((self.values, value), (self.there, its)):
                if len(kept) < _MOST:
                    kept.add(hash(forms(one)[-1]))


class Columns:
    """The records of one list, compared with the paths that have their fields' names."""

    def __init__(self, raw: str, declared: Collection[str], array: str = "", where: str = "") -> None:
        """``declared`` are the fields of the contract: what others should hold is not known.

        The fields of an array's entries (``addresses[billing].city``) belong to the array's name. ``array`` is the
        array whose items are passed in place of records; ``where`` is the place of the raw ones in words.
        """
        self._raw, self._declared, self._where = raw, declared, where or raw
        self._prefix = f"{array}[]." if array else ""
        self._first: list[tuple[Mapping[str, Any], Seen]] | None = []
        self._columns: list[_Column] = []
        self._empty: list[_Column] = []
        """Fields that are null in all of the first records."""
        self._laid: tuple[Any, dict[str, Any]] = None, {}
        """The raw record that was laid out last, with its leaves: most columns of it are looked at in turn."""

    def look(self, record: Mapping[str, Any], seen: Seen) -> None:
        """Looks at one more record with raw data."""
        if self._first is None:
            self._hold(record, seen)
            return
        self._first.append((record, seen))
        if len(self._first) >= _SAMPLE:
            self._settle()

    def look_all(self, many: Many) -> None:
        """Looks at several more."""
        if self._first is not None:
            for record, seen in many:
                self.look(record, seen)
            return
        for one in self._empty:
            nulls = _values_of(one.name.removeprefix(self._prefix), many).values
            for value, its, seen in zip(nulls, many.there(one.read), many.seen, strict=True):
                _look_at_empty(one, None if value is ABSENT else value, its, seen)
        for one in self._columns:
            values = _values_of(one.name.removeprefix(self._prefix), many)
            there = many.there(one.read)
            alike = _alike(values, there) if len(one.usual) >= _KEPT else None
            if alike is not None:
                texts, others, last = alike
                one.look_all(texts, others)
                one.last = there[-1]
                one.held_last = one.held_last if last is None else last
                continue
            for value, its, (record, seen) in zip(values.values, there, many, strict=True):
                self._look_at(one, None if value is ABSENT else value, its, record, seen)

    def judged(self, states: Mapping[str, FieldState], settled: Collection[str]) -> Iterator[Judged]:
        """The findings, except for the fields in ``settled``, which are reported already."""
        self._settle()
        yield from self._never(settled)
        sources = {
            f"{self._prefix}{name}": state.origin.paths[0]
            for name, state in states.items()
            if state.origin is not None
        }
        for one in self._columns:
            state = states.get(one.name.removeprefix(self._prefix))
            if state is None or one.name in settled:
                continue
            if one.is_fuller:
                yield from self._texts(one)
                continue
            yield from self._left_over(one)
            found = self._column(one, state, sources)
            if found is not None:
                rule, kind, words = found
                yield Judged(kind, rule, one.name, words, one.differs.count, tuple(one.differs.examples))
            else:
                yield from self._texts(one)

    def _left_over(self, one: _Column) -> Iterator[Judged]:
        """Records without a value that have the value of the last record with one, too often for coincidence."""
        count = one.extra.count
        if (
            count >= FEWEST_JUDGED
            and one.left >= _EACH * count
            and len(one.extras) >= _SEVERAL
            and one.is_mixed
        ):
            what = f"{one.name} is the value of the last record before that has one, where {self._where}"
            what += f"{spoken(one.path)} has nothing, in {count:,} of {one.both + count:,} records"
            yield Judged("alike", "record before", one.name, what, count, tuple(one.extra.examples))

    def _never(self, settled: Collection[str]) -> Iterator[Judged]:
        """Fields that are always null, and never left out, though the path of their name has values."""
        for one in self._empty:
            if one.nulls.count >= FEWEST_JUDGED and not one.both and one.name not in settled:
                where = f"{self._where}{spoken(one.path)}"
                what = f"{one.name} is null in all records, {where} is filled in {one.nulls.count:,}"
                yield Judged("kept", "never", one.name, what, one.nulls.count, tuple(one.nulls.examples))

    def _column(
        self, one: _Column, state: FieldState, sources: Mapping[str, str]
    ) -> tuple[str, Kind, str] | None:
        taken = [name for name, path in sources.items() if path == one.path and name != one.name]
        other = any(is_called(name, one.path) for name in taken)
        own = is_called(one.name, one.path) or (_is_truth(one) and not other)
        if one.differs.count < _SEVERAL or (not own and any(has_its_name(name, one.path) for name in taken)):
            return None
        return self._said(one, state)

    def _texts(self, one: _Column) -> Iterator[Judged]:
        where = f"{self._where}{spoken(one.path)}"
        words_of = words_of_name(one.name)
        if words_of & _ADDRESSES or "id" in words_of:
            return
        for words, group in one.texts.losses():
            what = f"{one.name} {words} in {group.count:,} of {one.both:,} records: {group.words}"
            yield Judged("lossless", words, one.name, what, group.count, tuple(group.examples))
        pairs = list(one.texts.exchanged())
        if pairs:
            count = sum(group.count for _, _, group in pairs)
            said = ", ".join(
                f"{short(value)} where {where} is {short(source)}" for source, value, _ in pairs[:4]
            )
            examples = [example for _, _, group in pairs for example in group.examples]
            what = f"{one.name} is another of the third party's words in {count:,} of {one.both:,} records: {said}"
            yield Judged("alike", "exchanged", one.name, what, count, tuple(examples[:EXAMPLES]))

    def _said(self, one: _Column, state: FieldState) -> tuple[str, Kind, str] | None:
        one.fold()
        origin, where = state.origin, f"{self._where}{spoken(one.path)}"
        share = f"in {one.differs.count:,} of {one.both:,} records"
        is_own = _is_own(one.name)
        if one.is_inverted:
            return "inverted", "alike", f"{one.name} is the opposite of what {where} says {share}"
        if is_own and origin is not None and one.path in origin.paths:
            return None
        taken = origin is not None and has_its_name("id", origin.paths[0])
        known = is_id(one.name) and origin is not None and origin.support >= OFTEN
        if one.shaped < OFTEN * one.both and not is_own and not taken and not known:
            return self._truth_of_words(one, where)
        if origin is not None and one.path in origin.paths:
            return self._not_all(one, origin, where, share)
        if origin is not None and origin.support >= OFTEN:
            if origin.transform.name == "constant" or origin.how in (
                "table",
                "ending",
                "there",
                "not there",
                "entry",
                "opposite",
            ):
                return None
            path = origin.paths[0]
            if (is_own and not _is_no_own_id(path)) or _is_very_path(one.name, path):
                return None
            equals = any(not sounds_less(one.name, other) for other in origin.paths)
            if (
                equals
                or _is_of_another(one)
                or one.differs.count < _CLEAR * one.both
                or "*" in path
                or origin.how == "parts"
            ):
                return None
            what = f"{one.name} comes from {self._where}{spoken(path)}, although {where} is there and differs {share}"
            return "another source", "same", what
        several = len(one.there) >= _SEVERAL or (_is_truth(one) and len(one.there) > 1)
        if one.differs.count >= _USUAL * one.both and several:
            return self._moved(one, where, share)
        return self._partly(one, where, share)

    def _truth_of_words(self, one: _Column, where: str) -> tuple[str, Kind, str] | None:
        """One truth value throughout, though the path of the field's name has several words, each of them often."""
        if not _is_truth(one) or len(one.values) != 1 or one.texts.many:
            return None
        words = {source: group for (source, _), group in one.texts.words.items()}
        if not 2 <= len(words) <= _WORDS:
            return None
        if min(group.count for group in words.values()) < max(_SEVERAL, _CLEAR * one.both):
            return None
        is_true = one.pair is not None and one.pair[1] is True
        value = short(is_true)
        # The word that is the field's own name means true, the others false: records with the other value are wrong.
        own = {source for source in words if words_of_name(source) == words_of_name(one.name)}
        wrong = [group for source, group in words.items() if own and (source in own) is not is_true]
        one.differs.examples = [example for group in wrong for example in group.examples][:EXAMPLES]
        said = ", ".join(short(word) for word in words)
        return (
            "constant",
            "lossless",
            f"{one.name} is {value} in all {one.both:,} records, although {where} is {said}",
        )

    def _partly(self, one: _Column, where: str, share: str) -> tuple[str, Kind, str] | None:
        """Most records have the path's value, and some a value that is nowhere in their raw record."""
        same = one.both - one.differs.count
        path, often = one.paths.most_common(1)[0] if one.paths else ("", 0)
        if (
            often >= OFTEN * one.differs.count
            and sounds_less(one.name, path)
            and self._is_mistaken(one, path)
        ):
            what = f"{one.name} comes from {self._where}{spoken(path)}, although {where} is there and differs {share}"
            return "another source", "same", what
        if _is_truth(one) and same >= _USUAL * one.both:
            condition = _condition(one)
            if condition:
                what = f"{one.name} is not what {where} gives {share}: {self._pair(one)}"
                return "differs", "alike", f"{what}, as {self._where}{condition} says something else"
            if len(one.odd) == 1 and one.differs.count > 0.1 * one.both:
                return None  # true here and false there, never the reverse: there is one more condition
        few = one.both >= 50 and same >= _PARTLY * one.both
        if few and one.here <= 0.1 * one.differs.count and not _is_separate(one):
            what = f"{one.name} is not what {where} gives {share}: {self._pair(one)}"
            return "differs", "alike", what
        return None

    def _is_mistaken(self, one: _Column, path: str) -> bool:
        """Whether another path is not a fallback: the field's own is used even where both have a value, or the other
        path belongs to another field or kind.
        """
        kept, taken = (
            [(its.get(one.path), its.get(path)) for its in some] for some in (one.usual, one.unusual)
        )
        if is_the_later(kept, taken):
            return False
        others = {column.name for column in self._columns} - {one.name}
        if any(has_its_name(name, path) for name in others):
            return True
        both = [its for its in one.usual if not is_empty(its.get(path)) and its[path] != its.get(one.path)]
        return len(both) >= max(_SEVERAL, _FIRST * len(one.usual)) and not _is_separate(one)

    def _moved(self, one: _Column, where: str, share: str) -> tuple[str, Kind, str] | None:
        """Values that belong to another record, where most of them do."""
        count = one.differs.count
        if one.here > 0.2 * count:
            return None
        value = one.pair[1] if one.pair else None
        if len(one.values) == 1:
            known = one.odd <= one.there or _is_formed(value)
            what = f"{one.name} is the same in all {one.both:,} records, although {where} differs {share}"
            return ("constant", "lossless", f"{what}: {self._pair(one)}") if known else None
        if one.before >= OFTEN * count:
            return (
                "record before",
                "alike",
                f"{one.name} is the value of the record before it {share}: {self._pair(one)}",
            )
        if len(one.odd & one.there) >= _EACH * len(one.odd) and len(one.odd) >= _SEVERAL:
            words = f"{one.name} is what {where} is in other records, and not in its own, {share}"
            return "other records", "alike", f"{words}: {self._pair(one)}"
        exact = (
            isinstance(value, _NUMBERS)
            or date_readings(value)
            or (is_id(one.name) and _form(value) == "number")
        )
        if exact and not isinstance(value, bool) and one.both >= 20 and len(one.there) >= 10:
            return "differs", "alike", f"{one.name} is not what {where} gives {share}: {self._pair(one)}"
        return None

    def _not_all(self, one: _Column, origin: Origin, where: str, share: str) -> tuple[str, Kind, str] | None:
        """Some records do not have the value of the path that explains the others."""
        value = one.pair[1] if one.pair else None
        if origin.transform.name == "table" and is_number(value) and one.differs.count < one.both:
            return "differs", "alike", f"{one.name} is not what {where} gives {share}: {self._pair(one)}"
        plain = ("same", "number read", "date read", "trimmed", "number as text")
        if origin.support < _STRONG and not origin.loose and origin.transform.name in plain:
            return self._partly(one, where, share)
        return None

    def _pair(self, one: _Column) -> str:
        source, value = one.pair or (None, None)
        return f"{short(value)} where {self._where}{spoken(one.path)} is {short(source)}"

    def _settle(self) -> None:
        if self._first is None:
            return
        first, self._first = self._first, None
        filled: dict[str, int] = {}
        nulls: Counter[str] = Counter()
        paths: dict[str, int] = {}
        for record, _ in first:
            for name, value in flat(record, self._raw):
                if name != self._raw and not is_empty(value) and not isinstance(value, BOXES):
                    filled[name] = filled.get(name, 0) + 1
                nulls[name] += value is None
            for path, value in leaves(record[self._raw]).items():
                if not is_empty(value):
                    paths[path] = paths.get(path, 0) + 1
        never = {name: FEWEST_JUDGED for name, count in nulls.items() if count >= FEWEST_JUDGED}
        for name, count in (never | filled).items():
            outer = name.partition(".")[0].partition("[")[0]
            if not self._prefix and outer not in self._declared:
                continue
            name = f"{self._prefix}{name}"
            of_object = "." in name and is_id(name)  # an object inside the record has its own id
            named = [path for path in paths if has_its_name(name, path) and not (of_object and path == "/id")]
            is_fuller = not named
            named = named or [path for path in paths if has_its_name_and_more(name, path)]
            # Of several paths the one with exactly this spelling.
            named = [path for path in named if is_called(name.rpartition("].")[2], path)] or named
            fit = [path for path in named if paths[path] >= _USUAL * count]
            fit.sort(key=lambda path: (path.count("/"), -paths[path]))
            # Several with the same name at the same depth: none is certainly the field's own.
            if fit and (len(fit) == 1 or fit[0].count("/") < fit[1].count("/")):
                texts = NamedTexts(bool(_CODES & words_of_name(name)))
                column = _Column(name, fit[0], reader(fit[0]), texts=texts, is_fuller=is_fuller)
                if is_fuller and name.removeprefix(self._prefix) not in filled:
                    continue
                (self._columns if name.removeprefix(self._prefix) in filled else self._empty).append(column)
        for record, seen in first:
            self._hold(record, seen)

    def _hold(self, record: Mapping[str, Any], seen: Seen) -> None:
        raw = record[self._raw]
        values = {f"{self._prefix}{name}": value for name, value in flat(record, self._raw)}
        for one in self._empty:
            _look_at_empty(one, values.get(one.name), one.read(raw), seen)
        for one in self._columns:
            self._look_at(one, values.get(one.name), one.read(raw), record, seen)

    def _look_at(self, one: _Column, value: Any, there: Any, record: Mapping[str, Any], seen: Seen) -> None:
        if not is_empty(value) and not is_empty(there) and not isinstance(value, BOXES):
            one.texts.look(there, value, seen, self._beside(one, record))
            self._pair_of(one, value, there, record[self._raw], seen)
        elif not is_empty(value) and is_empty(there) and not isinstance(value, _NO_TEXT):
            one.extra.see(seen, value)
            one.left += bool(agreement(forms(value), forms(one.held_last)))
            if len(one.extras) < _SEVERAL:
                one.extras.add(hash(forms(value)[-1]))
        if not is_empty(there):
            one.held_last = there
        one.last = there

    def _beside(self, one: _Column, record: Mapping[str, Any]) -> Iterator[Any]:
        """The values of the record's other fields, read lazily."""
        name = one.name.removeprefix(self._prefix)
        yield from (its for other, its in dict(flat(record, self._raw)).items() if other != name)

    def _pair_of(self, one: _Column, value: Any, there: Any, raw: Any, seen: Seen) -> None:
        one.both += 1
        one.shaped += _is_of_form(value, there)
        mine, its = forms(value), forms(there)
        for kept, key in ((one.values, mine), (one.there, its)):
            if len(kept) < _MOST:
                kept.add(hash(key[-1]))
        if agreement(mine, its):
            if len(one.usual) < _KEPT:
                one.usual.append(self._leaves(raw))
            return
        if len(one.odd) < _MOST:
            one.odd.add(hash(mine[-1]))
        one.pair = one.pair or (there, value)
        one.differs.see(seen, value)
        one.before += bool(agreement(mine, forms(one.last)))
        flat_raw = self._leaves(raw)
        elsewhere = [path for path, other in flat_raw.items() if other == value and path != one.path]
        if elsewhere and not isinstance(value, bool):
            one.here += 1
            if len(one.paths) < _MOST_PATHS:
                one.paths.update(elsewhere)
        if len(one.unusual) < _KEPT:
            one.unusual.append(flat_raw)

    def _leaves(self, raw: Any) -> dict[str, Any]:
        if self._laid[0] is not raw:
            self._laid = raw, leaves(raw)
        return self._laid[1]


def _is_own(name: str) -> bool:
    """Whether a field is the id of the record, or of the item, itself."""
    return name == "id" or name.endswith("].id")


def _is_of_another(one: _Column) -> bool:
    """Whether a path is in an object with an id of its own: then ``campaign.user_id`` tells whose the campaign is."""
    outer = one.path.rpartition("/")[0]
    is_other = words_of_name(one.name).isdisjoint(words_of_path(outer)) and is_called(one.name, one.path)
    return bool(outer) and is_other and any(its.get(f"{outer}/id") for its in one.usual + one.unusual)


def _is_very_path(name: str, path: str) -> bool:
    """Whether a path has the field's full name, its parents included: ``location.name`` for ``/location/name``."""
    inner = name.rpartition("[].")[2].split(".")
    return len(inner) > 1 and steps(path) == inner


def _is_no_own_id(path: str) -> bool:
    """Whether a path holds a value that changes with the record, or the id of another object."""
    words, names = words_of_path(path), [one for one in steps(path) if not one.isdigit()]
    inside = len(names) > 1 and words_of_name(names[-1]) == {"id"} and words != {"id"}
    return bool(words & _NO_ID) or inside or ("id" in words and bool(words & _OTHERS))


def _look_at_empty(one: _Column, value: Any, there: Any, seen: Seen) -> None:
    if not is_empty(there):
        one.both += not is_empty(value)
        one.nulls.see(seen, value)


def _values_of(name: str, many: Many) -> Column:
    """The values of a field, as `flat` yields them."""
    outer, _, inner = name.partition(".")
    whole = many.column(name)
    if not inner or dict not in many.column(outer).types:
        return whole
    if whole.types != {type(ABSENT)} or "." in inner:
        # Some records have it inside an object, and some under its full name.
        return Column([dict(flat(record, many.raw)).get(name, ABSENT) for record in many.records])
    boxes = many.column(outer).values
    values = [box.get(inner, ABSENT) if type(box) is dict else ABSENT for box in boxes]
    return Column([ABSENT if type(value) is dict else value for value in values])


def _alike(values: Column, there: list[Any]) -> tuple[list[str], list[tuple[Any, Any]], Any] | None:
    """The texts of a column, its other values with those of its path, where both have one, and the last of the path;
    None unless all are certainly the same.
    """
    if values.values == there and values.types <= _TEXTS:
        texts = [value for value in values.filled if value]
        return texts, [], texts[-1] if texts else None
    if not values.types <= _SCALARS:
        return None
    if values.values == there and list(map(type, values.values)) == list(map(type, there)):
        both = [(value, value) for value in values.filled if value != ""]
        texts = [value for value, _ in both if type(value) is str]
        return texts, [pair for pair in both if type(pair[0]) is not str], both[-1][1] if both else None
    filled = [
        (v, its) for v, its in zip(values.values, there, strict=True) if v is not ABSENT and not is_empty(v)
    ]
    both = [(v, its) for v, its in filled if not is_empty(its)]
    if len(both) < len(filled) or not all(_is_same(value, its) for value, its in both):
        return None
    texts = [value for value, _ in both if type(value) is str]
    others = [pair for pair in both if type(pair[0]) is not str] if len(texts) < len(both) else []
    return texts, others, both[-1][1] if both else None


def _is_same(value: Any, there: Any) -> bool:
    """Whether a value equals another, or is a plain number that is a text there."""
    if type(value) is type(there):
        return bool(value == there)
    return type(value) is int and value >= 0 and type(there) is str and str(value) == there


def _is_of_form(value: Any, there: Any) -> bool:
    """Whether one value could stand for the other: both are truth values, or both dates, or neither."""
    mine, its = _form(value), _form(there)
    return mine == its or (mine == "date" and its == "number" and bool(date_readings(there)))


def _form(value: Any) -> str:
    if isinstance(value, bool):
        return "truth"
    if is_number(value) or (isinstance(value, str) and value.isdigit()):
        return "number"
    return "date" if date_readings(value) else "text"


def _is_formed(value: Any) -> bool:
    return isinstance(value, str) and any(not sign.isalpha() for sign in value)


def _is_separate(one: _Column) -> bool:
    """Whether a raw value with few variants separates the differing records from the others: then it is a rule."""
    if len(one.unusual) < _SEVERAL or not one.usual:
        return False
    for path in {path for its in one.unusual[:5] for path in its} | {
        path for its in one.usual[:5] for path in its
    }:
        odd = {repr(its.get(path)) for its in one.unusual}
        usual = [repr(its.get(path)) for its in one.usual]
        if len(odd | set(usual)) <= _KINDS and sum(value in odd for value in usual) <= 0.1 * len(usual):
            return True
    return False


def _condition(one: _Column) -> str:
    """The path whose value separates the differing records, in words, where no such path or value is about the field.

    What is archived may be told as deleted besides what is; what is finished is not.
    """
    if len(one.unusual) < _SEVERAL or not one.usual or is_id(one.name):
        return ""
    wanted = words_of_name(one.name.rpartition(".")[2])
    found = ""
    for path, value in one.unusual[0].items():
        odd = {repr(its.get(path)) for its in one.unusual}
        usual = sum(repr(its.get(path)) in odd for its in one.usual)
        if path == one.path or len(odd) > _WORDS // 2 or usual > _RARELY * len(one.usual):
            continue
        if not wanted.isdisjoint(words_of_path(path) | words_of_name(str(value)[:_KINDS])):
            return ""
        found = found or spoken(path)
    return found


def _is_truth(one: _Column) -> bool:
    return one.pair is not None and isinstance(one.pair[1], bool)
