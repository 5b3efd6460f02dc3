"""Copying and exporting rows of a list: the menus, and the work behind them, owned by the page."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMenu

from explorer.api.errors import ExplorerError
from explorer.export import FileForm, parquet_installed
from explorer.ui.models import words
from explorer.ui.models.cells import field_bytes, shown_text
from explorer.ui.views.rows_out import CopyForm, TooMuch, copied, exported

if TYPE_CHECKING:
    from explorer.ui.views.account_rows import AccountRows
    from explorer.ui.views.list_page import ListPage

_FORMS: dict[FileForm, tuple[str, str]] = {
    "jsonl": ("JSON Lines", "jsonl"),
    "json": ("JSON", "json"),
    "csv": ("CSV", "csv"),
    "parquet": ("Parquet", "parquet"),
}

_MANY = 5000
"""Rows from which on copying takes long enough to say how far it is."""
_SAY_SECONDS = 0.2


class RowMenu(QObject):
    """What can be done with the rows of ``page``: the cell, the selected rows, all at hand."""

    def __init__(self, page: ListPage | AccountRows) -> None:
        super().__init__(page)
        self._page = page
        self._table = page.table
        self._model = page.model
        self.more: Callable[[QMenu], None] | None = None
        """Puts further entries behind those of the rows."""
        self.keep: Callable[[], None] | None = None
        """Keeps the rows at hand as a snapshot, where that can be done."""
        self._table.copy_wanted.connect(self.copy_chosen)
        self._table.menu_wanted.connect(self.popup)
        self._table.stop_wanted.connect(self._stop_copying)

    # ---- copying

    def popup(self, at: QPoint) -> None:
        """The menu for the selected rows."""
        selected = self._table.selected_count()
        if not selected:
            return
        menu = QMenu(self._page)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.fill(menu, selected)
        if self.more is not None:
            self.more(menu)
        menu.popup(at)

    def fill(self, menu: QMenu, selected: int) -> None:
        """The entries for that many selected rows."""
        which = "row" if selected == 1 else words.count(selected, "row")
        if self._table.currentIndex().column() > 0:
            menu.addAction("Copy cell", self.copy_cell)
        menu.addAction(f"Copy {which} as JSON", self._copier("json"))
        menu.addAction(f"Copy {which} as JSON Lines", self._copier("jsonl"))
        menu.addAction(f"Copy {which} as TSV", self._copier("tsv"))
        menu.addAction(
            "Copy id" if selected == 1 else f"Copy {words.count(selected)} ids", self._copier("ids")
        )
        menu.addSeparator()
        all_rows = "Select all rows shown" if self._model.picked else "Select all rows at hand"
        menu.addAction(all_rows, self._table.selectAll)

    def copy_chosen(self) -> None:
        """What Ctrl C copies: the current cell, or all rows that are selected where they are more than one."""
        if self._table.selected_count() > 1:
            self.copy_rows("tsv")
        else:
            self.copy_cell()

    def copy_cell(self) -> None:
        """The current cell's value as received: a text without its quotes; nothing for an absent one."""
        index = self._table.currentIndex()
        if not index.isValid():
            return
        if index.column() == 0:
            self.copy_rows("json")
            return
        value = field_bytes(self._model.raw(index.row()), self._model.columns[index.column() - 1].field)
        QGuiApplication.clipboard().setText(shown_text(value) if value is not None else "")

    def _copier(self, form: CopyForm) -> Callable[[], None]:
        return lambda: self.copy_rows(form)

    def copy_rows(self, form: CopyForm) -> None:
        """The selected rows to the clipboard, in pieces; too many are refused with a word."""
        from explorer.session.memory import give_back

        self._page.tasks.start("copy", self._copy(form), done=lambda _: give_back())

    def _stop_copying(self) -> None:
        if self._page.tasks.busy("copy"):
            self._page.tasks.cancel("copy")
            self._page.hint.setText("Nothing was copied")

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
            text = await copied(form, self._table.selected_raws(), self._page.columns.shown(), progress)
        except TooMuch:
            self._page.hint.setText("")
            much = f"{words.count(count, 'row')} are too much for the clipboard"
            self._page.context.notices.tell("caution", much, "Export them to a file instead.")
            return
        except ExplorerError as error:
            self._page.hint.setText("")
            self._page.context.notices.tell("fails", "The rows were not copied", error.sentence)
            return
        QGuiApplication.clipboard().setText(text)
        self._page.hint.setText(f"Copied {words.count(count, 'row')}")

    # ---- exporting

    def export_menu(self) -> QMenu:
        """The Export… menu, filled anew each time it opens."""
        menu = QMenu("Export", self._page)
        menu.setAccessibleName("Export")
        menu.aboutToShow.connect(lambda: self._fill_export(menu))
        return menu

    def _fill_export(self, menu: QMenu) -> None:
        menu.clear()
        if self._page.tasks.busy("export"):
            menu.addAction("Stop the export", lambda: self._page.tasks.cancel("export"))
            return
        rows, selected = self._model.rowCount(), self._table.selected_count()
        which = "as shown" if self._model.picked else "at hand"
        self._add_forms(menu, f"{words.count(rows, 'row')} {which}", selected=False)
        if 0 < selected < rows:
            menu.addSeparator()
            self._add_forms(menu, words.count(selected, "selected row"), selected=True)
        if self.keep is not None:
            menu.addSeparator()
            menu.addAction("Keep as a snapshot…", self.keep).setEnabled(bool(rows))

    def _add_forms(self, menu: QMenu, what: str, *, selected: bool) -> None:
        for form, (name, _) in _FORMS.items():
            if form != "parquet" or parquet_installed():
                menu.addAction(f"{what} as {name}…", self._asker(form, selected))
            else:
                menu.addAction(f"{what} as {name}: needs unified-explorer[parquet]").setEnabled(False)

    def _asker(self, form: FileForm, selected: bool) -> Callable[[], None]:
        return lambda: self.ask_export(form, selected)

    def ask_export(self, form: FileForm, selected: bool = False) -> None:
        """Ask for a file and write the rows to it."""
        name, suffix = _FORMS[form]
        dialog = QFileDialog(self._page, "Export rows", "", f"{name} (*.{suffix})")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(suffix)
        dialog.selectFile(f"{self._page.resource.key.replace('/', '-')}.{suffix}")
        dialog.fileSelected.connect(lambda chosen: self.export(Path(chosen), form, selected))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def export(self, path: Path, form: FileForm, selected: bool = False) -> None:
        """Write the rows at hand, or the selected ones, to ``path``; it can be stopped."""
        self._page.tasks.start("export", self._export(path, form, selected))

    async def _export(self, path: Path, form: FileForm, selected: bool) -> None:
        page = self._page
        total = self._table.selected_count() if selected else self._model.rowCount()
        ranges = self._table.ranges() if selected else [(0, total)]
        rows: AsyncIterator[list[bytes]] = self._model.pieces(ranges)

        def progress(written: int) -> None:
            page.count.setText(f"Exporting {words.count(written)} of {words.count(total)} rows")

        try:
            written = await exported(path, form, rows, page.model.columns, progress)
        except OSError as error:
            page.context.notices.tell("fails", "The rows were not exported", error.strerror or "")
            return
        except ExplorerError as error:
            page.context.notices.tell("fails", "The rows were not exported", error.sentence)
            return
        said = f"Exported {words.count(written, 'row')}"
        page.context.notices.tell("holds", said, f"to {path.name}")
