"""Why a field is empty, told by records whose source, losses and differences are known."""

from __future__ import annotations

from typing import Any

from explorer.quality.mapping.emptiness import NAMED, Places, emptiness


def record(number: int, phone: Any, raw: Any) -> tuple[int, dict[str, Any]]:
    return number, {"id": str(number), "phone": phone, "raw_data": {"id": number, "tel": {"main": raw}}}


def telephone(number: int) -> str:
    return f"+49 30 {5_550_000 + 37 * number}"


def test_rows_are_told_apart_by_what_field_and_source_hold() -> None:
    records = [record(n, telephone(n), telephone(n)) for n in range(60)]
    records += [record(n, None, telephone(n)) for n in range(60, 70)]
    records += [record(n, "", None) for n in range(70, 75)]
    records += [record(75, "+1 212 555 0199", telephone(75)), record(76, telephone(76), None)]
    found = emptiness(records, "phone", "raw_data")
    assert (found.paths, found.is_told, found.looked) == (("/tel/main",), True, 77)
    assert found.lost == Places(10, tuple(range(60, 60 + NAMED)))
    assert found.neither == Places(5, tuple(range(70, 75)))
    assert found.differs == Places(1, (75,))
    assert found.only_field == Places(1, (76,))
    assert found.source_filled == 71


def test_what_is_done_with_the_source_is_no_difference() -> None:
    records = [record(n, f"Person {n} of Berlin".upper(), f"Person {n} of Berlin") for n in range(40)]
    found = emptiness(records, "phone", "raw_data")
    assert found.paths == ("/tel/main",)
    assert found.differs.count == 0


def test_of_a_field_that_is_empty_everywhere_a_path_that_sounds_like_it_is_named_as_a_guess() -> None:
    records = [
        (
            n,
            {
                "id": str(n),
                "phone": None,
                "raw_data": {"mobile_phone": telephone(n) if n % 2 else "", "at": n},
            },
        )
        for n in range(20)
    ]
    found = emptiness(records, "phone", "raw_data")
    assert (found.paths, found.is_told) == (("/mobile_phone",), False)
    assert (found.lost.count, found.neither.count, found.differs.count) == (10, 10, 0)


def test_nothing_is_claimed_where_nothing_was_found() -> None:
    records = [(n, {"id": str(n), "phone": None, "raw_data": {"colour": "red"}}) for n in range(10)]
    found = emptiness(records, "phone", "raw_data")
    assert (found.paths, found.lost, found.neither) == ((), Places(), Places())
    assert emptiness([(0, {"phone": "1", "raw_data": None})], "phone", "raw_data").looked == 0
    assert emptiness([], "phone", "raw_data").looked == 0
