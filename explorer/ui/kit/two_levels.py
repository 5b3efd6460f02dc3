"""The indices of a tree of two levels, headings and lines, for the models that have one."""

from __future__ import annotations

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex

Index = QModelIndex | QPersistentModelIndex


class TwoLevels(QAbstractItemModel):
    """Headings and their lines. A model of it says how many there are of both, and what they show."""

    def heads(self) -> int:
        """How many headings there are."""
        raise NotImplementedError

    def below(self, head: int) -> int:
        """How many lines stand below the heading ``head``, counted from 0."""
        raise NotImplementedError

    @staticmethod
    def place(index: Index) -> tuple[int, int] | None:
        """The heading of a line and its place below it, both counted from 0; None for a heading."""
        if not index.isValid() or index.internalId() == 0:
            return None
        return int(index.internalId()) - 1, index.row()

    def index(self, row: int, column: int, parent: Index | None = None) -> QModelIndex:
        parent = parent or QModelIndex()
        if not self.hasIndex(row, column, parent):
            return QModelIndex()
        # The number says to whom a line belongs: 0 for a heading, else its heading's row and one.
        return self.createIndex(row, column, parent.row() + 1 if parent.isValid() else 0)

    def parent(self, child: Index | None = None) -> QModelIndex:  # type: ignore[override]
        place = self.place(child) if child is not None else None
        return self.createIndex(place[0], 0, 0) if place is not None else QModelIndex()

    def rowCount(self, parent: Index | None = None) -> int:
        if parent is None or not parent.isValid():
            return self.heads()
        if parent.internalId() != 0 or parent.column() != 0:
            return 0
        return self.below(parent.row())
