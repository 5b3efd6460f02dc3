"""Rows and columns in one call: where each part stands, and how the room is shared."""

from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from explorer.ui.kit.layout import STRETCH, bar, column, row, split


def fixed(width: int, height: int) -> QWidget:
    made = QWidget()
    made.setMinimumSize(width, height)
    return made


def test_parts_stand_in_order_with_their_shares_and_spaces(qtbot: QtBot) -> None:
    owner = QWidget()
    qtbot.addWidget(owner)
    first, second, third = fixed(20, 10), fixed(0, 10), fixed(30, 10)
    row(first, 7, (second, 1), third, of=owner, margins=(1, 2, 3, 4), spacing=5)
    owner.resize(200, 50)
    owner.show()
    assert first.geometry() == QRect(1, 2, 20, 44)
    assert third.geometry() == QRect(200 - 3 - 30, 2, 30, 44)
    assert (second.x(), second.geometry().right()) == (1 + 20 + 5 + 7, third.x() - 5 - 1)


def test_a_row_in_a_column_and_room_that_nothing_takes(qtbot: QtBot) -> None:
    owner, left, right, below = QWidget(), fixed(10, 10), fixed(10, 10), fixed(10, 10)
    qtbot.addWidget(owner)
    corner = (below, Qt.AlignmentFlag.AlignRight)
    column(row(left, STRETCH, right), (None, 2), corner, STRETCH, of=owner, margins=10)
    owner.resize(120, 100)
    owner.show()
    assert (left.x(), right.geometry().right()) == (10, 109)
    assert left.parentWidget() is owner
    assert (below.y(), below.geometry().right()) == (10 + 10 + 60 * 2 // 3, 109)


def test_a_bar_has_a_ground_of_its_kind(qtbot: QtBot) -> None:
    part = fixed(10, 10)
    made = bar(part, kind="log", margins=(12, 2, 8, 2))
    qtbot.addWidget(made)
    assert made.property("bar") == "log"
    assert made.testAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    assert part.parentWidget() is made


def test_the_handle_between_two_parts_has_a_name(qtbot: QtBot) -> None:
    made = split(Qt.Orientation.Horizontal, (fixed(10, 10), 50), (fixed(10, 10), 50), (fixed(10, 10), 50))
    qtbot.addWidget(made)
    assert [made.handle(place).accessibleName() for place in (1, 2)] == ["Divider", "Divider"]


def test_parts_without_room_side_by_side_stand_below_each_other(qtbot: QtBot) -> None:
    one, other = QWidget(), QWidget()
    for part in (one, other):
        part.setMinimumSize(300, 20)
    made = split(Qt.Orientation.Horizontal, (one, 350), (other, 650), turns=True)
    owner = QWidget()
    qtbot.addWidget(owner)
    column(made, of=owner)
    owner.resize(1000, 400)
    owner.show()
    assert made.orientation() == Qt.Orientation.Horizontal
    assert made.minimumSizeHint().width() == 300, "it asks for no more than one of them needs"
    owner.resize(500, 400)
    qtbot.waitUntil(lambda: other.y() > one.y())
    assert one.width() == other.width() == 500
    owner.resize(1000, 400)
    qtbot.waitUntil(lambda: other.x() > one.x())
    other.setMinimumWidth(900)
    qtbot.waitUntil(lambda: other.y() > one.y())
