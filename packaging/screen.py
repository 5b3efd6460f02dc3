"""Starts the program: in a window where there is a display, else on its offscreen tour."""

from __future__ import annotations

import os
import subprocess
import sys

from places import SHOTS, say, script

OFFSCREEN = {"QT_QPA_PLATFORM": "offscreen"}


def has_display() -> bool:
    """Whether a window can be seen here. Only Linux can be without: there a display server is named."""
    if not sys.platform.startswith("linux"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def run(arguments: list[str]) -> int:
    """The program with these arguments. With none and no display: its tour, into ./shots."""
    if arguments or has_display():
        return _become(arguments, dict(os.environ))
    say(f"There is no display here, so the window is driven offscreen through its main job, into {SHOTS}.")
    SHOTS.mkdir(parents=True, exist_ok=True)
    return _become(["tour", str(SHOTS)], {**os.environ, **OFFSCREEN})


def _become(arguments: list[str], environment: dict[str, str]) -> int:
    program = str(script("unified-explorer"))
    if os.name != "nt":
        sys.stderr.flush()
        os.execve(program, [program, *arguments], environment)
    return subprocess.run([program, *arguments], check=False, env=environment).returncode
