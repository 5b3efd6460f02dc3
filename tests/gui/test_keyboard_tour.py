"""The program by keyboard alone, and as a screen reader meets it: every page opened, filled, sent, read and left.

Every key goes to what has the focus, as on a real screen; nothing here reaches for a widget to press it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QAccessible, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QApplication,
    QDialog,
    QMenu,
    QTabBar,
    QWidget,
)

from explorer.ui.app.application import Application
from explorer.ui.app.stored_data import StoredData
from explorer.ui.call.call_page import CallPage
from explorer.ui.own_pages import HOME, INTERFACE
from explorer.ui.page import Page
from explorer.ui.pages.list.column_summary import ColumnSummary
from explorer.ui.pages.list.list_page import ListPage
from explorer.ui.pages.quality.quality_page import QualityPage
from explorer.ui.pages.snapshots.snapshots_page import SnapshotsPage
from tests.builtin import registry
from tests.gui.conftest import RunWindow, until
from tests.gui.spoken import described, heard

# Completion opens a popup, which the offscreen platform remarks on.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

Keys = Qt.Key
NONE = Qt.KeyboardModifier.NoModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier

# What is typed, field by field, each reached by Tab. Enough for the service to take the call.
TYPED: dict[str, tuple[tuple[str, str], ...]] = {
    "crm/contact": (("first_name", "Ada"), ("email", "ada@example.org")),
    "crm/account": (("ids", "101\n102"), ("properties", "name,website")),
    "accounting/customer-balance": (("customer", "1"),),
    "accounting/customer-income": (("customer", "1"),),
    "accounting/payment-receipt": (("customer_transaction_id", "tx_1"),),
    "core/pipeline": (("id", "pipe_keys"),),
    "core/connection": (),
    "core/customer": (("id", "cus_keys"),),
    "connect/magic-link": (("customerId", "cus_keys"),),
    "webhook": (("connector_name", "hubspot"),),
}
FIRST = {
    "crm/contact": "first_name",
    "crm/account": "ids",
    "accounting/customer-balance": "customer",
    "accounting/customer-income": "customer",
    "accounting/payment-receipt": "customer_transaction_id",
    "core/pipeline": "id",
    "core/connection": "id",
    "core/customer": "id",
    "connect/magic-link": "customerId",
    "webhook": "connector_name",
}


def focused() -> QWidget:
    """What has the focus; something always does."""
    found = QApplication.focusWidget()
    assert found is not None, "nothing has the focus"
    return found


def key(which: Qt.Key, modifier: Qt.KeyboardModifier = NONE) -> None:
    QTest.keyClick(focused(), which, modifier)


def type_text(text: str) -> None:
    """Letters go to what has the focus."""
    for letter in text:
        if letter == "\n":
            key(Keys.Key_Return)
        else:
            QTest.keyClicks(focused(), letter)


def on(name: str) -> bool:
    """The focus is on the control of that name."""
    return focused().accessibleName() == name


def fill_in(fields: tuple[tuple[str, str], ...]) -> None:
    """Go to each field by Tab and type."""
    for name, text in fields:
        reach(partial(on, name), name)
        type_text(text)


async def awake(app: Application) -> None:
    """The window is the active one, as its user keeps it."""
    popup = QApplication.activePopupWidget()
    if popup is not None:
        QTest.keyClick(popup, Keys.Key_Escape)  # what completion offers
    app.window.activateWindow()
    await until(lambda: app.window.isActiveWindow() and QApplication.focusWidget() is not None, "the focus")


async def by_palette(app: Application, words: str) -> None:
    """Ctrl K, a few letters, Enter."""
    key(Keys.Key_K, CONTROL)
    field = app.window.palette_.field
    assert focused() is field
    type_text(words)
    assert field.accessibleDescription().lower().startswith(words.lower()), field.accessibleDescription()
    key(Keys.Key_Return)
    await until(lambda: not app.window.palette_.isVisible(), "the end of the palette")
    await awake(app)


async def started(app: Application) -> None:
    await until(lambda: app.session is not None, "the session")
    await until(lambda: app.window.tabs.current is not None, "the first page")


def idle(page: Page) -> bool:
    return not page.tasks.busy()


def front(app: Application) -> Page:
    page = app.window.tabs.current
    assert page is not None
    return page


# ------------------------------------------------------------------ the tour


def test_every_page_is_opened_filled_sent_read_and_left(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        await started(app)
        for resource in registry.resources():
            await by_palette(app, resource.title)
            page = front(app)
            assert page.resource.key == resource.key
            if isinstance(page, ListPage):
                await read_list(page)
            else:
                assert isinstance(page, CallPage)
                await send_from(app, page)
            await around(app, page)
        titles = [app.window.tabs.bar.tabText(i) for i in range(app.window.tabs.bar.count())]
        assert sorted(titles) == sorted(r.title for r in registry.resources())
        last = front(app)
        key(Keys.Key_Tab, CONTROL | SHIFT)
        assert front(app) is not last
        key(Keys.Key_Tab, CONTROL)
        assert front(app) is last
        assert focused().accessibleName() == FIRST[last.resource.key]
        key(Keys.Key_W, CONTROL)
        assert app.window.tabs.bar.count() == len(titles) - 1
        assert app.session is not None
        sent = {e.operation for e in app.session.exchanges.all() if e.status is not None}
        wanted = {resource.operations[0].key for resource in registry.resources()}
        assert wanted <= sent

    run_window(body)


async def read_list(page: ListPage) -> None:
    """The table has the focus: arrows walk it."""
    await until(lambda: page.model.rowCount() > 1, "the rows")
    assert focused() is page.table
    key(Keys.Key_Down)
    key(Keys.Key_Down)
    before = page.table.currentIndex()
    key(Keys.Key_Down)
    key(Keys.Key_Right)
    after = page.table.currentIndex()
    assert (after.row(), after.column()) == (before.row() + 1, before.column() + 1)


async def send_from(app: Application, page: CallPage) -> None:
    """From the first field to the answer, and into it."""
    name = page.resource.key
    assert focused().accessibleName() == FIRST[name]
    fill_in(TYPED[name])
    key(Keys.Key_Return, CONTROL)
    await until(lambda: not page.tasks.busy() and page.pane.panel.badge.text(), f"the answer on {name}")
    await awake(app)
    assert page.pane.panel.badge.text().startswith(("200", "404", "501")), page.pane.panel.badge.text()
    reach(lambda: isinstance(focused(), QTabBar), f"the tabs of the answer on {name}")
    bar = focused()
    assert isinstance(bar, QTabBar)
    assert page.pane.panel.isAncestorOf(bar)
    for _ in range(bar.count()):
        key(Keys.Key_Left)
    seen = [bar.tabText(bar.currentIndex())]
    for _ in range(len([i for i in range(bar.count()) if bar.isTabVisible(i)]) - 1):
        key(Keys.Key_Right)
        seen.append(bar.tabText(bar.currentIndex()))
    assert seen == [bar.tabText(i) for i in range(bar.count()) if bar.isTabVisible(i)]
    key(Keys.Key_Tab)
    assert page.pane.panel.isAncestorOf(focused()), f"Tab leads from the tabs into the answer on {name}"


def reach(there: Callable[[], bool], what: str, most: int = 80) -> None:
    """Tab until ``there``."""
    for _ in range(most):
        if there():
            return
        key(Keys.Key_Tab)
    raise AssertionError(f"{what} cannot be reached by Tab")


async def around(app: Application, page: Page) -> None:
    """F6 goes to sidebar, page and log, and comes back."""
    window = app.window
    places = {"sidebar": window.sidebar, "page": page, "log": window.log}
    seen = set()
    for _ in range(6):
        key(Keys.Key_F6)
        seen |= {name for name, place in places.items() if place.isAncestorOf(focused())}
    assert seen == set(places), page.resource.key


def test_the_operation_is_chosen_by_arrows_and_a_call_is_stopped_by_escape(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        await started(app)
        app.switch_connection("conn_sandbox_slow")
        await until(lambda: app.session is not None and app.session.connection == "conn_sandbox_slow")
        await by_palette(app, "Contacts")
        page = front(app)
        assert isinstance(page, CallPage)
        reach(
            lambda: focused().accessibleName() == "" and page.head.segments.isAncestorOf(focused()), "Create"
        )
        key(Keys.Key_Right)
        assert page.pane.operation.key == "crm/contact/update"
        key(Keys.Key_Right)
        assert page.pane.operation.key == "crm/contact/upsert"
        assert page.head.segments.isAncestorOf(focused())
        reach(lambda: focused().accessibleName() == "first_name", "the first name")
        type_text("Ada")
        key(Keys.Key_Return, CONTROL)
        assert page.pane.busy
        log = page.session.exchanges
        await until(lambda: [e for e in log.all() if e.state == "waiting"], "the call on its way")
        key(Keys.Key_Escape)
        await until(lambda: not page.pane.busy, "the end of the call")
        assert page.pane.banner is not None
        assert page.pane.banner.title.startswith("Stopped")

    run_window(body)


def test_history_is_opened_walked_and_loaded_by_keys(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        await started(app)
        await by_palette(app, "Customers")
        page = front(app)
        assert isinstance(page, CallPage)
        for name in ("cus_one", "cus_two"):
            key(Keys.Key_A, CONTROL)
            type_text(name)
            key(Keys.Key_Return, CONTROL)
            await until(lambda: not page.tasks.busy(), "the answer")
        key(Keys.Key_H, CONTROL | SHIFT)
        await until(lambda: isinstance(focused().window(), QDialog), "the focus in the history")
        key(Keys.Key_Down)
        key(Keys.Key_Return)
        await until(lambda: QApplication.activeModalWidget() is None, "the end of the history")
        assert page.pane.form.path_values() == {"id": "cus_one"}
        assert app.session is not None
        assert len([e for e in app.session.exchanges.all() if e.operation == "core/customer/put"]) == 2

    run_window(body)


# ------------------------------------------------------------------ where Tab leads


def stops(page: QWidget) -> list[QWidget]:
    """What Tab should reach within ``page``: all that is visible, enabled and takes it."""
    found = []
    for one in page.findChildren(QWidget):
        takes = one.focusPolicy().value & Qt.FocusPolicy.TabFocus.value
        if not takes or not one.isVisible() or not one.isEnabled() or one.focusProxy() is not None:
            continue
        if (
            isinstance(one, QAbstractButton)
            and one.autoExclusive()
            and one.isCheckable()
            and not one.isChecked()
        ):
            continue  # the arrows of its neighbour reach it
        found.append(one)
    return found


def look(widget: QWidget, window: QWidget) -> QImage:
    """``widget`` and a little around it, as it is on the screen."""
    corner = widget.mapTo(window, QPoint(0, 0))
    return window.grab(QRect(corner, widget.size()).adjusted(-4, -4, 4, 4)).toImage()


def test_tab_reaches_every_control_of_every_page_and_the_focus_is_seen(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        await started(app)
        window, faults = app.window, []
        for resource in registry.resources():
            window.open_page(resource.key)
            page = front(app)
            if isinstance(page, ListPage):
                await until(page.model.rowCount, "the rows")
            for place in range(len(resource.operations) if isinstance(page, CallPage) else 1):
                if isinstance(page, CallPage):
                    page.choose(place)
                    await awake(app)
                    page.activated()
                faults += walked(page, window, f"{resource.key} {place}")
        assert faults == [], "\n".join(faults)

    run_window(body)


def test_tab_reaches_every_control_of_the_pages_about_quality_and_each_has_a_name(
    run_window: RunWindow,
) -> None:
    """Runs before and after one, the tabs of Snapshots with something in them, Mapping, Column summary, Stored data."""

    async def body(app: Application) -> None:
        await started(app)
        window, faults = app.window, []
        await by_palette(app, "Drives")
        rows = front(app)
        assert isinstance(rows, ListPage)
        await until(lambda: rows.model.rowCount() > 1, "the rows")
        rows.table.setCurrentIndex(rows.model.index(1, 1))
        window.inspector.show_tab("Mapping")
        await until(lambda: (m := window.inspector.mapping) and m.model.rows, "the mapping")
        faults += inside(window.inspector, window, "Mapping")
        rows.table.setFocus()
        key(Keys.Key_M, CONTROL | SHIFT)
        [summary] = window.findChildren(ColumnSummary)
        await until(lambda: summary.found is not None, "the summary")
        faults += inside(summary, window, "Column summary")
        key(Keys.Key_Escape)
        await until(lambda: focused() is rows.table, "the focus back in the table")
        window.commands.run("storage.open")
        stored = window.findChild(StoredData)
        assert stored is not None
        await until(lambda: stored.table.row() is not None, "what is kept")
        faults += inside(stored, stored, "Stored data")
        key(Keys.Key_Escape)
        assert not stored.isVisible()
        await awake(app)
        rows.keep()
        await until(lambda: isinstance(focused().window(), QDialog), "the question for a name")
        key(Keys.Key_Return)
        page = front(app)
        assert isinstance(page, SnapshotsPage)
        await until(lambda: page.kept.model.rows and idle(page), "the snapshot")
        await awake(app)
        for tab in range(page.tabs.count()):
            page.tabs.setCurrentIndex(tab)
            await until(partial(idle, page), "its end")
            page.primary.setFocus()
            faults += walked(page, window, f"Snapshots {tab}") + heard(page)
        await by_palette(app, "Runs")
        runs = front(app)
        assert isinstance(runs, QualityPage)
        faults += walked(runs, window, "Runs") + heard(runs)
        runs.setup.resources.choose((rows.resource.key,))
        runs.setup.groups.choose(("records",))
        key(Keys.Key_Return, CONTROL)
        await until(lambda: runs.runs and idle(runs), "the end of the run")
        faults += walked(runs, window, "Runs, shown") + heard(runs)
        assert faults == [], "\n".join(faults)

    run_window(body)


def inside(part: QWidget, window: QWidget, where: str) -> list[str]:
    """Tab through one part of a window: what it does not reach, and what is nameless or silent there."""
    first, left = stops(part), {id(one): one for one in stops(part)}
    first[0].setFocus(Qt.FocusReason.TabFocusReason)
    faults = heard(part)
    for _ in range(4 * len(left) + 80):
        if part.isAncestorOf(focused()):
            left.pop(id(focused()), None)
            faults += spoken_and_shown(focused(), window, where)
        if not left:
            break
        key(Keys.Key_Tab)
    return faults + [f"{where}: Tab does not reach {described(one)}" for one in left.values()]


def walked(page: Page, window: QWidget, where: str) -> list[str]:
    """Tab round the window once; what is wrong on the way through ``page``."""
    faults, seen = [], []
    first = focused()
    left = {id(one): one for one in stops(page)}
    for _ in range(400):
        here = focused()
        if page.isAncestorOf(here):
            seen.append(here)
            left.pop(id(here), None)
            faults += spoken_and_shown(here, window, where)
        key(Keys.Key_Tab)
        if focused() is first:
            break
    else:
        faults.append(f"{where}: Tab does not come back")
    faults += [f"{where}: Tab does not reach {described(one)}" for one in left.values() if one.isVisible()]
    return faults


def spoken_and_shown(here: QWidget, window: QWidget, where: str) -> list[str]:
    """A name for a screen reader, a place within its scroll area, and another look than without the focus."""
    faults = []
    interface = QAccessible.queryAccessibleInterface(here)
    if not interface.text(QAccessible.Text.Name):
        faults.append(f"{where}: nameless {described(here)}")
    area = here.parentWidget()
    while area is not None and not isinstance(area, QAbstractScrollArea):
        area = area.parentWidget()
    if here.visibleRegion().isEmpty():
        faults.append(f"{where}: out of sight {described(here)}")
        return faults
    if isinstance(here, QAbstractItemView) and here.model().rowCount() == 0:
        return faults  # an empty table has no cell to show it at
    if isinstance(here, QAbstractItemView) and not here.currentIndex().isValid():
        key(Keys.Key_Down)  # a table shows its focus at its current cell, and has none at first
    with_focus = look(here, window)
    here.clearFocus()
    without = look(here, window)
    here.setFocus(Qt.FocusReason.TabFocusReason)
    if with_focus == without:
        faults.append(f"{where}: the focus is not seen on {described(here)}")
    return faults


# ------------------------------------------------------------------ for a screen reader


Opening = Callable[[Application], Awaitable[QWidget]]


class Windows(QObject):
    """Notes what becomes a window of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        own = isinstance(watched, QWidget) and watched.isWindow()
        if event.type() == QEvent.Type.Show and own and not isinstance(watched, QDialog | QMenu):
            self.shown.append(f"{type(watched).__name__} {watched.objectName()}")
        return False


