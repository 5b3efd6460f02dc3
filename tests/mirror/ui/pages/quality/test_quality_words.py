"""A run in words: sections with the gravest first, what is new and gone, and what to ask once more."""

from dataclasses import replace
from datetime import datetime

from explorer.profiles.profile import Profile
from explorer.quality.engine.all_checks import CHECKS
from explorer.quality.engine.check import QUICK_WORDS, Finding, Result, Run, Verdict
from explorer.quality.engine.run_options import RunOptions
from explorer.ui.pages.quality.quality_words import (
    about,
    about_words,
    again,
    difference_words,
    evidence_words,
    file_stem,
    progress_words,
    sections_of,
    sections_so_far,
    share_lists,
    so_far_words,
    verdict_words,
    whose_words,
)
from tests.mirror.quality.made import made_run

BY_ID = {check.id: check for check in CHECKS}


def result(check: str, verdict: Verdict, resource: str = "ats/job", *rules: str) -> Result:
    findings = tuple(Finding(rule, "name", f"name: {rule}", 1) for rule in rules)
    return Result(BY_ID[check], resource, verdict, "seen", 10, len(rules), findings)


def run_of(*results: Result) -> Run:
    return replace(made_run(), connection="conn_one", results=results)


FAILS = result("records.types", Verdict.FAILS, "ats/job", "text", "number")
SUSPECT = result("paging.ends", Verdict.SUSPECT, "ats/job", "loop")
HOLDS = result("transport.json", Verdict.HOLDS)
LATER = result("records.ids", Verdict.HOLDS)


def test_findings_come_first_and_every_group_follows_the_gravest_first() -> None:
    found = sections_of(run_of(HOLDS, LATER, SUSPECT, FAILS))
    assert [(s.title, s.words) for s in found] == [
        ("Findings", "1 fail · 1 suspect · most harmful first"),
        ("Records", "1 fail · 1 hold"),
        ("Paging", "1 suspect"),
        ("Transport", "1 hold"),
    ]
    assert [line.result for line in found[0].lines] == [SUSPECT, FAILS], "lost rows are graver than a type"
    assert [s.open for s in found] == [True, False, False, False]
    assert [line.result for line in found[1].lines] == [LATER]


def test_one_verdict_alone() -> None:
    run = run_of(HOLDS, LATER, SUSPECT, FAILS)
    assert [s.title for s in sections_of(run, only=Verdict.SUSPECT)] == ["Findings"]
    assert [(s.title, s.open) for s in sections_of(run, only=Verdict.HOLDS)] == [
        ("Records", True),
        ("Transport", True),
    ]


def test_what_is_new_and_what_is_gone() -> None:
    sound = replace(SUSPECT, verdict=Verdict.HOLDS, findings=())
    before = run_of(result("records.types", Verdict.FAILS, "ats/job", "text", "array"), sound, HOLDS, LATER)
    now = run_of(result("records.types", Verdict.FAILS, "ats/job", "text"), SUSPECT, HOLDS, LATER)
    assert difference_words(now, before).endswith(": 1 new finding, 1 gone")
    first, gone = sections_of(now, before)[:2]
    assert [line.new for line in first.lines] == [True, False]
    assert gone.title.startswith("Gone since ")
    assert [f.rule for f in gone.lines[0].result.findings] == ["array"]
    assert difference_words(now, now).startswith("The same findings")


def test_what_was_not_looked_at_is_not_gone() -> None:
    before, now = run_of(SUSPECT, HOLDS), run_of(HOLDS)
    assert difference_words(now, before).startswith("The same findings")
    skipped = run_of(replace(SUSPECT, verdict=Verdict.SKIPPED, findings=()), HOLDS)
    assert difference_words(skipped, before).startswith("The same findings")


