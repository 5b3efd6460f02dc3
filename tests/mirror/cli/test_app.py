"""The commands that there are, and the one place where a run ends."""

import subprocess
import sys

import pytest

from explorer import __version__
from explorer.cli import app as application
from explorer.cli.app import run


def test_help_names_every_command_and_the_codes(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) == 0
    text = capsys.readouterr().out
    for word in ("pull", "call", "resources", "sandbox", "profiles", "--selftest", "--profile", "130"):
        assert word in text
    assert "tour" not in text


@pytest.mark.parametrize("name", application.COMMANDS)
def test_the_overview_says_of_a_command_what_its_own_help_says(name: str) -> None:
    assert application.load_command(name).help == application.COMMANDS[name][1]


@pytest.mark.parametrize("name", application.COMMANDS)
def test_an_interface_can_be_named_wherever_an_address_can(name: str) -> None:
    command = application.load_command(name)
    for one in (command, *getattr(command, "commands", {}).values()):
        options = {option for parameter in one.params for option in parameter.opts}
        assert "--interface" in options or "--base-url" not in options, one.name


def test_a_command_is_imported_only_when_it_is_called() -> None:
    script = (
        "import sys\nfrom explorer.cli.app import run\nassert run(['--help']) == run(['resources', '--help']) == 0\n"
        "print(*[name for name in sys.modules if name.startswith(('explorer.quality', 'explorer.openapi.load'))])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == ""


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out == f"{__version__}\n"


def test_a_fault_of_our_own_is_one_sentence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> int:
        raise ZeroDivisionError("the secret is in here")

    monkeypatch.setattr(application, "app", broken)
    assert run([]) == 3
    out, error = capsys.readouterr()
    assert out == ""
    assert "ZeroDivisionError" in error
    assert "secret" not in error
    assert len(error.splitlines()) == 1


def test_stopped_by_the_user(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object, **__: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(application, "app", stopped)
    assert run([]) == 130
    assert capsys.readouterr().err == "Stopped.\n"


def test_an_address_alone_opens_no_window(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--base-url", "https://api.example.com"]) == 2
    assert "The window needs a profile" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="there is no head there")
def test_a_closed_pipe_ends_quietly() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "explorer", "resources", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(timeout=30) == 0
