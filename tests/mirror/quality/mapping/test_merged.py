"""Words that are merged, or cut."""

from collections.abc import Callable
from typing import Any

from explorer.quality.checks.lineage import Lineage
from tests.builtin import registry
from tests.mirror.quality.checks.rows import findings, told
from tests.mirror.quality.clean_mappings import MOMENT, z

Row = dict[str, Any]
STAGES = {
    "Lead": "lead", "Sales-Qualified Lead": "salesqualifiedlead", "Customer": "customer",
    "Opportunity": "opportunity", "Old friend": "other",
}  # fmt: skip
STEPS = ("Open", "Done", "Waiting", "Bounced", "OnHoldUntilSpring")


def said(key: str, rows: list[Row]) -> list[tuple[str, str, str]]:
    made = told(Lineage(registry.resource(key)), key, rows)
    return [(name, rule, field) for name, one in made.items() for rule, field, _ in findings(one)]


def accounts(stage: Callable[[str], Any]) -> list[tuple[str, str, str]]:
    rows = []
    for at in range(240):
        word = list(STAGES)[at * 7 % 11 % len(STAGES)]
        raw = {"uid": f"u{at * 7919:07}", "own": [{"key": "grade", "value": word}]}
        row = {"id": raw["uid"], "updated_at": z(MOMENT), "raw_data": raw, "lifecycle_stage": stage(word)}
        rows.append(row)
    return said("crm/account", rows)


def states(change: Callable[[str], str]) -> list[tuple[str, str, str]]:
    rows = []
    for at in range(240):
        step = STEPS[at * 7 % 11 % len(STEPS)]
        raw = {"key": f"q{at * 7919:07}", "position": {"label": step}}
        rows.append({"id": raw["key"], "state": change(step), "raw_data": raw})
    return said("sales-engagement/sequence_state", rows)


def test_words_of_the_contract_that_are_merged_are_named() -> None:
    assert accounts(STAGES.__getitem__) == []
    merged = accounts(lambda word: "lead" if "Lead" in word else STAGES[word])
    assert merged == [("mapping.made-alike", "merged", "lifecycle_stage")]


def test_the_one_word_that_is_cut_is_named() -> None:
    assert states(str) == []
    assert states(lambda step: step[:12]) == [("mapping.nothing-lost", "cut", "state")]
    assert states(lambda step: "OnHold" if step.startswith("On") else step) == []
