"""What a ledger counts is what a plain count over the same values gives; its memory and its claims have bounds."""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.quality.compare.rows import CalledOff
from explorer.quality.ledger.ledger import FIELDS, MEMBERS, Counting, Ledger, ledger_of
from explorer.quality.ledger.seen import DISTINCT, FieldSeen
from tests.builtin import registry
from tests.mirror.quality.kept_rows import rows_of
from tests.thorough import examples

JOBS = registry.listing("ats/job")
FILES = registry.listing("file-storage/file")

leaves = (
    st.none()
    | st.booleans()
    | st.integers(-5, 2**70)
    | st.text("ab1é", max_size=3)
    | st.sampled_from([1.5, 2.25])
)
values = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("xyz"), inner, max_size=3),
    max_leaves=6,
)
records = st.lists(
    st.dictionaries(st.sampled_from(["id", "name", "confidential", "departments", "raw_data", "new"]), values)
    | leaves,
    max_size=12,
)


def made(records: Sequence[Any], listing: Any = JOBS) -> Ledger:
    counting = Counting(listing)
    for record in records:
        counting.add(record if isinstance(record, bytes) else json.dumps(record).encode())
    return counting.ledger("here")


def line(ledger: Ledger, path: str) -> FieldSeen:
    found = ledger.field(path)
    assert found is not None
    return found


