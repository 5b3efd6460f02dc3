"""Magic links read: the token wherever it stands, its claims and its end, and nothing raised by anything."""

from __future__ import annotations

import base64
import json
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.api.links import Link, algorithm_of, is_unsigned, read_claims, read_link

END = datetime(2026, 12, 20, 12, 4, tzinfo=UTC)


def part(value: Any) -> str:
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def jwt(claims: Any, head: Any = None) -> str:
    return f"{part(head or {'alg': 'HS256', 'typ': 'JWT'})}.{part(claims)}.c2lnbmF0dXJl"


CLAIMS = {"sub": "acme", "iat": int(END.timestamp()) - 60, "exp": int(END.timestamp()), "name": "Ünï 字"}
TOKEN = jwt(CLAIMS)
BEYOND = b'{"exp":' + b"9" * 5000 + b"}"


@pytest.mark.parametrize(
    "url",
    [
        f"https://c.test/connect/portal?token={TOKEN}&view=manage",
        f"https://c.test/?view=manage&Token={quote(TOKEN)}",
        f"https://c.test/?view=manage&jwt={TOKEN}",
        f"https://c.test/#token={TOKEN}&view=manage",
        f"https://c.test/#/connect?view=manage&token={TOKEN}",
        f"  https://c.test/magic-link/{TOKEN}?view=manage \n",
    ],
)
def test_the_token_is_found_and_read(url: str) -> None:
    link = read_link(url)
    assert (link.token, link.claims) == (TOKEN, CLAIMS)
    assert (link.made, link.ends, link.why_no_end) == (END - timedelta(seconds=60), END, "")
    assert link.parameters == (("view", "manage"),)
    assert link.has_ended(END - timedelta(seconds=1)) is False
    assert link.has_ended(END) is True


def test_neither_token_nor_claims_are_shown_by_accident() -> None:
    text = repr(read_link(f"https://c.test/?token={TOKEN}"))
    assert TOKEN not in text
    assert "acme" not in text


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("", "The link contains no token"),
        ("https://c.test/?view=add", "The link contains no token"),
        ("http://[::1", "The link contains no token"),
        ("https://c.test/?token=opaque-8841", "The token is not a JWT, so its end cannot be read"),
        ("https://c.test/?token=a.b.c", "The token is not a JWT, so its end cannot be read"),
        (f"https://c.test/?token={jwt([1])}", "The token is not a JWT, so its end cannot be read"),
        (f"https://c.test/?token={jwt(b'x{')}", "The token is not a JWT, so its end cannot be read"),
        (f"https://c.test/?token={jwt(b'[' * 50_000)}", "The token is not a JWT, so its end cannot be read"),
        (f"https://c.test/?token={jwt({})}", "The token does not say when it ends"),
        (f"https://c.test/?token={jwt({'exp': None})}", "The token's exp is not a valid time"),
        (f"https://c.test/?token={jwt({'exp': True})}", "The token's exp is not a valid time"),
        (f"https://c.test/?token={jwt({'exp': 'soon'})}", "The token's exp is not a valid time"),
        (f"https://c.test/?token={jwt({'exp': 1e300})}", "The token's exp is not a valid time"),
        (f"https://c.test/?token={jwt({'exp': float('nan')})}", "The token's exp is not a valid time"),
        (
            f"https://c.test/?token={jwt(BEYOND)}",
            "The token is not a JWT, so its end cannot be read",
        ),
    ],
)
def test_a_link_without_an_end_says_why(url: str, why: str) -> None:
    link = read_link(url)
    assert (link.ends, link.why_no_end) == (None, why)
    assert link.has_ended(END) is None


def test_ends_in_the_past_before_1970_and_as_text() -> None:
    for claim, end in (
        (0, "1970-01-01"),
        (-86400, "1969-12-31"),
        ("86400", "1970-01-02"),
        (86400.5, "1970-01-02"),
    ):
        link = read_link(f"https://c.test/?token={jwt({'exp': claim})}")
        assert link.ends is not None
        assert link.ends.date().isoformat() == end


@given(st.text(max_size=60) | st.text(max_size=20).map(lambda text: f"https://c.test/?token={text}"))
def test_nothing_raises(text: str) -> None:
    assert isinstance(read_link(text), Link)
    claims = read_claims(text)
    assert claims is None or isinstance(claims, dict)


@given(st.dictionaries(st.text(max_size=4), st.integers() | st.text(max_size=4) | st.none(), max_size=4))
def test_claims_are_read_as_they_are(claims: dict[str, Any]) -> None:
    assert read_claims(jwt(claims)) == claims


@pytest.mark.parametrize(
    ("token", "algorithm", "unsigned"),
    [
        (TOKEN, "HS256", False),
        (TOKEN.rpartition(".")[0] + ".", "HS256", True),
        (jwt(CLAIMS, {"alg": "none"}), "none", True),
        (jwt(CLAIMS, {"alg": "NONE"}), "NONE", True),
        (jwt(CLAIMS, {"typ": "JWT"}), "", False),
        ("not.a.token", "", False),
    ],
)
def test_a_token_says_how_it_is_signed(token: str, algorithm: str, unsigned: bool) -> None:
    assert (algorithm_of(token), is_unsigned(token)) == (algorithm, unsigned)


@pytest.mark.parametrize(
    ("exp", "expected"),
    [(END.timestamp(), False), (END.timestamp() * 1000, True), (True, False), ("1e15", False), (None, False)],
)
def test_an_end_in_milliseconds_is_told_from_one_in_seconds(exp: Any, expected: bool) -> None:
    link = read_link(f"https://app.example/m?token={jwt({**CLAIMS, 'exp': exp})}")
    assert link.ends_in_milliseconds is expected
