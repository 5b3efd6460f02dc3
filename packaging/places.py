"""Where things are in a checkout, and the one way to leave with a sentence."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent.parent
PACKAGING = ROOT / "packaging"
REQUIREMENTS = PACKAGING / "requirements.txt"
FREEZE_REQUIREMENTS = PACKAGING / "freeze.txt"
PYPROJECT = ROOT / "pyproject.toml"
VENV = ROOT / ".venv"
SHOTS = ROOT / "shots"
BUILD = ROOT / "build"
DIST = ROOT / "dist"
ICON = ROOT / "resources" / "icons" / "app.svg"
OLDEST_PYTHON = (3, 11)

CANNOT_START = 3
USAGE = 2


def _of_program(name: str) -> str:
    """A text that explorer/__init__.py gives a name to; read, as the program need not be installed."""
    text = (ROOT / "explorer" / "__init__.py").read_text(encoding="utf-8")
    return str(re.findall(rf'^{name} = "(.*)"$', text, re.MULTILINE)[0])


NAME = "unified-explorer"
VERSION = _of_program("__version__")
APP_ID = _of_program("APP_ID")


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


if __name__ == "__main__":
    # For scripts of other languages.
    print(VERSION)
