"""Two states of a list side by side in the real window: aligned, marked, scrolled together, only what differs."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QMenu

from explorer.store.store import Store
from explorer.ui.app import window_layout, window_parts
from explorer.ui.app.application import Application
from explorer.ui.kit.theme import colors
from explorer.ui.own_pages import SNAPSHOTS
from explorer.ui.page import end_pages
from explorer.ui.pages.list.list_page import ListPage
from explorer.ui.pages.snapshots.difference_rows import PairedRows, SideModel
from explorer.ui.pages.snapshots.snapshots_page import DIFFERENCES_TAB, SIDES_TAB, SnapshotsPage
from explorer.ui.pages.snapshots.snapshots_sides import SidesTab
from explorer.ui.records.record_view import RecordView
from explorer.ui.records.records_table import RecordsTable
from tests.gui.conftest import RunWindow, until
from tests.gui.spoken import heard
from tests.gui.test_snapshots_page import DRIVES, click, quiet
from tests.mirror.quality.kept_rows import keep

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
Keys, Control, Shift = Qt.Key, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def reloaded(app: Application) -> int:
    """Another pull of the drives: the fourth has another name, the second and the last are gone, one is new. Returns
    how many there were.
    """
    assert app.session is not None
    store = Store.of_profile(app.session.folders, app.session.profile.id)
    info = next(one for one in store.pulls() if one.key.resource == DRIVES)
    records = [json.loads(raw) for raw in store.rows(info.id, 0, info.rows)]
    records[3]["name"] = "Other"
    changed = [*records[:1], *records[2:-1]]
    changed.insert(20, {**records[0], "id": "new", "name": "New"})
    keep(store, changed, of=info.key)
    store.close()
    return len(records)


async def first_rows(app: Application) -> ListPage:
    await until(lambda: isinstance(app.window.tabs.current, ListPage), "a list")
    page = app.window.tabs.current
    assert isinstance(page, ListPage)
    await until(lambda: page.model.rowCount() > 0 and not page.tasks.busy(), "its rows")
    return page


async def drives(app: Application) -> ListPage:
    """The drives in front; the jobs, with which the sandbox opens, are there too."""
    await first_rows(app)
    app.window.resize(1280, 800)
    app.window.open_page(DRIVES)
    return await first_rows(app)


def shown(sides: SidesTab) -> PairedRows:
    assert sides.pairs is not None
    return sides.pairs


def test_two_states_stand_beside_each_other(run_window: RunWindow, qapp: QApplication) -> None:
    async def body(app: Application) -> None:
        rows = await drives(app)
        calls = len(rows.session.exchanges.all())
        # One state alone: the page says so, and leads to where it can be pulled.
        QTest.keyClick(app.window, Keys.Key_B, Control | Shift)
        page = app.window.tabs.current
        assert isinstance(page, SnapshotsPage)
        sides = page.sides
        await until(lambda: sides.pull.isVisible(), "the way to another pull")
        assert "No two states of Drives" in sides.told.whole()
        click(sides.pull)
        assert app.window.tabs.current is rows

        count = reloaded(app)
        menu = QMenu()
        rows._fill_menu(menu)
        next(one for one in menu.actions() if one.text() == "Open beside…").trigger()
        await until(lambda: sides.pairs is not None, "both states")
        await quiet(page)
        assert page.tabs.currentIndex() == SIDES_TAB
        left, right = sides.tables
        assert heard(page) == []
        models = [model for model in (left.model(), right.model()) if isinstance(model, SideModel)]
        assert len(models) == 2
        for model in models:
            QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
        made = shown(sides).made
        said = [button.text() for button in sides.switches]
        assert said == [
            f"All lines ({count + 1})",
            "4 not the same",
            "1 differs",
            "2 only left",
            "1 only right",
        ]
        # It stands on the first line that is not the same: the second, which the other side does not have.
        assert (left.currentIndex().row(), right.currentIndex().row()) == (1, 1)
        assert models[1].index(1, 1).data() == "not there"
        assert models[1].index(1, 0).data() == ""
        assert models[0].index(1, 0).data() == "2"
        assert models[1].index(2, 0).data() == "2"  # the gap has no number
        hints = [RecordsTable.sizeHintForColumn(half, 2) for half in (left, right)]
        assert left.sizeHintForColumn(2) == max(hints)
        assert hints[0] != hints[1]
        ids = [[model.index(row, 1).data() for row in range(2, 19)] for model in models]
        assert ids[0] == ids[1]

        # F8 leads to the changed name: marked on both sides, both values in words and in the inspector.
        chosen: list[RecordView] = []
        page.record_chosen.connect(lambda view: chosen.append(view) if view is not None else None)
        QTest.keyClick(left, Keys.Key_F8)
        await until(lambda: chosen and chosen[-1].among, "both records")
        assert left.currentIndex().row() == 3
        assert [view.title for view in chosen[-1].among] == ["Before", "After"]
        assert b'"Other"' in chosen[-1].among[1].raw
        name = next(at for at, column in enumerate(left.columns, 1) if column.field == "name")
        cells = [model.cell(3, name) for model in models]
        assert cells[0].differs == cells[1].differs != ""
        assert cells[1].differs.endswith('after "Other"')
        assert "differs: before" in models[0].index(3, name).data(Qt.ItemDataRole.AccessibleTextRole)
        assert "Other" in models[0].index(3, name).data(Qt.ItemDataRole.ToolTipRole)
        assert models[0].found(3) == "differs in name"
        await until(lambda: left.currentIndex().column() == name, "the cell that differs")
        for table, ground in ((left, "misfit_ground"), (right, "caution_ground")):
            cell = table.visualRect(table.model().index(3, name))
            image: QImage = table.viewport().grab(cell).toImage()
            assert image.pixelColor(image.width() - 3, 3) == colors().color(ground)

        # Both move as one, by keys and by the bar.
        QTest.keyClick(left, Keys.Key_End, Control)
        await quiet(page)
        assert right.currentIndex().row() == count
        assert right.verticalScrollBar().value() == left.verticalScrollBar().value() > 0
        right.horizontalScrollBar().setValue(40)
        assert left.horizontalScrollBar().value() == 40
        left.horizontalHeader().resizeSection(name, 222)
        assert right.columnWidth(name) == 222
        QTest.mouseClick(
            right.viewport(),
            Qt.MouseButton.LeftButton,
            pos=right.visualRect(models[1].index(count - 1, 1)).center() + QPoint(1, 0),
        )
        assert left.currentIndex().row() == count - 1

        # Only what differs; the row that one is on stays.
        click(sides.switches[1])
        await quiet(page)
        assert shown(sides).rows == left.model().rowCount() == right.model().rowCount() == 4
        numbers = [[model.number(row) for row in range(4)] for model in models]
        assert numbers == [[1, 3, -1, count - 1], [-1, 2, 20, -1]]
        QTest.keyClick(right, Keys.Key_F8, Shift)
        assert left.currentIndex().row() == 2
        click(sides.switches[2])
        await quiet(page)
        assert [models[1].index(row, name).data() for row in range(shown(sides).rows)] == ['"Other"']

        # From the comparison: Enter on a difference.
        page.tabs.setCurrentIndex(DIFFERENCES_TAB)
        lines = page.differences.table
        place = page.differences.lines.first(lambda line: line.what == "changed")
        lines.setCurrentIndex(page.differences.lines.index(place, 0))
        QTest.keyClick(lines, Keys.Key_Return)
        await quiet(page)
        assert page.tabs.currentIndex() == SIDES_TAB
        assert (left.currentIndex().row(), shown(sides).rows) == (3, count + 1)

        # Two lists: each in its own columns, and in those of the other.
        jobs = next(one for one in page.choice.before.offered if one.about.resource == "ats/job")
        drive = page.choice.after.kept
        assert drive is not None
        page.choice.choose(jobs, drive)
        click(page.primary)
        await until(lambda: sides.pairs is not None and sides.pairs.made is not made, "both lists")
        fields = [[column.field for column in table.columns] for table in sides.tables]
        assert fields[0] == fields[1]
        assert {"departments", "updated_at"} <= set(fields[0])
        assert shown(sides).rows == 100 + count - 1
        assert "different lists" in sides.odd.whole()
        assert len(rows.session.exchanges.all()) == calls  # nothing was sent

    assert run_window(body, "Sandbox") == 0


def test_a_list_has_several_tabs_each_asked_in_its_own_way(run_window: RunWindow, qapp: QApplication) -> None:
    async def body(app: Application) -> None:
        window, tabs = app.window, app.window.tabs
        jobs = await first_rows(app)
        QTest.keyClick(window, Keys.Key_T, Control | Shift)
        second = await first_rows(app)
        assert second is not jobs
        assert second.model.rowCount() == jobs.model.rowCount() == 100
        second.head.set_asked({"page_size": 25}, [])
        second.reload()
        await until(lambda: second.model.rowCount() == 25 and not second.tasks.busy(), "other rows")
        second.asking.sort(("name", True))
        asked = second.save_state()["asked"]

        # A third one of the same rows goes on; the first shows what it fetched when one comes back.
        tabs.bar.setCurrentIndex(0)
        QTest.keyClick(window, Keys.Key_T, Control | Shift)
        third = await first_rows(app)
        assert third not in (jobs, second)
        QTest.keyClick(third.table, Keys.Key_End, Control)
        QTest.keyClick(third.table, Keys.Key_Down)
        await until(lambda: third.model.rowCount() == 200 and not third.tasks.busy(), "the next page")
        tabs.bar.setCurrentIndex(0)
        await until(lambda: jobs.model.rowCount() == 200, "the same in the first")

        # All are there again at the next start, each as it was.
        titles = ["Jobs", "Jobs (2)", "Jobs (3)"]
        assert [tabs.bar.tabText(at) for at in range(3)] == titles
        window.kept.set(window_layout.key(window, "tabs"), tabs.save())
        await end_pages(tabs.take_all())  # Home stands where no tab is open
        for _ in window_parts.restore_tabs(window):
            pass
        assert [tabs.bar.tabText(at) for at in range(tabs.bar.count())] == ["Home", *titles]
        assert (await first_rows(app)).head.asked()[0] == {}
        tabs.bar.setCurrentIndex(2)
        again = await first_rows(app)
        assert again.head.asked()[0] == {"page_size": 25}
        assert again.save_state()["asked"] == asked
        QTest.keyClick(window, Keys.Key_W, Control)
        assert [tabs.bar.tabText(at) for at in range(tabs.bar.count())] == ["Home", "Jobs", "Jobs (3)"]
        window.open_page(SNAPSHOTS.key)
        assert not window.commands.usable("go.further_tab")

    assert run_window(body, "Sandbox") == 0