def test_every_page_with_its_answer_and_every_dialog_is_named_and_nothing_else_becomes_a_window(
    run_window: RunWindow, dressed: QApplication
) -> None:
    """A part that is shown before it has a parent is a window until then: it flashes, and takes the focus away."""
    spy = Windows()

    async def body(app: Application) -> None:
        await started(app)
        dressed.installEventFilter(spy)
        window, silent = app.window, []
        for resource in (HOME, INTERFACE, *registry.resources()):
            window.open_page(resource.key)
            silent += [f"{resource.key}, just opened: {one}" for one in heard(window)]
        for resource in registry.resources():
            window.open_page(resource.key)
            page = front(app)
            await until(partial(idle, page), "the page at rest")
            await awake(app)
            if isinstance(page, CallPage):
                silent += await answered(page, app)
            else:
                silent += [f"{resource.key}: {one}" for one in heard(window)]
        for name, dialog in dialogs(app):
            silent += [f"{name}: {one}" for one in heard(dialog)]
            if dialog.windowTitle() == "":
                silent.append(f"{name}: the dialog has no title")
            dialog.close()
        assert silent == [], "\n".join(dict.fromkeys(silent))
        await sent_as_they_stand(app)

    try:
        run_window(body)
    finally:
        dressed.removeEventFilter(spy)
    popups = ("QComboBoxPrivateContainer", "QTipLabel", "QListView", "QCompleter")
    assert [one for one in spy.shown if not one.startswith(popups)] == []


