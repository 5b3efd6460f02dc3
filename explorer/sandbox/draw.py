"""Chance that always falls the same way, and identifiers that look random and can be read back.

Only `random.Random.random` is used: its sequence for a seed is promised across Python versions, that of
`choice` and `randrange` is not.
"""

from __future__ import annotations

import functools
import hashlib
import json
import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone
from typing import Any, TypeVar

from explorer.paths import resource

T = TypeVar("T")

_BITS = 40
_MASK = (1 << _BITS) - 1
_STEP = 0x9E3779B97B
_BACK = pow(_STEP, -1, 1 << _BITS)
_BASE32 = "0123456789abcdefghjkmnpqrstvwxyz"


class Draw:
    """A source of chance named by the seed and what it is for, such as `Draw(2025, "greenhouse", "job", 17)`."""

    __slots__ = ("_random",)

    def __init__(self, *names: object) -> None:
        text = "|".join(map(str, names)).encode()
        self._random = random.Random(
            int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big")
        ).random

    def below(self, bound: int) -> int:
        """A whole number from 0 to bound - 1."""
        return int(self._random() * bound)

    def pick(self, choices: Sequence[T]) -> T:
        return choices[int(self._random() * len(choices))]

    def chance(self, share: float) -> bool:
        return self._random() < share

    def hexadecimal(self, length: int) -> str:
        return "".join("0123456789abcdef"[int(self._random() * 16)] for _ in range(length))


def scramble(number: int) -> int:
    """A number of 40 bits that looks like chance and leads back with `unscramble`."""
    return (number * _STEP + 0x5A5A5A) & _MASK


def unscramble(value: int) -> int:
    """Back from `scramble`."""
    return ((value - 0x5A5A5A) * _BACK) & _MASK


def uuid_of(kind: int, number: int) -> str:
    """A UUID (version 4 in form) for the record `number` of a kind from 0 to 4095."""
    value = scramble(number)
    return f"{value >> 8:08x}-{value & 0xFF:02x}5e-4{kind:03x}-a1{value >> 32:02x}-{value:010x}5b"


def letters_of(number: int) -> str:
    """Eight lower-case letters and digits for a record."""
    value = scramble(number)
    return "".join(_BASE32[(value >> shift) & 31] for shift in range(35, -5, -5))


def number_of(letters: str) -> int | None:
    """The record's number that `letters_of` was given, or None when the text is no such thing."""
    value = 0
    for letter in letters:
        digit = _BASE32.find(letter)
        if digit < 0:
            return None
        value = (value << 5) | digit
    return unscramble(value) if len(letters) == 8 else None


_START = datetime(2021, 3, 1, 8, 0, tzinfo=UTC)


class Moments:
    """When a record was made and last changed; follows from its number alone, so that a template can be refilled."""

    __slots__ = ("changed", "made")

    def __init__(self, number: int) -> None:
        self.made = _START + timedelta(seconds=(number * 86_413) % 130_000_000, milliseconds=number % 997)
        self.changed = self.made + timedelta(seconds=60 + (number * 7_919_993) % 9_000_000)


def iso(moment: datetime) -> str:
    """2024-05-06T07:08:09.123Z"""
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}Z"


def iso_seconds(moment: datetime, offset_hours: int = 0) -> str:
    """2024-05-06T07:08:09Z, or with an offset 2024-05-06T00:08:09-07:00"""
    if not offset_hours:
        return f"{moment:%Y-%m-%dT%H:%M:%S}Z"
    return moment.astimezone(timezone(timedelta(hours=offset_hours))).isoformat(timespec="seconds")


def epoch_milliseconds(moment: datetime) -> int:
    """1714979289123"""
    return int(moment.timestamp()) * 1000 + moment.microsecond // 1000


@functools.cache
def words() -> dict[str, Any]:
    """The vocabulary that records are made of, from the bundled seed data."""
    loaded: dict[str, Any] = json.loads(resource("sandbox/words.json").read_text(encoding="utf-8"))
    return loaded


def person(draw: Draw) -> tuple[str, str]:
    """First and last name."""
    vocabulary = words()
    return draw.pick(vocabulary["first_names"]), draw.pick(vocabulary["last_names"])


def sentences(draw: Draw, count: int) -> str:
    """Running text."""
    return " ".join(draw.pick(words()["sentences"]) for _ in range(count))
