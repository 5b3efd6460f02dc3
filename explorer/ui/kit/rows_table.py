"""Every table but that of records: rows of any kind, columns as values, one model, one view, one way to paint.

A page says which columns there are and shows rows; widths, copying, keys, elision, tooltips, names for assistive
technology and colours are the same in all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHeaderView,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from explorer.ui.kit.badge import paint_badge
from explorer.ui.kit.plain import PlainLabel, tooltip, visible
from explorer.ui.kit.table_rows import by_rows
from explorer.ui.kit.theme import HEADER, ROW, colors, mono, theme

Row = TypeVar("Row")
Index = QModelIndex | QPersistentModelIndex
Tone = Literal[
    "text", "mono", "number", "muted", "quiet", "link", "holds", "caution", "fails", "info", "none"
]
"""How a cell looks; the last five are badges."""
Action = tuple[str, Callable[[], object]]
"""What can be done with a row: its words, and what does it."""

ROW_ROLE = int(Qt.ItemDataRole.UserRole)
"""The row itself."""
_NOWHERE = QModelIndex()
_DISPLAY = int(Qt.ItemDataRole.DisplayRole)
_LEFT, _RIGHT = Qt.AlignmentFlag.AlignLeft.value, Qt.AlignmentFlag.AlignRight.value
_MIDDLE = Qt.AlignmentFlag.AlignVCenter.value
_BADGES = ("holds", "caution", "fails", "info", "none")
_INKS = {"muted": ("muted_strong", "text"), "quiet": ("muted", "muted_strong"), "link": ("info", "info")}
"""The colour of a tone, and that on a row that is chosen; all others are plain text."""
_NARROW = 560  # pixels at 100 %
_MARGIN = 8
_AROUND = 18
"""Pixels beside a text in a cell that fits it, both sides together."""
_ACTION = 112


@dataclass(frozen=True)
class Column(Generic[Row]):
    """One column: its title, the text of a row, how that looks, and its width.

    Without ``fit`` and ``width`` a column has its share of what the others leave.
    """

    title: str
    text: Callable[[Row], str]
    tone: Tone | Callable[[Row], Tone] = "text"
    tip: Callable[[Row], str] | None = None
    """A longer text for the pointer; without it, the text itself."""
    share: int = 1
    spare: bool = False
    """Left out where there is little room."""
    fit: bool = False
    """As wide as its widest text."""
    width: int | Callable[[int], int] = 0
    """Pixels, or how many there are of a table so wide."""
    right: bool = False
    """At the right of its column, as a number always is."""
    middle: bool = False
    """What is too long is cut in its middle, not at its end."""
    spoken: Callable[[Row], str] | None = None
    """For assistive technology; without it, the title and the text."""

    def tone_of(self, row: Row) -> Tone:
        """How that row's cell looks."""
        return self.tone(row) if callable(self.tone) else self.tone

    @property
    def side(self) -> int:
        """At which side its title and its cells stand, as a flag of Qt."""
        return _RIGHT if self.right or self.tone == "number" else _LEFT


class RowsModel(QAbstractTableModel, Generic[Row]):
    """A list of rows that is watched, in columns. With ``actions``, a last column says the first action of a row."""

    def __init__(
        self,
        columns: Sequence[Column[Row]],
        parent: QObject | None = None,
        *,
        actions: Callable[[Row], Sequence[Action]] | None = None,
    ) -> None:
        super().__init__(parent)
        self.actions = actions
        done = Column[Row]("", self._first_action, "link", width=_ACTION)
        self.columns = (*columns, done) if actions else tuple(columns)
        self.rows: list[Row] = []

    def _first_action(self, row: Row) -> str:
        offered = self.actions(row) if self.actions else ()
        return offered[0][0] if offered else ""

    # ---- the list

    def show(self, rows: Sequence[Row], same: Callable[[Row, Row], bool] | None = None) -> None:
        """Show ``rows`` in place of what was there. Where they are the ``same`` ones in the same order, all stays
        chosen and scrolled as it is.
        """
        if same and len(rows) == len(self.rows) > 0 and all(map(same, rows, self.rows)):
            self.rows = list(rows)
            self.refresh()
            return
        self.beginResetModel()
        self.rows = list(rows)
        self.endResetModel()

    def insert(self, place: int, rows: Sequence[Row]) -> None:
        """Put ``rows`` in before that place."""
        if rows:
            self.beginInsertRows(_NOWHERE, place, place + len(rows) - 1)
            self.rows[place:place] = rows
            self.endInsertRows()

    def cut(self, length: int) -> None:
        """Drop the rows behind the first ``length``."""
        if length < len(self.rows):
            self.beginRemoveRows(_NOWHERE, length, len(self.rows) - 1)
            del self.rows[length:]
            self.endRemoveRows()

    def put(self, place: int, row: Row) -> None:
        """Put ``row`` in place of the one that is there."""
        self.rows[place] = row
        self.refresh(place, place)

    def refresh(self, first: int = 0, last: int = -1) -> None:
        """Rows say something else than before; all of them, unless told which."""
        last = last if last >= 0 else len(self.rows) - 1
        if last >= first:
            self.dataChanged.emit(self.index(first, 0), self.index(last, len(self.columns) - 1))

    # ---- Qt

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.columns)

    def data(self, index: Index, role: int = _DISPLAY) -> Any:
        if not index.isValid() or index.row() >= len(self.rows):
            return None
        row, column = self.rows[index.row()], self.columns[index.column()]
        if role == _DISPLAY:
            return visible(column.text(row))
        if role == Qt.ItemDataRole.ToolTipRole:
            return tooltip((column.tip or column.text)(row))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            text = visible((column.spoken or column.text)(row))
            return f"{column.title}: {text or 'none'}" if column.title and not column.spoken else text
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return column.side | _MIDDLE
        return row if role == ROW_ROLE else None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _DISPLAY) -> Any:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self.columns):
            return None
        column = self.columns[section]
        if role == Qt.ItemDataRole.AccessibleTextRole and self.actions and section == len(self.columns) - 1:
            return "Action"
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return column.side | _MIDDLE
        return column.title if role == _DISPLAY else None


