"""A check that ends in a fault ends alone, says so, and leaves no run in which all holds."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from explorer.api.errors import ServiceFailed
from explorer.cli.app import run as command
from explorer.cli.check_files import write_each
from explorer.cli.exits import CannotStart
from explorer.quality.checks import batch, paging, references
from explorer.quality.checks.lineage import Lineage
from explorer.quality.checks.paging import Paging
from explorer.quality.checks.plausible import Plausible
from explorer.quality.engine import run as runs
from explorer.quality.engine.check import UNDONE, Verdict
from explorer.quality.engine.crashed_checks import Guarded, why_of
from explorer.quality.engine.recipe import failed_of
from explorer.quality.engine.walk import Walker
from explorer.quality.reports.html import as_html
from explorer.quality.reports.json import as_json
from explorer.quality.reports.junit import as_junit
from explorer.quality.reports.markdown import as_markdown
from explorer.quality.reports.read import read_runs
from explorer.quality.reports.report import report_of
from tests.builtin import registry
from tests.flow.listed import CONNECTION, KEY, Listed, job, serving
from tests.mirror.quality.checks.rows import row, walked
from tests.recording import Got, Recording, Reply


def fault(*_: Any, **__: Any) -> Any:
    raise RuntimeError("secret words of a record")


def test_a_guarded_watcher_takes_no_more_and_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("row", "end"):
        with monkeypatch.context() as patch:
            patch.setattr(Plausible, name, fault)
            watcher = Guarded(Plausible(registry.listing("ats/job").record))
            watcher.row(row({"id": "1"}))
            results = copy.deepcopy(watcher).end(walked("ats/job"))
        assert [one.check for one in results] == list(Plausible.checks)
        for one in results:
            assert one.verdict is Verdict.SKIPPED
            assert one.is_undone
            assert one.seen.startswith(f"{UNDONE}an error in the program itself (RuntimeError")
            assert "secret" not in one.seen


def test_what_the_tree_says_is_said_in_its_own_words() -> None:
    assert why_of(ServiceFailed("The service failed.", status=500)) == "The service failed."


@pytest.mark.parametrize(
    ("owner", "name", "check"),
    [
        (Plausible, "row", "records."),
        (Paging, "page", "paging."),
        (Paging, "end", "paging."),
        (Lineage, "end", "mapping."),
        (Walker, "run", "paging.ends"),
        (paging, "page_size", "paging.page-size"),
        (references, "referred", "records.references"),
        (batch, "look", "batch."),
    ],
)
def test_a_run_goes_on_and_every_report_is_made(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, owner: Any, name: str, check: str
) -> None:
    monkeypatch.setattr(owner, name, fault)
    monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", KEY)
    files = {form: tmp_path / f"run.{form}" for form in ("json", "html", "junit", "markdown")}
    with serving() as service:
        service.listed = Listed(rows=[job(number) for number in range(12)])
        arguments = ["check", "--base-url", service.url, "--connection-id", CONNECTION]
        for form, path in files.items():
            arguments += [f"--{form}", str(path)]
        assert command(arguments) == 1
    [run] = read_runs(files["json"].read_bytes())
    undone = [one.check.id for one in run.undone]
    assert any(one.startswith(check) for one in undone)
    assert "could not be done" in run.head.checks_words
    assert "all hold" not in run.head.checks_words
    assert any(one.verdict is Verdict.HOLDS for one in run.results), "the others were made"
    assert UNDONE in files["html"].read_text()
    assert f"{len(undone)} could not be done" in files["markdown"].read_text()
    suite = ET.fromstring(files["junit"].read_text())
    assert suite.get("errors") == str(len(undone)) == str(len(suite.findall(".//error")))
    assert set(undone) <= set(failed_of([run])[0].asked.only)


@pytest.mark.parametrize("key", ["ats/job", "sales-engagement/mailbox"])
def test_a_cursor_with_half_a_character_is_a_finding(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, key: str, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", KEY)

    def answer(got: Got) -> Reply:
        name = "next_cursor" if key == "ats/job" else "next_page_cursor"
        flag = '"has_next_page": true, ' if key == "ats/job" else ""
        return Reply(body=f'{{"items": [{{"id": "1"}}], {flag}"{name}": "a\\ud800"}}'.encode())

    report = tmp_path / "run.json"
    with Recording(answering=answer) as server:
        whom = ["--base-url", server.url, "--connection-id", "conn_1"]
        assert command(["check", key, *whom, "--json", str(report)]) == 1
    assert "fault" not in capsys.readouterr().err
    [run] = read_runs(report.read_bytes())
    found = run.result("envelope.cursor-type", key)
    assert found is not None
    assert (found.verdict, found.findings[0].rule) == (Verdict.SUSPECT, "a text that cannot be sent back")
    ends = run.result("paging.ends", key)
    assert ends is not None
    assert ends.verdict is Verdict.SKIPPED


def test_the_reports_of_earlier_connections_are_written_when_a_later_one_cannot_be_begun(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", KEY)
    whole, count = runs.QualityRun.whole, list[int]()

    async def second_fails(self: Any) -> Any:
        count.append(1)
        if len(count) == 2:
            fault()
        return await whole(self)

    monkeypatch.setattr(runs.QualityRun, "whole", second_fails)
    report = tmp_path / "run.json"
    with serving() as service:
        service.listed = Listed(rows=[job(number) for number in range(3)])
        arguments = ["check", "ats/job", "--base-url", service.url, "--json", str(report)]
        assert command([*arguments, "--connections", f"{CONNECTION},conn_b,conn_c"]) == 3
    first, second = read_runs(report.read_bytes())
    assert (first.connection, first.stopped) == (CONNECTION, "")
    assert "error in" in second.stopped


def test_a_report_that_cannot_be_made_does_not_keep_the_others_back() -> None:
    done: list[str] = []
    with pytest.raises(CannotStart, match="error in the program"):
        write_each({"a": fault, "b": lambda: done.append("b")})
    assert done == ["b"]


def test_half_characters_end_no_report() -> None:
    with serving() as service:
        run = service.run(Listed(rows=[{"id": "a\ud800", "name": "\udfff"}]))
    for made in (as_html, as_json, as_junit, as_markdown):
        made(report_of([run])).decode()
    assert json.loads(as_json(report_of([run])))
