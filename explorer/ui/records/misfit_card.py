"""What is said of a value that does not fit its field: as a card beside its cell, and in the inspector."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QGridLayout, QWidget

from explorer.ui.kit.layout import STRETCH, column, row
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.kit.visible import shortened
from explorer.ui.records.misfits import Misfit
from explorer.ui.records.records import RecordsModel

WIDTH = 352
_WAIT_MS = 400
_GAP, _EDGE, _FRAME = 8, 8, 2
_NAME = 40
"""Characters of a field's name; what the catalog declares is shorter."""


class MisfitWords(QFrame):
    """Expected, There is, Missing: a line each."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("misfit")
        self.field = PlainLabel("", role="mono")
        self.title = PlainLabel("")
        self.lines = {name: PlainLabel("", wrap=True) for name in ("Expected", "There is", "Missing")}
        self.lines["There is"].setProperty("role", "misfit")
        self.note = PlainLabel("", role="muted", wrap=True)
        self.foot = row((self.note, 1))
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        for place, (name, label) in enumerate(self.lines.items()):
            grid.addWidget(PlainLabel(name, role="muted"), place, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(label, place, 1)
        column(
            row(self.field, self.title, STRETCH, spacing=6), grid, self.foot, of=self, margins=12, spacing=8
        )

    def heightForWidth(self, width: int) -> int:
        """Its height where it is ``width`` pixels wide, frame included."""
        layout = self.layout()
        return layout.totalHeightForWidth(width - _FRAME) + _FRAME if layout is not None else 0

    def say(self, misfit: Misfit) -> None:
        """Show what is said of a value."""
        self.field.setText(shortened(misfit.field, _NAME))
        self.title.setText(misfit.title)
        for label, text in zip(
            self.lines.values(), (misfit.expected, misfit.there, misfit.missing), strict=True
        ):
            label.setText(text)
        self.note.setText(misfit.note)
        said = [f"{name}: {label.whole()}" for name, label in self.lines.items()]
        self.setAccessibleName(f"{misfit.field} {misfit.title}")
        self.setAccessibleDescription(". ".join(said))


class MisfitCard(QObject):
    """The card of one table: 400 ms under the pointer, or at F2; the keys stay in the table."""

    explain = Signal(QModelIndex)
    """Enter was pressed: the cell's reason is wanted in the inspector."""

    def __init__(self, table: QAbstractItemView, model: RecordsModel) -> None:
        super().__init__(table)
        self._table, self._model = table, model
        self._card: MisfitWords | None = None
        self._shown, self._under = QModelIndex(), QModelIndex()
        self._wait = QTimer(self, singleShot=True, interval=_WAIT_MS)
        self._wait.timeout.connect(lambda: self.show_for(self._under))
        table.viewport().setMouseTracking(True)
        table.viewport().installEventFilter(self)
        table.installEventFilter(self)
        for moved in (table.verticalScrollBar(), table.horizontalScrollBar()):
            moved.valueChanged.connect(self.hide)
        model.modelReset.connect(self.hide)
        model.rowsInserted.connect(self._forget_under)
        table.selectionModel().currentChanged.connect(self.hide)

    @property
    def card(self) -> MisfitWords | None:
        """The card while it is shown, else None."""
        return self._card if self._card is not None and self._card.isVisible() else None

    def show_for(self, index: QModelIndex) -> bool:
        """Show the card of that cell; False, and nothing is shown, where its value fits."""
        misfit = self._model.misfit(index.row(), index.column()) if index.isValid() else None
        if misfit is None:
            return False
        card = self._card or self._made()
        self._shown = index
        card.say(misfit)
        card.setFixedSize(WIDTH, card.heightForWidth(WIDTH))
        card.move(self._place(card))
        card.show()
        card.raise_()
        said = f"{card.accessibleName()}. {card.accessibleDescription()}"
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._table, said))
        return True

    def hide(self, *_: object) -> None:
        """Take the card away."""
        self._wait.stop()
        if self._card is not None:
            self._card.hide()

    def _made(self) -> MisfitWords:
        made = self._card = MisfitWords(self._table.window())
        made.setProperty("floats", "true")
        made.foot.addWidget(PlainLabel("Enter explains", role="muted"), 0, Qt.AlignmentFlag.AlignBottom)
        made.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._table.destroyed.connect(made.deleteLater)
        return made

    def _place(self, card: QWidget) -> QPoint:
        """Below the cell, or above it where there is no room below; never over it."""
        cell = self._table.visualRect(self._shown)
        window = self._table.window()
        top = self._table.viewport().mapTo(window, cell.topLeft())
        at = QRect(top, cell.size())
        below = at.bottom() + 1 + _GAP
        fits = below + card.height() <= window.height() - _EDGE
        left = max(_EDGE, min(at.left(), window.width() - card.width() - _EDGE))
        return QPoint(left, below if fits else at.top() - _GAP - card.height())

    def _forget_under(self, *_: object) -> None:
        self._wait.stop()

    # ---- pointer and keys

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.MouseMove and isinstance(event, QMouseEvent):
            self._moved(self._table.indexAt(event.position().toPoint()))
        elif kind in (QEvent.Type.Leave, QEvent.Type.Hide, QEvent.Type.MouseButtonPress, QEvent.Type.Wheel):
            if watched is not self._table or kind == QEvent.Type.Hide:
                self.hide()
        elif kind == QEvent.Type.FocusOut and watched is self._table:
            self.hide()
        elif kind == QEvent.Type.KeyPress and watched is self._table and isinstance(event, QKeyEvent):
            return self._pressed(event)
        return False

    def _moved(self, index: QModelIndex) -> None:
        if index == self._under and (self._wait.isActive() or self.card is not None):
            return
        self.hide()
        self._under = index
        if index.isValid() and self._model.misfit(index.row(), index.column()) is not None:
            self._wait.start()

    def _pressed(self, event: QKeyEvent) -> bool:
        key = Qt.Key(event.key())
        if key == Qt.Key.Key_F2:
            return self.show_for(self._table.currentIndex())
        if self.card is None:
            return False
        if key == Qt.Key.Key_Escape:
            self.hide()
            return True
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            shown = self._shown
            self.hide()
            self.explain.emit(shown)
            return True
        return False
