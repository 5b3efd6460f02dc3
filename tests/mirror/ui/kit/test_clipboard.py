"""What goes to the clipboard: the same text as ever, made a bounded piece a turn."""

from __future__ import annotations

from collections.abc import Generator
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QCoreApplication, QObject
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.jsontext.escape import lenient_text
from explorer.jsontext.members import finished
from explorer.ui.inspector.inspector import Inspector
from explorer.ui.kit import visible
from explorer.ui.kit.clipboard import Copying, put_text, variables_words
from explorer.ui.kit.visible import encodable, encodable_octets, shown_octets, shown_text
from explorer.ui.records.record_view import RecordView
from tests.watching import allocating

SIZE = 2_000_000
SHAPES = {
    "plain": b'{"a":"lorem ipsum"},',
    "beyond Latin": '{"a":"Łódź"},'.encode(),
    "beyond the first plane": '{"a":"l\U0001f600rem"},'.encode(),
    "bytes that are no UTF-8": b'{"a":"some text that is long enough, and one \xff"},',
}


def large(shape: str) -> bytes:
    return b"[" + SHAPES[shape] * (SIZE // len(SHAPES[shape]) + 10) + b"1]"


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
    put_text(text.encode(), "text")
    assert QApplication.clipboard().text() == text


@pytest.mark.parametrize("shape", SHAPES)
def test_a_large_record_is_made_ready_a_bounded_piece_at_a_time(shape: str) -> None:
    steps, made = encodable_octets(large(shape)), 0
    with allocating() as allocated:
        while made < SIZE // visible._PIECE:  # the last step puts the pieces together
            with allocated.step(f"piece {made}"):
                next(steps)
            made += 1
    assert made >= 20
    assert allocated.most < 1_000_000, (allocated.where, allocated.most)
    assert finished(steps) == encodable(lenient_text(large(shape))).encode()


def test_it_stands_on_the_clipboard_when_the_last_piece_is_made(qapp: QApplication) -> None:
    raw, made = large("bytes that are no UTF-8"), 0

    def counted() -> Generator[None, None, bytes]:
        nonlocal made
        steps = encodable_octets(raw)
        while True:
            try:
                next(steps)
            except StopIteration as over:
                return bytes(over.value)
            made += 1
            yield

    owner = QObject()
    copying, told = Copying(owner), list[str]()
    QApplication.clipboard().setText("before")
    copying.start(counted(), "text", lambda: told.append(QApplication.clipboard().text()))
    turns = [made]
    while copying.going:
        assert QApplication.clipboard().text() == "before"
        QCoreApplication.processEvents()
        turns.append(made)
    assert max(b - a for a, b in pairwise(turns)) <= 2
    assert told == [encodable(lenient_text(raw))]


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


def test_the_variables_of_a_command_are_named_in_every_shell() -> None:
    said = "; set UNIFIED_EXPLORER_APIKEY before you run it"
    for written in ("$UNIFIED_EXPLORER_APIKEY", "%UNIFIED_EXPLORER_APIKEY%", "$env:UNIFIED_EXPLORER_APIKEY"):
        assert variables_words(f'curl -H "authorization: {written}" x; curl -u ":{written}" x') == said
    assert variables_words("curl http://127.0.0.1/") == ""
