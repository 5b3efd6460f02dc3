"""Runs as JSON, JUnit XML, Markdown and HTML, with text in them that must stay text."""

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime
from html.parser import HTMLParser

import pytest

from explorer.quality.baseline.baseline import Accepted, Baseline
from explorer.quality.engine.check import Example, Result, SourceValue, Verdict
from explorer.quality.engine.identity import Identity
from explorer.quality.reports.html import as_html
from explorer.quality.reports.json import as_json
from explorer.quality.reports.junit import as_junit
from explorer.quality.reports.markdown import as_markdown
from explorer.quality.reports.read import read_runs
from explorer.quality.reports.report import Report, report_of, summary_of
from tests.mirror.quality.made import HOSTILE, TYPES, made_run


def test_json_holds_everything() -> None:
    [run] = json.loads(as_json(report_of([made_run()])).decode("utf-8"))["runs"]
    assert run["checks"] == {"fails": 1, "suspect": 1, "observed": 1, "holds": 1, "skipped": 1}
    first = run["results"][0]
    assert run["summary"].startswith("1 fail · 1 suspect: 4 looked at, 1 skipped, because ")
    assert run["judged_little"] == []
    assert (first["harm"], first["rank"]) == ("contract broken", 2984)
    assert first["findings"][0]["verdict"] == "fails"
    assert first["findings"][0]["examples"][0]["row"] == 105
    assert first["reproduce"].startswith("unified-explorer check ats/job --profile ")
    assert "'conn_one two'" in first["reproduce"]
    assert run["mappings"][0]["fields"][0]["from"] == ["/title"]


def test_junit_is_read_by_a_reader_of_xml() -> None:
    root = ET.fromstring(as_junit(report_of([made_run(), made_run()])))
    assert (root.tag, root.get("tests"), root.get("failures")) == ("testsuites", "10", "4")
    suite = root[0]
    assert (suite.get("name"), suite.get("skipped")) == ("conn_one two", "1")
    summary, first, second, *_ = suite
    assert summary[0].get("value", "").startswith("1 fail · 1 suspect: 4 looked at, 1 skipped, because ")
    failure = first.find("failure")
    assert failure is not None
    assert failure.get("type") == "fails"
    assert failure.text is not None
    assert "row 105" in failure.text
    assert "unified-explorer check" in failure.text
    failure = second.find("failure")
    assert failure is not None
    assert failure.get("type") == "suspect", "what is bad comes first"


@pytest.mark.parametrize("make", [as_json, as_junit, as_markdown, as_html])
def test_a_run_that_could_judge_little_says_so_before_its_results(make: Callable[[Report], bytes]) -> None:
    empty = replace(made_run(), records=0, mappings=())
    told = make(report_of([empty])).decode("utf-8").casefold()
    assert told.index("this run could judge little: no record was read") < told.index("records.types")


ATTRIBUTES = {
    "testsuites": {"name", "time", "tests", "failures", "disabled", "errors"},
    "testsuite": {
        "name",
        "tests",
        "failures",
        "errors",
        "time",
        "disabled",
        "skipped",
        "timestamp",
        "hostname",
        "id",
        "package",
    },
    "testcase": {"name", "assertions", "time", "classname", "status"},
    "skipped": {"message"},
    "failure": {"type", "message"},
    "system-out": set(),
    "properties": set(),
    "property": {"name", "value"},
}
"""What the schema that build servers use for JUnit lets stand, by element."""
CHILDREN = {
    "testsuites": {"testsuite"},
    "testsuite": {"properties", "testcase", "system-out", "system-err"},
    "properties": {"property"},
    "testcase": {"skipped", "error", "failure", "system-out", "system-err"},
}


def test_junit_keeps_the_rules_of_its_schema() -> None:
    root = ET.fromstring(as_junit(report_of([made_run(), made_run()])))
    for node in root.iter():
        assert set(node.attrib) <= ATTRIBUTES[node.tag]
        assert {child.tag for child in node} <= CHILDREN.get(node.tag, set())
    for suite in root:
        cases = suite.findall("testcase")
        assert len(cases) == int(suite.get("tests", ""))
        assert sum(case.find("failure") is not None for case in cases) == int(suite.get("failures", ""))
        assert sum(case.find("skipped") is not None for case in cases) == int(suite.get("skipped", ""))
        assert len({(case.get("classname"), case.get("name")) for case in cases}) == len(cases)
        assert float(suite.get("time", "")) >= 0
        assert datetime.fromisoformat(suite.get("timestamp", "")).tzinfo is None


