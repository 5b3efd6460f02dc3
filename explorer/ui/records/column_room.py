"""How the columns of a table share the room of its view. Arithmetic only; no widget is touched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Want:
    """What one column asks for, in pixels."""

    least: int
    """It is never narrower."""
    best: int
    """Shows its values whole, or as much of them as is reasonable."""
    grows: bool = False
    """Whether it may take what nobody else wants."""


def share(wants: Sequence[Want], room: int) -> list[int]:
    """A width for each column, from left to right.

    As many columns as fit with their least stand whole in ``room`` and fill it: what is over goes to each in equal
    parts until it has its best, then to the last that grows. The columns beyond them get their best; the first is
    never left out.
    """
    whole, taken = 0, 0
    for want in wants:
        if whole and taken + want.least > room:
            break
        whole, taken = whole + 1, taken + want.least
    inside = wants[:whole]
    over = max(room - taken, 0)
    given = [want.least for want in inside]
    lacking = sorted(range(whole), key=lambda at: inside[at].best - inside[at].least)
    for done, at in enumerate(lacking):
        part = min(inside[at].best - inside[at].least, over // (whole - done))
        given[at] += part
        over -= part
    growing = [at for at, want in enumerate(inside) if want.grows]
    if growing and (left := room - sum(given)) > 0:
        given[growing[-1]] += left
    return given + [want.best for want in wants[whole:]]
