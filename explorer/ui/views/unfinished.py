"""Before a tab or the window closes over something unfinished, its user is told once; closing once more closes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from explorer.ui.views.main_window import MainWindow
    from explorer.ui.views.page import Page

_AGAIN = "Closing stops that, and nothing is written."
_ALL_THE_SAME = "Close all the same"


class Unfinished:
    """Knows what the user of ``window`` was told would be lost."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self._told = ""
        window.tabs.held.connect(self.hold_tab)

    def holds_window(self) -> bool:
        """Whether the window stays, as something would be lost that its user had not been told of."""
        lost = " ".join(page.unfinished for page in self._window.tabs.pages() if page.unfinished)
        told, self._told = self._told, lost
        if not lost or lost == told:
            return False
        self._tell("The window was not closed yet", lost, self._window.close)
        return True

    def hold_tab(self, page: Page) -> None:
        """Say why the tab of ``page`` was not closed."""
        close = partial(self._window.tabs.close_page, page.resource.key)
        self._tell("The tab was not closed yet", page.unfinished, close)

    def _tell(self, title: str, lost: str, close: Callable[[], object]) -> None:
        self._window.notices.tell("caution", title, f"{lost} {_AGAIN}", (_ALL_THE_SAME, close))
