"""Names and shapes that give a secret away, and those that do not."""

from __future__ import annotations

import pytest

from explorer.api.sensitive import MASK, is_sensitive, may_hide, without_secrets

SECRET = "token id_token access_token accessToken refresh_token refreshToken idToken apikey api_key apiKey x-apikey"
SECRET += " secret client_secret clientSecret password Passwd db_password authorization private_key privateKey session"
SECRET += (
    " session_id cookie cookies credentials webhookSecret aws_secret_access_key signature passphrase jwt"
)
SECRET += " smtp_pass imap-passwd SenderPwd mailboxPass pass"
OPEN = "id name key keys next_page_token nextPageToken pageToken sync_token continuation_token token_type expires_in"
OPEN += " accessTokenExpiresAt author cursor next_cursor session_count password_policy tokenize secretary"
OPEN += " boarding_pass bypass compass passenger passed"


@pytest.mark.parametrize("name", SECRET.split())
def test_names_of_secrets(name: str) -> None:
    assert is_sensitive(name)
    assert may_hide(f'{{"{name}": "v"}}')


@pytest.mark.parametrize("name", OPEN.split())
def test_names_of_other_things(name: str) -> None:
    assert not is_sensitive(name)


def test_headers_that_carry_credentials() -> None:
    assert all(
        map(is_sensitive, ("Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie", "X-ApiKey"))
    )
    assert not any(map(is_sensitive, ("www-authenticate", "x-connection-id", "content-type", "location")))


JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        (f"is {JWT}, yes", f"is {MASK}, yes"),
        ("https://u:p@h/x", f"https://{MASK}@h/x"),
        ("/x?token=a&b=c", f"/x?token={MASK}&b=c"),
        ("/x?key=a;sig=b", f"/x?key={MASK};sig={MASK}"),
        ("/x?access%5Ftoken=a", f"/x?access%5Ftoken={MASK}"),
        ("/x?go=https%3A%2F%2Fh%3Ftoken%3Da", f"/x?go={MASK}"),
        ("Authorization: Bearer abc", f"Authorization: {MASK}"),
        ("Bearer abcdef12", f"Bearer {MASK}"),
        ("Basic eDphYmNkZWY=", f"Basic {MASK}"),
        ("cookie: a=b; c=d", f"cookie: {MASK}"),
        ("{'password': 'p w'}", f"{{'password': '{MASK}'}}"),
        ("api_key: abc123def", f"api_key: {MASK}"),
        ("https://h/magic-link/abc/def", f"https://h/magic-link/{MASK}"),
        ("https://h/app/magiclink?x=1", f"https://h/app/magiclink?{MASK}"),
        ("-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----", MASK),
        ("-----BEGIN PRIVATE KEY-----\nabc", MASK),
    ],
)
def test_shapes_of_secrets(text: str, clean: str) -> None:
    assert may_hide(text)
    assert without_secrets(text) == clean


@pytest.mark.parametrize(
    "text",
    [
        "/v0/unified/ats/job?cursor=abc%3D&page_size=10&next_page_token=zzz",
        "POST /v0/connect/magic-link",
        "https://api.example/v0/connect/magic-link",
        "Token is expired",
        "Basic information about bearer instruments",
        "password: required",
        "the key: it turns",
        "a@b.example wrote: https://x/y",
        "eyJ is how they begin",
        "1 = 2",
    ],
)
def test_what_is_left_alone(text: str) -> None:
    assert without_secrets(text) == text


def test_redacting_twice_changes_nothing_more() -> None:
    once = without_secrets(f"https://u:p@h/x?token=a&b={JWT} Bearer abcdef12 {{'password': 'x'}}")
    assert without_secrets(once) == once
