"""Ways round the window: menus of tabs and sidebar, Toggle of a screen reader, connections of other profiles."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QPushButton, QWidget

from explorer.profiles.profile import Profile
from explorer.sandbox.process import SandboxProcess
from explorer.ui.app.application import Application
from explorer.ui.call.call_page import CallPage
from tests.gui.conftest import RunWindow, until

# A menu is a popup, on which the offscreen platform remarks.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


async def started(app: Application) -> None:
    await until(lambda: app.window.tabs.current is not None, "the first page")


def press_right(widget: QWidget, at: QPoint) -> None:
    """As the system tells of the right button."""
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, widget.mapToGlobal(at))
    QApplication.sendEvent(widget, event)


async def menu_there() -> QMenu:
    await until(lambda: isinstance(QApplication.activePopupWidget(), QMenu), "the menu")
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


def choose(menu: QMenu, text: str) -> None:
    [action] = [a for a in menu.actions() if a.text() == text]
    assert action.isEnabled()
    at = menu.actionGeometry(action).center()
    QTest.mouseClick(menu, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)


def test_a_tab_has_a_menu_that_closes_it_or_the_others(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        await started(app)
        tabs = app.window.tabs
        for key in ("core/pipeline", "core/customer"):
            app.window.open_page(key)

        def titles() -> list[str]:
            return [tabs.bar.tabText(i) for i in range(tabs.bar.count())]

        press_right(tabs.bar, tabs.bar.tabRect(1).center())
        choose(await menu_there(), "Close")
        assert titles() == ["Jobs", "Customers"]
        press_right(tabs.bar, tabs.bar.tabRect(0).center())
        choose(await menu_there(), "Close others")
        assert titles() == ["Jobs"]
        press_right(tabs.bar, tabs.bar.tabRect(0).center())
        menu = await menu_there()
        assert [a.text() for a in menu.actions() if a.isEnabled()] == ["Close", "Open in another tab"]
        QTest.keyClick(menu, Qt.Key.Key_Escape)

    run_window(body)


def test_an_entry_of_the_sidebar_has_a_menu(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        await started(app)
        tree = app.window.sidebar.tree
        at = tree.visualRect(app.window.sidebar.model.index_of("core/pipeline")).center()
        done: list[str] = []
        app.notices.tell("fails", "Not saved", "", ("Try again", lambda: done.append("again")))
        [banner] = app.window.strip.banners()
        await until(banner.buttons()[0].isVisible, "the notice")
        QTest.keyClick(app.window, Qt.Key.Key_F9)
        button = QApplication.focusWidget()
        assert isinstance(button, QPushButton)
        spoken = QAccessible.queryAccessibleInterface(button)
        assert spoken.text(QAccessible.Text.Name) == "Try again"
        assert "Not saved" in spoken.text(QAccessible.Text.Description), "of which notice it is"
        QTest.keyClick(button, Qt.Key.Key_Space)
        assert done == ["again"]
        press_right(tree.viewport(), at)
        menu = await menu_there()
        assert [a.text() for a in menu.actions() if a.isEnabled()] == ["Open"]
        choose(menu, "Open")
        page = app.window.tabs.current
        assert page is not None
        assert page.resource.key == "core/pipeline"
        press_right(tree.viewport(), at)
        choose(await menu_there(), "Close tab")
        assert not app.window.tabs.has("core/pipeline")

    run_window(body)


def test_toggle_of_a_screen_reader_opens_an_entry_of_the_sidebar(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        await started(app)
        tree = app.window.sidebar.tree
        spoken = QAccessible.queryAccessibleInterface(tree)
        assert spoken is not None
        names = [spoken.child(at).text(QAccessible.Text.Name) for at in range(spoken.childCount())]
        place = next(at for at, name in enumerate(names) if name.startswith("Pipelines"))
        actions = spoken.child(place).actionInterface()
        assert "Toggle" in actions.actionNames()
        actions.doAction("Toggle")
        await until(
            lambda: (p := app.window.tabs.current) is not None and p.resource.key == "core/pipeline",
            "the page that was toggled",
        )
        tree.setFocus()
        QTest.keyClick(tree, Qt.Key.Key_Down)
        await until(lambda: tree.currentIndex().data() == "Connection check", "the next entry")
        page = app.window.tabs.current
        assert page is not None
        assert page.resource.key == "core/pipeline", "an arrow alone opens nothing"

    run_window(body)


def test_a_connection_of_another_profile_is_found_by_name(
    run_window: RunWindow, service: SandboxProcess
) -> None:
    async def body(app: Application) -> None:
        await started(app)
        known = ("conn_sandbox_clean", "conn_sandbox_messy")
        acme = Profile(
            name="Acme with a name of more than eighteen letters",
            base_url=service.base_url,
            connection=known[0],
            connections=known,
        )
        other = Profile(
            name="Beta", base_url=service.base_url, connection="conn_beta", connections=("conn_beta",)
        )
        for profile in (acme, other):
            app.profiles.save(profile)
            app.secrets.save(profile, service.apikey)
        window = app.window
        window.commands.run("profiles.switch")
        QTest.keyClicks(window.palette_.field, "messy acme")
        assert window.palette_.field.accessibleDescription().startswith(
            "conn_sandbox_messy, Connection, Acme"
        )
        QTest.keyClick(window.palette_.field, Qt.Key.Key_Return)
        await until(
            lambda: app.session is not None and app.session.profile.id == acme.id, "the other session"
        )
        assert app.session is not None
        assert app.session.connection == "conn_sandbox_messy"
        await until(lambda: not app.tasks.busy("keep profile"), "the choice is kept")
        assert app.profiles.get(acme.id).connection == "conn_sandbox_messy"
        tip = window.sidebar.head.toolTip()
        assert acme.name in tip, "a name that is cut stands whole in the tooltip"
        assert "conn_sandbox_messy" in tip
        dialog = window.show_profiles()
        assert [acme.name in (dialog.list.item(i).toolTip()) for i in range(dialog.list.count())].count(
            True
        ) == 1
        dialog.done(0)

    run_window(body)


def test_what_was_typed_stays_with_its_connection(run_window: RunWindow) -> None:
    clean, messy = "conn_sandbox_clean", "conn_sandbox_messy"

    async def page_on(app: Application, connection: str) -> CallPage:
        if app.session is None or app.session.connection != connection:
            app.switch_connection(connection)
        await until(lambda: app.session is not None and app.session.connection == connection, connection)
        app.window.open_page("core/customer")
        page = app.window.tabs.current
        assert isinstance(page, CallPage)
        return page

    async def body(app: Application) -> None:
        await started(app)
        typed = {"path": {"id": "acme"}, "query": {}, "body": {}}
        page = await page_on(app, clean)
        page.pane.form.restore(typed)
        page = await page_on(app, messy)
        assert not page.pane.form.path_values()
        page = await page_on(app, clean)
        assert page.pane.form.path_values() == {"id": "acme"}

    run_window(body, connection=clean)
