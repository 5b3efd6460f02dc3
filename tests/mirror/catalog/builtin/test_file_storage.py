"""Files and drives."""

import pytest
from pydantic import ValidationError

from explorer.catalog.builtin.file_storage import DRIVES, FILES, Drive, File


def test_a_type_that_the_contract_does_not_show_is_no_fault() -> None:
    assert File.model_validate_json('{"type":"shortcut"}').type == "shortcut"


def test_null_where_the_contract_says_text_is_a_fault() -> None:
    with pytest.raises(ValidationError, match="description"):
        Drive.model_validate_json('{"description":null}')


def test_permissions() -> None:
    assert File.model_validate_json('{"permissions":{"download":false}}').permissions.download is False


def test_every_field_has_its_column() -> None:
    assert {c.field for c in FILES.columns} == set(File.model_fields)
    assert {c.field for c in DRIVES.columns} == set(Drive.model_fields)
