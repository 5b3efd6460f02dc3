"""The wire form by itself; what a server sees of it is in test_client.py."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.api.errors import CannotSend
from explorer.api.http_request import http_request_of
from explorer.catalog.request import Request
from tests.mirror.api.made import KEY, key, profile, read

ONE = profile("https://api.example:8443/base")


@given(st.text(st.characters(min_codepoint=33, max_codepoint=126, exclude_characters="?#"), max_size=60))
def test_any_path_of_ascii_stays_as_given(text: str) -> None:
    wire = http_request_of(ONE, key(), read("/" + text))
    assert wire.target == "/base/" + text
    assert wire.url == "https://api.example:8443/base/" + text


@given(st.lists(st.tuples(st.text(st.characters(codec="utf-8")), st.text(st.characters(codec="utf-8")))))
def test_any_query_is_ascii_and_in_order(pairs: list[tuple[str, str]]) -> None:
    from urllib.parse import parse_qsl

    target = http_request_of(ONE, None, Request("GET", "/x", tuple(pairs))).target
    assert target.isascii()
    assert all(" " < c <= "~" for c in target)
    assert parse_qsl(target.partition("?")[2], keep_blank_values=True) == pairs


@given(st.text(), st.text(), st.text())
def test_whatever_is_given_is_sent_whole_or_refused_without_a_secret(
    method: str, path: str, kind: str
) -> None:
    said = ""
    wire = None
    try:
        wire = http_request_of(ONE, key(), Request(method, path, body=b"", content_type=kind))
    except CannotSend as error:
        said = error.sentence + error.advice
    assert KEY not in said
    if wire is None:
        return
    for name, value in wire.headers:
        assert "\r" not in name + value
        assert "\n" not in name + value
        value.encode("latin-1")


def test_the_host_header_names_the_origin() -> None:
    assert dict(http_request_of(ONE, None, read()).headers)["host"] == "api.example:8443"


def test_without_a_credential_none_is_sent() -> None:
    assert "x-apikey" not in dict(http_request_of(ONE, None, read()).headers)


@pytest.mark.parametrize("kind", ["a\nb", "a\rb", "\u4e2d", "a\x00", " a", "a "])
def test_header_values_are_checked(kind: str) -> None:
    with pytest.raises(CannotSend) as info:
        http_request_of(ONE, None, Request("POST", "/x", body=b"", content_type=kind))
    assert "content type" in info.value.sentence


def test_an_empty_content_type_is_left_out() -> None:
    assert "content-type" not in dict(
        http_request_of(ONE, None, Request("POST", "/x", body=b"x", content_type="")).headers
    )
