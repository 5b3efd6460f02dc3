"""From a finding to its evidence: the row and the page in their list, the call in the request log."""

from __future__ import annotations

from explorer.api.exchange import Exchange
from explorer.quality.check import Run
from explorer.session import Session
from explorer.ui.views.list_page import ListPage
from explorer.ui.views.page import Elsewhere
from explorer.ui.views.quality_finding import FindingView, Place


class Ways:
    """What the buttons of a `FindingView` do."""

    def __init__(self, session: Session, elsewhere: Elsewhere | None) -> None:
        self._session, self._elsewhere = session, elsewhere

    def follow(self, view: FindingView) -> None:
        """Do from now on what ``view`` asks for."""
        view.row_wanted.connect(self.open_row)
        view.page_wanted.connect(self.open_page)
        view.request_wanted.connect(self.show_request)
        view.switch_wanted.connect(self.switch)

    def open_row(self, place: Place) -> None:
        """The list's page, at that row."""
        self._list_at(place, place.row, None)

    def open_page(self, place: Place) -> None:
        """The list's page, at the first row of that page."""
        self._list_at(place, None, place.page)

    def _list_at(self, place: Place, row: int | None, page: int | None) -> None:
        found = self._elsewhere.open_page(place.resource) if self._elsewhere and place.resource else None
        if isinstance(found, ListPage):
            found.show_place(row, page)

    def show_request(self, place: Place) -> None:
        """The call, in the request log; nothing for one that was made at another start."""
        if self._elsewhere is not None and self.exchange_of(place.run, place.exchange) is not None:
            self._elsewhere.show_request(place.exchange or 0)

    def switch(self, connection: str) -> None:
        """Go to another connection; the page comes back there with the same run."""
        if self._elsewhere is not None:
            self._elsewhere.switch_connection(connection)

    def exchange_of(self, run: Run, number: int | None) -> Exchange | None:
        """The call of that number, if it was made in the time of that run: numbers begin anew at each start."""
        found = self._session.exchanges.get(number) if number is not None else None
        if found is None:
            return None
        away = (found.started_at - run.started_at).total_seconds()
        return found if -1 <= away <= run.seconds + 1 else None
