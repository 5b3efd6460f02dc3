"""What a run over stored rows needs: the pages of a list as they were received, without the service.

A session has them; window and command line pass them in, so that quality does not depend on session.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Protocol

from explorer.api.answer import Answer
from explorer.catalog.spec import Listing
from explorer.words import count


class Source(Protocol):
    """The stored pull of one list."""

    @property
    def pulled_at(self) -> datetime:
        """When its last page was received, UTC."""

    @property
    def rows(self) -> int:
        """How many rows are stored."""

    @property
    def is_whole(self) -> bool:
        """Whether the pull reached the end of the list."""

    def answer(self, number: int) -> Answer | None:
        """The answer of page ``number``, counted from 1; None behind the last one. For a worker thread.

        It has no headers, and the number of its call only while that is in the log. Raises StoreFault.
        """


def words_of(key: str, source: Source) -> str:
    """What is stored of a list, in words: ``400 rows of ats/job as pulled at 2026-11-22 09:12 UTC``."""
    part = "" if source.is_whole else "the first "
    return f"{part}{count(source.rows, 'row')} of {key} as pulled at {source.pulled_at:%Y-%m-%d %H:%M} UTC"


Sources = Callable[[Listing], Source | None]
"""The stored pull of a list; None where there is none."""

OFFLINE = "it takes calls, and this run makes none"
NOTHING_STORED = "nothing is stored of this list: pull it first"
