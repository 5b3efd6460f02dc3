"""A line edit for text of any length: one that is too long to lay out at each key press is kept beside the widget."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit, QMenu, QWidget

from explorer.ui.kit.plain import visible

LINE_MOST = 20_000
"""Characters that are edited in place: Qt lays out a whole line again at every key, ten times as many take 70 ms."""
_BEGINNING = 40


def held_words(text: str) -> str:
    """What stands in place of a text that is held: how long it is, and how it begins."""
    return f"{len(text):,} characters, kept as they are: {visible(text[:_BEGINNING])}…"


class HeldLine(QLineEdit):
    """A line edit whose text is `whole`. While a long one is held the line itself is empty and `held` says so.

    Typing or pasting takes the place of a held text; Backspace or Delete takes it away.
    """

    whole_changed = Signal()

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._long = self._words = ""
        self.setMaxLength(2**31 - 1)  # a line edit cuts at 32,767 characters unless told otherwise
        self.set_whole(text)
        self.textChanged.connect(self._line_changed)

    def whole(self) -> str:
        """The whole text, whether it is shown or held."""
        return self._long or self.text()

    @property
    def held(self) -> str:
        """What the empty line says of a text that is held, or an empty text."""
        return held_words(self._long) if self._long else ""

    def setPlaceholderText(self, words: str) -> None:
        """What an empty line says, unless a text is held."""
        self._words = words
        self._show_words()

    def _show_words(self) -> None:
        super().setPlaceholderText(self.held or self._words)

    def set_whole(self, text: str) -> None:
        """Put ``text`` in the place of what is there; `whole_changed` is not sent."""
        blocked = self.blockSignals(True)
        self._long = text if len(text) > LINE_MOST else ""
        self.setText("" if self._long else text)
        self.blockSignals(blocked)
        self._show_words()

    def paste(self) -> None:
        """What the clipboard holds, in the place of what is chosen."""
        text = QGuiApplication.clipboard().text()
        if len(self.text()) + len(text) <= LINE_MOST:
            super().paste()
        elif not self.isReadOnly():
            self._take(self._with(text))

    def _with(self, text: str) -> str:
        """The line with ``text`` in the place of what is chosen; Qt counts in halves of UTF-16."""
        now = self.text().encode("utf-16-le", "surrogatepass")
        start = self.selectionStart() if self.hasSelectedText() else self.cursorPosition()
        end = start + self.selectionLength() if self.hasSelectedText() else start
        parts = (now[: 2 * start], text.encode("utf-16-le", "surrogatepass"), now[2 * end :])
        return b"".join(parts).decode("utf-16-le", "surrogatepass")

    def _take(self, text: str) -> None:
        self.set_whole(text)
        self.whole_changed.emit()

    def _line_changed(self, text: str) -> None:
        if len(text) > LINE_MOST:  # dropped here, or put in by an input method
            self.set_whole(text)
        elif text:
            self._long = ""
            self._show_words()
        self.whole_changed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Paste):
            self.paste()
        elif self._long and event.key() in (Qt.Key.Key_Backspace, Qt.Key.Key_Delete):
            self._take("")
        else:
            super().keyPressEvent(event)

    def createStandardContextMenu(self) -> QMenu:
        menu = super().createStandardContextMenu()
        for action in menu.actions():
            if action.objectName() == "edit-paste":
                action.triggered.disconnect()
                action.triggered.connect(lambda _=False: self.paste())
        return menu

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = self.createStandardContextMenu()  # Qt's own would not come by here
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())
