"""Asked against returned: what is missing, was not asked for, came more than once or at another place, to be copied."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)

from explorer import words
from explorer.quality.values.ids import Answered
from explorer.ui.kit.layout import STRETCH, column, row
from explorer.ui.kit.plain import PlainLabel, visible
from explorer.ui.kit.theme import restyle
from explorer.ui.pages.crm.account_run import BatchRun

_MOST_PLACES = 2_000
"""Ids at another place whose two places are said; beyond, the ids alone."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One kind of difference: what it is called, which ids it is about, and a line for each."""

    name: str
    ids: tuple[str, ...]
    lines: tuple[str, ...]
    what: str
    """One sentence that says what it means."""

    @property
    def label(self) -> str:
        """``3 missing``."""
        return f"{len(self.ids):,} {self.name}"


def findings_of(run: BatchRun, found: Answered) -> list[Finding]:
    """The differences of a reading, those that are none left out."""
    moved = found.moved
    places = _places(run, moved) if len(moved) <= _MOST_PLACES else moved
    made = [
        Finding("missing", found.missing, found.missing, "Requested, but not returned."),
        Finding("not asked for", found.extra, found.extra, "Returned, but not requested."),
        Finding(
            "more than once",
            tuple(ident for ident, _ in found.twice),
            tuple(f"{ident}\t{count} times" for ident, count in found.twice),
            "Returned more than once.",
        ),
        Finding(
            "in another order",
            moved,
            places,
            "Returned in another order than requested. The contract gives no order.",
        ),
    ]
    return [one for one in made if one.ids]


def _places(run: BatchRun, moved: Sequence[str]) -> tuple[str, ...]:
    made = []
    for ident in moved:
        asked, came = run.order_of(ident)
        made.append(f"{ident}\trequested at position {asked:,}, returned at position {came:,}")
    return tuple(made)


class Verdict(QFrame):
    """One line under the table's head: what was found, in words; a click on a word shows its ids."""

    wanted = Signal(str)
    """The name of the finding that was clicked."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("bar", "tools")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.badge = PlainLabel()
        self.said = PlainLabel(role="muted", elide=True)
        self.buttons: list[QPushButton] = []
        self._row = row(self.badge, (self.said, 1), of=self, margins=(12, 4, 12, 4), spacing=8)
        self.hide()

    def add(self, widget: QWidget) -> None:
        """Put something of the table's at its end."""
        self._row.addWidget(widget)

    def show_run(self, run: BatchRun, found: Answered, findings: Sequence[Finding]) -> None:
        """Say what came of a reading so far."""
        for button in self.buttons:
            self._row.removeWidget(button)
            button.hide()
            button.deleteLater()
        self.buttons = []
        odd = [one for one in findings if one.name != "in another order"]
        counted = bool(run.ids)
        fine = counted and not odd and not run.notes and not found.without_id
        self.badge.setText("As asked" if fine else "Differs")
        self.badge.setProperty("badge", "holds" if fine else "caution")
        restyle(self.badge)
        self.badge.setVisible(counted or bool(run.notes))
        self.said.setText(" ".join([*run.notes[:2], *self._plain(run, found, fine)]))
        for place, one in enumerate(findings):
            button = QPushButton(one.label)
            button.setProperty("kind", "link")
            button.setAccessibleName(f"{one.label}: show them")
            button.clicked.connect(lambda _=False, name=one.name: self.wanted.emit(name))
            self._row.insertWidget(1 + place, button)
            self.buttons.append(button)
        self.show()

    @staticmethod
    def _plain(run: BatchRun, found: Answered, fine: bool) -> list[str]:
        made = []
        if fine and not found.moved and not run.left:
            made.append("Each requested id was returned once, in the same order.")
        if found.without_id:
            made.append(f"{words.count(found.without_id, 'record')} without an id.")
        if found.as_number:
            made.append(f"{words.count(found.as_number, 'id')} received as a number.")
        return made

    def clear(self) -> None:
        """Say nothing."""
        self.hide()


class AskedView(QWidget):
    """The ids of one finding at a time, one a line, and a button that copies them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._findings: list[Finding] = []
        self._buttons = QButtonGroup(self)
        self._row = row(spacing=4)
        self._end = QHBoxLayout()
        self.copy = QPushButton("Copy")
        self.said = PlainLabel(role="muted", wrap=True)
        self.text = QPlainTextEdit(readOnly=True)
        self.text.setProperty("mono", "true")
        self.text.setAccessibleName("Ids")
        self.text.setTabChangesFocus(True)
        above = row(self._row, STRETCH, self.copy, spacing=8)
        column(above, self.said, (self.text, 1), of=self, margins=(12, 8, 12, 12), spacing=8)
        self.copy.clicked.connect(lambda _: self.copy_ids())
        self._buttons.idClicked.connect(self._show)
        self.show_findings([], "Nothing was read yet")

    def show_findings(self, findings: Sequence[Finding], otherwise: str) -> None:
        """Show the first of ``findings``; with none the sentence ``otherwise``."""
        before = self.front
        for button in self._buttons.buttons():
            self._buttons.removeButton(button)
            self._row.removeWidget(button)
            button.hide()
            button.deleteLater()
        self._findings = list(findings)
        for place, one in enumerate(self._findings):
            button = QPushButton(one.label)
            button.setCheckable(True)
            button.setProperty("kind", "quiet")
            self._buttons.addButton(button, place)
            self._row.addWidget(button)
        names = [one.name for one in self._findings]
        if not names:
            self.said.setText(otherwise)
            self.text.clear()
        else:
            self.turn_to(before if before in names else names[0])
        for widget in (self.copy, self.text):
            widget.setVisible(bool(names))

    @property
    def front(self) -> str:
        """The name of the finding that is shown, or an empty text."""
        place = self._buttons.checkedId()
        return self._findings[place].name if 0 <= place < len(self._findings) else ""

    def turn_to(self, name: str) -> None:
        """Show the finding of that name."""
        for place, one in enumerate(self._findings):
            if one.name == name:
                self._buttons.button(place).setChecked(True)
                self._show(place)

    def copy_ids(self) -> None:
        """The ids that are shown to the clipboard, one a line."""
        place = self._buttons.checkedId()
        if 0 <= place < len(self._findings):
            QGuiApplication.clipboard().setText("\n".join(self._findings[place].ids))
            self.said.setText(f"Copied {words.count(len(self._findings[place].ids), 'id')}")

    def _show(self, place: int) -> None:
        one = self._findings[place]
        self.said.setText(one.what)
        self.text.setPlainText("\n".join(visible(line, keep_lines=True) for line in one.lines))
        self.copy.setText(f"Copy {words.count(len(one.ids), 'id')}")
