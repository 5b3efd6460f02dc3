"""JSON as a tree whose branches are read when they are opened.

A node is a place in the bytes, so a value is always at hand as received. Arrays and objects of many members are split
into groups, and long texts are folded: nothing that is not on the screen is decoded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Literal

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt, QTimer

from explorer import words
from explorer.jsontext.escape import lenient_text, read_excerpt
from explorer.jsontext.members import Member, TokenKind, kind_at, trim
from explorer.jsontext.pieces import GROUP, Members
from explorer.jsontext.pointer import step
from explorer.ui.kit.plain import tooltip, visible
from explorer.ui.kit.visible import shortened

Index = QModelIndex | QPersistentModelIndex
NodeKind = TokenKind | Literal["group"]

NODE_ROLE = int(Qt.ItemDataRole.UserRole) + 1
"""The `Node` of an index."""
FOLD = 300
"""Characters of a text that the tree shows; a longer one is folded and its size said."""
DEEPEST = 100
"""Levels that can be opened: Qt lays a deeper tree out ever more slowly. What lies below is copied, saved, searched."""
_COUNTED = 20_000
"""Bytes of an array or object whose members are counted before it is opened."""
_WAY = 64_000
"""Bytes of arrays and objects that are opened in one turn of the loop, on the way to a place."""

_NOWHERE = QModelIndex()
_DISPLAY = int(Qt.ItemDataRole.DisplayRole)
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")


class Node:
    """One value of the tree, or a group of members of one that has very many."""

    __slots__ = (
        "_children",
        "_members",
        "depth",
        "end",
        "key",
        "key_start",
        "kind",
        "parent",
        "row",
        "start",
        "tree",
    )

    def __init__(
        self, tree: JsonTreeModel, parent: Node | None, row: int, place: Member, kind: NodeKind
    ) -> None:
        self.tree = tree
        self.parent = parent
        self.row = row
        self.key = place.key
        self.key_start = place.key_start
        self.start = place.start
        self.end = place.end
        self.kind = kind
        self.depth: int = parent.depth + 1 if parent is not None else 0
        self._members: Members | None = None
        self._children: list[Node] | None = None

    @property
    def first(self) -> int:
        """For a group: the number of its first member."""
        return self.row * GROUP if self.kind == "group" else 0

    @property
    def filled(self) -> bool:
        """Whether it is an array or object with something in it."""
        return self.kind in ("array", "object") and self.end - self.start > 2

    @property
    def branch(self) -> bool:
        """Whether it can be opened."""
        return self.kind == "group" or (self.filled and self.depth < DEEPEST)

    @property
    def members(self) -> Members:
        """The members of the array or object: all of them, or of a large one as far as they were read by now."""
        if self._members is None:
            self._members = Members(self.tree.data_bytes, self.start, self.end)
            self._members.go_on()
        return self._members

    @property
    def container(self) -> Node | None:
        """The array or object it is a member of, past any group."""
        above = self.parent
        return above.parent if above is not None and above.kind == "group" else above

    @property
    def number(self) -> int:
        """Its place among its container's members, from 0."""
        above = self.parent
        return self.row + (above.first if above is not None else 0)

    def children(self) -> list[Node]:
        """What is under it, made at the first call. The tree adds to it while a large one is still being read."""
        if self._children is None:
            self._children = []
            self._children += self.further()
            if self.kind != "group" and not self.members.complete:
                self.tree.read_on(self)
        return self._children

    def further(self) -> list[Node]:
        """The children that were read since: of a large one groups as they become full."""
        have = len(self._children or ())
        if self.kind == "group":
            return self._nodes(self.parent.members.group(self.row)) if self.parent and not have else []
        members = self.members
        if members.complete and members.count <= GROUP:
            return self._nodes(members.group(0)) if not have else []
        groups = -(-members.count // GROUP) if members.complete else members.count // GROUP
        if groups < 2 and not members.complete:
            return []  # it may yet be so few that they stand without a group
        return [Node(self.tree, self, row, members.span(row), "group") for row in range(have, groups)]

    def _nodes(self, members: list[Member]) -> list[Node]:
        data = self.tree.data_bytes
        return [Node(self.tree, self, row, m, kind_at(data, m.start, m.end)) for row, m in enumerate(members)]

    @property
    def in_object(self) -> bool:
        """Whether it has a name rather than a number."""
        above = self.container
        return above is not None and above.kind == "object"

    def path(self) -> str:
        """Its JSONPath, as ``$.departments[0].name``."""
        steps: list[str] = []
        node: Node | None = self if self.kind != "group" else self.parent
        while node is not None and node.parent is not None:
            if not node.in_object:
                steps.append(f"[{node.number}]")
            elif _NAME.match(node.key):
                steps.append(f".{node.key}")
            else:
                quoted = node.key.replace("\\", "\\\\").replace("'", "\\'")
                steps.append(f"['{quoted}']")
            node = node.container
        return "$" + "".join(reversed(steps))

    def pointer(self) -> str:
        """Its JSON pointer (RFC 6901), as ``/departments/0/name``; of a group that of what it is a part of."""
        steps: list[str] = []
        node: Node | None = self if self.kind != "group" else self.parent
        while node is not None and node.parent is not None:
            name = step(node.key) if node.in_object else str(node.number)
            steps.append(f"/{name}")
            node = node.container
        return "".join(reversed(steps))

    def raw(self) -> bytes:
        """The value as received; for a group the members it spans."""
        return self.tree.data_bytes[self.start : self.end]

    @property
    def size(self) -> int:
        """Bytes of the value as received."""
        return self.end - self.start

    @property
    def folded(self) -> bool:
        """Whether the tree shows only the beginning of it."""
        return self.kind in ("text", "number", "invalid") and self.size > FOLD + 2

    def name_text(self) -> str:
        """What stands before the value: its quoted name, its number, or nothing for the root."""
        if self.kind == "group":
            last = min(self.first + GROUP, self.parent.members.count if self.parent else 0) - 1
            return f"{self.first:,} … {last:,}"
        if self.parent is None:
            return ""
        return f'"{visible(shortened(self.key, FOLD))}"' if self.in_object else f"{self.number:,}"

    def value_text(self) -> str:
        """The value as the tree shows it, folded where it is long."""
        data = self.tree.data_bytes
        if self.kind == "text":
            text, whole = read_excerpt(data, self.start, self.end, FOLD)
            if whole:
                return f'"{visible(text)}"'
            return f'"{visible(text)}…"  folded, {words.size(self.size - 2)}'
        if self.kind == "group":
            return ""
        if self.kind == "array":
            return "[]" if not self.filled else f"[ {self._amount('item')} ]"
        if self.kind == "object":
            return "{}" if not self.filled else f"{{ {self._amount('key')} }}"
        shown = visible(lenient_text(data[self.start : min(self.end, self.start + FOLD)]))
        shown += f"…  folded, {words.size(self.size)}" if self.folded else ""
        return shown if self.kind != "invalid" else f"{shown}  (no JSON value)"

    def _amount(self, noun: str) -> str:
        """Counted where that is cheap or was done already; a large branch is counted when it is opened."""
        if not self.branch:
            return f"{words.size(self.size)}, deeper than {DEEPEST} levels"
        if self._members is None and self.size > _COUNTED:
            return words.size(self.size)
        found = self.members
        said = words.count(found.count, noun)
        if not found.complete:
            return f"{words.size(self.size)}, {said} read so far"
        return f"{said}, {found.fault}" if found.fault else said


class JsonTreeModel(QAbstractItemModel):
    """The tree over one JSON text. One column; the root value is the single top-level row."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.data_bytes = b""
        self._root: Node | None = None
        self._reading: list[Node] = []
        self._pace = QTimer(self, interval=0)
        self._pace.timeout.connect(self._go_on)

    def set_bytes(self, data: bytes) -> None:
        """Show another text. Anything may be given; what is no JSON is one invalid value."""
        self._reading.clear()
        self._pace.stop()
        self.beginResetModel()
        self.data_bytes = data
        start, end = trim(data)
        self._root = None
        if start < end:
            self._root = Node(self, None, 0, Member("", start, start, end), kind_at(data, start, end))
        self.endResetModel()

    @property
    def root(self) -> Node | None:
        """The root value, or None when there is nothing."""
        return self._root

    @property
    def reading(self) -> bool:
        """Whether a large branch that was opened is still being read."""
        return self._pace.isActive()

    def read_on(self, node: Node) -> None:
        """Read the members of a large branch, a piece each time the loop comes round."""
        self._reading.append(node)
        self._pace.start()

    def _go_on(self) -> None:
        node = self._reading[0]
        node.members.go_on()
        more = node.further()
        if more:
            below = node.children()
            self.beginInsertRows(self.index_of(node), len(below), len(below) + len(more) - 1)
            below += more
            self.endInsertRows()
        if node.members.complete:
            self._reading.pop(0)
        if not self._reading:
            self._pace.stop()
        here = self.index_of(node)
        self.dataChanged.emit(here, here)

    def node(self, index: Index) -> Node | None:
        """The node at an index."""
        found = index.internalPointer() if index.isValid() else None
        return found if isinstance(found, Node) else None

    def index_of(self, node: Node) -> QModelIndex:
        """The index of a node."""
        return self.createIndex(node.row, 0, node)

    def way_to(self, offset: int) -> Iterator[Node | None]:
        """The nodes in whose names or values the byte at ``offset`` lies, from the root to the innermost.

        None stands between two turns of the loop: each opens a bounded part of the text, or waits for a large branch
        that is being read.
        """
        node = self._root
        if node is None or not node.start <= offset < node.end:
            return
        left = _WAY
        while True:
            yield node
            if not node.branch or (offset <= node.start and node.kind != "group"):
                return
            if left <= 0:
                left = _WAY
                yield None
            left -= node.size
            inner = _holding(node.children(), offset)
            while inner is None and node.kind != "group" and not node.members.complete:
                yield None
                inner = _holding(node.children(), offset)
            if inner is None:
                return
            node = inner

    # ---- Qt

    def index(self, row: int, column: int, parent: Index = _NOWHERE) -> QModelIndex:
        if column != 0 or row < 0:
            return QModelIndex()
        above = self.node(parent)
        if above is None:
            at_root = row == 0 and self._root is not None and not parent.isValid()
            return self.createIndex(0, 0, self._root) if at_root else QModelIndex()
        below = above.children() if above.branch else []
        return self.createIndex(row, 0, below[row]) if row < len(below) else QModelIndex()

    def parent(self, index: Index = _NOWHERE) -> QModelIndex:  # type: ignore[override]
        node = self.node(index)
        if node is None or node.parent is None:
            return QModelIndex()
        return self.createIndex(node.parent.row, 0, node.parent)

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        if not parent.isValid():
            return 1 if self._root else 0
        node = self.node(parent)
        return len(node.children()) if node is not None and node.branch and parent.column() == 0 else 0

    def hasChildren(self, parent: Index = _NOWHERE) -> bool:
        if not parent.isValid():
            return self._root is not None
        node = self.node(parent)
        return node is not None and node.branch

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 1

    def data(self, index: Index, role: int = _DISPLAY) -> Any:
        node = self.node(index)
        if node is None:
            return None
        if role == NODE_ROLE:
            return node
        if role in (_DISPLAY, int(Qt.ItemDataRole.AccessibleTextRole)):
            name, value = node.name_text(), node.value_text()
            return f"{name}: {value}" if name and value else name or value
        if role == int(Qt.ItemDataRole.ToolTipRole):
            return tooltip(f"{node.path()}\n{words.size(node.size)}, {node.kind}")
        return None


def _holding(nodes: list[Node], offset: int) -> Node | None:
    low, high = 0, len(nodes)
    while low < high:
        middle = (low + high) // 2
        if nodes[middle].key_start <= offset:
            low = middle + 1
        else:
            high = middle
    found = nodes[low - 1] if low else None
    return found if found is not None and offset < found.end else None
