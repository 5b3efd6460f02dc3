"""Bytes as text for a plain field: bounded in length and in line, never silently short."""

from hypothesis import given
from hypothesis import strategies as st

from explorer.ui.kit.text_shown import LINE_BOUND, TEXT_BOUND, shown_as_text


def test_json_is_indented_and_its_tokens_stay() -> None:
    shown = shown_as_text(b'{"a":1e400,"b":12345678901234567890,"c":"\\u00e9"}')
    assert shown == '{\n  "a": 1e400,\n  "b": 12345678901234567890,\n  "c": "\\u00e9"\n}'


def test_other_text_stays_as_it_is() -> None:
    assert shown_as_text(b"<html>\r\n502 Bad Gateway</html>") == "<html>\n502 Bad Gateway</html>"


def test_long_lines_are_broken_and_what_is_left_out_is_said() -> None:
    shown = shown_as_text(b"x" * 40_000_000)
    assert max(map(len, shown.split("\n"))) <= LINE_BOUND
    assert len(shown) < TEXT_BOUND * 1.1
    assert "of 40.0 MB are not shown here" in shown


def test_what_is_no_text_is_said_by_its_size() -> None:
    assert shown_as_text(b"%PDF-1.7\n\x00\x01" + b"\0" * 2000).startswith("2.0 kB that are not text")


@given(st.binary(max_size=300))
def test_any_bytes_are_shown(data: bytes) -> None:
    shown_as_text(data).encode()
