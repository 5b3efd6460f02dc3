"""The pages of a stored pull as the answers that they arrived in, for a quality run over stored rows.

It is a `Source` (quality/engine/source.py), which quality declares and the session hands in.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from explorer.api.answer import Answer
from explorer.api.exchange import Exchange
from explorer.store import PullInfo, Store


class StoredPages:
    """One stored pull, with the pages that it had when this was made."""

    def __init__(self, store: Store, info: PullInfo, exchange_of: Callable[[int], Exchange | None]) -> None:
        """``exchange_of`` returns the exchange of the log with that number, or None."""
        self._store, self._info, self._exchange_of = store, info, exchange_of

    @property
    def pulled_at(self) -> datetime:
        """When its last page was received, in UTC."""
        return self._info.updated_at

    @property
    def rows(self) -> int:
        """The number of stored rows."""
        return self._info.rows

    @property
    def is_whole(self) -> bool:
        """Whether the pull reached the end of the list."""
        return self._info.state == "complete"

    def answer(self, number: int) -> Answer | None:
        """The answer with page ``number`` (from 1); None after the last page.

        Blocking. Raises StoreFault, also as PullMoved when the pull was removed, and PageDamaged.
        """
        if number > self._info.pages:
            return None
        body = self._store.body(self._info.id, number)
        (page,) = self._store.pages(self._info.id, number)
        call = self._exchange_of(page.exchange)
        # In the log of another program run the same number belongs to another call.
        same = call is not None and call.page == number and call.started_at <= page.received_at
        same = same and call is not None and call.operation == self._info.key.resource
        return Answer(200, (), body, page.elapsed_ms, page.exchange if same else 0)
