"""Rows and columns of widgets, and what they are made of, each in one call: its parts, margins, and room between."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLayout,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from explorer.ui.kit.check_buttons import CheckButton
from explorer.ui.kit.plain import tooltip

Box = TypeVar("Box", bound=QBoxLayout)
Dressed = TypeVar("Dressed", bound=QWidget)
Part = QWidget | QLayout | int | tuple[QWidget | QLayout | None, int] | tuple[QWidget, Qt.AlignmentFlag]
"""A widget or layout; with a number, its share of the room that is left; with an alignment, that; pixels of space."""
Margins = int | tuple[int, int, int, int]
"""Pixels on each side: left, top, right, bottom."""
STRETCH: tuple[None, int] = (None, 1)
"""Space that grows and stays empty."""
_TYPE = 14
"""Pixels of the largest type at which things are as wide as their figures say."""
HANDLE = "Divider"
"""What assistive technology calls the handle between two parts, which Qt leaves without a name."""


class FrontStack(QStackedWidget):
    """Asks for the least room of the page in front, where Qt's own asks for that of the largest."""

    resized = Signal()

    def __init__(self) -> None:
        super().__init__()
        # What is around keeps the room of the page before until it is told.
        self.currentChanged.connect(lambda _: self.updateGeometry())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()

    def minimumSizeHint(self) -> QSize:
        front = self.currentWidget()
        return front.minimumSizeHint() if front is not None else super().minimumSizeHint()

    def hasHeightForWidth(self) -> bool:
        """False: a layout around it would take what the highest page would like for what it needs."""
        return False

    def heightForWidth(self, width: int) -> int:
        """The least height; a scroll area takes this where any page's height goes by its width."""
        front = self.currentWidget()
        layout = front.layout() if front is not None else None
        least = self.minimumSizeHint().height()
        return max(least, layout.totalMinimumHeightForWidth(width)) if layout is not None else least


def row(*parts: Part, of: QWidget | None = None, margins: Margins = 0, spacing: int = 0) -> QHBoxLayout:
    """``parts`` side by side, in ``of``. A spacing of -1 is that of the layout around it, or of the style."""
    return _filled(QHBoxLayout(of) if of else QHBoxLayout(), parts, margins, spacing)


def column(*parts: Part, of: QWidget | None = None, margins: Margins = 0, spacing: int = 0) -> QVBoxLayout:
    """``parts`` below each other, in ``of``, as `row` has them side by side."""
    return _filled(QVBoxLayout(of) if of else QVBoxLayout(), parts, margins, spacing)


def push_button(
    text: str, *, kind: str = "", tip: str = "", name: str = "", checkable: bool = False
) -> QPushButton:
    """A button of that ``kind`` in the style sheet; ``name`` is for assistive technology, where its text is not."""
    made = CheckButton(text) if checkable else QPushButton(text)
    made.setProperty("kind", kind or None)
    made.setToolTip(tooltip(tip))
    made.setAccessibleName(name)
    return made


def search_line(words: str, name: str = "") -> QLineEdit:
    """A line for what is looked for: ``words`` while it is empty, whole in its tooltip where it is narrower than they
    are. ``name``: for assistive technology, where it is not those words.
    """
    made = QLineEdit(placeholderText=words, clearButtonEnabled=True)
    made.setToolTip(tooltip(words))
    made.setAccessibleName(name or words)
    return made


