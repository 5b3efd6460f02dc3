"""Bounded work a turn of the loop, for any text; and that reading in pieces loses nothing."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.jsontext.members import Member, parts, skip_value, walked
from explorer.jsontext.pieces import BREATH, GROUP, PIECE, Items, Members, stretch
from tests.mirror.jsontext.test_members import JSON


def many_keys(count: int) -> bytes:
    return b"{" + b",".join(b'"key%d":%d' % (i, i) for i in range(count)) + b"}"


SHAPES = {
    "3,000 levels": b'{"a":' * 3000 + b"1" + b"}" * 3000,
    "100,000 levels": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "100,000 arrays": b"[" * 100_000 + b"]" * 100_000,
    "never closed": b'[{"a":' * 100_000,
    "many keys": many_keys(200_000),
    "many objects": b"[" + b",".join(b'{"id":%d}' % i for i in range(100_000)) + b"]",
    "one string": b'{"a":"' + b"word " * 8_000_000 + b'"}',
    "escapes": b'{"a":"' + b'\\"' * 2_000_000 + b'"}',
    "no numbers": b"[" + b",".join([b"NaN"] * 200_000) + b"]",
}


@pytest.mark.parametrize("name", SHAPES)
def test_a_turn_reads_a_bounded_number_of_members_and_brackets(name: str) -> None:
    """Between two steps of a walk at most a bounded stretch is gone through that is not one text."""
    data = SHAPES[name]
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
    data = SHAPES["many objects"]
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
