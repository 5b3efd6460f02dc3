"""Where a row or a page of a whole list stands among the rows at hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from explorer.session import Pull


def is_at_hand(pull: Pull, row: int | None, page: int | None) -> bool:
    """Whether row number ``row``, or else page number ``page``, both counted from 1, has come."""
    return pull.rows >= row if row is not None else pull.pages >= (page or 0)


def row_of(pull: Pull, row: int | None, page: int | None) -> int | None:
    """The place of that row, or of the first row of that page, counted from 0; None when it has not come."""
    if not is_at_hand(pull, row, page):
        return None
    if row is not None:
        return row - 1
    found = next((one for one in pull.page_list() if one.number == page), None)
    return found.first_row if found is not None and found.rows else None
