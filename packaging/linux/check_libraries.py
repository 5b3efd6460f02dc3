"""Looks at the libraries in a frozen folder: python packaging/linux/check_libraries.py FOLDER [--depends]

Each has to find what it needs in the folder or in SYSTEM, and none may ask for a newer C or C++ library than
Ubuntu 22.04 has. Ends with 1 when one does. `--depends` prints Debian's packages of what the folder takes from the
system. Needs readelf (binutils).
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

NEWEST = {"GLIBC": (2, 35), "GLIBCXX": (3, 4, 30), "CXXABI": (1, 3, 13)}
"""The newest versions of symbols that may be asked for: those of Ubuntu 22.04."""
SYSTEM = {
    "libc6": "libc libm libdl libpthread librt libutil libresolv ld-linux-x86-64",
    "libstdc++6": "libstdc++",
    "libgcc-s1": "libgcc_s",
    "zlib1g": "libz",
    "libzstd1": "libzstd",
    # Debian 12's asks for the C library 2.36; fontconfig needs it too, so it is on any desktop.
    "libexpat1": "libexpat",
    "libgl1": "libGL",
    "libegl1": "libEGL",
    "libglx0": "libGLX",
    "libopengl0": "libOpenGL",
    "libx11-6": "libX11",
    "libx11-xcb1": "libX11-xcb",
    "libxcb1": "libxcb",
    "libfontconfig1": "libfontconfig",
    "libfreetype6": "libfreetype",
    "libglib2.0-0": "libglib-2.0 libgthread-2.0 libgobject-2.0 libgio-2.0",
    "libdbus-1-3": "libdbus-1",
    "libwayland-client0": "libwayland-client",
    "libwayland-cursor0": "libwayland-cursor",
    "libwayland-egl1": "libwayland-egl",
}
"""What is the system's own, by Debian's package: on any desktop, and tied to its drivers and settings."""
RENAMED = {"libglib2.0-0": "libglib2.0-0t64 | libglib2.0-0"}
PACKAGE = {library: package for package, libraries in SYSTEM.items() for library in libraries.split()}


def needs_of(file: Path) -> tuple[set[str], set[tuple[str, tuple[int, ...]]]]:
    """The libraries that a file needs, by name, and the versions of symbols that it asks for."""
    text = subprocess.run(
        ["readelf", "--dynamic", "--version-info", "--wide", str(file)],
        check=True,
        capture_output=True,
        text=True,
        errors="replace",
    ).stdout
    versions = re.findall(r"Name: (GLIBC|GLIBCXX|CXXABI)_([\d.]+) ", text)
    libraries = set(re.findall(r"\(NEEDED\).*\[(.+)\]", text))
    return libraries, {(name, tuple(map(int, number.split(".")))) for name, number in versions}


def _is_library(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def look(folder: Path) -> tuple[list[str], set[str], dict[str, tuple[int, ...]]]:
    """What is wrong, in sentences; Debian's packages that are needed; the newest version asked for of each library."""
    files = [path for path in folder.rglob("*") if path.is_file() and _is_library(path)]
    inside = {path.name for path in folder.rglob("*")}
    wrong, packages = list[str](), set[str]()
    newest: dict[str, tuple[int, ...]] = {}
    for path in files:
        libraries, versions = needs_of(path)
        for library in sorted(libraries - inside):
            package = PACKAGE.get(library.split(".so")[0])
            if package is None:
                wrong.append(f"{path.relative_to(folder)} needs {library}, which is not in the folder")
            else:
                packages.add(package)
        for name, version in sorted(versions):
            newest[name] = max(newest.get(name, ()), version)
            if version > NEWEST[name]:
                number = ".".join(map(str, version))
                wrong.append(f"{path.relative_to(folder)} asks for {name}_{number}")
    return wrong, packages, newest


def depends(packages: set[str], newest: dict[str, tuple[int, ...]]) -> str:
    """The field Depends of Debian's control file."""
    libc = ".".join(map(str, newest["GLIBC"]))
    names = {RENAMED.get(name, name) for name in packages - {"libc6"}}
    return ", ".join([f"libc6 (>= {libc})", *sorted(names)])


if __name__ == "__main__":
    wrong, packages, newest = look(Path(sys.argv[1]))
    if "--depends" in sys.argv:
        print(depends(packages, newest))
    else:
        asked = ", ".join(f"{name} {'.'.join(map(str, version))}" for name, version in sorted(newest.items()))
        print(f"The newest asked for: {asked}. From the system: {', '.join(sorted(packages))}.")
    for sentence in wrong:
        print(sentence, file=sys.stderr)
    sys.exit(1 if wrong else 0)
