"""The Mapping tab: where each unified value of the record comes from in raw_data. Both sides light up.

The mapping is told by up to `SAMPLE` rows of the same list, in a thread, once for a list as it stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import (
    QFont,
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QSplitter,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from explorer.jsontext.members import place_of
from explorer.ui.forms.flow import FlowLayout
from explorer.ui.inspector.mapping_lines import Mapped, MappingModel, learn, mapped, path_words
from explorer.ui.kit.badge import paint_badge
from explorer.ui.kit.json_delegate import JsonDelegate
from explorer.ui.kit.json_tree import JsonTreeModel, Node
from explorer.ui.kit.json_way import JsonWay
from explorer.ui.kit.plain import PlainLabel, tooltip
from explorer.ui.kit.table_rows import by_rows
from explorer.ui.kit.tasks import Tasks
from explorer.ui.kit.theme import colors, mono, theme
from explorer.ui.records.record_view import RecordView
from explorer.ui.records.row_delegate import MARGIN, CellPaint
from explorer.work import in_thread

if TYPE_CHECKING:
    from explorer.quality.mapping.search import Found
    from explorer.quality.mapping.trace import Line

Index = QModelIndex | QPersistentModelIndex
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_SHARES = (30, 39, 31)
"""Of the width, where names, values and sources all need more: a date is seen whole beside the table."""
_OPEN_AT_ONCE = 400
"""Values of raw_data up to which all of it is laid open."""
_READ_AT_ONCE = 500_000
"""Bytes of it that are read for that."""


class MappingView(QWidget):
    """Follows the record that the inspector shows, while it is in front."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("mapping")
        self.setAccessibleName("Mapping of the record")
        self.tasks = Tasks(self, self._failed)
        self._told: tuple[object, dict[str, Found]] | None = None
        self._shown: Mapped | None = None
        self.said = PlainLabel("", role="muted")
        self.unused = PlainLabel("", role="muted")
        self.model = MappingModel(self)
        self.table = _LinesTable(self.model)
        self.table.selectionModel().currentRowChanged.connect(lambda now, _: self._line_chosen(now.row()))
        self.raw = JsonTreeModel(self)
        self.tree = _RawTree(self.raw)
        self.tree.selectionModel().currentChanged.connect(lambda now, _: self._value_chosen(now))
        self._build()

    def _build(self) -> None:
        sums = QWidget()
        head = FlowLayout(sums, gap=16, line_gap=2)
        head.setContentsMargins(12, 8, 12, 8)
        head.addWidget(self.said)
        head.addWidget(self.unused)
        title = PlainLabel("raw_data", role="path")
        title.setContentsMargins(12, 6, 12, 4)
        below = QWidget()
        inner = QVBoxLayout(below)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(0)
        inner.addWidget(title)
        inner.addWidget(self.tree, 1)
        self.split = QSplitter(Qt.Orientation.Vertical)
        self.split.setChildrenCollapsible(False)
        self.split.setHandleWidth(1)
        self.split.addWidget(self.table)
        self.split.addWidget(below)
        self.split.setSizes([220, 300])
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(sums)
        column.addWidget(self.split, 1)

    # ---- showing

    def show_record(self, view: RecordView | None) -> None:
        """Trace another record, or none. What was shown stays until it is known."""
        if view is None:
            self.tasks.cancel("trace")
            self._show(None)
            return
        if self._shown is None:
            self.said.setText("Looking for where its values come from…")
        self.tasks.start("trace", self._trace(view), done=self._show)

    async def _trace(self, view: RecordView) -> Mapped:
        told = self._told
        if told is None or told[0] != view.sample_of:
            raws = view.sample() if view.sample is not None else [view.raw]
            told = (view.sample_of, await in_thread(learn, raws))
            self._told = told
        return await in_thread(mapped, view, told[1])

    def _failed(self, error: BaseException) -> None:
        self._show(None)
        self.said.setText("Where its values come from could not be determined")
        self.said.setToolTip(tooltip(type(error).__name__))

    def _show(self, shown: Mapped | None) -> None:
        chosen = self._chosen()
        before = chosen.pointer if chosen else ""
        self._shown = shown
        self.model.show(shown.lines if shown else ())
        self.said.setText(shown.said if shown else "")
        self.unused.setText(shown.unused_said if shown else "")
        self.unused.setToolTip(
            tooltip(
                "Nothing in the unified record comes from\n" + "\n".join(map(path_words, shown.unused[:30]))
            )
            if shown and shown.unused
            else ""
        )
        self.tree.light(())
        self.raw.set_bytes(shown.raw if shown else b"")
        self.tree.open_all()
        self.table.fit()
        row = self.model.first(lambda line: line.pointer == before) if before else -1
        if row >= 0:
            self.table.selectRow(row)

    # ---- both sides

    def _chosen(self) -> Line | None:
        row = self.table.currentIndex().row()
        return self.model.lines[row].line if 0 <= row < len(self.model.lines) else None

    def _line_chosen(self, row: int) -> None:
        line = self.model.lines[row].line if 0 <= row < len(self.model.lines) else None
        places = (place_of(self.raw.data_bytes, path) for path in (line.sources if line else ()))
        self.tree.light([place.start for place in places if place is not None])

    def _value_chosen(self, index: QModelIndex) -> None:
        """Chooses the line that comes from the value, from around it or from within it."""
        node = self.raw.node(index)
        if node is None or not self.tree.hasFocus():
            return
        here = node.pointer()
        row = self.model.first(lambda line: here in line.sources)
        if row < 0:
            row = self.model.first(
                lambda line: any(here.startswith(f"{p}/") or p.startswith(f"{here}/") for p in line.sources)
            )
        if row >= 0:
            self.table.selectRow(row)
        else:
            self.table.setCurrentIndex(QModelIndex())
            self.table.clearSelection()


