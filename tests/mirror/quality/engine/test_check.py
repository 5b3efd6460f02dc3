"""The words and numbers of a run."""

from dataclasses import replace
from typing import cast

from explorer.quality.engine.check import Check, Group, Result, Verdict
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
