"""``check --offline``: the rows of the last pull, as they are stored, without a single request."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from explorer.cli.app import run
from explorer.quality.engine.check import Run, Verdict
from explorer.quality.engine.source import NOTHING_STORED, OFFLINE
from explorer.quality.reports.read import read_runs
from tests.flow.listed import CONNECTION, KEY, Listed, Serving, job, serving

LIST = "ats/job"
OF_ROWS = ("records", "mapping", "envelope", "paging", "transport")


@pytest.fixture
def service() -> Iterator[Serving]:
    with serving() as made:
        yield made


class Asked:
    """The command line on one list of one service, with the requests that it made."""

    def __init__(self, service: Serving, tmp_path: Path) -> None:
        self._service, self._folder = service, tmp_path
        self._where = ["--base-url", service.url, "--connection-id", CONNECTION, "--allow-http"]

    def serves(self, rows: list[Any]) -> None:
        self._service.listed = Listed(rows=rows, size=50)

    def pull(self, *options: str) -> None:
        assert run(["pull", LIST, *self._where, "--out", str(self._folder / "rows"), *options]) == 0

    def check(self, *options: str) -> tuple[int, Run, int]:
        """The exit code, the run, and how many requests it took."""
        before, report = len(self._service.listed.asked), self._folder / "run.json"
        code = run(["check", LIST, *self._where, "--json", str(report), *options])
        (made,) = read_runs(report.read_bytes())
        return code, made, len(self._service.listed.asked) - before


@pytest.fixture
def asked(service: Serving, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Asked:
    monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", KEY)
    monkeypatch.setenv("UNIFIED_EXPLORER_HOME", str(tmp_path / "home"))
    return Asked(service, tmp_path)


def rows(count: int = 400) -> list[Any]:
    """Jobs, of which three are not as they should be."""
    made = [job(number) for number in range(count)]
    made[57]["name"] = "Another name"
    made[203]["modified_at"] = "2023-02-30"
    del made[311]["raw_data"]
    return made


def told(found: Run) -> dict[str, Any]:
    """What each check of the rows says: verdict, words and places. In the log each run has other numbers."""
    return {
        one.check.id: (
            one.verdict, one.seen, one.measured, one.affected,
            [(f.rule, f.field, f.count, [(e.page, e.row, e.id, e.value) for e in f.examples]) for f in one.findings],
        )
        for one in found.results
        if one.check.group in OF_ROWS and one.verdict is not Verdict.SKIPPED
    }  # fmt: skip


def test_stored_rows_give_what_fresh_ones_give_without_a_request(
    asked: Asked, capsys: pytest.CaptureFixture[str]
) -> None:
    asked.serves(rows())
    asked.pull()
    code, fresh, calls = asked.check()
    assert (code, fresh.stored) == (1, ())
    assert calls > 8
    asked.serves([job(number) for number in range(400)])
    capsys.readouterr()
    code, offline, calls = asked.check("--offline")
    assert (code, calls) == (1, 0), "the rows are those of the pull, not those served now"
    said = capsys.readouterr().err
    assert f"400 rows of {LIST} as pulled at 20" in said.partition("Jobs")[0], "before the run"
    assert offline.head.little_words.startswith(
        "this run could judge little: it made no request, and looked at 400"
    )
    mine, its = told(fresh), told(offline)
    unlike = {name for name in its if name != "transport.latency" and mine[name] != its[name]}
    assert unlike == set()
    assert {"records.dates", "records.raw-data", "mapping.made-alike", "paging.ids-once"} <= its.keys()
    skipped = {one.seen for one in offline.results if one.check.group == "completeness"}
    assert skipped == {OFFLINE}, "what needs a call says that none was made"
    kind = offline.result("transport.content-type")
    assert kind is None or kind.verdict is Verdict.SKIPPED, "nobody knows the headers of stored pages"


def test_of_a_pull_that_did_not_end_the_run_says_how_far_it_came(
    asked: Asked, capsys: pytest.CaptureFixture[str]
) -> None:
    asked.serves(rows())
    asked.pull("--max-pages", "2")
    _, found, calls = asked.check("--offline")
    assert (calls, found.records) == (0, 100)
    assert "no more than 100 rows of it are stored" in found.stopped
    assert f"The first 100 rows of {LIST} as pulled at" in capsys.readouterr().err
    ends = found.result("paging.ends")
    assert ends is not None
    assert ends.verdict is Verdict.SKIPPED


def test_where_nothing_is_stored_nothing_is_asked_either(
    asked: Asked, capsys: pytest.CaptureFixture[str]
) -> None:
    asked.serves(rows())
    code, found, calls = asked.check("--offline")
    assert (code, calls, found.records) == (2, 0, 0)
    assert NOTHING_STORED in capsys.readouterr().err


def test_a_finding_of_stored_rows_is_made_again_from_them(asked: Asked) -> None:
    asked.serves(rows())
    asked.pull()
    _, found, _ = asked.check("--offline", "--only", "records.raw-data")
    (result,) = found.bad
    assert "--offline" in found.command(result)
    assert json.dumps(found.command(result)).count("records.raw-data") == 1
