"""A JSON text to read: as a tree with search and paths, or as received. Any bytes may be given, of any size.

Long values are folded and said with their size; they are searched and saved all the same. What is no JSON is shown
as text, what is no text by its size.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QEvent, QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QButtonGroup, QMenu, QPlainTextEdit, QStackedWidget, QTreeView, QWidget

from explorer import words
from explorer.files import write_whole
from explorer.ui.kit.ask_file import FileAsk
from explorer.ui.kit.clipboard import Copying, copy_text
from explorer.ui.kit.columns import follow_selection
from explorer.ui.kit.json_delegate import JsonDelegate
from explorer.ui.kit.json_find import JsonFind, JsonWay
from explorer.ui.kit.json_tree import NODE_ROLE, JsonTreeModel, Node
from explorer.ui.kit.layout import column, push_button, row
from explorer.ui.kit.plain import PlainLabel, visible
from explorer.ui.kit.text_shown import shown_as_text
from explorer.ui.kit.visible import COPY_BOUND, encodable_octets, shown_octets, shown_text

if TYPE_CHECKING:
    from explorer.text_match import Highlights

VALUE_BOUND = 20_000
"""Bytes of a folded text that are shown below the tree."""
_OPEN_AT_ONCE = 60
_OPEN_ALL, _READ_ALL = 2_000, 1_000_000
"""Values that are laid open at once, and bytes that are read for it."""


class JsonView(QWidget):
    """Shows one JSON text. `show_bytes` replaces it; nothing of it is ever read as HTML."""

    def __init__(self, *, name: str = "JSON") -> None:
        super().__init__()
        self.setObjectName("json")
        self.setAccessibleName(name)
        self._title = ""
        self._wanted: Literal["tree", "text"] = "tree"
        self.model = JsonTreeModel(self)
        self._copying = Copying(self)
        self._build_tree()
        self._build_bar()
        self._text = QPlainTextEdit(readOnly=True)
        self._text.setProperty("mono", "true")
        self._text.setAccessibleName("Text as received")
        self._text.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self._text.setProperty("plain", "true")
        self._value = QPlainTextEdit(readOnly=True)
        self._value.setProperty("mono", "true")
        self._value.setAccessibleName("Beginning of the folded value")
        self._value.setMaximumHeight(140)
        self._value.hide()
        self._place = PlainLabel("", role="path", elide=True)
        self._place.setAccessibleDescription("Path of the chosen value")
        self._stack = QStackedWidget()
        self._stack.addWidget(self.tree)
        self._stack.addWidget(self._text)
        self._build()

    def event(self, event: QEvent) -> bool:
        """While the focus is in here, the keys for finding are this view's, as the page around it has the same keys."""
        overrides = event.type() == QEvent.Type.ShortcutOverride
        if overrides and isinstance(event, QKeyEvent) and self._finding(event) is not None:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        run = self._finding(event)
        if run is None:
            super().keyPressEvent(event)
        else:
            run()

    def _finding(self, event: QKeyEvent) -> Callable[[], None] | None:
        runs = {"F3": self.finder.next, "Shift+F3": self.finder.previous, "Ctrl+F": self.finder.focus}
        return runs.get(QKeySequence(event.keyCombination()).toString())

    # ---- making

    def _build_tree(self) -> None:
        self.tree = _Tree()
        self.tree.copy_wanted.connect(self.copy_value)
        self.tree.path_wanted.connect(self.copy_path)
        self.tree.all_wanted.connect(self.expand_all)
        self.tree.setObjectName("json-tree")
        self.tree.setAccessibleName("Values")
        self.tree.setHeaderHidden(True)
        self.tree.setUniformRowHeights(True)
        self.tree.setIndentation(16)
        self.tree.setFrameShape(QTreeView.Shape.NoFrame)
        self.tree.setModel(self.model)
        self._delegate = JsonDelegate(self.tree)
        self.tree.setItemDelegate(self._delegate)
        self.tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.tree.customContextMenuRequested.connect(self._menu)
        self.tree.selectionModel().currentChanged.connect(self._current_changed)
        follow_selection(self.tree)

    def _build_bar(self) -> None:
        self.finder = JsonFind(self.model, self)
        self.search, self.found = self.finder.field, self.finder.found
        self.finder.begun.connect(self._mark)
        self.finder.reached.connect(self._reached)
        self._found_at = 0
        self._way = JsonWay(self.tree, self.model)
        self._way.arrived.connect(self._show_found)
        self._as_tree = push_button("Tree", kind="quiet", name="Show as a tree", checkable=True)
        self._as_text = push_button("Text", kind="quiet", name="Show as text", checkable=True)
        group = QButtonGroup(self)
        for button in (self._as_tree, self._as_text):
            group.addButton(button)
            button.clicked.connect(self._mode_chosen)
        self._as_tree.setChecked(True)
        self._as_tree.toggled.connect(self._mode_changed)

    def _build(self) -> None:
        bar = row(margins=(8, 8, 8, 4), spacing=4)
        self.finder.put_into(bar)
        for button in (self._as_tree, self._as_text):
            bar.addWidget(button)
        foot = row((self._place, 1), margins=(12, 2, 8, 4), spacing=-1)
        column(bar, (self._stack, 1), self._value, foot, of=self)

    # ---- showing

    def show_bytes(self, data: bytes, title: str = "") -> None:
        """Show ``data``; ``title`` names it for files and screen readers."""
        self._title = title
        self.finder.stop()
        self.model.set_bytes(data)
        self._delegate.found = None
        self._value.hide()
        root = self.model.root
        is_json = root is not None and root.kind != "invalid"
        self._as_tree.setEnabled(is_json)
        as_tree = (is_json and self._wanted == "tree") or not data
        (self._as_tree if as_tree else self._as_text).setChecked(True)
        if is_json:
            self._open_first(root)
        self._mode_changed()
        self._place.setText(_said(data, is_json))
        if self.search.text():
            self.finder.start()

    def clear(self) -> None:
        """Empties the view."""
        self.show_bytes(b"")

    def _open_first(self, root: Node | None) -> None:
        """The root's members, and one level more where that is short."""
        if root is None or not root.branch:
            return
        self.tree.expand(self.model.index_of(root))
        if root.size > 200_000:
            return
        children = root.children()
        inner = [c for c in children if c.branch]
        if len(children) + sum(len(c.children()) for c in inner) <= _OPEN_AT_ONCE:
            for child in inner:
                self.tree.expand(self.model.index_of(child))

    def _mode_chosen(self) -> None:
        self._wanted = "text" if self._as_text.isChecked() else "tree"

    def _mode_changed(self) -> None:
        as_text = self._as_text.isChecked()
        self._stack.setCurrentIndex(1 if as_text else 0)
        self._text.setPlainText(shown_as_text(self.model.data_bytes) if as_text else "")

    @property
    def mode(self) -> Literal["tree", "text"]:
        """How the text is shown now: as a tree or as text."""
        return "text" if self._as_text.isChecked() else "tree"

    def show_as(self, mode: Literal["tree", "text"]) -> None:
        """Show it as a tree or as text, and what follows too."""
        self._wanted = mode
        (self._as_text if mode == "text" else self._as_tree).setChecked(True)

    # ---- the chosen value

    def current(self) -> Node | None:
        """The chosen node, or None."""
        node = self.tree.currentIndex().data(NODE_ROLE)
        return node if isinstance(node, Node) else None

    def choose(self, node: Node) -> None:
        """Open the tree down to ``node`` and choose it."""
        above = node.parent
        chain = []
        while above is not None:
            chain.append(above)
            above = above.parent
        for one in reversed(chain):
            self.tree.expand(self.model.index_of(one))
        index = self.model.index_of(node)
        self.tree.setCurrentIndex(index)
        self.tree.scrollTo(index)

    def _current_changed(self, current: QModelIndex, _previous: QModelIndex) -> None:
        node = current.data(NODE_ROLE)
        if not isinstance(node, Node):
            return
        self._place.setText(f"{visible(node.path())}   {words.size(node.size)}")
        self._value.setVisible(node.folded)
        if node.folded:
            beginning = self.model.data_bytes[node.start : min(node.end, node.start + VALUE_BOUND)]
            self._value.setPlainText(shown_as_text(beginning, as_json=False))

    def copy_path(self) -> None:
        """The chosen value's JSONPath to the clipboard."""
        node = self.current()
        if node is not None:
            copy_text(node.path(), "path")
            self._place.setText(f"Copied {visible(node.path())}")

    def copy_value(self) -> None:
        """The chosen value as received to the clipboard; a text without its quotes."""
        node = self.current()
        if node is None:
            return
        if node.size > COPY_BOUND:
            self._place.setText(f"{words.size(node.size)} is too much for the clipboard: save it to a file")
            return
        said = f"Copied the value of {visible(node.path())}"
        self._copying.start(shown_octets(node.raw()), "value", lambda: self._place.setText(said))

    def copy_json(self) -> None:
        """The chosen value as JSON text, by its own bytes."""
        node = self.current()
        if node is not None and node.size <= COPY_BOUND:
            self._copying.start(encodable_octets(node.raw()), "JSON")

    def save_value(self) -> None:
        """Ask for a file and write the chosen value to it."""
        node = self.current()
        if node is None:
            return
        suffix = "txt" if node.kind == "text" else "json"
        name = f"{visible(node.key)[:60].replace('/', '_') or 'value'}.{suffix}"
        FileAsk(self, "Save value", "All files (*)", name, lambda path: self.write_value(node, path)).open()

    def write_value(self, node: Node, path: Path) -> None:
        """Write one value: a text as the text it says, anything else by its own bytes."""
        data = shown_text(node.raw()).encode() if node.kind == "text" else node.raw()
        try:
            write_whole(path, data)
        except OSError as error:
            self._place.setText(f"Not saved: {error.strerror}")
            return
        self._place.setText(f"Saved {words.size(len(data))} to {path.name}")

    def expand_all(self) -> None:
        """Open all that is under the chosen node (or the root), down to a bound of nodes."""
        start = self.current() or self.model.root
        left = deque([start] if start else [])
        opened = read = 0
        while left and opened < _OPEN_ALL and read < _READ_ALL:
            node = left.popleft()
            if node.branch:
                self.tree.expand(self.model.index_of(node))
                opened += len(node.children())
                read += node.size
                left.extend(node.children())

    def collapse_all(self) -> None:
        """Close everything under the root."""
        self.tree.collapseAll()
        if self.model.root is not None:
            self.tree.expand(self.model.index_of(self.model.root))

    def _menu(self, at: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if self.current() is not None:
            menu.addAction("Copy value", self.copy_value)
            menu.addAction("Copy as JSON", self.copy_json)
            menu.addAction("Copy path", self.copy_path)
            menu.addAction("Save value to a file…", self.save_value)
            menu.addSeparator()
        menu.addAction("Open all", self.expand_all)
        menu.addAction("Close all", self.collapse_all)
        menu.popup(self.tree.viewport().mapToGlobal(at))

    # ---- search

    @property
    def hits(self) -> int:
        """How often the search found its text so far."""
        return self.finder.hits

    @property
    def searching(self) -> bool:
        """Whether a search is still going on, or the way to what it found is being opened."""
        return self.finder.searching or self._way.going

    def _mark(self, marks: Highlights | None) -> None:
        self._way.stop()
        self._delegate.found, self._delegate.marks = None, marks
        self.tree.viewport().update()

    def _reached(self, place: int) -> None:
        self._found_at = place
        self._way.start(place)

    def _show_found(self, node: Node) -> None:
        self._delegate.found = node
        self.choose(node)
        if node.folded:
            where = words.size(self._found_at - node.start)
            self._place.setText(f"{visible(node.path())}   found {where} into the folded value")


class _Tree(QTreeView):
    """A tree view whose Copy takes the value, not the line as it is drawn."""

    copy_wanted = Signal()
    path_wanted = Signal()
    all_wanted = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        modifiers = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_wanted.emit()
        elif event.key() == Qt.Key.Key_Asterisk:  # Qt's own way opens all there is
            self.all_wanted.emit()
        elif event.key() == Qt.Key.Key_C and event.modifiers() == modifiers | Qt.KeyboardModifier.AltModifier:
            self.path_wanted.emit()
        else:
            super().keyPressEvent(event)


def _said(data: bytes, is_json: bool) -> str:
    if not data:
        return "Nothing: no body"
    return f"{words.size(len(data))}" + ("" if is_json else ", no JSON")
