"""An answer that is no text is saved as received, and what keeps it from that is said."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from explorer.ui.call.answer_outcome import Outcome
from explorer.ui.call.answer_panel import AnswerFile
from tests.builtin import registry

PDF = b"%PDF-1.7\n\x00\xff"


def shown(qtbot: QtBot, kind: str) -> AnswerFile:
    view = AnswerFile()
    qtbot.addWidget(view)
    operation = next(iter(registry.operations()))
    view.show_bytes(Outcome(operation, "holds", "200 OK", "", PDF, PDF, kind, answered=True))
    return view


def test_it_is_saved_as_received(qtbot: QtBot, tmp_path: Path) -> None:
    view = shown(qtbot, "application/pdf")
    view.write(tmp_path / "receipt.pdf")
    assert (tmp_path / "receipt.pdf").read_bytes() == PDF
    assert view.said.whole() == "Saved as receipt.pdf"
    assert view.odd.isHidden()


def test_where_it_cannot_be_saved_that_is_said_and_nothing_is_left(qtbot: QtBot, tmp_path: Path) -> None:
    view = shown(qtbot, "text/plain")
    view.write(tmp_path / "nowhere" / "receipt.pdf")
    assert view.said.whole().startswith("It could not be saved: ")
    assert list(tmp_path.glob("*.tmp")) == []
    assert view.odd.whole() == "The response calls it text/plain, but it is application/pdf."
