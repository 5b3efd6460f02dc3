"""A comparison as words, JSON and CSV; the latter two are written in pieces, for any number of differences."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from explorer.catalog.spec import ABSENT
from explorer.quality.compare.claims import shown_change
from explorer.quality.compare.compare import Comparison, Side
from explorer.quality.compare.explained import Example, Explained, Unexplained
from explorer.quality.compare.found import Difference, RawData
from explorer.quality.compare.ignored_fields import left_out_words
from explorer.quality.compare.records import written

_GUARDED = ("=", "+", "-", "@", "\t", "\r")


def counts_words(made: Comparison) -> str:
    """``3 added, 1 gone, 12 changed, 1,200 the same``."""
    counts = made.counts
    words = (
        f"{counts.added:,} added, {counts.gone:,} gone, {counts.changed:,} changed, {counts.same:,} the same"
    )
    some = [
        f"{number:,} of them differ in {what}"
        for number, what in (
            (counts.masked_only, "what was left out"),
            (counts.volatile_only, "fields that change at every pull"),
        )
        if number
    ]
    words += f" ({', '.join(some)})" if some else ""
    return words + (f"; {made.raw.words}" if made.raw.words else "")


def unexplained_words(one: Unexplained) -> str:
    """``name: 12 changes unexplained, as "a" → "b" (id 7)``."""
    text = one.words + (f"; {one.raw.words}" if one.raw.words else "")
    if one.examples:
        first = one.examples[0]
        text += f", as {shown_change(first.before, first.now)}" + (f" (id {first.id})" if first.id else "")
    return text


def oddities(made: Comparison) -> tuple[str, ...]:
    """Circumstances that make the two hard to compare, and rules that masked fields follow, a sentence each."""
    found = [made.another_kind] if made.another_kind else []
    if len({side.about.connection for side in made.sides}) > 1:
        found.append(
            "Two connections: gone is what only the first one has, added what only the second one has."
        )
    for side in made.sides:
        if side.about.state != "complete":
            found.append(f"{side.name} was not read to its end: what seems added or gone may not be.")
        if side.without_id:
            found.append(
                f"{side.without_id:,} records of {side.name} have no id: they are matched by content."
            )
        if side.double_ids:
            some = ", ".join(side.double_examples)
            found.append(f"{side.double_ids:,} ids of {side.name} name more than one record: {some}.")
    found += [f"Left out, but changed by one rule: {one.words}." for one in made.left_out_by_rule]
    return tuple(found)


def mask_words(made: Comparison) -> str:
    """The fields that are ignored."""
    patterns = made.mask.patterns
    said = f"Left out: {left_out_words(patterns)}." if patterns else "All fields count."
    return " ".join(filter(None, (said, made.explained.left_out_words)))


def as_json(
    made: Comparison, numbers: Sequence[int] | None = None, chosen: Mapping[str, Any] | None = None
) -> Iterator[str]:
    """The comparison as JSON, in pieces: all its differences or those of some lines. Numbers keep their digits.

    ``chosen`` says by what the lines were chosen, and is a member of its own: a part must not pass for the whole.
    """
    head = {
        "a": _side(made.sides[0]),
        "b": _side(made.sides[1]),
        "mask": list(made.mask.patterns),
        "counts": {
            "added": made.counts.added,
            "gone": made.counts.gone,
            "changed": made.counts.changed,
            "same": made.counts.same,
            "differ_in_masked_fields": made.counts.masked_only,
        },
        "raw_data": _raw(made.raw),
        **_explained(made),
        "fields": made.fields,
        "notes": list(oddities(made)),
        **({"chosen": dict(chosen)} if chosen else {}),
    }
    yield json.dumps(head, ensure_ascii=True, indent=2)[:-2] + ',\n  "differences": ['
    separator = "\n"
    for (what, ident, name, row_a, row_b), lines in groupby(made.found.every(numbers), key=_record):
        rows = {"row_a": _counted(row_a), "row_b": _counted(row_b)}
        one = {"what": what, "id": ident, "name": name or None, **rows}
        text = json.dumps({key: value for key, value in one.items() if value is not None})
        changes = [_change(line) for line in lines if what == "changed"]
        inner = f', "fields": [{", ".join(changes)}]' if changes else ""
        yield f"{separator}    {text[:-1]}{inner}}}"
        separator = ",\n"
    yield "\n  ]\n}\n"


def _explained(comparison: Comparison) -> dict[str, Any]:
    made: Explained = comparison.explained
    return {
        "differ_in_volatile_fields": comparison.counts.volatile_only,
        "only_written_differently": comparison.counts.written_only,
        "changed_values": made.changed,
        "explained_values": made.claimed,
        "explanations": [
            {
                "words": one.words,
                "name": one.name,
                "meaning": one.meaning,
                "count": one.count,
                "fields": dict(one.fields),
                "examples": [_example(example) for example in one.examples],
                "raw_data": _raw(one.raw),
            }
            for one in made.sentences
        ],
        "unexplained": [
            {
                "field": one.field,
                "count": one.count,
                "examples": [_example(example) for example in one.examples],
                "raw_data": _raw(one.raw),
            }
            for one in made.unexplained
        ],
        "left_out": [
            {"field": name, "why": why, "records": records} for name, (why, records) in made.left_out.items()
        ],
    }


def _raw(one: RawData) -> dict[str, int]:
    return {"same": one.same, "changed": one.changed, "without": one.without}


def _example(one: Example) -> dict[str, Any]:
    """Values as JSON texts, which keep their digits; ``before`` or ``now`` is left out where it is absent."""
    values = {"before": one.before, "now": one.now}
    told = {name: written(value) for name, value in values.items() if value is not ABSENT}
    return {"id": one.id, "field": one.field, **told}


def as_csv(made: Comparison, numbers: Sequence[int] | None = None) -> Iterator[str]:
    """One line for each difference, under the headings of the window's table. A cell that a spreadsheet would execute
    has an apostrophe in front.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["What", "Id", "Name", "Field", "Before", "After", "Row before", "Row after"])
    for line in made.found.every(numbers):
        rows = (_counted(line.row_a), _counted(line.row_b))
        values = [line.what, line.id, line.name, line.field, line.old, line.new, *rows]
        writer.writerow([_guarded(value) for value in values])
        if out.tell() > 100_000:
            yield out.getvalue()
            out.seek(0)
            out.truncate()
    yield out.getvalue()


def _record(line: Difference) -> tuple[str, str, str, int | None, int | None]:
    return line.what, line.id, line.name, line.row_a, line.row_b


def _change(line: Difference) -> str:
    """One field; ``old`` or ``new`` is left out where it is absent. Both are inserted as JSON unchanged."""
    parts = [f'"field": {json.dumps(line.field)}']
    parts += [
        f'"{name}": {value}' for name, value in (("old", line.old), ("new", line.new)) if value is not None
    ]
    return "{" + ", ".join(parts) + "}"


def _side(side: Side) -> dict[str, Any]:
    about = side.about
    return {
        "name": side.name,
        "resource": about.resource,
        "connection": about.connection,
        "parameters": json.loads(about.params),
        "state": about.state,
        "rows": side.rows,
        "pulled_at": about.updated_at.isoformat(),
        "without_id": side.without_id,
        "double_ids": side.double_ids,
    }


def _counted(row: int | None) -> int | None:
    """Counted from 1, for people."""
    return None if row is None else row + 1


def _guarded(value: object) -> object:
    if not isinstance(value, str) or not value.startswith(_GUARDED):
        return value
    try:
        float(value)
    except ValueError:
        return "'" + value
    return value
