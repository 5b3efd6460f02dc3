"""A tour through the real window, on its real sandbox: pictures of it, and what it read, for those without a screen.

Clicks and keys are real Qt events. It ends with 0, or with 3 when the window does not come to what it should show.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QAbstractItemModel, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QApplication, QDialog, QTabBar, QTableView, QWidget

from explorer.api.exchange import Exchange
from explorer.paths import HOME_VARIABLE, Folders
from explorer.ui.app.application import CANNOT_START, Application, application, missing_screen, run_with
from explorer.ui.kit.notices import OUR_FAULT, Notice
from explorer.ui.kit.tasks import Tasks
from explorer.ui.kit.theme import Choice, theme

FIRST = "ats/job"
CLEAN, MESSY = "conn_sandbox_clean", "conn_sandbox_messy"
_PAGES = 3
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


LOOKS = Looks()


class TourFault(Exception):
    """The window did not come to what it should show; the text says what."""


def run(folder: Path) -> int:
    """Write pictures of the window's main job into ``folder`` and say on standard output what was read.

    Returns the exit code: 0, or 3 when there is no screen or no data.
    """
    if sentence := missing_screen(os.environ):
        sys.stderr.write(sentence + "\n")
        return CANNOT_START
    return take(application(), lambda folders: Tour(folder, folders, LOOKS))


def take(app: QApplication, make: Callable[[Folders], Tour]) -> int:
    """Take a tour. The home is a temporary one unless UNIFIED_EXPLORER_HOME names one. Returns the exit code."""
    with _home() as home:
        try:
            return run_with(app, lambda: make(Folders.of_user(home)).main())
        except TourFault as fault:
            sys.stderr.write(f"{fault}\n")
            return CANNOT_START


@contextmanager
def _home() -> Iterator[str]:
    if given := os.environ.get(HOME_VARIABLE):
        yield given
        return
    with tempfile.TemporaryDirectory(prefix="unified-explorer-tour-") as made:
        yield made


class Tour:
    """A tour through the program's window: its main job, and what it shows of failures."""

    def __init__(self, folder: Path, folders: Folders, looks: Looks) -> None:
        """``folder``: where pictures are written. ``folders``: the user's, for the program."""
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._looks = looks
        self._app = Application(folders)
        self._window = self._app.window
        self._raised: list[BaseException] = []
        self._walking = Tasks(self._window, self._raised.append)
        """What the tour itself has under way."""
        self._number = self._faults = 0
        self.written: list[Path] = []

    async def main(self) -> int:
        """Takes the tour, then closes the window as a user would."""
        self._first_look()
        self._app.notices.posted.connect(self._told)
        self._walking.changed.connect(lambda _, busy: busy or self._window.close())
        self._walking.start("tour", self._walk())
        code = await self._app.main()
        if self._raised:
            raise self._raised[0]
        self._log(f"{len(self.written)} pictures in {self._folder}")
        return code

    async def _walk(self) -> None:
        for part in self.parts():
            await part()
        if self._faults:
            raise TourFault(f"{OUR_FAULT}: the log says what")

    def parts(self) -> Sequence[Callable[[], Awaitable[None]]]:
        """What is looked at, one after the other."""
        return self._main_job, self._failures

    async def _main_job(self) -> None:
        await self._until(lambda: self._rows() > 0, "the first rows of Jobs did not come")
        await self._shot("jobs-first-page")
        table = self._table()
        for page in range(2, _PAGES + 1):
            before = self._rows()
            table.setFocus()
            await self._until(partial(self._steps_beyond, table, before), f"page {page} did not come")
        QTest.keyClick(table, Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
        index = table.model().index(1, 1)
        table.scrollTo(index)
        at = table.visualRect(index).center()
        QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
        await self._until(lambda: self._window.inspector.view is not None, "the inspector did not follow")
        await self._each_look("jobs")
        await self._inspector_tabs()
        await self._log_detail()
        await self._dialog("palette", self._open_palette)
        self._report()

    def _steps_beyond(self, table: QAbstractItemView, rows: int) -> bool:
        QTest.keyClick(table, Qt.Key.Key_PageDown)
        return self._rows() > rows

    async def _inspector_tabs(self) -> None:
        for bar in self._window.inspector.findChildren(QTabBar):
            for at in range(bar.count()):
                rect = bar.tabRect(at).center()
                QTest.mouseClick(bar, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, rect)
                if bar.tabText(at) == "Mapping":
                    await self._until(self._mapped, "the mapping did not come")
                await self._shot(f"inspector-{bar.tabText(at)}")
            bar.setCurrentIndex(0)

    async def _log_detail(self) -> None:
        dialog = self._window.requests.open_detail()
        if dialog is None:
            raise TourFault("the request log is empty")
        await self._shot("request-detail", dialog)
        dialog.close()

    def _mapped(self) -> bool:
        mapping = self._window.inspector.mapping
        return mapping is not None and bool(mapping.model.rows)

    async def _connect(self, connection: str) -> None:
        """Another connection of the sandbox, with its session open."""
        self._app.switch_connection(connection)
        await self._until(lambda: self._app.session is not None, f"{connection} did not open")

    async def _failures(self) -> None:
        """A list that goes round in circles, then a service that is gone in the middle of a pull."""
        await self._connect(MESSY)
        self._window.open_page(FIRST)
        await self._until(lambda: self._rows() > 0, "no rows of the messy connection came")
        self._run("request.load_all")
        await self._until(lambda: self._state() in ("stopped", "failed", "complete"), "the pull did not end")
        await self._shot("stopped-page")
        await self._connect(CLEAN)
        self._window.open_page("file-storage/file")
        await self._until(lambda: self._rows() > 0 and self._state() == "ready", "no rows of Files came")
        await self._app.stop_sandbox()
        self._run("request.load_all")
        await self._until(lambda: self._state() == "failed", "the failure was not shown")
        for _ in self._each_scheme():
            await self._shot("failed-page")
        self._log(f"With the service gone the page says: {self._window.status.words()}")

    def _report(self) -> None:
        session = self._app.session
        if session is None:
            return
        exchanges = self._exchanges()
        answered = sum(1 for e in exchanges if e.state == "answered")
        self._log(f"Profile {session.profile.name}, connection {session.connection}")
        self._log(f"Jobs: {self._rows():,} rows read, {answered} of {len(exchanges)} requests answered")
        for exchange in exchanges:
            took = f"{exchange.elapsed_ms:.0f} ms" if exchange.elapsed_ms is not None else "no time"
            said = f"{exchange.status or exchange.state} {exchange.method} {exchange.path[:72]}"
            self._log(f"  {said}  {exchange.summary}, {took}")
        self._log(f"The status bar says: {self._window.status.words()}")

    # ------------------------------------------------------------ the window

    def _told(self, notice: Notice) -> None:
        if notice.title == OUR_FAULT:
            self._faults += 1

    def _exchanges(self) -> Sequence[Exchange]:
        return self._app.session.exchanges.all() if self._app.session is not None else ()

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
