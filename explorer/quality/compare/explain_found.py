"""Explains the stored lines of a comparison: they are read again, and whole records only where a claim needs them."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Any

from explorer.catalog.spec import ABSENT
from explorer.quality.compare.changed_values import (
    ChangedRecord,
    ChangedValue,
    changed_values,
    plain_json,
)
from explorer.quality.compare.explain import explained
from explorer.quality.compare.explained import Explained, Sentence, with_more
from explorer.quality.compare.found import Found
from explorer.quality.compare.ignored_fields import Mask
from explorer.quality.compare.lone_records import Lone, in_common, under_other_ids
from explorer.quality.compare.rows import PullRows, Wanted, record_at
from explorer.quality.compare.volatile import Times

LEFT_OUT = -1
"""Stands for a claim's number in lines of fields that change at every pull."""
_BITE = 2_000
_TOLD_EVERY = 500
_HELD = 4
"""Whole records kept in memory, the latest ones."""


class FoundExplained:
    """Explains the lines of one comparison, and stores the claim of each beside it."""

    def __init__(
        self,
        found: Found,
        rows: tuple[PullRows, PullRows],
        mask: Mask,
        lone: tuple[array[int], array[int]],
        wanted: Wanted,
    ) -> None:
        """``lone`` are the rows that only the first list has, and only the second, in ascending order."""
        self._found, self._rows, self._mask, self._lone, self._wanted = found, rows, mask, lone, wanted
        self._told: list[tuple[int, int]] = []
        self._held: dict[tuple[int, int], Any] = {}

    def explained(
        self, records: int, *, written: int, known_volatile: Sequence[str] | None, tell: Callable[[int], None]
    ) -> Explained:
        """Explains the differences among ``records`` records in both lists. ``tell`` receives how many were processed.

        Raises StoreFault, CalledOff.
        """
        made = explained(
            lambda: self._records(tell),
            records,
            times=self._times(),
            known_volatile=known_volatile,
            written=written,
            sink=self,
            wanted=self._wanted,
        )
        self._flush()
        more: list[Sentence] = []
        kinds: tuple[Lone, ...] = ("gone", "added")
        for side, what in enumerate(kinds):
            more += in_common(what, self._rows[side], self._lone[side], self._wanted)
        more += under_other_ids(self._rows, *self._lone, self._mask.pruned, self._wanted)
        return with_more(made, more)

    def _times(self) -> Times:
        before, now = (rows.about for rows in self._rows)
        return Times((before.started_at, before.updated_at), (now.started_at, now.updated_at))

    # ------------------------------------------------------------------ what is explained

    def _records(self, tell: Callable[[int], None]) -> Iterator[ChangedRecord]:
        for number, ((a, b), lines) in enumerate(groupby(self._found.changed(), key=itemgetter(2, 3))):
            if number % _TOLD_EVERY == 0:
                tell(number)
            ids, values = "", dict[str, ChangedValue]()
            for line, ids, _, _, field, old, new in lines:  # noqa: B007 - the same in all of them
                values |= changed_values(field, _value(old), _value(new), line)
            yield ChangedRecord(ids, values, partial(self._whole, 1, b), partial(self._whole, 0, a - 1))

    def _whole(self, side: int, row: int) -> Any:
        """A record as parsed JSON; None before the first record, and for invalid JSON."""
        if row < 0:
            return None
        try:
            return self._held[side, row]
        except KeyError:
            pass
        try:
            value = plain_json(record_at(self._rows[side], row))
        except ValueError:
            value = None
        if len(self._held) >= _HELD:
            self._held.pop(next(iter(self._held)))
        self._held[side, row] = value
        return value

    # ------------------------------------------------------------------ what it falls under

    def begin(self) -> None:
        self._told.clear()
        self._found.clear_claims()

    def take(self, value: ChangedValue, number: int, *, explained: bool) -> None:
        self._keep(number, value)

    def left_out(self, value: ChangedValue) -> None:
        self._keep(LEFT_OUT, value)

    def _keep(self, claim: int, value: ChangedValue) -> None:
        self._told.append((claim, value.line))
        if len(self._told) >= _BITE:
            self._flush()

    def _flush(self) -> None:
        self._found.add_claims(self._told)
        self._told.clear()


def _value(text: str | None) -> Any:
    if text is None:
        return ABSENT
    try:
        return plain_json(text)
    except ValueError:
        return text
