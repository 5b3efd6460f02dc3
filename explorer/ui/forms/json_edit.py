"""A field for JSON: coloured, with the first fault underlined and named, and sent with the tokens that were typed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFontMetricsF,
    QKeyEvent,
    QSyntaxHighlighter,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QMenu, QPlainTextEdit, QSizePolicy, QTextEdit, QWidget

from explorer.catalog.fields import Field
from explorer.catalog.spec import ABSENT
from explorer.jsontext.typed import JsonFault, check, pretty
from explorer.ui.forms import exact
from explorer.ui.forms.editor import Editor, Place, same, same_content
from explorer.ui.forms.exact import RawJson
from explorer.ui.forms.faults import Fault
from explorer.ui.kit.theme import colors, mono, restyle, theme

_LONGEST_LINE = 20_000  # a longer one is left plain: colouring it would be felt at every key
_MOST_LINES = 18  # it grows with its text up to here, then it scrolls
_PAINTED = re.compile(
    r'(?P<key>"(?:[^"\\]|\\.)*"(?=\s*:))|(?P<text>"(?:[^"\\]|\\.)*"?)|(?P<number>-?\d[\d.eE+-]*)|(?P<word>\b(?:true|false|null)\b)'
)


class JsonColors(QSyntaxHighlighter):
    """Colours names, texts, numbers and words of a JSON document in the theme's colours; follows the scheme."""

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        theme().changed.connect(self.rehighlight)

    def highlightBlock(self, text: str) -> None:
        for start, length, color in json_spans(text):
            self.setFormat(start, length, QColor(color))


def json_spans(text: str) -> Iterator[tuple[int, int, str]]:
    """Start, length (in Qt's UTF-16 units) and colour of each piece of a line of JSON that is coloured."""
    if len(text) > _LONGEST_LINE:
        return
    tokens = colors()
    paints = {
        "key": tokens.json_key,
        "text": tokens.json_string,
        "number": tokens.json_number,
        "word": tokens.accent,
    }
    wide = not text.isascii()
    for found in _PAINTED.finditer(text):
        start, length = found.start(), len(found[0])
        if wide:
            start, length = units(text[:start]), units(found[0])
        yield start, length, paints[found.lastgroup or "text"]


