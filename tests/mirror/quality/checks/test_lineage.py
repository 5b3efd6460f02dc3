"""How fields are made, over whole lists: clean ones are not complained of, and what is wrong is named with its rows."""

from __future__ import annotations

import html
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from explorer.quality.checks.lineage import Lineage
from explorer.quality.engine.check import Result, Verdict
from tests.builtin import registry
from tests.mirror.quality.checks.rows import told
from tests.mirror.quality.clean_mappings import MOMENT, clean_files, z
from tests.thorough import some

FILES, JOBS = "file-storage/file", "ats/job"
NAMES = ("Müller & Söhne", "O'Neill <b>", "Łódź 日本", "Plain river", "Stone Ünder glass", "Acme north")


def files(count: int = 300) -> list[dict[str, Any]]:
    """Files that are mapped well."""
    made = []
    for at in range(count):
        moment, name = MOMENT + timedelta(hours=37 * at, minutes=at % 60), f"{NAMES[at % 6]} {at * 7919}"
        raw = {
            "uid": f"k{at:05}", "title": name, "note": f"note of {at}", "born": (moment + timedelta(0)).isoformat(),
            "bytes": 1000 + at * 37, "isDeleted": at % 7 == 0, "downloadable": at % 3 == 0,
        }  # fmt: skip
        row = {
            "id": raw["uid"], "name": name, "created_at": z(moment), "size": raw["bytes"],
            "downloadable": raw["downloadable"], "raw_data": raw,
        }  # fmt: skip
        made.append(row)
    return made


def looked(rows: list[dict[str, Any]], key: str = FILES) -> dict[str, Result]:
    return told(Lineage(registry.resource(key)), key, rows)


def bad(rows: list[dict[str, Any]], key: str = FILES) -> list[tuple[str, str, str]]:
    """Check, rule and field of all that is found."""
    found = looked(rows, key).values()
    return [(one.check.id, f.rule, f.field) for one in found if one.is_bad for f in one.findings]


@pytest.mark.parametrize("seed", some(tuple(range(24)), 8))
def test_nothing_is_wrong_with_clean_mappings(seed: int) -> None:
    for count in (3, 30, 220):
        assert bad(clean_files(seed, count)) == []


@settings(max_examples=15)
@example(78935, 257)  # short names in another script, from a second source
@example(616024, 72)  # one name from a second source that looks cut off the first
@example(201843, 47)  # one description without a source among few
@given(st.integers(100, 10**6), st.integers(1, 260))
def test_any_clean_mapping_is_no_finding(seed: int, count: int) -> None:
    assert bad(clean_files(seed, count)) == []


def test_the_files_here_are_clean() -> None:
    assert bad(files()) == []


