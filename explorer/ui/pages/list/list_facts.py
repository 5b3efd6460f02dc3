"""The facts of which the state of a list's page is made: its pull, a reload beside it, the query, what runs.

The page gathers them from its parts, and `list_state` says what follows. There is no Qt here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from explorer.api.errors import EndNotShown
from explorer.session import PageDamaged, PullPhase

if TYPE_CHECKING:
    from explorer.session import Pull, QueryResult
    from explorer.ui.page import FoundIn


@dataclass(frozen=True, slots=True)
class ReloadFacts:
    """A reload: a new pull beside the current one (``front``), until it takes its place."""

    pull: Pull
    front: Pull
    running: bool = False
    """Its pages are being fetched."""
    anew: bool = False
    """No page of it is stored yet, so that ``pull`` still has the rows of ``front``."""
    call: Any = None
    """The call that failed, where the log still has it."""


@dataclass(frozen=True, slots=True)
class QueryFacts:
    """The query (find, filters and order) over the loaded rows."""

    result: QueryResult | None = None
    """What the table shows of it; None while it shows all rows as received."""
    unanswered: bool = False
    """The table still shows the result of the query before."""
    fault: str = ""
    """Why the query cannot be answered, in a sentence; else empty."""
    late: bool = False
    """It has been running for long enough to be shown."""
    seconds: float | None = None
    """For how long it has been running, while the table shows nothing of its result."""
    stopped: bool = False
    """The user stopped it before it ended."""
    unfit: bool = False
    """It picks the records that do not fit the contract."""
    observed: bool = False
    """It picks those that fit but for nulls that running services are known to send."""


@dataclass(frozen=True, slots=True)
class ListFacts:
    """All facts from which the state of a list's page follows."""

    pull: Pull
    phase: PullPhase
    """The pull's phase; it is the table's, which changes once the rows are shown."""
    shown: int = 0
    """Rows in the table."""
    shows_result: bool = False
    """The rows in the table are the result of a query."""
    anew: bool = False
    """The pull was restarted, and its first page has not arrived."""
    waits: str = ""
    """Why nothing is fetched before the user asks: `CLEARED` or `RESTORED`."""
    previous_shown: bool = False
    """The pull is the previous one, which is read only."""
    call: Any = None
    """The call that failed, where the log still has it."""
    notes: Sequence[str] = ()
    """How page ``noted_at`` breaks the contract. It is the last of ``noted`` such pages."""
    noted: int = 0
    noted_at: int = 0
    reload: ReloadFacts | None = None
    query: QueryFacts = QueryFacts()
    differs: bool = False
    """The parameters differ from those that the pull was fetched with."""
    busy: bool = False
    """A page is being fetched."""
    slow: bool = False
    """It has been for some time."""
    halted: bool = False
    """The user stopped the fetching."""
    lacks: Sequence[str] = ()
    """Parameters that have no value now, without which the list cannot be asked for."""
    unasked: bool = False
    """The pull that is shown has not all of them: nothing was or will be asked for it."""
    bulk: tuple[float, int] | None = None
    """During Load all: for how many seconds it runs, and how many rows there were before; else None."""
    exporting: bool = False
    run_at: datetime | None = None
    """When the quality run began that led here or names rows here, where these were pulled before it; UTC."""
    reconnects: bool = False
    """There is a page that makes the link with which a customer connects again."""
    found: FoundIn | None = None
    """What the last quality run found in these rows; None where nothing, or where they were pulled since."""
    found_only: bool = False
    """Only the rows that it names are asked for."""
    late: frozenset[str] = frozenset()
    """Which of the tasks ``export`` and ``copying`` have been running for long."""

    @property
    def rows(self) -> int:
        """The loaded rows, however many of them the table shows."""
        return self.pull.rows if self.shows_result else self.shown

    @property
    def ended(self) -> bool:
        """The service ended the list, with no cursor to continue, in a way that does not show it is complete."""
        return self.phase == PullPhase.STOPPED and isinstance(self.pull.error, EndNotShown)

    @property
    def failing_page(self) -> int:
        """The number of the page that failed: the next one, or one that is damaged in the store."""
        error = self.pull.error
        return error.page if isinstance(error, PageDamaged) else self.pull.pages + 1
