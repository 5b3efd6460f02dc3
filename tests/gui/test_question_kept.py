"""What is asked of the rows stays for the next start, by connection; what was found is marked in the cells."""

from __future__ import annotations

import json
import math
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.session import Filter
from explorer.ui.kit.json_view import JsonView
from explorer.ui.kit.theme import DARK, LIGHT, theme
from explorer.ui.pages.list.list_page import ListPage
from tests.gui.list_server import ListServer, Stage, run, settled, stage, until

Play = Callable[[Callable[[Stage], Awaitable[None]]], None]


@pytest.fixture
def play(qapp: QApplication, qtbot: QtBot, tmp_path: Path) -> Play:
    """Runs a scene against a server of 200 jobs, with everything closed in order afterwards."""

    def played(scene: Callable[[Stage], Awaitable[None]]) -> None:
        async def whole(base_url: str) -> None:
            made = await stage(base_url, tmp_path)
            try:
                await scene(made)
            finally:
                await made.close()

        with ListServer(rows=200).running() as base_url:
            run(qapp, whole(base_url))

    return played


async def answered(page: ListPage) -> None:
    await until(
        lambda: page.question.view is not None and page.question.view.state == "complete", "the answer"
    )
    page.model.sync()


def test_filters_and_order_come_back_over_the_rows_at_hand(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = at.open()
        await settled(page)
        page.tools.chips.add(Filter("confidential", "equals", True))
        page.asking.sort(("name", True))
        page.tools.finder.field.setText("a name of somebody")
        page.tools.finder.tell()
        await answered(page)
        state: dict[str, Any] = json.loads(json.dumps(page.save_state()))
        assert "somebody" not in json.dumps(state), "what is looked for is not kept"
        asked = len(at.session.exchanges.all())
        again = at.open()
        again.restore_state(state)
        await settled(again)
        await answered(again)
        assert [chip.change.text() for chip in again.tools.chips.chips] == ["confidential is true"]
        await until(again.tools.chips.isVisible, "the filters in sight")  # its line is laid out a turn later
        assert "▾" in again.model.headerData(2, again.table.horizontalHeader().orientation())
        names = [json.loads(again.model.raw(i))["name"] for i in range(again.model.rowCount())]
        assert names == sorted((f"Job {i}" for i in range(0, 100, 2)), reverse=True)
        assert again.count.whole() == "50 match, of 100 loaded"
        assert len(at.session.exchanges.all()) == asked, "it runs over the loaded rows"
        assert again.save_state()["asked"] == state["asked"]

    play(scene)


def test_filters_of_another_connection_are_kept_and_not_used(play: Play) -> None:
    async def scene(at: Stage) -> None:
        others = {
            "conn_other": {
                "filters": [{"column": "name", "op": "is null", "values": [None, None]}],
                "sort": [],
            }
        }
        page = at.open()
        page.restore_state({"asked": others})
        await settled(page)
        assert not page.tools.chips.chips
        assert page.model.rowCount() == 100
        page.asking.sort(("name", False))
        kept = page.save_state()["asked"]
        assert kept["conn_other"] == others["conn_other"]
        assert kept["conn_test"]["sort"] == [["name", False]]
        page.restore_state({"asked": 3})
        assert page.save_state()["asked"] == {"conn_test": kept["conn_test"]}

    play(scene)


def pixels(image: QImage, color: str) -> int:
    """How many pixels of ``image`` have exactly that colour."""
    wanted = QColor(color).rgb()
    return sum(image.pixel(x, y) == wanted for y in range(image.height()) for x in range(image.width()))


def cell_of(page: ListPage, row: int, column: int) -> QImage:
    rect = page.table.visualRect(page.model.index(row, column))
    image = QImage(rect.size(), QImage.Format.Format_RGB32)
    page.table.viewport().render(image, QPoint(), rect)
    return image


def contrast(one: str, other: str) -> float:
    """As WCAG has it."""

    def light(color: str) -> float:
        parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        red, green, blue = (c / 12.92 if c <= 0.04045 else math.pow((c + 0.055) / 1.055, 2.4) for c in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize(("scheme", "tokens"), [("light", LIGHT), ("dark", DARK)])
def test_what_was_found_is_marked_in_the_cells(play: Play, scheme: Any, tokens: Any) -> None:
    assert contrast(tokens.text, tokens.caution_ground) >= 7
    for ground in (tokens.surface, tokens.selection, tokens.caution_ground):
        assert contrast(tokens.on_caution, ground) >= 3, "the line under a match"

    async def scene(at: Stage) -> None:
        theme().choose(scheme)
        try:
            page = at.open()
            await settled(page)
            page.table.clearSelection()
            assert not pixels(cell_of(page, 0, 2), tokens.caution_ground)
            page.tools.finder.field.setText("JOB 1")
            page.tools.finder.tell()
            await answered(page)
            page.table.setCurrentIndex(page.model.index(3, 1))
            marked = cell_of(page, 0, 2)
            assert pixels(marked, tokens.caution_ground) > 100
            assert pixels(marked, tokens.on_caution) > 20
            assert not pixels(cell_of(page, 0, 1), tokens.caution_ground), "nothing was found in the id"
            assert pixels(cell_of(page, 3, 2), tokens.on_caution) > 20, "on the chosen row too"
            page.tools.finder.field.clear()
            await until(lambda: page.question.view is None, "all rows")
            page.table.clearSelection()
            assert not pixels(cell_of(page, 1, 2), tokens.caution_ground)
        finally:
            theme().choose("light")

    play(scene)


def test_matches_in_json_are_underlined(qapp: QApplication, qtbot: QtBot) -> None:
    theme().choose("light")
    view = JsonView()
    qtbot.addWidget(view)
    view.resize(500, 300)
    theme().dress(view)
    view.show()
    view.show_bytes(b'{"name": "Ada", "other": "Grace", "third": "Adam"}')
    before = pixels(view.tree.viewport().grab().toImage(), LIGHT.on_caution)
    view.search.setText("ada")
    qtbot.waitUntil(lambda: view.hits == 2 and not view.searching)
    marked = pixels(view.tree.viewport().grab().toImage(), LIGHT.on_caution)
    assert marked - before > 40
    view.search.clear()
    qtbot.waitUntil(lambda: pixels(view.tree.viewport().grab().toImage(), LIGHT.on_caution) == before)
