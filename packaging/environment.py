"""The virtual environment in .venv: made once, checked in milliseconds, made anew when it was left half-made.

Two files inside it tell its state. `being-made` stands there while it is worked on: an environment that still
has it was interrupted and is thrown away. `stamp` names what it was made from: the locked requirements, the
Python, the folder (an environment cannot be moved) and the project file; a second run compares and goes on.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from places import OLDEST_PYTHON, PYPROJECT, REQUIREMENTS, ROOT, VENV, leave, say, script

STAMP = VENV / "stamp"
BEING_MADE = VENV / "being-made"
LOCK = ROOT / ".venv.lock"


def wanted_stamp() -> str:
    """Two lines: what the installed packages hang on, and what the project's own installation hangs on."""
    python = f"{sys.version_info.major}.{sys.version_info.minor} {sys.platform} {ROOT}"
    packages = hashlib.sha256(python.encode() + REQUIREMENTS.read_bytes()).hexdigest()
    project = hashlib.sha256(PYPROJECT.read_bytes()).hexdigest()
    return f"{packages}\n{project}\n"


def ready() -> bool:
    """True when the environment is whole and made from what the checkout now says."""
    try:
        return not BEING_MADE.exists() and STAMP.read_text(encoding="ascii") == wanted_stamp()
    except FileNotFoundError:
        return False


def provide() -> Path:
    """The environment's Python, after making or mending the environment if it needs that."""
    if not ready():
        with only_one() as held:
            # Another set-up may have finished while this one waited.
            if not ready():
                try:
                    _make(held)
                except OSError as error:
                    leave(f"The environment could not be made in {VENV}: {error.strerror}.")
    return script("python")


@contextlib.contextmanager
def only_one() -> Iterator[int]:
    """Holds the set-up's lock file, waiting for another set-up to end. The lock goes with its process."""
    try:
        descriptor = os.open(LOCK, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        leave(f"Nothing can be written to {ROOT}: {error.strerror}.")
    try:
        if not _try_lock(descriptor):
            say("Another set-up of this checkout is under way: waiting for it.")
            _wait_for_lock(descriptor)
        yield descriptor
    finally:
        os.close(descriptor)


def _try_lock(descriptor: int) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _wait_for_lock(descriptor: int) -> None:
    if sys.platform == "win32":
        import msvcrt

        # LK_LOCK itself tries for ten seconds and then raises.
        while True:
            with contextlib.suppress(OSError):
                msvcrt.locking(descriptor, msvcrt.LK_LOCK, 1)
                return
    else:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX)


def _make(held: int) -> None:
    before = STAMP.read_text(encoding="ascii").splitlines() if STAMP.exists() else []
    packages, _ = wanted_stamp().splitlines()
    if BEING_MADE.exists() or (before and before[0] != packages) or not _usable():
        if VENV.exists():
            say("Making .venv anew.")
            shutil.rmtree(VENV)
        before = []
    VENV.mkdir(exist_ok=True)
    BEING_MADE.touch()
    STAMP.unlink(missing_ok=True)
    if not before:
        say("Setting up .venv (once; it fetches about 200 MB).")
        if not script("python").exists():
            _quietly(held, [sys.executable, "-m", "venv", str(VENV)])
        _pip(held, "--require-hashes", "--only-binary", ":all:", "-r", str(REQUIREMENTS))
    # hatchling is among the locked packages, so that this step fetches nothing.
    _pip(held, "--no-deps", "--no-build-isolation", "--editable", str(ROOT))
    STAMP.write_text(wanted_stamp(), encoding="ascii")
    BEING_MADE.unlink()


def _usable() -> bool:
    """True when the environment there, if made by hand, runs a Python that is new enough and has pip."""
    python = script("python")
    if not python.exists():
        return False
    question = f"import sys, pip; sys.exit(sys.version_info < {OLDEST_PYTHON})"
    return subprocess.run([str(python), "-c", question], check=False, capture_output=True).returncode == 0


def _pip(held: int, *arguments: str) -> None:
    quiet = ["--no-input", "--disable-pip-version-check", "--progress-bar", "off"]
    _quietly(held, [str(script("python")), "-m", "pip", "install", *quiet, *arguments])


def _quietly(held: int, command: list[str]) -> None:
    """Runs a step of the set-up and shows what it printed only when it fails.

    The lock is handed on: should this process be killed, it stays held until the step's own process ends.
    """
    outcome = subprocess.run(
        command,
        check=False,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        pass_fds=() if os.name == "nt" else (held,),
        env={**os.environ, "PIP_ROOT_USER_ACTION": "ignore"},
    )
    if outcome.returncode:
        say(outcome.stdout)
        leave("The environment could not be set up: see above.")
