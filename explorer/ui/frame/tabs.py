"""The tabs in the middle: one for each resource, of a list as many as wanted; created only when first shown."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QMenu, QScrollArea, QTabBar, QToolButton, QWidget

from explorer.catalog.spec import Resource
from explorer.ui.kit.layout import FrontStack, Head, column
from explorer.ui.kit.theme import icon
from explorer.ui.own_pages import HOME, icon_name, tab_title
from explorer.ui.page import Page

_LEAST = (400, 200)
FURTHER = "#"
"""In the key of a tab: behind it the number of a further tab of the same list, from 2 on."""

Make = Callable[[Resource], Page]


class Tabs(QWidget):
    """Pages by resource; a further tab of a list has the key of its resource, # and a number. A tab restored from the
    last start has no page, and sends nothing, until it is chosen.
    """

    current_changed = Signal(object)
    """The current `Page`, or None."""
    closed = Signal(object, dict)
    """A `Page` that was removed, with its state; the receiver ends and deletes it."""

    held = Signal(object)
    """A `Page` that was not closed, because something on it is unfinished; closing it once more closes it."""

    def __init__(self, start: QWidget, make: Make, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._make = make
        self._waiting: dict[str, tuple[Resource, dict[str, Any]]] = {}
        self._pages: dict[str, Page] = {}
        self._held = ""
        """The unfinished work that was reported last, in words."""
        self.bar = _Bar()
        self.bar.is_list = self.is_list
        self.bar.currentChanged.connect(self._show)
        self.bar.tabCloseRequested.connect(self.close_at)
        self.bar.close_others_wanted.connect(self.close_others)
        self.bar.further_wanted.connect(self.open_further)
        self._start = start
        self._stack = FrontStack()
        self._stack.addWidget(start)
        # A wide page must not push the window beyond its screen, nor squeeze the sidebar for good: it is scrolled.
        self.area = QScrollArea(widgetResizable=True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.setMinimumSize(*_LEAST)
        self.area.setWidget(self._stack)
        aside = self.area.horizontalScrollBar()
        aside.valueChanged.connect(self._hold_head)
        aside.rangeChanged.connect(self._hold_head)
        self._stack.currentChanged.connect(self._hold_head)
        self._stack.resized.connect(self._hold_head)
        self._above = QWidget()
        self._above.setObjectName("above")
        self._above.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        column(self.bar, of=self._above, margins=(8, 6, 8, 0))
        self._column = column(self._above, (self.area, 1), of=self)
        self._above.hide()

    def _hold_head(self, *_: int) -> None:
        """Keep the head of a page that is wider than its room in sight with its buttons: the rest is scrolled."""
        page, aside = self._stack.currentWidget(), self.area.horizontalScrollBar()
        for head in page.findChildren(Head) if page is not None else ():
            head.hold(aside.value(), aside.maximum() - aside.value())

    def put_over_page(self, strip: QWidget) -> None:
        """Put ``strip`` between the tabs and the page in front."""
        self._column.insertWidget(1, strip)

    def open(
        self, resource: Resource, state: dict[str, Any] | None = None, *, front: bool = True, key: str = ""
    ) -> None:
        """Bring the tab of ``resource`` to the front, creating it at the end if there is none; ``key``: a further one
        of its tabs.
        """
        key = key or resource.key
        at = self._at(key)
        if at < 0:
            self._waiting[key] = (resource, state or {})
            self.bar.blockSignals(True)
            home = resource.key == HOME.key
            number = key.partition(FURTHER)[2]
            title = f"{tab_title(resource)} ({number})" if number else tab_title(resource)
            at = self.bar.insertTab(0 if home else self.bar.count(), title)
            self.bar.setTabData(at, key)
            if home:
                self.bar.setTabIcon(at, icon(icon_name(resource), "muted_strong"))
            else:
                self.bar.dress(at, lambda: self.close_at(self._at(key)))
            self.bar.blockSignals(False)
            self._above.show()
        if front:
            self.bar.setCurrentIndex(at)
            self._show(at)

    def open_further(self, at: int = -1) -> None:
        """Open the list at index ``at``, else that of the current tab, in one more tab, asked as it is there."""
        key = self.bar.tabData(at if at >= 0 else self.bar.currentIndex())
        resource = self._resource(key)
        if resource is not None and resource.listing is not None:
            further = (f"{resource.key}{FURTHER}{number}" for number in count(2))
            self.open(resource, self._state(key), key=next(one for one in further if not self.has(one)))

    def is_list(self, at: int) -> bool:
        """Whether the tab at index ``at`` is of a list."""
        resource = self._resource(self.bar.tabData(at))
        return resource is not None and resource.listing is not None

    def _resource(self, key: str) -> Resource | None:
        page = self._pages.get(key)
        return page.resource if page is not None else self._waiting.get(key, (None,))[0]

    def prepare(self, key: str) -> None:
        """Create the page of an existing tab and mark it as the current one; `open` shows it."""
        if key in self._waiting:
            self._wake(key)
        self.bar.blockSignals(True)
        self.bar.setCurrentIndex(self._at(key))
        self.bar.blockSignals(False)

    def close_at(self, at: int) -> None:
        """Close the tab at index ``at``; where something is unfinished, only when called twice. Home stays while it is
        alone, because it is shown where no tab is open.
        """
        key = self.bar.tabData(at)
        if key is None or (key == HOME.key and self.bar.count() == 1):
            return
        page = self._pages.get(key)
        if page is not None and page.unfinished and self._held != page.unfinished:
            self._held = page.unfinished
            self.held.emit(page)
            return
        self._held = ""
        self._pages.pop(key, None)
        self._waiting.pop(key, None)
        self.bar.removeTab(at)
        if page is not None:
            state = page.save_state()
            self._stack.removeWidget(page)
            page.hide()
            self.closed.emit(page, state)
        if not self.bar.count():
            self._above.hide()
            self._show(-1)

    def close_page(self, key: str) -> None:
        """Close the tab of a resource, if there is one."""
        self.close_at(self._at(key))

    def close_current(self) -> None:
        """Close the current tab."""
        self.close_at(self.bar.currentIndex())

    def close_others(self, at: int = -1) -> None:
        """Close every tab but the one at index ``at``, else the current one; unfinished ones stay and say so."""
        kept = self.bar.tabData(at if at >= 0 else self.bar.currentIndex())
        for key in [self.bar.tabData(i) for i in range(self.bar.count())]:
            if key != kept:
                self.close_page(key)

    def take_all(self) -> list[Page]:
        """Remove every tab at once and return their pages to the caller, who ends and deletes them."""
        pages = list(self._pages.values())
        self._pages.clear()
        self._waiting.clear()
        self.bar.blockSignals(True)
        while self.bar.count():
            self.bar.removeTab(0)
        self.bar.blockSignals(False)
        self._above.hide()
        for page in pages:
            self._stack.removeWidget(page)
            page.hide()
        self._show(-1)
        return pages

    def step(self, by: int) -> None:
        """Go to the next (1) or the previous (-1) tab, wrapping around at the ends."""
        if self.bar.count():
            self.bar.setCurrentIndex((self.bar.currentIndex() + by) % self.bar.count())

    @property
    def current(self) -> Page | None:
        """The current page."""
        found = self._stack.currentWidget()
        return found if isinstance(found, Page) else None

    @property
    def selected(self) -> str | None:
        """The resource of the tab that is marked as the current one; `prepare` may have marked it before it shows."""
        key: str | None = self.bar.tabData(self.bar.currentIndex())
        return key

    def has(self, key: str) -> bool:
        """Whether there is a tab for that resource, its page created or not."""
        return self._at(key) >= 0

    def pages(self) -> list[Page]:
        """The pages that were created."""
        return list(self._pages.values())

    def page(self, key: str) -> Page | None:
        """The page of a resource, if it was created."""
        return self._pages.get(key)

    def save(self) -> dict[str, Any]:
        """The open tabs, in order, and the state of each page."""
        keys = [str(self.bar.tabData(i)) for i in range(self.bar.count())]
        return {"front": self.selected, "open": [{"key": key, "state": self._state(key)} for key in keys]}

    def _state(self, key: str) -> dict[str, Any]:
        page = self._pages.get(key)
        return page.save_state() if page is not None else self._waiting[key][1]

    def _at(self, key: str) -> int:
        return next((i for i in range(self.bar.count()) if self.bar.tabData(i) == key), -1)

    def _show(self, at: int) -> None:
        key = self.bar.tabData(at) if at >= 0 else None
        if key is None:
            self._stack.setCurrentWidget(self._start)
            self.current_changed.emit(None)
            return
        if key in self._waiting:
            self._wake(key)
        page = self._pages[key]
        if self._stack.currentWidget() is not page:
            self._stack.setCurrentWidget(page)
            self.current_changed.emit(page)
            page.activated()

    def _wake(self, key: str) -> None:
        resource, state = self._waiting.pop(key)
        page = self._make(resource)
        page.tab = key
        self._pages[key] = page
        self._stack.addWidget(page)
        if state:
            page.restore_state(state)


class _Bar(QTabBar):
    """The row of tabs: movable, closed by its cross, by the middle button, by its menu or by a command."""

    close_others_wanted = Signal(int)
    further_wanted = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.is_list: Callable[[int], bool] = lambda _: False
        """Whether the tab at an index is of a list, of which there can be several."""
        self.setObjectName("pages")
        self.setAccessibleName("Open pages")
        self.setMovable(True)
        self.setExpanding(False)
        self.setDocumentMode(True)
        self.setDrawBase(False)
        self.setUsesScrollButtons(True)
        self.setElideMode(Qt.TextElideMode.ElideNone)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(self.sizePolicy().Policy.Ignored, self.sizePolicy().Policy.Fixed)
        self._name_arrows()

    def dress(self, at: int, close: Callable[[], None]) -> None:
        """Give the tab its cross, which has an accessible name."""
        cross = QToolButton()
        cross.setObjectName("cross")
        cross.setIcon(icon("close", "muted"))
        cross.setIconSize(QSize(11, 11))
        cross.setFixedSize(18, 18)
        cross.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        cross.setAccessibleName(f"Close {self.tabText(at)}")
        cross.setToolTip("Close (Ctrl W)")
        cross.clicked.connect(close)
        self.setTabButton(at, QTabBar.ButtonPosition.RightSide, cross)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.MiddleButton:
            at = self.tabAt(event.position().toPoint())
            if at >= 0:
                self.tabCloseRequested.emit(at)
                return
        super().mouseReleaseEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_keys = event.reason() == QContextMenuEvent.Reason.Keyboard
        at = self.currentIndex() if by_keys else self.tabAt(event.pos())
        if at < 0:
            return
        menu = QMenu("Tab", self)
        menu.setAccessibleName("Tab")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Close", lambda: self.tabCloseRequested.emit(at))
        menu.addAction("Open in another tab", lambda: self.further_wanted.emit(at)).setEnabled(
            self.is_list(at)
        )
        others = menu.addAction("Close others", lambda: self.close_others_wanted.emit(at))
        others.setEnabled(self.count() > 1)
        menu.popup(self.mapToGlobal(self.tabRect(at).center()) if by_keys else event.globalPos())

    def _name_arrows(self) -> None:
        for button, name in zip(
            self.findChildren(QToolButton), ("Scroll tabs left", "Scroll tabs right"), strict=False
        ):
            button.setAccessibleName(name)
