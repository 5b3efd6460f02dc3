"""Checks of records as decorated functions: told, counted, skipped and left out by the engine."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from typing import Any

from explorer.catalog.builtin.core import Customer
from explorer.catalog.builtin.file_storage import File
from explorer.quality.engine.check import Harm, Verdict
from explorer.quality.engine.record_check import (
    Odd,
    Seen,
    declared_in,
    list_check,
    record_check,
    value_check,
)
from explorer.quality.engine.record_watcher import Presence, RecordChecks
from tests.mirror.quality.checks.rows import by_id, findings, row, told


@value_check("test.shouted", "Names are not shouted", of="name", none="it has no name", harm=Harm.COSMETIC)
def shouted(value: str, seen: Seen) -> str | None:
    return f"{seen.field.name} is in capitals, where a name was expected" if value.isupper() else None


@value_check("test.short", "Texts are not short", of="name", pardons=False)
def short(value: str, seen: Seen) -> Odd | None:
    return Odd("short", f"{seen.field.name} is short", rare=True) if len(value) < 3 else None


@record_check("test.paths", "Paths end with the name", needs="path", none="it has no path")
def paths(record: Mapping[str, Any], seen: Seen) -> Iterator[Odd] | str | None:
    if "path" in seen.row.flagged or "path" not in record:
        return None
    if record["path"].endswith(record["name"]):
        return None
    if record["path"]:
        return "path does not end with the name"
    return iter([Odd("empty", "path is empty", "path"), Odd("empty", "name has no path", "name")])


@list_check("test.size", "How many have a size")
def sizes(presence: Presence) -> str:
    return f"{presence.there.get('size', 0)} of {presence.records}, {presence.nulls.get('size', 0)} null"


class Checks(RecordChecks):
    checks = tuple(one.check for one in declared_in(__name__))


FILE = "file-storage/file"


def file(name: str, path: str | None = None, **more: Any) -> dict[str, Any]:
    return {"id": "1", "name": name, "path": f"/at/{name}" if path is None else path, **more}


def test_what_a_function_returns_becomes_findings() -> None:
    results = told(Checks(File), FILE, [file("LOUD"), file("soft"), file("other", "/x/y"), file("more", "")])
    assert findings(results["test.shouted"]) == [("shouted", "name", 1)]
    loud = results["test.shouted"]
    assert (loud.verdict, loud.harm, loud.measured_on) == (Verdict.SUSPECT, Harm.COSMETIC, "1 of 4 values")
    assert loud.findings[0].examples[0].value == '"LOUD"'
    assert sorted(findings(results["test.paths"])) == [
        ("empty", "name", 1),
        ("empty", "path", 1),
        ("paths", "", 1),
    ]
    assert results["test.paths"].measured_on == "2 of 4 records"
    assert results["test.size"].seen == "0 of 4, 0 null"


def test_what_does_not_apply_is_skipped_with_its_reason() -> None:
    results = told(Checks(Customer), FILE, [{"id": "1", "orgId": "o"}])
    assert [(r.verdict, r.seen) for r in (results["test.shouted"], results["test.paths"])] == [
        (Verdict.SKIPPED, "it has no name"),
        (Verdict.SKIPPED, "it has no path"),
    ]
    results = told(Checks(File), FILE, [])
    assert {r.seen for r in results.values()} == {"no record came"}
    results = told(Checks(File), FILE, [{"id": "1"}])
    assert results["test.shouted"].seen == "no value came"


def test_what_another_check_found_is_left_out() -> None:
    flagged = row(file("LOUD"))
    flagged.flagged.update(("name", "path"))
    watcher = Checks(File)
    watcher.row(flagged)
    assert not any(one.is_bad for one in watcher.results(FILE))


def test_what_the_third_party_has_just_so_is_observed() -> None:
    records = [file("LOUD", raw_data={"title": "LOUD"}), file("ALSO", raw_data={"title": "Also"})]
    loud = told(Checks(File), FILE, records)["test.shouted"]
    assert [(f.rule, f.verdict, f.count) for f in loud.findings] == [
        ("shouted", Verdict.SUSPECT, 1),
        ("shouted, as in raw_data", Verdict.OBSERVED, 1),
    ]
    assert loud.affected == 1


def test_what_most_are_like_is_observed_and_what_few_are_like_is_suspect() -> None:
    many, few = [file(f"name {n}") for n in range(30)], [file("ab") for _ in range(10)]
    assert told(Checks(File), FILE, [*many, *few])["test.short"].verdict is Verdict.SUSPECT
    mostly = told(Checks(File), FILE, [*many[:3], *few, *few, *few])["test.short"]
    assert (mostly.verdict, mostly.affected) == (Verdict.OBSERVED, 0)
    alone = told(Checks(File), FILE, few)["test.short"]
    assert alone.verdict is Verdict.OBSERVED


def test_only_what_few_are_like_is_kept_from_the_other_checks() -> None:
    for others, flagged in (([], False), ([file(f"name {n}") for n in range(30)], True)):
        watcher, last = Checks(File), row(file("ab"))
        for one in (*map(row, others), last):
            watcher.row(one)
        assert ("name" in last.flagged) == flagged


def test_results_in_between_change_nothing() -> None:
    watcher = Checks(File)
    for number in range(30):
        watcher.row(row(file("LOUD" if number % 3 else "soft", size=number), number))
        copy.deepcopy(watcher).results(FILE)
    results = by_id(watcher.results(FILE))
    assert (results["test.shouted"].affected, results["test.size"].seen) == (20, "30 of 30, 0 null")


def test_fields_of_any_name_take_no_memory_for_ever() -> None:
    watcher = Checks(File)
    for number in range(2_000):
        watcher.row(row({"id": "1", "size": None, f"x{number}": 1}, number))
    assert by_id(watcher.results(FILE))["test.size"].seen == "2000 of 2000, 2000 null"
    assert len(watcher._presence._shapes) == 0
