"""The decoders of `strict`, but without importing msgspec themselves.

Importing msgspec takes 11 ms (measured), a tenth of the start of a bare window, and the first rows are read before
that. Until the program has imported it, these decoders refuse every text, and the tolerant walk of `members` is used
instead; the result is the same (tests/mirror/jsontext/test_quick.py).
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
    """msgspec has not been imported yet."""


class Decoder(Generic[Made]):
    """Decodes one kind of value. At the first use after the import, msgspec's own decoder replaces it."""

    def __init__(self, name: Literal["OBJECT", "ARRAY", "TEXT"]) -> None:
        """``name`` is that of the decoder in `strict`."""
        self._name = name
        self.decode: Callable[[bytes | memoryview], Made] = self._first

    def _first(self, data: bytes | memoryview) -> Made:
        """The value. Raises one of `refusals` when msgspec refuses the text or is not imported yet."""
        if "msgspec" not in sys.modules:
            raise NotYet
        self.decode = getattr(_strict(), self._name).decode
        return self.decode(data)


def refusals() -> tuple[type[Exception], ...]:
    """The exceptions of a `Decoder`. Call it in the ``except`` clause, where it is evaluated only after a raise."""
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
