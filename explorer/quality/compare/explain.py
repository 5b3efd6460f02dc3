"""The differences between two states of a list in at most 20 sentences, each true of every value that it claims.

The changed values are read several times: once to sample each field, then to test against every value what was learned
from the samples. Values that nothing explains are sampled again, so that small groups are found too. A value counts
once: for the first claim that is true of it, or as unexplained. Memory does not grow with the values. The
stored lines of a comparison are read again for it, and whole records only where a claim needs them.
"""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from operator import itemgetter
from random import Random
from typing import Any, Protocol

from explorer.catalog.spec import ABSENT
from explorer.quality.compare.changed_values import (
    ChangedRecord,
    ChangedValue,
    Sample,
    canonical,
    changed_values,
    plain_json,
)
from explorer.quality.compare.claims import Claim, kind_of, of_emptiness
from explorer.quality.compare.explained import (
    Example,
    Explained,
    Sentence,
    Unexplained,
    sentences_of,
    with_more,
)
from explorer.quality.compare.found import Found
from explorer.quality.compare.ignored_fields import Mask
from explorer.quality.compare.in_common import Lone, Times, in_common, under_other_ids, volatile_fields
from explorer.quality.compare.learn import Known, learned
from explorer.quality.compare.rows import CalledOff, PullRows, Wanted, always, record_at

Changes = Callable[[], Iterable[ChangedRecord]]
"""Yields the records that differ, the same ones in the same order each time."""
OTHER_FIELDS = "(other fields)"
FIELDS = 1_000
"""Fields that are treated separately; changes in any others are unexplained."""
_STRATA, _OF_A_STRATUM, _FEW = 10, 32, 6
"""Kinds of changes of a field that are sampled separately, samples of each, and samples where there are many fields."""
_MANY_FIELDS = 80
_LEARNED = 250
"""Fields with most changes; of the others only becoming empty or filled is learned."""
_LARGE = 20_000
"""Characters of a value from which on few samples are kept."""
_ROUNDS = 3
_VALUES_KNOWN = 200_000
_RECORDS = 200
_EXAMPLES = 3
_CHECKED_EVERY = 200
_TWO = 2


class Sink(Protocol):
    """Receives each value with the number of the claim that covers it."""

    def begin(self) -> None:
        """Discards everything taken so far."""

    def take(self, value: ChangedValue, number: int, *, explained: bool) -> None:
        """``number`` is the same for all values under one claim, and for all unexplained values of one field."""

    def left_out(self, value: ChangedValue) -> None:
        """The value belongs to a field that changes at every pull."""


class _Nothing:
    def begin(self) -> None: ...

    def take(self, value: ChangedValue, number: int, *, explained: bool) -> None: ...

    def left_out(self, value: ChangedValue) -> None: ...


def explained(
    changes: Changes,
    records: int,
    *,
    times: Times | None = None,
    every_field: bool = False,
    written: int = 0,
    sink: Sink | None = None,
    wanted: Wanted = always,
) -> Explained:
    """Explains the differences among ``records`` records that are in both states.

    ``times`` are those of both pulls, ``written`` is the number of further records that differ in notation only.
    With ``every_field`` none is ignored for changing at every pull. Raises CalledOff.
    """
    return _Work(changes, records, times, every_field, written, sink or _Nothing(), wanted).all()


@dataclass(slots=True)
class _Field:
    """The samples of one field, and its earlier values."""

    count: int = 0
    strata: dict[Any, list[Sample]] = field(default_factory=dict)
    seen: Counter[Any] = field(default_factory=Counter)
    values: set[str] | None = field(default_factory=set)

    @property
    def samples(self) -> list[Sample]:
        return [one for some in self.strata.values() for one in some]

    def add(self, sample: Sample, most: int, random: Random) -> None:
        """Keeps a sample of its kind, each with the same probability."""
        sort = _sort(sample.value)
        if sort not in self.strata and len(self.strata) >= _STRATA:
            sort = next(iter(self.strata))
        kept = self.strata.setdefault(sort, [])
        self.seen[sort] += 1
        if len(kept) < most:
            kept.append(sample)
        elif (place := random.randrange(self.seen[sort])) < most:
            kept[place] = sample


