"""The words and numbers of a run."""

from explorer.quality.check import Verdict
from tests.mirror.quality.made import ENDS, TYPES, made_run


def test_the_five_numbers() -> None:
    head = made_run().head
    assert head.checks_words == "1 fails · 1 suspect"
    assert head.others_words == "1 hold, 1 observed, 1 skipped"
    assert (head.records, head.pages, len(head.latencies)) == (21_400, 214, 2)
    assert head.coverage == 0.5  # of the two fields that hold values one has a source


def test_measured_on_is_said_in_words() -> None:
    said = [result.measured_on for result in made_run().results]
    assert said == ["312 of 21,400 records", "1 page", "", "2 pages", "1 of 2 records"]


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
        *("--only", "records.types", "--customer", "all ones"),
    )
