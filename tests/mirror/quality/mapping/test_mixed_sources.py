"""Fields that are one raw value here and another there, with nothing that tells when."""

from __future__ import annotations

from datetime import timedelta
from random import Random
from typing import Any

import pytest

from tests.mirror.quality.checks.test_lineage import FILES, bad, looked
from tests.mirror.quality.clean_mappings import MOMENT, z

Row = dict[str, Any]


def documents(share: float, *, told: bool = False, later: bool = False) -> list[Row]:
    """Files with two dates, of which ``share`` have the author's; ``told``: a word of raw data says so."""
    rng, rows = Random(7), []
    for at in range(240):
        put, made = (MOMENT + timedelta(hours=37 * at + rng.randrange(900)) for _ in range(2))
        other = max(put, made) == made if later else rng.random() < share
        raw = {"key": f"k{at * 7919:06}", "put": z(put), "custom": {"authored": z(made)}}
        raw |= {"by": "import" if other else "hand"} if told else {}
        rows.append({"id": raw["key"], "created_at": z(made if other else put), "raw_data": raw})
    return rows


@pytest.mark.parametrize("share", [0.15, 0.33, 0.5])
def test_one_of_two_without_a_reason_is_named_with_its_records(share: float) -> None:
    rows = documents(share)
    assert bad(rows) == [("mapping.one-source", "two ways", "created_at")]
    [found] = looked(rows)["mapping.one-source"].findings
    guilty = {row["id"] for row in rows if row["created_at"] != row["raw_data"]["put"]}
    assert {one.id for one in found.examples} <= guilty
    assert found.count == len(guilty)


def test_what_raw_data_tells_apart_or_the_later_of_two_is_a_rule() -> None:
    assert bad(documents(0.5, told=True)) == []
    assert bad(documents(0.5, later=True)) == []
    assert bad(documents(0.0)) == []


def test_the_first_of_two_that_has_something_is_a_rule() -> None:
    rows = documents(0.0)
    for at, row in enumerate(rows):
        if at % 3 == 0:
            row["raw_data"]["put"] = None
            row["created_at"] = row["raw_data"]["custom"]["authored"]
    assert bad(rows, FILES) == []
