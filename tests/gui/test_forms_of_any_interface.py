"""Forms for what an added interface can change: absent, null and a value are three things, and nothing else is sent."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from explorer.catalog import interfaces
from explorer.catalog.spec import ABSENT
from explorer.openapi.interface import load_kept
from explorer.openapi.kept import KeptInterfaces
from explorer.paths import Folders
from explorer.profiles.profile import Guard, Profile
from explorer.ui.app.page_registry import make_page
from explorer.ui.call.call_page import CallPage
from explorer.ui.own_pages import icon_name, page_resources
from explorer.ui.pages.list.list_page import ListPage
from tests.gui.write_stage import Stage, editor, play, send, type_in
from tests.recording import Got, Recording, Reply, reply

ROW = {"type": "object", "properties": {"id": {"type": "string"}, "name": {"type": "string"}}}
BODY = {
    "type": "object",
    "required": ["name"],
    "properties": {
        "name": {"type": "string"},
        "note": {"type": ["string", "null"], "description": "<b>Free</b> text"},
        "size": {"type": "integer", "nullable": True},
        "stage": {"type": "string", "enum": ["lead", "won"]},
        "tags": {"type": "array", "items": {"type": "string"}},
        "address": {"type": "object", "properties": {"city": {"type": "string"}}},
    },
}
OK = {"200": {"description": "", "content": {"application/json": {"schema": ROW}}}}
ID = {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}
HARD = {"name": "hard", "in": "query", "schema": {"type": "boolean", "default": False}}
WITH_BODY = {"requestBody": {"content": {"application/json": {"schema": BODY}}}, "responses": OK}
LISTED = {"schema": {"type": "object", "properties": {"items": {"type": "array", "items": ROW}}}}
DOCUMENT: dict[str, Any] = {
    "openapi": "3.1.0",
    "info": {"title": "Writes", "version": "1"},
    "components": {"securitySchemes": {"key": {"type": "http", "scheme": "bearer"}}},
    "security": [{"key": []}],
    "paths": {
        "/companies": {
            "get": {"responses": {"200": {"description": "", "content": {"application/json": LISTED}}}},
            "post": WITH_BODY,
        },
        "/companies/{id}": {
            "get": {"parameters": [ID], "responses": OK},
            "put": {"parameters": [ID], **WITH_BODY},
            "patch": {"parameters": [ID], **WITH_BODY},
            "delete": {"parameters": [ID, HARD], "responses": OK},
        },
    },
}


@pytest.fixture
def kept(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> Folders:
    monkeypatch.setattr(interfaces, "REGISTRIES", dict(interfaces.REGISTRIES))
    folders = Folders.of_user(own_home)
    KeptInterfaces(folders.config).add("writes", json.dumps(DOCUMENT).encode(), None, "writes.json")
    made = partial(load_kept, folders.config, "writes")
    interfaces.register(made(), made)
    return folders


def answered(got: Got) -> Reply:
    return reply({"id": "c1", "name": "x"} if got.header("authorization") == "Bearer k" else {}, status=200)


@pytest.mark.parametrize("method", ["PUT", "PATCH"])
def test_absent_null_and_value(qapp: QApplication, kept: Folders, method: str) -> None:
    async def scene(stage: Stage) -> None:
        page = stage.open("companies:calls")
        operations = page.resource.operations
        place = next(at for at, one in enumerate(operations) if one.method == method)
        assert {one.method for one in operations} == {"GET", "POST", "PUT", "PATCH", "DELETE"}
        page.choose(place)
        form = page.pane.form
        assert list(form.body.grid.editors) == ["name", "note", "size", "stage", "tags", "address"]
        assert [name for name, one in form.body.grid.editors.items() if one.may_be_null] == ["note", "size"]
        editor(page, "path:id").set_value("c 1")
        type_in(page, name="Acme")
        await send(page)
        editor(page, "body:note").set_value(None)
        editor(page, "body:size").set_value(None)
        await send(page)
        editor(page, "body:note").set_value("")
        editor(page, "body:size").set_value(3)
        editor(page, "body:tags").set_value([])
        await send(page)
        editor(page, "body:note").set_value(ABSENT)
        editor(page, "body:size").set_value(ABSENT)
        editor(page, "body:address").set_value({"city": None})
        await send(page)

    with Recording(answering=answered) as server:
        profile = Profile(id="0ff", name="W", base_url=server.url, interface="writes", guard=Guard.OPEN)
        play(qapp, kept, profile, "k", scene)
        assert {(got.method, got.target) for got in server.got} == {(method, "/companies/c%201")}
        assert [got.body for got in server.got] == [
            b'{"name":"Acme"}',
            b'{"name":"Acme","note":null,"size":null}',
            b'{"name":"Acme","note":"","size":3,"tags":[]}',
            b'{"name":"Acme","tags":[],"address":{"city":null}}',
        ]


def test_a_list_stays_a_list_and_its_calls_stand_beside_it(qapp: QApplication, kept: Folders) -> None:
    async def scene(stage: Stage) -> None:
        there = page_resources(stage.session.registry)
        assert [(key, one.title, icon_name(one)) for key, one in there.items() if "companies" in key] == [
            ("companies", "Companies", "pages/list"),
            ("companies:calls", "Companies: single calls", "pages/pencil"),
        ]
        page = stage.open("companies:calls")
        assert isinstance(page, CallPage)
        page.choose(next(at for at, one in enumerate(page.resource.operations) if one.method == "DELETE"))
        assert editor(page, "query:hard").left_out_words == "false if left out"
        context = page.context
        shown = make_page(there["companies"], context)
        assert isinstance(shown, ListPage)
        await shown.shutdown()
        shown.deleteLater()

    profile = Profile(id="0ff", name="W", base_url="http://127.0.0.1:9", interface="writes")
    play(qapp, kept, profile, "k", scene)
