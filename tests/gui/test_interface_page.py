"""The page Interface with real events: from a document to the first rows, and corrected, tried and saved as a pack."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from explorer.catalog import interfaces
from explorer.openapi.kept import KeptInterfaces
from explorer.openapi.pack import read_pack
from explorer.paths import Folders
from explorer.profiles.profile import Profile, Profiles
from explorer.sandbox.process import SandboxProcess
from explorer.ui.app.application import Application
from explorer.ui.frame.catalog_tree import KEY
from explorer.ui.frame.layout import Layout
from explorer.ui.kit.theme import theme
from explorer.ui.own_pages import HOME, INTERFACE
from explorer.ui.pages.interface.interface_page import InterfacePage
from explorer.ui.pages.interface.interface_state import Setting
from explorer.ui.pages.interface.list_panels import SettingsGrid
from explorer.ui.pages.list.list_page import ListPage
from explorer.ui.profiles.profiles_dialog import ProfilesDialog
from tests.gui.conftest import RunWindow, until
from tests.gui.spoken import heard
from tests.unified_services import KEY as SECRET
from tests.unified_services import Kombo

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
STRANGE = '<img src="file:///etc/passwd"><b>Staff</b>'


def titles_of(page: InterfacePage) -> list[str]:
    """The titles of all lists that the document was found to have."""
    return [line.title for group in page.draft.groups() for line in group.lines] if page.draft else []


def document(url: str, **more: Any) -> dict[str, Any]:
    """What the stand-in Kombo would publish: employees as they are, and teams about which little is said."""
    row = {
        "type": "object",
        "required": ["id"],
        "properties": {"id": {"type": "string"}, "name": {"type": "string"}, "raw_data": {"type": "object"}},
    }
    inner = {
        "type": "object",
        "properties": {
            "results": {"type": "array", "items": row},
            "next": {"type": "string", "nullable": True},
        },
    }
    page = {"type": "object", "properties": {"status": {"type": "string"}, "data": inner}}
    loose = {
        "type": "object",
        "properties": {
            "teams": {
                "type": "array",
                "items": {"type": "object", "properties": {"label": {"type": "string"}}},
            }
        },
    }

    def get(schema: dict[str, Any], *queries: str) -> dict[str, Any]:
        said: list[dict[str, Any]] = [
            {"name": name, "in": "query", "schema": {"type": "string"}} for name in queries
        ]
        said.append(
            {"name": "X-Integration-Id", "in": "header", "required": True, "schema": {"type": "string"}}
        )
        return {
            "get": {
                "tags": ["HRIS"],
                "summary": STRANGE,
                "parameters": said,
                "responses": {"200": {"content": {"application/json": {"schema": schema}}}},
            }
        }

    return {
        "openapi": "3.1.0",
        "info": {"title": "Kombo-like", "version": "2"},
        "servers": [{"url": f"{url}/v1"}],
        "components": {"securitySchemes": {"key": {"type": "http", "scheme": "bearer"}}},
        "security": [{"key": []}],
        "paths": {"/hris/employees": get(page, "cursor"), "/hris/teams": get(loose, "limit"), **more},
    }  # fmt: skip


@pytest.fixture(autouse=True)
def own_registries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interfaces, "REGISTRIES", dict(interfaces.REGISTRIES))


def drop(page: QWidget, *files: Path) -> None:
    """Drop files on the page, as a file manager does."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(file)) for file in files])
    what = (Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    enter = QDragEnterEvent(page.rect().center(), *what)
    QApplication.sendEvent(page, enter)
    if enter.isAccepted():
        QApplication.sendEvent(page, QDropEvent(QPointF(page.rect().center()), *what))


def page_of(app: Application) -> InterfacePage:
    page = app.window.tabs.current
    assert isinstance(page, InterfacePage)
    return page


def in_sidebar(app: Application) -> list[str]:
    model = app.window.sidebar.model
    heads = [model.index(row, 0) for row in range(model.rowCount())]
    return [model.index(n, 0, head).data(KEY) for head in heads for n in range(model.rowCount(head))]


def press_in_sidebar(app: Application, key: str) -> None:
    tree, model = app.window.sidebar.tree, app.window.sidebar.model
    heads = [model.index(row, 0) for row in range(model.rowCount())]
    found = [model.index(n, 0, head) for head in heads for n in range(model.rowCount(head))]
    [index] = [one for one in found if one.data(KEY) == key]
    tree.scrollTo(index)
    QTest.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=tree.visualRect(index).center())


