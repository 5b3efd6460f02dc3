"""Bounded work a turn of the loop, for any text; and that reading in pieces loses nothing."""

import itertools
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from explorer.catalog.spec import Report
from explorer.ui.kit.json_members import BREATH, GROUP, PIECE, Items, Members, finished, stretch
from explorer.ui.kit.json_text import Member, parts, skip_value, walked
from explorer.ui.kit.json_tree import DEEPEST, JsonTreeModel
from explorer.ui.pages.reports.entries import report_of, tables_of
from explorer.ui.records.cells import UNREAD_CELL, Reading, row_of
from explorer.ui.records.record_view import MOST, Fields, RecordView
from tests.builtin import registry
from tests.mirror.ui.kit.test_json_tree import JSON


def many_keys(count: int) -> bytes:
    return b"{" + b",".join(b'"key%d":%d' % (i, i) for i in range(count)) + b"}"


SHAPES = {
    "3,000 levels": b'{"a":' * 3000 + b"1" + b"}" * 3000,
    "100,000 levels": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "100,000 arrays": b"[" * 100_000 + b"]" * 100_000,
    "never closed": b'[{"a":' * 100_000,
    "many keys": many_keys(200_000),
    "many objects": b"[" + b",".join(b'{"id":%d}' % i for i in range(100_000)) + b"]",
    "one string": b'{"a":"' + b"word " * 8_000_000 + b'"}',
    "escapes": b'{"a":"' + b'\\"' * 2_000_000 + b'"}',
    "no numbers": b"[" + b",".join([b"NaN"] * 200_000) + b"]",
}


@pytest.mark.parametrize("name", SHAPES)
def test_a_turn_reads_a_bounded_number_of_members_and_brackets(name: str) -> None:
    """Between two steps of a walk at most a bounded stretch is gone through that is not one text."""
    data = SHAPES[name]
    members = Members(data, 0, len(data))
    before, turns = 0, 0
    while not members.complete:
        members.go_on()
        assert members.count - before <= PIECE
        before, turns = members.count, turns + 1
    steps = sum(1 if step is not None else BREATH for step in walked(data, 0, len(data)))
    assert turns <= steps // PIECE + 1 + steps // BREATH


@given(JSON, st.booleans())
def test_a_walk_gives_what_is_read_at_once(value: Any, spaced: bool) -> None:
    data = json.dumps(value, indent=1 if spaced else None).encode()
    if data[:1] in b"{[":
        stepped = [m for m in walked(data, 0, len(data)) if m is not None]
        assert tuple(stepped) == parts(data, 0, len(data)).members
        for number, member in enumerate(stepped):  # and from any member on
            later = [m for m in walked(data, 0, len(data), member.key_start) if m is not None]
            assert later == stepped[number:]


@given(st.text('{}[]",: 1a\\', max_size=3000).map(str.encode), st.integers(0, 9))
def test_a_long_value_ends_where_its_brackets_say(inside: bytes, deep: int) -> None:
    data = (
        b"[" * deep + json.dumps([inside.decode(), {"a": [inside.decode()] * 9}] * 9).encode() + b"]" * deep
    )
    assert skip_value(data + b",1]", 0, len(data) + 3) == len(data)


def test_items_are_cut_out_as_received() -> None:
    data = SHAPES["many objects"]
    items = Items(data)
    assert sum(1 for _ in items.reading()) > 10
    assert len(items) == 100_000
    assert items[0] == b'{"id":0}'
    assert items[-1] == b'{"id":99999}'
    assert items[GROUP - 1 : GROUP + 1] == [b'{"id":999}', b'{"id":1000}']


def test_the_tree_opens_a_large_branch_a_piece_at_a_time(qtbot: QtBot) -> None:
    model = JsonTreeModel()
    model.set_bytes(SHAPES["many keys"])
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


def entries(inner: bytes) -> bytes:
    return (
        b'{"totalBalance":1,"currency":"EUR","x":' + inner + b',"entries":[{"balance":1,"y":' + inner + b"}]}"
    )


@pytest.mark.parametrize("name", SHAPES)
def test_a_report_and_its_tables_are_read_in_steps_that_do_not_grow_with_its_depth(name: str) -> None:
    if name == "never closed":
        return
    body = entries(SHAPES[name])
    resource = registry.resource("accounting/customer-balance")
    operation = resource.operations[0]
    assert isinstance(operation, Report)
    found = finished(report_of(body, resource, operation))
    assert found is not None
    assert found.rows is not None
    assert len(found.rows) == 1
    most = 64 + 40 * len(body) // 10_000
    assert sum(1 for _ in itertools.islice(tables_of(body), most)) < most


def test_fields_of_a_large_record_are_read_in_pieces_and_the_rest_is_counted() -> None:
    raw = many_keys(200_000)[:-1] + b',"name":"last"}'
    fields = Fields(RecordView(raw, registry.resource("ats/job")))
    fields.go_on()
    assert not fields.complete
    while not fields.complete:
        before = len(fields._found) + fields.more
        fields.go_on()
        assert len(fields._found) + fields.more - before <= PIECE + 1
    assert fields.bytes_of("name") == b'"last"'  # a declared field is found wherever it stands
    assert len(fields.rows) <= MOST + 40
    assert len([r for r in fields.rows if r.state == "undeclared"]) + fields.more == 200_000


def test_a_table_reads_the_beginning_of_a_large_record_and_calls_nothing_absent_that_it_did_not_read() -> (
    None
):
    job = registry.resource("ats/job")
    raw = b'{"id":"1",' + many_keys(200_000)[1:-1] + b',"name":"last"}'
    cells = dict(zip((c.field for c in job.columns), row_of(raw, job.columns, Reading()).cells, strict=True))
    assert cells["id"].text == "1"
    assert cells["name"] is UNREAD_CELL
    small = row_of(b'{"id":"1"}', job.columns, Reading()).cells
    assert UNREAD_CELL not in small


def test_a_stretch_ends_after_its_steps() -> None:
    def endless() -> Iterator[Member | None]:
        while True:
            yield None
            yield Member("", 0, 0, 1)

    assert len(list(stretch(endless(), 10 * (BREATH + 1)))) == 10
