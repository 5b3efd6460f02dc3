"""When a window is meant, and that no window means no Qt and no command line parser."""

import os
import subprocess
import sys
from pathlib import Path

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


def start(tmp_path: Path, fault: str) -> subprocess.CompletedProcess[str]:
    """The window where importing Qt raises ``fault``."""
    (tmp_path / "PySide6").mkdir()
    (tmp_path / "PySide6" / "__init__.py").write_text(f"raise {fault}\n", encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "UNIFIED_EXPLORER_HOME": str(tmp_path / "home")}
    return subprocess.run(
        [sys.executable, "-m", "explorer"], check=False, capture_output=True, text=True, env=environment
    )


def test_a_library_that_the_system_lacks_is_one_sentence(tmp_path: Path) -> None:
    # The words are the dynamic loader's own.
    lacks = "libEGL.so.1: cannot open shared object file: No such file or directory"
    done = start(tmp_path, f"ImportError({lacks!r})")
    assert (done.returncode, done.stdout) == (3, "")
    assert len(done.stderr.splitlines()) == 1
    assert "libEGL.so.1" in done.stderr
    assert "libegl1" in done.stderr


def test_a_fault_of_the_program_is_not_told_as_a_missing_library(tmp_path: Path) -> None:
    done = start(tmp_path, "ImportError('cannot import name QThing from PySide6')")
    assert done.returncode != 0
    assert "Traceback" in done.stderr
