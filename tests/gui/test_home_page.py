"""Home in the real window: it asks for nothing, tries on a click, remembers, and leads everywhere."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
import shiboken6
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QAccessibleActionInterface
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QBoxLayout

from explorer.api.exchange import Exchange
from explorer.paths import Folders, private_folder
from explorer.quality.compare.snapshots import Snapshots
from explorer.quality.reports.json import as_json
from explorer.quality.reports.report import report_of
from explorer.session import Standing
from explorer.session.connection_facts import standings_of
from explorer.session.kept_runs import kept_runs
from explorer.store.store import Store
from explorer.store.values import StoreFault
from explorer.ui.app.application import Application
from explorer.ui.frame.catalog_tree import COUNT, MISSING
from explorer.ui.frame.layout import Layout
from explorer.ui.kit.notices import Notice
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.kit.theme import colors
from explorer.ui.kit.visible import visible
from explorer.ui.own_pages import HOME, RUNS, SNAPSHOTS
from explorer.ui.page import end_pages
from explorer.ui.pages.connect.magic_link_page import KIND, MagicLinkPage
from explorer.ui.pages.home import home_page
from explorer.ui.pages.home.home_cards import Recent
from explorer.ui.pages.home.home_page import COLUMNS, HomePage
from explorer.ui.pages.home.home_state import Line
from explorer.ui.pages.list.list_page import ListPage
from explorer.ui.pages.quality.quality_page import QualityPage
from explorer.ui.pages.snapshots.snapshots_page import SnapshotsPage
from explorer.ui.profiles.profiles_dialog import ProfilesDialog
from explorer.work import in_thread
from tests.gui.conftest import RunWindow, until
from tests.mirror.quality.kept_rows import keep
from tests.mirror.quality.made import made_run

LITTLE = "conn_sandbox_greenhouse"
"""A connection that has jobs and nothing else."""


@pytest.fixture(autouse=True)
def no_tabs(folders: Folders) -> None:
    """The window was closed without a tab: at its very first start the sandbox opens on its jobs, and reads them."""
    kept = Layout(folders.state)
    kept.set("tabs@sandbox", {"front": None, "open": []})
    kept.save()


async def home(app: Application) -> HomePage:
    """Home, in front."""
    await until(lambda: app.window.context is not None, "the session")
    app.window.open_page(HOME.key)
    page = app.window.tabs.current
    assert isinstance(page, HomePage)
    return page


def line(page: HomePage, key: str) -> Line:
    assert page.state is not None
    return next(one for group in page.state.groups for one in group.lines if one.key == key)


def choose(page: HomePage, key: str) -> None:
    page.tree.choose(page.model.first(lambda one: one.key == key))


def click(page: HomePage, key: str, title: str) -> None:
    """Click the cell of that column in the line of ``key``."""
    choose(page, key)
    place = [column.title for column in COLUMNS].index(title)
    index = page.model.first(lambda one: one.key == key).siblingAtColumn(place)
    at = page.tree.visualRect(index).center()
    QTest.mouseClick(page.tree.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)


def sent(app: Application) -> Sequence[Exchange]:
    assert app.session is not None
    return app.session.exchanges.all()


def missing(app: Application) -> set[str]:
    """What the sidebar shows as not there."""
    model = app.window.sidebar.model
    keys = [resource.key for resource in app.window.registry.resources()]
    return {key for key in keys if model.index_of(key).data(MISSING)}


def test_a_connection_without_tabs_opens_on_home_and_nothing_is_sent(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        await until(lambda: app.window.tabs.current is not None, "the first page")
        assert isinstance(app.window.tabs.current, HomePage)
        app.window.open_page("core/pipeline")
        for key in (HOME.key, "core/pipeline"):
            app.window.tabs.close_page(key)
        page = app.window.tabs.current
        assert isinstance(page, HomePage)
        assert [app.window.tabs.bar.tabText(i) for i in range(app.window.tabs.bar.count())] == ["Home"]
        tree = app.window.sidebar.tree
        assert tree.currentIndex() == app.window.sidebar.model.index_of(HOME.key)
        await until(lambda: not app.window.tasks.busy() and not page.tasks.busy(), "all work")
        page.refresh()
        assert not sent(app)

    assert run_window(body) == 0


def test_try_reads_one_row_keeps_nothing_and_is_remembered(run_window: RunWindow) -> None:
    async def first(app: Application) -> None:
        page = await home(app)
        click(page, "ats/job", "")
        assert line(page, "ats/job").has_words == "Trying…"
        await until(lambda: line(page, "ats/job").has.state == "yes", "the answer")
        click(page, "file-storage/file", "")
        await until(lambda: line(page, "file-storage/file").has.state == "no", "the answer")
        assert [(one.method, one.path.partition("?")[2]) for one in sent(app)] == [("GET", "page_size=1")] * 2
        assert app.session is not None
        assert standings_of(app.session) == {}
        # What the service says of one list of a vertical holds for the others.
        assert missing(app) == {"file-storage/file", "file-storage/drive"}
        assert page.strip.connector.text() == "greenhouse"
        assert app.window.status.words().startswith("●  Connected")

    async def again(app: Application) -> None:
        page = await home(app)
        assert line(page, "ats/job").has.state == "yes"
        assert missing(app) == {"file-storage/file", "file-storage/drive"}
        assert page.strip.badge.text() == "Last read went well"
        assert not sent(app)

    assert run_window(first, connection=LITTLE) == 0
    assert run_window(again, connection=LITTLE) == 0


def test_all_lists_are_tried_by_one_link(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        page = await home(app)
        assert page.try_all.text() == "Try the 6 lists (6 calls)"
        page.try_all.click()
        await until(lambda: not page.tasks.busy() and not page.try_all.isVisible(), "the answers")
        assert len(sent(app)) == 6
        assert page.model.headings[0].words == "1 of 6 here"
        app.window.open_page("file-storage/file")
        assert app.window.tabs.current is not None
        assert app.window.tabs.current.resource.key == "file-storage/file", "it opens all the same"

    assert run_window(body, connection=LITTLE) == 0


def test_a_page_that_is_not_there_opens_and_says_why(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        page = await home(app)
        app.window.open_page("crm/contact")
        assert "Not on this connection" not in app.window.status.words()
        page.try_these(["crm/account"])
        await until(lambda: "crm/contact" in missing(app), "the answer")
        app.window.open_page(HOME.key)
        app.window.open_page("crm/contact")
        assert "Not on this connection: no CRM here" in app.window.status.words()

    assert run_window(body, connection=LITTLE) == 0


def test_what_writes_is_only_opened_and_keys_do_what_the_mouse_does(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        page = await home(app)

        def opened() -> str:
            current = app.window.tabs.current
            key = current.resource.key if current is not None else ""
            app.window.open_page(HOME.key)
            return key

        click(page, "core/pipeline", "")
        assert opened() == "core/pipeline"
        choose(page, "core/customer")
        QTest.keyClick(page.tree, Qt.Key.Key_T)
        assert opened() == "core/customer"
        choose(page, "connect/magic-link")
        QTest.keyClick(page.tree, Qt.Key.Key_Return)
        assert opened() == "connect/magic-link"
        page.head.check.click()
        assert opened() == "core/connection"
        page.card.open.click()
        assert opened() == RUNS.key
        assert not sent(app)
        choose(page, "ats/job")
        QTest.keyClick(page.tree, Qt.Key.Key_T)
        await until(lambda: line(page, "ats/job").has.state == "yes", "the answer")
        assert len(sent(app)) == 1

    assert run_window(body, connection=LITTLE) == 0


def test_a_connection_that_fails_says_so_until_it_answers(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        page = await home(app)
        page.try_these(["ats/job"])
        await until(
            lambda: page.strip.badge.text().startswith("Credentials refused, first seen today"), "the badge"
        )
        assert page.strip.badge.property("badge") == "fails"
        assert "reconnect the connection" in page.sentence.text.text()
        assert page.sentence.button.text() == "Try Jobs again"
        before = len(sent(app))
        page.sentence.button.click()
        await until(lambda: not page.tasks.busy(), "the answer")
        assert len(sent(app)) == before + 1
        assert missing(app) == set(), "what fails is not missing"

    assert run_window(body, connection="conn_sandbox_revoked") == 0


def test_from_refused_credentials_a_click_leads_to_a_magic_link_for_this_connection(
    run_window: RunWindow,
) -> None:
    revoked = "conn_sandbox_revoked"

    async def body(app: Application) -> None:
        page = await home(app)
        page.try_these(["ats/job"])
        await until(page.sentence.further.isVisible, "the way to a link")
        before = len(sent(app))
        QTest.mouseClick(page.sentence.further, Qt.MouseButton.LeftButton)
        links = app.window.tabs.current
        assert isinstance(links, MagicLinkPage)
        form = links.pane.form
        assert form.body is not None
        assert form.body.value() == {"connectionId": revoked}
        assert form.first_input().hasFocus(), "the customer is to be named"
        said = " ".join(label.text() for label in links.pane._banner.findChildren(PlainLabel))
        assert f"manages {revoked} alone" in said
        assert "Name the customer" in said
        made = {"customer": "c-1", "form": {"body": {"connectionId": revoked, "customerId": "c-1"}}}
        assert app.session is not None
        app.session.journal.add(KIND, "c-1", made)
        form.body.set_value({"displayName": "Ada", "connectionId": "other"})
        app.window.open_page("ats/job")
        jobs = app.window.tabs.current
        assert isinstance(jobs, ListPage)
        way = lambda: [one for one in jobs.banner.buttons() if one.text() == "Make a magic link…"]  # noqa: E731
        if not jobs.banner.isVisible():
            jobs.load_all()
        await until(way, "the way from the list")
        calls = len(sent(app))
        QTest.mouseClick(way()[0], Qt.MouseButton.LeftButton)
        assert app.window.tabs.current is links
        assert form.body.value() == {"displayName": "Ada", "customerId": "c-1", "connectionId": revoked}
        assert len(sent(app)) == calls
        assert calls > before

    assert run_window(body, connection=revoked) == 0


def test_rows_that_are_pulled_again_lead_to_the_comparison(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        page = await home(app)
        assert page.sentence.title.text() == "Nothing pulled yet."
        assert app.session is not None
        pull = app.session.pull(app.window.registry.listing("ats/job"), {})
        await pull.load_all()
        await pull.restart()
        await pull.load_all()
        page.refresh()
        count = f"{pull.rows:,}"
        assert line(page, "ats/job").since == f"{count} → {count}"
        assert page.sentence.title.text().startswith(f"Jobs: {count} rows, as many as today")
        assert page.head.run.text().startswith("Run quick")
        page.activated()
        await until(lambda: line(page, "ats/job").since == "no change", "what changed")
        assert page.sentence.title.text().startswith("Jobs: no change since today")
        few = app.session.pull(app.window.registry.listing("ats/job"), {"page_size": 5})
        await few.more()
        page.refresh()
        assert few.rows == 5
        assert line(page, "ats/job").rows == count, "a page that was tried hides no whole list"
        click(page, "ats/job", "Since the pull before")
        assert app.window.tabs.current is not None
        assert app.window.tabs.current.resource is SNAPSHOTS
        await until(lambda: not app.window.tabs.current.tasks.busy(), "the comparison")  # type: ignore[union-attr]  # it stays in front

    assert run_window(body, connection=LITTLE) == 0


def test_what_changed_is_two_clicks_from_the_open_window(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        page = await home(app)
        assert app.session is not None
        pull = app.session.pull(app.window.registry.listing("ats/job"), {})
        await pull.load_all()
        page.refresh()
        clicks = 0

        def press(button: QAbstractButton) -> None:
            nonlocal clicks
            assert button.isVisible()
            QTest.mouseClick(button, Qt.MouseButton.LeftButton)
            clicks += 1

        press(page.head.pull)
        # Home stays in front, and says what changed as soon as the new pull is whole.
        await until(lambda: page.sentence.title.text().startswith("Jobs: no change since"), "what changed")
        store = Store.of_profile(app.session.folders, app.session.profile.id)
        key = pull.key
        front = store.standing(key).front
        assert front is not None
        records = [json.loads(raw) for raw in store.rows(front.id, 0, front.rows)][1:]
        records[0]["name"] = "Another name"
        keep(store, records, of=key)
        store.close()
        page.refresh()
        await until(
            lambda: page.sentence.title.text().startswith("Jobs: 1 gone · 1 changed since"), "changes"
        )
        press(page.sentence.button)
        compared = app.window.tabs.current
        assert isinstance(compared, SnapshotsPage)
        await until(lambda: compared.differences.made is not None, "the comparison")
        await until(lambda: not compared.tasks.busy(), "its lines")
        assert clicks == 2
        explained = compared.differences.explained
        assert explained.isVisible()
        assert (
            explained.mapTo(compared, QPoint()).y() < compared.differences.table.mapTo(compared, QPoint()).y()
        )

    assert run_window(body, connection=LITTLE) == 0


def test_the_settings_of_the_connection_open_from_its_strip(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        page = await home(app)
        [link] = [b for b in page.strip.findChildren(QAbstractButton) if b.text() == "Connection settings…"]
        QTest.mouseClick(link, Qt.MouseButton.LeftButton)
        await until(lambda: app.window.findChildren(ProfilesDialog), "the profiles")
        for dialog in app.window.findChildren(ProfilesDialog):
            dialog.close()

    assert run_window(body, connection=LITTLE) == 0


def test_rows_that_are_stored_long_after_their_answer_are_looked_at(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        page = await home(app)
        assert app.session is not None
        await app.session.pull(app.window.registry.listing("ats/job"), {}).load_all()
        page.refresh()
        page._soon.setInterval(0)  # an answer is looked at before its rows are stored
        QTest.mouseClick(page.head.pull, Qt.MouseButton.LeftButton)
        await until(lambda: page.sentence.title.text().startswith("Jobs: no change since"), "what changed")

    assert run_window(body, connection=LITTLE) == 0


def test_a_pull_that_is_whole_while_another_is_compared_is_looked_at_too(
    run_window: RunWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    over, gate, looked = threading.Event(), threading.Event(), home_page._changes_of

    def late(*asked: Any) -> Any:
        found = looked(*asked)
        over.set()
        gate.wait(20)
        return found

    async def body(app: Application) -> None:
        page = await home(app)
        assert app.session is not None
        pull = app.session.pull(app.window.registry.listing("ats/job"), {})
        await pull.load_all()
        records = [json.loads(raw) for raw in pull.window(0, pull.rows)]
        store = Store.of_profile(app.session.folders, app.session.profile.id)
        keep(store, records, of=pull.key)
        page.refresh()
        await until(over.is_set, "a comparison")
        keep(store, records[1:], of=pull.key)
        store.close()
        page.refresh()
        page._soon.stop()  # no answer leads to another refresh
        gate.set()
        await until(lambda: page.sentence.title.text().startswith("Jobs: 1 gone since"), "what is newest")

    monkeypatch.setattr(home_page, "_changes_of", late)
    assert run_window(body, connection=LITTLE) == 0


@pytest.mark.parametrize("times", [1, 99])
def test_a_comparison_that_a_busy_store_refuses_is_tried_again_and_then_said(
    run_window: RunWindow, monkeypatch: pytest.MonkeyPatch, times: int
) -> None:
    looked, tries, told = home_page._changes_of, list[int](), list[Notice]()

    def busy(*asked: Any) -> Any:
        tries.append(len(tries))
        if len(tries) <= times:
            raise StoreFault("The stored rows are in use by another program.")
        return looked(*asked)

    async def body(app: Application) -> None:
        page = await home(app)
        assert app.session is not None
        pull = app.session.pull(app.window.registry.listing("ats/job"), {})
        await pull.load_all()
        store = Store.of_profile(app.session.folders, app.session.profile.id)
        keep(store, [json.loads(raw) for raw in pull.window(0, pull.rows)], of=pull.key)
        store.close()
        app.notices.posted.connect(told.append)
        page.refresh()
        if times == 1:
            await until(
                lambda: page.sentence.title.text().startswith("Jobs: no change since"), "what changed"
            )
            assert (len(tries), told) == (2, [])
        else:
            await until(lambda: told, "a notice")
            page.refresh()
            await until(lambda: not page.tasks.busy(), "all work")
            assert len(tries) == home_page.TRIES, "it is not tried for ever"
            assert ["in use" in f"{one.title} {one.text}" for one in told] == [True]

    monkeypatch.setattr(home_page, "_changes_of", busy)
    monkeypatch.setattr(home_page, "_AGAIN_MS", 1)
    assert run_window(body, connection=LITTLE) == 0


def test_the_last_run_stands_beside_the_table_as_soon_as_it_is_saved(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        page = await home(app)
        assert app.session is not None
        run = made_run()
        runs = kept_runs(app.session)
        mine = replace(run, connection=LITTLE)
        await runs.keep(as_json(report_of((mine,))), {"connections": [LITTLE]})
        await until(lambda: page.card.open.text() == "Open the run", "the run")
        assert page.card.said.text().lower() == visible(f"{run.head.sentence}.").lower()
        verdicts = {one.key: one.verdict for group in page.state.groups for one in group.lines if one.verdict}  # type: ignore[union-attr]  # it was shown
        assert verdicts
        shown = [label.text() for label in page.card.badges if label.isVisible()]
        assert shown == ["1 fail", "1 suspect", "1 hold"]
        newer = replace(mine, started_at=mine.started_at + timedelta(days=1))
        await runs.keep(as_json(report_of((newer,))), {"connections": [LITTLE]})
        await until(lambda: page._run is not None and page._run.at == newer.started_at, "the newer run")
        await runs.keep(b"{}", {"connections": ["conn_other"]})
        await until(lambda: not page.tasks.busy(), "all work")
        assert page._run is not None
        assert page._run.at == newer.started_at

    assert run_window(body, connection=LITTLE) == 0


def test_the_worst_finding_is_the_headline_and_one_click_away(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        page = await home(app)
        assert app.session is not None
        # The report has another connection's run first, whose finding is not meant.
        other = replace(made_run(), connection="conn_other")
        mine = replace(made_run(), connection=LITTLE)
        about = {"connections": ["conn_other", LITTLE]}
        await kept_runs(app.session).keep(as_json(report_of((other, mine))), about)
        await until(lambda: page.sentence.button.text() == "Show the finding", "the headline")
        assert page.sentence.title.whole().startswith("Jobs: ")
        assert page.sentence.title.whole().endswith("(312 of 21,400 records).")
        assert page.sentence.text.text().startswith("Fails in the run of ")
        QTest.mouseClick(page.sentence.button, Qt.MouseButton.LeftButton)
        for _ in range(2):  # in a page that is made for it, and in one that shows another line
            shown = app.window.tabs.current
            assert isinstance(shown, QualityPage)
            await until(lambda shown=shown: shown.finding.isVisible(), "the finding")  # type: ignore[misc]
            assert shown.run_shown is not None
            assert shown.run_shown.connection == LITTLE
            chosen = shown.shown.results.row()
            assert (chosen.result.check.id, chosen.result.resource) == ("records.types", "ats/job")
            shown.shown.choose_connection(-1)
            await until(lambda shown=shown: not shown.tasks.busy(), "all work")  # type: ignore[misc]
            app.window.open_page(HOME.key)
            page.sentence.button.setFocus()
            QTest.keyClick(page.sentence.button, Qt.Key.Key_Space)

    assert run_window(body, connection=LITTLE) == 0


def test_a_fresh_connection_is_run_with_one_click_that_said_its_calls_before(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        page = await home(app)
        await until(lambda: page.head.run.text() == "Run quick (80 to 120 calls)", "the calls")
        assert page.head.run.isVisible()
        assert page.head.setup.isVisible()
        assert page.sentence.button.text() == "Open Jobs"
        assert not sent(app), "nothing is sent before it is asked for"
        page.try_all.click()
        await until(lambda: not page.tasks.busy() and not page.try_all.isVisible(), "the answers")
        await until(
            lambda: page.head.run.text() == "Run quick (50 to 70 calls)", "what is not here costs little"
        )
        QTest.mouseClick(page.head.run, Qt.MouseButton.LeftButton)
        runs = app.window.tabs.current
        assert isinstance(runs, QualityPage)
        assert runs.tasks.busy("run")
        await until(lambda: not runs.tasks.busy(), "the run")
        assert runs.run_shown is not None
        assert runs.run_shown.quick
        app.window.open_page(HOME.key)
        QTest.mouseClick(page.head.setup, Qt.MouseButton.LeftButton)
        assert app.window.tabs.current is runs
        assert not runs.tasks.busy("run")

    assert run_window(body, connection=LITTLE) == 0


def test_the_calls_of_a_run_are_said_before_it_whole_lists_too(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        page = await home(app)
        QTest.mouseClick(page.head.setup, Qt.MouseButton.LeftButton)
        runs = app.window.tabs.current
        assert isinstance(runs, QualityPage)
        extent = runs.setup.extent
        assert extent.about.whole().startswith("About 80 to 120 calls · The first 3 pages")
        QTest.mouseClick(extent.whole, Qt.MouseButton.LeftButton)
        assert extent.about.whole().startswith("At least 48 calls: nobody knows yet how long 5 lists are · ")
        runs.setup.resources.choose(("ats/job",))
        runs.setup.changed.emit()
        assert "nobody knows yet how long Jobs is" in extent.about.whole()
        QTest.mouseClick(extent.quick, Qt.MouseButton.LeftButton)
        assert extent.about.whole().startswith("About 20 to 40 calls · ")
        assert app.session is not None
        await app.session.pull(app.window.registry.listing("ats/job"), {}).load_all()
        QTest.mouseClick(extent.whole, Qt.MouseButton.LeftButton)
        assert extent.about.whole().startswith("About 30 to 50 calls · "), (
            "its stored rows say how long it is"
        )
        runs.setup.budget["calls"].setText("12")
        assert extent.about.whole().startswith("About 12 calls · ")

    assert run_window(body, connection=LITTLE) == 0


def test_what_is_here_is_pulled_whole_and_again(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        page = await home(app)
        assert not page.head.pull.isVisible(), "nobody knows what is here"
        page.try_these(["ats/job"])
        await until(page.head.pull.isVisible, "a list that is here")
        assert "Jobs" in page.head.pull.toolTip()
        assert "Files" not in page.head.pull.toolTip()

        def standing() -> Standing:
            assert app.session is not None
            return standings_of(app.session).get("ats/job") or Standing.of([])

        for before in (False, True):
            page.head.pull.click()
            assert app.window.tabs.current is page, "Home stays in front"
            await until(
                lambda before=before: (  # type: ignore[misc]
                    (front := standing().front) is not None
                    and front.state == "complete"
                    and (standing().previous is not None) is before
                ),
                "the whole list",
            )
            jobs = app.window.tabs.page("ats/job")
            assert jobs is not None
            await until(lambda jobs=jobs: not jobs.tasks.busy(), "all work")  # type: ignore[misc]
        assert {one.path.partition("?")[0] for one in sent(app)} == {"/v0/unified/ats/job"}

    assert run_window(body, connection=LITTLE) == 0


def test_recent_requests_and_snapshots_lead_to_where_they_are(run_window: RunWindow) -> None:
    async def first(app: Application) -> None:
        page = await home(app)
        assert not page.recent.isVisible(), "nothing was done yet"
        page.try_these(["ats/job", "file-storage/drive"])
        await until(lambda: len(recent(page)) == 2, "the requests")
        assert [one.text for one in recent(page)] == ["GET …/drive", "GET …/job"]
        assert recent(page)[1].detail.startswith("200 · ")
        app.window.open_page("ats/job")
        await until(lambda: rows_of(app), "the rows")
        assert app.session is not None
        pull = app.session.pull(app.window.registry.listing("ats/job"), {})
        assert pull.info is not None
        await in_thread(Snapshots.of_profile(app.session.folders, "sandbox").keep, "before", pull.info)
        app.window.open_page(HOME.key)
        await until(lambda: any(one.text == "before" for one in recent(page)), "the snapshot")

    async def again(app: Application) -> None:
        page = await home(app)
        await until(lambda: len(recent(page)) == 4, "those of the start before")
        page.recent.tree.choose(page.recent.model.first(lambda one: one.text == "GET …/drive"))
        QTest.keyClick(page.recent.tree, Qt.Key.Key_Return)
        await until(lambda: app.window.requests.table.currentIndex().isValid(), "the call in the log")
        page.recent.tree.choose(page.recent.model.first(lambda one: one.text == "before"))
        QTest.keyClick(page.recent.tree, Qt.Key.Key_Return)
        assert app.window.tabs.current is not None
        assert app.window.tabs.current.resource.key == SNAPSHOTS.key
        assert not sent(app)

    assert run_window(first, connection=LITTLE) == 0
    assert run_window(again, connection=LITTLE) == 0


def recent(page: HomePage) -> list[Recent]:
    return [one for heading in page.recent.model.headings for one in heading.lines]


def rows_of(app: Application) -> int:
    return app.window.sidebar.model.index_of("ats/job").data(COUNT) or 0


def test_a_folded_group_stays_folded_and_the_chosen_line_chosen(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        page = await home(app)
        page.tree.collapse(page.model.index(1, 0))
        choose(page, "file-storage/drive")
        page.try_these(["ats/job"])
        await until(lambda: line(page, "ats/job").has.state == "yes", "the answer")
        assert [page.tree.isExpanded(page.model.index(n, 0)) for n in range(3)] == [True, False, True]
        assert page.tree.row().key == "file-storage/drive"

    assert run_window(body, connection=LITTLE) == 0


def test_in_a_small_window_the_run_stands_under_the_table(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        page = await home(app)
        await until(lambda: "calls" in page.head.run.text(), "the calls of a run")
        for size, narrow in (((1440, 900), False), ((1024, 640), True), ((900, 560), True)):
            app.window.resize(*size)
            ways = QBoxLayout.Direction
            wanted = ways.TopToBottom if narrow else ways.LeftToRight
            await until(lambda wanted=wanted: page._beside.direction() == wanted, "the room")  # type: ignore[misc]

            def below() -> bool:
                under = page.tree.mapTo(page, QPoint(0, page.tree.height())).y()
                return page.card.mapTo(page, QPoint(0, 0)).y() > under

            await until(lambda narrow=narrow: below() is narrow, "the place of the run")  # type: ignore[misc]
            for button in (page.head.run, page.head.check, page.card.open):
                right = button.mapTo(app.window, button.rect().topRight()).x()
                assert button.isVisible()
                assert right < app.window.width()
                whole = lambda button=button: button.width() >= button.sizeHint().width()  # noqa: E731
                await until(whole, "the button's room")
            assert page.tree.viewport().height() >= 4 * page.tree.sizeHintForRow(0)
            since = next(n for n, column in enumerate(COLUMNS) if column.title == "Since the pull before")
            assert not page.tree.isColumnHidden(since)
            words = page.tree.fontMetrics().horizontalAdvance("No · answered 404")
            assert page.tree.header().sectionSize(1) >= words
        await until(lambda: page.card.height() <= 40, "one line, without a run too")
        assert "None of this connection" in page.card.when.whole()
        assert app.session is not None
        mine = replace(made_run(), connection=LITTLE)
        await kept_runs(app.session).keep(as_json(report_of((mine,))), {"connections": [LITTLE]})
        await until(lambda: page.card.open.text() == "Open the run", "the run")
        await until(lambda: page.card.height() <= 40, "one line")
        assert all(label.isVisible() for label in page.card.badges)

    assert run_window(body, connection=LITTLE) == 0


def test_toggle_of_assistive_technology_opens_an_entry_of_the_sidebar(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        await home(app)
        tree = app.window.sidebar.tree
        spoken = QAccessible.queryAccessibleInterface(tree)
        assert spoken is not None
        entries = {
            spoken.child(at).text(QAccessible.Text.Name): spoken.child(at)
            for at in range(spoken.childCount())
        }
        action = entries["Drives, reads"].actionInterface()
        assert action is not None
        toggle = QAccessibleActionInterface.toggleAction()
        assert toggle in action.actionNames()
        action.doAction(toggle)
        await until(
            lambda: (
                (page := app.window.tabs.current) is not None and page.resource.key == "file-storage/drive"
            ),
            "its page",
        )

    assert run_window(body, connection=LITTLE) == 0


def test_an_entry_that_is_not_there_is_painted_quieter(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        await home(app)
        tree, model = app.window.sidebar.tree, app.window.sidebar.model

        def inks() -> set[str]:
            rect = tree.visualRect(model.index_of("file-storage/drive")).adjusted(36, 0, -60, 0)
            image = tree.viewport().grab(rect).toImage()
            return {
                image.pixelColor(x, y).name().upper()
                for x in range(image.width())
                for y in range(image.height())
            }

        assert colors().text in inks()
        model.set_missing({"file-storage/drive": "answered 404"})
        assert colors().text not in inks()

    assert run_window(body, connection=LITTLE) == 0


def test_a_journal_that_cannot_be_used_costs_the_memory_and_not_the_page(
    run_window: RunWindow, folders: Folders
) -> None:
    private_folder(folders.data)
    (folders.data / "sandbox.journal.sqlite3").mkdir()

    async def body(app: Application) -> None:
        page = await home(app)
        page.try_these(["ats/job", "file-storage/file"])
        await until(lambda: line(page, "file-storage/file").has.state == "no", "the answer")
        assert line(page, "ats/job").has.state == "yes"
        assert "file-storage/drive" in missing(app)

    assert run_window(body, connection=LITTLE) == 0


def test_pages_that_have_ended_are_not_ended_again_by_a_switch_that_overtakes(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        await home(app)
        app.window.open_page("ats/job")
        pages = app.window.tabs.take_all()
        assert len(pages) == 2
        first = pages[0]
        slow = asyncio.Event()
        pages[1].shutdown = slow.wait  # type: ignore[method-assign,assignment]
        ending = asyncio.ensure_future(end_pages(pages))
        await until(lambda: not shiboken6.isValid(first), "the end of the first page")
        ending.cancel()
        slow.set()
        await end_pages(pages)
        assert pages == []

    assert run_window(body, connection=LITTLE) == 0
