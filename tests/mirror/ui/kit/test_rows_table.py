"""The one table: how its columns share the room, what it paints, what keys and clicks do, and what a change costs."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QAccessible, QFontMetrics, QGuiApplication, QImage
from PySide6.QtTest import QAbstractItemModelTester, QTest
from pytestqt.qtbot import QtBot

from explorer.ui.kit.rows_table import Action, Column, RowsModel, RowsTable, Tone
from explorer.ui.kit.theme import drawable, theme

Three = tuple[str, str, str]
_STRICT = QAbstractItemModelTester.FailureReportingMode.Fatal


@pytest.fixture
def table(qtbot: QtBot) -> RowsTable:
    theme().install("light")
    model = RowsModel[Three](
        (
            Column("Page", lambda row: row[0], fit=True),
            Column("Value", lambda row: row[1], share=2),
            Column("Request number", lambda row: row[2], fit=True),
        )
    )
    made = RowsTable(model, "Places")
    qtbot.addWidget(made)
    theme().dress(made)
    QAbstractItemModelTester(model, _STRICT, made)
    made.resize(320, 200)
    made.show()
    return made


def actions_table(qtbot: QtBot, done: list[str]) -> RowsTable:
    def actions(row: tuple[int, str]) -> tuple[Action, ...]:
        number, words = row
        offered = (
            ("Copy", partial(done.append, f"copy {number}")),
            ("Forget", partial(done.append, f"forget {number}")),
        )
        return offered if words == "Expired" else ()

    def tone(row: tuple[int, str]) -> Tone:
        return "fails" if row[1] == "Expired" else "caution"

    columns = (
        Column[tuple[int, str]]("name", lambda row: f"<b>{row[0]}</b>"),
        Column[tuple[int, str]]("state", lambda row: row[1], tone),
    )
    model = RowsModel(columns, actions=actions)
    made = RowsTable(model, "Things", most=15)
    qtbot.addWidget(made)
    QAbstractItemModelTester(model, _STRICT, made)
    made.show_rows([(number, "Expired") for number in range(3)])
    made.resize(500, 200)
    return made


def first_ink(image: QImage, area: QRect, ground: QRect) -> int:
    """The leftmost pixel in ``area`` that is not as at the corner of ``ground``."""
    plain = image.pixel(ground.topLeft())
    inside = (
        (x, y) for x in range(area.left(), area.right()) for y in range(area.top() + 6, area.bottom() - 6)
    )
    return next(x for x, y in inside if image.pixel(x, y) != plain)


def test_what_fits_is_seen_whole_and_the_rest_is_shared(table: RowsTable) -> None:
    table.show_rows([("1,177", "x" * 200, "7"), ("12", "", "25")])
    metrics = QFontMetrics(table.font())
    assert table.columnWidth(0) > metrics.horizontalAdvance("1,177") + 10
    assert table.columnWidth(2) >= table.horizontalHeader().sectionSizeHint(2)
    assert sum(map(table.columnWidth, range(3))) <= table.viewport().width()
    before = table.columnWidth(1)
    table.show_rows([("1", "", "7"), ("1,234,567,890", "", "7")])
    assert table.columnWidth(1) < before
    table.show_rows([])
    assert table.columnWidth(0) >= table.horizontalHeader().sectionSizeHint(0)


def test_a_character_that_no_font_has_is_named(table: RowsTable) -> None:
    nowhere = "\U0010fffd"  # for private use: no font has it
    assert drawable(f"Zoë {nowhere}") == "Zoë ‹U+10FFFD›"
    table.resize(900, 200)
    table.show_rows([("1", nowhere, "7"), ("1", "‹U+10FFFD›", "7")])
    cells = [table.viewport().grab(table.visualRect(table.model().index(row, 1))).toImage() for row in (0, 1)]
    assert cells[0] == cells[1], "it is painted by its number"
    index = table.model().index(0, 1)
    assert index.data() == nowhere, "it is copied and heard as it was received"
    assert "No font here has U+10FFFD (no name)" in index.data(Qt.ItemDataRole.ToolTipRole)


def test_columns_take_all_the_room_whatever_it_is(qtbot: QtBot) -> None:
    columns = [Column[str](name, str, share=share) for name, share in (("a", 3), ("b", 4), ("c", 2))]
    columns += [Column[str]("d", str, width=84), Column[str]("e", str, width=lambda room: room // 5)]
    made = RowsTable(RowsModel(columns), "Shares")
    qtbot.addWidget(made)
    made.show()
    for width in (300, 301, 467, 1013):
        made.resize(width, 100)
        assert sum(map(made.columnWidth, range(5))) == made.viewport().width()
        assert made.columnWidth(3) == 84
        assert made.columnWidth(4) == made.viewport().width() // 5
    made.leave_out(0, True)
    assert made.isColumnHidden(0)
    assert sum(map(made.columnWidth, range(1, 5))) == made.viewport().width()
    for place in (1, 2):
        made.leave_out(place, True)
    assert made.columnWidth(3) == 84
    assert made.columnWidth(3) + made.columnWidth(4) == made.viewport().width(), (
        "the last takes what none shares"
    )


def test_a_column_that_comes_back_has_room_for_its_heading(qtbot: QtBot) -> None:
    columns = (Column[str]("Name", str), Column[str]("A long heading", lambda _: "–", fit=True, spare=300))
    made = RowsTable(RowsModel(columns), "Things")
    qtbot.addWidget(made)
    made.show_rows(["one"])
    made.show()
    made.resize(500, 200)
    whole = made.columnWidth(1)
    assert whole >= made.horizontalHeader().fontMetrics().horizontalAdvance("A long heading")
    made.resize(250, 200)
    assert made.isColumnHidden(1)
    made.resize(500, 200)
    assert made.columnWidth(1) == whole


def test_a_column_of_a_given_width_has_room_for_its_heading(qtbot: QtBot) -> None:
    columns = (Column[str]("Name", str), Column[str]("A long heading", lambda _: "–", width=20))
    made = RowsTable(RowsModel(columns), "Things")
    qtbot.addWidget(made)
    made.resize(500, 200)
    made.show()
    assert made.columnWidth(1) >= made.horizontalHeader().fontMetrics().horizontalAdvance("A long heading")


def test_bounds_hold_but_for_the_last_that_shares(qtbot: QtBot) -> None:
    columns = [
        Column[str]("a", str, share=11, least=150, most=290),
        Column[str]("b", str, fit=True, least=64, most=130),
        Column[str]("c", str, share=9, spare=560),
        Column[str]("d", str, width=160, spare=860),
    ]
    made = RowsTable(RowsModel(columns), "Bounds")
    qtbot.addWidget(made)
    made.show()
    made.show_rows(["x"])
    for width, shown in ((500, [500 - 64, 64]), (700, [290, 64, 346]), (900, [290, 64, 386, 160])):
        made.resize(width, 100)
        assert [made.columnWidth(place) for place in range(4) if not made.isColumnHidden(place)] == shown
    made.show_rows(["x" * 300])
    assert made.columnWidth(1) == 130


def test_other_columns_take_the_place_of_those_that_were_there(qtbot: QtBot) -> None:
    model = RowsModel[str]([Column("One", str)])
    made = RowsTable(model, "Columns")
    qtbot.addWidget(made)
    QAbstractItemModelTester(model, _STRICT, made)
    made.show_rows(["a"])
    model.show_columns([Column("One", str), Column("Two", str.upper)], ["b", "c"])
    assert [model.headerData(place, Qt.Orientation.Horizontal) for place in range(2)] == ["One", "Two"]
    assert model.index(1, 1).data() == "C"


def test_a_text_stands_below_its_head(table: RowsTable) -> None:
    table.show_rows([("1", "Evalue", "7")])
    image = table.grab().toImage()
    cell = table.visualRect(table.model().index(0, 1)).translated(table.viewport().pos())
    head = table.horizontalHeader()
    section = QRect(
        head.x() + head.sectionViewportPosition(1), head.y(), head.sectionSize(1) - 4, head.height()
    )
    under = first_ink(image, cell, QRect(cell.right() - 2, cell.top() + 4, 1, 1))
    assert abs(first_ink(image, section, QRect(section.right(), 4, 1, 1)) - under) <= 1
    assert head.defaultAlignment() & Qt.AlignmentFlag.AlignLeft


def test_the_row_chosen_stays_chosen_where_it_is_found_again(table: RowsTable) -> None:
    rows = [("1", "a", "7"), ("2", "b", "8"), ("3", "c", "9")]
    heard = list[int]()
    table.show_rows(rows)
    table.setCurrentIndex(table.model().index(1, 1))
    table.chosen.connect(heard.append)
    table.show_rows(rows[1:], lambda one, other: one[0] == other[0])
    assert (table.row(), heard) == (rows[1], [0])
    table.show_rows(rows[2:], lambda one, other: one[0] == other[0])
    assert (table.row(), heard) == (None, [0, -1])


def test_other_words_for_the_same_rows_move_nothing(qtbot: QtBot) -> None:
    view = actions_table(qtbot, [])
    view.setCurrentIndex(view.model().index(2, 1))
    with qtbot.assertNotEmitted(view.model().modelReset):
        view.show_rows([(number, "in 2 h") for number in range(3)], lambda one, other: one[0] == other[0])
    assert view.currentIndex() == view.model().index(2, 1)
    assert view.model().index(2, 1).data() == "in 2 h"
    assert view.model().index(2, 2).data() == ""
    view.act(2)  # nothing to do, and nothing happens
    view.show_rows([])
    assert view.model().rowCount() == 0


def test_only_what_is_in_sight_is_read(qtbot: QtBot) -> None:
    read = set[int]()

    def text(row: int) -> str:
        read.add(row)
        return str(row)

    made = RowsTable(RowsModel([Column("Number", text)]), "Many")
    qtbot.addWidget(made)
    made.resize(300, 200)
    made.show_rows(range(100_000))
    made.show()
    made.grab()
    assert read
    assert max(read) < 20


def test_enter_a_double_click_and_a_link_are_told(qtbot: QtBot) -> None:
    made = RowsTable(
        RowsModel([Column[str]("Name", str), Column[str]("", lambda _: "Open", "link")]), "Names"
    )
    qtbot.addWidget(made)
    made.resize(300, 200)
    made.show()
    made.show_rows(["a", "b", "c"])
    taken, links = list[int](), list[int]()
    made.taken.connect(taken.append)
    made.link_clicked.connect(links.append)
    made.setCurrentIndex(made.model().index(1, 0))
    QTest.keyClick(made, Qt.Key.Key_Return)
    QTest.keyClick(made, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)  # sends the page's form
    spot = made.visualRect(made.model().index(2, 0)).center()
    QTest.mouseClick(made.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    QTest.mouseDClick(made.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    spot = made.visualRect(made.model().index(0, 1)).center()
    QTest.mouseClick(made.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert (taken, links) == ([1, 2], [0])


def test_the_cell_is_copied(table: RowsTable) -> None:
    table.show_rows([("1", "the\nvalue", "7")])
    table.setCurrentIndex(table.model().index(0, 1))
    QTest.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "the␊value"


def test_a_table_may_copy_what_it_likes_and_take_a_row_with_control(qtbot: QtBot) -> None:
    copied, taken = list[str](), list[int]()
    made = RowsTable(
        RowsModel([Column[str]("Name", str)]), "Names", control=True, copy=lambda: copied.append(made.row())
    )
    qtbot.addWidget(made)
    made.taken.connect(taken.append)
    made.show_rows(["a", "b"])
    made.setCurrentIndex(made.model().index(1, 0))
    QTest.keyClick(made, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(made, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert (copied, taken) == (["b"], [1])


def test_actions_by_enter_a_click_and_the_menu(qtbot: QtBot) -> None:
    done: list[str] = []
    view = actions_table(qtbot, done)
    view.show()
    view.setCurrentIndex(view.model().index(1, 0))
    QTest.keyClick(view, Qt.Key.Key_Return)
    QTest.keyClick(view, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)  # sends the page's form
    spot = view.visualRect(view.model().index(2, 2)).center()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    spot = view.visualRect(view.model().index(2, 0)).center()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    QTest.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    menu = view.menu(0)
    assert [action.text() for action in menu.actions()] == ["Copy", "Forget"]
    menu.actions()[1].trigger()
    assert done == ["copy 1", "copy 2", "forget 0"]


def test_remote_words_are_plain_and_badges_have_their_ground(qtbot: QtBot) -> None:
    theme().install("light")
    view = actions_table(qtbot, [])
    assert view.model().index(0, 0).data(Qt.ItemDataRole.ToolTipRole) == "<span>&lt;b&gt;0&lt;/b&gt;</span>"
    view.show()
    image = view.viewport().grab().toImage()
    area = view.visualRect(view.model().index(0, 1))
    assert image.pixelColor(area.left() + 13, area.center().y()) == theme().colors.color("fails_ground")


def test_a_badge_may_hold_a_part_and_a_column_may_paint_itself(qtbot: QtBot) -> None:
    theme().install("light")
    painted = list[tuple[str, int]]()
    columns = (
        Column[str]("Verdicts", str, "fails", parts=lambda row: (row[:2], row[2:])),
        Column[str]("Own", str, paint=lambda _, option, row: painted.append((row, option.rect.height()))),
    )
    made = RowsTable(RowsModel(columns), "Parts", height=30)
    qtbot.addWidget(made)
    made.resize(600, 120)
    made.show_rows(["ab" + "c" * 10])
    made.show()
    image = made.viewport().grab().toImage()
    area, ground = made.visualRect(made.model().index(0, 0)), theme().colors.color("fails_ground")
    y = area.center().y() + 6
    held = [x for x in range(area.left(), area.right()) if image.pixelColor(x, y) == ground]
    assert 0 < held[-1] - held[0] < 60, "only the part stands on the ground"
    assert ("ab" + "c" * 10, 30) in painted
    assert made.model().index(0, 0).data() == "ab" + "c" * 10


def test_a_cell_says_its_column_to_assistive_technology(table: RowsTable) -> None:
    table.show_rows([("1", "", "7")])
    spoken = [table.model().index(0, place).data(Qt.ItemDataRole.AccessibleTextRole) for place in range(3)]
    assert spoken == ["Page: 1", "Value: none", "Request number: 7"]


def test_without_rows_a_sentence_stands_in_the_middle(table: RowsTable) -> None:
    table.say_empty("Nothing yet")
    sentence = table.empty
    assert sentence.isVisible()
    table.resize(500, 300)
    assert sentence.geometry() == table.viewport().rect()
    table.show_rows([("1", "", "")])
    assert not sentence.isVisible()
    table.show_rows([])
    assert sentence.isVisible()


def test_another_scheme_is_painted_in_its_colours(table: RowsTable) -> None:
    table.show_rows([("1", "", "7")])
    foot = table.visualRect(table.model().index(0, 1)).bottomLeft()
    for scheme in ("dark", "light"):
        theme().install(scheme)
        assert table.viewport().grab().toImage().pixelColor(foot) == theme().colors.color("line")


def test_a_column_cut_in_its_middle_keeps_its_end(qtbot: QtBot) -> None:
    shown = dict[Qt.TextElideMode, QImage]()
    end, middle = Qt.TextElideMode.ElideRight, Qt.TextElideMode.ElideMiddle
    for cut in (end, middle):
        column = Column[str]("Path", lambda path: path, "mono", cut=cut)
        made = RowsTable(RowsModel([column]), "Paths")
        qtbot.addWidget(made)
        made.resize(200, 100)
        made.show_rows(["/a" + "/b" * 100 + "/END"])
        shown[cut] = made.grab().toImage()
    assert shown[end] != shown[middle]


def test_toggle_of_assistive_technology_chooses_a_row(table: RowsTable, qtbot: QtBot) -> None:
    table.show_rows([("1", "first", "7"), ("2", "second", "7")])
    table.setCurrentIndex(table.model().index(0, 0))
    spoken = QAccessible.queryAccessibleInterface(table)
    assert spoken is not None
    cells = [
        one for one in map(spoken.child, range(spoken.childCount())) if one.role() == QAccessible.Role.Cell
    ]
    cell = cells[table.model().columnCount()]
    with qtbot.waitSignal(table.chosen) as told:
        cell.actionInterface().doAction("Toggle")
    assert told.args == [1]
    assert table.currentIndex().row() == 1
