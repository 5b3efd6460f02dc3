"""The watcher that passes records to decorated checks: it counts, keeps examples, skips, and leaves out repetitions.

Whether several records fit a model is decided by the types of each column: pydantic takes one record at a time, which
is some twenty times as slow. Rules that types cannot express (validators, bounds) are left to it, and so is describing
what does not fit.
"""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from pydantic import BaseModel

from explorer.catalog.accepted import Accepted, Undecidable, accepted_by
from explorer.catalog.fields import Field, fields_of
from explorer.catalog.misfits import misfits_of
from explorer.catalog.spec import ABSENT, Record
from explorer.quality.engine.check import Result, Verdict
from explorer.quality.engine.finding_collector import FindingCollector, skipped
from explorer.quality.engine.record_check import (
    LEARNED,
    Declared,
    Odd,
    Said,
    Seen,
    SeenPage,
    Walked,
    declared_in,
)
from explorer.quality.engine.row import Row
from explorer.quality.engine.rows import Column, Rows

_SHAPES = 256
_NO_RECORD = "no record came"


class Presence:
    """In how many records each declared field is present, and in how many it is null."""

    def __init__(self, names: Iterable[str]) -> None:
        self.records = 0
        self.nulls = dict.fromkeys(names, 0)
        self._there = dict.fromkeys(self.nulls, 0)
        self._shapes: dict[tuple[str, ...], int] = {}
        """Number of records by their names in order, because the same few orders occur again and again."""

    def see(self, record: Mapping[str, Any]) -> None:
        """Counts one more record."""
        shape = tuple(record)
        self._shapes[shape] = self._shapes.get(shape, 0) + 1
        if len(self._shapes) > _SHAPES:
            self._settle()
        if None in record.values():
            for name in self.nulls.keys() & record.keys():
                self.nulls[name] += record[name] is None

    def see_all(self, rows: Rows) -> None:
        """Counts several sound records."""
        for shape, times in rows.shapes.items():
            self._shapes[shape] = self._shapes.get(shape, 0) + times
        if len(self._shapes) > _SHAPES:
            self._settle()
        for name in self.nulls:
            column = rows.column(name)
            if type(None) in column.types:
                self.nulls[name] += column.values.count(None)

    @property
    def there(self) -> dict[str, int]:
        """In how many records each field is present, null or not."""
        self._settle()
        return self._there

    def _settle(self) -> None:
        for shape, times in self._shapes.items():
            for name in self._there.keys() & set(shape):
                self._there[name] += times
        self._shapes.clear()


class _Plan:
    """The checks of one module on one model, in the order in which they are called."""

    def __init__(self, declared: Sequence[Declared], model: type[Record]) -> None:
        fields = fields_of(model)
        self.model, self.declared, self.fields = model, declared, fields
        picked = {
            one.check: [f for f in fields if one.pick(f) and not (one.told == "value" and f.is_raw)]
            for one in declared
            if one.pick is not None
        }
        self.lacking = {one.check: one.none for one in declared if one.pick and not picked[one.check]}
        used = [one for one in declared if one.check not in self.lacking]
        self.rows = [one for one in used if one.told == "row"]
        # A check that applies to no field is skipped, and still receives what the model rejects.
        self.misfits = [one for one in declared if one.told == "misfit"]
        self.records = [one for one in used if one.told == "record"]
        self.lists = [one for one in used if one.told == "list"]
        values = [one for one in used if one.told == "value"]
        told = [(field, [one for one in values if field in picked[one.check]]) for field in fields]
        self.values = [
            (field.name, field, looks[0].types, next((one.read for one in looks if one.read), None), looks)
            for field, looks in told
            if looks
        ]
        self.names = tuple(field.name for field in fields)
        self.known_nulls = dict(self._known_nulls())
        """By field name: the sentence for a null there, which is only observed."""

    def _known_nulls(self) -> Iterator[tuple[str, tuple[Declared, Odd]]]:
        for name in self.names if self.misfits else ():
            null = {name: None}
            for misfit in misfits_of(self.model, json.dumps(null).encode(), null):
                said = ((one, one.look(misfit)) for one in self.misfits if misfit.field == name)
                one, odd = next(((one, odd) for one, odd in said if odd is not None), (None, None))
                if one is not None and isinstance(odd, Odd) and odd.verdict is Verdict.OBSERVED:
                    yield name, (one, odd)

    def __deepcopy__(self, _: object) -> _Plan:
        return self


