"""Remote text stays text: no HTML, no character that hides or turns the line."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from explorer.ui.kit.plain import PlainLabel, tooltip, visible

ANY = st.text(alphabet=st.characters(codec=None))


def test_what_cannot_be_seen_is_drawn() -> None:
    assert visible("a\nb\tc") == "a␊b␉c"
    assert visible("a\nb", keep_lines=True) == "a\nb"
    assert "202E" in visible("abc\u202edef")
    assert "D800" in visible("\ud800")
    assert visible("Ünïcödé 東京 👩‍👧") == "Ünïcödé 東京 👩‍👧"


@given(ANY)
def test_nothing_unseen_is_left_and_all_can_be_encoded(text: str) -> None:
    shown = visible(text)
    assert not [c for c in shown if unicodedata.category(c) in ("Cc", "Cs")]
    shown.encode("utf-8")


@given(ANY)
def test_a_tooltip_holds_no_markup_of_its_text(text: str) -> None:
    inner = tooltip(f"<img src=x>{text}")
    assert "<img" not in inner


def test_a_label_never_reads_html_and_keeps_the_whole_text(qapp: QApplication) -> None:
    label = PlainLabel("<b>bold</b>", elide=True)
    assert label.textFormat() == Qt.TextFormat.PlainText
    assert label.whole() == "<b>bold</b>"
    label.setText("x" * 400)
    label.resize(60, 20)
    label.show()
    assert label.text() == "x" * 400
    assert "x" * 400 in label.toolTip()
    label.resize(6000, 20)
    assert label.toolTip() == ""
    label.close()
