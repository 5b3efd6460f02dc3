"""The calls that were sent from a form: saved in the profile's journal, listed, and loaded into the form again.

Loading fills the form and sends nothing. The journal is redacted, so a secret comes back as its mask.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QHeaderView,
    QPlainTextEdit,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from explorer import words
from explorer.api.errors import ExplorerError
from explorer.catalog.spec import Operation
from explorer.ui.forms import exact
from explorer.ui.forms.json_edit import JsonColors
from explorer.ui.kit.layout import STRETCH, column, push_button, row, split
from explorer.ui.kit.notices import Notices
from explorer.ui.kit.plain import PlainLabel, tooltip, visible
from explorer.ui.kit.table_rows import by_rows
from explorer.ui.kit.text_shown import shown_as_text
from explorer.ui.kit.theme import colors, mono, theme

if TYPE_CHECKING:
    from explorer.session import Session
    from explorer.session.journal import Entry

KIND = "history"
_MOST = 200
_MOST_SHOWN = 20_000
_MOST_KEPT = 400_000
"""Most characters of a form that is saved: a few larger ones would push all other calls out of the journal."""
_LEFT_OUT = "left out"
_HEADS = ("When", "Outcome", "Time", "Connection", "What was given")
_BADGES = ("holds", "caution", "fails")


class History:
    """The calls of ``operation`` in the journal. A journal that fails is reported once, and never makes a call fail."""

    def __init__(self, operation: Operation, session: Session, notices: Notices) -> None:
        self.operation = operation
        self._session = session
        self._notices = notices
        self._open: Entry | None = None
        self._told = False

    def begin(self, form: Mapping[str, Any]) -> None:
        """Add an entry for a call that is about to be sent; ``form`` is what `OperationForm.draft` gives."""
        kept = {name: part for name, part in form.items() if name != "extra"}
        if (size := exact.size_of(kept)) > _MOST_KEPT:
            kept = {name: part for name, part in kept.items() if exact.size_of(part) <= _MOST_KEPT // 4}
            kept[_LEFT_OUT] = words.size(size)
        data = {"form": kept, "extra": form.get("extra", []), "outcome": "Sent, response not known"}
        journal, connection = self._session.journal, self._session.connection
        with self._reported():
            self._open = journal.add(KIND, self.operation.key, data, source="form", connection=connection)

    def end(
        self,
        outcome: str,
        badge: str = "",
        exchange: int | None = None,
        took: float | None = None,
        more: Mapping[str, Any] | None = None,
    ) -> None:
        """Complete the entry of the call that was begun last: ``outcome`` in words, ``took`` in milliseconds, ``more``
        for what `CallPane.kept_of` gives.
        """
        entry, self._open = self._open, None
        if entry is None:
            return
        ended = {"outcome": outcome, "badge": badge, "exchange": exchange, "ms": took and round(took)}
        with self._reported():
            self._session.journal.update(entry.id, {**entry.data, **ended, **(more or {})})

    def drop(self) -> None:
        """Remove the entry of the call that was begun last, as it was not sent after all."""
        entry, self._open = self._open, None
        if entry is not None:
            with self._reported():
                self._session.journal.remove(entry.id)

    def entries(self) -> list[Entry]:
        """The entries, newest first."""
        with self._reported():
            return self._session.journal.of(KIND, self.operation.key, _MOST)
        return []

    def forget(self) -> None:
        """Delete all entries of this operation."""
        entries = self.entries()
        with self._reported():
            for entry in entries:
                self._session.journal.remove(entry.id)

    @contextmanager
    def _reported(self) -> Iterator[None]:
        try:
            yield
        except ExplorerError as fault:
            if not self._told:
                self._told = True
                self._notices.report(fault)


def form_of(entry: Entry) -> dict[str, Any]:
    """The form of an entry, as `OperationForm.restore` takes it."""
    form = entry.data.get("form")
    return {**(form if isinstance(form, dict) else {}), "extra": entry.data.get("extra", [])}


def given_of(form: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a form for reading: empty parts are left out, and a body typed as raw text is shown as that."""
    made = {name: form[name] for name in ("path", "query") if form.get(name)}
    if isinstance(form.get("raw"), str):
        made["body"] = exact.read(form["raw"])
    elif form.get("body") is not None:
        made["body"] = exact.from_draft(form["body"])
    if form.get("free"):
        made["body"] = exact.read(str(form["free"]))
    if form.get(_LEFT_OUT):
        made["not kept, as it is too large"] = form[_LEFT_OUT]
    if form.get("extra"):
        made["further parameters"] = form["extra"]
    return made


