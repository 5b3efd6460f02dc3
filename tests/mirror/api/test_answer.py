"""A good answer: its headers in any case, its body parsed or said to be no JSON."""

from __future__ import annotations

import math

import pytest

from explorer.api.answer import Answer
from explorer.api.errors import NotJson


def made(body: bytes, *headers: tuple[str, str]) -> Answer:
    return Answer(200, headers, body, 1.0, 3)


def test_headers_are_found_in_any_case() -> None:
    answer = made(b"", ("Content-TYPE", "Application/JSON; charset=utf-8"), ("x", "1"), ("X", "2"))
    assert (answer.content_type, answer.header("X"), answer.header("none")) == ("application/json", "1", "")


def test_json_is_lenient_about_what_services_send() -> None:
    assert made(b'\xef\xbb\xbf{"a": 1, "a": 2}').json() == {"a": 2}
    assert math.isnan(made(b"NaN").json())
    assert made(b'"\\ud800"').json() == "\ud800"


@pytest.mark.parametrize(
    ("body", "piece"),
    [(b"", "is empty"), (b"<html>", "no JSON (the service calls it text/html)"), (b"\xff", "no JSON")],
)
def test_no_json_is_said(body: bytes, piece: str) -> None:
    with pytest.raises(NotJson) as info:
        made(body, ("content-type", "text/html; x=y")).json()
    assert piece in info.value.sentence
    assert info.value.exchange == 3


def test_nesting_without_end_is_no_json() -> None:
    with pytest.raises(NotJson):
        made(b"[" * 200_000).json()
