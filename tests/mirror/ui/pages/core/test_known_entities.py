"""What was seen, kept in a real journal: the newest of each, no record hidden by a bare id, secrets masked."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from explorer.api.redact import MASK
from explorer.paths import Folders
from explorer.profiles.profile import Auth, Credential, Profile
from explorer.session import Session
from explorer.ui.kit.notices import Notices
from explorer.ui.pages.core.known_entities import KnownEntities, record_in

Scene = Callable[[Session, KnownEntities, list[Any]], Awaitable[None]]
Play = Callable[[Scene], None]


@pytest.fixture
def play(qtbot: QtBot, tmp_path: Path) -> Play:
    def run(scene: Scene) -> None:
        async def whole() -> None:
            profile = Profile.sandbox("http://127.0.0.1:9", connection="conn_own", connections=("conn_own",))
            session = await Session.open(
                profile, Credential(Auth.APIKEY, "k-canary"), Folders.of_user(tmp_path)
            )
            notices, owner = Notices(), QObject()
            told: list[Any] = []
            notices.posted.connect(told.append)
            try:
                await scene(session, KnownEntities(session, notices, owner), told)
            finally:
                await session.close()

        asyncio.run(whole())

    return run


def test_the_newest_of_each_counts_and_a_bare_id_hides_nothing(play: Play) -> None:
    async def scene(session: Session, seen: KnownEntities, told: list[Any]) -> None:
        assert seen.remember("pipeline", "pipe_a", {}, "by hand")
        assert not seen.remember("pipeline", "pipe_a", {"id": "pipe_a"}, "import")
        assert seen.remember("pipeline", "pipe_a", {"id": "pipe_a", "token": "x1", "k": "k-canary"}, "answer")
        assert not seen.remember("pipeline", "pipe_a", {}, "answer")
        [thing] = seen.things("pipeline")
        assert (thing.source, thing.known) == ("answer", True)
        assert thing.data == {"id": "pipe_a", "token": MASK, "k": MASK}
        assert seen.find("pipeline", "pipe_a") == thing
        assert seen.find("pipeline", "pipe_b") is None
        seen.forget("pipeline", "pipe_a")
        assert seen.things("pipeline") == []

    play(scene)


def test_the_profiles_connections_count_as_seen(play: Play) -> None:
    async def scene(session: Session, seen: KnownEntities, told: list[Any]) -> None:
        [own] = seen.things("connection")
        assert (own.key, own.source, own.at, own.known) == ("conn_own", "profile", None, False)
        seen.remember("connection", "conn_own", {"status": "healthy"}, "answer")
        [own] = seen.things("connection")
        assert own.source == "answer"
        seen.forget("connection", "conn_own")
        assert seen.find("connection", "conn_own") is not None

    play(scene)


def test_several_are_told_of_once_and_only_while_it_lives(play: Play) -> None:
    async def scene(session: Session, seen: KnownEntities, told: list[Any]) -> None:
        heard: list[str] = []
        seen.changed.connect(heard.append)
        many: dict[str, dict[str, Any]] = {f"pipe_{number}": {} for number in range(50)}
        assert seen.remember_all("pipeline", many.items(), "import") == 50
        assert heard == ["pipeline"]
        assert seen.remember_all("pipeline", many.items(), "import") == 0

    play(scene)


def test_a_journal_that_fails_is_told_of_once(play: Play) -> None:
    async def scene(session: Session, seen: KnownEntities, told: list[Any]) -> None:
        session.journal.close()
        assert seen.things("pipeline") == []
        assert not seen.remember("pipeline", "pipe_a", {"x": 1}, "answer")
        assert len(told) == 1

    play(scene)


@pytest.mark.parametrize(
    ("body", "record"), [(b'{"id": 1}', {"id": 1}), (b"[]", None), (b"{", None), (b"[" * 90_000, None)]
)
def test_the_record_in_an_answer(body: bytes, record: Any) -> None:
    assert record_in(body) == record
