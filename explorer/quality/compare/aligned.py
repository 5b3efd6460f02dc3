"""Two compared lists row by row: which row of each stands in which line, when they are shown side by side.

The lines are in the order of the first list. A record that only the second list has stands behind the one that precedes
it there, wherever that stands in the first; at the beginning where none precedes it. Which records belong together is
what `explorer.quality.compare.compare` found: of several with one id the first belongs to the first.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import compress

from explorer.quality.compare.rows import CalledOff, Wanted, always

SAME, DIFFERS, ONLY_LEFT, ONLY_RIGHT = range(4)
"""What a line is: `Aligned.states`."""
GAP = -1
"""In place of a row: this side has none in that line."""
_BITE = 2_000


@dataclass(frozen=True, slots=True)
class Aligned:
    """The lines, as numbers: nine bytes for each."""

    left: array[int] = field(default_factory=lambda: array("i"))
    """The row of the first list, counted from 0, or `GAP`."""
    right: array[int] = field(default_factory=lambda: array("i"))
    """The row of the second list, or `GAP`."""
    states: bytearray = field(default_factory=bytearray)

    def __len__(self) -> int:
        return len(self.states)

    def lines(self, states: Collection[int]) -> array[int]:
        """The numbers of the lines in one of these states, in order."""
        wanted = self.states.translate(bytes(state in states for state in range(256)))
        return array("i", compress(range(len(self)), wanted))


def align(partners: Sequence[int], rows: int, changed: Iterable[int], wanted: Wanted = always) -> Aligned:
    """Aligns two lists. Blocks: for a worker thread.

    ``partners`` has for each row of the first list its row in the second, or `GAP`; ``rows`` is how many the second
    has; ``changed`` are the rows of the first whose records differ. Raises CalledOff.
    """
    made = Aligned()
    differs, alone = bytearray(len(partners)), bytearray(b"\1") * rows
    for row in changed:
        differs[row] = 1
    for row in partners:
        if row != GAP:
            alone[row] = 0

    def put(left: int, right: int, state: int) -> None:
        made.left.append(left)
        made.right.append(right)
        made.states.append(state)
        if len(made) % _BITE == 0 and not wanted():
            raise CalledOff

    def put_alone(row: int) -> None:
        """Puts what only the second list has from that row on, up to the next that both have."""
        while row < rows and alone[row]:
            put(GAP, row, ONLY_RIGHT)
            row += 1

    put_alone(0)
    for row, partner in enumerate(partners):
        if partner == GAP:
            put(row, GAP, ONLY_LEFT)
        else:
            put(row, partner, DIFFERS if differs[row] else SAME)
            put_alone(partner + 1)
    return made
