"""Remote text, shown as it is: never as HTML, and with the characters that cannot be seen made visible.

QLabel, tooltips and message boxes read HTML in what they are given and load local files from it; a direction-changing
character lets a name read backwards.
"""

from __future__ import annotations

import html
import textwrap

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QStyle, QStyleOption, QWidget

from explorer.ui.kit.theme import drawable, lacking_words
from explorer.ui.kit.visible import shortened, visible

_TOOLTIP = 100
"""Characters of a line."""
TOOLTIP_BOUND = 2_000
"""Characters of a tooltip."""
LINE_BOUND = 4_000
"""Characters of a label that is cut to its room."""

__all__ = ["PlainLabel", "fitted", "tooltip", "visible"]


def tooltip(text: str) -> str:
    """``text`` for a tooltip: never read as HTML, escaped where it could be, in lines, and cut after `TOOLTIP_BOUND`
    characters. Below it stand the names of characters that no font here has.
    """
    cut = text if len(text) <= TOOLTIP_BOUND else text[:TOOLTIP_BOUND] + "…"
    cut = visible("\n".join(filter(None, (cut, lacking_words(cut)))), keep_lines=True)
    if "<" not in cut:
        # No markup for Qt to see, and none that a screen reader would read out; Qt does not wrap such a text.
        return "\n".join(wrapped for line in cut.split("\n") for wrapped in _wrapped(line))
    shown = html.escape(cut).replace("\n", "<br>")
    return f"<span>{shown}</span>"


def _wrapped(line: str) -> list[str]:
    if len(line) <= _TOOLTIP:
        return [line]
    return textwrap.wrap(
        line, _TOOLTIP, break_on_hyphens=False, replace_whitespace=False, drop_whitespace=True
    )


_MIDDLE = Qt.TextElideMode.ElideMiddle
_STUB = 6
"""Characters of a text that are too few to tell it by."""
_PARTS = " · "
"""What stands between the parts of a text that are left out whole, the last one first."""


def fitted(
    text: str, metrics: QFontMetrics, room: int, cut: Qt.TextElideMode = Qt.TextElideMode.ElideRight
) -> str:
    """``text`` in ``room`` pixels: without its last parts where it has such (`` · `` between them), else cut with …"""
    while _PARTS in text and metrics.horizontalAdvance(text) > room:
        text = text.rpartition(_PARTS)[0]
    return metrics.elidedText(text, cut, room)


class PlainLabel(QLabel):
    """A label that shows any text as plain text. ``elide`` cuts it with … to its room, whole in the tooltip: of parts
    with `` · `` between them whole ones are left out from the end, of a path its middle. A stub that says nothing is
    left out.
    """

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
        self._cut = _MIDDLE if role == "path" else Qt.TextElideMode.ElideRight
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

    def shown(self) -> str:
        """The text as it is drawn in the room that there is."""
        text = drawable(self._whole)
        if not self._elide:
            return text
        metrics, room = self.fontMetrics(), self.contentsRect().width()
        first = metrics.horizontalAdvance(text.partition(_PARTS)[0])
        least = first // 2 if self._cut == _MIDDLE else metrics.averageCharWidth() * _STUB
        return fitted(text, metrics, room, self._cut) if room >= min(first, least) else ""

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
        flags = int(self.alignment().value)
        style.drawItemText(
            painter,
            self.contentsRect(),
            flags,
            self.palette(),
            self.isEnabled(),
            self.shown(),
            self.foregroundRole(),
        )

    def _fit(self) -> None:
        if self._elide:
            cut = self.fontMetrics().horizontalAdvance(drawable(self._whole)) > self.contentsRect().width()
            self.setToolTip(tooltip(self._whole) if cut else "")
