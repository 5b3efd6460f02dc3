"""A run of the tests always ends and names what failed: also when a test ends its worker, and when nothing goes on."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import checks
from tests.house.sources import ROOT

HANGS = "import threading, pytest\n@pytest.mark.timeout(1)\ndef test_hangs(): threading.Event().wait()\n"
"""Passes its time: pytest-timeout ends the process that runs it."""
HOLDS = (
    "import ctypes, sys\n"
    "def test_holds(): (ctypes.PyDLL('kernel32').Sleep(1_000_000) if sys.platform == 'win32'"
    " else ctypes.PyDLL(None).sleep(1000))\n"
)
"""Holds the interpreter: no other thread of Python runs, that of pytest-timeout neither."""
UNUSED = [
    part
    for name in ("cacheprovider", "pytest-qt", "hypothesispytest", "anyio")
    for part in ("-p", f"no:{name}")
]
"""What these runs do not need takes half of their time: each starts three processes."""
PASSES = "def test_before(): pass\n"
ANOTHER = "def test_after(): pass\n"
MORE = "".join(f"def test_{number}(): pass\n" for number in range(4))


def run_over(folder: Path, files: dict[str, str], workers: int, *more: str) -> tuple[int, str]:
    """The suite's own settings and its way of spreading over some made-up tests."""
    tests = folder / "tests"
    tests.mkdir()
    (tests / "conftest.py").write_text('pytest_plugins = ("tests.silence",)\n', "utf-8")
    shutil.copy(ROOT / "tests" / "silence.py", tests)
    for name, text in files.items():
        (tests / name).write_text(text, "utf-8")
    settings = (ROOT / "pyproject.toml").read_text("utf-8")
    own = settings[settings.index("[tool.pytest.ini_options]") :].splitlines(keepends=True)
    kept = "".join(line for line in own if not line.startswith("qt_"))
    (folder / "pyproject.toml").write_text(kept, "utf-8")
    env = {**os.environ, "PYTEST_XDIST_AUTO_NUM_WORKERS": str(workers)}
    command = [sys.executable, "-m", "pytest", "-q", *UNUSED, *checks.SPREAD, *more]
    try:
        done = subprocess.run(
            command, cwd=folder, env=env, capture_output=True, text=True, timeout=90, check=False
        )
    except subprocess.TimeoutExpired as forever:
        raise AssertionError(f"the run does not end: {forever.stdout!r}") from None
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("files", "workers"),
    [
        ({"test_a.py": HANGS + ANOTHER, "test_b.py": MORE}, 1),
        ({"test_a.py": MORE, "test_b.py": PASSES + HANGS + ANOTHER, "test_c.py": PASSES}, 2),
        ({"test_a.py": MORE, "test_b.py": PASSES + HANGS}, 1),
    ],
    ids=["first", "between", "last"],
)
def test_a_test_that_passes_its_time_is_named_once_and_all_others_are_run(
    tmp_path: Path, files: dict[str, str], workers: int
) -> None:
    code, said = run_over(tmp_path, files, workers)
    others = sum(text.count("def test_") for text in files.values()) - 1
    assert code == 1
    assert f"1 failed, {others} passed" in said
    assert said.count("crashed while running") == 2  # where it failed, and in the list at the end
    assert "test_hangs" in said


def test_a_test_that_holds_the_interpreter_is_named_too(tmp_path: Path) -> None:
    files = {"test_a.py": MORE, "test_b.py": HOLDS + ANOTHER}
    code, said = run_over(tmp_path, files, 2, "-o", "faulthandler_timeout=5")
    assert code == 1
    assert "test_holds" in said
    assert "1 failed, 5 passed" in said


def test_a_run_in_which_nothing_goes_on_ends_with_what_failed_and_what_was_running(tmp_path: Path) -> None:
    hangs = HANGS.replace("timeout(1)", "timeout(0)")
    files = {"test_a.py": MORE, "test_b.py": "def test_fails(): assert 0\n" + hangs}
    code, said = run_over(tmp_path, files, 2, "-o", "longest_silence=10")
    assert code == 2
    assert "FAILED tests/test_b.py::test_fails" in said
    assert "Nothing went on for 10 s" in said
    assert "running: tests/test_b.py::test_hangs" in said


def test_bytecode_is_kept_where_the_environment_says_that_none_is() -> None:
    usual, container = checks.surroundings({}), checks.surroundings({"PYTHONDONTWRITEBYTECODE": "1"})
    assert "PYTHONPYCACHEPREFIX" not in usual
    assert "PYTHONDONTWRITEBYTECODE" not in container
    assert ROOT / "build" in Path(container["PYTHONPYCACHEPREFIX"]).parents
