"""A comparison as JSON and CSV: every difference once, numbers in their own digits, nothing a spreadsheet would run."""

from __future__ import annotations

import csv
import json
from decimal import Decimal

from explorer.quality.compare.ignored_fields import Mask
from explorer.quality.compare.report import as_csv, as_json, counts_words, mask_words, oddities
from tests.mirror.quality.compare.test_compare import compared
from tests.mirror.quality.kept_rows import key

ONE = [
    b'{"id":"a","n":1.50,"t":"x","u":1}',
    b'{"id":"=b"}',
    b'{"id":"c","f":{"g":null}}',
    b"{}",
    b'{"id":"d"}',
]
OTHER = [
    b'{"id":"a","n":9007199254740993,"u":"-1"}',
    b'{"id":"c","f":{"g":"=SUM(A1)"}}',
    b'{"id":"d"}',
    b'{"id":"d"}',
]


def test_json_has_every_difference_with_exact_values() -> None:
    with compared(ONE, OTHER) as made:
        document = json.loads("".join(as_json(made)), parse_float=Decimal)
        assert document["counts"] == {
            "added": 1,
            "gone": 2,
            "changed": 2,
            "same": 1,
            "differ_in_masked_fields": 0,
        }
        by_id = {(one["id"], one["what"]): one for one in document["differences"]}
        assert len(by_id) == len(document["differences"]) == 5
        fields = {one["field"]: one for one in by_id["a", "changed"]["fields"]}
        assert fields["n"] == {"field": "n", "old": Decimal("1.50"), "new": 9007199254740993}
        assert fields["t"] == {"field": "t", "old": "x"}
        assert by_id["c", "changed"]["fields"] == [{"field": "f.g", "old": None, "new": "=SUM(A1)"}]
        assert by_id["=b", "gone"]["row_a"] == 2
        assert document["a"]["without_id"] == 1
        assert document["notes"] == list(oddities(made))
        only = made.found.select(["added"])
        assert [one["id"] for one in json.loads("".join(as_json(made, only)))["differences"]] == ["d"]


def test_nothing_found_is_json_too() -> None:
    with compared(ONE, ONE, Mask(["u"])) as made:
        document = json.loads("".join(as_json(made)))
        assert document["differences"] == []
        assert document["mask"] == ["u"]


def test_csv_guards_what_a_spreadsheet_would_run() -> None:
    with compared(ONE, OTHER) as made:
        rows = list(csv.reader("".join(as_csv(made)).splitlines()))
    assert rows[0] == ["What", "Id", "Name", "Field", "Before", "After", "Row before", "Row after"]
    assert len(rows) == 1 + 3 + 4
    cells = {row[1]: row for row in rows}
    assert "'=b" in cells
    assert ["changed", "c", "", "f.g", "null", '"=SUM(A1)"', "3", "2"] in rows
    assert ["changed", "a", "", "t", '"x"', "", "1", "1"] in rows


def test_each_difference_names_its_record() -> None:
    one = [b'{"id":"1","title":"=Ann","n":1}', b'{"id":"2","title":"Bo"}', b'{"id":"3","n":1}']
    other = [b'{"id":"1","title":"=Ann","n":2}', b'{"id":"3","n":2}']
    with compared(one, other, label=("title",)) as made:
        found = json.loads("".join(as_json(made)))["differences"]
        rows = list(csv.reader("".join(as_csv(made)).splitlines()))
    assert {(line["id"], line.get("name")) for line in found} == {("1", "=Ann"), ("2", "Bo"), ("3", None)}
    assert [row[1:3] for row in rows[1:]] == [["2", "Bo"], ["1", "'=Ann"], ["3", ""]]


def test_words() -> None:
    with compared(ONE, OTHER, Mask(["u"])) as made:
        assert counts_words(made) == "1 added, 2 gone, 2 changed, 1 the same"
        assert mask_words(made) == "Left out: u."
        said = " ".join(oddities(made))
        assert "1 records of a have no id" in said
        assert "1 ids of b name more than one record: d" in said
    with compared(ONE, ONE) as made:
        assert mask_words(made) == "All fields count."


def test_two_connections_are_said_to_be_two() -> None:
    with compared(ONE, ONE, of=key("conn_b")) as made:
        assert oddities(made)[0] == (
            "Two connections: gone is what only the first one has, added what only the second one has."
        )
    with compared(ONE, ONE) as made:
        assert not any("connections" in one for one in oddities(made))
