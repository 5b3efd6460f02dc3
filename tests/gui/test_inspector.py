"""The inspector: fields with findings, JSON with search and paths, nothing read as markup, 40 MB alive."""

from datetime import UTC
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.catalog.builtin.ats import JOBS
from explorer.ui.inspector.inspector import Inspector, note_of
from explorer.ui.kit.json_tree import Node
from explorer.ui.kit.json_view import JsonView
from explorer.ui.kit.theme import theme
from explorer.ui.records.cells import Reading
from explorer.ui.records.record_view import RecordView

JOB = (
    b'{"id":"40230","name":"Product Designer","confidential":"no","departments":[{"id":"4012","name":"Design"}],'
    b'"salary":1234567890.12,"raw_data":{"id":40230,"requisition_id":"R-118","odd key":{"deep":[1,2,{"x":null}]}}}'
)


@pytest.fixture
def inspector(qtbot: QtBot) -> Inspector:
    made = Inspector()
    qtbot.addWidget(made)
    made.resize(400, 600)
    theme().dress(made)
    made.show()
    return made


@pytest.fixture
def view(qtbot: QtBot) -> JsonView:
    made = JsonView()
    qtbot.addWidget(made)
    made.resize(500, 500)
    theme().dress(made)
    made.show()
    return made


def named(view: JsonView, *names: str | int) -> Node:
    node = view.model.root
    assert node is not None
    for name in names:
        below = node.children()
        node = below[name] if isinstance(name, int) else next(c for c in below if c.key == name)
    return node


def test_no_row_chosen_has_words(inspector: Inspector) -> None:
    inspector.show_record(None)
    assert inspector._pages.currentIndex() == 0
    inspector.show_record(RecordView(JOB, JOBS, 1))
    assert inspector._pages.currentIndex() == 1
    assert inspector.label.whole() == "Product Designer"
    assert inspector.place.whole() == "id 40230  ·  row 2"


def test_fields_show_what_does_not_fit(inspector: Inspector) -> None:
    inspector.show_record(RecordView(JOB, JOBS, 1))
    notes = {r.name: note_of(r) for r in inspector.fields.model.rows}
    assert notes["confidential"] == "text, true or false expected"
    assert notes["salary"] == "not in the contract"
    assert notes["name"] == ""
    assert "1 does not fit" in inspector.fields.said.whole()
    assert "1 not in the contract" in inspector.fields.said.whole()
    inspector.show_record(RecordView(b'{"id":"1"}', JOBS, 0))
    assert "1 of 10 fields present" in inspector.fields.said.whole()


def test_dates_are_shown_as_in_the_table(inspector: Inspector) -> None:
    raw = b'{"modified_at":"2026-11-20T09:00:00Z"}'
    shown = []
    for zone in (UTC, None):
        inspector.show_record(RecordView(raw, JOBS, 1, reading=Reading(zone)))
        shown += [r.cell.text for r in inspector.fields.model.rows if r.name == "modified_at"]
    assert shown == ["2026-11-20 09:00", "2026-11-20T09:00:00Z"]


