"""How a third party's records of one kind are made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from explorer.sandbox.draw import Draw

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Shape:
    """One resource of one third party.

    Attributes:
        raw: makes the raw record with a number; all that varies beyond `texts` comes from the draw.
        texts: the texts in a record that follow from its number alone: identifiers, codes, dates. A template
            made for one number becomes the record of another by replacing them.
        number: the record's number behind an id, or None when the id is none of this third party's.
    """

    raw: Callable[[Draw, int], Json]
    texts: Callable[[int], tuple[str, ...]]
    number: Callable[[str], int | None]
