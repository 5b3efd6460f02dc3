"""The rows of the request log: the calls of this session, below them those on the disk, and a heading for each day.

Of the calls on the disk only numbers and times are held; a row is read where it is in sight.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, tzinfo
from typing import overload

from explorer.api.exchanges import Archive, Exchange, PastCalls, unreadable

_READ = 64
"""Calls that are read from the disk at once: those around one that is in sight."""
_HELD = 2000
_GONE = "No longer in the request log: its space was needed."


@dataclass(frozen=True, slots=True)
class Day:
    """A heading: the calls below it were sent on that day, up to the next heading."""

    day: date
    calls: int

    def title(self, today: date) -> str:
        """``Today``, ``Fri 20 Nov``; with the year when it is not the present one."""
        if self.day == today:
            return "Today"
        said = f"{self.day:%a} {self.day.day} {self.day:%b}"
        return said if self.day.year == today.year else f"{said} {self.day.year}"


class LogRows(Sequence[Exchange | Day]):
    """Newest first. Headings stand where there is more than this session's calls of one day."""

    def __init__(
        self,
        archive: Archive | None,
        zone: tzinfo | None,
        read: Callable[[Exchange], object] = lambda _: None,
    ) -> None:
        """``read`` is told of each call that is read from the disk."""
        self._archive, self._zone, self._told = archive, zone, read
        self.live: list[Exchange] = []
        """Those that are held, newest first, without their bodies."""
        self.past = PastCalls(array("q"), array("q"))
        """Those on the disk, the oldest first."""
        self.earlier = False
        """Whether there are calls of an earlier session, or of another window."""
        self._as_of = self.today()
        self._days: list[Day] = []
        self._starts: list[int] = []
        """For each day the place of its first call among all calls."""
        self._read: dict[int, Exchange] = {}

    def __len__(self) -> int:
        return self.calls + len(self._days)

    @property
    def calls(self) -> int:
        """How many calls there are."""
        return len(self.live) + len(self.past.numbers)

    @overload
    def __getitem__(self, row: int) -> Exchange | Day: ...
    @overload
    def __getitem__(self, row: slice) -> Sequence[Exchange | Day]: ...
    def __getitem__(self, row: int | slice) -> Exchange | Day | Sequence[Exchange | Day]:
        if isinstance(row, slice):
            return [self[one] for one in range(*row.indices(len(self)))]
        if not 0 <= row < len(self):
            raise IndexError(row)
        heading = self._heading_above(row)
        if heading >= 0 and self._starts[heading] + heading == row:
            return self._days[heading]
        return self._call(row - heading - 1)

    def number(self, row: int) -> int:
        """The number of the call of that row; of a heading, that of the first call below it. Raises IndexError."""
        if not 0 <= row < len(self):
            raise IndexError(row)
        heading = self._heading_above(row)
        place = row - heading - 1
        if heading >= 0 and self._starts[heading] + heading == row:
            place = self._starts[heading]
        if place < len(self.live):
            return self.live[place].id
        return self.past.numbers[self._of_past(place)]

    def numbers(self) -> list[int]:
        """The number of every call, the oldest first."""
        return [*self.past.numbers, *(call.id for call in reversed(self.live))]

    def live_place(self, number: int) -> int:
        """The place of a call among those that are held, or -1."""
        place = bisect_left(self.live, -number, key=lambda call: -call.id)
        return place if place < len(self.live) and self.live[place].id == number else -1

    def row_of(self, number: int) -> int:
        """The row of a call, or -1."""
        place = self.live_place(number)
        if place < 0:
            try:
                place = self.calls - 1 - self.past.numbers.index(number)
            except ValueError:
                return -1
        return place + bisect_right(self._starts, place)

    def let_go(self, length: int) -> None:
        """Holds only the newest ``length`` calls; the others are read from the disk."""
        for call in reversed(self.live[length:]):
            self.past.numbers.append(call.id)
            self.past.ats.append(round(call.started_at.timestamp() * 1_000_000))
        del self.live[length:]

    def forget(self, number: int) -> None:
        """A call on the disk is not as it was read."""
        self._read.pop(number, None)

    def is_of_newest_day(self, calls: Sequence[Exchange]) -> bool:
        """Whether these calls stand under the first heading."""
        newest = self._day(self._moment(0)) if self.calls else None
        return all(self._day(call.started_at) == newest for call in calls)

    def headings(self) -> list[int]:
        """The rows of the headings."""
        return [start + place for place, start in enumerate(self._starts)]

    def today(self) -> date:
        """The day that it is now, here."""
        return datetime.now(self._zone).date()

    def divide(self, *, anew: bool = True) -> None:
        """Finds the days. Unless ``anew``, calls of the newest day came, and no heading comes or goes."""
        if anew:
            self._as_of = self.today()
        days: list[Day] = []
        starts: list[int] = []
        at = 0
        while at < self.calls:
            day = self._day(self._moment(at))
            end = bisect_right(range(self.calls), -day.toordinal(), lo=at, key=self._before)
            days.append(Day(day, end - at))
            starts.append(at)
            at = end
        if len(days) == 1 and (not self.earlier or days[0].day == self._as_of):
            days, starts = [], []
        self._days, self._starts = days, starts

    # ---- inside

    def _heading_above(self, row: int) -> int:
        """The number of the heading at or above that row; -1 where there are none."""
        return bisect_right(range(len(self._starts)), row, key=lambda n: self._starts[n] + n) - 1

    def _of_past(self, place: int) -> int:
        return self.calls - 1 - place

    def _day(self, at: datetime) -> date:
        return at.astimezone(self._zone).date()

    def _before(self, place: int) -> int:
        """A number for the day of a call that ascends from one day to the one before."""
        return -self._day(self._moment(place)).toordinal()

    def _moment(self, place: int) -> datetime:
        if place < len(self.live):
            return self.live[place].started_at
        return datetime.fromtimestamp(self.past.ats[self._of_past(place)] / 1_000_000, UTC)

    def _call(self, place: int) -> Exchange:
        if place < len(self.live):
            return self.live[place]
        at = self._of_past(place)
        number = self.past.numbers[at]
        if number not in self._read and self._archive is not None:
            if len(self._read) > _HELD:
                self._read.clear()
            around = self.past.numbers[max(at - _READ // 2, 0) : at + _READ // 2]
            found = {call.id: call for call in self._archive.heads(around)}
            self._read |= found
            for call in found.values():
                self._told(call)
            if number not in self._read:
                self._read[number] = unreadable(number, self._moment(place), _GONE)
        return self._read[number]
