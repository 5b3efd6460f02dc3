"""The page of snapshots in the real window: keep, compare, look at a difference, count fields, rename, delete, stop."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QFileDialog, QInputDialog, QMessageBox

from explorer.quality.compare.names import AtHand
from explorer.store.store import Store
from explorer.ui.app.application import Application
from explorer.ui.handover import HandOver
from explorer.ui.kit.ask_file import FileAsk
from explorer.ui.own_pages import SNAPSHOTS
from explorer.ui.pages.list.list_page import ListPage
from explorer.ui.pages.snapshots.difference_rows import file_stem
from explorer.ui.pages.snapshots.snapshots_differences import NAME
from explorer.ui.pages.snapshots.snapshots_page import DIFFERENCES_TAB, FIELDS_TAB, SAVED_TAB, SnapshotsPage
from explorer.words import day_and_time
from tests.gui.conftest import RunWindow, until
from tests.gui.spoken import heard
from tests.gui.test_keyboard_tour import walked
from tests.mirror.quality.kept_rows import keep

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
Button, Keys = Qt.MouseButton.LeftButton, Qt.Key
DRIVES = "file-storage/drive"


def click(button: QAbstractButton) -> None:
    assert button.isVisible(), button.text()
    assert button.isEnabled(), button.text()
    QTest.mouseClick(button, Button)


async def quiet(page: SnapshotsPage) -> None:
    await until(lambda: not page.tasks.busy(), "the end of its work")


async def with_drives(app: Application) -> SnapshotsPage:
    """Drives at hand, and the page in front."""
    await until(lambda: app.session is not None and app.window.tabs.current is not None, "the session")
    app.window.resize(1280, 800)
    app.window.open_page(DRIVES)
    rows = app.window.tabs.current
    assert isinstance(rows, ListPage)
    await until(lambda: rows.model.rowCount() > 0 and not rows.tasks.busy(), "the drives")
    menu = rows.tools.export_button.menu()
    menu.aboutToShow.emit()
    next(one for one in menu.actions() if one.text() == "Keep as a snapshot…").trigger()
    page = app.window.tabs.current
    assert isinstance(page, SnapshotsPage)
    await until(lambda: page.findChildren(QInputDialog), "the question for a name")
    [dialog] = page.findChildren(QInputDialog)
    assert dialog.textValue().startswith("Drives ")
    dialog.setTextValue("Morning")
    dialog.accept()
    await until(lambda: page.kept.model.rows, "the snapshot")
    await quiet(page)
    app.window.activateWindow()  # offscreen no window is, once a dialog has closed
    await until(app.window.isActiveWindow, "the window")
    return page


def tampered(app: Application) -> dict[str, Any]:
    """The kept drives become others: one is gone, which is returned, and one has another name."""
    assert app.session is not None
    store = Store.of_profile(app.session.folders, app.session.profile.id)
    info = next(one for one in store.pulls() if one.key.resource == DRIVES)
    records = [json.loads(raw) for raw in store.rows(info.id, 0, info.rows)]
    gone: dict[str, Any] = records.pop()
    records[3]["name"] = "=Other"
    keep(store, records, of=info.key)
    store.close()
    return gone


def test_keep_compare_open_filter_and_save(run_window: RunWindow, qapp: QApplication, tmp_path: Path) -> None:
    async def body(app: Application) -> None:
        page = await with_drives(app)
        QAbstractItemModelTester(page.differences.lines, QAbstractItemModelTester.FailureReportingMode.Fatal)
        before, after = page.choice.chosen
        assert before is not None
        assert after is not None
        assert (before.key, after.about.resource) == ("snapshot:Morning", DRIVES)
        assert f"of the current pull, {day_and_time(after.about.updated_at)}" in after.title
        click(page.primary)
        await until(lambda: page.differences.made is not None, "the comparison")
        await quiet(page)
        assert page.tabs.currentIndex() == DIFFERENCES_TAB
        assert page.differences.counts.whole().startswith("Nothing differs in what was compared: 0 added")
        assert page.differences.masked.isVisible(), "what was left out is named beside it"
        assert page.differences.masked.whole().startswith("Left out: ")
        assert "updated_at" in page.differences.masked.whole()
        assert "the content of raw_data" in page.choice.said.whole(), "in words"
        assert "*" not in page.differences.masked.whole() + page.choice.said.whole()
        assert not page.choice.left_out.isVisible(), "patterns are shown where they are edited"
        click(page.choice.change)
        assert page.choice.left_out.hasFocus()
        assert "**.raw_data.*" in page.choice.left_out.text()
        click(page.choice.change)
        assert not page.differences.table.isVisible()
        assert page.differences.outdated.isHidden()
        page.choice.before.setCurrentIndex(1 - page.choice.before.currentIndex())
        page.choice.before.activated.emit(page.choice.before.currentIndex())
        assert page.differences.outdated.isVisible(), "other sides are chosen"
        assert "Morning" in page.differences.outdated.whole()
        page.choice.before.setCurrentIndex(1 - page.choice.before.currentIndex())
        page.choice.before.activated.emit(page.choice.before.currentIndex())
        assert page.differences.outdated.isHidden()

        lost = tampered(app)
        page.look()
        await quiet(page)
        assert page.differences.outdated.isVisible(), "the rows at hand are others"
        click(page.primary)
        await until(lambda: page.differences.lines.rowCount() == 2, "both differences")
        await quiet(page)
        assert "0 added, 1 gone, 1 changed" in page.differences.counts.whole()
        assert page.differences.what.shown_text() == "All differences", "a combo fits its texts"
        bars = (app.window.tabs.area.verticalScrollBar(), app.window.tabs.area.horizontalScrollBar())
        app.window.resize(1024, 640)
        await until(lambda: app.window.height() == 640, "the size")
        await until(lambda: not any(bar.maximum() for bar in bars), "the whole page, without scrolling it")
        app.window.resize(1280, 800)
        lines = page.differences.lines
        gone = next(row for row in range(2) if lines.index(row, 0).data() == "gone")
        assert lines.index(gone, 1).data() == lost["id"]
        assert lines.index(gone, NAME).data() == lost["name"], "as it was received before"
        page.differences.table.selectRow(gone)
        await until(lambda: page.differences.detail.said.whole().startswith("Gone: all"), "its fields")
        menu = page.differences.hand_button.menu()
        menu.actions()[0].trigger()
        await until(lambda: app.window.findChildren(HandOver), "the text of an issue")
        [dialog] = app.window.findChildren(HandOver)
        await until(lambda: "is gone" in dialog.text.toPlainText(), "what is gone")
        assert f"compare snapshot:Morning pull:{DRIVES}" in dialog.text.toPlainText()
        dialog.reject()
        await quiet(page)
        click(page.differences.row_button)
        assert app.window.tabs.current is page, "a record that is gone stands in no list"
        page.differences.table.selectRow(1 - gone)
        line = page.differences.line
        assert line is not None
        click(page.differences.row_button)
        await until(lambda: app.window.tabs.current is not page, "its list")
        drives = app.window.tabs.current
        assert isinstance(drives, ListPage)
        await until(lambda: drives.table.currentIndex().row() == line.row_b, "its row")
        app.window.open_page(SNAPSHOTS.key)
        await quiet(page)
        page.differences.ledger.click()
        assert page.tabs.currentIndex() == FIELDS_TAB, "the ledger is one click from the differences"
        await quiet(page)
        page.tabs.setCurrentIndex(DIFFERENCES_TAB)
        assert page.differences.masked.isHidden()  # it says nothing that does not stand above
        before_text = page.choice.left_out.text()
        page.choice.left_out.setText("name")
        assert "updated_at" in page.differences.masked.whole()
        assert page.differences.masked.isVisible()
        page.choice.left_out.setText(before_text)
        assert page.tabs.tabText(DIFFERENCES_TAB) == "Differences (2 records)"
        page.differences.what.setCurrentIndex(page.differences.what.findText("Changed (1)"))
        page.differences.what.activated.emit(page.differences.what.currentIndex())
        await until(lambda: page.differences.lines.rowCount() == 1, "the changed one")
        await until(lambda: [one.field for one in page.differences.detail.changes] == ["name"], "its field")
        (tmp_path / "d.csv").write_text("before")
        told: list[str] = []
        app.notices.posted.connect(lambda notice: told.append(notice.title))
        page.save(tmp_path / "d.csv", "csv")
        await quiet(page)
        page.save(tmp_path / "d.json", "json")
        await quiet(page)
        assert told == ["1 of 2 differences saved, as chosen"] * 2
        made = page.differences.made
        assert made is not None
        of_what = f"{DRIVES.replace('/', '-')}-{made.sides[1].about.connection}"
        day = f"{made.sides[1].about.updated_at.astimezone():%Y-%m-%d}"
        assert file_stem(made, 1) == f"differences-{of_what}-{day}-1-of-2"
        page.differences.sought.setText("nothing like it")
        await until(lambda: page.differences.lines.rowCount() == 0, "the empty answer")

    assert run_window(body, "Sandbox") == 0
    rows = list(csv.reader((tmp_path / "d.csv").read_text().splitlines()))
    assert rows[0][:6] == ["What", "Id", "Name", "Field", "Before", "After"], "as the table says them"
    assert [rows[1][0], rows[1][3], rows[1][5]] == ["changed", "name", '"=Other"']
    assert (tmp_path / "d.csv").stat().st_mode & 0o777 == 0o600, "they have people's data"
    saved = json.loads((tmp_path / "d.json").read_text())
    assert saved["chosen"] == {"what": ["changed"], "differences": 1, "of": 2}, "a part says that it is one"
    [one] = saved["differences"]
    assert one["fields"][0]["new"] == "=Other"


def test_dates_that_were_left_out_and_are_empty_now_are_a_click_from_their_rows(
    run_window: RunWindow,
) -> None:
    async def body(app: Application) -> None:
        page = await with_drives(app)
        assert app.session is not None
        store = Store.of_profile(app.session.folders, app.session.profile.id)
        info = next(one for one in store.pulls() if one.key.resource == DRIVES)
        records = [json.loads(raw) for raw in store.rows(info.id, 0, info.rows)]
        for record in records:
            record["created_at"] = ""
        keep(store, records, of=info.key)
        store.close()
        page.choice.left_out.setText(f"{page.choice.left_out.text()}, created_at, kind")
        page.look()
        await quiet(page)
        click(page.primary)
        await until(lambda: page.differences.made is not None, "the comparison")
        await quiet(page)
        assert page.differences.counts.whole().startswith("Nothing differs in what was compared")
        assert page.differences.unmask.text() == "Compare with created_at, to see the rows"
        click(page.differences.unmask)
        await until(lambda: page.differences.lines.rowCount() == len(records), "its rows")
        await quiet(page)
        assert page.differences.unmask.isHidden()
        assert page.choice.patterns[-1] == "kind"
        page.differences.hand_button.menu().actions()[1].trigger()
        await until(lambda: app.window.findChildren(HandOver), "the text of the whole comparison")
        [dialog] = app.window.findChildren(HandOver)
        await until(lambda: "See it again" in dialog.text.toPlainText(), "the text")
        text = dialog.text.toPlainText()
        assert all(record["id"] in text for record in records)
        assert f"compare snapshot:Morning pull:{DRIVES}@" in text
        assert text.rstrip().count(" --profile Sandbox --mask=kind\n"), "as it was compared"
        assert f"0 added, 0 gone, {len(records)} changed" in text
        dialog.reject()
        then = datetime(2026, 11, 20, 9, 12, tzinfo=UTC)
        earlier = AtHand(replace(page.kept.pulls[0].info, updated_at=then), 1)
        question = page.kept.ask_keep(earlier)
        assert question.textValue().endswith(f" {then.astimezone():%Y-%m-%d %H:%M}"), (
            "by its own time, not today's"
        )
        question.reject()

    assert run_window(body, "Sandbox") == 0


def test_what_happened_stands_above_the_lines_and_filters_them(
    run_window: RunWindow, qapp: QApplication
) -> None:
    async def body(app: Application) -> None:
        page = await with_drives(app)
        page.look()
        renamed(app)
        page.look()
        await quiet(page)
        click(page.primary)
        await until(lambda: page.differences.made is not None, "the comparison")
        await quiet(page)
        table, rows = page.differences.explained, page.differences.explained.told.rows
        assert table.isVisible()
        await until(lambda: table.height() >= table.height_of(len(rows)), "room for all sentences")
        assert not table.verticalScrollBar().isVisible()
        assert page.differences.table.isVisible()
        assert page.differences.detail.isHidden(), "the chosen record gives way"
        app.window.resize(1280, 1100)
        await until(page.differences.detail.isVisible, "the record where there is room for all three")
        app.window.resize(1280, 800)
        await until(page.differences.detail.isHidden, "the sentences first again")
        by_words = {row.words: at for at, row in enumerate(rows)}
        assert rows[0].all
        example = len(page.differences.explained.told.columns) - 1
        assert not table.isColumnHidden(example)
        assert rows[1].words in table.model().index(1, 2).data(Qt.ItemDataRole.ToolTipRole)
        assert [rows[at].meaning for at in range(1, len(rows))] == [
            "Suspect",
            "Suspect",
            "Unexplained",
            "Harmless",
        ]
        assert all("raw data is the same" in rows[at].raw for at in range(4)), "the mapping made other values"
        meant = table.model().index(1, 0).data(Qt.ItemDataRole.ToolTipRole)
        assert "from the same raw data" in meant
        upper = next(words for words in by_words if "upper case" in words)
        unexplained = next(words for words in by_words if "unexplained" in words)
        for words, count in ((upper, rows[by_words[upper]].count), (unexplained, 2)):
            table.setCurrentIndex(page.differences.explained.told.index(by_words[words], 0))
            await until(partial(_shows, page, count), words)
            await quiet(page)
        fields = {page.differences.lines.index(row, NAME + 1).data() for row in range(2)}
        assert fields == {"name"}
        table.setCurrentIndex(page.differences.explained.told.index(0, 0))
        await until(lambda: page.differences.lines.rowCount() == rows[0].count, "all of them again")

    assert run_window(body, "Sandbox") == 0


def _shows(page: SnapshotsPage, lines: int) -> bool:
    return page.differences.lines.rowCount() == lines


def renamed(app: Application) -> None:
    """The kept drives: two names are others, the rest in upper case, and every other drive has lost its date."""
    assert app.session is not None
    store = Store.of_profile(app.session.folders, app.session.profile.id)
    info = next(one for one in store.pulls() if one.key.resource == DRIVES)
    records = [json.loads(raw) for raw in store.rows(info.id, 0, info.rows)]
    for at, record in enumerate(records):
        record["name"] = f"other {at * 7919 % 101} words" if at in (4, 9) else record["name"].upper()
        record["created_at"] = None if at % 2 else record["created_at"]
    keep(store, records, of=info.key)
    store.close()


def test_fields_before_and_after_and_what_drifted(run_window: RunWindow, qapp: QApplication) -> None:
    async def body(app: Application) -> None:
        page = await with_drives(app)
        tampered(app)
        page.look()
        await quiet(page)
        page.tabs.setCurrentIndex(FIELDS_TAB)
        await until(lambda: page.fields.model.rows, "the fields")
        lines = {line.path: line for line in page.fields.model.rows}
        assert lines["id"].declared == "id"
        assert "never seen" in "".join(line.said for line in lines.values()) or "raw_data" in lines
        page.fields.sought.setText("raw_data.")
        assert all("raw_data." in line.path for line in page.fields.model.rows)
        page.fields.table.setCurrentIndex(page.fields.model.index(0, 0))
        assert page.fields.detail.whole().startswith("Before: filled in")
        shown = page.fields.ledgers
        page.tabs.setCurrentIndex(SAVED_TAB)
        page.tabs.setCurrentIndex(FIELDS_TAB)
        await quiet(page)
        assert page.fields.ledgers is shown  # nothing is counted again
        tampered(app)
        page.look()
        await until(lambda: page.fields.ledgers is not shown, "the fields of the rows that came meanwhile")

    assert run_window(body, "Sandbox") == 0


def test_what_comes_later_is_put_beside_what_was_there_alone(
    run_window: RunWindow, qapp: QApplication
) -> None:
    async def body(app: Application) -> None:
        page = await with_drives(app)
        kept_one = page.choice.before.kept
        assert kept_one is not None
        page.choice.offer([kept_one])
        assert page.choice.chosen == (None, kept_one)
        assert page.choice.fault.startswith("Keep a list first")
        page.look()
        await quiet(page)
        before, after = page.choice.chosen
        assert before is not None
        assert after is not None
        assert (before.key, after.about.resource) == (kept_one.key, DRIVES)
        assert after.key != before.key
        assert not page.choice.fault
        # What someone chose stays, the same on both sides too.
        page.choice.after.choose(before.key)
        page.choice.after.activated.emit(page.choice.after.currentIndex())
        page.look()
        await quiet(page)
        assert page.choice.fault == "Choose two different ones to compare."

    assert run_window(body, "Sandbox") == 0


def test_rename_and_delete_after_a_question(run_window: RunWindow, qapp: QApplication) -> None:
    async def body(app: Application) -> None:
        page = await with_drives(app)
        page.kept.table.setCurrentIndex(page.kept.model.index(0, 0))
        page.kept.table.setFocus()
        QTest.keyClick(page.kept.table, Keys.Key_F2)
        [dialog] = page.findChildren(QInputDialog)
        dialog.setTextValue("Evening <b>")
        dialog.accept()
        await until(lambda: page.kept.model.rows[0].name == "Evening <b>", "the other name")
        await quiet(page)
        assert page.kept.table.row() is not None
        click(page.kept.delete)
        [box] = page.findChildren(QMessageBox)
        box.reject()
        await quiet(page)
        assert page.kept.model.rows
        click(page.kept.delete)
        box = next(one for one in page.findChildren(QMessageBox) if one.isVisible())
        click(next(b for b in box.buttons() if b.text() == "Delete"))
        await until(lambda: not page.kept.model.rows, "its end")
        await quiet(page)
        assert page.kept.empty.isVisible()

    assert run_window(body, "Sandbox") == 0


def test_a_snapshot_goes_to_a_file_and_comes_from_one(run_window: RunWindow, tmp_path: Path) -> None:
    async def body(app: Application) -> None:
        page = await with_drives(app)
        assert app.session is not None
        asked = len(app.session.exchanges.all())
        rows, path = page.kept.known[0].info.rows, tmp_path / "drives.snapshot"
        page.kept.table.setCurrentIndex(page.kept.model.index(0, 0))
        click(page.kept.export)
        [ask] = page.findChildren(FileAsk)
        assert ask.selectedFiles()[0].endswith("Morning.snapshot")
        ask.fileSelected.emit(str(path))
        ask.reject()
        await until(path.exists, "the file")
        await quiet(page)
        page.kept.ask_rename(page.kept.known[0]).textValueSelected.emit("Other")
        await until(lambda: [one.name for one in page.kept.known] == ["Other"], "the other name")
        await quiet(page)
        click(page.kept.add)
        to_open = next(one for one in page.findChildren(QFileDialog) if not isinstance(one, FileAsk))
        to_open.fileSelected.emit(str(path))
        to_open.reject()
        await until(lambda: {one.name for one in page.kept.known} == {"Other", "Morning"}, "it again")
        await quiet(page)
        assert [one.info.rows for one in page.kept.known] == [rows, rows]
        assert len(app.session.exchanges.all()) == asked, "nothing is asked of the service"

    assert run_window(body, "Sandbox") == 0


def test_stop_keeps_nothing_half_and_the_keyboard_reaches_everything(
    run_window: RunWindow, qapp: QApplication
) -> None:
    async def body(app: Application) -> None:
        page = await with_drives(app)
        click(page.primary)
        assert page.primary.text() == "Stop"
        page.stop()
        assert page.primary.text() == "Compare"
        assert page.differences.made is None
        page.compare()
        await until(lambda: page.differences.made is not None, "the comparison")
        await quiet(page)
        for tab in (SAVED_TAB, DIFFERENCES_TAB, FIELDS_TAB):
            page.tabs.setCurrentIndex(tab)
            await quiet(page)
            assert heard(page) == []
            page.primary.setFocus()
            assert walked(page, app.window, f"tab {tab}") == []
        page.choice.left_out.setText("a..b")
        assert not page.primary.isEnabled()
        assert "not a path" in page.about.whole()

    assert run_window(body, "Sandbox") == 0


def test_the_page_has_its_place_in_the_sidebar() -> None:
    from explorer.ui.own_pages import QUALITY

    assert SNAPSHOTS in QUALITY.resources
