"""What does not fit is marked where it is: cells and their card, the chip that picks such records, the inspector."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.ui.app.application import Application
from explorer.ui.inspector.inspector import Inspector
from explorer.ui.kit.theme import colors, theme
from explorer.ui.pages.list.list_page import ListPage
from explorer.ui.records import misfits, records
from explorer.ui.records.misfit_card import WIDTH, MisfitWords
from tests.gui.conftest import RunWindow
from tests.gui.list_server import ListServer, Play, Stage, playing, settled, turns, until
from tests.gui.test_find_filter_sort import answered, ids

WRONG = (7, 13, 250)
KEY = Qt.Key


def record(number: int) -> dict[str, Any]:
    """A job; some have a text where true or false belongs, and one of them a date in a database's own form."""
    made: dict[str, Any] = {"id": str(number), "name": f"Job {number}", "confidential": False}
    made["modified_at"] = "2026-01-02T03:04:05Z"
    if number in WRONG:
        made["confidential"] = "yes"
    if number == 8:
        made["modified_at"] = "2024-05-06 07:08:09"
    return made


@pytest.fixture
def play(qapp: QApplication, qtbot: QtBot, tmp_path: Path) -> Play:
    return playing(qapp, tmp_path)


async def opened(at: Stage, *, size: tuple[int, int] = (1000, 500)) -> ListPage:
    page = at.open(size=size)
    await settled(page)
    page.activateWindow()
    return page


def column(page: ListPage, field: str) -> int:
    return [c.field for c in page.model.columns].index(field) + 1


def choose(page: ListPage, row: int, field: str) -> None:
    page.table.setFocus()
    page.table.setCurrentIndex(page.model.index(row, column(page, field)))


def card(page: ListPage) -> MisfitWords:
    shown = page.table.card.card
    assert shown is not None
    return shown


