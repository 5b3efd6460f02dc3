"""The command palette: every command, page, profile and connection, found by a few letters, by keyboard alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import cast

from PySide6.QtCore import (
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QColor, QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QGraphicsDropShadowEffect,
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from explorer.ui.kit.layout import column
from explorer.ui.kit.plain import PlainLabel, tooltip, visible
from explorer.ui.kit.rows_table import ROW_ROLE, Column, RowsModel
from explorer.ui.kit.theme import colors, small

_MOST = 60
_LONGEST = 200
"""Longest text in characters whose letters are matched."""
_SHOWN = 11
_ROW = 30


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the palette."""

    text: str
    kind: str
    """Its kind in one word: Page, Command, Profile, Connection."""
    run: Callable[[], object] = field(repr=False)  # it may hold a link that was pasted
    keys: str = ""
    detail: str = ""
    """Also searched, and shown behind the text: a path, an address."""


@dataclass(frozen=True, slots=True)
class Offer:
    """Special entries for a text, besides those that match by their letters."""

    entries: Sequence[Entry] = ()
    hides: bool = False
    """Whether the text is or contains a credential, and is not shown."""
    alone: bool = False
    """Whether the text is not a search, so that nothing is matched by its letters."""


def _no_offer(_text: str) -> Offer:
    return Offer()


def score(query: str, text: str) -> int | None:
    """How well ``text`` matches what was typed; None: not at all. Letters in order; word starts and runs count more."""
    low = text.lower()
    total, at, run = 0, -1, 0
    for char in query.lower():
        if char.isspace():
            run = 0
            continue
        found = low.find(char, at + 1)
        if found < 0:
            return None
        # A later start of a word counts more than a nearer letter inside one.
        start = next((i for i in range(found, len(low)) if low[i] == char and _starts(low, i)), None)
        if found == at + 1 and at >= 0:
            run += 1
            total += 6 + run * 2
        elif start is not None:
            found, run = start, 0
            total += 8
        else:
            run = 0
            total += 1
        at = found
    return total * 8 - len(low) + (40 if low.startswith(query.lower().strip()) else 0)


def _starts(text: str, at: int) -> bool:
    return at == 0 or not text[at - 1].isalnum()


def rank(query: str, entries: Sequence[Entry]) -> list[Entry]:
    """The entries that match, best first; all of them, in their order, when nothing was typed."""
    if not query.strip():
        return list(entries)
    scored = []
    for place, entry in enumerate(entries):
        own = score(query, entry.text)
        other = score(query, f"{entry.text} {entry.kind} {entry.detail}")
        best = max((s for s in (own, None if other is None else other - 200) if s is not None), default=None)
        if best is not None:
            scored.append((-best, place, entry))
    return [entry for *_, entry in sorted(scored, key=lambda s: s[:2])]


