"""The laws of a comparison: nothing differs from itself, swapping mirrors, the changes lead from one to the other."""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.catalog.spec import ABSENT
from explorer.jsontext.read import equal, read_exact
from explorer.quality.compare import compare as compare_module
from explorer.quality.compare.changes import Change
from explorer.quality.compare.compare import Comparison, Progress, compare
from explorer.quality.compare.found import SHOWN
from explorer.quality.compare.ignored_fields import Mask, default_patterns
from explorer.quality.compare.report import counts_words, oddities
from explorer.quality.compare.rows import CalledOff
from tests.builtin import registry
from tests.mirror.quality.kept_rows import key, rows_of
from tests.thorough import examples

STANDARD = default_patterns(registry)


def applied(record: Any, changes: Sequence[Change]) -> Any:
    """``record`` with each change applied: the other record, except masked fields. Copies objects where changed."""
    for change in changes:
        record = _applied(record, change.path, change.returned)
    return record


def _applied(record: Any, path: tuple[str, ...], value: Any) -> Any:
    if not path:
        return value
    made = dict(record) if isinstance(record, Mapping) else {}
    name, rest = path[0], path[1:]
    if rest:
        made[name] = _applied(made.get(name, {}), rest, value)
    elif value is ABSENT:
        made.pop(name, None)
    else:
        made[name] = value
    return made


leaves = st.none() | st.booleans() | st.integers(-3, 2**70) | st.text(max_size=4) | st.just(0.1)
values = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc.[ "), inner, max_size=3),
    max_leaves=6,
)
bodies = st.dictionaries(
    st.sampled_from(["name", "size", "raw_data", "updated_at", "x.y"]), values, max_size=4
)
lists = st.dictionaries(st.sampled_from("abcdefgh"), bodies, max_size=7).map(
    lambda found: [{"id": name, **body} for name, body in found.items()]
)


def compared(
    one: Sequence[Any],
    other: Sequence[Any],
    mask: Mask | None = None,
    label: Sequence[str] = (),
    raw: Sequence[str] = (),
    **more: Any,
) -> Comparison:
    """Both in stores that end with the comparison: their files are held open, and gone from the folder."""
    with tempfile.TemporaryDirectory() as folder:
        a, b = rows_of(Path(folder), one, "a"), rows_of(Path(folder), other, "b", **more)
        return compare(a, b, mask or Mask(), label=label, raw=raw)


@settings(max_examples=examples(40), deadline=None)
@given(lists)
def test_nothing_differs_from_itself(records: list[dict[str, Any]]) -> None:
    shuffled = [json.dumps(one, indent=1).encode() for one in reversed(records)]
    with compared(records, shuffled) as made:
        assert not made.counts.different
        assert made.counts.same == len(records)
        assert list(made.found.every()) == []


@settings(max_examples=examples(60), deadline=None)
@given(lists, lists)
def test_the_changes_lead_from_one_to_the_other_and_swapping_mirrors(
    one: list[dict[str, Any]], other: list[dict[str, Any]]
) -> None:
    before = {record["id"]: read_exact(json.dumps(record)) for record in one}
    after = {record["id"]: read_exact(json.dumps(record)) for record in other}
    with compared(one, other) as made:
        counts, lines = made.counts, list(made.found.every())
        for line in lines:
            if line.what == "gone":
                del before[line.id]
            elif line.what == "added":
                before[line.id] = after[line.id]
            else:
                before[line.id] = applied(before[line.id], made.changes(line))
    assert before.keys() == after.keys()
    assert all(equal(before[name], after[name]) for name in after)
    with compared(other, one) as mirrored:
        again = mirrored.counts
        assert (again.added, again.gone) == (counts.gone, counts.added)
        assert (again.changed, again.same) == (counts.changed, counts.same)
        swapped = {"added": "gone", "gone": "added", "changed": "changed"}
        assert {(line.id, line.what) for line in mirrored.found.every()} == {
            (line.id, swapped[line.what]) for line in lines
        }


