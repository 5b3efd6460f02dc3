"""The list of all checks, and what can be asked for by name."""

from dataclasses import replace
from pathlib import Path

from explorer.catalog.spec import raw_field
from explorer.quality.checks.batch import CHECKS as BATCH
from explorer.quality.checks.invalid import INVALID
from explorer.quality.checks.secrets import OF_RUN
from explorer.quality.engine.all_checks import CHECKS, check_ids, groups, was_checked
from explorer.quality.engine.check import UNDONE, Result, Verdict
from explorer.quality.engine.run_options import RunOptions
from tests.builtin import registry
from tests.house.sources import ROOT
from tests.mirror.quality.made import made_run


def test_ids_are_unique_and_begin_with_their_group() -> None:
    assert len(check_ids()) == len(CHECKS)
    for check in CHECKS:
        assert check.group.startswith(check.id.partition(".")[0])
        assert check.sentence[0].isupper()
        assert not check.sentence.endswith(".")


def test_no_title_names_what_the_declaration_of_a_record_names() -> None:
    raw = {raw_field(one.record) for one in registry.resources() if one.record is not None} - {""}
    assert raw
    assert [check.id for check in CHECKS if any(name in check.sentence for name in raw)] == []


def test_a_check_is_wanted_by_its_id_or_group() -> None:
    assert RunOptions().wants(CHECKS[0])
    for check in CHECKS:
        for name in (check.id, check.group):
            asked = RunOptions(only=(name,))
            assert asked.wants(check)
            assert asked.wants_group(check.group)
    assert not RunOptions(only=("paging.ends",)).wants_group("records")
    assert "sync mode" in groups()


def test_the_document_names_every_check() -> None:
    text = Path(ROOT, "docs", "quality.md").read_text(encoding="utf-8")
    for check in CHECKS:
        assert f"| `{check.id}` | {check.sentence} |" in text


def test_options_say_what_was_told() -> None:
    asked = RunOptions(ids=("a", "b"), customer="1", writes=True)
    assert asked.options() == ("--ids", "a,b", "--customer", "1", "--writes")
    assert RunOptions(prove=True).options() == ("--prove",)


def test_what_any_answer_tells_is_no_check_where_all_else_was_skipped() -> None:
    run = made_run()
    refused = tuple(Result(check, "crm/account", Verdict.HOLDS) for check in (INVALID, *OF_RUN))
    skipped = tuple(Result(check, "crm/account", Verdict.SKIPPED, "enter their ids") for check in BATCH)
    answered = replace(refused[0], verdict=Verdict.SUSPECT)
    failed = replace(skipped[0], seen=f"{UNDONE}a fault")
    for results, checked in (
        ((), False),
        (skipped, False),
        ((*refused, *skipped), False),
        (refused, True),
        ((*refused, *skipped, answered), True),
        ((*skipped, failed), True),
        ((*skipped, replace(skipped[0], verdict=Verdict.HOLDS)), True),
        ((*skipped, replace(skipped[0], verdict=Verdict.OBSERVED)), True),
    ):
        assert was_checked(replace(run, results=results)) is checked
