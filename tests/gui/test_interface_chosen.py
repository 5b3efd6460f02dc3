"""A profile for another interface: chosen in the dialog, and the window shows its lists and pulls them to their end."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from explorer.catalog import interfaces
from explorer.cli.app import run
from explorer.ui.app.application import Application
from explorer.ui.pages.list.list_page import ListPage
from explorer.ui.profiles.profiles_dialog import ProfilesDialog
from tests.gui.conftest import RunWindow, until
from tests.recording import Got, Recording, Reply

DOCUMENT = Path(__file__).parents[1] / "mirror" / "openapi" / "documents" / "header_connection.json"
KEY = "k-0123456789abcdef"


def answered(got: Got) -> Reply:
    """Five people on two pages, for those with the key and the connection."""
    if got.header("x-apikey") != KEY or got.header("x-connection-id") != "acme":
        return Reply(401, b'{"message": "no"}')
    if urlsplit(got.target).path != "/v0/crm/person":
        return Reply(404, b'{"message": "not here"}')
    first = "cursor" not in parse_qs(urlsplit(got.target).query)
    items = [
        {"id": f"p{number}", "name": f"Person {number}"} for number in (range(3) if first else range(3, 5))
    ]
    more = (
        {"next_cursor": "two", "has_next_page": True}
        if first
        else {"next_cursor": None, "has_next_page": False}
    )
    return Reply(body=json.dumps({"items": items, **more}).encode())


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    yield
    interfaces.forget("gantry")


def test_rows_of_an_added_interface_in_the_window(run_window: RunWindow, own_home: Path) -> None:
    assert run(["interfaces", "add", str(DOCUMENT), "--name", "gantry"]) == 0

    async def body(app: Application) -> None:
        window = app.window
        await until(lambda: app.session is not None, "the sandbox")
        dialog = window.show_profiles(ProfilesDialog.start_new)
        form = dialog.form
        assert [form.interface.itemText(at) for at in range(form.interface.count())] == [
            "Unified API (built in)",
            "Gantry (gantry)",
        ]
        form.base_url.setText(f"{server.url}/v0")
        form.secret.setText(KEY)
        form.connections.setPlainText("acme")
        form.show_more()
        form.interface.setCurrentIndex(1)
        dialog.use.click()
        await until(
            lambda: app.session is not None and app.session.profile.interface == "gantry", "the profile"
        )
        keys = [resource.key for resource in window.registry.resources()]
        [people] = [key for key in keys if "person" in key]
        window.open_page(people)
        await until(lambda: isinstance(window.tabs.current, ListPage), "the page")
        page = window.tabs.current
        assert isinstance(page, ListPage)
        await until(lambda: page.pull is not None and page.pull.rows >= 3, "the first page")
        page.load_all()
        await until(lambda: page.pull is not None and page.pull.state == "complete", "the end")
        assert page.pull is not None
        assert [json.loads(one)["id"] for one in page.pull.window(0, 9)] == ["p0", "p1", "p2", "p3", "p4"]
        assert app.profiles.get(app.session.profile.name).interface == "gantry"  # type: ignore[union-attr]

    with Recording(answering=answered) as server:
        run_window(body)
        assert not [got for got in server.got if got.method != "GET"]
