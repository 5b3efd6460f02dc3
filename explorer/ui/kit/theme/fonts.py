"""The fonts: the system's own for words, a monospace for ids, paths and JSON, each in a few sizes."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from PySide6.QtGui import QFont, QFontDatabase, QGuiApplication

_BASE_POINTS = 9.75  # 13 px at 96 dpi


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
