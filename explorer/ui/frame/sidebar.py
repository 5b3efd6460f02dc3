"""The window's left side: the current profile, Go to…, and all resources."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QItemSelection,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QContextMenuEvent, QFontMetrics, QIcon, QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QApplication,
    QBoxLayout,
    QDockWidget,
    QFrame,
    QHeaderView,
    QLabel,
    QMainWindow,
    QMenu,
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QWidget,
)

from explorer.catalog.spec import Vertical
from explorer.ui.frame.catalog_tree import COUNT, ICON, KEY, MISSING, CatalogTree
from explorer.ui.kit.layout import STRETCH, column, push_button, row, type_scale
from explorer.ui.kit.plain import PlainLabel, tooltip
from explorer.ui.kit.theme import colors, icon, set_look, small, tabular, theme

if TYPE_CHECKING:
    from explorer.profiles.profile import Profile

BADGES = {"sandbox": "holds", "development": "info", "staging": "caution", "production": "fails"}
"""The colour of each environment's badge; its word is in it too, so that no meaning depends on colour alone."""

WIDTH = 232
_ENTRY = 26
_GROUP = 28
_NO_HEADING = 2
_LINE = 9
"""Height of what stands for a heading between icons."""
_ICON = 15
_LEAST, _FOLDED = 216, 44
"""The least width with words, and the width of icons alone, in pixels."""
_UNBOUND = 16_777_215
"""Qt's own largest width (QWIDGETSIZE_MAX)."""


