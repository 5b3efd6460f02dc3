"""Remote text, shown as it is: never as HTML, and with the characters that cannot be seen made visible.

QLabel, tooltips and message boxes read HTML in what they are given and load local files from it; a direction-changing
character lets a name read backwards.
"""

from __future__ import annotations

import html

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QStyle, QStyleOption, QWidget

from explorer.ui.kit.theme import drawable, lacking_words
from explorer.ui.kit.visible import shortened, visible

LINE_BOUND = 4_000
"""Characters of a label that is cut to its room."""

__all__ = ["PlainLabel", "tooltip", "visible"]


def tooltip(text: str, limit: int = 2000) -> str:
    """``text`` for a tooltip: escaped, so that it is never read as HTML, and cut after ``limit`` characters. Below it
    stand the names of characters that no font here has.
    """
    cut = text if len(text) <= limit else text[:limit] + "…"
    cut = "\n".join(filter(None, (cut, lacking_words(cut))))
    shown = html.escape(visible(cut, keep_lines=True)).replace("\n", "<br>")
    return f"<span>{shown}</span>" if shown else ""


class PlainLabel(QLabel):
    """A label that shows any text as plain text. ``elide`` cuts it with … to its room, whole in the tooltip."""

    def __init__(
        self,
        text: str = "",
        parent: QWidget | None = None,
        *,
        role: str = "",
        elide: bool = False,
        wrap: bool = False,
        selectable: bool = False,
    ) -> None:
        super().__init__(parent)
        self._whole = ""
        self._elide = elide
        self._wrap = wrap
        self.setIndent(0)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(wrap)
        if role:
            self.setProperty("role", role)
        if elide:
            self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        if selectable:
            self.setTextInteractionFlags(
                Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
            )
        self.setText(text)

    def setText(self, text: str) -> None:
        """Show ``text``, made visible."""
        # One line of a window is never so long; measuring and laying out what nobody sees takes seconds.
        self._whole = visible(shortened(text, LINE_BOUND) if self._elide else text, keep_lines=self._wrap)
        super().setText(self._whole)
        self._fit()

    def whole(self) -> str:
        """The whole text, before it is elided."""
        return self._whole

    def minimumSizeHint(self) -> QSize:
        hint = super().minimumSizeHint()
        return QSize(min(hint.width(), 24), hint.height()) if self._elide else hint

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        if self._elide:
            hint.setWidth(self.fontMetrics().horizontalAdvance(self._whole) + 2)
        return hint

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._elide:
            super().paintEvent(event)
            return
        # The text stays whole for screen readers; only the drawing is cut.
        painter = QPainter(self)
        option = QStyleOption()
        option.initFrom(self)
        style = self.style()
        style.drawPrimitive(QStyle.PrimitiveElement.PE_Widget, option, painter, self)
        shown = self.fontMetrics().elidedText(
            drawable(self._whole), Qt.TextElideMode.ElideRight, self.contentsRect().width()
        )
        flags = int(self.alignment().value)
        style.drawItemText(
            painter,
            self.contentsRect(),
            flags,
            self.palette(),
            self.isEnabled(),
            shown,
            self.foregroundRole(),
        )

    def _fit(self) -> None:
        if self._elide:
            cut = self.fontMetrics().horizontalAdvance(self._whole) > self.contentsRect().width()
            self.setToolTip(tooltip(self._whole) if cut else "")
