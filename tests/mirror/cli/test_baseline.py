"""The baseline's file as the command keeps it: without a key, and never over what it cannot read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from explorer.cli import exits
from explorer.cli.baseline import open_baseline
from explorer.cli.check_files import write_each
from explorer.cli.exits import CannotStart, UsageFault
from explorer.quality.baseline.baseline_file import read_baseline
from explorer.quality.engine.check import Finding, Result, Run, Verdict
from tests.mirror.quality.made import TYPES, made_run

KEY = "key-5f2a7c9d41e84b6f"


def run_with(rule: str, field: str) -> Run:
    """One finding, whose names a service may have chosen."""
    found = Finding(rule, field, f"{KEY} is odd", 3)
    return replace(made_run(), results=(Result(TYPES, "ats/job", Verdict.FAILS, KEY, 9, 3, (found,)),))


def kept(path: Path, run: Run, *, update: bool = True) -> dict[str, int]:
    """How the findings stand after the file was made or changed by a run."""
    opened = open_baseline(path, update=update, prune=False)
    assert opened is not None
    report, works = opened.judged([run], whole=True)
    write_each(works)
    return report.standings


@pytest.mark.parametrize(
    ("rule", "field"), [("text", f"raw_data.{KEY}"), (f"holds {KEY}", "token"), (KEY, KEY)]
)
def test_no_key_is_in_the_file_and_the_finding_is_known_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rule: str, field: str
) -> None:
    monkeypatch.setattr(exits, "_secrets", {KEY})
    path = tmp_path / "baseline.json"
    assert kept(path, run_with(rule, field))["known"] == 1
    assert KEY not in path.read_text("utf-8")
    again = kept(path, run_with(rule, field), update=False)
    assert (again["known"], again["new"], again["fixed"]) == (1, 0, 0)


def test_a_key_that_is_a_word_of_the_file_leaves_it_unwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exits, "_secrets", {"accepted"})
    path = tmp_path / "baseline.json"
    with pytest.raises(CannotStart, match="a word that stands in it"):
        kept(path, run_with("text", "name"))
    assert not path.exists()


def test_the_same_findings_leave_the_same_bytes(tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    kept(path, run_with("text", "name"))
    before = path.read_bytes()
    kept(path, run_with("text", "name"))
    assert path.read_bytes() == before
    assert len(read_baseline(before).accepted) == 1


def test_a_file_that_cannot_be_written_keeps_no_report_back(tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    opened = open_baseline(path, update=True, prune=False)
    assert opened is not None
    _, works = opened.judged([run_with("text", "name")], whole=True)
    path.write_text("another's")
    written: list[str] = []
    with pytest.raises(CannotStart, match="changed while the run was under way"):
        write_each(works | {"report": lambda: written.append("report")})
    assert written == ["report"]
    assert path.read_text() == "another's"


def test_a_run_that_was_cut_off_writes_nothing(tmp_path: Path) -> None:
    opened = open_baseline(tmp_path / "baseline.json", update=True, prune=True)
    assert opened is not None
    report, works = opened.judged([run_with("text", "name")], whole=False)
    assert not works
    assert report.standings["new"] == 1


def test_without_a_file_nothing_is_compared() -> None:
    assert open_baseline(None, update=False, prune=False) is None
    with pytest.raises(UsageFault, match="need --baseline FILE"):
        open_baseline(None, update=True, prune=False)
