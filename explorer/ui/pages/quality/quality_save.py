"""Saving the shown report to a file, made and redacted by the same code as on the command line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtWidgets import QWidget

from explorer.files import write_whole
from explorer.quality.engine.check import Run
from explorer.quality.reports.forms import FORMS
from explorer.quality.reports.report import report_of
from explorer.session.kept_runs import KeptRuns
from explorer.ui.kit.ask_file import FileAsk
from explorer.ui.kit.notices import Notices
from explorer.work import to_end


def ask_file(parent: QWidget, form: str, stem: str, save: Callable[[Path, str], object]) -> None:
    """Ask for a file, without blocking, and call ``save`` with it. ``stem`` is proposed as its name."""
    made = FORMS[form]
    forms, name = f"{made.title} (*.{made.suffix})", f"{stem}.{made.suffix}"
    FileAsk(parent, "Save report", forms, name, lambda path: save(path, form)).open()


async def save_report(path: Path, form: str, runs: Sequence[Run], kept: KeptRuns, notices: Notices) -> None:
    """Write a report of ``runs`` to ``path``, and tell the user whether that worked."""

    def write() -> None:
        write_whole(path, kept.redacted(FORMS[form].render(report_of(runs))), private=False)

    try:
        await to_end(write)
    except OSError as error:
        notices.tell("fails", "The report was not saved", error.strerror or "")
        return
    notices.tell("holds", "The report was saved", f"to {path.name}")
