"""What is marked in a table's row, and what is said of a value that does not fit its field."""

from __future__ import annotations

import json
from typing import Any

import pytest

from explorer.catalog.builtin.ats import JOBS, Job
from explorer.catalog.builtin.crm import ACCOUNTS
from explorer.catalog.fields import fields_of
from explorer.catalog.spec import Resource
from explorer.ui.records.cells import Reading, row_of
from explorer.ui.records.misfits import MARKED, Misfit, marked, misfit_in


def said(field: str, value: Any, resource: Resource = JOBS) -> Misfit:
    """What is said of that value in a record that has it in ``field``."""
    raw = json.dumps({field: value}).encode()
    assert resource.record is not None
    row = marked(row_of(raw, resource.columns, Reading()), raw, resource.columns, resource.record)
    at = next(n for n, one in enumerate(resource.columns) if one.field == field)
    return misfit_in(resource.columns[at], row.cells[at], resource.record)


def test_the_cells_that_do_not_fit_are_marked_and_no_others() -> None:
    raw = b'{"id":"7","name":42,"confidential":"yes","departments":[{"child_ids":1}]}'
    row = marked(row_of(raw, JOBS.columns, Reading()), raw, JOBS.columns, Job)
    wrong = {c.field: cell for c, cell in zip(JOBS.columns, row.cells, strict=True) if cell.misfit}
    assert {name: cell.misfit for name, cell in wrong.items()} == {
        "name": "number, text expected",
        "confidential": "text, true or false expected",
        "departments": "[0].child_ids: number, array expected",
    }
    assert (wrong["confidential"].text, wrong["name"].text) == ('"yes"', "42")
    assert wrong["confidential"].spoken == '"yes", does not fit: text, true or false expected'
    assert row.unfit == "3 values do not fit"


def test_a_record_that_fits_is_left_as_it_is() -> None:
    raw = b'{"id":"7","name":"n"}'
    row = row_of(raw, JOBS.columns, Reading())
    assert marked(row, raw, JOBS.columns, Job) is row


def test_of_very_many_misfits_only_the_number_is_said() -> None:
    raw = b'{"departments":[' + b",".join([b"1"] * (MARKED + 1)) + b"]}"
    row = marked(row_of(raw, JOBS.columns, Reading()), raw, JOBS.columns, Job)
    assert row.unfit == "201 values do not fit, too many to name each"
    assert not any(cell.misfit for cell in row.cells)


@pytest.mark.parametrize(
    ("field", "value", "expected", "there", "missing"),
    [
        ("confidential", "yes", "true or false", '"yes"', "true or false: this is a text"),
        ("name", None, "text", "null", "a value: the contract has no null here"),
        ("departments", [1], "an array of object", "[1]", "[0]: number, object expected"),
        ("departments", {}, "an array of object", "{}", "an array of object: this is an object"),
    ],
)
def test_what_is_said_of_a_value_against_the_contract(
    field: str, value: Any, expected: str, there: str, missing: str
) -> None:
    one = said(field, value)
    assert (one.expected, one.there, one.missing) == (expected, there, missing)
    assert one.title == "does not fit the contract"


def test_a_null_that_running_services_send_is_observed_and_has_no_mark() -> None:
    raw = b'{"id":"1","offices":null,"departments":[{"id":null}],"confidential":"yes"}'
    row = marked(row_of(raw, JOBS.columns, Reading()), raw, JOBS.columns, Job)
    cells = {c.field: cell for c, cell in zip(JOBS.columns, row.cells, strict=True)}
    assert {name for name, cell in cells.items() if cell.misfit} == {"confidential"}
    assert {name for name, cell in cells.items() if cell.observed} == {"offices", "departments"}
    assert row.unfit == "1 value does not fit"
    assert cells["offices"].spoken == "null, observed: null, array expected"
    one = said("offices", None)
    assert (one.title, one.there) == ("is null, as running services send it", "null")
    assert one.expected == "an array of object"
    assert one.note == "Observed: it is no defect, and the record counts as fitting the contract."
    inside = said("departments", [{"id": None}])
    assert (inside.title, inside.missing) == (one.title, "[0].id: null, text expected")


@pytest.mark.parametrize(
    ("date", "missing"),
    [
        ("2024-05-06 07:08:09", "the T between day and time, and the zone: the moment is not known"),
        ("2024-05-06 07:08:09+02", "the T between day and time"),
        ("1795165200000", "the form of ISO 8601: this is a number of seconds or milliseconds"),
        ("yesterday", "a day of the calendar: no moment is named here"),
    ],
)
def test_a_date_that_is_none_says_what_it_lacks_and_that_the_contract_has_no_form(
    date: str, missing: str
) -> None:
    one = said("modified_at", date)
    assert (one.there, one.missing) == (f'"{date}"', missing)
    assert one.expected.startswith("a date as ISO 8601")
    assert one.title == "is no date of ISO 8601"
    assert "the record counts as fitting" in one.note


def test_where_the_contract_has_the_form_of_dates_it_is_broken() -> None:
    assert ACCOUNTS.record is not None
    assert next(f for f in fields_of(ACCOUNTS.record) if f.name == "updated_at").format
    assert said("updated_at", "2024-05-06 07:08:09", ACCOUNTS).title == "does not fit the contract"


def test_a_field_that_is_required_and_absent_is_said() -> None:
    assert ACCOUNTS.record is not None
    raw = b'{"id":"7"}'
    row = marked(row_of(raw, ACCOUNTS.columns, Reading()), raw, ACCOUNTS.columns, ACCOUNTS.record)
    at = next(n for n, one in enumerate(ACCOUNTS.columns) if one.field == "updated_at")
    one = misfit_in(ACCOUNTS.columns[at], row.cells[at], ACCOUNTS.record)
    assert (one.there, one.missing) == (
        "nothing: the field is absent",
        "the field itself: the contract requires it",
    )
    assert row.cells[at].spoken == "absent, does not fit: required and absent"
