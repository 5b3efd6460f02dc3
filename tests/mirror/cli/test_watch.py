"""The same check again and again, on the sandbox over HTTP, with a stand-in for what shows notices."""

import json
import os
import plistlib
import re
import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from xml.etree import ElementTree

import pytest

from explorer.cli import watch
from explorer.cli.app import run
from explorer.cli.watch import name_of, schedule_of
from explorer.sandbox.process import SandboxProcess
from explorer.worker_main import own_command
from tests.flow.quality_runs import quick_sandbox
from tests.forked import FORKS

RECIPE = 'resources = ["file-storage/drive"]\nwrites = true\n'


@pytest.fixture(scope="module")
def sandbox() -> Iterator[SandboxProcess]:
    with quick_sandbox() as process:
        yield process


@pytest.fixture
def recipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sandbox: SandboxProcess) -> Path:
    monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", sandbox.apikey)
    monkeypatch.setenv("UNIFIED_EXPLORER_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setattr(watch, "own_command", lambda *asked: FORKS.quick(own_command(*asked)))
    recipe = tmp_path / "drives.toml"
    recipe.write_text(RECIPE, "utf-8")
    return recipe


@pytest.fixture
def notices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the stand-in writes each notice."""
    shown, program = tmp_path / "notices", tmp_path / "bin" / "notify-send"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" >> "{shown}"\n', "utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    return shown


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a shell script")
def test_what_is_there_is_accepted_and_what_is_new_is_said(
    recipe: Path, notices: Path, sandbox: SandboxProcess, capfd: pytest.CaptureFixture[str]
) -> None:
    def watched(connection: str) -> int:
        return run(
            ["watch", str(recipe), "--base-url", sandbox.base_url, "--connection-id", connection, "--once"]
        )

    assert watched("conn_sandbox_clean") == 0
    assert "is accepted in" in capfd.readouterr().err
    assert json.loads((recipe.parent / "drives.baseline.json").read_bytes())["accepted"] == []
    assert watched("conn_sandbox_clean") == 0
    assert not notices.exists()
    assert watched("conn_sandbox_messy.drive-name-null") == 1
    title, text = notices.read_text("utf-8").splitlines()[-2:]
    assert title == "drives: something is new"
    report = recipe.parent / "drives.reports" / "last.json"
    assert text == f"See {report.with_suffix('.html')}"
    found = json.loads(report.read_bytes())
    assert found["baseline"]["new"] >= 1
    # The recipe asks for writes; nobody is there to answer for them.
    assert "--writes" not in found["runs"][0]["options"]


def test_it_goes_on_until_it_is_stopped(
    recipe: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    waits = list[float]()

    def wait_until(moment: datetime) -> None:
        waits.append((moment - datetime.now().astimezone()).total_seconds())
        if len(waits) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(watch, "wait_until", wait_until)
    address = [
        "--base-url",
        "http://127.0.0.1:9",
    ]  # nobody listens there: a failed run does not end the watch
    assert run(["watch", str(recipe), *address, "--connection-id", "c", "--every", "2h"]) == 130
    assert all(7_000 < seconds <= 7_200 for seconds in waits)
    assert capfd.readouterr().err.count("Next run:") == 2


def test_an_interface_that_is_named_reaches_the_check(
    recipe: Path, capfd: pytest.CaptureFixture[str], sandbox: SandboxProcess
) -> None:
    told = ["--interface", "nowhere", "--base-url", sandbox.base_url, "--connection-id", "conn_sandbox_clean"]
    assert run([*told, "watch", str(recipe), "--once"]) == 2
    said = capfd.readouterr().err
    assert "nowhere" in said
    assert "No such option" not in said


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_run_that_the_system_ends_is_one_run_and_says_so(
    recipe: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    killed = [sys.executable, "-c", "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"]
    monkeypatch.setattr(watch, "own_command", lambda *_: killed)
    assert run(["watch", str(recipe), "--profile", "Sandbox", "--once"]) == 3
    assert "signal 9" in capfd.readouterr().err


@pytest.mark.skipif(sys.platform != "linux", reason="where systemd is")
def test_the_system_is_told_the_same_watch_and_told_to_forget_it(
    recipe: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["watch", str(recipe), "--profile", "Sandbox", "--every", "1d", "--schedule"]) == 0
    service, timer = sorted((tmp_path / "config" / "systemd" / "user").iterdir())
    command = service.read_text("utf-8").splitlines()[-1]
    home = tmp_path / "home"
    before = f'"--profile" "Sandbox" "--home" "{home}" "watch" "{recipe}" '
    assert before in command, "options of the target stand where every command takes them"
    assert command.endswith(' "--once"')
    assert "86400s" in timer.read_text("utf-8")
    assert run(["watch", str(recipe), "--unschedule"]) == 0
    assert not service.exists()
    assert not timer.exists()
    assert "systemctl --user disable" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("told", "why"),
    [
        (["--every", "10s"], "one minute is the shortest"),
        (["--every", "soon"], "is not a duration"),
        (["--once", "--schedule"], "Give one of"),
        (["--base-url", "http://127.0.0.1:9", "--schedule"], "needs a profile"),
    ],
)
def test_what_makes_no_sense_is_one_sentence(
    recipe: Path, told: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["watch", str(recipe), *told]) == 2
    assert why in capsys.readouterr().err
    assert run(["watch", str(recipe.with_name("none.toml"))]) == 2


COMMAND = ["/opt/Un ex/python", "-m", "explorer", "watch", 'a "b" 100% $HOME \\x & <c>.toml', "--once"]


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))


@pytest.mark.parametrize(
    ("stem", "plain"), [("Acme nightly", "acme-nightly"), ("..x", "x"), ("Ä..", "watch"), ("a.b", "a-b")]
)
def test_a_name_is_safe_as_a_file_and_a_unit_and_belongs_to_one_recipe(stem: str, plain: str) -> None:
    one, other = (name_of(Path(folder) / f"{stem}.toml") for folder in ("/a", "/b"))
    assert one != other
    assert {name.rpartition("-")[0] for name in (one, other)} == {plain}
    assert all(re.fullmatch("[a-z0-9-]+", name) for name in (one, other))


@pytest.mark.skipif(sys.platform != "linux", reason="where systemd is")
def test_systemd_gets_the_words_as_they_are(tmp_path: Path) -> None:
    made = schedule_of("linux", "acme", COMMAND, 21_600)
    service, timer = (text.decode() for text in made.files.values())
    assert [path.relative_to(tmp_path).as_posix() for path in made.files] == [
        "systemd/user/unified-explorer-acme.service",
        "systemd/user/unified-explorer-acme.timer",
    ]
    assert service.splitlines()[-1] == (
        'ExecStart="/opt/Un ex/python" "-m" "explorer" "watch" '
        r'"a \"b\" 100%% $$HOME \\x & <c>.toml" "--once"'
    )
    assert "OnUnitActiveSec=21600s" in timer
    assert made.start.endswith("enable --now unified-explorer-acme.timer")


def test_launchd_and_the_task_scheduler_get_them_too() -> None:
    ((path, data),) = schedule_of("darwin", "acme", COMMAND, 21_600).files.items()
    job = plistlib.loads(data)
    assert (job["ProgramArguments"], job["StartInterval"]) == (COMMAND, 21_600)
    assert path.name == job["Label"] + ".plist"
    ((_, data),) = schedule_of("win32", "acme", COMMAND, 21_600).files.items()
    task, name = ElementTree.fromstring(data), "{http://schemas.microsoft.com/windows/2004/02/mit/task}"
    assert task.findtext(f".//{name}Interval") == "PT360M"
    assert task.findtext(f".//{name}Command") == COMMAND[0]
    assert task.findtext(f".//{name}Arguments") == (
        r'-m explorer watch "a \"b\" 100% $HOME \x & <c>.toml" --once'
    )
