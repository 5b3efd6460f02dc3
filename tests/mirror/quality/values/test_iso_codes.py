"""Countries are known by code and by name, and a table that gives another country than its source is a loss."""

from __future__ import annotations

from typing import Any

import pytest

from explorer.quality.values.iso_codes import country_of
from tests.mirror.quality.checks.test_lineage import bad

NAMES = {"se": "Sweden", "de": "Germany", "pl": "Poland", "gb": "United Kingdom", "xx": "Elsewhere"}


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ("se", "SE"),
        ("Sweden", "SE"),
        (" united  KINGDOM ", "GB"),
        ("Türkiye", "TR"),
        ("Atlantis", ""),
        (46, ""),
        (None, ""),
    ],
)
def test_a_country_is_known_by_code_and_name(value: object, code: str) -> None:
    assert country_of(value) == code


def test_another_country_than_the_code_names_is_told() -> None:
    rows: list[dict[str, Any]] = []
    for at in range(120):
        code = list(NAMES)[at % 5]
        raw = {"uid": f"k{at * 7919:07}", "sites": [{"key": f"s{at}", "place": {"code": code}}]}
        offices = [{"id": f"s{at}", "country": NAMES[code]}]
        rows.append({"id": raw["uid"], "offices": offices, "raw_data": raw})
    assert bad(rows, "ats/job") == []
    for row in rows:
        if row["offices"][0]["country"] == "Sweden":
            row["offices"][0]["country"] = "Switzerland"
    assert bad(rows, "ats/job") == [("mapping.nothing-lost", "table", "offices[].country")]
