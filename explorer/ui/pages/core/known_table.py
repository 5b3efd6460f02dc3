"""Seen in this profile: a compact table of pipelines, connections or customers, to fill a form from, add to, forget."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFileDialog, QLineEdit, QPushButton, QWidget

from explorer import words
from explorer.ui.kit.ask_file import first_folder
from explorer.ui.kit.layout import bar, column
from explorer.ui.kit.notices import Notices
from explorer.ui.kit.plain import PlainLabel, tooltip
from explorer.ui.kit.rows_table import Column, RowsModel, RowsTable
from explorer.ui.pages.core.known_entities import Entity, Kind, KnownEntities, Source
from explorer.ui.pages.core.known_import import AddDialog, text_of

_EVERY_MINUTE = 60_000

NOUNS: dict[Kind, str] = {"pipeline": "pipeline", "customer": "customer", "connection": "connection"}


class SeenTable(QWidget):
    """What was seen of one kind. The user takes one to fill the form, adds by hand, imports, forgets."""

    wanted = Signal(object)
    """The `Entity` that the user wants in the form."""
    link_wanted = Signal(object)
    """The `Entity` whose link (the last column of a page's own) was clicked."""
    chosen = Signal(object)
    """The `Entity` that the user is on, or None."""

    def __init__(
        self,
        kind: Kind,
        seen: KnownEntities,
        notices: Notices,
        *,
        prefix: str = "",
        columns: Sequence[Column[Entity]] = (),
        link: Column[Entity] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.kind: Kind = kind
        self._seen, self._notices, self._prefix = seen, notices, prefix
        self.filter = QLineEdit()
        self.filter.setPlaceholderText(f"Filter {NOUNS[kind]}s…")
        self.filter.setAccessibleName(f"Filter {NOUNS[kind]}s known in this profile")
        self.filter.setClearButtonEnabled(True)
        self.fill = self._button("Fill form", "Use the chosen one in the form (Enter)")
        self.forget = self._button("Forget", "Remove it from this list only; nothing is sent")
        self.add = self._button("Add…", "Add ids or records by hand, or paste a list")
        self.load = self._button("Import…", "Add ids or records from a file")
        made = [Column[Entity]("id", lambda t: t.key, "mono", share=6), *columns]
        made.append(Column[Entity]("Last seen", lambda t: t.when, "muted", _exactly, share=4))
        made.append(Column[Entity]("From", lambda t: t.where, "muted", share=3, spare=True))
        self.model = RowsModel[Entity]([*made, *([link] if link else [])])
        self.table = RowsTable(self.model, f"{NOUNS[kind].capitalize()}s known in this profile")
        self.said = PlainLabel(role="muted", wrap=True)
        self.count = PlainLabel(role="muted")
        self._build()
        self._wire()
        self._clock = QTimer(self, interval=_EVERY_MINUTE)
        self._clock.timeout.connect(self.table.viewport().update)
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self.refresh)
        self.refresh()

    def _button(self, text: str, tip: str) -> QPushButton:
        made = QPushButton(text)
        made.setToolTip(tooltip(tip))
        made.setProperty("kind", "quiet")
        return made

    def _build(self) -> None:
        buttons = (self.fill, self.forget, self.add, self.load)
        tools = bar((self.filter, 1), 4, self.count, *buttons, margins=(12, 4, 8, 4), spacing=4)
        self.said.setContentsMargins(12, 12, 12, 12)
        column(tools, self.said, (self.table, 1), of=self)

    def _wire(self) -> None:
        self._seen.changed.connect(lambda kind: self._soon.start() if kind == self.kind else None)
        self.filter.textChanged.connect(lambda _: self.refresh())
        self.table.taken.connect(lambda row: self.wanted.emit(self.model.rows[row]))
        self.table.link_clicked.connect(lambda row: self.link_wanted.emit(self.model.rows[row]))
        self.table.chosen.connect(self._chosen)
        self.fill.clicked.connect(lambda _: self.wanted.emit(self.table.row()))
        self.forget.clicked.connect(lambda _: self._forget())
        self.add.clicked.connect(lambda _: self.ask())
        self.load.clicked.connect(lambda _: self._choose_file())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._clock.start()

    def refresh(self) -> None:
        """Show what is kept now."""
        things = self._seen.things(self.kind)
        sought = self.filter.text().strip().lower()
        shown = [t for t in things if sought in self._words(t)] if sought else things
        self.table.show_rows(shown, lambda one, other: one.key == other.key)
        noun = NOUNS[self.kind]
        self.count.setText(f"{len(shown):,} of {len(things):,}" if sought else words.count(len(things)))
        self.said.setText(
            f"No {noun} matches the filter."
            if things
            else (
                f"No {noun} is known in this profile yet. The service cannot list them: those named in "
                "responses are collected here. Add others by hand, or import a list."
            )
        )
        self.said.setVisible(not shown)
        self.table.setVisible(bool(shown))

    def _words(self, thing: Entity) -> str:
        return " ".join(column.text(thing) for column in self.model.columns).lower()

    def _chosen(self, _row: int) -> None:
        thing: Entity | None = self.table.row()
        self.fill.setEnabled(thing is not None)
        self.forget.setEnabled(thing is not None and thing.at is not None)
        self.chosen.emit(thing)

    def _forget(self) -> None:
        thing: Entity | None = self.table.row()
        if thing is None or thing.at is None:
            return
        entry_source: Source = "answer" if thing.source == "answer" else "by hand"
        if thing.source == "import":
            entry_source = "import"
        self._seen.forget(self.kind, thing.key)
        undo = ("Undo", lambda: self._seen.remember(self.kind, thing.key, thing.data, entry_source))
        self._notices.tell("info", f"Forgot {thing.key}", "The service still has it.", undo)

    # ---- adding

    def ask(self, text: str = "", source: Source = "by hand") -> AddDialog:
        """Ask for ids or records, with ``text`` to begin with."""
        dialog = AddDialog(NOUNS[self.kind], self._prefix, text, self)
        dialog.taken.connect(lambda things: self._take(things, source))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()
        return dialog

    def _take(self, things: dict[str, Any], source: Source) -> None:
        new = self._seen.remember_all(self.kind, things.items(), source)
        noun, known = NOUNS[self.kind], len(things) - new
        said = f"{words.count(known)} already there" if known else ""
        self._notices.tell("holds", f"Added {words.count(new, noun)}", said)

    def _choose_file(self) -> None:
        dialog = QFileDialog(
            self,
            f"Import {NOUNS[self.kind]}s",
            first_folder(),
            "Lists and records (*.txt *.csv *.json *.jsonl)",
        )
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(lambda name: self.import_file(Path(name)))
        dialog.open()

    def import_file(self, path: Path) -> AddDialog | None:
        """Show what a file holds, to be confirmed; None when it cannot be read, which is told."""
        try:
            return self.ask(text_of(path), "import")
        except (OSError, ValueError) as error:
            said = getattr(error, "strerror", None) or str(error)
            self._notices.tell("fails", "Nothing was imported", said)
            return None


def _exactly(thing: Entity) -> str:
    if thing.at is None:
        return "A connection of this profile"
    local = thing.at.astimezone().strftime("%Y-%m-%d %H:%M:%S")
    return f"{local}\n{thing.seen}" + (f"\non {thing.connection}" if thing.connection else "")
