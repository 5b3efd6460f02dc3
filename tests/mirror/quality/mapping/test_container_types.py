"""Records that others lie within by their paths: such a record is a folder, whatever its type says."""

from __future__ import annotations

from typing import Any

from tests.mirror.quality.checks.test_lineage import bad


def tree(*, mounts: str = "folder") -> list[dict[str, Any]]:
    """Four folders at the top that raw data calls mounts, folders within, and files of which some have no ending."""
    made: list[tuple[str, str]] = []
    for top in range(4):
        made.append((f"/Team {top}", mounts))
        for inner in range(5):
            made.append((f"/Team {top}/v{inner}", "folder"))
            names = (f"plan {at * 31}{'.txt' * (at % 3 > 0)}" for at in range(8))
            made += [(f"/Team {top}/v{inner}/{name}", "file") for name in names]
    rows = []
    for at, (path, kind) in enumerate(made):
        raw = {
            "uid": f"k{at * 7919:07}",
            "at": path,
            "children": kind == "folder",
            "mount": path.count("/") == 1,
        }
        rows.append({"id": raw["uid"], "path": path, "type": kind, "raw_data": raw})
    return rows


def test_what_others_lie_within_is_no_file() -> None:
    assert bad(tree()) == []
    assert bad(tree(mounts="file")) == [("mapping.made-alike", "holds others", "type")]


def test_paths_that_no_folder_has_say_nothing() -> None:
    rows = tree()
    for row in rows:
        row["type"] = "file" if row["type"] == "folder" else "url"
        row["raw_data"]["children"] = row["type"] == "file"
    assert [one for one in bad(rows) if one[1] == "holds others"] == []
