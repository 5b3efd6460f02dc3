"""The results of a run as a folding table, and several connections as a grid."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QFrame,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QTreeView,
    QWidget,
)

from explorer.ui.models.quality_grid import BADGE, GridModel
from explorer.ui.models.quality_results import (
    CHECK,
    EVIDENCE,
    LINE,
    MEASURED,
    RESULT,
    SECTION,
    SEEN,
    WHERE,
    ResultsModel,
)
from explorer.ui.models.quality_words import Line, Section
from explorer.ui.theme import HEADER, colors, small, theme

Index = QModelIndex | QPersistentModelIndex
_ROW = 30
_MARGIN = 8
_NARROW = 860
_TIGHT = 560
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


def draw_badge(painter: QPainter, rect: QRect, text: str, badge: str) -> int:
    """A word on its tinted ground, at the left of ``rect``. Returns its width."""
    font = small(bold=True)
    metrics = QFontMetrics(font)
    width = min(metrics.horizontalAdvance(text) + 16, rect.width())
    ground = QRect(rect.left(), rect.center().y() - 8, width, 18)
    painter.setPen(Qt.PenStyle.NoPen)
    plain = badge == "plain"
    painter.setBrush(colors().color("hover" if plain else f"{badge}_ground"))
    painter.drawRoundedRect(ground, 9, 9)
    painter.setFont(font)
    painter.setPen(colors().color("muted_strong" if plain else f"on_{badge}"))
    inside = ground.adjusted(8, 0, -6, 0)
    shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, inside.width())
    painter.drawText(inside, _LEFT, shown)
    return width


class ResultsTable(QTreeView):
    """Enter or the evidence's link leads to where it shows; the arrows walk and fold."""

    chosen = Signal(object)
    """The `Line` that the user is on, or None."""
    evidence_wanted = Signal(object)
    """A `Line`: show where it shows."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.results = ResultsModel(self)
        self.setModel(self.results)
        self.setAccessibleName("Results")
        self.setItemDelegate(_Paint(self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformRowHeights(True)
        self.setIndentation(14)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        head = self.header()
        head.setAccessibleName("Columns")
        head.setFixedHeight(HEADER)
        head.setSectionsMovable(False)
        head.setSectionsClickable(False)
        head.setHighlightSections(False)
        head.setStretchLastSection(False)
        head.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        head.setMinimumSectionSize(30)
        self.selectionModel().currentRowChanged.connect(
            lambda now, _: self.chosen.emit(self.results.line(now))
        )
        self.clicked.connect(self._clicked)
        self.doubleClicked.connect(self._take)
        theme().changed.connect(self.viewport().update)

    def show_sections(self, sections: Sequence[Section]) -> None:
        """Show ``sections``; the line chosen before stays chosen where it is there again."""
        before = self.results.line(self.currentIndex())
        folds = {
            s.title: self.isExpanded(self.results.index(i, 0)) for i, s in enumerate(self.results.sections)
        }
        self.results.show(sections)
        for row, section in enumerate(sections):
            index = self.results.index(row, 0)
            self.setFirstColumnSpanned(row, QModelIndex(), True)
            self.setExpanded(index, section.open or (folds.get(section.title, False) and bool(section.lines)))
        if before is not None:
            self.go_to(before.result.check.id, before.result.resource)
        if not self.currentIndex().isValid():
            self.chosen.emit(None)

    def go_to(self, check: str, resource: str) -> bool:
        """Choose the line of that check and resource; says whether there is one."""
        index = self.results.index_of(check, resource)
        if index.isValid():
            self.expand(index.parent())
            self.setCurrentIndex(index)
            self.scrollTo(index)
        return index.isValid()

    def line(self) -> Line | None:
        """The line that the user is on."""
        return self.results.line(self.currentIndex())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not control:
            index = self.currentIndex()
            if self.results.line(index) is None and index.isValid():
                self.setExpanded(index.siblingAtColumn(0), not self.isExpanded(index.siblingAtColumn(0)))
            else:
                self._take(index)
            return
        super().keyPressEvent(event)

    def drawRow(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().drawRow(painter, option, index)
        rect: QRect = option.rect
        painter.setPen(colors().color("line"))
        painter.drawLine(0, rect.bottom(), rect.right(), rect.bottom())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        link = index.column() == EVIDENCE and bool(index.data())
        shape = Qt.CursorShape.PointingHandCursor if link else Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(shape)
        super().mouseMoveEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        room = self.viewport().width()
        narrow = room < _NARROW
        self.setColumnHidden(MEASURED, narrow)
        self.setColumnHidden(EVIDENCE, room < _TIGHT)
        fixed = {RESULT: 112, WHERE: 92 if narrow else 118, MEASURED: 160, EVIDENCE: 104}
        left = room - sum(w for c, w in fixed.items() if not self.isColumnHidden(c))
        check = max(150, min(left * 9 // 20, 270))
        for column, width in {**fixed, CHECK: check, SEEN: max(left - check, 80)}.items():
            self.setColumnWidth(column, width)

    def _clicked(self, index: QModelIndex) -> None:
        line = self.results.line(index)
        if line is None:
            self.setExpanded(index.siblingAtColumn(0), not self.isExpanded(index.siblingAtColumn(0)))
        elif index.column() == EVIDENCE and index.data():
            self.evidence_wanted.emit(line)

    def _take(self, index: QModelIndex) -> None:
        line = self.results.line(index)
        if line is not None:
            self.evidence_wanted.emit(line)


class _Paint(QStyledItemDelegate):
    """A badge for the verdict, a heading over the whole width, links in their colour."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(60, _ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect: QRect = option.rect
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        if selected:
            painter.fillRect(rect, colors().color("selection"))
        section: Section | None = index.data(SECTION)
        if section is not None:
            _heading(painter, rect, section)
        else:
            _cell(painter, rect, index.data(LINE), index, selected)
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QPen(colors().color("accent"), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(rect.adjusted(0, 0, -1, -2))
        painter.restore()


def _heading(painter: QPainter, rect: QRect, section: Section) -> None:
    font = QFont(QApplication.font())
    font.setWeight(QFont.Weight.DemiBold)
    painter.setFont(font)
    painter.setPen(colors().color("text"))
    room = rect.adjusted(4, 0, -_MARGIN, 0)
    painter.drawText(room, _LEFT, section.title)
    room.setLeft(room.left() + QFontMetrics(font).horizontalAdvance(section.title) + 12)
    painter.setFont(small())
    painter.setPen(colors().color("muted"))
    painter.drawText(room, _LEFT, section.words)


def _cell(painter: QPainter, rect: QRect, line: Line, index: Index, selected: bool) -> None:
    room = rect.adjusted(_MARGIN, 0, -_MARGIN, 0)
    column, text = index.column(), str(index.data() or "")
    if column == RESULT:
        draw_badge(painter, room.adjusted(-4, 0, 0, 0), line.word, line.badge)
        return
    font = QFont(QApplication.font())
    if column == CHECK:
        font.setWeight(QFont.Weight.Medium)
    painter.setFont(font)
    token = {CHECK: "text", EVIDENCE: "info"}.get(column, "muted_strong" if selected else "muted")
    painter.setPen(colors().color(token))
    side = Qt.AlignmentFlag.AlignRight if column == MEASURED else Qt.AlignmentFlag.AlignLeft
    shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, room.width())
    painter.drawText(room, side | Qt.AlignmentFlag.AlignVCenter, shown)


