"""A report read back is the run that it was made of, and says so as the same report."""

import json
from dataclasses import replace

import pytest

from explorer.quality.engine.all_checks import CHECKS
from explorer.quality.reports.json import as_json
from explorer.quality.reports.read import NoReport, read_runs
from explorer.quality.reports.report import report_of
from tests.mirror.quality.made import made_run


def test_a_report_of_what_was_read_is_the_same_report() -> None:
    document = as_json(
        report_of([made_run(), replace(made_run(), connection="conn_two", stopped="It was stopped.")])
    )
    runs = read_runs(document)
    assert as_json(report_of(runs)) == document
    assert [run.connection for run in runs] == ["conn_one two", "conn_two"]
    known = {check.id: check for check in CHECKS}
    assert all(result.check is known[result.check.id] for run in runs for result in run.results)


def test_the_command_of_a_finding_is_the_same_with_what_the_checks_were_told() -> None:
    run = replace(made_run(), options=("--ids", "1,2", "--customer", "a b", "--writes"))
    [again] = read_runs(as_json(report_of([run])))
    assert again.options == run.options
    assert [again.command(r) for r in again.bad] == [run.command(r) for r in run.bad]


def test_a_finding_alone_stays_one_of_its_run() -> None:
    run = made_run()
    alone = run.alone(run.results[0])
    [again] = read_runs(as_json(report_of([alone])))
    assert again.of == alone.of > 0


def test_a_check_that_is_not_known_any_more_keeps_its_words() -> None:
    document = json.loads(as_json(report_of([made_run()])))
    document["runs"][0]["results"][0] |= {"check": "records.gone", "sentence": "It was once"}
    [run] = read_runs(json.dumps(document).encode())
    assert (run.results[0].check.id, run.results[0].check.sentence) == ("records.gone", "It was once")


@pytest.mark.parametrize(
    "document",
    [b"", b"[]", b"{}", b'{"format": "other"}', b'{"format": "unified-explorer quality run"}', b"\xff"],
)
def test_what_is_no_report_is_said_in_a_sentence(document: bytes) -> None:
    with pytest.raises(NoReport, match=r"\w+ .*\."):
        read_runs(document)


@pytest.mark.parametrize(
    ("place", "value"), [("count", "many"), ("verdict", "odd"), ("examples", [{"row": "x"}])]
)
def test_a_report_with_a_value_of_another_kind_is_refused(place: str, value: object) -> None:
    document = json.loads(as_json(report_of([made_run()])))
    document["runs"][0]["results"][0]["findings"][0][place] = value
    with pytest.raises(NoReport, match="cannot be read"):
        read_runs(json.dumps(document).encode())
