"""How a list goes on after a page, a class for each kind: from the page to what asks for the next one, or the end.

A strategy keeps nothing of a walk. What it returns depends on the page and on how that was asked for alone, so that a
resumed walk goes on as one that was never stopped. No list is cut in silence: a total ends nothing, a short page only
where the size that was asked for is known to be kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from explorer.api.answer import Answer
from explorer.api.page import Page, page_of
from explorer.catalog.spec import Listing, PagingKind
from explorer.words import count


@dataclass(frozen=True, slots=True)
class Asked:
    """How a page was asked for, as far as the end of its list depends on it."""

    start: int = 0
    """Rows in front of the first page, or the number of the first page, where the user let the list begin elsewhere."""
    size: int | None = None
    """Rows a page that were asked for; None when none were."""
    rows: int | None = 0
    """Rows of all pages before this one; None when that is not known."""


class Paging:
    """Paging by cursor, and the base of the other kinds: what leads on stands in the page (`Page.next_cursor`)."""

    def __init__(self, listing: Listing) -> None:
        self.listing = listing

    def first(self) -> str | None:
        """What asks for the first page; None where nothing has to be sent for it."""
        return None

    def start(self, given: str | None) -> int:
        """`Asked.start`, when the user let the list begin at ``given``."""
        return 0

    def led(self, page: Page, asked: Asked) -> Page:
        """``page`` with what asks for the page after it, or with why the list may go on although nothing does."""
        return self._checked(page, asked.rows)

    def _checked(self, page: Page, before: int | None) -> Page:
        """``page``, with what its total says of the end of the list. ``before``: rows in front of it, if known."""
        if page.total is None or before is None:
            return page
        came, says = (
            before + len(page.records),
            f"{self.listing.envelope.total} says {count(page.total, 'row')}",
        )
        if came < page.total and page.is_last:
            return _open(page, f"{says}, and {came:,} came")
        if before <= page.total < came:
            return replace(page, notes=(*page.notes, f"{says}, and {came:,} came."))
        return page


class UrlPaging(Paging):
    """The page gives the address of the next one, whole or from the root or the query on."""

    def led(self, page: Page, asked: Asked) -> Page:
        """See `Paging.led`."""
        found = page.next_cursor
        if found is not None and not found.lower().startswith(("http://", "https://", "/", "?")):
            why = f"{self.listing.envelope.cursor} is no address, and cannot be followed"
            page = _open(replace(page, next_cursor=None), why)
        return self._checked(page, asked.rows)


class OffsetPaging(Paging):
    """The next page is asked for by the number of rows in front of it: of those that came, whatever size was asked for.

    The list ends at an empty page, or at a short one where each page before had exactly as many rows as were asked for.
    """

    def first(self) -> str | None:
        """See `Paging.first`."""
        return "0" if _is_required(self.listing) else None

    def start(self, given: str | None) -> int:
        """See `Paging.start`."""
        return whole(given, 0)

    def led(self, page: Page, asked: Asked) -> Page:
        """See `Paging.led`."""
        at, rows = whole(page.cursor, asked.start), len(page.records)
        kept = asked.size is not None and at > asked.start == at - (page.number - 1) * asked.size
        short = kept and rows < (asked.size or 0) and page.flag is None
        if page.flag is not False and rows and not short:
            page = replace(page, next_cursor=str(at + rows))
        elif page.flag is True:
            page = _open(page, f"{self.listing.envelope.flag} says that more follows, but the page is empty")
        return self._checked(_sized(page, asked, self.listing), at)


class NumberPaging(Paging):
    """The next page is asked for by its number. The list ends at the count that it states, else at an empty page."""

    def first(self) -> str | None:
        """See `Paging.first`."""
        return str(self.listing.first_page) if _is_required(self.listing) else None

    def start(self, given: str | None) -> int:
        """See `Paging.start`."""
        return whole(given, self.listing.first_page)

    def led(self, page: Page, asked: Asked) -> Page:
        """See `Paging.led`."""
        at = whole(page.cursor, asked.start)
        pages_left = page.page_count is not None and at < self.listing.first_page + page.page_count - 1
        if page.flag is not None:
            more = page.flag
        elif page.page_count is not None:
            more = pages_left
        else:
            # An empty page ends the list, unless its total says that rows are missing.
            rows_left = page.total is not None and asked.rows is not None and asked.rows < page.total
            more = bool(page.records) or rows_left
        if more:
            page = replace(page, next_cursor=str(at + 1))
        elif pages_left:
            page = _open(page, f"{self.listing.envelope.pages} says {count(page.page_count or 0, 'page')}")
        known = asked.rows if asked.start == self.listing.first_page else None
        return self._checked(_sized(page, asked, self.listing), known)


class NoPaging(Paging):
    """The list is one page."""

    def led(self, page: Page, asked: Asked) -> Page:
        """See `Paging.led`."""
        if page.flag is True:
            page = _open(
                page, f"{self.listing.envelope.flag} says that more follows, and not how to ask for it"
            )
        elif (page.page_count or 0) > 1:
            says = f"{self.listing.envelope.pages} says {count(page.page_count or 0, 'page')}"
            page = _open(page, f"{says}, and not how to ask for the next one")
        return self._checked(page, asked.rows)


_KINDS: Mapping[PagingKind, type[Paging]] = {
    "cursor": Paging,
    "url": UrlPaging,
    "offset": OffsetPaging,
    "page": NumberPaging,
    "none": NoPaging,
}


def paging_of(listing: Listing) -> Paging:
    """The strategy for a list."""
    return _KINDS[listing.paging](listing)


def page_alone(answer: Answer, listing: Listing, number: int, cursor: str | None, size: Any = None) -> Page:
    """The page in ``answer``, with what leads on from it, outside of a walk: what its total says is not looked at.

    ``size``: rows a page that were asked for. Raises NotJson and BadEnvelope, see `page_of`.
    """
    paging = paging_of(listing)
    asked = Asked(paging.start(None), size if isinstance(size, int) else None, None)
    return paging.led(page_of(answer, listing.envelope, number, cursor), asked)


def whole(value: Any, default: int) -> int:
    """A whole number that stands in a parameter; ``default`` for anything else."""
    text = str(value)
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else default


def _is_required(listing: Listing) -> bool:
    model = listing.query if listing.cursor_in == "query" else listing.body
    field = model.model_fields.get(listing.cursor_param) if model is not None else None
    return field is not None and field.is_required()


def _open(page: Page, why: str) -> Page:
    """``page`` with a reason why its list may go on; the first of several stands."""
    return replace(page, open_end=page.open_end or why, notes=(*page.notes, f"{why}."))


def _sized(page: Page, asked: Asked, listing: Listing) -> Page:
    if asked.size is None or len(page.records) <= asked.size:
        return page
    said = f"{listing.size_param} asked for {count(asked.size, 'row')}, and {len(page.records):,} came."
    return replace(page, notes=(*page.notes, said))
