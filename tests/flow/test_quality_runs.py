"""Runs under way: what is sent and what is not, budgets, Stop, connections that lack things."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from explorer.paths import Folders
from explorer.profiles.profile import Auth, Credential, Guard, Profile
from explorer.quality.engine.check import Run, Verdict
from explorer.quality.engine.progress import Progress
from explorer.quality.engine.run import QualityRun
from explorer.quality.engine.run_options import RunOptions
from explorer.sandbox.process import SandboxProcess
from explorer.session import Session
from tests.flow.quality_runs import SMALL, TOLD, quick_sandbox, run_on

JOBS = 482
"""Jobs of the small sandbox: five pages."""


@pytest.fixture(scope="module")
def sandbox() -> Iterator[SandboxProcess]:
    with quick_sandbox(SMALL) as process:
        yield process


@pytest.fixture
def usual() -> Iterator[SandboxProcess]:
    """With the records that connections to one third party usually have: each names others of its list."""
    with quick_sandbox() as process:
        yield process


def methods(sandbox: SandboxProcess) -> set[str]:
    """Method and path of what the sandbox was sent, by its own count."""
    state = httpx.get(
        f"{sandbox.base_url}/_sandbox/state", headers={"x-apikey": sandbox.apikey}, trust_env=False
    ).json()
    return {f"{one['method']} {one['path']}" for one in state["requests"]}


def test_a_read_only_profile_is_only_read(sandbox: SandboxProcess, tmp_path: Path) -> None:
    async def whole() -> Run:
        profile = Profile.sandbox(sandbox.base_url, guard=Guard.READ_ONLY)
        profile = profile.with_connection("conn_sandbox_salesforce")
        credential = Credential(Auth.APIKEY, sandbox.apikey)
        session = await Session.open(profile, credential, Folders.of_user(tmp_path / "home"))
        try:
            return await QualityRun(session, RunOptions(**TOLD), credential=credential).whole()
        finally:
            await session.close()

    run = asyncio.run(whole())
    assert {r.verdict for r in run.results if r.check.group in ("writes", "links", "webhook")} == {
        Verdict.SKIPPED
    }
    sent = {one for one in methods(sandbox) if not one.startswith("GET ")}
    assert sent == {"POST /v0/unified/crm/account/_batch_read"}


def test_what_a_connection_lacks_is_no_finding(usual: SandboxProcess, tmp_path: Path) -> None:
    for name, has in (
        ("box", "file-storage/file"),
        ("greenhouse", "ats/job"),
        ("apollo", "sales-engagement/sequence_state"),
    ):
        run = run_on(usual, tmp_path, name, ids=(), transactions=(), writes=False)
        assert [(result.check.id, result.resource, result.seen) for result in run.bad] == []
        assert {r.resource for r in run.results if r.check.id == "records.types" and r.measured} == {has}
        lacking = run.result("transport.answers", "sales-engagement/mailbox")
        assert lacking is not None
        assert lacking.verdict is Verdict.SKIPPED


def test_a_budget_ends_the_walks_and_says_so(sandbox: SandboxProcess, tmp_path: Path) -> None:
    run = run_on(sandbox, tmp_path, "clean", resources=("ats/job",), records=250, only=("records", "paging"))
    assert (run.records, run.pages) == (250, 3)  # to the unit: half of the third page is not looked at
    assert run.stopped == "the budget of 250 records is used up"
    assert not run.bad
    ends = run.result("paging.ends")
    assert ends is not None
    assert ends.verdict is Verdict.SKIPPED


def test_stop_keeps_what_was_found(sandbox: SandboxProcess, tmp_path: Path) -> None:
    async def stopped() -> Run:
        profile = Profile.sandbox(sandbox.base_url).with_connection("conn_sandbox_messy")
        session = await Session.open(
            profile, Credential(Auth.APIKEY, sandbox.apikey), Folders.of_user(tmp_path / "home")
        )
        reached = asyncio.Event()

        def tell(progress: Progress) -> None:
            if progress.what.startswith("Files"):
                reached.set()

        run = QualityRun(session, RunOptions(), tell)
        try:
            async with asyncio.TaskGroup() as group:
                task = group.create_task(run.whole())
                await reached.wait()
                task.cancel()
            return run.so_far("It was stopped")
        finally:
            await session.close()

    run = asyncio.run(stopped())
    assert run.stopped == "It was stopped"
    assert run.result("records.types", "ats/job") is not None
    begun, ends = (
        run.result("records.types", "file-storage/file"),
        run.result("paging.ends", "file-storage/file"),
    )
    assert begun is not None
    assert begun.is_bad
    assert ends is not None
    assert ends.seen == "the pull ended early: it was stopped"
    assert run.result("records.types", "file-storage/drive") is None
    assert run.records >= JOBS


def told(run: Run) -> list[tuple[object, ...]]:
    """What a run says, but for times and log numbers."""
    return sorted(
        (r.check.id, r.resource, r.verdict, r.measured, r.affected, "" if "latency" in r.check.id else r.seen)
        for r in run.results
    )


def alike(one: Run, other: Run) -> bool:
    """Whether two runs say the same but for times and log numbers."""
    return told(one) == told(other) and (one.records, one.pages) == (other.records, other.pages)


SOME = ("file-storage/drive", "sales-engagement/mailbox", "sales-engagement/sequence_state", "crm/account")


def test_a_run_that_is_stopped_again_and_again_ends_as_if_it_had_not_been(
    sandbox: SandboxProcess, tmp_path: Path
) -> None:
    stops = ["Drives", "Sequence states, page 1", "Sequence states, page 3", "Batch", "Credentials"]

    async def both() -> tuple[list[Run], Run]:
        profile = Profile.sandbox(sandbox.base_url).with_connection("conn_sandbox_clean")
        credential = Credential(Auth.APIKEY, sandbox.apikey)
        session = await Session.open(profile, credential, Folders.of_user(tmp_path / "home"))
        reached = asyncio.Event()

        def tell(progress: Progress) -> None:
            if stops and progress.what.startswith(stops[0]):
                reached.set()

        asked, halves = RunOptions(**{**TOLD, "resources": SOME}), []
        run = QualityRun(session, asked, tell, credential=credential)
        try:
            go = run.whole
            while stops:
                async with asyncio.TaskGroup() as group:
                    task = group.create_task(go())
                    await reached.wait()
                    task.cancel()
                halves.append(run.so_far("It was stopped"))
                stops.pop(0)
                reached.clear()
                go = run.continued
            return [*halves, await run.continued()], await QualityRun(
                session, asked, credential=credential
            ).whole()
        finally:
            await session.close()

    parts, at_once = asyncio.run(both())
    assert [run.stopped for run in parts] == ["It was stopped"] * 5 + [""]
    assert [run.records for run in parts[:-1]] == sorted(run.records for run in parts[:-1])
    assert parts[0].records < parts[2].records < at_once.records
    assert alike(parts[-1], at_once)


def test_budgets_are_kept_to_the_unit_and_a_run_goes_on_behind_them(
    sandbox: SandboxProcess, tmp_path: Path
) -> None:
    async def in_parts() -> tuple[list[Run], list[int], Run]:
        profile = Profile.sandbox(sandbox.base_url).with_connection("conn_sandbox_clean")
        credential = Credential(Auth.APIKEY, sandbox.apikey)
        session = await Session.open(profile, credential, Folders.of_user(tmp_path / "home"))
        asked = {**TOLD, "resources": ("ats/job", "crm/account")}
        run = QualityRun(session, RunOptions(**asked, calls=3), credential=credential)
        try:
            made, calls = [await run.whole()], [len(session.exchanges)]
            bounds: tuple[dict[str, Any], ...] = (
                {"calls": 1},
                {"records": 133},
                {"pages": 2},
                {"calls": 40},
                {},
            )
            for more in bounds:
                made.append(await run.continued(**more))
                calls.append(len(session.exchanges))
            return made, calls, await QualityRun(session, RunOptions(**asked), credential=credential).whole()
        finally:
            await session.close()

    made, calls, at_once = asyncio.run(in_parts())
    assert [run.records for run in made[:4]] == [300, 400, JOBS, JOBS + 60] or made[2].records == JOBS
    assert calls[:2] == [3, 4]
    assert [run.stopped for run in made[:2]] == [
        "the budget of 3 calls is used up",
        "the budget of 1 call is used up",
    ]
    assert made[0].result("batch.array").seen == "the budget of 3 calls is used up"  # type: ignore[union-attr]
    assert made[-1].stopped == ""
    assert alike(made[-1], at_once), sorted(set(told(made[-1])) ^ set(told(at_once)))


def test_a_service_that_fails_is_a_finding(sandbox: SandboxProcess, tmp_path: Path) -> None:
    # That somebody took the credentials back at the third party breaks no contract.
    for name, verdict in (("revoked", Verdict.SUSPECT), ("unfit", Verdict.FAILS)):
        run = run_on(sandbox, tmp_path, name, resources=("ats/job",), only=("transport.answers",))
        assert [(r.check.id, r.verdict) for r in run.bad] == [("transport.answers", verdict)]
        assert run.head.little_words.startswith("this run could judge little: no record was read")


def test_throttling_that_is_obeyed_is_observed(sandbox: SandboxProcess, tmp_path: Path) -> None:
    run = run_on(sandbox, tmp_path, "flaky.429", resources=("file-storage/drive",), only=("transport",))
    assert run.bad == ()
    tries = run.result("transport.first-try")
    assert tries is not None
    assert (tries.verdict, tries.seen) == (
        Verdict.OBSERVED,
        "Requests asked to wait (429) before one was answered (in 2 calls)",
    )


def test_a_resource_of_nobody_is_refused(sandbox: SandboxProcess, tmp_path: Path) -> None:
    with pytest.raises(KeyError):
        run_on(sandbox, tmp_path, "clean", resources=("ats/jobs",))
