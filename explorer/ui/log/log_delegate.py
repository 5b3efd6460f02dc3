"""How a call is drawn in the request log: a badge with its status, the target in monospace, figures at the right."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from explorer.ui.kit.theme import ROW, colors, mono, small, tabular, theme
from explorer.ui.log.exchanges import EXCHANGE_ROLE, METHOD, SIZE, STATUS, SUMMARY, TARGET, TIME

_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_GROUNDS = {
    "ok": ("holds_ground", "on_holds"),
    "caution": ("caution_ground", "on_caution"),
    "fails": ("fails_ground", "on_fails"),
    "none": ("hover", "muted_strong"),
}


class LogDelegate(QStyledItemDelegate):
    """Paints the cells of an `ExchangesModel`."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._fonts: tuple[QFont, QFont, QFont] | None = None
        theme().changed.connect(self.forget)

    def forget(self) -> None:
        """The scheme or the font changed."""
        self._fonts = None

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        tokens = colors()
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        if self._fonts is None:
            self._fonts = (tabular(QFont(option.font)), mono(), small(bold=True))
        plain, fixed, badge = self._fonts
        selected = bool(state & QStyle.StateFlag.State_Selected)
        if selected:
            painter.fillRect(rect, tokens.color("selection"))
        painter.setPen(tokens.color("line"))
        painter.drawLine(rect.left(), rect.bottom(), rect.right(), rect.bottom())
        exchange = index.data(EXCHANGE_ROLE)
        text = str(index.data() or "")
        column = index.column()
        if column == STATUS:
            self._badge(painter, rect, text, exchange.verdict if exchange else "none", badge)
        else:
            quiet = "muted_strong" if selected else "muted"
            painter.setPen(tokens.color(quiet if column in (SUMMARY, SIZE, TIME) else "text"))
            font = fixed if column in (METHOD, TARGET) else plain
            painter.setFont(font)
            inner = rect.adjusted(8, 0, -8, 0)
            where = Qt.TextElideMode.ElideMiddle if column == TARGET else Qt.TextElideMode.ElideRight
            shown = QFontMetrics(font).elidedText(text, where, inner.width())
            painter.drawText(inner, _LEFT if column <= SUMMARY else _RIGHT, shown)
        if state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(tokens.color("accent"))
            painter.drawRect(rect.adjusted(0, 0, -1, -1))

    @staticmethod
    def _badge(painter: QPainter, rect: QRect, text: str, verdict: str, font: QFont) -> None:
        tokens = colors()
        ground, ink = _GROUNDS.get(verdict, _GROUNDS["none"])
        metrics = QFontMetrics(font)
        width = min(metrics.horizontalAdvance(text) + 16, rect.width() - 12)
        area = QRectF(rect.left() + 10, rect.center().y() - 8.5, max(width, 34), 18)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(tokens.color(ground))
        painter.drawRoundedRect(area, 9, 9)
        painter.setPen(tokens.color(ink))
        painter.setFont(font)
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, text)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(80, ROW)
