"""The dialog "Look at a link": what a link that somebody sent says, read on this machine alone.

The link is a credential: its field hides it until Reveal, nothing else here has it, and it goes when the dialog closes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QDialog, QLabel, QLineEdit, QWidget

from explorer.api.magic_link import LONGEST, Expected, Fact, LinkReading, read_sent_link
from explorer.session.connection_client import redactor_of
from explorer.ui.kit.banner import Banner
from explorer.ui.kit.clipboard import copy_text
from explorer.ui.kit.layout import column, push_button, row
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.kit.rows_table import Column, RowsModel, RowsTable

if TYPE_CHECKING:
    from explorer.session import Session

_FIRST = "It is read for what it opens, for whom and until when, and for what is odd about it."
_FOOT = "Read on this machine alone: nothing is sent, saved or logged, and the token is not verified."
_MOST_ODD = 6


@dataclass(frozen=True, slots=True)
class _Line:
    """What a link says, and what the other one says there."""

    fact: Fact
    other: str = ""
    differs: bool = False


_COLUMNS: tuple[Column[_Line], ...] = (
    Column("What", lambda one: one.fact.name, width=170),
    Column("Value", lambda one: one.fact.value, "mono", share=3),
    Column("Other link", lambda one: one.other, lambda one: "odd" if one.differs else "mono", share=3),
    Column("Stands in", lambda one: one.fact.source, "muted", width=130),
)
_OTHER = 2
_ABSENT = "not there"


def _lines(reading: LinkReading, other: LinkReading | None) -> list[_Line]:
    """What the link says, and what either of both says: facts and parameters apart, of one name in their order."""
    if other is None:
        return [_Line(fact) for fact in (*reading.facts, *reading.parameters)]
    made: list[_Line] = []
    for mine, its in ((reading.facts, other.facts), (reading.parameters, other.parameters)):
        left = list(its)
        for fact in mine:
            same = next((one for one in left if one.name == fact.name), None)
            if same is not None:
                left.remove(same)
            value = same.value if same is not None else _ABSENT
            made.append(_Line(fact, value, value != fact.value))
        made += [_Line(replace(one, value=_ABSENT), one.value, True) for one in left]
    return made


class LinkLook(QDialog):
    """Field, answer, what is odd, and all that the link says. ``customer``: whom the link should be for, if known."""

    def __init__(
        self, session: Session | None, parent: QWidget | None = None, *, link: str = "", customer: str = ""
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Look at a link")
        self._expected = expected_of(session)
        self.field = QLineEdit(link[: LONGEST + 1], maxLength=LONGEST + 1)
        self.field.setEchoMode(QLineEdit.EchoMode.Password)
        self.field.setAccessibleName("Link")
        self.field.setPlaceholderText("Paste the link here")
        self.customer = QLineEdit(customer)
        self.customer.setAccessibleName("Should be for")
        self.customer.setPlaceholderText("Id of the customer, if you know it")
        self.other = QLineEdit(maxLength=LONGEST + 1)
        self.other.setEchoMode(QLineEdit.EchoMode.Password)
        self.other.setAccessibleName("Compare with")
        self.other.setPlaceholderText("Another link, to see in which parts they differ")
        self.reveal = push_button("Reveal", tip="Show the link", checkable=True)
        self.answer = Banner()
        self.odd = PlainLabel(wrap=True, selectable=True)
        self.odd.setAccessibleName("What is odd")
        self.table = RowsTable(RowsModel(_COLUMNS), "What the link says")
        self.table.say_empty("No link yet")
        self.copy_button = push_button("Copy", name="Copy the answer", tip="Copy the answer and what is odd")
        self.close_button = push_button("Close")
        self._build()
        self.field.textChanged.connect(lambda _: self._read())
        self.customer.textChanged.connect(lambda _: self._read())
        self.other.textChanged.connect(lambda _: self._read())
        self.reveal.toggled.connect(self._show_link)
        self.copy_button.clicked.connect(lambda _=False: self._copy())
        self.close_button.clicked.connect(self.accept)
        for field in (self.field, self.other):
            self.finished.connect(field.clear)
        self._read()

    def _build(self) -> None:
        for button in (self.reveal, self.copy_button, self.close_button):
            button.setAutoDefault(False)  # Enter in a field would press it
        fields = (("Link", self.field), ("Should be for", self.customer), ("Compare with", self.other))
        labels = [_label(text, field) for text, field in fields]
        widest = max(label.sizeHint().width() for label in labels)
        for label in labels:
            label.setFixedWidth(widest)
        first = row(labels[0], (self.field, 1), self.reveal, spacing=8)
        second = row(labels[1], (self.customer, 1), spacing=8)
        third = row(labels[2], (self.other, 1), spacing=8)
        head = column(first, second, third, margins=(16, 12, 16, 12), spacing=8)
        self._odd_frame = QWidget()
        column(self.odd, of=self._odd_frame, margins=(16, 8, 16, 12))
        foot = row(
            (PlainLabel(_FOOT, role="muted", wrap=True), 1),
            self.copy_button,
            self.close_button,
            margins=(16, 12, 16, 12),
        )
        foot.setSpacing(12)
        column(head, self.answer, self._odd_frame, (self.table, 1), foot, of=self)
        self.setMinimumSize(480, 320)
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def sizeHint(self) -> QSize:
        return QSize(800, 560)

    def _read(self) -> None:
        """Say what the fields hold now; a link is short, so this is at once."""
        text = self.field.text()
        self.copy_button.setEnabled(bool(text.strip()))
        if not text.strip():
            self.answer.show_("info", "Paste a link", _FIRST)
            self._show_odd(None)
            self.table.show_rows([])
            self.table.leave_out(_OTHER, True)
            return
        reading = read_sent_link(text, self._expected_now())
        beside = self.other.text().strip()
        lines = _lines(reading, read_sent_link(beside, self._expected_now()) if beside else None)
        self.answer.show_(reading.tone, reading.sentence, reading.note)
        self._show_odd(reading, _compared(lines) if beside else "")
        self.table.show_rows(lines)
        self.table.leave_out(_OTHER, not beside)

    def _expected_now(self) -> Expected:
        known = self._expected
        return Expected(known.base_url, known.connection, self.customer.text().strip(), known.redactor)

    def _show_odd(self, reading: LinkReading | None, compared: str = "") -> None:
        odd = (
            [] if reading is None else [one.text for one in reading.oddities if one.text != reading.sentence]
        )
        shown = [f"•  {compared}"] if compared else []
        shown += [f"•  {text}" for text in odd[:_MOST_ODD]]
        shown += [f"•  and {len(odd) - _MOST_ODD} more"] if len(odd) > _MOST_ODD else []
        self.odd.setText("\n".join(shown))
        self._odd_frame.setVisible(bool(shown))

    def _copy(self) -> None:
        said = (self.answer.title, self.odd.whole() if self._odd_frame.isVisible() else "")
        copy_text("\n".join(filter(None, said)), "answer")

    def _show_link(self, on: bool) -> None:
        for field in (self.field, self.other):
            field.setEchoMode(QLineEdit.EchoMode.Normal if on else QLineEdit.EchoMode.Password)
        self.reveal.setText("Hide" if on else "Reveal")


def expected_of(session: Session | None) -> Expected:
    """What a link is held against while ``session`` is open."""
    if session is None:
        return Expected()
    return Expected(session.profile.base_url, session.connection, "", redactor_of(session))


def _compared(lines: Sequence[_Line]) -> str:
    """In which parts both links differ, in a sentence."""
    names = list(dict.fromkeys(one.fact.name for one in lines if one.differs))
    if not names:
        return "The other link says the same in every part, the signature too."
    return f"The other link differs in: {', '.join(names)}."


def _label(text: str, buddy: QWidget) -> QLabel:
    made = PlainLabel(text, role="muted")
    made.setBuddy(buddy)
    return made
