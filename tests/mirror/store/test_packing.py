"""A packed page gives back each record's own bytes and its body, whatever they are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.digest import digest_of
from explorer.store.packing import Packed, Packer


@given(st.lists(st.binary(max_size=30), max_size=30), st.binary(max_size=20), st.booleans())
def test_any_bytes_come_back(records: list[bytes], rest: bytes, inside: bool) -> None:
    packer = Packer()
    body = rest + b",".join(records) + rest if inside else rest
    unpacked = packer.unpack(packer.pack(body, records), len(records), len(body), digest_of(records))
    assert unpacked.body == body
    assert unpacked.records(0, len(records)) == records
    assert unpacked.records(1, 3) == records[1:3]


def test_records_are_found_in_the_body_and_not_stored_again() -> None:
    packer = Packer()
    records = [bytes([65 + n]) * 1000 for n in range(20)]
    body = b"[" + b",".join(records) + b"]"
    unpacked = packer.unpack(packer.pack(body, records), len(records), len(body), None)
    assert unpacked.size < len(body) + 20 * 8 * 2 + 8


def test_a_page_found_sound_vouches_for_the_same_bytes_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    packer, records, body = Packer(), [b"1", b"22"], b"[1,22]"
    data, digest = packer.pack(body, records), digest_of(records)
    for _ in range(2):
        assert packer.unpack(data, 2, len(body), digest).records(0, 2) == records
        for wrong in (
            (packer.pack(body, [b"1", b"2"]), 2, len(body), digest),
            (data, 1, len(body), digest),
            (data, 2, len(body) + 1, digest),
            (data, 2, len(body), digest_of([b"1", b"2"])),
            (data, 2, len(body), b""),
            (data, 2, len(body), digest * 5),
        ):
            with pytest.raises(ValueError, match=r"damaged|maximum key"):
                packer.unpack(*wrong)
    monkeypatch.setattr(Packed, "digest", None)
    assert packer.unpack(data, 2, len(body), digest).body == body, "it was computed once"


@pytest.mark.parametrize("place", [0, 10, -1])
def test_a_bit_that_changed_on_the_disk_is_noticed(place: int) -> None:
    packer = Packer()
    packed = bytearray(packer.pack(b'{"items":[1,2,3]}' * 50, [b"1", b"2"]))
    packed[place] ^= 0x40
    with pytest.raises(ValueError, match="damaged"):
        packer.unpack(bytes(packed), 2, 17 * 50, None)