@cache
def _plan(module: str, model: type[Record]) -> _Plan:
    return _Plan(declared_in(module), model)


class RecordChecks:
    """The checks that the module of a subclass declares, watching the records of one list or of a batch read."""

    def __init__(self, model: type[Record]) -> None:
        self._plan = _plan(type(self).__module__, model)
        self.checks = tuple(one.check for one in self._plan.declared)
        self._found = {one.check: FindingCollector(one.check, one.verdict) for one in self._plan.declared}
        self._seen = Seen(model)
        self._values = dict.fromkeys((name for name, *_ in self._plan.values), 0)
        self._presence = Presence(self._plan.names)
        self._rows = 0

    def page(self, seen: SeenPage) -> None:
        """Pages are ignored."""

    def row(self, row: Row) -> None:
        """Checks one record."""
        self._rows += 1
        if row.spoiled:
            return
        plan, seen = self._plan, self._seen
        seen.begin(row)
        for one in plan.rows:
            self._say(one, one.look(row), None)
        record = row.record
        if record is None:
            return
        self._presence.records += 1
        if plan.misfits:
            self._judge_misfits(row, record)
        if plan.values:
            self._judge_values(row, record)
        for one in plan.records:  # after its values, which may be wrong themselves
            said = one.look(record, seen)
            if said is not None:
                for each in (said,) if isinstance(said, Odd | str) else said:
                    self._say(one, each, None)
        if plan.lists:
            self._presence.see(record)

    def passes(self, rows: Rows) -> bool:
        """Counts several records at once where no check reports anything; see `rows.tell`."""
        plan, flagged = self._plan, rows.flagged
        if not rows.are_sound or flagged is None:
            return False
        if plan.misfits and not all_fit(plan.model, rows, plan.known_nulls):
            return False
        counts = self._sound_values(rows, flagged)
        if counts is None or not self._are_sound(rows):
            return False
        for name, count in counts.items():
            self._values[name] += count
        self._rows += len(rows)
        self._presence.records += len(rows)
        if plan.lists:
            self._presence.see_all(rows)
        for name in plan.known_nulls:
            if type(None) in rows.column(name).types:
                self._see_nulls(rows, name)
        return True

    def _see_nulls(self, rows: Rows, name: str) -> None:
        """Counts nulls that the contract does not have and running services do: too frequent to look at each record."""
        values = rows.column(name).values
        one, odd = self._plan.known_nulls[name]
        if not self._found[one.check].again(odd.rule, name, values.count(None)):
            for row, value in zip(rows.rows, values, strict=True):
                if value is None:
                    self._seen.begin(row)
                    self._say(one, odd, None, field=name)

    def _sound_values(self, rows: Rows, flagged: frozenset[str]) -> dict[str, int] | None:
        """How many values of each field there are; None where a check may report one of them."""
        counts: dict[str, int] = {}
        for name, field, kinds, read, looks in self._plan.values:
            column = rows.column(name)
            values = column.filled
            if not all(issubclass(one, kinds) for one in column.types):
                values = [one for one in values if isinstance(one, kinds)]
            if not values or name in flagged:
                continue
            if read is not None and self._values[name] < LEARNED:
                return None  # the raw paths are learned from the first values
            for one in looks:
                if not (
                    one.sound(values, field) if one.sound is not None else self._each(one, rows, field, kinds)
                ):
                    return None
            counts[name] = len(values)
        return counts

    def _each(
        self, one: Declared, rows: Rows, field: Field | None = None, types: tuple[type, ...] = ()
    ) -> bool:
        """Whether a check without `Declared.sound` has nothing to report of any of these; it changes nothing."""
        seen = self._seen
        for row, record in zip(rows.rows, rows.records, strict=True):
            seen.begin(row)
            if field is not None:
                seen.field = field
                value = record.get(field.name)
                said = one.look(value, seen) if isinstance(value, types) else None
            else:
                said = one.look(record, seen)
            if said is not None and (isinstance(said, Odd | str) or any(True for _ in said)):
                return False
        return True

    def _are_sound(self, rows: Rows) -> bool:
        """Whether the checks of rows and records have nothing to report."""
        seen = self._seen
        for one in self._plan.rows:
            if any(one.look(row) is not None for row in rows.rows):
                return False
        return all(
            one.sound(rows, seen) if one.sound is not None else self._each(one, rows)
            for one in self._plan.records
        )

    def end(self, walked: Walked) -> list[Result]:
        """Returns the results."""
        return self.results(walked.key)

    def results(self, key: str) -> list[Result]:
        """One for each of the checks, for the records seen so far."""
        return [self._result(one, key) for one in self._plan.declared]

    def _result(self, one: Declared, key: str) -> Result:
        found, records = self._found[one.check], self._presence.records
        if one.told == "list":
            if not records:
                return skipped(one.check, key, _NO_RECORD)
            return Result(one.check, key, Verdict.OBSERVED, one.look(self._presence), records)
        if one.check in self._plan.lacking and not found:
            return skipped(one.check, key, self._plan.lacking[one.check])
        if one.told == "value":
            for name, *_, looks in self._plan.values:
                if one in looks:
                    found.looked[name] = self._values[name]
            found.measured = found.looked.total()
            return found.result(key, empty=_NO_RECORD if not records else "no value came")
        found.measured = self._rows if one.told == "row" else records
        return found.result(key, empty=_NO_RECORD)

    def _judge_misfits(self, row: Row, record: Mapping[str, Any]) -> None:
        for misfit in misfits_of(self._plan.model, row.raw, record):
            for one in self._plan.misfits:
                said = one.look(misfit)
                if said is not None:
                    self._say(one, said, misfit.value, field=misfit.field)
                    break

    def _judge_values(self, row: Row, record: Mapping[str, Any]) -> None:
        seen, flagged, counts = self._seen, row.flagged, self._values
        for name, field, kinds, read, looks in self._plan.values:
            value = record.get(name)
            if value is None or (flagged and name in flagged) or not isinstance(value, kinds):
                continue
            counts[name] += 1
            seen.field = field
            if read is not None and counts[name] <= LEARNED and value != "":
                seen.learn(value, read)
            for one in looks:
                said = one.look(value, seen)
                if said is not None:
                    self._say(one, said, value, field=name)
                    break

    def _say(self, one: Declared, said: Said, value: Any, field: str = "") -> None:
        if said is None:
            return
        odd = Odd(one.check.id.rpartition(".")[2], said) if isinstance(said, str) else said
        verdict, rule, sentence, rare = odd.verdict or one.verdict, odd.rule, odd.sentence, odd.rare
        shown_ = value if odd.value is None else odd.value
        if one.pardons and verdict is Verdict.SUSPECT and self._seen.in_raw(value):
            verdict, rare = Verdict.OBSERVED, False
            rule, sentence = (
                f"{rule}, as in {self._seen.raw_name}",
                f"{sentence}, as {self._seen.raw_name} has it",
            )
        place = odd.field or field
        row = self._seen.row
        found = self._found[one.check]
        found.add(rule, place, sentence, row.example(shown_), verdict=verdict, rare=rare)
        # The other checks, too, judge forms that most values have.
        looked = self._values.get(place, self._presence.records)
        if (
            place
            and verdict is not Verdict.OBSERVED
            and not (rare and found.count(rule, place) * 2 >= looked)
        ):
            row.flagged.add(place.partition("[")[0].partition(".")[0])


_NULL = type(None)


def all_fit(model: type[BaseModel], rows: Rows, nulls: Container[str] = ()) -> bool:
    """Whether all records certainly fit, null in the fields ``nulls`` allowed. The records have to be sound."""
    fields = _decided(model)
    return fields is not None and all(
        _takes(one, rows.column(name), null=name in nulls) for name, one in fields.items()
    )


def _takes(accepted: Accepted, column: Column, *, null: bool = False) -> bool:
    """Whether all values of a column are accepted; ``null``: as if null were."""
    if not column.types <= accepted.types and not (null and column.types <= accepted.types | {_NULL}):
        return False
    if accepted.choices is not None and not accepted.choices.issuperset(column.filled):
        return False
    if accepted.item is not None:
        return _takes(accepted.item, Column([one for items in column.filled for one in items]))
    return all(
        _takes(one, Column([value.get(name, ABSENT) for value in column.filled]))
        for name, one in accepted.fields.items()
    )


@cache
def _decided(model: type[BaseModel]) -> Mapping[str, Accepted] | None:
    """What the fields of a model accept; None where only pydantic can decide."""
    try:
        return accepted_by(model)
    except Undecidable:
        return None
