"""What is handed over of a difference: both values, raw data, and the command that shows it again."""

from __future__ import annotations

from typing import Any

from explorer.quality.bundle.masking_kinds import Mask as Masking
from explorer.quality.compare.ignored_fields import Mask, default_patterns
from explorer.quality.reports.issue import issue_text
from explorer.ui.pages.snapshots.snapshots_page import changed_subject
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
        changed = issue_text(changed_subject(made, lines["3"], names, "Staging"), (), Masking).text
        gone = issue_text(changed_subject(made, lines["9"], names, "Staging"), (), Masking).text
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
