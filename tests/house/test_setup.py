"""The set-up says what it lacks, asks for it exactly, and never goes on with a half-made environment."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import environment
import screen
import system_packages
from tests.house.sources import ROOT

on_linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Debian's packages are Linux's")


def stand_in(folder: Path, name: str, body: str) -> None:
    """A command of this name for the front of PATH."""
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    path.chmod(0o755)


@pytest.fixture
def debian_without_qt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A Debian on which dpkg knows no package, apt-get must not be called, and nobody may become root."""
    bin_folder = tmp_path / "bin"
    stand_in(bin_folder, "dpkg-query", "exit 1")
    stand_in(bin_folder, "apt-get", "echo apt-get was called; exit 99")
    stand_in(bin_folder, "sudo", "exit 1")
    monkeypatch.setenv("PATH", f"{bin_folder}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    return bin_folder


@on_linux
def test_without_rights_the_exact_command_is_said(
    debian_without_qt: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        system_packages.provide(screen=False, first_time=True)
    assert left.value.code == 3
    listed = system_packages.sections()
    asked = capfd.readouterr().err.splitlines()[-1]
    assert asked.startswith("apt-get install --no-install-recommends ")
    assert set(listed["offscreen"] + listed["screen"] + listed["fonts"]) <= set(asked.split())


@on_linux
def test_with_sudo_that_asks_nothing_the_packages_are_installed(
    debian_without_qt: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    calls = tmp_path / "calls"
    stand_in(debian_without_qt, "sudo", 'shift; exec "$@"')
    stand_in(debian_without_qt, "apt-get", f'echo "$DEBIAN_FRONTEND $*" >> "{calls}"')
    system_packages.provide(screen=True, first_time=True)
    update, install = calls.read_text(encoding="utf-8").splitlines()
    assert update.endswith("update")
    assert install.startswith("noninteractive ")
    assert {"-y", "--no-install-recommends", "libegl1", "libxcb-cursor0"} <= set(install.split())


@on_linux
def test_a_name_with_t64_counts(debian_without_qt: Path) -> None:
    stand_in(debian_without_qt, "dpkg-query", "echo installed libglib2.0-0t64; echo config-files libegl1")
    assert system_packages.installed(["libglib2.0-0", "libegl1"]) == {"libglib2.0-0"}


def test_a_display_is_looked_for_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    assert not screen.has_display()
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    assert screen.has_display()
    monkeypatch.delenv("WAYLAND_DISPLAY")
    monkeypatch.setattr(sys, "platform", "darwin")
    assert screen.has_display()


@pytest.fixture
def bare_venv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in the place of .venv, with nothing in it."""
    folder = tmp_path / "a checkout" / ".venv"
    folder.mkdir(parents=True)
    monkeypatch.setattr(environment, "VENV", folder)
    monkeypatch.setattr(environment, "STAMP", folder / "stamp")
    monkeypatch.setattr(environment, "BEING_MADE", folder / "being-made")
    monkeypatch.setattr(environment, "LOCK", folder.parent / ".venv.lock")
    return folder


def test_ready_only_with_the_right_stamp_and_no_work_under_way(bare_venv: Path) -> None:
    assert not environment.ready()
    (bare_venv / "stamp").write_text("another lock\nanother project\n", encoding="ascii")
    assert not environment.ready()
    (bare_venv / "stamp").write_text(environment.wanted_stamp(), encoding="ascii")
    assert environment.ready()
    (bare_venv / "being-made").touch()
    assert not environment.ready()


def test_a_failing_step_leaves_the_mark_and_shows_why(
    bare_venv: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    requirements = bare_venv.parent / "requirements.txt"
    requirements.write_text("no-such-package-here\n", encoding="ascii")
    monkeypatch.setattr(environment, "REQUIREMENTS", requirements)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    with pytest.raises(SystemExit) as left:
        environment.provide()
    assert left.value.code == 3
    assert "no-such-package-here" in capfd.readouterr().err
    assert (bare_venv / "being-made").exists()
    assert not environment.ready()


@pytest.mark.skipif(os.name == "nt", reason="flock")
def test_two_set_ups_take_turns(bare_venv: Path) -> None:
    with environment.only_one():
        second = os.open(environment.LOCK, os.O_RDWR)
        try:
            assert not environment._try_lock(second)
        finally:
            os.close(second)
    third = os.open(environment.LOCK, os.O_RDWR)
    try:
        assert environment._try_lock(third)
    finally:
        os.close(third)


@pytest.mark.skipif(os.name == "nt", reason="a POSIX shell")
def test_no_python_and_no_rights_is_one_line_to_ask_for(tmp_path: Path) -> None:
    # A PATH with what the script itself uses, apt-get that must not be called, and no Python at all.
    folder = tmp_path / "bin"
    for name in ("dirname", "sed", "tr", "env"):
        stand_in(folder, name, f'PATH=/usr/bin:/bin exec {name} "$@"')
    stand_in(folder, "apt-get", "exit 99")
    stand_in(folder, "id", "echo 1000")
    outcome = subprocess.run(
        ["/bin/sh", str(ROOT / "dev"), "run"],
        check=False,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={"PATH": str(folder)},
    )
    assert outcome.returncode == 3
    asked = outcome.stderr.splitlines()[-1].split()
    assert asked[:3] == ["apt-get", "install", "--no-install-recommends"]
    assert {"python3", "python3-venv", "libegl1", "libxcb-cursor0"} <= set(asked)


def test_an_unknown_command_is_a_usage_error() -> None:
    outcome = subprocess.run(
        [sys.executable, str(ROOT / "packaging" / "dev.py"), "fly"],
        check=False,
        capture_output=True,
        text=True,
    )
    assert outcome.returncode == 2
    assert "'fly'" in outcome.stderr
