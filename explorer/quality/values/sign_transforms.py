"""What becomes of a text at one of its signs: left out, doubled, another in its place, or all behind it lost.

A program that escapes, splits or cleans texts stumbles over a sign that only some of them have: the plus of an address,
a bracket, an apostrophe. What it does is the same wherever the sign stands, so it is learned from few texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from explorer.quality.values.transform import MISSING, Transform, of_text

_HARMLESS = frozenset("_-\n\r\t\u00a0 ")
"""Signs that may stand for one another, or be left out, with nothing lost."""
_LONGEST = 20_000
LEAST = {"sign lost": 3, "sign replaced": 3, "sign doubled": 2, "end lost": 3, "middle lost": 3}
"""The differing pairs, with as many different results, that each of these needs to be accepted."""
Proposal = tuple[Callable[..., Transform], tuple[Any, ...]]


def sign_lost(sign: str) -> Transform:
    """All of one sign left out."""
    return _of(sign, "sign lost", f"loses its {_shown(sign)}", lambda text: text.replace(sign, ""))


def sign_replaced(sign: str, other: str) -> Transform:
    """Another sign in the place of all of one."""
    words = f"has {_shown(other)} in place of {_shown(sign)}"
    return _of(sign, "sign replaced", words, lambda text: text.replace(sign, other))


def sign_doubled(sign: str) -> Transform:
    """All of one sign twice."""
    return _of(sign, "sign doubled", f"has {_shown(sign)} twice", lambda text: text.replace(sign, 2 * sign))


def end_lost(sign: str) -> Transform:
    """Nothing from the first of one sign on."""

    def make(text: str) -> str:
        return text.partition(sign)[0].rstrip()

    return _of(sign, "end lost", f"ends at its first {_shown(sign)}", make)


def middle_lost(first: str, last: str) -> Transform:
    """Nothing from the first of one sign to the next of another, which stays unless it is a bracket."""

    def make(text: str) -> Any:
        before, _, rest = text.partition(first)
        _, found, behind = rest.partition(last)
        if not found:
            return MISSING
        return f"{before}{'' if last in ')]}>' else last}{behind}"

    return _of(first, "middle lost", f"loses what stands between {_shown(first)} and {_shown(last)}", make)


def _of(sign: str, name: str, words: str, make: Callable[[str], Any]) -> Transform:
    """A transform that leaves texts without the sign as they are."""
    return Transform(name, words, True, of_text(lambda text: make(text) if sign in text else text), 3)


def _shown(sign: str) -> str:
    return {" ": "blank", ",": "comma", "'": "apostrophe", '"': "quotation mark"}.get(sign, f'"{sign}"')


def sign_proposals(source: str, made: str) -> Iterator[Proposal]:
    """What may have become of one text, where it is another."""
    if max(len(source), len(made)) > _LONGEST or not any(map(str.isalpha, source)):
        return  # of a number or a telephone number other rules hold
    at = next((at for at, (a, b) in enumerate(zip(source, made, strict=False)) if a != b), len(made))
    sign = source[at : at + 1]
    before = source[at - 1 : at]
    if len(made) > len(source):
        if before and not before.isalnum() and source.replace(before, 2 * before) == made:
            yield sign_doubled, (before,)
        return
    if sign and not sign.isalnum() and sign not in _HARMLESS:
        yield from _at(sign, source, made, at)
    behind = source[at:].lstrip()
    if made == source[:at].rstrip() and behind[:1] != sign and not behind[:1].isalnum():
        yield end_lost, (behind[:1],)


def _at(sign: str, source: str, made: str, at: int) -> Iterator[Proposal]:
    other = made[at : at + 1]
    if len(made) == len(source) and other and not other.isalnum():
        if source.replace(sign, other) == made:
            yield sign_replaced, (sign, other)
        return
    if source.replace(sign, "") == made:
        yield sign_lost, (sign,)
    if at >= len(made.rstrip()):
        yield end_lost, (sign,)
    gone = len(source) - len(made)
    if gone > 1 and made[at:] and source[at + gone :] == made[at:]:
        last = source[at + gone - 1] if source[at + gone - 1] in ")]}>" else made[at]
        if not last.isalnum():
            yield middle_lost, (sign, last)
