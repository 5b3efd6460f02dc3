"""A layout that places widgets side by side and wraps to the next line at the end of the width."""

from __future__ import annotations

from PySide6.QtCore import QMargins, QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class FlowLayout(QLayout):
    """Left to right, top to bottom. With ``stretch_last`` the last item takes what is left of its line."""

    def __init__(
        self, parent: QWidget | None = None, *, gap: int = 8, line_gap: int = 8, stretch_last: bool = False
    ) -> None:
        super().__init__(parent)
        self.setContentsMargins(0, 0, 0, 0)
        self._items: list[QLayoutItem] = []
        self._gap, self._line_gap, self._stretch_last = gap, line_gap, stretch_last

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def insert_before_last(self, widget: QWidget) -> None:
        """Add ``widget`` so that the item that was last stays last."""
        self.addWidget(widget)
        if len(self._items) > 1:
            self._items[-1], self._items[-2] = self._items[-2], self._items[-1]
        self.invalidate()

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._lay(QRect(0, 0, width, 0), move=False)

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        size = QSize()
        for item in self._shown():
            size = size.expandedTo(item.minimumSize())
        margins: QMargins = self.contentsMargins()
        return size + QSize(margins.left() + margins.right(), margins.top() + margins.bottom())

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._lay(rect, move=True)

    def _shown(self) -> list[QLayoutItem]:
        return [item for item in self._items if not item.isEmpty()]

    def _lay(self, rect: QRect, *, move: bool) -> int:
        margins = self.contentsMargins()
        room = rect.marginsRemoved(margins)
        x, y, height = room.x(), room.y(), 0
        shown = self._shown()
        for item in shown:
            size = (
                item.sizeHint().boundedTo(QSize(max(room.width(), 1), 10**6)).expandedTo(item.minimumSize())
            )
            if self._stretch_last and item is shown[-1]:
                size.setWidth(item.minimumSize().width())
            if item.hasHeightForWidth():
                size.setHeight(item.heightForWidth(size.width()))
            if x > room.x() and x + size.width() > room.right() + 1:
                x, y, height = room.x(), y + height + self._line_gap, 0
            if self._stretch_last and item is shown[-1]:
                size.setWidth(max(size.width(), room.right() + 1 - x))
            if move:
                item.setGeometry(QRect(QPoint(x, y), size))
            x += size.width() + self._gap
            height = max(height, size.height())
        return y + height - rect.y() + margins.bottom()