class Palette(QFrame):
    """Lies over the upper middle of its window. Escape, a click elsewhere or a choice closes it."""

    closed = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName("palette")
        self.setAccessibleName("Go to")
        self._window = window
        self._entries: Sequence[Entry] = ()
        self._offer: Callable[[str], Offer] = _no_offer
        self._before: QWidget | None = None
        self.field = QLineEdit()
        self.field.setAccessibleName("Go to")
        self.field.textEdited.connect(self._search)
        self.field.installEventFilter(self)
        self.model = RowsModel[Entry]((Column("", lambda entry: entry.text, spoken=_spoken),), self)
        self.list = QListView()
        self.list.setAccessibleName("Results")
        self.list.setModel(self.model)
        self.list.setItemDelegate(_Line(self.list))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setUniformItemSizes(True)
        # Else Toggle of the row that is chosen at first would do nothing.
        self.list.setSelectionMode(QListView.SelectionMode.ExtendedSelection)
        self.list.clicked.connect(self._choose)
        # Keys and mouse also make a line the current one, but after this call; Toggle only selects it.
        self.list.selectionModel().selectionChanged.connect(
            lambda *_: QTimer.singleShot(0, self, self._follow)
        )
        self.nothing = PlainLabel("Nothing found by that name", role="muted")
        self.nothing.setContentsMargins(14, 0, 14, 8)
        self.nothing.hide()
        column(self.field, self.list, self.nothing, of=self, margins=1)
        shadow = QGraphicsDropShadowEffect(self, blurRadius=32)
        shadow.setOffset(0, 8)
        shadow.setColor(QColor(0, 0, 0, 70))
        self.setGraphicsEffect(shadow)
        self.hide()

    def ask(
        self,
        entries: Sequence[Entry],
        prompt: str,
        *,
        current: int = 0,
        offer: Callable[[str], Offer] = _no_offer,
    ) -> None:
        """Show ``entries`` and take the focus. ``current`` is the one that Enter chooses before anything is typed.

        ``offer`` returns the special entries for a text that was pasted; it is called at each change, so it must not
        act.
        """
        self._entries, self._offer = entries, offer
        if not self.isVisible():
            self._before = QApplication.focusWidget()
        self.field.setText("")
        self.field.setPlaceholderText(prompt)
        self.field.setAccessibleName(prompt)
        self.field.setToolTip(tooltip(prompt))
        self._search("")
        self._select(current)
        self.move((self._window.width() - self.width()) // 2, 64)
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)

    def dismiss(self) -> None:
        """Close it and give the focus back."""
        if not self.isVisible():
            return
        self.hide()
        self.field.setText("")  # clears the undo history: a link or a key may have been there
        self.model.show([])
        before, self._before = self._before, None
        if before is not None and before.isVisible():
            before.setFocus(Qt.FocusReason.PopupFocusReason)
        self.closed.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.field and event.type() == QEvent.Type.KeyPress:
            return self._key(cast(QKeyEvent, event))
        if watched is self.field and event.type() == QEvent.Type.FocusOut and self.isVisible():
            self.dismiss()
        return False

    def _key(self, event: QKeyEvent) -> bool:
        row, count = self.list.currentIndex().row(), self.model.rowCount()
        key = event.key()
        if key == Qt.Key.Key_Escape:
            self.dismiss()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose(self.list.currentIndex())
        elif key in (Qt.Key.Key_Down, Qt.Key.Key_Tab) and count:
            self._select((row + 1) % count)
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Backtab) and count:
            self._select((row - 1) % count)
        elif key in (Qt.Key.Key_PageDown, Qt.Key.Key_PageUp) and count:
            by = _SHOWN if key == Qt.Key.Key_PageDown else -_SHOWN
            self._select(max(0, min(count - 1, row + by)))
        else:
            return False
        return True

    def _search(self, text: str) -> None:
        offer = self._offer(text) if text.strip() else Offer()
        self._hide_text(text, offer.hides)
        ranked = [] if offer.alone or len(text) > _LONGEST else rank(text, self._entries)
        named = any(text.strip().lower() in entry.text.lower() for entry in ranked)
        found = [*ranked, *offer.entries] if named else [*offer.entries, *ranked]
        found = found[:_MOST]
        self.model.show(found)
        self.list.setVisible(bool(found))
        self.nothing.setVisible(not found)
        width = min(600, self._window.width() - 48)
        self.setFixedSize(width, 50 + _ROW * max(1, min(_SHOWN, len(found))))
        self._select(0)

    def _hide_text(self, text: str, hides: bool) -> None:
        """Hide a text that has a credential, until the field is empty: the remainder may still contain one."""
        hidden = self.field.echoMode() == QLineEdit.EchoMode.Password
        if hides and not hidden:
            self.field.setEchoMode(QLineEdit.EchoMode.Password)
        elif hidden and not text:
            self.field.setEchoMode(QLineEdit.EchoMode.Normal)

    def _select(self, row: int) -> None:
        index = self.model.index(row, 0)
        # Not the view's way, for which a Ctrl that is still held takes the line back.
        select = QItemSelectionModel.SelectionFlag.ClearAndSelect
        self.list.selectionModel().setCurrentIndex(index, select)
        words = str(index.data(Qt.ItemDataRole.AccessibleTextRole) or "Nothing found")
        self.field.setAccessibleDescription(words)
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self.field, words))

    def _follow(self) -> None:
        """Choose the line that assistive technology toggled: another than the current one, or that one."""
        now, chosen = self.list.currentIndex(), self.list.selectedIndexes()
        toggled = [one for one in chosen if one != now] or ([] if chosen else [now])
        if toggled and self.isVisible() and not QApplication.mouseButtons():
            self._choose(toggled[0])

    def _choose(self, index: QModelIndex) -> None:
        if index.isValid():
            entry = self.model.rows[index.row()]
            self.dismiss()
            entry.run()


def _spoken(entry: Entry) -> str:
    return ", ".join(part for part in (entry.text, entry.kind, entry.detail, entry.keys) if part)


class _Line(QStyledItemDelegate):
    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(200, _ROW)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        entry = cast(Entry, index.data(ROW_ROLE))
        rect = option.rect
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colors().color("selection"))
            painter.drawRoundedRect(rect, 4, 4)
        room = rect.adjusted(10, 0, -10, 0)
        painter.setFont(small())
        painter.setPen(colors().color("muted_strong"))
        right = entry.keys or entry.kind
        painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, right)
        room.setRight(room.right() - painter.fontMetrics().horizontalAdvance(right) - 16)
        font = cast(QWidget, self.parent()).font()
        painter.setFont(font)
        painter.setPen(colors().color("text"))
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        metrics = QFontMetrics(font)
        text = metrics.elidedText(visible(entry.text), Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, left, text)
        room.setLeft(room.left() + metrics.horizontalAdvance(text) + 10)
        if entry.detail and room.width() > 40:
            painter.setFont(small())
            painter.setPen(colors().color("muted_strong"))
            detail = painter.fontMetrics().elidedText(
                visible(entry.detail), Qt.TextElideMode.ElideRight, room.width()
            )
            painter.drawText(room, left, detail)
        painter.restore()