def units(text: str) -> int:
    """The length of ``text`` in UTF-16 units, in which Qt counts."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


class JsonEdit(QPlainTextEdit):
    """Plain text with JSON's colours; Tab moves on, Ctrl Shift F sets it out anew. ``text`` is what was typed."""

    edited = Signal()

    def __init__(self, parent: QWidget | None = None, *, lines: int = 5) -> None:
        super().__init__(parent)
        self._lines = lines
        self._seen: tuple[str, JsonFault | None] = ("", None)
        self.setFont(mono())
        self.setProperty("mono", True)
        self.setTabChangesFocus(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.document().setDocumentMargin(6)
        self._colors = JsonColors(self.document())
        self.document().contentsChange.connect(self._changed)
        self.blockCountChanged.connect(lambda _: self.updateGeometry())
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        theme().changed.connect(self._underline)

    def sizeHint(self) -> QSize:
        return QSize(280, self._height(min(max(self.blockCount() + 1, self._lines), _MOST_LINES)))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self._height(min(max(self.blockCount() + 1, self._lines), _MOST_LINES)))

    def _height(self, lines: int) -> int:
        self.ensurePolished()  # before that the font is not the style sheet's
        return round(QFontMetricsF(self.font()).lineSpacing() * lines + 16)

    def text(self) -> str:
        """What is in it. Qt's own toPlainText would turn non-breaking spaces into spaces."""
        return self.document().toRawText().replace("\u2029", "\n").replace("\u2028", "\n")

    def set_text(self, text: str) -> None:
        """Put ``text`` in its place; it can be undone."""
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.insertText(text)
        self.moveCursor(QTextCursor.MoveOperation.Start)

    def fault(self) -> JsonFault | None:
        """The first fault, or None; an empty text has none."""
        text = self.text()
        if self._seen[0] != text:
            self._seen = (text, check(text) if text.strip() else None)
        return self._seen[1]

    def set_out(self) -> None:
        """Lay the text out one value a line, if it is valid."""
        if self.text().strip() and self.fault() is None:
            self.set_text(pretty(self.text()))

    def go_to_fault(self) -> None:
        """Put the cursor where the fault is."""
        fault = self.fault()
        if fault is not None:
            self.setTextCursor(self._span(fault, keep=False))
            self.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys = Qt.KeyboardModifier
        if event.key() == Qt.Key.Key_F and event.modifiers() == keys.ControlModifier | keys.ShiftModifier:
            self.set_out()
            return
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and event.modifiers() & keys.ControlModifier:
            event.ignore()  # Ctrl Enter sends
            return
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            line = self.textCursor().block().text()
            before = line[: self.textCursor().positionInBlock()]
            indent = before[: len(before) - len(before.lstrip(" "))]
            self.insertPlainText("\n" + indent + ("  " if before.rstrip().endswith(("{", "[")) else ""))
            return
        super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = self.createStandardContextMenu()
        menu.addSeparator()
        self.add_actions(menu)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())

    def add_actions(self, menu: QMenu) -> None:
        """What can be done with the text as JSON."""
        menu.addAction("Reformat\tCtrl+Shift+F", self.set_out).setEnabled(self.fault() is None)
        menu.addAction("Go to the error", self.go_to_fault).setEnabled(self.fault() is not None)

    def _changed(self, _position: int, removed: int, added: int) -> None:
        if removed or added:  # colouring alone reports neither
            self._underline()
            self.edited.emit()

    def _span(self, fault: JsonFault, *, keep: bool) -> QTextCursor:
        text = self.text()
        start = units(text[: fault.start])
        cursor = QTextCursor(self.document())
        cursor.setPosition(min(start, self.document().characterCount() - 1))
        if keep:
            end = start + units(text[fault.start : fault.start + min(fault.length, 200)])
            cursor.setPosition(
                min(end, self.document().characterCount() - 1), QTextCursor.MoveMode.KeepAnchor
            )
        return cursor

    def _underline(self) -> None:
        fault = self.fault()
        marks = []
        if fault is not None:
            mark = QTextEdit.ExtraSelection()
            form = QTextCharFormat()
            form.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
            form.setUnderlineColor(colors().color("fails"))
            mark.format = form
            mark.cursor = self._span(fault, keep=True)
            marks.append(mark)
        self.setExtraSelections(marks)
        if bool(self.property("invalid")) != (fault is not None):
            self.setProperty("invalid", fault is not None)
            restyle(self)


class JsonEditor(Editor):
    """A field that holds any JSON: an object, a list, or any value. An empty text leaves it out; ``null`` is null."""

    def __init__(self, field: Field, place: Place, parent: QWidget | None = None) -> None:
        super().__init__(field, place, parent)
        self._edit = JsonEdit(lines=3)
        self._cache: tuple[str, Any] = ("", ABSENT)
        self.hold(self._edit)
        self._edit.setPlaceholderText(self.left_out_words)
        self._edit.edited.connect(self.changed)

    def input(self) -> JsonEdit:
        """The text field."""
        return self._edit

    def value(self) -> Any:
        text = self._edit.text()
        if self._cache[0] != text:
            self._cache = (text, exact.read(text) if text.strip() else ABSENT)
        return self._cache[1]

    def set_value(self, value: Any) -> bool:
        blocked = self._edit.blockSignals(True)
        text = (
            ""
            if value is ABSENT
            else value.text
            if isinstance(value, RawJson)
            else exact.encode(value).decode()
        )
        if text and check(text) is None:
            text = pretty(text)
        self._edit.set_text(text)
        self._edit.blockSignals(blocked)
        if same(self.value(), value):
            return True
        return same_content(self.value(), value)

    def faults(self) -> list[Fault]:
        fault = self._edit.fault()
        return [Fault((), fault.sentence, "json")] if fault is not None else []

    def empty_value(self) -> Any:
        return {"array": [], "object": {}}.get(self.field.kind)

    def context_menu(self, event: QContextMenuEvent) -> bool:
        menu = self._edit.createStandardContextMenu()
        menu.addSeparator()
        self._edit.add_actions(menu)
        self.open_standard(menu, event.globalPos())
        return True

    def key_pressed(self, event: QKeyEvent) -> bool:
        """Backspace edits the text here: ``null`` and ``{}`` are typed."""
        if event.key() in (Qt.Key.Key_Backspace, Qt.Key.Key_Delete):
            return False
        return super().key_pressed(event)
