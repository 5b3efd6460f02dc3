"""Keeps the first sight of the next start: a picture of the window's frame, and where its rows stand.

The picture holds parts that are named here and nothing else: menus, sidebar, tabs, the head of a list, the names of its
columns. What was received, counted or typed is not among them (first_sight.py reads the rows from the store).
"""

from __future__ import annotations

import json
import os
import zlib
from datetime import UTC
from typing import Any

from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QLineEdit, QWidget

from explorer.paths import Folders, private_folder, sight_of
from explorer.profiles.book import Profiles
from explorer.ui.app.first_sight import VERSION, identity
from explorer.ui.app.main_window import MainWindow
from explorer.ui.frame.catalog_tree import COUNT
from explorer.ui.kit.theme import colors, theme
from explorer.ui.own_pages import page_resources
from explorer.ui.pages.list.list_page import ListPage
from explorer.ui.records.cells import Reading


def keep(window: MainWindow, folders: Folders, profiles: Profiles) -> None:
    """Write the sight of the profile in use beside its store; where none can be shown, take the old one away.

    A disk that refuses is no reason to stop: the next start then fills its window in.
    """
    profile = window.profile
    if profile is None:
        return
    file = sight_of(folders.data / f"{profile.id}.sqlite3")
    try:
        made = _made(window, folders, profiles)
        if made is None:
            file.unlink(missing_ok=True)
            return
        private_folder(file.parent)
        draft = file.with_suffix(".sight.tmp")
        draft.unlink(missing_ok=True)
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as stream:
            stream.write(made)
        draft.replace(file)
    except OSError:
        return


def _made(window: MainWindow, folders: Folders, profiles: Profiles) -> bytes | None:
    profile, page = window.profile, window.tabs.current
    if profile is None or page is None or window.session is None or not window.isVisible():
        return None
    if all(profile.id != p.id for p in profiles.all()):  # removed meanwhile: nothing of it is to stay
        return None
    _, who = identity(folders, profile.id)
    picture = _picture(window)
    known: dict[str, Any] = {
        "version": VERSION,
        "who": who,
        "connection": profile.connection,
        "first_connection": profiles.get(profile.id).connection,
        "scheme": theme().scheme,
        "page": page.resource.key,
        "size": [window.width(), window.height()],
        "grounds": picture.grounds,
        "pieces": picture.pieces,
        "table": table_of(window, page) if isinstance(page, ListPage) else None,
    }
    return json.dumps(known).encode() + b"\n" + zlib.compress(b"".join(picture.bits), 1)


def table_of(window: QWidget, page: ListPage) -> dict[str, Any] | None:
    """Where the rows of a list stand in the window, and which they are; None when there are none to keep."""
    if page.pull is None or not page.pull.rows or page.question.view is not None or page.looking:
        return None  # filters and order are restored with the page, and the newest pull: its first rows would be others
    table, shown = page.table, set(page.columns.shown())
    columns = [
        (c.field, c.kind, c.summary, table.columnViewportPosition(at), table.columnWidth(at))
        for at, c in enumerate(table.columns, start=1)
        if c.field in shown
    ]
    return {
        "pull": page.pull.stored_id,
        "resource": page.listing.key,
        "room": _flat(_place(window, table.viewport())),
        "numbers": table.columnWidth(0),
        "columns": columns,
        "current": page.question.chosen,
        "zone": _zone(page.columns.reading),
    }


def _zone(reading: Reading) -> str:
    return "received" if reading.zone is None else "utc" if reading.zone is UTC else "local"


class Picture:
    """What may be kept of how the window looks: grounds of one colour, and pieces that are named here."""

    def __init__(self) -> None:
        self.grounds: list[tuple[list[int], str]] = []
        self.pieces: list[tuple[list[int], tuple[int, int]]] = []
        self.bits: list[bytes] = []

    def add(self, place: QRect, piece: QImage) -> None:
        """A piece at its place in the window."""
        if piece.width() and piece.height():
            self.pieces.append((_flat(place), (piece.width(), piece.height())))
            self.bits.append(bytes(piece.constBits()))


def _picture(window: MainWindow) -> Picture:
    model = window.sidebar.model
    entries = {key: model.index_of(key) for key in page_resources(window.registry)}
    counts = {key: index.data(COUNT) or 0 for key, index in entries.items() if index.isValid()}
    model.set_counts({})
    whole = window.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    model.set_counts(counts)
    ratio = whole.devicePixelRatio()
    made = Picture()
    made.grounds.append((_flat(window.rect()), colors().window))
    for ground in _grounds(window):
        place = _place(window, ground)
        made.grounds.append((_flat(place), _ground(whole, place).name()))
    for part, without in _parts(window):
        place = _place(window, part)
        piece = whole.copy(_scaled(place, ratio))
        piece.setDevicePixelRatio(1)
        painter = QPainter(piece)
        for each in without:
            if each.isVisible():
                field = isinstance(each, QLineEdit)  # its frame stays
                blank = _place(window, each).adjusted(*((4, 4, -4, -4) if field else (0, 0, 0, 0)))
                color = _ground(whole, blank if field else place)
                painter.fillRect(_scaled(blank.translated(-place.topLeft()), ratio), color)
        painter.end()
        made.add(place, piece)
    for place in _edges(window):
        made.add(place, whole.copy(_scaled(place, ratio)))
    return made


def _edges(window: MainWindow) -> list[QRect]:
    """The lines of one pixel between the panels."""
    side, log, beside = (_place(window, part) for part in (window.side, window.log, window.beside.frame))
    return [
        QRect(side.right() + 1, side.top(), 1, side.height()),
        QRect(log.left(), log.top() - 1, log.width(), 1),
        QRect(beside.left() - 1, beside.top(), 1, beside.height() if window.beside.frame.isVisible() else 0),
    ]


def _grounds(window: MainWindow) -> list[QWidget]:
    page = window.tabs.current
    found: list[QWidget] = [window.tabs, window.log, window.status]
    if page is not None:
        found.append(page)
    if isinstance(page, ListPage):
        found += [page.head, page.tools, page.table.viewport()]
    return [each for each in (*found, window.beside.frame) if each.isVisible()]


def _parts(window: MainWindow) -> list[tuple[QWidget, list[QWidget]]]:
    """What is kept, and what within it is not."""
    bar = window.menuBar()
    parts: list[tuple[QWidget, list[QWidget]]] = [(window.sidebar, []), (window.tabs.bar, [])]
    if not bar.isNativeMenuBar():
        parts.append((bar, []))
    page = window.tabs.current
    if isinstance(page, ListPage):
        tools = page.tools
        query, extra = page.head.asked()
        if not query and not extra:
            parts.append((page.head, []))
        if page.question.view is None and not page.tools.finder.field.text():
            parts.append((tools, [tools.count, tools.line, tools.hint, tools.finder.field]))
            parts.append((page.table.horizontalHeader(), []))
    return [(part, without) for part, without in parts if part.isVisible()]


def _place(window: QWidget, part: QWidget) -> QRect:
    return QRect(part.mapTo(window, QPoint(0, 0)), part.size())


def _scaled(place: QRect, ratio: float) -> QRect:
    return QRect(*(round(v * ratio) for v in _flat(place)))


def _ground(image: QImage, place: QRect) -> QColor:
    corner = _scaled(place, image.devicePixelRatio()).topLeft() + QPoint(1, 1)
    return image.pixelColor(corner) if image.valid(corner) else colors().color("window")


def _flat(place: QRect) -> list[int]:
    return [place.x(), place.y(), place.width(), place.height()]
