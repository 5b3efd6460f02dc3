"""One damaged record among thousands: found, and named, wherever it lies. Looking at many together hides none."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

from explorer.quality.engine.check import Example, Run
from tests.bench.files_server import file
from tests.flow.listed import Listed, Serving, serving
from tests.thorough import THOROUGH

LIST, COUNT = "file-storage/file", 20_000 if THOROUGH else 8_000
Made = dict[str, Any]


def neighbours(record: Made, other: Made) -> None:
    record["name"] = other["name"]


def cut(record: Made, _: Made) -> None:
    record["path"] = record["path"][:6]


def lost(record: Made, _: Made) -> None:
    del record["mime_type"]


def of_another(record: Made, other: Made) -> None:
    record["raw_data"] = other["raw_data"]


def no_number(record: Made, _: Made) -> None:
    record["size"] = str(record["size"])


def no_day(record: Made, _: Made) -> None:
    record["created_at"] = "2021-02-30T00:00:00.000Z"


def turned(record: Made, _: Made) -> None:
    record["name"] += "\u202e"


def signed(record: Made, _: Made) -> None:
    record["raw_data"]["link"] = f"https://files.example/x?X-Amz-Signature={'0a1b2c3d' * 8}"


DAMAGES: dict[str, Callable[[Made, Made], None]] = {
    "mapping.made-alike, name": neighbours,
    "mapping.nothing-lost, path": cut,
    "mapping.kept, mime_type": lost,
    "mapping.raw-own, raw_data": of_another,
    "records.types, size": no_number,
    "records.dates, created_at": no_day,
    "records.clean-text, name": turned,
    "records.secrets, raw_data.link": signed,
}


@pytest.fixture(scope="module")
def records() -> list[Made]:
    rng = Random(11)
    return [file(number, rng) for number in range(COUNT)]


@pytest.fixture
def service() -> Iterator[Serving]:
    with serving() as made:
        yield made


def examples(run: Run, check: str, field: str) -> list[Example]:
    """The places of what a check found in a field."""
    found = run.result(check, LIST)
    assert found is not None
    return [at for one in found.findings if one.field == field for at in one.examples]


def test_each_of_some_damaged_ones_is_found_and_named(records: list[Made], service: Serving) -> None:
    rng = Random("one of many")
    rows, places = list(records), rng.sample(range(1, COUNT), len(DAMAGES))
    for at, damage in zip(places, DAMAGES.values(), strict=True):
        rows[at] = copy.deepcopy(rows[at])
        damage(rows[at], records[at - 1])
    run = service.run(Listed(key=LIST, rows=rows, size=500), only=("records", "mapping"))
    assert run.records == COUNT
    named = {
        what: [(one.row, one.id) for one in examples(run, *what.split(", "))]
        for what in DAMAGES
    }  # fmt: skip
    assert named == {what: [(at + 1, rows[at]["id"])] for at, what in zip(places, DAMAGES, strict=True)}


@pytest.mark.parametrize("what", [*DAMAGES][1:3])
def test_a_single_one_is_found_and_named(what: str, records: list[Made], service: Serving) -> None:
    rows, at = list(records), Random(what).randrange(1, COUNT)
    rows[at] = copy.deepcopy(rows[at])
    DAMAGES[what](rows[at], records[at - 1])
    run = service.run(Listed(key=LIST, rows=rows, size=1000), only=("records", "mapping"))
    assert {result.check.id for result in run.bad} == {what.partition(",")[0]}
    assert [(one.row, one.id) for one in examples(run, *what.split(", "))] == [(at + 1, rows[at]["id"])]
