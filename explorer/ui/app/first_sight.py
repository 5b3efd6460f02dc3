"""What the window shows before the program is imported: its own frame as it stood last, and the rows from the store.

Beside each profile's store lies a picture of the window without anything in it that was received: no row, no count, no
record, no call. It is shown only to the profile and connection that it was taken of, at the same size and in the same
colours; else the window shows its bare ground. The rows in it are read from the store at that moment, so a row that is
seen here is a row on the disk.

Imported before all else: Qt's widgets and what costs nothing, which Qt's own name space of enumerations is not
(tests/mirror/ui/app/test_first_sight.py looks).
"""

from __future__ import annotations

import json
import sys
import zlib
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Signal
from PySide6.QtGui import QGuiApplication, QImage, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from explorer.paths import Folders, sight_of
from explorer.ui.app.main_window import MainWindow

if TYPE_CHECKING:
    from explorer.ui.frame.layout import Layout
    from explorer.ui.records.first_rows import FirstRows

VERSION = 1
_IDENTITY = ("name", "environment", "base_url", "connection", "guard")
_PATIENCE = 64
"""Keys and clicks that are kept for the window that comes; more than that is no work of hands."""
_TURNS = 4
"""Turns of the loop in which a page that was opened takes its rows, fits its columns and lays itself out."""
_BYTES = 2**28
_SIDEBAR = 232
_STATUS = 26
_GROUNDS = {"light": ("#F5F6F8", "#ECEEF2"), "dark": ("#14171C", "#171A20")}
"""Window and sidebar, as the theme has them; it is not imported yet (a test compares them)."""


class Kept:
    """One kept first sight: what is known of it, and its picture: grounds of one colour, and pieces upon them.

    Raises LookupError, TypeError or ValueError when it is none that `sight_keeping.keep` wrote.
    """

    def __init__(self, profile: str, known: dict[str, Any], packed: bytes) -> None:
        self.profile, self.known = profile, known
        self.size = tuple(known["size"])
        self._grounds = [(QRect(*place), _plain(str(color))) for place, color in known["grounds"]]
        whole = sum(width * height * 4 for _, (width, height) in known["pieces"])
        if not 0 <= whole <= _BYTES:
            raise ValueError(whole)
        opener = zlib.decompressobj()
        self._bits = opener.decompress(packed, whole + 1)
        if len(self._bits) != whole:
            raise ValueError(whole)
        self._pieces: list[tuple[QRect, QImage]] = []
        at = 0
        for place, (width, height) in known["pieces"]:
            bits = self._bits[at : at + width * height * 4]
            image = QImage(bits, width, height, width * 4, QImage.Format.Format_RGB32).copy()
            self._pieces.append((QRect(*place), image))
            at += len(bits)

    def paint(self, painter: QPainter) -> None:
        """Onto the window, whose whole area ``painter`` covers."""
        for place, image in (*self._grounds, *self._pieces):
            painter.drawImage(place, image)


def _plain(color: str) -> QImage:
    """One pixel of ``#RRGGBB``. Stretched it fills a ground; a brush would first load every enumeration of Qt."""
    red, green, blue = bytes.fromhex(color[1:])
    order = (blue, green, red, 255) if sys.byteorder == "little" else (255, red, green, blue)
    return QImage(bytes(order), 1, 1, 4, QImage.Format.Format_RGB32).copy()


def identity(folders: Folders, wanted: str | None) -> tuple[str, dict[str, Any]]:
    """Id of the profile that opens, and what its first sight depends on; ('', {}) when nobody can say.

    It reads what `Profiles` writes, without its models: a wrong guess here shows nothing.
    """
    try:
        book = json.loads((folders.config / "profiles.json").read_bytes())
        entries = {e["id"]: e for e in book["profiles"]}
    except FileNotFoundError:
        book, entries = {}, {}
    except (OSError, ValueError, LookupError, TypeError):
        return "", {}
    chosen = wanted if wanted is not None else book.get("last_used") or "sandbox"
    if chosen not in entries and wanted is not None:
        named = [i for i, e in entries.items() if str(e.get("name")).casefold() == wanted.strip().casefold()]
        chosen = named[0] if named else chosen.strip().lower()
    if chosen not in entries:
        chosen = "sandbox" if wanted is None else chosen
        if chosen != "sandbox":
            return "", {}
    entry = entries.get(chosen, {})
    return chosen, {name: entry.get(name) for name in _IDENTITY}


def read(folders: Folders, wanted: str | None, connection: str | None, layout: Layout) -> Kept | None:
    """The sight of the profile and connection that are about to open, or None."""
    profile, who = identity(folders, wanted)
    if not profile:
        return None
    try:
        data = sight_of(folders.data / f"{profile}.sqlite3").read_bytes()
        head, _, packed = data.partition(b"\n")
        known = json.loads(head)
        if known["version"] != VERSION or known["who"] != who or known["scheme"] != scheme(layout):
            return None
        if known["connection"] != (connection or known["first_connection"]):
            return None
        front = layout.get(f"tabs@{profile}")
        if not isinstance(front, dict) or front.get("front") != known["page"]:
            return None
        return Kept(profile, known, packed)
    except (OSError, ValueError, LookupError, TypeError, zlib.error):
        return None


