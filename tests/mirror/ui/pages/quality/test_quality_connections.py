"""The grid of connections as it is painted and walked: only the gravest verdict has its colour, Enter takes a cell."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest

from explorer.quality.engine.check import Result, Verdict
from explorer.quality.engine.every import CHECKS
from explorer.ui.kit.theme import colors, theme
from explorer.ui.pages.quality.quality_connections import ConnectionsGrid
from tests.mirror.quality.made import made_run

pytestmark = pytest.mark.usefixtures("qapp")
RECORDS = [check for check in CHECKS if check.group == "records"]


def made() -> ConnectionsGrid:
    theme().install("light")
    fails = Result(RECORDS[0], "ats/job", Verdict.FAILS, "seen", 9, 2)
    rest = tuple(Result(check, "ats/job", Verdict.SKIPPED, "none came") for check in RECORDS[1:])
    one = replace(made_run(), connection="conn_one", results=(fails, *rest))
    two = replace(made_run(), connection="conn_two", results=rest)
    grid = ConnectionsGrid()
    grid.grid.show([one, two], by_check=False)
    grid.resize(700, 200)
    grid.show()
    return grid


def painted(picture: QImage, cell: QRect, token: str) -> list[int]:
    """The columns of pixels in the middle of a cell that have that colour."""
    wanted, y = colors().color(token).rgb(), cell.center().y() + 6
    return [x for x in range(cell.left(), cell.right()) if picture.pixel(x, y) == wanted]


def test_only_the_gravest_verdict_has_its_colour() -> None:
    grid = made()
    picture = grid.viewport().grab().toImage()
    first, second = (grid.visualRect(grid.grid.index(0, column)) for column in (1, 2))
    ground = painted(picture, first, "fails_ground")
    assert ground, "the verdict that fails"
    assert max(ground) < first.left() + first.width() // 2, "what was skipped is no failure"
    assert not painted(picture, second, "fails_ground")


def test_enter_goes_to_the_connection_of_the_cell() -> None:
    grid = made()
    taken: list[tuple[int, str]] = []
    grid.taken.connect(lambda at, name: taken.append((at, name)))
    grid.setCurrentIndex(grid.grid.index(0, 0))
    QTest.keyClick(grid, Qt.Key.Key_Return)
    assert taken == []
    grid.setCurrentIndex(grid.grid.index(0, 2))
    QTest.keyClick(grid, Qt.Key.Key_Return)
    assert taken == [(1, "Records")]
