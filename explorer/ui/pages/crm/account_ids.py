"""The editor of a list of ids: pasted or imported text of any usual form, and what was found in it, in words."""

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
"""Bytes of a file that is taken; a list of ids is far below."""
_LINES = 3


class IdsEditor(Editor):
    """Text with ids in it: lines, a list, a CSV or spreadsheet column, JSON. Its value is each id once, in order.

    A value that no text gives back exactly (an id with a comma in it, one that stands twice) is not taken: the form
    shows it as JSON then.
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
        """Where the text stands."""
        return self.text

    @property
    def found(self) -> Ids:
        """What was found in the text."""
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
            return True  # the text as it was pasted says the same
        text, before = "\n".join(value), self.text.toPlainText()
        if list(read_ids(text).ids) != value:
            return False
        self._put(text)
        if list(self._found.ids) != value:  # what a text field turns into something else, as a paragraph mark
            self._put(before)
            return False
        return True

    def hint(self) -> Hint | None:
        """What was found, and what stands there more than once."""
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
        """Another column, or another word on whether the first line is one of names."""
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
        """Ask for a file and take its ids."""
        ask_to_open(
            self, "Import ids", "Text and CSV (*.csv *.tsv *.txt *.json *.jsonl);;All files (*)", self.take
        )

    def take(self, path: Path) -> None:
        """Put the text of a file in place of what is there; what cannot be read as text is told below."""
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
    """The text of a file: UTF-8 or UTF-16 by its mark, else UTF-8, else Western. ValueError for what is no text."""
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
    """Some lines high; Tab moves on, as everywhere in forms."""

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
        # Ctrl Enter sends; a text field would take it for a line break.
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            event.ignore()
            return
        super().keyPressEvent(event)
