"""What goes to the clipboard: the same text as ever, made a bounded piece a turn."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.jsontext.escape import lenient_text
from explorer.jsontext.members import finished
from explorer.ui.inspector.inspector import Inspector
from explorer.ui.kit import visible
from explorer.ui.kit.clipboard import Copying, put_text
from explorer.ui.kit.visible import encodable, encodable_octets, shown_octets, shown_text
from explorer.ui.records.record_view import RecordView
from tests.watching import allocating

SIZE = 8_000_000
SHAPES = {
    "plain": b'{"a":"lorem ipsum"},',
    "beyond Latin": '{"a":"Łódź"},'.encode(),
    "beyond the first plane": '{"a":"l\U0001f600rem"},'.encode(),
    "bytes that are no UTF-8": b'{"a":"some text that is long enough, and one \xff"},',
}


@given(
    st.lists(
        st.sampled_from(
            [b"a" * 7, "é".encode(), "\U0001f600".encode(), b"\xff", b"\xed\xa0\x80", b"\xf0\x9f"]
        )
    )
)
def test_pieces_come_to_what_the_whole_comes_to(parts: list[bytes]) -> None:
    raw, size = b"".join(parts), visible._PIECE
    visible._PIECE = 3
    try:
        assert finished(encodable_octets(raw)) == encodable(lenient_text(raw)).encode()
        assert finished(shown_octets(b'"' + raw + b'"')) == shown_text(b'"' + raw + b'"').encode()
    finally:
        visible._PIECE = size


def test_of_what_can_be_handed_over_as_it_is_nothing_is_made() -> None:
    raw = SHAPES["beyond the first plane"] * 50_000
    assert finished(encodable_octets(raw)) is raw


def test_every_character_comes_back(qapp: QApplication) -> None:
    text = "a\u00a0b\u2028c\r\nd\te\U0001f600 ‹" + '"\\'
    put_text(text.encode())
    assert QApplication.clipboard().text() == text


@pytest.mark.parametrize("shape", SHAPES)
def test_a_large_record_is_copied_a_piece_a_turn(qtbot: QtBot, shape: str) -> None:
    raw = b"[" + SHAPES[shape] * (SIZE // len(SHAPES[shape])) + b"1]"
    inspector = Inspector()
    qtbot.addWidget(inspector)
    inspector.show_record(RecordView(raw))
    QApplication.clipboard().setText("before")
    copying = inspector.findChild(Copying)
    assert copying is not None
    turns = 0
    with allocating() as allocated:
        inspector.copy_record()
        while copying.going:
            assert QApplication.clipboard().text() == "before"
            turns += 1
            # The last turn puts the pieces together.
            with allocated.step("a turn") if turns < SIZE // visible._PIECE - 2 else allocating():
                QCoreApplication.processEvents()
    assert turns >= SIZE // visible._PIECE - 1
    assert allocated.most < 10 * visible._PIECE, allocated.most
    assert QApplication.clipboard().text() == encodable(lenient_text(raw))


def test_the_newest_that_was_asked_for_is_what_is_copied(qtbot: QtBot) -> None:
    inspector = Inspector()
    qtbot.addWidget(inspector)
    inspector.show_record(RecordView(b'"' + b"x" * SIZE + b'"'))
    inspector.copy_record()
    inspector.show_record(RecordView(b'{"id": 2}'))
    inspector.copy_record()
    copying = inspector.findChild(Copying)
    assert copying is not None
    assert not copying.going
    assert QApplication.clipboard().text() == '{"id": 2}'
    QCoreApplication.processEvents()
    assert QApplication.clipboard().text() == '{"id": 2}'
