"""Random values that depend on the seed alone, their vocabulary, and dates that follow from a number.

Only `random.Random.random` is used: its sequence for a seed is promised across Python versions, that of
`choice` and `randrange` is not.
"""

from __future__ import annotations

import functools
import hashlib
import json
import random
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

from explorer.paths import resource

T = TypeVar("T")


class Draw:
    """A source of random values, named by the seed and its purpose, such as `Draw(2025, "greenhouse", "job", 17)`."""

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
        return "".join(self.pick("0123456789abcdef") for _ in range(length))

    def filled(self, form: str, facts: Mapping[str, Any] | None = None) -> str:
        """A format with its names replaced: by ``facts``, else by a word of the vocabulary's list of that name.

        ``hex`` is eight hexadecimal digits and ``digits`` seven decimal ones.
        """
        return form.format_map(_Words(self, facts or {}))


class _Words(dict[str, Any]):
    """What a format may name; a word is drawn when it is asked for."""

    def __init__(self, draw: Draw, facts: Mapping[str, Any]) -> None:
        super().__init__(facts)
        self._draw = draw

    def __missing__(self, name: str) -> str:
        if name == "hex":
            return self._draw.hexadecimal(8)
        if name == "digits":
            return f"{self._draw.below(10_000_000):07d}"
        word = self._draw.pick(words()[name])
        return str(word[0] if isinstance(word, list) else word)


_START = datetime(2021, 3, 1, 8, 0, tzinfo=UTC)


class Moments:
    """When a record was made and last changed; follows from its number alone, so that a template can be refilled."""

    __slots__ = ("changed", "made")

    def __init__(self, number: int) -> None:
        self.made = _START + timedelta(seconds=(number * 86_413) % 130_000_000, milliseconds=number % 997)
        self.changed = self.made + timedelta(seconds=60 + (number * 7_919_993) % 9_000_000)

    def of(self, name: str) -> datetime:
        """The moment for a date field of this name."""
        return self.made if "creat" in name else self.changed


def iso(moment: datetime) -> str:
    """2024-05-06T07:08:09.123Z"""
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}Z"


@functools.cache
def words() -> dict[str, Any]:
    """The vocabulary that records are made of, from the bundled seed data."""
    loaded: dict[str, Any] = json.loads(resource("sandbox/words.json").read_text(encoding="utf-8"))
    return loaded
