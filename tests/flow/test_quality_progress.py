"""What a run tells while it is under way: how far each list and group is, what it tries, and what it found so far."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from explorer.api.exchange import Exchange
from explorer.paths import Folders
from explorer.profiles.profile import Auth, Credential, Profile
from explorer.quality.engine.check import Run
from explorer.quality.engine.progress import Progress, State
from explorer.quality.engine.run import QualityRun
from explorer.quality.engine.run_options import RunOptions
from explorer.sandbox.process import SandboxProcess
from explorer.session import Session
from tests.flow.quality_runs import quick_sandbox
from tests.recording import Got, Recording, Reply, reply

JOBS, DRIVES, FILES = "ats/job", "file-storage/drive", "file-storage/file"


@pytest.fixture(scope="module")
def sandbox() -> Iterator[SandboxProcess]:
    with quick_sandbox() as process:
        yield process


def told(
    sandbox: SandboxProcess, home: Path, connection: str, **fields: Any
) -> tuple[list[Progress], list[Run], Run]:
    """All that a run tells: how far it is, what it found in between, and its end."""

    async def body() -> Run:
        profile = Profile.sandbox(sandbox.base_url).with_connection(f"conn_sandbox_{connection}")
        credential = Credential(Auth.APIKEY, sandbox.apikey)
        session = await Session.open(profile, credential, Folders.of_user(home))
        try:
            asked = RunOptions(**fields)
            return await QualityRun(
                session, asked, steps.append, credential=credential, on_found=tell_found
            ).whole()
        finally:
            await session.close()

    async def tell_found(run: Run) -> None:
        found.append(run)

    steps: list[Progress] = []
    found: list[Run] = []
    return steps, found, asyncio.run(body())


def test_each_list_and_group_has_a_line_from_the_first_moment_to_its_end(
    sandbox: SandboxProcess, tmp_path: Path
) -> None:
    steps, _, run = told(sandbox, tmp_path, "greenhouse", only=("records", "credentials"))
    first, last = steps[0], steps[-1]
    lists = [one.key for one in first.parts if "/" in one.key]
    assert {JOBS, DRIVES, FILES} <= set(lists)
    assert [one.state for one in first.parts] == [State.WAITS] * len(first.parts)
    assert (first.calls, first.about, first.seconds_left) == (0, None, None), (
        "nothing tells how long they are"
    )
    assert {one.state for one in last.parts} == {State.DONE, State.ABSENT}
    by_key = {one.key: one for one in last.parts}
    assert by_key[JOBS].state is State.DONE
    assert by_key[JOBS].rows == run.records
    assert by_key[DRIVES].state is State.ABSENT
    assert by_key[DRIVES].words.startswith("Not here: ")
    assert by_key["credentials"].calls
    assert last.is_certain
    assert last.calls == last.about == sum(one.calls for one in last.parts)
    reading = {part.words for step in steps for part in step.parts if part.key == JOBS}
    assert {"Waits", "Reading page 1", "Page 1 read", "Done"} <= reading
    trying = {part.words for step in steps for part in step.parts if part.key == "credentials"}
    assert "Trying calls that must be refused: without a key, with a wrong one" in trying


@pytest.mark.parametrize("connection", ["clean", "messy"])
def test_what_is_said_of_a_quick_run_before_it_holds_what_it_makes(
    sandbox: SandboxProcess, tmp_path: Path, connection: str
) -> None:
    lists = (JOBS, DRIVES, "sales-engagement/mailbox")
    steps, _, _ = told(sandbox, tmp_path, connection, resources=lists, quick=True)
    first, last = steps[0], steps[-1]
    least = sum(part.left or 0 for part in first.parts)
    most = least + sum(part.more for part in first.parts)
    assert first.calls == 0
    assert least * 0.9 <= last.calls <= most < least * 1.6
    by_key = {part.key: part.calls for part in last.parts}
    assert by_key["credentials"] == next(part.left for part in first.parts if part.key == "credentials")


def test_a_list_that_is_asked_for_again_says_what_is_tried(sandbox: SandboxProcess, tmp_path: Path) -> None:
    steps, _, _ = told(sandbox, tmp_path, "clean", resources=(DRIVES,), only=("completeness",))
    of_drives = [next(part for part in step.parts if part.key == DRIVES) for step in steps]
    tried = [part for part in of_drives if part.words.startswith("Trying ")]
    assert {"Trying page_size=7, page 1", "Trying page_size=7, page 2"} <= {part.words for part in tried}
    assert any(part.words == "Trying page 1 once more" for part in tried)
    assert len({part.calls for part in tried}) == len(tried), "each further call moves it"
    assert all(part.left is not None for part in tried)
    assert any(step.seconds_left is not None for step in steps)


def test_what_is_found_is_told_before_the_end(sandbox: SandboxProcess, tmp_path: Path) -> None:
    steps, found, run = told(sandbox, tmp_path, "messy", resources=(FILES,), only=("records",))
    early = found[0]
    assert early.records < run.records
    assert early.bad, "the first page has some"
    ended = {(one.check.id, one.resource) for one in run.bad}
    assert {(one.check.id, one.resource) for one in early.bad} <= ended
    assert not early.stopped
    of_files = {part.words for step in steps for part in step.parts if part.key == FILES}
    assert {"Waits", "Reading page 1", "Reading page 2", "Reading page 3", "Done"} <= of_files


def test_a_list_that_fails_says_why_and_can_be_tried_again(sandbox: SandboxProcess, tmp_path: Path) -> None:
    async def body() -> None:
        profile = Profile.sandbox(sandbox.base_url).with_connection("conn_sandbox_revoked")
        credential = Credential(Auth.APIKEY, sandbox.apikey)
        session = await Session.open(profile, credential, Folders.of_user(tmp_path))
        try:
            asked = RunOptions(resources=(DRIVES,), only=("records", "transport"))
            run = QualityRun(session, asked, steps.append, credential=credential)
            await run.whole()
            failed = steps[-1].parts[0]
            assert failed.state is State.FAILED
            assert failed.words
            calls = len(session.exchanges)
            run.try_again(DRIVES)
            assert run.progress("").parts[0].state is State.WAITS
            again = await run.continued()
            assert len(session.exchanges) > calls
            assert steps[-1].parts[0].state is State.FAILED, "it is refused again"
            assert [one.resource for one in again.bad] == [DRIVES], "and said once"
        finally:
            await session.close()

    steps: list[Progress] = []
    asyncio.run(body())


def test_calls_that_are_meant_to_be_refused_are_said_as_such_in_the_log(
    sandbox: SandboxProcess, tmp_path: Path
) -> None:
    async def body() -> list[Exchange]:
        profile = Profile.sandbox(sandbox.base_url).with_connection("conn_sandbox_greenhouse")
        credential = Credential(Auth.APIKEY, sandbox.apikey)
        session = await Session.open(profile, credential, Folders.of_user(tmp_path))
        try:
            asked = RunOptions(resources=(JOBS,), only=("credentials",))
            await QualityRun(session, asked, credential=credential).whole()
            return [one for one in session.exchanges.all() if (one.status or 0) >= 400]
        finally:
            await session.close()

    refused = asyncio.run(body())
    assert {one.summary.partition(":")[0] for one in refused} >= {
        "Refused on purpose, sent without a key",
        "Refused on purpose, sent with a wrong key",
        "Refused on purpose, sent without a connection",
        "Refused on purpose, sent with an unknown connection",
    }
    assert all(one.summary.startswith("Refused on purpose, sent with") for one in refused)
    assert {one.verdict for one in refused} == {"none"}, "the log marks none of them as a failure"


def test_no_secret_that_a_service_repeats_is_told(tmp_path: Path) -> None:
    key = "canary-key-5f1d0c7e"

    def answer(_: Got) -> Reply:
        return reply({"message": f"The key {key} may not do that", "code": "FORBIDDEN"}, 403)

    async def body(url: str) -> None:
        profile = Profile(name="Theirs", base_url=url, connections=("conn_1",))
        credential = Credential(Auth.APIKEY, key)
        session = await Session.open(profile, credential, Folders.of_user(tmp_path))
        try:
            asked = RunOptions(resources=(DRIVES,), only=("envelope",))
            await QualityRun(session, asked, steps.append, credential=credential).whole()
        finally:
            await session.close()

    steps: list[Progress] = []
    with Recording(answering=answer) as server:
        asyncio.run(body(server.url))
    assert steps[-1].parts[0].state is State.FAILED
    assert "may not do that" in steps[-1].parts[0].words
    assert key not in repr(steps)
