"""The row that a finding leads to: where it stands in the rows at hand, and whether these are older than the run."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from explorer.session import Filter, Query
from explorer.ui.kit.visible import shortened, visible

if TYPE_CHECKING:
    from explorer.session import Pull
    from explorer.ui.page import FoundRows

_SHOWN = 60
"""Characters of an id that a sentence shows."""


@dataclass(frozen=True, slots=True)
class Sought:
    """What to go to: a row, or the first row of a page, both counted from 1."""

    row: int | None
    page: int | None
    ident: str = ""
    """The record's id, by which it is found in whichever row it stands; empty where that is not known."""
    run_at: datetime | None = None
    """When the run began that found it there, UTC."""
    field: str = ""
    """The field that is meant, as ``departments[].child_ids``; empty: the record as a whole."""

    @property
    def column(self) -> str:
        """The field of the record that ``field`` is in."""
        return self.field.partition(".")[0].partition("[")[0]

    @property
    def words(self) -> str:
        """``Record 70068``, ``Row 68``, ``Page 2``."""
        if self.ident:
            return f"Record {self.ident}"
        return f"Row {self.row:,}" if self.row else f"Page {self.page}"


def run_after(pull: Pull, found: FoundRows, sought: Sought | None) -> datetime | None:
    """When the quality run began that led to a row of ``pull`` or names some, where the pull was begun before it."""
    info = pull.info
    if info is None:
        return None
    led = sought.run_at if sought is not None else None
    if led is not None and info.started_at < led:
        return led
    return found.run_after(pull.listing.key, info.started_at)


def lost_words(pull: Pull, ident: str) -> str:
    """That the record with that id is not among the rows of ``pull``."""
    gone = pull.state == "complete"
    where = "no longer in this list" if gone else f"not among the {pull.rows:,} rows loaded so far"
    return f"Record {shortened(visible(ident), _SHOWN)} is {where}"


async def row_of(pull: Pull, ident: str) -> int | None:
    """The row of the record with that id, from 0, among those that are stored; None where none has it.

    Raises StoreFault, Superseded.
    """
    numbers = (int(ident),) if ident.isascii() and ident.isdecimal() else ()
    for value in (ident, *numbers) if pull.rows else ():
        found = await pull.view(Query(filters=(Filter("id", "equals", value),)))
        found.cancel()
        if found.rows:
            return found.row(0)
    return None
