"""Saving the shown report to a file, made and redacted by the same code as on the command line; how far that is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QProgressBar, QPushButton, QWidget

from explorer.files import write_whole
from explorer.quality.engine.check import Run
from explorer.quality.reports.forms import FORMS
from explorer.quality.reports.report import report_of
from explorer.session.kept_runs import KeptRuns
from explorer.ui.kit.ask_file import FileAsk
from explorer.ui.kit.layout import row
from explorer.ui.kit.notices import Notices
from explorer.ui.kit.plain import PlainLabel
from explorer.work import in_thread, to_end


def ask_file(parent: QWidget, form: str, stem: str, save: Callable[[Path, str], object]) -> None:
    """Ask for a file, without blocking, and call ``save`` with it. ``stem`` is proposed as its name."""
    made = FORMS[form]
    forms, name = f"{made.title} (*.{made.suffix})", f"{stem}.{made.suffix}"
    FileAsk(parent, "Save report", forms, name, lambda path: save(path, form)).open()


class SavingLine(QFrame):
    """What is being written, how much of it is done, and Stop."""

    stop_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("bar", "tools")
        self.setAccessibleName("Saving")
        self.what = PlainLabel("", role="muted", elide=True)
        self.bar = QProgressBar(textVisible=False)
        self.bar.setAccessibleName("Share that is written")
        self.stop = QPushButton("Stop saving")
        self.stop.clicked.connect(lambda *_: self.stop_wanted.emit())
        row((self.what, 1), (self.bar, 1), self.stop, of=self, margins=(12, 4, 12, 4), spacing=12)
        self.hide()

    def say(self, words: str, share: float | None = None) -> None:
        """Show what is being done; ``share``, 0 to 1, is how much of all is done, None where nothing tells."""
        self.what.setText(words)
        self.bar.setRange(0, 0 if share is None else 100)
        if share is not None:
            self.bar.setValue(round(share * 100))


async def save_report(path: Path, form: str, runs: Sequence[Run], kept: KeptRuns, notices: Notices) -> None:
    """Write a report of ``runs`` to ``path``, and tell the user whether that worked. Cancelling stops it before
    the file is written.
    """

    def made() -> bytes:
        return kept.redacted(FORMS[form].render(report_of(runs)))

    try:
        await to_end(write_whole, path, await in_thread(made), private=False)
    except OSError as error:
        notices.tell("fails", "The report was not saved", error.strerror or "")
        return
    notices.tell("holds", "The report was saved", f"to {path.name}")
