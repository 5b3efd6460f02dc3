"""Exporting rows of a list: the Export menu, the file dialog, and the task that writes, with progress and Stop."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path
from typing import Literal, Protocol

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMenu

from explorer import words
from explorer.api.errors import ExplorerError
from explorer.catalog.spec import Resource
from explorer.export.text import FileForm, parquet_installed
from explorer.ui.kit.ask_file import FileAsk
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.kit.tasks import Tasks
from explorer.ui.page import PageContext
from explorer.ui.records.columns import ColumnChoice
from explorer.ui.records.records import RecordsModel
from explorer.ui.records.records_table import RecordsTable
from explorer.ui.records.row_output import exported, stored_rows, while_unchanged

EXPORT = "export"
"""The name of the task that writes."""
Which = Literal["shown", "all", "selected"]
"""``shown``: as found, filtered and sorted; ``loaded``: all loaded rows as received; ``selected``: those alone."""
_FORMS: dict[FileForm, tuple[str, str]] = {
    "jsonl": ("JSON Lines", "jsonl"),
    "json": ("JSON", "json"),
    "csv": ("CSV", "csv"),
    "parquet": ("Parquet", "parquet"),
}
_STOPPED = "The export was stopped; nothing was written"


class RowsOwner(Protocol):
    """What exporting and copying need of the page, or part of one, that shows records in a table."""

    resource: Resource
    context: PageContext
    tasks: Tasks
    table: RecordsTable
    model: RecordsModel
    columns: ColumnChoice
    count: PlainLabel
    """How many rows there are, or how far an export is."""
    hint: PlainLabel
    """One line beside the count that says what is being done."""


class RowExport(QObject):
    """Exports the rows of ``page``, one file at a time."""

    changed = Signal()
    """An export began or ended."""

    def __init__(self, page: RowsOwner) -> None:
        super().__init__(page.table)
        self._page, self._table, self._model = page, page.table, page.model
        self.keep: Callable[[], None] | None = None
        """Keeps the loaded rows as a snapshot; None on pages where that cannot be done."""
        self.target = ""
        """The name of the file that is being written; empty while none is."""
        page.tasks.changed.connect(self._task_changed)

    def menu(self) -> QMenu:
        """The Export… menu, filled each time it opens."""
        menu = QMenu("Export", self._table)
        menu.setAccessibleName("Export")
        menu.aboutToShow.connect(lambda: self._fill(menu))
        return menu

    def _fill(self, menu: QMenu) -> None:
        menu.clear()
        if self._page.tasks.busy(EXPORT):
            menu.addAction("Stop the export", self.stop)
            return
        rows, selected = self._model.rowCount(), self._table.selected_count()
        shows_result = self._model.shows_result
        if rows:
            self._add_forms(
                menu, f"{words.count(rows, 'row')} {'as shown' if shows_result else 'loaded'}", "shown"
            )
        if 0 < selected < rows:
            menu.addSeparator()
            self._add_forms(menu, words.count(selected, "selected row"), "selected")
        if shows_result:
            menu.addSeparator()
            whole = menu.addMenu(f"All {words.count(self._at_hand(), 'row')} loaded, as received")
            self._add_forms(whole, "", "all")
        if self.keep is not None:
            menu.addSeparator()
            menu.addAction("Keep as a snapshot…", self.keep).setEnabled(bool(self._at_hand()))

    def _at_hand(self) -> int:
        pull = self._model.pull
        return pull.rows if pull is not None else 0

    def _add_forms(self, menu: QMenu, what: str, which: Which) -> None:
        for form, (name, _) in _FORMS.items():
            said = f"{what} as {name}" if what else name
            if form != "parquet" or parquet_installed():
                menu.addAction(f"{said}…", partial(self.ask, form, which))
            else:
                menu.addAction(f"{said}: needs unified-explorer[parquet]").setEnabled(False)

    def ask(self, form: FileForm, which: Which = "shown") -> None:
        """Ask for a file and write the rows to it."""
        name, suffix = _FORMS[form]
        proposed = f"{self._page.resource.key.replace('/', '-')}.{suffix}"
        dialog = FileAsk(
            self._table,
            "Export rows",
            f"{name} (*.{suffix})",
            proposed,
            lambda chosen: self.write(chosen, form, which),
        )
        dialog.open()

    # ---- writing

    def write(self, path: Path, form: FileForm, which: Which = "shown") -> None:
        """Start a task that writes rows to ``path``; `stop` ends it."""
        self.target = path.name
        self._page.tasks.start(EXPORT, self._write(path, form, which))

    def stop(self, why: str = _STOPPED) -> None:
        """Stop the export, and tell the user ``why``. A file that was at the path before is unchanged."""
        if self._page.tasks.busy(EXPORT):
            self._page.tasks.cancel(EXPORT)
            self._page.hint.setText(why)

    @property
    def unfinished(self) -> str:
        """A sentence about the export that closing would lose; empty while nothing is being written."""
        title = self._page.resource.title
        return f"{title} is being exported to {self.target}." if self.target else ""

    def _task_changed(self, name: str, busy: bool) -> None:
        if name == EXPORT:
            self.target = self.target if busy else ""
            self.changed.emit()

    async def _write(self, path: Path, form: FileForm, which: Which) -> None:
        page, began = self._page, time.monotonic()
        total, rows = self._rows(which)
        page.hint.setText("")

        def progress(written: int) -> None:
            page.count.setText(progress_words(written, total, time.monotonic() - began))

        progress(0)
        try:
            written = await exported(path, form, rows, page.model.columns, progress)
        except OSError as error:
            page.context.notices.tell("fails", "The rows were not exported", error.strerror or str(error))
            return
        except ExplorerError as error:
            why = f"{error.sentence} {error.advice}".strip()
            page.context.notices.tell("fails", "The rows were not exported", why)
            return
        took = words.duration((time.monotonic() - began) * 1000)
        said = f"Exported {words.count(written.rows, 'row')}"
        where = f"to {path} in {took}{written.marked_words}"
        page.context.notices.tell("caution" if written.marked else "holds", said, where)

    def _rows(self, which: Which) -> tuple[int, AsyncIterator[list[bytes]]]:
        """The number of rows, and the rows in pieces."""
        if which == "all":
            pull, total = self._model.pull, self._at_hand()
            return total, while_unchanged(stored_rows(pull, total), total, pull)
        total = self._table.selected_count() if which == "selected" else self._model.rowCount()
        ranges = self._table.ranges() if which == "selected" else [(0, total)]
        return total, while_unchanged(self._model.pieces(ranges), total, self._model.pull)


def progress_words(written: int, total: int, seconds: float) -> str:
    """``Exporting 1,200 of 5,000 rows``; after the first second also the speed and the time taken so far."""
    said = f"Exporting {words.count(written)} of {words.count(total, 'row')}"
    if seconds < 1:
        return said
    return f"{said}  ·  {written / seconds:,.0f} rows/s  ·  {words.duration(seconds * 1000)}"
