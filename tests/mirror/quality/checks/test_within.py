"""Which parameters narrow a list follows from what its resource declares."""

from __future__ import annotations

from explorer.quality.checks.containers import Containers
from explorer.quality.checks.within import Narrowing, narrowings
from tests.builtin import registry
from tests.mirror.quality.checks.rows import row


def test_a_parameter_narrows_by_records_of_another_list_or_of_its_own() -> None:
    found = narrowings(registry.resource("file-storage/file"), registry)
    assert found == [
        Narrowing("drive_id", other="file-storage/drive"),
        Narrowing("folder_id", kind=("type", "folder")),
    ]
    for key in ("ats/job", "file-storage/drive", "sales-engagement/mailbox"):
        assert narrowings(registry.resource(key), registry) == []


def test_records_of_its_own_that_narrow_are_remembered() -> None:
    watcher = Containers([("type", "folder")])
    for value in ({"id": "a", "type": "folder"}, {"id": "b", "type": "file"}, {"type": "folder"}, None):
        watcher.row(row(value))
    assert watcher.found == {("type", "folder"): ["a"]}
