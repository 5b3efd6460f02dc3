"""The members of one JSON array or object: found at once where it is small, else a bounded piece at a time.

Of a large one only the position of each thousandth member is kept, so that a million members take little memory; the
members of one group are found again when they are needed.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import overload

from explorer.jsontext.members import Member, parts, trim, walked

GROUP = 1000
"""Members of one group."""
AT_ONCE = 48_000
"""The most bytes of an array or object that is read whole in one turn of the event loop."""
PIECE = 1_500
"""Steps in one turn of the event loop: at most some 5 ms, whatever the text is."""
_KEPT = 4
"""Groups of items whose positions are cached."""
BREATH = 400
"""Steps that a pause of the walk counts for: a stretch without a member takes as long as so many small members."""


class Members:
    """The members directly inside the value ``data[start:end]``. Call `go_on` until `complete`."""

    def __init__(self, data: bytes, start: int, end: int) -> None:
        self._data, self._start, self._end = data, start, end
        self.count = 0
        """The number of members found so far."""
        self.fault = ""
        """What is wrong with the text, in words; empty when it is well-formed."""
        self.complete = False
        self._all: tuple[Member, ...] | None = None
        self._marks: list[Member] = []
        self._ends: list[int] = []
        self._first: list[Member] = []
        self._walk: Iterator[Member | None] = iter(())
        if end - start <= AT_ONCE:
            self._all, self.fault = parts(data, start, end)
            self.count, self.complete = len(self._all), True
        else:
            self._walk = self._walked()

    def go_on(self, steps: int = PIECE) -> None:
        """Continues for a bounded number of steps; does nothing once it is complete."""
        if not self.complete:
            for _ in stretch(self._walk, steps):
                pass

    def _walked(self) -> Iterator[Member | None]:
        self.fault = yield from self._counted(walked(self._data, self._start, self._end))
        self.complete = True

    def _counted(self, walk: Generator[Member | None, None, str]) -> Generator[Member | None, None, str]:
        while True:
            try:
                member = next(walk)
            except StopIteration as over:
                return str(over.value)
            if member is not None:
                if self.count < GROUP:
                    self._first.append(member)
                if self.count % GROUP == 0:
                    self._marks.append(member)
                    self._ends.append(0)
                self._ends[-1] = member.end
                self.count += 1
            yield member

    def group(self, number: int) -> list[Member]:
        """The members of group ``number`` (from 0), a thousand at most."""
        first = number * GROUP
        if self._all is not None:
            return list(self._all[first : first + GROUP])
        if number == 0 or first >= self.count:
            return self._first[:] if number == 0 else []
        made: list[Member] = []
        walk = walked(self._data, self._start, self._end, self._marks[number].key_start)
        for member in walk:
            if member is not None:
                made.append(member)
                if len(made) == min(GROUP, self.count - first):
                    break
        return made

    def span(self, number: int) -> Member:
        """The position of a whole group, as one member."""
        if self._all is not None:
            inside = self.group(number)
            return Member("", inside[0].key_start, inside[0].key_start, inside[-1].end)
        start = self._marks[number].key_start
        return Member("", start, start, self._ends[number])


class Items(Sequence[bytes]):
    """The items of an array as received, each sliced from it on access. Run `reading` to its end first."""

    def __init__(self, data: bytes) -> None:
        start, end = trim(data)
        self._data = data
        self._members = Members(data, start, end)
        self._groups: dict[int, list[Member]] = {}

    def reading(self) -> Iterator[None]:
        """Finds the positions of the items; yields None after each piece."""
        while not self._members.complete:
            self._members.go_on()
            yield None

    def __len__(self) -> int:
        return self._members.count

    @overload
    def __getitem__(self, place: int) -> bytes: ...
    @overload
    def __getitem__(self, place: slice) -> list[bytes]: ...
    def __getitem__(self, place: int | slice) -> bytes | list[bytes]:
        if isinstance(place, slice):
            return [self[one] for one in range(*place.indices(len(self)))]
        number, inside = divmod(range(len(self))[place], GROUP)
        found = self._groups.get(number)
        if found is None:
            if len(self._groups) >= _KEPT:
                self._groups.pop(next(iter(self._groups)))
            found = self._groups[number] = self._members.group(number)
        return self._data[found[inside].start : found[inside].end]


def stretch(walk: Iterator[Member | None], steps: int = PIECE) -> Iterator[Member]:
    """The next members of a walk, as many as fit into one turn of the event loop."""
    while steps > 0:
        try:
            member = next(walk)
        except StopIteration:
            return
        steps -= 1 if member is not None else BREATH
        if member is not None:
            yield member
