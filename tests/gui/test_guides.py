"""The guides: F1 shows the one for the page in front; all are at hand offline, as text."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from explorer.paths import resource
from explorer.ui.app.application import Application
from explorer.ui.app.guides import TITLES, Guides, guide_for
from tests.gui.conftest import RunWindow, until


def test_f1_opens_the_guide_for_the_page_in_front(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        window = app.window
        await until(lambda: app.session is not None and window.tabs.current is not None, "the first page")
        window.open_page("quality/snapshots")
        window.activateWindow()
        QTest.keyClick(window, Qt.Key.Key_F1)
        await until(lambda: window.findChild(Guides) is not None, "the guides")
        [guides] = window.findChildren(Guides)
        assert guides.text.toPlainText().startswith("Did my mapping change do what I meant?")
        QTest.keyClick(guides.list, Qt.Key.Key_Down)
        assert guides.text.toPlainText().startswith("Prove a defect")
        QTest.keyClick(guides, Qt.Key.Key_Escape)
        await until(lambda: window.findChild(Guides) is None, "their end")

    run_window(body)


@pytest.mark.parametrize(
    ("page", "guide"),
    [
        ("", "new-connection"),
        ("ats/job", "new-connection"),
        ("quality/runs", "prove-a-defect"),
        ("connect/magic-link", "support-question"),
        ("crm/account", "support-question"),
    ],
)
def test_each_page_has_its_guide(page: str, guide: str) -> None:
    assert guide_for(page) == guide


@pytest.mark.parametrize("name", TITLES)
def test_a_guide_is_text_under_its_title(dressed: QApplication, name: str) -> None:
    guides = Guides(name)
    shown = guides.text.toPlainText()
    assert shown.startswith(TITLES[name])
    assert "unified-explorer" in shown
    assert not [sign for sign in ("![", "**", ".png", "```") if sign in shown]
    assert resource(f"guides/{name}.md").is_file()
    guides.deleteLater()
