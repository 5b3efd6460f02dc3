"""Writes packaging/requirements.txt: each package by version and hash, for every system, no address in it."""

from __future__ import annotations

import subprocess

from places import PYPROJECT, REQUIREMENTS, ROOT, leave, script


def write(arguments: list[str]) -> int:
    """Resolves anew, keeping the versions that still fit; `--upgrade` takes the newest ones."""
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
        "--extra",
        "test",
        "--group",
        f"{PYPROJECT}:build",
        "--output-file",
        str(REQUIREMENTS),
        str(PYPROJECT),
        *arguments,
    ]
    outcome = subprocess.run(command, check=False, cwd=ROOT)
    if outcome.returncode == 0 and "://" in REQUIREMENTS.read_text(encoding="utf-8"):
        leave(
            "The lock names a download address, which would tie it to one host: it must not be committed.", 1
        )
    return outcome.returncode