class Sidebar(QWidget):
    """Emits the user's choices; it does not carry them out."""

    opened = Signal(str)
    """A resource's key: open its page."""
    close_wanted = Signal(str)
    """A resource's key: close its tab."""
    switch_wanted = Signal()
    goto_wanted = Signal()
    folded_changed = Signal(bool)
    """It shows icons alone now, or names again."""

    def __init__(self, verticals: Sequence[Vertical], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sidebar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setMinimumWidth(_LEAST)
        self.head = ProfileHead()
        self.head.clicked.connect(self.switch_wanted)
        self.goto = QPushButton()
        self.goto.setObjectName("goto")
        self.goto.setAccessibleName("Go to a page, command or profile")
        self.goto.clicked.connect(self.goto_wanted)
        self._label_goto()
        self.names = push_button("", kind="quiet")
        """Shows names, or icons alone."""
        self._names_keys = ""
        self.choice: bool | None = None
        """Whether the user wants icons alone; None: where there is little room."""
        self._little = False
        self._wide = WIDTH
        self.model = CatalogTree(verticals, self)
        self.tree = CatalogView(self.model)
        self.tree.opened.connect(self.opened)
        self.tree.close_wanted.connect(self.close_wanted)
        self._around = row((self.goto, 1), self.names, margins=(10, 8, 10, 8), spacing=4)
        self._say_names()
        column(self.head, self._around, (self.tree, 1), of=self)

    def sizeHint(self) -> QSize:
        return QSize(round(WIDTH * type_scale(self)), 600)

    @property
    def folded(self) -> bool:
        """Whether it shows icons alone."""
        return self.tree.folded

    def fit(self, little: bool) -> None:
        """There is little room, or enough again: show icons alone or names, where the user chose neither."""
        self._little = little
        self._fold(little if self.choice is None else self.choice)

    def choose(self, icons: bool) -> None:
        """The user wants icons alone, or names. What the room would give anyway is no choice for another room."""
        self.restore(None if icons is self._little else icons)

    def restore(self, choice: object) -> None:
        """Show it as the user chose before; what is no choice leaves it to the room."""
        self.choice = choice if isinstance(choice, bool) else None
        self.fit(self._little)

    def set_names_shortcut(self, words: str) -> None:
        """Set the shortcut for names or icons, as the platform writes it."""
        self._names_keys = words
        self._say_names()

    def _say_names(self) -> None:
        said = "Show the names in the sidebar" if self.folded else "Show icons alone in the sidebar"
        self.names.setIcon(icon("chevron-right" if self.folded else "chevron-left"))
        self.names.setAccessibleName(said)
        self.names.setToolTip(tooltip(f"{said} ({self._names_keys})" if self._names_keys else said))

    def _fold(self, folded: bool) -> None:
        """Show icons alone, with their names in tooltips, or the words again, as wide as before."""
        if folded == self.folded:
            return
        dock = self.parentWidget()
        if folded and self.isVisible():  # before that it has a width that nobody gave it
            self._wide = self.width()
        narrow = round(_FOLDED * type_scale(self))
        self.setMinimumWidth(narrow if folded else _LEAST)
        self.setMaximumWidth(narrow if folded else _UNBOUND)
        for label in self.goto.findChildren(QLabel):
            label.setVisible(not folded)
        self.goto.setIcon(icon("search") if folded else QIcon())
        self.goto.setToolTip("Go to…" if folded else "")
        side = 6 if folded else 10
        self._around.setContentsMargins(side, 8, side, 8)
        ways = QBoxLayout.Direction
        self._around.setDirection(ways.TopToBottom if folded else ways.LeftToRight)
        self.head.fold(folded)
        self.tree.fold(folded)
        self._say_names()
        self.folded_changed.emit(folded)
        window = self.window()
        if not folded and isinstance(dock, QDockWidget) and isinstance(window, QMainWindow):
            window.resizeDocks([dock], [max(self._wide, _LEAST)], Qt.Orientation.Horizontal)

    def _label_goto(self) -> None:
        words, self._keys = PlainLabel("Go to…", role="muted"), PlainLabel("", role="muted")
        for label in (words, self._keys):
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        row(words, STRETCH, self._keys, of=self.goto, margins=(10, 0, 9, 0), spacing=-1)

    def set_goto_shortcut(self, words: str) -> None:
        """Set the shortcut for it, as the platform writes it."""
        self._keys.setText(words)

    def show_verticals(self, verticals: Sequence[Vertical]) -> None:
        """Show the groups of resources, if they differ from the current ones."""
        if self.model.set_verticals(verticals):
            self.tree.expandAll()

    def show_current(self, key: str | None) -> None:
        """Mark the current page."""
        self.tree.mark(key)


class ProfileHead(QPushButton):
    """The current profile: name, environment as badge and edge, connection. A click opens the switcher."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("profile")
        self._edge = QFrame()
        self._edge.setObjectName("edge")
        self._edge.setFixedWidth(4)
        self._name = PlainLabel("", role="heading", elide=True)
        self._badge = PlainLabel("")
        self._badge.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._connection = PlainLabel("", role="path", elide=True)
        self._opens = QLabel()
        self._opens.setFixedSize(QSize(12, 12))
        top = row((self._name, 1), self._badge, spacing=8)
        below = row((self._connection, 1), self._opens, spacing=6)
        self._words = column(top, below, margins=(12, 8, 12, 8), spacing=2)
        row(self._edge, (self._words, 1), of=self)
        for part in (self._edge, self._name, self._badge, self._connection, self._opens):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName("No profile yet")
        self._shortcut = self._environment = ""
        self._folded = False
        self._draw_sign()
        theme().changed.connect(self._draw_sign)

    def fold(self, folded: bool) -> None:
        """Show the edge and the environment's first letter alone; the rest stands in the tooltip."""
        self._folded = folded
        self._name.setVisible(not folded)
        self._connection.setVisible(not folded)
        side = 6 if folded else 12
        self._words.setContentsMargins(side, 8, side, 8)
        self._say_environment()

    def _say_environment(self) -> None:
        self._badge.setText(self._environment[:1] if self._folded else self._environment)

    def _draw_sign(self) -> None:
        self._opens.setPixmap(icon("chevron-down", "muted_strong").pixmap(QSize(12, 12)))

    def set_shortcut(self, words: str) -> None:
        """Set the shortcut for a click, as the platform writes it."""
        self._shortcut = words
        self._tell_whole()

    def _tell_whole(self) -> None:
        """Show name and connection in full in the tooltip, because the labels may cut them."""
        switch = f"Switch profile or connection ({self._shortcut})"
        said = [self._name.whole(), self._environment if self._folded else "", self._connection.whole()]
        self.setToolTip(tooltip("\n".join([line for line in (*said, switch) if line])))

    def sizeHint(self) -> QSize:
        return super().sizeHint().expandedTo(self.minimumSizeHint())

    def minimumSizeHint(self) -> QSize:
        """A button asks for no more than its own text needs, and this one has labels in its place."""
        layout = self.layout()
        return QSize(_FOLDED, max(54, layout.sizeHint().height() if layout is not None else 0))

    def show_profile(self, profile: Profile) -> None:
        """Show its name, badge and colour at once."""
        self._name.setText(profile.name)
        environment = profile.environment.value
        self._environment = environment.capitalize()
        self._say_environment()
        set_look(self._badge, badge=BADGES.get(environment, "plain"))
        set_look(self._edge, environment=environment)
        connection = profile.connection or "no connection chosen"
        self._connection.setText(connection)
        self.setAccessibleName(
            f"Profile {profile.name}, {environment}, {connection}. Switch profile or connection…"
        )
        self._tell_whole()


class CatalogView(QTreeView):
    """The tree as a flat list under small headings. Enter, a click or *Toggle* of assistive technology opens; typing
    finds.
    """

    opened = Signal(str)
    close_wanted = Signal(str)

    def __init__(self, model: CatalogTree) -> None:
        super().__init__()
        self.setObjectName("catalog")
        self.setAccessibleName("Pages")
        self.setModel(model)
        self._model = model
        self.folded = False
        """Whether only icons are shown."""
        self.is_open: Callable[[str], bool] = lambda _key: False
        """Whether a resource has a tab, by its key."""
        # By rows, Qt's Toggle takes an index below a heading for one in the whole list, and chooses another entry.
        self.setSelectionBehavior(QTreeView.SelectionBehavior.SelectItems)
        self.setItemDelegate(_Entry(self))
        self.setHeaderHidden(True)
        # Stretched as the last one alone, the column would stay at Qt's 100 pixels beside icons.
        self.header().setMinimumSectionSize(0)
        self.header().setStretchLastSection(False)
        self.header().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.setIndentation(0)
        self.setRootIsDecorated(False)
        self.setItemsExpandable(False)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QTreeView.EditTrigger.NoEditTriggers)
        self.expandAll()
        self.clicked.connect(self._open)
        theme().changed.connect(self.viewport().update)

    def fold(self, folded: bool) -> None:
        """Show icons alone, or the words again."""
        self.folded = folded
        policies = Qt.ScrollBarPolicy
        self.setVerticalScrollBarPolicy(policies.ScrollBarAlwaysOff if folded else policies.ScrollBarAsNeeded)
        self.scheduleDelayedItemsLayout()

    def mark(self, key: str | None) -> None:
        """Choose the entry of ``key`` without opening it."""
        index = self._model.index_of(key) if key else QModelIndex()
        if index.isValid():
            self.setCurrentIndex(index)
        else:
            self.clearSelection()
            self.setCurrentIndex(QModelIndex())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        # Qt would take the mark off the current entry, though a heading or the room below opens nothing.
        if self.indexAt(event.position().toPoint()).data(KEY) is not None:
            super().mousePressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_keys = event.reason() == QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if by_keys else self.indexAt(event.pos())
        key = index.data(KEY)
        if not key:
            return
        menu = QMenu("Page", self)
        menu.setAccessibleName("Page")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Open", lambda: self.opened.emit(key))
        menu.addAction("Close tab", lambda: self.close_wanted.emit(key)).setEnabled(self.is_open(key))
        at = self.viewport().mapToGlobal(self.visualRect(index).center()) if by_keys else event.globalPos()
        menu.popup(at)

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        super().selectionChanged(selected, deselected)
        # Keys and mouse also make an entry the current one, but after this call; Toggle only chooses it.
        QTimer.singleShot(0, self, self._open_toggled)

    def _open_toggled(self) -> None:
        chosen = self.selectedIndexes()
        if chosen and chosen[0] != self.currentIndex():
            self.setCurrentIndex(chosen[0])
            self._open(chosen[0])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._open(self.currentIndex())
            return
        super().keyPressEvent(event)

    def _open(self, index: QModelIndex) -> None:
        key = index.data(KEY)
        if key:
            self.opened.emit(key)


