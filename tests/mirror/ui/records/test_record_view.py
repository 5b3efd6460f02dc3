"""A record against its declaration: findings in words, absences, what is not in the contract."""

import pytest

from explorer.catalog.builtin.ats import JOBS, Job
from explorer.catalog.fields import fields_of
from explorer.jsontext.pieces import PIECE
from explorer.ui.records import record_view
from explorer.ui.records.cells import Reading
from explorer.ui.records.misfits import findings_of, type_words
from explorer.ui.records.record_view import MOST, Fields, RecordView, field_rows
from tests.builtin import registry
from tests.mirror.jsontext.test_pieces import many_keys

READING = Reading(None)


def rows(raw: bytes) -> dict[str, tuple[str, str, str]]:
    return {
        r.name: (r.cell.text, r.state, r.finding)
        for r in field_rows(RecordView(raw, JOBS, 0, reading=READING))
    }


def test_declared_fields_come_first_in_their_order_and_absent_ones_are_there() -> None:
    found = field_rows(RecordView(b'{"extra":1,"id":"7"}', JOBS, 0))
    assert [r.name for r in found] == [*Job.model_fields, "extra"]
    states = {r.name: r.state for r in found}
    assert (states["id"], states["name"], states["extra"]) == ("declared", "absent", "undeclared")


@pytest.mark.parametrize(
    ("raw", "field", "finding"),
    [
        (b'{"confidential":"yes"}', "confidential", "text, true or false expected"),
        (b'{"name":null}', "name", "null, text expected"),
        (b'{"id":40230}', "id", "number, text expected"),
        (b'{"departments":{}}', "departments", "object, array expected"),
        (b'{"departments":[{"child_ids":1}]}', "departments", "[0].child_ids: number, array expected"),
    ],
)
def test_what_does_not_fit_is_said_beside_its_field(raw: bytes, field: str, finding: str) -> None:
    assert rows(raw)[field][2] == finding


def test_very_many_values_that_do_not_fit_are_said_by_their_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside a field stand some of them; what is wrong is told by the values themselves, not by reading on."""
    monkeypatch.setattr(
        record_view, "parts", None
    )  # whoever reads the record again for each of them would fail
    found = findings_of(b'{"departments":[' + b",".join([b"1"] * 2_000) + b"]}", Job)
    assert len(found.broken["departments"]) == 2_000
    monkeypatch.undo()
    said = rows(b'{"departments":[' + b",".join([b"1"] * 2_000) + b"]}")["departments"][2]
    assert said.startswith("[0]: number, object expected; [1]: number, object expected; ")
    assert said.endswith("; and 1,995 more like these")
    fields = Fields(RecordView(b'{"departments":[' + b",".join([b"1"] * 2_001) + b"]}", JOBS))
    fields.go_on()
    assert fields.unlisted == "2,001 values do not fit, too many to name each"
    assert not any(row.finding for row in fields.rows)


def test_a_record_that_fits_has_no_finding() -> None:
    good = b'{"id":"1","name":"n","confidential":true,"departments":[{"id":"2"}],"raw_data":{"a":[1]}}'
    assert findings_of(good, Job) == ({}, {})
    assert not any(finding for _, _, finding in rows(good).values())


@pytest.mark.parametrize("raw", [b"", b"[1]", b'{"id":NaN', b'{"id":"\\ud800"}', b"\xff", b'{"a":1,"a":2}'])
def test_odd_records_are_shown_without_an_exception(raw: bytes) -> None:
    view = RecordView(raw, JOBS, 3)
    assert len(field_rows(view)) >= len(Job.model_fields)
    assert isinstance(view.label, str)
    assert "row 4" in view.place


def test_a_key_that_stands_twice_is_said() -> None:
    assert "twice" in rows(b'{"id":"a","id":"b"}')["id"][2]


def test_label_and_place() -> None:
    view = RecordView(b'{"id":"40230","name":"Product Designer"}', JOBS, 1)
    assert (view.label, view.place) == ("Product Designer", "id 40230  ·  row 2")
    assert RecordView(b'{"id":"40230","name":null}', JOBS).label == "40230"
    assert RecordView(b"{}", JOBS).label == "Jobs"
    assert "\u202e" not in RecordView(b'{"name":"a\\u202eb"}', JOBS).label


def test_types_in_words() -> None:
    said = {f.name: type_words(f) for f in fields_of(Job)}
    assert said["departments"] == "array of object"
    assert said["modified_at"] == "date as text"
    assert said["hiring_managers"] == "any"


def test_fields_of_a_large_record_are_read_in_pieces_and_the_rest_is_counted() -> None:
    raw = many_keys(200_000)[:-1] + b',"name":"last"}'
    fields = Fields(RecordView(raw, registry.resource("ats/job")))
    fields.go_on()
    assert not fields.complete
    while not fields.complete:
        before = len(fields._found) + fields.more
        fields.go_on()
        assert len(fields._found) + fields.more - before <= PIECE + 1
    assert fields.bytes_of("name") == b'"last"'  # a declared field is found wherever it stands
    assert len(fields.rows) <= MOST + 40
    assert len([r for r in fields.rows if r.state == "undeclared"]) + fields.more == 200_000


def test_a_time_without_a_zone_says_so_behind_it() -> None:
    raw = b'{"created_at":"2019-05-24T23:21:00","modified_at":"2019-05-24T23:21:00Z"}'
    found = {row.name: row.cell for row in field_rows(RecordView(raw, JOBS, 0))}
    assert (found["created_at"].text, found["created_at"].more) == ("2019-05-24 23:21", "no zone")
    assert (found["modified_at"].text, found["modified_at"].more) == ("2019-05-24 23:21", "")
