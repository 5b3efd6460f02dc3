"""Checks of connections: credentials hidden whatever they are called, and what changed from one to the next."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from explorer.api.redact import MASK
from explorer.catalog.spec import ABSENT
from explorer.session.journal import Entry
from explorer.ui.pages.core.connection_checks import (
    HiddenValues,
    changes_of,
    masked_answer,
    says,
    since_words,
    value_of,
)


def body(**settings: Any) -> bytes:
    return json.dumps({"id": "conn_1", "status": "healthy", "settings": settings}).encode()


def check(number: int, **data: Any) -> Entry:
    return Entry(number, "check", "conn_1", datetime.now(UTC), "answer", "", data)


@pytest.mark.parametrize(
    "settings",
    [
        {"access_token": "x"},
        {"pat": "aB3dE5gH7jK9mN1p"},
        {"oauth": {"raw": [{"zz": "0123456789abcdef0123"}]}},
        {"key2": "550e8400-e29b-41d4-a716-446655440000"},
        {"keys": ["AAAABBBBCCCC1111", "plain"]},
    ],
)
def test_credentials_are_hidden_by_name_and_by_look(settings: dict[str, Any]) -> None:
    shown = masked_answer(body(**settings)).decode()
    assert MASK in shown
    for secret in ("aB3dE5gH7jK9mN1p", "0123456789abcdef0123", "550e8400", "AAAABBBBCCCC1111"):
        assert secret not in shown
    assert '"id": "conn_1"' in shown


@pytest.mark.parametrize(
    "settings",
    [
        {
            "scope": "read write offline_access",
            "expires_at": "2025-11-15T10:30:00.000Z",
            "n": 123456789012345,
        },
        {"instance_url": "https://acme.example.com/services", "region": "eu", "kind": "sales-engagement"},
    ],
)
def test_what_is_no_credential_stays_byte_for_byte(settings: dict[str, Any]) -> None:
    assert masked_answer(body(**settings)) == body(**settings)


def test_any_bytes_can_be_masked() -> None:
    assert masked_answer(b"") == b""
    assert masked_answer(b"<html>token=abcdef123456</html>") == f"<html>token={MASK}</html>".encode()
    assert value_of(b"") is ABSENT
    assert value_of(b"\xff") == "�"
    assert value_of(b'"text"') == "text"


def test_that_a_hidden_value_changed_is_told_without_keeping_it() -> None:
    hidden = HiddenValues()
    one, two = body(access_token="one-1", plain="a"), body(access_token="two-2", plain="b")
    assert hidden.changed("conn_1", one, masked_answer(one)) == [], "the first tells nothing"
    assert hidden.changed("conn_1", one, masked_answer(one)) == []
    assert hidden.changed("conn_2", two, masked_answer(two)) == [], "another connection is another"
    assert hidden.changed("conn_1", two, masked_answer(two)) == [["settings", "access_token"]]
    assert "two-2" not in repr(hidden)


def test_changes_are_against_the_last_check_that_was_answered() -> None:
    checks = [
        check(4, answer={"status": "gone", "n": None}, hidden_changed=[["settings", "t"]]),
        check(3, sentence="no answer came"),
        check(2, answer={"status": "healthy", "old": 1}),
        check(1, answer="fine"),
    ]
    newest = changes_of(checks, 0)
    assert newest is not None
    assert [(c.field, c.what) for c in newest] == [
        ("status", "changed"),
        ("old", "dropped"),
        ("n", "added"),
        ("settings.t", "changed"),
    ]
    assert since_words(newest) == "status: healthy → gone, old, n, settings.t"
    assert changes_of(checks, 1) is None
    assert since_words(None, answered=False) == "no response to compare"
    from_text = changes_of(checks, 2)
    assert from_text is not None
    assert [c.field for c in from_text] == ["answer"]
    assert since_words(changes_of(checks, 3)) == "first check"
    assert since_words([]) == "nothing changed"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"answer": {"status": "healthy", "statusMessage": None}}, "healthy"),
        ({"answer": {"status": "disconnected", "statusMessage": "expired"}}, "disconnected · expired"),
        ({"answer": {}}, "an object without a status"),
        ({"answer": "ok"}, "“ok”"),
        ({"answer": None}, "null"),
        ({}, "no body"),
        ({"sentence": "It is gone."}, "It is gone."),
    ],
)
def test_what_an_answer_says(data: dict[str, Any], words: str) -> None:
    assert says(data) == words
