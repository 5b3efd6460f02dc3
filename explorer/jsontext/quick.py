"""The decoders of `strict`, once the program has imported msgspec.

The first rows of a start are read before that: its import takes 11 ms (measured), a tenth of a bare window. Until then
these refuse every text, as msgspec refuses one that is not well formed, and the tolerant walk of `members` reads
it instead; what is shown is the same (tests/mirror/jsontext/test_quick.py).
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING, Generic, Literal, TypeVar

if TYPE_CHECKING:
    import msgspec

Made = TypeVar("Made")


class NotYet(Exception):
    """msgspec is not there yet."""


class Decoder(Generic[Made]):
    """Decodes one kind of value; msgspec's own decoder takes its place at the first use after the import."""

    def __init__(self, name: Literal["OBJECT", "ARRAY", "TEXT"]) -> None:
        """``name`` is that of the decoder in `strict`."""
        self._name = name
        self.decode: Callable[[bytes | memoryview], Made] = self._first

    def _first(self, data: bytes | memoryview) -> Made:
        """The value. Raises one of `refusals` on a text that msgspec refuses, or that comes too early."""
        if "msgspec" not in sys.modules:
            raise NotYet
        self.decode = getattr(_strict(), self._name).decode
        return self.decode(data)


def refusals() -> tuple[type[Exception], ...]:
    """What a `Decoder` raises on a text that it does not read; an ``except`` asks only when something was raised."""
    if "msgspec" not in sys.modules:
        return (NotYet,)
    return _refusals()


@functools.cache
def _refusals() -> tuple[type[Exception], ...]:
    return NotYet, *_strict().REFUSED


def _strict() -> ModuleType:
    from explorer.jsontext import strict  # it imports msgspec

    return strict


OBJECT: Decoder[dict[str, msgspec.Raw]] = Decoder("OBJECT")
ARRAY: Decoder[list[msgspec.Raw]] = Decoder("ARRAY")
TEXT: Decoder[str] = Decoder("TEXT")
