"""``open`` and the options of `check` that leave evidence: what is printed, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from explorer.cli.app import run
from explorer.cli.check_run import say_section
from explorer.cli.evidence import masks_of
from explorer.cli.exits import UsageFault
from explorer.quality.baseline.baseline import Accepted, Baseline
from explorer.quality.bundle.choice import choose
from explorer.quality.bundle.masking import Mask
from explorer.quality.bundle.read import read_bundle
from explorer.quality.bundle.write import write_bundle
from explorer.quality.engine.check import UNDONE, Example, Finding, Result, SourceValue, Verdict
from explorer.quality.engine.identity import identified
from explorer.quality.reports.report import report_of
from explorer.ui.pages.quality.bundle_window import BundleWindow
from tests.mirror.quality.bundle.test_write import evidence, made, page, two_pages
from tests.thorough import examples

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def test_the_source_of_a_finding_is_shown_beside_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made_of, _ = two_pages()
    record = json.dumps({"id": "c", "size": 2242, "text": "x" * 300, "raw_data": {"size": 2296744}})
    kept = evidence(page(1, f'{{"items": [{record}], "has_next_page": false, "next_cursor": null}}'))
    beside = (SourceValue("raw_data.size", "2296744"),)
    finding = Finding("t", "size", "size is odd", 22, (Example(1, 1, 1, "c", "2242", beside),))
    path = tmp_path / "b.zip"
    one = replace(
        made_of,
        results=(replace(made_of.results[0], findings=(finding,)),),
    )
    write_bundle(path, [choose(one, kept)], secrets=[])
    assert run(["open", str(path), "--text"]) == 0
    said = capsys.readouterr().out
    assert "      raw_data.size is 2296744\n" in said
    assert "   and 21 more\n" in said


def test_a_fault_of_the_program_is_said_first_as_in_the_window(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made_of, kept = two_pages()
    check = made_of.results[0].check
    fault = Result(check, "l/x", Verdict.SKIPPED, f"{UNDONE}an error in the program itself (ValueError)")
    one, path = replace(made_of, results=(*made_of.results, fault)), tmp_path / "b.zip"
    write_bundle(path, [choose(one, kept)], secrets=[])
    assert run(["open", str(path), "--text"]) == 0
    said = capsys.readouterr().out
    assert "An error in the program itself (ValueError): 1 check could not be done; " in said
    say_section(report_of([one]).sections[0])
    told = capsys.readouterr().err
    assert ": an error in the program itself (ValueError): 1 check could not be done; " in told


def test_what_is_new_beside_the_baseline_stands_before_what_is_known_and_both_are_marked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made_of, kept = two_pages()
    names = [name for result in made_of.results if result.is_bad for name, _ in identified(result)]
    assert len(names) == 2
    day, path = date(2026, 11, 1), tmp_path / "b.zip"
    accepted = Accepted(names[0], 9_999, 9_999, day, day, "as ann@third.example said", "T-hunter2hunter2")
    write_bundle(
        path,
        [choose(made_of, kept)],
        secrets=["T-hunter2hunter2"],
        masks=[Mask.EMAILS],
        baseline=Baseline({names[0]: accepted}),
    )
    assert run(["open", str(path), "--text"]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("#")]
    assert [line.partition(":")[0] for line in lines] == ["#2 suspect, new", "#1 fails, known"]
    report = read_bundle(path).files["report.html"].decode()
    assert "known: at most 9,999 of 9,999" in report
    assert "ann@third" not in report
    assert "hunter2" not in report
    write_bundle(path, [choose(made_of, kept)], secrets=[])
    assert run(["open", str(path), "--text"]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("#")]
    assert [line.partition(":")[0] for line in lines] == ["#1 fails", "#2 suspect"], (
        "without a baseline as before"
    )


def test_the_run_its_findings_and_their_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["open", str(made(tmp_path / "b.zip")), "--text"]) == 0
    words, errors = capsys.readouterr()
    assert errors == ""
    lines = words.splitlines()
    assert lines[0].startswith("b.zip: made by Unified Explorer ")
    assert "Run 1: Ours · conn_1 · 2026-11-20 12:04 UTC" in lines
    assert "1 fail · 1 suspect: 2 looked at, 0 skipped; 4 records of 2 pages, 2 calls." in lines
    assert "#1 fails: Values have the type of their field (ats/job)" in lines
    assert "   page 2, row 3, call #2, id Bb: NaN" in lines
    assert '      {"id":""}' in lines
    assert "   calls #2" in lines
    assert max(map(len, lines)) < 300
    assert run(["open", str(tmp_path / "b.zip"), "--rows"]) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) > 60_000


@pytest.mark.parametrize(("data", "word"), [(b"nothing", "not a bundle"), (None, "No such file")])
def test_what_is_no_bundle(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], data: bytes | None, word: str
) -> None:
    path = tmp_path / "b.zip"
    if data is not None:
        path.write_bytes(data)
    assert run(["open", str(path), "--text"]) == 3
    out, error = capsys.readouterr()
    assert out == ""
    assert word in error
    assert len(error.splitlines()) == 1


def test_the_kinds_to_mask() -> None:
    assert masks_of(None, None) == ()
    assert masks_of("emails, names", Path("b.zip")) == (Mask.EMAILS, Mask.NAMES)
    with pytest.raises(UsageFault, match="'faces'"):
        masks_of("faces", Path("b.zip"))
    with pytest.raises(UsageFault, match="--bundle"):
        masks_of("emails", None)


def test_on_a_terminal_with_a_screen_the_window_opens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], qapp: QApplication
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    seen: list[str] = []

    def look() -> None:
        for widget in qapp.topLevelWidgets():
            if isinstance(widget, BundleWindow):
                seen.append(widget.windowTitle())
                widget.close()

    QTimer.singleShot(0, qapp, look)
    try:
        assert run(["open", str(made(tmp_path / "b.zip"))]) == 0
    finally:
        qapp.setQuitOnLastWindowClosed(False)
    assert seen == ["b.zip — Unified Explorer"]
    assert capsys.readouterr().out == ""


@st.composite
def damages(draw: st.DrawFn) -> Callable[[bytes], bytes]:
    """Bytes changed, cut out, put in or cut off, at any place; the directory at the end as often as the rest."""
    places = draw(st.lists(st.tuples(st.floats(0, 1), st.binary(max_size=4), st.integers(0, 4)), max_size=4))
    near_end, cut = draw(st.booleans()), draw(st.sampled_from([1.0, 1.0, 0.999, 0.9, 0.5, 0.01]))

    def damaged(data: bytes) -> bytes:
        for place, put, over in places:
            start = len(data) - 1200 if near_end else 0
            at = max(start, 0) + int(place * (len(data) - max(start, 0)))
            data = data[:at] + put + data[at + over :]
        return data[: int(len(data) * cut)]

    return damaged


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=examples(150)
)
@given(damages())
def test_any_damage_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], damaged: Callable[[bytes], bytes]
) -> None:
    whole = tmp_path / "whole.zip"
    if not whole.exists():
        made(whole)
    path = tmp_path / "damaged.zip"
    path.write_bytes(damaged(whole.read_bytes()))
    code = run(["open", str(path), "--text"])
    said = capsys.readouterr().err
    assert code in (0, 3)
    assert "error in the program" not in said
    assert (code == 3) == bool(said)
