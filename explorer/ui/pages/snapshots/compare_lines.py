"""The differences of a comparison as rows of a table: any number of them, of which only those in sight are read."""

from __future__ import annotations

from array import array
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from explorer.quality.compare.found import Difference
from explorer.ui.kit.plain import tooltip, visible
from explorer.ui.kit.theme import colors, mono

HEADS = ("What", "Id", "Field", "Before", "After")
WHAT, ID, FIELD, BEFORE, AFTER = range(5)
WORDS = {"added": "added", "gone": "gone", "changed": "changed"}
_GROUNDS = {"added": "on_holds", "gone": "on_fails", "changed": "on_caution"}
_BLOCK = 100
_BLOCKS = 20
_NOWHERE = QModelIndex()
Index = QModelIndex | QPersistentModelIndex
Read = Callable[[Sequence[int]], Sequence[Difference]]


class CompareLines(QAbstractTableModel):
    """A window onto the lines of one selection; a block of them is read when the first of it is asked for."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._numbers: array[int] = array("q")
        self._read: Read = lambda _: ()
        self._blocks: OrderedDict[int, Sequence[Difference]] = OrderedDict()

    def show(self, numbers: array[int], read: Read) -> None:
        """Show those lines; ``read`` gives some of them, in their order, within a few milliseconds."""
        self.beginResetModel()
        self._numbers, self._read = numbers, read
        self._blocks.clear()
        self.endResetModel()

    @property
    def numbers(self) -> array[int]:
        """The lines that are shown."""
        return self._numbers

    def line(self, row: int) -> Difference | None:
        """The line of that row; None where there is none."""
        if not 0 <= row < len(self._numbers):
            return None
        block = row // _BLOCK
        lines = self._blocks.get(block)
        if lines is None:
            lines = self._blocks[block] = self._read(self._numbers[block * _BLOCK : (block + 1) * _BLOCK])
            if len(self._blocks) > _BLOCKS:
                self._blocks.popitem(last=False)
        return lines[row % _BLOCK] if row % _BLOCK < len(lines) else None

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._numbers)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(HEADS)

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        line = self.line(index.row()) if index.isValid() else None
        if line is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return visible(_text(line, index.column()))
        if role == Qt.ItemDataRole.ToolTipRole:
            return tooltip(_text(line, index.column()))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{HEADS[index.column()]}: {visible(_text(line, index.column())) or 'nothing'}"
        if role == Qt.ItemDataRole.FontRole and index.column() != WHAT:
            return mono()
        if role == Qt.ItemDataRole.ForegroundRole:
            return self._color(line, index.column())
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = int(Qt.ItemDataRole.DisplayRole)
    ) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return HEADS[section]
        return None

    @staticmethod
    def _color(line: Difference, column: int) -> Any:
        if column == WHAT:
            return colors().color(_GROUNDS[line.what])
        faint = line.what == "changed" and (line.old if column == BEFORE else line.new) is None
        return colors().color("muted_strong") if column in (BEFORE, AFTER) and faint else None


def _text(line: Difference, column: int) -> str:
    if column == WHAT:
        return WORDS[line.what]
    if column == ID:
        row = line.row_a if line.row_b is None else line.row_b
        return line.id or f"(no id, row {(row or 0) + 1:,})"
    if line.what != "changed":
        return "(the whole record)" if column == FIELD else ""
    if column == FIELD:
        return line.field or "(the whole record)"
    value = line.old if column == BEFORE else line.new
    return "absent" if value is None else value
