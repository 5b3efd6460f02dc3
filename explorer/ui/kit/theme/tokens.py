"""The colours of each scheme by name, and the sizes that every part of the window keeps to.

The tokens of `LIGHT` and `DARK` are the reference's own. Text on a tinted ground needs more contrast than some of
them give (muted on the sidebar is 4.28 : 1, caution on its ground 4.40 : 1), so each such place has a token of its own
whose pair reaches WCAG AA; tests/mirror/ui/test_theme.py computes every pair.
"""

from __future__ import annotations

from typing import NamedTuple, cast

from PySide6.QtGui import QColor

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
    misfit_ground: str
    """Behind a single value that does not fit, with its words in `on_caution`."""
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
    misfit_ground="#FDF5E6",
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
    misfit_ground="#2C2517",
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
