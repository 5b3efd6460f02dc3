"""What is wrong with how a window is laid out: words that are cut, widgets over one another or outside their room."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QCheckBox,
    QComboBox,
    QHeaderView,
    QLabel,
    QLayout,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QSplitter,
    QStackedWidget,
    QTabBar,
    QToolButton,
    QWidget,
)

from explorer.ui.kit.elided_combo import ElidedCombo
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.kit.theme import drawable
from tests.gui.spoken import described

_SLACK = 1
"""Pixels by which Qt's own roundings may differ."""
_SEEN = 2
"""Pixels of an overlap that can be seen."""
_SIGN = 2
"""Characters of a button that has a sign in place of words."""


def faults(root: QWidget) -> Iterator[str]:
    """Words below ``root`` that nobody can read whole, not even in a tooltip, and widgets that hide each other."""
    for one in (root, *root.findChildren(QWidget)):
        if one.isVisible() and not one.visibleRegion().isEmpty():
            yield from _words(one)
            yield from _room(one)


def _words(one: QWidget) -> Iterator[str]:
    where = f"{type(one).__name__} in {described(one.parentWidget() or one)}"
    if isinstance(one, PlainLabel | QLabel):
        yield from (f"{said} in {where}" for said in _label(one))
    elif isinstance(one, QPushButton | QCheckBox | QRadioButton | QToolButton):
        yield from (f"{said} in {where}" for said in _button(one))
    elif isinstance(one, QTabBar):
        yield from _tabs(one)
    elif isinstance(one, QHeaderView):
        yield from _headings(one)
    elif isinstance(one, QComboBox) and not isinstance(one, ElidedCombo) and not one.isEditable():
        lacking = one.minimumSizeHint().width() - one.width()
        if lacking > _SLACK and one.currentText() not in one.toolTip():
            yield f"choice {one.currentText()!r} lacks {lacking} px in {where}"
    elif isinstance(one, QLineEdit):
        hint = one.placeholderText()
        room = one.contentsRect().width() - one.textMargins().left() - one.textMargins().right()
        lacking = one.fontMetrics().horizontalAdvance(hint) - room
        if hint and not one.text() and lacking > _SLACK and hint not in one.toolTip():
            yield f"hint {hint!r} lacks {lacking} px in {where}"


def _button(one: QAbstractButton) -> Iterator[str]:
    icon_alone = (
        isinstance(one, QToolButton) and one.toolButtonStyle() is Qt.ToolButtonStyle.ToolButtonIconOnly
    )
    words = one.text().replace("&", "")
    if not words or (icon_alone and not one.icon().isNull()):
        return
    metrics = one.fontMetrics()
    is_sign = (
        len(words) <= _SIGN
    )  # a cross, three points: shown whole without the room that words have around them
    wide = metrics.horizontalAdvance(words) if is_sign else one.sizeHint().width()
    if wide - one.width() > _SLACK and words not in one.toolTip():
        yield f"button {words!r} lacks {wide - one.width()} of {wide} px"
    high = metrics.tightBoundingRect(words).height() if is_sign else metrics.height()
    if high - one.height() > _SLACK:
        yield f"button {words!r} is too low: {one.height()} of {high} px"


def _label(one: QLabel) -> Iterator[str]:
    if not one.text():
        return
    if isinstance(one, PlainLabel) and one.shown() != drawable(one.text()) and one.shown().endswith("…"):
        if one.whole()[:20] not in one.toolTip():
            yield f"label {one.text()!r} as {one.shown()!r}"
        return
    low = one.heightForWidth(one.width()) if one.wordWrap() else one.minimumSizeHint().height()
    if low - one.height() > _SLACK:
        yield f"label {one.text()!r} is too low: {one.height()} of {low} px"
    lacking = one.sizeHint().width() - one.width()
    elides = isinstance(one, PlainLabel) and one.minimumSizeHint().width() < one.sizeHint().width()
    if not one.wordWrap() and not elides and lacking > _SLACK:
        yield f"label {one.text()!r} lacks {lacking} px"


def _tabs(bar: QTabBar) -> Iterator[str]:
    for place in range(bar.count()):
        words, rect = bar.tabText(place), bar.tabRect(place)
        lacking = bar.fontMetrics().horizontalAdvance(words) - rect.width()
        if not bar.isTabVisible(place):
            continue
        if lacking > _SLACK and words not in bar.tabToolTip(place):
            yield f"tab {words!r} lacks {lacking} px"
        if not bar.rect().contains(rect) and not bar.usesScrollButtons():
            yield f"tab {words!r} is outside its bar"


def _headings(header: QHeaderView) -> Iterator[str]:
    table = header.parentWidget()
    if header.orientation() is not Qt.Orientation.Horizontal or table is None:
        return
    for place in range(header.count()):
        model = header.model()
        words = str(model.headerData(place, header.orientation()) or "")
        told = str(model.headerData(place, header.orientation(), Qt.ItemDataRole.ToolTipRole) or "")
        lacking = header.fontMetrics().horizontalAdvance(words) - header.sectionSize(place)
        if not header.isSectionHidden(place) and lacking > _SLACK and words not in told:
            yield f"heading {words!r} of {table.accessibleName()} lacks {lacking} px"


def _room(one: QWidget) -> Iterator[str]:
    """Widgets that a layout has put over one another, or out of the room of what holds them."""
    inside = [*_laid(one)]
    for each in inside:
        if not one.rect().adjusted(-1, -1, 1, 1).contains(each.geometry()):
            yield f"{described(each)} {_rect(each.geometry())} is outside {described(one)} {_rect(one.rect())}"
    for first, second in combinations(inside, 2):
        over = first.geometry().intersected(second.geometry())
        if over.width() > _SEEN and over.height() > _SEEN:
            yield f"{described(first)} {_rect(first.geometry())} over {described(second)} {_rect(second.geometry())}"


def _laid(one: QWidget) -> Iterator[QWidget]:
    if isinstance(one, QSplitter):
        parts = (one.widget(place) for place in range(one.count()))
        yield from (each for each in parts if each is not None and each.isVisible())
    layout = None if isinstance(one, QStackedWidget) else one.layout()
    # By indexOf: a wrapper of a layout's item may outlive that item, and freeing it then ends the process.
    layouts = [layout, *layout.findChildren(QLayout)] if layout is not None else []
    direct = Qt.FindChildOption.FindDirectChildrenOnly
    for each in one.findChildren(QWidget, options=direct) if layouts else ():
        if each.isVisible() and any(its.indexOf(each) >= 0 for its in layouts):
            yield each


def _rect(rect: QRect) -> str:
    return f"{rect.x()},{rect.y()} {rect.width()}x{rect.height()}"
