"""What a quality run with ``--writes`` makes and cannot take back is named at its end: every record, and no other."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from explorer.cli.app import run as run_command
from explorer.paths import Folders
from explorer.profiles.profile import Auth, Credential, Guard, Profile, Profiles
from explorer.quality.engine.check import Run, Verdict
from explorer.quality.engine.run import QualityRun
from explorer.quality.engine.run_options import RunOptions
from explorer.quality.reports.json import as_json
from explorer.quality.reports.read import read_runs
from explorer.quality.reports.report import report_of
from explorer.session import Session
from tests.plain_service import GOOD_KEY, PlainService

LEFT = "writes.left-behind"
CONNECTION = "conn_hubspot_1"


@pytest.fixture
def folders(own_home: Path) -> Folders:
    return Folders.of_user(own_home)


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> Iterator[PlainService]:
    """The server, with its key where the program looks for it."""
    monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", GOOD_KEY)
    with PlainService() as service:
        yield service


def made_at(service: PlainService) -> dict[str, set[str]]:
    """The ids of what a run made, as the server has them."""
    return {
        "crm/contact": set(service.connections[CONNECTION].contacts),
        "core/pipeline": set(service.pipelines),
        "core/customer": set(service.customers),
    }


def told(run: Run) -> dict[str, set[str]]:
    """The ids that a run names, by resource."""
    results = [one for one in run.results if one.check.id == LEFT and one.verdict is Verdict.OBSERVED]
    return {one.resource: {e.id for f in one.findings for e in f.examples} for one in results}


def one_run(
    folders: Folders, service: PlainService, asked: RunOptions, *, stop_at: str = "", **changed: Any
) -> Run:
    """A run on the plain server; ``stop_at`` is the end of a path: the run is stopped when that call has come back."""

    async def main() -> Run:
        profile = Profile(name="Acme", base_url=service.base_url, connection=CONNECTION, guard=Guard.OPEN)
        profile = profile.changed(**changed)
        session = await Session.open(profile, Credential(Auth.APIKEY, GOOD_KEY), folders)
        try:
            run = QualityRun(session, asked)
            task = asyncio.create_task(run.whole())

            def heard(exchange: Any) -> None:
                if stop_at and exchange.path.endswith(stop_at) and exchange.state == "answered":
                    task.cancel()

            session.exchanges.subscribe(heard)
            try:
                return await task
            except asyncio.CancelledError:
                return run.so_far("It was stopped.")
        finally:
            await session.close()

    return asyncio.run(main())


def test_every_record_is_named_and_a_pipeline_has_the_connection_at_both_ends(
    folders: Folders, plain: PlainService, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    Profiles(folders).save(
        Profile(name="Acme", base_url=plain.base_url, connection=CONNECTION, guard=Guard.OPEN)
    )
    files = {form: tmp_path / f"run.{form}" for form in ("json", "html", "markdown")}
    named = [word for form, path in files.items() for word in (f"--{form}", str(path))]
    asked = ["crm/contact", "core/pipeline", "core/customer", "connect/magic-link"]
    assert run_command(["check", *asked, "--writes", "--profile", "Acme", *named]) in (0, 1)
    [pipeline] = plain.pipelines.values()
    assert (pipeline["sourceId"], pipeline["destinationId"]) == (CONNECTION, CONNECTION)
    there = made_at(plain)
    assert {key: len(ids) for key, ids in there.items()} == {
        "crm/contact": 4,
        "core/pipeline": 1,
        "core/customer": 2,
    }
    [run] = read_runs(files["json"].read_bytes())
    links = told(run).pop("connect/magic-link")
    assert {**told(run), "connect/magic-link": links} == {**there, "connect/magic-link": links}
    assert len(links) == 1, "the link is named by its customer"
    said = capfd.readouterr().err
    mark = pipeline["id"].removeprefix("pipe_quality_run_").removesuffix("_Id")
    ways = [
        f"e-mail address {mark}@quality-run.example",
        f"Pipeline {pipeline['id']}",
        f"Customer quality_run_{mark}_Id",
        f"Customer quality_run_{mark}+ü@quality-run.example",
        "Magic link quality_run_",
    ]
    for text in (said, *(path.read_text("utf-8").replace("\\", "") for path in files.values())):
        for way in ways:
            assert way in text
    assert "cannot remove" in said
    for token in plain.links:
        assert token not in said + "".join(path.read_text("utf-8") for path in files.values())


def test_only_what_was_asked_for_is_made_and_named_whatever_checks_are_chosen(
    folders: Folders, plain: PlainService
) -> None:
    run = one_run(
        folders, plain, RunOptions(writes=True, resources=("core/customer",), only=("writes.put-replaces",))
    )
    assert told(run) == {"core/customer": set(plain.customers)}
    assert len(plain.customers) == 2
    assert plain.pipelines == {}


@pytest.mark.parametrize("stop_at", ["/crm/contact", "/_upsert", "/core/pipeline"])
def test_a_run_that_was_stopped_names_what_it_made(
    folders: Folders, plain: PlainService, stop_at: str
) -> None:
    run = one_run(folders, plain, RunOptions(writes=True, only=("writes",)), stop_at=stop_at)
    assert run.stopped
    there = {key: ids for key, ids in made_at(plain).items() if ids}
    assert there
    assert {key: told(run)[key] & ids for key, ids in there.items()} == there
    assert not [
        r for r in run.results if r.check.id == LEFT and r.verdict is Verdict.SKIPPED and r.resource in there
    ]


@pytest.mark.parametrize("calls", [1, 2, 5, 8])
def test_a_run_whose_budget_ended_names_what_it_made(
    folders: Folders, plain: PlainService, calls: int
) -> None:
    run = one_run(folders, plain, RunOptions(writes=True, only=("writes",), calls=calls))
    assert told(run) == {key: ids for key, ids in made_at(plain).items() if ids}


def test_a_pipeline_that_answered_404_and_was_stored_all_the_same_is_named(
    folders: Folders, plain: PlainService
) -> None:
    asked = RunOptions(writes=True, resources=("core/pipeline",), only=("writes",))
    run = one_run(folders, plain, asked, connection="conn_gone")
    assert len(plain.pipelines) == 1
    assert told(run) == {"core/pipeline": set(plain.pipelines)}
    found = run.result(LEFT, "core/pipeline")
    assert found is not None
    assert "may exist" in found.findings[0].sentence


def test_what_the_third_party_refused_is_not_named_and_what_it_failed_on_may_be_there(
    folders: Folders, plain: PlainService
) -> None:
    asked = RunOptions(writes=True, resources=("crm/contact",), only=("writes",))
    plain.connections[CONNECTION].refuses_create = 400
    assert told(one_run(folders, plain, asked)) == {}
    plain.connections[CONNECTION].refuses_create = 500
    found = one_run(folders, plain, asked).result(LEFT, "crm/contact")
    assert found is not None
    assert len(found.findings) == 1
    assert "may exist" in found.findings[0].sentence
    assert "@quality-run.example" in found.findings[0].sentence


def test_without_a_connection_no_pipeline_is_made(folders: Folders, plain: PlainService) -> None:
    asked = RunOptions(writes=True, resources=("core/pipeline",), only=("writes",))
    run = one_run(folders, plain, asked, connection="", connections=())
    assert plain.pipelines == {}
    assert {r.verdict for r in run.results} == {Verdict.SKIPPED}


def test_a_run_that_writes_nothing_names_nothing(folders: Folders, plain: PlainService) -> None:
    run = one_run(folders, plain, RunOptions(only=("writes",)))
    assert told(run) == {}
    assert not [one for one in plain.requests if one.method != "GET"]
    assert json.loads(as_json(report_of([run])))["runs"][0]["results"]
