"""The pages of the two reports, customer balance and customer income: parameters above, the report below them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import cast

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMenu

from explorer import words
from explorer.catalog.fields import fields_of
from explorer.catalog.spec import Report, Resource
from explorer.export.text import Form
from explorer.files import write_whole
from explorer.ui.call.answer_outcome import Outcome
from explorer.ui.call.call_page import CallPage
from explorer.ui.call.page_spec import PageSpec, Tab
from explorer.ui.kit.actions import Command
from explorer.ui.kit.ask_file import FileAsk
from explorer.ui.kit.layout import push_button
from explorer.ui.page import PageContext
from explorer.ui.pages.reports.report_tables import TABLE, TabledPane
from explorer.ui.pages.reports.report_view import ReportView
from explorer.ui.records.row_output import exported
from explorer.work import in_thread

_FORMS: dict[Form, tuple[str, str]] = {"csv": ("CSV", "csv"), "jsonl": ("JSON Lines", "jsonl")}
_PIECE = 200
_EXPORT = "export"


class ReportPane(TabledPane):
    """A pane whose first tab is the report; the status bar counts its entries."""

    report: ReportView

    def make_report(self) -> ReportView:
        """The tab Report."""
        if not isinstance(self.operation, Report):
            raise TypeError(f"{self.operation.key} is no report")
        resource = self._context.session.registry.resource(self.operation.key)
        self.report = ReportView(self.operation, resource, self._tasks, _hint(self.operation))
        self.report.table.said.connect(self.say)
        return self.report

    def show_outcome(self, outcome: Outcome) -> None:
        """Show the answer as a report. A failure leaves the last report, and is shown under Response."""
        super().show_outcome(outcome)
        if outcome.badge != "holds":
            self.report.mark_older()
            return
        masked = b"" if outcome.is_bytes else outcome.masked
        self.report.show_body(outcome.body, masked, self._shown)

    def _shown(self, is_report: bool) -> None:
        outcome = self.panel.answer.outcome
        if not is_report or outcome is None:
            return
        self.offer_tables(b"")  # its one table stands under Report
        self.panel.turn_to("Report")
        if not self.busy:  # a large report is read after the answer was shown, and the status has to follow
            self.say(self.said_of(outcome))

    def said_of(self, outcome: Outcome) -> str:
        """``6 entries · 302 ms``; for an answer that is no report, as for any call."""
        report = self.report.report
        if report is None or report.rows is None:
            return super().said_of(outcome)
        took = outcome.figures.partition(" · ")[0]
        return f"{words.count(len(report.rows), 'entry', 'entries')} · {took}"


def _hint(operation: Report) -> str:
    wanted = [
        f.name for f in fields_of(operation.query) if f.required or (f.observed and f.observed.required)
    ]
    given = f"Enter {' and '.join(wanted)} above, then run the report." if wanted else "Run the report."
    return f"{given} Its totals, whether they add up, a chart and the entries will appear here."


class ReportPage(CallPage):
    """A call page whose answer is read as a report, with its entries to export."""

    def __init__(self, resource: Resource, context: PageContext, spec: PageSpec) -> None:
        super().__init__(resource, context, spec)
        self.export = ReportExport(self)
        self.head.add(self.export.button, behind=self.head.copy_button)
        for pane in self.panes:
            pane.changed.connect(self.export.refresh)
        self.export.refresh()

    @property
    def view(self) -> ReportView:
        """The report's view."""
        return cast("ReportPane", self.pane).report

    def commands(self) -> list[tuple[Command, Callable[[], object]]]:
        return [
            *super().commands(),
            (
                Command("report.export_csv", "Export entries as CSV…", group="Request"),
                lambda: self.export.ask("csv"),
            ),
            (
                Command("report.export_json", "Export entries as JSON Lines…", group="Request"),
                lambda: self.export.ask("jsonl"),
            ),
        ]


class ReportExport(QObject):
    """The button Export… of a report's page, and the task that writes: the entries, or the answer as received."""

    def __init__(self, page: ReportPage) -> None:
        super().__init__(page)
        self._page = page
        self.button = push_button("Export…", tip="The entries, or the whole response, to a file")
        menu = QMenu("Export", page)
        menu.setAccessibleName("Export")
        menu.aboutToShow.connect(lambda: self.fill(menu))
        self.button.setMenu(menu)

    def refresh(self) -> None:
        """Enable the button once there is a report."""
        self.button.setEnabled(self._page.view.report is not None)

    def fill(self, menu: QMenu) -> None:
        """Add what can be exported now to ``menu``."""
        menu.clear()
        report = self._page.view.report
        if report is None:
            return
        if self._page.tasks.busy(_EXPORT):
            menu.addAction("Stop the export", lambda: self._page.tasks.cancel(_EXPORT))
            return
        count = words.count(len(report.rows or ()), "entry", "entries")
        for form, (name, _) in _FORMS.items():
            action = menu.addAction(f"{count} as {name}…", self._asker(form))
            action.setEnabled(report.rows is not None)
        menu.addSeparator()
        menu.addAction("The whole response as JSON…", self._asker(None))

    def _asker(self, form: Form | None) -> Callable[[], None]:
        return lambda: self.ask(form)

    def ask(self, form: Form | None) -> None:
        """Ask for a file and write the entries to it; ``form`` None means the whole answer."""
        if self._page.view.report is None:
            return
        name, suffix = _FORMS[form] if form else ("JSON", "json")
        proposed = f"{self._page.resource.key.replace('/', '-')}.{suffix}"
        FileAsk(
            self._page,
            "Export the report",
            f"{name} (*.{suffix})",
            proposed,
            lambda chosen: self.write(chosen, form),
        ).open()

    def write(self, path: Path, form: Form | None) -> None:
        """Start a task that writes the entries or the whole answer to ``path``; on Stop or failure no file is left."""
        if self._page.view.report is not None:
            self._page.tasks.start(_EXPORT, self._write(path, form))

    async def _write(self, path: Path, form: Form | None) -> None:
        report, notices = self._page.view.report, self._page.context.notices
        if report is None:
            return
        marked = ""
        try:
            if form is None:
                await in_thread(write_whole, path, self._page.view.masked)
                said = "Exported the answer"
            else:
                pieces = _pieces(report.rows or ())
                count = await exported(path, form, pieces, report.columns, lambda _: None)
                said, marked = f"Exported {words.count(count.rows, 'entry', 'entries')}", count.marked_words
        except OSError as error:
            notices.tell("fails", "The report was not exported", error.strerror or "")
            return
        notices.tell("caution" if marked else "holds", said, f"to {path.name}{marked}")


def _pieces(rows: Sequence[bytes]) -> Iterator[list[bytes]]:
    for start in range(0, len(rows), _PIECE):
        yield list(rows[start : start + _PIECE])


PAGE = PageSpec(tabs=(Tab("Report", ReportPane.make_report), TABLE), pane=ReportPane, page=ReportPage)
