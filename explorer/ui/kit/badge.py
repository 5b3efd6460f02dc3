"""A word on a coloured ground: how a state is painted inside a cell."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainter

from explorer.ui.kit.theme import colors, small

_HEIGHT = 17
_LEAST = 34


def paint_badge(painter: QPainter, rect: QRect, text: str, look: str) -> None:
    """Paints ``text`` at the left of ``rect``; ``look`` is ``holds``, ``caution``, ``fails``, ``info`` or ``none``."""
    tokens, font = colors(), small(bold=True)
    ground, ink = ("hover", "muted_strong") if look == "none" else (f"{look}_ground", f"on_{look}")
    metrics = QFontMetrics(font)
    width = min(max(metrics.horizontalAdvance(text) + 16, _LEAST), rect.width() - 12)
    shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, max(width - 12, 0))
    area = QRectF(rect.left() + 8, rect.top() + (rect.height() - _HEIGHT) / 2, width, _HEIGHT)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(tokens.color(ground))
    painter.drawRoundedRect(area, _HEIGHT / 2, _HEIGHT / 2)
    painter.setPen(tokens.color(ink))
    painter.setFont(font)
    painter.drawText(area, int(Qt.AlignmentFlag.AlignCenter), shown)
    painter.restore()
