"""The icons: one-colour drawings (resources/icons), painted in a token's colour."""

from __future__ import annotations

from typing import cast

from PySide6.QtCore import QByteArray, Qt
from PySide6.QtGui import QIcon, QIconEngine, QPainter, QPixmap

from explorer.paths import resource
from explorer.ui.kit.theme.scheme import colors


def icon(name: str, token: str = "muted_strong") -> QIcon:  # noqa: S107 - a colour's name
    """The drawing resources/icons/NAME.svg in a token's colour. It is repainted when the scheme changes."""
    return QIcon(_Tinted(name, token))


class _Tinted(QIconEngine):
    """Paints a one-colour SVG in a token's colour, at any size and in the scheme in force at that moment."""

    def __init__(self, name: str, token: str) -> None:
        super().__init__()
        self._name = name
        self._token = token

    def paint(self, painter: QPainter, rect, mode: QIcon.Mode, state: QIcon.State) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001
        from PySide6.QtSvg import QSvgRenderer

        token = "faint" if mode == QIcon.Mode.Disabled else self._token
        color = cast(str, getattr(colors(), token))
        source = _drawing(self._name).replace("currentColor", color)
        QSvgRenderer(QByteArray(source.encode())).render(painter, rect)

    def pixmap(self, size, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:  # type: ignore[no-untyped-def]  # noqa: ANN001
        made = QPixmap(size)
        if made.isNull():  # Qt asks for nothing at all when it looks for a window's icon
            return made
        made.fill(Qt.GlobalColor.transparent)
        painter = QPainter(made)
        self.paint(painter, made.rect(), mode, state)
        painter.end()
        return made

    def clone(self) -> QIconEngine:
        return _Tinted(self._name, self._token)


_drawings: dict[str, str] = {}


def _drawing(name: str) -> str:
    if name not in _drawings:
        _drawings[name] = resource(f"icons/{name}.svg").read_text(encoding="utf-8")
    return _drawings[name]
