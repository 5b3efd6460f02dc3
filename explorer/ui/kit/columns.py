"""Columns as values: what a cell says, how it looks, how wide its column is; for `RowsTable` and `RowsTree`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from PySide6.QtCore import (
    QItemSelection,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    QTimer,
)
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QTreeView,
)

from explorer.ui.kit.layout import type_scale
from explorer.ui.kit.plain import tooltip, visible
from explorer.ui.kit.theme import ROW, colors, drawable, mono, small, theme

Row = TypeVar("Row")
Index = QModelIndex | QPersistentModelIndex
Tone = Literal[
    "text", "strong", "mono", "key", "number", "muted", "quiet", "path", "faint", "link",
    "good", "bad", "odd", "holds", "caution", "fails", "info", "plain",
]  # fmt: skip
"""How a cell looks: ``path`` and ``faint`` are a quieter ``mono``, ``key`` is a name as JSON has it; ``good``, ``bad``
and ``odd`` are words in a colour; the last five are badges.
"""
Ground = tuple[str, str]
"""The colours of a cell: tokens of the theme for its background and its text."""
Paint = Callable[[QPainter, QStyleOptionViewItem, Row], None]
"""Paints a row's cell in ``option.rect``, on a ground that is there already."""

ROW_ROLE = int(Qt.ItemDataRole.UserRole)
"""The row itself."""
_DISPLAY = int(Qt.ItemDataRole.DisplayRole)
_LEFT, _RIGHT = Qt.AlignmentFlag.AlignLeft.value, Qt.AlignmentFlag.AlignRight.value
_MIDDLE = Qt.AlignmentFlag.AlignVCenter.value
_BADGES = ("holds", "caution", "fails", "info", "plain")
_INKS = {
    "key": ("json_key", "json_key"),
    "muted": ("muted_strong", "text"),
    "quiet": ("muted", "muted_strong"),
    "path": ("muted", "muted_strong"),
    "faint": ("muted_strong", "text"),
    "link": ("info", "info"),
    "good": ("on_holds", "text"),
    "bad": ("on_fails", "text"),
    "odd": ("on_caution", "text"),
}
"""The colour of a tone, and that on a row that is chosen; all others are plain text."""
_MONO = ("mono", "key", "path", "faint")
_BADGE_HEIGHT = 17
_BADGE_LEAST = 34
_NARROW = 560  # pixels at 100 %
_MARGIN = 8
_AROUND = 18
"""Pixels beside a text in a cell that fits it, both sides together."""


@dataclass(frozen=True)
class Column(Generic[Row]):
    """One column: its title, the text of a row, how that looks, and its width.

    Without ``fit`` and ``width`` a column has its share of what the others leave.
    """

    title: str
    text: Callable[[Row], str]
    tone: Tone | Callable[[Row], Tone] = "text"
    tip: Callable[[Row], str] | None = None
    """A longer text for the pointer; without it, the text itself."""
    share: int = 1
    spare: int = 0
    """Left out of a table that is narrower than so many pixels; True: where there is little room."""
    fit: bool = False
    """As wide as its widest text."""
    width: int | Callable[[int], int] = 0
    """Pixels, or how many there are of a table so wide."""
    least: int = 0
    most: int | Callable[[int], int] = 10_000
    """Pixels between which its share or its widest text keeps, or how many there are of a table so wide; the last one
    that shares takes what is left.
    """
    right: bool = False
    """At the right of its column, as a number always is."""
    cut: Qt.TextElideMode | Callable[[Row], Qt.TextElideMode] = Qt.TextElideMode.ElideRight
    """Where a text is cut that is too long."""
    parts: Callable[[Row], tuple[str, str]] | None = None
    """Of a badge: what stands in it, and behind it, small; without it, the text in the badge."""
    spoken: Callable[[Row], str] | None = None
    """For assistive technology; without it, the title and the text."""
    ground: Callable[[Row], Ground | None] | None = None
    """The colours of a row's cell, where they are not the usual ones. A chosen row has those of the selection."""
    paint: Paint[Row] | None = None
    """What paints it, where that is more than a text in one tone."""

    def tone_of(self, row: Row) -> Tone:
        """The tone of the row's cell."""
        return self.tone(row) if callable(self.tone) else self.tone

    def most_of(self, room: int) -> int:
        """Its largest width in a table of ``room`` pixels."""
        return self.most(room) if callable(self.most) else self.most

    @property
    def side(self) -> int:
        """The alignment of its title and cells, as a flag of Qt."""
        return _RIGHT if self.right or self.tone == "number" else _LEFT

    def data(self, row: Row, role: int) -> Any:
        """Answers what Qt asks about the cell of ``row``."""
        if role == _DISPLAY:
            return visible(self.text(row))
        if role == Qt.ItemDataRole.ToolTipRole:
            return tooltip((self.tip or self.text)(row))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            text = visible((self.spoken or self.text)(row))
            if self.spoken:
                return text
            return f"{self.title}: {text or 'none'}" if self.title else text or "none"
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self.side | _MIDDLE
        return row if role == ROW_ROLE else None

    def head(self, role: int) -> Any:
        """Answers what Qt asks about its header."""
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self.side | _MIDDLE
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self.title or "Action"
        return self.title if role in (_DISPLAY, Qt.ItemDataRole.ToolTipRole) else None


