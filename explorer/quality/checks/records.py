"""Records against the contract: each is validated by its own strict model, so that a bad record affects only itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache
from typing import Any

from pydantic import BaseModel

from explorer.catalog.fields import Field, fields_of
from explorer.catalog.misfits import Misfit, misfits_of
from explorer.quality.engine.check import Check, Harm, Verdict
from explorer.quality.engine.record_check import (
    Odd,
    Seen,
    declared_in,
    list_check,
    misfit_check,
    record_check,
    row_check,
)
from explorer.quality.engine.record_watcher import Presence, RecordChecks
from explorer.quality.engine.row import Row

_LONG_NAME = 5
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


@row_check("records.objects", "Every row is a record", harm=Harm.LOSS)
def objects(row: Row) -> Odd | None:
    if isinstance(row.value, dict):
        return None
    kind = _kind(row.value)
    return Odd(kind, f"A row is {kind}, where the contract has a record", value=row.value)


@misfit_check(
    "records.required",
    "Required fields are there",
    needs=lambda field: field.required,
    none="the contract requires no field of this record",
    harm=Harm.LOSS,
)
def required(misfit: Misfit) -> Odd | None:
    if misfit.kind != "missing":
        return None
    return Odd("absent", f"{misfit.field} is absent, where the contract requires it")


@misfit_check("records.nulls", "Null appears only where the contract allows it")
def nulls(misfit: Misfit) -> Odd | None:
    if misfit.value is not None:
        return None
    what = f"{misfit.field} is null, where the contract has {_expected(misfit)}"
    if misfit.is_known_null:
        return Odd("known null", f"{what}; running services do so", verdict=Verdict.OBSERVED)
    return Odd("null", what)


@misfit_check(
    "records.enums",
    "Values are in their enumeration",
    needs=lambda field: bool(field.choices),
    none="no field of this record has an enumeration",
)
def enums(misfit: Misfit) -> Odd | None:
    if misfit.kind not in ("literal_error", "enum"):
        return None
    choices = misfit.declared.choices if misfit.declared is not None else ()
    among = f": {', '.join(choices)}" if choices else ""
    return Odd("outside", f"{misfit.field} is none of the values that the contract has{among}")


@misfit_check(
    "records.prefixes",
    "Ids begin as the contract says",
    needs=lambda field: bool(field.prefix),
    none="no field of this record has a prefix",
)
def prefixes(misfit: Misfit) -> Odd | None:
    if misfit.kind != "prefix":
        return None
    return Odd("prefix", f"{misfit.field} does not begin with {misfit.context.get('prefix', 'its prefix')}")


@misfit_check("records.types", "Values have the type of their field")
def types(misfit: Misfit) -> Odd:
    found = _kind(misfit.value)
    return Odd(found, f"{misfit.field} is {found}, where the contract has {_expected(misfit)}")


@record_check(
    "records.undeclared",
    "All fields are in the contract",
    sound=lambda rows, seen: not _has_more(seen.model, rows.records, rows.names),
)
def undeclared_fields(record: Mapping[str, Any], seen: Seen) -> Iterator[Odd] | None:
    # Most records have no more fields than their model; that is found out before anything is built.
    return _undeclared(record, seen) if _has_more(seen.model, (record,)) else None


def _undeclared(record: Mapping[str, Any], seen: Seen) -> Iterator[Odd]:
    names = {_folded(name): name for name in _by_name(seen.model) if name not in record}
    for path, value in undeclared(seen.model, record):
        meant = names.get(_folded(path)) or _misspelt(_folded(path), names)
        if meant is not None and value is not None:
            seen.row.flagged.add(meant)
            what = f"{path} is not in the contract, which has {meant} (absent here)"
            yield Odd("another spelling", what, path, value)
        else:
            what = f"{path or 'A field without a name'} is not in the contract"
            yield Odd("undeclared", what, path, value, Verdict.OBSERVED)


def _misspelt(path: str, names: Mapping[str, str]) -> str | None:
    """The declared field whose name differs from a path by one letter missing, added or changed, or two swapped."""
    near = (name for folded, name in names.items() if len(folded) >= _LONG_NAME and _is_near(path, folded))
    return next(near, None)


def _is_near(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    if len(long) - len(short) > 1 or one == other:
        return False
    start = next((at for at, sign in enumerate(short) if sign != long[at]), len(short))
    if len(short) < len(long):
        return short[start:] == long[start + 1 :] and not long.endswith("s")  # a plural is another name
    return one[start + 1 :] == other[start + 1 :] or (
        one[start : start + 2] == other[start : start + 2][::-1] and one[start + 2 :] == other[start + 2 :]
    )


@record_check(
    "records.ids",
    "Every record has an id that is not empty",
    needs="id",
    none="this record has no id",
    harm=Harm.LOSS,
    sound=lambda rows, seen: (
        rows.column("id").types == {str} and all(map(str.strip, rows.column("id").values))
    ),
)
def ids(record: Mapping[str, Any], seen: Seen) -> Odd | None:
    ident = record.get("id")
    if (ident is not None and not (isinstance(ident, str) and not ident.strip())) or "id" in seen.row.flagged:
        return None
    how = "absent" if "id" not in record else "null" if ident is None else "empty"
    how = "nothing but spaces" if ident else how
    return Odd(how, f"id is {how}: nothing can name this record", "id", ident)


@record_check(
    "records.raw-data",
    "Every record has its raw data, as an object",
    needs=lambda field: field.is_raw,
    none="no raw data is declared for it",
    sound=lambda rows, seen: rows.column(seen.raw_name).types == {dict},
)
def raw_data(record: Mapping[str, Any], seen: Seen) -> Odd | None:
    name = seen.raw_name
    raw = record.get(name)
    if isinstance(raw, dict) or name in seen.row.flagged:
        return None
    how = "absent" if name not in record else _kind(raw)
    what = f"{name} is {how}, where the third party's own record was expected"
    return Odd(how, what, name, raw, rare=True)


@list_check("records.unseen", "Declared fields that were never returned")
def unseen(presence: Presence) -> str:
    never = [name for name, count in presence.there.items() if not count]
    return f"never returned: {', '.join(never)}" if never else "every declared field was returned"


@list_check("records.null-or-absent", "Fields that are null in some records and absent in others")
def null_or_absent(presence: Presence) -> str:
    both = [
        f"{name} (null in {presence.nulls[name]:,}, absent in {presence.records - there:,})"
        for name, there in presence.there.items()
        if presence.nulls[name] and there < presence.records
    ]
    return ", ".join(both) or "none"


class Records(RecordChecks):
    """Watches the records of one list, or of a batch read."""

    checks = tuple(one.check for one in declared_in(__name__))


MISFITS = frozenset(one.check.id for one in declared_in(__name__) if one.told == "misfit")
"""The checks of values that a record's model refuses: their failures are the records that do not fit the contract."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One value of a record that breaks its model."""

    check: Check
    field: str
    """As ``departments[].child_ids``."""
    rule: str
    sentence: str
    value: Any


