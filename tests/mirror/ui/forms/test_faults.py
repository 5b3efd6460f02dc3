"""Pydantic's findings become one sentence a field, in the contract's words."""

from typing import Any

import pytest

from explorer.ui.forms.exact import RawJson
from explorer.ui.forms.faults import Fault, faults_of, issues_as_faults, path_of, path_text
from tests.builtin import registry


@pytest.mark.parametrize(
    ("operation", "place", "values", "name", "sentence"),
    [
        ("core/pipeline/create", "body", {"sourceId": "x"}, "sourceId", "Must start with conn_"),
        ("core/pipeline/create", "body", {"disabled": "no"}, "disabled", "Must be true or false"),
        ("core/pipeline/create", "body", {"streams": []}, "streams", "Must be an object, as { … }"),
        ("core/pipeline/create", "body", {"id": None}, "id", "May not be null"),
        ("core/pipeline/update", "path_input", {}, "id", "Required, must start with pipe_"),
        ("connect/magic-link", "body", {"customerId": ""}, "customerId", "Must not be empty"),
        (
            "connect/magic-link",
            "body",
            {"validityInSeconds": "soon"},
            "validityInSeconds",
            "Must be a number",
        ),
        ("connect/magic-link", "body", {"theme": "blue"}, "theme", "Must be one of light, dark"),
        (
            "crm/account/batch_read",
            "body",
            {"ids": ["a", 1], "properties": []},
            "ids[1]",
            "Each must be text",
        ),
        ("crm/account/batch_read", "body", {"ids": []}, "properties", "Required"),
        (
            "crm/contact/upsert",
            "body",
            {"upsert_on": {"values": "a"}},
            "upsert_on.values",
            "Must be a list, as [ … ]",
        ),
        ("ats/job", "query", {"sync_mode": "both"}, "sync_mode", "Must be one of full, incremental"),
        ("accounting/customer-income", "query", {}, "customer", "Required"),
    ],
)
def test_a_fault_is_named_in_the_contracts_words(
    operation: str, place: str, values: dict[str, Any], name: str, sentence: str
) -> None:
    faults = faults_of(getattr(registry.operation(operation), place), values)
    assert [(fault.name, fault.sentence) for fault in faults] == [(name, sentence)]


def test_what_the_contract_does_not_state_is_not_checked() -> None:
    model = registry.operation("crm/contact/create").body
    assert model is not None
    assert faults_of(model, {"record": {"first_name": None, "unknown": 1}, "more": True}) == []


def test_text_that_is_no_json_is_left_to_its_editor() -> None:
    model = registry.operation("core/pipeline/create").body
    assert model is not None
    assert faults_of(model, {"streams": RawJson("{oops")}) == []


@pytest.mark.parametrize("path", [("a",), ("a", 0, "b"), ("a", "b", 12)])
def test_paths_are_written_and_read(path: tuple[str | int, ...]) -> None:
    assert path_of(path_text(path)) == path
    assert path_of(".".join(map(str, path))) == path


def test_issues_of_the_service_keep_its_words() -> None:
    assert issues_as_faults([("record.email", "Invalid")]) == [
        Fault(("record", "email"), "The service says: Invalid", "service")
    ]
