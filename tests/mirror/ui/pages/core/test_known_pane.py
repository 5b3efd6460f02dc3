"""Ids completed from what was seen, and words of caution below a field that a page gives."""

from __future__ import annotations

import asyncio
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from explorer.catalog.builtin.core import PipelineCreateBody
from explorer.catalog.fields import fields_of
from explorer.paths import Folders
from explorer.profiles.profile import Auth, Credential, Profile
from explorer.session import Session
from explorer.ui.forms.exact import RawJson
from explorer.ui.forms.json_edit import JsonEditor
from explorer.ui.forms.streams_editor import StreamsEditor
from explorer.ui.kit.notices import Notices
from explorer.ui.pages.core.known_entities import KnownEntities
from explorer.ui.pages.core.known_pane import KnownIdEditor

FIELDS = {field.name: field for field in fields_of(PipelineCreateBody)}


def completions(line: QLineEdit, text: str) -> list[str]:
    completer = line.completer()
    assert completer is not None
    completer.setCompletionPrefix(text)
    model = completer.completionModel()
    assert model is not None
    return [str(model.index(row, 0).data()) for row in range(model.rowCount())]


def test_ids_that_were_seen_are_offered_and_any_other_is_taken(qtbot: QtBot, tmp_path: Path) -> None:
    async def scene() -> None:
        profile = Profile.sandbox("http://127.0.0.1:9", connection="conn_own", connections=("conn_own",))
        session = await Session.open(profile, Credential(Auth.APIKEY, "key"), Folders.of_user(tmp_path))
        owner = QObject()
        seen = KnownEntities(session, Notices(), owner)
        editor = KnownIdEditor(FIELDS["sourceId"], "body", seen, "connection")
        line = editor.input()
        assert completions(line, "own") == ["conn_own"]
        seen.remember("connection", "conn_hub", {"connectorName": "hubspot"}, "answer")
        assert completions(line, "HUB") == ["conn_hub"], "at once, anywhere in the id, in any case"
        assert editor.set_value("conn_hub")
        hint = editor.hint()
        assert hint is not None
        assert hint.words.startswith("hubspot, seen at ")
        assert editor.set_value("conn_other")
        assert editor.hint() is None
        await session.close()

    asyncio.run(scene())


def test_advice_is_told_and_a_refusal_is_a_fault(qtbot: QtBot) -> None:
    for made in (JsonEditor(FIELDS["metadata"], "body"), StreamsEditor(FIELDS["streams"], "body")):
        assert made.hint() is None
        with qtbot.waitSignal(made.hint_changed):
            made.advise(["one will be lost", "two stays"])
        assert made.hint() == ("One will be lost\nTwo stays", "caution")
        assert made.set_value({"a": {}})
        assert made.faults() == []
        made.refusal = lambda: "Not like this"
        assert [fault.sentence for fault in made.faults()] == ["Not like this"]
        assert made.set_value(RawJson("{"))
        assert made.faults()[0].sentence.startswith("Line 1"), "what is no JSON is told first"
        made.advise([])
        assert made.hint() is None
