"""The pages of a stored pull as the answers that they came in, for who looks at them without the service."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from explorer.api.answer import Answer
from explorer.api.exchange import Exchange
from explorer.store import PullInfo, Store


class StoredPages:
    """One pull as it is in the store now: the pages that it had when this was made."""

    def __init__(self, store: Store, info: PullInfo, exchange_of: Callable[[int], Exchange | None]) -> None:
        """``exchange_of`` gives a call of the log by its number, if there is one."""
        self._store, self._info, self._exchange_of = store, info, exchange_of

    @property
    def pulled_at(self) -> datetime:
        """When its last page was received, UTC."""
        return self._info.updated_at

    @property
    def rows(self) -> int:
        """How many rows are stored."""
        return self._info.rows

    @property
    def is_whole(self) -> bool:
        """Whether the pull came to the end of the list."""
        return self._info.state == "complete"

    def answer(self, number: int) -> Answer | None:
        """The answer that page ``number``, counted from 1, came in; None behind the last one.

        Blocks. Raises StoreFault, PullMoved where the pull is gone and PageDamaged among them.
        """
        if number > self._info.pages:
            return None
        body = self._store.body(self._info.id, number)
        (page,) = self._store.pages(self._info.id, number)
        call = self._exchange_of(page.exchange)
        # The log of another run of the program has other calls under the same numbers.
        same = call is not None and call.page == number and call.started_at <= page.received_at
        same = same and call is not None and call.operation == self._info.key.resource
        return Answer(200, (), body, page.elapsed_ms, page.exchange if same else 0)
