"""What is learned of a connection from its answers: what it has, its health, its connector; and how that is kept."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from explorer.api.client import Client
from explorer.api.errors import ExplorerError
from explorer.catalog.request import build
from explorer.catalog.spec import Resource, Vertical
from explorer.paths import Folders
from explorer.profiles.profile import Auth, Credential, Guard, Profile
from explorer.session import Session
from explorer.session.connection_client import aside
from explorer.session.connection_facts import (
    KIND,
    Has,
    Learned,
    Learning,
    connector_of,
    has,
    missing,
    standings_of,
)
from tests.builtin import registry
from tests.mirror.session.test_connection_test import early, html, service, third
from tests.recording import Recording, Reply

ROWS = Reply(body=b'{"items":[{"id":"1"}],"has_next_page":false}')
OTHER = service(400, "Adapter hubspot not found", "BAD_REQUEST")
LACKS = service(501, "listDrives is not implemented", "NOT_IMPLEMENTED")
NO_ROUTE = service(404, "Not found", "NOT_FOUND")
UNAUTHORIZED = service(401, "UNAUTHORIZED", "UNAUTHORIZED")
UNKNOWN = service(404, "conn not found: conn_1", "NOT_FOUND")

Scene = Callable[[Session, Learning], Awaitable[None]]


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    return Folders.of_user(tmp_path)


def play(folders: Folders, scene: Scene, *replies: Reply, **fields: Any) -> None:
    """Run ``scene`` on a session whose service gives ``replies``, the last one for ever."""

    async def whole(server: Recording) -> None:
        given = {"id": "one", "name": "One", "connection": "conn_1", "guard": Guard.OPEN, **fields}
        profile = Profile(**{"base_url": server.url, **given})
        session = await Session.open(profile, Credential(Auth.APIKEY, "a-key"), folders)
        learning = Learning(session)
        try:
            await scene(session, learning)
        finally:
            learning.close()
            await session.close()

    with Recording(list(replies)) as server:
        asyncio.run(asyncio.wait_for(whole(server), 60))


async def ask(session: Session, key: str = "ats/job", **given: Any) -> None:
    """Send one call, whatever comes."""
    with contextlib.suppress(ExplorerError):
        await session.send(build(registry.operation(key), **given))


def place(key: str) -> tuple[Vertical, Resource]:
    return next((v, r) for v in registry.interface.verticals for r in v.resources if r.key == key)


def state(learned: Learned, key: str = "ats/job") -> tuple[str, str]:
    found = has(learned, *place(key))
    return found.state, found.why


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (ROWS, ("yes", "")),
        (LACKS, ("no", "answered 501")),
        (NO_ROUTE, ("no", "answered 404")),
        (OTHER, ("no", "no applicant tracking here")),
        (UNKNOWN, ("open", "answered 404")),
        (service(404, "Folder not found: x", "NOT_FOUND"), ("open", "answered 404")),
        (third(404, "[404 Not Found] GET https://x"), ("open", "answered 404")),
        (UNAUTHORIZED, ("open", "answered 401")),
        (service(400, "wrong input", "BAD_REQUEST"), ("open", "answered 400")),
    ],
)
def test_what_a_connection_has_is_what_its_answers_show(
    folders: Folders, reply: Reply, expected: tuple[str, str]
) -> None:
    async def scene(session: Session, learning: Learning) -> None:
        assert state(learning.known()) == ("open", "")
        await ask(session)
        assert state(learning.known()) == expected

    play(folders, scene, reply)


def test_a_connector_of_another_vertical_has_none_of_it_and_is_named(folders: Folders) -> None:
    async def scene(session: Session, learning: Learning) -> None:
        await ask(session, "crm/account/batch_read", body={"ids": ["1"], "properties": ["id"]})
        learned = learning.known()
        assert connector_of(session, learned) == "hubspot"
        no_crm = ("no", "no CRM here")
        assert [state(learned, key) for key in ("crm/account", "crm/contact")] == [no_crm] * 2
        assert state(learned, "ats/job") == ("open", "")
        assert missing(session, learned) == dict.fromkeys(("crm/account", "crm/contact"), no_crm[1])

    play(folders, scene, OTHER)


def test_a_connection_test_shows_what_is_there_and_nothing_of_the_health(folders: Folders) -> None:
    async def scene(session: Session, learning: Learning) -> None:
        other = Learning(session)
        for key, reply in (("ats/job", "yes"), ("file-storage/drive", "no"), ("file-storage/file", "open")):
            await ask(session, key)
            assert state(other.known(), key)[0] == reply
        calls = session.exchanges.all()
        other.close()
        session.journal.clear(KIND)
        fresh = Learning(session)
        fresh.of_test(calls)
        learned = fresh.known()
        fresh.close()
        assert [state(learned, key)[0] for key in ("ats/job", "file-storage/drive")] == ["yes", "no"]
        assert state(learned, "file-storage/file") == ("open", ""), "the key that was tried may be another"
        assert learned.health is None

    play(folders, scene, ROWS, LACKS, UNAUTHORIZED)


def test_credentials_that_a_test_saw_refused_are_so_since_then(folders: Folders) -> None:
    async def scene(session: Session, learning: Learning) -> None:
        learning.close()
        await ask(session)
        await ask(session)
        refused, good = session.exchanges.all()
        fresh = Learning(session)
        fresh.of_test([refused])
        health = fresh.known().health
        assert health is not None
        assert (health.word, health.since) == ("Credentials refused", refused.started_at)
        assert state(fresh.known()) == ("open", "answered 424")
        fresh.of_test([good])
        assert (health := fresh.known().health) is not None
        assert health.good
        fresh.close()

    play(folders, scene, third(424, "[401 Unauthorized] GET https://x"), ROWS)


def test_the_calls_of_a_test_are_in_the_log_and_say_so(folders: Folders) -> None:
    async def scene(session: Session, learning: Learning) -> None:
        await ask(session, "ats/job")
        [call] = session.exchanges.all()
        before = learning.known()
        refused = replace(call, status=401, summary="Refused", state="failed")
        learning.log_test([refused, replace(call, summary="")])
        added = session.exchanges.all()[1:]
        assert [one.summary for one in added] == ["Connection test: Refused", "Connection test"]
        assert len({one.id for one in session.exchanges.all()}) == 3
        assert learning.known() == before, "what was typed for a test may not be what the profile has"
        await ask(session, "file-storage/drive")
        assert state(learning.known(), "file-storage/drive")[0] == "no", "it goes on hearing what is sent"

    play(folders, scene, ROWS, LACKS)


def test_a_failure_takes_nothing_back_and_a_newer_answer_does(folders: Folders) -> None:
    async def scene(session: Session, learning: Learning) -> None:
        seen = []
        for _ in range(4):
            await ask(session)
            seen.append(state(learning.known())[0])
        assert seen == ["yes", "yes", "no", "yes"]

    play(folders, scene, ROWS, third(400, "[400] no"), LACKS, ROWS)


def test_a_resource_of_several_operations_is_missing_only_when_all_are(folders: Folders) -> None:
    contact: dict[str, Any] = {"body": {"record": {}}}

    async def scene(session: Session, learning: Learning) -> None:
        await ask(session, "crm/contact/create", **contact)
        assert state(learning.known(), "crm/contact") == ("open", "answered 501")
        await ask(session, "crm/contact/update", path={"id": "1"}, **contact)
        await ask(session, "crm/contact/upsert", **contact)
        assert state(learning.known(), "crm/contact") == ("no", "answered 501")

    play(folders, scene, LACKS)


def test_stored_rows_show_that_a_list_was_there_until_a_newer_answer_says_otherwise(folders: Folders) -> None:
    async def scene(session: Session, learning: Learning) -> None:
        pull = session.pull(registry.listing("ats/job"), {})
        await pull.more()
        standing = standings_of(session)["ats/job"]
        assert (standing.front and standing.front.rows, standing.previous) == (1, None)
        at = standing.front.updated_at if standing.front else None
        assert has(Learned(), *place("ats/job"), at) == Has("yes")
        assert missing(session, learning.known()) == {}
        await ask(session)
        assert missing(session, learning.known()) == {"ats/job": "answered 501"}

    play(folders, scene, ROWS, LACKS)


@pytest.mark.parametrize(
    ("reply", "word"),
    [
        (UNAUTHORIZED, "Key refused"),
        (UNKNOWN, "Connection not known"),
        (third(401, "[401 Unauthorized] GET https://x"), "Credentials refused"),
        (html(404), "Gateway answers"),
        (early(500, "TRPCError: it broke"), "Service fails"),
        (Reply(301, b"", (("location", "https://elsewhere.example/"),)), "Redirected"),
    ],
)
def test_health_says_what_is_wrong_and_since_when(folders: Folders, reply: Reply, word: str) -> None:
    async def scene(session: Session, learning: Learning) -> None:
        assert learning.known().health is None
        await ask(session)
        good = learning.known().health
        assert good is not None
        assert good.good
        await ask(session)
        bad = learning.known().health
        assert bad is not None
        assert (bad.good, bad.word, bad.before) == (False, word, good.since)
        assert bad.sentence
        await ask(session)
        again = learning.known().health
        assert again is not None
        assert (again.good, again.since) == (False, bad.since)

    play(folders, scene, ROWS, reply)


def test_a_call_that_is_refused_for_itself_says_nothing_of_the_connection(folders: Folders) -> None:
    async def scene(session: Session, learning: Learning) -> None:
        for _ in range(4):
            await ask(session)
        health = learning.known().health
        assert health is not None
        assert health.good

    play(folders, scene, ROWS, LACKS, OTHER, third(404, "[404] no"))


def test_a_connection_that_cannot_be_reached_is_told(folders: Folders) -> None:
    async def scene(session: Session, learning: Learning) -> None:
        await ask(session)
        health = learning.known().health
        assert health is not None
        assert (health.good, health.word) == (False, "Not reachable")
        assert state(learning.known()) == ("open", "no answer")

    play(folders, scene, ROWS, base_url="http://127.0.0.1:9")


def test_a_key_refused_on_purpose_does_not_make_a_sound_connection_young(folders: Folders) -> None:
    async def scene(session: Session, learning: Learning) -> None:
        await ask(session)
        before = learning.known().health
        await ask(session)
        assert learning.known().health != before
        learning.answers()
        assert learning.known().health == before
        await ask(session)
        assert learning.known().health != before
        await ask(session)
        assert learning.known().health == before

    play(folders, scene, ROWS, UNAUTHORIZED, UNAUTHORIZED, ROWS)


def test_a_key_refused_on_purpose_does_not_make_refused_credentials_young(folders: Folders) -> None:
    async def scene(session: Session, learning: Learning) -> None:
        await ask(session)
        before = learning.known().health
        assert before is not None
        assert before.word == "Credentials refused"
        for _ in range(2):
            await ask(session)
            assert learning.known().health == before

    revoked = third(401, "[401 Unauthorized] GET https://x")
    play(folders, scene, revoked, UNAUTHORIZED, revoked)


def test_a_service_that_breaks_over_a_wrong_key_says_nothing_of_the_connection(folders: Folders) -> None:
    async def scene(session: Session, learning: Learning) -> None:
        await ask(session)
        before = learning.known().health
        client = Client(
            session.profile, Credential(Auth.APIKEY, "k"), session.exchanges, on_purpose="with a wrong key"
        )
        with pytest.raises(ExplorerError):
            await client.send(build(registry.operation("ats/job")))
        await client.aclose()
        assert learning.known().health == before

    play(
        folders, scene, ROWS, early(500, "TRPCError: Authorization Bearer Token must be a JWT or an API key")
    )


def test_a_service_that_failed_in_between_goes_well_since_it_answered_again(folders: Folders) -> None:
    async def scene(session: Session, learning: Learning) -> None:
        await ask(session)
        before = learning.known().health
        for _ in range(2):
            await ask(session)
        after = learning.known().health
        assert before is not None
        assert after is not None
        assert after.good
        assert after.since > before.since

    play(folders, scene, ROWS, third(401, "[401 Unauthorized] GET https://x"), ROWS)


def test_what_was_learned_is_there_again_and_told_once(folders: Folders) -> None:
    told: list[int] = []

    async def first(session: Session, learning: Learning) -> None:
        learning.subscribe(lambda: told.append(1))
        for _ in range(3):
            await ask(session)
        assert len(told) == 1, "the second answer of the same kind shows nothing new"
        assert len(session.journal.latest(KIND)) == 1

    async def again(session: Session, learning: Learning) -> None:
        assert state(learning.known()) == ("yes", "")
        health = learning.known().health
        assert health is not None
        assert health.good

    async def elsewhere(session: Session, learning: Learning) -> None:
        assert learning.known() == Learned()

    with Recording([ROWS]) as server:
        url = server.url
        play(folders, first, ROWS, base_url=url)
        play(folders, again, ROWS, base_url=url)
        play(folders, elsewhere, ROWS, base_url=url, connection="conn_2", connections=("conn_1",))
    play(folders, elsewhere, ROWS)


def test_each_connection_of_the_profile_learns_for_itself(folders: Folders) -> None:
    async def scene(session: Session, learning: Learning) -> None:
        other = aside(session, "conn_2")
        nobody = aside(session, "conn_nobody")
        for client in (other, nobody):
            await client.send(build(registry.operation("ats/job")))
            await client.aclose()
        assert state(learning.known("conn_2")) == ("yes", "")
        assert learning.known() == Learned()
        assert [entry.connection for entry in session.journal.latest(KIND)] == ["conn_2"]

    play(folders, scene, ROWS, connections=("conn_1", "conn_2"))


def test_two_windows_on_one_connection_learn_together(folders: Folders) -> None:
    async def scene(session: Session, learning: Learning) -> None:
        window = await Session.open(session.profile, Credential(Auth.APIKEY, "a-key"), folders)
        other = Learning(window)
        assert other.known() == Learned()
        await ask(session)
        await ask(window, "file-storage/drive")
        for key in ("ats/job", "file-storage/drive"):
            assert state(other.known(), key) == ("yes", "")
        other.close()
        await window.close()

    play(folders, scene, ROWS)


def test_the_connector_is_what_the_connection_check_answered(folders: Folders) -> None:
    async def scene(session: Session, learning: Learning) -> None:
        assert connector_of(session, Learned()) == ""
        session.journal.add("connection", "conn_1", {"connectorName": "greenhouse"})
        assert connector_of(session, Learned(connector="other")) == "greenhouse"

    play(folders, scene, ROWS)


def test_an_entry_that_cannot_be_read_is_replaced(folders: Folders) -> None:
    async def scene(session: Session, learning: Learning) -> None:
        session.journal.add(KIND, f"conn_1 {session.profile.base_url}", {"shown": 7})
        assert learning.known() == Learned()
        await ask(session)
        fresh = Learning(session)
        assert state(fresh.known()) == ("yes", "")
        fresh.close()

    play(folders, scene, ROWS)