def scheme(layout: Layout) -> str:
    """The scheme that will be in force; where the system decides, by the ground it gives to windows (see `dressed`)."""
    kept = layout.get("theme")
    if kept in _GROUNDS:
        return str(kept)
    return "dark" if QGuiApplication.palette().window().color().lightness() < 128 else "light"


class FirstSight(QWidget):
    """Lies over the whole window until what it stands for is there, then over its middle, then it goes."""

    painted = Signal()

    def __init__(self, window: QWidget, kept: Kept | None, ground: str) -> None:
        super().__init__(window)
        self.setAccessibleName("Opening")
        self.kept = kept
        self.keys: list[QKeyEvent] = []
        self.clicks: list[QPoint] = []
        self.rows: FirstRows | None = None
        self._window = window
        self._ground = ground
        self._narrow: QWidget | None = None
        window.installEventFilter(self)
        self.setGeometry(window.rect())

    def listen(self) -> None:
        """From now on keys and clicks are kept for the window that comes, and what lies below is not painted."""
        from PySide6.QtCore import (
            Qt,
        )  # some of the dearest milliseconds before the first paint, if it stood at the top

        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFocus()

    def dressed(self, ground: str) -> None:
        """The theme is there and says which scheme it is: a sight of the other is not shown any longer."""
        if ground != self._ground:
            self._ground, self.kept = ground, None
            self.update()

    @property
    def fits(self) -> bool:
        """Whether the kept picture is of a window of this size."""
        return self.kept is not None and self.kept.size == (self._window.width(), self._window.height())

    def narrow(self, middle: QWidget) -> None:
        """Everything around ``middle`` is there: lie over that alone."""
        self._narrow = middle
        middle.installEventFilter(self)
        self._place()

    def _place(self) -> None:
        middle = self._narrow
        if middle is None:
            self.setGeometry(self._window.rect())
        else:
            self.setGeometry(QRect(middle.mapTo(self._window, middle.rect().topLeft()), middle.size()))
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.ChildAdded):
            self._place()
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if len(self.keys) < _PATIENCE:
            self.keys.append(event.clone())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        from PySide6.QtCore import Qt

        if self.fits and event.button() == Qt.MouseButton.LeftButton and len(self.clicks) < _PATIENCE:
            self.clicks.append(self.mapTo(self._window, event.position().toPoint()))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.translate(-self.x(), -self.y())
        if self.fits and self.kept is not None:
            self.kept.paint(painter)
            if self.rows is not None:
                self.rows.paint(painter)
        else:
            self._bare(painter)
        painter.end()
        self.painted.emit()

    def _bare(self, painter: QPainter) -> None:
        window, side = (_plain(color) for color in _GROUNDS[self._ground])
        whole = self._window.rect()
        painter.drawImage(whole, window)
        painter.drawImage(QRect(0, 0, _SIDEBAR, whole.height()), side)
        painter.drawImage(QRect(0, whole.height() - _STATUS, whole.width(), _STATUS), side)


class Opened:
    """A window that shows and is not furnished yet: what the program that comes after it is given."""

    def __init__(
        self, window: MainWindow, layout: Layout, sight: FirstSight, told: Callable[[str], object]
    ) -> None:
        self.window, self.layout, self.sight = window, layout, sight
        self.closed = False
        """The user closed it already."""
        self.later: Sequence[str] = ()
        """Modules that the first page needs, and the window does not."""
        self.aside: Collection[str] = ()
        """Modules that may be imported in a thread."""
        self._told = told
        window.closing.connect(self._close)

    def _close(self) -> None:
        self.closed = True

    def tell(self, stage: str) -> None:
        """The start came so far: ``shown``, ``rows``, ``ready``."""
        self._told(stage)

    async def load(self, modules: Sequence[str]) -> None:
        """Import them one by one; the loop turns in between, and a close ends it."""
        import asyncio
        from importlib import import_module

        from explorer.ui.kit.tasks import in_thread

        for name in modules:
            await asyncio.sleep(0)
            if self.closed:
                return
            if name in self.aside:
                await in_thread(import_module, name)
            else:
                import_module(name)

    def furnished(self) -> None:
        """Everything but the page is in its place and can be used."""
        self.sight.narrow(self.window.tabs)

    async def shown(self) -> None:
        """The page has been opened: let it lay itself out, then take the sight away."""
        import asyncio

        for _ in range(_TURNS):
            await asyncio.sleep(0)
        self.lift()

    def lift(self) -> None:
        """Take the sight away; what was typed and clicked on it reaches what stands there now."""
        from explorer.ui.app.first_input import pass_on

        self.sight.hide()
        pass_on(self.window, self.sight.keys, self.sight.clicks)
        self.sight.deleteLater()
        self.tell("ready")
