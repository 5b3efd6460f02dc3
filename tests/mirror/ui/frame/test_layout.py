"""The layout file: whole or not at all, and never a reason not to start."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from explorer.ui.frame.layout import Layout


def test_what_is_kept_comes_back(qapp: QApplication, tmp_path: Path) -> None:
    layout = Layout(tmp_path / "state")
    layout.set("theme", "dark")
    layout.set("ats/job/columns", {"id": 90})
    layout.save()
    again = Layout(tmp_path / "state")
    assert again.get("theme") == "dark"
    assert again.get("ats/job/columns") == {"id": 90}
    assert again.get("nothing", 7) == 7
    again.forget("ats/")
    assert again.get("ats/job/columns") is None
    assert [p.name for p in (tmp_path / "state").iterdir()] == ["layout.json"]


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"version": 99, "values": {}}', '{"version": 1, "values": 3}', "\0"]
)
def test_a_damaged_or_newer_file_is_set_aside(qapp: QApplication, tmp_path: Path, text: str) -> None:
    (tmp_path / "layout.json").write_text(text, encoding="utf-8")
    layout = Layout(tmp_path)
    assert layout.set_aside is not None
    assert layout.set_aside.read_text(encoding="utf-8") == text
    layout.set("a", 1)
    layout.save()
    assert json.loads((tmp_path / "layout.json").read_text(encoding="utf-8"))["values"] == {"a": 1}


def test_a_disk_that_refuses_stops_nothing(
    qapp: QApplication, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "state").write_text("a file where the folder should be")
    layout = Layout(tmp_path / "state")
    layout.set("a", 1)
    layout.save()
    assert "could not be kept" in caplog.text
    assert layout.get("a") == 1


def test_a_value_that_is_no_json_leaves_the_old_file_whole(qapp: QApplication, tmp_path: Path) -> None:
    layout = Layout(tmp_path)
    layout.set("a", 1)
    layout.save()
    layout.set("a", object())
    with pytest.raises(TypeError):
        layout.save()
    assert json.loads((tmp_path / "layout.json").read_text(encoding="utf-8"))["values"] == {"a": 1}
    assert len(list(tmp_path.iterdir())) == 1
    layout.set("a", 2)
