"""Field ledgers as a table for a terminal and as JSON: one list, several connections side by side, and drift."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from explorer.quality.ledger.drift import Drift, side_by_side
from explorer.quality.ledger.ledger import Ledger
from explorer.quality.ledger.seen import FieldSeen
from explorer.words import count

_WIDEST = 44


def fill_words(field: FieldSeen | None) -> str:
    """How often it is filled, in whole percent that never round to all or nothing; a dash where it could not be."""
    if field is None or field.fill is None:
        return "-"
    percent = field.fill * 100
    shown = min(max(round(percent), 1), 99) if 0 < percent < 100 else round(percent)
    return f"{shown}%"


def type_words(field: FieldSeen | None) -> str:
    """``text``, ``text 98%, null 2%``."""
    if field is None or not field.present:
        return ""
    if len(field.types) == 1:
        return next(iter(field.types))
    return ", ".join(f"{kind} {max(round(100 * n / field.present), 1)}%" for kind, n in field.types.items())


def missing_words(field: FieldSeen) -> str:
    """How often it is not filled: ``3 absent, 12 null, 1 empty``."""
    parts = (("absent", field.absent), ("null", field.null), ("empty", field.empty))
    return ", ".join(f"{count:,} {word}" for word, count in parts if count)


def head_words(ledger: Ledger) -> str:
    """``ats/job on conn_1: 204 rows, 31 fields``, with remarks."""
    words = f"{ledger.resource} of {ledger.name}: {count(ledger.rows, 'row')}, {count(len(ledger.fields), 'field')}"
    more = [
        f"{count:,} {what}"
        for count, what in (
            (ledger.unreadable, "rows cannot be read"),
            (ledger.no_objects, "rows are not objects"),
            (ledger.left_out, "values are in fields that are not counted"),
        )
        if count
    ]
    return "; ".join([words, *more, *([ledger.why] if ledger.why else [])])


def table(ledger: Ledger) -> str:
    """One line for each field."""
    lines = [head_words(ledger)]
    width = min(max((len(one.path) for one in ledger.fields), default=0), _WIDEST)
    for one in ledger.fields:
        declared = one.declared.words if one.declared else "open" if one.free else "-"
        seen = [type_words(one) or "never seen", missing_words(one)]
        if one.distinct:
            seen.append(f"{one.distinct_words} different")
        seen += [one.range_words, " ".join(one.examples[:2])]
        notes = f"  ! {'; '.join(one.notes)}" if one.notes else ""
        body = " · ".join(part for part in seen if part)
        lines.append(f"  {one.path:{width}}  {fill_words(one):>4}  {declared:16}  {body}{notes}")
    return "\n".join(lines)


def beside(ledgers: Sequence[Ledger]) -> str:
    """A line for each field and a column for each ledger: how often it is filled, and its types if several."""
    lines = [head_words(one) for one in ledgers]
    found = list(side_by_side(ledgers))
    width = min(max((len(path) for path, _ in found), default=0), _WIDEST)
    columns = [max(len(one.name), 14) for one in ledgers]
    names = "  ".join(f"{one.name:{size}}" for one, size in zip(ledgers, columns, strict=True))
    lines.append(f"  {'':{width}}  {names}".rstrip())
    for path, fields in found:
        cells = []
        for one, size in zip(fields, columns, strict=True):
            kinds = (
                type_words(one)
                if one is not None and len(one.types) > 1
                else next(iter(one.types), "")
                if one
                else ""
            )
            cells.append(f"{f'{fill_words(one)} {kinds}'.strip():{size}}")
        lines.append(f"  {path:{width}}  {'  '.join(cells)}".rstrip())
    return "\n".join(lines)


def drift_table(found: Sequence[Drift], against: str) -> str:
    """One line for each difference."""
    if not found:
        return f"Against {against}: nothing drifted."
    lines = [f"Against {against}:"]
    lines += [f"  {one.rule:8}  {one.path}  {one.sentence}" for one in found]
    return "\n".join(lines)


def ledger_json(ledger: Ledger) -> dict[str, Any]:
    """A ledger as JSON values."""
    return {
        "name": ledger.name,
        "resource": ledger.resource,
        "rows": ledger.rows,
        "unreadable": ledger.unreadable,
        "no_objects": ledger.no_objects,
        "left_out": ledger.left_out,
        "why": ledger.why,
        "never_seen": list(ledger.never_seen),
        "undeclared": list(ledger.undeclared),
        "fields": [_field(one) for one in ledger.fields],
    }


def drift_json(found: Sequence[Drift]) -> list[dict[str, str]]:
    """The differences as JSON values."""
    return [
        {"field": one.path, "rule": one.rule, "sentence": one.sentence, "was": one.was, "now": one.now}
        for one in found
    ]


def _field(one: FieldSeen) -> dict[str, Any]:
    declared = one.declared
    return {
        "path": one.path,
        "declared": None
        if declared is None
        else {"kind": declared.kind, "required": declared.required, "nullable": declared.nullable},
        "of": one.of,
        "present": one.present,
        "absent": one.absent,
        "null": one.null,
        "empty": one.empty,
        "fill": None if one.fill is None else round(one.fill, 4),
        "types": dict(one.types),
        "distinct": {"count": one.distinct, "more": one.more},
        "values": None if one.values is None else [[value, count] for value, count in one.values],
        "numbers": one.numbers,
        "moments": one.moments,
        "lengths": one.lengths,
        "examples": list(one.examples),
        "notes": list(one.notes),
    }