def _sort(value: ChangedValue) -> tuple[Any, ...]:
    """The kind by which a change is sampled: types of values, and for texts and numbers how they obviously differ."""
    before, now = value.befores[0], value.nows[0]
    kinds = kind_of(before), kind_of(now)
    if kinds == ("text", "text"):
        longer = (len(now) > len(before)) - (len(now) < len(before))
        return (*kinds, longer, before.casefold() == now.casefold())
    if kinds == ("number", "number"):
        return (*kinds, now > before)
    return (*kinds, len(now) < len(before)) if kinds == ("array", "array") else kinds


class _Work:
    """Makes one explanation."""

    def __init__(
        self,
        changes: Changes,
        records: int,
        times: Times | None,
        every_field: bool,
        written: int,
        sink: Sink,
        wanted: Wanted,
    ) -> None:
        self._changes, self._records, self._times, self._sink = changes, records, times, sink
        self._wanted, self._random = wanted, Random(11)
        self._every_field = every_field
        self._written = written
        self._fields: dict[str, _Field] = {}
        self._whole: list[ChangedRecord] = []
        self._claims: dict[str, list[Claim]] = defaultdict(list)
        self._kinds: dict[tuple[str, str, str], Claim] = {}
        self._numbers: dict[Claim | str, int] = {}
        """The numbers of claims, and of fields with unexplained values."""
        self._left_out: dict[str, str] = {}

    def all(self) -> Explained:
        self._sample()
        self._learn_volatile()
        left = dict(self._fields)
        self._learn(left)
        made, left = self._claim(again=True)
        for rounds_left in reversed(range(_ROUNDS - 1)):
            if not self._learn(left):
                break
            made, left = self._claim(again=rounds_left > 0)
        return made

    # ------------------------------------------------------------------ learning

    def _sample(self) -> None:
        values = 0
        for number, record in enumerate(self._changes()):
            self._check(number)
            self._keep_whole(number, record)
            for name, value in record.values.items():
                known = self._fields.get(name)
                if known is None:
                    if len(self._fields) >= FIELDS:
                        continue
                    known = self._fields[name] = _Field()
                known.count += 1
                known.add(Sample(value, record), self._most(value), self._random)
                values += self._note(known, value, values)

    def _note(self, known: _Field, value: ChangedValue, already: int) -> int:
        """Notes the field's earlier values, while there is room."""
        if known.values is None or already > _VALUES_KNOWN:
            known.values = None
            return 0
        size = len(known.values)
        known.values.update(canonical(one)[:200] for one in value.befores)
        if len(known.values) < 0.5 * known.count and known.count > 50:
            known.values = None
        return 0 if known.values is None else len(known.values) - size

    def _most(self, value: ChangedValue) -> int:
        large = any(
            isinstance(one, str | list | dict) and len(one) > _LARGE for one in value.befores + value.nows
        )
        return _FEW if large or len(self._fields) > _MANY_FIELDS else _OF_A_STRATUM

    def _keep_whole(self, number: int, record: ChangedRecord) -> None:
        if len(self._whole) < _RECORDS:
            self._whole.append(record)
        elif (place := self._random.randrange(number + 1)) < _RECORDS:
            self._whole[place] = record

    def _learn_volatile(self) -> None:
        if self._every_field:
            return
        samples = {name: one.samples for name, one in self._fields.items()}
        counts = {name: one.count for name, one in self._fields.items()}
        found = volatile_fields(samples, counts, self._whole, self._records, self._times)
        self._left_out = {**self._left_out, **found}

    def _learn(self, left: dict[str, _Field]) -> bool:
        """Learns from the unexplained samples; returns whether anything new was found."""
        new = False
        most = sorted(left.items(), key=lambda each: -each[1].count)[:_LEARNED]
        for number, (name, one) in enumerate(most):
            self._check(number * _CHECKED_EVERY)
            if name in self._left_out:
                continue
            whole = self._fields[name]
            # A few values always differ enough; of many, most have to differ.
            distinct = whole.values is not None and len(whole.values) >= 0.8 * whole.count
            others = whole.values if distinct else None
            known = Known(name, others, self._records > 4 and whole.count >= 0.9 * self._records)
            for claim in learned(known, one.samples):
                mine = self._claims[claim.field]
                if claim not in mine:
                    mine.append(claim)
                    new = True
        return new

    # ------------------------------------------------------------------ claiming

    def _claim(self, *, again: bool) -> tuple[Explained, dict[str, _Field]]:
        """Tests the claims on every value; unexplained ones are sampled if learning happens ``again``."""
        self._sink.begin()
        tally = _Tally(self._records, self._written)
        left: dict[str, _Field] = {}
        for number, record in enumerate(self._changes()):
            self._check(number)
            for name, value in record.values.items():
                if name in self._left_out:
                    tally.left_out[name] += 1
                    self._sink.left_out(value)
                    continue
                claim = self._falls_under(value, record)
                counted = name if name in self._fields else OTHER_FIELDS
                tally.take(value, record, claim, counted)
                self._sink.take(value, self._number(claim or counted), explained=claim is not None)
                if claim is None and again and name in self._fields:
                    known = left.setdefault(name, _Field())
                    known.count += 1
                    known.add(Sample(value, record), self._most(value), self._random)
        return tally.made(self._left_out, self._numbers), left

    def _falls_under(self, value: ChangedValue, record: ChangedRecord) -> Claim | None:
        for claim in self._claims.get(value.field, ()):
            if claim.holds(value, record):
                return claim
        if len(value.befores) > 1 or value.field not in self._fields:
            return of_emptiness(value)
        kinds = value.field, kind_of(value.befores[0]), kind_of(value.nows[0])
        if kinds not in self._kinds:
            found = of_emptiness(value)
            if found is None:
                return None
            self._kinds[kinds] = found
        return self._kinds[kinds]

    def _number(self, claim: Claim | str) -> int:
        return self._numbers.setdefault(claim, len(self._numbers))

    def _check(self, number: int) -> None:
        if number % _CHECKED_EVERY == 0 and not self._wanted():
            raise CalledOff


