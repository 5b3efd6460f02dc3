"""Writes packaging/requirements.txt and freeze.txt: each package by version and hash, for every system, no address."""

from __future__ import annotations

import subprocess
from pathlib import Path

from places import FREEZE_REQUIREMENTS, PYPROJECT, REQUIREMENTS, ROOT, leave, script


def write(arguments: list[str]) -> int:
    """Resolves anew, keeping the versions that still fit; `--upgrade` takes the newest ones."""
    project = ["--extra", "test", "--group", f"{PYPROJECT}:build", str(PYPROJECT)]
    # What freezes the program gets a lock of its own: only who makes an installer needs it.
    freeze = ["--group", f"{PYPROJECT}:freeze", "--constraints", str(REQUIREMENTS)]
    return _write(REQUIREMENTS, [*project, *arguments]) or _write(FREEZE_REQUIREMENTS, [*freeze, *arguments])


def _write(lock: Path, arguments: list[str]) -> int:
    command = [
        str(script("uv")),
        "pip",
        "compile",
        "--quiet",
        "--universal",
        "--python-version",
        "3.11",
        "--generate-hashes",
        "--no-emit-index-url",
        "--no-emit-find-links",
        "--custom-compile-command",
        "./dev lock",
        "--output-file",
        str(lock),
        *arguments,
    ]
    outcome = subprocess.run(command, check=False, cwd=ROOT)
    if outcome.returncode == 0 and "://" in lock.read_text(encoding="utf-8"):
        leave(
            "The lock names a download address, which would tie it to one host: it must not be committed.", 1
        )
    return outcome.returncode
