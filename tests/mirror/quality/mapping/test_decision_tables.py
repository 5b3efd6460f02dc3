"""Fields that several raw values decide: a record against the rule is named, and chance makes none."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.mirror.quality.checks.test_lineage import bad

Row = dict[str, Any]


def kinds(count: int = 200) -> list[Row]:
    """Folders, links and files; a link is told by its target or by its ending."""
    rng, made = Random(7), []
    for at in range(count):
        raw: Row = {
            "uid": f"k{at * 7919:07}",
            "caption": f"{rng.choice('abc')}{at}.{rng.choice(('txt', 'lnk', 'png'))}",
        }
        raw |= {"directory": {"count": at}} if at % 5 == 0 else {"shared": {"scope": "team"}}
        raw |= {"target": {"ref": f"t{at * 31}"}} if at % 9 == 1 else {}
        links = "target" in raw or raw["caption"].endswith("lnk")
        kind = "folder" if "directory" in raw else "url" if links else "file"
        made.append({"id": raw["uid"], "name": raw["caption"], "type": kind, "raw_data": raw})
    return made


def test_a_few_against_the_rule_are_named() -> None:
    rows = kinds()
    assert bad(rows) == []
    guilty = [row for row in rows if "target" in row["raw_data"] and row["type"] == "url"][2:14:3]
    for row in guilty:
        row["type"] = "file"
    assert bad(rows) == [("mapping.made-alike", "against the rule", "type")]


def test_a_code_among_words_is_named() -> None:
    labels = {1: "Banking", 2: "Health", 3: "Retail", 4: "Insurance", 5: "Mining"}
    rows = [
        {"id": f"k{at * 7919:07}", "description": labels[at % 5 + 1], "raw_data": {"uid": f"k{at * 7919:07}"}}
        for at in range(120)
    ]
    assert bad(rows) == []
    coded = [
        row | {"description": "2" if row["description"] == "Health" else row["description"]} for row in rows
    ]
    assert bad(coded) == [("mapping.nothing-lost", "code", "description")]
    assert bad([row | {"description": str(at % 5)} for at, row in enumerate(rows)]) == []


def test_numbers_among_words_are_the_third_partys_own_where_all_are_taken_as_they_are() -> None:
    texts = [("Banking", "Health", "Retail", "0")[at % 4 if at == 7 else at % 3] for at in range(120)]
    rows = [
        {"id": str(at * 7919), "description": text, "raw_data": {"uid": at * 7919, "description": text}}
        for at, text in enumerate(texts)
    ]
    assert "0" in texts
    assert bad(rows) == []


def test_a_word_in_other_letters_is_named_unless_the_third_party_writes_it_so() -> None:
    rows = kinds()
    for at, row in enumerate(rows):
        row["export_formats"] = ["pdf"]
        row["raw_data"]["step"], row["description"] = at % 4, ("open", "Paused", "done", "failed")[at % 4]
    assert bad(rows) == []
    for row in rows[5::40]:
        row["description"] = row["description"].upper()
    assert bad(rows) == [("mapping.made-alike", "another spelling", "description")]
    for row in rows[5::40]:
        row["raw_data"]["said"] = row["description"]
    assert ("mapping.made-alike", "another spelling", "description") not in bad(rows)


def test_half_of_a_word_in_letters_that_raw_data_does_not_have() -> None:
    rng, rows = Random(12), kinds()
    for at, row in enumerate(rows):
        word = ("open", "paused", "done", "failed")[at % 4]
        row["export_formats"] = ["pdf"]
        row["raw_data"]["step"] = word
        row["description"] = word.upper() if rng.random() < 0.6 else word
    assert bad(rows) == [("mapping.made-alike", "another spelling", "description")]
    for row in rows:
        row["raw_data"]["step"] = ("A", "B", "C", "D")[len(row["raw_data"]["step"]) % 4]
    assert bad(rows) == []  # the connector's own words, of which nothing tells the right letters


def test_words_that_nothing_decides_are_no_finding() -> None:
    rng, rows = Random(11), kinds()
    for row in rows:
        row["type"] = rng.choice(("file", "file", "url", "folder"))
    assert bad(rows) == []


STAGES = (
    "subscriber",
    "lead",
    "marketingqualifiedlead",
    "salesqualifiedlead",
    "opportunity",
    "customer",
    "evangelist",
    "other",
)


def test_one_word_out_of_the_contract_s_order_is_named() -> None:
    rows: list[Row] = []
    for at in range(160):
        raw: Row = {"no": f"k{at * 7919:07}", "step": at * 7 % 8 + 1, "weight": at % 3}
        rows.append({"id": raw["no"], "lifecycle_stage": STAGES[raw["step"] - 1], "raw_data": raw})
    assert bad(rows, "crm/account") == []
    guilty = [row | {"lifecycle_stage": STAGES[max(4, row["raw_data"]["step"]) - 2]} for row in rows]
    swapped = [row | {"lifecycle_stage": STAGES[3]} if row["raw_data"]["step"] == 5 else row for row in rows]
    assert bad(swapped, "crm/account") == [("mapping.made-alike", "out of order", "lifecycle_stage")]
    assert bad(guilty, "crm/account") == []


def test_a_word_of_the_path_of_its_name_is_held_against_those_with_the_same_value() -> None:
    words, rng = ("open", "busy", "late", "done"), Random(3)
    rows = []
    for at in range(200):
        raw: Row = {
            "uid": f"k{at * 7919:07}",
            "state": rng.randrange(4),
            "before": rng.randrange(4),
            "flag": None,
        }
        rows.append({"id": raw["uid"], "state": words[raw["state"]], "raw_data": raw})
    assert bad(rows, "sales-engagement/sequence_state") == []
    for row in rows[::6]:
        row["state"] = words[row["raw_data"]["before"]]
    found = ("mapping.made-alike", "against the rule", "state")
    assert found in bad(rows, "sales-engagement/sequence_state")
    for row in rows:
        row["raw_data"]["flag"] = "yes" if row["state"] != words[row["raw_data"]["state"]] else None
    assert found not in bad(rows, "sales-engagement/sequence_state")


def test_how_many_items_an_array_has_is_no_rule_for_a_word() -> None:
    words, rng = ("open", "busy", "late", "done"), Random(5)
    rows = []
    for at in range(240):
        steps = [{"to": rng.randrange(4)} for _ in range(1 + at % 4)]
        raw: Row = {"uid": f"k{at * 7919:07}", "state": steps[-1]["to"], "steps": steps}
        told = steps[-2] if len(steps) == 4 else steps[-1]
        rows.append({"id": raw["uid"], "state": words[told["to"]], "raw_data": raw})
    assert bad(rows, "sales-engagement/sequence_state") == [
        ("mapping.made-alike", "against the rule", "state")
    ]
