"""Icons of Windows and macOS, drawn from the program's own SVG, where Qt is: python packaging/icons.py FOLDER

Both files are a table of PNG pictures; the layouts are those of Microsoft's ICONDIR and Apple's icon family.
"""

from __future__ import annotations

import struct
import sys
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from places import ICON

ICO_SIDES = (16, 24, 32, 48, 64, 128, 256)
ICNS_SIDES = {
    b"icp4": 16,
    b"icp5": 32,
    b"ic07": 128,
    b"ic08": 256,
    b"ic09": 512,
    b"ic10": 1024,
    b"ic11": 32,  # from here on for screens with two points a pixel: 16 points, 32, 128, 256
    b"ic12": 64,
    b"ic13": 256,
    b"ic14": 512,
}
"""Apple's type of a picture, and its side in pixels."""


def png(side: int) -> bytes:
    """The icon as a PNG file, ``side`` pixels wide and high, on a transparent ground."""
    image = QImage(side, side, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(str(ICON)).render(painter)
    painter.end()
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload] # its stub wants bytes, and Qt refuses them
    return bytes(data.data())


def ico() -> bytes:
    """The icon as Windows takes it."""
    pictures = [(side, png(side)) for side in ICO_SIDES]
    at, entries = 6 + 16 * len(pictures), b""
    for side, data in pictures:
        # A side of 256 is written as 0. Then: no palette, one plane, 32 bits a pixel.
        entries += struct.pack("<BBBBHHII", side % 256, side % 256, 0, 0, 1, 32, len(data), at)
        at += len(data)
    return struct.pack("<HHH", 0, 1, len(pictures)) + entries + b"".join(data for _, data in pictures)


def icns() -> bytes:
    """The icon as macOS takes it."""
    pictures = {side: png(side) for side in set(ICNS_SIDES.values())}
    body = b"".join(
        kind + struct.pack(">I", 8 + len(pictures[side])) + pictures[side]
        for kind, side in ICNS_SIDES.items()
    )
    return b"icns" + struct.pack(">I", 8 + len(body)) + body


def write(folder: Path) -> None:
    """Both files, named after the program."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "unified-explorer.ico").write_bytes(ico())
    (folder / "unified-explorer.icns").write_bytes(icns())


if __name__ == "__main__":
    write(Path(sys.argv[1]))
