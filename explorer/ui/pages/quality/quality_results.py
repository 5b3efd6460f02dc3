"""The results of a run as a tree of two levels: headings with their counts, and a line for each check."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QModelIndex, QObject, Qt

from explorer.ui.kit.plain import tooltip, visible
from explorer.ui.kit.two_levels import Index, TwoLevels
from explorer.ui.pages.quality.quality_words import Line, Section, evidence_words, where

RESULT, CHECK, WHERE, SEEN, MEASURED, EVIDENCE = range(6)
HEADS = ("Result", "Check", "Where", "What was seen", "Measured on", "Evidence")
LINE = Qt.ItemDataRole.UserRole
"""The `Line`; None for a heading."""
SECTION = Qt.ItemDataRole.UserRole + 1
"""The `Section` of a heading; None for a line."""


class ResultsModel(TwoLevels):
    """Sections and their lines; replaced as a whole."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.sections: tuple[Section, ...] = ()

    def show(self, sections: Sequence[Section]) -> None:
        """Show ``sections`` in place of what was there."""
        self.beginResetModel()
        self.sections = tuple(sections)
        self.endResetModel()

    def index_of(self, check: str, resource: str) -> QModelIndex:
        """Where the first line of that check and resource stands; an invalid index when it does not."""
        for row, section in enumerate(self.sections):
            for inner, line in enumerate(section.lines):
                if (line.result.check.id, line.result.resource) == (check, resource) and not line.gone:
                    return self.index(inner, 0, self.index(row, 0))
        return QModelIndex()

    def line(self, index: Index) -> Line | None:
        """The line at ``index``, or None for a heading."""
        place = self.place(index)
        return self.sections[place[0]].lines[place[1]] if place is not None else None

    def heads(self) -> int:
        return len(self.sections)

    def below(self, head: int) -> int:
        return len(self.sections[head].lines)

    def columnCount(self, parent: Index | None = None) -> int:
        return len(HEADS)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        line = self.line(index)
        if line is None:
            return self._of_section(self.sections[index.row()], index.column(), role)
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return visible(_text(line, index.column()))
            case Qt.ItemDataRole.ToolTipRole:
                return tooltip(_text(line, index.column())) if index.column() in (CHECK, SEEN) else None
            case Qt.ItemDataRole.AccessibleTextRole:
                head, text = HEADS[index.column()], visible(_text(line, index.column()))
                return f"{head}: {text or 'nothing'}"
            case Qt.ItemDataRole.TextAlignmentRole if index.column() == MEASURED:
                return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return line if role == LINE else None

    def _of_section(self, section: Section, column: int, role: int) -> Any:
        if role == SECTION:
            return section
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{section.title}: {section.words}"
        return section.title if role == Qt.ItemDataRole.DisplayRole and column == 0 else None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return HEADS[section]
        if role == Qt.ItemDataRole.TextAlignmentRole and section == MEASURED:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable


def _text(line: Line, column: int) -> str:
    result = line.result
    match column:
        case 0:
            return line.word
        case 1:
            return result.check.sentence
        case 2:
            return where(result.resource)
        case 3:
            return line.seen
        case 4:
            return result.measured_on
    return "" if line.gone else evidence_words(result)
