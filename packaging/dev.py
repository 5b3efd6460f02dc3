"""The project's commands, each of which does all the set-up that it needs. Standard library only.

./dev COMMAND (Linux, macOS) or python packaging/dev.py COMMAND (Windows, anywhere):

  run [ARGUMENTS]    the program; with no display and no arguments, its tour offscreen
  test [ARGUMENTS]   format, lint, types, import rules, tests; the arguments go to pytest
  check [--fix]      the same; with --fix format and lint are put right first
  shots DIR [LOOKS]  a picture of every page and dialog, light and dark, in two sizes; other looks are chosen with
                     --size 900x560 and --theme dark, each once or more, --type POINTS, --scale PER_CENT
  sheet FILE DIR...  such pictures on one sheet, those of one name and several folders side by side
  bench [--check]    the speed figures; with --check they are held against their bounds
  house              how large the sources are and how they hang together
  lock [--upgrade]   packaging/requirements.txt from pyproject.toml
  package            two wheels in ./dist, the whole, and the command line's with its lock; more: packaging/README.md
  setup              the set-up alone
"""

from __future__ import annotations

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - said in a sentence, where a syntax error would say nothing
    sys.exit("Python 3.11 or newer is needed; this is %d.%d." % sys.version_info[:2])  # noqa: UP031

import os
import subprocess
import tempfile
from pathlib import Path

import checks
import cli_wheel
import environment
import requirements_lock
import runtime_requirements
import screen
import system_packages
from places import ROOT, USAGE, leave, say, script

NEEDS_NO_QT = {"house", "lock", "package"}


def main(arguments: list[str]) -> int:
    """Runs one command and returns its exit code."""
    if not arguments or arguments[0] in {"help", "-h", "--help"}:
        print(__doc__)
        return 0 if arguments else USAGE
    command, rest = arguments[0], arguments[1:]
    if command not in COMMANDS:
        leave(f"There is no command {command!r}; there are {', '.join(COMMANDS)}.", USAGE)
    if command not in NEEDS_NO_QT:
        wants_screen = command == "run" and screen.has_display()
        system_packages.provide(screen=wants_screen, first_time=not environment.ready())
    environment.provide()
    return COMMANDS[command](rest)


def _check(arguments: list[str]) -> int:
    return checks.run_all([each for each in arguments if each != "--fix"], fix="--fix" in arguments)


def _shots(arguments: list[str]) -> int:
    if not arguments or arguments[0].startswith("-"):
        leave("shots takes a folder first: ./dev shots DIR", USAGE)
    return subprocess.run(
        [str(script("python")), "-m", "tests.gui.shots", str(Path(arguments[0]).resolve()), *arguments[1:]],
        check=False,
        cwd=ROOT,
        env={**os.environ, **screen.OFFSCREEN},
    ).returncode


def _sheet(arguments: list[str]) -> int:
    return subprocess.run(
        [str(script("python")), "-m", "tests.gui.sheet", *arguments], check=False, cwd=ROOT
    ).returncode


def _bench(arguments: list[str]) -> int:
    return subprocess.run(
        [str(script("python")), "-m", "tests.bench", *arguments], check=False, cwd=ROOT
    ).returncode


def _house(arguments: list[str]) -> int:
    return subprocess.run(
        [str(script("python")), "-m", "tests.house.measures", *arguments], check=False, cwd=ROOT
    ).returncode


def _package(arguments: list[str]) -> int:
    if arguments:
        leave("package takes no arguments.", USAGE)
    pip = [str(script("python")), "-m", "pip", "--disable-pip-version-check", "--quiet"]
    wheel = [*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(ROOT / "dist")]
    if code := subprocess.run([*wheel, str(ROOT)], check=False).returncode:
        return code
    (ROOT / "dist" / "requirements-cli.txt").write_text(runtime_requirements.of_command_line(), "utf-8")
    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run([*wheel, str(cli_wheel.stage(Path(folder)))], check=False).returncode


def _setup(arguments: list[str]) -> int:
    say("Everything is set up.")
    return 0


COMMANDS = {
    "run": screen.run,
    "test": lambda arguments: checks.run_all(arguments, fix=False),
    "check": _check,
    "shots": _shots,
    "sheet": _sheet,
    "bench": _bench,
    "house": _house,
    "lock": requirements_lock.write,
    "package": _package,
    "setup": _setup,
}

if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
