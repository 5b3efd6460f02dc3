"""``--json`` of every command: that it is there, and that what is printed has the members that docs/json.md gives."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from explorer import __version__
from explorer.cli import watch
from explorer.cli.app import COMMANDS, load_command, run
from explorer.cli.forms import FORMS
from explorer.sandbox.process import SandboxProcess
from explorer.worker_main import own_command
from tests.flow.quality_runs import quick_sandbox
from tests.forked import FORKS

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "json.md").read_text("utf-8")
LIST, CLEAN = "file-storage/drive", "conn_sandbox_clean"
DOCUMENT = ROOT / "tests" / "mirror" / "openapi" / "documents" / "two_headers.yaml"


def documented() -> dict[str, set[str]]:
    """The members of each form, by the command as the page's table writes it."""
    found: dict[str, set[str]] = {}
    for command, told in re.findall(r"^\| `([^`]+)` \| (.*) \|$", PAGE, re.MULTILINE):
        same = found[command.split()[0]] if "the same members" in told else set()
        found[command] = same | set(re.findall(r"`(\w+)`", told))
    return found


FORM = documented()


def commands() -> Iterator[tuple[str, Any]]:
    """Every command with its parameters, those of groups by both words."""
    for name in COMMANDS:
        loaded = load_command(name)
        yield name, loaded
        yield from ((f"{name} {one}", each) for one, each in getattr(loaded, "commands", {}).items())


def test_every_command_takes_json_and_its_form_is_documented() -> None:
    all_of_them = dict(commands())
    without = [name for name, one in all_of_them.items() if not any("--json" in p.opts for p in one.params)]
    assert without == []
    assert [name for name in all_of_them if name not in FORM and f"{name} --json FILE" not in FORM] == []
    told = {re.sub(r" ?--.*", "", name) for name in FORM}
    assert told - {""} == all_of_them.keys()


def test_the_version_of_the_forms_is_the_documents(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"program": __version__, "forms": FORMS}
    assert f"The forms are version {FORMS}," in PAGE
    assert run(["--json", "profiles"]) == 2
    assert "stands behind the command" in capsys.readouterr().err


class Printed:
    """Runs commands in a folder and holds what they print against the page."""

    def __init__(self, service: SandboxProcess, capture: pytest.CaptureFixture[str]) -> None:
        self.capture, self.seen = capture, set[str]()
        self.whom = ("--base-url", service.base_url, "--connection-id", CLEAN)

    def __call__(self, form: str, *arguments: str, code: int = 0) -> Any:
        """The document that a command prints, whose members are those of ``form``."""
        assert run([*arguments, "--json"]) == code, self.capture.readouterr().err
        return self.members(form, json.loads(self.capture.readouterr().out))

    def members(self, form: str, document: Any) -> Any:
        one = document[0] if isinstance(document, list) else document
        assert one.keys() == FORM[form], form
        self.seen.add(form)
        return document

    def served(self, form: str, *arguments: str) -> None:
        """The line that a service prints when it listens; it ends when its standard input does."""
        command = FORKS.quick([sys.executable, "-m", "explorer", *arguments, "--json", "--end-with-parent"])
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            self.members(form, json.loads(process.stdout.readline()))
            assert process.stdin is not None
            process.stdin.close()

    def quietly(self, *arguments: str) -> None:
        assert run(list(arguments)) == 0, self.capture.readouterr().err
        self.capture.readouterr()


@pytest.fixture
def printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Printed]:
    monkeypatch.chdir(tmp_path)
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.setattr(watch, "own_command", lambda *asked: FORKS.quick(own_command(*asked)))
    with quick_sandbox() as service:
        monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", service.apikey)
        yield Printed(service, capsys)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="some are of Linux alone")
def test_what_is_printed_has_the_documented_members(printed: Printed) -> None:
    whom = printed.whom
    printed("--version", "--version")
    assert printed("--selftest", "--selftest")["holds"]
    _of_rows(printed, whom)
    _of_runs(printed, whom)
    for form, more in (("install-desktop", ()), ("install-desktop --remove", ("--remove",))):
        printed(form, "install-desktop", *more)
    _of_what_is_kept(printed)
    rows = "pull"
    assert printed.seen == FORM.keys() - {rows}


