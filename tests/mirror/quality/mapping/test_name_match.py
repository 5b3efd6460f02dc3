"""Names of fields and of raw paths: which has the very name, and which sounds less like it."""

from __future__ import annotations

import pytest

from explorer.quality.mapping.name_match import has_its_name, is_of_another, sounds_less


@pytest.mark.parametrize(
    ("field", "path"),
    [
        ("updated_at", "/lastModifiedDateTime"),
        ("updated_at", "/attributes/updatedAt"),
        ("user_id", "/relationships/user/data/id"),
        ("owner_id", "/OwnerId"),
        ("permissions.download", "/capabilities/canDownload"),
        ("mime_type", "/file/mimeType"),
        ("name", "/title"),
        ("created_at", "/properties/createdate"),
        ("last_modified_at", "/properties/lastmodifieddate"),
        ("created_at", "/add_time"),
        ("number_of_employees", "/numberofemployees"),
        ("owner_id", "/ownerid"),
        ("departments", "/department"),
        ("hiring_managers", "/hiring_team/hiringManager"),
        ("departments[0].name", "/categories/department"),
        ("hiring_managers[0].name", "/hiringManager/name"),
        ("addresses[billing].city", "/BillingCity"),
        ("addresses[shipping].postal_code", "/shipping/zip"),
        ("phone_numbers[fax].phone_number", "/Fax"),
        ("phone_numbers[primary].phone_number", "/phone"),
        ("industry", "/industry_type/name"),
        ("lifecycle_stage", "/lifecycleStage/label"),
    ],
)
def test_the_very_name(field: str, path: str) -> None:
    assert has_its_name(field, path)


@pytest.mark.parametrize(
    ("field", "path"),
    [
        ("updated_at", "/stateChangedAt"),
        ("updated_at", "/createdTime"),
        ("sequence_id", "/relationships/sequenceStep/data/id"),
        ("owner_id", "/LastModifiedById"),
        ("name", "/folder/name"),
        ("name", "/last_name"),
        ("departments[0].name", "/categories/team"),
        ("hiring_managers[0].name", "/user/name"),
        ("addresses[billing].city", "/ShippingCity"),
        ("addresses[billing].city", "/BillingState"),
        ("phone_numbers[fax].phone_number", "/Phone"),
        ("recruiters", "/hiring_team/coordinators"),
        ("user_id", "/id"),
        ("industry", "/industry_type/position"),
        ("owner_id", "/owner/name"),
    ],
)
def test_less_of_a_name(field: str, path: str) -> None:
    assert sounds_less(field, path)
    assert not has_its_name(field, path)


def test_a_plain_word_is_of_what_it_lies_in() -> None:
    assert is_of_another("name", "/parentReference/name")
    assert not is_of_another("name", "/attributes/name")
    assert not sounds_less("description", "/descriptionPlain")
