"""The JSON tree: lazy, exact, with paths, for any bytes. The tester of Qt watches."""

import json
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QTreeView
from pytestqt.qtbot import QtBot

from explorer.jsontext.pieces import GROUP, PIECE
from explorer.ui.inspector.mapping_view import _RawTree
from explorer.ui.kit.json_tree import DEEPEST, NODE_ROLE, JsonTreeModel, Node
from explorer.ui.kit.json_view import JsonView
from tests.mirror.jsontext.test_pieces import SHAPES


@pytest.fixture
def model(qtbot: QtBot) -> Iterator[JsonTreeModel]:
    made = JsonTreeModel()
    tester = QAbstractItemModelTester(made, QAbstractItemModelTester.FailureReportingMode.Fatal)
    yield made
    tester.deleteLater()
    made.deleteLater()


def child(node: Node | None, *names: str | int) -> Node:
    assert node is not None
    for name in names:
        found = node.children()
        node = found[name] if isinstance(name, int) else next(c for c in reversed(found) if c.key == name)
    return node


def every(node: Node) -> Iterator[Node]:
    yield node
    if node.branch:
        for one in node.children():
            yield from every(one)


def innermost(model: JsonTreeModel, offset: int) -> Node | None:
    return next((node for node in reversed(list(model.way_to(offset))) if node is not None), None)


def test_values_are_as_received(model: JsonTreeModel) -> None:
    model.set_bytes(b'{"n": 1e400, "i": 9007199254740993, "t": "a\\nb", "x": null, "o": {}, "a": []}')
    root = model.root
    assert [child(root, k).value_text() for k in "nitxoa"] == [
        "1e400",
        "9007199254740993",
        '"a␊b"',
        "null",
        "{}",
        "[]",
    ]
    assert child(root, "t").raw() == b'"a\\nb"'


@pytest.mark.parametrize(
    ("steps", "path"),
    [
        ((), "$"),
        (("departments", 0, "name"), "$.departments[0].name"),
        (("odd key",), "$['odd key']"),
        (("it's",), "$['it\\'s']"),
        (("",), "$['']"),
    ],
)
def test_paths(model: JsonTreeModel, steps: tuple[str | int, ...], path: str) -> None:
    model.set_bytes(b'{"departments":[{"name":"Design"}],"odd key":1,"it\'s":2,"":3}')
    assert child(model.root, *steps).path() == path


def test_branches_are_read_when_they_are_opened(qtbot: QtBot) -> None:
    model = JsonTreeModel()  # without the tester, which opens every branch
    data = json.dumps({"big": [{"v": i} for i in range(50_000)], "z": 1}).encode()
    model.set_bytes(data)
    root = model.root
    assert root is not None
    model.rowCount(model.index_of(root))
    qtbot.waitUntil(lambda: not model.reading)
    assert model.rowCount(model.index_of(root)) == 2
    big = child(root, "big")
    assert big._children is None
    big.children()
    qtbot.waitUntil(lambda: not model.reading)
    groups = big.children()
    assert len(groups) == 50
    assert groups[1].name_text() == "1,000 … 1,999"
    inner = groups[1].children()[7]
    assert inner.path() == f"$.big[{GROUP + 7}]"
    assert inner.raw() == b'{"v": 1007}'


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=10,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(JSON, st.booleans())
def test_every_value_is_found_at_its_place(model: JsonTreeModel, value: Any, spaced: bool) -> None:
    data = json.dumps(value, indent=1 if spaced else None).encode()
    model.set_bytes(data)
    assert model.root is not None
    for node in every(model.root):
        json.loads(node.raw())
        assert innermost(model, node.start) is node or node.branch
        if node.key_start != node.start:
            assert innermost(model, node.key_start) is node


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=60) | st.text('{}[]",: 1a\\', max_size=50).map(str.encode))
def test_any_bytes_make_a_tree(model: JsonTreeModel, data: bytes) -> None:
    model.set_bytes(data)
    if model.root is not None:
        for node in every(model.root):
            index = model.index_of(node)
            assert index.data(NODE_ROLE) is node
            assert model.parent(index) == (model.index_of(node.parent) if node.parent else model.index(-1, 0))
            str(index.data()).encode()


def test_a_long_text_is_folded_with_its_size(model: JsonTreeModel) -> None:
    model.set_bytes(b'{"v":"' + b"y" * 40_000_000 + b'"}')
    node = child(model.root, "v")
    assert node.folded
    assert "folded, 40.0 MB" in node.value_text()
    assert len(node.value_text()) < 400


def test_equal_keys_are_two_nodes(model: JsonTreeModel) -> None:
    model.set_bytes(b'{"a":1,"a":2}')
    assert model.root is not None
    assert [c.value_text() for c in model.root.children()] == ["1", "2"]


def test_the_tree_opens_a_large_branch_a_piece_at_a_time(qtbot: QtBot) -> None:
    model = JsonTreeModel()
    model.set_bytes(SHAPES["many keys"](1))
    assert model.root is not None
    model.root.children()
    assert 0 < model.root.members.count <= PIECE
    assert model.reading
    qtbot.waitUntil(lambda: not model.reading, timeout=60_000)
    assert model.root.members.count == 200_000
    assert len(model.root.children()) == 200
    assert model.root.children()[-1].children()[-1].path() == "$.key199999"


@pytest.mark.parametrize(
    "data",
    [b'{"a":' * 3000 + b"1" + b"}" * 3000, b"[" * 60_000 + b"]" * 60_000, b'[{"a":' * 9_000],
    ids=["objects", "arrays", "never closed"],
)
def test_the_tree_has_a_deepest_level_and_says_so(qtbot: QtBot, data: bytes) -> None:
    model = JsonTreeModel()
    model.set_bytes(data)
    node = model.root
    assert node is not None
    while node.branch:
        below = node.children()
        if not below:
            qtbot.waitUntil(lambda: not model.reading, timeout=60_000)
        node = node.children()[0]
    assert node.depth == DEEPEST
    assert f"deeper than {DEEPEST} levels" in node.value_text()
    assert node.raw() in data


@pytest.mark.parametrize("kind", ["whole answer", "raw record"])
def test_toggle_of_assistive_technology_chooses_the_line(qtbot: QtBot, kind: str) -> None:
    shown = JsonView() if kind == "whole answer" else _RawTree(JsonTreeModel(), lambda: "raw_data")
    tree = shown.tree if isinstance(shown, JsonView) else shown
    qtbot.addWidget(shown)
    shown.show()
    model = tree.model()
    assert isinstance(model, JsonTreeModel)
    model.set_bytes(b'{"a": {"b": 1, "c": 2}, "d": 3}')
    tree.expandAll()
    spoken = QAccessible.queryAccessibleInterface(tree)
    assert spoken is not None
    for words, key in (('"c"', "c"), ('"d"', "d"), ('"b"', "b")):
        lines = [spoken.child(place) for place in range(spoken.childCount())]
        line = next(one for one in lines if one.text(QAccessible.Text.Name).startswith(words))
        line.actionInterface().doAction("Toggle")
        qtbot.waitUntil(partial(is_at, tree, key))


def is_at(tree: QTreeView, key: str) -> bool:
    return getattr(tree.currentIndex().data(NODE_ROLE), "key", "") == key