class _Tally:
    """Counts and examples of one pass."""

    def __init__(self, records: int, written: int) -> None:
        self._records = records
        self._under: dict[Claim, int] = {}
        self._examples: dict[Claim | str, list[Example]] = defaultdict(list)
        self._left: Counter[str] = Counter()
        self.left_out: Counter[str] = Counter()
        self._changed, self._written = 0, written
        self._kinds: dict[Claim, set[tuple[str, str]]] = defaultdict(set)
        """Up to two pairs of values, of the transforms that are edits."""

    def take(self, value: ChangedValue, record: ChangedRecord, claim: Claim | None, name: str) -> None:
        """Counts a value under its claim, or under ``name`` as unexplained."""
        self._changed += 1
        if claim is None:
            self._left[name] += 1
            kept = self._examples[name]
        else:
            self._under[claim] = self._under.get(claim, 0) + 1
            kept = self._examples[claim]
            if claim.transform is not None and claim.meaning == "edited" and len(self._kinds[claim]) < _TWO:
                self._kinds[claim].update((canonical(one), canonical(other)) for one, other in value.pairs)
        if len(kept) < _EXAMPLES:
            kept.append(Example(record.id, value.field, value.befores[0], value.nows[0]))

    def made(self, left_out: dict[str, str], numbers: dict[Claim | str, int]) -> Explained:
        """The counts, as sentences."""
        examples = {claim: tuple(some) for claim, some in self._examples.items() if isinstance(claim, Claim)}
        unexplained = tuple(
            Unexplained(name, count, tuple(self._examples[name]), frozenset((numbers[name],)))
            for name, count in self._left.most_common()
        )
        alone = frozenset(claim for claim, kinds in self._kinds.items() if len(kinds) == 1)
        sentences = sentences_of(self._under, examples, numbers, self._records, self._written, alone)
        told = {name: (why, self.left_out[name]) for name, why in left_out.items() if self.left_out[name]}
        return Explained(sentences, unexplained, self._changed, sum(self._under.values()), told)


