"""The per-user folders and the bundled resources."""

from __future__ import annotations

import stat
import sys
from pathlib import Path

import pytest

from explorer.paths import HOME_VARIABLE, Folders, private_folder, resource


def test_home_moves_every_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """--home wins over the variable, and the variable over the platform's own places."""
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "by variable"))
    by_variable = Folders.of_user()
    by_option = Folders.of_user(tmp_path / "by option")
    for folder in (by_variable.config, by_variable.data, by_variable.state):
        assert folder.is_relative_to(tmp_path / "by variable")
    assert by_option.config == tmp_path / "by option" / "config"


def test_platform_places_differ_from_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings, data and state are three folders on every platform, also where the platform has one for all."""
    monkeypatch.delenv(HOME_VARIABLE, raising=False)
    folders = Folders.of_user()
    assert len({folders.config, folders.data, folders.state}) == 3


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no modes")
def test_a_private_folder_is_for_this_user_alone(tmp_path: Path) -> None:
    """What is kept may hold customers' data."""
    made = private_folder(tmp_path / "a" / "b")
    assert stat.S_IMODE(made.stat().st_mode) == 0o700


def test_resources_are_found_in_a_checkout() -> None:
    """A bundled file is a real file."""
    assert resource("connector_names.txt").is_file()
