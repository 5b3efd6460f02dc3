"""What is handed over of a difference: both values, raw data, and the command that shows it again."""

from __future__ import annotations

from typing import Any

from explorer.quality.bundle.masking_kinds import Mask as Masking
from explorer.quality.compare.ignored_fields import Mask, default_patterns
from explorer.quality.reports.issue import issue_text
from explorer.ui.pages.snapshots.difference_rows import summary_rows
from explorer.ui.pages.snapshots.snapshots_page import changed_subject, whole_subject
from tests.builtin import registry
from tests.mirror.quality.compare.test_compare import compared


def record(at: int, state: str) -> dict[str, Any]:
    raw = {"status": "bounced", "mail": "someone@firm.example"}
    return {"id": str(at), "name": f"State {at}", "state": state, "raw_data": raw}


def test_a_difference_is_handed_over_with_raw_data_and_masked() -> None:
    one, other = ([record(at, state) for at in range(10)] for state in ("bounced", "active"))
    mask = Mask(default_patterns(registry))
    with compared(one, other[:9], mask, ("name",), raw=("raw_data",)) as made:
        lines = {line.id: line for line in made.found.every()}
        names = ("previous:ats/job", "pull:ats/job")
        again = ("unified-explorer", "compare", *names, "--profile", "Staging")
        changed = issue_text(changed_subject(made, lines["3"], again), (), Masking).text
        gone = issue_text(changed_subject(made, lines["9"], again), (), Masking).text
        whole = issue_text(whole_subject(made, again), (), Masking).text
    assert changed.startswith("# ats/job, conn_1: state of 3 (State 3) changed")
    assert "The value before, as raw data is the same." in changed
    assert "raw data is the same in all 9: the mapping changed" in changed
    assert '"bounced"' in changed
    assert '"active"' in changed
    assert changed.count('"status": "bounced"') == 2
    assert "someone@firm.example" not in changed
    assert "unified-explorer compare previous:ats/job pull:ats/job --profile Staging" in changed
    assert "9 (State 9) is gone" in gone
    assert gone.count('"status"') == 1
    assert "not there" in gone
    assert whole.startswith("# ats/job, conn_1: 0 added, 1 gone, 9 changed")
    assert "\n".join("012345678") in whole, "the ids of all that changed"
    assert "Gone: 1 record is gone" in whole
    assert "Left out: " in whole
    assert ".." not in whole
    assert "raw data, in the same order" not in whole
    assert "unified-explorer compare previous:ats/job pull:ats/job --profile Staging" in whole


def test_names_that_a_sentence_has_are_masked_in_the_text_of_a_whole_comparison() -> None:
    one = [{"id": str(at), "first_name": "Annegret", "full_name": "x"} for at in range(20)]
    other = [{**row, "first_name": "Bertram"} if at < 4 else row for at, row in enumerate(one)]
    with compared(one, other) as made:
        assert "Annegret" in summary_rows(made)[1].words
        text = issue_text(whole_subject(made, ("unified-explorer", "compare")), (), Masking).text
    assert "Annegret" not in text
    assert "Bertram" not in text
