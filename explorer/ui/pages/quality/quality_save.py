"""Saving a run: its report, made and redacted as on the command line, and its evidence as a bundle; how far that is."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QFrame, QProgressBar, QPushButton, QWidget

from explorer.files import write_whole
from explorer.quality.baseline.baseline import Baseline
from explorer.quality.bundle.masking_kinds import Mask, masked_words
from explorer.quality.engine.check import Run
from explorer.quality.reports.forms import FORMS
from explorer.quality.reports.report import report_of
from explorer.session.kept_runs import KeptRuns
from explorer.session.worker_process import WorkerProcess
from explorer.ui.handover import MaskChoice, in_folder
from explorer.ui.kit.ask_file import FileAsk
from explorer.ui.kit.dialogs import press_on_enter
from explorer.ui.kit.layout import STRETCH, column, push_button, row
from explorer.ui.kit.notices import Action, Notices
from explorer.ui.kit.plain import PlainLabel
from explorer.words import count
from explorer.work import in_thread, to_end

if TYPE_CHECKING:
    from explorer.quality.bundle.choice import Chosen
    from explorer.quality.bundle.write import BundleOrder


def ask_file(parent: QWidget, form: str, stem: str, save: Callable[[Path, str], object]) -> None:
    """Ask for a file, without blocking, and call ``save`` with it. ``stem`` is proposed as its name."""
    made = FORMS[form]
    forms, name = f"{made.title} (*.{made.suffix})", f"{stem}.{made.suffix}"
    FileAsk(parent, "Save report", forms, name, lambda path: save(path, form)).open()


class SavingLine(QFrame):
    """What is being written, how much of it is done, and Stop."""

    stop_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
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


async def save_report(
    path: Path, form: str, runs: Sequence[Run], kept: KeptRuns, notices: Notices, baseline: Baseline
) -> None:
    """Write a report of ``runs`` to ``path``, beside the ``baseline`` where anything is accepted, and tell the user
    whether that worked. Cancelling stops it before the file is written.
    """

    def made() -> bytes:
        return kept.redacted(FORMS[form].render(report_of(runs, baseline if baseline.accepted else None)))

    try:
        await to_end(write_whole, path, await in_thread(made), private=False)
    except OSError as error:
        notices.tell("fails", "The report was not saved", error.strerror or "")
        return
    notices.tell("holds", "The report was saved", f"to {path.name}", in_folder(path, notices), stays=True)


MASKS = "quality/bundle-masks"
"""The name under which the window saves what was masked last."""
NO_EVIDENCE = "The request log no longer has the calls of this run: run it again, then save the bundle."
_ABOUT = (
    "One zip with the run, its calls, sample rows and reports, to hand over. "
    "Keys, tokens and magic links are always masked."
)
_LIMIT = (
    "A name in the middle of a text cannot be recognised. Check rows.jsonl in the bundle before you "
    "hand it over."
)


class BundleDialog(QDialog):
    """Asks what to mask besides secrets, then for the file."""

    wanted = Signal(object, object)
    """Carries the path and the kinds to mask."""

    def __init__(self, masked: object, stem: str, parent: QWidget | None = None) -> None:
        """``masked`` is the saved list of kinds to tick at first; all are ticked where it is no list. ``stem`` is
        proposed as the file's name, without its ending.
        """
        super().__init__(parent)
        self._stem = stem
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Save evidence bundle")
        self.choice = MaskChoice(masked)
        self.kinds = self.choice.kinds
        self.save = push_button("Save…", kind="primary", name="Choose the file and save")
        self.save.clicked.connect(self.ask_file)
        cancel = push_button("Cancel", name="Cancel")
        cancel.clicked.connect(self.reject)
        column(
            PlainLabel(_ABOUT, wrap=True),
            4,
            PlainLabel("Mask also", role="heading"),
            *self.kinds.values(),
            PlainLabel(_LIMIT, role="muted", wrap=True),
            STRETCH,
            row(STRETCH, cancel, self.save, spacing=8),
            of=self,
            margins=16,
            spacing=8,
        )
        press_on_enter(self.save)
        self.resize(460, self.sizeHint().height())

    @property
    def masks(self) -> tuple[Mask, ...]:
        """The kinds that are ticked."""
        return self.choice.masks

    def ask_file(self) -> None:
        """Ask for the file, without blocking; the dialog closes when one is chosen."""
        forms = "Evidence bundle (*.zip)"
        FileAsk(self, "Save evidence bundle", forms, f"{self._stem}.zip", self.choose).open()

    def choose(self, path: Path) -> None:
        """Close the dialog, and emit `wanted` for ``path``."""
        self.wanted.emit(path, self.choice.masks)
        self.accept()


async def save_bundle(
    path: Path,
    proof: Callable[[], Awaitable[Sequence[Chosen]]],
    masks: Sequence[Mask],
    secrets: Iterable[str],
    notices: Notices,
    open_it: Callable[[Path], object] | None = None,
    on_step: Callable[[str, float], object] = lambda _words, _share: None,
) -> None:
    """Write the evidence ``proof`` to ``path``, search every byte for secrets again, and tell the user the result.

    ``on_step`` gets what is being done, in words, and how much of all is done, 0 to 1. Cancelling stops it at once.
    """
    # Not at the top: the page of runs opens without what a bundle needs.
    from explorer.quality.bundle.write import BundleFault, BundleOrder, outcome_of

    order = BundleOrder(path, await proof(), tuple(secrets), tuple(masks))
    try:
        written = outcome_of(await _written_by_process(order, on_step))
    except BundleFault as fault:
        notices.tell("fails", "The bundle was not saved", str(fault))
        return
    except OSError as error:
        said = f"The process that writes it could not be started: {error.strerror or type(error).__name__}."
        notices.tell("fails", "The bundle was not saved", said)
        return
    missing = (
        f" Missing: {count(written.missing, 'call')} that the request log no longer has."
        if written.missing
        else ""
    )
    actions: tuple[Action, ...] = () if open_it is None else (("Open it", lambda: open_it(path)),)
    notices.tell(
        "holds",
        "The evidence bundle was saved",
        (f"to {path}. Masked: {masked_words(written.masked)}. {written.looked_for}{missing}"),
        *actions,
        in_folder(path, notices),
        stays=True,
    )


async def _written_by_process(order: BundleOrder, on_step: Callable[[str, float], object]) -> list[object]:
    """The messages of the process that writes ``order``. Cancelling kills the process."""
    # Not at the top, as above.
    from explorer.quality.bundle.write import Step

    said: list[object] = []

    def heard(message: object) -> None:
        if isinstance(message, Step):
            on_step(*message)
        else:
            said.append(message)

    process = WorkerProcess("bundle", heard)
    try:
        await process.start(order)
        await process.ended()
    except asyncio.CancelledError:
        process.kill()
        raise
    return said
