"""Records against the contract: each one by its strict model, by itself, so that a bad record spoils only itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from pydantic import BaseModel, ValidationError

from explorer.catalog.fields import Field, fields_of
from explorer.catalog.spec import Record
from explorer.quality.engine.check import Check, Result, Verdict
from explorer.quality.engine.finding_collector import FindingCollector, skipped
from explorer.quality.engine.record_check import SeenPage, Walked
from explorer.quality.engine.row import Row

OBJECTS = Check("records.objects", "records", "Every row is a record", "record")
REQUIRED = Check("records.required", "records", "Required fields are there", "record")
NULLS = Check("records.nulls", "records", "Null appears only where the contract allows it", "record")
TYPES = Check("records.types", "records", "Values have the type of their field", "record")
ENUMS = Check("records.enums", "records", "Values are in their enumeration", "record")
PREFIXES = Check("records.prefixes", "records", "Ids begin as the contract says", "record")
UNDECLARED = Check("records.undeclared", "records", "All fields are in the contract", "record")
IDS = Check("records.ids", "records", "Every record has an id that is not empty", "record")
RAW = Check("records.raw-data", "records", "Every record has raw_data, as an object", "record")
UNSEEN = Check("records.unseen", "records", "Declared fields that were never returned", "record")
ABSENT = Check(
    "records.null-or-absent", "records", "Fields that are null in some records and absent in others", "record"
)

_WORDS = {
    "string_type": "text",
    "bool_type": "true or false",
    "list_type": "an array",
    "dict_type": "an object",
    "model_type": "an object",
    "model_attributes_type": "an object",
    "int_type": "a number",
    "float_type": "a number",
    "int_from_float": "a number",
    "finite_number": "a number",
}


@dataclass(frozen=True, slots=True)
class Fault:
    """One value of a record that breaks its model."""

    check: Check
    field: str
    """As ``departments[].child_ids``."""
    rule: str
    sentence: str
    value: Any


class Records:
    """Watches the records of one list, or of a batch read."""

    checks = (OBJECTS, REQUIRED, NULLS, TYPES, ENUMS, PREFIXES, UNDECLARED, IDS, RAW, UNSEEN, ABSENT)

    def __init__(self, model: type[Record]) -> None:
        self._model = model
        self._fields = {field.name: field for field in fields_of(model)}
        self._tally = {check: FindingCollector(check) for check in self.checks}
        self._nulls: dict[str, int] = dict.fromkeys(self._fields, 0)
        self._there: dict[str, int] = dict.fromkeys(self._fields, 0)
        self._count = 0

    def page(self, seen: SeenPage) -> None:
        """Pages are no matter of the records."""

    def row(self, row: Row) -> None:
        self._tally[OBJECTS].look()
        if row.unreadable or row.spoiled:
            return
        record = row.record
        if record is None:
            kind = _kind(row.value)
            what = f"{kind.capitalize()} in place of a record"
            self._tally[OBJECTS].add(kind, "", what, row.example(row.value))
            return
        self._count += 1
        for check in (REQUIRED, NULLS, TYPES, ENUMS, PREFIXES, UNDECLARED, IDS):
            self._tally[check].look()
        for fault in faults_of(self._model, row.raw, record):
            row.flagged.add(fault.field.partition("[")[0].partition(".")[0])
            self._tally[fault.check].add(fault.rule, fault.field, fault.sentence, row.example(fault.value))
        for path, value in undeclared(self._model, record):
            what = f"{path or 'A field without a name'} is not a field of the contract"
            self._tally[UNDECLARED].add("undeclared", path, what, row.example(value), verdict=Verdict.SUSPECT)
        self._presence(row, record)

    def end(self, walked: Walked) -> list[Result]:
        return self.results(walked.key)

    def results(self, key: str) -> list[Result]:
        """One for each of the checks, for the records seen so far."""
        made = []
        for check in (OBJECTS, REQUIRED, NULLS, TYPES, ENUMS, PREFIXES, UNDECLARED, IDS, RAW):
            if check is PREFIXES and not any(field.prefix for field in self._fields.values()):
                made.append(skipped(PREFIXES, key, "no field of this record has a prefix"))
            elif check is ENUMS and not any(field.choices for field in self._fields.values()):
                made.append(skipped(ENUMS, key, "no field of this record has an enumeration"))
            elif check is REQUIRED and not any(field.required for field in self._fields.values()):
                made.append(skipped(REQUIRED, key, "the contract requires no field of this record"))
            else:
                made.append(self._tally[check].result(key, empty="no record came"))
        return [*made, self._unseen(key), self._absent(key)]

    def _presence(self, row: Row, record: Mapping[str, Any]) -> None:
        for name in self._fields:
            if name in record:
                self._there[name] += 1
                self._nulls[name] += record[name] is None
        ident = record.get("id")
        nothing = ident is None or (isinstance(ident, str) and not ident.strip())
        if "id" in self._fields and "id" not in row.flagged and nothing:
            how = "absent" if "id" not in record else "null" if ident is None else "empty"
            how = "nothing but spaces" if ident else how
            row.flagged.add("id")
            self._tally[IDS].add(how, "id", f"id is {how}", row.example(record.get("id")))
        if "raw_data" in self._fields:
            self._tally[RAW].look()
            raw = record.get("raw_data")
            if "raw_data" not in row.flagged and not isinstance(raw, dict):
                how = "absent" if "raw_data" not in record else _kind(raw)
                what = f"raw_data is {how}, and not the third party's own record"
                row.flagged.add("raw_data")
                self._tally[RAW].add(how, "raw_data", what, row.example(raw), verdict=Verdict.SUSPECT)

    def _unseen(self, key: str) -> Result:
        if not self._count:
            return skipped(UNSEEN, key, "no record came")
        never = [name for name, count in self._there.items() if not count]
        seen = f"never returned: {', '.join(never)}" if never else "every declared field was returned"
        return Result(UNSEEN, key, Verdict.OBSERVED, seen, self._count)

    def _absent(self, key: str) -> Result:
        if not self._count:
            return skipped(ABSENT, key, "no record came")
        both = [
            f"{name} (null in {self._nulls[name]:,}, absent in {self._count - there:,})"
            for name, there in self._there.items()
            if self._nulls[name] and there < self._count
        ]
        return Result(ABSENT, key, Verdict.OBSERVED, ", ".join(both) or "none", self._count)


def faults_of(model: type[BaseModel], raw: bytes, record: Mapping[str, Any]) -> Iterator[Fault]:
    """What in the JSON text of a record breaks its model; nothing when it fits. ``record`` is the same text, read."""
    try:
        model.model_validate_json(raw)
        return
    except ValidationError as error:
        errors = error.errors(include_url=False, include_context=True)
    seen: set[str] = set()
    for one in errors:
        field, value = _located(one["loc"], record)
        # A value that fits none of two types is one fault.
        where = f"{field}={id(value)}"
        if where not in seen:
            seen.add(where)
            yield _fault(one, field, value)


def undeclared(
    model: type[BaseModel], record: Mapping[str, Any], before: str = ""
) -> Iterator[tuple[str, Any]]:
    """Each field of a record, inner records included, that its model does not have."""
    fields = _by_name(model)
    for name, value in record.items():
        field = fields.get(name)
        if field is None:
            yield f"{before}{name}", value
        elif field.model is not None:
            yield from _inside(field, value, f"{before}{name}")


@cache
def _by_name(model: type[BaseModel]) -> dict[str, Field]:
    return {field.name: field for field in fields_of(model)}


def _inside(field: Field, value: Any, path: str) -> Iterator[tuple[str, Any]]:
    model = field.model
    if model is None:
        return
    if isinstance(value, dict):
        yield from undeclared(model, value, f"{path}.")
    elif isinstance(value, list):
        for entry in value:
            if isinstance(entry, dict):
                yield from undeclared(model, entry, f"{path}[].")


def _located(steps: tuple[int | str, ...], record: Mapping[str, Any]) -> tuple[str, Any]:
    """The field and the value that an error's location leads to; names of types at its end lead nowhere."""
    field, here = "", record
    for step in steps:
        if isinstance(step, int) and isinstance(here, list):
            field, here = f"{field}[]", here[step]
        elif isinstance(step, str) and isinstance(here, dict):
            field = f"{field}.{step}" if field else step
            here = here.get(step)  # type: ignore[assignment]
        else:
            break
    return field, here


def _fault(error: Any, field: str, value: Any) -> Fault:
    kind = error["type"]
    if kind == "missing":
        return Fault(REQUIRED, field, "absent", f"{field} is absent, though required", None)
    if value is None:
        return Fault(NULLS, field, "null", f"{field} is null, {_WORDS.get(kind, 'a value')} expected", None)
    if kind in ("literal_error", "enum"):
        return Fault(ENUMS, field, "outside", f"{field} is not in its enumeration", value)
    if kind == "prefix":
        what = f"{field} does not begin with {error.get('ctx', {}).get('prefix', 'its prefix')}"
        return Fault(PREFIXES, field, "prefix", what, value)
    found = _kind(value)
    return Fault(
        TYPES, field, found, f"{field} is {found}, {_WORDS.get(kind, 'another type')} expected", value
    )


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    names = {bool: "true or false", str: "text", dict: "an object", list: "an array"}
    return names.get(type(value), "a number")
