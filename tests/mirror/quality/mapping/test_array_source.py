"""The raw array that an array comes from, and by what their items belong together."""

from __future__ import annotations

from typing import Any

from explorer.quality.mapping.array_source import Source, source_of, texts


def records(count: int = 30) -> list[dict[str, Any]]:
    made = []
    for at in range(count):
        offices = [{"uid": 900 + one, "city": f"City {one}"} for one in (at % 11, at % 11 + at % 7 + 1)]
        shown = [{"id": str(one["uid"]), "name": one["city"]} for one in reversed(offices)]
        links = {f"text/{one}": "https://x.example" for one in (at % 5, 9)}
        raw = {"offices": offices, "links": links}
        made.append({"offices": shown, "formats": sorted(links), "raw_data": raw})
    return made


def test_items_belong_together_by_their_id_and_not_by_place() -> None:
    assert source_of(records(), "offices", "raw_data") == Source("/offices", "/id", "/uid")


def test_the_names_of_an_object_are_items_too() -> None:
    assert source_of(records(), "formats", "raw_data") == Source("/links", "", "<name>")


def test_the_array_of_the_record_before_is_met() -> None:
    rows = records()
    moved = [{**row, "offices": rows[at - 1]["offices"]} for at, row in enumerate(rows)]
    source = source_of(moved, "offices", "raw_data")
    assert source is not None
    assert source.moved == -1


def test_the_texts_of_an_item_leave_out_what_is_no_key() -> None:
    assert texts({"id": 1, "is": True, "in": [1], "raw_data": {"a": 1}}, "raw_data") == {"/id": "1"}
