"""The list of all checks, and what can be asked for by name."""

from pathlib import Path

from explorer.catalog.spec import raw_field
from explorer.quality.engine.every import CHECKS, check_ids, groups
from explorer.quality.engine.run_options import RunOptions
from tests.builtin import registry
from tests.house.sources import ROOT


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
