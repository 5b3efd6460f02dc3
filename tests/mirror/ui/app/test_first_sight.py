"""The first sight of a start: nothing heavy before it, the rows of the store in it, nothing kept where none may be."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QImage, QPainter, QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from explorer.paths import Folders, forget_sight, sight_of
from explorer.profiles.book import Profiles
from explorer.profiles.profile import Profile
from explorer.sandbox.process import SandboxProcess
from explorer.session.stored import clear, folder_of
from explorer.store import Store
from explorer.store.glance import Glance
from explorer.ui.app import first_sight, opening
from explorer.ui.app.application import Application
from explorer.ui.app.first_input import pass_on
from explorer.ui.app.first_sight import Opened, identity, read
from explorer.ui.app.sight_keeping import table_of
from explorer.ui.frame.layout import Layout
from explorer.ui.kit.theme import DARK, LIGHT
from explorer.ui.page import end_pages
from explorer.ui.pages.list.list_page import ListPage
from explorer.ui.records.cells import Cell
from tests.gui.conftest import RunWindow, dressed, folders, run_window, service, until
from tests.house.sources import ROOT

__all__ = ["dressed", "folders", "run_window", "service"]

SIZE = (800, 700)  # fits on the screen that Qt has without one
COLD = """
import os, sys
from explorer.cli.window import open_window, read_window_arguments
from PySide6.QtWidgets import QApplication

def told(stage):
    print(stage, *sorted(sys.modules), flush=True)
    if stage == sys.argv[2]:
        if sys.argv[3] == "exit":
            os._exit(0)
        next(w for w in QApplication.topLevelWidgets() if w.inherits("QMainWindow")).close()

