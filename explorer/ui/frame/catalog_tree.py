"""The sidebar's tree: verticals and their resources, how many rows of each are stored, and what is unavailable."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QModelIndex, QObject, Qt

from explorer import words
from explorer.catalog.spec import Resource, Vertical
from explorer.ui.kit.plain import tooltip
from explorer.ui.kit.two_levels import Index, TwoLevels
from explorer.ui.own_pages import icon_name

KEY = Qt.ItemDataRole.UserRole
"""A resource's key; None for a group."""
COUNT = Qt.ItemDataRole.UserRole + 1
"""Rows stored, or None."""
ICON = Qt.ItemDataRole.UserRole + 2
"""The name of its icon; None for a group."""
MISSING = Qt.ItemDataRole.UserRole + 3
"""Whether the connection does not have it."""
_UNNAMED = "Connection"
"""The name of a group without a heading, for assistive technology."""


class CatalogTree(TwoLevels):
    """Two levels: groups, which cannot be chosen, and resources."""

    def __init__(self, verticals: Sequence[Vertical], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._verticals = _filled(verticals)
        self._counts: dict[str, int] = {}
        self._missing: dict[str, str] = {}

    def set_verticals(self, verticals: Sequence[Vertical]) -> bool:
        """Replace the groups. Returns False, and changes nothing, where they are the same."""
        filled = _filled(verticals)
        if filled == self._verticals:
            return False
        self.beginResetModel()
        self._verticals, self._counts, self._missing = filled, {}, {}
        self.endResetModel()
        return True

    def index_of(self, key: str) -> QModelIndex:
        """The index of a resource; invalid when it is not in the tree."""
        for row, vertical in enumerate(self._verticals):
            for inner, resource in enumerate(vertical.resources):
                if resource.key == key:
                    return self.index(inner, 0, self.index(row, 0))
        return QModelIndex()

    def set_counts(self, counts: Mapping[str, int]) -> None:
        """Set the stored rows of every resource; those not named have none."""
        changed = {k for k in {*counts, *self._counts} if counts.get(k) != self._counts.get(k)}
        self._counts = dict(counts)
        self._notify(changed)

    def set_count(self, key: str, rows: int) -> None:
        """Set the stored rows of one resource."""
        if self._counts.get(key) != rows:
            self._counts[key] = rows
            self._notify({key})

    def set_missing(self, missing: Mapping[str, str]) -> None:
        """Set what the connection does not have, each with its reason; all others are available or untried."""
        changed = {k for k in {*missing, *self._missing} if missing.get(k) != self._missing.get(k)}
        self._missing = dict(missing)
        self._notify(changed)

    def why_missing(self, key: str) -> str:
        """Why the connection does not have it, in a few words; empty where it does, or that is unknown."""
        return self._missing.get(key, "")

    def _notify(self, keys: set[str]) -> None:
        for key in keys:
            index = self.index_of(key)
            if index.isValid():
                self.dataChanged.emit(index, index)

    def heads(self) -> int:
        return len(self._verticals)

    def below(self, head: int) -> int:
        return len(self._verticals[head].resources)

    def columnCount(self, parent: Index | None = None) -> int:
        return 1

    def resource(self, index: Index) -> Resource | None:
        """The resource at ``index``, or None for a group."""
        place = self.place(index)
        return self._verticals[place[0]].resources[place[1]] if place is not None else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        resource = self.resource(index)
        if resource is None:
            title = self._verticals[index.row()].title
            if role == Qt.ItemDataRole.AccessibleTextRole:
                return title or _UNNAMED
            return title if role == Qt.ItemDataRole.DisplayRole else None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return resource.title
            case Qt.ItemDataRole.AccessibleTextRole:
                return self._spoken(resource)
            case Qt.ItemDataRole.ToolTipRole:
                return tooltip("\n".join(self._told(resource)))
        return {
            KEY: resource.key,
            COUNT: self._counts.get(resource.key),
            ICON: icon_name(resource),
            MISSING: resource.key in self._missing,
        }.get(role)

    def _spoken(self, resource: Resource) -> str:
        said = [resource.title]
        if resource.operations:
            said.append("reads" if resource.reads else "writes")
        if resource.key in self._missing:
            said.append("not on this connection")
        if rows := self._counts.get(resource.key):
            said.append(f"{words.count(rows, 'row')} stored")
        return ", ".join(said)

    def _told(self, resource: Resource) -> Iterator[str]:
        """The lines of its tooltip."""
        yield self._spoken(resource)
        if why := self.why_missing(resource.key):
            yield f"Why: {why}"
        yield from (f"{one.method} {one.path}" for one in resource.operations)

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        if self.resource(index) is None:
            return Qt.ItemFlag.ItemIsEnabled
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren


def _filled(verticals: Sequence[Vertical]) -> tuple[Vertical, ...]:
    return tuple(vertical for vertical in verticals if vertical.resources)
