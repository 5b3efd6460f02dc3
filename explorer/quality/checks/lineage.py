"""Mapping checks: from which raw data each unified field is made, whether that holds in every record, and what is lost.

How each field is made is learned from the first records and then compared with every record as it arrives, so that
memory does not grow. Where raw data is found, within arrays too, is taken from the record's declaration.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from explorer.catalog.fields import Field, fields_of
from explorer.catalog.spec import Resource, raw_field
from explorer.quality.engine.check import Check, Example, Finding, Result, Verdict
from explorer.quality.engine.finding_collector import PLACES, and_more, distinct, skipped
from explorer.quality.engine.mapping_result import FieldSource, MappingResult, RawPath
from explorer.quality.engine.record_check import RecordCheck, Walked
from explorer.quality.engine.row import Row
from explorer.quality.engine.rows import Rows
from explorer.quality.mapping import raw_ownership
from explorer.quality.mapping.choice_fields import ChoiceFields
from explorer.quality.mapping.columns import Columns
from explorer.quality.mapping.container_types import ContainerTypes
from explorer.quality.mapping.decision_tables import DecisionTables
from explorer.quality.mapping.deleted_records import DeletedRecords
from explorer.quality.mapping.example_sources import ExampleSources
from explorer.quality.mapping.fallback_sources import fallback_sources
from explorer.quality.mapping.field_state import EXAMPLES, SAMPLE, FieldState, Group, places_of
from explorer.quality.mapping.field_tracker import FieldTracker
from explorer.quality.mapping.flag_words import flags_against_words
from explorer.quality.mapping.foreign_tenants import foreign_tenants
from explorer.quality.mapping.inconsistent_results import inconsistent_results
from explorer.quality.mapping.item_rows import item_findings
from explorer.quality.mapping.judge import (
    FEWEST_JUDGED,
    MappingFinding,
    mapping_findings,
    note_of,
    words_of,
)
from explorer.quality.mapping.lossy_lists import lossy_lists
from explorer.quality.mapping.marked_items import MarkedItemFields, left_kinds
from explorer.quality.mapping.media_types import media_type_findings
from explorer.quality.mapping.mixed_sources import mixed_sources
from explorer.quality.mapping.name_match import is_id
from explorer.quality.mapping.nested import Nested
from explorer.quality.mapping.origin import is_empty
from explorer.quality.mapping.parent_child import unlike_children
from explorer.quality.mapping.placeholders import is_within_a_call
from explorer.quality.mapping.record_batch import RecordBatch, Seen
from explorer.quality.mapping.sample import OFTEN
from explorer.quality.mapping.time_zones import misread, moved
from explorer.quality.mapping.trace import spoken
from explorer.quality.values.flat import leaves

__all__ = ["SAMPLE", "Lineage"]

OWN = Check(
    "mapping.raw-own", "mapping", "Raw data is the record's own, as the third party gave it", "record"
)
KEPT = Check("mapping.kept", "mapping", "A field has a value where its source has one", "record")
SAME = Check("mapping.one-source", "mapping", "A field comes from the same source in every record", "record")
LOSSLESS = Check("mapping.nothing-lost", "mapping", "A field keeps what its source holds", "record")
ALIKE = Check("mapping.made-alike", "mapping", "A field is made in the same way in every record", "record")
COVERAGE = Check("mapping.coverage", "mapping", "Fields whose source in raw data is known", "record")
_CHECKS = {"kept": KEPT, "same": SAME, "lossless": LOSSLESS, "alike": ALIKE}

PATHS_OF, PATHS_AFTER = 2_000, 10
"""The fill of raw paths is counted over the first 2,000 records, and over each tenth record after them."""
_MOST_PATHS = 2_000
_Rule = Callable[[Collection[str]], Iterable[MappingFinding]]


def _known_words(fields: Sequence[Field]) -> dict[str, tuple[str, ...]]:
    """The words that each field is known to have; none where nothing is known."""
    return {one.name: one.choices or (one.observed.choices if one.observed else ()) for one in fields}


class Lineage(RecordCheck):
    """Watches the records of one list, or of a batch read."""

    checks = (OWN, KEPT, SAME, LOSSLESS, ALIKE, COVERAGE)

    def __init__(self, resource: Resource) -> None:
        record = resource.record
        self._key, self._raw = resource.key, resource.raw_name
        self._is_beside = not raw_field(record)
        """Whether raw data stands in the envelope of a page."""
        self._fields = [name for name in (record.model_fields if record else {}) if name != self._raw]
        self._held = FieldTracker(self._raw)
        declared = fields_of(record) if record else ()
        self._inner = {one.name: _known_words(fields_of(one.model)) for one in declared if one.model}
        self._nested = Nested(self._raw, self._inner)
        self._words = _known_words(declared)
        self._choices = ChoiceFields(self._raw, self._words)
        self._columns = Columns(self._raw, self._fields)
        self._decided = DecisionTables(self._raw, _known_words(declared))
        self._gone = DeletedRecords(self._raw, self._fields)
        self._nesting = ContainerTypes(resource, _known_words(declared))
        self._seen = raw_ownership.RawSeen()
        self._shapes = raw_ownership.RawShapes()
        self._first: list[Example] = []
        """Places of the records from which the mapping is learned."""
        self._count = 0
        self._paths: Counter[str] = Counter()
        self._spread = 0
        self._ended = False
        self._beside = ExampleSources()
        self._about: dict[tuple[str, str, str], str] = {}
        """By check, rule and field, the pointer of findings about another raw value than their field's source."""

    def row(self, row: Row) -> None:
        row = self._joined(row)
        record = row.record
        if record is None or row.spoiled or not isinstance(record.get(self._raw), dict):
            return
        if self._count < SAMPLE:
            self._first.append(row.example(row.id))
        self._count_paths((record[self._raw],))
        self._seen.look(record, self._raw, row)
        self._shapes.look_all((record[self._raw],), (row.example,))
        self._nested.look(record, frozenset(row.flagged), row.example)
        self._look(record, frozenset(row.flagged), row.example)
        row.flagged |= self._held.look(record, frozenset(row.flagged), row.example)
        self._beside.keep(row, record[self._raw])

    def passes(self, rows: Rows) -> bool:
        """Handles several records at once, each compared with the mapping known by now."""
        flagged = rows.flagged
        if self._is_beside and rows.are_sound:
            rows = Rows([self._joined(row) for row in rows.rows])
        if not rows.are_sound or flagged is None or rows.column(self._raw).types != {dict}:
            return False
        many = RecordBatch.of(rows, self._raw)
        if not self._held.passes(many, flagged):
            return False
        if not self._seen.passes(many.raws):
            for row in rows.rows:
                self._seen.look(row.value, self._raw, row)
        self._shapes.look_all(many.raws, many.seen)
        self._count_paths(many.raws)
        self._nested.look_all(many, flagged)
        if not flagged:
            self._columns.look_all(many)
            self._choices.look_all(many)
            self._gone.look_all(many)
            if self._nesting:
                self._nesting.look_all(many)
            for row in () if self._decided.is_full else rows.rows:
                self._decided.look(row.value, row.example)
        else:
            for record, seen in many:
                self._look(record, flagged, seen)
        for row in rows.rows:
            self._beside.keep(row, row.value[self._raw])
        return True

    def _look(self, record: Mapping[str, Any], flagged: frozenset[str], seen: Seen) -> None:
        """Looks at the fields of a record of which no other check has said something."""
        if flagged:
            record = {name: value for name, value in record.items() if name not in flagged}
        self._columns.look(record, seen)
        self._choices.look(record, seen)
        self._decided.look(record, seen)
        self._gone.look(record, seen)
        self._nesting.look(record, seen)

    def _joined(self, row: Row) -> Row:
        """The row with its raw data as a field of the record; what is noted on it is noted on both."""
        if row.beside is None or row.record is None or not self._is_beside:
            return row
        return replace(row, value={**row.record, self._raw: row.beside})

    def _count_paths(self, raws: Sequence[Any]) -> None:
        """Counts some records, and for a sample of them the raw paths that hold something."""
        for count, raw in enumerate(raws, self._count + 1):
            if count <= PATHS_OF or count % PATHS_AFTER == 0:
                self._fill(raw)
        self._count += len(raws)

    def end(self, walked: Walked) -> list[Result]:
        return self.results(walked.key)

    def results(self, key: str) -> list[Result]:
        """One result for each check, for the records seen so far."""
        if not self._raw:
            return [skipped(check, key, "no raw data is declared for it") for check in self.checks]
        if not self._count:
            return [skipped(check, key, f"no record has {self._raw}") for check in self.checks]
        self._end()
        made: dict[str, list[MappingFinding]] = {kind: [] for kind in _CHECKS}
        whole = self._whole()
        few = "" if self._count >= FEWEST_JUDGED else f"too few records: {self._count}"
        if not few and whole is None:
            known: set[tuple[str, str]] = set()
            for one in self._all_findings():
                is_new = (one.kind, one.field) not in known or "[" not in one.field
                if is_new and _outer(one.field) in self._fields:  # others are the third party's own
                    made[one.kind].append(self._with_all(one))
                known.add((one.kind, one.field))
        why = few or (f"{whole.sentence}" if whole else "")
        results = [skipped(OWN, key, few) if few else self._own(key, whole)]
        for kind, check in _CHECKS.items():
            results.append(skipped(check, key, why) if why else self._result(check, key, made[kind]))
        return [*results, self._coverage(key)]

    def _all_findings(self) -> list[MappingFinding]:
        """All findings on fields. What an earlier rule has reported of a field, a later one leaves to it."""
        held, raw = self._held, self._raw
        said = [*mapping_findings(held), *self._moved()]
        kinds = list(left_kinds(self._decided.rows, raw, held.states))
        said = [one for one in said if one.field not in {its.field for its in kinds}] + kinds
        sure = {one.field for one in said if one.kind != "kept"}
        columns = list(self._columns.findings(held.states, sure))
        # A loss is only reported where the source is the right one.
        wrong = {one.field for one in columns}
        said = [one for one in said if one.field not in wrong] + columns
        for rule in self._rules():
            settled = {one.field for one in said}
            said += [one for one in rule(settled) if one.field not in settled]
        states = self._nested.states(held.inner)
        unlike = unlike_children(self._decided.rows, raw, {one.field for one in said})
        said += [*self._nested.findings(held.inner), *unlike]
        return [
            *said,
            *item_findings(self._decided.rows, raw, states, self._inner, {one.field for one in said}),
        ]

    def _rules(self) -> tuple[_Rule, ...]:
        """The rules that compare records with each other, in their order; each receives the fields reported by then."""
        held, raw, states = self._held, self._raw, self._held.states
        rows, laid = self._decided.rows, self._decided.laid
        return (
            lambda _: self._choices.findings(),
            lambda _: self._nesting.findings(),
            lambda _: MarkedItemFields(rows, raw).findings(states),
            lambda _: self._gone.findings(),
            lambda settled: foreign_tenants(rows, laid, raw, settled),
            self._against_tables,
            lambda settled: media_type_findings(rows, raw, settled) if "mime_type" in self._fields else (),
            lambda _: (*moved(held), *misread(held)),
            lambda settled: fallback_sources(rows, laid, raw, states, settled),
            lambda settled: flags_against_words(rows, laid, raw, self._words, settled),
            lambda settled: lossy_lists(rows, raw, settled),
            lambda settled: mixed_sources(rows, laid, raw, settled),
            lambda settled: inconsistent_results(rows, laid, raw, settled),
        )

    def _against_tables(self, settled: Collection[str]) -> Iterable[MappingFinding]:
        """What is against the rule elsewhere, but for records whose raw data is another's and is reported as that."""
        others = {at.row for group in self._held.others.values() for at in group.examples}
        found = self._decided.findings(self._held.states, settled)
        return (one for one in found if not {at.row for at in one.examples} <= others)

    def _with_all(self, one: MappingFinding) -> MappingFinding:
        """A finding on each value of a field with all records that have one, as far as they are known."""
        state = self._held.states.get(one.field)
        if state is None or one.count < state.filled or len(one.examples) >= min(one.count, PLACES):
            return one
        rows = self._decided.rows
        filled = [at for at, (record, _) in enumerate(rows) if not is_empty(record.get(one.field))]
        return replace(one, examples=places_of(filled, rows, one.field))

    def with_sources(self, results: Iterable[Result]) -> list[Result]:
        """Results on its list with what stands in raw data beside the values that they show; see `Example.source`."""
        return [self._beside.filled(one, self._held, self._about) for one in results]

    def mapping(self) -> MappingResult:
        """The mapping as known so far."""
        self._end()
        by_name = {name: (state, held) for name, state, held in self._held.all_states()}
        names = [name for name in self._fields if name in by_name or "[" not in name]
        names += [name for name in by_name if name not in names and ("." in name or "[]" in name)]
        none = FieldState(""), self._held
        sources = tuple(_source(name, *by_name.get(name, none)) for name in names)
        return MappingResult(self._key, self._count, sources, self._unused(sources))

    def _end(self) -> None:
        if not self._ended:
            self._ended = True
            self._held.ended()
            self._nested.ended()

    def _own(self, key: str, whole: raw_ownership.RawFault | None) -> Result:
        findings = [(whole.rule, whole.sentence, whole.group)] if whole else []
        empty = self._seen.empty
        if empty.count and not whole:
            findings.append(
                ("empty", f"{self._raw} is empty in {empty.count:,} of {self._count:,} records", empty)
            )
        if not whole:
            findings += self._misshapen()
            for held in _all_held(self._held):
                for whose, group in held.others.items():
                    if whose == "empty" and held is self._held:
                        continue
                    what = f"{held.where} is {whose} in {group.count:,} of {held.count:,} records"
                    findings.append((whose, what, group))
        made = [_finding(rule, self._raw, said, g.count, g.examples) for rule, said, g in findings]
        return _of(OWN, key, made, self._count)

    def _misshapen(self) -> Iterable[tuple[str, str, Group]]:
        """Raw data of another shape than most: rule, sentence and records, each record once."""
        deeper = raw_ownership.deeper(self._held.states.values())
        if deeper is not None:
            wrapper, group = deeper
            words = f"stands one level deeper, in {self._raw}{spoken(wrapper)},"
            yield "deeper", f"{self._raw} {words} in {group.count:,} of {self._count:,} records", group
        elif not self._held.others:
            for rule, words, group in self._shapes.odd():
                yield rule, f"{self._raw} {words} in {group.count:,} of {self._count:,} records", group

    def _moved(self) -> Iterable[MappingFinding]:
        """Fields that hold a neighbouring field's value in every record."""
        unknown = [n for n, state in self._held.states.items() if state.filled and not _is_known(state)]
        for name, whose in raw_ownership.moved_fields(self._held.learned_from, self._raw, unknown).items():
            count = self._held.states[name].filled
            what = f"{name} is the value of the record {whose} it in all {count:,} records"
            yield MappingFinding("alike", f"record {whose}", name, what, count, tuple(self._seen.first))
            unknown.remove(name)
        yield from self._borrowed(unknown)

    def _borrowed(self, unknown: list[str]) -> Iterable[MappingFinding]:
        """Fields without a source that hold a raw value of another record, or the time of the call."""
        some = self._held.learned_from
        for name, one in raw_ownership.borrowed_fields(some, self._raw, unknown).items():
            count = len(one.rows)
            examples = tuple(self._first[at] for at in one.rows if at < len(self._first))
            there = f"{self._raw}{spoken(one.path)}"
            what = f"{name} is what {there} is in other records in {count:,} of the first {len(some):,}"
            yield MappingFinding("alike", "other records", name, what, count, examples)
            unknown.remove(name)
        for name in unknown:
            values = [one[name] for one in some if one.get(name)]
            if len(values) >= 4 * FEWEST_JUDGED and not is_id(name) and is_within_a_call(values):
                count = self._held.states[name].filled
                what = f"{name} lies within a few minutes in all {count:,} records, as the moments of the calls do"
                first = tuple(self._held.states[name].first)
                yield MappingFinding("lossless", "moment of the call", name, what, count, first)

    def _whole(self) -> raw_ownership.RawFault | None:
        """What is wrong with the raw data of all records together; None when nothing is."""
        found = raw_ownership.of_all(self._seen, self._raw)
        if found is not None or self._seen.empty.count > 0.1 * self._count:
            return found
        known = [name for name, state in self._held.states.items() if _is_known(state)]
        told = raw_ownership.raw_of_others(self._held.learned_from, self._raw, known)
        if told is None:
            return None
        rule, words = told
        group = Group(self._count, list(self._seen.first))
        return raw_ownership.RawFault(rule, words, group)

    def _result(self, check: Check, key: str, found: Iterable[MappingFinding]) -> Result:
        found = list(found)
        self._about |= {(check.id, one.rule, one.field): one.path for one in found if one.path}
        made = [_finding(one.rule, one.field, one.sentence, one.count, one.examples) for one in found]
        return _of(check, key, made, self._count)

    def _coverage(self, key: str) -> Result:
        mapping = self.mapping()
        lost = [one.field for one in mapping.sources if one.filled and not one.paths and not one.is_inner]
        partly = [
            f"{one.field}: {one.note}"
            for one in mapping.sources
            if one.paths and one.note and one.explained < 0.9 * one.filled
        ]
        seen = f"{mapping.known} of {mapping.filled} fields" + (f"; not {', '.join(lost)}" if lost else "")
        if mapping.filled and mapping.known < 0.5 * mapping.filled:
            seen = f"only {seen}"
        seen += f"; of some not all: {'; '.join(partly[:6])}" if partly else ""
        return Result(COVERAGE, key, Verdict.OBSERVED, seen, self._count)

    def _unused(self, sources: Iterable[FieldSource]) -> tuple[RawPath, ...]:
        """Raw paths that hold something and from which no field is made, the fullest first."""
        used = {path.partition("/[")[0].partition("/*")[0] for one in sources for path in one.paths if path}
        made = [
            RawPath(path, count / self._spread)
            for path, count in self._paths.items()
            if not any(path == one or path.startswith(f"{one}/") for one in used)
        ]
        return tuple(sorted(made, key=lambda one: (-one.fill, one.path)))

    def _fill(self, raw: Mapping[str, Any]) -> None:
        self._spread += 1
        filled = [path for path, value in leaves(raw).items() if value is not None and value != ""]
        if len(self._paths) + len(filled) <= _MOST_PATHS:
            self._paths.update(filled)
            return
        for path in filled:
            if path in self._paths or len(self._paths) < _MOST_PATHS:
                self._paths[path] += 1