LEFT_OUT = -1
"""Stands for a claim's number in lines of fields that change at every pull."""
_BITE = 2_000
_TOLD_EVERY = 500
_HELD = 4
"""Whole records kept in memory, the latest ones."""


class FoundExplained:
    """Explains the lines of one comparison, and stores the claim of each beside it."""

    def __init__(
        self,
        found: Found,
        rows: tuple[PullRows, PullRows],
        mask: Mask,
        lone: tuple[array[int], array[int]],
        wanted: Wanted,
    ) -> None:
        """``lone`` are the rows that only the first list has, and only the second, in ascending order."""
        self._found, self._rows, self._mask, self._lone, self._wanted = found, rows, mask, lone, wanted
        self._told: list[tuple[int, int]] = []
        self._held: dict[tuple[int, int], Any] = {}

    def explained(
        self, records: int, *, written: int, every_field: bool = False, tell: Callable[[int], None]
    ) -> Explained:
        """Explains the differences among ``records`` records in both lists. ``tell`` receives how many were processed.

        Raises StoreFault, CalledOff.
        """
        made = explained(
            lambda: self._records(tell),
            records,
            times=self._times(),
            every_field=every_field,
            written=written,
            sink=self,
            wanted=self._wanted,
        )
        self._flush()
        more: list[Sentence] = []
        kinds: tuple[Lone, ...] = ("gone", "added")
        for side, what in enumerate(kinds):
            more += in_common(what, self._rows[side], self._lone[side], self._wanted)
        more += under_other_ids(self._rows, *self._lone, self._mask.pruned, self._wanted)
        return with_more(made, more)

    def _times(self) -> Times:
        before, now = (rows.about for rows in self._rows)
        return Times((before.started_at, before.updated_at), (now.started_at, now.updated_at))

    # ------------------------------------------------------------------ what is explained

    def _records(self, tell: Callable[[int], None]) -> Iterator[ChangedRecord]:
        for number, ((a, b), lines) in enumerate(groupby(self._found.changed(), key=itemgetter(2, 3))):
            if number % _TOLD_EVERY == 0:
                tell(number)
            ids, values = "", dict[str, ChangedValue]()
            for line, ids, _, _, name, old, new in lines:  # noqa: B007 - the same in all of them
                before, now = (self._mask.marked(name, _value(text)) for text in (old, new))
                values |= changed_values(name, before, now, line)
            whole = (partial(self._whole, *at) for at in ((1, b), (0, a - 1), (0, a)))
            yield ChangedRecord(ids, values, *whole)

    def _whole(self, side: int, row: int) -> Any:
        """A record as parsed JSON; None before the first record, and for invalid JSON."""
        if row < 0:
            return None
        try:
            return self._held[side, row]
        except KeyError:
            pass
        try:
            value = plain_json(record_at(self._rows[side], row))
        except ValueError:
            value = None
        if len(self._held) >= _HELD:
            self._held.pop(next(iter(self._held)))
        self._held[side, row] = value
        return value

    # ------------------------------------------------------------------ what it falls under

    def begin(self) -> None:
        self._told.clear()
        self._found.clear_claims()

    def take(self, value: ChangedValue, number: int, *, explained: bool) -> None:
        self._keep(number, value)

    def left_out(self, value: ChangedValue) -> None:
        self._keep(LEFT_OUT, value)

    def _keep(self, claim: int, value: ChangedValue) -> None:
        self._told.append((claim, value.line))
        if len(self._told) >= _BITE:
            self._flush()

    def _flush(self) -> None:
        self._found.add_claims(self._told)
        self._told.clear()


def _value(text: str | None) -> Any:
    if text is None:
        return ABSENT
    try:
        return plain_json(text)
    except ValueError:
        return text
