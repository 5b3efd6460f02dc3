"""The zoom: chosen by keys, kept, and in force for everything from the next start, which one button makes now."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from explorer.paths import Folders, private_folder
from explorer.ui.app.application import Application
from explorer.ui.app.zoom import STEPS, kept_zoom
from explorer.ui.frame.layout import VERSION
from tests.forked import WINDOWS
from tests.gui.conftest import RunWindow, dressed, folders, run_window, until
from tests.house.sources import ROOT

__all__ = ["dressed", "folders", "run_window"]

STARTED = """
import os, sys
from explorer.cli import window
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

def told(stage):
    if stage == "ready":
        found = next(w for w in QApplication.topLevelWidgets() if w.inherits("QMainWindow"))
        print(found.devicePixelRatio(), os.environ.get("QT_SCALE_FACTOR"), QApplication.font().pointSizeF())
        if sys.argv[2] == "again":
            from explorer.ui.app.zoom import start_again
            start_again(found)
        else:
            found.close()

window.start_again = lambda home: print("again", home)
sys.exit(window.open_window(window.read_window_arguments(["--home", sys.argv[1]]), told))
"""


def started(home: Path, then: str = "close") -> list[str]:
    """What a start in a process of its own says of its window."""
    done = subprocess.run(
        WINDOWS.quick([sys.executable, "-c", STARTED, str(home), then]),
        cwd=ROOT, check=False, capture_output=True, text=True, timeout=240,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize(("kept", "ratio"), [(150, "1.5"), (None, "1.0"), ("wide", "1.0"), (10_000, "1.0")])
def test_the_zoom_that_was_kept_scales_the_window_and_nothing_that_it_starts(
    own_home: Path, folders: Folders, kept: object, ratio: str
) -> None:
    values = {"version": VERSION, "values": {"zoom": kept}}
    (private_folder(folders.state) / "layout.json").write_text(json.dumps(values))
    [said] = started(own_home)
    assert said.split()[:2] == [ratio, "None"]


def test_starting_again_ends_in_order_and_then_starts(own_home: Path) -> None:
    assert started(own_home, "again")[1:] == [f"again {own_home}"]


def test_the_keys_choose_a_step_and_one_notice_says_when_it_holds(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        window = app.window
        await until(lambda: window.context is not None, "the session")
        control = Qt.KeyboardModifier.ControlModifier
        for key, zoom in (
            (Qt.Key.Key_Plus, 125), (Qt.Key.Key_Plus, 150), (Qt.Key.Key_Plus, 200), (Qt.Key.Key_Plus, 200),
            (Qt.Key.Key_Minus, 150),
        ):  # fmt: skip
            QTest.keyClick(window, key, control)
            assert window.kept.get("zoom") == zoom
            [banner] = window.strip.banners()
            assert f"{zoom} %" in banner.title
            assert [button.text() for button in banner.buttons()] == ["Start again now"]
        QTest.keyClick(window, Qt.Key.Key_0, control)
        assert window.kept.get("zoom") == 100
        [banner] = window.strip.banners()
        assert banner.buttons() == [], "it is what the window has"
        titles = [action.text() for action in window.menus.menu("View").actions()]
        assert {"Zoom in", "Zoom out", "Zoom 100 %"} <= set(titles)

    assert run_window(body) == 0


def test_a_start_that_unfinished_work_held_back_is_forgotten(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        window = app.window
        await until(lambda: window.context is not None, "the session")
        window.unfinished.holds_window = lambda: True  # type: ignore[method-assign]
        window.again = True
        window.close()
        assert not window.again
        del window.unfinished.holds_window

    assert run_window(body) == 0


def test_only_steps_are_kept() -> None:
    assert [kept_zoom(step) for step in STEPS] == list(STEPS)
    others: tuple[object, ...] = (110, None, "150", True, [])
    assert {kept_zoom(other) for other in others} == {100}
