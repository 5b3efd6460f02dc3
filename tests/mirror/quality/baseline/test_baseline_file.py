"""The file of a baseline: read back as it was, sorted, and refused in one sentence where it is damaged."""

from __future__ import annotations

import difflib
import json
import shutil
import subprocess
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.quality.baseline.baseline import Accepted, Baseline
from explorer.quality.baseline.baseline_file import BaselineFault, baseline_text, read_baseline
from explorer.quality.engine.identity import Identity

texts = st.text(st.characters(), max_size=20)
days = st.dates()
some = st.builds(
    Accepted,
    st.builds(Identity, texts, texts, texts, texts),
    st.integers(0, 10**9),
    st.integers(1, 10**9),
    days,
    days,
    texts,
    texts,
    st.none() | days,
)


def of(*ones: Accepted) -> Baseline:
    return Baseline({one.identity: one for one in ones})


def data_of(made: Baseline) -> bytes:
    return baseline_text(made).encode("utf-8", "backslashreplace")


@given(st.lists(some, max_size=6), st.data())
def test_it_is_read_back_and_its_order_says_nothing(ones: list[Accepted], data: st.DataObject) -> None:
    made = of(*ones)
    assert read_baseline(data_of(made)) == made
    shuffled = Baseline(dict(data.draw(st.permutations(list(made.accepted.items())))))
    assert data_of(shuffled) == data_of(made)


DAY = date(2026, 11, 20)
TYPES = Accepted(
    Identity("records.types", "ats/job", "number", "name"), 12, 4_000, DAY, DAY, "they mend it", "T-1"
)
NULLS = Accepted(Identity("records.nulls", "ats/job", "null", "departments"), 1, 9, DAY, DAY, expires=DAY)


def test_it_is_as_the_documentation_shows_it() -> None:
    document = json.loads(data_of(of(TYPES, NULLS)))
    assert (document["format"], document["version"]) == ("unified-explorer baseline", 1)
    assert [one["check"] for one in document["accepted"]] == ["records.nulls", "records.types"]
    assert document["accepted"][1] == {
        "check": "records.types",
        "sentence": "Values have the type of their field",
        "list": "ats/job",
        "rule": "number",
        "field": "name",
        "at_most": 12,
        "of": 4000,
        "reason": "they mend it",
        "ticket": "T-1",
        "expires": None,
        "first_seen": "2026-11-20",
        "last_seen": "2026-11-20",
    }


def test_one_more_entry_changes_no_line_of_another() -> None:
    before, after = (data_of(one).decode().splitlines() for one in (of(TYPES), of(TYPES, NULLS)))
    assert not [line for line in difflib.ndiff(before, after) if line.startswith("-")]


@pytest.mark.skipif(shutil.which("git") is None, reason="git merges")
def test_two_branches_that_accept_something_else_merge(tmp_path: Path) -> None:
    both = [replace(TYPES, identity=TYPES.identity._replace(field=f"field_{number}")) for number in range(9)]
    ours, base, theirs = (set(range(9)) - left for left in ({7}, {2, 7}, {2}))
    for name, kept in (("ours", ours), ("base", base), ("theirs", theirs)):
        (tmp_path / name).write_bytes(data_of(of(*(both[number] for number in kept))))
    files = [str(tmp_path / name) for name in ("ours", "base", "theirs")]
    merged = subprocess.run(["git", "merge-file", "-p", *files], capture_output=True, check=True)
    assert merged.stdout == data_of(of(*both))


def changed(**fields: Any) -> bytes:
    document = json.loads(data_of(of(TYPES)))
    document["accepted"][0] |= fields
    return json.dumps(document).encode()


DAMAGED: dict[str, bytes] = {
    "empty": b"",
    "cut": data_of(of(TYPES))[:-40],
    "conflict": data_of(of(TYPES)).replace(b'      "rule"', b'<<<<<<< HEAD\n      "rule"'),
    "no UTF-8": b"\xff\xfe",
    "deep": b"[" * 100_000,
    "foreign": b'{"runs": []}',
    "a list": b"[]",
    "later": data_of(of(TYPES)).replace(b'"version": 1', b'"version": 2'),
    "no entries": b'{"format": "unified-explorer baseline", "version": 1}',
    "misspelt": changed(expire="2026-01-01"),
    "no day": changed(expires="soon"),
    "a number as text": changed(at_most="12"),
    "below nothing": changed(at_most=-1),
    "of nothing": changed(of=0),
    "no rule": changed(rule=None),
    "twice": json.dumps(
        {**(one := json.loads(data_of(of(TYPES)))), "accepted": one["accepted"] * 2}
    ).encode(),
}


@pytest.mark.parametrize("data", DAMAGED.values(), ids=DAMAGED)
def test_what_is_damaged_or_of_another_kind_is_refused_in_a_sentence(data: bytes) -> None:
    with pytest.raises(BaselineFault, match=r"^The baseline .*\.$|^This is not a baseline .*\.$"):
        read_baseline(data)