def test_several_connections_are_a_grid() -> None:
    one = made_run()
    other = replace(one, connection="conn_two", results=one.results[1:2])
    document = json.loads(as_json(report_of([one, other])))
    assert document["grid"] == [
        {"check": "paging.ends", "verdicts": {"conn_one two": "observed", "conn_two": "holds"}},
        {"check": "records.types", "verdicts": {"conn_one two": "fails", "conn_two": None}},
    ]
    assert "grid" not in json.loads(as_json(report_of([one])))
    reader = Reader()
    reader.feed(as_html(report_of([one, other])).decode())
    assert "2 connections" in reader.text
    assert "1 other check" in reader.text
    assert "2 connections" not in as_html(report_of([one])).decode()


class Reader(HTMLParser):
    """Notes the tags and attributes of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.links: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        loads = ("src", "href", "srcset", "action", "data", "background", "poster", "formaction", "ping")
        self.links += [f"{n}={value}" for n, value in attrs if n in loads or n.startswith("on")]

    def handle_data(self, data: str) -> None:
        self.text += data


def test_html_needs_nothing_else_and_stays_text() -> None:
    reader = Reader()
    page = as_html(report_of([made_run()])).decode("utf-8")
    reader.feed(page)
    assert not reader.tags & {"script", "img", "link", "iframe"}
    assert reader.links == []
    # The policy stands before anything that it could be about, and nothing is loaded even without it.
    policy = re.search(r'<meta http-equiv="Content-Security-Policy" content="([^"]+)">', page)
    assert policy is not None
    assert policy[1] == "default-src 'none'; style-src 'unsafe-inline'"
    assert policy.start() < page.index("<style>")
    assert "url(" not in page
    assert "@import" not in page
    assert not re.search(r"https?://", page)
    for word in ("312 of 21,400 records", "1 fail · 1 suspect", "50%", "/title", "alert(1)", "row 105"):
        assert word in reader.text
    assert "prefers-color-scheme:dark" in page


def test_markdown_keeps_its_tables() -> None:
    text = as_markdown(report_of([made_run()])).decode("utf-8")
    rows = [line for line in text.splitlines() if line.startswith("| fails")]
    assert len(rows) == 1
    assert rows[0].replace("\\|", "").count("|") == 6
    assert "\\<script\\>" in rows[0]


@pytest.mark.parametrize("make", [as_json, as_junit, as_markdown, as_html])
def test_control_characters_and_changes_of_direction_are_visible_or_gone(make: object) -> None:
    text = make(report_of([made_run()])).decode("utf-8")  # type: ignore[operator]
    assert "\u202e" in HOSTILE
    assert "\x00" not in text
    assert "\x1b" not in text
    if make in (as_markdown, as_html):
        assert "\u202e" not in text


def test_a_key_breaks_at_its_slash_and_print_shows_what_is_folded() -> None:
    run = made_run()
    result = replace(run.results[0], resource="sales-engagement/sequence_state")
    page = as_html(report_of([replace(run, results=(result,))])).decode()
    assert "<td><i>sales-engagement</i>/<wbr><i>sequence_state</i>" in page
    assert "@media print" in page
    assert "details::details-content{display:block" in page


def beside_a_baseline() -> Report:
    """One finding that is known, one that is new, and one that is fixed."""
    day = date(2026, 11, 20)
    known = Identity("records.types", "ats/job", "text", HOSTILE)
    gone = Identity("paging.ends", "ats/job", "empty pages", "")
    ones = [
        Accepted(known, 400, 21_400, day, day, f"they mend it {HOSTILE}", "CRM-12", day),
        Accepted(gone, 1, 9, day, day),
    ]
    return report_of([made_run()], Baseline({one.identity: one for one in ones}))


def test_json_says_what_is_new_known_and_fixed() -> None:
    document = json.loads(as_json(beside_a_baseline()))
    gone = {"check": "paging.ends", "resource": "ats/job", "rule": "empty pages", "field": ""}
    counts = {"new": 1, "grown": 0, "expired": 0, "known": 1, "fixed": 1}
    assert document["baseline"] == {**counts, "fixed_findings": [gone]}
    results = document["runs"][0]["results"]
    assert results[0]["findings"][0]["baseline"] == "known"
    assert results[4]["baseline"] == "new"
    assert re.fullmatch("[0-9a-f]{32}", results[4]["fingerprint"])
    assert [run.results for run in read_runs(as_json(beside_a_baseline()))] == [
        run.results for run in read_runs(as_json(report_of([made_run()])))
    ]


def test_junit_fails_only_what_was_not_accepted() -> None:
    root = ET.fromstring(as_junit(beside_a_baseline()))
    assert (root.get("failures"), root[0].get("failures"), root[0].get("skipped")) == ("1", "1", "2")
    known, new, *_ = root[0].findall("testcase")
    skipped = known.find("skipped")
    assert skipped is not None
    assert skipped.get("message", "").startswith("accepted: ")
    assert "they mend it" in skipped.get("message", "")
    assert "CRM-12" in skipped.get("message", "")
    assert new.find("failure") is not None
    told = [node.text for node in root.iter("system-out")]
    assert "fixed: paging.ends · ats/job · empty pages" in told


def test_markdown_and_html_say_what_is_new_known_and_fixed() -> None:
    text = as_markdown(beside_a_baseline()).decode()
    assert text.startswith("Beside the baseline: 1 new, 0 grown, 0 expired, 1 known, 1 fixed.\n")
    assert "| fails, 1 known | Values" in text
    assert "| suspect, 1 new | Values" in text
    assert "known: at most 400 of 21,400, until 2026-11-20, they mend it" in text
    assert "## Fixed\n\n- paging.ends · ats/job · empty pages\n" in text
    reader = Reader()
    reader.feed(as_html(beside_a_baseline()).decode())
    assert not reader.tags & {"script", "img", "link", "iframe"}
    for words in ("Beside the baseline: 1 new", "known: at most 400 of 21,400", "paging.ends · ats/job"):
        assert words in reader.text


def test_without_a_baseline_no_report_speaks_of_one() -> None:
    for make in (as_json, as_junit, as_markdown, as_html):
        assert "baseline" not in make(report_of([made_run()])).decode().casefold()


def test_each_report_has_the_sources_value_beside_the_wrong_one_and_how_many_more_there_are() -> None:
    run = made_run()
    sources = (SourceValue("raw_data.size", "12 | <b>"), SourceValue("raw_data.unit"))
    example = Example(2, 105, 17, "id-1", '"a"', sources)
    finding = replace(run.results[0].findings[0], examples=(example,))
    run = replace(run, results=(replace(run.results[0], findings=(finding,)),))
    report = report_of([run])
    [found] = json.loads(as_json(report))["runs"][0]["results"][0]["findings"]
    assert found["examples"][0]["source"] == [
        {"path": "raw_data.size", "value": "12 | <b>"},
        {"path": "raw_data.unit"},
    ]
    assert read_runs(as_json(report))[0].results[0].findings[0].examples == (example,)
    for make, words in (
        (as_html, "raw_data.size is <code>12 | &lt;b&gt;</code>, raw_data.unit is <code>absent</code>"),
        (as_markdown, r'"a" (raw\_data.size is 12 \| \<b\>, raw\_data.unit is absent)'),
        (as_junit, '"a" (raw_data.size is 12 | &lt;b&gt;, raw_data.unit is absent)'),
    ):
        made = make(report).decode()
        assert words in made
        assert "and 311 more" in made


def test_a_fault_of_the_program_is_said_first_with_what_to_do() -> None:
    run = made_run()
    why = "could not be done: an error in the program itself (ValueError in a.py, line 3), please report it"
    others = [Result(TYPES, f"l/{n}", Verdict.SKIPPED, f"reason {n % 5}") for n in range(20)]
    run = replace(run, results=(*run.results, *others, Result(TYPES, "l/x", Verdict.SKIPPED, why)))
    [section] = json.loads(as_json(report_of([run])))["runs"]
    first = "an error in the program itself (ValueError in a.py, line 3), please report it: 1 check could not be done"
    assert section["summary"].startswith(f"{first}; ")
    assert report_of([run]).sections[0].sentence.startswith(f"A{first[1:]}; ")
    assert summary_of(made_run().head) == made_run().head.sentence
