"""One list of a document: its settings, each with its value and why it has it, and its first page as it was tried."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QFrame, QGridLayout, QLineEdit, QWidget

from explorer.ui.kit.banner import Banner
from explorer.ui.kit.columns import Column
from explorer.ui.kit.layout import STRETCH, column, dressed, push_button, row
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.kit.rows_table import RowsModel, RowsTable
from explorer.ui.kit.theme import HEADER, ROW, restyle, set_look
from explorer.ui.pages.interface.first_page import Tried
from explorer.ui.pages.interface.interface_state import TOPICS, Setting
from explorer.words import count

_LEAST, _MOST = 130, 250
"""Pixels of a value's field."""
_NARROW = 640
"""Pixels of the grid below which reasons stand under their fields."""
_WIDEST = 16_777_215
"""Qt's own bound, which is none."""


_ROWS = 3
"""Rows of a first page that are shown."""
_UNTRIED = "Not tried yet. Three reads at most, no writes; the rows are not stored."


class SettingsGrid(QWidget):
    """Emits what the user sets; what is shown comes back by `show_settings`."""

    edited = Signal(str, str)
    """A setting's field and its text."""
    kept = Signal(str)
    """The topic of a guess."""
    put_back = Signal(str)

    def __init__(self, odd: Callable[[str, str], str]) -> None:
        """``odd`` says what is wrong with a text while it is being typed, or gives an empty text."""
        super().__init__()
        self.setAccessibleName("Settings")
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(12, 8, 12, 8)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(1, 2)
        self._grid.setColumnStretch(2, 3)
        self._grid.setRowStretch(2 * len(TOPICS) + 1, 1)
        dressed(self, ground="surface")
        titles = [PlainLabel(title, role="caption") for title in ("Setting", "Value", "Why")]
        for place, title in enumerate(titles):
            self._grid.addWidget(title, 0, place)
        self._why = titles[-1]
        self.lines = {name: _Line(name, odd) for name in TOPICS}
        self._narrow: bool | None = None
        for number, line in enumerate(self.lines.values(), 1):
            for place, part in enumerate((line.label, line.box)):
                self._grid.addWidget(part, 2 * number - 1, place, Qt.AlignmentFlag.AlignTop)
            line.edited.connect(self.edited)
            line.keep.clicked.connect(lambda _=False, name=line.name: self.kept.emit(TOPICS[name]))
            line.back.clicked.connect(lambda _=False, name=line.name: self.put_back.emit(TOPICS[name]))
        self._place()
        stops = [stop for line in self.lines.values() for stop in (line.editor, line.keep, line.back)]
        for stop, following in pairwise(stops):
            QWidget.setTabOrder(stop, following)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        """Put each reason beside its field, or below it where there is no room for both."""
        narrow = self.width() < _NARROW
        if narrow == self._narrow:
            return
        self._narrow = narrow
        self._why.setVisible(not narrow)
        for number, line in enumerate(self.lines.values(), 1):
            at = (2 * number, 1) if narrow else (2 * number - 1, 2)
            self._grid.addWidget(line.said, *at, Qt.AlignmentFlag.AlignTop)
            line.box.setMaximumWidth(_WIDEST if narrow else _MOST)
        self._grid.setColumnStretch(2, 0 if narrow else 3)

    def show_settings(self, settings: Sequence[Setting]) -> None:
        """Show these and no others."""
        there = {one.field: one for one in settings}
        for name, line in self.lines.items():
            line.show_setting(there.get(name))

    def show_fault(self, name: str, sentence: str) -> None:
        """What is wrong with what was set; the text stays as it was typed."""
        self.lines[name].show_fault(sentence)

    def focus_on(self, topic: str) -> None:
        """Go to the setting of a conclusion."""
        self.lines[topic].editor.setFocus(Qt.FocusReason.OtherFocusReason)


