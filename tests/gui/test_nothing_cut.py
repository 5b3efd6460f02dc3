"""What every page keeps to in a small window: no words cut, and its main button in sight, in large type too."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from functools import partial

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QCheckBox,
    QHeaderView,
    QPushButton,
    QRadioButton,
    QScrollBar,
    QWidget,
)

from explorer.ui.app.application import Application
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.kit.rows_table import RowsTable
from explorer.ui.kit.theme import theme
from explorer.ui.own_pages import HOME, INTERFACE, page_resources
from explorer.ui.pages.list.list_page import ListPage
from tests.gui.conftest import RunWindow, until
from tests.gui.laid_out import faults

_SIDEWAYS = 900
"""Pixels of a window's width from which on no page is wider than its room, whatever the type."""
_TURNS = 200
"""Turns of the loop within which a page is laid out."""


def cut(root: QWidget) -> Iterator[str]:
    """What is shown below ``root`` without all of its words. A label that leaves out whole parts cuts none."""
    for one in root.findChildren(QWidget):
        if one.isVisible():
            yield from _cut(one)


def _cut(one: QWidget) -> Iterator[str]:
    if isinstance(one, PlainLabel):
        if one.shown().endswith("…") and not one.whole().endswith("…"):
            yield f"label {one.whole()!r} as {one.shown()!r}"
        if one.wordWrap() and one.heightForWidth(one.width()) > one.height() + 1:
            yield f"lines of {one.whole()!r}"
    has_words = isinstance(one, QPushButton | QCheckBox | QRadioButton) and len(_text(one)) > 2
    if has_words and one.width() + 1 < one.sizeHint().width():
        yield f"button {_text(one)!r}"
    table = one.parentWidget()
    if isinstance(one, QHeaderView) and isinstance(table, RowsTable):
        for place in range(one.count()):
            words = str(one.model().headerData(place, Qt.Orientation.Horizontal) or "")
            if not one.isSectionHidden(place) and one.fontMetrics().horizontalAdvance(
                words
            ) > one.sectionSize(place):
                yield f"heading {words!r} of {table.accessibleName()}"


def _text(button: QWidget) -> str:
    return button.text() if isinstance(button, QAbstractButton) else ""


def out_of_sight(window: QWidget, page: QWidget) -> Iterator[str]:
    """Main buttons in the head of ``page`` that are not all within the window and not covered."""
    for button in page.findChildren(QPushButton):
        around = button.parentWidget()
        main = button.isVisible() and button.property("kind") == "primary"
        if main and around is not None and around.property("bar") == "head":
            whole = QRect(button.mapTo(window, QPoint()), button.size())
            seen = button.visibleRegion().boundingRect().size()
            if not window.rect().contains(whole) or seen != button.size():
                yield f"{button.text()} at {whole.getRect()}"


def scrolled_aside(aside: QScrollBar) -> Iterator[str]:
    if aside.maximum():
        yield f"by {aside.maximum()} pixels"


async def left(find: Callable[[], Iterator[str]]) -> list[str]:
    """What is found once the loop has laid all out."""
    for _ in range(_TURNS):
        if not [*find()]:
            return []
        await asyncio.sleep(0)
    return [*find()]


async def opened(app: Application, key: str, size: tuple[int, int]) -> QWidget:
    window = app.window
    window.open_page(key)
    page = window.tabs.current
    assert page is not None
    await until(lambda: page.isVisible() and not page.tasks.busy(), key)
    if isinstance(page, ListPage):
        # The first rows make the words of the line under the head longer.
        await until(lambda: page.count.text().endswith(("complete", "to come")), f"the rows of {key}")
    await until(lambda: (window.width(), window.height()) == size, "the size")
    return page


def test_no_words_are_cut_at_1024_by_640(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        await until(lambda: app.window.tabs.current is not None, "the page")
        app.window.resize(1024, 640)
        found: dict[str, list[str]] = {}
        for key in (*page_resources(app.window.registry), INTERFACE.key):
            app.window.resize(1440, 900)
            await opened(app, key, (1440, 900))
            app.window.resize(1024, 640)
            page = await opened(app, key, (1024, 640))
            aside = app.window.tabs.area.horizontalScrollBar()
            if said := await left(partial(scrolled_aside, aside)):
                found[f"{key} is wider than its room"] = said
            if said := await left(partial(cut, page)):
                found[key] = said
        for part in (app.window.sidebar, app.window.requests, app.window.statusBar()):
            if said := [*cut(part)]:
                found[type(part).__name__] = said
        assert found == {}

    run_window(body)


@pytest.fixture
def large_type(dressed: QApplication, request: pytest.FixtureRequest) -> Iterator[None]:
    """The system's font in the size that the test asks for."""
    before = QFont(dressed.font())
    asked = QFont(before)
    asked.setPointSizeF(request.param)
    dressed.setFont(asked)
    yield
    dressed.setFont(before)
    theme().install("light")


@pytest.mark.parametrize(
    ("size", "large_type"),
    [((900, 560), 10), ((1024, 640), 16), ((900, 560), 16), ((720, 450), 10)],
    indirect=["large_type"],
)
def test_small_windows_and_large_type_hide_nothing(
    large_type: None, run_window: RunWindow, size: tuple[int, int]
) -> None:
    """The main button is in sight, words that are cut are whole in a tooltip, nothing lies over other things.

    720 by 450 is a screen of 1440 by 900 at 200 %.
    """

    async def body(app: Application) -> None:
        await until(lambda: app.window.tabs.current is not None, "the page")
        window = app.window
        window.resize(*size)
        found: dict[str, list[str]] = {}
        for key in (HOME.key, *page_resources(window.registry), INTERFACE.key):
            page = await opened(app, key, size)
            aside = window.tabs.area.horizontalScrollBar()
            if size[0] >= _SIDEWAYS and (said := await left(partial(scrolled_aside, aside))):
                found[f"{key} is wider than its room"] = said
            for place in (0, aside.maximum()):
                aside.setValue(place)
                if said := await left(partial(out_of_sight, window, page)):
                    found[f"{key} scrolled to {place}"] = said
            if said := await left(partial(faults, window)):
                found[key] = said
        assert found == {}

    run_window(body)
