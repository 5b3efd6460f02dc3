"""Bounded work a turn of the loop, for any text; and that reading in pieces loses nothing."""

import json
import re
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.jsontext import members as module
from explorer.jsontext.members import LONGEST_NAME, STRETCH, Member, kind_at, parts, skip_value, trim, walked
from explorer.jsontext.pieces import BREATH, GROUP, PIECE, Items, Members, stretch
from tests.mirror.jsontext.test_members import JSON
from tests.thorough import THOROUGH


def many_keys(count: int) -> bytes:
    return b"{" + b",".join(b'"key%d":%d' % (i, i) for i in range(count)) + b"}"


SHAPES: dict[str, Callable[[int], bytes]] = {
    "3,000 levels": lambda _: b'{"a":' * 3000 + b"1" + b"}" * 3000,
    "100,000 levels": lambda part: b'{"a":' * (100_000 // part) + b"1" + b"}" * (100_000 // part),
    "100,000 arrays": lambda part: b"[" * (100_000 // part) + b"]" * (100_000 // part),
    "never closed": lambda part: b'[{"a":' * (100_000 // part),
    "many keys": lambda part: many_keys(200_000 // part),
    "many objects": lambda part: b"[" + b",".join(b'{"id":%d}' % i for i in range(100_000 // part)) + b"]",
    "one string": lambda part: b'{"a":"' + b"word " * (8_000_000 // part) + b'"}',
    "escapes": lambda part: b'{"a":"' + b'\\"' * (2_000_000 // part) + b'"}',
    "no numbers": lambda part: b"[" + b",".join([b"NaN"] * (200_000 // part)) + b"]",
    "one number": lambda part: b"[" + b"1" * (9_000_000 // part) + b"]",
    "one number, deeper": lambda part: b"[[[" + b"1" * (9_000_000 // part) + b"]]]",
    "no value": lambda part: b"[" + b"x" * (9_000_000 // part) + b"]",
    "blanks": lambda part: (
        b'{"a": ' + b" \n" * (4_000_000 // part) + b'1, "b" ' + b" " * (4_000_000 // part) + b": 2}"
    ),
    "blanks, deeper": lambda part: b'{"a": [{' + b" \n" * (4_000_000 // part) + b"}]}",
    "many keys, deeper": lambda part: b'{"a":' + many_keys(200_000 // part) + b"}",
    "small arrays": lambda part: (
        b"[" + b",".join([b"[" + b",".join([b"[]"] * 120) + b"]"] * (4_000 // part)) + b"]"
    ),
    "long texts": lambda part: b"[" + b",".join([b'"' + b'\\"y' * 1_000 + b'"'] * (4_000 // part)) + b"]",
    "one name": lambda part: b'{"' + b"k" * (9_000_000 // part) + b'":1}',
}
"""Made when they are asked for, whole or a part of that: all of them take 150 MB."""

COUNTED = ("_SPACE", "_TURNS", "_PLAIN_ITEM", "_PLAIN_MEMBER", "_IN_TEXT", "_DIGITS")
QUICK = {"_IN_TEXT": 5, "_TURNS": 6}
IMPORTED = ("BARE_BYTES", "NUMBER_BYTES", "TEXT_BYTES", "WHOLE_TEXTS_BYTES")


class CountedPattern:
    """A pattern that says how many bytes it went through."""

    def __init__(self, pattern: "re.Pattern[bytes]", count: Callable[[int], None]) -> None:
        self._pattern, self._count = pattern, count

    def _gone(self, start: int, found: "re.Match[bytes] | None", end: int) -> "re.Match[bytes] | None":
        self._count((found.end() if found is not None else end) - start)
        return found

    def match(self, data: bytes, at: int, end: int = sys.maxsize) -> "re.Match[bytes] | None":
        found = self._pattern.match(data, at, end)
        return self._gone(at, found, at)

    def fullmatch(self, data: bytes, at: int, end: int) -> "re.Match[bytes] | None":
        return self._gone(at, self._pattern.fullmatch(data, at, end), end)

    def search(self, data: bytes, at: int, end: int) -> "re.Match[bytes] | None":
        return self._gone(at, self._pattern.search(data, at, end), end)

    def sub(self, by: bytes, data: bytes) -> bytes:
        self._count(len(data))
        return self._pattern.sub(by, data)


@pytest.fixture
def gone(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many bytes were gone through so far; where that goes quickly, they count for a part of one."""
    sums = [0]

    def counting(pace: int) -> Callable[[int], None]:
        def count(octets: int) -> None:
            sums[0] += octets >> pace

        return count

    for name in (*COUNTED, *IMPORTED):
        pattern = CountedPattern(getattr(module, name), counting(QUICK.get(name, 0)))
        monkeypatch.setattr(module, name, pattern)
    return sums


@pytest.mark.parametrize("name", SHAPES)
def test_a_turn_goes_through_a_bounded_number_of_bytes(name: str, gone: list[int]) -> None:
    """What is not one quoted text is gone through a stretch at a time, each part of it some times over."""
    data = SHAPES[name](1)
    members, most = Members(data, 0, len(data)), 0
    while not members.complete:
        before = gone[0]
        members.go_on()
        most = max(most, gone[0] - before)
    assert most <= 40 * STRETCH


def test_a_value_is_told_and_trimmed_by_a_bounded_part_of_it(gone: list[int]) -> None:
    digits = b"1" * 9_000_000
    assert kind_at(digits, 0, len(digits)) == "number"
    assert kind_at(b"-" + digits + b".", 0, len(digits) + 2) == "number", "by its beginning"
    assert kind_at(b"x" + digits, 0, len(digits) + 1) == "invalid"
    assert gone[0] <= 20 * STRETCH
    assert trim(b" \n" * 100_000 + b"1 2" + b"\t " * 100_000) == (200_000, 200_003)
    assert trim(b" " * 100_000) == (100_000, 100_000)


def test_a_name_of_any_length_is_read_by_its_beginning() -> None:
    data = SHAPES["one name"](1)
    (only,) = (m for m in walked(data, 0, len(data)) if m is not None)
    assert LONGEST_NAME <= len(only.key) + 1 <= LONGEST_NAME + 1
    assert data[only.start : only.end] == b"1"


@pytest.mark.parametrize("name", SHAPES)
def test_a_turn_reads_a_bounded_number_of_members_and_brackets(name: str) -> None:
    """Between two steps of a walk at most a bounded stretch is gone through that is not one text."""
    data = SHAPES[name](1 if THOROUGH else 4)
    members = Members(data, 0, len(data))
    before, turns = 0, 0
    while not members.complete:
        members.go_on()
        assert members.count - before <= PIECE
        before, turns = members.count, turns + 1
    steps = sum(1 if step is not None else BREATH for step in walked(data, 0, len(data)))
    assert turns <= steps // PIECE + 1 + steps // BREATH


@given(JSON, st.booleans())
def test_a_walk_gives_what_is_read_at_once(value: Any, spaced: bool) -> None:
    data = json.dumps(value, indent=1 if spaced else None).encode()
    if data[:1] in b"{[":
        stepped = [m for m in walked(data, 0, len(data)) if m is not None]
        assert tuple(stepped) == parts(data, 0, len(data)).members
        for number, member in enumerate(stepped):  # and from any member on
            later = [m for m in walked(data, 0, len(data), member.key_start) if m is not None]
            assert later == stepped[number:]


@given(st.text('{}[]",: 1a\\', max_size=3000).map(str.encode), st.integers(0, 9))
def test_a_long_value_ends_where_its_brackets_say(inside: bytes, deep: int) -> None:
    data = (
        b"[" * deep + json.dumps([inside.decode(), {"a": [inside.decode()] * 9}] * 9).encode() + b"]" * deep
    )
    assert skip_value(data + b",1]", 0, len(data) + 3) == len(data)


def test_items_are_cut_out_as_received() -> None:
    data = SHAPES["many objects"](1)
    items = Items(data)
    assert sum(1 for _ in items.reading()) > 10
    assert len(items) == 100_000
    assert items[0] == b'{"id":0}'
    assert items[-1] == b'{"id":99999}'
    assert items[GROUP - 1 : GROUP + 1] == [b'{"id":999}', b'{"id":1000}']


def test_a_stretch_ends_after_its_steps() -> None:
    def endless() -> Iterator[Member | None]:
        while True:
            yield None
            yield Member("", 0, 0, 1)

    assert len(list(stretch(endless(), 10 * (BREATH + 1)))) == 10
