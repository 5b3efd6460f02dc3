"""Compares each field with the raw path of the same name, over all records.

A field may be explained by another path, or by nothing in its own record, and still be wrong: the connector took
another raw field, the value of the record before or of the first on the page, or one value for all. The path with the
field's own name (see `named`) reveals it: by its value in this record, in the one before, and in any record. At most
`MOST_VALUES` values of such a path are remembered, as hashes; nothing else grows with the rows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any

from explorer.catalog.spec import ABSENT
from explorer.quality.engine.finding_collector import PLACES
from explorer.quality.engine.rows import Column
from explorer.quality.mapping.conditions import is_the_later
from explorer.quality.mapping.field_state import FieldState, flat, short
from explorer.quality.mapping.judge import FEWEST_JUDGED, Kind, MappingFinding
from explorer.quality.mapping.learn import is_called
from explorer.quality.mapping.name_match import (
    has_its_name,
    has_its_name_and_more,
    is_id,
    is_kind,
    sounds_less,
    words_of_name,
)
from explorer.quality.mapping.normal_forms import agreement, forms
from explorer.quality.mapping.origin import Origin, is_empty, reader
from explorer.quality.mapping.record_batch import RecordBatch, Seen
from explorer.quality.mapping.same_name_column import (
    MOST_VALUES,
    SEVERAL,
    USUAL,
    WORDS,
    NamedColumn,
    are_ids,
    condition_of,
    form_of,
    has_the_end,
    is_formed,
    is_no_own_id,
    is_of_a_kind,
    is_of_another,
    is_of_form,
    is_own,
    is_said_within,
    is_separate,
    is_truth,
    is_very_path,
)
from explorer.quality.mapping.same_name_texts import NamedTexts
from explorer.quality.mapping.sample import OFTEN
from explorer.quality.mapping.trace import spoken
from explorer.quality.values.date_transforms import date_readings
from explorer.quality.values.flat import BOXES, leaves
from explorer.quality.values.transforms import is_number

_SAMPLE, _KEPT = 150, 60
_CLEAR, _PARTLY = 0.05, 0.55
_EACH = 0.95
_ADDRESSES = frozenset({"url", "link", "href", "uri", "mime", "language", "locale", "currency"})
_CODES = frozenset({"postal", "phone", "fax"})
_STRONG = 0.95
_MOST_PATHS, _FIRST = 200, 0.1
_TEXTS = frozenset((str, type(None), type(ABSENT)))
_SCALARS = _TEXTS | {bool, int, float}
_NUMBERS, _NO_TEXT = (int, float), (*BOXES, bool)


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
        self._columns: list[NamedColumn] = []
        self._empty: list[NamedColumn] = []
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

    def look_all(self, many: RecordBatch) -> None:
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

    def findings(
        self, states: Mapping[str, FieldState], settled: Collection[str]
    ) -> Iterator[MappingFinding]:
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
            # The items of an array are compared with raw items of their own.
            path = "" if self._prefix else one.path
            yield from (replace(said, path=path) for said in self._findings_of(one, state, sources))

    def _findings_of(
        self, one: NamedColumn, state: FieldState, sources: Mapping[str, str]
    ) -> Iterator[MappingFinding]:
        if one.is_fuller:
            yield from self._texts(one)
            return
        yield from self._left_over(one)
        found = self._column(one, state, sources)
        if found is not None:
            rule, kind, words = found
            yield MappingFinding(kind, rule, one.name, words, one.differs.count, tuple(one.differs.examples))
        else:
            yield from self._texts(one)

    def _left_over(self, one: NamedColumn) -> Iterator[MappingFinding]:
        """Records without a value that have the value of the last record with one, too often for coincidence."""
        count = one.extra.count
        if (
            count >= FEWEST_JUDGED
            and one.left >= _EACH * count
            and len(one.extras) >= SEVERAL
            and one.is_mixed
        ):
            what = f"{one.name} is the value of the last record before that has one, where {self._where}"
            what += f"{spoken(one.path)} has nothing, in {count:,} of {one.both + count:,} records"
            yield MappingFinding("alike", "record before", one.name, what, count, tuple(one.extra.examples))

    def _never(self, settled: Collection[str]) -> Iterator[MappingFinding]:
        """Fields that are always null, and never left out, though the path of their name has values."""
        for one in self._empty:
            if one.nulls.count >= FEWEST_JUDGED and not one.both and one.name not in settled:
                where = f"{self._where}{spoken(one.path)}"
                what = f"{one.name} is null in all records, {where} is filled in {one.nulls.count:,}"
                examples = tuple(one.nulls.examples)
                path = "" if self._prefix else one.path
                yield MappingFinding("kept", "never", one.name, what, one.nulls.count, examples, path)

    def _column(
        self, one: NamedColumn, state: FieldState, sources: Mapping[str, str]
    ) -> tuple[str, Kind, str] | None:
        taken = [name for name, path in sources.items() if path == one.path and name != one.name]
        other = any(is_called(name, one.path) for name in taken)
        # What comes from another's place does not leave its own to a third: two may have it, as updated_at.
        lent = any(has_its_name(name, sources.get(one.name, "")) for name in sources if name != one.name)
        lent = lent and sounds_less(one.name, sources[one.name])
        own = is_called(one.name, one.path) or (is_truth(one) and not other) or lent
        if one.differs.count < SEVERAL or (not own and any(has_its_name(name, one.path) for name in taken)):
            return None
        return self._said(one, state)

    def _texts(self, one: NamedColumn) -> Iterator[MappingFinding]:
        where = f"{self._where}{spoken(one.path)}"
        words_of = words_of_name(one.name)
        if words_of & _ADDRESSES or "id" in words_of:
            return
        for words, group in one.texts.losses():
            what = f"{one.name} {words} in {group.count:,} of {one.both:,} records: {group.words}"
            yield MappingFinding("lossless", words, one.name, what, group.count, tuple(group.examples))
        pairs = list(one.texts.exchanged())
        if pairs:
            count = sum(group.count for _, _, group in pairs)
            said = ", ".join(
                f"{short(value)} where {where} is {short(source)}" for source, value, _ in pairs[:4]
            )
            examples = [example for _, _, group in pairs for example in group.examples]
            what = (
                f"{one.name} is another word than raw data has in {count:,} of {one.both:,} records: {said}"
            )
            yield MappingFinding("alike", "exchanged", one.name, what, count, tuple(examples[:PLACES]))

    def _said(self, one: NamedColumn, state: FieldState) -> tuple[str, Kind, str] | None:
        one.fold()
        origin, where = state.origin, f"{self._where}{spoken(one.path)}"
        share = f"in {one.differs.count:,} of {one.both:,} records"
        own = is_own(one.name)
        if one.is_inverted:
            return "inverted", "alike", f"{one.name} is the opposite of what {where} says {share}"
        if own and origin is not None and one.path in origin.paths:
            return None
        taken = origin is not None and has_its_name("id", origin.paths[0])
        known = is_id(one.name) and origin is not None and origin.support >= OFTEN
        if one.shaped < OFTEN * one.both and not own and not taken and not known:
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
            if (own and not is_no_own_id(path)) or is_very_path(one.name, path):
                return None
            if are_ids(one.pair) or (
                is_kind(one.path) and path.rpartition("/")[0] == one.path.rpartition("/")[0] != ""
            ):
                return None
            equals = any(not sounds_less(one.name, other) for other in origin.paths)
            if (
                equals
                or is_of_another(one)
                or one.differs.count < _CLEAR * one.both
                or "*" in path
                or origin.how == "parts"
                or has_the_end(one.pair)
                or is_said_within(one.pair)
            ):
                return None
            what = f"{one.name} comes from {self._where}{spoken(path)}, although {where} is there and differs {share}"
            return "another source", "same", what
        several = len(one.there) >= SEVERAL or (is_truth(one) and len(one.there) > 1)
        if one.differs.count >= USUAL * one.both and several:
            return self._moved(one, where, share)
        return self._partly(one, where, share)

    def _truth_of_words(self, one: NamedColumn, where: str) -> tuple[str, Kind, str] | None:
        """One truth value throughout, though the path of the field's name has several words, each of them often."""
        if not is_truth(one) or len(one.values) != 1 or one.texts.many:
            return None
        words = {source: group for (source, _), group in one.texts.words.items()}
        if not 2 <= len(words) <= WORDS:
            return None
        if min(group.count for group in words.values()) < max(SEVERAL, _CLEAR * one.both):
            return None
        is_true = one.pair is not None and one.pair[1] is True
        value = short(is_true)
        # The word that is the field's own name means true, the others false: records with the other value are wrong.
        own = {source for source in words if words_of_name(source) == words_of_name(one.name)}
        wrong = [group for source, group in words.items() if own and (source in own) is not is_true]
        one.differs.examples = [example for group in wrong for example in group.examples][:PLACES]
        said = ", ".join(short(word) for word in words)
        return (
            "constant",
            "lossless",
            f"{one.name} is {value} in all {one.both:,} records, although {where} is {said}",
        )

    def _partly(self, one: NamedColumn, where: str, share: str) -> tuple[str, Kind, str] | None:
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
        if is_truth(one) and same >= USUAL * one.both:
            if is_of_a_kind(one):
                return None
            condition = condition_of(one)
            if condition:
                what = f"{one.name} is not what {where} gives {share}: {self._pair(one)}"
                return "differs", "alike", f"{what}, as {self._where}{condition} says something else"
            if len(one.values) == 1 and one.differs.count >= max(SEVERAL, _CLEAR * one.both):
                what = f"{one.name} is {short(one.differs.examples[0].value)} in all {one.both:,} records, although"
                return "constant", "lossless", f"{what} {where} differs {share}"
            if len(one.odd) == 1 and one.differs.count > 0.1 * one.both:
                return None  # true here and false there, never the reverse: there is one more condition
        few = one.both >= 50 and same >= _PARTLY * one.both
        if few and one.here <= 0.1 * one.differs.count and not is_separate(one):
            what = f"{one.name} is not what {where} gives {share}: {self._pair(one)}"
            return "differs", "alike", what
        return None

    def _is_mistaken(self, one: NamedColumn, path: str) -> bool:
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
        return len(both) >= max(SEVERAL, _FIRST * len(one.usual)) and not is_separate(one)

    def _moved(self, one: NamedColumn, where: str, share: str) -> tuple[str, Kind, str] | None:
        """Values that belong to another record, where most of them do."""
        count = one.differs.count
        if one.here > 0.2 * count:
            return None
        value = one.pair[1] if one.pair else None
        if len(one.values) == 1:
            known = one.odd <= one.there or is_formed(value)
            what = f"{one.name} is the same in all {one.both:,} records, although {where} differs {share}"
            return ("constant", "lossless", f"{what}: {self._pair(one)}") if known else None
        if one.before >= OFTEN * count:
            return (
                "record before",
                "alike",
                f"{one.name} is the value of the record before it {share}: {self._pair(one)}",
            )
        if len(one.odd & one.there) >= _EACH * len(one.odd) and len(one.odd) >= SEVERAL:
            words = f"{one.name} is what {where} is in other records, and not in its own, {share}"
            return "other records", "alike", f"{words}: {self._pair(one)}"
        exact = (
            isinstance(value, _NUMBERS)
            or date_readings(value)
            or (is_id(one.name) and form_of(value) == "number")
        )
        if exact and not isinstance(value, bool) and one.both >= 20 and len(one.there) >= 10:
            return "differs", "alike", f"{one.name} is not what {where} gives {share}: {self._pair(one)}"
        return None

    def _not_all(
        self, one: NamedColumn, origin: Origin, where: str, share: str
    ) -> tuple[str, Kind, str] | None:
        """Some records do not have the value of the path that explains the others."""
        value = one.pair[1] if one.pair else None
        if origin.transform.name == "table" and is_number(value) and one.differs.count < one.both:
            return "differs", "alike", f"{one.name} is not what {where} gives {share}: {self._pair(one)}"
        plain = ("same", "number read", "date read", "trimmed", "number as text")
        # The first records, from which it is learned, may have fewer of those that differ.
        support = min(origin.support, 1 - one.differs.count / one.both)
        if support < _STRONG and not origin.loose and origin.transform.name in plain:
            return self._partly(one, where, share)
        return None

    def _pair(self, one: NamedColumn) -> str:
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
            fit = [path for path in named if paths[path] >= USUAL * count]
            fit.sort(key=lambda path: (path.count("/"), -paths[path]))
            # Several with the same name at the same depth: none is certainly the field's own.
            if fit and (len(fit) == 1 or fit[0].count("/") < fit[1].count("/")):
                texts = NamedTexts(bool(_CODES & words_of_name(name)))
                column = NamedColumn(name, fit[0], reader(fit[0]), texts=texts, is_fuller=is_fuller)
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

    def _look_at(
        self, one: NamedColumn, value: Any, there: Any, record: Mapping[str, Any], seen: Seen
    ) -> None:
        if not is_empty(value) and not is_empty(there) and not isinstance(value, BOXES):
            one.texts.look(there, value, seen, self._beside(one, record))
            self._pair_of(one, value, there, record[self._raw], seen)
        elif not is_empty(value) and is_empty(there) and not isinstance(value, _NO_TEXT):
            one.extra.see(seen, value)
            one.left += bool(agreement(forms(value), forms(one.held_last)))
            if len(one.extras) < SEVERAL:
                one.extras.add(hash(forms(value)[-1]))
        if not is_empty(there):
            one.held_last = there
        one.last = there

    def _beside(self, one: NamedColumn, record: Mapping[str, Any]) -> Iterator[Any]:
        """The values of the record's other fields, read lazily."""
        name = one.name.removeprefix(self._prefix)
        yield from (its for other, its in dict(flat(record, self._raw)).items() if other != name)

    def _pair_of(self, one: NamedColumn, value: Any, there: Any, raw: Any, seen: Seen) -> None:
        one.both += 1
        one.shaped += is_of_form(value, there)
        mine, its = forms(value), forms(there)
        for kept, key in ((one.values, mine), (one.there, its)):
            if len(kept) < MOST_VALUES:
                kept.add(hash(key[-1]))
        if agreement(mine, its):
            if len(one.usual) < _KEPT:
                one.usual.append(self._leaves(raw))
            return
        if len(one.odd) < MOST_VALUES:
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


def _look_at_empty(one: NamedColumn, value: Any, there: Any, seen: Seen) -> None:
    if not is_empty(there):
        one.both += not is_empty(value)
        one.nulls.see(seen, value)


def _values_of(name: str, many: RecordBatch) -> Column:
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
