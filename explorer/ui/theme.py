"""How the window looks: the colours of each scheme, the fonts, the icons, and the one style sheet made from them.

The tokens of `LIGHT` and `DARK` are the reference's own. Text on a tinted ground needs more contrast than some of
them give (muted on the sidebar is 4.28 : 1, caution on its ground 4.40 : 1), so each such place has a token of its own
whose pair reaches WCAG AA; tests/mirror/ui/test_theme.py computes every pair.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from typing import Literal, NamedTuple, cast

from PySide6.QtCore import QByteArray, QEvent, QObject, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QGuiApplication,
    QIcon,
    QIconEngine,
    QPainter,
    QPalette,
    QPixmap,
)
from PySide6.QtWidgets import QApplication, QWidget

from explorer.paths import resource

Choice = Literal["system", "light", "dark"]
Scheme = Literal["light", "dark"]

ROW = 26
"""Height of a table row, in pixels at 100 %."""
HEADER = 28
CONTROL = 28
"""Height of inputs and buttons."""
RADIUS = 5
STEP = 4
"""Every gap is a multiple of this."""


class Colors(NamedTuple):
    """The tokens of one scheme, each as ``#RRGGBB``."""

    window: str
    surface: str
    """Tables, forms, the page's head."""
    sidebar: str
    """Sidebar and status bar."""
    line: str
    """Between things. Decoration: nothing is told by it alone."""
    control: str
    """The edge of an input, 3 : 1 against what lies around it."""
    text: str
    muted: str
    """Second rank, on window and surface."""
    muted_strong: str
    """Second rank, on sidebar, selection and the tinted grounds."""
    faint: str
    """Decoration and what is switched off; too weak (2.5 : 1) for words that must be read."""
    accent: str
    on_accent: str
    accent_hover: str
    selection: str
    header: str
    """The header row of a table, and grounds that step back a little from the surface."""
    hover: str
    holds: str
    holds_ground: str
    on_holds: str
    """Words on `holds_ground`; so for the next three."""
    caution: str
    caution_ground: str
    on_caution: str
    fails: str
    fails_ground: str
    on_fails: str
    info: str
    info_ground: str
    on_info: str
    json_key: str
    json_string: str
    json_number: str

    def color(self, token: str) -> QColor:
        """A token as a QColor. Raises AttributeError when there is none of that name."""
        return QColor(cast(str, getattr(self, token)))


LIGHT = Colors(
    window="#F5F6F8",
    surface="#FFFFFF",
    sidebar="#ECEEF2",
    line="#DCE0E7",
    control="#8A93A3",
    text="#1B1F27",
    muted="#667085",
    muted_strong="#566072",
    faint="#9AA3B2",
    accent="#2F6FED",
    on_accent="#FFFFFF",
    accent_hover="#2560D6",
    selection="#DCE8FD",
    header="#F9FAFC",
    hover="#EEF1F6",
    holds="#1A7F4B",
    holds_ground="#DFF3E8",
    on_holds="#17703F",
    caution="#A85B08",
    caution_ground="#FBEED8",
    on_caution="#9C5407",
    fails="#C4322B",
    fails_ground="#FBE4E2",
    on_fails="#BB2D26",
    info="#1F57C4",
    info_ground="#DCE8FD",
    on_info="#1F57C4",
    json_key="#7A2EA0",
    json_string="#1A7F4B",
    json_number="#A85B08",
)

DARK = Colors(
    window="#14171C",
    surface="#1B1F26",
    sidebar="#171A20",
    line="#2B313B",
    control="#667080",
    text="#E5E8EE",
    muted="#98A2B3",
    muted_strong="#B4BCCA",
    faint="#6B7686",
    accent="#6EA1FF",
    on_accent="#14171C",
    accent_hover="#8DB5FF",
    selection="#263A5E",
    header="#1F242C",
    hover="#232933",
    holds="#4CC38A",
    holds_ground="#183326",
    on_holds="#4CC38A",
    caution="#E7A94F",
    caution_ground="#3A2C14",
    on_caution="#E7A94F",
    fails="#F2776F",
    fails_ground="#3C1F1E",
    on_fails="#F2776F",
    info="#A9C7FF",
    info_ground="#263A5E",
    on_info="#A9C7FF",
    json_key="#C99BEF",
    json_string="#4CC38A",
    json_number="#E7A94F",
)


