"""msgspec's way of splitting JSON, once the program has imported msgspec.

The first rows of a start are read before that: its import takes 11 ms (measured), a tenth of a bare window. Until then
these refuse every text, as msgspec refuses one that is not well formed, and the tolerant scanner of `json_text` reads
it instead; what is shown is the same (tests/mirror/ui/kit/test_quick_json.py).
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    import msgspec

Made = TypeVar("Made")


class NotYet(Exception):
    """msgspec is not there yet."""


class Decoder(Generic[Made]):
    """Decodes one kind of value; msgspec's own decoder takes its place at the first use after the import."""

    def __init__(self, kind: Callable[[], Any]) -> None:
        """``kind`` gives the type to decode; asked when msgspec is there."""
        self._kind = kind
        self.decode: Callable[[bytes | memoryview], Made] = self._first

    def _first(self, data: bytes | memoryview) -> Made:
        """The value. Raises one of `refusals` on a text that msgspec refuses, or that comes too early."""
        if "msgspec" not in sys.modules:
            raise NotYet
        import msgspec

        self.decode = msgspec.json.Decoder(self._kind()).decode
        return self.decode(data)


def refusals() -> tuple[type[Exception], ...]:
    """What a `Decoder` raises on a text that it does not read; an ``except`` asks only when something was raised."""
    if "msgspec" not in sys.modules:
        return NotYet, UnicodeDecodeError, RecursionError
    import msgspec

    return NotYet, msgspec.DecodeError, UnicodeDecodeError, RecursionError


def _raw() -> Any:
    import msgspec

    return msgspec.Raw


OBJECT: Decoder[dict[str, msgspec.Raw]] = Decoder(lambda: dict[str, _raw()])  # type: ignore[misc]
ARRAY: Decoder[list[msgspec.Raw]] = Decoder(lambda: list[_raw()])  # type: ignore[misc]
TEXT: Decoder[str] = Decoder(lambda: str)
