"""Runs under way: what is sent and what is not, budgets, Stop, connections that lack things."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from explorer.paths import Folders
from explorer.profiles.profile import Auth, Credential, Guard, Profile
from explorer.quality.asked import Asked
from explorer.quality.check import Run, Verdict
from explorer.quality.run import Progress, QualityRun
from explorer.sandbox.process import SandboxProcess
from explorer.session import Session
from tests.flow.quality_runs import TOLD, quick_sandbox, run_on


@pytest.fixture(scope="module")
def sandbox() -> Iterator[SandboxProcess]:
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
            return await QualityRun(session, Asked(**TOLD), credential=credential).whole()
        finally:
            await session.close()

    run = asyncio.run(whole())
    assert {r.verdict for r in run.results if r.check.group in ("writes", "links", "webhook")} == {
        Verdict.SKIPPED
    }
    sent = {one for one in methods(sandbox) if not one.startswith("GET ")}
    assert sent == {"POST /v0/unified/crm/account/_batch_read"}


def test_what_a_connection_lacks_is_no_finding(sandbox: SandboxProcess, tmp_path: Path) -> None:
    for name, has in (
        ("box", "file-storage/file"),
        ("greenhouse", "ats/job"),
        ("apollo", "sales-engagement/sequence_state"),
    ):
        run = run_on(sandbox, tmp_path, name, ids=(), transactions=(), writes=False)
        assert [(result.check.id, result.resource, result.seen) for result in run.bad] == []
        assert {r.resource for r in run.results if r.check.id == "records.types" and r.measured} == {has}
        lacking = run.result("transport.answers", "sales-engagement/mailbox")
        assert lacking is not None
        assert lacking.verdict is Verdict.SKIPPED


def test_a_budget_ends_the_walks_and_says_so(sandbox: SandboxProcess, tmp_path: Path) -> None:
    run = run_on(sandbox, tmp_path, "clean", resources=("ats/job",), records=250, only=("records", "paging"))
    assert run.records == 300  # whole pages are looked at
    assert run.stopped == "the budget of 250 records is used"
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

        run = QualityRun(session, Asked(), tell)
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
    assert run.result("records.types", "file-storage/file") is None
    assert run.records >= 1_200


def test_a_service_that_fails_is_a_finding(sandbox: SandboxProcess, tmp_path: Path) -> None:
    for name in ("revoked", "unfit"):
        run = run_on(sandbox, tmp_path, name, resources=("ats/job",), only=("transport.answers",))
        assert [(r.check.id, r.verdict) for r in run.bad] == [("transport.answers", Verdict.FAILS)]


def test_faults_that_a_retry_heals_are_suspect(sandbox: SandboxProcess, tmp_path: Path) -> None:
    run = run_on(sandbox, tmp_path, "flaky.429", resources=("file-storage/drive",), only=("transport",))
    assert [(r.check.id, r.affected) for r in run.bad] == [("transport.first-try", 2)]


def test_a_resource_of_nobody_is_refused(sandbox: SandboxProcess, tmp_path: Path) -> None:
    with pytest.raises(KeyError):
        run_on(sandbox, tmp_path, "clean", resources=("ats/jobs",))
