"""Records that fit their types and are most likely wrong all the same: dates, addresses, signs, lengths, texts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from explorer.catalog.fields import Field, fields_of
from explorer.catalog.spec import Record
from explorer.quality.engine.check import Check, Example, Result, Verdict
from explorer.quality.engine.finding_collector import FindingCollector, skipped
from explorer.quality.engine.record_check import SeenPage, Walked
from explorer.quality.engine.row import Row
from explorer.quality.values.moments import is_iso, seconds_of

DATES = Check("records.dates", "records", "Dates are ISO 8601", "value")
ORDER = Check("records.date-order", "records", "No record changed before it was created", "record")
EMPTY = Check(
    "records.empty-text", "records", "A field filled in nearly all records is not empty in a few", "record"
)
CLEAN = Check(
    "records.clean-text",
    "records",
    "Texts have no control characters or changes of writing direction",
    "record",
)
LENGTH = Check("records.length", "records", "Texts are not unreasonably long", "record")
EMAILS = Check("records.emails", "records", "E-mail addresses look valid", "value")
SIGNS = Check("records.signs", "records", "Sizes and counts are not negative", "value")
KNOWN = Check("records.known-values", "records", "Values are among those known so far", "value")

LONGEST = 10_000
LONGEST_OF = {"description": 50_000}
"""Signs of a text that people read; a description may be a document."""
_UNSEEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u202a-\u202e\u2066-\u2069]")
_EMAIL = re.compile(r"[^\s@<>]+@[^\s@<>]+\.[^\s@<>.]+")
_COUNTS = ("size", "number_of_employees")
_MADE, _CHANGED = ("created_at", "createdAt"), ("updated_at", "modified_at", "last_modified_at", "updatedAt")
_FEW, _ENOUGH = 0.1, 20


class Plausible:
    """Watches the declared top-level fields of one list, or of a batch read."""

    checks = (DATES, ORDER, EMPTY, CLEAN, LENGTH, EMAILS, SIGNS, KNOWN)

    def __init__(self, model: type[Record]) -> None:
        fields = [field for field in fields_of(model) if field.name != "raw_data"]
        self._fields = fields
        self._texts = [field.name for field in fields if field.kind in ("text", "id")]
        self._known = [f for f in fields if f.observed and f.observed.choices and not f.choices]
        self._tally = {check: FindingCollector(check, Verdict.SUSPECT) for check in self.checks}
        self._filled: dict[str, int] = {}
        self._count = 0
        self._empties: dict[str, list[Example]] = {}
        self._empty_counts: dict[str, int] = {}

    def page(self, seen: SeenPage) -> None:
        """Pages are no matter of the records."""

    def row(self, row: Row) -> None:
        record = row.record
        if record is None or row.spoiled:
            return
        self._count += 1
        for check in (ORDER, CLEAN, LENGTH):
            self._tally[check].look()
        for field in self._fields:
            value = record.get(field.name)
            if value is None or field.name in row.flagged:
                continue
            if field.kind == "date":
                self._date(row, field, value)
            elif isinstance(value, str):
                self._text(row, field, value)
            elif field.name in _COUNTS and isinstance(value, int | float):
                self._sign(row, field.name, value)
        self._order(row, record)

    def end(self, walked: Walked) -> list[Result]:
        return self.results(walked.key)

    def results(self, key: str) -> list[Result]:
        """One for each of the checks, for the records seen so far."""
        self._judge_empties()
        made = []
        names = {field.name for field in self._fields}
        for check in self.checks:
            if check is KNOWN and not self._known:
                made.append(skipped(KNOWN, key, "no field of this record has values that are known"))
            elif check is EMAILS and "email" not in names:
                made.append(skipped(EMAILS, key, "this record has no e-mail address"))
            elif check is SIGNS and not names & set(_COUNTS):
                made.append(skipped(SIGNS, key, "this record has no size or count"))
            else:
                made.append(self._tally[check].result(key, empty="no value came"))
        return made

    def _date(self, row: Row, field: Field, value: Any) -> None:
        self._tally[DATES].look()
        if not isinstance(value, str) or is_iso(value):
            return
        rule = "empty" if not value else "another form" if seconds_of(value) is not None else "no date"
        words = {"empty": "is empty text", "another form": "is written in another form than ISO 8601"}
        row.flagged.add(field.name)
        what = f"{field.name} {words.get(rule, 'is no date')}"
        # Only where the contract says so is it broken; elsewhere dates are whatever the third party gives.
        verdict = Verdict.FAILS if field.format else Verdict.SUSPECT
        self._tally[DATES].add(rule, field.name, what, row.example(value), verdict=verdict)

    def _text(self, row: Row, field: Field, value: str) -> None:
        name = field.name
        if not value and field.kind in ("text", "id") and name != "id":
            self._empty_counts[name] = self._empty_counts.get(name, 0) + 1
            if len(self._empties.setdefault(name, [])) < 5:
                self._empties[name].append(row.example(value))
            return
        self._filled[name] = self._filled.get(name, 0) + 1
        longest = LONGEST_OF.get(name, LONGEST)
        if len(value) > longest:
            what = f"{name} is longer than {longest:,} characters"
            self._found(LENGTH, row, name, "long", what, value[:60])
        elif _UNSEEN.search(value):
            what = f"{name} holds control characters or changes the writing direction"
            self._found(CLEAN, row, name, "unseen", what, value)
        if name in row.flagged:
            return
        if name == "email":
            self._tally[EMAILS].look()
            if not _EMAIL.fullmatch(value):
                self._found(EMAILS, row, name, "no address", "email is not an address", value)
        choices = field.observed.choices if field.observed and field in self._known else ()
        if choices:
            self._tally[KNOWN].look()
            if value not in choices:
                what = f"{name} has a value that was never seen before; known are {', '.join(choices)}"
                self._found(KNOWN, row, name, "new value", what, value)

    def _sign(self, row: Row, name: str, value: float) -> None:
        self._tally[SIGNS].look()
        if value < 0:
            self._found(SIGNS, row, name, "negative", f"{name} is negative", value)

    def _order(self, row: Row, record: Mapping[str, Any]) -> None:
        made = self._first(row, record, _MADE)
        changed = self._first(row, record, _CHANGED)
        if made is not None and changed is not None and changed[1] < made[1]:
            what = f"{changed[0]} is before {made[0]}"
            value = f"{record[made[0]]} and {record[changed[0]]}"
            self._found(ORDER, row, changed[0], "before", what, value)

    def _first(self, row: Row, record: Mapping[str, Any], names: tuple[str, ...]) -> tuple[str, float] | None:
        for name in names:
            moment = None if name in row.flagged else seconds_of(record.get(name))
            if moment is not None:
                return name, moment
        return None

    def _found(self, check: Check, row: Row, name: str, rule: str, what: str, value: Any) -> None:
        row.flagged.add(name)
        self._tally[check].add(rule, name, what, row.example(value))

    def _judge_empties(self) -> None:
        """An empty text is odd only where nearly all records have one; the field itself may be of little use."""
        tally = self._tally[EMPTY]
        for name in self._texts:
            filled, empty = self._filled.get(name, 0), self._empty_counts.get(name, 0)
            tally.measured = max(tally.measured, filled + empty)
            most = filled >= (1 - _FEW) * self._count
            if empty and most and filled >= _ENOUGH and empty < _FEW * filled:
                what = f"{name} is empty text in {empty:,} of {filled + empty:,} records"
                for example in self._empties[name]:
                    tally.add("empty", name, what, example)
                if empty > len(self._empties[name]):
                    tally.add("empty", name, what, Example(), count=empty - len(self._empties[name]))
