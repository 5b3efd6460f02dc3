"""When a pipeline of the run's own may be turned on; what comes of it: tests/flow/test_quality_writes.py."""

from __future__ import annotations

from typing import Any

import pytest

from explorer.quality.checks.pipeline_switch import why_not

OFF = {"contact": {"disabled": True, "fields": ["id"]}, "account": {"disabled": True}}
OWN = {"sourceId": "conn_a", "destinationId": "conn_a", "disabled": True, "streams": OFF}


def test_one_that_can_sync_nothing_may_be_turned_on() -> None:
    assert why_not(OWN) == ""


@pytest.mark.parametrize(
    "other",
    [
        {"destinationId": "conn_b"},
        {"sourceId": None, "destinationId": None},
        {"streams": {}},
        {"streams": None},
        {"streams": {**OFF, "deal": {}}},
        {"streams": {**OFF, "deal": {"disabled": "true"}}},
        {"streams": {**OFF, "deal": True}},
        {"disabled": False},
        {"disabled": None},
    ],
)
def test_any_other_may_not(other: dict[str, Any]) -> None:
    assert "its answer does not show" in why_not({**OWN, **other})
