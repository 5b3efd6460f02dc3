"""Entries made of plain raw fields: told apart by their kind, each with sources of its own."""

from __future__ import annotations

from typing import Any

from explorer.quality.mapping.assembled import crossed, layout_of
from explorer.quality.mapping.field_tracker import FieldTracker
from tests.mirror.quality.checks.rows import row


def records(first: str = "primary", second: str = "fax") -> list[dict[str, Any]]:
    made = []
    for at in range(60):
        raw = {"Phone": f"+49 89 {at * 7919:08}", "Fax": f"+1 415 {at * 104729:08}"}
        phones = [{"number": raw["Phone"], "type": first}, {"number": raw["Fax"], "type": second}]
        made.append({"id": str(at), "phones": phones[: 1 + at % 2], "raw_data": raw})
    return made


def crossings(rows: list[dict[str, Any]]) -> list[str]:
    layout, held = layout_of(rows, "phones"), FieldTracker("raw_data")
    assert layout is not None
    for at, one in enumerate(rows):
        laid = layout.flattened("phones", one["phones"], "raw_data")
        held.look({**laid, "raw_data": one["raw_data"]}, frozenset(), row(one, at).example)
    held.ended()
    return [one.sentence for one in crossed(held)]


def test_entries_are_laid_out_by_their_kind() -> None:
    layout = layout_of(records(), "phones")
    assert layout is not None
    assert layout.kinds == {"primary", "fax"}
    entries = [{"number": "1", "type": "fax"}, {"number": "2", "type": "fax"}]
    assert layout.flattened("phones", entries, "raw_data") == {"phones[fax].number": "1"}
    assert layout.has_double(entries)


def test_a_kind_that_comes_from_the_field_of_another_is_named() -> None:
    assert crossings(records()) == []
    said = "phones[fax].number comes from raw_data.Phone in all 60 records, phones[primary].number from raw_data.Fax"
    assert crossings(records("fax", "primary")) == [said]
