"""Adding to what was seen: ids or records, typed, pasted or from a file, read with a word on each that is refused."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QPushButton, QWidget

from explorer import words
from explorer.jsontext.typed import check
from explorer.ui.kit.layout import STRETCH, column, row
from explorer.ui.kit.plain import PlainLabel, visible

MOST = 1000
"""Things that are taken at once."""
LARGEST = 8_000_000
"""Bytes of a file that are read."""

_PARTS = re.compile(r"[,;\t]+")
_LISTS = ("items", "data", "records", "results")


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text holds: ids with their records (empty where only an id stands), and what was refused, in sentences."""

    things: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)

    def take(self, where: str, key: Any, data: Mapping[str, Any], prefix: str) -> None:
        """Take one, or say why not."""
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
    """Asks for ids or records and says, while they are typed, what will be taken."""

    taken = Signal(object)
    """The dict of `Reading.things` that the user confirmed."""

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
        self.add.setDefault(True)
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
        """Give what was read, and close."""
        things = read_things(self.text.toPlainText(), self._prefix).things
        if things:
            self.taken.emit(things)
            super().accept()


def text_of(path: Path) -> str:
    """The text of a file to import. Raises OSError, and ValueError with a sentence for one that is none."""
    if path.stat().st_size > LARGEST:
        raise ValueError(f"{path.name} is larger than {words.size(LARGEST)}")
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError(f"{path.name} is not UTF-8 text") from None