def fields(made: Comparison) -> set[tuple[str, str | None, str | None]]:
    return {(line.field, line.old, line.new) for line in made.found.every()}


def test_null_absent_and_empty_are_three_things_and_numbers_are_exact() -> None:
    big = 9007199254740993
    one = [b'{"id":1,"a":null,"c":"","d":%d,"e":1.0,"f":{"g":1},"h":1e400}' % big]
    other = [b'{"id":"1","b":null,"c":null,"d":%d,"e":1,"f":{"g":true},"h":10e399}' % (big + 1)]
    with compared(one, other) as made:
        assert fields(made) == {
            ("id", "1", '"1"'),
            ("a", "null", None),
            ("b", None, "null"),
            ("c", '""', "null"),
            ("d", str(big), str(big + 1)),
            ("f.g", "1", "true"),
        }
        assert made.fields == dict.fromkeys(["a", "b", "c", "d", "f.g", "id"], 1)


def test_ids_that_no_decimal_of_28_digits_tells_apart_are_two() -> None:
    one, other = (
        [b'{"id":10000000000000000000000000000000001}'],
        [b'{"id":10000000000000000000000000000000002}'],
    )
    with compared(one, other) as made:
        assert (made.counts.added, made.counts.gone) == (1, 1)
    with compared([b'{"id":10}'], [b'{"id":1e1}']) as made:
        assert made.counts.same == 1


def test_masked_fields_do_not_count_and_it_is_said_how_many_differ_in_them() -> None:
    one = [
        {
            "id": "a",
            "updated_at": "1",
            "raw_data": {"x": 1},
            "departments": [{"modified_at": "1", "name": "n"}],
        },
        {"id": "b", "updated_at": "1", "raw_data": {}},
        {"id": "c", "raw_data": {"x": 1}},
    ]
    other = [
        {
            "id": "a",
            "updated_at": "2",
            "raw_data": {"x": 2},
            "departments": [{"modified_at": "2", "name": "n"}],
        },
        {"id": "b", "raw_data": {"x": 5}},
        {"id": "c", "raw_data": None},
    ]
    with compared(one, other, Mask(STANDARD)) as made:
        assert (made.counts.same, made.counts.masked_only, made.counts.changed) == (2, 2, 1)
        assert fields(made) == {("raw_data", "{}", "null")}
    with compared(one, other, Mask([*STANDARD, "raw_data"])) as made:
        assert not made.counts.different
    spaced = [json.dumps(record, indent=1).encode() for record in one]
    with compared(one, spaced, Mask([*STANDARD, "departments"])) as made:
        assert (made.counts.same, made.counts.masked_only) == (3, 0)
    with compared(one, other) as made:
        assert made.counts.changed == 3


def test_double_ids_are_paired_in_order_and_told() -> None:
    one = [{"id": "a", "n": 1}, {"id": "a", "n": 2}, {"id": "b"}]
    other = [{"id": "a", "n": 1}, {"id": "b"}, {"id": "b"}, {"id": "b"}]
    with compared(one, other) as made:
        assert [(side.double_ids, side.double_examples) for side in made.sides] == [(1, ("a",)), (1, ("b",))]
        assert (made.counts.gone, made.counts.added, made.counts.same) == (1, 2, 2)


def test_records_without_an_id_are_told_and_match_by_what_they_say() -> None:
    one = [{"id": "", "n": 1.0, "updated_at": 1}, {"n": 2}, b"7", {"id": None}, {"id": [1]}, b'{"id":NaN']
    other = [b'{"n":1,"updated_at":2,"id":""}', {"n": 3}, b"7", b'{"id":NaN']
    with compared(one, other, Mask(STANDARD)) as made:
        assert [side.without_id for side in made.sides] == [6, 4]
        assert (made.counts.same, made.counts.gone, made.counts.added) == (3, 3, 1)
        assert {line.id for line in made.found.every()} == {""}