def written(folder: Path, said: dict[str, Any]) -> Path:
    file = folder / "kombo.json"
    file.write_text(json.dumps(said))
    return file


async def imported(app: Application, file: Path) -> InterfacePage:
    await until(lambda: app.session is not None, "the sandbox")
    app.window.open_page(INTERFACE.key)
    page = page_of(app)
    drop(page, file)
    await until(lambda: page.draft is not None, "the document")
    return page


def test_from_a_document_and_a_key_to_the_first_rows(
    run_window: RunWindow, tmp_path: Path, folders: Folders, record_property: Callable[[str, object], None]
) -> None:
    async def body(app: Application) -> None:
        window, inputs = app.window, 0
        await until(lambda: app.session is not None, "the sandbox")
        assert INTERFACE.key not in in_sidebar(app), "the built-in interface has no page of its own"
        window.commands.run("interface.import")
        for asking in window.findChildren(QFileDialog):
            asking.reject()
        page, began = page_of(app), time.monotonic()
        assert page.empty.isVisible()
        drop(page, file)
        inputs += 1
        await until(lambda: page.draft is not None, "the document")
        assert page.found.whole() == "2 lists found"
        assert heard(page) == []
        QTest.mouseClick(page.use, Qt.MouseButton.LeftButton)
        inputs += 1
        await until(lambda: window.findChildren(ProfilesDialog), "the form")
        [dialog] = window.findChildren(ProfilesDialog)
        form = dialog.form
        await until(lambda: form.is_asking and form.interface.currentData() == "kombo-like", "its fields")
        assert form.base_url.text() == f"{service.url}/v1"
        assert dialog.banner.title == "The address is what the document proposes"
        assert service.calls == []
        QTest.keyClicks(form.secret, SECRET)
        inputs += 1
        QTest.keyClicks(form.connections, "workday:1")
        inputs += 1
        assert service.calls == []
        QTest.mouseClick(dialog.use, Qt.MouseButton.LeftButton)
        inputs += 1
        await until(lambda: app.session is not None and app.session.profile.interface == "kombo-like", "it")
        await until(lambda: "hris/employees" in in_sidebar(app), "the sidebar")
        press_in_sidebar(app, "hris/employees")
        inputs += 1
        await until(lambda: isinstance(window.tabs.current, ListPage), "the page")
        shown = window.tabs.current
        assert isinstance(shown, ListPage)
        await until(lambda: shown.model.rowCount() == 10, "the first rows")
        record_property("seconds", round(time.monotonic() - began, 1))
        record_property("inputs", inputs)
        print(f"{inputs} inputs, {time.monotonic() - began:.1f} s")
        assert inputs <= 6
        assert in_sidebar(app)[:2] == [HOME.key, INTERFACE.key]

    with Kombo() as service:
        file = written(tmp_path, document(service.url))
        assert run_window(body) == 0
    for one in folders.config.parent.rglob("*"):
        assert not one.is_file() or SECRET.encode() not in one.read_bytes(), one