class RowsTable(QTableView):
    """A table that fits its width and moves by whole rows.

    Enter or a double click takes a row. Where rows have actions, Enter or a click on the last column does the first,
    and the menu has all of them. Ctrl C copies the cell.
    """

    taken = Signal(int)
    link_clicked = Signal(int)
    """A cell of the tone ``link`` was clicked, by its row."""
    chosen = Signal(int)
    """The row that the user is on, or -1."""

    def __init__(
        self, model: RowsModel[Any], name: str, parent: QWidget | None = None, *, most: int = 0
    ) -> None:
        """``most``: it stands in a card of its own, as high as its rows, up to so many."""
        super().__init__(parent)
        self._out: frozenset[int] = frozenset()
        self._most = most
        self.empty = PlainLabel("", self.viewport(), role="muted")
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._model = model
        model.setParent(self)
        self.setModel(model)
        self.setItemDelegate(RowsDelegate(model, self))
        self.setAccessibleName(name)
        by_rows(self)
        self.setFrameShape(QFrame.Shape.StyledPanel if most else QFrame.Shape.NoFrame)
        if most:
            self.setProperty("card", "true")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        rows, head = self.verticalHeader(), self.horizontalHeader()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        head.setSectionsClickable(False)
        head.setTextElideMode(Qt.TextElideMode.ElideRight)
        head.setAccessibleName("Columns")
        self.clicked.connect(self._clicked)
        if model.actions:
            self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
            self.customContextMenuRequested.connect(self._popup)
        else:
            self.doubleClicked.connect(self._take)
        self.selectionModel().currentRowChanged.connect(lambda now, _: self.chosen.emit(now.row()))
        for changed in (model.modelReset, model.rowsInserted, model.rowsRemoved):
            changed.connect(self._counted)
        theme().changed.connect(self.viewport().update)

    def show_rows(self, rows: Sequence[Any], same: Callable[[Any, Any], bool] | None = None) -> None:
        """Show ``rows``; the one chosen before stays chosen where ``same`` finds it again."""
        before = self.row()
        self._model.show(rows, same)
        if any(column.fit for column in self._model.columns):
            self._share()
        place = next((i for i, one in enumerate(rows) if same and before and same(one, before)), None)
        if place is None:
            self.chosen.emit(-1)
        elif place == self.currentIndex().row():
            self.chosen.emit(place)
        else:
            self.setCurrentIndex(self._model.index(place, 0))

    def row(self) -> Any:
        """The row that the user is on, or None."""
        index = self.currentIndex()
        return self._model.rows[index.row()] if index.isValid() else None

    def say_empty(self, words: str) -> None:
        """The sentence that stands in the middle while there is no row."""
        self.empty.setText(words)
        self._counted()

    def _counted(self) -> None:
        if self._most:
            self.updateGeometry()
        self.empty.setVisible(bool(self.empty.whole()) and not self._model.rows)
        self.empty.setGeometry(self.viewport().rect())

    # ---- what is done with a row

    def act(self, row: int, action: int = 0) -> None:
        """Do what a row offers; nothing where it does not."""
        offered = self._actions(row)
        if action < len(offered):
            offered[action][1]()

    def menu(self, row: int) -> QMenu:
        """What can be done with a row."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for words, run in self._actions(row):
            menu.addAction(words).triggered.connect(lambda _=False, run=run: run())
        return menu

    def _actions(self, row: int) -> Sequence[Action]:
        return self._model.actions(self._model.rows[row]) if self._model.actions else ()

    def _popup(self, at: QPoint) -> None:
        index = self.indexAt(at)
        if not index.isValid():
            index = self.currentIndex()
        if index.isValid():
            self.menu(index.row()).popup(self.viewport().mapToGlobal(at))

    def _take(self, index: QModelIndex) -> None:
        if index.isValid() and self._model.actions:
            self.act(index.row())
        elif index.isValid():
            self.taken.emit(index.row())

    def _clicked(self, index: QModelIndex) -> None:
        if self._model.columns[index.column()].tone != "link":
            return
        if self._model.actions:
            self.act(index.row())
        else:
            self.link_clicked.emit(index.row())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)  # sends a page's form
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not control:
            self._take(self.currentIndex())
            return
        super().keyPressEvent(event)

    # ---- room

    def leave_out(self, place: int, out: bool) -> None:
        """Leave a column out, or show it again; the others share the room."""
        self._out = (self._out | {place}) if out else (self._out - {place})
        self._share()

    def sizeHint(self) -> QSize:
        return QSize(320, self._high(self._most)) if self._most else super().sizeHint()

    def minimumSizeHint(self) -> QSize:
        return QSize(240, self._high(4)) if self._most else super().minimumSizeHint()

    def _high(self, most: int) -> int:
        return HEADER + min(max(len(self._model.rows), 1), most) * ROW + 2 * self.frameWidth()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share()
        self._counted()

    def _share(self) -> None:
        room = self.viewport().width()
        shown = {
            place: column
            for place, column in enumerate(self._model.columns)
            if place not in self._out and not (room < _NARROW and column.spare)
        }
        own = {place: self._own_width(place, room) for place in shown}
        left = max(room - sum(own.values()), 0)
        whole = max(sum(column.share for place, column in shown.items() if not own[place]), 1)
        given = 0
        for place, column in enumerate(self._model.columns):
            self.setColumnHidden(place, place not in shown)
            if place in shown and not own[place]:
                before = left * given // whole
                given += column.share
                own[place] = left * given // whole - before  # nothing is left over at the end
            self.setColumnWidth(place, own.get(place, 0))

    def _own_width(self, place: int, room: int) -> int:
        """The pixels of a column that does not share; else 0."""
        column = self._model.columns[place]
        if not column.fit:
            return column.width(room) if callable(column.width) else column.width
        metrics, head = self._metrics(column), self.horizontalHeader().sectionSizeHint(place)
        texts = (metrics.horizontalAdvance(visible(column.text(row))) for row in self._model.rows)
        return max(head, max(texts, default=0) + _AROUND)

    def _metrics(self, column: Column[Any]) -> QFontMetrics:
        return QFontMetrics(mono() if column.tone == "mono" else self.font())


class RowsDelegate(QStyledItemDelegate):
    """Paints texts in their tone, and badges. What is too long ends in an ellipsis."""

    def __init__(self, model: RowsModel[Any], view: QTableView) -> None:
        super().__init__(view)
        self._model = model
        self._fonts: tuple[QFont, QFont] | None = None
        theme().changed.connect(self._forget)

    def _forget(self) -> None:
        self._fonts = None

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        tokens, rect, state = colors(), option.rect, option.state
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        if chosen:
            painter.fillRect(rect, tokens.color("selection"))
        painter.setPen(tokens.color("line"))
        painter.drawLine(rect.left(), rect.bottom(), rect.right(), rect.bottom())
        column, row = self._model.columns[index.column()], self._model.rows[index.row()]
        tone, text = column.tone_of(row), visible(column.text(row))
        if tone in _BADGES and text:
            paint_badge(painter, rect.adjusted(0, 0, 0, -1), text, tone)
        elif text:
            self._text(painter, option, text, column, tone, chosen)
        if state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(tokens.color("accent"))
            painter.drawRect(rect.adjusted(0, 0, -1, -1))

    def _text(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        text: str,
        column: Column[Any],
        tone: Tone,
        chosen: bool,
    ) -> None:
        if self._fonts is None:
            self._fonts = (QFont(option.font), mono())
        font = self._fonts[tone == "mono"]
        metrics = QFontMetrics(font)
        painter.setFont(font)
        painter.setPen(colors().color(_INKS.get(tone, ("text", "text"))[chosen]))
        inner = option.rect.adjusted(_MARGIN, 0, -_MARGIN, -1)  # without the line at its foot
        cut = Qt.TextElideMode.ElideMiddle if column.middle else Qt.TextElideMode.ElideRight
        shown = metrics.elidedText(text, cut, inner.width())
        inner.setTop(inner.top() + (inner.height() - metrics.height()) // 2)  # as a style sheet would
        painter.drawText(inner, column.side | Qt.AlignmentFlag.AlignTop.value, shown)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(80, ROW)
