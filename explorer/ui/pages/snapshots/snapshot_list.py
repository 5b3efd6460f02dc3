"""The snapshots of a profile as a list, with what can be done to one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from explorer import words
from explorer.quality.compare.snapshot_file import Snapshot
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.kit.rows_table import Column, RowsModel, RowsTable
from explorer.ui.pages.snapshots.compare_choice import list_title

_NONE = (
    "No snapshot is kept yet. A snapshot is the state of a list under a name: it stays when the list "
    "is reloaded, so that later states can be compared with it. Load a list, then choose Keep a "
    "list…, above on the right."
)


class SnapshotList(QWidget):
    """Enter or a double click takes one as the state before."""

    taken = Signal(object)
    rename_wanted = Signal(object)
    delete_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = RowsModel[Snapshot](
            (
                Column("Name", lambda s: s.name, share=6),
                Column("List", lambda s: list_title(s.about), share=3),
                Column("Connection", lambda s: s.about.connection, "mono", share=4),
                Column("Rows", lambda s: f"{s.about.rows:,}", "number", share=2),
                Column("State", _state, "muted", share=4),
                Column("Saved", lambda s: words.relative(s.kept_at), "muted", _exactly, share=4),
                Column("On disk", lambda s: words.size(s.size), "number", share=2, spare=True),
            )
        )
        self.table = RowsTable(self.model, "Snapshots, newest first")
        self.empty = PlainLabel(_NONE, role="muted", wrap=True)
        self.empty.setContentsMargins(12, 16, 12, 16)
        self.said = PlainLabel("", role="caution", wrap=True)
        self.rename, self.delete = QPushButton("Rename…"), QPushButton("Delete…")
        self.rename.setAccessibleName("Rename the chosen snapshot")
        self.delete.setAccessibleName("Delete the chosen snapshot")
        self.delete.setProperty("kind", "danger")
        foot = QFrame()
        row = QHBoxLayout(foot)
        row.setContentsMargins(12, 6, 12, 6)
        row.addWidget(self.said, 1)
        row.addWidget(self.rename)
        row.addWidget(self.delete)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.empty)
        column.addWidget(self.table, 1)
        column.addWidget(foot)
        column.addStretch(0)
        self.table.taken.connect(lambda row: self.taken.emit(self.model.rows[row]))
        self.table.chosen.connect(lambda _: self._set_text())
        self.rename.clicked.connect(lambda _: self._ask(self.rename_wanted))
        self.delete.clicked.connect(lambda _: self._ask(self.delete_wanted))
        for key, signal in (("F2", self.rename_wanted), ("Del", self.delete_wanted)):
            shortcut = QShortcut(QKeySequence(key), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(partial(self._ask, signal))
        self.show_all((), ())

    def show_all(self, found: Sequence[Snapshot], wrong: Sequence[str]) -> None:
        """Show those; ``wrong``: a sentence for each file that cannot be read."""
        self.table.show_rows(found, lambda one, other: one.path == other.path)
        self.empty.setVisible(not found)
        self.table.setVisible(bool(found))
        self.said.setText(" ".join(wrong))
        self._set_text()

    def choose(self, one: Snapshot | None) -> None:
        """Choose that one, where it is there."""
        places = [row for row, shown in enumerate(self.model.rows) if one and shown.path == one.path]
        if places:
            self.table.setCurrentIndex(self.model.index(places[0], 0))

    def _set_text(self) -> None:
        for button in (self.rename, self.delete):
            button.setVisible(bool(self.model.rows))
            button.setEnabled(self.table.row() is not None)

    def _ask(self, signal: object) -> None:
        chosen = self.table.row()
        if chosen is not None:
            signal.emit(chosen)  # type: ignore[attr-defined]  # a bound signal has no class that could be named


def _state(one: Snapshot) -> str:
    return "complete" if one.about.state == "complete" else "not to its end"


def _exactly(one: Snapshot) -> str:
    return one.kept_at.astimezone().strftime("%Y-%m-%d %H:%M:%S")
