"""The walk over a list's pages: what leads on, loops, empty pages, rows that come twice, and the end."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from explorer.api.answer import Answer
from explorer.api.errors import (
    CannotSend,
    CursorRepeated,
    EndNotShown,
    PageRepeated,
    TooManyEmpty,
    WalkStopped,
)
from explorer.api.page import Page, count_of, page_of
from explorer.api.page_parser import ids_of, slice_list
from explorer.api.paging import Asked, paging_of, whole
from explorer.catalog.fault import RequestFault
from explorer.catalog.request import Request, list_request
from explorer.catalog.spec import Listing
from explorer.words import count

__all__ = ["Page", "PageWalk", "WalkState", "may_be_cut", "page_of"]

WalkState = Literal["ready", "loading", "complete", "stopped"]
CHANGED = "the list changed while it was read"
"""Stands in the notes of pages that show it, and in the reason why their list may be incomplete."""
USUAL_SIZES = frozenset((10, 20, 25, 50, 100, 200, 250, 500, 1000))
"""Common page sizes: a list that ends after one page of such a size may have been cut off there."""


def may_be_cut(pages: int, rows: int) -> bool:
    """Whether a complete list may have been cut off: it has one page of a common page size.

    Some services call a list complete after one page although it goes on, when no page size was requested (observed).
    """
    return pages == 1 and rows in USUAL_SIZES


class PageWalk:
    """The walk over a list's pages, one at a time. Only `advance` sends a request.

    ``state``: ``ready`` (the next page can be requested), ``loading``, ``complete`` (the last page shows that it is the
    last) or ``stopped`` (`why` says why). `go_past` continues where there is a next cursor; after EndNotShown there is
    none.
    """

    def __init__(
        self,
        send: Callable[[Request], Awaitable[Answer]],
        listing: Listing,
        query: Mapping[str, Any],
        extra: Sequence[tuple[str, str]] = (),
        *,
        number: int = 0,
        cursor: str | None = None,
        seen: Iterable[str] = (),
        digests: Iterable[bytes] = (),
        rows: int | None = None,
        last: bytes = b"",
        changed: bool = False,
        empty_bound: int = 20,
        flag_counts: bool = True,
    ) -> None:
        """``send`` sends a request.

        To resume a walk: ``number`` of pages so far, ``cursor`` of the next page, the cursors that were used
        (``seen``), the pages' digests and how many ``rows`` they have; of a list that is counted also the body of the
        ``last`` of them, and whether one says that it ``changed``. What ``query`` or ``extra`` hold in the cursor's
        place is where a new walk starts. ``empty_bound``: empty pages in a row that stop the walk.
        ``flag_counts``: whether a False flag ends the walk although there is a next cursor.
        """
        self._paging = paging_of(listing)
        name = "" if listing.paging in ("url", "none") else listing.cursor_param
        given = [str(v) for n, v in (*query.items(), *extra) if n == name and v not in (None, "")]
        start = given[-1] if given else None
        size = next((v for n, v in (*query.items(), *extra) if n == listing.size_param), None)
        self._asked = Asked(self._paging.start(start), whole(size, 0) or None, 0 if number == 0 else rows)
        sliced = slice_list(last, listing.envelope) if last else None
        self._ids = ids_of((sliced.records if sliced else None) or (), listing.ids)
        self._again = False
        """Whether the last page has the very rows of the page before it, told by their ids."""
        self._changed = changed
        self._total = count_of(sliced.total) if sliced else None
        self._send = send
        self._listing = listing
        self._query = {n: v for n, v in query.items() if n != name}
        self._extra = tuple((n, v) for n, v in extra if n != name)
        self._seen = set(seen)
        self._digests: dict[bytes, int | None] = dict.fromkeys(digests)
        self._empty_bound = empty_bound
        self._empties = 0
        self._flag_counts = flag_counts
        self.number = number
        """The number of pages so far."""
        self.cursor = cursor if cursor is not None or number else (start or self._paging.first())
        """The cursor of the next page; kept when the walk ended although there is one."""
        self.state: WalkState = "ready"
        self.why: WalkStopped | None = None
        """Why it stopped. It is for display and never raised."""

    async def advance(self) -> Page:
        """Requests the next page and returns it, empty or not. After a failure or cancellation it can be called again.

        A page that closes a loop is returned too; the state is ``stopped`` then. Raises ExplorerError of the call,
        NotJson, BadEnvelope, and RuntimeError unless the walk is ready.
        """
        if self.state != "ready":
            raise RuntimeError(f"a walk that is {self.state} does not advance")
        self.state = "loading"
        try:
            page = await self._ask()
        finally:
            self.state = "ready"
        self._judge(page)
        return page

    def go_past(self) -> bool:
        """Makes an ended or stopped walk ready again, by the user's decision. False without a next cursor."""
        if self.state not in ("complete", "stopped") or self.cursor is None:
            return False
        if self.state == "complete":
            self._flag_counts = False
        self._empties = 0
        self.state, self.why = "ready", None
        return True

    async def _ask(self) -> Page:
        number = self.number + 1
        try:
            request = list_request(self._listing, self._query, self._extra, cursor=self.cursor, page=number)
        except RequestFault as fault:
            raise CannotSend(
                f"Page {number} cannot be requested: {fault}.", "The rows so far are kept."
            ) from None
        answer = await self._send(request)
        page = self._paging.led(page_of(answer, self._listing.envelope, number, self.cursor), self._asked)
        return self._compared(page) if self._listing.is_counted else page

    def _compared(self, page: Page) -> Page:
        """``page`` of a list that is counted, with what shows that the list changed since the page before."""
        ids, said = ids_of(page.records, self._listing.ids), list[str]()
        twice = ids & self._ids
        self._again = bool(ids) and ids == self._ids
        if twice and not self._again:
            said.append(
                f"{count(len(twice), 'row')} came with the page before already: {CHANGED}, so that rows may have come"
                " twice or not at all."
            )
        if self._total is not None and page.total is not None and self._total != page.total:
            said.append(
                f"{self._listing.envelope.total} says {count(page.total, 'row')}, and said {self._total:,} on the page"
                f" before: {CHANGED}."
            )
        self._ids, self._total, self._changed = ids, page.total, self._changed or bool(said)
        reason = page.open_end or (CHANGED if self._changed and page.is_last else "")
        return replace(page, notes=(*page.notes, *said), open_end=reason)

    def _judge(self, page: Page) -> None:
        """Records ``page``, and decides whether the walk goes on after it."""
        digest = page.digest
        same = page.records and digest in self._digests
        before = self._digests.get(digest)
        if page.cursor is not None:
            self._seen.add(page.cursor)
        if page.records:
            self._digests.setdefault(digest, page.number)
        self._empties = 0 if page.records else self._empties + 1
        if self._asked.rows is not None:
            self._asked = replace(self._asked, rows=self._asked.rows + len(page.records))
        self.number = page.number
        self.cursor = page.next_cursor
        if page.open_end:
            self.state = "stopped"
            self.why = EndNotShown(
                (
                    f"The service ended the list at page {page.number}, but it may be incomplete: "
                    f"{page.open_end}."
                ),
                (
                    "The rows so far are kept. To look for more, reload the list, with another page "
                    "size if it takes one."
                ),
                exchange=page.exchange,
            )
        elif page.next_cursor is None or (page.flag is False and self._flag_counts):
            self.state = "complete"
        elif page.next_cursor in self._seen:
            self._stop(
                CursorRepeated, f"Page {page.number} leads back to a cursor that was used before", page
            )
        elif same:
            where = f"page {before}" if before else "an earlier page"
            self._stop(PageRepeated, f"Page {page.number} is byte for byte the same as {where}", page)
        elif self._again:
            self._stop(PageRepeated, f"Page {page.number} has the very rows of the page before it", page)
        elif self._empties >= self._empty_bound:
            self._stop(
                TooManyEmpty, f"{self._empties} pages in a row were empty, up to page {page.number}", page
            )

    def _stop(self, kind: type[WalkStopped], what: str, page: Page) -> None:
        self.state = "stopped"
        advice = "The rows so far are kept. To continue anyway, fetch the next page."
        self.why = kind(
            f"{what}: the pull was stopped, because it might never end.", advice, exchange=page.exchange
        )