def _of_rows(printed: Printed, whom: tuple[str, ...]) -> None:
    assert run(["pull", LIST, *whom, "--json"]) == 0
    pulled = json.loads(printed.capture.readouterr().out)
    assert isinstance(pulled, list)
    assert "id" in pulled[0]
    assert run(["pull", LIST, *whom, "--json", "--format", "csv"]) == 2
    answer = printed("call", "call", LIST, "--param", "page_size=1", *whom)
    assert (answer["status"], json.loads(answer["body"]).keys() > set()) == (200, True)
    refused = printed("call", "call", "GET", "/v0/unified/nowhere", *whom, code=4)
    assert refused["status"] == 404
    assert printed("call --curl posix", "call", LIST, "--curl", "posix", *whom)["curl"].startswith("curl ")
    printed("resources", "resources")
    kept = printed("snapshot keep", "snapshot", "keep", "morning", LIST, *whom)
    printed("ledger", "ledger", LIST, "--kept", *whom)
    printed("ledger --against", "ledger", LIST, "--kept", "--against", "morning", *whom)
    printed("compare", "compare", "morning", f"pull:{LIST}", *whom)
    assert printed("snapshot", "snapshot", *whom) == [kept]
    assert printed("snapshot list", "snapshot", "list", *whom) == [kept]
    printed("snapshot rename", "snapshot", "rename", "morning", "early", *whom)
    printed("snapshot export", "snapshot", "export", "early", "early.snapshot", *whom)
    assert printed("snapshot delete", "snapshot", "delete", "early", *whom) == {"deleted": "early"}
    printed("snapshot import", "snapshot", "import", "early.snapshot", *whom)
    printed.served("serve", "serve", f"pull:{LIST}", *whom)
    printed.served("sandbox", "sandbox")


def _of_runs(printed: Printed, whom: tuple[str, ...]) -> None:
    check = ("check", LIST, *whom, "--only", "records.nulls")
    printed.quietly(*check, "--bundle", "run.zip", "--json", "run.json")
    written = json.loads(Path("run.json").read_bytes())
    printed.members("check --json FILE", written)
    assert [one["results"] for one in printed("open", "open", "run.zip")["runs"]] != []
    printed("mapping", "mapping", LIST, *whom)
    printed.quietly(*check, "--save-recipe", "drives.toml")
    assert printed("watch", "watch", "drives.toml", *whom, "--once")["code"] == 0
    for turn in ("--schedule", "--unschedule"):
        printed(f"watch {turn}", "watch", "drives.toml", "--profile", "Sandbox", turn)


def _of_what_is_kept(printed: Printed) -> None:
    printed("profiles", "profiles")
    added = printed("profiles add", "profiles", "add", "Shop", *printed.whom)
    assert (added["name"], added["key"]) == ("Shop", "environment")
    printed("profiles key", "profiles", "key", "Shop")
    assert printed("profiles test", "profiles", "test", "Shop")["ok"]
    assert printed("profiles export", "profiles", "export", "--out", "p.json")["profiles"] == ["Shop"]
    assert printed("profiles remove", "profiles", "remove", "Shop") == {"removed": "Shop"}
    assert printed("profiles import", "profiles", "import", "p.json") == {"profiles": ["Shop"]}
    printed("interfaces", "interfaces")
    printed("interfaces inspect", "interfaces", "inspect", str(DOCUMENT))
    assert printed("interfaces add", "interfaces", "add", str(DOCUMENT), "--name", "crm")["name"] == "crm"
    printed("interfaces inspect --against", "interfaces", "inspect", str(DOCUMENT), "--against", "crm")
    files = printed("interfaces export", "interfaces", "export", "crm", "--out", "crm.yaml")["files"]
    assert (files, run(["interfaces", "export", "crm", "--json"])) == (["crm.yaml"], 2)
    assert printed("interfaces remove", "interfaces", "remove", "crm") == {"removed": "crm"}
