"""A contact sheet of the tour's pictures: those of one folder in rows, those of several folders side by side.

./dev sheet FILE DIR... [--width PIXELS] [--only TEXT]; of before and after the two folders are named in that order.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter

_ROOM = 1920
"""Pixels of a sheet's width that pictures of one folder fill."""
_LABEL, _GAP = 18, 6
_PAPER, _INK, _LACK = "#808080", "#ffffff", "#b04040"


def sheet(folders: Sequence[Path], width: int, only: str = "") -> QImage:
    """All pictures whose name has ``only`` in it, each ``width`` pixels wide with its name above it."""
    cells = [*(_beside(folders, only) if len(folders) > 1 else _rows(folders[0], only, width))]
    heights = [
        max((_height(path, width) for path in row if path), default=0) + _LABEL + _GAP for row in cells
    ]
    across = max((len(row) for row in cells), default=1)
    made = QImage(across * (width + _GAP) + _GAP, max(sum(heights) + _GAP, 1), QImage.Format.Format_RGB32)
    made.fill(_PAPER)
    painter = QPainter(made)
    top = _GAP
    for row, height in zip(cells, heights, strict=True):
        for place, path in enumerate(row):
            _paint(painter, path, QRect(_GAP + place * (width + _GAP), top, width, height - _GAP))
        top += height
    painter.end()
    return made


def _paint(painter: QPainter, path: Path | None, room: QRect) -> None:
    if path is None:
        painter.fillRect(room.adjusted(0, _LABEL, 0, 0), _LACK)
        return
    painter.setPen(_INK)
    painter.drawText(room, Qt.AlignmentFlag.AlignTop, path.stem)
    image = QImage(str(path)).scaledToWidth(room.width(), Qt.TransformationMode.SmoothTransformation)
    painter.drawImage(room.left(), room.top() + _LABEL, image)


def _height(path: Path, width: int) -> int:
    image = QImage(str(path))
    return image.height() * width // max(image.width(), 1)


def _rows(folder: Path, only: str, width: int) -> Iterator[list[Path | None]]:
    found: list[Path | None] = [path for path in sorted(folder.glob("*.png")) if only in path.name]
    across = max(_ROOM // width, 1)
    for start in range(0, len(found), across):
        yield found[start : start + across]


def _beside(folders: Iterable[Path], only: str) -> Iterator[list[Path | None]]:
    """Rows of one name. The number before it is the order of a tour, in which a newer one may have more."""
    named = [{_name(path): path for path in sorted(folder.glob("*.png"))} for folder in folders]
    for name in dict.fromkeys(name for one in named for name in one):
        if only in name:
            yield [one.get(name) for one in named]


def _name(path: Path) -> str:
    return path.stem.partition("-")[2]


def main(arguments: Sequence[str]) -> int:
    """Writes the sheet; 0 when that was possible."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    parser = argparse.ArgumentParser(prog="./dev sheet", description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("folders", metavar="DIR", nargs="+", type=Path)
    parser.add_argument("--width", type=int, default=470, help="of each picture, in pixels")
    parser.add_argument("--only", default="", metavar="TEXT", help="pictures whose name has this in it")
    given = parser.parse_args(arguments)
    app = QGuiApplication.instance() or QGuiApplication(["sheet"])
    app.setObjectName("sheet")
    return 0 if sheet(given.folders, given.width, given.only).save(str(given.file)) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