Change = Callable[[dict[str, Any]], Any]
LOSSES: list[tuple[str, Change, str]] = [
    ("name", lambda r: r["name"][:9], "cut"),
    ("name", lambda r: html.escape(r["name"]), "escaped for HTML"),
    ("name", lambda r: r["name"].encode().decode("latin-1"), "decoded with the wrong charset"),
    ("name", lambda r: r["name"].encode("ascii", "replace").decode(), "letters replaced"),
    ("created_at", lambda r: r["created_at"].rstrip("Z"), "zone dropped"),
    ("created_at", lambda r: r["created_at"][:10], "time dropped"),
    ("created_at", lambda r: z(datetime.fromisoformat(r["created_at"]) + timedelta(hours=2)), "zone moved"),
    ("size", lambda r: r["size"] // 1024, "unit"),
    ("downloadable", lambda r: False, "constant"),
]


@pytest.mark.parametrize(("field", "change", "rule"), LOSSES, ids=[one[2] for one in LOSSES])
def test_what_every_record_loses_is_named(field: str, change: Change, rule: str) -> None:
    rows = files()
    for row in rows:
        if field == "size":
            row["raw_data"]["size"] = row["raw_data"].pop("bytes")
        row[field] = change(row)
    found = looked(rows)["mapping.nothing-lost"]
    assert rule in found.findings[0].rule
    assert found.findings[0].field == field
    assert f"{found.findings[0].count:,} of 300" in found.findings[0].sentence


SINGLE: list[tuple[str, Change, str]] = [
    *((field, change, rule) for field, change, rule in LOSSES if field == "name" or rule.endswith("dropped")),
    ("name", lambda r: "N/A", "placeholder"),
    ("name", lambda r: "something else", "differs"),
    ("name", lambda r: r["raw_data"]["note"], "/note"),
    ("name", lambda r: r["id"], "/uid"),
    ("created_at", lambda r: "2019-03-04T05:06:07Z", "stale"),
]


@pytest.mark.parametrize("at", [6, 222])
@pytest.mark.parametrize(("field", "change", "rule"), SINGLE, ids=[one[2] for one in SINGLE])
def test_the_one_guilty_record_is_named(field: str, change: Change, rule: str, at: int) -> None:
    rows = files()
    rows[at][field] = change(rows[at])
    found = [one for one in looked(rows).values() if one.is_bad]
    assert [(f.rule, f.field, f.count) for one in found for f in one.findings] == [(rule, field, 1)]
    assert [one.row for one in found[0].findings[0].examples] == [at + 1]


@pytest.mark.parametrize(("by", "rule"), [(-1, "record before"), (1, "record behind")])
def test_a_neighbours_value_is_that_of_the_record_that_has_it(by: int, rule: str) -> None:
    rows = files()
    rows[170]["name"] = rows[170 + by]["name"]
    [found] = [one for one in looked(rows).values() if one.is_bad]
    assert (found.check.id, found.findings[0].rule) == ("mapping.made-alike", rule)
    assert [one.row for one in found.findings[0].examples] == [171]


def test_raw_data_that_is_not_the_records_own() -> None:
    rows = files()
    raws = [row["raw_data"] for row in rows]
    for name, other in {
        "record behind it": [*raws[1:], raws[0]],
        "record before it": [raws[-1], *raws[:-1]],
        "another record": [raws[at ^ 3] for at in range(300)],
        "unrelated": [raws[at * 7 % 300] for at in range(300)],
        "empty": [{}] * 300,
        "same": [raws[5]] * 300,
        "unified again": [{k: v for k, v in row.items() if k != "raw_data"} for row in rows],
    }.items():
        moved: list[dict[str, Any]] = [{**row, "raw_data": raw} for row, raw in zip(rows, other, strict=True)]
        results = looked(moved)
        assert results["mapping.raw-own"].verdict is Verdict.SUSPECT, name
        assert results["mapping.raw-own"].findings[0].rule == name
        assert results["mapping.raw-own"].measured == 300
        # What rests on raw data is not said to hold.
        assert all(one.verdict is not Verdict.HOLDS for one in results.values())


def test_one_record_with_the_raw_data_of_another_is_named_once() -> None:
    rows = files()
    rows[200]["raw_data"] = rows[201]["raw_data"]
    [found] = [one for one in looked(rows).values() if one.is_bad]
    assert found.check.id == "mapping.raw-own"
    assert [(f.count, f.examples[0].row) for f in found.findings] == [(1, 201)]


def test_items_of_arrays_are_held_against_their_own_raw_data() -> None:
    rows = []
    for at in range(120):
        raws = [{"key": f"{at}-{n}", "label": f"Team {at * 31} {n}"} for n in range(at % 3 + 1)]
        teams = [{"id": one["key"], "name": one["label"], "raw_data": one} for one in raws]
        rows.append({"id": f"j{at}", "name": f"Job {at}", "departments": teams, "raw_data": {"no": f"j{at}"}})
    assert bad(rows, JOBS) == []
    rows[77]["departments"][1]["name"] = "Somebody else"  # type: ignore[index]
    assert bad(rows, JOBS) == [("mapping.made-alike", "differs", "departments[].name")]
    watcher = Lineage(registry.resource(JOBS))
    told(watcher, JOBS, rows)
    inner = next(one for one in watcher.mapping().sources if one.field == "departments[].name")
    assert (inner.words, inner.explained, inner.filled) == ("departments[].raw_data.label", 239, 240)
    assert inner.note == "1 differ"


def test_a_field_that_is_made_in_two_ways_is_no_finding() -> None:
    rows = files(400)
    for at, row in enumerate(rows):
        if at >= 150:
            row["raw_data"]["label"] = row["raw_data"].pop("title")
    assert bad(rows) == []
    watcher = Lineage(registry.resource(FILES))
    told(watcher, FILES, rows)
    name = next(one for one in watcher.mapping().sources if one.field == "name")
    assert name.note == "250 in a second way"
    assert name.words == "raw_data.title; in some raw_data.label"


def test_what_is_explained_less_than_filled_says_why() -> None:
    for seed in some(tuple(range(12)), 6):
        watcher = Lineage(registry.resource(FILES))
        told(watcher, FILES, clean_files(seed, 150))
        for one in watcher.mapping().sources:
            assert one.note or one.explained == one.filled


def test_few_records_say_so() -> None:
    results = looked(files(3))
    assert results["mapping.made-alike"].seen == "too few records: 3"


def test_memory_is_bounded_and_a_stop_in_the_middle_gives_what_was_seen() -> None:
    watcher = Lineage(registry.resource(FILES))
    rows = files(60)
    rows[30]["name"] = "Somebody else"
    results = told(watcher, FILES, rows)
    assert results["mapping.made-alike"].findings[0].examples[0].row == 31
    assert watcher.mapping().records == 60


def test_a_text_that_raw_data_has_in_two_places_comes_from_the_one_that_is_empty_with_it() -> None:
    rows = files()
    for at, row in enumerate(rows):
        host = f"some-long-name-{at * 7}.example"
        sites = [{"kind": "private", "url": f"https://{host}/home"}] if at % 3 else []
        sites += [{"kind": "work", "url": f"http://www.{host}"}] if at % 4 else []
        row["raw_data"] |= {"host": host, "sites": sites}
        row["description"] = f"http://www.{host}" if at % 4 else None
    assert bad(rows) == []
    rows[161]["description"] = None
    assert bad(rows) == [("mapping.kept", "null", "description")]


def test_the_owner_of_another_object_is_not_the_records_own() -> None:
    rows: list[dict[str, Any]] = []
    for at in range(120):
        parent = {"id": f"p{at % 9}", "user_id": f"u{at % 5}"}
        raw = {"no": f"s{at}", "added_by": f"u{at * 7 % 11}", "campaign": parent}
        rows.append({"id": raw["no"], "user_id": raw["added_by"], "raw_data": raw})
    assert bad(rows, "sales-engagement/sequence_state") == []
    for row in rows:
        del row["raw_data"]["campaign"]["id"]
    assert bad(rows, "sales-engagement/sequence_state") == [
        ("mapping.one-source", "another source", "user_id")
    ]


def test_a_number_may_be_missing_where_raw_data_counts_something_else() -> None:
    rows = files()
    for at, row in enumerate(rows):
        row["raw_data"]["folder" if at % 6 == 0 else "file"] = {"children": at}
        row["size"] = None if at % 6 == 0 else row["size"]
    assert bad(rows) == []
    rows[200]["size"] = None  # a file
    assert bad(rows) == [("mapping.kept", "null", "size")]


def test_another_fields_value_where_the_source_has_none() -> None:
    rows = files()
    for at, row in enumerate(rows):
        row["raw_data"]["opened"] = z(MOMENT + timedelta(hours=91 * at)) if at % 6 else None
        row["updated_at"] = row["raw_data"]["opened"] or row["created_at"]  # what never changed
    assert bad(rows) == []
    for row in rows:
        row["description"] = row.pop("updated_at")
    assert bad(rows) == [("mapping.made-alike", "another field", "description")]


def test_one_id_where_the_source_has_none_is_made_up() -> None:
    rows = []
    for at in range(120):
        raw = {"no": f"s{at}", "box": f"b{at % 7}" if at % 9 else None}
        rows.append({"id": raw["no"], "mailbox_id": raw["box"] or "", "raw_data": raw})
    assert bad(rows, "sales-engagement/sequence_state") == []
    for row in rows:
        row["mailbox_id"] = row["mailbox_id"] or "b1"
    assert bad(rows, "sales-engagement/sequence_state") == [("mapping.made-alike", "default", "mailbox_id")]


def test_numbers_without_their_last_digits() -> None:
    rows = files()
    for at, row in enumerate(rows):
        row["raw_data"]["bytes"] = row["size"] = at * 997 % 40_000 + 1
    assert bad(rows) == []
    for row in rows:
        row["size"] = row["size"] if row["size"] < 9_000 else (row["size"] + 50) // 100 * 100
    assert ("mapping.nothing-lost", "rounded", "size") in bad(rows)


def test_a_record_that_two_findings_name_is_counted_once_and_all_are_named() -> None:
    rows = files()
    for at, row in enumerate(rows):
        if at % 5 == 0:
            row["created_at"] = row["created_at"].rstrip("Z")
        if at % 7 == 0:
            row["name"] = row["name"][:9]
    found = looked(rows)["mapping.nothing-lost"]
    assert sorted(one.count for one in found.findings) == [43, 60]
    assert found.measured_on == "94 of 300 records"
    zone = next(one for one in found.findings if one.field == "created_at")
    assert zone.ids == tuple(row["id"] for row in rows[::5])
    assert len(zone.examples) == 5
