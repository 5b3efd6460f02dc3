"""Copying rows of a list, and the context menu of a row. The tasks are the page's and end with it."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtWidgets import QMenu

from explorer import words
from explorer.api.errors import ExplorerError
from explorer.export.text import FileForm
from explorer.ui.kit.clipboard import copy_text, put_text
from explorer.ui.records.row_export import RowExport, RowsOwner, Which
from explorer.ui.records.row_output import (
    CELL_TOO_MUCH,
    CopyForm,
    TooLarge,
    cell_text,
    copied,
    while_unchanged,
)
from explorer.work import trim_heap

COPY = "copy"
"""The name of the task that copies."""
_MANY = 5000
"""Rows from which on copying takes long enough to show progress."""
_SAY_SECONDS = 0.2
_FORMS: dict[CopyForm, str] = {
    "json": "JSON",
    "jsonl": "JSON Lines",
    "tsv": "TSV",
    "csv": "CSV",
    "markdown": "Markdown",
}


class RowMenu(QObject):
    """What can be done with the rows of ``page``: with the current cell, the selected rows or all loaded ones."""

    def __init__(self, page: RowsOwner) -> None:
        super().__init__(page.table)
        self._page = page
        self._table = page.table
        self._model = page.model
        self.more: Callable[[QMenu], None] | None = None
        """Adds the page's own entries behind those of the rows."""
        self.exports = RowExport(page)
        self._table.copy_wanted.connect(self.copy_chosen)
        self._table.menu_wanted.connect(self.popup)
        self._table.stop_wanted.connect(self.stop_copying)

    # ---- copying

    def popup(self, at: QPoint) -> None:
        """Open the menu for the selected rows."""
        selected = self._table.selected_count()
        if not selected:
            return
        menu = QMenu(self._table)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.fill(menu, selected)
        if self.more is not None:
            self.more(menu)
        menu.popup(at)

    def fill(self, menu: QMenu, selected: int) -> None:
        """Add the entries for that many selected rows to ``menu``."""
        which = "row" if selected == 1 else words.count(selected, "row")
        if self._table.currentIndex().column() > 0:
            menu.addAction("Copy cell", self.copy_cell)
        for form, name in _FORMS.items():
            menu.addAction(f"Copy {which} as {name}", partial(self.copy_rows, form))
        ids = "Copy id" if selected == 1 else f"Copy {words.count(selected)} ids"
        menu.addAction(ids, partial(self.copy_rows, "ids"))
        menu.addSeparator()
        all_rows = "Select all rows shown" if self._model.shows_result else "Select all loaded rows"
        menu.addAction(all_rows, self._table.selectAll)

    def copy_chosen(self) -> None:
        """Ctrl C: copy the selected rows if there are several, else the current cell."""
        if self._table.selected_count() > 1:
            self.copy_rows("tsv")
        else:
            self.copy_cell()

    def copy_cell(self) -> None:
        """Copy the current cell's value as received: a text without its quotes, an empty text for an absent field."""
        index = self._table.currentIndex()
        if not index.isValid():
            return
        if index.column() == 0:
            self.copy_rows("json")
            return
        raw, field = self._model.raw(index.row()), self._model.columns[index.column() - 1].field
        self._page.tasks.give(COPY, len(raw), cell_text, raw, field, done=self._copied_cell)

    def _copied_cell(self, text: str | None) -> None:
        if text is None:
            self._page.hint.setText(CELL_TOO_MUCH)
        else:
            copy_text(text, "cell")

    def copy_rows(self, form: CopyForm) -> None:
        """Copy the selected rows, in pieces; where they are too many, a notice says so and nothing is copied."""
        self._page.tasks.start(COPY, self._copy(form), done=lambda _: trim_heap())

    def stop_copying(self) -> None:
        """Stop copying; the clipboard stays as it is."""
        if self._page.tasks.busy(COPY):
            self._page.tasks.cancel(COPY)
            self._page.hint.setText("Nothing was copied")

    def rows_go(self) -> None:
        """Other rows are about to be shown: stop an export and a copy of the present ones, and say so."""
        self.exports.stop("The export was stopped: the list shows other rows now. Nothing was written")
        self.stop_copying()

    async def _copy(self, form: CopyForm) -> None:
        count = self._table.selected_count()
        said = 0.0

        def progress(read: int) -> None:
            nonlocal said
            if count > _MANY and time.monotonic() - said > _SAY_SECONDS:
                said = time.monotonic()
                self._page.hint.setText(
                    f"Copying {words.count(read)} of {words.count(count)} rows; Esc stops"
                )

        try:
            rows = while_unchanged(self._table.selected_raws(), count, self._model.pull)
            text = await copied(form, rows, self._page.columns.shown(), progress)
        except TooLarge:
            self._page.hint.setText("")
            much = f"{words.count(count, 'row')} are too many for the clipboard"
            self._page.context.notices.tell("caution", much, "Export them to a file instead.")
            return
        except ExplorerError as error:
            self._page.hint.setText("")
            why = f"{error.sentence} {error.advice}".strip()
            self._page.context.notices.tell("fails", "The rows were not copied", why)
            return
        put_text(text, words.count(count, "row"))
        self._page.hint.setText(f"Copied {words.count(count, 'row')}")

    # ---- exporting

    def export_menu(self) -> QMenu:
        """The Export… menu."""
        return self.exports.menu()

    def export(self, path: Path, form: FileForm, which: Which = "shown") -> None:
        """Write rows to ``path``."""
        self.exports.write(path, form, which)
