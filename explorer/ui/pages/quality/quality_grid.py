"""Several connections side by side: a column for each, a row for each group or each check, the verdicts within."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from explorer.quality.engine.check import Check, Result, Run, Verdict
from explorer.quality.engine.every import groups
from explorer.ui.kit.plain import tooltip, visible
from explorer.ui.pages.quality.quality_words import BADGES, ORDER, group_title, verdict_words

Index = QModelIndex | QPersistentModelIndex
BADGE = Qt.ItemDataRole.UserRole
"""How a cell is coloured: the gravest verdict in it; None where nothing was looked at."""
PARTS = Qt.ItemDataRole.UserRole + 1
"""That verdict with its number, and the others: two texts."""
_NOWHERE = QModelIndex()


class GridModel(QAbstractTableModel):
    """The first column names the row; each further one is a connection."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.runs: tuple[Run, ...] = ()
        self.by_check = False
        self._rows: list[tuple[str, list[list[Result]]]] = []

    def show(self, runs: Sequence[Run], *, by_check: bool) -> None:
        """Show ``runs``, a row for each check that was looked at or for each group."""
        self.beginResetModel()
        self.runs, self.by_check = tuple(runs), by_check
        if by_check:
            checks: dict[str, Check] = {r.check.id: r.check for run in runs for r in run.results}
            self._rows = [
                (check.sentence, [[r for r in run.results if r.check.id == name] for run in runs])
                for name, check in checks.items()
            ]
        else:
            self._rows = [
                (group_title(group), [[r for r in run.results if r.check.group == group] for run in runs])
                for group in groups()
            ]
        self._rows = [(name, cells) for name, cells in self._rows if any(cells)]
        if by_check:
            self._rows.sort(key=lambda row: min(_rank(cell) for cell in row[1]))
        self.endResetModel()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.runs) + 1

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        if not index.isValid():
            return None
        name, cells = self._rows[index.row()]
        if index.column() == 0:
            return visible(name) if role == Qt.ItemDataRole.DisplayRole else None
        results = cells[index.column() - 1]
        text = verdict_words(results) or "Not looked at"
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return text
            case Qt.ItemDataRole.ToolTipRole:
                bad = [f"{r.check.sentence}: {r.seen}" for r in results if r.is_bad]
                return tooltip("\n".join([text, *bad[:10]]))
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{name}, {self.runs[index.column() - 1].connection}: {text}"
        if role == PARTS and results:
            return _parts(results)
        return _badge(results) if role == BADGE and results else None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = int(Qt.ItemDataRole.DisplayRole)
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal or role != Qt.ItemDataRole.DisplayRole:
            return None
        if section == 0:
            return "Check" if self.by_check else "Group"
        return visible(self.runs[section - 1].connection or self.runs[section - 1].profile)


def _badge(results: Sequence[Result]) -> str:
    """As the gravest finding; without one, what holds counts for more than what is only recorded."""
    return BADGES[_gravest(results)]


def _gravest(results: Sequence[Result]) -> Verdict:
    verdicts = {result.verdict for result in results}
    first = (Verdict.FAILS, Verdict.SUSPECT, Verdict.HOLDS, Verdict.OBSERVED, Verdict.SKIPPED)
    return next(verdict for verdict in first if verdict in verdicts)


def _parts(results: Sequence[Result]) -> tuple[str, str]:
    gravest = _gravest(results)
    return (
        verdict_words(r for r in results if r.verdict is gravest),
        verdict_words(r for r in results if r.verdict is not gravest),
    )


def _rank(results: Sequence[Result]) -> int:
    return min((ORDER.index(result.verdict) for result in results), default=len(ORDER) - 1)
