"""How the page of quality runs stands: where it begins, what room each part has, what its head says."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.quality.engine.check import Verdict
from explorer.ui.app.application import Application
from explorer.ui.pages.list.list_page import ListPage
from explorer.ui.pages.quality.quality_page import QualityPage
from explorer.ui.pages.quality.quality_table import CHECK, EVIDENCE, MEASURED, SEEN
from explorer.ui.pages.quality.quality_words import short_moment
from explorer.ui.pages.quality.run_results import Cards
from tests.gui.conftest import RunWindow, until
from tests.gui.test_quality_page import CLEAN, NULL, chip, click, only_drives, opened, ran
from tests.mirror.quality.made import made_run

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
Button = Qt.MouseButton.LeftButton
DRIVES = "file-storage/drive"


def widths(page: QualityPage) -> list[int]:
    """Of the columns that are shown."""
    table = page.shown.results
    return [table.columnWidth(c) for c in range(EVIDENCE + 1) if not table.isColumnHidden(c)]


def test_another_run_begins_with_its_findings_and_one_found_again_stays_chosen(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        page = await opened(app)
        assert app.window.focusWidget() is page.head.primary_button
        only_drives(page)
        click(chip(page, f"Connections: {CLEAN}"))
        click(chip(page, f"Connections: {NULL}"))
        await ran(page)
        assert page.shown.results.go_to("records.types", DRIVES)
        assert page.finding.isVisible()

        click(page.head.setup)
        assert (page.head.setup.text(), page.head.primary_button.text()) == ("Back to results", "Run")
        click(page.head.setup)
        assert (page.head.setup.text(), page.head.primary_button.text()) == ("What to check…", "Run again")
        assert page.shown.results.isVisible()
        click(page.head.setup)
        click(chip(page, f"Connections: {NULL}"))
        click(chip(page, f"Connections: {CLEAN}"))
        await ran(page)
        assert page.run_shown is not None
        assert page.run_shown.connection == NULL
        assert not page.shown.results.currentIndex().isValid()
        assert page.finding.isHidden()
        assert page.shown.results.verticalScrollBar().value() == 0
        assert page.tools.runs.currentText().startswith(short_moment(page.run_shown.started_at))

        assert page.shown.results.go_to("records.nulls", DRIVES)
        await ran(page)
        line = page.shown.results.row()
        assert line is not None
        assert line.result.check.id == "records.nulls"
        assert page.finding.isVisible()
        assert "field name" in page.finding.about.whole()
        assert not page.finding.findings.isVisible(), "one finding alone is not listed once more"

        at = page.shown.results.visualRect(page.shown.results.currentIndex()).center()
        page.shown.close_finding()
        QTest.mouseClick(page.shown.results.viewport(), Button, pos=at)
        assert page.finding.isVisible(), "a click on the chosen line opens it again"

    run_window(body, connection=NULL)


def test_each_part_has_its_room_at_any_size(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        page = await opened(app)
        app.window.resize(1440, 900)
        only_drives(page)
        await ran(page)
        table = page.shown.results
        await until(lambda: sum(widths(page)) == table.viewport().width(), "all of the width")
        assert not table.isColumnHidden(MEASURED)
        for combo in (page.tools.runs, page.tools.verdicts):
            assert combo.shown_text() == combo.currentText()
        assert table.go_to("records.nulls", DRIVES)
        await until(lambda: page.finding.width() >= 400, "the room of the finding")
        await until(lambda: sum(widths(page)) == table.viewport().width(), "the rest of the width")
        assert table.isColumnHidden(MEASURED)
        assert not table.isColumnHidden(EVIDENCE)
        assert table.columnWidth(SEEN) > table.columnWidth(CHECK), "the sentence has room before all else"
        inside = page.finding.widget()
        assert inside is not None
        for button in (page.finding.hand_over_button, page.finding.accept_button):
            assert button.isVisible()
            low = button.mapTo(inside, button.rect().bottomLeft()).y()
            assert low < page.finding.examples.y(), "buttons stand above tables of any height"
        for button in (page.finding.page_button, page.finding.about_button):
            assert button.isVisible()
            high = button.mapTo(inside, QPoint(0, 0)).y()
            assert high < page.finding.record.y(), "and those of a row above what may be longer than the page"

        app.window.resize(1024, 640)
        await until(lambda: page.finding.width() <= 330, "its share of a small window")
        await until(lambda: sum(widths(page)) == table.viewport().width(), "no column beyond the edge")
        assert table.isColumnHidden(SEEN)
        assert table.columnWidth(CHECK) > 200
        rows, view = page.finding.examples, page.finding.viewport()
        await until(
            lambda: rows.mapTo(view, rows.rect().bottomLeft()).y() <= view.height(), "its rows in sight"
        )
        assert page.finding.verticalScrollBar().value() == 0
        assert page.finding.command.isHidden(), "what proves it is folded"
        click(page.finding.fold_button)
        assert page.finding.command.isVisible()
        click(page.finding.fold_button)
        for place in (0, 1, 5):
            column = page.finding.examples
            if not column.isColumnHidden(place):
                assert column.columnWidth(place) >= column.horizontalHeader().sectionSizeHint(place)

        app.window.resize(1440, 900)
        await until(lambda: page.finding.width() >= 400, "the room it had")
        page.shown.close_finding()
        await until(lambda: not table.isColumnHidden(MEASURED), "the whole table")
        index = table.index_of("records.nulls", DRIVES).siblingAtColumn(EVIDENCE)
        table.setCurrentIndex(table.results.index(0, 0))
        at = table.visualRect(index).center()
        QTest.mousePress(table.viewport(), Button, pos=at)
        assert page.finding.isHidden(), "nothing moves below the pointer until the button is let go"
        QTest.mouseRelease(table.viewport(), Button, pos=at)
        await until(lambda: isinstance(app.window.tabs.current, ListPage), "the list, by that one click")

    run_window(body, connection=NULL)


def test_what_would_be_lost_holds_the_tab(run_window: RunWindow, tmp_path: Path) -> None:
    async def body(app: Application) -> None:
        page = await opened(app)
        only_drives(page, ["Envelope"])
        await ran(page)
        assert page.unfinished == ""
        page.save_bundle(tmp_path / "b.zip", [])
        assert page.unfinished == "An evidence bundle is still being saved."
        app.window.tabs.close_current()
        assert app.window.tabs.current is page
        await until(lambda: not page.unfinished, "the bundle")
        assert (tmp_path / "b.zip").exists()
        app.window.tabs.close_current()
        assert app.window.tabs.current is not page

    run_window(body, connection=CLEAN)


@pytest.mark.parametrize("width", [1140, 775])
def test_the_cards_of_a_run_say_all_of_it(dressed: QApplication, qtbot: QtBot, width: int) -> None:
    """As wide as they are in a window of 1440 and of 1024 pixels."""
    skipped = [replace(made_run().results[0], verdict=Verdict.SKIPPED, findings=()) for _ in range(233)]
    held = [replace(one, verdict=Verdict.HOLDS) for one in skipped[:209]]
    run = replace(made_run(), seconds=128.4, results=(*made_run().results, *skipped, *held))
    cards = Cards()
    qtbot.addWidget(cards)
    cards.show_run(run)
    cards.resize(width, cards.heightForWidth(width))
    cards.show()
    for card in (cards.checks, cards.records, cards.mapping, cards.latency):
        for label in (card.name, card.number, card.more):
            if label.isVisible():
                assert label.shown() == label.whole()
                lines = label.heightForWidth(label.width()) if label.wordWrap() else label.sizeHint().height()
                assert label.height() >= lines, label.whole()
                assert label.wordWrap() or label.sizeHint().width() <= label.width(), label.whole()