class _Entry(QStyledItemDelegate):
    """Paints an entry: icon, title, stored rows; muted where the connection does not have it."""

    def __init__(self, view: CatalogView) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        if index.data(KEY) is None:
            return QSize(0, _LINE if self._view.folded else _GROUP if index.data() else _NO_HEADING)
        return QSize(0, _ENTRY)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = option.rect
        if index.data(KEY) is None:
            self._group(painter, rect, index.data())
        else:
            self._entry(painter, rect, option.state, index)
        painter.restore()

    def _group(self, painter: QPainter, rect: QRect, title: str) -> None:
        if self._view.folded:
            painter.setPen(colors().color("line"))
            painter.drawLine(rect.left() + 4, rect.center().y(), rect.right() - 4, rect.center().y())
            return
        painter.setFont(small(bold=True))
        painter.setPen(colors().color("muted_strong"))
        room = rect.adjusted(8, 4, -8, 0)
        painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, title)

    def _entry(
        self,
        painter: QPainter,
        rect: QRect,
        state: QStyle.StateFlag,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        if chosen or state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colors().color("selection" if chosen else "line"))
            painter.drawRoundedRect(rect, 4, 4)
        if chosen and state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QPen(colors().color("accent"), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), 4, 4)
        left = (rect.width() - _ICON) // 2 if self._view.folded else 13
        sign = QRect(rect.left() + left, rect.center().y() - _ICON // 2, _ICON, _ICON)
        icon(index.data(ICON), "accent" if chosen else "muted_strong").paint(painter, sign)
        if self._view.folded:
            return
        room = rect.adjusted(36, 0, -8, 0)
        count = index.data(COUNT)
        if count:
            font = tabular(small())
            painter.setFont(font)
            painter.setPen(colors().color("muted_strong"))
            words = f"{count:,}"
            right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(room, right, words)
            room = room.adjusted(0, 0, -QFontMetrics(font).horizontalAdvance(words) - 8, 0)
        font = QApplication.font()
        painter.setFont(font)
        painter.setPen(colors().color("muted_strong" if index.data(MISSING) else "text"))
        title = QFontMetrics(font).elidedText(index.data(), Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, title)
