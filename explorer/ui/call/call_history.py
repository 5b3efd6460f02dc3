"""The calls that were sent from a form: saved in the profile's journal, listed, and loaded into the form again.

Loading fills the form and sends nothing. The journal is redacted, so a secret comes back as its mask.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QPushButton, QWidget

from explorer import words
from explorer.catalog.spec import Operation
from explorer.ui.forms import exact
from explorer.ui.forms.json_edit import JsonColors
from explorer.ui.kit.columns import Column, Tone
from explorer.ui.kit.dialogs import press_on_enter, size_over
from explorer.ui.kit.layout import STRETCH, column, push_button, row, split
from explorer.ui.kit.notices import FirstFault, Notices
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.kit.rows_table import RowsModel, RowsTable
from explorer.ui.kit.text_shown import shown_as_text

if TYPE_CHECKING:
    from explorer.session import Session
    from explorer.session.journal import Entry

KIND = "history"
_MOST = 200
_MOST_SHOWN = 20_000
_MOST_KEPT = 400_000
"""Most characters of a form that is saved: a few larger ones would push all other calls out of the journal."""
_LEFT_OUT = "left out"
_MOST_OF_LINE = 400
_TONES: Mapping[str, Tone] = {"holds": "good", "caution": "odd", "fails": "bad"}


class History:
    """The calls of ``operation`` in the journal. A journal that fails is reported once, and never makes a call fail."""

    def __init__(self, operation: Operation, session: Session, notices: Notices) -> None:
        self.operation = operation
        self._session = session
        self._reported = FirstFault(notices)
        self._open: Entry | None = None

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


COLUMNS: tuple[Column[Entry], ...] = (
    Column(
        "When",
        lambda entry: f"{entry.at.astimezone():%Y-%m-%d %H:%M:%S}",
        tip=lambda entry: words.relative(entry.at),
        width=160,
    ),
    Column(
        "Outcome",
        lambda entry: str(entry.data.get("outcome", "")),
        lambda entry: _TONES.get(str(entry.data.get("badge")), "text"),
        width=170,
    ),
    Column("Time", lambda entry: _took(entry.data.get("ms")), "number", width=76),
    Column("Connection", lambda entry: entry.connection, "mono", width=170),
    Column(
        "What was given",
        lambda entry: exact.encode(given_of(form_of(entry))).decode()[:_MOST_OF_LINE],
        "mono",
    ),
)


def _took(ms: object) -> str:
    return words.duration(ms) if isinstance(ms, int | float) else ""


class HistoryDialog(QDialog):
    """Lists the calls, shows the values of the chosen one, and loads it into the form."""

    chosen = Signal(object)
    """Carries the form to load, as `OperationForm.restore` takes it."""

    def __init__(self, history: History, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._history = history
        self.setWindowTitle(f"History: {history.operation.title}")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.table = RowsTable(RowsModel(COLUMNS), "Calls sent before, newest first")
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
        self.table.chosen.connect(lambda _: self._show())
        self.table.taken.connect(lambda _: self._load())
        self.load.clicked.connect(lambda _: self._load())
        self.forget.clicked.connect(lambda _: self._forget())
        self.close_button.clicked.connect(lambda _: self.reject())
        self._fill()
        self.resize(self.sizeHint())

    def _build(self) -> None:
        both = split(Qt.Orientation.Vertical, (self.table, 280), (self.given, 180), shares=(3, 2))
        buttons = row(self.forget, STRETCH, self.close_button, self.load, spacing=8)
        column(self.said, (both, 1), buttons, of=self, margins=16, spacing=12)
        press_on_enter(self.load)

    def sizeHint(self) -> QSize:
        return size_over(self, 880, 560)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        (self.table if self.table.row() else self.close_button).setFocus()

    def _fill(self) -> None:
        entries = self._history.entries()
        self.table.show_rows(entries)
        self.said.setText(
            f"{words.count(len(entries), 'call')}, newest first. Loading one fills the form and sends nothing."
            if entries
            else "Nothing was sent from this form yet."
        )
        for widget in (self.load, self.forget):
            widget.setEnabled(bool(entries))
        self.table.selectRow(0)
        self._show()

    def _show(self) -> None:
        entry = self.table.row()
        given = exact.encode(given_of(form_of(entry))) if entry else b""
        self.given.setPlainText(shown_as_text(given, bound=_MOST_SHOWN) if given else "")

    def _load(self) -> None:
        if entry := self.table.row():
            self.accept()
            self.chosen.emit(form_of(entry))

    def _forget(self) -> None:
        self._history.forget()
        self._fill()