class ConnectionsGrid(QTableView):
    """The verdicts of several connections. Enter or a click on a cell goes to that connection's run."""

    taken = Signal(int, str)
    """The place of a run, counted from 0, and the group or the check's sentence of the row."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.grid = GridModel(self)
        self.setModel(self.grid)
        self.setAccessibleName("Verdicts by connection")
        self.setItemDelegate(_GridPaint(self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        rows, head = self.verticalHeader(), self.horizontalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setDefaultSectionSize(_ROW)
        head.setFixedHeight(HEADER)
        head.setSectionsClickable(False)
        head.setHighlightSections(False)
        head.setAccessibleName("Connections")
        head.setDefaultAlignment(_LEFT)
        head.setMinimumSectionSize(60)
        self.clicked.connect(self._take)
        self.grid.modelReset.connect(self._share)
        theme().changed.connect(self.viewport().update)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers():
            self._take(self.currentIndex())
            return
        super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share()

    def _share(self) -> None:
        room, columns = self.viewport().width(), max(self.grid.columnCount() - 1, 1)
        first = min(260 if self.grid.by_check else 160, room // 3)
        self.setColumnWidth(0, first)
        for column in range(1, columns + 1):
            self.setColumnWidth(column, max((room - first) // columns, 170))

    def _take(self, index: QModelIndex) -> None:
        if index.isValid() and index.column() > 0:
            self.taken.emit(index.column() - 1, str(index.siblingAtColumn(0).data()))


class _GridPaint(QStyledItemDelegate):
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect: QRect = option.rect
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, colors().color("selection"))
        painter.setPen(colors().color("line"))
        painter.drawLine(rect.left(), rect.bottom(), rect.right(), rect.bottom())
        room = rect.adjusted(_MARGIN, 0, -_MARGIN, 0)
        text, badge = str(index.data() or ""), index.data(BADGE)
        if badge is not None:
            draw_badge(painter, room, text, badge)
        else:
            font = QApplication.font()
            painter.setFont(font)
            painter.setPen(colors().color("text" if index.column() == 0 else "muted"))
            shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, room.width())
            painter.drawText(room, _LEFT, shown)
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QPen(colors().color("accent"), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(rect.adjusted(0, 0, -1, -1))
        painter.restore()
