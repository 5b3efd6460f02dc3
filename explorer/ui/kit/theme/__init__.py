"""How the window looks: the colours of each scheme, the fonts, the icons, and the one style sheet made from them."""

from explorer.ui.kit.theme.fonts import drawable, lacking_words, mono, small, tabular
from explorer.ui.kit.theme.scheme import (
    Choice,
    Scheme,
    Theme,
    colors,
    icon,
    kept_choice,
    palette,
    restyle,
    set_look,
    style_sheet,
    theme,
)
from explorer.ui.kit.theme.tokens import CONTROL, DARK, HEADER, LIGHT, RADIUS, ROW, STEP, Colors

__all__ = [
    "CONTROL",
    "DARK",
    "HEADER",
    "LIGHT",
    "RADIUS",
    "ROW",
    "STEP",
    "Choice",
    "Colors",
    "Scheme",
    "Theme",
    "colors",
    "drawable",
    "icon",
    "kept_choice",
    "lacking_words",
    "mono",
    "palette",
    "restyle",
    "set_look",
    "small",
    "style_sheet",
    "tabular",
    "theme",
]
