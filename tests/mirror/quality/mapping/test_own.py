"""Whose values the fields of a list have: a few records that exchanged theirs are named, however short the list is."""

from __future__ import annotations

from tests.mirror.quality.checks.test_lineage import bad

DRIVES = "file-storage/drive"
NAMES = ("Finance", "Projekte", "Marketing", "Archive", "Legal")


def test_two_of_five_that_have_each_other_s_value_are_named() -> None:
    rows = [
        {"id": str(at), "name": one, "raw_data": {"no": at, "mount": one}} for at, one in enumerate(NAMES)
    ]
    assert bad(rows, DRIVES) == []
    rows[1]["name"], rows[3]["name"] = rows[3]["name"], rows[1]["name"]
    assert bad(rows, DRIVES) == [("mapping.made-alike", "other records", "name")]
    for row in rows:  # a name of its own is no exchange
        row["name"] = f"Drive {row['name']}"
    rows[2]["name"] = "Elsewhere"
    assert bad(rows, DRIVES) == []
