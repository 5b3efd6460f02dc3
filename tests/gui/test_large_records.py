"""Records of any size in the inspector: no handler goes through the whole of one, on the way to any place in it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from explorer.catalog.builtin.ats import JOBS
from explorer.ui.inspector.inspector import Inspector
from explorer.ui.kit.json_find import LEVELS
from explorer.ui.kit.json_tree import DEEPEST
from explorer.ui.kit.theme import theme
from explorer.ui.records.record_view import RecordView
from tests.mirror.jsontext.test_pieces import many_keys
from tests.watching import allocating

SIZE = 20_000_000
LEAST = 6_000_000
"""Bytes that Python may take in one handler: a text as received is shown up to half a million."""


def within(value: bytes) -> bytes:
    return b'{"id":"1","name":"n","raw_data":{"a":1},"big":' + value + b',"z":1}'


SHAPES: dict[str, Callable[[], bytes]] = {
    "a text": lambda: within(b'"' + b"y" * SIZE + b'NEEDLE"'),
    "a text beyond ASCII": lambda: within(b'"' + "é".encode() * (SIZE // 2) + b'NEEDLE"'),
    "a text of escapes": lambda: within(b'"' + b"\\n" * (SIZE // 2) + b'NEEDLE"'),
    "the label": lambda: b'{"id":"' + b"7" * SIZE + b'","name":"' + b"y" * SIZE + b'NEEDLE"}',
    "raw_data": lambda: b'{"id":"1","raw_data":{"t":"' + b"y" * SIZE + b'NEEDLE"}}',
    "a number": lambda: within(b"1" * SIZE),
    "no value": lambda: within(b"x" * SIZE + b"NEEDLE"),
    "a name": lambda: b'{"id":"1","' + b"k" * SIZE + b'NEEDLE":1,"z":1}',
    "many keys": lambda: many_keys(30_000)[:-1] + b',"z":"NEEDLE"}',
    "many keys, deeper": lambda: within(many_keys(30_000)[:-1] + b',"z":"NEEDLE"}'),
    "many items": lambda: within(b"[" + b"1234567," * 50_000 + b'"NEEDLE"]'),
    "levels": lambda: within(b'{"a":' * 9_000 + b'"NEEDLE"' + b"}" * 9_000),
}
"""Made when they are asked for: all of them take 200 MB."""


@pytest.fixture
def inspector(qtbot: QtBot) -> Inspector:
    made = Inspector()
    qtbot.addWidget(made)
    made.resize(420, 700)
    theme().dress(made)
    made.show()
    return made


@pytest.mark.parametrize("shape", SHAPES)
def test_no_handler_takes_a_large_value_in_hand(inspector: Inspector, shape: str) -> None:
    """With the record shown, looked through by key, searched, copied and shown as text."""
    raw, json = SHAPES[shape](), inspector.json
    inspector.show_record(RecordView(b'{"id":"0","name":"first"}', JOBS, 0))  # models are made once
    steps: list[tuple[str, Callable[[], object]]] = [
        ("show", lambda: inspector.show_record(RecordView(raw, JOBS, 1))),
        ("a field", lambda: QTest.keyClick(inspector.fields.table, Qt.Key.Key_Down)),
        ("JSON", lambda: inspector.show_tab("JSON")),
        *[("a value", lambda: QTest.keyClick(json.tree, Qt.Key.Key_Down))] * 5,
        ("open", lambda: QTest.keyClick(json.tree, Qt.Key.Key_Right)),
        *([("find", lambda: json.search.setText("needle"))] if shape != "levels" else ()),
        ("text", lambda: json.show_as("text")),
        ("tree", lambda: json.show_as("tree")),
        ("another record", lambda: inspector.show_record(RecordView(b'{"id":"2"}', JOBS, 1))),
    ]
    with allocating() as allocated:
        for name, act in steps:
            with allocated.step(name):
                act()
            while inspector.fields.reading or json.searching or json.model.reading:
                with allocated.step(f"after {name}"):
                    QCoreApplication.processEvents()
            with allocated.step(f"after {name}"):
                QCoreApplication.processEvents()
    assert allocated.most < LEAST, (allocated.where, allocated.most)


def test_what_is_found_far_down_is_reached_some_levels_a_turn(inspector: Inspector, qtbot: QtBot) -> None:
    inspector.show_record(RecordView(SHAPES["levels"](), JOBS, 1))
    json = inspector.json
    inspector.show_tab("JSON")
    opened: list[int] = []
    json.tree.expanded.connect(lambda _: opened.append(1))
    json.search.setText("needle")
    json.finder.start()
    turns = []
    while json.searching:
        before = len(opened)
        QCoreApplication.processEvents()
        turns.append(len(opened) - before)
    assert max(turns) <= LEVELS
    current = json.current()
    assert current is not None
    assert current.depth == DEEPEST
    assert b"NEEDLE" in current.raw()


def test_what_is_found_among_very_many_members_is_reached_once_they_are_read(inspector: Inspector) -> None:
    inspector.show_record(RecordView(SHAPES["many items"](), JOBS, 1))
    json = inspector.json
    inspector.show_tab("JSON")
    json.search.setText("needle")
    json.finder.start()
    while json.searching:
        QCoreApplication.processEvents()
    current = json.current()
    assert current is not None
    assert (current.path(), current.raw()) == ("$.big[50000]", b'"NEEDLE"')
