"""Before a tab or the window closes over unfinished work, the user is told once; closing once more closes it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from explorer.ui.frame.tabs import Tabs
from explorer.ui.kit.notices import Notices
from explorer.ui.page import Page

_AGAIN = "Closing stops that, and nothing is written."
_ALL_THE_SAME = "Close anyway"


class Unfinished:
    """Remembers what the user was told would be lost; ``close`` closes the window."""

    def __init__(self, tabs: Tabs, notices: Notices, close: Callable[[], object]) -> None:
        self._tabs, self._notices, self._close = tabs, notices, close
        self._told = ""
        tabs.held.connect(self.hold_tab)

    def holds_window(self) -> bool:
        """Whether the window stays open because something would be lost that the user was not told about."""
        lost = " ".join(page.unfinished for page in self._tabs.pages() if page.unfinished)
        told, self._told = self._told, lost
        if not lost or lost == told:
            return False
        self._notify("The window was not closed yet", lost, self._close)
        return True

    def hold_tab(self, page: Page) -> None:
        """Report why the tab of ``page`` was not closed."""
        close = partial(self._tabs.close_page, page.tab)
        self._notify("The tab was not closed yet", page.unfinished, close)

    def _notify(self, title: str, lost: str, close: Callable[[], object]) -> None:
        self._notices.tell("caution", title, f"{lost} {_AGAIN}", (_ALL_THE_SAME, close))
