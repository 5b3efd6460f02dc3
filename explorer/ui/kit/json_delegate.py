"""How one node of a JSON tree is drawn: name, value and their kinds in the colours of the theme."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from explorer.ui.kit.json_tree import NODE_ROLE, Node
from explorer.ui.kit.theme import Colors, colors, drawable, mono, theme

if TYPE_CHECKING:
    from explorer.text_match import Highlights

_HEIGHT = 22
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_VALUE_COLORS = {"text": "json_string", "number": "json_number", "invalid": "caution"}


class JsonDelegate(QStyledItemDelegate):
    """Paints ``"name": value`` in monospace; what is found by a search stands on its own ground."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._font: QFont | None = None
        self._metrics: QFontMetrics | None = None
        self.found: Node | None = None
        """The node that the search is at."""
        self.marks: Highlights | None = None
        """Where what is searched for stands in a text."""
        self.lit: frozenset[int] = frozenset()
        """Where values begin that stand out, as something elsewhere belongs to them."""
        theme().changed.connect(self.forget)

    def forget(self) -> None:
        """The scheme or the font changed."""
        self._font = None

    def _ready(self) -> tuple[QFont, QFontMetrics]:
        if self._font is None or self._metrics is None:
            self._font = mono()
            self._metrics = QFontMetrics(self._font)
        return self._font, self._metrics

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        node = index.data(NODE_ROLE)
        if not isinstance(node, Node):
            return
        tokens = colors()
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        selected = bool(state & QStyle.StateFlag.State_Selected)
        if selected or node.start in self.lit:
            painter.fillRect(rect, tokens.color("selection"))
        elif node is self.found:
            painter.fillRect(rect, tokens.color("caution_ground"))
        font, metrics = self._ready()
        painter.setFont(font)
        at = rect.adjusted(4, 0, -4, 0)
        for text, color in self._pieces(node, tokens, selected or node.start in self.lit):
            shown = metrics.elidedText(drawable(text), Qt.TextElideMode.ElideRight, at.width())
            for start, stop in self.marks(shown) if self.marks is not None else ():
                left = at.left() + metrics.horizontalAdvance(shown[:start])
                wide = at.left() + metrics.horizontalAdvance(shown[:stop]) - left
                painter.fillRect(QRect(left, rect.bottom() - 3, wide, 2), tokens.color("on_caution"))
            painter.setPen(color)
            painter.drawText(at, _LEFT, shown)
            at = at.adjusted(metrics.horizontalAdvance(shown), 0, 0, 0)
            if at.width() <= 0:
                break
        if state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(tokens.color("accent"))
            painter.drawRect(rect.adjusted(0, 0, -1, -1))

    @staticmethod
    def _pieces(node: Node, tokens: Colors, selected: bool) -> list[tuple[str, QColor]]:
        quiet = tokens.color("muted_strong" if selected else "muted")
        name, value = node.name_text(), node.value_text()
        made = []
        if name:
            made.append(
                (name, tokens.color("json_key") if node.in_object and node.kind != "group" else quiet)
            )
        if name and value:
            made.append((": ", quiet))
        if value:
            token = _VALUE_COLORS.get(node.kind)
            made.append(
                (value, tokens.color(token) if token else quiet if node.branch else tokens.color("text"))
            )
        return made

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        node = index.data(NODE_ROLE)
        _, metrics = self._ready()
        text = f"{node.name_text()}: {node.value_text()}" if isinstance(node, Node) else ""
        return QSize(metrics.horizontalAdvance(text[:400]) + 12, _HEIGHT)
