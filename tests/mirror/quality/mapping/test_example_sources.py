"""The source's value beside the wrong one: of every check on a list, in the very record that is shown."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from explorer.api.sensitive import MASK
from explorer.quality.bundle.masking import Mask, Masker
from explorer.quality.checks.lineage import Lineage
from explorer.quality.checks.records import Records
from explorer.quality.engine.check import Example, Finding, Result, SourceValue
from explorer.quality.engine.row import TOGETHER
from explorer.quality.engine.rows import Rows, tell
from explorer.quality.mapping import example_sources
from tests.builtin import registry
from tests.mirror.quality.checks.rows import row, walked
from tests.mirror.quality.checks.test_lineage import FILES, files


def sourced(records: list[dict[str, Any]]) -> list[Result]:
    """The results of the checks of values and of the mapping, told many records at a time as in a run."""
    resource = registry.resource(FILES)
    assert resource.record is not None
    watchers = (Records(resource.record), lineage := Lineage(resource))
    rows = [row(record, at, 1 + at // 100) for at, record in enumerate(records, 1)]
    for start in range(0, len(rows), TOGETHER):
        some = Rows(rows[start : start + TOGETHER])
        for watcher in watchers:
            tell(watcher, some)
    made = [one for watcher in watchers for one in watcher.end(walked(FILES, rows=len(rows)))]
    return lineage.with_sources(made)


def found(results: list[Result], field: str) -> Finding:
    return next(f for one in results if one.is_bad for f in one.findings if f.field == field)


def test_the_value_of_the_source_stands_beside_the_wrong_one() -> None:
    records = files(400)
    for at in (250, 251, 310):
        records[at]["size"] += 1
    shown = found(sourced(records), "size").examples
    assert [one.row for one in shown] == [251, 252, 311]
    for one in shown:
        assert one.row is not None
        assert one.source == (SourceValue("raw_data.bytes", str(1000 + (one.row - 1) * 37)),)
    assert shown[0].source_words == "raw_data.bytes is 10250"


def test_a_finding_of_another_check_has_it_too() -> None:
    records = files()
    records[220]["size"] = "many"
    [shown] = found(sourced(records), "size").examples
    assert (shown.value, shown.source_words) == ('"many"', "raw_data.bytes is 9140")


def test_null_and_absent_are_said_of_the_field_with_what_its_source_holds() -> None:
    for change, word in ((lambda r: r.update(size=None), "null"), (lambda r: r.pop("size"), "absent")):
        records = files()
        change(records[220])
        [shown] = found(sourced(records), "size").examples
        assert (shown.value, shown.source_words) == (word, "raw_data.bytes is 9140")


def test_null_absent_and_empty_sources_are_different_words() -> None:
    raw: dict[str, Any] = {"a": None, "b": "", "c": [], "d": {"e": 0}}
    said = [
        example_sources.source_value(raw, path, "raw_data").words
        for path in ("/a", "/b", "/c", "/x", "/d/x", "/d/e")
    ]
    assert said == [
        "raw_data.a is null",
        "raw_data.b is an empty text",
        "raw_data.c is an empty array",
        "raw_data.x is absent",
        "raw_data.d.x is absent",
        "raw_data.d.e is 0",
    ]


def test_what_is_joined_names_each_of_its_parts() -> None:
    records = files()
    for at, record in enumerate(records):
        record["raw_data"] |= {"first": f"Ann{at}", "last": f"Stone{at * 3}"}
        record["name"] = f"Ann{at} Stone{at * 3}"
    records[220]["name"] = None
    [shown] = found(sourced(records), "name").examples
    assert shown.source_words == 'raw_data.first is "Ann220", raw_data.last is "Stone660"'


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("/mails/[kind=work]/at", '"w"'),
        ("/mails/[main=true]/at", '"h"'),
        ("/mails/[last]/at", '"w"'),
        ("/mails/0/at", '"h"'),
        ("/mails/*/at", '["h", "w"]'),
        ("/mails/7/at", ""),
        ("/mails/[kind=none]/at", ""),
    ],
)
def test_the_paths_of_arrays_are_read_as_the_mapping_means_them(path: str, value: str) -> None:
    raw = {"mails": [{"kind": "home", "main": True, "at": "h"}, {"kind": "work", "at": "w"}]}
    assert example_sources.source_value(raw, path, "raw_data").value == value


def test_a_secret_by_its_name_is_masked_and_the_rest_of_its_object_is_not() -> None:
    raw = {"login": {"password": "hunter-two", "user": "ann"}}
    assert example_sources.source_value(raw, "/login/password", "raw_data").value == f'"{MASK}"'
    whole = example_sources.source_value(raw, "/login", "raw_data").value
    assert "hunter" not in whole
    assert "ann" in whole


def test_what_is_masked_in_the_value_is_masked_in_its_source() -> None:
    example = Example(1, 2, 3, "i", '"Ann"', (SourceValue("raw_data.title", '"Ann Stone"'),))
    masker = Masker((), [Mask.NAMES])
    masked = masker.tree(Finding("r", "first_name", "s", 1, (example,)))
    assert "Ann" not in str(masked)
    assert "masked.example" in masked.examples[0].source[0].value
    other = masker.tree(
        Finding("r", "label", "s", 1, (Example(source=(SourceValue("raw_data.first_name", '"Bo"'),)),))
    )
    assert "Bo" not in str(other)


def test_there_is_an_end_to_what_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(example_sources, "ROOM", 0)
    records = files()
    records[220]["size"] = "many"
    [shown] = found(sourced(records), "size").examples
    assert shown.source == ()


def test_a_copy_for_the_results_so_far_keeps_nothing_for_the_run() -> None:
    kept = example_sources.ExampleSources()
    first, second = (row(record, at) for at, record in enumerate(files(2), 1))
    for one in (first, second):
        one.example()
    kept.keep(first, {"a": 1})
    before = copy.deepcopy(kept)
    before.keep(second, {"a": 2})
    assert len(before._kept) == 2
    assert len(kept._kept) == 1
