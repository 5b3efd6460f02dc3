"""Search in bytes as received: complete over bites, in either case, and with JSON's escapes."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.ui.kit import json_find
from explorer.ui.kit.json_find import TextSearch


def hits(data: bytes, text: str) -> list[int]:
    search = TextSearch(data, text)
    for _ in search.steps():
        pass
    assert search.complete
    return search.hits


@given(st.lists(st.sampled_from(["acme", "ACME", "ac", "me", "x", " "]), max_size=30), st.integers(4, 9))
def test_bites_lose_and_double_nothing(words: list[str], bite: int) -> None:
    data = "".join(words).encode()
    before = json_find.BITE
    json_find.BITE = bite
    try:
        found = hits(data, "acme")
    finally:
        json_find.BITE = before
    lower = data.lower()
    assert found == [i for i in range(len(lower)) if lower.startswith(b"acme", i)]


@pytest.mark.parametrize(
    ("value", "text"),
    [("Köln", "köln"), ("Köln", "KÖLN"), ("a\nb", "a\nb"), ('say "so"', '"so"'), ("日本", "日本")],
)
def test_either_form_of_the_text_is_found(value: str, text: str) -> None:
    for ascii_only in (True, False):
        assert hits(json.dumps([value], ensure_ascii=ascii_only).encode(), text)


def test_forty_megabytes_are_searched_in_bites() -> None:
    data = b'{"v":"' + b"y" * 40_000_000 + b'NEEDLE"}'
    search = TextSearch(data, "needle")
    shares = list(search.steps())
    assert len(shares) >= 38
    assert shares == sorted(shares)
    assert search.hits == [40_000_006]


def test_very_many_hits_are_bounded_and_said() -> None:
    search = TextSearch(b"aa" * 200_000, "a")
    for _ in search.steps():
        pass
    assert search.more
    assert len(search.hits) == json_find.HITS_BOUND


def test_nothing_to_look_for_finds_nothing() -> None:
    assert hits(b"abc", "") == []
    assert hits(b"", "a") == []
