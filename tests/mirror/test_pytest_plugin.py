"""The plugin in a pytest of its own, a new process each time, on the sandbox over HTTP."""

from __future__ import annotations

import json
import socket
import sys
import tomllib
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from explorer.cli.app import run as command_line
from explorer.pytest_checks import show
from explorer.quality.engine.all_checks import CHECKS
from explorer.quality.engine.check import UNDONE, Result, Verdict
from explorer.quality.reports.report import Line
from explorer.sandbox.process import SandboxProcess
from tests.flow.quality_runs import quick_sandbox
from tests.forked import FORKS

pytest_plugins = ("pytester",)

ROOT = Path(__file__).resolve().parents[2]
CLEAN, MESSY = "conn_sandbox_clean", "conn_sandbox_messy.drive-name-null"
DRIVES = ("--unified-explorer-lists", "file-storage/drive")
HEAVY = ("PySide6", "pydantic", "typer", "httpx", "explorer.cli", "explorer.api", "explorer.quality")


@pytest.fixture(scope="module")
def sandbox() -> Iterator[SandboxProcess]:
    with quick_sandbox() as process:
        yield process


class Outer:
    """pytest in an empty project, with this plugin and no other."""

    def __init__(
        self, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, sandbox: SandboxProcess
    ) -> None:
        self.folder, self.sandbox, self._pytester = pytester.path, sandbox, pytester
        self.plugins = ["-p", "explorer.pytest_plugin"]
        self.start: Callable[[list[str]], list[str]] = FORKS.quick
        monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
        monkeypatch.setenv("PYTHONPATH", str(ROOT))
        monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", sandbox.apikey)

    def __call__(self, *arguments: str) -> pytest.RunResult:
        told = [word.replace("{url}", self.sandbox.base_url) for word in arguments]
        return self._pytester.run(*self.start([sys.executable, "-m", "pytest"]), *self.plugins, *told)

    def on(self, *connections: str, more: tuple[str, ...] = DRIVES) -> pytest.RunResult:
        asked = [word for one in connections for word in ("--unified-explorer-connection", one)]
        return self("--unified-explorer-base-url", "{url}", *asked, *more)


@pytest.fixture
def outer(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, sandbox: SandboxProcess) -> Outer:
    return Outer(pytester, monkeypatch, sandbox)


def accepted(outer: Outer, *connections: str) -> Path:
    """A baseline that accepts what is found there, as the command line writes it."""
    file = outer.folder / "baseline.json"
    told = ["--connections", ",".join(connections), "--baseline", str(file), "--baseline-update"]
    assert command_line(["check", "file-storage/drive", "--base-url", outer.sandbox.base_url, *told]) == 0
    document = json.loads(file.read_bytes())
    for one in document["accepted"]:
        one["reason"] = "they mend it in March"
    file.write_text(json.dumps(document), "utf-8")
    return file


# ---------------------------------------------------------------- off


