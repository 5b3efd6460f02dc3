"""Media types by how names end."""

from collections.abc import Callable

from explorer.quality.checks.lineage import Lineage
from tests.builtin import registry
from tests.mirror.quality.checks.rows import findings, told

TYPES = {"zip": "application/zip", "png": "image/png", "txt": "text/plain", "tif": "image/tiff"}
_KEY = "file-storage/file"


def files(typed: Callable[[str], str], *, with_type: bool = False) -> list[tuple[str, str]]:
    """Findings on files whose type is made of their name; ``with_type`` where raw data has it too."""
    rows = []
    for at in range(200):
        end = list(TYPES)[at * 7 % 11 % len(TYPES)]
        end = end.upper() if at % 9 == 2 else end
        caption = f"Scan {at * 31}.{'final.' if at % 5 == 1 else ''}{end}"
        raw = {"uid": f"k{at * 7919:07}", "caption": caption}
        if with_type:
            raw["kind"] = typed(caption)
        rows.append({"id": raw["uid"], "name": caption, "mime_type": typed(caption), "raw_data": raw})
    made = told(Lineage(registry.resource(_KEY)), _KEY, rows)
    return [(rule, field) for one in made.values() for rule, field, _ in findings(one)]


def right(name: str) -> str:
    return TYPES[name.rpartition(".")[2].lower()]


def in_capitals(name: str) -> str:
    return TYPES.get(name.rpartition(".")[2], "application/octet-stream")


def test_an_ending_has_one_type() -> None:
    assert files(right) == []
    assert files(in_capitals) == [("by ending", "mime_type")]
    first = files(lambda name: TYPES.get(name.split(".")[1].lower(), "application/octet-stream"))
    assert first == [("by ending", "mime_type")]
    assert files(in_capitals, with_type=True) == []


def test_a_type_that_nobody_registered_is_named() -> None:
    made_up = files(lambda name: "image/tif" if right(name) == "image/tiff" else right(name))
    assert made_up == [("no type", "mime_type")]


def test_a_word_in_place_of_a_type_is_named() -> None:
    assert files(lambda name: "file" if name.endswith("png") else right(name)) == [("no type", "mime_type")]


def tables(stated: str, *, said: str = "text/csv") -> list[tuple[str, str]]:
    """Files of which each third is a table, told as ``stated`` though raw data says ``said``."""
    rows = []
    for at in range(240):
        end, own = (("csv", said), ("xls", "application/vnd.ms-excel"), ("png", "image/png"))[at % 3]
        raw = {"uid": f"k{at * 7919:07}", "caption": f"Plan {at * 31}.{end}", "kind": own}
        its = stated if end == "csv" else own
        rows.append({"id": raw["uid"], "name": raw["caption"], "mime_type": its, "raw_data": raw})
    made = told(Lineage(registry.resource(_KEY)), _KEY, rows)
    return [(rule, field) for one in made.values() for rule, field, _ in findings(one)]


def test_a_type_of_another_ending_is_named_where_raw_data_has_the_right_one() -> None:
    assert tables("text/csv") == []
    assert tables("application/vnd.ms-excel") == [("by ending", "mime_type")]
    assert tables("application/vnd.ms-excel", said="application/vnd.ms-excel") == []
    assert tables("text/csv", said="text/x-csv") == []
