"""From a finding to its evidence: the row and the page in their list, the call in the request log."""

from __future__ import annotations

from explorer.api.exchange import Exchange
from explorer.quality.engine.check import Run
from explorer.session import Session
from explorer.ui.page import Navigator
from explorer.ui.pages.quality.quality_finding import FindingView, Place

Going = tuple[str, str, int | None, int | None]
"""A connection, a list, and a row or a page of it, both counted from 1."""


class EvidenceNavigator:
    """What the buttons of a `FindingView` do."""

    def __init__(self, session: Session, elsewhere: Navigator | None) -> None:
        self._session, self._elsewhere = session, elsewhere
        self.going: Going | None = None
        """Where the page leads when it is there again on the connection of the finding."""

    def follow(self, view: FindingView) -> None:
        """Do from now on what ``view`` asks for."""
        view.row_wanted.connect(self.open_row)
        view.page_wanted.connect(self.open_page)
        view.request_wanted.connect(self.show_request)

    def open_row(self, place: Place) -> None:
        """The list's page, at that row."""
        self._list_at(place, place.row, None)

    def open_page(self, place: Place) -> None:
        """The list's page, at the first row of that page."""
        self._list_at(place, None, place.page)

    def _list_at(self, place: Place, row: int | None, page: int | None) -> None:
        if self._elsewhere is None or not place.resource:
            return
        if place.run.connection != self._session.connection:
            self.going = (place.run.connection, place.resource, row, page)
            self._elsewhere.switch_connection(place.run.connection)
        else:
            self.go((place.run.connection, place.resource, row, page))

    def go(self, going: Going) -> None:
        """To that place of a list, where its connection is the one in use."""
        connection, resource, row, page = going
        if self._elsewhere is None or connection != self._session.connection:
            return
        found = self._elsewhere.open_page(resource)
        if found is not None:
            found.show_place(row, page)

    def show_request(self, place: Place) -> None:
        """The call, in the request log; nothing for one that was made at another start."""
        if self._elsewhere is not None and self.exchange_of(place.run, place.exchange) is not None:
            self._elsewhere.show_request(place.exchange or 0)

    def exchange_of(self, run: Run, number: int | None) -> Exchange | None:
        """The call of that number, if it was made in the time of that run: numbers begin anew at each start."""
        found = self._session.exchanges.get(number) if number is not None else None
        if found is None:
            return None
        away = (found.started_at - run.started_at).total_seconds()
        return found if -1 <= away <= run.seconds + 1 else None


def going_of(kept: object) -> Going | None:
    """A `Going` as the layout keeps it; None for anything else."""
    if not isinstance(kept, list) or len(kept) != 4 or not all(isinstance(one, str) for one in kept[:2]):
        return None
    row, page = (place if isinstance(place, int) else None for place in kept[2:])
    return (kept[0], kept[1], row, page)
