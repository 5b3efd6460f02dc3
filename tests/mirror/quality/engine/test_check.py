"""The words and numbers of a run."""

from dataclasses import replace
from typing import cast

from explorer.quality.engine.check import Check, Group, Harm, Result, Verdict
from explorer.quality.engine.mapping_result import FieldSource, MappingResult
from explorer.quality.reports.report import report_of
from tests.mirror.quality.made import ENDS, TYPES, made_run


def test_the_five_numbers() -> None:
    head = made_run().head
    assert head.checks_words == "1 fail · 1 suspect"
    assert head.others_words == "1 hold, 1 observed, 1 skipped"
    assert (head.records, head.pages, len(head.latencies)) == (21_400, 214, 2)
    assert head.coverage == 0.5  # of the two fields that hold values one has a source


def test_what_was_looked_at_is_said_with_what_was_not_and_why() -> None:
    head = made_run().head
    assert head.sentence.startswith("1 fail · 1 suspect: 4 looked at, 1 skipped, because <script>")
    skips = [Result(ENDS, f"r{n}", Verdict.SKIPPED, why) for n, why in enumerate("abcdb")]
    held = replace(made_run(), results=(Result(TYPES, "ats/job", Verdict.HOLDS, "", 2), *skips))
    assert held.head.sentence == (
        "all hold: 1 looked at, 5 skipped, because b (2), a (1), c (1) and 1 other reason"
    )
    two = replace(held, results=held.results[:3])
    assert two.head.because_words == "because a (1) and b (1)"


def test_a_run_that_could_judge_little_says_that_first() -> None:
    gone = Result(TYPES, "ats/job", Verdict.SKIPPED, "no record came.")
    holds = Result(ENDS, "ats/job", Verdict.HOLDS, "", 1)
    empty = replace(made_run(), results=(gone, holds), records=0, mappings=())
    assert empty.head.checks_words == "little was judged"
    assert empty.head.sentence == (
        "this run could judge little: no record was read (ats/job: no record came); "
        "little was judged: 1 looked at, 1 skipped, because no record came (1)"
    )
    stopped = replace(made_run(), stopped="The budget of 3 calls is used up.")
    assert stopped.head.little == ("it ended early: the budget of 3 calls is used up",)
    mapping = Check("mapping.kept", "mapping", "")
    bare = replace(made_run(), results=(Result(mapping, "ats/job", Verdict.HOLDS, "", 1),), mappings=())
    [why] = bare.head.little
    assert why.startswith("no record has raw data")
    paging = replace(bare, results=(holds,))
    assert paging.head.checks_words == "all hold"


def test_a_finding_alone_says_of_how_much_it_is_and_nothing_of_lists_that_it_is_not_about() -> None:
    fails = Result(TYPES, "ats/job", Verdict.FAILS, "text", 10, 1)
    gone = Result(ENDS, "drive", Verdict.SKIPPED, "it was stopped")
    holds = Result(ENDS, "ats/job", Verdict.HOLDS, "", 1)
    whole = replace(
        made_run(), results=(fails, gone, holds), mappings=(), records=10, pages=2,
        partial=("drive",), broken_off=("drive",), stopped="It was stopped.",
    )  # fmt: skip
    alone = whole.alone(fails)
    assert alone.results == (fails,)
    assert alone.head.little == ()
    assert alone.head.sentence == "1 finding of a run that made 2 checks on 10 records of 2 pages: 1 fail"
    assert replace(whole, partial=("ats/job",)).alone(fails).head.little == (
        "it ended early: it was stopped",
    )
    assert alone.alone(fails) == alone
    assert replace(whole, quick=True).alone(fails).head.sentence.startswith("it looked at the first 3 pages")


def mapped(resource: str, known: int, filled: int, records: int = 100) -> MappingResult:
    paths = [("/x",) if at < known else () for at in range(filled)]
    sources = tuple(FieldSource(f"f{at}", path, "", records, 0) for at, path in enumerate(paths))
    return MappingResult(resource, records, sources)


def test_a_list_that_is_explained_less_than_the_others_says_so_first() -> None:
    held = Result(Check("mapping.kept", "mapping", ""), "drive", Verdict.HOLDS, "", 1)
    job, file, drive = mapped("ats/job", 10, 10), mapped("file-storage/file", 8, 10), mapped("drive", 2, 5)
    run = replace(made_run(), results=(held,), mappings=(job, file, drive))
    assert run.head.checks_words == "little was judged"
    assert run.head.little == (
        "of drive 2 of 5 fields have a known source in raw data, where its other lists have 90%",
    )
    assert replace(run, mappings=(job, file)).head.little == ()
    assert replace(run, mappings=(drive,)).head.little == ()  # nothing to hold it against
    assert replace(run, mappings=(job, mapped("drive", 0, 5, records=3))).head.little == ()
    said = Result(held.check, "drive", Verdict.SUSPECT, "raw data is another's", 5, 5)
    assert replace(run, results=(said,)).head.little == ()  # a finding says why
    narrowed = replace(held, resource="ats/job")
    assert replace(run, results=(narrowed,)).head.little == ()  # nothing is said of drive