def test_an_unsaved_document_is_there_again_after_a_switch(run_window: RunWindow, tmp_path: Path) -> None:
    async def body(app: Application) -> None:
        page = await imported(app, written(tmp_path, document("http://127.0.0.1:9")))
        page.tree.choose(page.model.first(lambda line: line.title == "Employees"))
        await until(lambda: page.settings.height() > 300, "its settings")
        await until(lambda: page.area.verticalScrollBar().maximum() == 0, "all of them in sight")
        draft, before = page.draft, app.session
        app.switch_connection("conn_sandbox_clean")
        await until(lambda: app.session is not None and app.session is not before, "the other connection")
        app.window.open_page(INTERFACE.key)
        again = page_of(app)
        assert again is not page
        assert again.draft == draft
        assert again.tree.isVisible()
        again._change(lambda one: replace(one, name="kombo-like"))  # as once it is added
        before = app.session
        app.switch_connection("conn_sandbox_messy")
        await until(lambda: app.session is not None and app.session is not before, "a third one")
        app.window.open_page(INTERFACE.key)
        assert page_of(app).draft is None, "it is saved, and of another profile"

    assert run_window(body) == 0


def test_the_tab_comes_back_with_its_profile(
    run_window: RunWindow, folders: Folders, service: SandboxProcess
) -> None:
    async def body(app: Application) -> None:
        window, bar = app.window, app.window.tabs.bar
        await until(lambda: app.session is not None and window.tabs.current is not None, "the sandbox")
        other = Profile(name="Acme", base_url=service.base_url, connection="conn_sandbox_clean")
        app.profiles.save(other)
        app.secrets.save(other, service.apikey)
        window.commands.run("interface.import")
        for asking in window.findChildren(QFileDialog):
            asking.reject()
        open_before = [bar.tabText(at) for at in range(bar.count())]
        assert open_before == ["Jobs", "Interface"]
        for name in ("Acme", "Sandbox"):
            window.commands.run("profiles.switch")
            QTest.keyClick(window.palette_.field, Qt.Key.Key_Return)
            await until(lambda: not app.tasks.busy("open"), "the other session")
            assert window.profile is not None
            assert window.profile.name == name
        assert [bar.tabText(at) for at in range(bar.count())] == open_before
        assert page_of(app).empty.isVisible()
        QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(0).center())
        assert isinstance(window.tabs.current, ListPage)

    run_window(body)


def test_the_selected_tab_shows_its_page_where_the_front_one_is_left_out(
    run_window: RunWindow, folders: Folders
) -> None:
    keys: list[dict[str, object]] = [{"key": key} for key in ("gone/one", "ats/job", "core/pipeline")]
    layout = Layout(folders.state)
    layout.set("tabs@sandbox", {"front": "gone/one", "open": keys})
    layout.save()

    async def body(app: Application) -> None:
        bar = app.window.tabs.bar
        await until(lambda: app.session is not None and not app.tasks.busy("open"), "the sandbox")
        assert [bar.tabText(at) for at in range(bar.count())] == ["Jobs", "Pipelines"]
        page = app.window.tabs.current
        assert page is not None, "the tab that looks selected shows its page"
        assert page.resource.key == bar.tabData(bar.currentIndex()) == "ats/job"
        assert [one.title for one in app.window.tabs.pages()] == ["Jobs"]

    run_window(body)


@pytest.mark.parametrize(
    ("title", "names"),
    [
        ("Small Library", ["Small Library", "Small Library (2)"]),
        ("Small\n Library\u202e", ["Small Library‹U+202E›", "Small Library‹U+202E› (2)"]),
        ("L" * 200, ["L" * 80, "L" * 70 + " (2)"]),
        ("", ["127.0.0.1", ""]),
    ],
)
def test_a_new_profile_is_proposed_under_the_title_of_its_interface(
    run_window: RunWindow, tmp_path: Path, title: str, names: list[str]
) -> None:
    async def body(app: Application) -> None:
        page = await imported(app, written(tmp_path, {**said, "info": {"title": title, "version": "1"}}))
        for name in names:
            QTest.mouseClick(page.use, Qt.MouseButton.LeftButton)
            await until(lambda: app.window.findChildren(ProfilesDialog), "the form")
            [dialog] = app.window.findChildren(ProfilesDialog)
            await until(partial(getattr, dialog.form, "is_asking"), "its fields")
            assert dialog.form.name.text() == (name if title else "")
            if name:
                QTest.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
                await until(partial(_says_saved, dialog), "the word that it is saved")
            dialog.done(0)
            await until(lambda: not app.window.findChildren(ProfilesDialog), "the end of the form")
        assert [profile.name for profile in app.profiles.all()][1:] == [name for name in names if name]

    said = document("http://127.0.0.1:9")
    run_window(body)


