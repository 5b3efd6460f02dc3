"""What is a secret in an answer, and what only looks so: ids, hashes, marks of a version and links to share."""

from __future__ import annotations

import base64
import hashlib
import json
import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.quality.values.text_patterns import may_hold, secret_named, secrets_in


def _jwt(**claims: object) -> str:
    parts = (json.dumps({"alg": "RS256", "typ": "JWT"}), json.dumps(claims))
    return ".".join([*(base64.urlsafe_b64encode(p.encode()).decode().rstrip("=") for p in parts), "c2ln" * 8])


HEX = hashlib.sha256(b"x").hexdigest()
SECRETS = {
    "JSON Web Token": _jwt(sub="1234567890", name="x"),
    "AWS access key id": "see AKIAQ3EGRTUV7WXYZ234 there",
    "signature of a link": f"https://b.s3.amazonaws.com/f.pdf?X-Amz-Date=20250101T000000Z&X-Amz-Signature={HEX}",
    "signature of a link ": f"https://storage.googleapis.com/b/f?X-Goog-Expires=60&X-Goog-Signature={HEX}",
    "signature of a link  ": "https://acme.blob.core.windows.net/c/f?sv=2022-11-02&se=2025&sp=r&sig=a%2Fb3cD4eF5gH6iJ7kL8mN%3D",
    "signature of a link   ": "https://d1.cloudfront.net/f?Expires=1767139199&Signature=abcDEF123~abcDEF123abcDEF&Key-Pair-Id=K1",
    "signature of a link    ": f"https://b.s3.amazonaws.com/f?AWSAccessKeyId=AKIDX&Expires=1&Signature={HEX[:28]}%3D",
    "token in an address": "https://api.acme.example/v1/me?access_token=0a1b2c3d4e5f6a7b8c9d",
    "Stripe key": "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc",
    "Slack token": "xoxb-123456789012-1234567890123-AbCdEfGhIjKlMnOp",
    "GitHub token": "ghp_" + "a1B2" * 9,
    "Google API key": "AIza" + "Sy0a1B2" * 5,
    "Google token": "ya29." + "a0AfB_by" * 6,
    "SendGrid key": "SG." + "a1B2c3D4e5F6g7H8i9J0kL" + "." + "a1B2c3D4e5F6g7H8i9J0kLa1B2c3D4e5F6g7H8i9J0k",
    "HubSpot token": "pat-eu1-3f2a1b0c-9f8a-4b6c-8d4e-3f2a1b0c9f8a",
    "Shopify token": "shpat_" + HEX[:32],
    "private key": "-----BEGIN RSA PRIVATE KEY-----\nMIIE",
    "bearer token": "Authorization: Bearer 0a1b2c3d4e5f6a7b8c9d0e1f",
    "name and password in an address": "postgres://admin:hunter2@db.acme.example:5432/prod",
    "password": "Server=db;User Id=sa;Password=Tr0ub4dor&3;",
    "password ": '{"client_secret": "0a1b2c3d4e5f6a7b"}',
}


@pytest.mark.parametrize("kind", SECRETS)
def test_a_secret_is_found_by_its_form(kind: str) -> None:
    text = SECRETS[kind]
    assert may_hold(text.encode())
    found = list(secrets_in(text))
    assert len(found) == 1, found
    assert found[0].kind.strip() == kind.strip()
    assert found[0].length >= 6


HARMLESS = [
    HEX,
    hashlib.md5(b"x").hexdigest(),
    str(uuid.UUID(int=2**127 - 1)),
    'W/"33a64df551425fcc55e4d42a148795d9f25f89d4"',
    "https://drive.google.com/file/d/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms/view?usp=drivesdk",
    "https://docs.google.com/open?id=1Bxi&resourcekey=0-aBcDeFgHiJ",
    "https://www.dropbox.com/scl/fi/a1b2c3/f.pdf?rlkey=0a1b2c3d4e5f6g7h8i9j&dl=0",
    "https://app.box.com/s/0a1b2c3d4e5f6g7h8i9j0k1l2m3n4o5p",
    "https://acme.sharepoint.com/:w:/s/x/EaBcDeFgHiJkLmNoPqRsTuV?e=a1B2c3",
    "https://boards.greenhouse.io/acme/jobs/4007?gh_jid=4007&token=4007",
    "https://example.com/unsubscribe?token=0a1b2c3d4e5f",
    "https://example.com/search?q=password&key=value",
    "003SB0000012345AAA",
    "AKIAIOSFODNN7EXAMPLE",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=",
    "eyJhIjoxfQ==",
    "pk_live_" + "4eC39HqLyjWDarjtT1zdp7dc",
    "You set a password: at least eight signs, and keep it secret.",
    "Bearer of good news, and a token of thanks",
    "The bearer token is sent as Authorization: Bearer <token>",
    "https://user@example.com/x",
    "mailto:ada@example.com?subject=a:b@c",
    "http://example.com:8080/a@b",
    "sig=1",
    "eyJhbGciOiJub25lIn0." * 5 + "~200",  # unsigned, as RFC 7519 has it in section 6: it proves nothing
    "-----BEGIN PUBLIC KEY-----",
    "a" * 5000,
]


