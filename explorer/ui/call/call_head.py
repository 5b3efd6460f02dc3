"""The head of a call page: its name, which operation, method and path as they are now, and what can be done.

Where the room ends, what is used least goes behind a button of three dots; nothing is cut off.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QFrame, QHBoxLayout, QMenu, QPushButton, QSizePolicy, QWidget

from explorer.catalog.spec import Operation, Report
from explorer.ui.kit.plain import PlainLabel, tooltip

_LEAST_PATH = 190
"""Pixels that the address keeps before a button is folded for it."""

_LABELS = {
    "accounting/payment-receipt": "Get receipt",
    "connect/magic-link": "Create link",
    "core/connection/check": "Check",
    "crm/account/batch_read": "Read",
}


def label_of(operation: Operation) -> str:
    """What the primary button says."""
    return _LABELS.get(operation.key) or ("Run report" if isinstance(operation, Report) else "Send")


class CallHead(QFrame):
    """Title, segments (with several operations), method and path, and the buttons; Stop takes the place of Send."""

    chosen = Signal(int)
    send = Signal()
    send_anyway = Signal()
    stop = Signal()
    copy = Signal()
    copy_command = Signal()
    history = Signal()
    clear = Signal()

    def __init__(self, title: str, operations: Sequence[Operation]) -> None:
        super().__init__()
        self.setProperty("bar", "head")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.title = PlainLabel(title, role="title")
        self.path = PlainLabel(role="path", elide=True)
        self.path.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.segments = Segments([operation.title.split()[0] for operation in operations])
        self.segments.chosen.connect(self.chosen)
        self.clear_button = self._button("Clear", "Empty the form", self.clear, "quiet")
        self.history_button = self._button(
            "History", "Calls sent from here before, Ctrl Shift H", self.history, "quiet"
        )
        self.command_button = self._button(
            "Copy as command", "The unified-explorer line that does the same", self.copy_command
        )
        self.copy_button = self._button("Copy as cURL", "Ctrl Shift C", self.copy)
        self.anyway = self._button(
            "Send anyway", "Send it even though it breaks the contract", self.send_anyway
        )
        self.stop_button = self._button("Stop", "Esc", self.stop)
        self.send_button = self._button("Send", "Ctrl Enter", self.send, "primary")
        self.folds = [self.clear_button, self.command_button, self.history_button]
        """What goes behind the dots where room is short, the first one first; a page may add its own."""
        self._folded: list[QPushButton] = []
        self._build(len(operations) > 1)
        self.show_busy(False)

    def _build(self, several: bool) -> None:
        self.more = QPushButton("⋯")
        self.more.setAccessibleName("More")
        self.more.setProperty("kind", "quiet")
        menu = QMenu("More", self)
        menu.setAccessibleName("More")
        menu.aboutToShow.connect(lambda: self._fill(menu))
        self.more.setMenu(menu)
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(12, 8, 12, 8)
        self.row.setSpacing(8)
        for widget in (self.title, self.segments):
            self.row.addWidget(widget)
        # Not before it has a parent: it would be a window of its own until then, and take the focus.
        self.segments.setVisible(several)
        self.row.addWidget(self.path, 1)
        first = (self.clear_button, self.history_button, self.command_button, self.copy_button, self.more)
        for button in (*first, self.anyway, self.stop_button, self.send_button):
            self.row.addWidget(button)
        self.anyway.hide()
        self.more.hide()

    def _button(self, text: str, tip: str, signal: object, kind: str = "") -> QPushButton:
        button = QPushButton(text)
        button.setToolTip(tooltip(tip))
        if kind:
            button.setProperty("kind", kind)
        button.clicked.connect(lambda _=False: signal.emit())  # type: ignore[attr-defined]
        return button

    def show_operation(self, operation: Operation, path: str, label: str = "") -> None:
        """Say which call this is, and where it goes as far as that is known; ``label`` is what the button says."""
        self.path.setText(f"{operation.method} {path}")
        label = label or label_of(operation)
        self.send_button.setText(f"{label}  Ctrl ⏎" if label == "Send" else label)
        self.send_button.setAccessibleName(label)

    def show_busy(self, busy: bool) -> None:
        """Stop takes the place of Send while a call is under way."""
        self.stop_button.setVisible(busy)
        self.send_button.setVisible(not busy)

    # ---- room

    @property
    def folded(self) -> list[QPushButton]:
        """The buttons that stand behind the dots now."""
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
        """Fold as many as must be for the address to be read: the same at the same width, whatever was before."""
        offered = [button for button in self.folds if button in self._folded or not button.isHidden()]
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
        """What all else needs, the address with its least."""
        margins = self.row.contentsMargins()
        taken = margins.left() + margins.right()
        taken += min(self.path.sizeHint().width(), _LEAST_PATH)
        for place in range(self.row.count()):
            item = self.row.itemAt(place)
            widget = item.widget() if item is not None else None
            counts = widget not in (None, self.path, self.more) and widget not in offered
            if widget is not None and counts and not widget.isHidden():
                taken += self._wide(widget)
        return taken

    def _wide(self, widget: QWidget) -> int:
        return widget.sizeHint().width() + self.row.spacing()

    def _fill(self, menu: QMenu) -> None:
        menu.clear()
        for button in reversed(self._folded):
            menu.addAction(button.text(), button.click).setEnabled(button.isEnabled())


class Segments(QFrame):
    """A row of which one is chosen; the arrow keys move along it."""

    chosen = Signal(int)

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__()
        self.setAccessibleName("Operation")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        self._group = QButtonGroup(self)
        for place, name in enumerate(names):
            button = QPushButton(name)
            button.setCheckable(True)
            button.setChecked(place == 0)
            button.setAutoExclusive(True)
            self._group.addButton(button, place)
            row.addWidget(button)
        self._group.idClicked.connect(self.chosen)
        self._join()

    def choose(self, place: int) -> None:
        """Show another one as chosen."""
        self._group.button(place).setChecked(True)

    def _join(self) -> None:
        """Neighbours share an edge: corners are round at the ends only. Shape alone; colours are the style sheet's."""
        buttons = self._group.buttons()
        for place, button in enumerate(buttons):
            left, right = place == 0, place == len(buttons) - 1
            rules = (
                []
                if left
                else ["border-top-left-radius: 0; border-bottom-left-radius: 0; margin-left: -1px;"]
            )
            rules += [] if right else ["border-top-right-radius: 0; border-bottom-right-radius: 0;"]
            button.setStyleSheet("QPushButton { " + " ".join(rules) + " }" if rules else "")
