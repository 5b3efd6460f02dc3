"""The fonts: the system's own for words, a monospace for ids, paths and JSON, each in a few sizes."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from PySide6.QtGui import QFont, QFontDatabase, QFontMetrics, QGuiApplication

_BASE_POINTS = 9.75  # 13 px at 96 dpi
_OF_EVERY_FONT = "\u0250"
_JOINED = ("Mn", "Me", "Mc", "Cf", "Cs")
"""Categories of characters that change others and have no picture of their own, and halves of characters."""
_NAMED = 5


def mono(points: float | None = None) -> QFont:
    """The monospace of ids, paths and JSON, a touch smaller than the text unless ``points`` says otherwise."""
    font = QFont(mono_family())
    font.setStyleHint(QFont.StyleHint.Monospace)
    font.setFixedPitch(True)
    font.setPointSizeF(points or mono_points())
    return font


def small(*, bold: bool = False) -> QFont:
    """The UI font one step down: groups, badges, captions."""
    font = QFont(QGuiApplication.font())
    font.setPointSizeF(small_points())
    if bold:
        font.setWeight(QFont.Weight.DemiBold)
    return font


def tabular(font: QFont) -> QFont:
    """``font`` with figures of equal width, so that columns of numbers line up."""
    made = QFont(font)
    if hasattr(QFont, "Tag"):  # Qt 6.7
        made.setFeature(QFont.Tag("tnum"), 1)
    return made


def drawable(text: str) -> str:
    """``text`` as it is painted: a character that no font here has by its number, ``‹U+4E2D›``, as boxes would stand
    there, all alike.
    """
    if text.isascii() or QGuiApplication.instance() is None:
        return text
    return "".join(f"‹U+{_code(one):04X}›" if _is_lacking(one) else one for one in text)


def lacking_words(text: str) -> str:
    """Which characters of ``text`` no font here has, by their names; empty where there is none."""
    if text.isascii() or QGuiApplication.instance() is None:
        return ""
    lacking = dict.fromkeys(one for one in text if _is_lacking(one) and _code(one) == ord(one))
    named = [f"U+{ord(one):04X} {unicodedata.name(one, '(no name)')}" for one in lacking]
    more = f" and {len(named) - _NAMED} more" if len(named) > _NAMED else ""
    return f"No font here has {', '.join(named[:_NAMED])}{more}" if named else ""


def _code(one: str) -> int:
    """The number of a character; of a sign that `visible` draws for a control character, that of the character."""
    code = ord(one)
    return code - 0x2400 if 0x2400 <= code < 0x2420 else 0x7F if code == 0x2421 else code


@lru_cache(maxsize=10_000)
def _is_lacking(one: str) -> bool:
    if one < _OF_EVERY_FONT or unicodedata.category(one) in _JOINED:
        return False
    metrics = (QFontMetrics(font) for font in (QGuiApplication.font(), mono()))
    return not any(each.inFontUcs4(ord(one)) for each in metrics)


def ui_font() -> QFont:
    """The system's own font; on Linux Inter where it is installed, at the system's size but not below 13 pixels."""
    font = QFont(QGuiApplication.font())
    if sys.platform.startswith("linux") and (found := _first(("Inter",))):
        font.setFamily(found)
        if font.pointSizeF() < _BASE_POINTS:
            font.setPointSizeF(_BASE_POINTS)
    return font


def mono_family() -> str:
    """The family of the monospace font that is installed."""
    fixed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).family()
    return _first(("JetBrains Mono",)) or fixed


def _first(families: Iterable[str]) -> str | None:
    known = set(QFontDatabase.families())
    return next((f for f in families if f in known), None)


def _points() -> float:
    size = QGuiApplication.font().pointSizeF()
    return size if size > 0 else _BASE_POINTS


def mono_points() -> float:
    """Its size in points."""
    # JetBrains Mono is wide: 12 pixels beside the text's 13.
    return _points() * 0.925


def small_points() -> float:
    """The size of captions, in points."""
    return _points() * 0.885


def large_points() -> float:
    """The size of titles, in points."""
    return _points() * 1.27
