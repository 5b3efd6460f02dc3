"""Where things are in a checkout, and the one way to leave with a sentence."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent.parent
PACKAGING = ROOT / "packaging"
REQUIREMENTS = PACKAGING / "requirements.txt"
PYPROJECT = ROOT / "pyproject.toml"
VENV = ROOT / ".venv"
SHOTS = ROOT / "shots"
OLDEST_PYTHON = (3, 11)

CANNOT_START = 3
USAGE = 2


def say(sentence: str) -> None:
    """Tells the person at the keyboard; standard output stays free for what a command prints."""
    print(sentence, file=sys.stderr, flush=True)


def leave(sentence: str, code: int = CANNOT_START) -> NoReturn:
    """Ends the command with one sentence and its exit code."""
    say(sentence)
    raise SystemExit(code)


def script(name: str, venv: Path = VENV) -> Path:
    """The path of a command inside the virtual environment, as this system names it."""
    if os.name == "nt":
        return venv / "Scripts" / f"{name}.exe"
    return venv / "bin" / name
