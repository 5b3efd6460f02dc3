"""Records looked at together say what they say one by one: what lies within others, and what raw data says is gone."""

from __future__ import annotations

from random import Random
from typing import Any

from explorer.quality.engine.check import Example
from explorer.quality.mapping.container_types import ContainerTypes
from explorer.quality.mapping.deleted_records import DeletedRecords
from explorer.quality.mapping.record_batch import RecordBatch
from tests.builtin import registry

FILES = registry.resource("file-storage/file")


def records(chance: Random) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = []
    for number in range(120):
        path = f"/a/{chance.randrange(4)}" + chance.choice(
            ("", "/", f"/{number}.pdf", f"/{chance.randrange(3)}/b")
        )
        raw: dict[str, Any] = {
            "trashed": chance.random() < 0.02,
            "state": {"deleted": chance.random() < 0.02},
        }
        kind = chance.choice(("file", "file", "folder", None))
        made.append(
            {"id": str(number), "path": chance.choice((path, path, None)), "type": kind, "raw_data": raw}
        )
    return made


def seen(number: int) -> Any:
    return lambda value: Example(1, number, 1, str(number), repr(value))


def test_together_or_one_by_one() -> None:
    chance, found = Random(5), 0
    for size in (1, 7, 60) * 4:
        rows = records(chance)
        alone, together = (
            ContainerTypes(FILES, {"type": ("file", "folder")}),
            ContainerTypes(FILES, {"type": ("file", "folder")}),
        )
        gone, all_gone = (
            DeletedRecords("raw_data", ("id", "type")),
            DeletedRecords("raw_data", ("id", "type")),
        )
        for number, row in enumerate(rows):
            alone.look(row, seen(number))
            gone.look(row, seen(number))
        for start in range(0, len(rows), size):
            some = rows[start : start + size]
            raws = [row["raw_data"] for row in some]
            many = RecordBatch(some, raws, [seen(start + at) for at in range(len(some))], "raw_data")
            together.look_all(many)
            all_gone.look_all(many)
        assert list(together._others.items()) == list(alone._others.items())
        assert together.findings() == alone.findings()
        assert list(all_gone.findings()) == list(gone.findings())
        assert all_gone.count == gone.count == len(rows)
        found += len(alone.findings()) + len(list(gone.findings()))
    assert found > 12
