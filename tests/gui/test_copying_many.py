"""Copying thousands of rows: how far it is, Esc, and a clipboard that is left alone until all is there."""

import asyncio
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.ui.records import row_menu, row_output
from tests.gui.list_server import ListServer, run, settled, stage, until

ROWS = 3000


@pytest.mark.usefixtures("qtbot")
def test_copying_many_rows_says_how_far_it_is_and_can_be_stopped(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(row_menu, "_MANY", 500)
    server = ListServer(rows=ROWS, size=1000)
    gate = asyncio.Event()
    each = row_output._each

    async def held(pieces: row_output.Pieces):  # type: ignore[no-untyped-def]  # noqa: ANN202
        async for piece in each(pieces):
            yield piece
            await gate.wait()

    async def scene(base_url: str) -> None:
        at = await stage(base_url, tmp_path)
        try:
            page = at.open()
            await settled(page)
            page.load_all()
            await settled(page)
            clipboard = QGuiApplication.clipboard()
            clipboard.setText("before")
            page.table.selectAll()
            asked = len(server.asked)
            monkeypatch.setattr(row_output, "_each", held)
            page.menu.copy_rows("ids")
            await until(lambda: page.hint.text().startswith("Copying "))
            assert page.hint.text().endswith(f" of {ROWS:,} rows; Esc stops")
            QTest.keyClick(page.table, Qt.Key.Key_Escape)
            assert not page.tasks.busy("copy")
            assert (page.hint.text(), clipboard.text()) == ("Nothing was copied", "before")
            gate.set()
            page.menu.copy_rows("ids")
            await until(lambda: not page.tasks.busy("copy"))
            assert page.hint.text() == f"Copied {ROWS:,} rows"
            assert clipboard.text().split() == [str(n) for n in range(ROWS)]
            assert len(server.asked) == asked, "selecting and copying ask for nothing"
        finally:
            await at.close()

    with server.running() as base_url:
        run(qapp, scene(base_url))
