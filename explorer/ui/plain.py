"""Remote text, shown as it is: never as HTML, and with the characters that cannot be seen made visible.

QLabel, tooltips and message boxes read HTML in what they are given and load local files from it; a direction-changing
character lets a name read backwards.
"""

from __future__ import annotations

import html
import unicodedata

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QStyle, QStyleOption, QWidget

_DIRECTION = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_UNSEEN = frozenset("\u00ad\u200b\u2060\ufeff\u2028\u2029")


def visible(text: str, *, keep_lines: bool = False) -> str:
    """``text`` with control, direction-changing and unseen characters drawn: ``␊`` for a line break, ``‹U+202E›``.

    ``keep_lines`` leaves line breaks and tabs alone, for places that show several lines. Lone surrogates become
    their number, as nothing can draw or encode them.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_seen(c, keep_lines) for c in text)


def _seen(char: str, keep_lines: bool) -> str:
    code = ord(char)
    if keep_lines and char in "\n\t":
        return char
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    if char in _DIRECTION or char in _UNSEEN or unicodedata.category(char) in ("Cc", "Cs"):
        return f"‹U+{code:04X}›"
    return char


def tooltip(text: str, limit: int = 2000) -> str:
    """``text`` for a tooltip: escaped, so that it is never read as HTML, and cut after ``limit`` characters."""
    cut = text if len(text) <= limit else text[:limit] + "…"
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
        self._whole = visible(text, keep_lines=self._wrap)
        super().setText(self._whole)
        self._fit()

    def whole(self) -> str:
        """What it shows, before eliding."""
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
            self._whole, Qt.TextElideMode.ElideRight, self.contentsRect().width()
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