async def sent_as_they_stand(app: Application) -> None:
    """Send each operation of each page without what it needs; it comes last, as it leaves rows with empty cells."""
    for resource in registry.resources():
        app.window.open_page(resource.key)
        page = front(app)
        if isinstance(page, CallPage):
            for place in range(len(resource.operations)):
                page.choose(place)
                page.send_anyway()
                await until(partial(idle, page), "the answer")


async def answered(page: CallPage, app: Application) -> list[str]:
    """Send each operation as it stands with what is needed, and walk each tab of the answer."""
    silent: list[str] = []
    for place, operation in enumerate(page.resource.operations):
        page.choose(place)
        await awake(app)
        page.activated()
        if place == 0:
            fill_in(TYPED[page.resource.key])
        elif operation.path_input.model_fields:
            type_text("pipe_keys" if "pipeline" in operation.key else "101")
        page.send()
        await until(lambda: not page.tasks.busy(), "the answer")
        tabs = page.pane.panel.tabs
        for number in range(tabs.count()):
            tabs.setCurrentIndex(number)
            silent += [f"{operation.key} {tabs.tabText(number)}: {one}" for one in heard(app.window)]
    return silent


def dialogs(app: Application) -> Iterator[tuple[str, QDialog]]:
    """Every dialog that the window and its pages open, one after the other."""
    window = app.window
    yield "profiles", window.show_profiles()
    yield "new profile", window.show_profiles(lambda d: d.start_new())
    for command in ("help.shortcuts", "help.about", "link.look"):
        window.commands.run(command)
        yield command, top_dialog()
    pages = {page.resource.key: page for page in window.tabs.pages()}
    for key_ in ("crm/contact", "core/customer", "webhook"):
        page: Any = pages[key_]
        yield f"history of {key_}", page.show_history()
    contact: Any = pages["crm/contact"]
    fill = contact.show_fill()
    assert fill is not None
    yield "fill", fill
    for key_ in ("core/pipeline", "core/customer", "core/connection"):
        pane: Any = pages[key_]
        pane.pane.table.ask()
        yield f"add to {key_}", top_dialog()
    detail = window.requests.open_detail()
    assert detail is not None
    yield "call", detail


def top_dialog() -> QDialog:
    found = [w for w in QApplication.topLevelWidgets() if isinstance(w, QDialog) and w.isVisible()]
    assert found, "no dialog opened"
    return found[-1]


def test_the_walk_sees_a_button_and_a_cell_without_a_word(dressed: QApplication) -> None:
    from PySide6.QtWidgets import QPushButton, QTableWidget, QTableWidgetItem, QVBoxLayout

    box = QWidget()
    column = QVBoxLayout(box)
    column.addWidget(QPushButton())
    table = QTableWidget(1, 2)
    table.setAccessibleName("Things")
    table.setItem(0, 0, QTableWidgetItem("a"))
    table.setItem(0, 1, QTableWidgetItem(""))
    table.setHorizontalHeaderLabels(["a", "b"])
    column.addWidget(table)
    box.show()
    said = heard(box)
    assert len([one for one in said if "Button" in one]) == 1
    assert [one for one in said if "says nothing" in one] != []
    box.close()
