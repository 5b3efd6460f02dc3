"""``check`` as a program: its exit codes, its reports, and the same findings as a run in the process."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from explorer.cli.app import run as here
from explorer.quality.baseline.baseline import Baseline
from explorer.quality.baseline.baseline_file import baseline_text
from explorer.quality.reports.json import as_json
from explorer.quality.reports.read import read_runs
from explorer.quality.reports.report import report_of
from explorer.sandbox.process import SandboxProcess
from tests.flow.quality_runs import quick_sandbox, run_on
from tests.flow.runs import environment, program, run
from tests.plain_service import GOOD_KEY, Connection, PlainService
from tests.recording import Recording, Reply, reply


@pytest.fixture(scope="module")
def sandbox() -> Iterator[SandboxProcess]:
    with quick_sandbox() as process:
        yield process


def without_times(document: Any) -> Any:
    """The same but for times, log numbers and the name of the profile, which is none here."""
    if isinstance(document, dict):
        gone = ("when", "exchange", "profile", "reproduce", "address", "options")
        return {name: without_times(value) for name, value in document.items() if name not in gone}
    return [without_times(one) for one in document] if isinstance(document, list) else document


def test_two_connections_with_all_reports(sandbox: SandboxProcess, tmp_path: Path) -> None:
    files = {form: tmp_path / f"run.{form}" for form in ("json", "html", "junit", "markdown")}
    arguments = ["check", "file-storage/drive", "sales-engagement/mailbox", "--base-url", sandbox.base_url]
    arguments += ["--connections", "conn_sandbox_clean,conn_sandbox_messy"]
    for form, path in files.items():
        arguments += [f"--{form}", str(path)]
    outcome = run(arguments, environment(sandbox, tmp_path / "home"))
    assert outcome.returncode == 1, outcome.stderr.decode()
    assert outcome.stdout == b""
    assert b"conn_sandbox_clean: all hold" in outcome.stderr

    document = json.loads(files["json"].read_bytes())
    assert [one["connection"] for one in document["runs"]] == ["conn_sandbox_clean", "conn_sandbox_messy"]
    resources = ("file-storage/drive", "sales-engagement/mailbox")
    here = [
        run_on(sandbox, tmp_path / "here", name, resources=resources, ids=(), properties=(), customer="")
        for name in ("clean", "messy")
    ]
    assert without_times(document) == without_times(json.loads(as_json(report_of(here))))
    grid = {row["check"]: list(row["verdicts"].values()) for row in document["grid"]}
    assert grid["records.nulls"] == ["holds", "fails"]
    assert re.search(rb"records.nulls +holds +fails", outcome.stderr)

    suites = list(ET.fromstring(files["junit"].read_bytes()))
    assert [suite.get("failures") for suite in suites] == ["0", str(len(here[1].bad))]
    for path in files.values():
        assert sandbox.apikey not in path.read_text(encoding="utf-8")


def test_nothing_found_ends_with_0(sandbox: SandboxProcess, tmp_path: Path) -> None:
    arguments = ["check", "file-storage/drive", "--base-url", sandbox.base_url]
    arguments += ["--connection-id", "conn_sandbox_clean", "--only", "records,paging.ends"]
    outcome = run(arguments, environment(sandbox, tmp_path / "home"))
    assert outcome.returncode == 0, outcome.stderr.decode()
    assert b"all hold" in outcome.stderr


def test_the_command_of_a_finding_finds_it_again(sandbox: SandboxProcess, tmp_path: Path) -> None:
    found = run_on(sandbox, tmp_path / "here", "messy.drive-name-null", resources=("file-storage/drive",))
    program, command, *rest = found.command(found.bad[0])
    assert (program, command) == ("unified-explorer", "check")
    at = rest.index("--profile")
    rest[at : at + 2] = ["--base-url", sandbox.base_url]
    outcome = run([command, *rest], environment(sandbox, tmp_path / "home"))
    assert outcome.returncode == 1
    assert b"name is null, where the contract has text" in outcome.stderr
    assert b"1 fail: 1 looked at, 0 skipped" in outcome.stderr


def test_the_mapping_as_a_table_and_as_json(sandbox: SandboxProcess, tmp_path: Path) -> None:
    arguments = ["mapping", "sales-engagement/mailbox", "--base-url", sandbox.base_url]
    arguments += ["--connection-id", "conn_sandbox_salesloft"]
    table = run(arguments, environment(sandbox, tmp_path / "home"))
    assert table.returncode == 0, table.stderr.decode()
    words = [line.split()[:2] for line in table.stdout.decode().splitlines()]
    assert ["email", "/email_address"] in words
    [document] = json.loads(run([*arguments, "--json"], environment(sandbox, tmp_path / "home")).stdout)
    found = {field["field"]: field["from"][:1] for field in document["fields"]}
    assert found["user_id"] == ["/user/id"]
    assert "/provider" in {one["path"] for one in document["unused"]}


def test_a_recipe_and_what_failed_by_it_run_again(
    sandbox: SandboxProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", sandbox.apikey)
    recipe, report = tmp_path / "nightly.toml", tmp_path / "run.json"
    told = ["--connections", "conn_sandbox_clean,conn_sandbox_messy.drive-name-null", "--only", "records"]
    asked = ["check", "file-storage/drive", "--base-url", sandbox.base_url]
    assert here([*asked, *told, "--save-recipe", str(recipe)]) == 0
    assert recipe.read_text().splitlines()[1:] == [
        'resources = ["file-storage/drive"]',
        'only = ["records"]',
        'connections = ["conn_sandbox_clean", "conn_sandbox_messy.drive-name-null"]',
    ]
    by_recipe = ["check", "--base-url", sandbox.base_url, "--recipe", str(recipe), "--json", str(report)]
    assert here(by_recipe) == 1
    runs = json.loads(report.read_bytes())["runs"]
    assert [len(one["results"]) > 10 for one in runs] == [True, True]

    assert here([*by_recipe, "--connections", "conn_sandbox_clean"]) == 0
    assert here(by_recipe) == 1
    again = ["check", "--base-url", sandbox.base_url, "--failed-again", str(report), "--json", str(report)]
    assert here(again) == 1
    [only] = json.loads(report.read_bytes())["runs"]
    assert only["connection"] == "conn_sandbox_messy.drive-name-null"
    assert [one["check"] for one in only["results"]] == ["records.nulls"]


def test_every_command_of_a_run_without_a_profile_finds_it_again(
    sandbox: SandboxProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", sandbox.apikey)
    report = tmp_path / "run.json"
    asked = ["check", "file-storage/drive", "accounting/customer-income", "--base-url", sandbox.base_url]
    told = ["--connection-id", "conn_sandbox_messy", "--customer", "all ones", "--json", str(report)]
    assert here([*asked, *told]) == 1
    found = json.loads(report.read_bytes())["runs"][0]["results"]
    bad = [one for one in found if one["verdict"] in ("fails", "suspect")]
    assert len(bad) >= 4
    for one in bad:
        program, *words = shlex.split(one["reproduce"])
        assert program == "unified-explorer"
        assert here([*words, "--json", str(report)]) == 1
        again = json.loads(report.read_bytes())["runs"][0]["results"]
        assert one["seen"] in [each["seen"] for each in again if each["check"] == one["check"]]


@pytest.mark.parametrize(
    ("resource", "why"),
    [
        ("crm/account", "the API cannot list accounts: enter their ids"),
        ("accounting/customer-balance", "it needs a customer id"),
        ("accounting/payment-receipt", "it needs a transaction id"),
    ],
)
def test_where_only_invalid_requests_could_be_sent_nothing_is_checked_unless_they_were_asked_for(
    sandbox: SandboxProcess, tmp_path: Path, resource: str, why: str
) -> None:
    arguments = ["check", resource, "--base-url", sandbox.base_url, "--connection-id", "conn_sandbox_clean"]
    outcome = run(arguments, environment(sandbox, tmp_path / "home"))
    assert outcome.returncode == 2
    assert outcome.stderr.endswith(f"Nothing was checked: {why}.\n".encode())
    arguments += ["--only", "transport.invalid-requests"]
    assert run(arguments, environment(sandbox, tmp_path / "home")).returncode == 0


def test_a_list_that_was_not_checked_is_named(sandbox: SandboxProcess, tmp_path: Path) -> None:
    arguments = [
        "check",
        "ats/job",
        "--base-url",
        sandbox.base_url,
        "--connection-id",
        "conn_sandbox_salesloft",
    ]
    outcome = run(arguments, environment(sandbox, tmp_path / "home"))
    assert b"ats/job was not checked: " in outcome.stderr


def test_words_that_nobody_reads_change_neither_reports_nor_exit_code(
    sandbox: SandboxProcess, tmp_path: Path
) -> None:
    report = tmp_path / "run.json"
    arguments = ["check", "file-storage/drive", "--base-url", sandbox.base_url]
    arguments += ["--connection-id", "conn_sandbox_messy", "--json", str(report)]
    ends = os.pipe()
    os.close(ends[0])
    env = environment(sandbox, tmp_path / "home")
    outcome = subprocess.run(program(*arguments), env=env, stderr=ends[1], timeout=60, check=False)
    os.close(ends[1])
    assert outcome.returncode == 1
    assert json.loads(report.read_bytes())["runs"][0]["checks"]["fails"]


def test_lists_of_nothing_are_refused(sandbox: SandboxProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", sandbox.apikey)
    for option in ("--only", "--connections", "--ids", "--properties", "--transactions"):
        assert here(["check", "--base-url", sandbox.base_url, option, " , "]) == 2


ROWS = [{"id": f"j{number}", "raw_data": {"key": f"j{number}"}} for number in range(3)]
ENDS: dict[str, tuple[Reply, int, str]] = {
    "with its last page": (reply({"items": ROWS, "has_next_page": False}), 0, "all hold"),
    "in a page that fails": (reply({"message": "x", "code": "INTERNAL_SERVER_ERROR"}, 500), 7, "little was judged"),
    "without a cursor to go on with": (
        reply({"items": ROWS, "has_next_page": True, "next_cursor": None}), 7, "little was judged",
    ),
    "in a circle": (reply({"items": ROWS, "has_next_page": True, "next_cursor": "c2"}), 7, "little was judged"),
}  # fmt: skip
"""How a list ends on its second page, with the exit code and the verdict of a run that looks at records alone."""


@pytest.mark.parametrize("name", ENDS)
def test_a_list_that_breaks_off_is_not_done_with(
    name: str,
    own_home: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    end, code, said = ENDS[name]
    first = reply(
        {"items": [{"id": "a", "raw_data": {"key": "a"}}], "has_next_page": True, "next_cursor": "c2"}
    )
    monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", "key-of-this-test")
    report = tmp_path / "run.json"
    with Recording(answering=lambda got: end if "cursor=" in got.target else first) as server:
        asked = ["check", "ats/job", "--base-url", server.url, "--connection-id", "conn_1"]
        asked += ["--only", "records.ids", "--json", str(report)]
        assert here(asked) == code
        assert f"{said}: 1 looked at" in capsys.readouterr().err
        [made] = json.loads(report.read_bytes())["runs"]
        assert made["judged_little"] == (["ats/job was not read to its end"] if code else [])
        assert here([*asked, "--max-pages", "1"]) == 0, "a bound that was asked for is no loss"
        assert "it ended early: the budget of 1 page is used up" in capsys.readouterr().err


UNREAD: dict[str, tuple[Connection, tuple[str, ...], int]] = {
    "a list of another vertical": (Connection("conn_1", "sales-engagement", "outreach"), ("ats/job",), 4),
    "lists that are all of other verticals": (Connection("conn_1", "crm"), (), 4),
    "a list of another vertical, of which only records are asked": (
        Connection("conn_1", "crm"), ("ats/job", "--only", "records"), 4,
    ),
    "a list that the connector lacks": (Connection("conn_1", "ats", operations=[]), ("ats/job",), 5),
    "a third party that fails, of which only records are asked": (
        Connection("conn_1", "ats", third_party="revoked"), ("ats/job", "--only", "records"), 5,
    ),
}  # fmt: skip
"""Of whom nothing could be read, what was asked, and the exit code of what kept it from that."""


@pytest.mark.parametrize("name", UNREAD)
def test_where_nothing_could_be_read_the_end_is_that_of_what_kept_it_from_that(
    name: str,
    own_home: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    connection, asked, code = UNREAD[name]
    monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", GOOD_KEY)
    report, accepted = tmp_path / "run.json", tmp_path / "accepted.json"
    accepted.write_text(baseline_text(Baseline({})), "utf-8")
    read = Connection("conn_2", "ats")
    with PlainService(connections=[connection, read]) as service:
        arguments = ["check", *asked, "--base-url", service.base_url, "--json", str(report)]
        assert here([*arguments, "--connections", "conn_1"]) == code
        said = capsys.readouterr().err
        assert said.splitlines()[-1].startswith("Nothing of conn_1 could be read")
        assert re.search(r"no record was read \((\S+: .*(Adapter|implement|revoked)[^;]*)+\)", said), said
        [made] = json.loads(report.read_bytes())["runs"]
        assert made["failure"] == code
        assert here([*arguments, "--connections", "conn_2,conn_1"]) == code
        assert here([*arguments, "--connections", "conn_1", "--baseline", str(accepted)]) == code


def test_a_list_that_is_empty_is_called_empty(
    own_home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", GOOD_KEY)
    with PlainService(connections=[Connection("conn_1", "ats")]) as service:
        asked = ["check", "ats/job", "--base-url", service.base_url, "--connection-id", "conn_1"]
        assert here([*asked, "--json", str(tmp_path / "run.json")]) == 0
        said = capsys.readouterr().err
        assert "this run could judge little: no record was read (ats/job: the list is empty); " in said
    [run] = read_runs((tmp_path / "run.json").read_bytes())
    effect = run.result("sync.effect")
    assert effect is not None
    assert effect.seen == "0 records against 0: nothing to compare"
