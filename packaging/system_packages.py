"""What Qt needs from the operating system: looked at, installed where that is allowed, asked for where not.

Debian and Ubuntu are looked at by package name. Other Linux systems are told the libraries in words and the
set-up goes on. macOS and Windows need nothing: their wheels carry all of it.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys

from places import PACKAGING, leave, say

OTHER_SYSTEMS = {
    "dnf": "mesa-libEGL mesa-libGL glib2 fontconfig libxkbcommon dbus-libs xcb-util-cursor xcb-util-wm "
    "xcb-util-image xcb-util-keysyms xcb-util-renderutil libxkbcommon-x11 dejavu-sans-fonts",
    "pacman": "libglvnd glib2 fontconfig libxkbcommon dbus xcb-util-cursor xcb-util-wm xcb-util-image "
    "xcb-util-keysyms xcb-util-renderutil libxkbcommon-x11 ttf-dejavu",
    "zypper": "libEGL1 libGL1 libglib-2_0-0 libfontconfig1 libxkbcommon0 libdbus-1-3 libxcb-cursor0 "
    "libxcb-icccm4 libxcb-image0 libxcb-keysyms1 libxcb-render-util0 libxkbcommon-x11-0 dejavu-fonts",
}


def sections() -> dict[str, list[str]]:
    """The package names of debian.txt by section, in its order."""
    found: dict[str, list[str]] = {}
    names: list[str] = []
    for line in (PACKAGING / "debian.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            names = found.setdefault(line.strip("[]"), [])
        elif line and not line.startswith("#"):
            names.append(line)
    return found


def installed(names: list[str]) -> set[str]:
    """Those of the names that dpkg holds as installed, under the name itself or with the suffix t64."""
    asked = [*names, *(f"{name}t64" for name in names)]
    answer = subprocess.run(
        ["dpkg-query", "-W", "-f", "${db:Status-Status} ${Package}\n", *asked],
        check=False,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )
    held = {line.split()[1] for line in answer.stdout.splitlines() if line.startswith("installed ")}
    return {name for name in names if name in held or f"{name}t64" in held}


def missing(*, screen: bool) -> list[str]:
    """The names without which Qt does not start here; with `screen` those of a real window too."""
    listed = sections()
    needed = listed["offscreen"] + (listed["screen"] if screen else [])
    there = installed(needed)
    lacking = [name for name in needed if name not in there]
    if importlib.util.find_spec("ensurepip") is None:
        # Debian's own Python keeps venv in a package of its own, one for each version.
        lacking.insert(0, f"python3.{sys.version_info.minor}-venv")
    return lacking


def provide(*, screen: bool, first_time: bool) -> None:
    """Sees to it that Qt can start; without rights, leaves with exit code 3 and the command to ask for."""
    if not sys.platform.startswith("linux"):
        return
    if shutil.which("apt-get") and shutil.which("dpkg-query"):
        lacking = missing(screen=screen)
        if lacking:
            _install(lacking)
        return
    for tool, names in OTHER_SYSTEMS.items():
        if first_time and shutil.which(tool):
            say(f"Qt needs these packages, should it not start: {names} (with {tool}; never tried by us).")
            return


def _install(lacking: list[str]) -> None:
    listed = sections()
    # Asked for once: whatever a later command would need comes along.
    rest = listed["offscreen"] + listed["screen"] + listed["fonts"]
    there = installed(rest)
    wanted = lacking + [name for name in rest if name not in there and name not in lacking]
    rights = _rights()
    if rights is None:
        say(f"Qt lacks {', '.join(lacking)}. Ask an administrator to run:")
        leave(f"apt-get install --no-install-recommends {' '.join(wanted)}")
    say(f"Installing from Debian's packages: {' '.join(wanted)}")
    quiet = [
        *rights,
        "env",
        "DEBIAN_FRONTEND=noninteractive",
        "apt-get",
        "-o",
        "DPkg::Lock::Timeout=300",
        "-q",
    ]
    update = _apt([*quiet, "update"])
    answer = _apt([*quiet, "install", "-y", "--no-install-recommends", *wanted])
    if answer.returncode and set(wanted) & set(listed["fonts"]):
        # An older release may lack the finer fonts; nothing depends on them.
        wanted = [name for name in wanted if name not in listed["fonts"]]
        answer = _apt([*quiet, "install", "-y", "--no-install-recommends", *wanted])
    if answer.returncode:
        say((update.stdout if update.returncode else "") + answer.stdout)
        leave(f"apt-get could not install {' '.join(wanted)}: see above.")


def _rights() -> list[str] | None:
    """What to put before a command to run it as root: nothing, sudo, or None where neither will do."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        return []
    if shutil.which("sudo"):
        silent = subprocess.run(
            ["sudo", "-n", "true"], check=False, capture_output=True, stdin=subprocess.DEVNULL
        )
        if silent.returncode == 0:
            return ["sudo", "-n"]
    return None


def _apt(command: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        stdin=subprocess.DEVNULL,
    )
