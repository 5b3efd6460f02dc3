"""When a window is meant, and that no window means no Qt and no command line parser."""

import subprocess
import sys

import pytest

from explorer.cli.window import WindowArguments, read_window_arguments


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        ([], WindowArguments()),
        (["--home", "x"], WindowArguments(home="x")),
        (["--home=x", "--profile", "Staging EU"], WindowArguments("x", "Staging EU")),
        (["--connection-id=conn_1"], WindowArguments(connection_id="conn_1")),
        (["--home"], None),
        (["--home="], None),
        (["--home", "--profile"], None),
        (["--help"], None),
        (["--base-url", "x"], None),
        (["resources"], None),
        (["--home", "x", "pull", "ats/job"], None),
    ],
)
def test_which_arguments_ask_for_a_window(arguments: list[str], wanted: WindowArguments | None) -> None:
    assert read_window_arguments(arguments) == wanted


def test_the_way_to_the_window_imports_no_parser() -> None:
    script = (
        "import sys; import explorer.__main__; from explorer.cli.window import read_window_arguments as r; r([]);"
        "print([m for m in ('typer', 'rich', 'pydantic', 'httpx', 'PySide6') if m in sys.modules])"
    )
    assert subprocess.check_output([sys.executable, "-c", script], text=True).strip() == "[]"


def test_no_command_imports_qt() -> None:
    script = (
        "import sys; from explorer.cli.app import run; run(['resources']);"
        "sys.exit(any(m.split('.')[0] in ('PySide6', 'shiboken6', 'qasync') for m in sys.modules))"
    )
    assert (
        subprocess.run([sys.executable, "-c", script], stdout=subprocess.DEVNULL, check=False).returncode == 0
    )
