"""A combo box that may be narrower than its text, which is then cut with an ellipsis and whole in the tooltip."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QComboBox, QStyle, QStyleOptionComboBox, QStylePainter

from explorer.ui.kit.plain import fitted, tooltip

_AROUND = 2
"""Pixels that the style keeps free beside the text: where a combo fits its text, all of it is shown."""


class ElidedCombo(QComboBox):
    """A combo box whose text ends in an ellipsis where it does not fit. Its items are plain text."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.cut = Qt.TextElideMode.ElideRight
        """Where a text is cut that is too long."""
        self.setAccessibleName(name)
        self.setAccessibleDescription("")
        self.currentTextChanged.connect(lambda text: self.setToolTip(tooltip(text)))

    def setAccessibleDescription(self, words: str) -> None:
        """The name, then ``words``: on Linux Qt gives the chosen text as the name of a combo box."""
        super().setAccessibleDescription(". ".join(filter(None, (self.accessibleName(), words))))

    def sizeHint(self) -> QSize:
        """Wide enough for all of each text, where its width goes by its contents: Qt forgets the arrow's room."""
        hint = super().sizeHint()
        if self.sizeAdjustPolicy() is not QComboBox.SizeAdjustPolicy.AdjustToContents:
            return hint
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        option.rect = QRect(QPoint(), hint)
        texts = (self.itemText(place) for place in range(self.count()))
        widest = max(map(self.fontMetrics().horizontalAdvance, texts), default=0)
        lacking = widest + _AROUND - self._room(option)  # the border of the focus takes some more
        return QSize(hint.width() + max(lacking, 0), hint.height())

    def shown_text(self) -> str:
        """The text as painted, cut to its room."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        return self._cut(option)

    def _cut(self, option: QStyleOptionComboBox) -> str:
        text = self.currentText() if self.currentIndex() >= 0 else self.placeholderText()
        return fitted(text, self.fontMetrics(), self._room(option), self.cut)

    def _room(self, option: QStyleOptionComboBox) -> int:
        field = QStyle.SubControl.SC_ComboBoxEditField
        return (
            self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, field, self).width()
            - _AROUND
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, option = QStylePainter(self), QStyleOptionComboBox()
        self.initStyleOption(option)
        option.currentText = self._cut(option)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
