"""Records told together: whatever is wrong with them, each check says what it says when it is told one by one."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.catalog.spec import ABSENT, raw_field
from explorer.jsontext.read import DEEPEST
from explorer.quality.checks.containers import Containers
from explorer.quality.checks.lineage import Lineage
from explorer.quality.checks.own_key import OwnKey
from explorer.quality.checks.paging import Paging
from explorer.quality.checks.plausible import Plausible
from explorer.quality.checks.records import Records
from explorer.quality.checks.references import Ids
from explorer.quality.checks.transport import Transport
from explorer.quality.engine.check import Result
from explorer.quality.engine.record_check import Walked
from explorer.quality.engine.row import TOGETHER, Row, read_row, read_rows
from explorer.quality.engine.rows import Rows, tell
from explorer.quality.engine.walk_ids import SeenIds
from tests.bench import pages
from tests.bench.files_server import file
from tests.builtin import registry
from tests.exam import kinds_nested, kinds_records, kinds_source, kinds_text, kinds_values
from tests.exam.kinds import KINDS, spoilt
from tests.exam.shapes import SHAPES
from tests.thorough import THOROUGH, some

COUNT, DAMAGED, LATER = (700 if THOROUGH else 420), 20, 1_300
KNOWN, SPOILED = (180, 300) if THOROUGH else (160, 180)
"""Sound records after which it is known how they are made, and spoilt ones behind them: 150 are a sample."""
Made = dict[str, Any]
MAKERS: dict[str, Callable[[int, Random], Made]] = {"file-storage/file": file, "ats/job": pages.record}


def watchers(key: str) -> list[Any]:
    """All that watch the walk of a list, new."""
    resource = registry.resource(key)
    assert resource.record is not None
    record = resource.record
    raw = raw_field(record)
    seen = SeenIds(record.model_fields, raw)
    made = [Transport((), raw), Paging(seen), Records(record), OwnKey(None), Plausible(record)]
    places = Containers([("type", "folder")], raw, ["file-storage/drive"])
    return [*made, places, Ids(key, registry, seen), Lineage(resource)]


def damaged(record: Made, other: Made, rng: Random) -> Made | bytes:
    """A record with one thing wrong, or odd."""
    made = copy.deepcopy(record)
    name = rng.choice([one for one in made if one != "raw_data"])
    value = made[name]
    how = rng.randrange(16)
    if how == 0:
        made[name] = None
    elif how == 1:
        del made[name]
    elif how == 2:
        made[name] = other.get(name)
    elif how == 3:
        made[name] = ""
    elif how == 4 and isinstance(value, str):
        made[name] = value[: len(value) // 2]
    elif how == 5:
        made[name] = [value]
    elif how == 6:
        made[rng.choice(("extra", "Name", "createdAt"))] = value
    elif how == 7:
        made["raw_data"] = other["raw_data"]
    elif how == 8:
        made["raw_data"] = rng.choice(({}, None, [], "none"))
    elif how == 9:
        made["id"] = other["id"]
    elif how == 10:
        made["raw_data"][rng.choice(list(made["raw_data"]))] = None
    elif how == 11:
        made["created_at"] = "2031-01-01T00:00:00Z"
    elif how == 12 and isinstance(value, str):
        made[name] = value.upper() + "\u202e"
    elif how == 13:
        made[name] = 9_007_199_254_740_993
    elif how == 14:
        text = json.dumps(made)
        return f'{text[:-1]}, "{name}": "\\ud800"}}'.encode()
    elif isinstance(value, str):
        made[name] = f" {value} "
    return made


def rows_of(key: str, seed: int, share: float = 0.0) -> list[bytes]:
    """Records as they are sent: some damaged at random places, with ``share`` one field of many."""
    rng, make = Random(f"{key}/{seed}"), MAKERS[key]
    made: list[Any] = [make(number, rng) for number in range(COUNT)]
    odd = made[0]
    name = rng.choice([one for one in odd if one not in ("raw_data", "id")])
    for at in range(COUNT):
        if rng.random() < share:
            made[at] = {**made[at], name: rng.choice((None, "", made[at - 1].get(name)))}
    for at in sorted(rng.sample(range(1, COUNT), DAMAGED)):
        other = made[at - 1]
        if isinstance(other, dict) and other.get("raw_data"):
            made[at] = damaged(made[at], other, rng)
    compact = rng.random() < 0.5
    dumps: dict[str, Any] = {"separators": (",", ":"), "ensure_ascii": False} if compact else {}
    return [one if isinstance(one, bytes) else json.dumps(one, **dumps).encode() for one in made]


def told(key: str, raws: list[bytes], one_by_one: bool) -> tuple[list[Result], tuple[Any, ...]]:
    """What all watchers say of them, the mapping, where they are, and where each field came first."""
    made = watchers(key)
    for rows in batches(raws):
        for watcher in made:
            if one_by_one:
                for row in rows:
                    watcher.row(row)
            else:
                tell(watcher, Rows(rows))
    resource = registry.resource(key)
    listing = resource.listing or registry.listing("ats/job")  # of those of a batch only the key is asked
    walked = Walked(resource, listing, 1, len(raws), True)
    results = [result for watcher in made for result in watcher.end(walked)]
    (places,) = (one for one in made if isinstance(one, Containers))
    lineage = made[-1]
    first = {name: state.first for name, state, _ in lineage._held.all_states()}
    return results, (lineage.mapping(), places.found, places.named, first)


def batches(raws: list[bytes]) -> Iterator[list[Row]]:
    """As a walk reads them, a page of a hundred after another."""
    for at in range(0, len(raws), 100):
        yield read_rows(raws[at : at + 100], at + 1, at // 100 + 1, at // 100 + 1)


FILES, JOBS = MAKERS
DRAWN = (
    (FILES, 1, 0.0), (JOBS, 1, 0.0), (FILES, 2, 0.0), (JOBS, 3, 0.03),
    (FILES, 3, 0.03), (JOBS, 2, 0.0), (FILES, 4, 0.4), (JOBS, 4, 0.4),
)  # fmt: skip
"""List, seed and share of what is spoilt; every third has each share and each list."""


@pytest.mark.parametrize(("key", "seed", "share"), some(DRAWN, 3))
def test_told_together_they_give_what_they_give_one_by_one(key: str, seed: int, share: float) -> None:
    raws = rows_of(key, seed, share)
    assert sum(result.is_bad for result in alike(key, raws)) >= 4, "something is wrong with them"


def alike(key: str, raws: list[bytes]) -> list[Result]:
    """What is said of them one by one, which is what is said of them together."""
    (alone, more), (together, same) = told(key, raws, True), told(key, raws, False)
    for mine, its in zip(alone, together, strict=True):
        assert mine == its, mine.check.id
    assert more == same
    return alone


MODULES = (kinds_nested, kinds_records, kinds_source, kinds_text, kinds_values)
"""Importing them fills KINDS."""
SPOILT = (
    ("salesforce/account addresses", "the postal code ends at its first space or hyphen"),
    ("salesforce/account addresses", "array is empty throughout"),
    ("salesforce/account phone_numbers", "phone is cut at its first hyphen"),
    ("salesforce/account number_of_employees", "missing employees are zero"),
    ("google/file description", "value is null although there is one"),
    ("google/file description", "a missing text is the word None"),
    ("google/file type", "all are called folders"),
    ("google/file type", "one folder is called a file"),
    ("sharepoint/file id", "id is the tag of the version"),
    ("greenhouse/job confidential", "boolean is false throughout"),
    ("greenhouse/job departments", "names of the items are moved by one"),
    ("greenhouse/job hiring_managers", "first and last names are exchanged"),
)
"""Kinds of the practice exam: code texts, items, defaults, empty columns and arrays, words, own ids, truth values."""


@pytest.mark.parametrize(("place", "name"), some(SPOILT, 3))
def test_what_names_and_words_tell_is_told_together_as_one_by_one(place: str, name: str) -> None:
    """From the first record on, and after a sound beginning from which it is known how they are made."""
    kind = next(one for one in KINDS if one.name == name)
    shape, _, listed = place.partition(" ")[0].partition("/")
    listing = spoilt(kind, place, 5, SHAPES).world.listing(listed)
    spoiled = [json.dumps(row.body).encode() for row in listing.rows[:SPOILED]]
    sound = [json.dumps(row.body).encode() for row in SHAPES[shape].world(6).listing(listed).rows]
    alike(listing.key, [*sound[:KNOWN], *spoiled])
    found = alike(listing.key, spoiled)
    assert any(result.is_bad for result in found if result.check.group in ("mapping", "records"))


def test_a_field_that_comes_late_is_shown_where_it_came_first() -> None:
    records: list[Made] = [dict(file(number, Random(number))) for number in range(240)]
    for record in records[:160]:
        record["description"] = record["raw_data"]["description"] = None
    alike("file-storage/file", [json.dumps(one).encode() for one in records])


@pytest.mark.parametrize("key", MAKERS)
def test_most_are_told_together(key: str) -> None:
    """Of clean records hardly one is looked at by itself, once it is known how they are made."""
    rng = Random(7)
    records = [MAKERS[key](number, rng) for number in range(LATER + 500)]
    raws = [json.dumps(one).encode() for one in records if one["name"]]
    made = [Counted(watcher) for watcher in watchers(key)]
    for rows in batches(raws):
        for watcher in made:
            tell(watcher, Rows(rows))
    assert {type(one.watcher).__name__: one.alone for one in made if one.alone} == {}


class Counted:
    """A watcher, with how many of the later records it looked at by themselves."""

    def __init__(self, watcher: Any) -> None:
        self.watcher, self.alone, self.passes = watcher, 0, watcher.passes

    def row(self, row: Row) -> None:
        self.alone += row.number > LATER
        self.watcher.row(row)


def test_records_that_are_read_together_are_read_as_each_by_itself() -> None:
    odd = [
        b'{"a":1}', b'{"a": 1, "b" : 2}', b'{"a":1,"a":2}', b'{"a":"x\\":y"}', b'{"a":"\\u0022:","a":1}',
        b'{"a":"\\"\\u003a","b":{"c":1,"c":2}}', b'{"a":NaN}', b'{"a":"\\ud800"}', b'{"a":"\xff"}', b'[1,2]', b'7',
        b'{"a":1e400}', b'{"a":123456789012345678901234567890}', b'{"a":"\\/"}', b'{', b'', b'{"a":"\x01"}',
        b'{"a":1.0,"b":[{"c":1}]}', b'{"a" :1,"a" :2}', b'{"\\u0061":1,"a":2}',
    ]  # fmt: skip
    rng = Random(3)
    for _ in range(300):
        raws = [rng.choice(odd) for _ in range(rng.randrange(1, 12))]
        alone = [read_row(raw, 5 + at, 2, 9) for at, raw in enumerate(raws)]
        assert repr(read_rows(raws, 5, 2, 9)) == repr(alone)


@pytest.mark.parametrize("levels", [DEEPEST - 1, DEEPEST, DEEPEST + 1, 9_000])
@pytest.mark.parametrize("pair", ["[]", "{}"])
def test_how_deep_a_record_is_decides_alone_and_together(levels: int, pair: str) -> None:
    """The shortest text of so many levels, in and outside of what is parsed, with and without its closing half."""
    begin, end = (b"[", b"]") if pair == "[]" else (b'{"":', b"}")
    inner = b"" if pair == "[]" else b"1"
    deep = begin * levels + inner + end * levels
    for raws in ([deep], [b'{"a":1}', deep], [begin * levels, b"7"], [deep, b'{"a":1,"a":2}']):
        alone = [read_row(raw, at, 2, 9) for at, raw in enumerate(raws)]
        together = read_rows(raws, 0, 2, 9)
        assert [row.too_deep for row in together] == [row.too_deep for row in alone]
        assert [row.raw for row in together] == [row.raw for row in alone]
        assert [row.value for row in together] == [row.value for row in alone]
    assert read_rows([deep], 0, 2, 9)[0].too_deep or levels <= DEEPEST


_shapes = st.lists(st.sampled_from(("id", "name", "size")), unique=True)


@given(st.lists(_shapes, min_size=1, max_size=5), st.booleans())
def test_a_column_has_what_each_record_has(shapes: list[list[str]], is_one: bool) -> None:
    """Whether all records have the same fields in the same order, or each its own."""
    made = [
        {name: f"{name} {at}" for name in shapes[0] if is_one or name in shape}
        for at, shape in enumerate(shapes)
    ]
    rows = Rows([read_row(json.dumps(one).encode(), at, 1, 1) for at, one in enumerate(made)])
    assert rows.names == {name for one in made for name in one}
    assert rows.shapes.total() == len(made)
    for name in ("id", "name", "size", "other"):
        assert rows.column(name).values == [one.get(name, ABSENT) for one in made]


def test_no_more_are_read_together_than_are_looked_at_in_a_moment() -> None:
    assert len(read_rows([b"{}"] * (2 * TOGETHER), 1, 1, 1)) == TOGETHER
    large = b'{"a":"' + b"x" * 300_000 + b'"}'
    assert len(read_rows([large, large], 1, 1, 1)) == 1
