"""Opens a JSON tree down to one place in the text, a few levels each turn of the loop.

A place may lie a hundred levels down, or among a million members that are not read yet.
"""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QTreeView

from explorer.ui.kit.json_tree import JsonTreeModel, Node

LEVELS = 20
"""Levels that are opened in one turn of the loop: Qt lays each of them out."""


class JsonWay(QObject):
    """Opens ``tree`` down to the innermost value around a byte of its text; `arrived` gives that."""

    arrived = Signal(object)
    """Sent with the `Node` once everything around it is open."""

    def __init__(self, tree: QTreeView, model: JsonTreeModel) -> None:
        super().__init__(tree)
        self._tree, self._model = tree, model
        self._way: Iterator[Node | None] = iter(())
        self._last: Node | None = None
        self._pace = QTimer(self, interval=0)
        self._pace.timeout.connect(self._go_on)

    @property
    def going(self) -> bool:
        """Whether it is still opening levels."""
        return self._pace.isActive()

    def start(self, offset: int) -> None:
        """Starts to open the tree down to the byte at ``offset``. A near one is reached at once."""
        self._way, self._last = self._model.way_to(offset), None
        self._pace.start()
        self._go_on()

    def stop(self) -> None:
        """Stops."""
        self._pace.stop()

    def _go_on(self) -> None:
        for _ in range(LEVELS):
            try:
                node = next(self._way)
            except StopIteration:
                self._pace.stop()
                if self._last is not None:
                    self.arrived.emit(self._last)
                return
            if node is None:
                return
            if self._last is not None:
                self._tree.expand(self._model.index_of(self._last))
            self._last = node
