"""Which parameters narrow a list follows from what its resource declares."""

from __future__ import annotations

from explorer.quality.checks.containers import Containers
from explorer.quality.checks.lists_within import Narrowing, narrowings
from tests.builtin import registry
from tests.mirror.quality.checks.rows import row


def test_a_parameter_narrows_by_records_of_another_list_or_of_its_own() -> None:
    found = narrowings(registry.resource("file-storage/file"), registry)
    assert found == [
        Narrowing("drive_id", other="file-storage/drive"),
        Narrowing("folder_id", kind=("type", "folder")),
        Narrowing("drive_group_id", word="group"),
    ]
    assert narrowings(registry.resource("file-storage/drive"), registry) == found[2:]
    for key in ("ats/job", "sales-engagement/mailbox"):
        assert narrowings(registry.resource(key), registry) == []


def test_records_of_its_own_that_narrow_are_remembered() -> None:
    watcher = Containers([("type", "folder")])
    for value in ({"id": "a", "type": "folder"}, {"id": "b", "type": "file"}, {"type": "folder"}, None):
        watcher.row(row(value))
    assert watcher.found == {("type", "folder"): ["a"]}


def test_what_no_list_has_is_named_by_raw_data() -> None:
    watcher = Containers([], raw="raw_data")
    for number in range(6):
        raw = {"id": f"d{number}", "owner": {"group": {"id": f"g{number % 2}"}}, "groupKey": f"k{number}"}
        watcher.row(row({"id": f"d{number}", "raw_data": raw}))
    assert watcher.called("group") == ["g0", "g1"], "each id of the other path is one record's alone"
    assert watcher.called("site") == []


def test_a_path_that_comes_late_is_not_learned() -> None:
    watcher = Containers([], raw="raw_data")
    for number in range(201):
        raw = {"drive_id": f"d{number % 3}", **({"site_id": "s1"} if number == 200 else {})}
        watcher.row(row({"id": f"f{number}", "raw_data": raw}))
    assert list(watcher.named) == ["/drive_id"]
