"""``install-desktop`` puts the desktop entry and icon into the user's folder, and takes them out again."""

import configparser
import re
import sys
from pathlib import Path

import pytest

from explorer import APP_ID
from explorer.cli import install_desktop
from explorer.cli.app import run
from explorer.paths import resource

on_linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="desktop entries are Linux's")


@pytest.fixture
def shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's folder of data that programs share."""
    folder = tmp_path / "a share"
    monkeypatch.setenv("XDG_DATA_HOME", str(folder))
    return folder


def files(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


@on_linux
def test_entry_and_icon_come_and_go(
    shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / 'odd $folder "100%" \\ `x`' / "unified-explorer"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n", encoding="ascii")
    program.chmod(0o755)
    monkeypatch.setattr(sys, "argv", [str(program)])
    assert run(["install-desktop"]) == 0
    expected = [f"applications/{APP_ID}.desktop", f"icons/hicolor/scalable/apps/{APP_ID}.svg"]
    assert files(shared) == expected
    entry = configparser.ConfigParser(interpolation=None)
    entry.optionxform = str  # type: ignore[assignment,method-assign]
    entry.read(shared / expected[0], encoding="utf-8")
    section = entry["Desktop Entry"]
    # Undone as the specification says: first the value's backslashes, then the quoting, then the field codes.
    quoted = section["Exec"].replace("\\\\", "\\")
    assert (quoted[0], quoted[-1]) == ('"', '"')
    assert re.sub(r"\\([\"`$\\])", r"\1", quoted[1:-1]).replace("%%", "%") == str(program)
    assert section["Icon"] == APP_ID
    assert (shared / expected[1]).read_bytes() == resource("icons/app.svg").read_bytes()
    assert str(shared) in capsys.readouterr().err

    assert run(["install-desktop", "--remove"]) == 0
    assert files(shared) == []
    assert run(["install-desktop", "--remove"]) == 0
    assert "nothing" in capsys.readouterr().err.lower()


@on_linux
def test_a_folder_that_cannot_be_written_is_one_sentence(
    shared: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shared.write_text("a file in its place", encoding="ascii")
    assert run(["install-desktop"]) == 3
    said = capsys.readouterr().err
    assert len(said.splitlines()) == 1
    assert "Traceback" not in said


def test_another_system_is_told_that_it_has_no_such_entries(
    shared: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(install_desktop, "ON_LINUX", False)
    assert run(["install-desktop"]) == 3
    assert "Linux" in capsys.readouterr().err
    assert not shared.exists()


def test_the_entry_names_icon_and_window_of_the_program() -> None:
    """A desktop joins window, entry and icon by these names alone: Wayland by the app id, X11 by the class."""
    text = resource(f"desktop/{APP_ID}.desktop").read_text(encoding="utf-8")
    assert f"\nIcon={APP_ID}\n" in text
    assert "\nStartupWMClass=unified-explorer\n" in text
