"""The Fields tab: each unified field with its value, its declared type, and in words what does not fit."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    QTimer,
)
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
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from explorer import words
from explorer.jsontext.members import Member
from explorer.ui.kit.clipboard import Copying
from explorer.ui.kit.plain import PlainLabel, tooltip
from explorer.ui.kit.table_rows import by_rows
from explorer.ui.kit.theme import ROW, colors, mono, small, theme
from explorer.ui.kit.visible import COPY_BOUND, shown_octets
from explorer.ui.records.cells import tooltip_text
from explorer.ui.records.record_view import CHECK_BOUND, FieldRow, Fields, RecordView
from explorer.ui.records.row_delegate import MARGIN, CellPaint

Index = QModelIndex | QPersistentModelIndex
FIELD_ROLE = int(Qt.ItemDataRole.UserRole) + 1
_NOWHERE = QModelIndex()
_DISPLAY = int(Qt.ItemDataRole.DisplayRole)
_HEADS = ("Unified field", "Value")
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_NOTE_HEIGHT = 18


class FieldsModel(QAbstractTableModel):
    """The lines of the Fields tab: a name and a value each."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: list[FieldRow] = []

    def set_rows(self, rows: list[FieldRow]) -> None:
        """Show other lines."""
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else 2

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _DISPLAY) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == _DISPLAY:
            return _HEADS[section]
        if role == int(Qt.ItemDataRole.TextAlignmentRole):
            return int(_LEFT)
        return None

    def data(self, index: Index, role: int = _DISPLAY) -> Any:
        if not index.isValid() or index.row() >= len(self.rows):
            return None
        row = self.rows[index.row()]
        if role == FIELD_ROLE:
            return row
        if role == _DISPLAY:
            return row.name if index.column() == 0 else f"{row.cell.text} {row.cell.more}".strip()
        if role == int(Qt.ItemDataRole.AccessibleTextRole):
            said = row.name if index.column() == 0 else row.cell.spoken
            return ", ".join(filter(None, (said, note_of(row) if index.column() == 0 else row.finding)))
        if role == int(Qt.ItemDataRole.ToolTipRole):
            if index.column() == 0:
                return tooltip("\n".join(filter(None, (row.name, row.declared or "not in the contract"))))
            return tooltip("\n".join(filter(None, (tooltip_text(row.cell), row.finding))))
        return None


def note_of(row: FieldRow) -> str:
    """What stands beside a field that is not as declared; empty when all is well."""
    if row.finding:
        return row.finding
    return "not in the contract" if row.state == "undeclared" else ""


