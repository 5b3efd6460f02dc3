"""Several chosen rows are compared field by field in the inspector; one alone is shown as ever."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.jsontext.pieces import AT_ONCE
from explorer.ui.inspector.inspector import ComparedField, Inspector, compared
from explorer.ui.kit.theme import theme
from explorer.ui.pages.list.list_page import ListPage
from explorer.ui.records.record_view import RecordView
from tests.builtin import registry as builtin_registry
from tests.gui.list_server import ListServer, Play, Stage, playing, settled, turns

KEY, SHIFT, CONTROL = Qt.Key, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


def record(number: int) -> dict[str, Any]:
    """Jobs of one name; the third lacks it, the fourth has null and a field of its own."""
    made: dict[str, Any] = {"id": str(number), "name": "Engineer", "confidential": False}
    if number == 2:
        del made["name"]
    if number == 3:
        made |= {"name": None, "salary": 1}
    return made


@pytest.fixture
def play(qapp: QApplication, qtbot: QtBot, tmp_path: Path) -> Play:
    return playing(qapp, tmp_path)


async def opened(at: Stage, qtbot: QtBot) -> tuple[ListPage, Inspector]:
    page = at.open()
    await settled(page)
    inspector = Inspector()
    qtbot.addWidget(inspector)
    theme().dress(inspector)
    inspector.resize(500, 500)
    inspector.show()
    page.record_chosen.connect(inspector.show_record)
    page.activateWindow()
    page.table.setFocus()
    page.table.setCurrentIndex(page.model.index(0, 1))
    await turns()
    return page, inspector


def told(inspector: Inspector) -> dict[str, ComparedField]:
    assert inspector.compared.isVisible()
    return {row.name: row for row in inspector.compared.model.rows}


def test_rows_chosen_by_keyboard_are_compared_and_one_alone_is_shown_again(play: Play, qtbot: QtBot) -> None:
    async def scene(at: Stage) -> None:
        page, inspector = await opened(at, qtbot)
        assert inspector.fields.isVisible()
        QTest.keyClick(page.table, KEY.Key_Down, SHIFT)
        await turns()
        rows = told(inspector)
        assert {name for name, row in rows.items() if row.differs} == {"id"}
        assert inspector.compared.said.whole() == "1 of 10 fields differs"
        assert inspector.label.whole() == "2 records compared"
        heads = [column.title for column in inspector.compared.model.columns]
        assert heads == ["Unified field", "Row 1", "Row 2"]
        for _ in range(2):
            QTest.keyClick(page.table, KEY.Key_Down, SHIFT)
        await turns()
        rows = told(inspector)
        assert {name for name, row in rows.items() if row.differs} == {"id", "name", "salary"}
        assert [cell.kind for cell in rows["name"].cells] == ["text", "text", "absent", "null"]
        QTest.keyClick(page.table, KEY.Key_Down)
        await turns()
        assert inspector.fields.isVisible()
        assert not inspector.compared.isVisible()
        assert inspector.label.whole() == "Engineer"

    play(ListServer(rows=50, record=record), scene)


def test_a_row_added_or_taken_away_by_the_pointer_counts_at_once(play: Play, qtbot: QtBot) -> None:
    async def scene(at: Stage) -> None:
        page, inspector = await opened(at, qtbot)

        async def click(row: int) -> None:
            place = page.table.visualRect(page.model.index(row, 1)).center()
            QTest.mouseClick(page.table.viewport(), Qt.MouseButton.LeftButton, CONTROL, place)
            await turns()

        await click(4)
        assert [column.title for column in inspector.compared.model.columns][1:] == ["Row 1", "Row 5"]
        await click(3)
        assert [column.title for column in inspector.compared.model.columns][1:] == [
            "Row 1",
            "Row 4",
            "Row 5",
        ]
        await click(3)
        assert [column.title for column in inspector.compared.model.columns][1:] == ["Row 1", "Row 5"]
        assert told(inspector)["name"].differs is False

    play(ListServer(rows=50, record=record), scene)


def test_of_very_many_rows_the_one_that_the_user_is_on_is_shown(play: Play, qtbot: QtBot) -> None:
    async def scene(at: Stage) -> None:
        page, inspector = await opened(at, qtbot)
        page.table.selectAll()
        await turns()
        assert inspector.fields.isVisible()
        assert inspector.place.whole() == "id 0  ·  row 1"

    play(ListServer(rows=50, record=record), scene)


def test_a_very_large_record_is_not_read_whole(play: Play, qtbot: QtBot) -> None:
    def large(number: int) -> dict[str, Any]:
        return {"id": str(number), "raw_data": {"text": "x" * (AT_ONCE if number == 1 else 5)}}

    async def scene(at: Stage) -> None:
        page, inspector = await opened(at, qtbot)
        QTest.keyClick(page.table, KEY.Key_Down, SHIFT)
        await turns()
        assert inspector.compared.said.whole().startswith("Row 2 is too large to be compared")
        assert not inspector.compared.model.rows

    play(ListServer(rows=3, size=3, record=large), scene)


def test_values_that_differ_are_shown_as_received_around_the_place_where_they_do() -> None:
    long = "Working Student in the Department for Sustainable Procurement"
    one = {
        "id": "1",
        "created_at": "2025-05-22T01:24:00Z",
        "name": long + " and Supplier Quality",
        "confidential": None,
    }
    other = {"id": "1", "created_at": "2025-05-22T01:24:00", "name": long + " an", "confidential": True}
    resource = builtin_registry.resource("ats/job")
    rows = {
        row.name: [cell.text for cell in row.cells]
        for row in compared([RecordView(json.dumps(record).encode(), resource) for record in (one, other)])
    }
    assert rows["id"] == ["1", "1"]
    assert rows["created_at"] == ['…:24:00Z"', '…:24:00"']
    assert rows["name"] == ['…ent and Supplier Quality"', '…ent an"']
    assert rows["confidential"] == ["null", "true"]
