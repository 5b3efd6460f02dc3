"""Parents and children of items, between records."""

from collections.abc import Callable, Sequence
from typing import Any

from explorer.quality.checks.lineage import Lineage
from tests.builtin import registry
from tests.mirror.quality.checks.rows import findings, told

Row = dict[str, Any]
TREE = {"d1": None, "d2": "d1", "d3": "d1", "d4": "d2", "d5": "d2", "d6": "d3"}
"""Each department's parent."""


def chain(own: str) -> list[str]:
    above = TREE[own]
    return [*chain(above), own] if above else [own]


def jobs(
    children: Callable[[str, Sequence[str]], list[str]], *, in_raw: bool = False
) -> list[tuple[str, str]]:
    """Findings on jobs with the chain of their department; ``children`` makes what one has beside the others."""
    rows = []
    for at in range(120):
        own = chain(list(TREE)[at * 7 % 11 % len(TREE)])
        items = [
            {"id": one, "name": f"Team {one}", "parent_id": TREE[one], "child_ids": children(one, own)}
            for one in own
        ]
        raws = [{"key": one["id"], "label": one["name"], "above": one["parent_id"]} for one in items]
        if in_raw:
            raws = [raw | {"below": one["child_ids"]} for raw, one in zip(raws, items, strict=True)]
        raw = {"uid": f"j{at * 7919:06}", "caption": f"Job {at * 31}", "chain": raws}
        both = [one | {"raw_data": its} for one, its in zip(items, raws, strict=True)]
        rows.append({"id": raw["uid"], "name": raw["caption"], "departments": both, "raw_data": raw})
    made = told(Lineage(registry.resource("ats/job")), "ats/job", rows)
    return [(rule, field) for one in made.values() for rule, field, _ in findings(one)]


def below(own: str, _: Sequence[str]) -> list[str]:
    return [one for one, above in TREE.items() if above == own]


def in_this_chain(own: str, there: Sequence[str]) -> list[str]:
    return [one for one in there if TREE[one] == own]


def test_the_same_item_has_the_same_children() -> None:
    assert jobs(below) == []
    assert jobs(in_this_chain) == [("contradicts", "departments[].child_ids")]
    assert jobs(in_this_chain, in_raw=True) == []
