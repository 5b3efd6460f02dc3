"""The editor for a list of ids: text in any usual form, pasted or imported, and in words which ids were found."""

from __future__ import annotations

import codecs
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QPlainTextEdit,
    QWidget,
)

from explorer.catalog.fields import Field
from explorer.catalog.spec import ABSENT
from explorer.quality.values.ids import Ids, read_ids
from explorer.ui.forms.editor import Editor, Hint, Place
from explorer.ui.forms.flow import FlowLayout
from explorer.ui.kit.ask_file import ask_to_open
from explorer.ui.kit.layout import push_button
from explorer.ui.kit.theme import mono

LARGEST_FILE = 10_000_000
"""Most bytes of a file that is imported; a list of ids is far smaller."""
_LINES = 3


class IdsEditor(Editor):
    """Text with ids: lines, a list, a CSV or spreadsheet column, JSON. Its value has each id once, in order.

    A value that no text would give back exactly (an id with a comma, or one that appears twice) is refused, and the
    form then shows it as JSON.
    """

    def __init__(self, field: Field, place: Place, parent: QWidget | None = None) -> None:
        super().__init__(field, place, parent)
        self._read: tuple[str, int | None, bool | None] | None = None
        self._found = Ids((), "lines")
        self._bare: Any = ABSENT
        self._said = ""
        self.text = _Text()
        self.load = push_button("Import…", tip="Ids from a text or CSV file", name="Import ids from a file")
        self.column = QComboBox()
        self.column.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.column.setAccessibleName("Which column holds the ids")
        self.header = QCheckBox("First line has names")
        below = QWidget()
        row = FlowLayout(below, gap=8, line_gap=4)
        row.setContentsMargins(0, 4, 0, 0)
        for widget in (self.load, self.column, self.header):
            row.addWidget(widget)
        self.hold(self.text)
        self.box.addWidget(below)
        self.text.textChanged.connect(self._edited)
        self.column.activated.connect(lambda _: self._chosen())
        self.header.clicked.connect(lambda _: self._chosen())
        self.load.clicked.connect(lambda _: self.ask())
        self._show()

    def input(self) -> QPlainTextEdit:
        """The field with the text."""
        return self.text

    @property
    def found(self) -> Ids:
        """The ids found in the text."""
        return self._found

    def value(self) -> Any:
        return list(self._found.ids) or self._bare

    def set_value(self, value: Any) -> bool:
        if value is ABSENT or value is None or value == []:
            self._put("")
            self._bare = value
            self._show()
            return True
        if not (isinstance(value, list) and all(isinstance(one, str) for one in value)):
            return False
        if list(self._found.ids) == value:
            return True  # the pasted text gives the same value
        text, before = "\n".join(value), self.text.toPlainText()
        if list(read_ids(text).ids) != value:
            return False
        self._put(text)
        if (
            list(self._found.ids) != value
        ):  # a text field changes some characters, such as a paragraph separator
            self._put(before)
            return False
        return True

    def hint(self) -> Hint | None:
        """How many ids were found, and which appear more than once."""
        if self._said:
            return Hint(self._said, "caution")
        if not self._found.all:
            return None
        return Hint(self._found.sentence, "caution" if self._found.twice else "faint")

    def _put(self, text: str) -> None:
        blocked = self.text.blockSignals(True)
        self.text.setPlainText(text)
        self.text.blockSignals(blocked)
        self._bare = ABSENT
        self._said = ""
        self._look(None, None)

    def _edited(self) -> None:
        self._bare = ABSENT
        self._said = ""
        self._look(None, None)
        self.changed.emit()

    def _chosen(self) -> None:
        """The user chose another column, or whether the first line holds names."""
        self._look(self.column.currentIndex(), self.header.isChecked())
        self.changed.emit()
        self.hint_changed.emit()

    def _look(self, column: int | None, header: bool | None) -> None:
        asked = (self.text.toPlainText(), column, header)
        if asked != self._read:
            self._read = asked
            self._found = read_ids(asked[0], column=column, header=header)
        self._show()

    def _show(self) -> None:
        columns = self._found.columns
        blocked = self.column.blockSignals(True)
        self.column.clear()
        self.column.addItems([f"Ids from {name}" for name in columns])
        self.column.setCurrentIndex(self._found.column or 0)
        self.column.blockSignals(blocked)
        self.header.setChecked(self._found.header)
        table = bool(columns) and self._found.form in ("csv", "tsv")
        self.column.setVisible(bool(columns))
        self.header.setVisible(table)
        bare = {"null": "null", "empty": "[] (empty list)"}.get(self.state, "")
        words = "Paste ids: one per line, a list, or a column of a spreadsheet"
        self.text.setPlaceholderText(bare or words)

    # ---- a file

    def ask(self) -> None:
        """Ask for a file and import its ids."""
        ask_to_open(
            self, "Import ids", "Text and CSV (*.csv *.tsv *.txt *.json *.jsonl);;All files (*)", self.take
        )

    def take(self, path: Path) -> None:
        """Replace the text with that of a file; a file that cannot be read as text is reported below."""
        try:
            if path.stat().st_size > LARGEST_FILE:
                raise ValueError(f"{path.name} is larger than {LARGEST_FILE // 1_000_000} MB")
            text = text_of(path.read_bytes())
        except OSError as error:
            self._set_text(f"{path.name} cannot be read: {error.strerror or 'the system refused'}")
        except ValueError as fault:
            self._set_text(str(fault))
        else:
            self.text.setPlainText(text)

    def _set_text(self, words: str) -> None:
        self._said = words
        self.hint_changed.emit()


def text_of(data: bytes) -> str:
    """The text of a file: UTF-8 or UTF-16 by its byte order mark, else UTF-8, else Windows-1252. Raises ValueError
    with a sentence for a file that is no text.
    """
    if data[:4] == b"PK\x03\x04" or data[:4] == b"\xd0\xcf\x11\xe0":
        raise ValueError("This is a spreadsheet file: save it as CSV, or copy the column and paste it here")
    if data[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        return data.decode("utf-16", "replace")
    if b"\0" in data[:4096]:
        raise ValueError("This file is not text")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


class _Text(QPlainTextEdit):
    """A text field some lines high. Tab moves to the next field, as everywhere in forms."""

    def __init__(self) -> None:
        super().__init__()
        self.setFont(mono())
        self.setProperty("mono", True)
        self.setTabChangesFocus(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)

    def sizeHint(self) -> QSize:
        return QSize(280, self.fontMetrics().lineSpacing() * _LINES + 12)

    def minimumSizeHint(self) -> QSize:
        return QSize(160, self.fontMetrics().lineSpacing() * _LINES + 12)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # Ctrl Enter sends the form; a text field would insert a line break.
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            event.ignore()
            return
        super().keyPressEvent(event)