class RoomSplitter(QSplitter):
    """Parts side by side, or below each other where there is no room for all of them side by side."""

    def minimumSizeHint(self) -> QSize:
        widest, height = max(self._widths(), default=0), super().minimumSizeHint().height()
        return QSize(widest, height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._turn()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:  # a part needs more room than before
            self._turn()
        return super().event(event)

    def _turn(self) -> None:
        handles = self.handleWidth() * (self.count() - 1)
        room = self.width() >= sum(self._widths()) + handles
        way = Qt.Orientation.Horizontal if room else Qt.Orientation.Vertical
        if self.width() and way != self.orientation():
            self.setOrientation(way)
            self.updateGeometry()

    def _widths(self) -> list[int]:
        parts = (self.widget(place) for place in range(self.count()))
        shown = [one for one in parts if one is not None and not one.isHidden()]
        return [max(one.minimumSizeHint().width(), one.minimumWidth()) for one in shown]


def split(
    way: Qt.Orientation, *parts: tuple[QWidget, int], shares: Sequence[int] = (), turns: bool = False
) -> QSplitter:
    """``parts`` with a handle between them, each with its first pixels; ``shares``: of what a larger window gives.

    ``turns``: they stand below each other where there is no room side by side.
    """
    made = RoomSplitter(way) if turns else QSplitter(way)
    made.setChildrenCollapsible(False)
    for part, _ in parts:
        made.addWidget(part)
    for place in range(1, made.count()):
        made.handle(place).setAccessibleName(HANDLE)
    for place, share in enumerate(shares):
        made.setStretchFactor(place, share)
    made.setSizes([size for _, size in parts])
    return made


def scrolled(inside: QWidget, area: QScrollArea | None = None) -> QScrollArea:
    """``inside`` as wide as its room, with a bar where it is too high; Tab passes by the area itself."""
    made = area if area is not None else QScrollArea()
    made.setWidgetResizable(True)
    made.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    made.setWidget(inside)
    return made


def dressed(widget: Dressed, **properties: str) -> Dressed:
    """``widget`` on the ground that the style sheet has for its properties: ``card="true"``, ``ground="surface"``."""
    for name, value in properties.items():
        widget.setProperty(name, value)
    widget.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    return widget


class Head(QFrame):
    """The head of a page, which can be held where it is seen while a page that is wider than its room is scrolled."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("bar", "head")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._held = (0, 0)

    def hold(self, before: int, behind: int) -> None:
        """Leave so many pixels empty at its left and right, which it does not ask for."""
        layout = self.layout()
        if layout is None or (before, behind) == self._held:
            return
        margins, was = layout.contentsMargins(), self._held
        self._held = before, behind
        left, right = margins.left() - was[0] + before, margins.right() - was[1] + behind
        layout.setContentsMargins(left, margins.top(), right, margins.bottom())
        self.arrange()

    def arrange(self) -> None:
        """Called when it was held: its room is another one, and its size is not."""

    def minimumSizeHint(self) -> QSize:
        hint = super().minimumSizeHint()
        return QSize(hint.width() - sum(self._held), hint.height())


def bar(*parts: Part, kind: str = "tools", margins: Margins = (12, 6, 12, 6), spacing: int = 8) -> QFrame:
    """A strip on a ground of its own, as the style sheet has it for bars of that ``kind``."""
    made = Head() if kind == "head" else QFrame()
    made.setProperty("bar", kind)
    made.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    row(*parts, of=made, margins=margins, spacing=spacing)
    return made


def type_scale(widget: QWidget) -> float:
    """How much larger than usual a widget's type is, 1 at least: what is measured in pixels for the usual type grows
    with it.
    """
    return max(widget.fontInfo().pixelSize() / _TYPE, 1.0)


def _filled(box: Box, parts: tuple[Part, ...], margins: Margins, spacing: int) -> Box:
    around = (margins,) * 4 if isinstance(margins, int) else margins
    box.setContentsMargins(*around)
    box.setSpacing(spacing)
    for part in parts:
        if isinstance(part, int):
            box.addSpacing(part)
            continue
        what, how = part if isinstance(part, tuple) else (part, 0)
        if what is None:
            box.addStretch(how)
        elif isinstance(what, QLayout):
            box.addLayout(what, how)
        elif isinstance(how, Qt.AlignmentFlag):
            box.addWidget(what, 0, how)
        else:
            box.addWidget(what, how)
    return box
