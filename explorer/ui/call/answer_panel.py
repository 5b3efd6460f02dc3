"""The right side of a call: what will be sent, what came back, and what became of each field."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSplitter, QStackedWidget, QTabBar, QVBoxLayout, QWidget

from explorer.catalog.spec import Operation
from explorer.ui.call.answer_changes import Change, can_compare
from explorer.ui.call.answer_outcome import Outcome
from explorer.ui.call.answer_view import AnswerView
from explorer.ui.call.changes_view import ChangesView
from explorer.ui.call.request_preview import RequestPreview
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.kit.theme import restyle

_ROOM_FOR_BOTH = 600  # pixels at 100 %: below, sent → returned has its own tab only


class AnswerPanel(QWidget):
    """Tabs Request, Response and, where fields come back, Changes; beside them the status in words and figures."""

    def __init__(self, operation: Operation, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._compares = can_compare(operation)
        self.preview = RequestPreview()
        self.answer = AnswerView()
        self.changes = ChangesView()
        self.beside = ChangesView(compact=True)
        self.tabs = QTabBar()
        self.badge = PlainLabel()
        self.figures = PlainLabel(role="muted", elide=True)
        self._figures = ""
        self._stack = QStackedWidget()
        self._both = QSplitter(Qt.Orientation.Horizontal)
        self._both.setChildrenCollapsible(False)
        for side in (self.beside, self.answer):
            self._both.addWidget(side)
            self._both.setStretchFactor(self._both.count() - 1, 1)
        for name, page in (("Request", self.preview), ("Response", self._both), ("Changes", self.changes)):
            if name != "Changes" or self._compares:
                self.tabs.addTab(name)
                self._stack.addWidget(page)
        self.tabs.setAccessibleName("Request, response and changes")
        self.tabs.setExpanding(False)
        self.tabs.setUsesScrollButtons(False)
        self.tabs.currentChanged.connect(self._stack.setCurrentIndex)
        self._build()
        self.beside.hide()
        self.badge.hide()

    def _build(self) -> None:
        bar = QFrame()
        bar.setProperty("bar", "tools")
        bar.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        row = QHBoxLayout(bar)
        row.setContentsMargins(6, 4, 12, 0)
        row.setSpacing(8)
        self.figures.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.tabs)
        row.addWidget(self.figures, 1)
        row.addWidget(self.badge, 0, Qt.AlignmentFlag.AlignVCenter)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addWidget(bar)
        box.addWidget(self._stack, 1)

    def add_tab(self, name: str, page: QWidget, place: int) -> None:
        """Another way to see the answer, as a tab of that name at ``place``; at 0 it is in front at first."""
        self._stack.insertWidget(place, page)
        self.tabs.insertTab(place, name)
        self.tabs.setCurrentIndex(0)
        self._stack.setCurrentIndex(0)

    def turn_to(self, name: str) -> None:
        """Bring the tab of that name to the front."""
        for place in range(self.tabs.count()):
            if self.tabs.tabText(place) == name:
                self.tabs.setCurrentIndex(place)

    @property
    def front(self) -> str:
        """The tab in front."""
        return self.tabs.tabText(self.tabs.currentIndex())

    def show_outcome(self, outcome: Outcome, changes: Sequence[Change]) -> None:
        """Show what came back, in front."""
        self.answer.show_outcome(outcome)
        said = "" if outcome.badge == "holds" else "No record was returned"
        self.changes.show_changes(changes, said or "The response holds nothing to compare")
        self.beside.show_changes(changes)
        self._badge(outcome.status, outcome.badge)
        self._figures = outcome.figures
        self.mark_older(False)
        self._share()
        self.turn_to("Response")

    def show_waiting(self, words: str) -> None:
        """Say that an answer is awaited; the last one stays until it is there."""
        self._badge(words, "info")
        self.figures.setText("")

    def show_outcome_again(self) -> None:
        """Back to the last outcome after a call that was not made."""
        outcome = self.answer.outcome
        if outcome is None:
            self.badge.hide()
            self.figures.setText("")
        else:
            self._badge(outcome.status, outcome.badge)
            self.mark_older(False)

    def mark_older(self, older: bool) -> None:
        """Say that the form was edited after the answer came, or take that back."""
        words = self._figures.split(" · ") if self._figures else []
        if older:
            words.insert(
                2, "before the last edit"
            )  # before the connection, which may be cut off for want of room
        self.figures.setText(" · ".join(words))

    def _badge(self, text: str, kind: str) -> None:
        self.badge.setText(text)
        self.badge.setProperty("badge", kind)
        restyle(self.badge)
        self.badge.show()

    def _share(self) -> None:
        room = self.width() >= _ROOM_FOR_BOTH
        shown = bool(self.beside.changes) and room
        if shown == self.beside.isHidden():
            self.beside.setVisible(shown)
            if shown:
                self._both.setSizes([self.width() // 2, self.width() - self.width() // 2])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share()
