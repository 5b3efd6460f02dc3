"""Flags and words of raw data that are called alike."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tests.mirror.quality.checks.test_lineage import FILES, JOBS, bad, looked

ACCOUNTS = "crm/account"


def jobs(*, lost: bool, told: bool = False) -> list[dict[str, Any]]:
    rng, made = Random(3), []
    for at in range(300):
        seen = rng.choice(("PUBLIC", "PUBLIC", "INTERNAL", "CONFIDENTIAL"))
        laid_open = rng.random() < 0.5
        raw = {"id": f"j{at * 7919}", "title": f"Job {at * 31}", "visibility": seen}
        raw |= {"released": "yes" if laid_open else "no"} if told else {}
        hidden = seen == "CONFIDENTIAL" and not (lost and laid_open)
        made.append({"id": raw["id"], "name": raw["title"], "confidential": hidden, "raw_data": raw})
    return made


def test_a_flag_is_what_its_own_word_says() -> None:
    assert bad(jobs(lost=False), JOBS) == []
    assert ("mapping.made-alike", "against its word", "confidential") in bad(jobs(lost=True), JOBS)


def test_what_raw_data_tells_of_them_is_a_rule() -> None:
    assert bad(jobs(lost=True, told=True), JOBS) == []


def accounts(*states: str | None, there: bool) -> list[dict[str, Any]]:
    rng, made = Random(4), []
    for at in range(300):
        state = rng.choice(states)
        raw = {"id": f"{4_000_000 + at * 37}", "Account_Name": f"Acme {at * 7}", "Record_Status__s": state}
        gone = bool(state) if there else state == "Trash"
        made.append({"id": raw["id"], "name": raw["Account_Name"], "is_deleted": gone, "raw_data": raw})
    return made


@pytest.mark.parametrize("states", [(None, None, "Available", "Trash"), ("Available", "Available", "Trash")])
def test_a_state_that_is_there_is_no_yes(states: tuple[str | None, ...]) -> None:
    assert bad(accounts(*states, there=False), ACCOUNTS) == []
    found = bad(accounts(*states, there=True), ACCOUNTS)
    assert ("mapping.made-alike", "there is no yes", "is_deleted") in found


def test_states_that_all_mean_gone_may_be_told_by_being_there() -> None:
    assert bad(accounts(None, None, "Trash", "Purged", there=True), ACCOUNTS) == []


def folders(*, told: bool = False) -> list[dict[str, Any]]:
    rng, made = Random(5), []
    for at in range(300):
        is_folder, half = at % 4 == 0, rng.random() < 0.5
        raw = {"entry_id": f"e{at * 7919:08}", "name": f"Plan {at * 31}", "is_folder": is_folder}
        raw |= {"package": "yes" if half else "no"} if told else {}
        kind = "folder" if is_folder and not half else "file"
        made.append({"id": raw["entry_id"], "name": raw["name"], "type": kind, "raw_data": raw})
    return made


def test_a_word_is_what_its_own_flag_says() -> None:
    assert ("mapping.made-alike", "against its flag", "type") in bad(folders(), FILES)
    assert bad(folders(told=True), FILES) == []
    sound = [{**row, "type": "folder" if row["raw_data"]["is_folder"] else "file"} for row in folders()]
    assert bad(sound, FILES) == []


def test_a_flag_of_another_name_is_not_what_the_word_for_it_says() -> None:
    rng, rows = Random(6), jobs(lost=False)
    for row in rows:
        band = rng.random() < 0.5
        row["raw_data"]["properties"] = [{"label": "Salary band", "value": band}]
        row["confidential"] = band
    assert ("mapping.one-source", "another source", "confidential") in bad(rows, JOBS)
    for row in rows:
        row["raw_data"]["confidential"] = row["confidential"]  # what has the field's own name goes first
    assert bad(rows, JOBS) == []


def test_what_is_always_possible_although_there_is_nothing_to_it() -> None:
    def exported(*, always: bool) -> list[dict[str, Any]]:
        made = []
        for at in range(200):
            formats = ["pdf", "txt"][: at % 3]
            raw = {"entry_id": f"e{at * 7919:08}", "name": f"Plan {at * 31}", "renditions": formats}
            said = {"exportable": always or bool(formats), "export_formats": formats}
            made.append({"id": raw["entry_id"], "name": raw["name"], **said, "raw_data": raw})
        return made

    assert bad(exported(always=False), FILES) == []
    assert bad(exported(always=True), FILES) == [("mapping.made-alike", "nothing to it", "exportable")]


def test_every_record_that_is_told_wrongly_is_named() -> None:
    rows = jobs(lost=True)
    (found,) = looked(rows, JOBS)["mapping.made-alike"].findings
    hidden = (row for row in rows if row["raw_data"]["visibility"] == "CONFIDENTIAL")
    wrong = [row["id"] for row in hidden if not row["confidential"]]
    assert len(wrong) > 5
    assert list(found.ids) == wrong


def asked(
    *, taken: bool, name: str = "confidentialSearch", words: tuple[str | None, ...] = ("Yes", "No", None)
) -> Any:
    rng, made = Random(5), []
    for at in range(200):
        word = rng.choice(words)
        raw = {"id": f"j{at * 7919}", "title": f"Job {at * 31}", name: word}
        flag = bool(word) if taken else word == "Yes"
        made.append({"id": raw["id"], "name": raw["title"], "confidential": flag, "raw_data": raw})
    return made


@pytest.mark.parametrize("words", [("Yes", "No", None), ("yes", "no"), ("1", "0", "")])
def test_no_is_an_answer_and_no_yes(words: tuple[str | None, ...]) -> None:
    found = bad(asked(taken=True, words=words), JOBS)
    assert ("mapping.made-alike", "no is a yes", "confidential") in found
    assert bad(asked(taken=False), JOBS) == []


def test_no_to_something_else_may_be_a_yes() -> None:
    assert bad(asked(taken=True, name="shownToAll", words=("No", "no", None)), JOBS) == []
    assert bad(asked(taken=True, name="hasPool", words=("Yes", "No")), JOBS) == []
