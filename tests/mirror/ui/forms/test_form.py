"""The law of every form: its value is exactly what was set; absent, null, empty and value are four things."""

import dataclasses
import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel
from PySide6.QtWidgets import QApplication

from explorer.catalog.builtin.connect import MagicLinkBody
from explorer.catalog.fields import Field, fields_of
from explorer.catalog.spec import ABSENT, Input, Operation
from explorer.ui.forms.editor import same_content
from explorer.ui.forms.exact import RawJson, plain
from explorer.ui.forms.form import ModelForm
from explorer.ui.forms.grid import FieldGrid, FieldRow, GroupEditor, editor_of, label_of, note_of, rows_of
from explorer.ui.pages.list.list_head import ParameterStrip
from tests.builtin import registry
from tests.thorough import examples

SLOW = settings(
    max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
BODIES = [o for o in registry.operations() if o.body is not None]


class Everything(Input):
    """A field of every kind that a form knows."""

    text: str | None = ABSENT
    number: float | int | None = ABSENT
    flag: bool | None = ABSENT
    moved_at: str = ABSENT
    values: list[str] | None = ABSENT
    fields: dict[str, Any] | None = ABSENT
    rows: list[dict[str, Any]] = ABSENT
    anything: Any = ABSENT


def values_of(field: Field) -> st.SearchStrategy[Any]:
    """Values that a field of this kind can have, null and empty included."""
    own: st.SearchStrategy[Any]
    if field.kind == "object" and field.model is not None:
        own = bodies_of(field.model)
    elif field.kind == "array":
        own = st.lists(st.text() if field.items in ("text", "id") else JSON, max_size=4)
    elif field.kind == "object":
        own = st.dictionaries(st.text(), JSON, max_size=3)
    else:
        own = {
            "number": st.integers() | st.floats(allow_nan=False, allow_infinity=False),
            "boolean": st.booleans(),
            "any": JSON,
        }.get(field.kind, st.text())
    return st.none() | own if field.nullable or field.observed else own


def bodies_of(model: type[BaseModel]) -> st.SearchStrategy[dict[str, Any]]:
    """Any subset of the fields of ``model``."""
    return st.fixed_dictionaries({}, optional={f.name: values_of(f) for f in fields_of(model)})


def identical(one: Any, other: Any) -> bool:
    """Equal, and of the same kinds all through: True is not 1, and 1 is not 1.0."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return set(one) == set(other) and all(identical(one[k], other[k]) for k in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(identical, one, other))
    return type(one) is type(other) and bool(one == other)


@pytest.fixture(scope="module")
def form(qapp: QApplication) -> ModelForm:
    return ModelForm(Everything)


@given(body=bodies_of(Everything))
@settings(parent=SLOW, max_examples=examples(100))
def test_the_value_is_exactly_what_was_set(form: ModelForm, body: dict[str, Any]) -> None:
    form.set_value(body)
    assert identical(plain(form.value()), body)
    assert identical(json.loads(form.body()), body)


@pytest.mark.parametrize("operation", BODIES, ids=[o.key for o in BODIES])
@given(data=st.data())
@SLOW
def test_so_it_is_for_every_body_of_the_catalog(
    qapp: QApplication, operation: Operation, data: st.DataObject
) -> None:
    assert operation.body is not None
    form = _forms.setdefault(operation.key, ModelForm(operation.body))
    body = data.draw(bodies_of(operation.body))
    form.set_value(body)
    assert identical(plain(form.value()), body)
    assert identical(json.loads(form.body()), body)


_forms: dict[str, ModelForm] = {}


@given(body=st.dictionaries(st.sampled_from(["text", "flag", "values", "unknown"]), JSON, max_size=4))
@SLOW
def test_what_the_fields_cannot_hold_is_kept_as_json(form: ModelForm, body: dict[str, Any]) -> None:
    form.set_value(body)
    assert identical(plain(form.value()), body)
    assert identical(json.loads(form.body()), body)
    assert form.is_raw or set(body) <= set(form.grid.editors)


@pytest.mark.parametrize("text", ["1.10", "1e5", "123456789012345678901234567890", '{"a":1,"a":2}'])
def test_numbers_and_raw_json_reach_the_body_as_typed(form: ModelForm, text: str) -> None:
    form.set_value({"anything": RawJson(text)})
    assert form.body() == b'{"anything":' + text.encode() + b"}"
    assert not form.is_raw


def test_left_out_null_empty_and_value_are_four_things(form: ModelForm) -> None:
    seen = []
    for body in ({}, {"text": None}, {"text": ""}, {"text": "x"}):
        form.set_value(body)
        seen.append((form.grid.editors["text"].state, form.body()))
    assert seen == [
        ("left out", b"{}"),
        ("null", b'{"text":null}'),
        ("empty", b'{"text":""}'),
        ("value", b'{"text":"x"}'),
    ]


def test_a_fault_stands_under_its_field_and_goes_when_it_is_mended(qapp: QApplication) -> None:
    model = registry.operation("core/pipeline/create").body
    assert model is not None
    form = ModelForm(model)
    editor = form.grid.editors["sourceId"]
    editor.input().setText("source")  # type: ignore[attr-defined]  # it is a line
    assert [f.sentence for f in form.faults()] == ["Must start with conn_"]
    assert editor.input().property("invalid")
    assert "Must start with conn_" in editor.input().accessibleDescription()
    editor.input().setText("conn_1")  # type: ignore[attr-defined]
    assert form.faults() == []
    assert not editor.input().property("invalid")


def test_a_group_of_fields_is_left_out_null_empty_or_a_value(qapp: QApplication) -> None:
    model = registry.operation("crm/contact/create").body
    assert model is not None
    group = editor_of(fields_of(model)[0], "body")
    assert isinstance(group, GroupEditor)
    assert isinstance(group.grid, FieldGrid)
    assert group.value() is ABSENT
    for value in (None, {}, {"email": "a@b.c"}):
        assert group.set_value(value)
        assert group.value() == value


def test_short_fields_share_a_row(qapp: QApplication) -> None:
    model = registry.operation("connect/magic-link").body
    assert model is not None
    fields = tuple(dataclasses.replace(field, row=0) for field in fields_of(model))
    assert [tuple(f.name for f in row) for row in rows_of(fields)][1] == ("validityInSeconds", "theme")


def test_the_catalog_says_in_which_row_a_field_stands() -> None:
    fields = fields_of(MagicLinkBody)
    more = dataclasses.replace(fields[1], name="more", row=0)
    assert [tuple(f.name for f in row) for row in rows_of((more, *fields))] == [
        ("customerId",),
        ("displayName",),
        ("validityInSeconds", "theme"),
        ("view",),
        ("redirectUrl",),
        ("connectorNames",),
        ("integrationIds",),
        ("connectionId",),
        ("more",),
    ]


def test_a_row_says_what_the_contract_asks(qapp: QApplication) -> None:
    field = fields_of(registry.operation("core/connection/check").path_input)[0]
    assert label_of(field) == "id *"
    assert note_of(field) == "Must start with conn_"
    assert FieldRow(editor_of(field, "path")).editor.input().accessibleName() == "id"


def test_a_strip_holds_a_query_without_its_cursor(qapp: QApplication) -> None:
    strip = ParameterStrip(registry.operation("ats/job").query, hide={"cursor"})
    assert set(strip.grid.editors) == {"sync_mode", "page_size"}
    strip.set_value({"page_size": 50, "cursor": "x", "sync_mode": None})
    assert strip.value() == {"page_size": 50}
    strip.set_value({"page_size": "many"})
    assert [f.sentence for f in strip.faults()] == ["Must be a number"]


def test_order_of_names_is_no_difference() -> None:
    assert same_content({"a": 1, "b": RawJson("[1]")}, {"b": [1], "a": 1})
    assert not same_content({"a": 1}, {"a": True})


def test_fields_stand_below_each_other_where_their_names_have_no_room(qapp: QApplication) -> None:
    grid = FieldGrid(MagicLinkBody, "body")
    beside = [line for line in rows_of(fields_of(MagicLinkBody)) if len(line) > 1]
    assert beside

    def aligned() -> list[bool]:
        return [grid.rows[a.name].y() == grid.rows[b.name].y() for a, b in beside]

    grid.resize(600, 900)
    grid.show()
    qapp.processEvents()
    assert all(aligned())
    names = [grid.rows[f.name].name_width for line in beside for f in line]
    grid.resize(max(names) * 3 // 2, 900)
    qapp.processEvents()
    assert not any(aligned())
    grid.resize(600, 900)
    qapp.processEvents()
    assert all(aligned())
    grid.close()
