"""A window on a profile of another interface: sidebar, Home, palette, list and quality run are its own, and the
built-in one's again on the next profile.
"""

from __future__ import annotations

import json

import pytest

from explorer.paths import Folders
from explorer.profiles.profile import Profile, Profiles
from explorer.ui.app import entries
from explorer.ui.app.application import Application
from explorer.ui.app.window import Window
from explorer.ui.frame.catalog_tree import KEY
from explorer.ui.kit.notices import Notice
from explorer.ui.own_pages import HOME, QUALITY
from explorer.ui.pages.home.home_page import HomePage
from explorer.ui.pages.list.list_page import ListPage
from explorer.ui.pages.quality.quality_page import QualityPage
from tests.builtin import registry
from tests.gui.conftest import RunWindow, until
from tests.other_interface import OTHER, known
from tests.recording import Got, Recording, Reply

SECRET = "key-of-the-people"
OWN = [resource.key for resource in QUALITY.resources]


def shown(window: Window) -> list[str]:
    """The keys in the sidebar, in order; each group stands open."""
    model, tree = window.sidebar.model, window.sidebar.tree
    keys = []
    for row in range(model.rowCount()):
        group = model.index(row, 0)
        assert tree.isExpanded(group)
        keys += [model.index(inner, 0, group).data(KEY) for inner in range(model.rowCount(group))]
    return keys


def offered(window: Window) -> str:
    """What Home offers first."""
    page = window.tabs.page(HOME.key)
    assert isinstance(page, HomePage)
    return page.sentence.button.text()


def answer(got: Got) -> Reply:
    rows = [
        {"id": str(n), "name": f"Person {n}", "grade": n, "origin": {"uid": n, "full_name": f"Person {n}"}}
        for n in range(3)
    ]
    return Reply(body=json.dumps({"people": rows, "after": None}).encode())


def test_all_that_can_be_asked_is_the_interfaces_own(
    run_window: RunWindow, folders: Folders, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", SECRET)
    builtin = [resource.key for resource in registry.resources()]

    async def body(app: Application) -> None:
        window = app.window
        await until(lambda: window.session is not None, "the session")
        assert shown(window) == [HOME.key, "hr/person", *OWN]
        assert offered(window) == "Open People"
        pages = [e.text for e in entries.everything(window) if e.kind == "Page"]
        assert pages == ["Home", "People", *(resource.title for resource in QUALITY.resources)]
        window.open_page("hr/person")
        page = window.tabs.current
        assert isinstance(page, ListPage)
        await until(lambda: page.model.rowCount() == 3, "the rows")
        assert [column.field for column in page.table.columns] == ["id", "name", "grade", "origin"]
        page.table.setCurrentIndex(page.model.index(1, 1))
        window.inspector.show_tab("Mapping")
        mapping = window.inspector.mapping
        assert mapping is not None
        await until(lambda: mapping.model.rowCount() == 3, "the mapping against its own raw field")
        assert mapping.said.text().endswith("fields traced to origin")
        assert [column.title for column in mapping.model.columns][-1] == "From origin"
        assert json.loads(mapping.raw.data_bytes) == {"uid": 1, "full_name": "Person 1"}
        assert (mapping.title.text(), mapping.tree.accessibleName()) == ("origin", "origin of the record")
        window.open_page("quality/runs")
        runs = window.tabs.current
        assert isinstance(runs, QualityPage)
        assert list(runs.setup.resources._chips) == ["hr/person"]
        await until(lambda: not page.tasks.busy(), "the end of the list")
        app.switch("Sandbox")
        window.open_page("hr/person")  # the sidebar still has it
        await until(lambda: window.session is not None and window.session.registry is registry, "the sandbox")
        await until(lambda: not app.tasks.busy(), "the end of opening")
        assert all(page.resource.key != "hr/person" for page in window.tabs.pages())
        assert shown(window) == [HOME.key, *builtin, *OWN]
        window.open_page(HOME.key)
        assert offered(window) == f"Open {registry.listings()[0].title}"

    with known(), Recording(answering=answer) as server:
        Profiles(folders).save(Profile(name="People", base_url=server.url, interface=OTHER.key))
        assert run_window(body, profile="People") == 0
    assert {got.target for got in server.got} == {"/people"}
    assert {got.header("x-people") for got in server.got} == {SECRET}


def test_an_interface_that_is_not_here_is_told_and_another_profile_opens(
    run_window: RunWindow, folders: Folders
) -> None:
    async def body(app: Application) -> None:
        told: list[Notice] = []
        app.notices.posted.connect(told.append)
        await until(lambda: told, "the notice")
        assert "names the interface 'nowhere', which is not here" in f"{told[0].title} {told[0].text}"
        assert app.session is None
        app.switch("Sandbox")
        await until(lambda: app.session is not None, "the sandbox")

    Profiles(folders).save(Profile(name="Lost", base_url="http://127.0.0.1:9", interface="nowhere"))
    assert run_window(body, profile="Lost") == 0
