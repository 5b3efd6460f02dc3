"""A word that raw data itself says otherwise, and one word for two codes, are named with their records."""

from __future__ import annotations

from typing import Any

from tests.mirror.quality.checks.test_lineage import bad

STATES, ACCOUNTS = "sales-engagement/sequence_state", "crm/account"
WORDS = ("queued", "running", "halted", "done", "answered", "lost")
SAYS = {
    "Customer": "customer",
    "Sales Qualified Lead": "salesqualifiedlead",
    "Potential customer": "lead",
    "Others": "other",
}
Row = dict[str, Any]


def states(words: tuple[str, ...]) -> list[Row]:
    return [
        {
            "id": f"s{at * 7919:06}",
            "state": words[at * 5 % 7 % 6],
            "raw_data": {"no": f"s{at * 7919:06}", "state": at * 5 % 7 % 6},
        }
        for at in range(140)
    ]


def test_one_word_for_two_codes_is_named_where_each_other_has_its_own() -> None:
    assert bad(states(WORDS), STATES) == []
    assert bad(states((*WORDS[:5], WORDS[3])), STATES) == [("mapping.made-alike", "another word", "state")]
    assert (
        bad(states((*WORDS[:3], *WORDS[2:3], *WORDS[2:3], WORDS[3])), STATES) == []
    )  # a coarser word is meant


def accounts(says: dict[str, str]) -> list[Row]:
    rows = []
    for at in range(160):
        kind = list(says)[at * 7 % 11 % 4]
        raw = {"no": f"a{at * 7919:06}", "kind": {"code": list(says).index(kind) + 40, "label": kind}}
        rows.append(
            {
                "id": raw["no"],
                "updated_at": "2024-01-02T03:04:05Z",
                "lifecycle_stage": says[kind],
                "raw_data": raw,
            }
        )
    return rows


def test_a_raw_value_that_is_another_of_the_contracts_words_is_named() -> None:
    assert bad(accounts(SAYS), ACCOUNTS) == []
    assert bad(accounts(SAYS | {"Customer": "lead"}), ACCOUNTS) == [
        ("mapping.made-alike", "another word", "lifecycle_stage")
    ]
