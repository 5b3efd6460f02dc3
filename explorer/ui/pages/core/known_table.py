"""The tab Known: a table of the pipelines, connections or customers known in this profile.

One can fill the form, or be forgotten. Ids or records can be added by hand, pasted or imported from a file; those that
are refused are listed with the reason.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QPushButton, QWidget

from explorer import words
from explorer.jsontext.typed import check
from explorer.ui.kit.ask_file import ask_to_open
from explorer.ui.kit.dialogs import press_on_enter
from explorer.ui.kit.layout import STRETCH, bar, column, push_button, row, search_line
from explorer.ui.kit.notices import Notices
from explorer.ui.kit.plain import PlainLabel, visible
from explorer.ui.kit.rows_table import Column, RowsModel, RowsTable
from explorer.ui.pages.core.known_entities import Entity, Kind, KnownEntities, Source

_EVERY_MINUTE = 60_000
MOST = 1000
"""Most entities that are added at once."""
LARGEST = 8_000_000
"""Most bytes of a file that is imported."""

_PARTS = re.compile(r"[,;\t]+")
_LISTS = ("items", "data", "records", "results")


class KnownTable(QWidget):
    """The known entities of one kind, with the buttons Fill form, Forget, Add and Import."""

    wanted = Signal(object)
    """Carries the `Entity` to fill the form with."""
    link_wanted = Signal(object)
    """Carries the `Entity` whose link, in the page's own last column, was clicked."""
    chosen = Signal(object)
    """Carries the `Entity` that the user is on, or None."""

    def __init__(
        self,
        kind: Kind,
        seen: KnownEntities,
        notices: Notices,
        *,
        prefix: str = "",
        columns: Sequence[Column[Entity]] = (),
        link: Column[Entity] | None = None,
    ) -> None:
        super().__init__()
        self.kind: Kind = kind
        self._seen, self._notices, self._prefix = seen, notices, prefix
        self.filter = search_line(f"Filter {kind}s…", f"Filter {kind}s known in this profile")
        self.fill = self._button("Fill form", "Use the chosen one in the form (Enter)")
        self.forget = self._button("Forget", "Remove it from this list only; nothing is sent")
        self.add = self._button("Add…", "Add ids or records by hand, or paste a list")
        self.load = self._button("Import…", "Add ids or records from a file")
        made = [Column[Entity]("id", lambda t: t.key, "mono", share=6), *columns]
        made.append(Column[Entity]("Last seen", lambda t: t.when, "muted", _exactly, share=4))
        made.append(Column[Entity]("From", lambda t: t.source, "muted", share=3, spare=True))
        self.model = RowsModel[Entity]([*made, *([link] if link else [])])
        self.table = RowsTable(self.model, f"{kind.capitalize()}s known in this profile")
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
        return push_button(text, kind="quiet", tip=tip)

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
        """Read the journal and show its entities."""
        things = self._seen.things(self.kind)
        sought = self.filter.text().strip().lower()
        shown = [t for t in things if sought in self._words(t)] if sought else things
        self.table.show_rows(shown, lambda one, other: one.key == other.key)
        noun = self.kind
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
        """Open the dialog to add ids or records, filled with ``text``."""
        dialog = AddDialog(self.kind, self._prefix, text, self)
        dialog.taken.connect(lambda things: self._take(things, source))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()
        return dialog

    def _take(self, things: dict[str, Any], source: Source) -> None:
        new = self._seen.remember_all(self.kind, things.items(), source)
        noun, known = self.kind, len(things) - new
        said = f"{words.count(known)} already there" if known else ""
        self._notices.tell("holds", f"Added {words.count(new, noun)}", said)

    def _choose_file(self) -> None:
        forms = "Lists and records (*.txt *.csv *.json *.jsonl)"
        ask_to_open(self, f"Import {self.kind}s", forms, self.import_file)

    def import_file(self, path: Path) -> AddDialog | None:
        """Open the dialog with the content of a file. None, and a notice, when it cannot be read."""
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


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read from a text: records by id (empty for an id alone), and sentences about what was refused."""

    things: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)

    def take(self, where: str, key: Any, data: Mapping[str, Any], prefix: str) -> None:
        """Add one, or a sentence why it is refused."""
        if not isinstance(key, str) or not key.strip():
            self.refused.append(f"{where}: there is no id")
        elif not key.strip().startswith(prefix):
            self.refused.append(f"{where}: {_short(key)} must start with {prefix}")
        elif len(self.things) >= MOST and key.strip() not in self.things:
            self.refused.append(f"{where}: no more than {MOST:,} are taken at once")
        else:
            before = self.things.get(key.strip(), {})
            self.things[key.strip()] = data or before


def read_things(text: str, prefix: str = "") -> Reading:
    """Ids or records from ``text``: a list of ids, a CSV with a column ``id``, JSON, or JSON Lines."""
    made = Reading()
    text = text.removeprefix("\ufeff").strip()
    if text[:1] in ("{", "[", '"'):
        _read_json(text, prefix, made)
    elif text:
        _read_lines(text, prefix, made)
    return made


def _read_json(text: str, prefix: str, made: Reading) -> None:
    fault = check(text)
    lines = text.splitlines()
    if fault is None:
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):  # Python's own bounds: digits of a number, depth
            made.refused.append("The JSON is too deep, or has a number too long, to be read")
            return
        if isinstance(value, dict) and "id" not in value:
            value = next((value[name] for name in _LISTS if isinstance(value.get(name), list)), value)
        for number, one in enumerate(value if isinstance(value, list) else [value], 1):
            _take_json(f"Record {number}", one, prefix, made)
    elif len(lines) > 1 and all(check(line) is None for line in lines if line.strip()):
        for number, line in enumerate(lines, 1):
            if line.strip():
                _take_json(f"Line {number}", json.loads(line), prefix, made)
    else:
        made.refused.append(fault.sentence)


def _take_json(where: str, one: Any, prefix: str, made: Reading) -> None:
    if isinstance(one, Mapping):
        made.take(where, one.get("id"), one, prefix)
    else:
        made.take(where, one, {}, prefix)


def _read_lines(text: str, prefix: str, made: Reading) -> None:
    lines = text.splitlines()
    head = [part.strip(" \"'").lower() for part in _PARTS.split(lines[0])]
    column = head.index("id") if "id" in head else None
    for number, line in enumerate(lines, 1):
        parts = [part.strip(" \"'") for part in _PARTS.split(line)]
        parts = [part for part in parts if part]
        if not parts or (column is not None and number == 1):
            continue
        if column is not None:
            parts = parts[column : column + 1] or [""]
        elif prefix and any(part.startswith(prefix) for part in parts):
            parts = [part for part in parts if part.startswith(prefix)]  # the other columns of a table
        for part in parts:
            made.take(f"Line {number}", part, {}, prefix)


def _short(text: str) -> str:
    return visible(text if len(text) <= 40 else text[:40] + "…")


class AddDialog(QDialog):
    """Asks for ids or records, and shows while they are typed what will be added."""

    taken = Signal(object)
    """Carries the dict `Reading.things` that the user confirmed."""

    def __init__(self, noun: str, prefix: str, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._noun, self._prefix = noun, prefix
        self.setWindowTitle(f"Add {noun}s")
        self.setModal(True)
        self.resize(520, 360)
        self.text = QPlainTextEdit()
        self.text.setProperty("mono", "true")
        self.text.setAccessibleName(f"Ids or records of {noun}s")
        self.text.setTabChangesFocus(True)
        self.text.setPlaceholderText(
            f'{prefix or "acme"}…\n{{"id": "{prefix or "acme"}…", "metadata": {{ … }}}}'
        )
        self.said = PlainLabel(role="muted", wrap=True)
        self.faults = PlainLabel(role="error", wrap=True)
        self.add = QPushButton("Add")
        self.cancel = QPushButton("Cancel")
        self._build()
        self.text.textChanged.connect(self._read)
        self.text.setPlainText(text)
        self._read()

    def _build(self) -> None:
        intro = (
            "Ids (one per line or with commas), a CSV with a column id, or records as JSON. Nothing is sent."
        )
        buttons = row(STRETCH, self.cancel, self.add, spacing=8)
        above = PlainLabel(intro, wrap=True)
        column(above, (self.text, 1), self.said, self.faults, buttons, of=self, margins=16, spacing=8)
        self.add.setProperty("kind", "primary")
        press_on_enter(self.add)
        self.add.clicked.connect(self.accept)
        self.cancel.clicked.connect(self.reject)

    def _read(self) -> None:
        reading = read_things(self.text.toPlainText(), self._prefix)
        count = words.count(len(reading.things), self._noun)
        self.add.setEnabled(bool(reading.things))
        self.add.setText(f"Add {count}" if reading.things else "Add")
        self.said.setText(f"{count} to add" if reading.things else "Nothing to add yet")
        more = len(reading.refused) - 4
        told = reading.refused[:4] + ([f"and {more:,} more"] if more > 0 else [])
        self.faults.setText("\n".join(told))
        self.faults.setVisible(bool(told))

    def accept(self) -> None:
        """Emit what was read, and close."""
        things = read_things(self.text.toPlainText(), self._prefix).things
        if things:
            self.taken.emit(things)
            super().accept()


def text_of(path: Path) -> str:
    """The text of a file to import. Raises OSError, and ValueError with a sentence for a file that is no text."""
    if path.stat().st_size > LARGEST:
        raise ValueError(f"{path.name} is larger than {words.size(LARGEST)}")
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError(f"{path.name} is not UTF-8 text") from None
