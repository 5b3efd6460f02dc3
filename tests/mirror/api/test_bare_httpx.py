"""httpx as the window imports it: whole, without the command line that it would bring along."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.house.sources import ROOT

SCRIPT = """
import sys
import {first}
import httpx

found = {{"rich", "click", "pygments", "httpx._main"}} & set(sys.modules)
with httpx.Client() as client:
    print(sorted(found), client.is_closed)
import explorer.api.client
"""


@pytest.mark.parametrize("first", ["explorer.api.bare_httpx", "explorer.api.http_exchange"])
def test_nothing_of_its_command_line_is_loaded_and_it_works(first: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT.format(first=first)],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split("\n")[0] == "[] False"
