"""The page of snapshots with what nobody wishes for: odd data, nothing at all, files that break, ends in the middle."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QDialogButtonBox, QLabel, QLineEdit
from shiboken6 import isValid

from explorer.paths import Folders
from explorer.profiles.book import Profiles
from explorer.profiles.profile import Profile
from explorer.quality.compare.snapshots import Snapshots
from explorer.store.store import Store
from explorer.store.values import PullKey
from explorer.ui.app.application import Application
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.own_pages import SNAPSHOTS
from explorer.ui.pages.snapshots.compare_choice import Comparable
from explorer.ui.pages.snapshots.snapshots_differences import DifferencesTab
from explorer.ui.pages.snapshots.snapshots_fields import FieldsTab
from explorer.ui.pages.snapshots.snapshots_page import DIFFERENCES_TAB, FIELDS_TAB, SnapshotsPage
from explorer.ui.pages.snapshots.snapshots_saved import SavedTab
from explorer.work import in_thread
from tests.gui.conftest import RunWindow, until
from tests.mirror.quality.kept_rows import keep

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
ODD: tuple[dict[str, Any], ...] = (
    {"id": "n" * 300, "name": "x" * 300, "raw_data": {"n" * 300: 1}},
    {"id": "<b>bold</b>", "name": "<img src='file:///etc/passwd'>", "raw_data": {"<i>a</i>": "<b>"}},
    {"id": "two\nlines\r\n", "name": "three\nlines\nhere", "raw_data": {"a\nb": "c\nd"}},
    {"id": "\u202egnitirw", "name": "مهندس \u2066شبكات", "raw_data": {"\u202eا": "ب"}},
    {"id": "👩‍👩‍👧‍👦", "name": "🤖" * 50, "raw_data": {"🤖": None}},
    {"id": "no raw", "name": None},
    {"id": "", "name": ""},
    {"name": 12345678901234567890123},
    {"id": "raw is none", "raw_data": None},
    {"id": "raw is text", "raw_data": "text"},
)


def place(app: Application, connection: str = "") -> PullKey:
    assert app.session is not None
    origin = "sandbox"
    return PullKey(connection or app.session.connection, origin, "ats/job", '{"query": [], "extra": []}')


def put(app: Application, records: Sequence[Any], connection: str = "") -> None:
    """Rows of Jobs at hand."""
    assert app.session is not None
    store = Store.of_profile(app.session.folders, app.session.profile.id)
    keep(store, records, of=place(app, connection))
    store.close()


async def opened(app: Application) -> SnapshotsPage:
    await until(lambda: app.session is not None and app.window.tabs.current is not None, "the session")
    app.window.open_page(SNAPSHOTS.key)
    page = app.window.tabs.current
    assert isinstance(page, SnapshotsPage)
    await rest(page)
    return page


async def rest(page: SnapshotsPage) -> None:
    await until(lambda: not page.tasks.busy(), "the end of its work")


async def kept(page: SnapshotsPage, name: str, connection: str) -> None:
    """A snapshot of the rows at hand of that connection."""
    page.look()
    await rest(page)
    page.kept.keep(next(o for o in page.kept.pulls if o.info.key.connection == connection), name)
    await until(lambda: name in [one.name for one in page.kept.known], "the snapshot")
    await rest(page)


def choose(page: SnapshotsPage, before: str, connection: str) -> None:
    """Hold the rows at hand of that connection against that snapshot."""
    assert page.choice.before.choose(f"snapshot:{before}")
    after = next(o for o in map(Comparable, page.kept.pulls) if o.about.connection == connection)
    assert page.choice.after.choose(after.key)
    page.choice.changed.emit()


def test_odd_records_are_compared_counted_and_shown_as_they_are(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        page = await opened(app)
        put(app, ODD, "conn_odd")
        await kept(page, "<b>Odd</b> " + "n" * 60, "conn_odd")
        changed = [*({**one, "name": f"{one.get('name')}\n<u>!</u>"} for one in ODD[:-1]), {"id": "new"}]
        put(app, changed, "conn_odd")
        page.look()
        await rest(page)
        choose(page, page.kept.known[0].name, "conn_odd")
        page.compare()
        await until(lambda: page.differences.made is not None, "the comparison")
        await rest(page)
        counts = page.differences.made.counts if page.differences.made is not None else None
        assert counts is not None
        assert counts.different
        heights = {page.differences.table.rowHeight(row) for row in range(page.differences.lines.rowCount())}
        assert len(heights) == 1
        for row in range(page.differences.lines.rowCount()):
            page.differences.table.selectRow(row)
            for column in range(5):
                text = page.differences.lines.index(row, column).data()
                assert "\n" not in text
                assert "\u202e" not in text
        await rest(page)
        page.tabs.setCurrentIndex(FIELDS_TAB)
        await until(lambda: page.fields.model.rows, "the fields")
        for row in range(page.fields.model.rowCount()):
            assert "\n" not in page.fields.model.index(row, 0).data()
        assert all(isinstance(label, PlainLabel) for label in page.findChildren(QLabel) if label.text())
        assert "…" in page.choice.before.shown_text()
        assert "n" * 60 in page.choice.before.toolTip()

    assert run_window(body, "Sandbox") == 0


def test_one_record_none_and_none_with_raw_data(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        page = await opened(app)
        told: list[str] = []
        app.notices.posted.connect(lambda notice: told.append(notice.title))
        put(app, [{"id": "1"}], "conn_none")
        await kept(page, "One", "conn_none")
        page.keep_list("ats/nothing")
        await until(lambda: told and told[-1] == "Nothing to keep", "the word that there is nothing")
        put(app, [{"id": "1"}, {"name": "without an id"}], "conn_none")
        page.look()
        await rest(page)
        choose(page, "One", "conn_none")
        page.compare()
        await until(lambda: page.differences.lines.rowCount() == 1, "the one record")
        await rest(page)
        assert page.differences.counts.whole().startswith("1 added")
        page.tabs.setCurrentIndex(FIELDS_TAB)
        await until(lambda: page.fields.ledgers is not None, "the fields")
        await rest(page)
        assert "One: 1 row, " in page.fields.said.whole()
        assert "Before: One:" in page.fields.said.whole()

    assert run_window(body, "Sandbox") == 0


def test_two_connections_are_compared_only_where_someone_wants_it(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        page = await opened(app)
        for connection in ("conn_first", "conn_second"):
            put(app, [{"id": "1"}], connection)
        page.look()
        await rest(page)
        at_hand = {one.about.connection: one.key for one in map(Comparable, page.kept.pulls)}
        shown = [one.about.connection for one in page.choice.chosen if one is not None]
        assert shown == ["conn_second"], "the latest, and nothing before it"
        assert not page.primary.isEnabled()
        assert page.about.whole() == "Choose two states to compare."
        page.choice.before.choose(at_hand["conn_second"])
        page.choice.after.choose(at_hand["conn_first"])
        page.choice.after.activated.emit(0)  # someone wants it so
        page.look()
        await rest(page)
        shown = [one.about.connection for one in page.choice.chosen if one is not None]
        assert shown == ["conn_second", "conn_first"]

    assert run_window(body, "Sandbox") == 0


def test_sides_are_earlier_pulls_and_those_of_other_profiles_too(
    run_window: RunWindow, folders: Folders
) -> None:
    other = Profile(name="Staging", base_url="https://staging.example.com", connection="conn_s")
    Profiles(folders).save(other)
    store = Store.of_profile(folders, other.id)
    theirs = PullKey("conn_s", other.base_url, "ats/job", '{"query": [], "extra": []}')
    info = keep(store, [{"id": "1", "name": "there"}], of=theirs)
    store.close()
    Snapshots.of_profile(folders, other.id).keep("Release", info)

    async def body(app: Application) -> None:
        page = await opened(app)
        for n in range(1, 5):
            put(app, [{"id": str(at)} for at in range(n)], "conn_many")
        page.look()
        await rest(page)
        offered = {one.key: one for one in page.choice.before._kept}
        assert [key for key in offered if key.endswith("@conn_many")] == [
            "pull:ats/job@conn_many",
            "previous:ats/job@conn_many",
            "pull:ats/job~2@conn_many",
            "pull:ats/job~3@conn_many",
        ]
        assert [key for key in offered if "::" in key] == [
            "Staging::snapshot:Release",
            "Staging::pull:ats/job@conn_s",
        ]
        assert page.kept.known == (), "the list of snapshots is the profile's own"
        page.choice.choose(offered["Staging::snapshot:Release"], offered["pull:ats/job~2@conn_many"])
        page.compare()
        await until(lambda: page.differences.made is not None, "the comparison")
        made = page.differences.made
        assert made is not None
        assert [side.name for side in made.sides] == [
            "Staging: Release",
            offered["pull:ats/job~2@conn_many"].title,
        ]
        assert (made.counts.added, made.counts.gone, made.counts.changed) == (1, 0, 1)
        page.choice.choose(offered["pull:ats/job~3@conn_many"], offered["Staging::pull:ats/job@conn_s"])
        page.compare()
        await until(lambda: page.differences.made not in (None, made), "the other comparison")
        await rest(page)
        page.tabs.setCurrentIndex(FIELDS_TAB)
        await until(lambda: page.fields.ledgers is not None, "the fields")
        assert app.session is not None
        asked = {(one.operation, one.page) for one in app.session.exchanges.all()}
        assert asked <= {("ats/job", 1)}, "of the service the tab of the start alone asked"

    assert run_window(body, "Sandbox") == 0


def test_what_breaks_or_goes_meanwhile_is_said_in_a_sentence(run_window: RunWindow, tmp_path: Path) -> None:
    async def body(app: Application) -> None:
        page = await opened(app)
        told: list[str] = []
        app.notices.posted.connect(lambda notice: told.append(f"{notice.title} {notice.text}"))
        put(app, [{"id": str(n), "name": "a" * 50} for n in range(3000)], "conn_many")
        await kept(page, "Many", "conn_many")
        await kept(page, "Second", "conn_many")
        choose(page, "Many", "conn_many")
        page.compare()
        await in_thread(page.kept._ground.snapshots.delete, "Many")  # another window deleted it
        await rest(page)
        assert page.differences.made is not None or told, "compared, or said"
        page.look()
        await rest(page)
        assert [one.name for one in page.kept.known] == ["Second"]
        assert page.choice.before.kept is not None

        [second] = page.kept.known
        put(app, [{"id": "1"}], "conn_many")
        choose(page, "Second", "conn_many")
        damage_page(app, second.info.id)
        told.clear()
        page.compare()
        await rest(page)
        assert page.differences.made is None
        assert len(told) == 1, told
        assert "damaged" in told[0]
        assert "Traceback" not in told[0]
        page.tabs.setCurrentIndex(FIELDS_TAB)
        await rest(page)
        assert "could not be counted" in page.fields.said.whole()

        path = tmp_path / "no.snapshot"
        path.write_bytes(b"no snapshot")
        told.clear()
        page.kept.add_file(path)
        await until(lambda: told, "the file is named")
        assert "no.snapshot" in told[0]
        folder = page.kept._ground.snapshots.folder
        folder.mkdir()
        path.rename(folder / "of-an-earlier-version.snapshot")
        page.look()
        await rest(page)
        assert "of-an-earlier-version.snapshot" in page.kept.said.whole(), "the file is named"
        page.kept.keep(page.kept.pulls[0], "Third")
        await until(lambda: len(page.kept.known) == 2, "a sound one beside it")

    assert run_window(body, "Sandbox") == 0


def damage_page(app: Application, pull: int) -> None:
    """The disk gives other bytes for the second last page of that pull than were written."""
    assert app.session is not None
    store = Store.of_profile(app.session.folders, app.session.profile.id)
    with store.writing() as run:
        run("UPDATE page SET data = zeroblob(length(data)) WHERE pull = ? AND number = 900", (pull,))
    store.close()


def test_a_name_that_is_taken_is_refused_and_nothing_else_is_said_to_have_failed(
    run_window: RunWindow,
) -> None:
    async def body(app: Application) -> None:
        page = await opened(app)
        keeping: SavedTab = page.kept
        counting: FieldsTab = page.fields
        differences: DifferencesTab = page.differences
        told: list[str] = []
        app.notices.posted.connect(lambda notice: told.append(f"{notice.title} {notice.text}"))
        put(app, [{"id": "1"}], "conn_one")
        await kept(page, "First", "conn_one")
        await kept(page, "Second", "conn_one")
        page.tabs.setCurrentIndex(FIELDS_TAB)
        await until(lambda: counting.ledgers is not None, "the fields")
        said = counting.said.whole()
        dialog = keeping.ask_rename(next(one for one in keeping.known if one.name == "First"))
        dialog.setTextValue("second")
        told.clear()
        dialog.accept()
        await until(lambda: told, "the refusal")
        assert "already" in told[0]
        assert counting.said.whole() == said
        assert differences.made is None
        dialog = keeping.ask_rename(keeping.known[0])
        [line] = dialog.findChildren(QLineEdit)
        line.setText("x" * 300)
        assert len(line.text()) == 80
        line.setText("  ")
        [box] = dialog.findChildren(QDialogButtonBox)
        assert not box.button(QDialogButtonBox.StandardButton.Ok).isEnabled()
        dialog.reject()

    assert run_window(body, "Sandbox") == 0


@pytest.mark.parametrize("how", ["tab", "connection", "window"])
def test_an_end_in_the_middle_of_a_comparison(run_window: RunWindow, how: str, folders: Any) -> None:
    async def body(app: Application) -> None:
        page = await opened(app)
        put(app, [{"id": str(n), "raw_data": {"n": n}} for n in range(3000)], "conn_many")
        await kept(page, "Many", "conn_many")
        choose(page, "Many", "conn_many")
        page.compare()
        page.tabs.setCurrentIndex(FIELDS_TAB)
        page.tabs.setCurrentIndex(DIFFERENCES_TAB)
        if how == "tab":
            app.window.tabs.close_current()
        elif how == "connection":
            app.switch_connection("conn_sandbox_messy")
        else:
            return
        await until(lambda: not isValid(page), "the end of the page")
        again = await opened(app)
        assert [one.name for one in again.kept.known] == ["Many"]

    assert run_window(body, "Sandbox") == 0
    left = [path.name for path in Path(folders.data).rglob("*") if path.suffix in (".tmp", ".compare")]
    assert left == []
