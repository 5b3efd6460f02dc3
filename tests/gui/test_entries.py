"""Anything pasted into Ctrl K: what is offered, what choosing that does, nothing sent, and no key left behind."""

from __future__ import annotations

import json
import shlex
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from explorer.profiles.profile import Profile
from explorer.session import Filter, Query
from explorer.store.store import Store
from explorer.ui.app.application import Application
from explorer.ui.call.call_page import CallPage
from explorer.ui.frame.palette import Entry
from explorer.ui.own_pages import SNAPSHOTS
from explorer.ui.pages.connect.link_look import LinkLook
from explorer.ui.pages.list.list_page import ListPage
from tests.flow import window_words
from tests.flow.canary import Canaries
from tests.gui.conftest import RunWindow
from tests.gui.stage import until
from tests.gui.test_link_look import SIGNATURE, paste, sent
from tests.mirror.quality.kept_rows import keep

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

KEY = "uk_live_8f3a9c51d7e24b60"


def pasted(app: Application, text: str) -> list[Entry]:
    """What stands in the palette after ``text`` was pasted."""
    app.window.show_palette()
    paste(app.window.palette_.field, text)
    return list(app.window.palette_.model.rows)


def texts(entries: list[Entry]) -> list[str]:
    return [entry.text for entry in entries]


def enter(app: Application) -> None:
    QTest.keyClick(app.window.palette_.field, Qt.Key.Key_Return)


async def ready(app: Application) -> int:
    """How many calls there were once the first rows stand."""
    await until(lambda: front(app) is not None and front(app).model.rowCount() > 0, "the first rows")
    await until(lambda: not front(app).tasks.busy(), "the list at rest")
    return calls(app)


def front(app: Application) -> Any:
    return app.window.tabs.current


def calls(app: Application) -> int:
    return len(app.session.exchanges.all()) if app.session is not None else 0