def test_what_the_earlier_run_did_not_look_at_is_not_new() -> None:
    drives = run_of(result("records.types", Verdict.FAILS, "file-storage/drive", "text"))
    jobs = run_of(result("records.types", Verdict.FAILS, "ats/job", "text"))
    assert "looked at nothing of this" in difference_words(jobs, drives)
    assert [line.new for line in sections_of(jobs, drives)[0].lines] == [False]
    both = run_of(*jobs.results, *drives.results)
    assert difference_words(both, drives).startswith("The same findings")
    skipped = run_of(*drives.results, replace(jobs.results[0], verdict=Verdict.SKIPPED, findings=()))
    assert difference_words(both, skipped).startswith("The same findings")


def test_a_run_of_another_list_is_not_compared_with() -> None:
    jobs, drives = run_of(FAILS, LATER), run_of(result("records.types", Verdict.HOLDS, "file-storage/drive"))
    beside = result("transport.json", Verdict.HOLDS, "")
    jobs, drives = run_of(*jobs.results, beside), run_of(*drives.results, beside)
    assert not share_lists(jobs, drives)
    assert "looked at nothing of this" in difference_words(jobs, drives)
    assert share_lists(jobs, jobs)
    assert share_lists(run_of(beside), run_of(beside)), "a run that looks at no list"


def test_what_a_stopped_run_did_not_find_is_not_gone() -> None:
    before = run_of(FAILS, SUSPECT)
    stopped = replace(run_of(replace(FAILS, verdict=Verdict.HOLDS, findings=())), stopped="It was stopped.")
    assert [s.title for s in sections_of(stopped, before)] == ["Records"]
    assert difference_words(stopped, before).startswith("Nothing new since")
    more = replace(run_of(FAILS, LATER), stopped="It was stopped.")
    sound = replace(FAILS, verdict=Verdict.HOLDS, findings=())
    assert difference_words(more, run_of(sound, LATER)).endswith("2 new findings")


def test_what_a_quick_run_did_not_read_is_neither_gone_nor_new() -> None:
    sound = replace(FAILS, verdict=Verdict.HOLDS, findings=())
    quick = replace(run_of(sound, LATER), quick=True, partial=("ats/job",))
    assert [s.title for s in sections_of(quick, run_of(FAILS, LATER))] == ["Records"]
    assert difference_words(quick, run_of(FAILS, LATER)).startswith("Nothing new since")
    whole = run_of(FAILS, LATER)
    assert [line.new for line in sections_of(whole, quick)[0].lines] == [False], "it may stand behind page 3"
    assert [line.new for line in sections_of(whole, replace(quick, partial=()))[0].lines] == [True]


def test_a_group_that_was_skipped_says_why() -> None:
    def skipped(check: str, why: str) -> Result:
        return replace(result(check, Verdict.SKIPPED), seen=why)

    one = skipped("records.types", "no record came.")
    [same] = sections_of(run_of(one, replace(skipped("records.ids", "no record came."))))
    assert same.words == "2 skipped: no record came"
    [two] = sections_of(run_of(one, skipped("records.ids", "it has none")))
    assert two.words == "2 skipped: no record came; it has none"
    [many] = sections_of(
        run_of(one, skipped("records.ids", "it has none"), skipped("records.dates", "no value came"))
    )
    assert many.words == "3 skipped"
    [mixed] = sections_of(run_of(one, LATER))
    assert mixed.words == "1 hold · 1 skipped"


def test_what_was_skipped_for_want_of_something_is_one_fold_with_what_it_needs() -> None:
    def skipped(check: str, resource: str, why: str) -> Result:
        return replace(result(check, Verdict.SKIPPED, resource), seen=why, measured=0)

    batch = skipped("batch.array", "crm/account", "enter their ids")
    write = skipped("writes.left-behind", "core/pipeline", "writes are not enabled")
    report = skipped("reports.alike", "accounting/customer-income", "it needs a customer id")
    lacking = skipped("transport.answers", "ats/job", "this connection has none")
    run = replace(run_of(HOLDS, write, batch, report, lacking), options=())
    found = sections_of(run)
    assert [(one.title, one.words) for one in found] == [
        ("Transport", "1 hold · 1 skipped"),
        ("3 skipped, need something", "ids of accounts 1 · a customer 1 · writes 1"),
    ]
    fold = found[-1]
    assert not fold.open
    assert [(line.need, line.link) for line in fold.lines] == [
        ("--ids", "Give ids…"),
        ("--customer", "Name a customer…"),
        ("--writes", "Allow writes…"),
    ]
    given = replace(run, options=("--ids", "1", "--customer", "2", "--writes"))
    assert not any("need" in one.title for one in sections_of(given)), (
        "it was given, and skipped for something else"
    )
    assert not any("need" in one.title for one in sections_of(run, give=False))
    quick = replace(run_of(skipped("paging.ends", "ats/job", f"ended early: {QUICK_WORDS}")), quick=True)
    assert [line.link for line in sections_of(quick)[0].lines] == ["Whole lists…"]


