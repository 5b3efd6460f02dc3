"""What the pulls of a list need of the page that shows one of them."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, Protocol

from explorer.catalog.spec import Listing
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.kit.tasks import Tasks
from explorer.ui.page import PageContext
from explorer.ui.pages.list.list_tools import ListTools
from explorer.ui.pages.list.pull_banner import PullBanner
from explorer.ui.pages.list.row_question import RowQuestion
from explorer.ui.records.records import RecordsModel
from explorer.ui.records.row_menu import RowMenu

if TYPE_CHECKING:
    from explorer.session import Pull, Session
    from explorer.session.pull_storage import Which


class PullsPage(Protocol):
    """The page of a list, as its pulls see it."""

    pull: Pull | None
    looking: bool
    """The previous pull is shown, and nothing can be asked for."""
    context: PageContext
    tasks: Tasks
    model: RecordsModel
    menu: RowMenu
    tools: ListTools
    banner: PullBanner
    question: RowQuestion
    hint: PlainLabel

    @property
    def session(self) -> Session:
        """The session that it shows."""

    @property
    def listing(self) -> Listing:
        """The list that it is about."""

    def take_pull(self, *, fetch: bool = True, which: Which = "front") -> None:
        """Show what is kept for the parameters as they stand, or the pull of that id."""

    def run(self, ask: Callable[[], Coroutine[Any, Any, Any]]) -> None:
        """Do ``ask`` as the one task that fetches, in place of what is under way."""

    def stand_on(self, row: int) -> None:
        """Be on that row of all, where it is there."""

    def try_again(self) -> None:
        """Ask for the page that failed once more, and for no other."""

    def go_on(self) -> None:
        """Go past what made the walk stop: the user decided so."""