class FieldsView(QWidget):
    """A record's fields; a finding stands in words under the value it is about."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = FieldsModel(self)
        self._fields: Fields | None = None
        self._copying = Copying(self)
        self._pace = QTimer(self, interval=0)
        self._pace.timeout.connect(self._go_on)
        self.said = PlainLabel("", role="muted", wrap=True)
        self.said.setContentsMargins(12, 8, 12, 8)
        self.table = _FieldsTable(self.model)
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.table.customContextMenuRequested.connect(self._menu)
        self.table.copy_wanted = self.copy_value
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.said)
        column.addWidget(self.table, 1)

    def show_record(self, view: RecordView | None) -> None:
        """Show the fields of another record, or none. A large one is read a piece each time the loop comes round."""
        self._pace.stop()
        self._fields = Fields(view) if view is not None else None
        if self._fields is None:
            self._show()
            return
        self._fields.go_on()
        if self._fields.complete:
            self._show()
            return
        self.model.set_rows([])
        self.said.setText(f"Reading the fields of {words.size(len(self._fields.view.raw))}…")
        self._pace.start()

    @property
    def reading(self) -> bool:
        """Whether a large record is still being read."""
        return self._pace.isActive()

    def _go_on(self) -> None:
        if self._fields is not None:
            self._fields.go_on()
        if self._fields is None or self._fields.complete:
            self._pace.stop()
            self._show()

    def _show(self) -> None:
        rows = self._fields.rows if self._fields is not None else []
        self.model.set_rows(rows)
        for number, row in enumerate(rows):
            self.table.setRowHeight(number, ROW + (_NOTE_HEIGHT if note_of(row) else 0))
        self.said.setText(_summary(self._fields) if self._fields is not None else "")
        self.table.fit_names()

    def copy_value(self) -> None:
        """The chosen field's value as received."""
        place = self._place()
        if self._fields is None or place is None:
            return
        size = place.end - place.start
        if size <= COPY_BOUND:
            self._copying.start(shown_octets(self._fields.view.raw[place.start : place.end]))
        else:
            self.said.setText(f"{words.size(size)} is too much for the clipboard: save it under JSON")

    def copy_name(self) -> None:
        """The chosen field's name."""
        row = self.table.currentIndex().row()
        if 0 <= row < len(self.model.rows):
            QGuiApplication.clipboard().setText(self.model.rows[row].name)

    def _place(self) -> Member | None:
        row = self.table.currentIndex().row()
        return self.model.rows[row].place if 0 <= row < len(self.model.rows) else None

    def _menu(self, at: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Copy value", self.copy_value)
        menu.addAction("Copy name", self.copy_name)
        menu.popup(self.table.viewport().mapToGlobal(at))


def _summary(fields: Fields) -> str:
    rows = fields.rows
    if not rows:
        return ""
    declared = [r for r in rows if r.state != "undeclared"]
    absent = sum(1 for r in rows if r.state == "absent")
    findings = sum(1 for r in rows if r.finding)
    said = [f"{len(declared) - absent} of {len(declared)} fields present"]
    if len(rows) > len(declared):
        said.append(f"{len(rows) - len(declared) + fields.more:,} not in the contract")
    if fields.more:
        said.append(f"{fields.more:,} of them are shown only under JSON")
    if fields.unlisted:
        said.append(fields.unlisted)
    elif findings:
        said.append(f"{findings} {'does' if findings == 1 else 'do'} not fit")
    elif len(fields.view.raw) > CHECK_BOUND:
        said.append(f"too large to check against the contract: {words.size(len(fields.view.raw))}")
    else:
        said.append("all fit the contract")
    return "  ·  ".join(said)


class _FieldsTable(QTableView):
    copy_wanted: Any = None

    def __init__(self, model: FieldsModel) -> None:
        super().__init__()
        self.setObjectName("fields")
        self.setAccessibleName("Fields of the record")
        self.setModel(model)
        self.setItemDelegate(_FieldDelegate(model, self))
        by_rows(self)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        head = self.horizontalHeader()
        head.setSectionsClickable(False)
        head.setStretchLastSection(True)

    def fit_names(self) -> None:
        """The names stand whole where that leaves the values the larger half."""
        metrics = QFontMetrics(mono())
        names = (self.model().index(row, 0).data() for row in range(self.model().rowCount()))
        widest = max((metrics.horizontalAdvance(name[:80]) for name in names), default=0) + 2 * MARGIN + 2
        room = self.viewport().width()
        self.setColumnWidth(0, min(max(widest, 96), room * 45 // 100 if room > 200 else 150))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit_names()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy) and self.copy_wanted is not None:
            self.copy_wanted()
            event.accept()
            return
        super().keyPressEvent(event)


class _FieldDelegate(QStyledItemDelegate):
    """The name in monospace, the value as in the table, a finding below it."""

    def __init__(self, model: FieldsModel, parent: QObject | None = None) -> None:
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
        row = self._model.rows[index.row()]
        if selected:
            painter.fillRect(rect, tokens.color("selection"))
        painter.setPen(tokens.color("line"))
        painter.drawLine(rect.left(), rect.bottom(), rect.right(), rect.bottom())
        note = note_of(row)
        top = QRect(rect.left(), rect.top(), rect.width(), ROW)
        if index.column() == 0:
            fixed = mono()
            painter.setFont(fixed)
            painter.setPen(tokens.color("text" if row.state == "declared" else "muted_strong"))
            shown = QFontMetrics(fixed).elidedText(
                row.name, Qt.TextElideMode.ElideRight, top.width() - 2 * MARGIN
            )
            painter.drawText(top.adjusted(MARGIN, 0, -MARGIN, 0), _LEFT, shown)
        else:
            kind = "id" if row.name == "id" or row.name.endswith("_id") else "text"
            left = row.cell._replace(kind="text") if row.cell.kind == "number" else row.cell
            look.draw(painter, top, left, kind, selected)
            if note:
                below = QRect(
                    rect.left() + MARGIN, rect.top() + ROW - 4, rect.width() - 2 * MARGIN, _NOTE_HEIGHT
                )
                font = small()
                painter.setFont(font)
                painter.setPen(tokens.color("on_fails" if row.finding else "on_caution"))
                cut = QFontMetrics(font).elidedText(note, Qt.TextElideMode.ElideRight, below.width())
                painter.drawText(below, _LEFT, cut)
        if state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(tokens.color("accent"))
            painter.drawRect(rect.adjusted(0, 0, -1, -1))

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(120, ROW + (_NOTE_HEIGHT if note_of(self._model.rows[index.row()]) else 0))