def test_only_what_was_found_is_asked_again_where_it_was_found() -> None:
    asked = RunOptions(resources=("ats/job", "file-storage/file"), ids=("1",), calls=5)
    runs = [run_of(HOLDS, FAILS, SUSPECT), replace(run_of(HOLDS), connection="conn_two")]
    made, connections = again(runs, asked)
    assert connections == ("conn_one",)
    assert made == replace(asked, resources=("ats/job",), only=("paging.ends", "records.types"))
    references = result("records.references", Verdict.FAILS, "ats/job", "none")
    made, _ = again([run_of(references)], asked)
    assert made.resources == asked.resources, "it takes several lists to see it again"


def test_words() -> None:
    assert verdict_words([FAILS, FAILS, HOLDS]) == "2 fail · 1 hold"
    assert evidence_words(made_run().results[0]) == "Open records"
    assert evidence_words(HOLDS) == ""
    assert progress_words([("page", 1, None), ("record", 1200, 5000), ("call", 1, 1)]) == (
        "1 page · 1,200 of 5,000 records · 1 of 1 call"
    )
    assert progress_words([("second", 1.3, None)]) == "1 second", "as it is shown"
    said = about([run_of(FAILS)], ["conn_two"])
    assert (said["words"], said["connections"]) == ("1 fail · stopped", ["conn_one"])


def test_what_was_found_so_far_is_one_line() -> None:
    assert so_far_words(run_of(HOLDS, LATER)) == "Nothing found so far, 2 checks hold"
    assert so_far_words(run_of(HOLDS)) == "Nothing found so far, 1 check holds"
    assert so_far_words(run_of(HOLDS, FAILS, SUSPECT)) == "1 fail · 1 suspect · 1 hold so far"
    found = sections_so_far(run_of(HOLDS, FAILS, SUSPECT), {("records.types", "ats/job")})
    assert [(one.title, one.words, one.open) for one in found] == [
        ("Findings so far", "1 fail · 1 suspect · most harmful first", True),
        ("Hold so far", "1", False),
    ]
    assert [(line.result, line.new) for line in found[0].lines] == [(SUSPECT, False), (FAILS, True)]
    assert about_words(63, None, 148, "call") == "63 of about 148 calls"
    assert about_words(63, 100, 148, "call") == "63 of 100 calls", "a limit is certain"
    assert about_words(1, None, None, "call") == "1 call"


def test_a_file_is_named_after_what_is_in_it() -> None:
    run = replace(made_run(), connection="conn_1", started_at=datetime(2026, 11, 20, 12, 4).astimezone())
    assert file_stem("evidence", ()) == "evidence"
    assert file_stem("evidence", [run]) == "evidence-conn_1-2026-11-20-1204"
    assert file_stem("evidence", [replace(run, connection="../a b")]) == "evidence-..-a-b-2026-11-20-1204"
    assert file_stem("quality-run", [run, run]) == "quality-run-2-connections-2026-11-20-1204"


def test_whose_the_profile_of_a_command_is_where_no_address_stands_for_it() -> None:
    own = Profile(name="Mine", base_url="https://h.example", connection="conn_1")
    assert whose_words(own) == "", "its address stands in the command"
    assert whose_words(Profile.sandbox("http://127.0.0.1:1")) == (
        "The profile Sandbox is in every installation: it starts the sandbox."
    )
    assert whose_words(own.changed(interface="stock")) == (
        "The profile Mine is the sender's: it asks https://h.example, by the interface stock."
    )