def _says_saved(dialog: ProfilesDialog) -> bool:
    return dialog.banner.title == "Saved"


def in_sight(page: InterfacePage) -> bool:
    """Whether the setting that has the focus stands whole within what is seen of the settings."""
    seen, field = page.area.viewport(), QApplication.focusWidget()
    if field is None or not page.settings.isAncestorOf(field):
        return False
    place = field.rect().translated(field.mapTo(seen, QPoint()))
    return seen.rect().contains(place)


def test_the_next_guessed_setting_is_scrolled_into_view(run_window: RunWindow, tmp_path: Path) -> None:
    async def body(app: Application) -> None:
        app.window.resize(1024, 440)
        page = await imported(app, written(tmp_path, said))
        bar, places = page.area.verticalScrollBar(), []
        for _ in range(6):
            QTest.keyClick(page, Qt.Key.Key_F8)
            field = QApplication.focusWidget()
            assert field is not None
            assert page.settings.isAncestorOf(field)
            await until(lambda: in_sight(page), f"{field.accessibleName()} in sight")
            places.append((page.chosen, field.accessibleName().split(",")[0], bar.value()))
        settings = [(key, setting) for key, setting, _ in places]
        lists = ("GET /hris/teams", "GET /hris/absences")
        assert settings == [(key, setting) for key in lists for setting in ("Paging", "Id", "Raw data")]
        assert places[2][2] > 0, "the last one stands below the edge as long as nothing scrolls"
        bar.setValue(bar.maximum())
        QTest.mouseClick(page.next, Qt.MouseButton.LeftButton)
        await until(lambda: in_sight(page), "a field above the edge in sight")
        QTest.mouseClick(page.next, Qt.MouseButton.LeftButton)
        field = QApplication.focusWidget()
        assert field is not None
        assert (page.chosen, field.accessibleName().split(",")[0]) == settings[1], "from click to click, too"

    said = document("http://127.0.0.1:9")
    teams = said["paths"]["/hris/teams"]
    teams["get"]["parameters"].append(
        {"name": "include_raw_data", "in": "query", "schema": {"type": "boolean"}}
    )
    said["paths"]["/hris/absences"] = teams
    run_window(body)