def faults_of(model: type[BaseModel], raw: bytes, record: Mapping[str, Any]) -> Iterator[Fault]:
    """The values of a record that break its model. ``record`` is the JSON text ``raw``, already parsed.

    Deviations that running services are known to have (null in some places) are left out.
    """
    looks = [one for one in declared_in(__name__) if one.told == "misfit"]
    for misfit in misfits_of(model, raw, record):
        for one in looks:
            odd: Odd | None = one.look(misfit)
            if odd is not None:
                if odd.verdict is not Verdict.OBSERVED:
                    yield Fault(one.check, misfit.field, odd.rule, odd.sentence, misfit.value)
                break


def undeclared(
    model: type[BaseModel], record: Mapping[str, Any], before: str = ""
) -> Iterator[tuple[str, Any]]:
    """Each field of a record, inner records included, that its model does not declare, with its value."""
    fields = _by_name(model)
    for name, value in record.items():
        field = fields.get(name)
        if field is None:
            yield f"{before}{name}", value
        elif field.model is not None:
            for entry in value if isinstance(value, list) else (value,):
                if isinstance(entry, dict):
                    inner = f"{before}{name}[]." if isinstance(value, list) else f"{before}{name}."
                    yield from undeclared(field.model, entry, inner)


@cache
def _by_name(model: type[BaseModel]) -> dict[str, Field]:
    return {field.name: field for field in fields_of(model)}


def _has_more(
    model: type[BaseModel], records: Sequence[Mapping[str, Any]], names: Set[str] | None = None
) -> bool:
    """Whether any of some records, inner ones included, has a field that its model does not declare."""
    if not (set().union(*records) if names is None else names) <= _by_name(model).keys():
        return True
    for name, field in _with_model(model):
        values = [value for record in records if (value := record.get(name))]
        entries = [one for value in values for one in (value if isinstance(value, list) else (value,))]
        entries = [one for one in entries if isinstance(one, dict)]
        if entries and field.model is not None and _has_more(field.model, entries):
            return True
    return False


@cache
def _with_model(model: type[BaseModel]) -> tuple[tuple[str, Field], ...]:
    return tuple((name, field) for name, field in _by_name(model).items() if field.model is not None)


def _folded(name: str) -> str:
    return name.replace("_", "").replace("-", "").replace(" ", "").casefold()


def _expected(misfit: Misfit) -> str:
    return _WORDS.get(misfit.kind, "a value" if misfit.value is None else "another type")


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    names = {bool: "true or false", str: "text", dict: "an object", list: "an array"}
    return names.get(type(value), "a number")