def test_connections_links_bundles_and_calls_are_offered(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        before = await ready(app)
        assert texts(pasted(app, "conn_sandbox_clean"))[0] == "conn_sandbox_clean is the connection in use"
        assert texts(pasted(app, " conn_sandbox_messy\n"))[0] == "Switch to conn_sandbox_messy"
        new = pasted(app, "conn_brand_new")
        assert texts(new)[:2] == [
            "Use the connection conn_brand_new",
            "Look for conn_brand_new in what is stored",
        ]
        assert texts(pasted(app, "#1")) == ["Show call 1 in the request log"]
        assert texts(pasted(app, "#4711")) == ["The request log has no call 4711"]
        (bundle,) = pasted(app, "/no/such/evidence.zip")
        assert (bundle.text, bundle.detail) == ("Open evidence bundle", "evidence.zip")
        assert texts(pasted(app, "jobs"))[0] == "Jobs", "words find pages as ever"
        assert texts(pasted(app, "curl"))[0] == "Copy as cURL"
        app.profiles.save(Profile(name="Prod2", base_url="https://api.example.com"))
        assert texts(pasted(app, "prod2")) == ["Prod2", "Look for prod2 in what is stored"]
        assert calls(app) == before, "pasting sends nothing"
        pasted(app, "conn_sandbox_messy")
        enter(app)
        await until(
            lambda: app.session is not None and app.session.connection == "conn_sandbox_messy", "the switch"
        )

    assert run_window(body) == 0


def test_a_connection_of_another_profile_is_opened_there(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        await ready(app)
        other = Profile(
            name="Other", base_url="http://127.0.0.1:9", connection="conn_a", connections=("conn_a", "conn_b")
        )
        app.profiles.save(other)
        entry = pasted(app, "conn_b")[0]
        assert (entry.text, entry.detail) == ("Switch to conn_b", "in Other")
        assert texts(pasted(app, "http://127.0.0.1:9/v0/unified/ats/job"))[0] == "Switch to Other"
        pasted(app, "conn_b")
        enter(app)
        await until(
            lambda: app.session is not None and app.session.profile.name == "Other", "the other profile"
        )
        assert app.session is not None
        assert app.session.connection == "conn_b"

    assert run_window(body) == 0


def test_a_link_is_hidden_and_looked_at(run_window: RunWindow, own_home: Path) -> None:
    canaries = Canaries()
    canaries.add("the link's token", SIGNATURE)

    async def body(app: Application) -> None:
        before = await ready(app)
        (entry,) = pasted(app, f"It does not work:\n{sent(-86_400)}")
        assert entry.detail.startswith("The link has ended: 1 day ago")
        assert app.window.palette_.field.echoMode() == QLineEdit.EchoMode.Password
        assert not canaries.within("\n".join(word for _, word in window_words.said()))
        enter(app)
        look = next(w for w in QApplication.topLevelWidgets() if isinstance(w, LinkLook) and w.isVisible())
        assert look.answer.title.startswith("The link has ended: 1 day ago")
        assert not canaries.within("\n".join(word for _, word in window_words.said()))
        look.accept()
        assert app.window.palette_.field.text() == ""
        app.window.show_palette()
        assert app.window.palette_.field.echoMode() == QLineEdit.EchoMode.Normal, "typing is seen again"
        QTest.keyClick(app.window.palette_.field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        assert app.window.palette_.field.text() == "", "nothing brings it back"
        app.window.palette_.dismiss()
        assert calls(app) == before

    assert run_window(body) == 0
    assert canaries.in_files(own_home) == {}


def test_a_curl_command_fills_the_form_without_its_keys(run_window: RunWindow, own_home: Path) -> None:
    canaries = Canaries()
    canaries.add("the command's key", KEY)
    record = {
        "upsert_on": {"key": "email", "values": ["a@b.c"]},
        "record": {"email": "a@b.c", "last_name": KEY},
    }
    text = (
        "curl -X POST https://api.example.com/v0/unified/crm/contact/_upsert \\\n"
        f"  -H 'x-apikey: {KEY}' -H 'x-connection-id: conn_9' \\\n  -d {shlex.quote(json.dumps(record))}"
    )

    async def body(app: Application) -> None:
        before = await ready(app)
        (entry,) = pasted(app, text)
        assert entry.text == "Fill the form of Upsert contact"
        assert app.window.palette_.field.echoMode() == QLineEdit.EchoMode.Password
        enter(app)
        page = front(app)
        assert isinstance(page, CallPage)
        assert page.pane.operation.key == "crm/contact/upsert"
        filled = page.pane.form.sent()
        assert filled["upsert_on"] == record["upsert_on"]
        assert filled["record"]["email"] == "a@b.c"
        words = "\n".join(word for _, word in window_words.said())
        assert "It was for the connection conn_9; conn_sandbox_clean is open." in words
        assert "x-apikey is left out: it is a credential." in words
        assert not canaries.within(words)
        page.pane.keep_draft()
        assert calls(app) == before, "nothing is sent"

    assert run_window(body) == 0
    assert canaries.in_files(own_home) == {}


def test_a_curl_command_fills_the_parameters_of_a_list(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        before = await ready(app)
        assert app.session is not None
        address = f"{app.session.profile.base_url}/v0/unified/ats/job?page_size=7&x=1"
        (entry,) = pasted(app, address)
        assert (entry.text, entry.kind) == ("Fill the parameters of List jobs", "Address")
        enter(app)
        page = front(app)
        assert isinstance(page, ListPage)
        assert page.head.asked() == ({"page_size": 7}, (("x", "1"),))
        assert calls(app) == before

    assert run_window(body) == 0


def test_parameters_that_were_pasted_belong_to_the_lists_connection(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        await ready(app)

        async def switch(connection: str) -> ListPage:
            app.window.connection_wanted.emit(connection)
            await until(
                lambda: app.session is not None and app.session.connection == connection, "the switch"
            )
            await until(lambda: isinstance(front(app), ListPage), "the list")
            page = front(app)
            assert isinstance(page, ListPage)
            return page

        assert app.session is not None
        pasted(app, f"{app.session.profile.base_url}/v0/unified/ats/job?page_size=7&x=1")
        enter(app)
        assert front(app).head.asked() == ({"page_size": 7}, (("x", "1"),))
        page = await switch("conn_sandbox_messy")
        assert page.head.asked() == ({}, ())
        page = await switch("conn_sandbox_clean")
        assert page.head.asked() == ({"page_size": 7}, (("x", "1"),))

    assert run_window(body) == 0


async def on(app: Application, connection: str) -> None:
    """Wait until that connection is open."""
    await until(lambda: app.session is not None and app.session.connection == connection, "the switch")
    await until(lambda: front(app) is not None and not app.tasks.busy("open"), "its pages")


def the_command(app: Application, connection: str, query: str = "page_size=7&cursor=abc&x=1") -> str:
    """A cURL command for the first jobs of ``connection``, as one copies it out of a ticket."""
    assert app.session is not None
    address = f"{app.session.profile.base_url}/v0/unified/ats/job?{query}"
    return f"curl '{address}' -H 'x-apikey: {KEY}' -H 'x-connection-id: {connection}'"


def texts_of(app: Application) -> str:
    return "\n".join(f"{banner.title} {banner.text}" for banner in app.window.strip.banners())


def test_pasting_sends_nothing_where_a_list_waits_for_the_user(run_window: RunWindow) -> None:
    """After a switch the list in front has nothing stored, and asks only when the user says so."""

    async def body(app: Application) -> None:
        await ready(app)
        app.window.connection_wanted.emit("conn_sandbox_messy")
        await on(app, "conn_sandbox_messy")
        page = front(app)
        assert isinstance(page, ListPage)
        await until(lambda: page.pull is not None, "the list")
        assert calls(app) == 0
        pasted(app, the_command(app, "conn_sandbox_messy"))
        enter(app)
        assert front(app) is page
        assert page.head.asked() == ({"page_size": 7}, (("x", "1"),))
        assert "List jobs is filled in, nothing was sent" in texts_of(app)
        assert "cursor is left out: a list begins at its first page." in texts_of(app)
        await until(lambda: not page.tasks.busy(), "the list at rest")
        assert calls(app) == 0
        page.reload()
        await until(lambda: page.model.rowCount() > 0 and not page.tasks.busy(), "the rows")
        assert app.session is not None
        assert "page_size=7" in app.session.exchanges.all()[0].url

    assert run_window(body) == 0


def test_pasting_sends_nothing_where_the_list_was_not_open(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        before = await ready(app)
        assert app.session is not None
        address = f"{app.session.profile.base_url}/v0/unified/file-storage/drive?page_size=7"
        pasted(app, f"curl '{address}'")
        enter(app)
        page = front(app)
        assert isinstance(page, ListPage)
        await until(lambda: page.pull is not None and not page.tasks.busy(), "the list at rest")
        assert page.head.asked() == ({"page_size": 7}, ())
        assert calls(app) == before
        assert "Reload" in page.table.empty.whole()
        page.load_all()
        await until(lambda: calls(app) > before, "the first call")
        page.stop()
        assert "page_size=7" in app.session.exchanges.all()[before].url

    assert run_window(body) == 0


def test_a_command_for_another_connection_of_the_profile_is_filled_in_there(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        before = await ready(app)
        there, here = pasted(app, the_command(app, "conn_sandbox_messy"))
        assert (there.text, here.text) == ("Fill the parameters of List jobs",) * 2
        assert there.detail.startswith("in conn_sandbox_messy, which is opened; nothing is sent")
        assert here.detail.startswith("in conn_sandbox_clean; nothing is sent")
        assert calls(app) == before
        enter(app)
        await on(app, "conn_sandbox_messy")
        await until(lambda: "is filled in" in texts_of(app), "the word that it is filled in")
        page = front(app)
        assert isinstance(page, ListPage)
        assert page.head.asked() == ({"page_size": 7}, (("x", "1"),))
        await until(lambda: page.pull is not None and not page.tasks.busy(), "the list at rest")
        assert calls(app) == 0
        assert "It was for the connection" not in texts_of(app)

    assert run_window(body) == 0


def test_notices_of_what_was_pasted_take_each_others_place(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        await ready(app)
        for size in (7, 8, 9):
            pasted(
                app,
                f"curl 'https://a.b/v0/unified/ats/job?page_size={size}' -H 'x-connection-id: conn_{size}'",
            )
            enter(app)
        [banner] = app.window.strip.banners()
        assert "conn_9" in banner.text

    assert run_window(body) == 0


def test_what_cannot_be_filled_is_said(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        await ready(app)
        assert texts(pasted(app, "curl https://a.b/v9/nothing")) == ["This interface has no GET /v9/nothing."]
        said = ["A quote of the curl command is not closed: it is not whole."]
        assert texts(pasted(app, "curl 'https://a.b/v9")) == said

    assert run_window(body) == 0


def test_a_records_id_leads_to_its_row(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        before = await ready(app)
        page = front(app)
        ident = json.loads(page.pull.window(5, 6)[0])["id"]
        app.window.open_page("connect/magic-link")
        entries = pasted(app, ident)
        place = next(
            n for n, entry in enumerate(entries) if entry.text == f"Look for {ident} in what is stored"
        )
        for _ in range(place):
            QTest.keyClick(app.window.palette_.field, Qt.Key.Key_Down)
        enter(app)
        await until(lambda: front(app) is page and page.table.currentIndex().row() == 5, "the row")
        pasted(app, "nowhere_123")[0].run()
        await until(lambda: not app.window.tasks.busy(), "the search")
        assert "nowhere_123 is in no current row of conn_sandbox_clean" in "\n".join(
            word for _, word in window_words.said()
        )
        assert calls(app) == before

    assert run_window(body) == 0


def test_a_record_that_a_filter_hides_is_the_one_in_the_inspector(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        await ready(app)
        page = front(app)
        page.table.selectRow(2)
        records = [json.loads(raw) for raw in page.pull.window(0, 6)]
        page.question.ask(Query(filters=(Filter("id", "equals", records[2]["id"]),)))
        await until(lambda: page.model.rowCount() == 1 and not page.question.going_on, "the filter")
        shown: list[Any] = []
        page.record_chosen.connect(shown.append)
        [look] = [one for one in pasted(app, records[5]["id"]) if one.text.startswith("Look for ")]
        look.run()
        await until(lambda: "not among the rows shown" in page.hint.text(), "what was found")
        assert json.loads(shown[-1].raw)["id"] == records[5]["id"]
        assert page.hint.text().endswith("the inspector shows it")
        assert not page.table.currentIndex().isValid()
        await until(lambda: not app.window.tasks.busy() and not page.tasks.busy(), "all work")
        assert json.loads(shown[-1].raw)["id"] == records[5]["id"]
        page.question.ask(Query())
        await until(lambda: page.table.currentIndex().row() == 5, "its row, once the filter is off")

    assert run_window(body) == 0


def pulled(app: Application, *pulls: list[dict[str, Any]]) -> None:
    """Have the list in front pulled with these records, one pull after the other."""
    page, session = front(app), app.session
    assert session is not None
    store = Store.of_profile(session.folders, session.profile.id)
    for records in pulls:
        keep(store, records, of=page.pull.key)
    store.close()
    page.pulls.look_at_newest()


def test_a_record_that_only_an_earlier_pull_or_a_snapshot_has_is_found_there(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        await ready(app)
        records = [json.loads(raw) for raw in front(app).pull.window(0, 6)]
        pulled(app, [*records[:5], {**records[5], "id": "gone_7"}], records)
        [look] = [one for one in pasted(app, "gone_7") if one.text.startswith("Look for ")]
        look.run()
        await until(lambda: app.window.strip.banners() and not app.window.tasks.busy(), "the search")
        assert "gone_7 is in no current row" in texts_of(app)
        assert "It was in Jobs of " in texts_of(app)
        assert ", row 6. " in texts_of(app)
        [banner] = app.window.strip.banners()
        [button] = [one for one in banner.buttons() if one.text() == "Open Snapshots"]
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        assert front(app).resource is SNAPSHOTS

    assert run_window(body) == 0


def test_what_an_id_leads_to_is_said_where_it_is_not_one_record_of_that_id(run_window: RunWindow) -> None:
    """An id that several records have, or that stands inside another one alone; a piece of a time is no mention."""

    async def body(app: Application) -> None:
        await ready(app)
        page = front(app)
        records = [json.loads(raw) for raw in page.pull.window(0, 6)]
        records[3]["id"] = records[4]["id"] = "twice_7"
        records[1]["modified_at"] = "2026-11-20T09:12:45.417"
        records[2]["name"] = "Job of 417.5 hours"
        records[5]["raw_data"] = {"owner": {"id": 417}, "at": "2026-11-20T09:12:45.417Z"}
        pulled(app, records)
        for ident, row, said in (
            ("twice_7", 3, "2 records have the id twice_7: the first one is shown"),
            ("417", 5, "No current record has the id 417: one that mentions it is shown"),
        ):
            [look] = [one for one in pasted(app, ident) if one.text.startswith("Look for ")]
            look.run()
            await until(partial(lambda said: said in texts_of(app), said), "what is said")
            await until(partial(lambda row: page.table.currentIndex().row() == row, row), "the row")
            assert f"It is row {row + 1} of Jobs." in texts_of(app)

    assert run_window(body) == 0


def test_a_records_id_that_another_connection_has_leads_there(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        await ready(app)
        ident = json.loads(front(app).pull.window(5, 6)[0])["id"]
        app.window.connection_wanted.emit("conn_sandbox_messy")
        await on(app, "conn_sandbox_messy")
        entries = pasted(app, ident)
        [look] = [entry for entry in entries if entry.text == f"Look for {ident} in what is stored"]
        assert look.detail == "lists of this profile"
        look.run()
        await until(lambda: app.window.strip.banners() and not app.window.tasks.busy(), "the search")
        assert f"{ident} is in no current row of conn_sandbox_messy" in texts_of(app)
        assert "conn_sandbox_clean has it: Jobs, row 6." in texts_of(app)
        [banner] = app.window.strip.banners()
        [button] = [one for one in banner.buttons() if one.text() == "Show it in conn_sandbox_clean"]
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        await on(app, "conn_sandbox_clean")
        await until(lambda: isinstance(front(app), ListPage), "the list")
        await until(lambda: front(app).table.currentIndex().row() == 5, "the row")
        assert calls(app) == 0, "it is shown from what is stored"

    assert run_window(body) == 0
