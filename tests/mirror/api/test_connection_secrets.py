"""Which names under a connection's settings hide a credential, by how the values look."""

from __future__ import annotations

import json
from typing import Any

import pytest

from explorer.api.connection_secrets import credential_names


@pytest.mark.parametrize(
    ("settings", "names"),
    [
        ({"pat": "aB3dE5gH7jK9mN1p", "region": "eu-west-1"}, {"pat"}),
        ({"oauth": {"raw": [{"zz": "0123456789abcdef0123"}]}}, {"zz"}),
        ({"keys": ["AAAABBBBCCCC1111"]}, {"keys"}),
        ({"id": "AAAABBBBCCCC1111"}, set()),  # stands at the top, too, and must be seen there
        ({"domain": "accounts.example.com", "at": "2025-11-15T10:30:00.000Z", "n": 12345678901234}, set()),
        ({"url": "https://a.example/b", "kind": "sales-engagement", "scope": "read write"}, set()),
        ("AAAABBBBCCCC1111", set()),
        (None, set()),
    ],
)
def test_names(settings: Any, names: set[str]) -> None:
    assert credential_names(json.dumps({"id": "conn_1", "settings": settings}).encode()) == names


def test_what_cannot_be_read_hides_all_settings() -> None:
    assert credential_names(b'{"settings": {"pat": "aB3dE5gH') == {"settings"}
    assert credential_names(b'["settings"]') == frozenset()
    assert credential_names(b"") == frozenset()