def places(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Every place below a value: a reference that keeps everything it meets."""
    if isinstance(value, dict):
        for name, inner in value.items():
            below = f"{path}.{name}" if path else name
            yield below, inner
            yield from places(inner, below)
    elif isinstance(value, list):
        for inner in value:
            yield f"{path}[]", inner
            yield from places(inner, f"{path}[]")


KINDS = {
    dict: "object",
    list: "array",
    str: "text",
    bool: "boolean",
    int: "number",
    float: "number",
    type(None): "null",
}


@settings(max_examples=examples(80), deadline=None)
@given(records)
def test_counts_agree_with_a_plain_reference(given_records: list[Any]) -> None:
    ledger = made(given_records)
    objects = [record for record in given_records if isinstance(record, dict)]
    seen: dict[str, list[Any]] = {}
    around: Counter[str] = Counter({"": len(objects)})
    for record in objects:
        for path, value in places(record, ""):
            seen.setdefault(path, []).append(value)
    items: Counter[str] = Counter()
    for path, found in seen.items():
        around[path] = sum(isinstance(value, dict) for value in found)
        items[f"{path}[]"] = sum(len(value) for value in found if isinstance(value, list))
    assert ledger.rows == len(given_records)
    assert ledger.no_objects == len(given_records) - len(objects)
    assert {one.path for one in ledger.fields if one.present} == seen.keys()
    for path, found in seen.items():
        one = line(ledger, path)
        assert one.of == (items[path] if path.endswith("[]") else around[path.rpartition(".")[0]])
        assert one.present == len(found)
        assert dict(one.types) == Counter(KINDS[type(value)] for value in found)
        assert one.empty == sum(value in ("", [], {}) for value in found)
        scalars = {(isinstance(v, bool), v) for v in found if isinstance(v, str | int | float)}
        assert (one.distinct, one.more) == (len(scalars), False)
        numbers = [v for v in found if isinstance(v, int | float) and not isinstance(v, bool)]
        assert one.numbers == ((str(min(numbers)), str(max(numbers))) if numbers else None)
        texts = [len(v) for v in found if isinstance(v, str)]
        assert one.lengths == ((min(texts), max(texts)) if texts else None)
        assert one.absent + one.null + one.empty + one.filled == one.of


def test_declared_against_seen() -> None:
    ledger = made([{"id": "a", "name": None, "confidential": "yes", "departments": [{"id": 1}], "extra": 1}])
    assert line(ledger, "name").notes == ("null 1 times",)
    assert line(ledger, "confidential").notes == ("text 1 times",)
    assert line(ledger, "departments[].id").notes == ("number 1 times",)
    assert line(ledger, "created_at").notes == ("declared, never seen",)
    assert line(ledger, "extra").notes == ("not declared",)
    assert ledger.undeclared == ("extra",)
    assert "departments[].name" in ledger.never_seen
    # No office was seen, so nothing of an office can be missed.
    assert not any(path.startswith("offices[]") for path in ledger.never_seen)


def test_below_what_the_contract_leaves_open_nothing_is_undeclared() -> None:
    ledger = made([{"raw_data": {"a": {"b": [1]}}, "offices": [{"city": "x"}], "hiring_managers": {"id": 1}}])
    assert ledger.undeclared == ()
    assert line(ledger, "raw_data.a.b[]").free
    assert line(ledger, "offices[].city").free
    assert line(ledger, "hiring_managers.id").free


def test_required_fields_and_enumerations() -> None:
    stages = [f'{{"permissions":{{"download":{flag}}},"size":{size}}}'.encode() for flag, size in
              (("true", 1), ("false", 9007199254740993), ("1", "1e400"))]  # fmt: skip
    ledger = made(stages, FILES)
    assert line(ledger, "permissions.download").notes == ("number 1 times",)
    assert line(ledger, "size").numbers == ("1", "1E+400")
    assert line(ledger, "permissions.download").values == (("true", 1), ("false", 1), ("1", 1))


def test_dates_are_told_by_what_they_say_and_digits_are_none() -> None:
    rows = [{"created_at": t, "raw_data": {"at": t, "id": str(4 * 10**9 + n)}} for n, t in enumerate(
        ["2024-01-02T00:00:00+02:00", "2024-01-01T23:00:00Z", "2023-12-31T23:30:00-05:00"])]  # fmt: skip
    ledger = made(rows)
    # In UTC these are 22:00 and 23:00 on the first, and 04:30 on the first.
    assert line(ledger, "created_at").moments == ("2023-12-31T23:30:00-05:00", "2024-01-01T23:00:00Z")
    assert line(ledger, "raw_data.at").moments == line(ledger, "created_at").moments
    assert line(ledger, "raw_data.id").moments is None
    mixed = made([{"raw_data": {"at": text}} for text in ("2024-01-01", "soon")])
    assert line(mixed, "raw_data.at").moments is None


def test_bounds_are_said() -> None:
    rows = [
        {"id": f"{n}", "raw_data": {f"k{n}": {f"m{m}": 1 for m in range(20)}}} for n in range(DISTINCT + 5)
    ]
    ledger = made(rows)
    one = line(ledger, "id")
    assert (one.distinct, one.more, one.values) == (DISTINCT, True, None)
    assert one.distinct_words == "more than 1,000"
    assert len(one.examples) == 3
    assert len(ledger.fields) <= FIELDS
    assert (
        sum(1 for f in ledger.fields if f.path.startswith("raw_data.") and f.path.count(".") == 1) <= MEMBERS
    )
    assert ledger.left_out > 0
    deep: Any = 1
    for _ in range(500):
        deep = {"d": deep}
    assert made([{"raw_data": deep}]).left_out == 1


def test_different_objects_are_not_called_none() -> None:
    ledger = made([{"id": f"{n}", "name": None, "raw_data": {"n": n}} for n in range(3)])
    assert [line(ledger, name).distinct_words for name in ("id", "name", "raw_data")] == ["3", "", ""]


def test_what_cannot_be_read_is_counted_and_nothing_else_is_lost() -> None:
    ledger = made([b"{", b'{"id":NaN,"name":"\\ud800"}', b"[1]", b'{"id":"a","name":"' + b"x" * 500 + b'"}'])
    assert (ledger.rows, ledger.unreadable, ledger.no_objects) == (4, 1, 1)
    assert line(ledger, "id").types == {"number": 1, "text": 1}
    assert line(ledger, "name").values is None
    assert all(len(example) < 70 for example in line(ledger, "name").examples)
    assert json.dumps(ledger.field("name").examples).encode()  # type: ignore[union-attr]


def test_kept_rows_are_counted_page_by_page_and_can_be_called_off() -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        rows_of(Path(folder), [{"id": n} for n in range(10)]) as rows,
    ):
        seen: list[int] = []
        ledger = ledger_of(rows, registry, on_rows=seen.append)
        assert (ledger.rows, ledger.why, ledger.name) == (10, "", "pull:ats/job")
        assert seen == [3, 6, 9, 10]
        with pytest.raises(CalledOff):
            ledger_of(rows, registry, wanted=lambda: False)


def test_a_walk_is_counted_until_enough_rows_came() -> None:
    from explorer.api.answer import Answer
    from explorer.quality.ledger.ledger import walk_ledger

    asked: list[str] = []

    async def send(request: Any) -> Answer:
        asked.append(request.url if hasattr(request, "url") else "")
        body = json.dumps(
            {"items": [{"id": len(asked)}], "has_next_page": True, "next_cursor": f"c{len(asked)}"}
        )
        return Answer(200, (), body.encode(), 1.0, len(asked))

    ledger = asyncio.run(walk_ledger(send, JOBS, "conn", most=3))
    assert (ledger.rows, len(asked)) == (3, 3)
    assert "no more than 3 rows" in ledger.why
