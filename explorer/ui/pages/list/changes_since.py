"""The sentence in the head of a list about what changed since the pull before, which leads to the comparison."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from explorer.api.errors import ExplorerError
from explorer.session.connection_facts import pulled_words
from explorer.ui.kit.tasks import Tasks
from explorer.ui.pages.list.list_head import ListHead
from explorer.work import cancellable

if TYPE_CHECKING:
    from explorer.quality.compare.since import Since
    from explorer.session import Pull, PullInfo, PullKey, Session

SINCE = "since"
"""The name of the task that compares."""
_SOON_SECONDS = 0.3
"""After a pull was shown: its rows come first."""


class ChangesSince(QObject):
    """Compares the current pull of a list with the one before it, in a thread that ends with the page."""

    def __init__(self, head: ListHead, session: Session, tasks: Tasks) -> None:
        super().__init__(tasks)
        self._head, self._session, self._tasks = head, session, tasks
        self._shown = 0
        self.other: PullInfo | None = None
        """The pull with other parameters that is named in place of the one before."""

    def look(self, pull: Pull) -> None:
        """Say what changed in the current pull that is shown, or where it has none before it, which other there is.

        Nothing is said of an earlier one, or where it is not known.
        """
        self._head.say_since("")
        self._shown, self.other = pull.stored_id, None
        standing = pull.standing
        if standing.previous is None:
            self.other = self._session.beside(pull.key)
            if self.other is not None:
                self._head.say_since(pulled_words(self.other), "show it")
        if standing.front is None or standing.front.id != pull.stored_id or standing.previous is None:
            self._tasks.cancel(SINCE)
        else:
            self._tasks.start(SINCE, self._find(pull.key), done=self._show)

    async def _find(self, key: PullKey) -> Since | None:
        await asyncio.sleep(_SOON_SECONDS)
        session = self._session

        def work(wanted: Callable[[], bool]) -> Since | None:
            # Not at the top: a window's start needs no comparison.
            from explorer.quality.compare.since import since, standard_mask

            mask = standard_mask(session.registry)
            return since(session.folders, session.profile.id, key, mask, wanted)

        try:
            return await cancellable(work)
        except ExplorerError:  # a page that cannot be read is told where it is shown, or compared
            return None

    def _show(self, found: Since | None) -> None:
        if found is not None and found.now.id == self._shown:
            self._head.say_since(found.sentence)
