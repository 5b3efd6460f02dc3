"""Records that hold the key that they were asked for with."""

from __future__ import annotations

from explorer.api.answer import Answer
from explorer.api.redact import Redactor
from explorer.quality.checks.own_key import OwnKey
from explorer.quality.engine.record_check import SeenPage
from explorer.quality.engine.row import read_row
from explorer.quality.engine.rows import Rows


def page_of(body: bytes) -> SeenPage:
    return SeenPage(1, Answer(200, (), body, 1.0, 7), None, None)


def test_of_a_page_without_the_key_no_record_is_read() -> None:
    watcher = OwnKey(Redactor(["key-4711"]))
    rows = Rows([read_row(raw, 1, 1, 7) for raw in (b'{"id":"1"}', b'{"id":"key-4711"}')])
    watcher.page(page_of(b'{"items":[{"id":"1"}]}'))
    assert watcher.passes(rows)
    watcher.page(page_of(b'{"items":[{"id":"1"},{"id":"key-4711"}]}'))
    assert not watcher.passes(rows)
    for row in rows.rows:
        watcher.row(row)
    assert (watcher._tally.measured, watcher._tally.affected) == (4, 1)


def test_each_record_that_holds_the_key_is_found_by_its_field() -> None:
    watcher = OwnKey(Redactor(["key-4711"]))
    for number, raw in enumerate((b'{"id":"1","name":"of key-4711"}', b'{"id":"2"}', b'["key-4711"]'), 1):
        watcher.row(read_row(raw, number, 1, 7))
    tally = watcher._tally
    assert (tally.measured, tally.affected) == (3, 2)
    assert [finding.field for finding in tally.findings] == ["name", ""]
    assert all("key-4711" not in example.value for one in tally.findings for example in one.examples)
