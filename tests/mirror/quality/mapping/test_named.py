"""Names of fields and of raw paths: which has the very name, and which sounds less like it."""

from __future__ import annotations

import pytest

from explorer.quality.mapping.named import has_its_name, is_of_another, sounds_less


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
    ],
)
def test_less_of_a_name(field: str, path: str) -> None:
    assert sounds_less(field, path)
    assert not has_its_name(field, path)


def test_a_plain_word_is_of_what_it_lies_in() -> None:
    assert is_of_another("name", "/parentReference/name")
    assert not is_of_another("name", "/attributes/name")
    assert not sounds_less("description", "/descriptionPlain")