def test_records_that_only_loose_readers_take_are_compared_all_the_same() -> None:
    one = [b'{"id":"a","n":NaN,"m":1}', b'{"id":"b","t":"\\ud800"}', b'{"id":"c","t":"\xff"}']
    other = [b'{"id":"a","n":NaN,"m":2}', b'{"id":"b","t":"\\ud801"}', b'{"id":"c","t":"\xfe"}']
    with compared(one, other) as made:
        assert made.counts.changed + made.counts.added == 3
        assert ("m", "1", "2") in fields(made)
        assert ("t", '"\\ud800"', '"\\ud801"') in fields(made)


def test_many_batches_out_of_order_find_what_a_plain_reference_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compare_module, "BATCH_ROWS", 120)
    monkeypatch.setattr(compare_module, "BATCH_BYTES", 5_000)
    monkeypatch.setattr(compare_module, "_BITE", 50)
    chance = random.Random(7)
    one = {f"id{n}": {"id": f"id{n}", "n": n, "t": "x" * (n % 50)} for n in range(700)}
    other = {name: dict(record) for name, record in one.items() if chance.random() > 0.1}
    for name in chance.sample(sorted(other), 300):
        other[name]["n"] = -1
    other |= {f"new{n}": {"id": f"new{n}"} for n in range(40)}
    shuffled = list(other.values())
    chance.shuffle(shuffled)
    seen: list[Progress] = []
    with tempfile.TemporaryDirectory() as folder:
        a = rows_of(Path(folder), list(one.values()), "a", page_rows=40)
        b = rows_of(Path(folder), shuffled, "b", page_rows=40)
        made = compare(a, b, Mask(), seen.append)
    with made:
        found = {(line.what, line.id) for line in made.found.every()}
        assert found == {
            *(("gone", name) for name in one.keys() - other.keys()),
            *(("added", name) for name in other.keys() - one.keys()),
            *(("changed", name) for name in one.keys() & other.keys() if other[name] != one[name]),
        }
        [last] = seen[-1:]
        assert last.done == last.total == made.counts.to_look_at == made.counts.changed
        # The first counts are there before any record was opened.
        first = next(one for one in seen if one.counts.to_look_at)
        assert (first.counts.added, first.counts.gone, first.done) == (made.counts.added, made.counts.gone, 0)