def _source(name: str, state: FieldState, held: FieldTracker) -> FieldSource:
    origin, found = state.origin, state.found
    if found is not None and not found.paths:
        found = None
    if origin is None and found is not None:
        explained = state.filled if found.by_value else round(found.support * state.filled)
        note = "" if explained == state.filled else f"{state.filled - explained:,} differ"
        words = f"{held.where}{spoken(found.paths[0])}"
        return FieldSource(name, held.whole(found.paths), found.how, state.filled, explained, words, note)
    if origin is None:
        return FieldSource(name, (), "", state.filled, 0, "", note_of(state))
    words = words_of(origin, held.where)
    if state.second is not None:
        words += f"; in some {words_of(state.second, held.where)}"
    how = found.how if found is not None else origin.transform.name
    return FieldSource(
        name, held.whole(origin.paths), how, state.filled, state.explained, words, note_of(state)
    )


def laid_once(results: list[Result]) -> list[Result]:
    """Results without mapping findings whose value another check reports as wrong already.

    Some checks know only at their end what is wrong (an id that occurs twice, a parent that does not exist).
    """
    places: dict[tuple[str, str], list[tuple[Check, Finding]]] = {}
    for result in results:
        if result.is_bad and result.check not in Lineage.checks:
            for one in result.findings:
                places.setdefault((result.resource, _outer(one.field)), []).append((result.check, one))
    return [_without(one, places) if one.is_bad and one.check in Lineage.checks else one for one in results]


