"""The first size of the window follows the screen."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication, QMainWindow

from explorer.ui.app.window_layout import first_size, place
from explorer.ui.frame.layout import Layout

TITLE_BAR = 40
"""Pixels that no system's title bar exceeds at 100 %."""


@pytest.mark.parametrize(
    ("room", "size"),
    [
        ((1920, 1040), (1440, 900)),
        ((1440, 900), (1424, 852)),
        ((1440, 868), (1424, 820)),
        ((1024, 768), (1008, 720)),
    ],
)
def test_a_screen_has_room_for_the_window_and_its_frame(room: tuple[int, int], size: tuple[int, int]) -> None:
    assert first_size(QSize(*room)).toTuple() == size


def test_the_first_window_stands_within_its_screen_with_its_title_bar(
    qapp: QApplication, tmp_path: Path
) -> None:
    window = QMainWindow()
    place(window, Layout(tmp_path))
    window.show()
    room = window.screen().availableGeometry()
    assert window.width() <= room.width()
    assert window.height() + TITLE_BAR <= room.height()
    assert room.contains(window.frameGeometry())
    window.close()
