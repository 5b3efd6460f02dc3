"""The rows above the differences, each about the lines that it counts; and the lines, read where they are seen."""

from __future__ import annotations

from array import array

import pytest
from PySide6.QtWidgets import QApplication

from explorer.catalog.spec import Column as SpecColumn
from explorer.quality.compare.aligned import align
from explorer.quality.compare.found import Difference
from explorer.ui.kit.columns import Column
from explorer.ui.kit.rows_table import RowsModel
from explorer.ui.pages.snapshots.difference_rows import (
    Lines,
    field_words,
    id_words,
    read_pairs,
    summary_rows,
    value_words,
)
from explorer.ui.records.cells import Reading
from tests.mirror.quality.compare.test_compare import compared

LONG = "Staff Engineer, Storage & Retrieval Infrastructure"


def states() -> tuple[list[dict[str, object]], list[dict[str, object]]]:
    one: list[dict[str, object]] = [{"id": str(at), "name": f"Name {at}", "live": at} for at in range(20)]
    other = [{**row, "name": str(row["name"]).upper()} for row in one]
    other[3]["name"], other[9]["name"] = "words", "other ones"
    return one, other[:16]


def test_rows_and_their_lines() -> None:
    with compared(*states()) as made:
        rows = summary_rows(made)
        assert [row.meaning for row in rows] == ["", "Gone", "Suspect", "Unexplained", "Edited"]
        assert [row.count for row in rows] == [20, 4, 4, 2, 14]
        assert [row.how_many for row in rows] == [
            "20 differences",
            "4 records",
            "4 records",
            "2 records",
            "14 records",
        ]
        assert rows[1].words == "4 records are gone: 16, 17, 18, 19"
        for row in rows:
            assert len(made.found.select(row.what, claims=row.claims)) == row.count, row.words
    with compared(states()[0], states()[0]) as made:
        assert summary_rows(made) == []


def test_a_sentence_about_several_fields_counts_values_and_one_about_a_swap_records() -> None:
    one = [{"id": str(at), "a": f"x{at}", "b": f"y{at}", "c": f"c {at}", "d": f"d {at}"} for at in range(20)]
    other = [
        {**row, "a": row["b"], "b": row["a"], "c": row["c"].upper(), "d": row["d"].upper()} for row in one
    ]
    with compared(one, other) as made:
        said = {row.words: row for row in summary_rows(made)}
        swapped = next(row for words, row in said.items() if "swapped" in words or "exchanged" in words)
        upper = next(row for words, row in said.items() if "upper case" in words)
        assert swapped.how_many == "20 records"
        assert upper.how_many == "40 values"


def test_a_line_of_an_array_is_of_the_item_that_differs() -> None:
    def record(name: str) -> dict[str, object]:
        teams = [{"id": "d1", "name": "Sales", "parent": None}, {"id": "d3", "name": name, "parent": None}]
        return {"id": "1", "departments": teams, "note": "x" * 400}

    with compared([record("Care")], [record("care")]) as made:
        [line] = made.found.lines(made.found.select())
        assert field_words(line) == "departments[].name"
        assert value_words(line) == ('"Care"', '"care"')
        [whole] = made.found.every()
        assert whole.field == "departments", "a file has the field as it is"
        aligned = align(made.partners, 1, made.found.changed_rows())
        columns = [SpecColumn("id", "id"), SpecColumn("departments", "any")]
        [pair] = read_pairs(made, aligned, [0], columns, Reading())
        assert [row.cells[1].text for row in pair.rows] == ['"Care"', '"care"']
    zone = [{"id": "1", "created_at": f"2025-05-22T01:24:00{end}"} for end in ("Z", "")]
    with compared(zone[:1], zone[1:]) as made:
        columns = [SpecColumn("id", "id"), SpecColumn("created_at", "date")]
        [pair] = read_pairs(made, align(made.partners, 1, made.found.changed_rows()), [0], columns, Reading())
        assert [row.cells[1].text for row in pair.rows] == ['"2025-05-22T01:24:00Z"', '"2025-05-22T01:24:00"']


def test_a_hundred_thousand_lines_are_read_where_they_are_seen(qapp: QApplication) -> None:
    asked = []

    def read(numbers: object) -> list[Difference]:
        assert isinstance(numbers, array)
        asked.append(len(numbers))
        return [Difference(n, "changed", f"id{n}", n, n, "name", None, "null") for n in numbers]

    columns = (
        Column("Id", id_words),
        Column[Difference]("Before", lambda one: value_words(one)[0]),
        Column[Difference]("After", lambda one: value_words(one)[1]),
    )
    model, lines = RowsModel(columns), Lines(array("q", range(100_000)), read)
    model.show(lines)
    assert model.rowCount() == 100_000
    assert model.index(77_777, 0).data() == "id77777"
    assert model.index(77_777, 1).data() == "absent"
    assert model.index(77_777, 2).data() == "null"
    assert asked == [100]
    for row in range(0, 100_000, 500):
        model.index(row, 0).data()
    assert 0 < len(lines._blocks) <= 21


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (Difference(0, "changed", "7", 0, 0, "name", '"a"', None), ("7", "name", '"a"', "absent")),
        (Difference(0, "changed", "7", 0, 0, "", "1", "2"), ("7", "(the whole record)", "1", "2")),
        (
            Difference(0, "changed", "7", 0, 0, "name", f'"{LONG} (Remote, Europe)"', f'"{LONG}"'),
            ("7", "name", '…frastructure (Remote, Europe)"', '…frastructure"'),
        ),
        (Difference(0, "gone", "", 1_233, None), ("(no id, row 1,234)", "(the whole record)", "", "")),
        (Difference(0, "added", "", None, 4), ("(no id, row 5)", "(the whole record)", "", "")),
    ],
)
def test_a_line_in_words(line: Difference, words: tuple[str, ...]) -> None:
    assert (id_words(line), field_words(line), *value_words(line)) == words
