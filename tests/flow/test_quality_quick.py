"""A quick run looks at three pages of each list, says so, and never that a list is whole or a finding gone."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from explorer.paths import Folders
from explorer.profiles.profile import Auth, Credential, Profile
from explorer.quality.engine.check import Run, Verdict
from explorer.quality.engine.progress import Progress
from explorer.quality.engine.run import QualityRun
from explorer.quality.engine.run_options import RunOptions
from explorer.quality.reports.json import as_json
from explorer.quality.reports.read import read_runs
from explorer.quality.reports.report import report_of
from explorer.sandbox.process import SandboxProcess
from explorer.session import Session
from tests.flow.quality_runs import quick_sandbox
from tests.flow.runs import environment, run
from tests.flow.test_quality_runs import told
from tests.plain_service import GOOD_KEY, Connection, PlainList, PlainService

JOBS, DRIVES = "ats/job", "file-storage/drive"
FIRST = "it looked at the first 3 pages of each list"


@pytest.fixture(scope="module")
def sandbox() -> Iterator[SandboxProcess]:
    with quick_sandbox(scale=0.4) as process:  # 482 jobs are five pages
        yield process


Check = Callable[..., subprocess.CompletedProcess[bytes]]


@pytest.fixture
def check(sandbox: SandboxProcess, tmp_path: Path) -> Check:
    """A run of the command line on that sandbox."""

    def checked(*arguments: str) -> subprocess.CompletedProcess[bytes]:
        command = ["check", *arguments, "--base-url", sandbox.base_url]
        return run(command, environment(sandbox, tmp_path / "home"))

    return checked


def lists(connection: str) -> list[str]:
    """The arguments that say which lists of which connection, and what of them."""
    only = ["--only", "records,paging,envelope,completeness"]
    return [JOBS, DRIVES, "--connections", f"conn_sandbox_{connection}", *only]


def words_of(document: dict[str, Any]) -> str:
    """All that a report says of its results."""
    return " | ".join(f"{one['check']}: {one['seen']}" for one in document["results"] if "seen" in one)


def test_it_says_that_it_looked_at_three_pages_and_reads_no_more(check: Check, tmp_path: Path) -> None:
    out = tmp_path / "run.json"
    done = check(*lists("messy"), "--quick", "--json", str(out))
    assert done.returncode == 1, done.stderr.decode()
    [made] = json.loads(out.read_bytes())["runs"]
    assert made["summary"].startswith(f"{FIRST}; ")
    assert f"conn_sandbox_messy: {FIRST}; " in done.stderr.decode()
    assert made["quick"] is True
    assert made["stopped"] == "", "it came to the end that was asked for"
    assert JOBS in made["not_read_whole"]
    jobs = [one["page"] for one in made["when"]["latencies"] if one["resource"] == JOBS]
    assert jobs == [1, 2, 3]
    whole = [one for one in made["results"] if one["check"].startswith("completeness.")]
    assert {one["verdict"] for one in whole} == {"skipped"}
    assert "complete:" not in words_of(made)
    bad = [one for one in made["results"] if one["verdict"] == "fails" and one["resource"]]
    assert all(one["reproduce"].endswith(" --quick") for one in bad)


def test_where_nothing_is_found_it_does_not_say_that_all_hold(check: Check, tmp_path: Path) -> None:
    done = check(*lists("clean"), "--quick", "--markdown", str(tmp_path / "run.md"))
    said = done.stderr.decode() + (tmp_path / "run.md").read_text("utf-8")
    assert done.returncode == 0, said
    assert f"{FIRST}; nothing found: " in said
    assert "all hold" not in said.lower()
    assert done.stderr.decode().count("a quick run looks at") == 1, "one reason, however many checks have it"


def test_beside_a_baseline_nothing_is_fixed_and_not_all_is_judged(check: Check, tmp_path: Path) -> None:
    file = tmp_path / "accepted.json"
    first = check(*lists("messy"), "--baseline", str(file), "--baseline-update")
    assert first.returncode == 0, first.stderr.decode()
    before = file.read_bytes()
    quick = check(*lists("clean"), "--quick", "--baseline", str(file), "--baseline-prune")
    assert ", 0 fixed" in quick.stderr.decode()
    assert "Fixed " not in quick.stderr.decode()
    assert quick.returncode == 7, quick.stderr.decode()
    assert f"not all could be judged: {FIRST}; {JOBS} was not read to its end" in quick.stderr.decode()
    assert json.loads(file.read_bytes()) == json.loads(before)
    whole = check(*lists("clean"), "--baseline", str(file))
    assert ", 0 fixed" not in whole.stderr.decode(), "the whole lists show what is gone"


def test_quick_and_prove_exclude_each_other_and_a_recipe_keeps_it(check: Check, tmp_path: Path) -> None:
    refused = check(*lists("clean"), "--quick", "--prove")
    assert refused.returncode == 2
    assert "--prove" in refused.stderr.decode()
    recipe = tmp_path / "nightly.toml"
    assert check(*lists("clean"), "--quick", "--save-recipe", str(recipe)).returncode == 0
    assert "quick = true" in recipe.read_text()
    done = check("--recipe", str(recipe), "--no-quick", "--only", "envelope")
    assert FIRST not in done.stderr.decode(), "an option goes before the recipe"


def test_whole_lists_go_on_from_there_and_nothing_is_read_twice(
    sandbox: SandboxProcess, tmp_path: Path
) -> None:
    async def body() -> tuple[Run, Run, Run, Counter[str]]:
        profile = Profile.sandbox(sandbox.base_url).with_connection("conn_sandbox_messy")
        credential = Credential(Auth.APIKEY, sandbox.apikey)
        session = await Session.open(profile, credential, Folders.of_user(tmp_path))
        wanted: dict[str, Any] = {"resources": (JOBS, DRIVES), "only": ("records", "paging", "envelope")}
        try:
            one = QualityRun(session, RunOptions(**wanted, quick=True), credential=credential)
            quick, whole = await one.whole(), await one.continued()
            plain = [e.path for e in session.exchanges.all() if "page_size" not in e.path]
            at_once = await QualityRun(session, RunOptions(**wanted), credential=credential).whole()
            return quick, whole, at_once, Counter(path for path in plain if "sync_mode" not in path)
        finally:
            await session.close()

    quick, whole, at_once, asked = asyncio.run(body())
    assert (quick.quick, whole.quick) == (True, False)
    assert quick.span[1] <= whole.started_at, "it is of the time at which it went on, and its calls of both"
    assert whole.span[0] == quick.started_at
    assert whole.started_at < whole.span[1]
    assert read_runs(as_json(report_of([whole])))[0].span == whole.span
    assert quick.pages < whole.pages == at_once.pages
    assert told(whole) == told(at_once)
    jobs = [path for path in asked if JOBS in path]
    often = [path for path, times in asked.items() if times > 2]
    assert often == [jobs[0], jobs[2]], "beyond once to read it and once to see whether it stays the same"
    assert max(asked.values()) == 3, "the first page is requested between two requests of the third"
    held = quick.result("records.ids", JOBS)
    assert held is not None
    assert held.verdict is not Verdict.SKIPPED


def test_whole_lists_that_are_asked_for_late_are_read_before_the_run_ends(
    sandbox: SandboxProcess, tmp_path: Path
) -> None:
    async def body() -> tuple[Run, Run]:
        profile = Profile.sandbox(sandbox.base_url).with_connection("conn_sandbox_clean")
        credential = Credential(Auth.APIKEY, sandbox.apikey)
        session = await Session.open(profile, credential, Folders.of_user(tmp_path))

        def tell(progress: Progress) -> None:
            if progress.what.startswith("Credentials"):  # all lists are over by then
                one.look_at(quick=False)

        wanted = RunOptions(resources=(JOBS,), only=("envelope", "credentials"), quick=True)
        try:
            one = QualityRun(session, wanted, tell, credential=credential)
            late = await one.whole()
            one = QualityRun(session, replace(wanted, only=("envelope",)), credential=credential)
            over = await one.whole()
            one.look_at(quick=False)
            assert one.so_far().quick, "what is over was quick, whatever is chosen then"
            return late, over
        finally:
            await session.close()

    late, over = asyncio.run(body())
    assert (late.quick, late.partial) == (False, ())
    assert late.pages > over.pages == 3
    assert (over.quick, over.partial) == (True, (JOBS,))


def test_a_list_that_has_used_its_calls_says_so_of_the_incremental_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drives = [{"id": f"d{at}", "name": f"Drive {at}", "raw_data": {"key": at}} for at in range(64)]
    lists = {"listDrives": PlainList(rows=drives, page_size=50)}
    report = tmp_path / "report.json"
    with PlainService(connections=[Connection("conn_1", "file-storage", "dropbox", lists=lists)]) as service:
        where = ["--base-url", service.base_url, "--connections", "conn_1"]
        monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", GOOD_KEY)
        monkeypatch.setenv("UNIFIED_EXPLORER_HOME", str(tmp_path / "home"))
        run(["check", DRIVES, *where, "--quick", "--json", str(report)], os.environ)
    [made] = json.loads(report.read_bytes())["runs"]
    seen = {one["seen"] for one in made["results"] if one["check"].startswith("sync.")}
    assert any("has used its calls" in one for one in seen)
    assert not [one for one in seen if "could not be done" in one]
