"""Records held against how their fields are made: an id is another one as soon as one sign of it is."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta, timezone
from typing import Any

import pytest

from tests.mirror.quality.checks.test_lineage import bad, looked
from tests.mirror.quality.clean_mappings import MOMENT, z

STATES, DRIVES = "sales-engagement/sequence_state", "file-storage/drive"
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


def drives(count: int = 12) -> list[Row]:
    """A short list, whose moments are written in another zone than those of the third party."""
    made = []
    for at in range(count):
        put, changed = MOMENT + timedelta(hours=400 * at), MOMENT + timedelta(hours=400 * at + 90, minutes=at)
        zone = timezone(timedelta(hours=2))
        raw = {
            "uid": f"d{at * 7919:06}", "name": f"Space {at * 31}", "owner": {"name": f"Person {at % 3}"},
            "editor": {"name": f"Person {at % 2}"},
            "created_at": put.astimezone(zone).isoformat(), "modified_at": changed.astimezone(zone).isoformat(),
        }  # fmt: skip
        row = {"id": raw["uid"], "name": raw["name"], "created_at": z(put), "updated_at": z(changed)}
        made.append({**row, "raw_data": raw})
    return made


def named(rows: list[Row], key: str) -> dict[str, set[str]]:
    """The ids that findings name, by field."""
    made: dict[str, set[str]] = {}
    for result in looked(rows, key).values():
        for one in result.findings if result.is_bad else ():
            made.setdefault(one.field, set()).update(one.ids)
    return made


def test_two_moments_exchanged_in_one_record_of_a_short_list() -> None:
    rows = drives()
    assert bad(rows, DRIVES) == []
    rows[7] |= {"created_at": rows[7]["updated_at"], "updated_at": rows[7]["created_at"]}
    assert named(rows, DRIVES) == {"created_at": {rows[7]["id"]}, "updated_at": {rows[7]["id"]}}


def test_of_several_places_of_a_value_the_one_counts_that_has_all_of_them() -> None:
    rows = drives()
    for row in rows[::4]:  # the first of them is the editor's name as well
        row["name"] = row["raw_data"]["owner"]["name"]
    assert named(rows, DRIVES) == {"name": {row["id"] for row in rows[::4]}}


def test_a_record_with_its_own_id_that_has_all_else_of_the_one_before() -> None:
    rows = []
    for at in range(160):
        raw = {
            "run": 4_000 + at % 7, "person": 90_000 + at * 13,
            "mail": f"p{at * 7919}@a.example", "step": at % 5, "put": z(MOMENT + timedelta(hours=at)),
        }  # fmt: skip
        row = {
            "id": f"{raw['run']}-{raw['person']}",
            "contact_id": str(raw["person"]),
            "created_at": raw["put"],
        }
        rows.append({**row, "state": f"step {raw['step']}", "mailbox_id": raw["mail"], "raw_data": raw})
    assert bad(rows, STATES) == []
    rows[90] = {**rows[89], "id": rows[90]["id"], "raw_data": rows[90]["raw_data"]}
    found = named(rows, STATES)
    assert {"contact_id", "created_at", "mailbox_id"} <= {*found}
    assert all(ids == {rows[90]["id"]} for ids in found.values())