class _Line(QWidget):
    """The parts of one setting; they stand in the grid."""

    edited = Signal(str, str)

    def __init__(self, name: str, odd: Callable[[str, str], str]) -> None:
        super().__init__()
        self.name, self._odd, self._shown = name, odd, ""
        self.label = PlainLabel("")
        self.label.setMinimumHeight(28)
        self.editor: QLineEdit | QComboBox = QComboBox() if name == "paging" else QLineEdit()
        self.editor.setMinimumWidth(_LEAST)
        self.label.setBuddy(self.editor)
        self._fault = PlainLabel("", role="caution", wrap=True)
        self._fault.hide()
        self.box = QWidget(maximumWidth=_MOST)
        self._guessed = PlainLabel("Guessed")
        self._guessed.setProperty("badge", "caution")
        self._why = PlainLabel("", role="muted", wrap=True)
        self._why.setMinimumWidth(60)
        self.keep = push_button("Keep", kind="link")
        self.back = push_button("Put back", kind="link")
        top = Qt.AlignmentFlag.AlignTop
        box = QGridLayout(self.box)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(2)
        box.addWidget(self.editor, 0, 0)
        box.addWidget(self._fault, 1, 0)
        self.said = QWidget()
        parts = ((self._guessed, top), (self._why, 1), (self.keep, top), (self.back, top))
        row(*parts, of=self.said, margins=(0, 5, 0, 0), spacing=8)
        if isinstance(self.editor, QComboBox):
            self.editor.activated.connect(lambda _: self._changed())
        else:
            self.editor.setProperty("mono", True)
            self.editor.editingFinished.connect(self._changed)
            self.editor.textEdited.connect(lambda text: self.show_fault(self._odd(self.name, text)))

    def show_setting(self, setting: Setting | None) -> None:
        """Show it; None: there is no such setting now."""
        for part in (self.label, self.box, self.said):
            part.setVisible(setting is not None)
        if setting is None:
            return
        self._shown = setting.text
        self.label.setText(setting.label)
        if isinstance(self.editor, QComboBox):
            if self.editor.count() != len(setting.choices):
                self.editor.clear()
                self.editor.addItems(setting.choices)
            self.editor.setCurrentText(setting.text)
        elif self.editor.text() != setting.text:
            self.editor.setText(setting.text)
        self.editor.setAccessibleName(setting.spoken)
        self.editor.setAccessibleDescription(setting.why)
        self.show_fault(self._odd(self.name, setting.text))
        self._why.setText(setting.why)
        self._guessed.setVisible(setting.guessed)
        for button, shown in ((self.keep, setting.keeps), (self.back, setting.edited)):
            button.setVisible(shown)
            button.setAccessibleName(f"{button.text()}: {setting.label}")

    def show_fault(self, sentence: str) -> None:
        """What is odd about the text, below it."""
        self._fault.setText(sentence)
        self._fault.setVisible(bool(sentence))
        set_look(self.editor, invalid=bool(sentence))

    def _changed(self) -> None:
        text = self.editor.currentText() if isinstance(self.editor, QComboBox) else self.editor.text()
        if text != self._shown:
            self.edited.emit(self.name, text)


class FirstPageCard(QFrame):
    """What *Try first page* showed of the chosen list: what holds and what does not, and the first rows."""

    def __init__(self) -> None:
        super().__init__()
        self.status, self.result = PlainLabel("", role="muted"), PlainLabel("", wrap=True)
        self.failed = Banner("fails")
        self._rows = RowsModel[dict[str, Any]]([Column("", lambda _: "")])
        self._table = RowsTable(self._rows, "First rows")
        self._table.setFixedHeight(HEADER + _ROWS * ROW + 2)
        head = row(PlainLabel("First page", role="heading"), (self.status, 1), spacing=8)
        fill_card(self, head, self.failed, self._table, self.result, STRETCH)

    def show_tried(self, tried: Tried | None, busy: str, why_not: str) -> None:
        """Shows what was tried, if anything. ``busy``: what goes on; ``why_not``: why the list cannot be tried."""
        self.status.setText(busy or (tried.status if tried is not None else ""))
        said = tried.said if tried is not None else ()
        lines = [f"{'✓' if holds else '✗'} {sentence}" for holds, sentence in said]
        if tried is not None and tried.calls:
            lines.append(f"{count(tried.calls, 'call')}, none of them writes. The rows are not stored.")
        self.result.setText("\n".join(lines) if tried is not None else f"{_UNTRIED} {why_not}".strip())
        fault = tried.fault if tried is not None else None
        self.failed.setVisible(fault is not None)
        if fault is not None:
            self.failed.show_("fails", *fault)
        read = map(json.loads, tried.rows if tried is not None else ())
        rows = [one for one in read if isinstance(one, dict)]
        names = list(dict.fromkeys(name for one in rows for name in one))[:4]
        self._rows.show_columns([Column(name, partial(_cell, name)) for name in names], rows)
        self._table.setVisible(bool(names))
        self._table.share()
        restyle(self.failed)


def fill_card(card: QFrame, *parts: Any) -> None:
    """Makes ``card`` one of the cards below the settings, with its parts below each other."""
    card.setProperty("card", "true")
    column(*parts, of=card, margins=(12, 8, 12, 10), spacing=8)


def _cell(name: str, one: dict[str, Any]) -> str:
    value = one.get(name, "")
    if isinstance(value, list):
        return f"[ {len(value):,} ]"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
