"""Reports of what is shown, to a file: the same makers as the command line's, and as well redacted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtWidgets import QWidget

from explorer.files import write_whole
from explorer.quality.engine.check import Run
from explorer.session.kept_runs import KeptRuns
from explorer.ui.kit.ask_file import FileAsk
from explorer.ui.kit.notices import Notices
from explorer.work import to_end


@dataclass(frozen=True, slots=True)
class Form:
    """One form of a report."""

    title: str
    suffix: str


FORMS = {
    "html": Form("HTML", "html"),
    "json": Form("JSON", "json"),
    "junit": Form("JUnit XML", "xml"),
    "markdown": Form("Markdown", "md"),
}


def ask_file(parent: QWidget, form: str, save: Callable[[Path, str], object]) -> None:
    """Ask for a file, without blocking, and have the report saved to it."""
    made = FORMS[form]
    forms, name = f"{made.title} (*.{made.suffix})", f"quality-run.{made.suffix}"
    FileAsk(parent, "Save report", forms, name, lambda path: save(path, form)).open()


async def save_report(path: Path, form: str, runs: Sequence[Run], kept: KeptRuns, notices: Notices) -> None:
    """Write ``runs`` to ``path``, and say how it went."""

    def write() -> None:
        write_whole(path, kept.redacted(_maker(form)(runs)), private=False)

    try:
        await to_end(write)
    except OSError as error:
        notices.tell("fails", "The report was not saved", error.strerror or "")
        return
    notices.tell("holds", "The report was saved", f"to {path.name}")


def _maker(form: str) -> Callable[[Sequence[Run]], bytes]:
    from explorer.quality.reports.html import as_html
    from explorer.quality.reports.json import as_json
    from explorer.quality.reports.junit import as_junit
    from explorer.quality.reports.markdown import as_markdown

    return {"json": as_json, "html": as_html, "junit": as_junit, "markdown": as_markdown}[form]