def test_only_cells_that_do_not_fit_are_marked(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = await opened(at)
        marked = {
            (row, page.model.columns[place].field): cell.text
            for row in range(100)
            for place, cell in enumerate(page.model.row(row).cells)
            if cell.misfit
        }
        assert marked == {
            (7, "confidential"): '"yes"',
            (8, "modified_at"): '"2024-05-06 07:08:09"',
            (13, "confidential"): '"yes"',
        }
        tip = page.model.index(7, 0).data(Qt.ItemDataRole.ToolTipRole)
        assert "Row 8: 1 value does not fit" in tip
        assert page.model.index(7, column(page, "confidential")).data(Qt.ItemDataRole.ToolTipRole) is None

    play(ListServer(rows=300, record=record), scene)


def test_a_marked_cell_has_its_ground_and_a_corner_and_its_neighbour_has_none(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = await opened(at)
        page.table.scrollToTop()
        await turns()
        image = page.table.viewport().grab().toImage()
        scale = image.devicePixelRatio()

        def pixel(row: int, field: str, dx: int, dy: int) -> str:
            cell = page.table.visualRect(page.model.index(row, column(page, field)))
            at_right = cell.topRight() + QPoint(dx, dy)
            return image.pixelColor(int(at_right.x() * scale), int(at_right.y() * scale)).name().upper()

        assert pixel(7, "confidential", -12, 4) == colors().misfit_ground
        assert pixel(7, "confidential", 0, 0) == colors().caution
        assert pixel(6, "confidential", -12, 4) == pixel(6, "confidential", 0, 0) == colors().surface

    play(ListServer(rows=300, record=record), scene)


def test_only_pages_that_hold_misfits_have_their_rows_looked_at(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[str] = []
    mark = misfits.marked

    def marked(row: Any, raw: bytes, *more: Any) -> Any:
        looked.append(json.loads(raw)["id"])
        return mark(row, raw, *more)

    monkeypatch.setattr(records, "marked", marked)

    async def scene(at: Stage) -> None:
        page = await opened(at)
        page.load_all()
        await settled(page)
        page.model.set_reading(page.columns.reading)  # what was made ready is forgotten
        looked.clear()
        for row in range(300):
            page.model.row(row)
            page.model.row(row)
        seen = {int(one) for one in looked}
        assert not seen & set(range(100, 200)), "all records of the second page fit"
        assert {7, 13, 250} <= seen
        assert len(looked) == len(set(looked)) == 200, "each row is looked at once"

    play(ListServer(rows=300, record=record), scene)


def test_large_records_are_looked_at_one_a_turn_and_marked_all_the_same(play: Play) -> None:
    def large(number: int) -> dict[str, Any]:
        return record(number) | {"raw_data": {"text": "x" * 60_000}}

    async def scene(at: Stage) -> None:
        page = await opened(at)
        place = column(page, "confidential")
        page.model.row(0)
        assert page.model.row(7).cells[place - 1].misfit == ""
        await until(lambda: page.model.row(7).cells[place - 1].misfit, "the mark")
        assert page.model.row(6).cells[place - 1].misfit == ""

    play(ListServer(rows=20, size=20, record=large), scene)


def test_f2_opens_the_card_below_its_cell_and_escape_closes_it(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = await opened(at)
        choose(page, 6, "confidential")
        QTest.keyClick(page.table, KEY.Key_F2)
        assert page.table.card.card is None, "its value fits"
        choose(page, 7, "confidential")
        QTest.keyClick(page.table, KEY.Key_F2)
        shown = card(page)
        assert {name: label.whole() for name, label in shown.lines.items()} == {
            "Expected": "true or false",
            "There is": '"yes"',
            "Missing": "true or false: this is a text",
        }
        assert shown.accessibleName() == "confidential does not fit the contract"
        cell = page.table.visualRect(page.table.currentIndex())
        bottom = page.table.viewport().mapTo(page.window(), cell.bottomLeft())
        assert (shown.width(), shown.y()) == (WIDTH, bottom.y() + 9)
        assert page.table.hasFocus(), "the keys stay in the table"
        stopped: list[None] = []
        page.table.stop_wanted.connect(lambda: stopped.append(None))
        QTest.keyClick(page.table, KEY.Key_Escape)
        assert page.table.card.card is None
        assert stopped == [], "Esc closed the card and did nothing else"
        QTest.keyClick(page.table, KEY.Key_Escape)
        assert len(stopped) == 1

    play(ListServer(rows=300, record=record), scene)


def test_at_the_lower_edge_the_card_lies_above_its_cell(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = await opened(at, size=(700, 330))
        choose(page, 7, "confidential")
        page.table.scrollTo(page.table.currentIndex(), page.table.ScrollHint.PositionAtBottom)
        QTest.keyClick(page.table, KEY.Key_F2)
        cell = page.table.visualRect(page.table.currentIndex())
        top = page.table.viewport().mapTo(page.window(), cell.topLeft())
        assert card(page).geometry().bottom() < top.y()

    play(ListServer(rows=300, record=record), scene)


def test_the_pointer_over_a_marked_cell_opens_the_card_and_takes_it_away(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = await opened(at)
        port = page.table.viewport()
        wrong = page.table.visualRect(page.model.index(7, column(page, "confidential"))).center()
        right = page.table.visualRect(page.model.index(6, column(page, "confidential"))).center()
        QTest.mouseMove(port, right)
        QTest.mouseMove(port, wrong)
        assert page.table.card.card is None
        await until(lambda: page.table.card.card is not None, "the card")
        QTest.mouseMove(port, right)
        assert page.table.card.card is None

    play(ListServer(rows=300, record=record), scene)


def test_enter_puts_the_reason_into_the_inspector(play: Play, qtbot: QtBot) -> None:
    async def scene(at: Stage) -> None:
        page = await opened(at)
        inspector = Inspector()
        qtbot.addWidget(inspector)
        theme().dress(inspector)
        inspector.resize(400, 600)
        inspector.show()
        page.record_chosen.connect(inspector.show_record)
        inspector.show_tab("JSON")
        choose(page, 7, "confidential")
        await turns()
        assert not inspector.fields.reason.isVisible()
        QTest.keyClick(page.table, KEY.Key_F2)
        QTest.keyClick(page.table, KEY.Key_Return)
        assert page.table.card.card is None
        assert inspector.tabs.currentIndex() == 0
        assert inspector.fields.reason.isVisible()
        assert inspector.fields.reason.lines["There is"].whole() == '"yes"'
        row = inspector.fields.table.row()
        assert (row.name, row.cell.text) == ("confidential", '"yes"')
        choose(page, 6, "confidential")
        assert not inspector.fields.reason.isVisible()

    play(ListServer(rows=300, record=record), scene)


def test_the_chip_counts_while_loading_picks_and_is_taken_off(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = await opened(at)
        chip = page.tools.unfit
        assert (chip.text(), page.tools.fit.whole()) == ("2 so far do not fit the contract", "")
        page.load_all()
        await settled(page)
        assert chip.text() == "3 do not fit the contract"
        QTest.mouseClick(chip, Qt.MouseButton.LeftButton)
        await answered(page)
        assert ids(page) == ["7", "13", "250"]
        assert chip.text() == "3 do not fit the contract ×"
        assert page.count.whole() == "3 match, of 300 loaded"
        chip.setFocus()
        QTest.keyClick(chip, KEY.Key_Backspace)
        await answered(page)
        assert page.model.rowCount() == 300
        assert chip.text() == "3 do not fit the contract"
        QTest.keyClick(chip, KEY.Key_Backspace)
        await turns()
        assert page.model.rowCount() == 300, "off already"

    play(ListServer(rows=300, record=record), scene)


def test_nulls_that_running_services_send_have_a_count_of_their_own_and_no_ground(play: Play) -> None:
    def made(number: int) -> dict[str, Any]:
        return record(number) | ({"offices": None} if number % 3 == 1 else {})

    async def scene(at: Stage) -> None:
        page = await opened(at)
        page.load_all()
        await settled(page)
        unfit, observed = page.tools.unfit, page.tools.observed
        assert (unfit.text(), observed.text()) == ("3 do not fit the contract", "97 with usual nulls"), (
            "7, 13 and 250 do not fit"
        )
        row = page.model.row(1)
        await until(
            lambda: bool(page.model.row(1).cells[column(page, "offices") - 1].observed), "it was looked at"
        )
        assert not any(cell.misfit for cell in row.cells)
        QTest.mouseClick(observed, Qt.MouseButton.LeftButton)
        await answered(page)
        assert page.model.rowCount() == 97
        assert "13" not in ids(page)
        QTest.mouseClick(unfit, Qt.MouseButton.LeftButton)
        await answered(page)
        assert ids(page) == ["7", "13", "250"], "the one takes the place of the other"
        assert not observed.isChecked()
        choose(page, 1, "offices")
        assert page.table.card.show_for(page.table.currentIndex())
        assert page.table.card.card is not None
        assert page.table.card.card.title.whole() == "is null, as running services send it"

    play(ListServer(rows=300, record=made), scene)


def test_the_chip_works_with_find_and_order(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = await opened(at)
        page.load_all()
        await settled(page)
        page.asking.sort(("id", True))
        page.tools.unfit.click()
        await answered(page)
        assert ids(page) == ["7", "250", "13"]
        page.tools.finder.field.setText("Job 2")
        await answered(page)
        assert ids(page) == ["250"]

    play(ListServer(rows=300, record=record), scene)


def test_that_all_fit_is_said_as_plain_text(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = await opened(at, size=(1400, 500))
        await until(lambda: page.pull is not None and page.pull.state == "complete")
        await turns()
        assert page.tools.fit.whole() == "All 50 fit the contract’s types"
        assert page.tools.fit.isVisible()
        assert not page.tools.unfit.isVisible()
        page.resize(560, 500)
        await turns()
        assert not page.tools.fit.isVisible(), "it makes room for what can be pressed"

    play(ListServer(rows=50), scene)


def test_a_double_click_opens_the_inspector_beside_the_rows(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        window = app.window
        await until(lambda: app.session is not None, "a session")
        window.open_page("ats/job")
        await until(
            lambda: isinstance(window.tabs.current, ListPage) and window.tabs.current.model.rowCount()
        )
        page = window.tabs.current
        assert isinstance(page, ListPage)
        window.commands.run("view.inspector")
        await turns()
        assert not window.inspector.isVisible()
        place = page.table.visualRect(page.model.index(3, 2)).center()
        QTest.mouseClick(page.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
        assert not window.inspector.isVisible(), "a click alone leaves the window as it is"
        QTest.mouseDClick(page.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
        await until(window.inspector.isVisible, "the inspector")
        assert window.inspector.view is not None
        assert window.inspector.view.row == 3
        QTest.mouseDClick(page.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
        await turns()
        assert window.inspector.isVisible(), "it is not closed by another"

    run_window(body)
