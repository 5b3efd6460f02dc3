"""What stands below the cards of a run: how much was checked, and why the rest was not."""

from __future__ import annotations

from dataclasses import replace

from explorer.quality.engine.check import Verdict
from explorer.ui.pages.quality.run_results import sentence
from tests.mirror.quality.made import made_run


def test_the_summary_says_what_its_numbers_count() -> None:
    head = replace(
        made_run().head,
        verdicts=dict.fromkeys(Verdict, 0) | {Verdict.HOLDS: 270, Verdict.SKIPPED: 230},
        because=(("writes are not enabled", 63), ("no record came", 1), ("a", 2), ("b", 2), ("c", 2)),
        little=(),
        quick=True,
    )
    assert sentence(head) == (
        "It looked at the first 3 pages of each list. 270 checks made. "
        "230 skipped: writes are not enabled (63 checks); no record came (1 check); a (2 checks); 2 other reasons."
    )
    whole = replace(head, verdicts=head.verdicts | {Verdict.SKIPPED: 0}, because=(), quick=False)
    assert sentence(whole) == "270 checks made."
