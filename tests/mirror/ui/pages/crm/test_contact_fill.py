"""Which fields a record can fill, with what, and that all else in the form stays."""

from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from explorer.catalog.spec import ABSENT
from explorer.ui.forms.operation_form import OperationForm
from explorer.ui.pages.crm.contact_fill import Target, guessed, kept_record, put_in, targets_of, value_for
from tests.builtin import registry

CONTACTS = registry.resource("crm/contact")
UPSERT, UPDATE = registry.operation("crm/contact/upsert"), registry.operation("crm/contact/update")


def target(name: str) -> Target:
    found = {one.name: one for op in (UPSERT, UPDATE) for one in targets_of(op)}
    return found[name]


def test_every_field_of_the_form_is_a_target() -> None:
    assert [one.name for one in targets_of(UPDATE)] == [
        "id",
        *(f"record.{name}" for name in ("first_name", "last_name", "email", "phone", "passthrough_fields")),
    ]
    assert [one.name for one in targets_of(UPSERT)][:2] == ["upsert_on.key", "upsert_on.values"]


@pytest.mark.parametrize(
    ("name", "source", "field"),
    [
        ("id", "crm/contact", "id"),
        ("id", "ats/job", ""),
        ("id", "sales-engagement/sequence_state", "contact_id"),
        ("record.email", "sales-engagement/mailbox", "email"),
        ("record.email", "ats/job", ""),
        ("upsert_on.values", "crm/contact", "email"),
        ("upsert_on.values", "ats/job", ""),
    ],
)
def test_what_most_likely_belongs_together(name: str, source: str, field: str) -> None:
    assert guessed(target(name), registry.resource(source), CONTACTS) == field


@pytest.mark.parametrize(
    ("name", "raw", "value"),
    [
        ("record.email", b'"a@b.example"', "a@b.example"),
        ("record.email", b'"\\u00fc"', "ü"),
        ("record.email", b"12345678901234567890.10", "12345678901234567890.10"),
        ("record.email", b"true", "true"),
        ("record.email", b"null", ABSENT),
        ("record.email", None, ABSENT),
        ("record.email", b'{"a":1}', ABSENT),
        ("upsert_on.values", b'"a"', ["a"]),
        ("upsert_on.values", b'["a"]', ABSENT),
        ("record.passthrough_fields", b'{"a":1}', {"a": 1}),
        ("record.passthrough_fields", b'"a"', ABSENT),
    ],
)
def test_what_a_value_fills(name: str, raw: bytes | None, value: Any) -> None:
    assert value_for(target(name), raw) == value


def test_all_else_in_the_form_stays(qtbot: QtBot) -> None:
    form = OperationForm(UPDATE)
    qtbot.addWidget(form)
    assert form.body is not None
    form.restore({"body": {"record": {"phone": None, "passthrough_fields": {"\x00raw": '{"half": '}}}})
    assert put_in(form, {target("id"): "7", target("record.email"): "a@b.example"})
    assert form.path_values() == {"id": "7"}
    assert (
        form.body.body() == b'{"record":{"email":"a@b.example","phone":null,"passthrough_fields":{"half": }}'
    )
    form.body.set_raw('{"record": {"email": 1, "own": 2}}')
    assert put_in(form, {target("record.email"): "x"})
    assert form.body.body() == b'{"record":{"email":"x","own":2}}'
    form.body.set_raw("[1]")
    assert not put_in(form, {target("record.email"): "x", target("id"): "8"})
    assert (form.body.raw.text(), form.path_values()) == ("[1]", {"id": "7"})


@pytest.mark.parametrize(
    ("body", "kept"),
    [
        (
            b'{"record":{"id":"1","email":null,"raw_data":{"x":1},"own":2}}',
            {"record": {"id": "1", "email": None}},
        ),
        (b'{"id":"1"}', {"record": {"id": "1"}}),
        (b'{"record":[]}', {}),
        (b"[]", {}),
        (b"<html>", {}),
        (b'{"record":{"id":"' + b"x" * 3000 + b'"}}', {}),
    ],
)
def test_what_the_history_keeps_of_an_answer(body: bytes, kept: dict[str, Any]) -> None:
    assert kept_record(CONTACTS, body) == kept
