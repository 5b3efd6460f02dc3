"""What is imported ahead of the first visit to the pages of the group Quality."""

from __future__ import annotations

import sys

import pytest
from PySide6.QtWidgets import QWidget

from explorer.ui.app import page_registry as pages
from tests.gui.stage import run_loop, until


def test_the_pages_about_quality_are_imported_ahead_a_module_at_a_time(
    qapp: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = list(pages.AHEAD) or ["explorer.ui.pages.quality.quality_page"]
    monkeypatch.setattr(pages, "AHEAD", list(names))
    monkeypatch.setattr(pages, "_PAUSE_MS", 0)
    page = QWidget()

    async def scene() -> None:
        pages.look_ahead(page)  # type: ignore[arg-type]  # any widget can end it
        assert names[1:] == pages.AHEAD
        await until(lambda: not pages.AHEAD, "the last of them")

    run_loop(qapp, scene)  # type: ignore[arg-type]  # the fixture is typed by pytest-qt
    assert set(names) <= set(sys.modules)
    page.deleteLater()
