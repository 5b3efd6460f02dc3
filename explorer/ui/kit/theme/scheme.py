"""The scheme in force, light or dark, and what it makes of the application: a palette, the one style sheet, icons."""

from __future__ import annotations

import re
from typing import Literal, cast
from weakref import WeakSet

from PySide6.QtCore import QByteArray, QEvent, QObject, Qt, Signal
from PySide6.QtGui import QFontMetrics, QGuiApplication, QIcon, QIconEngine, QPainter, QPalette, QPixmap
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from explorer.paths import resource
from explorer.ui.kit.theme.fonts import large_points, mono_family, mono_points, small, small_points, ui_font
from explorer.ui.kit.theme.tokens import DARK, HEADER, LIGHT, RADIUS, ROW, Colors

Choice = Literal["system", "light", "dark"]
Scheme = Literal["light", "dark"]
_STATUS, _STATUS_EDGES = 25, 8
"""Pixels of the status bar's height at least, and those of it that are around its words."""


class Theme(QObject):
    """The colour scheme in use: the user's choice, else the system's, followed live. There is one: `theme()`."""

    changed = Signal()
    """The scheme in force changed: repaint what paints itself."""

    def __init__(self) -> None:
        super().__init__()
        self._choice: Choice = "system"
        self._applied: Scheme | None = None
        self._windows: WeakSet[QWidget] = WeakSet()
        self._sheet = ""

    @property
    def choice(self) -> Choice:
        """The choice of the user: light, dark or the system's."""
        return self._choice

    @property
    def scheme(self) -> Scheme:
        """The scheme in use, light or dark."""
        if self._choice != "system":
            return self._choice
        hints = QGuiApplication.styleHints()
        return "dark" if hints.colorScheme() == Qt.ColorScheme.Dark else "light"

    @property
    def colors(self) -> Colors:
        """The tokens of the scheme in use."""
        return DARK if self.scheme == "dark" else LIGHT

    def install(self, choice: Choice = "system") -> None:
        """Dress the application, and follow the system from now on. To be called once there is a QApplication."""
        if self._applied is None:
            QApplication.setStyle("Fusion")
            QGuiApplication.styleHints().colorSchemeChanged.connect(self._follow)
        _application().setFont(ui_font())
        self._choice = choice
        self._apply()

    def dress(self, window: QWidget) -> None:
        """Give a window without a parent the style sheet, now and whenever it changes; what has a parent inherits it.

        The sheet is the windows' and not the application's: a page is built detached, from its leaves up, and with a
        sheet of the application Qt matches every rule for every widget below each time that one is put into another.
        """
        self._windows.add(window)
        window.setStyleSheet(self._sheet)

    def choose(self, choice: Choice) -> None:
        """Uses ``choice`` from now on."""
        self._choice = choice
        self._follow()

    def _follow(self, *_: object) -> None:
        if self.scheme != self._applied:
            self._apply()

    def _apply(self) -> None:
        self._applied = self.scheme
        app = _application()
        app.setPalette(palette(self.colors))
        self._sheet = style_sheet(self.colors, self.scheme)
        for window in filter(isValid, self._windows):
            window.setStyleSheet(self._sheet)
        self.changed.emit()


def kept_choice(value: object) -> Choice:
    """The stored choice of the user; anything unknown means the system's."""
    return "light" if value == "light" else "dark" if value == "dark" else "system"


_theme: Theme | None = None


def theme() -> Theme:
    """The program's one theme."""
    global _theme  # noqa: PLW0603 - one look for one application, as Qt itself has it
    if _theme is None:
        _theme = Theme()
    return _theme


def colors() -> Colors:
    """The tokens of the scheme in use."""
    return theme().colors


def style_sheet(tokens: Colors, scheme: Scheme) -> str:
    """resources/style.qss with every ``@token`` in its place. Raises KeyError on a token that is none."""
    values: dict[str, str] = tokens._asdict()
    values |= {
        "row": f"{ROW}px",
        "header_height": f"{HEADER}px",
        "radius": f"{RADIUS}px",
        "status_height": f"{max(_STATUS, QFontMetrics(small()).height() + _STATUS_EDGES)}px",
        "icons": resource("icons/style").as_posix(),
        "scheme": scheme,
        "mono": mono_family(),
        "mono_size": f"{mono_points():g}pt",
        "small": f"{small_points():g}pt",
        "large": f"{large_points():g}pt",
    }
    template = resource("style.qss").read_text(encoding="utf-8")
    return re.sub(r"@([a-z_]+)", lambda found: values[found[1]], template)


def palette(tokens: Colors) -> QPalette:
    """What Fusion paints by itself, in the tokens' colours."""
    role = QPalette.ColorRole
    made = QPalette()
    for where, token in (
        (role.Window, "window"),
        (role.WindowText, "text"),
        (role.Base, "surface"),
        (role.AlternateBase, "header"),
        (role.Text, "text"),
        (role.Button, "surface"),
        (role.ButtonText, "text"),
        (role.BrightText, "fails"),
        (role.Highlight, "selection"),
        (role.HighlightedText, "text"),
        (role.ToolTipBase, "surface"),
        (role.ToolTipText, "text"),
        (role.PlaceholderText, "muted"),
        (role.Link, "info"),
        (role.LinkVisited, "info"),
        (role.Light, "surface"),
        (role.Midlight, "line"),
        (role.Mid, "line"),
        (role.Dark, "line"),
        (role.Shadow, "line"),
        (role.Accent, "accent"),
    ):
        made.setColor(where, tokens.color(token))
    for where in (role.WindowText, role.Text, role.ButtonText, role.HighlightedText):
        made.setColor(QPalette.ColorGroup.Disabled, where, tokens.color("faint"))
    return made


def set_look(widget: QWidget, **properties: str | bool | None) -> None:
    """Sets what the style sheet looks at (``kind``, ``badge``, ``invalid``), and applies that where it changed."""
    before = {name: widget.property(name) for name in properties}
    for name, value in properties.items():
        widget.setProperty(name, value)
    if any(
        was != properties[name] and (was, properties[name]) != (None, False) for name, was in before.items()
    ):
        restyle(widget)


def restyle(widget: QWidget) -> None:
    """Applies the style sheet to ``widget`` again, after one of its properties changed."""
    style = widget.style()
    style.unpolish(widget)
    style.polish(widget)
    # A frame's own margins (a badge's padding) are counted anew only when it hears of a change.
    QApplication.sendEvent(widget, QEvent(QEvent.Type.StyleChange))
    widget.updateGeometry()
    widget.update()


def _application() -> QApplication:
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        raise RuntimeError("no QApplication yet")
    return app


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