@pytest.mark.parametrize("text", HARMLESS)
def test_what_is_long_and_no_secret(text: str) -> None:
    assert list(secrets_in(text)) == []


@given(st.text(max_size=300))
def test_no_text_makes_it_stumble(text: str) -> None:
    for found in secrets_in(text):
        assert found.length > 0


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("access_token", "0a1b2c3d4e5f"),
        ("refreshToken", "1//0g-a1B2c3D4e5"),
        ("client_secret", "shhh-0123456789"),
        ("apiKey", "FAKE-KEY-0a1b2c3d"),
        ("stripe_api_key", "0a1b2c3d4e5f"),
        ("password", "Tr0ub4dor&3"),
        ("Authorization", "Basic YWRtaW46aHVudGVyMg=="),
        ("webhookSecret", "whsec_0a1b2c3d"),
        ("DB_PASSWORD", "0a1b2c3d4e5f"),
        ("smtp_password", "aB3dE6gH9jK2mN5p"),
        ("smtp_pass", "aB3dE6gH9jK2mN5p"),
        ("imap-passwd", "Tr0ub4dor&3"),
        ("pass", "Tr0ub4dor&3"),
        ("SenderPwd", "correct&horse"),
        ("appPassword", "abcd efgh ijkl mnop"),
        ("password2", "Tr0ub4dor&3"),
        ("encrypted_password", "$2a$10$0a1b2c3d4e5f"),
        ("password_hash", "$2a$10$0a1b2c3d4e5f"),
        ("api-secret", "0a1b2c3d4e5f"),
        ("Client-Secret", "0a1b2c3d4e5f"),
        ("bot_token", "0a1b2c3d4e5f"),
    ],
)
def test_a_secret_is_found_by_its_name(name: str, value: str) -> None:
    assert secret_named(name, value)
    assert may_hold(json.dumps({name: value}).encode())


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("next_page_token", "0a1b2c3d4e5f6a7b"),
        ("continuation_token", "0a1b2c3d4e5f6a7b"),
        ("token_type", "Bearer"),
        ("access_token", ""),
        ("access_token", "••••••"),
        ("access_token", "************"),
        ("access_token", "[REDACTED]"),
        ("access_token", None),
        ("password", True),
        ("password", "required"),
        ("password_set_at", "2025-01-01T00:00:00Z"),
        ("api_key_id", "0a1b2c3d4e5f"),
        ("access_token_expires_at", "2025-01-01T00:00:00Z"),
        ("etag", HEX),
        ("sha256", HEX),
        ("shareToken", "0a1b2c3d4e5f"),
        ("key", "0a1b2c3d4e5f6a7b"),
        ("secretary", "Ada Lovelace 2"),
        ("authorization", "granted"),
        ("apiKey", "enabled"),
        ("password_updated_at", "2025-01-01T00:00:00Z"),
        ("last_password", "2025-01-01T00:00:00Z"),
        ("has_password", "since 2024"),
        ("hasPassword", "yes-since-2024"),
        ("token_count", "12345678901"),
        ("reset_password", "https://acme.example/reset/1"),
        ("password_policy", "length-12"),
        ("boarding_pass", "0a1b2c3d4e5f"),
        ("compass", "0a1b2c3d4e5f"),
        ("bypass", "0a1b2c3d4e5f"),
        ("user_token", "0a1b2c3d4e5f"),
        ("secret", "0a1b2c3d4e5f"),
        ("change_token", "0a1b2c3d4e5f"),
    ],
)
def test_a_name_that_only_sounds_so(name: str, value: object) -> None:
    assert not secret_named(name, value)


@pytest.mark.parametrize(
    ("of", "name", "kind"),
    [
        ("smtp", "pass", "password"),
        ("client", "secret", "secret"),
        ("access", "token", "token"),
        ("api", "key", "key"),
    ],
)
def test_a_secret_is_found_by_its_name_and_that_of_its_object(of: str, name: str, kind: str) -> None:
    assert secret_named(name, "0a1b2c3d4e5f", of) == kind
    assert may_hold(json.dumps({of: {name: "0a1b2c3d4e5f"}}).encode())
    assert not secret_named(name, "0a1b2c3d4e5f", "page") or name == "pass"