class HistoryDialog(QDialog):
    """Lists the calls, shows the values of the chosen one, and loads it into the form."""

    chosen = Signal(object)
    """Carries the form to load, as `OperationForm.restore` takes it."""

    def __init__(self, history: History, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._history = history
        self._entries: list[Entry] = []
        self.setWindowTitle(f"History: {history.operation.title}")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.table = QTableWidget(0, len(_HEADS))
        self.table.setAccessibleName("Calls sent before, newest first")
        self.given = QPlainTextEdit(readOnly=True)
        self.given.setProperty("mono", "true")
        self.given.setAccessibleName("What was given")
        self.given.setTabChangesFocus(True)
        self._colors = JsonColors(self.given.document())
        self.said = PlainLabel(role="muted", wrap=True)
        self.load = push_button("Load into form", kind="primary")
        self.forget = QPushButton("Forget all")
        self.close_button = QPushButton("Close")
        self._build()
        self.table.currentCellChanged.connect(lambda row, *_: self._show(row))
        self.table.cellActivated.connect(lambda *_: self._load())
        self.load.clicked.connect(lambda _: self._load())
        self.forget.clicked.connect(lambda _: self._forget())
        self.close_button.clicked.connect(lambda _: self.reject())
        theme().changed.connect(self._color)
        self._fill()
        self.resize(self.sizeHint())

    def _build(self) -> None:
        table = self.table
        table.setHorizontalHeaderLabels(list(_HEADS))
        by_rows(table)
        header = table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setStretchLastSection(True)
        for place, width in enumerate((160, 170, 76, 170)):
            table.setColumnWidth(place, width)
        both = split(Qt.Orientation.Vertical, (table, 280), (self.given, 180), shares=(3, 2))
        self.load.setDefault(True)
        buttons = row(self.forget, STRETCH, self.close_button, self.load, spacing=8)
        column(self.said, (both, 1), buttons, of=self, margins=16, spacing=12)

    def sizeHint(self) -> QSize:
        parent: QWidget | None = self.parentWidget()
        room = parent.window().size() if parent is not None else QSize(900, 600)
        return QSize(min(880, room.width() - 40), min(560, room.height() - 40))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        (self.table if self._entries else self.close_button).setFocus()

    def _fill(self) -> None:
        self._entries = self._history.entries()
        table = self.table
        table.setRowCount(len(self._entries))
        for line, entry in enumerate(self._entries):
            data = entry.data
            took = data.get("ms")
            at = entry.at.astimezone()
            cells = (
                f"{at:%Y-%m-%d %H:%M:%S}",
                str(data.get("outcome", "")),
                words.duration(took) if isinstance(took, int | float) else "",
                entry.connection,
                exact.encode(given_of(form_of(entry))).decode()[:400],
            )
            for place, text in enumerate(cells):
                item = QTableWidgetItem(visible(text))
                item.setToolTip(tooltip(words.relative(entry.at) if place == 0 else text))
                if place == 2:
                    item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                if place > 2:
                    item.setFont(mono())
                table.setItem(line, place, item)
        count = len(self._entries)
        self.said.setText(
            f"{words.count(count, 'call')}, newest first. Loading one fills the form and sends nothing."
            if count
            else "Nothing was sent from this form yet."
        )
        for widget in (self.load, self.forget):
            widget.setEnabled(bool(count))
        self._color()
        table.setCurrentCell(0 if count else -1, 0)
        self._show(table.currentRow())

    def _color(self) -> None:
        for line, entry in enumerate(self._entries):
            item = self.table.item(line, 1)
            if item is not None and (badge := entry.data.get("badge")) in _BADGES:
                item.setForeground(colors().color(badge))

    def _show(self, row: int) -> None:
        if not 0 <= row < len(self._entries):
            self.given.setPlainText("")
            return
        given = exact.encode(given_of(form_of(self._entries[row])))
        self.given.setPlainText(shown_as_text(given, bound=_MOST_SHOWN))

    def _load(self) -> None:
        row = self.table.currentRow()
        if 0 <= row < len(self._entries):
            self.accept()
            self.chosen.emit(form_of(self._entries[row]))

    def _forget(self) -> None:
        self._history.forget()
        self._fill()