class _RawTree(QTreeView):
    """raw_data as a tree; some of its values can be lit up."""

    def __init__(self, model: JsonTreeModel) -> None:
        super().__init__()
        self._model = model
        self.setObjectName("json-tree")
        self.setAccessibleName("raw_data of the record")
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self.setIndentation(16)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setModel(model)
        self._delegate = JsonDelegate(self)
        self.setItemDelegate(self._delegate)
        self._way = JsonWay(self, model)
        self._way.arrived.connect(self._show_lit)

    def open_all(self) -> None:
        """Lay the whole open where that is short, else its first level."""
        root = self._model.root
        if root is None or not root.branch:
            return
        waiting, opened, read = [root], 0, 0
        while waiting and opened < _OPEN_AT_ONCE and read < _READ_AT_ONCE:
            node = waiting.pop(0)
            self.expand(self._model.index_of(node))
            children = node.children()
            opened += len(children)
            read += node.size
            waiting += [child for child in children if child.branch]

    def light(self, starts: list[int] | tuple[int, ...]) -> None:
        """Light the values up that begin at these places, and bring the first into view."""
        self._delegate.lit = frozenset(starts)
        self._way.stop()
        if starts:
            self._way.start(starts[0])
        self.viewport().update()

    def _show_lit(self, node: Node) -> None:
        self.scrollTo(self._model.index_of(node))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        node = self._model.node(self.currentIndex())
        if event.matches(QKeySequence.StandardKey.Copy) and node is not None:
            QGuiApplication.clipboard().setText(f"raw_data{path_words(node.pointer())}")
            return
        super().keyPressEvent(event)


class _LinesTable(QTableView):
    """Three columns that fit the width."""

    def __init__(self, model: MappingModel) -> None:
        super().__init__()
        self.setObjectName("fields")
        self.setAccessibleName("Unified values and where they come from")
        self.setModel(model)
        self.setItemDelegate(_LineDelegate(model, self))
        by_rows(self)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        head = self.horizontalHeader()
        head.setSectionsClickable(False)
        head.setStretchLastSection(True)

    def fit(self) -> None:
        """None gets more than it needs; where there is too little for all, each has its share of it."""
        room, model = self.viewport().width(), self.model()
        metrics = QFontMetrics(mono())
        needs = []
        for column in range(model.columnCount()):
            texts = (str(model.index(row, column).data() or "") for row in range(model.rowCount()))
            widest = max((metrics.horizontalAdvance(text[:80]) for text in texts), default=0) + 2 * MARGIN + 2
            needs.append(max(widest, 96))
        for column, width in enumerate(_shared(room, needs)[:2]):
            self.setColumnWidth(column, width)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy) and self.currentIndex().isValid():
            QGuiApplication.clipboard().setText(str(self.currentIndex().data() or ""))
            return
        super().keyPressEvent(event)


def _shared(room: int, needs: Sequence[int]) -> list[int]:
    """What each column may have of ``room`` pixels: what it needs, or its share of what the others leave."""
    widths, left, shares = [0] * len(needs), room, sum(_SHARES)
    for at in sorted(range(len(needs)), key=lambda at: needs[at] / _SHARES[at]):
        widths[at] = min(needs[at], left * _SHARES[at] // shares)
        left, shares = left - widths[at], shares - _SHARES[at]
    return widths


class _LineDelegate(QStyledItemDelegate):
    """Name and path in monospace, the value as in the table, what needs a look as a badge."""

    def __init__(self, model: MappingModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._look: CellPaint | None = None
        theme().changed.connect(self.forget)

    def forget(self) -> None:
        """The scheme or the font changed."""
        self._look = None

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        tokens = colors()
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        selected = bool(state & QStyle.StateFlag.State_Selected)
        look = self._look = self._look or CellPaint(QFont(option.font))
        line = self._model.lines[index.row()]
        if selected:
            painter.fillRect(rect, tokens.color("selection"))
        painter.setPen(tokens.color("line"))
        painter.drawLine(rect.left(), rect.bottom(), rect.right(), rect.bottom())
        if index.column() == 1:
            cell = line.cell._replace(kind="text") if line.cell.kind == "number" else line.cell
            look.draw(painter, rect, cell, "text", selected)
        elif index.column() == 2 and line.look == "caution":
            paint_badge(painter, rect, line.source, "caution")
        else:
            quiet = index.column() == 2
            font = look.font if line.look == "muted" and quiet else look.mono
            painter.setFont(font)
            painter.setPen((look.strong if selected else look.muted) if quiet else look.text)
            text = line.source if quiet else line.name
            inner = rect.adjusted(MARGIN, 0, -MARGIN, 0)
            # Of a place within something its end says more than its beginning.
            cutting = Qt.TextElideMode.ElideLeft if "]" in text else Qt.TextElideMode.ElideRight
            cut = look.metrics[id(font)].elidedText(text, cutting, inner.width())
            painter.drawText(inner, _LEFT, cut)
        if state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(tokens.color("accent"))
            painter.drawRect(rect.adjusted(0, 0, -1, -1))