def test_corrected_tried_and_saved(run_window: RunWindow, tmp_path: Path, folders: Folders) -> None:
    async def body(app: Application) -> None:
        try:
            await scene(app)
        except BaseException:
            app.window.end()  # which does not ask about a pack that is not saved
            raise

    async def scene(app: Application) -> None:
        window = app.window
        await until(lambda: app.session is not None, "the profile")
        assert in_sidebar(app)[:3] == [HOME.key, INTERFACE.key, "hris/employees"]
        press_in_sidebar(app, INTERFACE.key)
        page = page_of(app)
        await until(lambda: page.draft is not None, "its document")
        assert page.chosen == "GET /hris/employees"
        lines = page.settings.lines
        rows = lines["rows"].editor
        assert isinstance(rows, QLineEdit)
        assert (rows.text(), rows.accessibleName()) == ("data.results", "Rows are at, data.results")
        QTest.mouseClick(page.try_, Qt.MouseButton.LeftButton)
        await until(lambda: page.chosen in page.tried, "the answer")
        assert page.first.result.whole().splitlines() == [
            "✓ 10 rows at data.results, each with its own id",
            "✓ 2nd page reached, 20 rows, no repeat",
            "✓ raw_data is there in 10 of 10 rows",
            "2 calls, none of them writes. The rows are not stored.",
        ]
        assert [call.method for call in service.calls] == ["GET", "GET"]
        assert app.session is not None
        assert app.session.kept() == {}
        rows.setFocus()
        rows.selectAll()
        QTest.keyClicks(rows, "data.result")
        assert lines["rows"]._fault.whole() == "No data.result in the answer; near: data.results"
        QTest.keyClick(rows, Qt.Key.Key_Return)
        assert lines["rows"]._why.whole() == "Set by you."
        QTest.mouseClick(page.try_, Qt.MouseButton.LeftButton)
        await until(lambda: page.first.failed.isVisible() and not page.tasks.busy("try"), "the failure")
        assert page.first.failed.text == "No data.result in the answer; near: data.results"
        QTest.mouseClick(lines["rows"].back, Qt.MouseButton.LeftButton)
        assert rows.text() == "data.results"
        assert not page.unfinished
        rows.selectAll()
        QTest.keyClicks(rows, "data results")
        QTest.keyClick(rows, Qt.Key.Key_Return)
        assert lines["rows"]._fault.whole() == "Rows is a dotted path such as data.results, or $."
        assert not page.unfinished, "what cannot be is not taken"
        # teams: no id is declared, and limit hints at pages
        assert page.pack_said.whole() == "GET /hris/teams has no id: say where, or leave the list out."
        assert not page.save.isEnabled()
        QTest.keyClick(page, Qt.Key.Key_F8)
        seen = [page.chosen]
        for _ in range(3):
            QTest.keyClick(page, Qt.Key.Key_F8)
            seen.append(page.chosen)
        assert "GET /hris/teams" in seen
        page.tree.choose(page.model.first(lambda line: line.key == "GET /hris/teams"))
        QTest.keyClicks(lines["id"].editor, "label")
        QTest.keyClick(lines["id"].editor, Qt.Key.Key_Return)
        assert lines["paging"]._guessed.isVisible()
        QTest.mouseClick(lines["paging"].keep, Qt.MouseButton.LeftButton)
        assert not lines["paging"]._guessed.isVisible()
        assert page.unfinished == "The pack is not saved."
        drop(page, tmp_path / "another.json")
        assert page.banner.title == "The pack is not saved", "what was set is not dropped unasked"
        page.banner.hide()
        assert page.save.isEnabled()
        QTest.mouseClick(page.save, Qt.MouseButton.LeftButton)
        kept = KeptInterfaces(folders.config).get("kombo-like")
        assert kept is not None

        def again() -> bool:
            now = window.tabs.current
            return isinstance(now, InterfacePage) and now is not page and now.draft is not None

        await until(again, "the pack, and the profile again with this page")
        assert read_pack(kept.pack.read_bytes())
        assert kept.pack.read_text() == '"GET /hris/teams".id = "label"\n"GET /hris/teams".paging = "none"\n'
        assert page_of(app).status_text == "2 lists found"

    with Kombo() as service:
        KeptInterfaces(folders.config).add(
            "kombo-like", json.dumps(document(service.url)).encode(), None, "kombo.json"
        )
        saved = of_kombo(folders, service.url)
        assert run_window(body, profile=saved) == 0


def of_kombo(folders: Folders, url: str) -> str:
    """A profile of the stand-in, its key in a variable; gives its name."""
    Profiles(folders).save(
        Profile(name="Kombo", base_url=f"{url}/v1", connection="workday:1", interface="kombo-like")
    )
    return "Kombo"


