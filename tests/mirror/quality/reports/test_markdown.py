"""The few lines for a pull request: what needs a look, bounded whatever was found, and no Markdown of others."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from explorer.quality.baseline.baseline import Accepted, Baseline
from explorer.quality.engine.check import Finding, Result, Verdict
from explorer.quality.engine.identity import Identity
from explorer.quality.reports.markdown import MOST, as_summary, text
from explorer.quality.reports.report import report_of
from tests.mirror.quality.made import HOSTILE, TYPES, made_run

DAY = date(2026, 11, 20)
FIRST = Identity("records.types", "ats/job", "text", HOSTILE)


def test_what_was_accepted_is_counted_and_not_listed() -> None:
    made = Baseline({FIRST: Accepted(FIRST, 400, 21_400, DAY, DAY)})
    lines = as_summary(report_of([made_run()], made)).decode().splitlines()
    assert lines[0] == "### Quality run: 1 new, 0 grown, 0 expired, 1 known, 0 fixed"
    assert lines[2].startswith("- conn\\_one two: 1 fail · 1 suspect: 4 looked at")
    table = [line for line in lines if line.startswith("|")][2:]
    assert table == ["| new | records.types | file-storage/drive | odd | 1 of 2 |"]


def test_what_has_grown_says_what_was_accepted_and_each_row_its_connection() -> None:
    made = Baseline({FIRST: Accepted(FIRST, 3, 21_400, DAY, DAY, "they mend it", "CRM-12")})
    two = [made_run(), replace(made_run(), connection="conn_other")]
    table = [line for line in as_summary(report_of(two, made)).decode().splitlines() if line.startswith("|")][
        2:
    ]
    assert table[0].startswith(
        "| grown: at most 3 of 21,400, they mend it (CRM-12) | records.types | conn\\_one two ats/job"
    )
    assert table[-1].startswith("| new | records.types | conn\\_other file-storage/drive")


def test_without_a_baseline_the_verdict_stands_there() -> None:
    lines = as_summary(report_of([made_run()])).decode().splitlines()
    assert lines[0] == "### Quality run: 2 findings"
    assert [line.split(" | ")[0] for line in lines if line.startswith("|")][2:] == ["| fails", "| suspect"]
    assert "<script>" not in "\n".join(lines)


def test_it_is_short_whatever_was_found() -> None:
    findings = tuple(Finding(f"rule {n}", "f" * 500, HOSTILE * 200, 1) for n in range(300))
    run = replace(
        made_run(),
        connection="c" * 900,
        results=(Result(TYPES, "ats/job", Verdict.FAILS, "", 9, 9, findings),),
    )
    gone = [Identity("records.types", "ats/job", f"gone {n}", HOSTILE * 50) for n in range(99)]
    made = Baseline({one: Accepted(one, 1, 1, DAY, DAY) for one in gone})
    text = as_summary(report_of([run] * 40, made)).decode()
    assert len(text) < 25_000
    assert "and 11,985 more: a report has them all" in text
    assert f"- and {99 - MOST} more" in text
    assert text.count("\n") < 80


def test_it_is_never_cut_within_a_word() -> None:
    key = "k" * 40
    for before in range(150, 210):
        finding = Finding("null", key * 9, f"{'a b ' * (before // 4)}{'c' * (before % 4)} {key} is odd", 1)
        result = Result(TYPES, "ats/job", Verdict.FAILS, "", 9, 1, (finding,))
        text = as_summary(report_of([replace(made_run(), results=(result,))])).decode()
        assert "k" not in text.rpartition("|---")[2].replace(key, "")


def test_why_it_could_not_judge_is_said() -> None:
    text = as_summary(report_of([replace(made_run(), stopped="It was stopped")])).decode()
    assert "It could not judge all: it ended early: it was stopped" in text


def test_an_entity_in_a_value_is_shown_as_it_was_received() -> None:
    assert text("a &amp; b &#40; &#x28; R&D & c") == r"a \&amp; b \&\#40; \&\#x28; R&D & c"
