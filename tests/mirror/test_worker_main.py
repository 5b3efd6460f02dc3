"""A process of the program's own starts with what its work needs and no more: each import holds up the first page."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.house.sources import ROOT

LIGHT = {"asyncio", "httpx", "rich", "click", "explorer.api.client", "explorer.session", "PySide6"}
COMMAND_LINE = {"rich", "click", "pygments", "PySide6"}


@pytest.mark.parametrize(("role", "without"), [("keep", LIGHT), ("load", COMMAND_LINE)])
def test_it_imports_only_what_it_works_with(role: str, without: set[str]) -> None:
    """Its input ends at once, so that it ends when it is ready to work."""
    command = [sys.executable, "-X", "importtime", "-m", "explorer", "--worker", role]
    done = subprocess.run(command, cwd=ROOT, check=True, input=b"", capture_output=True, timeout=120)
    imported = {line.rsplit("|", 1)[-1].strip() for line in done.stderr.decode().splitlines()}
    # Of a module that is imported by its name Python tells no time, but of what that imports.
    assert f"explorer.{'store.store' if role == 'keep' else 'session.session'}" in imported
    assert not imported & without
    assert not done.stdout
