"""The results of a run as a folding table."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QFrame,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QWidget,
)

from explorer.ui.kit.plain import visible
from explorer.ui.kit.theme import HEADER, colors, small, theme
from explorer.ui.pages.quality.quality_results import (
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
from explorer.ui.pages.quality.quality_words import Line, Section, where

Index = QModelIndex | QPersistentModelIndex
LINE_HEIGHT = 30
MARGIN = 8
_NARROW = 860
_TIGHT = 560
_BADGE = 112
_LINK = 104
"""Pixels at 100 %: the verdict behind its indentation, and the link to the evidence."""
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


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
    painter.drawText(inside, LEFT, shown)
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
        self._held = self._put_off = False
        """A mouse button is down; what was chosen with it was not told yet."""
        self.selectionModel().currentRowChanged.connect(lambda *_: self._notify())
        self.clicked.connect(self._clicked)
        self.doubleClicked.connect(self._take)
        theme().changed.connect(self.viewport().update)

    def show_sections(self, sections: Sequence[Section], *, keep: bool = True) -> None:
        """Show ``sections``; the line chosen before stays chosen where it is there again.

        Without ``keep``, of another run, only a finding stays that is one again; else it begins at its top.
        """
        before = self.results.line(self.currentIndex())
        folds = {
            s.title: self.isExpanded(self.results.index(i, 0)) for i, s in enumerate(self.results.sections)
        }
        self.results.show(sections)
        for row, section in enumerate(sections):
            index = self.results.index(row, 0)
            self.setFirstColumnSpanned(row, QModelIndex(), True)
            self.setExpanded(index, section.open or (folds.get(section.title, False) and bool(section.lines)))
        self._share()
        if before is not None and (keep or self._found_again(before)):
            self.go_to(before.result.check.id, before.result.resource)
        elif not keep:
            self.scrollToTop()
        if not self.currentIndex().isValid():
            self.chosen.emit(None)

    def _found_again(self, before: Line) -> bool:
        now = self.results.line(self.results.index_of(before.result.check.id, before.result.resource))
        return before.result.is_bad and now is not None and now.result.is_bad

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
        now = self.currentIndex()
        if self.hasFocus() and now.isValid() and now.siblingAtColumn(0) == index.sibling(index.row(), 0):
            painter.setPen(QPen(colors().color("accent"), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(0, rect.top(), self.viewport().width() - 1, rect.height() - 2)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._held = True
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._held = False
        super().mouseReleaseEvent(event)
        if self._put_off:
            self._notify()

    def _notify(self) -> None:
        # A finding that opens takes room: it would move the link away between press and release.
        self._put_off = self._held
        if not self._held:
            self.chosen.emit(self.line())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        link = index.column() == EVIDENCE and bool(index.data())
        shape = Qt.CursorShape.PointingHandCursor if link else Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(shape)
        super().mouseMoveEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share()

    def _share(self) -> None:
        """The sentence of a check and what was seen share what the others leave; with little room, fewer are shown."""
        room = self.viewport().width()
        tight = room < _TIGHT
        now = self.currentIndex()
        if now.column() > CHECK:  # a hidden column takes the current place with it
            only = QItemSelectionModel.SelectionFlag.NoUpdate
            self.selectionModel().setCurrentIndex(now.siblingAtColumn(CHECK), only)
        self.setColumnHidden(MEASURED, room < _NARROW)
        for column in (SEEN, EVIDENCE):
            self.setColumnHidden(column, tight)
        place = self._widest_place() + 2 * MARGIN + 4
        fixed = {RESULT: _BADGE, WHERE: max(64, min(place, 130)), MEASURED: 160, EVIDENCE: _LINK}
        left = room - sum(w for c, w in fixed.items() if not self.isColumnHidden(c))
        check = left if tight else max(150, min(left * 11 // 20, 290))
        for column, width in {**fixed, CHECK: check, SEEN: left - check}.items():
            self.setColumnWidth(column, width)

    def _widest_place(self) -> int:
        metrics = QFontMetrics(QApplication.font())
        places = {where(line.result.resource) for s in self.results.sections for line in s.lines}
        return max((metrics.horizontalAdvance(visible(place)) for place in places), default=0)

    def _clicked(self, index: QModelIndex) -> None:
        line = self.results.line(index)
        if line is None:
            self.setExpanded(index.siblingAtColumn(0), not self.isExpanded(index.siblingAtColumn(0)))
        elif index.column() == EVIDENCE and index.data():
            self.evidence_wanted.emit(line)
        else:
            self.chosen.emit(line)  # once more, where its finding was closed

    def _take(self, index: QModelIndex) -> None:
        line = self.results.line(index)
        if line is not None:
            self.evidence_wanted.emit(line)


class _Paint(QStyledItemDelegate):
    """A badge for the verdict, a heading over the whole width, links in their colour."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(60, LINE_HEIGHT)

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
        painter.restore()


def _heading(painter: QPainter, rect: QRect, section: Section) -> None:
    font = QFont(QApplication.font())
    font.setWeight(QFont.Weight.DemiBold)
    painter.setFont(font)
    painter.setPen(colors().color("text"))
    room = rect.adjusted(4, 0, -MARGIN, 0)
    painter.drawText(room, LEFT, section.title)
    room.setLeft(room.left() + QFontMetrics(font).horizontalAdvance(section.title) + 12)
    painter.setFont(small())
    painter.setPen(colors().color("muted"))
    painter.drawText(room, LEFT, section.words)


def _cell(painter: QPainter, rect: QRect, line: Line, index: Index, selected: bool) -> None:
    room = rect.adjusted(MARGIN, 0, -MARGIN, 0)
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
