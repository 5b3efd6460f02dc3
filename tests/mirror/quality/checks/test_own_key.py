"""Records that hold the key that they were asked for with."""

from __future__ import annotations

from explorer.api.redact import Redactor
from explorer.quality.checks.own_key import OwnKey
from explorer.quality.engine.row import read_row


def test_each_record_that_holds_the_key_is_found_by_its_field() -> None:
    watcher = OwnKey(Redactor(["key-4711"]))
    for number, raw in enumerate((b'{"id":"1","name":"of key-4711"}', b'{"id":"2"}', b'["key-4711"]'), 1):
        watcher.row(read_row(raw, number, 1, 7))
    tally = watcher._tally
    assert (tally.measured, tally.affected) == (3, 2)
    assert [finding.field for finding in tally.findings] == ["name", ""]
    assert all("key-4711" not in example.value for one in tally.findings for example in one.examples)
