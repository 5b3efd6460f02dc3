"""Records held against how their fields are made: an id is another one as soon as one sign of it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.mirror.quality.checks.test_lineage import bad

STATES = "sales-engagement/sequence_state"
Row = dict[str, Any]
TOKENS = "aBcDeFgHkLmNpQrS"


def states(count: int = 160) -> list[Row]:
    """Sequence states whose third party has numbers as ids, and opaque tokens for the steps."""
    made = []
    for at in range(count):
        token = "".join(TOKENS[(at * 7 + place * 5 + at // 9) % 16] for place in range(12))
        raw = {
            "id": 70_000 + at * 13, "token": f"{token}{at}", "note": f"Note {at}",
            "sequence": {"id": 400 + at * 7 % 60}, "contact": {"id": 9_000 + at * 31 % 700},
        }  # fmt: skip
        row = {
            "id": str(raw["id"]), "sequence_id": str(400 + at * 7 % 60),
            "contact_id": str(9_000 + at * 31 % 700), "raw_data": raw,
        }  # fmt: skip
        made.append(row)
    return made


def found(change: Callable[[Row], Row]) -> list[tuple[str, str, str]]:
    return bad([row | change(row) for row in states()], STATES)


def test_clean_ids_are_no_finding() -> None:
    assert found(lambda row: {}) == []
    assert found(lambda row: {"id": row["raw_data"]["token"]}) == []
    assert found(lambda row: {"id": f"urn:state:{row['id']}"}) == []


@pytest.mark.parametrize("field", ["id", "sequence_id", "contact_id"])
def test_an_id_with_a_decimal_point_is_another_id(field: str) -> None:
    assert found(lambda row: {field: f"{row[field]}.0"}) == [
        ("mapping.nothing-lost", "decimal point added", field)
    ]


def test_an_opaque_id_in_one_case_is_another_id() -> None:
    assert found(lambda row: {"id": row["raw_data"]["token"].lower()}) == [
        ("mapping.nothing-lost", "case", "id")
    ]


def test_a_guid_in_one_case_is_the_same_id() -> None:
    def guid(row: Row) -> Row:
        made = f"{int(row['id']) * 7919:08X}-AB12-4F00-9C3D-{int(row['id']) * 104729:012X}"
        return {"id": made.lower(), "raw_data": row["raw_data"] | {"id": made}}

    assert found(guid) == []


@pytest.mark.parametrize("field", ["sequence_id", "contact_id"])
def test_a_reference_that_lacks_a_digit_names_another_record(field: str) -> None:
    [(check, _, named)] = found(lambda row: {field: row[field][:-1]})
    assert check.startswith("mapping.")
    assert named == field


@pytest.mark.parametrize("field", ["sequence_id", "contact_id"])
def test_a_reference_to_the_record_itself_is_not_the_one_that_is_there(field: str) -> None:
    assert found(lambda row: {field: row["id"]}) == [("mapping.one-source", "own id", field)]


def test_references_of_another_form_may_be_the_services_own() -> None:
    assert found(lambda row: {"sequence_id": f"seq_{int(row['sequence_id']) * 104729:x}"}) == []


def test_an_id_that_lacks_or_has_a_digit_more_is_another_id_also_as_text() -> None:
    def text(row: Row, value: str) -> Row:
        return {"id": value, "raw_data": row["raw_data"] | {"id": row["id"]}}

    assert found(lambda row: text(row, row["id"])) == []
    for change in (lambda text: f"{text}.0", lambda text: text[1:], lambda text: text[:-1]):
        [(check, _, field)] = found(lambda row, change=change: text(row, change(row["id"])))  # type: ignore[misc]
        assert (check, field) == ("mapping.nothing-lost", "id")


def test_a_separator_at_the_border_makes_an_affix() -> None:
    def affixed(row: Row) -> Row:
        return {"raw_data": row["raw_data"] | {"id": f"urn:state:{row['id']}"}}

    assert found(affixed) == []


@pytest.mark.parametrize("path", ["eTag", "version_hash", "contact"])
def test_the_id_of_something_else_is_not_the_records_own(path: str) -> None:
    def taken(row: Row) -> Row:
        value = f"v{int(row['id']) * 104729}"
        held = {"id": value} if path == "contact" else value
        return {"id": value, "raw_data": row["raw_data"] | {path: held}}

    assert found(taken) == [("mapping.one-source", "another source", "id")]


@pytest.mark.parametrize("path", ["uuid", "key", "gid", "reference", "self"])
def test_a_third_party_may_have_several_ids_of_one_record(path: str) -> None:
    def taken(row: Row) -> Row:
        value = f"v{int(row['id']) * 104729}"
        return {"id": value, "raw_data": row["raw_data"] | {path: value}}

    assert found(taken) == []
