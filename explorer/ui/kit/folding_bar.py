"""A bar whose buttons that are used least move into a menu behind three dots where room is short: none is cut off."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QWidget

from explorer.ui.kit.layout import Head, Margins, Part, push_button, row
from explorer.ui.kit.plain import PlainLabel


class FoldingBar(Head):
    """A row of widgets with one label that takes what is left. What is folded depends on the width alone."""

    row: QHBoxLayout

    def __init__(self) -> None:
        super().__init__()
        self.folds: list[QPushButton] = []
        """The buttons that may move into the menu, in the order in which they do."""
        self._folded: list[QPushButton] = []
        self._away: set[QPushButton] = set()
        self.more = push_button("⋯", kind="quiet", name="More")
        menu = QMenu("More", self)
        menu.setAccessibleName("More")
        menu.aboutToShow.connect(lambda: self._fill(menu))
        self.more.setMenu(menu)

    def fill(self, *parts: Part, label: PlainLabel, least: int, margins: Margins) -> None:
        """Put ``parts`` into the bar. ``least``: pixels of a longer text of ``label`` that buttons fold to keep."""
        self._label, self._least = label, least
        self.row = row(*parts, of=self, margins=margins, spacing=8)
        self.more.hide()  # not before it has a parent: it would be a window of its own until then

    def offer(self, button: QPushButton, on: bool) -> None:
        """Whether one of `folds` is there at all, in the bar or in the menu."""
        (self._away.discard if on else self._away.add)(button)
        button.setVisible(on and button not in self._folded)
        self._fold()

    @property
    def folded(self) -> list[QPushButton]:
        """The buttons that are in the menu now."""
        return list(self._folded)

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self._fold()
        return done

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fold()

    def _fold(self) -> None:
        offered = [button for button in self.folds if button not in self._away]
        room = self.width() - self._taken(offered)
        folded: list[QPushButton] = []
        for button in offered:
            if room >= sum(self._wide(one) for one in offered if one not in folded):
                break
            if not folded:
                room -= self._wide(self.more)
            folded.append(button)
        if folded == self._folded:
            return
        self._folded = folded
        for button in offered:
            button.setVisible(button not in folded)
        self.more.setVisible(bool(folded))

    def _taken(self, offered: Sequence[QPushButton]) -> int:
        """The width of all that is not ``offered``, with the least width of the label."""
        margins = self.row.contentsMargins()
        taken = margins.left() + margins.right()
        taken += min(self._label.sizeHint().width(), self._least)
        for place in range(self.row.count()):
            item = self.row.itemAt(place)
            widget = item.widget() if item is not None else None
            counts = widget not in (None, self._label, self.more, *self.folds)
            if widget is not None and counts and not widget.isHidden():
                taken += self._wide(widget)
        return taken

    def _wide(self, widget: QWidget) -> int:
        return widget.sizeHint().width() + self.row.spacing()

    def _fill(self, menu: QMenu) -> None:
        menu.clear()
        for button in reversed(self._folded):
            inner: QMenu | None = button.menu()
            action = menu.addMenu(inner) if inner is not None else menu.addAction(button.text(), button.click)
            action.setEnabled(button.isEnabled())
