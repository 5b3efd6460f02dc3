"""One transformation between two JSON values: its name, whether it loses something, and its function."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from typing import Any

from explorer.quality.values.flat import BOXES


class _Missing:
    """The one value that stands for "does not apply"."""

    def __repr__(self) -> str:
        return "MISSING"

    def __bool__(self) -> bool:
        return False

    def __copy__(self) -> _Missing:
        return self

    def __deepcopy__(self, memo: object) -> _Missing:
        return self


MISSING: Any = _Missing()
"""The result of a transform for a value that it does not apply to."""
_FAULTS = (ValueError, TypeError, LookupError, ArithmeticError, RecursionError, AttributeError)
_DEEPEST = 60
_NUMBERS = (int, float)
"""A tuple, because ``int | float`` would be built anew for every value that is tested."""


@dataclass(frozen=True, slots=True)
class Transform:
    """A step from one JSON value to another; equal to another with the same name and words."""

    name: str
    """A stable word, for reports and baselines: ``cut``, ``zone dropped``."""
    words: str
    """The description for people, with parameters: ``is cut at 255 characters``."""
    lossy: bool = False
    """Whether something is lost that could have been kept."""
    make: Callable[[Any], Any] = field(default=lambda value: value, compare=False, repr=False)
    cost: int = field(default=1, compare=False, repr=False)
    """Its rank among transforms that explain equally many pairs: the cheaper one is preferred."""
    takes_null: bool = field(default=False, compare=False, repr=False)
    """Whether it converts null; for all others null stays null."""

    def __call__(self, value: Any) -> Any:
        """The result for a value, or MISSING where it does not apply. Never raises on JSON."""
        if value is None and not self.takes_null:
            return None
        try:
            return self.make(value)
        except _FAULTS:
            return MISSING

    def then(self, other: Transform) -> Transform:
        """This step followed by another."""

        def both(value: Any) -> Any:
            between = self(value)
            return MISSING if between is MISSING else other(between)

        if self.name == "same":
            return other
        if other.name == "same":
            return self
        if self == other:
            return Transform(
                f"{self.name} twice", f"{self.words} twice", self.lossy, both, 2 * self.cost, self.takes_null
            )
        more = other.words.removeprefix("is ") if self.words.startswith("is ") else other.words
        return Transform(
            f"{self.name}, {other.name}",
            f"{self.words} and {more}",
            self.lossy or other.lossy,
            both,
            self.cost + other.cost + 1,
            self.takes_null or other.takes_null,
        )


SAME = Transform("same", "is the same", cost=0)


def equal(one: Any, other: Any, depth: int = 0) -> bool:
    """Whether two JSON values are equal: 1 and 1.0 are, 1 and true or "1" are not. Too deeply nested ones are not."""
    if type(one) is str and type(other) is str:
        return one == other  # most are
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict):
        if not isinstance(other, dict) or len(one) != len(other) or depth > _DEEPEST:
            return False
        return all(name in other and equal(value, other[name], depth + 1) for name, value in one.items())
    if isinstance(one, list):
        if not isinstance(other, list) or len(one) != len(other) or depth > _DEEPEST:
            return False
        return all(equal(mine, its, depth + 1) for mine, its in zip(one, other, strict=True))
    if isinstance(other, BOXES):
        return False
    return bool(one == other) and one is not MISSING and other is not MISSING


def is_number(value: Any) -> bool:
    """Whether a value is a JSON number; true and false are not."""
    return isinstance(value, _NUMBERS) and not isinstance(value, bool)


def of_text(make: Callable[[str], Any], longest: float = inf) -> Callable[[Any], Any]:
    """``make`` for texts of at most ``longest`` characters; it does not apply to anything else."""
    return lambda value: make(value) if isinstance(value, str) and len(value) <= longest else MISSING


def of_number(make: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """``make`` for JSON numbers only."""
    return lambda value: make(value) if is_number(value) else MISSING