def test_findings_are_ranked_by_harm_then_by_share() -> None:
    def made(check: Check, verdict: Verdict, affected: int) -> Result:
        return Result(check, "ats/job", verdict, "", 100, affected)

    lost = Check("paging.x", "paging", "")
    key = Check("records.y", "records", "", harm=Harm.SECURITY)
    dressed = Check("records.z", "records", "", harm=Harm.COSMETIC)
    wanted = [
        made(lost, Verdict.SUSPECT, 90),
        made(lost, Verdict.FAILS, 1),
        made(key, Verdict.SUSPECT, 1),
        made(TYPES, Verdict.FAILS, 50),
        made(TYPES, Verdict.FAILS, 2),
        made(TYPES, Verdict.SUSPECT, 100),
        made(dressed, Verdict.SUSPECT, 100),
    ]
    rest = [made(lost, Verdict.HOLDS, 0), made(lost, Verdict.SKIPPED, 0)]
    run = replace(made_run(), results=(*rest, *reversed(wanted)))
    assert list(run.bad) == wanted
    assert [line.result for line in report_of([run]).sections[0].ranked] == [*wanted, *rest]
    assert [r.harm for r in wanted][-2:] == [Harm.LIKELY, Harm.COSMETIC]


def test_measured_on_is_said_in_words() -> None:
    said = [result.measured_on for result in made_run().results]
    found = [result.found_in for result in made_run().results]
    assert found[:3] == ["312 of 21,400 records", "none of 1 page", ""]
    assert said == ["312 of 21,400 records", "1 page", "", "2 pages", "1 of 2 records"]


def test_a_number_beside_that_of_one_of_several_findings_is_said_to_be_of_all() -> None:
    result = made_run().results[0]
    [one] = result.findings
    both = replace(result, affected=50, findings=(replace(one, count=47), replace(one, rule="b", count=5)))
    assert both.found_in == "50 of 21,400 records in all"
    assert replace(both, affected=47, findings=(replace(one, count=47),)).found_in == "47 of 21,400 records"


def test_what_is_bad_comes_by_its_gravity() -> None:
    assert [result.verdict for result in made_run().bad] == [Verdict.FAILS, Verdict.SUSPECT]


def test_a_result_is_found_by_check_and_resource() -> None:
    run = made_run()
    found = run.result(TYPES.id, "file-storage/drive")
    assert found is not None
    assert found.seen == "odd"
    assert run.result(ENDS.id) is run.results[1]
    assert run.result("records.colour") is None


def test_a_command_makes_a_result_again() -> None:
    run = made_run()
    assert run.command(run.results[0])[2:] == (
        *("ats/job", "--profile", run.profile, "--connections", "conn_one two"),
        *("--only", "records.types"),
    )
    by_address = replace(run, address="http://127.0.0.1:8000", connection="")
    assert by_address.command(run.results[0])[3:] == (
        *("--base-url", "http://127.0.0.1:8000", "--only", "records.types"),
    )


def test_a_command_tells_what_its_check_has_to_be_told_and_nothing_else() -> None:
    told = (
        "--ids",
        "--customer,b",
        "--properties",
        "c",
        "--transactions",
        "1",
        "--customer",
        "all",
        "--connector",
    )
    run = replace(made_run(), options=(*told, "hub", "--writes"))
    for check, resource, needed in (
        ("records.types", "ats/job", ()),
        ("records.types", "crm/account", ("--ids", "--customer,b", "--properties", "c")),
        ("batch.once", "crm/account", ("--ids", "--customer,b", "--properties", "c")),
        ("reports.sums", "accounting/customer-income", ("--customer", "all")),
        ("reports.receipt-type", "accounting/payment-receipt", ("--transactions", "1")),
        ("writes.merge", "core/pipeline", ("--writes",)),
        ("links.https", "connect/magic-link", ("--writes",)),
        ("webhook.acknowledged", "webhook/receive", ("--connector", "hub", "--writes")),
    ):
        group = {"batch": "batch read"}.get(check.partition(".")[0], check.partition(".")[0])
        one = Check(check, cast("Group", group), "")
        made = run.command(Result(one, resource, Verdict.FAILS))
        assert made[made.index("--only") + 2 :] == needed
