"""The tour drives the real window and leaves pictures; without a screen it says so in one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from explorer.cli.exits import Exit
from explorer.ui.app import tour
from explorer.ui.app.application import missing_screen
from tests.gui import sheet, shots


def test_the_main_job_is_shown_and_read(
    dressed: QApplication, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tour, "_BREATH", 0.01)
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


def test_pictures_of_two_folders_stand_side_by_side(dressed: QApplication, tmp_path: Path) -> None:
    for folder, names in (
        ("before", ("001-home", "002-jobs")),
        ("after", ("001-new", "003-home", "004-jobs")),
    ):
        (tmp_path / folder).mkdir()
        for name in names:
            picture = QImage(300, 200, QImage.Format.Format_RGB32)
            picture.fill("#ffffff" if folder == "before" else "#000000")
            picture.save(str(tmp_path / folder / f"{name}.png"))
    both, one = tmp_path / "both.png", tmp_path / "one.png"
    assert sheet.main([str(both), str(tmp_path / "before"), str(tmp_path / "after"), "--width", "90"]) == 0
    assert sheet.main([str(one), str(tmp_path / "before"), "--width", "90", "--only", "jobs"]) == 0
    made = QImage(str(both))
    columns = [made.pixelColor(x, 50).name() for x in (50, 150)]
    assert columns == ["#ffffff", "#000000"], "before, then after"
    assert made.height() > 2 * QImage(str(one)).height()


@pytest.mark.parametrize(
    "look", [("--size", "large"), ("--theme", "grey"), ("--scale", "5"), ("--type", "-1")]
)
def test_a_look_of_the_pictures_that_is_none_is_refused(
    look: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        shots.main([str(tmp_path / "shots"), *look])
    assert ended.value.code == Exit.USAGE
    said = capsys.readouterr().err
    assert all(word in said for word in look)
    assert not (tmp_path / "shots").exists()


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
