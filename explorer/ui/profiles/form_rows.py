"""The rows of a profile's form: labelled fields, what is wrong with each; where the key is kept; what Test found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QGridLayout, QLineEdit, QListWidget, QListWidgetItem, QWidget

from explorer import words
from explorer.profiles.fault import ProfileFault
from explorer.profiles.secrets import Holding, Place
from explorer.ui.kit.layout import column, dressed
from explorer.ui.kit.plain import PlainLabel, tooltip, visible
from explorer.ui.kit.theme import set_look

if TYPE_CHECKING:
    from explorer.session import TestResult

_EACH_TALL = 120

_EDITS = ("textChanged", "currentIndexChanged", "valueChanged")


class FormRows(QWidget):
    """The rows of a form, by the names of their fields."""

    edited = Signal(str)
    """A field was edited; what was said of it is gone."""

    def __init__(self) -> None:
        super().__init__()
        dressed(self, ground="surface")
        self.editors: dict[str, QWidget] = {}
        self.parts: dict[str, tuple[PlainLabel, QWidget]] = {}
        """Label and field of each row, in their order."""
        self._faults: dict[str, PlainLabel] = {}
        self.grid = QGridLayout(self)
        self.grid.setContentsMargins(20, 16, 20, 16)
        self.grid.setHorizontalSpacing(16)
        self.grid.setVerticalSpacing(4)
        self.grid.setColumnStretch(1, 1)

    def add(
        self,
        field: str,
        label: str,
        editor: QWidget,
        below: QWidget | None = None,
        *,
        place: QWidget | None = None,
        at: int | None = None,
    ) -> None:
        """Adds a row, at the end unless ``at`` says where.

        ``place``: a widget that has the editor in it, and says by itself when that was edited unless it is an editor
        with something beside it.
        """
        fault = PlainLabel("", role="error", wrap=True)
        fault.hide()
        box = QWidget()
        parts = [part for part in (place or editor, below, fault) if part is not None]
        column(*parts, of=box, margins=(0, 0, 0, 4), spacing=2)
        name = PlainLabel(label, role="muted")
        name.setBuddy(editor)
        name.setMinimumHeight(28)
        name.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        editor.setAccessibleName(label)
        at = self.grid.rowCount() if at is None else at
        self.grid.addWidget(name, at, 0, Qt.AlignmentFlag.AlignTop)
        self.grid.addWidget(box, at, 1)
        self._faults[field] = fault
        self.editors[field] = editor
        self.parts[field] = (name, box)
        for part in (name, box) if self.isVisible() else ():
            part.show()  # a row that comes later would appear one turn of the loop after the others
        for signal in _EDITS if not hasattr(place, "changed") else ():
            if hasattr(editor, signal):
                getattr(editor, signal).connect(lambda *_: self.note_edited(field))

    def remove(self, field: str) -> None:
        """Takes a row away."""
        for part in self.parts.pop(field):
            self.grid.removeWidget(part)
            part.deleteLater()
        del self.editors[field], self._faults[field]

    def rename(self, field: str, label: str) -> None:
        """Gives a row another label; one without a label is hidden."""
        self.parts[field][0].setText(label)
        self.editors[field].setAccessibleName(label)
        self.show_row(field, bool(label))

    def show_row(self, field: str, shown: bool) -> None:
        """Shows or hides a row."""
        for part in self.parts[field]:
            part.setVisible(shown)

    def note_edited(self, field: str) -> None:
        """Takes away what was said of a field that was edited, and says that it was."""
        self._clear(field)
        self.edited.emit(field)

    # ---- what is wrong

    def faults(self) -> dict[str, str]:
        """What stands under which field."""
        return {field: label.whole() for field, label in self._faults.items() if label.whole()}

    def show_fault(self, field: str, sentence: str) -> QWidget:
        """Writes ``sentence`` under its field, and gives the label for who scrolls to it."""
        self._faults[field].setText(sentence)
        self._faults[field].show()
        editor = self.editors[field]
        editor.setAccessibleDescription(sentence)
        set_look(editor, invalid=True)
        return self._faults[field]

    def clear_faults(self) -> None:
        """Takes all sentences away."""
        for field in self._faults:
            self._clear(field)

    def _clear(self, field: str) -> None:
        if self._faults[field].whole():
            self._faults[field].setText("")
            self._faults[field].hide()
            editor = self.editors[field]
            editor.setAccessibleDescription("")
            set_look(editor, invalid=False)


_PLACE_WORDS = {
    Place.SYSTEM: "In the system's password store",
    Place.FILE: "In a file locked by a passphrase",
    Place.MEMORY: "In memory, until the program ends",
}


class KeyPlace(QWidget):
    """One choice, and below it the passphrase: twice when the file is made, once when it is opened."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._holding: Holding | None = None
        self.choice = QComboBox()
        self.choice.setAccessibleName("Where the key is saved")
        self.phrase, self.again = hidden_line("Passphrase"), hidden_line("The new passphrase once more")
        self.again.setPlaceholderText("Once more")
        column(self.choice, self.phrase, self.again, of=self, spacing=4)
        self.choice.currentIndexChanged.connect(self._chosen)
        for edit in (self.phrase, self.again):
            edit.textEdited.connect(self.changed)
        self.show_holding(None)

    def show_holding(self, holding: Holding | None, *, saved: bool = False) -> None:
        """What can be chosen; None while it is not known. ``saved``: the profile is there, so a key may be as well."""
        self._holding = holding
        self.clear()
        self.choice.blockSignals(True)
        self.choice.clear()
        if holding is not None:
            for place, words in _PLACE_WORDS.items():
                if place is not Place.SYSTEM or holding.system:
                    self.choice.addItem(words, place)
            first = holding.place
            if first is None and saved and holding.locked:
                first = Place.FILE
            self.choice.setCurrentIndex(
                max(self.choice.findData(first), 0) if first in _PLACE_WORDS else self._usual()
            )
        self.choice.blockSignals(False)
        self.choice.setEnabled(holding is not None)
        self._show_fields()

    def _usual(self) -> int:
        return self.choice.findData(Place.SYSTEM if self._holding and self._holding.system else Place.MEMORY)

    @property
    def place(self) -> Place | None:
        """What is chosen; None while it is not known."""
        return self.choice.currentData()  # type: ignore[no-any-return]

    @property
    def moves(self) -> bool:
        """Whether a key that is held is to be held somewhere else."""
        held = self._holding.place if self._holding is not None else None
        return held in _PLACE_WORDS and self.place is not held

    @property
    def locked(self) -> bool:
        """Whether the file is to be used, or may hold the key, and its passphrase has not been given yet."""
        return self.place is Place.FILE and self._holding is not None and not self._holding.opened

    def passphrase(self, *, needed: bool) -> str:
        """What was typed, empty where none is needed. Raises ProfileFault (field ``passphrase``)."""
        if not self.locked:
            return ""
        text = self.phrase.text()
        if needed and not text:
            raise ProfileFault("The key file needs its passphrase.", "passphrase")
        if text and self._makes and text != self.again.text():
            raise ProfileFault("The two passphrases are not the same.", "passphrase")
        return text

    def clear(self) -> None:
        """Forget what was typed."""
        self.phrase.clear()
        self.again.clear()

    @property
    def _makes(self) -> bool:
        return self._holding is not None and not self._holding.file

    def _chosen(self) -> None:
        self._show_fields()
        self.changed.emit()

    def _show_fields(self) -> None:
        words = "New passphrase, 8 characters or more" if self._makes else "Passphrase of the key file"
        self.phrase.setPlaceholderText(words)
        self.phrase.setVisible(self.locked)
        self.again.setVisible(self.locked and self._makes)


