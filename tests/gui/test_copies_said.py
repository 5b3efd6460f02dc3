"""Whatever is copied, the status bar says what it was, and it all goes to the clipboard through one place."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from explorer.ui.app.application import Application
from explorer.ui.kit.clipboard import copy_text
from explorer.ui.pages.list.list_page import ListPage
from tests.gui.conftest import RunWindow, until

KEY = "; set UNIFIED_EXPLORER_APIKEY before you run it"
UI = Path(__file__).parents[2] / "explorer" / "ui"


def said(app: Application) -> str:
    found = re.search(r"Copied: .*?(?=  |$)", app.window.status.words())
    return found[0] if found else ""


def test_every_copy_is_said_in_the_status_bar(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        window = app.window
        await until(lambda: isinstance(window.tabs.current, ListPage), "the list")
        page: Any = window.tabs.current
        await until(lambda: page.model.rowCount() and page._fitted and not page.tasks.busy(), "the rows")
        assert said(app) == ""

        async def copies(run: Callable[[], object], words: str) -> None:
            QApplication.clipboard().setText("before")
            run()
            await until(lambda: said(app) == words, words)
            assert QApplication.clipboard().text() not in ("", "before")

        log, inspector = window.requests, window.inspector
        await copies(log.copy_curl, f"Copied: cURL command{KEY}")
        await copies(log.copy_url, "Copied: URL")
        await copies(log.copy_body, "Copied: response body")
        await copies(page.copy_curl, f"Copied: cURL command of the last call{KEY}")
        page.table.selectRow(0)
        page.table.setCurrentIndex(page.model.index(0, 1))
        await copies(page.menu.copy_cell, "Copied: cell")
        await until(lambda: page.table.selected_count() == 1 and not page.tasks.busy(), "one row")
        await copies(lambda: page.menu.copy_rows("json"), "Copied: 1 row")
        await until(lambda: inspector._view is not None, "the record")
        await copies(inspector.copy_record, "Copied: record")
        inspector.fields.table.selectRow(0)
        await copies(inspector.fields.copy_value, "Copied: value")
        await copies(inspector.fields.copy_name, "Copied: name of the field")
        control = Qt.KeyboardModifier.ControlModifier
        await copies(lambda: QTest.keyClick(page.table, Qt.Key.Key_C, control), "Copied: cell")

    assert run_window(body) == 0


def test_the_words_go_by_themselves_and_the_newest_stand(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        status = app.window.status
        copy_text("a", "URL")
        copy_text("b", "3 ids")
        assert said(app) == "Copied: 3 ids"
        assert status.copied.timer.isActive()
        status.copied.timer.timeout.emit()
        assert said(app) == ""

    assert run_window(body) == 0


@pytest.mark.parametrize("call", [r"clipboard\(\)\.set", r"QMimeData\(\)"])
def test_one_module_alone_writes_to_the_clipboard(call: str) -> None:
    writes = {
        str(path.relative_to(UI)) for path in UI.rglob("*.py") if re.search(call, path.read_text("utf-8"))
    }
    assert writes == {"kit/clipboard.py"}