@pytest.fixture(autouse=True)
def key_in_variable(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    if "first_rows" not in request.node.name:
        monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", SECRET)


def test_what_cannot_be_read_is_said_and_text_is_text(run_window: RunWindow, tmp_path: Path) -> None:
    async def body(app: Application) -> None:
        await until(lambda: app.session is not None, "the sandbox")
        app.window.open_page(INTERFACE.key)
        page = page_of(app)
        bad = tmp_path / "broken.json"
        bad.write_text('{"openapi": "3.1.0",\n  "paths": ')
        drop(page, bad)
        await until(lambda: page.banner.isVisible(), "why not")
        assert page.banner.text.startswith("broken.json: line 2, column ")
        assert page.draft is None
        drop(page, bad, bad)
        drop(page, tmp_path / "nowhere.json")
        await until(lambda: "No such file" in page.banner.text, "why not")
        drop(page, written(tmp_path, document("http://127.0.0.1:9")))
        await until(lambda: page.draft is not None, "the document")
        assert not page.banner.isVisible()
        assert not page.try_.isEnabled()
        assert "Open a profile of this interface" in page.try_.toolTip()
        shown = [label for label in page.findChildren(QLabel) if label.text()]
        assert {label.textFormat() for label in shown} == {Qt.TextFormat.PlainText}
        theme().choose("dark")
        assert page.area.isVisible()
        assert page.first.isVisible()
        assert page.pack_card.isVisible()
        app.window.resize(1024, 640)
        await until(page.which.isVisible, "the tabs")
        for place in range(page.which.count()):
            page.which.setCurrentIndex(place)
            in_sight = [part.isVisible() for part in (page.area, page.first, page.pack_card)]
            assert in_sight == [at == place for at in range(3)], page.which.tabText(place)
        QTest.keyClick(page, Qt.Key.Key_F8)
        assert page.area.isVisible(), "the setting that it leads to is in sight"
        widest = max(map(page.tree.fontMetrics().horizontalAdvance, titles_of(page)))
        assert page.tree.columnWidth(0) - 3 * page.tree.indentation() >= widest

    run_window(body)


def test_the_document_of_the_built_in_interface_leads_to_that(run_window: RunWindow, tmp_path: Path) -> None:
    paths: dict[str, Any] = {}
    for one in interfaces.registry_of().operations():
        # As the service publishes it: without the generation, which its address has, and with other names.
        path = one.path.removeprefix("/v0").replace("{id}", "{identifier}")
        paths.setdefault(path, {})[one.method.lower()] = {"responses": {"200": {"description": "Fine"}}}
    said = {
        **document("https://api.example.com"),
        "paths": paths,
        "servers": [{"url": "https://api.example.com/v0"}],
    }

    async def body(app: Application) -> None:
        page = await imported(app, written(tmp_path, document("https://api.example.com")))
        assert not page.builtin.isVisible()
        page.read_file(written(tmp_path, said))
        await until(lambda: page.builtin.isVisible(), "the built-in interface")
        app.window.resize(1024, 640)
        QTest.mouseClick(page.builtin, Qt.MouseButton.LeftButton)
        await until(lambda: app.window.findChildren(ProfilesDialog), "the form")
        [dialog] = app.window.findChildren(ProfilesDialog)
        assert dialog.form.interface.currentData() == ""
        assert dialog.form.base_url.text() == "https://api.example.com/v0"
        assert dialog.banner.title == "The address is what the document proposes"
        assert KeptInterfaces(page.kept.config).all() == []
        dialog.done(0)

    assert run_window(body) == 0


def test_reasons_stand_below_their_fields_where_there_is_no_room_beside(qtbot: QtBot) -> None:
    grid = SettingsGrid(lambda name, text: "")
    qtbot.addWidget(grid)
    grid.show_settings(
        [Setting("rows", "Rows are at", "data.items", "A reason " * 9, guessed=True, keeps=True)]
    )
    grid.show()
    line = grid.lines["rows"]

    def is_below() -> bool:
        return line.said.y() > line.box.geometry().bottom() and line.said.x() == line.box.x()

    grid.resize(900, 400)
    qtbot.waitUntil(lambda: line.said.x() > line.box.geometry().right())
    assert not is_below()
    grid.resize(560, 400)
    qtbot.waitUntil(is_below)
    grid.resize(900, 400)
    qtbot.waitUntil(lambda: not is_below())
