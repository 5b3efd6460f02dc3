"""The filters in force, a chip each: pressing one, or Delete on it, removes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from explorer.ui.kit.plain import tooltip, visible
from explorer.ui.pages.list.filter_popup import filter_words

if TYPE_CHECKING:
    from explorer.session import Filter

_TALL, _GAP = 22, 4
_LONGEST = 32
"""Characters of a filter that its chip shows; whole in the tooltip."""


class FilterChip(QPushButton):
    """One filter."""

    def __init__(self, given: Filter) -> None:
        said = visible(filter_words(given))
        cut = said if len(said) <= _LONGEST else said[: _LONGEST - 1] + "…"
        super().__init__(f"{cut} ×".replace("&", "&&"))
        self.given = given
        self.setProperty("kind", "chip")
        self.setAccessibleName(f"Filter: {said}. Press to remove it")
        self.setToolTip(tooltip(f"{said}\nPress to remove this filter"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys = (Qt.Key.Key_Delete, Qt.Key.Key_Backspace, Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if event.key() in keys:
            self.click()
        else:
            super().keyPressEvent(event)


class FilterChips(QWidget):
    """All of them, in the order in which they were made."""

    changed = Signal()
    emptied = Signal()
    """The last one was removed: the keys have to go elsewhere."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.chips: list[FilterChip] = []
        """From left to right."""
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setSizePolicy(policy)
        self.hide()

    def filters(self) -> tuple[Filter, ...]:
        """What they say."""
        return tuple(chip.given for chip in self.chips)

    def add(self, given: Filter) -> None:
        """One filter more; the same twice is once."""
        if given in self.filters():
            return
        chip = FilterChip(given)
        chip.setParent(self)
        chip.clicked.connect(lambda: self._remove(chip))
        self.chips.append(chip)
        chip.show()
        self.show()
        self._flow()
        self.changed.emit()

    def _remove(self, chip: FilterChip) -> None:
        left = self.chips
        place = left.index(chip)
        left.remove(chip)
        focused = chip.hasFocus()
        chip.hide()
        chip.deleteLater()
        if left and focused:
            left[min(place, len(left) - 1)].setFocus(Qt.FocusReason.OtherFocusReason)
        self.setVisible(bool(left))
        self._flow()
        if not left:
            self.emptied.emit()
        self.changed.emit()

    # ---- room: as many beside each other as fit, the others below

    def sizeHint(self) -> QSize:
        """All in one line."""
        wide = sum(chip.sizeHint().width() + _GAP for chip in self.chips) - _GAP
        return QSize(max(wide, 0), self.height())

    def minimumSizeHint(self) -> QSize:
        return QSize(max((chip.sizeHint().width() for chip in self.chips), default=0), _TALL)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._flow()

    def _flow(self) -> None:
        left = top = 0
        room = max(self.width(), self.minimumSizeHint().width())
        for chip in self.chips:
            wide = chip.sizeHint().width()
            if left and left + wide > room:
                left, top = 0, top + _TALL + _GAP
            chip.setGeometry(left, top, wide, _TALL)
            left += wide + _GAP
        self.setFixedHeight(top + _TALL)
        self.updateGeometry()
