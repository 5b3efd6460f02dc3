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


@given(ANY)
def test_a_tooltip_is_read_out_as_words(text: str) -> None:
    """Qt gives assistive technology the tooltip where a control has no other description."""
    words = text.replace("<", "")
    said = tooltip(words)
    assert "<" not in said
    assert max(map(len, said.split("\n"))) <= 100


def test_a_label_never_reads_html_and_keeps_the_whole_text(qapp: QApplication) -> None:
    label = PlainLabel("<b>bold</b>", elide=True)
    assert label.textFormat() == Qt.TextFormat.PlainText
    assert label.whole() == "<b>bold</b>"
    label.setText("x" * 400)
    label.resize(60, 20)
    label.show()
    assert label.text() == "x" * 400
    assert "x" * 400 in label.toolTip().replace("\n", "")
    label.resize(6000, 20)
    assert label.toolTip() == ""
    label.close()


def test_a_label_leaves_out_whole_parts_and_a_path_its_middle(qapp: QApplication) -> None:
    label = PlainLabel("214 ms · 187 kB · conn_of_a_long_name", elide=True)
    metrics = label.fontMetrics()

    def in_room(pixels: int) -> str:
        label.resize(pixels, 20)
        return label.shown()

    assert in_room(1000) == label.whole()
    assert in_room(metrics.horizontalAdvance(label.whole()) - 1) == "214 ms · 187 kB"
    assert in_room(metrics.horizontalAdvance("214 ms") + 1) == "214 ms"
    assert in_room(metrics.averageCharWidth() * 2) == "", "a stub says nothing"
    path = PlainLabel("GET /v0/unified/applicant-tracking/job", role="path", elide=True)
    whole = path.fontMetrics().horizontalAdvance(path.whole())
    path.resize(whole * 3 // 4, 20)
    assert path.shown().startswith("GET /v0")
    assert path.shown().endswith("/job")
    path.resize(whole // 3, 20)
    assert path.shown() == ""
    for text in ("", "a", " · "):
        label.setText(text)
        assert in_room(1000) == label.whole()
