"""The real window for the tests of its pages: on Qt's loop, on a real sandbox, in a home of the test's own."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication

from explorer.paths import Folders
from explorer.sandbox.process import SandboxProcess
from explorer.ui.app.application import Application, application
from explorer.ui.kit.theme import theme
from tests.gui.stage import live, run_loop, until

__all__ = ["Body", "RunWindow", "dressed", "folders", "run_window", "service", "until"]

Body = Callable[[Application], Awaitable[None]]
RunWindow = Callable[..., int]
SIZE = (1440, 900)
"""The window's room on a usual screen; the one that there is offscreen has 800 × 800 pixels."""


@pytest.fixture
def folders(own_home: Path) -> Folders:
    """The per-user folders of this test."""
    return Folders.of_user(own_home)


@pytest.fixture
def dressed(qapp: QApplication) -> Iterator[QApplication]:
    """The QApplication in the program's own look, light."""
    app = application()
    theme().install("light")
    yield app
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def run_window(dressed: QApplication, folders: Folders) -> RunWindow:
    """Runs the program's whole life around an async body: opens the window, runs the body, closes the window."""

    def run(
        body: Body, profile: str | None = None, connection: str | None = None, *, fault_wanted: bool = False
    ) -> int:
        async def life() -> int:
            app = Application(folders, profile, connection)
            app.window.resize(*SIZE)
            theme().choose("light")
            return await live(app, body, fault_wanted=fault_wanted)

        return run_loop(dressed, life)

    return run


@pytest.fixture(scope="session")
def service() -> Iterator[SandboxProcess]:
    """A service that the program has not started itself: the same sandbox, reached by address and key."""
    process = SandboxProcess.start()
    yield process
    process.stop()
