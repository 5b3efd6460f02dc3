"""The wheel of the command line alone: it works without the window's folder and with no Qt to be found."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import cli_wheel
from places import PYPROJECT

NO_QT = "raise ImportError('Qt is not installed here')\n"


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = cli_wheel.stage(tmp_path_factory.mktemp("wheel"))
    for name in ("PySide6", "qasync"):
        (folder / f"{name}.py").write_text(NO_QT, encoding="ascii")
    return folder


def run(sources: Path, home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The program as it stands in the staged sources, which come before the checkout's own."""
    environment = {**os.environ, "PYTHONPATH": str(sources), "UNIFIED_EXPLORER_HOME": str(home)}
    return subprocess.run(
        [sys.executable, "-m", "explorer", *arguments],
        check=False,
        capture_output=True,
        text=True,
        cwd=sources,
        env=environment,
    )


def test_it_lists_pulls_and_writes_without_qt(sources: Path, own_home: Path) -> None:
    done = run(sources, own_home, "--selftest")
    assert (done.returncode, done.stderr) == (0, "")
    assert "holds  installation: whole" in done.stdout


@pytest.mark.parametrize("arguments", [(), ("--profile", "sandbox"), ("tour", "pictures")])
def test_the_window_is_said_to_be_missing(sources: Path, own_home: Path, arguments: tuple[str, ...]) -> None:
    done = run(sources, own_home, *arguments)
    assert done.returncode == 3
    assert done.stderr.startswith(
        "This installation has the command line alone. Install unified-explorer to "
    )
    assert "Traceback" not in done.stderr


def test_it_has_every_file_that_its_modules_name(sources: Path) -> None:
    modules = "".join(path.read_text(encoding="utf-8") for path in (sources / "explorer").rglob("*.py"))
    named = set(re.findall(r'(?<![.\w])resource\("([^"]+)"\)', modules))
    assert {"connector_names.txt", "report.css"} <= named
    assert [name for name in named if not (sources / "resources" / name).is_file()] == []


def test_its_project_file_asks_for_no_qt() -> None:
    project = tomllib.loads(cli_wheel.project_file(PYPROJECT.read_text(encoding="utf-8")))["project"]
    asked = " ".join(project["dependencies"])
    assert not any(name in asked for name in ("PySide6", "qasync", "segno"))
    assert (project["name"], list(project["scripts"])) == ("unified-explorer-cli", ["unified-explorer"])
    assert "gui-scripts" not in project


def test_it_brings_the_script_and_the_plugin_of_a_ci_job(sources: Path) -> None:
    document = tomllib.loads((sources / "pyproject.toml").read_text(encoding="utf-8"))
    scripts = document["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-scripts"]
    assert list(scripts.values()) == ["unified-explorer-ci"]
    assert [(sources / path).read_text(encoding="utf-8")[:10] for path in scripts] == ["#!/bin/sh\n"]
    [plugin] = document["project"]["entry-points"]["pytest11"].values()
    assert (sources / f"{plugin.replace('.', '/')}.py").is_file()


def test_a_project_file_without_what_is_taken_out_is_refused() -> None:
    with pytest.raises(ValueError, match="nothing that fits"):
        cli_wheel.project_file('[project]\nname = "unified-explorer"\n')
