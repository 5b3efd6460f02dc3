"""The tour drives the real window and leaves pictures; without a screen it says so in one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from explorer.ui.app import tour, tour_window
from explorer.ui.app.application import missing_screen


def test_the_main_job_is_shown_and_read(
    dressed: QApplication, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tour_window, "_BREATH", 0.01)
    assert tour.run(tmp_path / "shots") == 0
    said = capsys.readouterr().out
    assert "Jobs: 300 rows read, 3 of 3 requests answered" in said
    pictures = sorted((tmp_path / "shots").glob("*.png"))
    names = " ".join(p.name for p in pictures)
    for part in (
        "jobs-light-1440x900",
        "jobs-dark-1024x640",
        "inspector-json",
        "request-detail",
        "failed-page-dark",
    ):
        assert part in names
    for picture in pictures:
        image = QImage(str(picture))
        colours = {
            image.pixel(x, y) for x in range(0, image.width(), 16) for y in range(0, image.height(), 16)
        }
        assert len(colours) > 8, f"{picture.name} is empty"


@pytest.mark.parametrize(
    ("environment", "platform", "said"),
    [
        ({}, "linux", True),
        ({"DISPLAY": ":0"}, "linux", False),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", False),
        ({"QT_QPA_PLATFORM": "offscreen"}, "linux", False),
        ({}, "darwin", False),
        ({}, "win32", False),
    ],
)
def test_a_missing_screen_is_one_sentence(environment: dict[str, str], platform: str, said: bool) -> None:
    assert bool(missing_screen(environment, platform)) is said
