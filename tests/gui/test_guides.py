"""The guides: F1 shows the one for the page in front, or what is said of the check whose finding is open; all are at
hand offline, as text.
"""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from explorer.paths import resource
from explorer.quality.engine.all_checks import CHECKS
from explorer.ui.app.application import Application
from explorer.ui.help import TITLES, Guides, guide_for, reference
from tests.gui.conftest import RunWindow, until
from tests.gui.test_quality_page import NULL, only_drives, opened, ran


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


def at_top(guides: Guides) -> str:
    """The heading, or other block of text, that stands at the top of what is shown."""
    return guides.text.cursorForPosition(guides.text.viewport().rect().topLeft()).block().text()


def test_a_finding_leads_to_the_section_of_its_check(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        window, page = app.window, await opened(app)
        only_drives(page)
        await ran(page)
        assert page.shown.results.go_to("records.nulls", "file-storage/drive")

        async def explained(ask: QWidget, key: Qt.Key) -> str:
            """What stands at the top of the guides that a key on ``ask`` opens; they are closed again."""
            window.activateWindow()
            await until(window.isActiveWindow, "the keys of the window")
            QTest.keyClick(ask, key)
            await until(lambda: window.findChild(Guides) is not None, "the guides")
            [guides] = window.findChildren(Guides)
            top = at_top(guides)
            guides.activateWindow()
            await until(guides.isActiveWindow, "the keys of the guides")
            QTest.keyClick(guides.focusWidget(), Qt.Key.Key_Escape)
            await until(lambda: window.findChild(Guides) is None, "their end")
            return top

        assert await explained(page.finding.about_button, Qt.Key.Key_Space) == "records.nulls"
        assert await explained(window, Qt.Key.Key_F1) == "records.nulls"
        page.shown.close_finding()
        assert await explained(window, Qt.Key.Key_F1) == TITLES["prove-a-defect"]

    run_window(body, connection=NULL)


def test_a_check_stands_below_its_id_as_it_is_declared_with_how_to_accept_it(dressed: QApplication) -> None:
    shown = {}
    guides = Guides("checks")
    for at in range(guides.list.count()):
        guides.list.setCurrentRow(at)
        shown[guides.list.item(at).text()] = guides.text.toPlainText()
    assert list(shown) == [*TITLES.values(), *list(reference())[1:]]
    for check in CHECKS:
        text = shown[f"Checks: {check.group}"]
        assert f"{check.id}\n{check.sentence}. Counted in {check.measured}s" in text
        assert "keep it in a baseline" in text
    guides.deleteLater()


def test_of_a_check_that_is_no_more_the_reference_begins_at_its_beginning(dressed: QApplication) -> None:
    guides = Guides("checks", check="records.of-yore")
    guides.show()
    assert at_top(guides) == TITLES["checks"]
    guides.deleteLater()
