"""Places the inspector at the right of, or below, the body of the current page, under that page's head.

Where the window is small, its rows come first: inspector and request log fold, the sidebar shows its icons alone. All
of it comes back with the room. What folds by itself is no choice of the user's: it is not kept, and whoever unfolds it
has it until the room changes.
"""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QMainWindow, QSplitter, QWidget

from explorer.ui.frame.sidebar import Sidebar
from explorer.ui.kit.layout import HANDLE, column, type_scale
from explorer.ui.log.panel import LogPanel
from explorer.ui.page import Page

_SHARE = 400
_LEAST = 264


class InspectorPlace(QObject):
    """One inspector for all tabs. Each page with a body keeps a splitter; the inspector moves to the current one."""

    def __init__(self, inspector: QWidget, home: QWidget) -> None:
        super().__init__(home)
        self._home = home
        self.frame = QFrame(home)
        self.frame.setProperty("ground", "surface")
        self._least = round(_LEAST * type_scale(home))
        self.frame.setMinimumWidth(self._least)
        self.frame.setAccessibleName("Inspector")
        column(inspector, of=self.frame)
        self.frame.hide()
        self._splitters: dict[Page, QSplitter] = {}
        self._visible = True
        self._below = self._little = self._folded = False
        self._sizes: dict[bool, list[int]] = {}
        self._page: Page | None = None

    def show_on(self, page: Page | None) -> None:
        """Move to ``page``, or hide when it has no body."""
        self._remember()
        self._page = page
        splitter = self._splitter(page) if page is not None else None
        if splitter is None or not self.shown:
            self.frame.hide()
            self.frame.setParent(self._home)
            return
        splitter.setOrientation(Qt.Orientation.Vertical if self._below else Qt.Orientation.Horizontal)
        if self.frame.parent() is not splitter:
            splitter.addWidget(self.frame)
            splitter.handle(1).setAccessibleName(HANDLE)
        splitter.setStretchFactor(0, 1)
        splitter.setStretchFactor(1, 0)
        self.frame.show()
        splitter.show()
        self._share(splitter)
        # A new page has no size yet: divide its room again when it has one.
        QTimer.singleShot(0, splitter, lambda: self._share(splitter))

    def forget(self, page: Page) -> None:
        """``page`` is about to be deleted: leave it, so that the inspector survives."""
        if self._page is page:
            self.show_on(None)
        self._splitters.pop(page, None)

    def place(self, *, visible: bool, below: bool) -> None:
        """Show or hide it, at the right or below, whatever room there is."""
        self._place(visible, below, folded=False)

    def fold(self, little: bool) -> None:
        """Fold it for lack of room, or bring it back. If the user unfolds it, it stays so until the room changes."""
        if little != self._little:
            self._little = little
            self._place(self._visible, self._below, folded=little)

    def _place(self, visible: bool, below: bool, *, folded: bool) -> None:
        self._remember()
        self._visible, self._below, self._folded = visible, below, folded
        page, self._page = self._page, None
        self.show_on(page)

    def save(self) -> dict[str, Any]:
        """The state to be saved."""
        self._remember()
        sizes = {"right": self._sizes.get(False), "below": self._sizes.get(True)}
        return {"visible": self._visible, "below": self._below, **sizes}

    def restore(self, kept: dict[str, Any]) -> None:
        """Restore what `save` returned."""
        for below, name in ((False, "right"), (True, "below")):
            sizes = kept.get(name)
            if isinstance(sizes, list) and len(sizes) == 2 and all(isinstance(s, int) for s in sizes):
                self._sizes[below] = sizes
        visible, below = kept.get("visible", True) is True, kept.get("below", False) is True
        self._place(visible, below, folded=self._little)

    @property
    def shown(self) -> bool:
        """Whether the user wants it and it is not folded; on a page without a body it is hidden all the same."""
        return self._visible and not self._folded

    @property
    def below(self) -> bool:
        """Whether it is below the body."""
        return self._below

    def _share(self, splitter: QSplitter) -> None:
        if self.frame.parent() is splitter:
            splitter.setSizes(self._sizes.get(self._below) or self._first(splitter))

    def _remember(self) -> None:
        if self._page is not None and self.frame.isVisible() and (s := self._splitters.get(self._page)):
            self._sizes[s.orientation() == Qt.Orientation.Vertical] = s.sizes()

    def _first(self, splitter: QSplitter) -> list[int]:
        room = splitter.height() if self._below else splitter.width()
        share = room // 2 if self._below else max(self._least, min(_SHARE, room * 34 // 100))
        return [max(room - share, 1), share]

    def _splitter(self, page: Page) -> QSplitter | None:
        if page not in self._splitters:
            body = page.body()
            around = body.parentWidget() if body is not None else None
            layout = around.layout() if around is not None else None
            if body is None or layout is None:
                return None
            splitter = QSplitter(childrenCollapsible=False, handleWidth=1)
            layout.replaceWidget(body, splitter)
            splitter.addWidget(body)
            body.show()
            self._splitters[page] = splitter
        return self._splitters[page]


_LOW = 680
"""Pixels of a window's height below which the log and an inspector below the rows fold."""
_NARROW = 840
"""Pixels beside the sidebar below which an inspector at the right would leave only two or three columns of the rows."""

_ICONS = 1100
"""Pixels of a window's width below which the sidebar has no room for words."""


class SmallWindow(QObject):
    """Checks the room of a window's pages each time that it changes."""

    changed = Signal()
    """The inspector or the log may have folded, or returned."""

    def __init__(
        self, window: QMainWindow, pages: QWidget, beside: InspectorPlace, log: LogPanel, side: Sidebar
    ) -> None:
        super().__init__(window)
        self._window, self._pages, self._beside, self._log = window, pages, beside, log
        self._side = side
        log.folded_changed.connect(self.changed)
        for one in (window, pages):
            one.installEventFilter(self)
        self.look()

    def look(self) -> None:
        """Fold what has too little room, bring back what has enough."""
        low, narrow = self._window.height() < _LOW, self._window.width() < _ICONS
        self._side.fit(narrow)
        self._log.fold(low)
        self._beside.fold(low if self._beside.below else narrow or self._pages.width() < _NARROW)
        self.changed.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self.look()
        return False
