"""Raw data that stands once for the page, beside its rows: told to its records, in commands and in the window."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from explorer.catalog import interfaces
from explorer.catalog.interface import Authorization, Interface
from explorer.catalog.spec import ABSENT, Envelope, Record, Resource, Vertical, columns_of
from explorer.cli.app import run
from explorer.paths import Folders
from explorer.profiles.profile import Profile, Profiles
from explorer.ui.app.application import Application
from explorer.ui.pages.list.list_page import ListPage
from explorer.ui.pages.list.why_empty import WhyEmpty, source_words
from tests.gui.conftest import RunWindow, until
from tests.recording import Got, Recording, Reply
from tests.unified_interfaces import listing


class Person(Record):
    """A row, which has no raw data of its own."""

    id: str
    name: str | None = ABSENT


LIST = listing("/people", Envelope("page", items="data", cursor="next", raw="meta.raw"), record=Person)
PEOPLE = Resource(key="people", title="People", record=Person, columns=columns_of(Person), operations=(LIST,))
DECK = Interface(
    key="deck",
    title="Deck",
    verticals=(Vertical(key="deck", title="Deck", resources=(PEOPLE,)),),
    authorization=Authorization("bearer"),
)
MANY = 40


def row(number: int) -> dict[str, Any]:
    return {"id": f"p{number}", "name": None if number % 10 == 3 else f"Person number {number * 7}"}


def answer(got: Got) -> Reply:
    """Two pages; the third party's own rows stand three steps into what it answered, in the order of the page."""
    start = MANY // 2 if "cursor=" in got.target else 0
    places = range(start, start + MANY // 2)
    theirs = [{"Uid": f"p{n}", "Full Name": f"Person number {n * 7}", "at": n} for n in places]
    raw = {"status": 200, "links": [], "body": {"list": {"entries": theirs, "more": [1]}}}
    made = {"meta": {"raw": raw}, "data": [row(n) for n in places], "next": None if start else "c1"}
    return Reply(body=json.dumps(made).encode())


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interfaces, "REGISTRIES", dict(interfaces.REGISTRIES))
    monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", "canary-of-the-deck")
    interfaces.register(DECK)


def test_fields_are_traced_to_it_and_what_it_has_more_is_missing(
    own_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Recording(answering=answer) as server:
        to = ["--base-url", server.url, "--interface", "deck"]
        assert run(["mapping", "people", *to]) == 0
        told = capsys.readouterr().out
        assert run(["check", "people", "--only", "mapping,records", *to]) == 1
    assert "people: 2 of 2 fields, over 40 records" in told
    assert [line.split()[1] for line in told.splitlines()[1:3]] == ["/Uid", "/Full"]
    found = capsys.readouterr().err
    assert 'name is null where meta.raw["Full Name"] has a value · 4 of 40 records' in found
    assert "not declared" not in found, "it is no field of the record"


def test_the_window_uses_it_as_a_field_of_the_record(run_window: RunWindow, folders: Folders) -> None:
    async def body(app: Application) -> None:
        window = app.window
        await until(lambda: window.session is not None, "the session")
        window.open_page("people")
        page = window.tabs.current
        assert isinstance(page, ListPage)
        await until(lambda: page.model.rowCount() > 0, "the rows")
        page.load_all()
        await until(lambda: page.model.rowCount() == MANY and not page.tasks.busy(), "all rows")
        page.table.setCurrentIndex(page.model.index(27, 1))
        window.inspector.show_tab("Mapping")
        mapping = window.inspector.mapping
        assert mapping is not None
        await until(lambda: mapping.said.text().endswith("fields traced to meta.raw"), "the mapping")
        assert json.loads(mapping.raw.data_bytes) == {"Uid": "p27", "Full Name": row(27)["name"], "at": 27}
        sources = {line.name: line.source for line in mapping.model.rows}
        assert sources == {"id": ".Uid", "name": '["Full Name"]'}
        view = window.inspector._view
        assert view is not None
        assert view.raw == json.dumps(row(27)).encode(), "as received"
        page.asking.explain("name")
        popup = page.window().findChildren(WhyEmpty)[-1]
        await until(lambda: popup.reason is not None, "the answer")
        assert popup.reason is not None
        assert source_words(popup.reason).startswith('Filled by meta.raw["Full Name"]')
        assert popup.reason.found is not None
        assert popup.reason.found.lost.rows == (3, 13, 23, 33)
        popup.close()

    with Recording(answering=answer) as server:
        Profiles(folders).save(Profile(name="Deck", base_url=server.url, interface="deck"))
        assert run_window(body, profile="Deck") == 0
