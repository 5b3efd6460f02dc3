"""Where a finding shows, and what leads there: the row or page in its list, the call in the log, the record itself."""

from __future__ import annotations

import contextlib
from datetime import datetime, timedelta

from explorer import words
from explorer.api.exchange import Exchange
from explorer.quality.bundle.evidence import Evidence
from explorer.quality.engine.check import Example, Run
from explorer.session import Session, StoreFault
from explorer.ui.page import Navigator
from explorer.ui.pages.quality.quality_finding import FindingView
from explorer.ui.pages.quality.quality_words import Place

ListPlace = tuple[str, str, int | None, int | None, str, str, str]
"""A place in a list that the page leads to: connection, list, row and page, the record's id, when the run began, and
the field that is meant.

Row and page count from 1; one is None. The id may be empty; the moment is in ISO 8601, and empty where unknown, as the
field is.
"""

_SLACK = timedelta(seconds=1)
"""How far from a run's own time a call of it may have begun, as the two are told by different clocks."""


class EvidenceNavigator:
    """What the buttons of a `FindingView` do."""

    def __init__(self, session: Session, elsewhere: Navigator | None) -> None:
        self._session, self._elsewhere = session, elsewhere
        self.going: ListPlace | None = None
        """The place to go to once the window has changed to the finding's connection."""

    def follow(self, view: FindingView) -> None:
        """Connect the signals of ``view``."""
        view.row_wanted.connect(self.open_row)
        view.page_wanted.connect(self.open_page)
        view.request_wanted.connect(self.show_request)
        view.more_wanted.connect(self.open_more)

    def open_row(self, place: Place) -> None:
        """Open the list at that row."""
        self._list_at(place, place.row, None)

    def open_page(self, place: Place) -> None:
        """Open the list at the first row of that page."""
        self._list_at(place, None, place.page)

    def open_more(self, place: Place) -> None:
        """Open the list with the further rows of a finding: these alone, where a list can tell them from the others."""
        self.open_row(place) if place.row is not None else self.open_page(place)
        here = place.run.connection == self._session.connection
        found = self._elsewhere.open_page(place.resource) if here and self._elsewhere is not None else None
        if found is not None and len(place.ids) > 1:
            found.show_only(place.ids)
        elif found is not None and place.unfit:
            found.show_unfit()

    def _list_at(self, place: Place, row: int | None, page: int | None) -> None:
        if self._elsewhere is None or not place.resource:
            return
        run, ident = place.run, place.ident if row is not None else ""
        began = run.started_at.isoformat()
        going = (run.connection, place.resource, row, page, ident, began, place.field)
        if run.connection != self._session.connection:
            self.going = going
            self._elsewhere.switch_connection(run.connection)
        else:
            self.go(going)

    def go(self, going: ListPlace) -> None:
        """Open that place of a list, if its connection is the one in use."""
        connection, resource, row, page, ident, began, field = going
        if self._elsewhere is None or connection != self._session.connection:
            return
        found = self._elsewhere.open_page(resource)
        if found is not None:
            run_at = datetime.fromisoformat(began) if began else None
            found.show_place(row, page, ident=ident, run_at=run_at, field=field)

    def show_request(self, place: Place) -> None:
        """Show the call in the request log; nothing happens for a call of an earlier start of the program."""
        if self._elsewhere is not None and self.exchange_of(place.run, place.exchange) is not None:
            self._elsewhere.show_request(place.exchange or 0)

    def stored(self, run: Run, resource: str) -> str:
        """That the stored rows of that list are of another time than the run, in a sentence; empty where they are not.

        Of the connection in use alone.
        """
        listing = next((r.listing for r in self._session.registry.listings() if r.key == resource), None)
        if listing is None or run.connection != self._session.connection:
            return ""
        with contextlib.suppress(StoreFault):
            pulled_at = self._session.pulled_at(listing)
            began, ended = run.span
            if pulled_at is not None and pulled_at > ended:
                return "The list was loaded after this run: its rows may stand elsewhere now."
            if pulled_at is not None and pulled_at < began:
                was, ran = words.near_time(pulled_at), words.near_time(run.started_at)
                return f"The list was loaded {was}, before this run of {ran}: its rows may be older ones."
        return ""

    def record_of(self, place: Place) -> bytes | None:
        """The record at that place as the run received it; None where its page is not kept whole. For a thread."""
        call = self.exchange_of(place.run, place.exchange)
        if call is None:
            return None
        # Without an id it is counted to from the first page of its walk.
        walk = [one.id for one in self._session.exchanges.all() if one.operation == call.operation]
        numbers = (call.id,) if place.ident else [n for n in walk if self.exchange_of(place.run, n)]
        example = Example(place.page, place.row, place.exchange, place.ident)
        return Evidence.of_log(self._session, numbers).row(example)

    def exchange_of(self, run: Run, number: int | None) -> Exchange | None:
        """The call of that number if it is from the time of that run, as numbers begin again at each start."""
        found = self._session.exchanges.get(number) if number is not None else None
        if found is None:
            return None
        began, ended = run.span
        return found if began - _SLACK <= found.started_at <= ended + _SLACK else None


def list_place_of(kept: object) -> ListPlace | None:
    """A `ListPlace` from what the layout saved; None for anything else."""
    if not isinstance(kept, list) or len(kept) not in (4, 6, 7):
        return None
    texts = [*kept[:2], *kept[4:], "", "", ""][:5]
    row, page = (place if isinstance(place, int) else None for place in kept[2:4])
    if not all(isinstance(one, str) for one in texts):
        return None
    connection, resource, ident, began, field = texts
    return (connection, resource, row, page, ident, began, field)
