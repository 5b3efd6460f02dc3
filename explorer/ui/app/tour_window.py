"""The window of a tour: keys and clicks as real Qt events, waiting until something is shown, and pictures of it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QAbstractItemModel, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QTableView, QWidget

from explorer.api.exchange import Exchange
from explorer.paths import Folders
from explorer.ui.app.application import Application
from explorer.ui.kit.notices import OUR_FAULT, Notice
from explorer.ui.kit.tasks import Tasks
from explorer.ui.kit.theme import Choice, theme
from explorer.ui.page import Page

P = TypeVar("P", bound=Page)
_PATIENCE = 30.0
"""Seconds without any work under way after which what is waited for does not come any more."""
_AT_WORK = 10
"""So many times as long where work is under way: a bundle takes a minute on a machine with much else to do."""
_LOOK = 0.02
"""Seconds between two looks at whether what is waited for has come."""
_BREATH = 0.12
"""Seconds for what is drawn in the next turns of the loop, before a picture is taken."""


@dataclass(frozen=True)
class Looks:
    """In which looks a tour shows each page."""

    sizes: tuple[tuple[int, int], ...] = ((1440, 900), (1024, 640))
    """Width and height of the window, in Qt's pixels: what a scale makes of them is on top."""
    schemes: tuple[Choice, ...] = ("light", "dark")
    points: float = 0
    """The size of the type; 0: the system's."""
    scale: int = 100
    """Per cent, as the zoom has it."""


LOOKS = Looks()


class TourFault(Exception):
    """The window did not come to what it should show; the text says what."""


class TourWindow:
    """The program's window, and what a tour does with it at each of its places."""

    def __init__(self, folder: Path, folders: Folders, looks: Looks) -> None:
        """``folder``: where pictures are written. ``folders``: the user's, for the program."""
        self._folder = folder
        self._looks = looks
        self._app = Application(folders)
        self._window = self._app.window
        self._raised: list[BaseException] = []
        self._walking = Tasks(self._window, self._raised.append)
        """What the tour itself has under way."""
        self._number = self._faults = 0
        self.written: list[Path] = []

    def _told(self, notice: Notice) -> None:
        if notice.title == OUR_FAULT:
            self._faults += 1

    def _exchanges(self) -> Sequence[Exchange]:
        return self._app.session.exchanges.all() if self._app.session is not None else ()

    def _front(self, kind: type[P]) -> P:
        """The page in front. Raises TourFault for one of another kind."""
        page = self._window.tabs.current
        if not isinstance(page, kind):
            raise TourFault(f"no {kind.__name__} is in front")
        return page

    async def _each_look(self, name: str, first: Callable[[], object] = lambda: None) -> None:
        first()
        for _ in self._each_scheme():
            for size in self._looks.sizes:
                self._window.resize(*size)
                await self._shot(name)

    def _each_scheme(self) -> Iterator[None]:
        """One turn in each scheme; the first look comes back behind the last."""
        for scheme in self._looks.schemes:
            theme().choose(scheme)
            yield
        self._first_look()

    async def _dialog(self, name: str, show: Callable[[], object], end: Qt.Key = Qt.Key.Key_Escape) -> None:
        """Pictures of the dialog that ``show`` opens; ``end`` is the key that it is left with."""
        show()
        await asyncio.sleep(_BREATH)
        for _ in self._each_scheme():
            shown = self._dialog_shown()
            await self._shot(name, shown)
        shown = self._dialog_shown()
        if shown is None:
            QTest.keyClick(self._window.palette_.field, Qt.Key.Key_Escape)
        else:
            QTest.keyClick(shown, end)
        await asyncio.sleep(0)

    def _open_palette(self) -> None:
        QTest.keyClick(self._window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
        if not self._window.palette_.isVisible():
            # Without a window manager the window may not be active, and shortcuts need that.
            self._window.show_palette()

    def _dialog_shown(self) -> QDialog | None:
        found = [d for d in self._window.findChildren(QDialog) if d.isVisible()]
        return found[-1] if found else None

    def _run(self, command: str) -> None:
        if not self._window.commands.run(command):
            raise TourFault(f"{command} could not be used")

    def _table(self) -> QTableView:
        page = self._window.tabs.current
        table = page.findChild(QTableView) if page is not None else None
        if not isinstance(table, QTableView):
            raise TourFault("there is no table in front")
        return table

    def _model(self) -> QAbstractItemModel | None:
        page = self._window.tabs.current
        table = page.findChild(QTableView) if page is not None else None
        return table.model() if isinstance(table, QTableView) else None

    def _rows(self) -> int:
        model = self._model()
        return model.rowCount() if model is not None else 0

    def _state(self) -> str:
        pull = getattr(self._window.tabs.current, "pull", None)
        return str(getattr(pull, "state", ""))

    def _first_look(self) -> None:
        theme().choose(self._looks.schemes[0])
        self._window.resize(*self._looks.sizes[0])

    async def _until(self, holds: Callable[[], object], fault: str) -> None:
        left = looks = int(_PATIENCE / _LOOK)
        for _ in range(looks * _AT_WORK):
            if holds():
                return
            await asyncio.sleep(_LOOK)
            left = looks if self._works() else left - 1
            if not left:
                break
        said = "; ".join(b.title for b in self._window.strip.banners())
        raise TourFault(f"The tour ended early: {fault}. {said}".strip())

    def _works(self) -> bool:
        owners = (tasks for tasks in self._window.findChildren(Tasks) if tasks is not self._walking)
        return any(tasks.busy() for tasks in owners)

    async def _shot(self, name: str, widget: QWidget | None = None) -> None:
        shown = widget or self._window
        await asyncio.sleep(_BREATH)
        self._number += 1
        size = f"{shown.width()}x{shown.height()}"
        label = name.lower().replace(" ", "-")
        path = self._folder / f"{self._number:03d}-{label}-{theme().scheme}-{size}.png"
        if not shown.grab().save(str(path)):
            raise TourFault(f"The picture {path.name} could not be written.")
        self.written.append(path)

    def _log(self, line: str) -> None:
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
