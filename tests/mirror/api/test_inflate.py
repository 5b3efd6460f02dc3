"""Bodies with a bound: one layer, whatever the chunks, never more than asked for."""

from __future__ import annotations

import gzip
import tracemalloc
import zlib
from collections.abc import AsyncIterator, Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.api.errors import BadAnswer, TooLarge
from explorer.api.inflate import read_body
from tests.mirror.api.made import caught, run


def bare(data: bytes) -> bytes:
    made = zlib.compressobj(wbits=-15)
    return made.compress(data) + made.flush()


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "deflate": zlib.compress,
    "Deflate ": bare,
    "": bytes,
}


async def pieces(data: bytes, size: int) -> AsyncIterator[bytes]:
    for start in range(0, len(data), size):
        yield data[start : start + size]


@settings(deadline=None)
@given(st.binary(max_size=3000), st.sampled_from(sorted(PACKERS)), st.integers(1, 500))
def test_any_body_in_any_chunks(data: bytes, encoding: str, size: int) -> None:
    packed = PACKERS[encoding](data)
    most = max(len(data), len(packed))
    assert run(read_body(pieces(packed, size), encoding, most)) == data
    if len(data) > 1:
        run(caught(read_body(pieces(packed, size), encoding, len(data) - 1), TooLarge))


def test_members_follow_one_another_and_rubbish_after_is_ignored() -> None:
    data = gzip.compress(b"a") + gzip.compress(b"b") + b"\0\0"
    for size in (1, 7, 1000):
        assert run(read_body(pieces(data, size), "gzip", 100)) == b"ab"


def test_a_bomb_holds_no_more_than_the_bound() -> None:
    bomb = gzip.compress(bytes(200_000_000))
    tracemalloc.start()
    try:
        run(caught(read_body(pieces(bomb, 65_536), "gzip", 1_000_000), TooLarge))
        assert tracemalloc.get_traced_memory()[1] < 8_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("encoding", ["gzip, gzip", "gzip,deflate", "br", "zstd", "compress", "gzip, br"])
def test_other_packings_are_refused_unread(encoding: str) -> None:
    async def never() -> AsyncIterator[bytes]:
        raise AssertionError("the body was read")
        yield b""

    error = run(caught(read_body(never(), encoding, 100), BadAnswer))
    assert "not requested" in error.sentence


@pytest.mark.parametrize("encoding", ["identity", "identity, gzip", " , gzip"])
def test_identity_is_no_layer(encoding: str) -> None:
    data = b"x" if encoding == "identity" else gzip.compress(b"x")
    assert run(read_body(pieces(data, 10), encoding, 100)) == b"x"


@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
@pytest.mark.parametrize(
    "damage", [lambda d: d[:-9], lambda d: b"?" + d, lambda d: d[:1], lambda d: d[:12] + b"zzz" + d[15:]]
)
def test_damaged_packings_are_said(encoding: str, damage: Callable[[bytes], bytes]) -> None:
    packed = PACKERS[encoding](b"some text that is long enough to be packed " * 5)
    error = run(caught(read_body(pieces(damage(packed), 11), encoding, 10_000), BadAnswer))
    assert error.__context__ is None


def test_nothing_at_all_is_an_empty_body() -> None:
    assert run(read_body(pieces(b"", 1), "gzip", 10)) == b""