def test_installed_and_not_asked_for_it_imports_nothing_and_adds_nothing(
    outer: Outer, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As an installation has it: pytest finds the plugin by its entry point.
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    installed = outer.folder / "site" / "some_name-1.dist-info"
    installed.mkdir(parents=True)
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: some-name\nVersion: 1\n")
    entries = "\n".join(f"{name} = {where}" for name, where in project["entry-points"]["pytest11"].items())
    (installed / "entry_points.txt").write_text(f"[pytest11]\n{entries}\n")
    monkeypatch.setenv("PYTHONPATH", f"{installed.parent}{':' if sys.platform != 'win32' else ';'}{ROOT}")
    monkeypatch.delenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD")
    outer.start = list  # what it imports is looked at
    outer.plugins = ["-p", "no:pytest-qt", "-p", "no:hypothesispytest", "-p", "no:xdist"]
    (outer.folder / "test_own.py").write_text(
        "import sys\n\n\ndef test_own():\n"
        "    assert 'explorer.pytest_plugin' in sys.modules\n"
        f"    assert [name for name in {HEAVY!r} if name in sys.modules] == []\n"
    )
    outer().assert_outcomes(passed=1)
    outer("--strict-markers", "-m", "not unified_explorer").assert_outcomes(passed=1)
    outer("--help").stdout.fnmatch_lines(["*--unified-explorer-profile=NAME*"])


# ---------------------------------------------------------------- names


def test_the_names_are_known_before_anybody_is_asked(outer: Outer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("UNIFIED_EXPLORER_APIKEY")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound and not listening: nobody answers there
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        whom = ("--unified-explorer-base-url", url, "--unified-explorer-connection", "conn_1", *DRIVES)
        listed = outer("--collect-only", "-q", *whom)
        assert listed.ret == 0
        assert "unified-explorer::conn_1::file-storage/drive::records.types" in listed.outlines
        assert listed.outlines.count("unified-explorer::conn_1::the-whole-run") == 1
        names = [line for line in listed.outlines if line.startswith("unified-explorer::")]
        listed.stdout.fnmatch_lines([f"{len(names)} tests collected in *"])
        # Nobody answers and there is no key: each test says so, and none passes.
        done = outer(*whom, "-k", "records.types or the-whole-run")
    done.assert_outcomes(failed=2, deselected=len(names) - 2)
    done.stdout.fnmatch_lines(["*There is no key: set UNIFIED_EXPLORER_APIKEY*"])
    assert "Traceback" not in done.stdout.str()


def test_tests_of_ones_own_stay_and_either_can_be_left_out(outer: Outer) -> None:
    (outer.folder / "test_own.py").write_text("def test_own():\n    pass\n")
    only = ("--unified-explorer-only", "records.types", *DRIVES)
    outer.on(CLEAN, more=only).assert_outcomes(passed=3)
    outer.on(CLEAN, more=(*only, "-m", "unified_explorer")).assert_outcomes(passed=2, deselected=1)
    outer.on(CLEAN, more=(*only, "-m", "not unified_explorer")).assert_outcomes(passed=1, deselected=2)


# ---------------------------------------------------------------- results


def test_a_finding_fails_its_own_test_and_the_evidence_is_kept(outer: Outer) -> None:
    told = (*DRIVES, "-rfs", "-v", "--unified-explorer-bundle", "evidence.zip", "--junitxml", "junit.xml")
    done = outer.on(CLEAN, MESSY, more=told)
    assert done.ret == 1
    assert done.parseoutcomes()["failed"] == 1
    name = f"unified-explorer::{MESSY}::file-storage/drive::records.nulls"
    done.stdout.fnmatch_lines(
        [
            f"unified-explorer::{CLEAN}::file-storage/drive::records.nulls PASSED*",
            f"{name} FAILED*",
            "*Null appears only where the contract allows it*",
            "name is null, where the contract has text*",
            '  page 1, row 4, id *: null (raw_data.name is "*")',
            f"unified-explorer check file-storage/drive *--connections {MESSY} --only records.nulls",
            f"FAILED {name}*",
            "SKIPPED * this record has no e-mail address",
        ]
    )
    with zipfile.ZipFile(outer.folder / "evidence.zip") as bundle:
        held = b"".join(bundle.read(one) for one in bundle.namelist())
    assert MESSY.encode() in held
    assert CLEAN.encode() in held
    key = outer.sandbox.apikey.encode()
    files = [one for one in outer.folder.rglob("*") if one.is_file()]
    assert [one.name for one in files if key in one.read_bytes()] == []
    assert key not in held + done.stdout.str().encode() + done.stderr.str().encode()


def test_each_connection_is_asked_once_and_only_when_one_of_its_tests_is_run(outer: Outer) -> None:
    done = outer.on(CLEAN, MESSY, more=(*DRIVES, "-s"))
    assert [done.stderr.str().count(f"Checking {one} …") for one in (CLEAN, MESSY)] == [1, 1]
    few = outer.on(CLEAN, MESSY, more=(*DRIVES, "-s", "-k", f"{CLEAN} and records"))
    assert [few.stderr.str().count(f"Checking {one} …") for one in (CLEAN, MESSY)] == [1, 0]


def test_what_was_accepted_is_expected_to_fail_and_what_is_new_fails(outer: Outer) -> None:
    accepted(outer, MESSY)
    told = (*DRIVES, "-rx", "--unified-explorer-baseline", "baseline.json")
    known = outer.on(MESSY, more=told)
    assert known.ret == 0
    assert known.parseoutcomes()["xfailed"] == 1
    known.stdout.fnmatch_lines(
        [
            "Beside the baseline: 0 new, 0 grown, 0 expired, 1 known, 0 fixed.",
            "XFAIL *records.nulls - known: at most 1 of 40, they mend it in March · name is null, *",
        ]
    )
    other = outer.on(MESSY, "conn_sandbox_messy.drive-raw-data-text", more=told)
    assert (other.ret, other.parseoutcomes()["failed"], other.parseoutcomes()["xfailed"]) == (1, 1, 1)
    outer.on(MESSY, more=(*told, "--runxfail")).stdout.fnmatch_lines(["*1 failed*"])
    outer.on(CLEAN, more=told).stdout.fnmatch_lines(["Fixed: records.nulls *"])


def test_a_run_that_did_not_see_all_is_not_taken_for_a_good_one(outer: Outer) -> None:
    (outer.folder / "few.toml").write_text('resources = ["file-storage/drive"]\nmax_records = 5\n')
    done = outer.on(CLEAN, more=("--unified-explorer-recipe", "few.toml"))
    assert (done.ret, done.parseoutcomes()["failed"]) == (1, 1)
    done.stdout.fnmatch_lines(["The run could not judge all: it ended early: *5 records*"])
    nothing = outer.on(CLEAN, more=(*DRIVES, "--unified-explorer-only", "records.references"))
    nothing.assert_outcomes(failed=1)
    nothing.stdout.fnmatch_lines(["The run could not judge all: nothing was checked"])


def test_a_finding_that_no_test_was_planned_for_fails_the_whole_run(outer: Outer) -> None:
    # Whether records name some that are not listed is looked at only where both lists were read.
    lists = "sales-engagement/mailbox,sales-engagement/sequence_state"
    told = ("--unified-explorer-lists", lists, "--unified-explorer-only", "records.references")
    done = outer.on("conn_sandbox_messy.sequence-mailbox-dangling", more=told)
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(
        ["*the whole run*", "Suspect: *", "unified-explorer check * records.references"]
    )
    outer.on(CLEAN, more=told).assert_outcomes(passed=1)


# ---------------------------------------------------------------- asked for wrongly


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        (
            ("--unified-explorer-lists", "ats/job"),
            "--unified-explorer-lists needs --unified-explorer-profile",
        ),
        (("--unified-explorer-profile", "Nobody"), "Nobody"),
        (("--unified-explorer-profile", "Sandbox", "--unified-explorer-lists", "ats/jobs"), "'ats/jobs'"),
        (("--unified-explorer-profile", "Sandbox", "--unified-explorer-only", "colour"), "'colour'"),
        (("--unified-explorer-profile", "Sandbox", "--unified-explorer-baseline", "none.json"), "none.json"),
        (("--unified-explorer-profile", "Sandbox", "-p", "xdist", "-n", "2"), "leave out -n"),
    ],
    ids=[
        "nobody is named",
        "no such profile",
        "no such list",
        "no such check",
        "no baseline",
        "two processes",
    ],
)
def test_what_makes_no_sense_is_one_sentence_before_any_test(
    outer: Outer, told: tuple[str, ...], sentence: str
) -> None:
    done = outer(*told)
    assert done.ret == pytest.ExitCode.USAGE_ERROR
    assert sentence in done.stderr.str()
    assert "Traceback" not in done.stderr.str()