class Theme(QObject):
    """The scheme in force: what the user chose, or what the system says, followed live. One in a program: `theme()`."""

    changed = Signal()
    """The scheme in force changed: repaint what paints itself."""

    def __init__(self) -> None:
        super().__init__()
        self._choice: Choice = "system"
        self._applied: Scheme | None = None

    @property
    def choice(self) -> Choice:
        """What the user chose."""
        return self._choice

    @property
    def scheme(self) -> Scheme:
        """What is in force."""
        if self._choice != "system":
            return self._choice
        hints = QGuiApplication.styleHints()
        return "dark" if hints.colorScheme() == Qt.ColorScheme.Dark else "light"

    @property
    def colors(self) -> Colors:
        """The tokens in force."""
        return DARK if self.scheme == "dark" else LIGHT

    def install(self, choice: Choice = "system") -> None:
        """Dress the application, and follow the system from now on. To be called once there is a QApplication."""
        if self._applied is None:
            QApplication.setStyle("Fusion")
            QGuiApplication.styleHints().colorSchemeChanged.connect(self._follow)
        self.prepare(choice)
        self._apply()

    def prepare(self, choice: Choice) -> None:
        """Fonts and colours alone, for what paints itself: the style and its sheet cost a start some milliseconds."""
        _application().setFont(_ui_font())
        self._choice = choice

    def choose(self, choice: Choice) -> None:
        """Take ``choice`` from now on."""
        self._choice = choice
        self._follow()

    def _follow(self, *_: object) -> None:
        if self.scheme != self._applied:
            self._apply()

    def _apply(self) -> None:
        self._applied = self.scheme
        app = _application()
        app.setPalette(palette(self.colors))
        app.setStyleSheet(style_sheet(self.colors, self.scheme))
        self.changed.emit()


def kept_choice(value: object) -> Choice:
    """What was kept as the user's choice; anything else is the system's."""
    return "light" if value == "light" else "dark" if value == "dark" else "system"


_theme: Theme | None = None


def theme() -> Theme:
    """The program's one theme."""
    global _theme  # noqa: PLW0603 - one look for one application, as Qt itself has it
    if _theme is None:
        _theme = Theme()
    return _theme


def colors() -> Colors:
    """The tokens in force."""
    return theme().colors


def style_sheet(tokens: Colors, scheme: Scheme) -> str:
    """resources/style.qss with every ``@token`` in its place. Raises KeyError on a token that is none."""
    values: dict[str, str] = tokens._asdict()
    values |= {
        "row": f"{ROW}px",
        "header_height": f"{HEADER}px",
        "radius": f"{RADIUS}px",
        "icons": resource("icons/style").as_posix(),
        "scheme": scheme,
        "mono": _mono_family(),
        "mono_size": f"{_mono_points():g}pt",
        "small": f"{_small_points():g}pt",
        "large": f"{_large_points():g}pt",
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


def mono(points: float | None = None) -> QFont:
    """The monospace of ids, paths and JSON, a touch smaller than the text unless ``points`` says otherwise."""
    font = QFont(_mono_family())
    font.setStyleHint(QFont.StyleHint.Monospace)
    font.setFixedPitch(True)
    font.setPointSizeF(points or _mono_points())
    return font


def small(*, bold: bool = False) -> QFont:
    """The UI font one step down: groups, badges, captions."""
    font = QFont(QApplication.font())
    font.setPointSizeF(_small_points())
    if bold:
        font.setWeight(QFont.Weight.DemiBold)
    return font


def tabular(font: QFont) -> QFont:
    """``font`` with figures of equal width, so that columns of numbers line up."""
    made = QFont(font)
    if hasattr(QFont, "Tag"):  # Qt 6.7
        made.setFeature(QFont.Tag("tnum"), 1)
    return made


def icon(name: str, token: str = "muted_strong") -> QIcon:  # noqa: S107 - a colour's name
    """The drawing resources/icons/NAME.svg in a token's colour; it follows the scheme by itself."""
    return QIcon(_Tinted(name, token))


def restyle(widget: QWidget) -> None:
    """Let the style sheet look again at ``widget`` after one of its properties changed."""
    style = widget.style()
    style.unpolish(widget)
    style.polish(widget)
    # A frame's own margins (a badge's padding) are counted anew only when it hears of a change.
    QApplication.sendEvent(widget, QEvent(QEvent.Type.StyleChange))
    widget.updateGeometry()
    widget.update()


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


def _application() -> QApplication:
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        raise RuntimeError("no QApplication yet")
    return app


def _ui_font() -> QFont:
    """The system's own font; on Linux Inter where it is installed, at the system's size but not below 13 pixels."""
    font = QFont(QApplication.font())
    if sys.platform.startswith("linux") and (found := _first(("Inter",))):
        font.setFamily(found)
        if font.pointSizeF() < _BASE_POINTS:
            font.setPointSizeF(_BASE_POINTS)
    return font


_BASE_POINTS = 9.75  # 13 px at 96 dpi


def _mono_family() -> str:
    fixed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).family()
    return _first(("JetBrains Mono",)) or fixed


def _first(families: Iterable[str]) -> str | None:
    known = set(QFontDatabase.families())
    return next((f for f in families if f in known), None)


def _points() -> float:
    size = QApplication.font().pointSizeF()
    return size if size > 0 else _BASE_POINTS


def _mono_points() -> float:
    # JetBrains Mono is wide: 12 pixels beside the text's 13.
    return _points() * 0.925


def _small_points() -> float:
    return _points() * 0.885


def _large_points() -> float:
    return _points() * 1.27
