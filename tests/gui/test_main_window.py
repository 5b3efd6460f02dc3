"""The window as a whole: first start, tabs, panels, restart, profiles, names, room."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys

import pytest
import shiboken6
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QLabel,
    QPushButton,
    QTableView,
    QToolButton,
    QWidget,
)

from explorer.paths import Folders
from explorer.profiles.profile import Environment, Profile
from explorer.sandbox.process import SandboxProcess
from explorer.ui.app.application import Application
from explorer.ui.app.window import Window
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.kit.theme import theme
from explorer.ui.own_pages import HOME, INTERFACE
from explorer.ui.pages.list.list_page import ListPage
from explorer.ui.pages.list.list_state import RESTORED
from tests.builtin import registry
from tests.gui.conftest import RunWindow, until
from tests.gui.spoken import heard


def rows(window: Window) -> int:
    page = window.tabs.current
    table = page.findChild(QTableView) if page is not None else None
    model = table.model() if isinstance(table, QTableView) else None
    return model.rowCount() if model is not None else 0


async def first_rows(app: Application) -> None:
    await until(lambda: rows(app.window) > 0, "the first rows")


def test_the_first_start_opens_the_sandbox_on_jobs(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        window = app.window
        assert window.sidebar.head.accessibleName().startswith("Profile Sandbox, sandbox, conn_sandbox_clean")
        await first_rows(app)
        assert window.tabs.current is not None
        assert window.tabs.current.resource.key == "ats/job"
        assert window.windowTitle() == "Jobs · conn_sandbox_clean · Sandbox – Unified Explorer"
        assert window.status.words().startswith("●  Connected")
        assert window.status.words().endswith("writes are sent at once")
        index = window.sidebar.model.index_of("ats/job")
        assert window.sidebar.tree.currentIndex() == index
        assert window.sidebar.model.data(index, Qt.ItemDataRole.AccessibleTextRole).endswith("rows stored")
        assert app.session is not None
        assert len(app.session.exchanges.all()) == 1

    assert run_window(body) == 0


def test_tabs_open_close_and_come_back_at_the_next_start(run_window: RunWindow, folders: Folders) -> None:
    async def first(app: Application) -> None:
        await first_rows(app)
        tabs = app.window.tabs
        app.window.open_page("core/pipeline")
        app.window.open_page("file-storage/drive")
        await first_rows(app)
        assert [tabs.bar.tabText(i) for i in range(tabs.bar.count())] == ["Jobs", "Pipelines", "Drives"]
        tabs.step(1)
        assert tabs.current is not None
        assert tabs.current.title == "Jobs"
        middle = tabs.bar.tabRect(1).center()
        QTest.mouseClick(tabs.bar, Qt.MouseButton.MiddleButton, Qt.KeyboardModifier.NoModifier, middle)
        assert [tabs.bar.tabText(i) for i in range(tabs.bar.count())] == ["Jobs", "Drives"]
        tabs.bar.moveTab(1, 0)

    run_window(first)
    kept = json.loads((folders.state / "layout.json").read_text(encoding="utf-8"))
    assert [one["key"] for one in kept["values"]["tabs@sandbox"]["open"]] == ["file-storage/drive", "ats/job"]

    async def again(app: Application) -> None:
        await first_rows(app)
        tabs = app.window.tabs
        assert [tabs.bar.tabText(i) for i in range(tabs.bar.count())] == ["Drives", "Jobs"]
        assert tabs.current is not None
        assert tabs.current.title == "Jobs"
        # The tab behind has not been made: it asks for nothing until it is chosen.
        assert [page.title for page in tabs.pages()] == ["Jobs"]

    run_window(again)


def test_every_entry_of_the_sidebar_opens_by_keyboard(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        await first_rows(app)
        tree = app.window.sidebar.tree
        for resource in registry.resources():
            tree.mark(resource.key)
            QTest.keyClick(tree, Qt.Key.Key_Return)
            page = app.window.tabs.current
            assert page is not None
            assert page.resource.key == resource.key
        for _ in registry.resources():
            app.window.commands.run("go.close_tab")
        home = app.window.tabs.current
        assert home is not None
        assert home.resource is HOME
        app.window.commands.run("go.close_tab")
        assert app.window.tabs.current is home, "it stands where no tab is open"
        await until(lambda: not app.window.tasks.busy(), "the end of the closed pages")

    run_window(body)


def test_a_click_beside_the_entries_leaves_the_current_one_marked(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        await first_rows(app)
        tree, model = app.window.sidebar.tree, app.window.sidebar.model
        current = model.index_of("ats/job")
        heading = tree.visualRect(current.parent()).center()
        below = QPoint(20, tree.viewport().height() - 2)
        assert not tree.indexAt(below).isValid()
        for at in (heading, below):
            QTest.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
            assert tree.selectedIndexes() == [current]
            assert app.window.tabs.current is not None
            assert app.window.tabs.current.resource.key == "ats/job"
        QTest.keyClick(tree, Qt.Key.Key_Down)
        assert tree.currentIndex() == tree.indexBelow(current)

    run_window(body)


def test_another_profile_takes_over_at_once(
    run_window: RunWindow, folders: Folders, service: SandboxProcess
) -> None:
    async def body(app: Application) -> None:
        await first_rows(app)
        other = Profile(
            name="Acme",
            base_url=service.base_url,
            environment=Environment.PRODUCTION,
            connection="conn_sandbox_clean",
        )
        app.profiles.save(other)
        app.secrets.save(other, service.apikey)
        window, old = app.window, app.session
        assert old is not None
        window.commands.run("profiles.switch")
        assert window.palette_.isVisible()
        QTest.keyClick(window.palette_.field, Qt.Key.Key_Return)
        # Before the loop turns once: nothing of the old profile is on the screen any more.
        edge = window.sidebar.head.findChild(QWidget, "edge")
        assert edge is not None
        assert edge.property("environment") == "production"
        assert edge.grab().toImage().pixelColor(1, 1) == theme().colors.color("fails")
        assert window.tabs.pages() == []
        assert window.requests.model.rowCount() == 0
        assert "Acme" in window.windowTitle()
        assert app.session is None
        sent = len(old.exchanges.all())
        await until(lambda: app.session is not None, "the other session")
        assert app.session is not None
        assert app.session.profile.id == other.id
        assert "read only" in window.status.words()
        assert len(old.exchanges.all()) == sent
        window.commands.run("profiles.switch")
        assert window.palette_.field.accessibleDescription().startswith("Sandbox, Profile")
        QTest.keyClick(window.palette_.field, Qt.Key.Key_Return)
        await first_rows(app)
        assert window.profile is not None
        assert window.profile.is_builtin

    run_window(body)


def test_a_list_that_was_chosen_for_another_connection_sends_nothing_by_itself(run_window: RunWindow) -> None:
    """Most likely the other connection does not have it, and a refusal would be the first thing that is seen."""

    async def body(app: Application) -> None:
        await first_rows(app)
        app.switch_connection("conn_sandbox_messy")
        await until(lambda: app.session is not None and app.session.connection == "conn_sandbox_messy", "it")
        await until(lambda: app.window.tabs.current is not None, "the page")
        page = app.window.tabs.current
        assert isinstance(page, ListPage)
        await until(lambda: page.table.empty.whole() == RESTORED, "why there are no rows")
        assert app.session is not None
        assert "conn_sandbox_messy" not in {one.connection for one in app.session.exchanges.all()}
        app.window.open_page("ats/job")
        await until(lambda: page.pull is not None and page.pull.rows > 0, "its rows, as it was chosen again")

    run_window(body)


def test_switching_faster_than_sessions_open_ends_on_the_last(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        for connection in ("conn_sandbox_messy", "conn_sandbox_slow", "conn_sandbox_large"):
            app.switch_connection(connection)
        await until(lambda: app.session is not None, "a session")
        assert app.session is not None
        assert app.session.connection == "conn_sandbox_large"
        assert "conn_sandbox_large" in app.window.sidebar.head.accessibleName()

    run_window(body)


def test_panels_hide_move_and_are_kept(run_window: RunWindow) -> None:
    async def first(app: Application) -> None:
        await first_rows(app)
        window = app.window
        assert window.beside.frame.isVisible()
        for command in ("view.inspector", "view.log_right"):
            window.commands.run(command)
        assert not window.beside.frame.isVisible()
        assert window.dockWidgetArea(window.log) == Qt.DockWidgetArea.RightDockWidgetArea
        assert window.commands.action("view.log_right").isChecked()

    async def again(app: Application) -> None:
        await first_rows(app)
        window = app.window
        assert not window.beside.frame.isVisible()
        assert window.dockWidgetArea(window.log) == Qt.DockWidgetArea.RightDockWidgetArea
        window.commands.run("view.reset")
        await until(window.beside.frame.isVisible, "the inspector, in the room that the log had")
        assert window.dockWidgetArea(window.log) == Qt.DockWidgetArea.BottomDockWidgetArea

    run_window(first)
    run_window(again)


def test_the_theme_is_kept(run_window: RunWindow, folders: Folders) -> None:
    async def body(app: Application) -> None:
        app.window.commands.run("view.theme_dark")
        assert theme().scheme == "dark"
        assert app.window.commands.action("view.theme_dark").isChecked()
        assert not app.window.commands.action("view.theme_system").isChecked()

    run_window(body)
    assert (
        json.loads((folders.state / "layout.json").read_text(encoding="utf-8"))["values"]["theme"] == "dark"
    )


def test_a_signal_ends_the_program_in_order(run_window: RunWindow, folders: Folders) -> None:
    async def body(app: Application) -> None:
        await first_rows(app)
        sandbox = app._sandbox
        assert sandbox is not None
        os.kill(os.getpid(), signal.SIGTERM)
        await until(lambda: app._ended.is_set(), "the end")
        await until(lambda: not sandbox.running, "the end of the sandbox")

    assert run_window(body) == 0


def test_a_bug_is_told_in_one_sentence(
    run_window: RunWindow, folders: Folders, caplog: pytest.LogCaptureFixture
) -> None:
    secret = "k-2f4c81d9aa03"  # a made-up key, which must not reach the log

    async def body(app: Application) -> None:
        await first_rows(app)
        app.log.hide(secret)
        asyncio.get_running_loop().call_soon(_fail, secret)
        await until(lambda: app.window.strip.banners(), "a notice")
        banner = app.window.strip.banners()[0]
        assert banner.kind == "fails"
        assert "Traceback" not in banner.title + banner.text
        assert secret not in banner.title + banner.text

    run_window(body, fault_wanted=True)
    log = (folders.state / "log" / "explorer.log").read_text(encoding="utf-8")
    assert "RuntimeError" in log
    assert secret not in log


def _fail(secret: str) -> None:
    raise RuntimeError(f"the key is {secret}")


def test_an_unknown_profile_is_said_and_the_sandbox_opens(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        await first_rows(app)
        assert any("Nobody" in b.title for b in app.window.strip.banners())

    assert run_window(body, profile="Nobody") == 0


# ------------------------------------------------------------ for everyone


def test_the_walk_over_names_sees_a_button_without_one(dressed: QApplication) -> None:
    box = QWidget()
    button = QPushButton(box)
    box.show()
    assert len(heard(box)) == 1
    button.setAccessibleName("Send")
    assert heard(box) == []
    pad = QWidget(box)
    pad.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
    pad.show()
    assert heard(box) == ["Client QWidget '' in QWidget ''"], (
        "what takes clicks is no control, and has to be named"
    )
    box.close()


def cut(window: QWidget) -> list[str]:
    """Visible labels and buttons that have less room than their text needs, or stand outside their window."""
    found = []
    for widget in window.findChildren(QWidget):
        if not widget.isVisible() or not isinstance(widget, (QLabel, QAbstractButton)):
            continue
        icon_alone = (
            isinstance(widget, QToolButton)
            and widget.toolButtonStyle() == Qt.ToolButtonStyle.ToolButtonIconOnly
            and not widget.icon().isNull()
        )
        if icon_alone:  # its text is its name, and is not painted
            continue
        words = widget.whole() if isinstance(widget, PlainLabel) else widget.text()
        if not words or (isinstance(widget, QLabel) and widget.wordWrap()):
            continue
        elided = isinstance(widget, PlainLabel) and widget.minimumSizeHint().width() <= 24
        needed = widget.fontMetrics().horizontalAdvance(words.replace("&", ""))
        needed = min(24, needed) if elided else needed
        right = widget.mapTo(window, QPoint(widget.width(), 0)).x()
        if widget.width() < needed or right > window.width():
            found.append(
                f"{type(widget).__name__} {words!r}: {widget.width()} of {needed}, right edge {right}"
            )
    return found


def test_nothing_is_cut_at_1024_by_640(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        await first_rows(app)
        whom = app.session.connection if app.session is not None else ""
        assert whom not in app.window.status.words(), "the sidebar names it"
        app.window.resize(1024, 640)
        await until(
            lambda: app.window.status.words().startswith(f"{whom}  "), "the connection, inside the window"
        )
        for resource in (HOME, INTERFACE, *registry.resources()):
            app.window.open_page(resource.key)
            if resource.listing:
                await first_rows(app)
            await until(lambda: not cut(app.window), f"room for all of {resource.key}")
            app.window.tabs.close_current()
        assert app.window.size().toTuple() == (1024, 640)
        assert cut(app.window) == []
        dialog = app.window.show_profiles()
        await until(dialog.isVisible)
        assert cut(dialog) == []
        dialog.reject()

    run_window(body)


def test_f6_goes_round_the_panels_and_copy_reaches_the_table(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        await first_rows(app)
        window = app.window
        page = window.tabs.current
        assert page is not None
        table = page.findChild(QTableView)
        assert isinstance(table, QTableView)
        table.setFocus()
        seen = []
        for _ in range(4):
            window.commands.run("view.next_panel")
            focus = QApplication.focusWidget()
            places = {
                "sidebar": window.sidebar,
                "page": page,
                "inspector": window.beside.frame,
                "log": window.log,
            }
            inside = [n for n, p in places.items() if focus is not None and p.isAncestorOf(focus)]
            seen.append(inside[-1] if inside else "")
        assert set(seen) >= {"sidebar", "page", "log"}
        table.setFocus()
        table.setCurrentIndex(table.model().index(0, 1))
        QApplication.clipboard().clear()
        window.commands.run("edit.copy")
        await until(lambda: QApplication.clipboard().text() != "", "the copied cell")

    run_window(body)


def test_a_sandbox_that_cannot_start_is_said_with_a_way_on(
    run_window: RunWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = sys.executable

    async def body(app: Application) -> None:
        await until(lambda: app.window.strip.banners(), "the word that it did not start")
        banner = app.window.strip.banners()[0]
        assert "sandbox" in banner.title
        assert "Not opened" in app.window.status.words()
        monkeypatch.setattr(sys, "executable", real)
        assert [b.text() for b in banner.buttons()] == ["Try again"]
        banner.buttons()[0].click()
        await first_rows(app)

    monkeypatch.setattr(sys, "executable", "no-such-program-anywhere")
    run_window(body)


def test_the_sandboxs_connection_is_kept_between_starts(run_window: RunWindow) -> None:
    async def first(app: Application) -> None:
        await first_rows(app)
        head = app.window.sidebar.head
        assert "Switch profile or connection" in head.toolTip()
        QTest.mouseClick(head, Qt.MouseButton.LeftButton)
        QTest.keyClicks(app.window.palette_.field, "large")
        QTest.keyClick(app.window.palette_.field, Qt.Key.Key_Return)
        await until(lambda: app.session is not None and app.session.connection == "conn_sandbox_large")
        await until(lambda: not app.tasks.busy("keep profile"), "the choice is kept")

    async def again(app: Application) -> None:
        assert "conn_sandbox_large" in app.window.sidebar.head.accessibleName()
        await until(lambda: app.session is not None and app.session.connection == "conn_sandbox_large")
        assert app.session is not None
        assert set(app.session.profile.connections) == set(Profile.sandbox().connections)

    run_window(first)
    run_window(again)


def test_http_is_imported_after_the_window_stands() -> None:
    """Some 150 ms of a cold start (measured)."""
    code = (
        "import sys, explorer.ui.app.application, explorer.ui.app.page_registry;"
        "print([m for m in ('httpx', 'sqlite3', 'keyring', 'cryptography') if m in sys.modules])"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "[]"


def test_the_first_failure_is_said_even_when_a_signal_ended_the_window(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        app.window.close()
        await until(lambda: not shiboken6.isValid(app.window), "the end of the window")
        raise LookupError("what the test found")

    with pytest.raises(LookupError, match="what the test found"):
        run_window(body)
