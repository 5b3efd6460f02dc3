"""What stands in for processes in the tests is killed where they kill it, and does and ends as it is told."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.forked import FORKS

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="nothing can be forked")

WAITS = "import threading; print('begun', flush=True); threading.Event().wait(30); print('late')"
SAYS = "import os, sys; print(sys.argv[1:], os.getcwd(), os.environ['A'], sys.stdin.read(), __name__); sys.exit(3)"


def test_a_killed_one_is_gone_when_its_streams_end() -> None:
    with subprocess.Popen(FORKS.quick([sys.executable, "-c", WAITS]), stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"begun\n"
        process.kill()
        assert process.stdout.read() == b""
    assert process.returncode == -9


def test_words_folder_environment_streams_and_code_are_its_own(tmp_path: Path) -> None:
    command = FORKS.quick([sys.executable, "-c", SAYS, "x", "y"])
    done = subprocess.run(
        command, cwd=tmp_path, env={"A": "ä"}, input="in", capture_output=True, text=True, check=False
    )
    assert done.stdout == f"['x', 'y'] {tmp_path} ä in __main__\n"
    assert (done.returncode, done.stderr) == (3, "")