def test_copies_are_as_received(inspector: Inspector) -> None:
    inspector.show_record(RecordView(JOB, JOBS, 1))
    clipboard = QGuiApplication.clipboard()
    inspector._copy.click()
    assert clipboard.text() == JOB.decode()
    row = [r.name for r in inspector.fields.model.rows].index("salary")
    inspector.fields.table.selectRow(row)
    QTest.keyClick(inspector.fields.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert clipboard.text() == "1234567890.12"


def test_the_json_tab_follows_the_record(inspector: Inspector) -> None:
    inspector.show_record(RecordView(JOB, JOBS, 1))
    inspector.show_tab("JSON")
    assert inspector.json.mode == "tree"
    assert inspector.json.model.data_bytes == JOB
    inspector.show_record(RecordView(b'{"id":"2"}', JOBS, 2))
    assert inspector.json.model.data_bytes == b'{"id":"2"}'
    inspector.show_record(None)
    assert inspector.json.model.data_bytes == b""


def test_search_counts_goes_round_and_opens_the_tree(view: JsonView, qtbot: QtBot) -> None:
    view.show_bytes(JOB)
    view.search.setFocus()
    QTest.keyClicks(view.search, "40230")
    qtbot.waitUntil(lambda: not view.searching)
    assert view.found.whole() == "1 of 2"
    current = view.current()
    assert current is not None
    assert current.path() == "$.id"
    QTest.keyClick(view.search, Qt.Key.Key_F3)
    current = view.current()
    assert current is not None
    assert (current.path(), view.found.whole()) == ("$.raw_data.id", "2 of 2")
    QTest.keyClick(view.search, Qt.Key.Key_F3)
    assert view.found.whole() == "1 of 2"
    QTest.keyClick(view.search, Qt.Key.Key_F3, Qt.KeyboardModifier.ShiftModifier)
    assert view.found.whole() == "2 of 2"
    view.search.setText("DEEP")
    qtbot.waitUntil(lambda: not view.searching)
    current = view.current()
    assert current is not None
    assert current.path() == "$.raw_data['odd key'].deep"
    assert view.tree.isExpanded(view.model.index_of(named(view, "raw_data", "odd key")))
    view.search.setText("nowhere")
    qtbot.waitUntil(lambda: not view.searching)
    assert view.found.whole() == "none"


def test_paths_and_values_are_copied(view: JsonView) -> None:
    view.show_bytes(JOB)
    view.choose(named(view, "departments", 0, "name"))
    view.copy_path()
    assert QGuiApplication.clipboard().text() == "$.departments[0].name"
    QTest.keyClick(view.tree, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "Design"
    view.copy_json()
    assert QGuiApplication.clipboard().text() == '"Design"'
    view.choose(named(view, "salary"))
    view.copy_value()
    assert QGuiApplication.clipboard().text() == "1234567890.12"


def test_forty_megabytes_are_folded_searched_and_saved(view: JsonView, qtbot: QtBot, tmp_path: Path) -> None:
    data = b'{"id":"1","v":"' + b"y" * 40_000_000 + b'NEEDLE","z":1}'
    view.show_bytes(data)
    node = named(view, "v")
    assert "folded, 40.0 MB" in node.value_text()
    view.search.setText("needle")
    qtbot.waitUntil(lambda: not view.searching, timeout=20_000)
    assert view.found.whole() == "1 of 1"
    assert view.current() is node
    assert view._value.isVisible()
    assert len(view._value.toPlainText()) < 25_000
    view.write_value(node, tmp_path / "value.txt")
    assert (tmp_path / "value.txt").stat().st_size == 40_000_006
    view.show_as("text")
    assert "are not shown here" in view._text.toPlainText()
    assert len(view._text.toPlainText()) < 600_000


@pytest.mark.parametrize("body", [b"<html><b>502</b></html>", b"", b"%PDF-1.4\x00", b"\xff\xfe", b'{"a":'])
def test_any_body_is_shown_as_plain_text(view: JsonView, body: bytes) -> None:
    view.show_bytes(body)
    if body.startswith(b"<"):
        assert view.mode == "text"
        assert view._text.toPlainText() == "<html><b>502</b></html>"
    view.show_as("text")
    view.show_as("tree")


def test_a_choice_of_text_is_kept_for_the_next_record(view: JsonView) -> None:
    view.show_bytes(b"<html>")
    view.show_bytes(b'{"a":1}')
    assert view.mode == "tree"
    QTest.mouseClick(view._as_text, Qt.MouseButton.LeftButton)
    view.show_bytes(b'{"a":2}')
    assert view.mode == "text"


def test_the_tree_opens_and_closes(view: JsonView) -> None:
    view.show_bytes(JOB)
    deep = view.model.index_of(named(view, "raw_data", "odd key", "deep"))
    view.expand_all()
    assert view.tree.isExpanded(deep)
    view.collapse_all()
    assert not view.tree.isExpanded(deep)


def test_a_file_that_cannot_be_written_is_said(view: JsonView, tmp_path: Path) -> None:
    view.show_bytes(JOB)
    view.write_value(named(view, "id"), tmp_path / "no" / "such" / "folder.txt")
    assert view._place.whole().startswith("Not saved")


def test_the_text_stands_in_the_view_without_a_frame_of_its_own(
    dressed: QApplication, view: JsonView
) -> None:
    view.show_bytes(b'{"a": 1}')
    view.show_as("text")
    assert view._text.viewport().geometry() == view._text.rect()


def test_what_is_no_json_is_text_and_the_next_is_a_tree_again(view: JsonView) -> None:
    for data, mode in ((b'{"a": 1}', "tree"), (b"<html>", "text"), (b"[1]", "tree"), (b"", "tree")):
        view.show_bytes(data)
        assert view.mode == mode, data
