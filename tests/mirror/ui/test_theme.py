"""Contrast of every pair of tokens that meet, the style sheet, the icons, and following the system."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QFontInfo
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QPushButton, QWidget

from explorer.paths import resource
from explorer.ui.kit.theme import DARK, LIGHT, Colors, Theme, icon, mono, style_sheet, tabular, theme

TEXT = 4.5
GRAPHIC = 3.0
SCHEMES = pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])

PAIRS = [
    *((t, g) for t in ("text", "muted") for g in ("window", "surface", "header")),
    *(
        (t, g)
        for t in ("text", "muted_strong")
        for g in ("sidebar", "selection", "hover", "window", "surface")
    ),
    ("muted_strong", "line"),  # an entry of the sidebar under the pointer
    *((f"on_{k}", f"{k}_ground") for k in ("holds", "caution", "fails", "info")),
    *((k, g) for k in ("holds", "caution", "fails", "info") for g in ("window", "surface")),
    *((f"on_{k}", "sidebar") for k in ("holds", "caution", "fails", "info")),
    *((k, "surface") for k in ("json_key", "json_string", "json_number")),
    ("on_accent", "accent"),
    ("on_accent", "accent_hover"),
    *((f"on_{k}", "surface") for k in ("holds", "caution", "fails", "info")),
]


def contrast(one: str, other: str) -> float:
    """WCAG 2's ratio of two colours."""

    def luminance(color: str) -> float:
        parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_computed_as_the_standard_does() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#767676", "#FFFFFF") == pytest.approx(4.54, abs=0.01)


@SCHEMES
@pytest.mark.parametrize(("text", "ground"), PAIRS)
def test_words_reach_aa(tokens: Colors, text: str, ground: str) -> None:
    assert contrast(getattr(tokens, text), getattr(tokens, ground)) >= TEXT


@SCHEMES
@pytest.mark.parametrize("ground", ["window", "surface", "sidebar"])
@pytest.mark.parametrize("edge", ["control", "accent"])
def test_edges_of_inputs_and_the_focus_ring_can_be_seen(tokens: Colors, edge: str, ground: str) -> None:
    # The sidebar's field lies on the surface's colour; its edge is judged against what is inside it.
    inner = contrast(getattr(tokens, edge), tokens.surface)
    assert max(inner, contrast(getattr(tokens, edge), getattr(tokens, ground))) >= GRAPHIC


@SCHEMES
def test_the_style_sheet_has_every_word_replaced(qapp: QApplication, tokens: Colors) -> None:
    sheet = style_sheet(tokens, "dark" if tokens is DARK else "light")
    assert "@" not in sheet
    assert tokens.window in sheet


def test_the_template_holds_no_colour_and_names_only_icons_that_are_there(qapp: QApplication) -> None:
    template = resource("style.qss").read_text(encoding="utf-8")
    assert not re.search(r"#[0-9A-Fa-f]{3,8}\b(?!.*\{)", re.sub(r"[\w*]+#\w+", "", template))
    for name in re.findall(r'@icons/([\w-]+)-@scheme\.svg"', template):
        for scheme in ("light", "dark"):
            assert resource(f"icons/style/{name}-{scheme}.svg").is_file()


def test_tokens_are_complete_colours() -> None:
    for tokens in (LIGHT, DARK):
        for name, value in tokens._asdict().items():
            assert re.fullmatch(r"#[0-9A-F]{6}", value), name


def test_icons_follow_the_scheme(qapp: QApplication) -> None:
    theme().install("light")
    drawn = icon("close", "text")

    def darkest() -> int:
        image = drawn.pixmap(QSize(32, 32)).toImage()
        seen = [image.pixelColor(x, y) for x in range(32) for y in range(32)]
        return min(c.lightness() for c in seen if c.alpha() > 200)

    light = darkest()
    theme().choose("dark")
    assert light < 60 < 200 < darkest()
    theme().choose("light")


@pytest.mark.parametrize(
    "path",
    sorted(
        str(PurePosixPath(kind) / p.stem)
        for kind in ("", "pages")
        for p in resource(f"icons/{kind}").glob("*.svg")
    ),
)
def test_every_icon_draws_something(qapp: QApplication, path: str) -> None:
    image = icon(path, "text").pixmap(QSize(16, 16)).toImage()
    assert any(image.pixelColor(x, y).alpha() > 60 for x in range(16) for y in range(16))


def test_the_system_is_followed_until_the_user_chooses(qapp: QApplication) -> None:
    changes: list[str] = []
    here = Theme()
    here.install("system")
    here.changed.connect(lambda: changes.append(here.scheme))
    first = here.scheme
    other = "light" if first == "dark" else "dark"
    here.choose("dark" if other == "dark" else "light")
    assert changes == [other]
    assert qapp.palette().window().color() == here.colors.color("window")
    here.choose("system")
    assert changes == [other, first]
    theme().install("light")


def test_controls_have_the_heights_of_the_reference(qapp: QApplication) -> None:
    theme().install("light")
    for control in (QPushButton("Load all"), QLineEdit()):
        theme().dress(control)
        control.ensurePolished()
        assert control.sizeHint().height() == 28


def test_figures_are_tabular_and_code_is_monospaced(qapp: QApplication) -> None:
    assert QFontInfo(mono()).fixedPitch() or mono().fixedPitch()
    if hasattr(mono(), "featureTags"):
        assert [bytes(t.toString().data()) for t in tabular(mono()).featureTags()] == [b"tnum"]


def test_a_window_is_dressed_and_what_is_put_into_it_with_it(qapp: QApplication) -> None:
    theme().install("light")
    window, page = QWidget(), QWidget()
    button = QPushButton("Load all", page)
    bare = button.sizeHint().height()
    theme().dress(window)
    page.setParent(window)
    button.ensurePolished()
    assert button.sizeHint().height() == 28 != bare
    dialog = QDialog(window)
    inside = QLineEdit(dialog)
    inside.ensurePolished()
    assert inside.sizeHint().height() == 28

    def words() -> str:
        button.ensurePolished()
        return button.palette().buttonText().color().name().upper()

    assert words() == LIGHT.text.upper()
    theme().choose("dark")
    assert words() == DARK.text.upper()
    theme().choose("light")