def follow_selection(
    view: QAbstractItemView, toggled: Callable[[QModelIndex], object] = lambda _: None
) -> None:
    """Make the row the current one that assistive technology chose: its *Toggle* selects it, and no more.

    ``toggled`` is called with it then, and with the current row where that was toggled.
    """

    def follow(again: QPersistentModelIndex | None) -> None:
        chosen, now = view.selectionModel().selectedRows(), view.currentIndex().siblingAtColumn(0)
        if len(chosen) == 1 and chosen[0] != now:
            view.setCurrentIndex(chosen[0])
            toggled(chosen[0])
        elif again is not None and now.isValid() and again == now and chosen in ([], [now]):
            toggled(now)

    def changed(found: QItemSelection, lost: QItemSelection) -> None:
        # Keys and mouse also make a row the current one, but after this call.
        now = view.currentIndex().siblingAtColumn(0)
        again = lost.contains(now) or (found.contains(now) and lost.isEmpty())
        at = QPersistentModelIndex(now) if again else None
        QTimer.singleShot(0, view, lambda: follow(at))

    if isinstance(view, QTreeView):
        # By rows, Toggle takes the place below a branch for one in all of the tree: a wrong row.
        view.setSelectionBehavior(QTreeView.SelectionBehavior.SelectItems)
    view.selectionModel().selectionChanged.connect(changed)


def share_room(
    view: QTableView | QTreeView,
    head: QHeaderView,
    columns: Sequence[Column[Any]],
    rows: Sequence[Any],
    out: Collection[int] = (),
) -> None:
    """Gives the columns of ``view`` its width: those that fit ``rows`` or have a width first, the others share the
    rest. Those in ``out``, by their places, are not shown.
    """
    room = view.viewport().width()
    shown = {
        place: column
        for place, column in enumerate(columns)
        if place not in out and room >= (_NARROW if column.spare is True else column.spare)
    }
    for place in range(len(columns)):  # first of all: Qt says of a hidden heading that it needs no room
        view.setColumnHidden(place, place not in shown)
    widths = {place: _own_width(view, head, place, column, rows) for place, column in shown.items()}
    sharing = [place for place in shown if not widths[place]]
    left, given = max(room - sum(widths.values()), 0), 0
    whole = max(sum(columns[place].share for place in sharing), 1)
    end = 0
    for place in sharing:
        given += columns[place].share
        begin, end = end, left * given // whole
        widths[place] = max(columns[place].least, min(end - begin, columns[place].most_of(room)))
    if sharing:  # nothing is left over at the end
        widths[sharing[-1]] = max(left - sum(widths[place] for place in sharing[:-1]), 0)
    elif widths:
        widths[max(widths)] += left
    for place in range(len(columns)):
        view.setColumnWidth(place, widths.get(place, 0))


def _own_width(
    view: QTableView | QTreeView, head: QHeaderView, place: int, column: Column[Any], rows: Sequence[Any]
) -> int:
    """The width of a column that does not share what is left, in pixels; 0 for one that shares."""
    room = view.viewport().width()
    if not column.fit:
        wide = column.width(room) if callable(column.width) else round(column.width * type_scale(view))
        return max(wide, head.sectionSizeHint(place)) if wide else 0
    metrics = QFontMetrics(mono() if column.tone in _MONO else view.font())
    texts = (metrics.horizontalAdvance(visible(column.text(row))) for row in rows)
    widest = max(head.sectionSizeHint(place), max(texts, default=0) + _AROUND)
    return max(column.least, min(widest, column.most_of(room)))