# ---------------------------------------------------------------- what could not be done


@pytest.mark.parametrize("others", [(), ("holds",)], ids=["alone", "beside one that holds"])
def test_a_check_that_could_not_be_done_fails(others: tuple[str, ...]) -> None:
    verdicts = [(Verdict.SKIPPED, f"{UNDONE}the disk is full"), *((Verdict(one), "") for one in others)]
    lines = [Line(Result(CHECKS[0], "ats/job", verdict, seen), "", ()) for verdict, seen in verdicts]
    with pytest.raises(pytest.fail.Exception, match="the disk is full"):
        show(lines)


def test_evidence_that_cannot_be_written_is_an_error(outer: Outer) -> None:
    (outer.folder / "kept").mkdir()
    (outer.folder / "conftest.py").write_text(
        "import pathlib\n\n\ndef pytest_runtest_call():\n"
        "    kept = pathlib.Path('kept')\n    if kept.exists():\n        kept.rmdir()\n"
    )
    told = (*DRIVES, "--unified-explorer-only", "records.types", "--unified-explorer-bundle", "kept/one.zip")
    done = outer.on(CLEAN, more=told)
    assert done.ret == 1
    done.assert_outcomes(passed=2, errors=1)
    done.stdout.fnmatch_lines(["*kept*No such file or directory*"])
    assert "Traceback" not in done.stdout.str()
