"""How fields are made, learned from records: the path and the transform, and nothing by chance."""

from __future__ import annotations

from datetime import UTC, datetime
from random import Random
from typing import Any

from explorer.quality.mapping.learn import is_called, learned
from explorer.quality.mapping.trace import spoken
from tests.mirror.quality.third_parties import SHAPES, arrays


def made(**fields: Any) -> Any:
    return learned([{**row, "raw_data": row.pop("raw")} for row in fields["rows"]], "raw_data").origins


def test_each_record_of_all_shapes_is_made_again() -> None:
    for maker in SHAPES:
        shape = maker(Random(5), 120)
        found = learned(shape.rows, "raw_data").origins
        for name in set(shape.true) - {"departments"}:
            rows = [row for row in shape.rows if row.get(name) is not None]
            assert all(found[name].explains(row[name], row["raw_data"]) for row in rows), name


def test_an_entry_is_read_by_its_kind() -> None:
    found = learned(arrays(Random(3), 80).rows, "raw_data").origins
    assert found["email"].paths[0] == "/contact/mails/[kind=work]/address"


def test_what_no_value_agrees_with_is_told_by_its_transform() -> None:
    rows = [
        {"size": (at * 7919 + 5000) // 1024, "raw": {"size": at * 7919 + 5000, "seq": at}} for at in range(60)
    ]
    one = made(rows=rows)["size"]
    assert (one.paths, one.words, one.is_lossy) == (("/size",), "is ÷ 1,024 and loses its fraction", True)


def test_what_the_last_item_of_an_array_has_is_read_there() -> None:
    rows = []
    for at in range(60):
        steps = [{"at": 1_700_000_000 + at * 7919 + one * 86_461, "to": one} for one in range(1 + at * 5 % 4)]
        moment = datetime.fromtimestamp(steps[-1]["at"], UTC).isoformat().replace("+00:00", "Z")
        rows.append({"updated_at": moment, "raw": {"no": at, "steps": steps}})
    one = made(rows=rows)["updated_at"]
    assert (one.paths, one.words, one.support) == (("/steps/[last]/at",), "is read as a date", 1)
    assert spoken(one.paths[0]) == ".steps[last].at"


def test_chance_explains_nothing() -> None:
    rng = Random(2)
    rows = [
        {"name": f"n{rng.random()}", "flag": rng.random() < 0.5, "raw": {"a": rng.random(), "b": f"m{at}", "c": at % 3}}
        for at in range(80)
    ]  # fmt: skip
    assert made(rows=rows) == {}


def test_names_that_say_the_same() -> None:
    assert is_called("is_deleted", "/data/isDeleted")
    assert is_called("is_deleted", "/deleted")
    assert not is_called("name", "/first_name")