def hidden_line(name: str) -> QLineEdit:
    """A line that hides what is typed into it."""
    edit = QLineEdit()
    edit.setAccessibleName(name)
    edit.setEchoMode(QLineEdit.EchoMode.Password)
    edit.setInputMethodHints(Qt.InputMethodHint.ImhSensitiveData | Qt.InputMethodHint.ImhNoPredictiveText)
    return edit


Verdict = Literal["holds", "fails", "caution", "unknown", "asking"]

STEPS = ("address", "key", "connection", "third party")
_WORDS: dict[Verdict, str] = {
    "holds": "Right",
    "fails": "Wrong",
    "caution": "Unsure",
    "unknown": "Not seen",
    "asking": "Asking…",
}
_BADGES: dict[Verdict, str] = {
    "holds": "holds",
    "fails": "fails",
    "caution": "caution",
    "unknown": "plain",
    "asking": "info",
}


class TestLines(QWidget):
    """One line a step, in the order in which they are tried."""

    __test__ = False  # the name is the user's word for it, not pytest's

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Result of the test")
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(2, 1)
        self._lines: dict[str, tuple[PlainLabel, PlainLabel]] = {}
        for row, step in enumerate(STEPS):
            verdict, words = PlainLabel(""), PlainLabel("", role="muted", wrap=True)
            top = Qt.AlignmentFlag.AlignTop
            grid.addWidget(PlainLabel(step.capitalize(), role="heading"), row, 0, top)
            grid.addWidget(verdict, row, 1, top)
            grid.addWidget(words, row, 2, top)
            self._lines[step] = (verdict, words)
        self._results: list[TestResult] = []
        self.each = QListWidget()
        """Of several connections, what was found of each."""
        self.each.setAccessibleName("Result of each connection")
        self.each.setWordWrap(True)
        self.each.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.each.setMaximumHeight(_EACH_TALL)
        grid.addWidget(self.each, len(STEPS), 0, 1, 3)
        self.tried = PlainLabel("", role="faint", wrap=True)
        grid.addWidget(self.tried, len(STEPS) + 1, 0, 1, 3)
        self._begin()

    def _begin(self) -> None:
        self._results.clear()
        self.each.clear()
        self.each.hide()
        self.tried.hide()

    def show_result(self, found: TestResult, of: int, where: str) -> None:
        """What was found of the next of ``of`` connections; ``where``: in which log its requests are, as a sentence.

        The steps are those of the first one that is wrong, else of the first one; the list has the wrong ones first.
        """
        whom = found.connection or "the connection that the service chose"
        wrong = sum(one.wrong is not None for one in self._results)
        if not self._results or (found.wrong and not wrong):
            for step in found.steps:
                is_unnamed = of > 1 and step is found.wrong and whom not in step.sentence
                whose = f"{whom}: " if is_unnamed else ""
                said = f"{whose}{step.sentence} {step.advice}".strip()
                self.show_step(step.name, step.verdict, said)
        self._results.append(found)
        if of > 1:
            verdict = _WORDS["fails" if found.wrong else "holds" if found.ok else "unknown"]
            item = QListWidgetItem(visible(f"{whom}: {verdict}. {found.sentence}"))
            item.setToolTip(tooltip(item.text()))
            self.each.insertItem(wrong if found.wrong else self.each.count(), item)
            self.each.show()
            whom = f"{len(self._results)} of {words.count(of, 'connection')}"
        requests = sum(one.requests for one in self._results)
        said = f"Tried {whom}, with {words.count(requests, 'request')}."
        self.tried.setText(f"{said} {where}" if requests and where else said)
        self.tried.show()

    def stop(self) -> None:
        """The test was stopped: what was found stays."""
        if self._results:
            self.tried.setText(f"Stopped. {self.tried.whole()}")
        else:
            self.show_all("unknown")

    def show_step(self, step: str, verdict: Verdict, said: str = "") -> None:
        """What is known of one step."""
        badge, text = self._lines[step]
        badge.setText(_WORDS[verdict])
        set_look(badge, badge=_BADGES[verdict])
        text.setText(said)

    def show_all(self, verdict: Verdict) -> None:
        """The same of all, before the answer is there."""
        self._begin()
        for step in STEPS:
            self.show_step(step, verdict)

    def words(self) -> list[str]:
        """The lines as text."""
        return [f"{s}: {b.whole()} {t.whole()}".strip() for s, (b, t) in self._lines.items()]