class CellDelegate(QStyledItemDelegate):
    """Paints texts in their tone, and badges. What is too long ends in an ellipsis.

    In a row that is higher than others they stand in its upper part; what is below is painted by the column.
    """

    def __init__(self, view: QTableView | QTreeView, height: int = ROW, badge_at: int = 0) -> None:
        """``height``: pixels of a row at 100 %; ``badge_at``: how far a badge is moved from where texts begin."""
        super().__init__(view)
        self._height, self._badge_at = height, badge_at
        self._fonts: dict[str, QFont] = {}
        theme().changed.connect(self._forget)

    def _forget(self) -> None:
        self._fonts.clear()

    def cell(self, painter: QPainter, option: QStyleOptionViewItem, column: Column[Any], row: Any) -> None:
        """The cell of ``row``, with the line at its foot."""
        tokens, rect = colors(), option.rect
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        ground = column.ground(row) if column.ground and not chosen else None
        if chosen or ground:
            painter.fillRect(rect, tokens.color(ground[0] if ground else "selection"))
        painter.setPen(tokens.color("line"))
        painter.drawLine(rect.left(), rect.bottom(), rect.right(), rect.bottom())
        if column.paint is not None:
            column.paint(painter, option, row)
            return
        tone, text = column.tone_of(row), visible(column.text(row))
        if tone in _BADGES and text:
            self._badge(painter, rect.adjusted(self._badge_at, 0, 0, -1), column, row)
        elif text:
            ink = ground[1] if ground else _INKS.get(tone, ("text", "text"))[chosen]
            self._text(painter, option, column, row, ink)

    def _badge(self, painter: QPainter, rect: QRect, column: Column[Any], row: Any) -> None:
        inside, behind = column.parts(row) if column.parts else (column.text(row), "")
        rect.setLeft(rect.left() + _paint_badge(painter, rect, visible(inside), column.tone_of(row)) + 8)
        if behind:
            painter.setFont(small())
            painter.setPen(colors().color("muted_strong"))
            room = rect.adjusted(0, 0, -_MARGIN, 0)
            shown = QFontMetrics(small()).elidedText(
                visible(behind), Qt.TextElideMode.ElideRight, room.width()
            )
            painter.drawText(room, _LEFT | _MIDDLE, shown)

    def _text(
        self, painter: QPainter, option: QStyleOptionViewItem, column: Column[Any], row: Any, ink: str
    ) -> None:
        font = self._font(option.font, column.tone_of(row))
        text, metrics = drawable(visible(column.text(row))), QFontMetrics(font)
        painter.setFont(font)
        painter.setPen(colors().color(ink))
        inner = option.rect.adjusted(_MARGIN, 0, -_MARGIN, 0)
        inner.setHeight(self._height - 1)  # without the line at its foot
        shown = metrics.elidedText(
            text, column.cut(row) if callable(column.cut) else column.cut, inner.width()
        )
        inner.setTop(inner.top() + (inner.height() - metrics.height()) // 2)  # as a style sheet would
        painter.drawText(inner, column.side | Qt.AlignmentFlag.AlignTop.value, shown)

    def _font(self, plain: QFont, tone: Tone) -> QFont:
        kind = "mono" if tone in _MONO else tone if tone == "strong" else "text"
        if kind not in self._fonts:
            made = self._fonts[kind] = mono() if kind == "mono" else QFont(plain)
            if kind == "strong":
                made.setWeight(QFont.Weight.Medium)
        return self._fonts[kind]

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(80, self._height)


def paint_heading(painter: QPainter, option: QStyleOptionViewItem, title: str, words: str) -> None:
    """A heading over the whole width of a row: its title, and after that ``words``, small."""
    if option.state & QStyle.StateFlag.State_Selected:
        painter.fillRect(option.rect, colors().color("selection"))
    font = QFont(option.font)
    font.setWeight(QFont.Weight.DemiBold)
    painter.setFont(font)
    painter.setPen(colors().color("text"))
    room = option.rect.adjusted(4, 0, -8, 0)
    painter.drawText(room, _LEFT | _MIDDLE, title)
    room.setLeft(room.left() + QFontMetrics(font).horizontalAdvance(title) + 12)
    painter.setFont(small())
    painter.setPen(colors().color("muted"))
    painter.drawText(room, _LEFT | _MIDDLE, words)


def _paint_badge(painter: QPainter, rect: QRect, text: str, look: Tone) -> int:
    """Paints ``text`` at the left of ``rect``, a word on a coloured ground. Returns where that ends, in pixels from
    there.
    """
    tokens, font = colors(), small(bold=True)
    ground, ink = ("hover", "muted_strong") if look == "plain" else (f"{look}_ground", f"on_{look}")
    metrics = QFontMetrics(font)
    width = min(max(metrics.horizontalAdvance(text) + 16, _BADGE_LEAST), rect.width() - 12)
    shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, max(width - 12, 0))
    area = QRectF(rect.left() + 8, rect.top() + (rect.height() - _BADGE_HEIGHT) / 2, width, _BADGE_HEIGHT)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(tokens.color(ground))
    painter.drawRoundedRect(area, _BADGE_HEIGHT / 2, _BADGE_HEIGHT / 2)
    painter.setPen(tokens.color(ink))
    painter.setFont(font)
    painter.drawText(area, int(Qt.AlignmentFlag.AlignCenter), shown)
    painter.restore()
    return 8 + width
