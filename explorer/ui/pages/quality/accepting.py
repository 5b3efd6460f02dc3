"""Accepting findings: the profile's own baseline, the question before one is accepted, and taking it back.

The file has the format of a baseline, so that `check --baseline` takes it, and what `check` wrote is taken over here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from explorer.files import write_whole
from explorer.quality.baseline.baseline import Accepted, Baseline
from explorer.quality.baseline.baseline_file import BaselineFault, baseline_bytes, read_baseline
from explorer.quality.engine.check import BAD, Result, Run
from explorer.quality.engine.identity import identified
from explorer.quality.reports.beside import beside
from explorer.quality.reports.report import Found, found_of
from explorer.ui.kit.ask_file import FileAsk, ask_to_open
from explorer.ui.kit.dialogs import Question, press_on_enter
from explorer.ui.kit.elided_combo import ElidedCombo
from explorer.ui.kit.layout import STRETCH, column, push_button, row
from explorer.ui.kit.notices import Notices
from explorer.ui.kit.plain import PlainLabel, visible
from explorer.ui.pages.quality.quality_words import where
from explorer.words import count

_FILES = "Accepted findings (*.json)"
_ABOUT = (
    "It no longer counts in this window's runs of this profile, on any of its connections, and stands under "
    "Accepted. For the command line save it as a baseline (Save report…), and give that to check --baseline. "
    "It counts again as soon as there is more of it than now, both in number and as a share."
)


@dataclass(frozen=True, slots=True)
class Choice:
    """What can be accepted at once."""

    title: str
    found: tuple[Found, ...]


def choices_of(run: Run, result: Result, alone: Result) -> list[Choice]:
    """What can be accepted where ``result`` of ``run`` is open and ``alone`` is what is chosen of it: that, all
    findings of its check in its list, and those in every list; only what differs.
    """
    one, here = found_of(run, alone), found_of(run, result)
    every = [r for r in run.bad if r.check.id == result.check.id]
    everywhere = tuple(found for r in every for found in found_of(run, r) if found.is_bad)
    bad = tuple(found for found in here if found.is_bad)
    there = where(result.resource)
    made = [Choice(f"This finding: {visible(one[0].finding.sentence)}", tuple(f for f in one if f.is_bad))]
    if len(bad) > len(made[0].found):
        made.append(Choice(f"All {count(len(bad), 'finding')} of this check in {there}", bad))
    if len(every) > 1:
        title = f"All {count(len(everywhere), 'finding')} of this check, in {len(every)} lists"
        made.append(Choice(title, everywhere))
    return made


class AcceptDialog(Question):
    """Asks what is to be accepted, why, and until when."""

    wanted = Signal(object, str, object)
    """Carries what was found, the reason, and the last day on which it counts as accepted or None."""

    def __init__(self, choices: Sequence[Choice], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._choices = choices
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Accept a finding")
        self.what = ElidedCombo("What is accepted")
        self.what.addItems([one.title for one in choices])
        self.reason = _line("Reason", "Why, and who mends it: known to the vendor, ticket CRM-12")
        self.until = _line("Until", "Empty, or the last day: 2026-12-31")
        self.fault = PlainLabel("", role="muted", wrap=True)
        self.accept_button = push_button("Accept", kind="primary", name="Accept these findings")
        cancel = push_button("Cancel", name="Cancel")
        column(
            PlainLabel(_ABOUT, wrap=True),
            4,
            *(PlainLabel("What", role="caption"), self.what),
            *(PlainLabel("Reason", role="caption"), self.reason),
            *(PlainLabel("Accepted until", role="caption"), self.until),
            self.fault,
            STRETCH,
            row(STRETCH, cancel, self.accept_button, spacing=8),
            of=self,
            margins=16,
            spacing=8,
        )
        cancel.clicked.connect(self.reject)
        self.accept_button.clicked.connect(lambda *_: self.accept())
        self.reason.textChanged.connect(self._check)
        self.until.textChanged.connect(self._check)
        press_on_enter(self.accept_button)
        self._check()
        self.resize(520, self.sizeHint().height())
        self.reason.setFocus(Qt.FocusReason.OtherFocusReason)

    def accept(self) -> None:
        if self.accept_button.isEnabled():
            found = self._choices[self.what.currentIndex()].found
            self.wanted.emit(found, self.reason.text().strip(), self._day())
            super().accept()

    def _day(self) -> date | None:
        text = self.until.text().strip()
        return date.fromisoformat(text) if text else None

    def _check(self) -> None:
        fault = "" if self.reason.text().strip() else "A reason is needed: it stands beside the finding."
        try:
            self._day()
        except ValueError:
            fault = "The day is written as year, month and day: 2026-12-31."
        self.fault.setText(fault)
        self.accept_button.setEnabled(not fault)


def _line(name: str, example: str) -> QLineEdit:
    made = QLineEdit()
    made.setAccessibleName(name)
    made.setPlaceholderText(example)
    return made


class Accepting(QObject):
    """The accepted findings of a profile, and what changes them. Its methods tell the user where that fails."""

    changed = Signal()

    def __init__(self, path: Path, clean: Callable[[str], str], notices: Notices, parent: QWidget) -> None:
        """``path`` is the file; ``clean`` masks the profile's secrets in a text."""
        super().__init__(parent)
        self.path, self._clean, self._notices, self._page = path, clean, notices, parent
        self.baseline = Baseline({})
        """As it was read last."""
        self.read()

    def read(self) -> bool:
        """Read the file again, which a command or another window may have written. Returns whether it can be read."""
        try:
            self.baseline = read_baseline(self.path.read_bytes())
        except FileNotFoundError:
            self.baseline = Baseline({})
        except (OSError, BaselineFault) as error:
            self.baseline = Baseline({})
            self._failed("The accepted findings cannot be read", error)
            return False
        return True

    def judged(self, runs: Sequence[Run]) -> tuple[Run, ...]:
        """``runs`` beside what is accepted."""
        return tuple(beside(run, self.baseline) for run in runs)

    def ask(self, run: Run, result: Result, alone: Result) -> AcceptDialog:
        """Ask what of ``result`` is to be accepted; ``alone`` is what is chosen of it."""
        dialog = AcceptDialog(choices_of(run, result, alone), self._page)
        day = run.started_at.date()
        dialog.wanted.connect(lambda *given: self.accept(day, *given))
        dialog.open()
        return dialog

    def accept(self, day: date, found: Sequence[Found], reason: str, until: date | None) -> None:
        """Accept what was found in a run of that day."""
        counts = [(one.identity, one.count, one.looked_at) for one in found]
        if self.read():
            self._write(self.baseline.accepting(counts, day, self._clean(reason), until))

    def take_back(self, result: Result) -> None:
        """Accept the findings of an accepted result no longer."""
        named = {identity for identity, _ in identified(result)}
        if self.read():
            gone = [one for one in self.baseline.accepted.values() if one.identity in named]
            self._write(self.baseline.without(gone))

    def unseen(self, runs: Sequence[Run]) -> list[Accepted]:
        """What is accepted and is in none of ``runs``, in order."""
        bad = (result for run in runs for result in run.results if result.verdict in BAD)
        seen = {identity for result in bad for identity, _ in identified(result)}
        return [one for identity, one in sorted(self.baseline.accepted.items()) if identity not in seen]

    def ask_save(self) -> None:
        """Ask for a file, and copy what is accepted to it."""
        FileAsk(self._page, "Save accepted findings", _FILES, "baseline.json", self.save).open()

    def save(self, path: Path) -> None:
        """Write what is accepted to a file of the user's own."""
        if self.read() and self._written(path, self.baseline, private=False):
            self._notices.tell("holds", "The accepted findings were saved", f"to {path.name}", stays=True)

    def ask_take_over(self) -> None:
        """Ask for a baseline, and accept what it has."""
        ask_to_open(self._page, "Take over a baseline", _FILES, self.take_over)

    def take_over(self, path: Path) -> None:
        """Accept what a baseline has, as it has it; what is accepted beside it stays."""
        try:
            theirs = read_baseline(path.read_bytes())
        except (OSError, BaselineFault) as error:
            self._failed("The baseline was not taken over", error)
            return
        if self.read() and self._write(Baseline({**self.baseline.accepted, **theirs.accepted})):
            said = f"{count(len(theirs.accepted), 'finding')} of {path.name}"
            self._notices.tell("holds", "The baseline was taken over", said)

    def _write(self, baseline: Baseline) -> bool:
        if not self._written(self.path, baseline, private=True):
            return False
        self.baseline = baseline
        self.changed.emit()
        return True

    def _written(self, path: Path, baseline: Baseline, *, private: bool) -> bool:
        try:
            write_whole(path, baseline_bytes(baseline, self._clean), private=private)
        except (OSError, BaselineFault) as error:
            self._failed("The accepted findings were not saved", error)
            return False
        return True

    def _failed(self, title: str, error: OSError | BaselineFault) -> None:
        said = str(error) if isinstance(error, BaselineFault) else error.strerror or str(error)
        self._notices.tell("fails", title, said)