def _without(result: Result, places: Mapping[tuple[str, str], list[tuple[Check, Finding]]]) -> Result:
    left = [
        one
        for one in result.findings
        if not any(_is_of(one, *other) for other in places.get((result.resource, _outer(one.field)), ()))
    ]
    if len(left) == len(result.findings):
        return result
    return _of(result.check, result.resource, left, result.measured)


def _outer(path: str) -> str:
    """The record's own field that contains a path: where something inside is wrong, the whole differs as well."""
    return path.partition("[")[0].partition(".")[0]


def _is_of(one: Finding, check: Check, other: Finding) -> bool:
    """Whether a finding is about records that another finding names; one about ids counts each id once."""
    rows = {(at.row, "") for at in other.examples} | {(None, at.id) for at in other.examples if at.id}
    same = any((at.row, "") in rows or (None, at.id) in rows for at in one.examples)
    return same and (check.measured == "id" or one.count <= 2 * max(other.count, len(other.examples)))


def _finding(rule: str, field: str, sentence: str, count: int, places: Sequence[Example]) -> Finding:
    """A finding with its first places as examples, and the records of all that are known."""
    ids = tuple(dict.fromkeys(one.id for one in places if one.id))
    calls = tuple(dict.fromkeys(one.exchange for one in places if one.id and one.exchange is not None))
    return Finding(rule, field, sentence, count, tuple(places[:EXAMPLES]), ids=ids, exchange=calls)


def _of(check: Check, key: str, made: list[Finding], measured: int) -> Result:
    if not made:
        return Result(check, key, Verdict.HOLDS, "", measured)
    made.sort(key=lambda one: -one.count)
    affected = min(measured, distinct(made))
    return Result(
        check, key, Verdict.SUSPECT, made[0].sentence + and_more(made), measured, affected, tuple(made)
    )


def _is_known(state: FieldState) -> bool:
    return (state.origin is not None and state.origin.support >= OFTEN) or (
        state.found is not None and bool(state.found.paths)
    )


def _all_held(held: FieldTracker) -> Iterable[FieldTracker]:
    yield held
    for inner in held.inner.values():
        yield from _all_held(inner)
