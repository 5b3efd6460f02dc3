"""In a small window the rows come first: the inspector and the log fold by themselves, and come back."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QTableView, QTreeView, QWidget

from explorer.ui.app.application import Application
from explorer.ui.app.window import Window
from explorer.ui.kit.dialogs import resize_within
from explorer.ui.log.exchange_detail import ExchangeDialog
from explorer.ui.own_pages import page_resources
from explorer.ui.page import Page
from tests.gui.conftest import RunWindow, until


def table(window: Window) -> QTableView:
    page = window.tabs.current
    found = page.findChild(QTableView) if page is not None else None
    assert isinstance(found, QTableView)
    return found


def columns_seen(window: Window) -> int:
    """Columns of the rows that stand whole in sight."""
    rows = table(window)
    ends = (
        rows.columnViewportPosition(at) + rows.columnWidth(at) for at in range(rows.model().columnCount())
    )
    return sum(end <= rows.viewport().width() for end in ends)


async def first_rows(app: Application) -> None:
    await until(lambda: app.window.tabs.current is not None, "the page")
    await until(lambda: table(app.window).model().rowCount() > 0, "the rows")


@pytest.mark.parametrize("size", [(1024, 640), (900, 560)])
def test_in_a_small_window_the_rows_have_the_room(run_window: RunWindow, size: tuple[int, int]) -> None:
    async def body(app: Application) -> None:
        await first_rows(app)
        window = app.window
        assert window.beside.frame.isVisible()
        assert window.requests.table.isVisible()
        tall = window.log.height()
        window.resize(*size)
        await until(lambda: window.log.height() < 48, "the log's bar alone")
        assert not window.beside.frame.isVisible()
        assert table(window).width() == window.tabs.width()
        assert columns_seen(window) >= 4
        assert not window.commands.action("view.inspector").isChecked()
        assert not window.commands.action("view.log").isChecked()
        window.resize(1440, 900)
        await until(lambda: window.log.height() == tall, "the log as it was")
        assert window.requests.table.isVisible()
        assert window.beside.frame.isVisible()
        assert window.commands.action("view.inspector").isChecked()

    run_window(body)


def test_what_folded_is_unfolded_by_its_keys_or_its_button_and_stays(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        await first_rows(app)
        window = app.window
        window.resize(1024, 640)
        await until(lambda: not window.beside.frame.isVisible(), "the folded inspector")
        control = Qt.KeyboardModifier.ControlModifier
        QTest.keyClick(table(window), Qt.Key.Key_I, control)
        QTest.keyClick(table(window), Qt.Key.Key_L, control)
        await until(lambda: window.beside.frame.isVisible() and window.requests.table.isVisible(), "both")
        await until(lambda: 100 < window.log.height() <= 640 // 3, "the log's rows")
        window.resize(1020, 636)
        await until(lambda: window.beside.frame.isVisible(), "what the user wanted")
        assert window.requests.table.isVisible()
        QTest.keyClick(table(window), Qt.Key.Key_L, control)
        assert not window.log.isVisible()
        window.resize(1440, 900)
        window.resize(1024, 640)
        QTest.keyClick(table(window), Qt.Key.Key_L, control)
        await until(window.requests.table.isVisible, "the log")
        window.resize(1440, 900)
        window.resize(1024, 640)
        [show] = [b for b in window.requests.findChildren(QPushButton) if b.text() == "Show"]
        await until(show.isVisible, "the way to the rows")
        QTest.mouseClick(show, Qt.MouseButton.LeftButton)
        await until(window.requests.table.isVisible, "the rows")
        assert not show.isVisible()

    run_window(body)


def test_in_a_narrow_window_the_sidebar_is_icons_with_names(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        await first_rows(app)
        window = app.window
        side = window.sidebar
        wide = side.width()
        window.resize(900, 560)
        await until(lambda: side.width() == 44 and window.tabs.width() >= 850, "the icons")
        index = side.model.index_of("ats/job")
        assert "Jobs" in index.data(Qt.ItemDataRole.ToolTipRole)
        assert "sandbox" in side.head.accessibleName()
        assert "Sandbox" in side.head.toolTip()
        assert side.goto.accessibleName()
        for part in (side.head, side.goto):
            assert part.width() <= 44
            for label in (one for one in part.findChildren(QLabel) if one.isVisible()):
                assert label.width() >= label.sizeHint().width(), label.text()
        other = side.model.index_of("file-storage/drive")
        at = side.tree.visualRect(other).center()
        assert side.tree.viewport().rect().contains(at)
        QTest.mouseClick(side.tree.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
        assert window.tabs.current is not None
        assert window.tabs.current.resource.key == "file-storage/drive"
        window.resize(1440, 900)
        await until(lambda: side.width() == wide, "the words")

    run_window(body)


def test_the_sidebars_names_come_back_by_a_click_or_keys_and_the_choice_lasts(run_window: RunWindow) -> None:
    async def first(app: Application) -> None:
        await first_rows(app)
        window = app.window
        side, button = window.sidebar, window.sidebar.names
        assert button.accessibleName() == "Show icons alone in the sidebar"
        assert "Ctrl Alt B" in button.toolTip()
        window.resize(1024, 640)
        await until(lambda: side.width() == 44 and window.tabs.width() >= 970, "the icons")
        assert button.accessibleName() == "Show the names in the sidebar"
        assert button.width() <= 44
        assert window.commands.action("view.icons").isChecked()
        control_alt = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
        QTest.keyClick(table(window), Qt.Key.Key_B, control_alt)
        await until(lambda: side.width() >= 216, "the names")
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        await until(lambda: side.width() == 44, "the icons by a click")
        window.resize(1440, 900)
        await until(lambda: side.width() >= 216, "what is shown by itself, as icons were no choice there")
        window.resize(1024, 640)
        await until(lambda: side.width() == 44, "the icons again")
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        await until(lambda: side.width() >= 216, "the names by a click")
        window.resize(900, 560)
        await until(lambda: window.width() == 900 and side.width() >= 216, "the user's choice")
        assert not window.commands.action("view.icons").isChecked()

    async def again(app: Application) -> None:
        await first_rows(app)
        window = app.window
        window.resize(1024, 640)
        await until(
            lambda: window.width() == 1024 and window.sidebar.width() >= 216, "the same at the next start"
        )
        window.commands.run("view.reset")
        await until(lambda: window.sidebar.width() == 44, "the icons, as at first")

    run_window(first)
    run_window(again)


def test_what_folded_by_itself_is_not_kept_as_a_wish(run_window: RunWindow) -> None:
    heights: list[int] = []

    async def first(app: Application) -> None:
        await first_rows(app)
        heights.append(app.window.log.height())
        app.window.resize(1024, 640)
        await until(lambda: not app.window.beside.frame.isVisible(), "the folded inspector")

    async def again(app: Application) -> None:
        await first_rows(app)
        await until(lambda: app.window.log.height() == heights[0], "the log as it was")
        assert app.window.beside.frame.isVisible()

    run_window(first)
    run_window(again)


def test_a_page_that_needs_more_room_takes_it_from_no_other(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        await first_rows(app)
        window = app.window
        window.resize(1440, 900)
        jobs = window.tabs.current
        window.open_page("quality/snapshots")
        tall = window.tabs.current
        assert jobs is not None
        assert tall is not None
        filler = QWidget()
        filler.setMinimumHeight(1500)
        layout = tall.layout()
        assert layout is not None
        layout.addWidget(filler)
        bar = window.tabs.area.verticalScrollBar()
        await until(lambda: tall.height() > 1500 and bar.maximum() > 0, "the tall page")
        bar.setValue(bar.maximum())
        window.open_page("ats/job")
        await until(lambda: window.tabs.current is jobs and bar.maximum() == 0, "Jobs, whole")
        assert bar.value() == 0

    run_window(body)


def test_what_does_not_fit_the_smallest_window_is_scrolled_to(run_window: RunWindow) -> None:
    """A screen of 1440 by 900 pixels at 200 %."""

    async def body(app: Application) -> None:
        await first_rows(app)
        window = app.window
        window.resize(720, 420)
        await until(lambda: window.width() == 720 and window.height() == 420, "the size")
        area = window.tabs.area
        bars = area.horizontalScrollBar(), area.verticalScrollBar()
        for key in page_resources(window.registry):
            window.open_page(key)
            page = window.tabs.current
            assert page is not None

            def reachable(page: Page = page) -> bool:
                room, size = area.viewport().size(), page.size()
                whole = size == size.expandedTo(page.minimumSizeHint())
                over = (size.width() - room.width(), size.height() - room.height())
                return whole and tuple(bar.maximum() for bar in bars) == over

            await until(reachable, f"{key}: its room")
        window.open_page("connection/home")
        home = window.tabs.current
        assert home is not None
        trees = home.findChildren(QTreeView)
        tree = next(one for one in trees if one.accessibleName() == "What this connection has")
        assert tree.viewport().height() >= 4 * 26

    run_window(body)


def test_dialogs_are_no_larger_than_the_screen(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        await first_rows(app)
        screen = app.window.screen().availableGeometry().size()
        dialog = ExchangeDialog(app.window.requests.current(), app.window)  # type: ignore[arg-type]
        resize_within(dialog, 9000, 9000)
        assert dialog.size() == screen
        resize_within(dialog, 300, 400)
        assert (dialog.width(), dialog.height()) == (300, 400)
        dialog.deleteLater()

    run_window(body)