sys.exit(open_window(read_window_arguments(["--home", sys.argv[1]]), told))
"""


def cold(home: Path, stage: str, then: str = "exit") -> dict[str, set[str]]:
    """The modules that are loaded at each stage of a start in a process of its own, up to ``stage``."""
    done = subprocess.run(
        [sys.executable, "-c", COLD, str(home), stage, then],
        cwd=ROOT, check=False, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return {line.split()[0]: set(line.split()[1:]) for line in done.stdout.splitlines()}


def on(modules: set[str], *names: str) -> set[str]:
    """Those of ``names`` that are loaded, or have a module below them that is."""
    return {n for n in names if any(m == n or m.startswith(n + ".") for m in modules)}


_made: list[tuple[Path, QPixmap]] = []


@pytest.fixture
def used(run_window: RunWindow, own_home: Path, tmp_path_factory: pytest.TempPathFactory) -> QPixmap:
    """A home whose user has closed the window on rows; gives the window as it was in the end."""
    if not _made:
        picture = _use(run_window)
        _made.append((tmp_path_factory.mktemp("used") / "home", picture))
        shutil.copytree(own_home, _made[0][0])
    elif not own_home.exists():
        shutil.copytree(_made[0][0], own_home)
    return _made[0][1]


def _use(run_window: RunWindow) -> QPixmap:
    taken: list[QPixmap] = []

    async def body(app: Application) -> None:
        app.window.resize(*SIZE)
        await rows_there(app)
        taken.append(app.window.grab())

    run_window(body)
    return taken[0]


async def rows_there(app: Application) -> ListPage:
    """The list in front, with its rows laid out."""
    await until(lambda: app.window.tabs.current is not None, "the page")
    page = app.window.tabs.current
    assert isinstance(page, ListPage)
    await until(lambda: page.model.rowCount() and page._fitted and not page.tasks.busy(), "rows")
    turns = iter(range(10))
    await until(lambda: next(turns, None) is None, "the layout")
    return page


def said(cell: Cell) -> str:
    """A cell's text as the table's model gives it."""
    return f"{cell.text} {cell.more}".strip()


def show(folders: Folders, profile: str | None = None, connection: str | None = None) -> Opened:
    """The first sight of a start in this process, with its rows."""
    opened = opening.show(folders, profile, connection, lambda _: None)
    opening.show_rows(opened, folders, Glance)
    return opened


def end(opened: Opened) -> None:
    """Close a window that nothing was put into."""
    opened.window.close_now()
    opened.window.deleteLater()


# ------------------------------------------------------------ before anything else


def test_nothing_heavy_is_loaded_before_the_first_paint_and_no_model_before_the_rows(
    used: QPixmap, own_home: Path
) -> None:
    stages = cold(own_home, "ready")
    heavy = ("pydantic", "httpx", "explorer.catalog", "explorer.api", "explorer.session", "explorer.profiles")
    not_yet = (
        "sqlite3",
        "asyncio",
        "qasync",
        "msgspec",
        "typer",
        "rich",
        "ssl",
        "explorer.store",
        "explorer.ui.kit.theme",
    )
    assert on(stages["shown"], *heavy, *not_yet) == set()
    assert on(stages["rows"], *heavy, "typer", "rich", "asyncio", "msgspec") == set()
    assert on(stages["rows"], "sqlite3", "explorer.ui.records.first_rows")
    assert on(stages["ready"], "httpx", "explorer.ui.pages.list.list_page")
    assert on(stages["ready"], "typer", "rich", "click", "pygments") == set()


def test_a_close_before_the_rest_is_there_ends_in_order_and_changes_nothing(
    used: QPixmap, own_home: Path, folders: Folders
) -> None:
    kept = {f: f.read_bytes() for f in (folders.state / "layout.json", folders.data / "sandbox.sight")}
    for stage in ("shown", "rows"):
        stages = cold(own_home, stage, "close")
        assert "ready" not in stages
        assert {f: f.read_bytes() for f in kept} == kept


# ------------------------------------------------------------ what it shows


def test_it_shows_the_cells_of_the_table_that_takes_its_place(
    used: QPixmap, run_window: RunWindow, folders: Folders
) -> None:
    opened = show(folders)
    assert opened.sight.fits
    rows = opened.sight.rows
    assert rows is not None
    assert len(rows.rows) > 5
    seen = {c.field: [said(row.cells[i]) for row in rows.rows] for i, c in enumerate(rows.columns)}
    room = QRect(*opened.sight.kept.known["table"]["room"]) if opened.sight.kept else QRect()
    first = opened.window.grab().toImage()
    end(opened)
    assert first.copy(room) == used.toImage().copy(room).convertToFormat(first.format())
    side = QRect(0, 0, 200, 120)  # the profile's name and colours, and Go to…
    assert first.copy(side) == used.toImage().copy(side).convertToFormat(first.format())

    async def body(app: Application) -> None:
        page = await rows_there(app)
        fields = [c.field for c in page.model.columns]
        for field, texts in seen.items():
            column = fields.index(field) + 1
            assert texts == [page.model.index(r, column).data() for r in range(len(texts))]
        assert list(seen) == page.columns.shown()[: len(seen)]
        column = fields.index(list(seen)[-1]) + 1
        edge = page.table.columnViewportPosition(column) + page.table.columnWidth(column)
        assert edge >= room.width() or len(seen) == len(page.columns.shown())  # none in sight is missing
        assert table_of(app.window, page)
        page.tools.finder.field.setText("berlin")
        await until(lambda: page.question.view is not None, "what was found")
        assert table_of(app.window, page) is None  # other rows come first then

    run_window(body)


def test_the_row_that_was_left_is_where_the_table_will_have_it(
    run_window: RunWindow, folders: Folders
) -> None:
    at = 60

    async def leave(app: Application) -> None:
        app.window.resize(*SIZE)
        page = await rows_there(app)
        page.table.setCurrentIndex(page.model.index(at, 1))

    run_window(leave)
    opened = show(folders)
    rows, room = (
        opened.sight.rows,
        QRect(*(opened.sight.kept.known["table"]["room"] if opened.sight.kept else ())),
    )
    assert rows is not None
    assert rows.first <= at < rows.first + len(rows.rows)
    shown = opened.window.grab().toImage().copy(room)
    end(opened)

    async def again(app: Application) -> None:
        app.window.resize(*SIZE)
        page = await rows_there(app)
        assert page.table.currentIndex().row() == at
        page.table.clearFocus()
        assert app.window.grab().toImage().copy(room) == shown

    run_window(again)


def test_the_kept_picture_holds_nothing_that_was_received(used: QPixmap, folders: Folders) -> None:
    kept = read(folders, None, None, Layout(folders.state))
    assert kept is not None
    image = QImage(*SIZE, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    kept.paint(painter)
    painter.end()
    colours = {image.pixel(x, y) for x in _steps(kept, 0, 2) for y in _steps(kept, 1, 3)}
    assert len(colours) == 1
    store = Store.of_profile(folders, "sandbox")
    [record] = store.rows(store.pulls()[-1].id, 0, 1)
    store.close()
    words = [str(v) for v in json.loads(record).values() if isinstance(v, str) and len(v) > 4]
    assert words
    assert not any(word in json.dumps(kept.known) for word in words)


def _steps(kept: first_sight.Kept, start: int, size: int) -> range:
    room = kept.known["table"]["room"]
    return range(room[start], room[start] + room[size], 3)


def test_the_bare_grounds_are_the_theme_s() -> None:
    assert {
        "light": (LIGHT.window, LIGHT.sidebar),
        "dark": (DARK.window, DARK.sidebar),
    } == first_sight._GROUNDS


# ------------------------------------------------------------ to whom


def test_no_other_profile_connection_scheme_or_page_is_shown_it(used: QPixmap, folders: Folders) -> None:
    layout = Layout(folders.state)
    assert read(folders, None, None, layout) is not None
    assert read(folders, "SANDBOX", "conn_sandbox_clean", layout) is not None
    assert read(folders, None, "conn_sandbox_messy", layout) is None
    assert read(folders, "Acme", None, layout) is None
    layout.set("theme", "dark")
    assert read(folders, None, None, layout) is None
    layout.set("theme", "light")
    layout.set("tabs@sandbox", {"front": "core/pipeline", "open": []})
    assert read(folders, None, None, layout) is None


def test_a_profile_that_was_changed_is_not_shown_it(
    used: QPixmap, folders: Folders, service: SandboxProcess
) -> None:
    book = Profiles(folders)
    other = Profile(
        id="acme", name="Acme", base_url=service.base_url, connection="one", connections=("one", "two")
    )
    book.save(other)
    before = identity(folders, "acme")
    assert before == identity(folders, "Acme")
    book.save(other.with_connection("two"))
    assert identity(folders, "acme") != before
    book.last_used = "acme"
    assert identity(folders, None)[0] == "acme"
    assert read(folders, None, None, Layout(folders.state)) is None
    book.remove("acme")
    assert identity(folders, "acme") == ("", {})


def test_a_file_that_is_none_of_ours_is_passed_over(used: QPixmap, folders: Folders) -> None:
    file = sight_of(folders.data / "sandbox.sqlite3")
    good = file.read_bytes()
    head, _, picture = good.partition(b"\n")
    known = json.loads(head)
    wider = json.dumps(
        {**known, "pieces": [[place, [w * 40, h]] for place, (w, h) in known["pieces"]]}
    ).encode()
    for spoiled in (
        b"",
        good[: len(good) // 2],
        b"[]\n" + picture,
        good.replace(b'"version": 1', b'"version": 2', 1),
        head + b"\nno picture",
        wider + b"\n" + picture,  # it would be read beyond its bytes
    ):
        file.write_bytes(spoiled)
        assert read(folders, None, None, Layout(folders.state)) is None
    file.write_bytes(good)
    assert read(folders, None, None, Layout(folders.state)) is not None


# ------------------------------------------------------------ when the data go


def test_rows_that_were_cleared_are_not_shown_and_nothing_is_left(
    used: QPixmap, run_window: RunWindow, folders: Folders
) -> None:
    file = sight_of(folders.data / "sandbox.sqlite3")
    store = Store.of_profile(folders, "sandbox")
    for info in store.pulls():
        store.forget(info.id)
    store.close()
    opened = show(folders)
    assert opened.sight.rows is not None
    assert opened.sight.rows.rows == []
    end(opened)

    async def body(app: Application) -> None:
        await rows_there(app)
        assert app.session is not None
        assert file.exists()
        await asyncio.to_thread(clear, folder_of(app.session), app.session.profile.id)
        assert not file.exists()

    run_window(body)


def test_a_profile_that_goes_takes_its_sight_along(
    run_window: RunWindow, folders: Folders, service: SandboxProcess
) -> None:
    other = Profile(name="Acme", base_url=service.base_url, connection="conn_sandbox_clean")
    store = folders.data / f"{other.id}.sqlite3"

    async def first(app: Application) -> None:
        app.profiles.save(other)
        app.secrets.save(other, service.apikey)
        app.switch(other.id)
        await until(lambda: app.session is not None and app.session.profile.id == other.id, "the session")
        app.window.resize(*SIZE)
        app.window.open_page("ats/job")
        await rows_there(app)

    run_window(first)
    assert sight_of(store).exists()
    assert service.apikey.encode() not in sight_of(store).read_bytes()

    async def second(app: Application) -> None:
        await until(lambda: app.session is not None, "the session")
        app.profiles.remove(other.id)
        app.window.profile_removed.emit(other.id)
        assert not sight_of(store).exists()

    run_window(second)
    assert not sight_of(store).exists()
    forget_sight(store)  # once more is no fault


# ------------------------------------------------------------ what is typed meanwhile


def test_keys_and_clicks_reach_what_comes(
    used: QPixmap, dressed: QApplication, run_window: RunWindow, folders: Folders
) -> None:
    opened = show(folders)
    sight = opened.sight
    sight.listen()
    QTest.keyClick(sight, Qt.Key.Key_Down)
    QTest.keyClick(sight, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(sight, "dri")
    keys = [key.clone() for key in sight.keys]
    QTest.mouseClick(sight, Qt.MouseButton.LeftButton, pos=QPoint(80, 200))
    assert sight.clicks == [QPoint(80, 200)]
    end(opened)

    async def body(app: Application) -> None:
        app.window.resize(*SIZE)
        page = await rows_there(app)
        tree = app.window.sidebar.tree
        index = app.window.sidebar.model.index_of("core/pipeline")
        place = tree.viewport().mapTo(app.window, tree.visualRect(index).center())
        button = page.head.primary_button
        send = button.mapTo(app.window, button.rect().center())
        sent = len(app.session.exchanges.all()) if app.session else 0
        pass_on(app.window, (), [send])
        assert not page.tasks.busy("pull")
        pass_on(app.window, keys, [place])
        assert app.window.tabs.current is not None
        assert app.window.tabs.current.resource.key == "core/pipeline"
        assert app.window.palette_.isVisible()
        assert app.window.palette_.field.text() == "dri"
        assert app.session is not None
        assert len(app.session.exchanges.all()) == sent

    run_window(body)


def test_between_the_steps_of_entering_a_session_the_tabs_are_those_that_were_left(
    run_window: RunWindow,
) -> None:
    async def body(app: Application) -> None:
        window = app.window
        await rows_there(app)
        window.open_page("core/pipeline")
        left = window.tabs.save()
        session = app.session
        assert session is not None
        await end_pages(window.leave())
        turns = 0
        for _ in window.entering(session):
            turns += 1
            await until(lambda: True, "a turn")
            # What is kept when the window closes here; before the session is there, the tabs are left as they were.
            assert window.session is None or window.tabs.save()["front"] == left["front"]
        assert turns > 1
        assert window.tabs.current is not None
        assert window.tabs.current.resource.key == "core/pipeline"
        assert [one["key"] for one in window.tabs.save()["open"]] == [one["key"] for one in left["open"]]

    run_window(body)


def test_a_page_that_is_asked_for_before_the_session_is_there_opens_with_it(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        app.window.open_page("file-storage/drive")
        await until(lambda: app.window.tabs.current is not None, "the page")
        assert app.window.tabs.current is not None
        assert app.window.tabs.current.resource.key == "file-storage/drive"

    run_window(body)