@pytest.mark.parametrize("most", [5, 20], ids=["between pages", "while both sides are read"])
def test_it_can_be_called_off(most: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        a, b = (
            rows_of(Path(folder), [{"id": n} for n in range(50)], "a"),
            rows_of(Path(folder), [{"id": 1}], "b"),
        )
        asked = []

        def wanted() -> bool:
            asked.append(1)
            return len(asked) < most

        with pytest.raises(CalledOff):
            compare(a, b, Mask(), wanted=wanted)
        assert len(asked) == most


@pytest.mark.parametrize("count", [199, 200, 201, 450])
def test_each_of_many_chosen_lines_is_read(count: int) -> None:
    rows = [{"id": f"r{at}"} for at in range(count)]
    with compared(rows, []) as made:
        numbers = made.found.select(["gone"])
        assert [line.number for line in made.found.every(numbers)] == list(numbers)
        assert len(numbers) == count


def test_lines_are_selected_read_and_opened() -> None:
    one = [{"id": "a", "name": "Ärger", "m": {"x": 1, "y": 2}}, {"id": "b"}]
    long = "z" * 5000
    other = [{"id": "a", "name": long, "m": {"x": 2, "y": 2}}, {"id": "c"}]
    with compared(one, other) as made:
        found = made.found
        assert [line.what for line in found.lines(found.select(["added", "gone"]))] == ["gone", "added"]
        [line] = found.lines(found.select(field="m"))
        assert (line.field, line.old, line.new, line.row_a, line.row_b) == ("m.x", "1", "2", 0, 0)
        [line] = found.lines(found.select(text="äRGER"))
        assert line.new is not None
        assert len(line.new) == SHOWN
        [whole] = found.every([line.number])
        assert whole.new == json.dumps(long)
        old, new = made.records(line)
        assert old is not None
        assert json.loads(old) == one[0]
        assert new is not None
        assert json.loads(new) == other[0]
        [gone] = found.lines(found.select(["gone"]))
        assert made.records(gone)[1] is None
        assert made.changes(gone) == ()


def test_lists_of_different_kinds_are_said() -> None:
    with compared([], [], of=key(resource="file-storage/file")) as made:
        assert "ats/job and file-storage/file" in made.another_kind
        assert made.counts.same == 0


def test_a_decimal_is_written_in_its_own_digits() -> None:
    with compared([b'{"id":"a","n":[1.50,{"m":1}]}'], [b'{"id":"a","n":[1.51,{"m":1}]}']) as made:
        assert fields(made) == {("n", '[1.50, {"m": 1}]', '[1.51, {"m": 1}]')}
        [line] = made.found.every()
        [change] = made.changes(line)
        assert change.sent == [Decimal("1.50"), {"m": 1}]


@settings(max_examples=examples(60), deadline=None)
@given(
    st.lists(
        st.sampled_from([{"id": "a"}, {"id": "b", "n": 1}, {"id": "b", "n": 2}, {"n": 3}, [4]]), max_size=15
    ),
    st.lists(st.integers(0, 5), max_size=6),
)
def test_pages_that_both_have_are_compared_as_any_others(one: list[Any], order: list[int]) -> None:
    """The second list is made of whole pages of the first: left out, doubled, in another order."""
    other = [record for at in order for record in one[3 * at : 3 * at + 3]]
    told = []
    for rows in (3, 4):  # in pages of another size none is the same
        with compared(one, other, page_rows=rows) as made:
            sides = [(s.rows, s.without_id, s.double_ids, s.double_examples) for s in made.sides]
            told.append((made.counts, sides, made.fields, list(made.found.every())))
    assert told[0] == told[1]


def damaged() -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """A list before and after a release that cut names at 50 characters and moved dates of change."""
    begun = datetime(2024, 1, 5, 10, 0, 0, 123_000, UTC)
    stem = "Staff Engineer, Storage & Retrieval Infrastructure (Remote, Europe)"
    one = []
    for at in range(60):
        changed = (begun + timedelta(minutes=at * at * 17)).isoformat(timespec="milliseconds")
        name = f"{stem} #{at}" if at % 3 else f"Recruiter #{at}"
        one.append({"id": f"{at}", "name": name, "modified_at": changed.replace("+00:00", "Z")})
    other = []
    for row in one[:-3]:
        moved = datetime.fromisoformat(row["modified_at"]) + timedelta(hours=2)
        there = moved.replace(tzinfo=None).isoformat(timespec="milliseconds")
        other.append({**row, "name": row["name"][:50], "modified_at": there})
    return one, other


def test_a_cut_and_a_move_with_a_lost_zone_are_told_as_one_loss_each() -> None:
    with compared(*damaged()) as made:
        told = {one.words: one for one in made.explained.sentences}
        moved = "modified_at is now 2 hours later and lost its time zone in all 57 records"
        assert {"name is now cut at 50 characters in 38 of 57 records", moved} <= told.keys()
        assert {one.meaning for one in told.values()} == {"suspect"}
        assert not made.explained.unexplained


def test_gone_records_are_named_and_a_rule_in_what_is_left_out_is_told() -> None:
    one, other = damaged()
    with compared(one, other, Mask(STANDARD), ("name",)) as made:
        assert made.counts.changed == 38
        assert made.lone == {
            "gone": f"3 records are gone: Recruiter #57 (57), {one[58]['name']} (58), {one[59]['name']} (59)"
        }
        moved = "modified_at is now 2 hours later and lost its time zone in all 57 records"
        assert oddities(made) == (f"Left out, but changed by one rule: {moved}.",)
    later = [
        {**row, "modified_at": f"2024-05-{at % 28 + 1:02}T09:{at * 7 % 60:02}:11.{at * 37 % 1000:03}Z"}
        for at, row in enumerate(one)
    ]
    with compared(one, later, Mask(STANDARD)) as made:
        assert (made.counts.masked_only, made.lone, oddities(made)) == (60, {}, ())
    at_once = [{**row, "modified_at": "2024-06-01T04:00:00.000Z"} for row in one]
    with compared(one, at_once, Mask(STANDARD)) as made:
        assert oddities(made) == ()


def with_raw_data(count: int, *, now: bool, edited: int = 0) -> list[dict[str, Any]]:
    """Records of which each second one bounced; ``now`` a mapping calls these active, and ``edited`` are so in raw."""
    made = []
    for at in range(count):
        status = "bounced" if at % 2 else "paused"
        was, status = status, "active" if now and at % 2 and at // 2 < edited else status
        state = "active" if now and was == "bounced" else was
        inner = {"status": status, "updatedAt": f"2026-0{1 + at % 9}-02"}
        made.append({"id": str(at), "state": state, "raw_data": inner})
    return made


@pytest.mark.parametrize("mask", [STANDARD, ()])
@pytest.mark.parametrize(
    ("edited", "meaning", "words"),
    [
        (0, "suspect", "raw data is the same in all 100: the mapping changed"),
        (20, "suspect", "raw data is the same in 80 of 100: the mapping changed there"),
        (100, "edited", "raw data changed as well"),
    ],
)
def test_whether_source_or_mapping_changed(
    mask: tuple[str, ...], edited: int, meaning: str, words: str
) -> None:
    one, other = with_raw_data(200, now=False), with_raw_data(200, now=True, edited=edited)
    with compared(one, other, Mask(mask), raw=("raw_data",)) as made:
        told = next(one for one in made.explained.sentences if "state" in one.fields)
        if mask:
            assert told.words == 'state changed from "bounced" to "active" in 100 of 200 records'
            assert told.meaning == meaning
        assert told.raw.words == made.raw.words == words
        assert words in counts_words(made)
    with compared(one, other, Mask(mask)) as made:
        assert made.raw.words == ""
        assert {one.raw.words for one in made.explained.sentences} == {""}


def test_raw_data_inside_a_record_counts_as_well() -> None:
    def job(at: int, label: str, name: str) -> dict[str, Any]:
        team = {"id": "d1", "name": name, "raw_data": {"label": label}}
        return {"id": str(at), "departments": [team], "raw_data": {"key": at}}

    one = [job(at, "Care", "Care") for at in range(30)]
    for label, words in (("Care", "in all 30: the mapping changed"), ("care", "changed as well")):
        with compared(
            one, [job(at, label, "care") for at in range(30)], Mask(STANDARD), raw=("raw_data",)
        ) as made:
            assert made.raw.words.endswith(words)
    lost = [{**one, "departments": []} for one in one]
    with compared(one, lost, Mask(STANDARD), raw=("raw_data",)) as made:
        assert made.raw.words.endswith("in all 30: the mapping changed"), (
            "what is gone says nothing of the source"
        )


def test_where_one_value_of_several_changed_the_sentence_names_it() -> None:
    def job(at: int, care: str) -> dict[str, Any]:
        return {"id": str(at), "departments": [{"id": "d", "name": ("Sales", "People", care)[at % 3]}]}

    one = [job(at, "Care") for at in range(60)]
    with compared(one, [job(at, "care") for at in range(60)]) as made:
        [told] = made.explained.sentences
        assert told.words == 'departments[].name: "Care" became "care" in 20 of 60 records'
    lower = [
        {**record, "departments": [{"id": "d", "name": job(at, "Care")["departments"][0]["name"].lower()}]}
        for at, record in enumerate(one)
    ]
    with compared(one, lower) as made:
        [told] = made.explained.sentences
        assert told.words == "departments[].name is now in lower case in all 60 records"
