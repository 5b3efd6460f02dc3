"""The program with its own Python and Qt in one folder, dist/unified-explorer, for who has neither.

python packaging/freeze.py, with the Python that is to go into it. Everything is made in an environment of its own,
from the lock and from nothing else: what the tests need never gets in. On macOS there is "dist/Unified Explorer.app"
as well. The installers are made of that folder.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import frozen_files
import runtime_requirements
from places import BUILD, DIST, FREEZE_REQUIREMENTS, NAME, PACKAGING, PYPROJECT, ROOT, say, script

VENV = BUILD / "freeze"


def main() -> None:
    """Makes the folder anew. Raises CalledProcessError for a step that fails; the step has said why."""
    shutil.rmtree(VENV, ignore_errors=True)
    BUILD.mkdir(exist_ok=True)
    _environment()
    python = str(script("python", VENV))
    say("Drawing the icons.")
    _run([python, str(PACKAGING / "icons.py"), str(BUILD)])
    say("Freezing.")
    work = ["--workpath", str(BUILD / "pyinstaller"), "--distpath", str(DIST)]
    spec = str(PACKAGING / "unified-explorer.spec")
    # -P and another folder: the package is taken from its wheel, which has the resources in it, not from the checkout.
    _run([python, "-P", "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN", *work, spec])
    if sys.platform == "linux":
        _strip()
    _licences(python)


def _environment() -> None:
    say(f"Making an environment in {VENV}.")
    _run([sys.executable, "-m", "venv", str(VENV)])
    lock = BUILD / "freeze-requirements.txt"
    # hatchling makes the program's own wheel; PyInstaller takes only what the program imports.
    names = runtime_requirements.asked_by_the_program(PYPROJECT.read_text(encoding="utf-8")) | {"hatchling"}
    lock.write_text("".join(runtime_requirements.needed(names)), encoding="utf-8")
    for each in (lock, FREEZE_REQUIREMENTS):
        _pip("--require-hashes", "--only-binary", ":all:", "--no-deps", "-r", str(each))
    _pip("--no-deps", "--no-build-isolation", str(ROOT))


def _pip(*arguments: str) -> None:
    quiet = ["--quiet", "--no-input", "--disable-pip-version-check"]
    _run([str(script("python", VENV)), "-m", "pip", "install", *quiet, *arguments])


def _strip() -> None:
    """Takes the tables for debuggers out of the libraries that still have them: a tenth of the folder."""
    for path in sorted((DIST / NAME).rglob("*.so*")):
        if path.is_file() and not path.is_symlink():
            tables = subprocess.run(["readelf", "-SW", str(path)], check=True, capture_output=True).stdout
            if b" .symtab " in tables or b" .debug_" in tables:
                _run(["strip", "--strip-unneeded", str(path)])


def _licences(python: str) -> None:
    """Puts the licence texts of Python and of the packages into the folder, as they ask for."""
    where = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    texts = frozen_files.licences(Path(where))
    own = Path(sysconfig.get_path("stdlib")) / "LICENSE.txt"
    if own.is_file():
        texts.append((own, "licences/python/LICENSE.txt"))
    # Qt's wheels do not bring theirs.
    texts += [(path, f"licences/Qt/{path.name}") for path in (PACKAGING / "licences").iterdir()]
    for source, name in [*texts, (ROOT / "LICENSE", "LICENSE")]:
        target = DIST / NAME / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)


def _run(command: list[str]) -> None:
    subprocess.run(command, check=True, cwd=BUILD, stdin=subprocess.DEVNULL)


if __name__ == "__main__":
    try:
        main()
    except subprocess.CalledProcessError as failed:
        sys.exit(f"{' '.join(map(str, failed.cmd[:4]))} … failed.")
