"""What a failed answer's body says, whatever it is."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from explorer.api.error_body import parse_error_body, plain
from explorer.catalog.interface import ErrorFormat

JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["message", "code", "data", "class", "error_type", "error_detail", "issues", "path", "error"]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=12,
)


@given(JSON)
def test_any_json_is_told_without_failing(value: object) -> None:
    import json

    said = parse_error_body(json.dumps(value).encode(), "application/json")
    assert "\n" not in said.message
    assert len(said.message) <= 300


@given(
    st.binary(max_size=300),
    st.sampled_from(["", "text/html", "application/json", "text/html; charset=utf-16"]),
)
def test_any_bytes_are_told_without_failing(body: bytes, kind: str) -> None:
    assert parse_error_body(body, kind).shape in ("nothing", "page", "other", "service", "third", "early")


def test_deep_nesting_is_told_without_failing() -> None:
    assert parse_error_body(b"[" * 100_000, "application/json").shape == "other"


def test_titles_are_plain_text() -> None:
    said = parse_error_body(b"<html><title> A &lt;b&gt; <i>B</i>\n C&#8238; </title>", "text/html")
    assert said.message == "A <b> B C"


def test_plain_is_one_short_line_without_odd_characters() -> None:
    assert plain("a\tb\r\n c\u202e\u0007d") == "a b c d"
    assert plain("x" * 400) == "x" * 299 + "…"


def test_the_redaction_comes_before_the_cut() -> None:
    secret = "s" * 20
    said = parse_error_body(("x" * 290 + secret).encode(), "", lambda text: text.replace(secret, "••"))
    assert "s" not in said.message


def test_the_words_stand_where_the_interface_says() -> None:
    declared = ErrorFormat(message="error.message", code="errors[0].code", third_party="error.provider")
    body = b'{"error": {"message": "No %s\\nmore", "provider": null}, "errors": [{"code": "E1"}], "message": "other"}'
    said = parse_error_body(body, "application/json", lambda text: text.replace("%s", "key"), declared)
    assert (said.shape, said.message, said.code) == ("service", "No key", "E1")
    assert '"other"' in said.detail
    third = b'{"error": {"message": "It failed", "provider": {"status": 429, "text": "slow down"}}}'
    said = parse_error_body(third, "application/json", str, declared)
    assert (said.shape, said.message, said.code) == ("third", '{"status": 429, "text": "slow down"}', "")


def test_a_body_without_them_is_told_by_its_shape() -> None:
    declared = ErrorFormat(message="error.message", code="error.code")
    for body in (
        b'{"message": "m", "code": "C"}',
        b"[]",
        b"",
        b"<html><title>t</title>",
        b'{"error": 7}',
        b"x",
    ):
        plainly = parse_error_body(body, "application/json")
        assert parse_error_body(body, "application/json", str, declared) == plainly
