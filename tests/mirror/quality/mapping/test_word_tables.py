"""A word that raw data itself says otherwise, one word for two codes, and a word that is cut, are named."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.mirror.quality.checks.test_lineage import bad
from tests.mirror.quality.clean_mappings import MOMENT, z

STATES, ACCOUNTS = "sales-engagement/sequence_state", "crm/account"
WORDS = ("queued", "running", "halted", "done", "answered", "lost")
SAYS = {
    "Customer": "customer",
    "Sales Qualified Lead": "salesqualifiedlead",
    "Potential customer": "lead",
    "Others": "other",
}
STAGES = {
    "Lead": "lead", "Sales-Qualified Lead": "salesqualifiedlead", "Customer": "customer",
    "Opportunity": "opportunity", "Old friend": "other",
}  # fmt: skip
STEPS = ("Open", "Done", "Waiting", "Bounced", "OnHoldUntilSpring")
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


def staged(stage: Callable[[str], Any]) -> list[tuple[str, str, str]]:
    rows = []
    for at in range(240):
        word = list(STAGES)[at * 7 % 11 % len(STAGES)]
        raw = {"uid": f"u{at * 7919:07}", "own": [{"key": "grade", "value": word}]}
        row = {"id": raw["uid"], "updated_at": z(MOMENT), "raw_data": raw, "lifecycle_stage": stage(word)}
        rows.append(row)
    return bad(rows, ACCOUNTS)


def stepped(change: Callable[[str], str]) -> list[tuple[str, str, str]]:
    rows = []
    for at in range(240):
        step = STEPS[at * 7 % 11 % len(STEPS)]
        raw = {"key": f"q{at * 7919:07}", "position": {"label": step}}
        rows.append({"id": raw["key"], "state": change(step), "raw_data": raw})
    return bad(rows, STATES)


def test_words_of_the_contract_that_are_merged_are_named() -> None:
    assert staged(STAGES.__getitem__) == []
    merged = staged(lambda word: "lead" if "Lead" in word else STAGES[word])
    assert merged == [("mapping.made-alike", "another word", "lifecycle_stage")]


def test_the_one_word_that_is_cut_is_named() -> None:
    assert stepped(str) == []
    assert stepped(lambda step: step[:12]) == [("mapping.nothing-lost", "cut", "state")]
    assert stepped(lambda step: "OnHold" if step.startswith("On") else step) == []


def worded(says: dict[str, Any], begin: str = "") -> list[tuple[str, str, str]]:
    rows = accounts(says)
    for row in rows:
        row["raw_data"] = {"no": row["raw_data"]["no"], "kind": begin + row["raw_data"]["kind"]["label"]}
    return bad(rows, ACCOUNTS)


KINDS: dict[str, Any] = {"Customer": "customer", "Trial": "lead", "Opportunity": "opportunity"}
WRONG = [("mapping.made-alike", "another word", "lifecycle_stage")]


def test_who_was_a_customer_is_told_as_one() -> None:
    assert worded(KINDS | {"Former Customer": "other"}) == []
    assert worded(KINDS | {"Former Customer": "customer"}) == WRONG
    assert worded(KINDS | {"Big Customer": "customer"}) == []


def test_a_word_that_the_contract_has_is_told_as_none() -> None:
    assert worded(KINDS | {"Vendor": None}) == []
    assert worded(KINDS | {"Evangelist": None}) == [("mapping.kept", "another word", "lifecycle_stage")]


def test_one_word_for_all_that_raw_data_tells_apart_is_named() -> None:
    assert worded(dict.fromkeys((*KINDS, "Evangelist"), "lead")) == WRONG
    assert worded(dict.fromkeys(("Big", "Small", "Old", "New"), "lead")) == []


def test_the_word_that_is_left_over_belongs_to_the_kind_that_has_another() -> None:
    def kinds(of_link: str, begin: str = "Third.Models.") -> list[tuple[str, str, str]]:
        words = {"File": "file", "Folder": "folder", "Link": of_link}
        rows = []
        for at in range(150):
            kind = list(words)[at * 7 % 11 % 3]
            raw = {"no": f"f{at * 7919:06}", "odata": begin + kind}
            rows.append({"id": raw["no"], "type": words[kind], "raw_data": raw})
        return bad(rows, "file-storage/file")

    assert kinds("url") == []
    assert kinds("file") == [("mapping.made-alike", "another word", "type")]


def test_words_that_stand_by_their_initials_are_told_apart() -> None:
    says = {"MQL": "marketingqualifiedlead", "SQL": "salesqualifiedlead", "Client": "customer", "New": "lead"}
    assert worded(says) == []
    assert worded(says | {"MQL": "salesqualifiedlead", "SQL": "marketingqualifiedlead"}) == WRONG


def test_one_word_that_is_another_where_each_other_is_told_as_it_is() -> None:
    words = ("contacted", "opened", "paused", "done", "failed", "bounced", "replied")

    def stated(**other: str) -> list[tuple[str, str, str]]:
        rows = []
        for at in range(210):
            word = words[at * 5 % 11 % 7]
            raw = {"no": f"s{at * 7919:06}", "state": word}
            rows.append({"id": raw["no"], "state": other.get(word, word), "raw_data": raw})
        return bad(rows, STATES)

    assert stated() == []
    assert stated(paused="active") == [("mapping.made-alike", "another word", "state")]
    assert stated(paused="pausing") == []
    assert stated(paused="halted", done="finished", failed="lost") == []  # a table of the connector's own


def test_what_went_wrong_is_not_told_as_going_on() -> None:
    words = {
        "STARTED": "pending",
        "INPROGRESS": "active",
        "COMPLETED": "finished",
        "PAUSED": "paused",
        "BLOCKED": "blocked",
    }

    def stated(**other: str) -> list[tuple[str, str, str]]:
        rows = []
        for at in range(210):
            word = list(words)[at * 5 % 11 % 5]
            raw = {"no": f"s{at * 7919:06}", "status": word}
            rows.append({"id": raw["no"], "state": (words | other)[word], "raw_data": raw})
        return bad(rows, STATES)

    assert stated() == []
    assert stated(BLOCKED="active") == [("mapping.made-alike", "another word", "state")]
    assert stated(PAUSED="finished") == []  # a coarser word is meant
    assert stated(BLOCKED="finished", PAUSED="finished") == []
