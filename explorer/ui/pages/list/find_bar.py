"""The find field of a list, with its two options. What is typed is told after a moment; Esc clears it."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QLineEdit, QPushButton, QSizePolicy, QWidget

from explorer import words
from explorer.ui.kit.layout import row
from explorer.ui.kit.plain import tooltip
from explorer.ui.kit.theme import restyle

_TYPING_MS = 30
"""The first rows of a find come within 30 ms of a million: what is typed on calls the question before off."""
_LEAST, _MOST = 96, 300
_OPTION = 32


class FindField(QLineEdit):
    """Where the text to find is typed."""

    left = Signal()
    """Esc in the empty field, or Down: the keys should go to the rows."""
    entered = Signal(int)
    """Enter: 1, with Shift -1."""

    def __init__(self) -> None:
        super().__init__(clearButtonEnabled=True)
        self.setAccessibleName("Find in the loaded rows")
        self.setMinimumWidth(_LEAST)
        self.setMaximumWidth(_MOST)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._rows = 0

    def show_rows(self, rows: int) -> None:
        """Say how many rows are looked through."""
        self._rows = rows
        self._set_text()

    def _set_text(self) -> None:
        rows = words.count(self._rows, "row")
        said = (f"Find in {words.count(self._rows, 'loaded row')}…", f"Find in {rows}…", "Find…")
        room = self.width() - 24
        fits = [s for s in said if self.fontMetrics().horizontalAdvance(s) <= room]
        self.setPlaceholderText(fits[0] if fits else said[-1])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._set_text()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key == Qt.Key.Key_Escape and self.text():
            self.clear()
        elif key in (Qt.Key.Key_Escape, Qt.Key.Key_Down):
            self.left.emit()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered.emit(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        else:
            super().keyPressEvent(event)


class FindBar(QWidget):
    """Field and options. ``asked`` is what to find, whether it is a pattern, whether case counts."""

    asked = Signal(str, bool, bool)
    step = Signal(int)
    """Go to the next (1) or the previous (-1) match."""
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = FindField()
        self.regex = _option(".*", "Regular expression", "Read the text as a regular expression")
        self.case = _option("Aa", "Match case", "Distinguish upper and lower case")
        row((self.field, 1), self.regex, self.case, of=self, spacing=2)
        self.setMaximumWidth(_MOST + 2 * _OPTION + 4)
        self._typing = QTimer(self, singleShot=True, interval=_TYPING_MS)
        self._typing.timeout.connect(self.tell)
        self.field.textChanged.connect(self._typed)
        self.field.entered.connect(self._entered)
        self.field.left.connect(self.left)
        for option in (self.regex, self.case):
            option.toggled.connect(lambda _: self.tell())

    def focus(self) -> None:
        """Put the keys into the field, its text chosen."""
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def tell(self) -> None:
        """Ask now, with what stands there."""
        self._typing.stop()
        self.asked.emit(self.field.text(), self.regex.isChecked(), self.case.isChecked())

    def show_fault(self, sentence: str) -> None:
        """Mark the text as one that cannot be looked for, and why; empty: it can."""
        self.field.setToolTip(tooltip(sentence))
        self.field.setAccessibleDescription(sentence)
        if bool(self.field.property("invalid")) != bool(sentence):
            self.field.setProperty("invalid", "true" if sentence else "")
            restyle(self.field)

    def _typed(self, text: str) -> None:
        if text:
            self._typing.start()
        else:
            self.tell()

    def _entered(self, by: int) -> None:
        if self._typing.isActive():
            self.tell()
        else:
            self.step.emit(by)


def _option(text: str, name: str, what: str) -> QPushButton:
    button = QPushButton(text)
    button.setCheckable(True)
    button.setFixedWidth(_OPTION)
    button.setProperty("kind", "quiet")
    button.setAccessibleName(name)
    button.setToolTip(tooltip(f"{name}: {what}"))
    return button
