"""The wheel of the command line alone, `unified-explorer-cli`: the same sources without the window, and without Qt.

It is built from a copy of the checkout that lacks explorer/ui, with a project file that is derived from the
checkout's own: another name, no Qt among the dependencies, no window among the commands.
"""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

from places import PYPROJECT, ROOT

NAME = "unified-explorer-cli"
OF_THE_WINDOW = ("PySide6-Essentials", "qasync", "segno")
"""What only the window asks for, as the dependencies spell it."""
CHECK_SCRIPT = "packaging/ci/check.sh"
PAGE = "packaging/package_page.py"
"""What makes the wheel's metadata, as pyproject.toml names it."""
RESOURCES = ("connector_names.txt", "report.css", "sandbox")
"""The data that the command line reads; the rest of resources/ is looks and pictures."""


def stage(folder: Path) -> Path:
    """Writes the sources of the wheel into an empty folder and returns it."""
    unwanted = shutil.ignore_patterns("ui", "__pycache__")
    shutil.copytree(ROOT / "explorer", folder / "explorer", ignore=unwanted)
    (folder / "resources").mkdir()
    for name in RESOURCES:
        source = ROOT / "resources" / name
        copy = shutil.copytree if source.is_dir() else shutil.copy
        copy(source, folder / "resources" / name)
    (folder / CHECK_SCRIPT).parent.mkdir(parents=True)
    for name in ("README.md", "LICENSE", CHECK_SCRIPT, PAGE):
        shutil.copy(ROOT / name, folder / name)
    (folder / "pyproject.toml").write_text(
        project_file(PYPROJECT.read_text(encoding="utf-8")), encoding="utf-8"
    )
    return folder


def project_file(text: str) -> str:
    """The checkout's project file as the wheel's. Raises ValueError where it no longer has what is taken out."""
    for pattern, instead in (
        (r'^name = "unified-explorer"$', f'name = "{NAME}"'),
        (
            r'^description = ".*"$',
            'description = "Command line for testing the connectors of a unified integration API"',
        ),
        (r'^    "Environment :: X11 Applications :: Qt",$', '    "Environment :: Console",'),
        (r"^\[project\.gui-scripts\]\n(?:(?!\[).*\n)*", ""),
        *((rf"^    ['\"]{name}.*\n", "") for name in OF_THE_WINDOW),
    ):
        text, changes = re.subn(pattern, instead, text, flags=re.MULTILINE)
        if not changes:
            raise ValueError(f"{PYPROJECT.name} has nothing that fits {pattern}")
    return text


if __name__ == "__main__":
    # For packaging/ci/action.yml: pip installs the folder, so that a CI job needs no wheel.
    stage(Path(sys.argv[1]))
