"""A field for JSON: coloured, with the first fault underlined and named, and sent with the tokens that were typed.

A text that is too large to be gone through at a key press (`exact.LARGE`) is held to the letter and not laid out: the
field shows its beginning, and it is read once, a few tokens each time the loop turns.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from typing import Any

from PySide6.QtCore import QMimeData, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFontMetricsF,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QSyntaxHighlighter,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QMenu, QPlainTextEdit, QSizePolicy, QTextEdit, QWidget

from explorer import words
from explorer.catalog.fields import Field
from explorer.catalog.spec import ABSENT
from explorer.jsontext.typed import JsonFault, check, in_pieces, pretty
from explorer.ui.forms import exact
from explorer.ui.forms.editor import Editor, Place, same, same_content
from explorer.ui.forms.exact import RawJson
from explorer.ui.forms.faults import Fault
from explorer.ui.kit.plain import visible
from explorer.ui.kit.theme import colors, mono, set_look, theme

_MANY_LINES = 4_000
"""Lines that are put in at once: 25 ms."""
_COLOURED = 500
"""Lines that are coloured in one turn of the loop: 6 ms."""
_BEGINNING = 600
_READING = JsonFault(0, 0, 0, "The text is still being read: it can be sent in a moment")
_LONGEST_LINE = 20_000  # a longer one is left plain: colouring it would be felt at every key
_MOST_LINES = 18  # it grows with its text up to here, then it scrolls
_PAINTED = re.compile(
    r'(?P<key>"(?:[^"\\]|\\.)*"(?=\s*:))|(?P<text>"(?:[^"\\]|\\.)*"?)|(?P<number>-?\d[\d.eE+-]*)|(?P<word>\b(?:true|false|null)\b)'
)


class JsonColors(QSyntaxHighlighter):
    """Colours names, texts, numbers and words of a JSON document in the theme's colours; follows the scheme.

    Some lines a turn of the loop: of a long text the rest is coloured in the turns that follow.
    """

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self._left = _COLOURED
        self._plain = -1
        """The first line that is not coloured yet, or -1."""
        self._next_turn = QTimer(self, singleShot=True, interval=0)
        self._next_turn.timeout.connect(self._go_on)
        theme().changed.connect(self.rehighlight)

    def highlightBlock(self, text: str) -> None:
        if not self._next_turn.isActive():
            self._next_turn.start()
        if self._left > 0:
            self._left -= 1
            self.color_line(self.currentBlock().blockNumber(), text)
        else:
            line = self.currentBlock().blockNumber()
            self._plain = line if self._plain < 0 else min(line, self._plain)

    def color_line(self, line: int, text: str) -> None:
        """Give the line of that number its colours."""
        for start, length, color in json_spans(text):
            self.setFormat(start, length, QColor(color))

    def _go_on(self) -> None:
        self._left = _COLOURED
        if self._plain < 0 or self.document() is None:
            return
        block = self.document().findBlockByNumber(self._plain)
        self._plain = -1
        while block.isValid() and self._left > 0:
            self.rehighlightBlock(block)
            block = block.next()
        if block.isValid():
            self._plain = block.blockNumber()


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
    return len(_halves(text)) // 2


def is_large(text: str) -> bool:
    """Whether ``text`` is too large to be edited in place."""
    return len(text) > exact.LARGE or text.count("\n") > _MANY_LINES


def laid_out(text: str) -> str:
    """``text`` one value a line where it is JSON and stays small enough to be edited, else as it is."""
    if len(text) > exact.LARGE or not text or check(text) is not None:
        return text
    wide = pretty(text)
    return wide if not is_large(wide) else text


def _raw_text(document: QTextDocument) -> str:
    return document.toRawText().replace("\u2029", "\n").replace("\u2028", "\n")


def _halves(text: str) -> bytes:
    return text.encode("utf-16-le", "surrogatepass")


class JsonEdit(QPlainTextEdit):
    """Plain text with JSON's colours; Tab moves on, Ctrl Shift F sets it out anew. ``text`` is what was typed.

    While a large text is held, Backspace or Delete takes it away and pasting puts another in its place.
    """

    edited = Signal()

    def __init__(self, parent: QWidget | None = None, *, lines: int = 5) -> None:
        super().__init__(parent)
        self._lines = lines
        self._seen: tuple[str, JsonFault | None] = ("", None)
        self._valued: tuple[str, Any] = ("", ABSENT)
        self._large = ""
        self._reading: Generator[None, None, tuple[str, JsonFault | None]] | None = None
        self._pace = QTimer(self, interval=0)
        self._pace.timeout.connect(self._read_on)
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
        return self._large or _raw_text(self.document())

    def set_text(self, text: str) -> None:
        """Put ``text`` in its place; it can be undone, unless one of the two is large."""
        if is_large(text):
            self._hold(text)
            return
        self._let_go()
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.insertText(text)
        self.moveCursor(QTextCursor.MoveOperation.Start)

    def value(self) -> Any:
        """The value that the text writes (`exact.read`); ABSENT for an empty text."""
        text = self.text()
        if self._valued[0] != text:
            self._valued = (text, self._value_of(text) if text.strip() else ABSENT)
        return self._valued[1]

    def _value_of(self, text: str) -> Any:
        return RawJson(text) if self._large or self._first_fault() is not None else exact.read_valid(text)

    def fault(self) -> JsonFault | None:
        """The first fault, or None; an empty text has none."""
        return self._first_fault()

    def _first_fault(self) -> JsonFault | None:
        text = self.text()
        if self._seen[0] != text:
            self._seen = (text, check(text) if text.strip() else None)
        return self._seen[1]

    # ---- a large text

    @property
    def reading(self) -> bool:
        """A large text is held, and it is not known yet whether it is JSON."""
        return self._reading is not None

    def _hold(self, text: str) -> None:
        """Hold ``text``; its beginning stands where the text stood."""
        self._large, self._reading = text, in_pieces(text)
        self._seen, self._valued = (text, _READING), (text, RawJson(text))
        self._show_beginning("it is being read")
        self._pace.start()
        self.edited.emit()

    def _read_on(self) -> None:
        try:
            if self._reading is not None:
                next(self._reading)
        except StopIteration as over:
            tight, fault = over.value
            self._end_reading()
            self._seen, self._valued = (self._large, fault), (self._large, RawJson(tight))
            self._show_beginning(fault.sentence if fault else "too large for the contract to be held against")
            self.edited.emit()

    def _show_beginning(self, said: str) -> None:
        lines = visible(self._large[:_BEGINNING], keep_lines=True)
        how = f"… {words.size(len(self._large))}, kept as pasted; {said}. Delete takes it away"
        blocked = self.document().blockSignals(True)
        self.setPlainText(f"{lines}\n{how}")  # with nothing to undo: the beginning alone is never the text
        self.document().blockSignals(blocked)
        self.setReadOnly(True)
        self._underline()

    def _end_reading(self) -> None:
        self._pace.stop()
        self._reading = None

    def _let_go(self) -> None:
        if self._large:
            self._end_reading()
            self._large = ""
            self.setReadOnly(False)
            self.setPlainText("")

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Pasting and dropping; what makes the text large has it held."""
        pasted = source.text()
        if (
            not self._large
            and not is_large(pasted)
            and len(pasted) + self.document().characterCount() < exact.LARGE
        ):
            super().insertFromMimeData(source)
            return
        text = pasted
        if not self._large:
            cursor, now = self.textCursor(), _halves(_raw_text(self.document()))
            parts = (now[: 2 * cursor.selectionStart()], _halves(pasted), now[2 * cursor.selectionEnd() :])
            text = b"".join(parts).decode("utf-16-le", "surrogatepass")
        self.set_text(text)

    def set_out(self) -> None:
        """Lay the text out one value a line, if it is valid."""
        if not self._large and self.text().strip() and self.fault() is None:
            self.set_text(laid_out(self.text()))

    def go_to_fault(self) -> None:
        """Put the cursor where the fault is."""
        fault = self.fault()
        if fault is not None:
            if not self._large:
                self.setTextCursor(self._span(fault, keep=False))
            self.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys = Qt.KeyboardModifier
        if self._large and event.key() in (Qt.Key.Key_Backspace, Qt.Key.Key_Delete):
            self.set_text("")
            return
        if self._large and event.matches(QKeySequence.StandardKey.Paste):
            self.insertFromMimeData(QGuiApplication.clipboard().mimeData())
            return
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
        if (removed or added) and not self._large:  # colouring alone reports neither
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
        if fault is not None and not self._large:
            mark = QTextEdit.ExtraSelection()
            form = QTextCharFormat()
            form.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
            form.setUnderlineColor(colors().color("fails"))
            mark.format = form
            mark.cursor = self._span(fault, keep=True)
            marks.append(mark)
        self.setExtraSelections(marks)
        set_look(self, invalid=fault is not None and not self.reading)


class JsonEditor(Editor):
    """A field that holds any JSON: an object, a list, or any value. An empty text leaves it out; ``null`` is null."""

    def __init__(self, field: Field, place: Place, parent: QWidget | None = None) -> None:
        super().__init__(field, place, parent)
        self._edit = JsonEdit(lines=3)
        self.hold(self._edit)
        self._edit.setPlaceholderText(self.left_out_words)
        self._edit.edited.connect(self.changed)

    def input(self) -> JsonEdit:
        """The text field."""
        return self._edit

    def value(self) -> Any:
        return self._edit.value()

    def set_value(self, value: Any) -> bool:
        blocked = self._edit.blockSignals(True)
        text = (
            ""
            if value is ABSENT
            else value.text
            if isinstance(value, RawJson)
            else exact.encode(value).decode()
        )
        self._edit.set_text(laid_out(text))
        self._edit.blockSignals(blocked)
        if same(self.value(), value):
            return True
        return same_content(self.value(), value)

    def faults(self) -> list[Fault]:
        fault = self._edit.fault()
        return [Fault((), fault.sentence, "json")] if fault is not None else super().faults()

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
